//! Global recoding: categories joined, for all records alike.
//!
//! | file | what |
//! |---|---|
//! | [`grc`] | µ-ARGUS' recode files |
//! | [`tree`] | code trees: one column per level (ARX), cut digits |
//! | [`limits`] | top and bottom coding |
//! | [`loss`] | what is lost: precision, entropy, the user's own measure |
//! | [`choose`] | the best codings together with local suppression |

pub mod choose;
pub mod grc;
pub mod limits;
pub mod loss;
pub mod tree;

use crate::{Codes, Column, Error, Result};

/// A new label for every label of a variable; `None` for missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recoding {
    labels: Vec<Option<String>>,
}

impl Recoding {
    /// A recoding from a rule for categories; missing codes stay missing.
    ///
    /// # Errors
    /// What the rule says.
    pub fn by(
        column: &Column,
        mut rule: impl FnMut(&str) -> Result<Option<String>>,
    ) -> Result<Self> {
        let labels = column
            .labels()
            .iter()
            .enumerate()
            .map(
                |(code, label)| {
                    if column.is_missing(code as u32) { Ok(None) } else { rule(label) }
                },
            )
            .collect::<Result<_>>()?;
        Ok(Self { labels })
    }

    /// The recoding that changes nothing.
    pub fn none(column: &Column) -> Self {
        let label =
            |code: usize| (!column.is_missing(code as u32)).then(|| column.labels()[code].clone());
        Self { labels: (0..column.labels().len()).map(label).collect() }
    }

    /// The new label of an old code.
    pub fn label(&self, code: u32) -> Option<&str> {
        self.labels[code as usize].as_deref()
    }

    /// The recoded variable. A category that becomes missing gets the code `missing`; codes
    /// that were missing keep theirs.
    ///
    /// # Errors
    /// If the recoding is for another variable.
    pub fn apply(&self, column: &Column, missing: &str) -> Result<Column> {
        if self.labels.len() != column.labels().len() {
            return Err(Error::Request(format!(
                "a recoding of {} codes does not fit variable \"{}\" with {}",
                self.labels.len(),
                column.name(),
                column.labels().len()
            )));
        }
        let mut categories: Vec<&str> = self.labels.iter().flatten().map(String::as_str).collect();
        categories.sort_by(|a, b| crate::data::compare_labels(a, b));
        categories.dedup();
        let mut labels: Vec<String> = categories.iter().map(|&label| label.to_owned()).collect();
        let count = labels.len() as u32;
        let mut map = Vec::with_capacity(self.labels.len());
        for (code, new) in self.labels.iter().enumerate() {
            let position = match new {
                Some(new) => labels[..count as usize].iter().position(|label| label == new),
                None => {
                    let old = if column.is_missing(code as u32) {
                        column.labels()[code].as_str()
                    } else {
                        missing
                    };
                    let known = labels[count as usize..].iter().position(|label| label == old);
                    known.map(|place| place + count as usize).or_else(|| {
                        labels.push(old.to_owned());
                        Some(labels.len() - 1)
                    })
                }
            };
            map.push(position.unwrap_or(0) as u32);
        }
        let codes: Codes = column.codes().mapped(&map, labels.len());
        Ok(Column::from_parts(column.name().to_owned(), labels, count, codes))
    }

    /// Whether another recoding joins at least what this one joins.
    pub fn is_coarsened_by(&self, other: &Self) -> bool {
        let mut image: rustc_hash::FxHashMap<&str, &str> = rustc_hash::FxHashMap::default();
        self.labels.iter().zip(&other.labels).all(|(own, other)| match (own, other) {
            (None, None) => true,
            (Some(own), Some(other)) => *image.entry(own).or_insert(other) == other.as_str(),
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_are_joined_and_missing_codes_stay_apart() {
        let column = Column::from_labels("v", ["1", "2", "3", "9", "8", "1"], &["9"]);
        let recoding = Recoding::by(&column, |label| {
            Ok(match label {
                "1" | "2" => Some("low".into()),
                "8" => None,
                _ => Some("high".into()),
            })
        })
        .unwrap();
        let recoded = recoding.apply(&column, "?").unwrap();
        let labels: Vec<&str> = (0..6).map(|record| recoded.label(record)).collect();
        assert_eq!(labels, ["low", "low", "high", "9", "?", "low"]);
        assert_eq!(recoded.categories(), 2);
        assert!(Recoding::none(&column).is_coarsened_by(&Recoding::none(&column)));
        assert!(!recoding.is_coarsened_by(&Recoding::none(&column)));
    }
}
