//! A mistake in a file: where it is, what was found, what was expected, what to do.

use std::ops::Range;

use thiserror::Error;

/// Characters of the line shown on either side of a mistake. Lines of equations may be
/// megabytes long.
const SHOWN: usize = 60;

/// The most characters of a wrong word that a message repeats.
const QUOTED: usize = 40;

/// A mistake in a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}, line {line}, column {column}: found {found}, expected {expected}")]
pub struct Mistake {
    /// The file's name as the user gave it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: String,
    /// What to do about it.
    pub advice: String,
    /// The line, or the part of it around the mistake.
    pub snippet: Snippet,
}

/// A part of a line with the place of a mistake in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The text, without line ends.
    pub text: String,
    /// The column of its first character, from 1.
    pub first_column: usize,
    /// The bytes of `text` that are wrong; empty at the end of a line.
    pub wrong: Range<usize>,
}

impl Mistake {
    /// A mistake at the bytes `wrong` of a file's `text`, which lie in one line.
    pub fn at(
        file: &str,
        text: &[u8],
        wrong: Range<usize>,
        found: impl Into<String>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        let start = wrong.start.min(text.len());
        let before = &text[..start];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let rest = &text[start..];
        let mut line_end =
            start + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        if line_end > start && text[line_end - 1] == b'\r' {
            line_end -= 1;
        }
        let end = wrong.end.clamp(start, line_end.max(start));
        let left = String::from_utf8_lossy(&text[line_start..start]).into_owned();
        let middle = String::from_utf8_lossy(&text[start..end]).into_owned();
        let right = String::from_utf8_lossy(&text[end..line_end.max(end)]).into_owned();
        let column = left.chars().count() + 1;
        let hidden = (column - 1).saturating_sub(SHOWN);
        let mut shown: String = left.chars().skip(hidden).collect();
        let from = shown.len();
        shown.extend(middle.chars().take(SHOWN));
        let to = shown.len();
        shown.extend(right.chars().take(SHOWN));
        Self {
            file: file.to_owned(),
            line: before.iter().filter(|&&byte| byte == b'\n').count() + 1,
            column,
            found: found.into(),
            expected: expected.into(),
            advice: advice.into(),
            snippet: Snippet { text: shown, first_column: hidden + 1, wrong: from..to },
        }
    }
}

/// A wrong word for a message: in quotes, cut if long.
pub fn quote(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    let mut shown: String = text.chars().take(QUOTED).flat_map(char::escape_debug).collect();
    if text.chars().nth(QUOTED).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_lines_and_characters() {
        let text = "ab\r\nüx yz\r\n".as_bytes();
        let start = text.iter().position(|&byte| byte == b'y').unwrap();
        let mistake = Mistake::at("t", text, start..start + 2, "\"yz\"", "z", "");
        assert_eq!((mistake.line, mistake.column), (2, 4));
        assert_eq!(mistake.snippet.text, "üx yz");
        assert_eq!(&mistake.snippet.text[mistake.snippet.wrong.clone()], "yz");
        assert_eq!(mistake.to_string(), "t, line 2, column 4: found \"yz\", expected z");
    }

    #[test]
    fn long_lines_are_cut_around_the_mistake() {
        let text = format!("{}WRONG{}", "a".repeat(1000), "b".repeat(1000));
        let mistake = Mistake::at("t", text.as_bytes(), 1000..1005, "", "", "");
        assert_eq!(mistake.column, 1001);
        assert_eq!(mistake.snippet.first_column, 941);
        assert_eq!(mistake.snippet.text.len(), 60 + 5 + 60);
        assert_eq!(&mistake.snippet.text[mistake.snippet.wrong.clone()], "WRONG");
    }

    #[test]
    fn places_beyond_the_end_are_at_the_end() {
        let mistake = Mistake::at("t", b"a\nbc", 9..12, "", "", "");
        assert_eq!((mistake.line, mistake.column), (2, 3));
        let mistake = Mistake::at("t", b"", 0..0, "", "", "");
        assert_eq!((mistake.line, mistake.column), (1, 1));
    }

    #[test]
    fn odd_words_are_quoted_harmlessly() {
        assert_eq!(quote(b"a\0\xff"), "\"a\\0\u{fffd}\"");
        assert_eq!(quote("é".repeat(50).as_bytes()).chars().count(), 43);
    }
}
