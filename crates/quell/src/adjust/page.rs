//! The report of an adjustment as one self-contained HTML file, for the office.

use maud::{Markup, html};

use super::summary::{Summary, level_name};
use crate::report::page::{heading, page};

/// The page.
pub fn html(title: &str, summary: &Summary, choices: &[(String, String)]) -> String {
    let main = html! {
        (heading("Adjustment report · for the office, not for publication", title))
        (verdict(summary))
        (figures(summary))
        (quality(summary))
        (attack(summary))
        @if !choices.is_empty() {
            h2 { "To do it again" }
            table { @for (name, value) in choices { tr { th { (name) } td { (value) } } } }
        }
    };
    page(&format!("{title}: adjustment report"), &html! {}, &main, None)
}

/// The page for everyone: that values were moved, and that the table is safe. How far they moved,
/// and by which method, helps those who want to move them back.
pub fn public_html(title: &str, summary: &Summary) -> String {
    let main = html! {
        (heading("Adjustment report", title))
        div class={ "card verdict " (class(summary)) } {
            div {
                strong { (word(summary)) }
                // How many cells are sensitive is not told by the table.
                p { @if summary.safe { "Every sensitive cell is at a safe distance from its true value." } }
            }
        }
        p {
            "Values of these tables were moved a little, so that none can be told from them, and so "
            "that all sums still hold. No cell is hidden."
        }
    };
    page(&format!("{title}: adjustment report"), &html! {}, &main, None)
}

fn class(summary: &Summary) -> &'static str {
    if summary.safe { "safe" } else { "not-safe" }
}

fn word(summary: &Summary) -> &'static str {
    if summary.safe { "SAFE" } else { "NOT SAFE" }
}

fn verdict(summary: &Summary) -> Markup {
    html! {
        div class={ "card verdict " (class(summary)) } {
            div {
                strong { (word(summary)) }
                p {
                    @if summary.safe {
                        "All " (summary.sensitive) " sensitive cells are at a safe distance from their true values, "
                        "all " (summary.equations) " equations add up exactly, and no cell is outside its limits."
                    } @else {
                        (summary.breaches) " cells, equations or statistics are not as asked."
                    }
                }
            }
        }
    }
}

fn figures(summary: &Summary) -> Markup {
    let figure = |number: String, words: &str| {
        html! { div.figure { b { (number) } span { (words) } } }
    };
    html! {
        div.figures {
            (figure(summary.cells.to_string(), "cells"))
            (figure(summary.sensitive.to_string(), "sensitive"))
            (figure(summary.changed.to_string(), "changed"))
            (figure(format!("{:.2}", summary.cost), "cost of the changes"))
            (figure(format!("{:.2} %", 100.0 * summary.gap), "proven gap at most"))
        }
        p.small.soft {
            "Adjusted by " code { (summary.method) } "; no adjusted table costs less than "
            (format!("{:.2}", summary.lower_bound)) "."
        }
    }
}

fn quality(summary: &Summary) -> Markup {
    let quality = &summary.quality;
    html! {
        h2 { "How much the table has changed" }
        table {
            tr { th { "level" } th { "cells" } th { "changed" } th { "sum of changes" } th { "mean change" } th { "largest change" } }
            @for level in &quality.levels {
                tr {
                    td { (level_name(level.level)) }
                    td { (level.cells) }
                    td { (level.changed) }
                    td { (format!("{:.2}", level.absolute)) }
                    td { (format!("{:.2} %", level.relative_percent)) }
                    td { (format!("{:.1} %", level.most_percent)) }
                }
            }
        }
        p {
            "The largest total changes by " (format!("{:+.3} %", quality.total_percent))
            ". Over the base cells the correlation of adjusted with true values is "
            (format!("{:.5}", quality.correlation)) ", the slope of their regression "
            (format!("{:.5}", quality.slope)) ", and the variance is "
            (format!("{:.5}", quality.variance_ratio)) " times what it was."
        }
    }
}

fn attack(summary: &Summary) -> Markup {
    html! {
        @if let Some(attack) = &summary.attack {
            h2 { "What an intruder can infer" }
            p {
                "One who knows which cells are sensitive, both safe distances of each, the limits of all others and the "
                "method is certain of " (attack.certain) " of " (attack.attacked) " true values. One who adjusts the "
                "table back guesses " (format!("{:.0} %", 100.0 * attack.guessed_right))
                " of the directions; a coin guesses 50 %."
                @if attack.not_attacked > 0 { " For " (attack.not_attacked) " cells the time was too short." }
            }
        }
    }
}
