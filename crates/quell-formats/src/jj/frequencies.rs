//! The `.frq` file beside a JJ file: one line per cell, `freq holdingfreq`.
//!
//! Quell has contributors, not holdings of contributors: the second number is optional
//! and not kept, and written equal to the first.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::cursor::Cursor;
use crate::mistake::quote;
use crate::number::print_whole;
use crate::{Error, Mistake, write_whole};

/// The name of the `.frq` file of a JJ file: `T.jj` has `T.frq`.
pub fn beside(jj: &Path) -> PathBuf {
    match jj.extension() {
        // A table called T.frq must not be its own companion.
        Some(extension) if !extension.eq_ignore_ascii_case("frq") => jj.with_extension("frq"),
        _ => {
            let mut name = OsString::from(jj);
            name.push(".frq");
            PathBuf::from(name)
        }
    }
}

/// Reads the contributors beside a JJ file with so many cells, if the file exists.
///
/// # Errors
/// If it exists and cannot be read or has a mistake.
pub fn read_beside(jj: &Path, cell_count: usize) -> Result<Option<Vec<u32>>, Error> {
    let path = beside(jj);
    match std::fs::read(&path) {
        Ok(text) => parse(&path.display().to_string(), &text, cell_count).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::read(&path, error)),
    }
}

/// Reads a `.frq` text for so many cells; `file` is its name in messages.
///
/// # Errors
/// A [`Mistake`] with its place.
pub fn parse(file: &str, text: &[u8], cell_count: usize) -> Result<Vec<u32>, Error> {
    let mut cursor = Cursor::new(text);
    let mut contributors = Vec::with_capacity(cell_count.min(text.len()));
    let mistake = |place: std::ops::Range<usize>, expected: String, advice: &str| {
        let found = match text.get(place.clone()) {
            Some(word) if !word.is_empty() => quote(word),
            _ => "the end of the file".to_owned(),
        };
        Error::from(Mistake::at(file, text, place, found, expected, advice))
    };
    while cursor.find_line() {
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
    write_whole(path, |out| {
        let mut line = Vec::with_capacity(24);
        for &count in contributors {
            line.clear();
            print_whole(&mut line, u64::from(count));
            line.push(b' ');
            print_whole(&mut line, u64::from(count));
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
    }
}
