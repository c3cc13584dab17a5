//! The `.frq` file beside a JJ file: one line per cell, `freq holdingfreq`.
//!
//! τ-ARGUS calls that of `T.JJ` `T.JJ.frq`; ours is `T.frq`. Both are read. Quell has
//! contributors, not holdings of contributors: the second number is optional and not kept, and
//! written equal to the first where there are no holdings.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use quell_model::Budget;

use crate::cursor::Cursor;
use crate::mistake::quote;
use crate::number::print_whole;
use crate::pace::Pace;
use crate::{Error, Mistake, write_whole};

/// The name of the `.frq` file of a JJ file: `T.jj` has `T.frq`.
pub fn beside(jj: &Path) -> PathBuf {
    match jj.extension() {
        // A table called T.frq must not be its own companion.
        Some(extension) if !extension.eq_ignore_ascii_case("frq") => jj.with_extension("frq"),
        _ => beside_as_argus(jj),
    }
}

/// Its name as τ-ARGUS has it: `T.JJ` has `T.JJ.frq`.
pub fn beside_as_argus(jj: &Path) -> PathBuf {
    let mut name = OsString::from(jj);
    name.push(".frq");
    PathBuf::from(name)
}

/// The file with the contributors of a JJ file, if there is one.
pub fn find_beside(jj: &Path) -> Option<PathBuf> {
    [beside_as_argus(jj), beside(jj)].into_iter().find(|path| path.is_file())
}

/// Reads the contributors beside a JJ file with so many cells, if the file exists, as long as
/// the budget allows.
///
/// # Errors
/// If it exists and cannot be read or has a mistake, or [`Error::Stopped`].
pub fn read_beside(
    jj: &Path,
    cell_count: usize,
    budget: &Budget,
) -> Result<Option<Vec<u32>>, Error> {
    let Some(path) = find_beside(jj) else { return Ok(None) };
    match std::fs::read(&path) {
        Ok(text) => parse_within(&path.display().to_string(), &text, cell_count, budget).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::read(&path, error)),
    }
}

/// Reads a `.frq` text for so many cells; `file` is its name in messages.
///
/// # Errors
/// A [`Mistake`] with its place.
pub fn parse(file: &str, text: &[u8], cell_count: usize) -> Result<Vec<u32>, Error> {
    parse_within(file, text, cell_count, &Budget::default())
}

fn parse_within(
    file: &str,
    text: &[u8],
    cell_count: usize,
    budget: &Budget,
) -> Result<Vec<u32>, Error> {
    let mut cursor = Cursor::new(text);
    let mut pace = Pace::new(budget);
    let mut contributors = Vec::with_capacity(cell_count.min(text.len()));
    let mistake = |place: std::ops::Range<usize>, expected: String, advice: &str| {
        let found = match text.get(place.clone()) {
            Some(word) if !word.is_empty() => quote(word),
            _ => "the end of the file".to_owned(),
        };
        Error::from(Mistake::at(file, text, place, found, expected, advice))
    };
    while cursor.find_line() {
        pace.line()?;
        let place = cursor.word();
        if contributors.len() == cell_count {
            let expected = format!("the end of the file after {cell_count} cells");
            return Err(mistake(place, expected, "this file belongs to another table"));
        }
        let advice = "a line reads: contributors, and optionally holdings";
        contributors.push(whole(&text[place.clone()]).ok_or_else(|| {
            mistake(place, "a number of contributors, a whole number".to_owned(), advice)
        })?);
        if !cursor.at_line_end() {
            let place = cursor.word();
            if whole(&text[place.clone()]).is_none() {
                let expected = "a number of holdings, a whole number".to_owned();
                return Err(mistake(place, expected, advice));
            }
        }
        if !cursor.at_line_end() {
            let place = cursor.word();
            return Err(mistake(place, "the end of the line".to_owned(), advice));
        }
    }
    if contributors.len() < cell_count {
        let expected = format!("the contributors of cell {} of {cell_count}", contributors.len());
        let advice = "the file is cut off or belongs to another table";
        return Err(mistake(text.len()..text.len(), expected, advice));
    }
    Ok(contributors)
}

/// Writes contributors as a `.frq` file, whole or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, contributors: &[u32]) -> Result<(), Error> {
    write_with_holdings(path, contributors.iter().map(|&count| (count, count)))
}

/// Writes contributors and holdings as a `.frq` file, whole or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write_with_holdings(
    path: &Path,
    counts: impl IntoIterator<Item = (u32, u32)>,
) -> Result<(), Error> {
    write_whole(path, |out| {
        let mut line = Vec::with_capacity(24);
        for (contributors, holdings) in counts {
            line.clear();
            print_whole(&mut line, u64::from(contributors));
            line.push(b' ');
            print_whole(&mut line, u64::from(holdings));
            line.push(b'\n');
            out.write_all(&line).map_err(|source| Error::write(path, source))?;
        }
        Ok(())
    })
}

fn whole(word: &[u8]) -> Option<u32> {
    let digits = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(word).ok().filter(|_| digits)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> (usize, usize, String) {
        let error = parse("t.frq", text.as_bytes(), 3).unwrap_err();
        let mistake = error.mistake().unwrap();
        (mistake.line, mistake.column, mistake.expected.clone())
    }

    #[test]
    fn one_or_two_numbers_a_line_are_read() {
        assert_eq!(parse("t", b" 1 1\r\n2\n\n30\t4", 3).unwrap(), [1, 2, 30]);
    }

    #[test]
    fn mistakes_have_their_place() {
        assert_eq!(wrong("1\n2\n"), (3, 1, "the contributors of cell 2 of 3".into()));
        assert_eq!(wrong("1\n2\n3\n4"), (4, 1, "the end of the file after 3 cells".into()));
        assert_eq!(wrong("1\n2 x\n3"), (2, 3, "a number of holdings, a whole number".into()));
        assert_eq!(wrong("1\n-2\n3"), (2, 1, "a number of contributors, a whole number".into()));
        assert_eq!(wrong("1\n2 2 2\n3"), (2, 5, "the end of the line".into()));
        assert_eq!(wrong("1\n5000000000\n3").0, 2);
    }

    #[test]
    fn the_companion_never_has_the_name_of_the_table() {
        assert_eq!(beside(Path::new("a/T.jj")), Path::new("a/T.frq"));
        assert_eq!(beside(Path::new("a/T")), Path::new("a/T.frq"));
        assert_eq!(beside(Path::new("a/T.frq")), Path::new("a/T.frq.frq"));
        assert_eq!(beside_as_argus(Path::new("a/T.JJ")), Path::new("a/T.JJ.frq"));
    }

    #[test]
    fn both_names_are_found_and_holdings_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let jj = folder.path().join("T.JJ");
        assert_eq!(read_beside(&jj, 2, &Budget::default()).unwrap(), None);
        write(&beside(&jj), &[1, 2]).unwrap();
        assert_eq!(read_beside(&jj, 2, &Budget::default()).unwrap(), Some(vec![1, 2]));
        write_with_holdings(&beside_as_argus(&jj), [(3, 2), (4, 1)]).unwrap();
        assert_eq!(std::fs::read_to_string(beside_as_argus(&jj)).unwrap(), "3 2\n4 1\n");
        assert_eq!(read_beside(&jj, 2, &Budget::default()).unwrap(), Some(vec![3, 4]));
    }
}
