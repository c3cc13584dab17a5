//! Code trees: from fine to coarse, a level at a time.
//!
//! The ladder of a variable is a list of codings, each joining at least what the one
//! before joins; the first changes nothing.

use std::path::Path;

use rustc_hash::FxHashMap;

use super::Recoding;
use crate::{Column, Error, Result};

/// The codings of one variable, from finest (no change) to coarsest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ladder {
    levels: Vec<Recoding>,
}

impl Ladder {
    /// The original coding only.
    pub fn original(column: &Column) -> Self {
        Self { levels: vec![Recoding::none(column)] }
    }

    /// The original coding and others, from fine to coarse.
    ///
    /// # Errors
    /// If a coding splits what the one before joined.
    pub fn new(column: &Column, coarser: Vec<Recoding>) -> Result<Self> {
        let mut levels = vec![Recoding::none(column)];
        for next in coarser {
            if levels.last().is_some_and(|last| !last.is_coarsened_by(&next)) {
                return Err(Error::Request(format!(
                    "coding {} of variable \"{}\" splits what the one before it joined",
                    levels.len(),
                    column.name()
                )));
            }
            levels.push(next);
        }
        Ok(Self { levels })
    }

    /// A ladder from a file with one line per code: the code, then its ancestors from fine to
    /// coarse (ARX' hierarchies). A last level that joins everything is left out: it
    /// would be the same as leaving out the variable.
    ///
    /// # Errors
    /// If the file cannot be read, a code of the variable is not in it, or it is no tree.
    pub fn read(path: &Path, separator: u8, column: &Column) -> Result<Self> {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .from_path(path)
            .map_err(|source| Error::csv(path, source))?;
        let mut lines = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|source| Error::csv(path, source))?;
            lines.push(record.iter().map(str::to_owned).collect());
        }
        Self::from_lines(lines, column, &format!(" in {}", path.display()))
    }

    /// A ladder from lines as [`Ladder::read`] finds them in a file; `place` is said behind the
    /// variable's name where a code is not found.
    ///
    /// # Errors
    /// If a code of the variable has no line, or it is no tree.
    pub fn from_lines(lines: Vec<Vec<String>>, column: &Column, place: &str) -> Result<Self> {
        let mut ancestors_of: FxHashMap<String, Vec<String>> = FxHashMap::default();
        let mut levels = usize::MAX;
        for line in lines {
            let mut fields = line.into_iter().map(|field| field.trim().to_owned());
            if let Some(code) = fields.next() {
                let ancestors: Vec<String> = fields.collect();
                levels = levels.min(ancestors.len());
                ancestors_of.insert(code, ancestors);
            }
        }
        let levels = if levels == usize::MAX { 0 } else { levels };
        let mut coarser = Vec::new();
        for level in 0..levels {
            let recoding = Recoding::by(column, |label| match ancestors_of.get(label.trim()) {
                Some(ancestors) => Ok(Some(ancestors[level].clone())),
                None => Err(Error::UnknownCode {
                    variable: format!("{}{place}", column.name()),
                    code: label.to_owned(),
                }),
            })?;
            let mut categories: Vec<&String> = recoding.labels.iter().flatten().collect();
            categories.sort();
            categories.dedup();
            if categories.len() > 1 {
                coarser.push(recoding);
            }
        }
        Self::new(column, coarser)
    }

    /// A ladder that cuts off the last digit, again and again, while two are left
    /// (µ-ARGUS' `<TRUNCABLE>`).
    ///
    /// # Errors
    /// Never for a column of its own codes.
    pub fn truncating(column: &Column) -> Result<Self> {
        let longest = column.labels().iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let coarser = (1..longest)
            .map(|cut| {
                Recoding::by(column, |label| {
                    let kept = longest - cut;
                    Ok(Some(label.chars().take(kept).collect()))
                })
            })
            .collect::<Result<_>>()?;
        Self::new(column, coarser)
    }

    /// Number of codings, the original among them.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// A coding.
    pub fn level(&self, level: usize) -> &Recoding {
        &self.levels[level]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_hierarchy_file_makes_a_ladder() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"a;x;*\nb;x;*\nc;y;*\n").unwrap();
        let column = Column::from_labels("v", ["a", "b", "c"], &[]);
        let ladder = Ladder::read(file.path(), b';', &column).unwrap();
        assert_eq!(ladder.levels(), 2);
        assert_eq!(ladder.level(1).apply(&column, "").unwrap().labels(), ["x", "y"]);
        let other = Column::from_labels("v", ["a", "d"], &[]);
        assert!(Ladder::read(file.path(), b';', &other).is_err());
    }

    #[test]
    fn digits_are_cut_off_from_the_right() {
        let column = Column::from_labels("job", ["123", "124", "200"], &[]);
        let ladder = Ladder::truncating(&column).unwrap();
        assert_eq!(ladder.levels(), 3);
        assert_eq!(ladder.level(1).apply(&column, "").unwrap().labels(), ["12", "20"]);
        assert_eq!(ladder.level(2).apply(&column, "").unwrap().labels(), ["1", "2"]);
    }

    #[test]
    fn a_coding_that_splits_is_refused() {
        let column = Column::from_labels("v", ["a", "b", "c"], &[]);
        let join = |pair: [&'static str; 2]| {
            Recoding::by(&column, move |label| {
                Ok(Some(if pair.contains(&label) { "joined".into() } else { label.to_owned() }))
            })
            .unwrap()
        };
        assert!(Ladder::new(&column, vec![join(["a", "b"]), join(["b", "c"])]).is_err());
        assert!(Ladder::new(&column, vec![join(["a", "b"])]).is_ok());
    }
}
