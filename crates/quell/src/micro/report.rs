//! The report: one HTML page that needs nothing else, in the style of those for tables.
//!
//! It is for the office: it names rare categories.

use maud::{Markup, html};
use quell_micro::Meaning;

use super::recode::Recoded;
use super::risk::Risk;
use super::summary::{RecodingSummary, RiskSummary, SuppressionSummary};
use super::suppress::Suppressed;
use crate::report::figures::{bar, count, percent};
use crate::report::page::{heading, page as whole};

/// The most combinations and categories listed one by one.
const MOST_LISTED: usize = 50;

/// What a page shows.
struct Page<'a> {
    title: &'a str,
    /// What "safe" means.
    meaning: Meaning,
    /// The file as read.
    before: &'a RiskSummary,
    suppression: Option<&'a SuppressionSummary>,
    recoding: Option<&'a RecodingSummary>,
}

impl Risk {
    /// The page of the unsafe combinations.
    pub fn report(&self, title: &str) -> String {
        let (meaning, before) = (self.meaning, &self.summary);
        html(&Page { title, meaning, before, suppression: None, recoding: None })
    }
}

impl Suppressed {
    /// The page of what was suppressed.
    pub fn report(&self, title: &str) -> String {
        let (meaning, before, suppression) = (self.meaning, &self.before, Some(&self.suppression));
        html(&Page { title, meaning, before, suppression, recoding: None })
    }
}

impl Recoded {
    /// The page of what was recoded and suppressed.
    pub fn report(&self, title: &str) -> String {
        html(&Page {
            title,
            meaning: Meaning::Static,
            before: &self.before,
            suppression: Some(&self.suppression),
            recoding: Some(&self.recoding),
        })
    }
}

fn words(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Static => {
            "A combination of values is unsafe if it is rare in the original file; a released record \
             shows none of them."
        }
        Meaning::Wildcard => {
            "In the released file a missing value matches every value; every record is matched by \
             enough records."
        }
        Meaning::IdenticalTuple => {
            "In the released file a missing value is a category; every record shares its tuple with \
             enough records."
        }
    }
}

/// The page as text.
fn html(page: &Page) -> String {
    let main = html! {
        (heading("Microdata · for the office, not for publication", page.title))
        p.soft { (words(page.meaning)) }
        (figures(page))
        (risk(page.before))
        @if let Some(recoding) = page.recoding { (recoded(recoding)) }
        @if let Some(done) = page.suppression { (suppressed(done, page.before.records)) }
    };
    whole(page.title, &html! {}, &main, None)
}

/// The first look: risk before and after, and what it cost.
fn figures(page: &Page) -> Markup {
    let before = page.before;
    let figure =
        |number: String, words: &str| html! { div.figure { b { (number) } span { (words) } } };
    html! {
        div.figures {
            (figure(count(before.records), "records"))
            (figure(percent(before.risky_records, before.records), "had an unsafe combination"))
            @if let Some(done) = page.suppression {
                (figure("0".to_owned(), "have one now, counted anew"))
                (figure(count(done.suppressions), "values suppressed"))
                (figure(
                    percent(done.suppressions, before.records * before.variables.len()),
                    "of all identifying values lost",
                ))
            }
        }
    }
}

fn risk(before: &RiskSummary) -> Markup {
    let most = before.variables.iter().map(|one| one.risky_records).max().unwrap_or(0) as usize;
    let mut order: Vec<_> = before.combinations.iter().collect();
    order.sort_by_key(|combination| std::cmp::Reverse(combination.records));
    html! {
        h2 { "Risk before" }
        p.soft {
            (count(before.risky_records)) " of " (count(before.records))
            " records have an unsafe combination; " (count(before.minuc_occurrences as usize))
            " minimum unsafe combinations in all."
        }
        div.card {
            h3 { "Records at risk by variable" }
            div.bars {
                @for variable in &before.variables {
                    div.row {
                        div.name { (variable.name) " " span.soft.small { (variable.categories) " categories" } }
                        (bar(variable.risky_records as usize, most))
                        div.count { (count(variable.risky_records as usize)) }
                    }
                }
            }
            details {
                summary { "by combination" }
                div.scroll { table {
                    tr { th { "combination" } th.n { "safe from" } th.n { "minimum unsafe" } th.n { "records" } }
                    @for one in order.iter().take(MOST_LISTED) {
                        tr {
                            td { (one.variables.join(" × ")) }
                            td.n { (one.minimum) }
                            td.n { (count(one.minucs as usize)) }
                            td.n { (count(one.records as usize)) }
                        }
                    }
                } }
            }
        }
    }
}

fn recoded(recoding: &RecodingSummary) -> Markup {
    html! {
        h2 { "Recoding" }
        p.soft {
            "Information lost: " (format!("{:.1}", recoding.coding_loss)) " by recoding, "
            (format!("{:.1}", recoding.suppression_loss)) " by suppression; "
            @if recoding.proved { "proved least." } @else { "not proved least." }
        }
        div.card { div.scroll { table {
            tr { th { "variable" } th.n { "categories before" } th.n { "after" } th.n { "level" } }
            @for variable in &recoding.variables {
                tr {
                    td { (variable.name) }
                    td.n { (variable.categories_before) }
                    td.n { (variable.categories_after) }
                    td.n { (variable.level) " of " (variable.levels - 1) }
                }
            }
        } } }
    }
}

fn suppressed(done: &SuppressionSummary, records: usize) -> Markup {
    let most = done.by_variable.iter().map(|(_, count)| *count).max().unwrap_or(0) as usize;
    let mut order: Vec<_> = done.by_category.iter().collect();
    order.sort_by_key(|category| std::cmp::Reverse(category.suppressed));
    html! {
        h2 { "Suppressions" }
        p.soft {
            (count(done.suppressions)) " values in " (count(done.records)) " records, "
            (count(done.categories)) " categories affected; "
            @if done.proved { "proved optimal." } @else { "not proved optimal." }
        }
        div.card {
            h3 { "Values lost by variable" }
            div.bars {
                @for (name, number) in &done.by_variable {
                    div.row {
                        div.name { (name) }
                        (bar(*number as usize, most))
                        div.count { (count(*number as usize)) " · " (percent(*number as usize, records)) }
                    }
                }
            }
            details {
                summary { "by category" }
                div.scroll { table {
                    tr { th { "variable" } th { "category" } th.n { "records" } th.n { "suppressed" } th.n { "share" } }
                    @for category in order.iter().take(MOST_LISTED) {
                        tr {
                            td { (category.variable) }
                            td { (category.code) }
                            td.n { (count(category.records as usize)) }
                            td.n { (count(category.suppressed as usize)) }
                            td.n { (percent(category.suppressed as usize, category.records as usize)) }
                        }
                    }
                } }
                @if order.len() > MOST_LISTED {
                    p.small.soft { (count(order.len() - MOST_LISTED)) " more categories lose fewer values; --json has them all." }
                }
            }
        }
    }
}
