//! CSV rows as RFC 4180 has them, each field with its place.

use std::borrow::Cow;
use std::ops::Range;

use super::Source;
use crate::mistake::quote;
use crate::{Error, Mistake};

/// A field of a row.
#[derive(Debug, Clone)]
pub(crate) struct Field<'a> {
    /// Its text, without quotes.
    pub text: Cow<'a, str>,
    /// Its bytes in the file, quotes included.
    pub place: Range<usize>,
}

/// Walks the rows of a CSV text.
pub(crate) struct Rows<'a> {
    source: Source<'a>,
    at: usize,
}

impl<'a> Rows<'a> {
    pub fn new(source: Source<'a>) -> Self {
        let at = if source.text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { source, at }
    }

    /// A mistake at a place of this text.
    pub fn mistake(
        &self,
        place: Range<usize>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> Error {
        mistake(self.source, place, expected, advice)
    }

    /// The fields of the next row that is not empty, into `row`; false at the end.
    pub fn next(&mut self, row: &mut Vec<Field<'a>>) -> Result<bool, Error> {
        row.clear();
        self.skip_empty_lines();
        if self.at >= self.source.text.len() {
            return Ok(false);
        }
        loop {
            let field = self.field()?;
            row.push(field);
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(_) => {
                    self.at += 1;
                    return Ok(true);
                }
                None => return Ok(true),
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.source.text.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    fn skip_empty_lines(&mut self) {
        loop {
            let start = self.at;
            self.skip_blanks();
            match self.peek() {
                Some(b'\n') => self.at += 1,
                None => return,
                Some(_) => {
                    self.at = start;
                    return;
                }
            }
        }
    }

    /// The field that starts here; ends at its comma or line end.
    fn field(&mut self) -> Result<Field<'a>, Error> {
        self.skip_blanks();
        if self.peek() == Some(b'"') {
            return self.quoted();
        }
        let start = self.at;
        let mut end = start;
        while let Some(byte) = self.peek() {
            match byte {
                b',' | b'\n' => break,
                b'"' => {
                    let advice = "put the whole field in quotes and double the quotes inside it";
                    let place = self.at..self.at + 1;
                    return Err(self.mistake(place, "no quote inside an unquoted field", advice));
                }
                b' ' | b'\t' | b'\r' => {}
                _ => end = self.at + 1,
            }
            self.at += 1;
        }
        Ok(Field { text: Cow::Borrowed(self.utf8(start..end)?), place: start..end })
    }

    fn quoted(&mut self) -> Result<Field<'a>, Error> {
        let text = self.source.text;
        let start = self.at;
        self.at += 1;
        let mut doubled = false;
        loop {
            match self.peek() {
                None => {
                    let advice = "the quote that opens here is never closed";
                    return Err(self.mistake(
                        start..start + 1,
                        "a quoted field with its end",
                        advice,
                    ));
                }
                Some(b'"') if text.get(self.at + 1) == Some(&b'"') => {
                    doubled = true;
                    self.at += 2;
                }
                Some(b'"') => break,
                Some(_) => self.at += 1,
            }
        }
        let inside = self.utf8(start + 1..self.at)?;
        self.at += 1;
        let place = start..self.at;
        self.skip_blanks();
        if !matches!(self.peek(), None | Some(b',' | b'\n')) {
            let advice = "a quote inside a quoted field must be doubled";
            return Err(self.mistake(
                self.at..self.at + 1,
                "a comma after the quoted field",
                advice,
            ));
        }
        let text = if doubled { inside.replace("\"\"", "\"").into() } else { inside.into() };
        Ok(Field { text, place })
    }

    fn utf8(&self, range: Range<usize>) -> Result<&'a str, Error> {
        std::str::from_utf8(&self.source.text[range.clone()]).map_err(|error| {
            let at = range.start + error.valid_up_to();
            self.mistake(at..at + 1, "text in UTF-8", "save the file with the encoding UTF-8")
        })
    }
}

/// A mistake at a place of a text.
pub(crate) fn mistake(
    source: Source<'_>,
    place: Range<usize>,
    expected: impl Into<String>,
    advice: impl Into<String>,
) -> Error {
    let found = match source.text.get(place.clone()) {
        Some(word) if !word.is_empty() => quote(word),
        _ if place.start >= source.text.len() => "the end of the file".to_owned(),
        _ => "an empty field".to_owned(),
    };
    Mistake::at(source.file, source.text, place, found, expected, advice).into()
}

/// Which column stands where.
pub(crate) struct Header {
    positions: Vec<Option<usize>>,
    known: &'static [&'static str],
    width: usize,
}

impl Header {
    /// Reads the header: the first `required` of the `known` columns must be there.
    pub fn read(
        rows: &mut Rows<'_>,
        known: &'static [&'static str],
        required: usize,
    ) -> Result<Self, Error> {
        let mut row = Vec::new();
        rows.next(&mut row)?;
        let mut positions = vec![None; known.len()];
        for (position, field) in row.iter().enumerate() {
            let found = known.iter().position(|name| name.eq_ignore_ascii_case(&field.text));
            let Some(found) = found else {
                let advice = if field.text.contains([';', '\t']) {
                    "separate columns by commas"
                } else {
                    "the first line names the columns; correct the name or remove the column"
                };
                let expected = format!("one of the columns {}", known.join(", "));
                return Err(rows.mistake(field.place.clone(), expected, advice));
            };
            if positions[found].replace(position).is_some() {
                let advice = format!("the column {} stands twice", known[found]);
                return Err(rows.mistake(field.place.clone(), "each column once", advice));
            }
        }
        if let Some(missing) = (0..required).find(|&column| positions[column].is_none()) {
            let at = row.last().map_or(rows.source.text.len(), |field| field.place.end);
            let found =
                if row.is_empty() { "the end of the file" } else { "the end of the header" };
            let mistake = Mistake::at(
                rows.source.file,
                rows.source.text,
                at..at,
                found,
                format!("a column {}", known[missing]),
                format!(
                    "the first line names the columns; {} are required",
                    known[..required].join(", ")
                ),
            );
            return Err(mistake.into());
        }
        Ok(Self { positions, known, width: row.len() })
    }

    /// Whether there is a column of this number among the known ones.
    pub fn has(&self, column: usize) -> bool {
        self.positions[column].is_some()
    }

    /// The field of a column, if there is such a column.
    pub fn get<'r, 'a>(&self, row: &'r [Field<'a>], column: usize) -> Option<&'r Field<'a>> {
        self.positions[column].map(|position| &row[position])
    }

    /// Where a column of this name stands.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.known.iter().position(|&known| known == name).and_then(|column| self.positions[column])
    }

    /// Checks that a row has as many fields as the header.
    pub fn check(&self, rows: &Rows<'_>, row: &[Field<'_>]) -> Result<(), Error> {
        let width = self.width;
        let advice = format!("the header has {width} columns, this line {}", row.len());
        if let Some(extra) = row.get(width) {
            return Err(rows.mistake(extra.place.clone(), "the end of the line", advice));
        }
        if row.len() < width {
            let at = row.last().map_or(0, |field| field.place.end);
            let expected = format!("field {} of {width}", row.len() + 1);
            let found = "the end of the line";
            let source = rows.source;
            let mistake = Mistake::at(source.file, source.text, at..at, found, expected, advice);
            return Err(mistake.into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Result<Vec<Vec<String>>, (usize, usize)> {
        let mut rows = Rows::new(Source { file: "t.csv", text: text.as_bytes() });
        let (mut all, mut row) = (Vec::new(), Vec::new());
        loop {
            match rows.next(&mut row) {
                Ok(true) => all.push(row.iter().map(|f| f.text.clone().into_owned()).collect()),
                Ok(false) => return Ok(all),
                Err(error) => {
                    let mistake = error.mistake().unwrap();
                    return Err((mistake.line, mistake.column));
                }
            }
        }
    }

    #[test]
    fn quotes_blanks_and_line_ends_are_read_as_the_standard_says() {
        let text = "\u{feff}a , b\r\n\r\n\"x, \"\"y\"\"\" ,\" z\"\n,\n\"two\nlines\",1";
        let expected = [["a", "b"], ["x, \"y\"", " z"], ["", ""], ["two\nlines", "1"]];
        assert_eq!(rows(text).unwrap(), expected);
    }

    #[test]
    fn broken_quotes_are_found() {
        assert_eq!(rows("a,\"b\nc"), Err((1, 3)));
        assert_eq!(rows("a,\"b\"c"), Err((1, 6)));
        assert_eq!(rows("a,b\"c\""), Err((1, 4)));
    }
}
