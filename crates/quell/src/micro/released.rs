//! Records as they are released, however they were made safe.

use std::path::Path;

use arrow::array::RecordBatch;
use quell_micro::{Microdata, Suppressions, release};

use super::records::KeyedRecords;
use super::while_writing;
use crate::{Context, Error};

/// Records as they are released: recoded, and with values hidden.
#[derive(Debug)]
pub struct ReleasedRecords<'a> {
    /// The records as they were read.
    pub(super) records: &'a KeyedRecords,
    /// Their identifying variables: as they were read, or recoded.
    pub(super) data: &'a Microdata,
    /// What is hidden of those.
    pub(super) suppressions: &'a Suppressions,
    /// What stands for a hidden value, if not the variable's missing code.
    pub(super) marker: Option<&'a str>,
}

impl ReleasedRecords<'_> {
    /// The identifying variables in memory.
    ///
    /// # Errors
    /// If the marker is one of a variable's codes.
    pub fn keys_only(&self) -> Result<Microdata, Error> {
        let markers = self.records.markers(self.marker);
        Ok(release::suppressed(self.data, self.suppressions, &markers)?)
    }

    /// All variables as record batches; a hidden value is null, or what stands for it.
    ///
    /// # Errors
    /// If the records cannot be read again, or the marker is one of a variable's codes.
    pub fn batches(&self, context: &Context<'_>) -> Result<Vec<RecordBatch>, Error> {
        let markers = self.records.markers(self.marker);
        let (whole, watch) = (self.records.whole()?, while_writing(context));
        Ok(release::batches(whole, &self.keys(&markers), self.suppressions, &watch)?)
    }

    /// Writes the released file like the one that was read.
    ///
    /// # Errors
    /// If it cannot be written, or the records came from no file.
    pub fn write(&self, out: &Path, context: &Context<'_>) -> Result<(), Error> {
        let markers = self.records.markers(self.marker);
        let (whole, watch) = (self.records.whole()?, while_writing(context));
        release::write(whole, out, &self.keys(&markers), self.suppressions, &watch)?;
        Ok(())
    }

    fn keys<'b>(&'b self, markers: &'b [String]) -> Vec<release::Released<'b>> {
        let columns = self.records.data().keys().iter().zip(self.data.keys());
        let released = |((original, recoded), missing)| release::Released {
            original,
            recoded: (recoded != original).then_some(recoded),
            missing,
        };
        columns.zip(markers.iter().map(String::as_str)).map(released).collect()
    }
}
