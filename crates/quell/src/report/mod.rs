//! The report of a release: one self-contained HTML file.
//!
//! It says what was protected and why, what that costs, what the auditor found, and
//! everything needed to do it again. It needs no network and hardly a script.
//!
//! The one for the office explains every cell, with its value and what is known of those who
//! contribute to it; names of contributors are in none. The one for everyone tells nothing that
//! the published tables do not tell: no hidden value, nor the sum of some, nor which hidden cells
//! are sensitive, nor what was derived from the input. How far protection reaches is told in
//! classes, and only to the office: whoever knows the rules and how far an interval reaches
//! beyond what they ask for can work backwards to the value. So are costs.

mod audit;
mod explain;
pub(crate) mod figures;
mod map;
pub(crate) mod page;
mod reproduce;
mod summary;

use maud::{Markup, html};
use quell_attack::TableVerdict;
use serde::{Deserialize, Serialize};

pub use reproduce::{InputFile, Reproduce};
pub(crate) use summary::reason;

use crate::release::SuppressedTables;

/// Who will read a report, or a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Audience {
    /// The office: every cell with its value, protection achieved in classes, costs.
    #[default]
    Office,
    /// Everyone: nothing that is not in the release.
    Public,
}

/// What was asked for and what came of it, in words and numbers for the report.
#[derive(Debug)]
pub struct ReleaseReport<'a> {
    /// Its title.
    pub title: &'a str,
    /// What is released.
    pub protected: &'a SuppressedTables,
    /// Who will read it.
    pub audience: Audience,
    /// The rules, with their parameters only if they may be told.
    pub rules: &'a [RuleShown],
    /// What the reader should know: negative values, waived cells, methods replaced.
    pub notes: &'a [String],
    /// Everything needed to do it again.
    pub reproduce: &'a Reproduce,
}

/// A rule as the report shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleShown {
    /// Its name.
    pub name: String,
    /// Its parameters, if they may be told.
    pub parameters: Option<String>,
    /// The tables it holds for; empty for all.
    pub tables: Vec<String>,
}

impl ReleaseReport<'_> {
    /// The report as one HTML file.
    pub fn html(&self) -> String {
        let main = html! {
            (self.opening())
            (summary::key_figures(self))
            (summary::why(self))
            @for (number, table) in self.protected.tables.iter().enumerate() {
                (map::section(self, table, number))
            }
            (summary::where_hidden(self))
            (audit::section(self))
            @if self.audience == Audience::Office {
                (self.notes())
                (reproduce::section(self))
            }
        };
        let title = format!("{}: protection report", self.title);
        page::page(&title, &self.watermark(), &main, Some(include_str!("script.js")))
    }

    fn watermark(&self) -> Markup {
        html! {
            @if self.protected.verdict() != TableVerdict::Safe {
                div.watermark { "Released although it is not proven safe. Not for publication." }
            }
        }
    }

    fn opening(&self) -> Markup {
        let kicker = match self.audience {
            Audience::Office => "Protection report · for the office, not for publication",
            Audience::Public => "Protection report",
        };
        html! {
            (page::heading(kicker, self.title))
            (audit::verdict(self))
        }
    }

    /// For the office: notes name cells and say why they are hidden.
    fn notes(&self) -> Markup {
        html! {
            @if !self.notes.is_empty() && self.audience == Audience::Office {
                h2 { "Worth knowing" }
                ul { @for note in self.notes { li { (note) } } }
            }
        }
    }
}
