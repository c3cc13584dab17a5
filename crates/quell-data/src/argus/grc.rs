//! Recodes, `.grc`.
//!
//! For a flat variable, one line per new code: `new : a, b, c-d, -e, f-`, and optionally
//! `<MISSING>` with new missing codes and `<CODELIST>` with new labels. For a hierarchical
//! one, `<TREERECODE>` and then one line per code below which all is folded into it.

use std::ops::Range;

use super::rda::FileName;
use super::tokens::{self, Tokens};
use crate::Error;
use crate::text::{Line, Text};

/// A recode file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recode {
    /// New codes for old ones.
    Groups(Groups),
    /// Codes to fold the tree into.
    Tree(Vec<TreeCode>),
}

/// A code of a hierarchy below which all is folded into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeCode {
    /// The code.
    pub code: String,
    /// Its line, from 1.
    pub line: usize,
}

/// New codes for old ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Groups {
    /// In the order of the file; a new code may have several lines.
    pub groups: Vec<Group>,
    /// The new codes for missing, at most two.
    pub missing: Vec<String>,
    /// A `.cdl` file of new labels.
    pub code_list: Option<FileName>,
}

/// A new code and the old ones that become it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The new code.
    pub code: String,
    /// The old ones.
    pub sources: Vec<Codes>,
    /// The line, from 1.
    pub line: usize,
}

/// Old codes. Ranges compare codes as texts of the variable's length, padded on the left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codes {
    /// `a`
    One(String),
    /// `a-b`
    Between(String, String),
    /// `-b`
    UpTo(String),
    /// `a-`
    From(String),
    /// `-`
    Any,
}

impl Codes {
    /// Whether a code is one of these, all codes padded to `width`.
    pub fn contain(&self, code: &str, width: usize) -> bool {
        let pad = |code: &str| format!("{code:>width$}");
        let code = pad(code);
        match self {
            Self::One(one) => pad(one) == code,
            Self::Between(from, to) => pad(from) <= code && code <= pad(to),
            Self::UpTo(to) => code <= pad(to),
            Self::From(from) => pad(from) <= code,
            Self::Any => true,
        }
    }
}

impl Groups {
    /// The new code of an old one of a variable of this width; none if it keeps its code.
    /// The last line that has the code decides.
    pub fn new_code(&self, code: &str, width: usize) -> Option<&str> {
        let has = |group: &&Group| group.sources.iter().any(|codes| codes.contain(code, width));
        self.groups.iter().rev().find(has).map(|group| group.code.as_str())
    }
}

/// Reads a `.grc` text.
///
/// # Errors
/// A mistake with its place.
pub fn parse(text: &Text) -> Result<Recode, Error> {
    let mut lines = text.lines().filter(tokens::counts).peekable();
    if lines.peek().is_some_and(|line| line.text.trim().eq_ignore_ascii_case("<TREERECODE>")) {
        lines.next();
        // Blanks on the left of a code belong to it.
        let codes =
            lines.map(|line| TreeCode { code: line.text.trim_end().to_owned(), line: line.number });
        return Ok(Recode::Tree(codes.collect()));
    }
    let mut groups = Groups::default();
    for (line, mut words) in lines.zip(tokens::lines(text)) {
        match words.peek()? {
            Some(word) if word.is_keyword() => option(&mut words, &mut groups)?,
            _ => groups.groups.push(group(text, &line)?),
        }
    }
    if groups.groups.is_empty() {
        let end = text.as_str().trim_end().len();
        let advice = "a line reads: new code, colon, old codes; or the first is <TREERECODE>";
        return Err(text.mistake(end..end, "a new code", advice));
    }
    Ok(Recode::Groups(groups))
}

fn option(words: &mut Tokens<'_>, groups: &mut Groups) -> Result<(), Error> {
    let advice = "behind <MISSING> stand one or two codes, behind <CODELIST> a file";
    let keyword = words.need("a keyword", advice)?;
    match keyword.text.as_ref() {
        "<MISSING>" => {
            groups.missing = vec![words.need("a missing code", advice)?.text.into_owned()];
            words.skip(",")?;
            if let Some(second) = words.piece()? {
                groups.missing.push(second.text.into_owned());
            }
            words.need_end(advice)
        }
        "<CODELIST>" => {
            let Some(file) = words.rest() else {
                let place = words.here();
                return Err(words.mistake(place, "a file", advice));
            };
            groups.code_list = Some(FileName { name: file.text.into_owned(), line: words.line });
            Ok(())
        }
        other => {
            let advice =
                crate::suggest::advise(other, &["<TREERECODE>", "<MISSING>", "<CODELIST>"]);
            Err(words.mistake(keyword.place, "a keyword of recodes", advice))
        }
    }
}

/// A line of a group, walked letter by letter: codes may be quoted, hyphens are ranges.
struct Walk<'a> {
    text: &'a Text,
    rest: &'a str,
    at: usize,
}

const READS: &str =
    "a line reads: new : a, b, c-d, -e, f-; codes with blanks or hyphens stand in quotes";

impl<'a> Walk<'a> {
    fn skip_blanks(&mut self) {
        let trimmed = self.rest.trim_start();
        self.at += self.rest.len() - trimmed.len();
        self.rest = trimmed;
    }

    fn skip(&mut self, sign: char) -> bool {
        self.skip_blanks();
        let Some(rest) = self.rest.strip_prefix(sign) else { return false };
        self.rest = rest;
        self.at += sign.len_utf8();
        true
    }

    fn at_end(&mut self) -> bool {
        self.skip_blanks();
        self.rest.is_empty()
    }

    fn here(&self) -> Range<usize> {
        let length = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        self.at..self.at + length
    }

    fn mistake(&self, expected: &str) -> Error {
        self.text.mistake(self.here(), expected, READS)
    }

    /// The code that starts here, if one does.
    fn code(&mut self, ends: &[char]) -> Result<Option<String>, Error> {
        self.skip_blanks();
        let (code, length) = match self.rest.strip_prefix('"') {
            Some(inside) => {
                let end = inside.find('"').ok_or_else(|| self.mistake("a closing quote"))?;
                (&inside[..end], end + 2)
            }
            None => {
                let ends = |letter: char| letter.is_whitespace() || ends.contains(&letter);
                let end = self.rest.find(ends).unwrap_or(self.rest.len());
                (&self.rest[..end], end)
            }
        };
        self.rest = &self.rest[length..];
        self.at += length;
        Ok((length > 0).then(|| code.to_owned()))
    }
}

fn group(text: &Text, line: &Line<'_>) -> Result<Group, Error> {
    let mut walk = Walk { text, rest: line.text.trim_end(), at: line.start };
    let code = walk.code(&[':'])?.ok_or_else(|| walk.mistake("a new code"))?;
    if !walk.skip(':') {
        return Err(walk.mistake("a colon"));
    }
    let mut sources = Vec::new();
    loop {
        let ends = [',', '-'];
        let up_to = walk.skip('-');
        let first = walk.code(&ends)?;
        let range = !up_to && first.is_some() && walk.skip('-');
        let second = if range { walk.code(&ends)? } else { None };
        sources.push(match (first, up_to, range, second) {
            (None, true, ..) => Codes::Any,
            (None, ..) => return Err(walk.mistake("an old code")),
            (Some(last), true, ..) => Codes::UpTo(last),
            (Some(first), _, true, Some(last)) => Codes::Between(first, last),
            (Some(first), _, true, None) => Codes::From(first),
            (Some(one), ..) => Codes::One(one),
        });
        if walk.at_end() {
            return Ok(Group { code, sources, line: line.number });
        }
        if !walk.skip(',') {
            return Err(walk.mistake("a comma"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Recode, Error> {
        parse(&Text::new("t.grc", text.as_bytes()))
    }

    #[test]
    fn groups_have_codes_and_ranges() {
        let text =
            "1: -20\r\n2 : 21 - 30, \"x y\"\r\n6:61-\n\n<missing> 8, 9\n<CODELIST>   my age.cdl\n";
        let Recode::Groups(groups) = read(text).unwrap() else { panic!("groups") };
        assert_eq!(groups.groups[0].sources, [Codes::UpTo("20".into())]);
        assert_eq!(
            groups.groups[1].sources,
            [Codes::Between("21".into(), "30".into()), Codes::One("x y".into())]
        );
        assert_eq!(groups.groups[2].sources, [Codes::From("61".into())]);
        assert_eq!(groups.missing, ["8", "9"]);
        assert_eq!(groups.code_list, Some(FileName { name: "my age.cdl".into(), line: 6 }));
        assert_eq!(groups.new_code("5", 2), Some("1"));
        assert_eq!(groups.new_code("99", 2), Some("6"));
        assert_eq!(groups.new_code("31", 2), None);
    }

    #[test]
    fn trees_are_folded_at_codes() {
        let recode = read("<TREERECODE>\r\n142\r\n 15\r\n").unwrap();
        let code = |code: &str, line| TreeCode { code: code.into(), line };
        assert_eq!(recode, Recode::Tree(vec![code("142", 2), code(" 15", 3)]));
    }

    #[test]
    fn mistakes_have_their_place() {
        let wrong = |text: &str| {
            let error = read(text).unwrap_err();
            error.mistake().map(|mistake| (mistake.line, mistake.column, mistake.expected.clone()))
        };
        assert_eq!(wrong("1:1\n2 3"), Some((2, 3, "a colon".into())));
        assert_eq!(wrong("1:1 2"), Some((1, 5, "a comma".into())));
        assert_eq!(wrong("1:1,,2"), Some((1, 5, "an old code".into())));
        assert_eq!(wrong("1:"), Some((1, 3, "an old code".into())));
        assert_eq!(wrong("1:\"a"), Some((1, 3, "a closing quote".into())));
        assert_eq!(wrong("<MISING> 9\n1:1"), Some((1, 1, "a keyword of recodes".into())));
        assert_eq!(wrong(""), Some((1, 1, "a new code".into())));
    }
}
