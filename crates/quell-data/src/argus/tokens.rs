//! The words of metadata and batch files.
//!
//! Lines are taken without the blanks around them; tabs are blanks; empty lines and lines
//! that start with `//` do not count, nor does what follows a word that starts with `//`.
//! `"…"` is one word without its quotes, `<…>` one word in capitals, `, | ( )` are words
//! of their own.

use std::borrow::Cow;
use std::ops::Range;

use crate::Error;
use crate::text::{Line, Text};

/// A word of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// Without quotes; `<…>` in capitals.
    pub text: Cow<'a, str>,
    /// Its bytes in the text, quotes included.
    pub place: Range<usize>,
    /// Whether it stood in quotes.
    pub quoted: bool,
}

impl Token<'_> {
    /// Whether it is a word of this text that stood without quotes.
    pub fn is(&self, text: &str) -> bool {
        !self.quoted && self.text == text
    }

    /// Whether it is a keyword, `<…>`.
    pub fn is_keyword(&self) -> bool {
        !self.quoted && self.text.starts_with('<')
    }
}

/// Walks the words of a line.
pub struct Tokens<'a> {
    /// The text the line is of.
    pub source: &'a Text,
    /// The number of the line, from 1.
    pub line: usize,
    at: usize,
    end: usize,
}

/// The lines of a text that count.
pub fn lines(source: &Text) -> impl Iterator<Item = Tokens<'_>> {
    source.lines().filter(|line| counts(line)).map(move |line| Tokens {
        source,
        line: line.number,
        at: line.place().start,
        end: line.place().end,
    })
}

/// Whether a line is neither empty nor a comment.
pub fn counts(line: &Line<'_>) -> bool {
    let text = line.text.trim();
    !text.is_empty() && !text.starts_with("//")
}

fn is_sign(letter: char) -> bool {
    matches!(letter, ',' | '|' | '(' | ')')
}

impl<'a> Tokens<'a> {
    fn left(&self) -> &'a str {
        &self.source.as_str()[self.at..self.end]
    }

    fn skip_blanks(&mut self) {
        self.at = self.end - self.left().trim_start().len();
        if self.left().starts_with("//") {
            self.at = self.end;
        }
    }

    /// Whether no word is left.
    pub fn at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.end
    }

    /// The next word; one without quotes ends at a blank.
    ///
    /// # Errors
    /// If a quote is not closed.
    pub fn word(&mut self) -> Result<Option<Token<'a>>, Error> {
        self.next(|_| false)
    }

    /// The next word; one without quotes ends at a blank or one of `, | ( )`.
    ///
    /// # Errors
    /// If a quote is not closed.
    pub fn piece(&mut self) -> Result<Option<Token<'a>>, Error> {
        self.next(is_sign)
    }

    /// The next piece, left where it is.
    ///
    /// # Errors
    /// If a quote is not closed.
    pub fn peek(&mut self) -> Result<Option<Token<'a>>, Error> {
        let at = self.at;
        let piece = self.piece();
        self.at = at;
        piece
    }

    /// Skips the next piece if it is this sign.
    ///
    /// # Errors
    /// If a quote is not closed.
    pub fn skip(&mut self, sign: &str) -> Result<bool, Error> {
        let found = self.peek()?.is_some_and(|piece| piece.is(sign));
        if found {
            self.piece()?;
        }
        Ok(found)
    }

    /// All that is left, as one word without the quotes around it: file names may have
    /// blanks without being quoted.
    pub fn rest(&mut self) -> Option<Token<'a>> {
        if self.at_end() {
            return None;
        }
        let (text, place) = (self.left(), self.at..self.end);
        self.at = self.end;
        let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        Some(Token { text: inside.unwrap_or(text).into(), place, quoted: inside.is_some() })
    }

    fn next(&mut self, ends: fn(char) -> bool) -> Result<Option<Token<'a>>, Error> {
        if self.at_end() {
            return Ok(None);
        }
        let (left, start) = (self.left(), self.at);
        let first = left.chars().next().unwrap_or_default();
        let mut quoted = false;
        let (text, length) = if first == '"' {
            quoted = true;
            let Some(length) = left[1..].find('"') else {
                let advice = "close the quote that opens here";
                return Err(self.mistake(start..self.end, "a closing quote", advice));
            };
            (Cow::Borrowed(&left[1..=length]), length + 2)
        } else if is_sign(first) {
            (Cow::Borrowed(&left[..1]), 1)
        } else {
            let blank = left.find(|letter: char| letter.is_whitespace() || ends(letter));
            let length = blank.unwrap_or(left.len());
            // A keyword is whole at its `>`, whatever follows.
            match left[..length].find('>') {
                Some(closing) if first == '<' => {
                    (Cow::Owned(left[..=closing].to_uppercase()), closing + 1)
                }
                _ => (Cow::Borrowed(&left[..length]), length),
            }
        };
        self.at += length;
        Ok(Some(Token { text, place: start..self.at, quoted }))
    }

    /// The place where the next word would stand.
    pub fn here(&mut self) -> Range<usize> {
        self.skip_blanks();
        self.at..self.at
    }

    /// A mistake at a place of the text.
    pub fn mistake(
        &self,
        place: Range<usize>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> Error {
        self.source.mistake(place, expected, advice)
    }

    /// The next piece, which must be there.
    ///
    /// # Errors
    /// If it is not there.
    pub fn need(&mut self, expected: &str, advice: &str) -> Result<Token<'a>, Error> {
        match self.piece()? {
            Some(piece) => Ok(piece),
            None => {
                let place = self.here();
                Err(self.source.mistake_found(place, "the end of the line", expected, advice))
            }
        }
    }

    /// The next piece, which must be this sign.
    ///
    /// # Errors
    /// If it is not there.
    pub fn need_sign(&mut self, sign: &str, advice: &str) -> Result<(), Error> {
        let expected = format!("\"{sign}\"");
        let piece = self.need(&expected, advice)?;
        if piece.is(sign) { Ok(()) } else { Err(self.mistake(piece.place, expected, advice)) }
    }

    /// The next piece as a number of some kind.
    ///
    /// # Errors
    /// If it is not there, or none.
    pub fn need_number<T: std::str::FromStr>(
        &mut self,
        expected: &str,
        advice: &str,
    ) -> Result<T, Error> {
        let piece = self.need(expected, advice)?;
        self.number(&piece, expected, advice)
    }

    /// A piece as a number of some kind.
    ///
    /// # Errors
    /// If it is none.
    pub fn number<T: std::str::FromStr>(
        &self,
        piece: &Token<'_>,
        expected: &str,
        advice: &str,
    ) -> Result<T, Error> {
        // "inf" and "nan" are numbers to the library and to nobody else.
        let plain =
            piece.text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        let number = if plain { piece.text.parse().ok() } else { None };
        number.ok_or_else(|| self.mistake(piece.place.clone(), expected, advice))
    }

    /// Nothing may follow.
    ///
    /// # Errors
    /// If something does.
    pub fn need_end(&mut self, advice: &str) -> Result<(), Error> {
        match self.word()? {
            None => Ok(()),
            Some(word) => Err(self.mistake(word.place, "the end of the line", advice)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<String> {
        let text = Text::new("t", text.as_bytes());
        let mut all = Vec::new();
        for mut line in lines(&text) {
            while let Some(piece) = line.piece().unwrap() {
                all.push(piece.text.into_owned());
            }
        }
        all
    }

    #[test]
    fn lines_fall_into_words_as_in_tau_argus() {
        assert_eq!(
            pieces("// all\n\n\t<specifytable>\t\"Size\"\"Region\"|\"Var 2\"||-1,0.5 // more"),
            ["<SPECIFYTABLE>", "Size", "Region", "|", "Var 2", "|", "|", "-1", ",", "0.5"]
        );
        assert_eq!(pieces("<NUMERIC><shadow>"), ["<NUMERIC>", "<SHADOW>"]);
        assert_eq!(pieces("NK(2, 75)|"), ["NK", "(", "2", ",", "75", ")", "|"]);
        assert_eq!(pieces("\"<keep>\" < 5"), ["<keep>", "<", "5"]);
    }

    #[test]
    fn words_of_metadata_end_at_blanks_only() {
        let text = Text::new("t", b"a,b (c)");
        let mut line = lines(&text).next().unwrap();
        assert_eq!(line.word().unwrap().unwrap().text, "a,b");
        assert_eq!(line.word().unwrap().unwrap().text, "(");
    }

    #[test]
    fn an_open_quote_is_a_mistake_at_its_place() {
        let text = Text::new("t", b"\n a \"bc");
        let mut line = lines(&text).next().unwrap();
        line.word().unwrap();
        let error = line.word().unwrap_err();
        let mistake = error.mistake().unwrap();
        assert_eq!((mistake.line, mistake.column), (2, 4));
    }

    #[test]
    fn the_rest_of_a_line_is_one_word() {
        let text = Text::new("t", b"<LOGBOOK> \"C:\\my files\\log.txt\"  ");
        let mut line = lines(&text).next().unwrap();
        line.word().unwrap();
        assert_eq!(line.rest().unwrap().text, "C:\\my files\\log.txt");
        assert!(line.rest().is_none());
    }
}
