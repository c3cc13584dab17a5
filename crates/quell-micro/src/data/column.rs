//! One variable: every record's code, as a position in a sorted list of labels.

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Error, Result};

/// Codes of all records, in the narrowest type that holds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codes {
    /// Up to 256 labels.
    Narrow(Vec<u8>),
    /// Up to 65,536 labels.
    Medium(Vec<u16>),
    /// More.
    Wide(Vec<u32>),
}

impl Codes {
    /// Codes given as wide integers, narrowed to what `labels` labels need.
    pub fn new(codes: Vec<u32>, labels: usize) -> Self {
        if labels <= 1 << 8 {
            Self::Narrow(codes.into_iter().map(|code| code as u8).collect())
        } else if labels <= 1 << 16 {
            Self::Medium(codes.into_iter().map(|code| code as u16).collect())
        } else {
            Self::Wide(codes)
        }
    }

    /// The code of one record.
    #[inline]
    pub fn get(&self, record: usize) -> u32 {
        match self {
            Self::Narrow(codes) => u32::from(codes[record]),
            Self::Medium(codes) => u32::from(codes[record]),
            Self::Wide(codes) => codes[record],
        }
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(codes) => codes.len(),
            Self::Medium(codes) => codes.len(),
            Self::Wide(codes) => codes.len(),
        }
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Narrow(codes) => codes.len(),
            Self::Medium(codes) => 2 * codes.len(),
            Self::Wide(codes) => 4 * codes.len(),
        }
    }

    /// Every code replaced by `map[code]`, narrowed for `labels` labels.
    pub fn mapped(&self, map: &[u32], labels: usize) -> Self {
        Self::new((0..self.len()).map(|record| map[self.get(record) as usize]).collect(), labels)
    }
}

/// One variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    name: String,
    labels: Vec<String>,
    categories: u32,
    codes: Codes,
}

impl Column {
    /// A column from labels by record.
    pub fn from_labels<'a>(
        name: &str,
        labels: impl IntoIterator<Item = &'a str>,
        missing: &[&str],
    ) -> Self {
        let mut builder = ColumnBuilder::new(name, missing.iter().map(|&code| code.to_owned()));
        for label in labels {
            builder.push(label.as_bytes());
        }
        builder.finish()
    }

    /// A column whose code `c` has the label `c`, without missing codes.
    ///
    /// # Errors
    /// If a code is not below `categories`.
    pub fn from_codes(name: &str, codes: Vec<u32>, categories: u32) -> Result<Self> {
        if let Some(code) = codes.iter().find(|&&code| code >= categories) {
            return Err(Error::UnknownCode { variable: name.to_owned(), code: code.to_string() });
        }
        Ok(Self {
            name: name.to_owned(),
            labels: (0..categories).map(|code| code.to_string()).collect(),
            categories,
            codes: Codes::new(codes, categories as usize),
        })
    }

    /// A column from parts; the labels from position `categories` on are missing codes.
    pub(crate) fn from_parts(
        name: String,
        labels: Vec<String>,
        categories: u32,
        codes: Codes,
    ) -> Self {
        Self { name, labels, categories, codes }
    }

    /// The variable's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The codes by record.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The labels: categories first, then missing codes.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Number of categories that occur; codes from here on are missing.
    pub fn categories(&self) -> u32 {
        self.categories
    }

    /// Whether a code stands for a missing value.
    pub fn is_missing(&self, code: u32) -> bool {
        code >= self.categories
    }

    /// The label of one record.
    pub fn label(&self, record: usize) -> &str {
        &self.labels[self.codes.get(record) as usize]
    }

    /// The code of a label.
    pub fn code(&self, label: &str) -> Option<u32> {
        self.labels.iter().position(|other| other == label).map(|code| code as u32)
    }

    /// How often each label occurs.
    pub fn frequencies(&self) -> Vec<u64> {
        let mut frequencies = vec![0; self.labels.len()];
        for record in 0..self.codes.len() {
            frequencies[self.codes.get(record) as usize] += 1;
        }
        frequencies
    }
}

/// Numbers in their order, before words in theirs.
pub(crate) fn compare_labels(left: &str, right: &str) -> Ordering {
    match (left.trim().parse::<f64>(), right.trim().parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b).then_with(|| left.cmp(right)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => left.cmp(right),
    }
}

/// Collects one column, record by record.
#[derive(Debug)]
pub struct ColumnBuilder {
    name: String,
    missing: FxHashSet<String>,
    /// Labels of up to seven bytes, packed with their length: the usual case, and fast.
    short: FxHashMap<u64, u32>,
    long: FxHashMap<Box<[u8]>, u32>,
    labels: Vec<String>,
    codes: Codes,
}

impl ColumnBuilder {
    /// An empty column with its missing codes. The empty field is always missing.
    pub fn new(name: &str, missing: impl IntoIterator<Item = String>) -> Self {
        let mut missing: FxHashSet<String> =
            missing.into_iter().map(|code| code.trim().to_owned()).collect();
        missing.insert(String::new());
        Self {
            name: name.to_owned(),
            missing,
            short: FxHashMap::default(),
            long: FxHashMap::default(),
            labels: Vec::new(),
            codes: Codes::Narrow(Vec::new()),
        }
    }

    /// Adds the next record's field.
    #[inline]
    pub fn push(&mut self, field: &[u8]) {
        let code = if field.len() < 8 {
            let mut packed = [0; 8];
            packed[..field.len()].copy_from_slice(field);
            packed[7] = field.len() as u8;
            let packed = u64::from_le_bytes(packed);
            match self.short.get(&packed) {
                Some(&code) => code,
                None => {
                    let code = self.new_label(field);
                    self.short.insert(packed, code);
                    code
                }
            }
        } else {
            match self.long.get(field) {
                Some(&code) => code,
                None => {
                    let code = self.new_label(field);
                    self.long.insert(field.into(), code);
                    code
                }
            }
        };
        match &mut self.codes {
            Codes::Narrow(codes) => codes.push(code as u8),
            Codes::Medium(codes) => codes.push(code as u16),
            Codes::Wide(codes) => codes.push(code),
        }
    }

    fn new_label(&mut self, field: &[u8]) -> u32 {
        self.labels.push(String::from_utf8_lossy(field).into_owned());
        match &self.codes {
            Codes::Narrow(codes) if self.labels.len() > 1 << 8 => {
                self.codes = Codes::Medium(codes.iter().map(|&code| code.into()).collect());
            }
            Codes::Medium(codes) if self.labels.len() > 1 << 16 => {
                self.codes = Codes::Wide(codes.iter().map(|&code| code.into()).collect());
            }
            _ => {}
        }
        self.labels.len() as u32 - 1
    }

    /// The column, its labels in order, the missing ones last.
    pub fn finish(self) -> Column {
        let is_missing = |label: &str| self.missing.contains(label.trim());
        let mut order: Vec<usize> = (0..self.labels.len()).collect();
        order.sort_by(|&left, &right| {
            let (left, right) = (&self.labels[left], &self.labels[right]);
            is_missing(left).cmp(&is_missing(right)).then_with(|| compare_labels(left, right))
        });
        let mut map = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            map[old] = new as u32;
        }
        let labels: Vec<String> = order.iter().map(|&old| self.labels[old].clone()).collect();
        let categories = labels.iter().filter(|label| !is_missing(label)).count() as u32;
        let codes = self.codes.mapped(&map, labels.len());
        Column { name: self.name, labels, categories, codes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_sorted_as_numbers_and_missing_codes_stand_last() {
        let column = Column::from_labels("age", ["10", "9", "99", "2", "", "9"], &["99"]);
        assert_eq!(column.labels(), ["2", "9", "10", "99", ""]);
        assert_eq!(column.categories(), 3);
        assert_eq!(column.label(0), "10");
        assert!(column.is_missing(column.codes().get(2)));
        assert!(column.is_missing(column.codes().get(4)));
        assert_eq!(column.frequencies(), [1, 2, 1, 1, 1]);
    }

    #[test]
    fn columns_widen_as_labels_come() {
        let labels: Vec<String> = (0..70_000).map(|code| format!("code {code}")).collect();
        for (count, narrow) in [(256, true), (257, false)] {
            let column = Column::from_labels("v", labels[..count].iter().map(String::as_str), &[]);
            assert_eq!(matches!(column.codes(), Codes::Narrow(_)), narrow);
            assert_eq!(column.label(count - 1), labels[count - 1]);
        }
        let column = Column::from_labels("v", labels.iter().map(String::as_str), &[]);
        assert!(matches!(column.codes(), Codes::Wide(_)));
        assert_eq!(column.label(69_999), "code 69999");
    }
}
