//! What µ-ARGUS' recode files (`.grc`) mean for a variable.
//!
//! Ranges compare numbers as numbers and other codes as text. A code named outright goes before a
//! range that happens to hold it; of several lines the first counts. Codes that no line names keep
//! themselves.

use std::cmp::Ordering;
use std::path::Path;

use quell_data::argus::grc::{self, Codes, Groups, Recode};
use quell_data::{Error as FileError, Text};

use super::Recoding;
use crate::data::compare_labels;
use crate::{Column, Result};

/// Reads a recode file.
///
/// # Errors
/// If it cannot be read, a line is wrong, or it folds a hierarchy.
pub fn read(path: &Path) -> Result<Groups> {
    groups(&Text::read(path)?)
}

/// The new codes that a text of a recode file gives.
///
/// # Errors
/// If a line is wrong, or the text folds a hierarchy.
pub fn groups(text: &Text) -> Result<Groups> {
    match grc::parse(text)? {
        Recode::Groups(groups) => Ok(groups),
        Recode::Tree(_) => {
            let message =
                "<TREERECODE> folds a hierarchy, which variables of microdata do not have";
            Err(FileError::malformed(Path::new(text.file()), message).into())
        }
    }
}

/// The new code of an old one, if a line names it.
pub fn new_code<'a>(groups: &'a Groups, old: &str) -> Option<&'a str> {
    let old = old.trim();
    let find = |wanted: &dyn Fn(&Codes) -> bool| {
        let mut lines = groups.groups.iter();
        let found = lines.find(|group| group.sources.iter().any(wanted));
        found.map(|group| group.code.as_str())
    };
    let outright = |codes: &Codes| matches!(codes, Codes::One(code) if code.trim() == old);
    find(&outright).or_else(|| find(&|codes| holds(codes, old)))
}

/// Whether a code is one of these.
fn holds(codes: &Codes, old: &str) -> bool {
    let from = |from: &String| compare_labels(from, old) != Ordering::Greater;
    let to = |to: &String| compare_labels(old, to) != Ordering::Greater;
    match codes {
        Codes::One(code) => code.trim() == old,
        Codes::Between(first, last) => from(first) && to(last),
        Codes::UpTo(last) => to(last),
        Codes::From(first) => from(first),
        Codes::Any => true,
    }
}

/// The recoding of a variable.
///
/// # Errors
/// Never for a column of its own codes.
pub fn recoding(groups: &Groups, column: &Column) -> Result<Recoding> {
    Recoding::by(column, |old| {
        let new = new_code(groups, old).unwrap_or(old);
        Ok((!groups.missing.iter().any(|code| code == new)).then(|| new.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ranges_and_open_ranges_are_recoded() {
        let text =
            "1: -20\n2: 21-30 , 35\n3: 31-34\n4: 36-\n\n<MISSING> 8, 9\n<CODELIST> Age.cdl\n";
        let grc = groups(&Text::new("age.grc", text.as_bytes())).unwrap();
        let new = |old| new_code(&grc, old);
        assert_eq!(
            ["5", "20", "21", " 30", "33", "35", "36", "100"].map(new),
            ["1", "1", "2", "2", "3", "2", "4", "4"].map(Some)
        );
        assert_eq!(grc.missing, ["8", "9"]);
        assert_eq!(grc.code_list.as_ref().map(|file| file.name.as_str()), Some("Age.cdl"));
        let column = Column::from_labels("age", ["5", "99", "22"], &["99"]);
        let recoded = recoding(&grc, &column).unwrap().apply(&column, "9").unwrap();
        assert_eq!([0, 1, 2].map(|record| recoded.label(record)), ["1", "99", "2"]);
    }

    #[test]
    fn codes_that_no_line_names_stay() {
        let grc = groups(&Text::new("x", b"1:1,2\n3:3,4")).unwrap();
        let column = Column::from_labels("v", ["1", "2", "4", "7"], &[]);
        let recoded = recoding(&grc, &column).unwrap().apply(&column, "").unwrap();
        assert_eq!(recoded.labels(), ["1", "3", "7"]);
    }

    #[test]
    fn everything_else_may_be_one_code() {
        let grc = groups(&Text::new("x", b"1: 1\n2: -")).unwrap();
        assert_eq!(["1", "7", "x"].map(|old| new_code(&grc, old)), ["1", "2", "2"].map(Some));
    }

    #[test]
    fn a_wrong_file_is_named() {
        let message =
            |text: &str| groups(&Text::new("x.grc", text.as_bytes())).unwrap_err().to_string();
        assert!(message("1:2\n3 4").starts_with("x.grc, line 2, column 3: found"));
        assert!(message("<TREERECODE>\n1").contains("folds a hierarchy"));
    }
}
