//! Raw numbers as CSV in `bench/results/`, printed tables as Markdown.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::kept::Row;
use crate::measure;

/// The columns every file begins with.
const SHARED: [&str; 5] = ["date", "version", "processor", "cores", "load_before"];

/// Where and with what a measurement was made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Circumstances {
    date: String,
    version: String,
    processor: String,
    cores: usize,
    load_before: f64,
}

impl Circumstances {
    /// Those of now.
    pub fn now() -> Self {
        Self {
            date: measure::today(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            processor: measure::processor(),
            cores: measure::cores(),
            load_before: measure::load(),
        }
    }

    /// Those of now, on another day.
    #[cfg(test)]
    pub fn of(date: &str) -> Self {
        Self { date: date.to_owned(), ..Self::now() }
    }

    /// The day.
    pub fn date(&self) -> &str {
        &self.date
    }

    /// A line for people.
    pub fn describe(&self) -> String {
        format!(
            "quell {}, {}, {} cores of {}, load {} before",
            self.version, self.date, self.cores, self.processor, self.load_before
        )
    }
}

/// Where raw numbers are kept.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results")
}

/// Adds rows to the file of a measurement. The first row of a new file names the columns.
pub fn log(
    name: &str,
    columns: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
    circumstances: &Circumstances,
) -> Result<(), Box<dyn Error>> {
    append(&folder().join(format!("{name}.csv")), columns, rows, circumstances)
}

/// Adds rows to a file.
pub fn append(
    path: &Path,
    columns: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
    circumstances: &Circumstances,
) -> Result<(), Box<dyn Error>> {
    let new = !path.exists();
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let out: File = OpenOptions::new().append(true).create(true).open(path)?;
    let mut writer = csv::WriterBuilder::new().flexible(false).from_writer(out);
    if new {
        writer.write_record(SHARED.iter().chain(columns))?;
    }
    let Circumstances { date, version, processor, cores, load_before } = circumstances;
    for row in rows {
        let shared = [
            date.clone(),
            version.clone(),
            processor.clone(),
            cores.to_string(),
            load_before.to_string(),
        ];
        writer.write_record(shared.iter().chain(&row))?;
    }
    writer.flush()?;
    Ok(())
}

/// The rows of a file, each with its date; none if there is no file yet.
///
/// # Errors
/// If the file cannot be read, or has other columns.
pub fn read(path: &Path, columns: &[&str]) -> Result<Vec<Row>, Box<dyn Error>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut reader = csv::Reader::from_path(path)?;
    if !reader.headers()?.iter().eq(SHARED.iter().chain(columns).copied()) {
        return Err(format!("{} has other columns: move it away", path.display()).into());
    }
    let row = |record: csv::Result<csv::StringRecord>| {
        let record = record?;
        let values = record.iter().skip(SHARED.len()).map(str::to_owned).collect();
        Ok(Row { date: record.get(0).unwrap_or_default().to_owned(), values })
    };
    reader.records().map(row).collect()
}

/// Prints rows as a Markdown table, numbers to the right.
pub fn print(columns: &[&str], rows: &[Vec<String>]) {
    println!("| {} |", columns.join(" | "));
    let rule: Vec<&str> =
        (0..columns.len()).map(|column| if column == 0 { "---" } else { "---:" }).collect();
    println!("|{}|", rule.join("|"));
    for row in rows {
        println!("| {} |", row.join(" | "));
    }
}

/// A whole number with thin groups: 1,000,000.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000_000), "1,000,000");
    }
}
