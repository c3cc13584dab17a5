//! Codes of records as leaves of a hierarchy.

use quell_data::arrow::array::{Array, ArrayRef, AsArray, StringViewArray};
use quell_data::texts;
use quell_model::NodeId;
use rustc_hash::FxHashMap;

use super::plan::AxisPlan;
use crate::CodeMatch;

/// The codes of a dimension, for looking up fast.
pub(super) struct Codes {
    matching: CodeMatch,
    /// Codes of up to seven bytes, as an integer: most are.
    short: FxHashMap<u64, NodeId>,
    long: FxHashMap<String, NodeId>,
}

impl Codes {
    pub(super) fn new(axis: &AxisPlan) -> Self {
        let (mut short, mut long) = (FxHashMap::default(), FxHashMap::default());
        let mut leaves: Vec<(&String, &NodeId)> = axis.leaves.iter().collect();
        leaves.sort_unstable();
        for (code, &node) in leaves {
            match packed(code) {
                Some(key) => short.insert(key, node),
                None => long.insert(code.clone(), node),
            };
        }
        Self { matching: axis.matching, short, long }
    }

    /// The leaf of every record, or the first record that has none, with its code.
    pub(super) fn encode(&self, column: &ArrayRef) -> Result<Vec<NodeId>, (usize, String)> {
        if let Some(dictionary) = column.as_any_dictionary_opt() {
            let values =
                texts(dictionary.values()).unwrap_or_else(|_| StringViewArray::new_null(0));
            let nodes: Vec<Option<NodeId>> =
                values.iter().map(|text| self.find(text.unwrap_or_default())).collect();
            let keys = dictionary.normalized_keys();
            return keys
                .iter()
                .enumerate()
                .map(|(row, &key)| {
                    let valid = dictionary.keys().is_valid(row);
                    let node = if valid { nodes.get(key).copied().flatten() } else { None };
                    node.ok_or_else(|| {
                        let found = valid && key < values.len();
                        (row, if found { values.value(key).to_owned() } else { String::new() })
                    })
                })
                .collect();
        }
        if let Some(column) = column.as_string_opt::<i32>() {
            return self.each(column.iter(), column.len());
        }
        match texts(column) {
            Ok(column) => self.each(column.iter(), column.len()),
            Err(_) => Err((0, format!("a column of type {}", column.data_type()))),
        }
    }

    fn each<'a>(
        &self,
        texts: impl Iterator<Item = Option<&'a str>>,
        rows: usize,
    ) -> Result<Vec<NodeId>, (usize, String)> {
        let mut nodes = Vec::with_capacity(rows);
        for (row, text) in texts.enumerate() {
            let text = text.unwrap_or_default();
            nodes.push(self.find(text).ok_or_else(|| (row, text.to_owned()))?);
        }
        Ok(nodes)
    }

    fn find(&self, text: &str) -> Option<NodeId> {
        match self.matching {
            CodeMatch::Exact => self.leaf(text),
            CodeMatch::Trimmed => self.leaf(text.trim()),
            CodeMatch::Padded(length) if text.len() < length => {
                let text = text.trim_start();
                self.leaf(&format!("{text:>length$}"))
            }
            CodeMatch::Padded(_) => self.leaf(text),
            CodeMatch::Digits(count) => {
                let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
                self.leaf(&text[..end])
            }
        }
    }

    fn leaf(&self, code: &str) -> Option<NodeId> {
        match packed(code) {
            Some(key) => self.short.get(&key).copied(),
            None => self.long.get(code).copied(),
        }
    }
}

/// A short text as an integer.
fn packed(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    (bytes.len() < 8).then(|| {
        let mut all = [0; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        all[7] = bytes.len() as u8;
        u64::from_le_bytes(all)
    })
}
