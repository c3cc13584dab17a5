//! `[micro]`: a file of records to be released itself.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use quell_micro::recode::loss::MeasureName;
use quell_micro::{ListedCombination, Meaning, Objective, Threshold};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer, de};
use toml::Spanned;

use crate::job::one_or_many::one_or_many;

/// `[micro]`
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MicroPart {
    /// The records, from the job file's folder.
    pub file: Spanned<PathBuf>,
    /// The description of a file of µ-ARGUS.
    pub metadata: Option<Spanned<PathBuf>>,
    /// The separator of a CSV file.
    pub separator: Option<Spanned<char>>,
    /// What to do; recode if there are recodings, else suppress.
    pub task: Option<Spanned<MicroTask>>,
    /// The released file's name; else that of the records.
    pub out: Option<Spanned<PathBuf>>,
    /// The identifying variables.
    #[serde(default)]
    pub keys: Vec<Spanned<String>>,
    /// Codes that mean "missing", by variable.
    #[serde(default)]
    pub missing: BTreeMap<Spanned<String>, Vec<String>>,
    /// The sampling weight.
    pub weight: Option<Spanned<String>>,
    /// The variable that names the household.
    pub household: Option<Spanned<String>>,
    /// Variables that a household has in common.
    #[serde(default)]
    pub household_keys: Vec<Spanned<String>>,
    /// All combinations of up to this many variables.
    pub max_dim: Option<usize>,
    /// Unsafe if fewer: one number, or one per dimension.
    pub threshold: Option<Spanned<Numbers>>,
    /// Unsafe if at most as many.
    pub at_most: Option<Spanned<Numbers>>,
    /// Only these combinations, such as `age*sex` or `age*sex < 3`.
    pub combinations: Option<Spanned<Vec<CombinationPart>>>,
    /// Their parts too.
    #[serde(default)]
    pub parts: bool,
    /// The combinations of the identification levels of the metadata.
    pub levels: Option<Spanned<bool>>,
    /// Only all variables together.
    pub all_together: Option<Spanned<bool>>,
    /// What "safe" means.
    pub meaning: Option<Spanned<Meaning>>,
    /// What is to be small.
    pub objective: Option<Spanned<Objective>>,
    /// How much variables, and values as `variable:code`, matter.
    #[serde(default)]
    pub importance: BTreeMap<String, f64>,
    /// The variable that says how much each record matters.
    pub record_importance: Option<Spanned<String>>,
    /// What stands for a suppressed value.
    pub marker: Option<String>,
    /// Recodings.
    pub recode: Option<Spanned<RecodePart>>,
    /// Further measures of risk.
    pub risk: Option<Spanned<RiskPart>>,
}

/// What is done with the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MicroTask {
    /// The risk is measured, and nothing released.
    Risk,
    /// Values are suppressed.
    Suppress,
    /// Categories are joined, and what is left is suppressed.
    Recode,
}

/// One number or several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Numbers(#[serde(deserialize_with = "one_or_many")] pub Vec<u32>);

/// A combination: `"age*sex < 3"`, or a table, in which names may have any characters:
/// `{ keys = ["age", "sex"], threshold = 3 }`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CombinationPart(pub ListedCombination);

impl Serialize for CombinationPart {
    /// As a table, in which names may have any characters.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ListedCombination { variables, threshold } = &self.0;
        let mut table = serializer.serialize_map(None)?;
        table.serialize_entry("keys", variables)?;
        match threshold {
            Some(Threshold::FewerThan(count)) => table.serialize_entry("threshold", count)?,
            Some(Threshold::AtMost(count)) => table.serialize_entry("at-most", count)?,
            None => {}
        }
        table.end()
    }
}

/// A combination as a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CombinationTable {
    keys: Vec<String>,
    threshold: Option<u32>,
    at_most: Option<u32>,
}

impl CombinationTable {
    fn listed<E: de::Error>(self) -> Result<ListedCombination, E> {
        let threshold = match (self.threshold, self.at_most) {
            (Some(_), Some(_)) => {
                return Err(E::custom("a combination has either threshold or at-most, not both"));
            }
            (Some(count), None) => Some(Threshold::FewerThan(count)),
            (None, count) => count.map(Threshold::AtMost),
        };
        Ok(ListedCombination { variables: self.keys, threshold })
    }
}

impl<'de> Deserialize<'de> for CombinationPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrTable;

        impl<'de> Visitor<'de> for TextOrTable {
            type Value = CombinationPart;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a combination such as \"age*sex < 3\", or a table with keys")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                text.parse().map(CombinationPart).map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Self::Value, A::Error> {
                let table = CombinationTable::deserialize(MapAccessDeserializer::new(table))?;
                table.listed().map(CombinationPart)
            }
        }

        deserializer.deserialize_any(TextOrTable)
    }
}

/// `[micro.recode]`: everything by variable.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RecodePart {
    /// Recode files of µ-ARGUS.
    pub apply: BTreeMap<String, Spanned<PathBuf>>,
    /// Numbers from here on up are joined.
    pub top: BTreeMap<String, f64>,
    /// Numbers from here on down are joined.
    pub bottom: BTreeMap<String, f64>,
    /// Codings to choose from.
    pub ladder: BTreeMap<String, Spanned<PathBuf>>,
    /// Variables whose last digits may be cut off.
    pub truncate: Vec<String>,
    /// How the loss of information is measured.
    pub measure: Option<MeasureName>,
    /// Or: losses of the user's own.
    pub losses: Option<Spanned<PathBuf>>,
}

/// `[micro.risk]`
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RiskPart {
    /// Sensitive variables, for l-diversity and t-closeness.
    pub sensitive: Vec<Spanned<String>>,
    /// Special uniques of up to this many variables.
    pub suda: Option<usize>,
    /// The sampling fraction that DIS-SUDA supposes.
    pub dis_fraction: Option<Spanned<f64>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combinations(text: &str) -> Result<Vec<ListedCombination>, toml::de::Error> {
        #[derive(Deserialize)]
        struct Part {
            combinations: Vec<CombinationPart>,
        }
        let part: Part = toml::from_str(&format!("combinations = {text}"))?;
        Ok(part.combinations.into_iter().map(|own| own.0).collect())
    }

    #[test]
    fn a_combination_is_a_text_or_a_table() {
        let found = combinations(
            "['age*sex', 'age*sex < 3', 'age<=5', { keys = ['a,b', 'c*d'], at-most = 5 }]",
        )
        .unwrap();
        let expected = [
            ListedCombination::of(["age", "sex"]),
            ListedCombination {
                threshold: Some(Threshold::FewerThan(3)),
                ..ListedCombination::of(["age", "sex"])
            },
            ListedCombination {
                threshold: Some(Threshold::AtMost(5)),
                ..ListedCombination::of(["age"])
            },
            ListedCombination {
                threshold: Some(Threshold::AtMost(5)),
                ..ListedCombination::of(["a,b", "c*d"])
            },
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_combination_that_makes_no_sense_is_refused() {
        for (text, words) in [
            ("['age < many']", "must be a whole number"),
            ("[{ keys = ['a'], threshold = 3, at-most = 3 }]", "not both"),
            ("[{ names = ['a'] }]", "unknown field"),
            ("[3]", "a combination such as"),
        ] {
            let error = combinations(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
