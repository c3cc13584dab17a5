//! The rows of a released table: what every format writes.

use quell_model::{CellId, Status, Value};
use serde::{Deserialize, Serialize};

use super::{Protected, ProtectedTable};

/// What everyone is told of a hidden cell beside that it is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statuses {
    /// Nothing: one word for all hidden cells.
    #[default]
    Hidden,
    /// Whether it is sensitive or protects another one, and in the formats of τ-ARGUS by which
    /// kind of rule.
    Full,
}

/// A cell as it is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The cell of the table's cube.
    pub place: CellId,
    /// Its value in the table's decimals; none if it is hidden.
    pub value: Option<Value>,
    /// The word for its status.
    pub status: &'static str,
}

/// The rows of a table, in the order of its cube.
pub fn rows<'a>(
    protected: &'a Protected,
    table: &'a ProtectedTable,
    statuses: Statuses,
) -> impl ExactSizeIterator<Item = Row> + 'a {
    let finer = protected.problem().decimals().0.saturating_sub(table.decimals().0);
    let factor = 10_i64.pow(u32::from(finer.min(18)));
    table.cells().map(move |(place, cell)| {
        let status = protected.status(cell);
        Row {
            place,
            value: (!status.is_suppressed()).then(|| protected.problem().value(cell) / factor),
            status: statuses.word(status),
        }
    })
}

impl Statuses {
    /// The word for a status after protection.
    pub fn word(self, status: Status) -> &'static str {
        match (status, self) {
            (Status::Safe | Status::Protected, _) => "published",
            (_, Self::Hidden) => "hidden",
            (Status::Primary(_), Self::Full) => "primary",
            (Status::Secondary, Self::Full) => "secondary",
        }
    }
}

/// A file name from a table's name: letters and digits, with hyphens between.
pub fn file_stem(name: &str) -> String {
    let mut stem = String::new();
    for letter in name.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            stem.push(letter);
        } else if !stem.ends_with('-') && !stem.is_empty() {
            stem.push('-');
        }
    }
    let stem = stem.trim_end_matches('-');
    if stem.is_empty() { "table".to_owned() } else { stem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_plain() {
        assert_eq!(file_stem("Turnover by industry × region"), "turnover-by-industry-region");
        assert_eq!(file_stem("../../etc/passwd"), "etc-passwd");
        assert_eq!(file_stem("  "), "table");
    }
}
