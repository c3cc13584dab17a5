//! What is done with records, whichever of the three it is, and what came of it.

use std::path::Path;

use serde::Serialize;

use super::recode::{RecodeRequest, Recoded, recode};
use super::records::KeyedRecords;
use super::released::ReleasedRecords;
use super::risk::{Risk, RiskRequest, risk};
use super::suppress::{SuppressRequest, Suppressed, suppress};
use crate::{Context, Error};

/// What is to be done with records.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Measure the risk.
    Risk(RiskRequest),
    /// Suppress values.
    Suppress(SuppressRequest),
    /// Join categories, and suppress what is left.
    Recode(RecodeRequest),
}

impl Request {
    /// The variables it needs besides the identifying ones.
    pub fn others(&self) -> Vec<String> {
        match self {
            Self::Risk(request) => request.sensitive.clone(),
            Self::Suppress(request) => request.record_importance.iter().cloned().collect(),
            Self::Recode(_) => Vec::new(),
        }
    }

    /// Does it.
    ///
    /// # Errors
    /// If it does not fit the records, or the budget is spent before a safe file is known and
    /// verified.
    pub fn carry_out(
        &self,
        records: &KeyedRecords,
        context: &Context<'_>,
    ) -> Result<Outcome, Error> {
        Ok(match self {
            Self::Risk(request) => Outcome::Risk(Box::new(risk(records, request, context)?)),
            Self::Suppress(request) => {
                Outcome::Suppressed(Box::new(suppress(records, request, context)?))
            }
            Self::Recode(request) => Outcome::Recoded(Box::new(recode(records, request, context)?)),
        })
    }
}

/// What was done with records.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// The risk was measured.
    Risk(Box<Risk>),
    /// Values were suppressed.
    Suppressed(Box<Suppressed>),
    /// Categories were joined, and what was left was suppressed.
    Recoded(Box<Recoded>),
}

impl Outcome {
    /// What was done, in a word or two.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Risk(_) => "Risk",
            Self::Suppressed(_) => "Local suppression",
            Self::Recoded(_) => "Recoding",
        }
    }

    /// What was found, in words.
    pub fn text(&self) -> String {
        match self {
            Self::Risk(found) => found.text(),
            Self::Suppressed(found) => found.text(),
            Self::Recoded(found) => found.text(),
        }
    }

    /// The same as a page, for the office.
    pub fn report(&self, title: &str) -> String {
        match self {
            Self::Risk(found) => found.report(title),
            Self::Suppressed(found) => found.report(title),
            Self::Recoded(found) => found.report(title),
        }
    }

    /// Whether the records are safe as released, or as they are if nothing is.
    pub fn is_safe(&self) -> bool {
        match self {
            Self::Risk(found) => found.is_safe(),
            // Verified, or there would be an error.
            Self::Suppressed(_) | Self::Recoded(_) => true,
        }
    }

    /// Whether there are records to release: measuring makes none.
    pub fn has_release(&self) -> bool {
        !matches!(self, Self::Risk(_))
    }

    /// The released records, if there are any. The marker, or the variable's missing code, stands
    /// for a suppressed value.
    pub fn released<'a>(
        &'a self,
        records: &'a KeyedRecords,
        marker: Option<&'a str>,
    ) -> Option<ReleasedRecords<'a>> {
        match self {
            Self::Risk(_) => None,
            Self::Suppressed(found) => Some(found.released(records, marker)),
            Self::Recoded(found) => Some(found.released(records, marker)),
        }
    }

    /// Writes the released file, if there is one, like the one that was read.
    ///
    /// # Errors
    /// If it cannot be written, or the marker is one of a variable's codes.
    pub fn write(
        &self,
        records: &KeyedRecords,
        out: &Path,
        marker: Option<&str>,
        context: &Context<'_>,
    ) -> Result<(), Error> {
        match self.released(records, marker) {
            Some(released) => released.write(out, context),
            None => Ok(()),
        }
    }
}
