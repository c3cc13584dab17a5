//! What was hidden, why, and where: counts by status, rule, level and code.

use std::collections::BTreeMap;

use maud::{Markup, html};
use quell_model::{CellId, Reason, Status};
use quell_tabulate::RULES;

use super::figures::{self, Tally, count, percent};
use super::{Audience, ReleaseReport};
use crate::release::{ProtectedTable, SuppressedTables};

/// The most codes of a level that are listed one by one.
const MOST_CODES: usize = 12;

/// The words for a reason.
pub fn reason(reason: Reason) -> &'static str {
    let by_rule = RULES.iter().find(|kind| kind.reason == reason).map(|kind| kind.why);
    by_rule.unwrap_or(match reason {
        Reason::Manual => "set by hand",
        _ => "given as sensitive",
    })
}

fn tally<'a>(protected: &SuppressedTables, cells: impl IntoIterator<Item = &'a CellId>) -> Tally {
    let mut tally = Tally::default();
    for &cell in cells {
        match protected.status(cell) {
            Status::Primary(_) => tally.primary += 1,
            Status::Secondary => tally.secondary += 1,
            Status::Safe | Status::Protected => tally.published += 1,
        }
    }
    tally
}

/// The first look: how many cells, how many hidden, how much is lost.
pub fn key_figures(report: &ReleaseReport<'_>) -> Markup {
    let protected = report.protected;
    let cells: Vec<CellId> = protected.problem.system().cells().collect();
    let all = tally(protected, &cells);
    let figure = |class: Option<&str>, number: String, words: &str| {
        html! { div.figure { b { (number) } span { @if let Some(class) = class { i class=(class) {} } (words) } } }
    };
    let tables = protected.tables.len();
    let of_what = match tables {
        0 => "cells",
        1 => "cells in one table",
        _ => "cells in all tables",
    };
    html! {
        div.figures {
            (figure(None, count(all.all()), of_what))
            @match report.audience {
                Audience::Office => {
                    (figure(Some("primary"), count(all.primary), "primary: sensitive"))
                    (figure(Some("secondary"), count(all.secondary), "secondary: protect others"))
                }
                Audience::Public => { (figure(Some("hidden"), count(all.hidden()), "hidden")) }
            }
            (figure(Some("published"), percent(all.published, all.all()), "of all cells published"))
            @if report.audience == Audience::Office {
                (figure(None, lost(protected, &cells), "information lost by secondaries"))
            }
        }
        p.small.soft {
            @match tables {
                0 => {}
                1 => { "One table; " }
                several => { (several) " tables, linked; " }
            }
            (tied(protected.problem.system().equation_count()))
            @if report.audience == Audience::Office {
                " Secondaries chosen by " code { (report.protected.method) } "."
                @if let Some(gap) = gap(report) { " " (gap) }
            }
        }
        (figures::legend(report.audience))
    }
}

/// What the equations are for.
fn tied(equations: usize) -> String {
    match equations {
        0 => "No equation ties the cells together.".to_owned(),
        1 => "One additive equation ties cells together, and it was held against the attacker."
            .to_owned(),
        several => format!(
            "{} additive equations tie the cells together, and every one of them was held against \
             the attacker.",
            count(several)
        ),
    }
}

/// What the secondaries among some cells cost as a share of what all of them would, in steps
/// too coarse to add to what an attacker knows.
fn lost(protected: &SuppressedTables, cells: &[CellId]) -> String {
    let weight = |cell: &CellId| protected.problem.weight(*cell);
    let all: f64 = cells.iter().map(weight).sum();
    let secondary = |cell: &&CellId| protected.status(**cell) == Status::Secondary;
    let share = 100.0 * cells.iter().filter(secondary).map(weight).sum::<f64>() / all;
    const STEPS: [f64; 7] = [0.1, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0];
    match STEPS.iter().position(|&step| share < step) {
        _ if !share.is_finite() || share == 0.0 => "0 %".to_owned(),
        Some(0) => format!("< {} %", STEPS[0]),
        Some(step) => format!("{}–{} %", STEPS[step - 1], STEPS[step]),
        None => format!("> {} %", STEPS[STEPS.len() - 1]),
    }
}

/// How far from the best the pattern can be at most.
fn gap(report: &ReleaseReport<'_>) -> Option<String> {
    let bound = report.protected.lower_bound?;
    let cost = report.protected.pattern.cost(&report.protected.problem);
    let gap = 100.0 * (cost - bound) / cost;
    (cost > 0.0 && gap.is_finite()).then(|| match gap {
        gap if gap < 0.05 => "No cheaper choice exists: that is proven.".to_owned(),
        gap => format!("At most {gap:.0} % of their cost could be saved: that is proven."),
    })
}

/// Why cells are primary, rule by rule and table by table.
pub fn why(report: &ReleaseReport<'_>) -> Markup {
    let protected = report.protected;
    let counts = |cells: &[CellId]| {
        let mut counts: BTreeMap<Reason, usize> = BTreeMap::new();
        for &cell in cells {
            if let Status::Primary(reason) = protected.status(cell) {
                *counts.entry(reason).or_default() += 1;
            }
        }
        counts
    };
    let cells: Vec<CellId> = protected.problem.system().cells().collect();
    let all = counts(&cells);
    let most = all.values().copied().max().unwrap_or(0);
    html! {
        h2 { "Why cells are sensitive" }
        @if !report.rules.is_empty() {
            p.soft {
                "Rules in force: "
                @for (number, rule) in report.rules.iter().enumerate() {
                    @if number > 0 { "; " }
                    (rule.name)
                    @if let Some(parameters) = &rule.parameters { " " code { (parameters) } }
                    @if !rule.tables.is_empty() { " (" (rule.tables.join(", ")) ")" }
                }
                "."
                @if report.audience == Audience::Office {
                    " A cell that breaks several counts once, for the first in the order of the rules."
                }
            }
        }
        @if report.audience == Audience::Office { div.card {
            @if all.is_empty() { p { "No cell is sensitive." } }
            div.bars {
                @for (why, number) in &all {
                    div.row {
                        div.name { (reason(*why)) }
                        (figures::bar(*number, most))
                        div.count { (count(*number)) }
                    }
                }
            }
            @if protected.tables.len() > 1 {
                div.scroll { table {
                    tr { th { "table" } @for why in all.keys() { th.n { (reason(*why)) } } th.n { "all" } }
                    @for table in &protected.tables {
                        @let here = counts(&table.cells);
                        tr {
                            td { (table.name()) }
                            @for why in all.keys() { td.n { (count(here.get(why).copied().unwrap_or(0))) } }
                            td.n { (count(here.values().sum())) }
                        }
                    }
                } }
                p.small.soft { "A cell that stands in several tables is counted in each." }
            }
        } }
    }
}

/// Where cells are hidden: by level of detail and by code.
pub fn where_hidden(report: &ReleaseReport<'_>) -> Markup {
    let protected = report.protected;
    if protected.tables.is_empty() {
        return html! {};
    }
    html! {
        h2 { "Where cells are hidden" }
        p.soft { "Detail is where contributors are few. Each bar is all cells of a level or code; its length shows their number." }
        @for table in &protected.tables {
            div.card {
                h3 { (table.name()) " " span.soft { "· " (table.response()) } }
                div.columns {
                    @for dimension in 0..table.cube().dimensions().len() {
                        div {
                            (levels(report, table, dimension))
                            (codes(report, table, dimension))
                        }
                    }
                }
            }
        }
    }
}

/// A table's cells by a number of each.
fn groups(
    table: &ProtectedTable,
    group: impl Fn(CellId) -> Option<usize>,
) -> BTreeMap<usize, Vec<CellId>> {
    let mut groups: BTreeMap<usize, Vec<CellId>> = BTreeMap::new();
    for (place, cell) in table.cells() {
        if let Some(group) = group(place) {
            groups.entry(group).or_default().push(cell);
        }
    }
    groups
}

fn levels(report: &ReleaseReport<'_>, table: &ProtectedTable, dimension: usize) -> Markup {
    let protected = report.protected;
    let hierarchy = &table.cube().dimensions()[dimension].hierarchy;
    let level = |place| hierarchy.ancestors(table.cube().coordinate(place, dimension)).len();
    let levels = groups(table, |place| Some(level(place)));
    let widest = levels.values().map(Vec::len).max().unwrap_or(0);
    html! {
        h3 { "By level of " (table.cube().dimensions()[dimension].name) }
        div.bars {
            @for (level, cells) in &levels {
                @let tally = tally(protected, cells);
                div.row {
                    div.name { @if *level == 0 { "total" } @else { "level " (level) } }
                    (tally.bar(widest, report.audience))
                    div.count {
                        (percent(tally.hidden(), tally.all())) " hidden"
                        @if report.audience == Audience::Office {
                            br; span.small.soft { (lost(protected, cells)) " lost" }
                        }
                    }
                }
            }
        }
    }
}

fn codes(report: &ReleaseReport<'_>, table: &ProtectedTable, dimension: usize) -> Markup {
    let protected = report.protected;
    let hierarchy = &table.cube().dimensions()[dimension].hierarchy;
    let shown = |node| hierarchy.ancestors(node).len() == 1;
    let codes = groups(table, |place| {
        let node = table.cube().coordinate(place, dimension);
        let above = hierarchy.ancestors(node).iter().copied().find(|&above| shown(above));
        // A code below counts for the one that is shown.
        if shown(node) { Some(node as usize) } else { above.map(|above| above as usize) }
    });
    let codes: BTreeMap<usize, Tally> =
        codes.into_iter().map(|(node, cells)| (node, tally(protected, &cells))).collect();
    let widest = codes.values().map(|tally| tally.all()).max().unwrap_or(0);
    let mut worst: Vec<_> = codes.iter().collect();
    worst.sort_by_key(|(node, tally)| (usize::MAX - tally.hidden(), **node));
    let more = worst.len().saturating_sub(MOST_CODES);
    worst.truncate(MOST_CODES);
    if more == 0 {
        worst.sort_by_key(|(node, _)| **node);
    }
    html! {
        details {
            summary { "by code" }
            div.bars {
                @for (node, tally) in worst {
                    div.row {
                        div.name { (table.label(dimension, *node as u32)) }
                        (tally.bar(widest, report.audience))
                        div.count { (percent(tally.hidden(), tally.all())) }
                    }
                }
            }
            @if more > 0 { p.small.soft { "The " (MOST_CODES) " codes with the most hidden cells; " (count(more)) " more." } }
        }
    }
}
