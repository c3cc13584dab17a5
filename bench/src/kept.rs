//! Results that are kept: what was measured earlier is not measured again unless that is asked,
//! and every row that is shown says when it was measured.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::results::{self, Circumstances, append, folder};

/// Whether earlier results count.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Again {
    /// Measure anew what is in the results already; of several results of one run the last
    /// counts from then on
    #[arg(long = "again")]
    pub again: bool,
}

/// A row of raw results.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// When it was measured.
    pub date: String,
    /// Its values, in the order of the measurement's columns.
    pub values: Vec<String>,
}

/// The results of a measurement: those of earlier and those of now.
#[derive(Debug)]
pub struct Kept {
    file: PathBuf,
    columns: &'static [&'static str],
    /// How many of the columns say what was asked; the rest is what was found.
    asked: usize,
    again: bool,
    rows: Vec<Row>,
    /// What was asked and measured now.
    now: BTreeSet<Vec<String>>,
}

impl Kept {
    /// The results of a measurement so far; the first `asked` columns say what was asked.
    ///
    /// # Errors
    /// If the file cannot be read, or has other columns.
    pub fn open(
        name: &str,
        columns: &'static [&'static str],
        asked: usize,
        again: Again,
    ) -> Result<Self, Box<dyn Error>> {
        Self::in_folder(&folder(), name, columns, asked, again)
    }

    fn in_folder(
        folder: &Path,
        name: &str,
        columns: &'static [&'static str],
        asked: usize,
        again: Again,
    ) -> Result<Self, Box<dyn Error>> {
        let file = folder.join(format!("{name}.csv"));
        let rows = results::read(&file, columns)?;
        Ok(Self { file, columns, asked, again: again.again, rows, now: BTreeSet::new() })
    }

    /// Whether a run is to be measured: it was not yet, or it is asked again.
    pub fn is_due(&self, asked: &[String]) -> bool {
        match self.again {
            true => !self.now.contains(asked),
            false => self.latest(asked).is_none(),
        }
    }

    /// Adds what was found of a run, to the file as well.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(
        &mut self,
        asked: Vec<String>,
        found: impl IntoIterator<Item = String>,
        circumstances: &Circumstances,
    ) -> Result<(), Box<dyn Error>> {
        let values: Vec<String> = asked.iter().cloned().chain(found).collect();
        append(&self.file, self.columns, [values.clone()], circumstances)?;
        self.rows.push(Row { date: circumstances.date().to_owned(), values });
        self.now.insert(asked);
        Ok(())
    }

    /// The last result of a run.
    pub fn latest(&self, asked: &[String]) -> Option<&Row> {
        self.rows.iter().rev().find(|row| row.values[..self.asked] == *asked)
    }

    /// All results, those that were measured again included.
    pub fn all(&self) -> &[Row] {
        &self.rows
    }

    /// What was measured now and with what, in a line above the table.
    pub fn describe(&self, circumstances: &Circumstances) -> String {
        match self.now.len() {
            0 => "Nothing was measured now: rows are of the dates shown; --again measures anew"
                .to_owned(),
            1 => format!("1 run measured now ({})", circumstances.describe()),
            runs => format!("{runs} runs measured now ({})", circumstances.describe()),
        }
    }
}

/// The date of rows: the first and the last if there are several.
pub fn dates<'a>(rows: impl IntoIterator<Item = &'a Row>) -> String {
    period(rows.into_iter().map(|row| row.date.as_str()))
}

/// The first and the last of some dates.
pub fn period<'a>(dates: impl IntoIterator<Item = &'a str>) -> String {
    let dates: BTreeSet<&str> = dates.into_iter().collect();
    match (dates.first(), dates.last()) {
        (Some(first), Some(last)) if first == last => (*first).to_owned(),
        (Some(first), Some(last)) => format!("{first} … {last}"),
        _ => "–".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

    use super::*;

    const COLUMNS: &[&str] = &["table", "method", "cost"];

    fn asked(method: &str) -> Vec<String> {
        vec!["small".to_owned(), method.to_owned()]
    }

    fn open(folder: &Path, again: bool) -> Kept {
        Kept::in_folder(folder, "test", COLUMNS, 2, Again { again }).unwrap()
    }

    fn add(kept: &mut Kept, method: &str, cost: &str, date: &str) {
        kept.add(asked(method), [cost.to_owned()], &Circumstances::of(date)).unwrap();
    }

    #[test]
    fn rows_keep_the_date_they_were_measured_on() {
        let folder = tempfile::tempdir().unwrap();
        add(&mut open(folder.path(), false), "auto", "5", "2026-01-02");
        let mut later = open(folder.path(), false);
        assert!(!later.is_due(&asked("auto")) && later.is_due(&asked("exact")));
        assert!(later.describe(&Circumstances::now()).starts_with("Nothing was measured now"));
        add(&mut later, "exact", "4", "2026-03-04");
        assert_eq!(later.latest(&asked("auto")).unwrap().date, "2026-01-02");
        assert_eq!(dates(later.latest(&asked("exact"))), "2026-03-04");
        assert_eq!(dates(later.all()), "2026-01-02 … 2026-03-04");
        assert!(later.describe(&Circumstances::now()).starts_with("1 run measured now"));
    }

    #[test]
    fn again_measures_once_more_and_the_last_result_counts() {
        let folder = tempfile::tempdir().unwrap();
        add(&mut open(folder.path(), false), "auto", "5", "2026-01-02");
        let mut again = open(folder.path(), true);
        assert!(again.is_due(&asked("auto")), "it was measured, but not now");
        add(&mut again, "auto", "3", "2026-05-06");
        assert!(!again.is_due(&asked("auto")), "it was measured now");
        for kept in [again, open(folder.path(), false)] {
            let row = kept.latest(&asked("auto")).unwrap();
            assert_eq!((row.date.as_str(), row.values[2].as_str()), ("2026-05-06", "3"));
            assert_eq!(kept.all().len(), 2);
        }
    }
}
