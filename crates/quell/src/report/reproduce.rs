//! Everything needed to do it again: inputs by their hashes, version, seed, options.
//!
//! It is for the office. Whoever can guess a hidden value can make the input that has it, and
//! would see from its hash whether he is right; so he would from the pattern that the same
//! choices give again.

use maud::{Markup, html};

use super::ReleaseReport;

/// A file that went into a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// Its name, as the job says it.
    pub name: String,
    /// Its SHA-256 in hexadecimal, or what was given in memory instead of it.
    pub sha256: String,
}

/// What a second run needs to give the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reproduce {
    /// The version of Quell.
    pub version: &'static str,
    /// The files that went in.
    pub inputs: Vec<InputFile>,
    /// Names and values of all that was chosen: method, seed, bounds, outputs.
    pub choices: Vec<(String, String)>,
}

/// The section.
pub fn section(report: &ReleaseReport<'_>) -> Markup {
    let reproduce = report.reproduce;
    html! {
        h2 { "To do it again" }
        p.soft { "The same inputs, version and choices give the same release, on any number of threads, as long as the method ends before its time does." }
        div.card {
            div.scroll { table {
                tr { th { "input" } th { "SHA-256" } }
                @for input in &reproduce.inputs { tr { td { (input.name) } td { code { (input.sha256) } } } }
            } }
            div.scroll { table {
                tr { th { "choice" } th { "value" } }
                tr { td { "version" } td { code { "quell " (reproduce.version) } } }
                @for (name, value) in &reproduce.choices { tr { td { (name) } td { code { (value) } } } }
            } }
        }
    }
}
