//! µ-ARGUS' recode files (`.grc`).
//!
//! `new : a , b , c-d , -e , f-` a line; optional `<MISSING>` codes and a `<CODELIST>`.
//! Ranges compare numbers as numbers and other codes as text. Codes that no line names
//! keep themselves.

use std::cmp::Ordering;
use std::path::Path;

use super::Recoding;
use crate::data::compare_labels;
use crate::{Column, Error, Result};

/// One part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Code(String),
    /// From, to; open if none.
    Range(Option<String>, Option<String>),
}

/// A recode file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grc {
    lines: Vec<(String, Vec<Part>)>,
    /// Codes that mean "missing" after recoding.
    pub missing: Vec<String>,
    /// File of labels of the new codes.
    pub code_list: Option<String>,
}

impl Grc {
    /// Reads a recode file.
    ///
    /// # Errors
    /// If it cannot be read or a line is wrong.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|source| Error::io(path, source))?;
        Self::parse(&String::from_utf8_lossy(&bytes), path)
    }

    /// The recoding in a text; `path` is for messages.
    ///
    /// # Errors
    /// If a line is wrong.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let mut grc = Self { lines: Vec::new(), missing: Vec::new(), code_list: None };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with("//") {
                continue;
            }
            if let Some(end) = line.strip_prefix('<').and_then(|rest| rest.find('>')) {
                let (keyword, rest) = line.split_at(end + 2);
                match keyword.to_uppercase().as_str() {
                    "<MISSING>" => {
                        let codes = rest.split([',', ' ', '\t']).map(str::trim);
                        let codes = codes.filter(|code| !code.is_empty());
                        grc.missing.extend(codes.map(|code| code.trim_matches('"').to_owned()));
                    }
                    "<CODELIST>" => {
                        grc.code_list = Some(rest.trim().trim_matches('"').to_owned());
                    }
                    _ => {
                        return Err(Error::line(path, number, format!("unknown option {keyword}")));
                    }
                }
                continue;
            }
            let Some((new, old)) = line.split_once(':') else {
                return Err(Error::line(path, number, "a line reads \"new : old, old, …\""));
            };
            let parts = old
                .split(',')
                .map(|part| match part.trim() {
                    "" => Err(Error::line(path, number, "an old code is missing")),
                    "-" => Ok(Part::Range(None, None)),
                    part => Ok(Self::part(part)),
                })
                .collect::<Result<_>>()?;
            grc.lines.push((new.trim().to_owned(), parts));
        }
        if grc.lines.is_empty() {
            return Err(Error::line(path, 1, "the file recodes nothing"));
        }
        Ok(grc)
    }

    fn part(part: &str) -> Part {
        let code = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
        match part.split_once('-') {
            Some((from, to)) => Part::Range(code(from), code(to)),
            None => Part::Code(part.to_owned()),
        }
    }

    /// The new code of an old one, if a line names it; the first line counts.
    pub fn recode(&self, old: &str) -> Option<&str> {
        let old = old.trim();
        let names = |part: &Part| match part {
            Part::Code(code) => code == old,
            Part::Range(from, to) => {
                from.as_deref().is_none_or(|from| compare_labels(from, old) != Ordering::Greater)
                    && to.as_deref().is_none_or(|to| compare_labels(old, to) != Ordering::Greater)
            }
        };
        // A code named outright goes before a range that happens to hold it.
        let find = |wanted: &dyn Fn(&Part) -> bool| {
            self.lines
                .iter()
                .find(|(_, parts)| parts.iter().any(wanted))
                .map(|(new, _)| new.as_str())
        };
        find(&|part| matches!(part, Part::Code(code) if code == old)).or_else(|| find(&names))
    }

    /// The recoding of a variable.
    ///
    /// # Errors
    /// Never for a column of its own codes.
    pub fn recoding(&self, column: &Column) -> Result<Recoding> {
        Recoding::by(column, |old| {
            let new = self.recode(old).unwrap_or(old);
            Ok((!self.missing.iter().any(|code| code == new)).then(|| new.to_owned()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ranges_and_open_ranges_are_recoded() {
        let text =
            "1: -20\n2: 21-30 , 35\n3: 31-34\n4: 36-\n\n<MISSING> 8, 9\n<CODELIST> Age.cdl\n";
        let grc = Grc::parse(text, Path::new("age.grc")).unwrap();
        let new = |old| grc.recode(old);
        assert_eq!(
            ["5", "20", "21", " 30", "33", "35", "36", "100"].map(new),
            ["1", "1", "2", "2", "3", "2", "4", "4"].map(Some)
        );
        assert_eq!(grc.missing, ["8", "9"]);
        assert_eq!(grc.code_list.as_deref(), Some("Age.cdl"));
        let column = Column::from_labels("age", ["5", "99", "22"], &["99"]);
        let recoded = grc.recoding(&column).unwrap().apply(&column, "9").unwrap();
        assert_eq!([0, 1, 2].map(|record| recoded.label(record)), ["1", "99", "2"]);
    }

    #[test]
    fn codes_that_no_line_names_stay() {
        let grc = Grc::parse("1:1,2\n3:3,4", Path::new("x")).unwrap();
        let column = Column::from_labels("v", ["1", "2", "4", "7"], &[]);
        let recoded = grc.recoding(&column).unwrap().apply(&column, "").unwrap();
        assert_eq!(recoded.labels(), ["1", "3", "7"]);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let message = |text| Grc::parse(text, Path::new("x.grc")).unwrap_err().to_string();
        assert_eq!(message("1:2\n3 4"), "x.grc, line 2: a line reads \"new : old, old, …\"");
        assert_eq!(message("1: 2,,3"), "x.grc, line 1: an old code is missing");
    }
}
