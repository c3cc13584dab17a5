//! The report: one HTML page that needs nothing else.

use std::fmt::Write as _;
use std::path::Path;

use quell_micro::{Error, Result};

use super::arguments::MeaningName;
use super::recode::RecodingSummary;
use super::summary::{RiskSummary, SuppressionSummary};

/// What a page shows.
pub struct Page<'a> {
    /// Its title.
    pub title: String,
    /// What "safe" means.
    pub meaning: MeaningName,
    /// The file as read.
    pub before: &'a RiskSummary,
    /// What was suppressed.
    pub suppression: Option<&'a SuppressionSummary>,
    /// What was recoded.
    pub recoding: Option<&'a RecodingSummary>,
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
color:#222}table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;\
text-align:right}td:first-child,th:first-child{text-align:left}.bar{background:#47a;height:.7rem;\
display:inline-block}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}";

/// Text that may stand in a page.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn meaning(name: MeaningName) -> &'static str {
    match name {
        MeaningName::Static => {
            "A combination of values is unsafe if it is rare in the original file; a released record \
             shows none of them."
        }
        MeaningName::Wildcard => {
            "In the released file a missing value matches every value; every record is matched by \
             enough records."
        }
        MeaningName::Identical => {
            "In the released file a missing value is a category; every record shares its tuple with \
             enough records."
        }
    }
}

fn table(text: &mut String, head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    text.push_str("<table><tr>");
    for name in head {
        let _ = write!(text, "<th>{}</th>", escaped(name));
    }
    text.push_str("</tr>\n");
    for row in rows {
        text.push_str("<tr>");
        for cell in row {
            let _ = write!(text, "<td>{cell}</td>");
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</table>\n");
}

fn bar(value: u64, most: u64) -> String {
    let width = if most == 0 { 0.0 } else { 12.0 * value as f64 / most as f64 };
    format!("{value} <span class=\"bar\" style=\"width:{width:.2}rem\"></span>")
}

/// The page as text.
pub fn html(page: &Page) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\
         <style>{STYLE}</style></head>\n<body><h1>{0}</h1>\n<p>{1}</p>",
        escaped(&page.title),
        meaning(page.meaning)
    );
    let before = page.before;
    let _ = writeln!(
        text,
        "<h2>Risk before</h2><p>{} of {} records have an unsafe combination; {} minimum unsafe \
         combinations in all.</p>",
        before.risky_records, before.records, before.minuc_occurrences
    );
    let most = before.variables.iter().map(|variable| variable.risky_records).max().unwrap_or(0);
    table(
        &mut text,
        &["variable", "categories", "risky records"],
        before.variables.iter().map(|variable| {
            vec![
                escaped(&variable.name),
                variable.categories.to_string(),
                bar(variable.risky_records, most),
            ]
        }),
    );
    let mut order: Vec<_> = before.combinations.iter().collect();
    order.sort_by_key(|combination| std::cmp::Reverse(combination.records));
    table(
        &mut text,
        &["combination", "safe from", "minimum unsafe", "records"],
        order.iter().take(50).map(|combination| {
            vec![
                escaped(&combination.variables.join(" × ")),
                combination.minimum.to_string(),
                combination.minucs.to_string(),
                combination.records.to_string(),
            ]
        }),
    );
    if let Some(recoding) = page.recoding {
        let _ = writeln!(
            text,
            "<h2>Recoding</h2><p>Information lost: {:.1} by recoding, {:.1} by suppression; {}.</p>",
            recoding.coding_loss,
            recoding.suppression_loss,
            if recoding.proved { "proved least" } else { "not proved least" }
        );
        table(
            &mut text,
            &["variable", "categories before", "after", "level"],
            recoding.variables.iter().map(|variable| {
                vec![
                    escaped(&variable.name),
                    variable.categories_before.to_string(),
                    variable.categories_after.to_string(),
                    format!("{} of {}", variable.level, variable.levels - 1),
                ]
            }),
        );
    }
    if let Some(done) = page.suppression {
        let _ = writeln!(
            text,
            "<h2>Suppressions</h2><p>{} values in {} records, {} categories affected; {}. Risk \
             after: 0 unsafe combinations, counted anew.</p>",
            done.suppressions,
            done.records,
            done.categories,
            if done.proved { "proved optimal" } else { "not proved optimal" }
        );
        let most = done.by_variable.iter().map(|(_, count)| *count).max().unwrap_or(0);
        table(
            &mut text,
            &["variable", "suppressed values"],
            done.by_variable.iter().map(|(name, count)| vec![escaped(name), bar(*count, most)]),
        );
        table(
            &mut text,
            &["variable", "category", "records", "suppressed", "share"],
            done.by_category.iter().map(|category| {
                vec![
                    escaped(&category.variable),
                    escaped(&category.code),
                    category.records.to_string(),
                    category.suppressed.to_string(),
                    format!(
                        "{:.1} %",
                        100.0 * category.suppressed as f64 / category.records as f64
                    ),
                ]
            }),
        );
    }
    text.push_str("</body></html>\n");
    text
}

/// Writes the page.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, page: &Page) -> Result<()> {
    std::fs::write(path, html(page))
        .map_err(|source| Error::Io { path: path.display().to_string(), source })
}
