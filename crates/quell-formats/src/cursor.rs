//! A place in a file of words in lines: what the JJ readers walk with.

use std::ops::Range;

/// A place in a text. Blanks are spaces, tabs and carriage returns.
pub(crate) struct Cursor<'a> {
    pub text: &'a [u8],
    pub at: usize,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

impl<'a> Cursor<'a> {
    /// At the start of a text, behind a byte order mark.
    pub fn new(text: &'a [u8]) -> Self {
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { text, at }
    }

    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub fn skip_blanks(&mut self) {
        while self.peek().is_some_and(is_blank) {
            self.at += 1;
        }
    }

    /// Skips blanks; whether nothing else is left of this line.
    pub fn at_line_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.peek(), None | Some(b'\n'))
    }

    /// Skips empty lines and the blanks that follow; whether the text goes on.
    pub fn find_line(&mut self) -> bool {
        while self.at_line_end() {
            if self.peek().is_none() {
                return false;
            }
            self.at += 1;
        }
        true
    }

    /// Skips the rest of the line.
    pub fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
    }

    /// The word that starts here, up to the next blank or line end. Moves behind it.
    pub fn word(&mut self) -> Range<usize> {
        self.word_until(|_| false)
    }

    /// The word that starts here, up to the next blank, line end or `stop`.
    pub fn word_until(&mut self, stop: impl Fn(u8) -> bool) -> Range<usize> {
        let start = self.at;
        while let Some(byte) = self.peek() {
            if is_blank(byte) || byte == b'\n' || stop(byte) {
                break;
            }
            self.at += 1;
        }
        start..self.at
    }
}
