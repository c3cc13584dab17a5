//! A file's text with its name, whatever the encoding it came in.

use std::ops::Range;
use std::path::Path;

use crate::encoding::decoded;
use crate::mistake::quote;
use crate::{Error, Mistake};

/// A text with its name in messages.
///
/// Files of this family come from forty years of Windows machines: what is not UTF-8 is
/// read as Windows-1252, which has a letter for nearly every byte, so no file is refused
/// for its accents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    file: String,
    text: String,
}

/// A line without its line end.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// From 1.
    pub number: usize,
    /// The first byte in the text.
    pub start: usize,
    /// What stands there.
    pub text: &'a str,
}

impl Line<'_> {
    /// All of the line without the blanks around it.
    pub fn place(&self) -> Range<usize> {
        let left = self.text.len() - self.text.trim_start().len();
        let start = self.start + left;
        start..start + self.text.trim().len()
    }
}

impl Text {
    /// Reads a file.
    ///
    /// # Errors
    /// What the operating system reports.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|source| Error::read(path, source))?;
        Ok(Self::new(&path.display().to_string(), &bytes))
    }

    /// Decodes the bytes of a file; `file` is its name in messages.
    pub fn new(file: &str, bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { file: file.to_owned(), text: decoded(bytes).into_owned() }
    }

    /// The name in messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The lines without their ends. Some files end lines in `\r\r\n`.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let mut start = 0;
        (1..).zip(self.text.split('\n')).map(move |(number, text)| {
            let line = Line { number, start, text: text.trim_end_matches('\r') };
            start += text.len() + 1;
            line
        })
    }

    /// A mistake at a place, of which the words there are what was found.
    pub fn mistake(
        &self,
        place: Range<usize>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> Error {
        let found = match self.text.get(place.clone()) {
            Some(word) if !word.trim().is_empty() => quote(word.as_bytes()),
            _ if place.start >= self.text.trim_end().len() => "the end of the file".to_owned(),
            Some(blank) if !blank.is_empty() => "blanks".to_owned(),
            _ => "nothing".to_owned(),
        };
        self.mistake_found(place, found, expected, advice)
    }

    /// A mistake at a place, with what was found in other words than those there.
    pub fn mistake_found(
        &self,
        place: Range<usize>,
        found: impl Into<String>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> Error {
        Mistake::at(&self.file, self.text.as_bytes(), place, found, expected, advice).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_8_and_windows_1252_are_read() {
        assert_eq!(Text::new("t", "é€".as_bytes()).as_str(), "é€");
        assert_eq!(Text::new("t", b"\xef\xbb\xbfa").as_str(), "a");
        assert_eq!(Text::new("t", b"\xe9t\x80\x81").as_str(), "ét€\u{81}");
    }

    #[test]
    fn lines_end_in_any_number_of_returns() {
        let text = Text::new("t", b"a \r\r\nb\n\nc");
        let lines: Vec<_> = text.lines().map(|line| (line.number, line.start, line.text)).collect();
        assert_eq!(lines, [(1, 0, "a "), (2, 5, "b"), (3, 7, ""), (4, 8, "c")]);
    }

    #[test]
    fn mistakes_say_what_stands_there() {
        let text = Text::new("t", b"ab  cd\n");
        let found = |place: Range<usize>| {
            text.mistake(place, "x", "y").mistake().map(|mistake| mistake.found.clone())
        };
        assert_eq!(found(0..2).as_deref(), Some("\"ab\""));
        assert_eq!(found(2..4).as_deref(), Some("blanks"));
        assert_eq!(found(2..2).as_deref(), Some("nothing"));
        assert_eq!(found(6..6).as_deref(), Some("the end of the file"));
    }
}
