//! Lines of fields with a separator, as τ-ARGUS and spreadsheets write them.

use std::borrow::Cow;
use std::ops::Range;

use crate::text::{Line, Text};

/// A field of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field<'a> {
    /// Without the blanks around it and without its quotes; blanks inside quotes stay.
    pub text: Cow<'a, str>,
    /// Its bytes in the text, quotes included.
    pub place: Range<usize>,
}

/// The fields of a line. A quote that is not closed is a letter like others: such files
/// are in use.
pub(crate) fn split<'a>(line: &Line<'a>, separator: &str) -> Vec<Field<'a>> {
    let mut fields = Vec::new();
    let mut at = 0;
    loop {
        let rest = &line.text[at..];
        let blanks = rest.len() - trim_start(rest, separator).len();
        let (content, end) = match quoted(&rest[blanks..], separator) {
            Some(length) => (blanks..blanks + length, quoted_end(rest, blanks + length, separator)),
            None => {
                let end = if separator.is_empty() { None } else { rest.find(separator) };
                let end = end.unwrap_or(rest.len());
                let used = rest[..end].trim_end().len();
                (blanks.min(end)..used.max(blanks.min(end)), end)
            }
        };
        let place = line.start + at + content.start..line.start + at + content.end;
        fields.push(Field { text: unquote(&rest[content]), place });
        at += end + separator.len();
        if at > line.text.len() || separator.is_empty() {
            return fields;
        }
    }
}

/// Blanks before a field do not count, unless one of them is the separator.
fn trim_start<'a>(text: &'a str, separator: &str) -> &'a str {
    text.trim_start_matches(|letter: char| letter.is_whitespace() && !separator.contains(letter))
}

/// The length of the quoted field that starts here, if a separator or the end follows it.
fn quoted(text: &str, separator: &str) -> Option<usize> {
    let mut rest = text.strip_prefix('"')?;
    loop {
        rest = &rest[rest.find('"')? + 1..];
        // A doubled quote stands for one.
        if let Some(after) = rest.strip_prefix('"') {
            rest = after;
            continue;
        }
        let after = trim_start(rest, separator);
        let closed = after.is_empty() || !separator.is_empty() && after.starts_with(separator);
        return closed.then_some(text.len() - rest.len());
    }
}

/// Where the separator behind a quoted field starts.
fn quoted_end(text: &str, from: usize, separator: &str) -> usize {
    text.len() - trim_start(&text[from..], separator).len()
}

fn unquote(text: &str) -> Cow<'_, str> {
    match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(inside) if inside.contains("\"\"") => Cow::Owned(inside.replace("\"\"", "\"")),
        Some(inside) if text.len() > 1 => Cow::Borrowed(inside),
        _ => Cow::Borrowed(text),
    }
}

/// The separator of a table with a header: the one of `,`, tab and `;` that makes most
/// fields of it.
pub(crate) fn separator_of(text: &Text) -> &'static str {
    let header = text.lines().find(|line| !line.text.trim().is_empty());
    let count = |separator: &str| header.map_or(0, |line| split(&line, separator).len());
    // The last of equals wins: commas stand in texts more often than semicolons.
    [",", "\t", ";"].into_iter().max_by_key(|separator| count(separator)).unwrap_or(",")
}

/// A number with a decimal point where it has a decimal comma.
pub(crate) fn with_point(text: &str) -> Cow<'_, str> {
    let comma = text.matches(',').count() == 1 && !text.contains('.');
    if comma { text.replace(',', ".").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str, separator: &str) -> Vec<String> {
        let text = Text::new("t", line.as_bytes());
        let line = text.lines().next().unwrap();
        split(&line, separator).into_iter().map(|field| field.text.into_owned()).collect()
    }

    #[test]
    fn fields_lose_blanks_outside_quotes_only() {
        assert_eq!(texts("Total; \" 1\" ;  2;;", ";"), ["Total", " 1", "2", "", ""]);
        assert_eq!(texts("a\tb\t\tc", "\t"), ["a", "b", "", "c"]);
        assert_eq!(texts("a b", " "), ["a", "b"]);
        assert_eq!(texts("\"a;\"\"b\";c", ";"), ["a;\"b", "c"]);
        assert_eq!(texts("", ","), [""]);
    }

    #[test]
    fn stray_quotes_are_letters() {
        assert_eq!(texts("\"a;b", ";"), ["\"a", "b"]);
        assert_eq!(texts("\"a\"x;b", ";"), ["\"a\"x", "b"]);
        assert_eq!(texts("\";b", ";"), ["\"", "b"]);
    }

    #[test]
    fn places_are_those_in_the_text() {
        let text = Text::new("t", b"x\n a; \"b\" ;c");
        let line = text.lines().nth(1).unwrap();
        let places: Vec<_> = split(&line, ";").into_iter().map(|field| field.place).collect();
        assert_eq!(places, [3..4, 6..9, 11..12]);
        assert_eq!(&text.as_str()[6..9], "\"b\"");
    }

    #[test]
    fn a_lone_comma_is_a_decimal_one() {
        assert_eq!(with_point("-12,5"), "-12.5");
        assert_eq!(with_point("1.000,5"), "1.000,5");
        assert_eq!(with_point("1,000,5"), "1,000,5");
    }

    #[test]
    fn the_separator_is_seen_in_the_header() {
        assert_eq!(separator_of(&Text::new("t", b"\n\"level\";\"na,me\"\n")), ";");
        assert_eq!(separator_of(&Text::new("t", b"A10,A21\n")), ",");
        assert_eq!(separator_of(&Text::new("t", b"A\tB,c\td\n")), "\t");
    }
}
