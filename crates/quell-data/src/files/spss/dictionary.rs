//! The head of an SPSS file: variables, labels, missing values, letters.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use encoding_rs::Encoding;

use crate::{Error, Missing};

/// How the records are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    /// As they are.
    None,
    /// Small numbers and blanks as one byte.
    Bytes,
    /// The same, and that in blocks of zlib.
    Zlib,
}

/// What the head of a file says.
pub(super) struct Dictionary {
    pub variables: Vec<Variable>,
    pub encoding: &'static Encoding,
    /// How many records are promised.
    pub records: Option<u64>,
    pub packing: Packing,
    /// What is taken off a number packed into a byte.
    pub bias: f64,
}

/// A variable: a number, or a text in segments of so many bytes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variable {
    pub name: String,
    pub label: Option<String>,
    pub segments: Vec<usize>,
    /// Bytes of a text, all segments together.
    pub length: usize,
    pub missing: Missing,
    pub labels: Vec<(String, String)>,
}

impl Variable {
    pub fn is_number(&self) -> bool {
        self.segments.is_empty()
    }

    /// Elements of eight bytes that a record has of it.
    pub fn elements(&self) -> usize {
        if self.is_number() { 1 } else { self.segments.iter().map(|width| width.div_ceil(8)).sum() }
    }
}

/// Bytes by which the number of segments of a very long text is counted; they hold more, see
/// [`super::SEGMENT`].
const SEGMENT_COUNTED: usize = 252;

/// A variable as its record has it.
struct Raw {
    name: Vec<u8>,
    width: usize,
    label: Option<Vec<u8>>,
    /// Below zero: a range, and one code more if it is -3.
    missing_kind: i32,
    missing: Vec<[u8; 8]>,
    /// Its position among all elements of a record, from 1, as labels name it.
    element: usize,
}

/// Codes with labels, and the elements that have them.
struct Labels {
    values: Vec<([u8; 8], Vec<u8>)>,
    elements: Vec<usize>,
}

/// Everything of the head, before it is put together.
#[derive(Default)]
struct Found {
    raw: Vec<Raw>,
    elements: usize,
    labels: Vec<Labels>,
    long_names: Vec<u8>,
    lengths: Vec<u8>,
    long_labels: Vec<u8>,
    long_missing: Vec<u8>,
    code_page: Option<[u8; 4]>,
    encoding: Option<&'static Encoding>,
}

/// Reads the head of a file.
pub(super) fn read(path: &Path, file: &mut impl Read) -> Result<Dictionary, Error> {
    let mut bytes = Bytes { path, file };
    let (packing, bias, records) = bytes.header()?;
    let found = bytes.records()?;
    let encoding = found
        .encoding
        .or_else(|| match i32::from_le_bytes(found.code_page?) {
            65001 => Some(encoding_rs::UTF_8),
            page => Encoding::for_label(format!("windows-{page}").as_bytes()),
        })
        .unwrap_or(encoding_rs::WINDOWS_1252);
    let variables = found.variables(encoding);
    let variables = variables
        .ok_or_else(|| bytes.broken("the SPSS file has a text without all its segments"))?;
    Ok(Dictionary { variables, encoding, records, packing, bias })
}

/// The bytes of the head.
struct Bytes<'a, R> {
    path: &'a Path,
    file: &'a mut R,
}

impl<R: Read> Bytes<'_, R> {
    fn broken(&self, message: &str) -> Error {
        Error::malformed(self.path, message)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        let read = self.file.read_exact(&mut bytes);
        read.map_err(|_| self.broken("the SPSS file ends too early"))?;
        Ok(bytes)
    }

    fn whole(&mut self) -> Result<i32, Error> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    /// A count that cannot be negative.
    fn count(&mut self) -> Result<usize, Error> {
        usize::try_from(self.whole()?)
            .map_err(|_| self.broken("the SPSS file has a negative length"))
    }

    /// So many bytes; a wrong length ends with the file, not with the memory.
    fn long(&mut self, length: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let read = (&mut *self.file).take(length as u64).read_to_end(&mut bytes);
        match read {
            Ok(read) if read == length => Ok(bytes),
            _ => Err(self.broken("the SPSS file ends too early")),
        }
    }

    fn header(&mut self) -> Result<(Packing, f64, Option<u64>), Error> {
        let kind: [u8; 4] = self.array()?;
        if kind != *b"$FL2" && kind != *b"$FL3" {
            return Err(self.broken("not an SPSS file"));
        }
        let _product: [u8; 60] = self.array()?;
        if !matches!(self.whole()?, 2 | 3) {
            return Err(self.broken("an SPSS file of a big-endian machine: save it anew"));
        }
        let _case_size = self.whole()?;
        let packing = match self.whole()? {
            0 => Packing::None,
            1 => Packing::Bytes,
            2 => Packing::Zlib,
            _ => return Err(self.broken("an SPSS file of an unknown compression")),
        };
        let _weight = self.whole()?;
        let records = u64::try_from(self.whole()?).ok();
        let bias = f64::from_le_bytes(self.array()?);
        let _date_and_label: [u8; 84] = self.array()?;
        Ok((packing, bias, records))
    }

    fn records(&mut self) -> Result<Found, Error> {
        let mut found = Found::default();
        loop {
            match self.whole()? {
                2 => self.variable(&mut found)?,
                3 => self.labels(&mut found)?,
                6 => {
                    let lines = self.count()?;
                    self.long(lines.saturating_mul(80))?;
                }
                7 => self.extension(&mut found)?,
                999 => {
                    self.whole()?;
                    return Ok(found);
                }
                other => {
                    return Err(self.broken(&format!("the SPSS file has a record of type {other}")));
                }
            }
        }
    }

    /// A variable, or eight more bytes of the text before it.
    fn variable(&mut self, found: &mut Found) -> Result<(), Error> {
        let width = self.whole()?;
        let has_label = self.whole()? != 0;
        let missing_kind = self.whole()?;
        let _formats: [u8; 8] = self.array()?;
        let name: [u8; 8] = self.array()?;
        let mut label = None;
        if has_label {
            let length = self.count()?;
            let mut text = self.long(length.next_multiple_of(4))?;
            text.truncate(length);
            label = Some(text);
        }
        let mut missing = Vec::new();
        for _ in 0..missing_kind.unsigned_abs() {
            missing.push(self.array()?);
        }
        found.elements += 1;
        if let Ok(width) = usize::try_from(width) {
            let (name, element) = (name.trim_ascii_end().to_vec(), found.elements);
            found.raw.push(Raw { name, width, label, missing_kind, missing, element });
        }
        Ok(())
    }

    /// Labels, and behind them the variables that have them.
    fn labels(&mut self, found: &mut Found) -> Result<(), Error> {
        let mut labels = Labels { values: Vec::new(), elements: Vec::new() };
        for _ in 0..self.count()? {
            let value: [u8; 8] = self.array()?;
            let [length]: [u8; 1] = self.array()?;
            let length = usize::from(length);
            let mut label = self.long((1 + length).next_multiple_of(8) - 1)?;
            label.truncate(length);
            labels.values.push((value, label));
        }
        if self.whole()? != 4 {
            return Err(self.broken("the SPSS file has labels without variables"));
        }
        for _ in 0..self.count()? {
            labels.elements.push(self.count()?);
        }
        found.labels.push(labels);
        Ok(())
    }

    fn extension(&mut self, found: &mut Found) -> Result<(), Error> {
        let kind = self.whole()?;
        let (size, count) = (self.count()?, self.count()?);
        let data = self.long(size.saturating_mul(count))?;
        match kind {
            3 => found.code_page = data.get(28..32).and_then(|bytes| bytes.try_into().ok()),
            13 => found.long_names = data,
            14 => found.lengths = data,
            20 => found.encoding = Encoding::for_label(&data),
            21 => found.long_labels = data,
            22 => found.long_missing = data,
            _ => {}
        }
        Ok(())
    }
}

impl Found {
    /// Variables with their long names, the segments of very long texts together; none if some
    /// of those are not there.
    fn variables(&self, encoding: &'static Encoding) -> Option<Vec<Variable>> {
        let text = |bytes: &[u8]| {
            let text = encoding.decode_without_bom_handling(bytes).0;
            text.trim_end_matches(['\0', ' ']).to_owned()
        };
        let (names, lengths) = (pairs(&self.long_names), pairs(&self.lengths));
        let mut all = Vec::new();
        let mut rest = &self.raw[..];
        while let Some((first, mut others)) = rest.split_first() {
            let key = first.name.to_ascii_uppercase();
            let mut segments: Vec<usize> =
                (first.width > 0).then_some(first.width).into_iter().collect();
            let length = lengths.get(&key).and_then(|digits| text(digits).parse::<usize>().ok());
            if let Some(more) =
                length.map(|length| length.div_ceil(SEGMENT_COUNTED).saturating_sub(1))
            {
                segments.extend(others.get(..more)?.iter().map(|raw| raw.width));
                others = &others[more..];
            }
            rest = others;
            let name = names.get(&key).copied().unwrap_or(&first.name);
            all.push(Variable {
                name: text(name).trim().to_owned(),
                label: first.label.as_deref().map(text),
                segments,
                length: length.unwrap_or(first.width),
                missing: first.missing(&text),
                labels: self.labels_of(first, &text),
            });
        }
        self.add_long(&mut all, &text);
        Some(all)
    }

    /// The labels of a variable's codes.
    fn labels_of(&self, raw: &Raw, text: &dyn Fn(&[u8]) -> String) -> Vec<(String, String)> {
        let own = self.labels.iter().filter(|labels| labels.elements.contains(&raw.element));
        own.flat_map(|labels| &labels.values)
            .map(|(value, label)| (raw.code(*value, text), text(label)))
            .collect()
    }

    /// Labels and missing codes of texts of more than eight bytes, which stand apart.
    fn add_long(&self, variables: &mut [Variable], text: &dyn Fn(&[u8]) -> String) {
        let mut labels = Walk(&self.long_labels);
        while let Some(name) = labels.counted() {
            let (name, _width) = (text(name), labels.whole());
            let own = variables.iter_mut().find(|one| one.name.eq_ignore_ascii_case(name.trim()));
            let mut pairs = Vec::new();
            for _ in 0..labels.whole().unwrap_or(0) {
                let (Some(code), Some(label)) = (labels.counted(), labels.counted()) else { break };
                pairs.push((text(code), text(label)));
            }
            if let Some(own) = own {
                own.labels.extend(pairs);
            }
        }
        let mut missing = Walk(&self.long_missing);
        while let Some(name) = missing.counted() {
            let name = text(name);
            let own = variables.iter_mut().find(|one| one.name.eq_ignore_ascii_case(name.trim()));
            let count = missing.take(1).map_or(0, |byte| byte[0]);
            let length = missing.whole().unwrap_or(0);
            let codes: Vec<String> =
                (0..count).filter_map(|_| missing.take(length)).map(text).collect();
            if let Some(own) = own {
                own.missing.codes.extend(codes);
            }
        }
    }
}

impl Raw {
    /// A value of eight bytes as a code.
    fn code(&self, value: [u8; 8], text: &dyn Fn(&[u8]) -> String) -> String {
        if self.width == 0 { f64::from_le_bytes(value).to_string() } else { text(&value) }
    }

    fn missing(&self, text: &dyn Fn(&[u8]) -> String) -> Missing {
        let is_range = self.missing_kind < 0;
        let (range, codes) =
            self.missing.split_at(if is_range { 2.min(self.missing.len()) } else { 0 });
        let range = match *range {
            [from, to] => Some([f64::from_le_bytes(from), f64::from_le_bytes(to)]),
            _ => None,
        };
        Missing { codes: codes.iter().map(|&code| self.code(code, text)).collect(), range }
    }
}

/// `NAME=text` between tabs.
fn pairs(data: &[u8]) -> BTreeMap<Vec<u8>, &[u8]> {
    let pair = |part: &'_ [u8]| part.iter().position(|&byte| byte == b'=');
    data.split(|&byte| byte == b'\t')
        .filter_map(|part| {
            let middle = pair(part)?;
            let text = part[middle + 1..].trim_ascii();
            Some((part[..middle].to_ascii_uppercase(), text))
        })
        .collect()
}

/// Walks the bytes of an extension.
struct Walk<'a>(&'a [u8]);

impl<'a> Walk<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn whole(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        usize::try_from(i32::from_le_bytes(bytes)).ok()
    }

    /// A length, and as many bytes.
    fn counted(&mut self) -> Option<&'a [u8]> {
        let length = self.whole()?;
        self.take(length)
    }
}
