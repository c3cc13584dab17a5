//! What is known of a variable of some records.

use arrow::datatypes::DataType;
use quell_model::Decimals;

/// A variable of some records.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: Kind,
    /// What the file says it is, in words.
    pub label: Option<String>,
    /// Its place in a fixed-width line.
    pub field: Option<Field>,
    /// The values that mean "not known", besides empty ones.
    pub missing: Missing,
    /// Decimals of a numeric variable. Finer numbers are rounded, record by record, halves
    /// away from zero. Without it they are found by a pass over the records, at most
    /// [`Variable::MOST_DETECTED`].
    pub decimals: Option<Decimals>,
    /// Whether its numbers are written with a decimal comma.
    pub decimal_comma: bool,
    /// What its codes mean: code and label, in the file's order.
    pub labels: Vec<(String, String)>,
}

/// What the values of a variable are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// Codes of a classification: texts or numbers with labels, dictionaries, truth values.
    Code,
    /// Numbers, whole or not.
    Number,
    /// Anything: text files do not say what their fields are.
    #[default]
    Text,
}

/// A field of a fixed-width line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its first byte, from 1.
    pub start: usize,
    /// Its length in bytes.
    pub length: usize,
}

/// The values of a variable that mean "not known".
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Missing {
    /// Codes.
    pub codes: Vec<String>,
    /// All numbers from one to another (SPSS).
    pub range: Option<[f64; 2]>,
}

impl Missing {
    /// Whether a value is one of these; blanks around it do not count.
    pub fn has(&self, value: &str) -> bool {
        let value = value.trim();
        self.codes.iter().any(|code| code.trim() == value)
            || value.parse().is_ok_and(|number| self.has_number(number))
    }

    /// Whether a number lies in the range.
    pub fn has_number(&self, number: f64) -> bool {
        self.range.is_some_and(|[from, to]| from <= number && number <= to)
    }
}

impl Variable {
    /// The most decimals found in a file that count. Files written from binary floats carry
    /// up to 17 digits that mean nothing, and room is needed for sums.
    pub const MOST_DETECTED: Decimals = Decimals(6);

    /// A variable of which only the name is known.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The label of a code.
    pub fn label_of(&self, code: &str) -> Option<&str> {
        let found = self.labels.iter().find(|(other, _)| other.trim() == code.trim());
        found.map(|(_, label)| label.as_str())
    }
}

impl Field {
    /// Its bytes in a line, from 0.
    pub fn range(self) -> std::ops::Range<usize> {
        let start = self.start.saturating_sub(1);
        start..start.saturating_add(self.length)
    }
}

impl Kind {
    /// By the type of a column.
    pub(crate) fn of(kind: &DataType) -> Self {
        match kind {
            DataType::Boolean | DataType::Dictionary(..) => Self::Code,
            kind if kind.is_numeric() => Self::Number,
            _ => Self::Text,
        }
    }
}
