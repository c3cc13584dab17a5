//! How a delimited text file is written: separator, header, letters, decimal commas.
//!
//! Found out from its start. Nothing is guessed that could be read in two ways: a number such as
//! "1,234" has a decimal comma for some and a thousand for others, so it alone decides nothing.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::encoding::decoded;
use crate::{Encoding, Error, Options, Variable};

/// How a delimited text file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// What stands between fields, one byte.
    pub separator: u8,
    /// Whether the first line names the variables.
    pub header: bool,
    /// How letters are written.
    pub encoding: Encoding,
    /// Whether the file starts with a byte order mark.
    pub byte_order_mark: bool,
}

/// How much of a file is looked at.
const SAMPLE: u64 = 1 << 20;

/// The mark before texts in UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The start of a file.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn sample(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|source| Error::read(path, source))?;
    file.take(SAMPLE).read_to_end(&mut bytes).map_err(|source| Error::read(path, source))?;
    Ok(bytes)
}

/// The dialect of a file, with its variables.
///
/// # Errors
/// If it is in UTF-16, or has no header where it needs one.
pub(crate) fn find(
    path: &Path,
    sample: &[u8],
    options: &Options,
) -> Result<(Dialect, Vec<Variable>), Error> {
    if sample.starts_with(b"\xff\xfe") || sample.starts_with(b"\xfe\xff") {
        return Err(Error::malformed(path, "the file is in UTF-16; save it as UTF-8"));
    }
    let text = sample.strip_prefix(BYTE_ORDER_MARK);
    let (byte_order_mark, text) = (text.is_some(), text.unwrap_or(sample));
    let first = text.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let separator = options.separator.unwrap_or_else(|| separator_of(first.unwrap_or_default()));
    let dialect = Dialect {
        separator,
        header: options.names.is_none(),
        encoding: options.encoding.unwrap_or_else(|| Encoding::of_start(text)),
        byte_order_mark,
    };
    let mut records = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(whole_lines(text))
        .into_byte_records()
        .map_while(Result::ok);
    let names = match &options.names {
        Some(names) => names.clone(),
        None => match records.next() {
            Some(header) => header.iter().map(|name| decoded(name).trim().to_owned()).collect(),
            None => return Err(Error::malformed(path, "the file has no header line")),
        },
    };
    let mut variables: Vec<Variable> = names.into_iter().map(Variable::named).collect();
    let commas = match options.decimal_comma {
        Some(comma) => vec![comma; variables.len()],
        None => decimal_commas(records, variables.len()),
    };
    for (variable, comma) in variables.iter_mut().zip(commas) {
        variable.decimal_comma = comma;
    }
    Ok((dialect, variables))
}

/// A sample without the line that its end cuts.
fn whole_lines(text: &[u8]) -> &[u8] {
    match text.iter().rposition(|&byte| byte == b'\n') {
        Some(end) if text.len() as u64 >= SAMPLE - BYTE_ORDER_MARK.len() as u64 => &text[..=end],
        _ => text,
    }
}

/// The one of `,` `;` tab and `|` that a line has most of outside quotes; of equals the first.
fn separator_of(line: &[u8]) -> u8 {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0), (b'|', 0)];
    let mut quoted = false;
    for &byte in line {
        quoted ^= byte == b'"';
        if let Some((_, count)) = counts.iter_mut().find(|(own, _)| !quoted && *own == byte) {
            *count += 1;
        }
    }
    let mut best = counts[0];
    for other in counts {
        if other.1 > best.1 {
            best = other;
        }
    }
    best.0
}

/// What a field says about the decimal mark of its column.
#[derive(Clone, Copy, Default)]
struct Marks {
    point: bool,
    comma: bool,
}

/// Which columns have numbers with a decimal comma: where one is seen and no point is. Columns
/// that show neither go with the others, for numbers that come later.
fn decimal_commas(records: impl Iterator<Item = csv::ByteRecord>, columns: usize) -> Vec<bool> {
    let mut marks = vec![Marks::default(); columns];
    for record in records {
        for (marks, field) in marks.iter_mut().zip(&record) {
            let field = field.trim_ascii();
            marks.point |= has_decimals(field, b'.');
            marks.comma |= has_decimals(field, b',') && !may_be_thousands(field);
        }
    }
    let any = marks.iter().any(|marks| marks.comma && !marks.point);
    marks.iter().map(|marks| any && !marks.point).collect()
}

/// Whether a field is a number with this decimal mark.
fn has_decimals(field: &[u8], mark: u8) -> bool {
    let digits = field.strip_prefix(b"-").or_else(|| field.strip_prefix(b"+")).unwrap_or(field);
    let Some(at) = digits.iter().position(|&byte| byte == mark) else { return false };
    let (whole, fraction) = (&digits[..at], &digits[at + 1..]);
    let all_digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    all_digits(whole) && all_digits(fraction) && !fraction.is_empty()
}

/// Whether the comma of a number may stand after its thousands.
fn may_be_thousands(field: &[u8]) -> bool {
    let digits = field.strip_prefix(b"-").or_else(|| field.strip_prefix(b"+")).unwrap_or(field);
    let at = digits.iter().position(|&byte| byte == b',').unwrap_or(0);
    (1..=3).contains(&at) && digits.len() == at + 4 && digits[0] != b'0'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> (Dialect, Vec<Variable>) {
        find(Path::new("t.csv"), text.as_bytes(), &Options::default()).unwrap()
    }

    fn commas(text: &str) -> Vec<bool> {
        found(text).1.iter().map(|variable| variable.decimal_comma).collect()
    }

    #[test]
    fn the_separator_is_the_most_frequent_outside_quotes() {
        let separators = ["a,b;c,d", "a;b;c,d", "a\tb", "a|b", "\"a;b;c\",d", "a", "a;b,c"];
        let found = separators.map(|line| char::from(found(line).0.separator));
        assert_eq!(found, [',', ';', '\t', '|', ',', ',', ',']);
    }

    #[test]
    fn names_lose_byte_order_mark_quotes_and_blanks() {
        let (dialect, variables) = found("\u{feff}\"a b\"; c\r\n1;2\n");
        assert!(dialect.byte_order_mark && dialect.header);
        let names: Vec<&str> = variables.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["a b", "c"]);
    }

    #[test]
    fn decimal_commas_are_seen_where_nothing_else_is_meant() {
        assert_eq!(commas("a;b\n1,5;01.1\n2;01.2\n"), [true, false]);
        assert_eq!(commas("a;b\n1.5;x\n2,5;x\n"), [false, false]);
        // Thousands or not: who knows.
        assert_eq!(commas("a;b\n1,234;x\n"), [false, false]);
        assert_eq!(commas("a;b\n1,234;0,250\n"), [true, true]);
        assert_eq!(commas("a,b\n\"1,25\",x\n"), [true, true]);
    }

    #[test]
    fn files_that_cannot_be_read_say_why() {
        let wrong = |bytes: &[u8]| {
            let error = find(Path::new("t.csv"), bytes, &Options::default()).unwrap_err();
            error.to_string()
        };
        assert!(wrong(b"\xff\xfea\0,\0").contains("UTF-16"));
        assert!(wrong(b"").contains("no header"));
    }
}
