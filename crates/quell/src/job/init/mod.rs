//! A first job file from a look at the data.

mod profile;
mod starter;

use std::path::{Path, PathBuf};

use crate::Error;
use profile::Profile;

/// A commented first job file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstJob {
    /// Its text.
    pub text: String,
    /// Variables of the data.
    pub variables: usize,
    /// Records looked at.
    pub records: usize,
}

/// Guesses which variables of a CSV file are dimensions, responses, ids and weights. The job
/// will lie in `folder`, from which it names the data.
///
/// # Examples
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let data = folder.path().join("firms.csv");
/// std::fs::write(&data, "region,turnover\nN,900.5\nN,20\nS,30\nS,1\nS,7\nN,8\n")?;
/// let first = quell::job::init::first_job(&data, folder.path())?;
/// assert!(first.text.contains("response = \"turnover\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the data cannot be read or have no records.
pub fn first_job(data: &Path, folder: &Path) -> Result<FirstJob, Error> {
    let profile = Profile::of(data)?;
    let named = data.strip_prefix(folder).map_or_else(
        |_| std::path::absolute(data).unwrap_or_else(|_| data.to_owned()),
        PathBuf::from,
    );
    Ok(FirstJob {
        text: starter::text(&named, &profile),
        variables: profile.columns.len(),
        records: profile.records,
    })
}
