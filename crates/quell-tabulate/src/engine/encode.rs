//! Batches of records as integers: codes as leaves, numbers as units, wishes.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringViewArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float32Type, Float64Type, Int64Type};
use quell_model::{Decimals, NodeId, Value};
use rustc_hash::FxHashMap;

use super::people::Who;
use super::plan::{AxisPlan, NumberPlan, Plan};
use super::scan::texts;
use crate::number::{rounded, units};
use crate::{CodeMatch, Wish};

/// A number that is not known.
pub(super) const MISSING: Value = Value::MIN;

/// A record that cannot be tabulated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// Its position in the batch.
    pub(super) row: usize,
    pub(super) kind: FaultKind,
    /// What stands there.
    pub(super) found: String,
}

/// What is wrong with a record; positions are those of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultKind {
    Code(usize),
    Number(usize),
    Weight,
}

/// A batch as integers.
pub(super) struct Encoded {
    pub(super) rows: usize,
    /// For each axis.
    pub(super) nodes: Vec<Vec<NodeId>>,
    /// For each number, [`MISSING`] if not known.
    pub(super) values: Vec<Vec<Value>>,
    /// For each number, times the weight; nothing without weights.
    pub(super) weighted: Vec<Vec<Value>>,
    /// Nothing if nobody can wish.
    pub(super) wishes: Vec<Wish>,
}

/// Turns batches into integers.
pub(super) struct Encoder {
    plan: Plan,
    codes: Vec<Codes>,
}

impl Encoder {
    pub(super) fn new(plan: Plan) -> Self {
        let codes = plan.axes.iter().map(Codes::new).collect();
        Self { plan, codes }
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Whether these contributors have names.
    pub(super) fn names(&self, who: Who) -> bool {
        match who {
            Who::Respondents => self.plan.respondent.is_some(),
            Who::Holdings => self.plan.holding.is_some(),
        }
    }

    /// A batch as integers, or a record that cannot be.
    pub(super) fn encode(&self, batch: &RecordBatch) -> Result<Encoded, Fault> {
        let mut nodes = Vec::with_capacity(self.codes.len());
        for (axis, codes) in self.codes.iter().enumerate() {
            let column = batch.column(self.plan.axes[axis].column);
            let fault = |(row, found)| Fault { row, kind: FaultKind::Code(axis), found };
            nodes.push(codes.encode(column).map_err(fault)?);
        }
        let mut values = Vec::with_capacity(self.plan.numbers.len());
        for (number, plan) in self.plan.numbers.iter().enumerate() {
            let fault = |(row, found)| Fault { row, kind: FaultKind::Number(number), found };
            values.push(numbers(batch.column(plan.column), plan).map_err(fault)?);
        }
        let weighted = match self.plan.weight {
            Some(weight) => {
                let weights = &values[weight];
                if let Some(row) = weights.iter().position(|&weight| weight < 0) {
                    let decimals = self.plan.weight_decimals();
                    let found = match weights[row] {
                        MISSING => String::new(),
                        weight => decimals.format(weight),
                    };
                    return Err(Fault { row, kind: FaultKind::Weight, found });
                }
                let unit = self.plan.weight_decimals().scale();
                let product = |(&value, &weight): (&Value, &Value)| product(value, weight, unit);
                values.iter().map(|own| own.iter().zip(weights).map(product).collect()).collect()
            }
            None => Vec::new(),
        };
        let wishes = self.wishes(batch);
        Ok(Encoded { rows: batch.num_rows(), nodes, values, weighted, wishes })
    }

    /// The first record of a batch that cannot be encoded.
    pub(super) fn first_fault(&self, batch: &RecordBatch) -> Option<Fault> {
        // A record before the fault may have another one in a later column.
        let mut fault = self.encode(batch).err()?;
        while fault.row > 0 {
            match self.encode(&batch.slice(0, fault.row)) {
                Err(earlier) => fault = earlier,
                Ok(_) => break,
            }
        }
        Some(fault)
    }

    fn wishes(&self, batch: &RecordBatch) -> Vec<Wish> {
        if self.plan.request.is_none() && self.plan.waiver.is_none() {
            return Vec::new();
        }
        let mut wishes = vec![Wish::None; batch.num_rows()];
        if let Some(waiver) = &self.plan.waiver
            && let Some(column) = texts(batch.column(waiver.column))
        {
            for (wish, text) in wishes.iter_mut().zip(&column) {
                if text.is_some_and(|text| waiver.codes.iter().any(|code| code == text.trim())) {
                    *wish = Wish::Waived;
                }
            }
        }
        if let Some(request) = &self.plan.request
            && let Some(column) = texts(batch.column(request.column))
        {
            for (wish, text) in wishes.iter_mut().zip(&column) {
                let text = text.unwrap_or_default().trim();
                if text == request.first {
                    *wish = Wish::FirstRequest;
                } else if request.second.as_deref() == Some(text) {
                    *wish = Wish::SecondRequest;
                }
            }
        }
        wishes
    }

    /// Who each record is from. A record without a holding is from its respondent, or from
    /// nobody known.
    pub(super) fn people(&self, batch: &RecordBatch, who: Who) -> StringViewArray {
        let column = |column: usize| texts(batch.column(column));
        let respondents = self.plan.respondent.and_then(column);
        match (&self.plan.holding, who) {
            (Some(holding), Who::Holdings) => {
                let holdings = column(holding.column);
                (0..batch.num_rows())
                    .map(|row| {
                        let text = |names: &Option<StringViewArray>| {
                            let names = names.as_ref()?;
                            let text = names.is_valid(row).then(|| names.value(row).trim())?;
                            (!text.is_empty()).then(|| text.to_owned())
                        };
                        let missing = |name: &String| !holding.codes.contains(name);
                        let holding = text(&holdings).filter(missing);
                        // Names of holdings and of respondents are different worlds.
                        holding
                            .map(|name| format!("h{name}"))
                            .or_else(|| text(&respondents).map(|name| format!("r{name}")))
                    })
                    .collect()
            }
            _ => {
                let names =
                    respondents.unwrap_or_else(|| StringViewArray::new_null(batch.num_rows()));
                let named = |name: &&str| !name.trim().is_empty();
                if names.iter().all(|name| name.is_some_and(|name| named(&name))) {
                    return names;
                }
                names.iter().map(|name| name.filter(named)).collect()
            }
        }
    }
}

/// A weighted value, rounded to the value's units.
fn product(value: Value, weight: Value, unit: Value) -> Value {
    if value == MISSING {
        return MISSING;
    }
    match value.checked_mul(weight) {
        Some(product) if product >= 0 && product <= Value::MAX - unit => {
            (product + unit / 2) / unit
        }
        _ => {
            let product = rounded(i128::from(value) * i128::from(weight), i128::from(unit));
            // Beyond the range the total is refused anyway.
            product.clamp(i128::from(-Value::MAX), i128::from(Value::MAX)) as Value
        }
    }
}

/// The codes of a dimension, for looking up fast.
struct Codes {
    matching: CodeMatch,
    /// Codes of up to seven bytes, as an integer: most are.
    short: FxHashMap<u64, NodeId>,
    long: FxHashMap<String, NodeId>,
}

impl Codes {
    fn new(axis: &AxisPlan) -> Self {
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

    fn encode(&self, column: &ArrayRef) -> Result<Vec<NodeId>, (usize, String)> {
        if let Some(dictionary) = column.as_any_dictionary_opt() {
            let values = texts(dictionary.values()).unwrap_or_else(|| StringViewArray::new_null(0));
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
            Some(column) => self.each(column.iter(), column.len()),
            None => Err((0, format!("a column of type {}", column.data_type()))),
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

/// A column as units.
fn numbers(column: &ArrayRef, plan: &NumberPlan) -> Result<Vec<Value>, (usize, String)> {
    let (decimals, scale) = (plan.decimals, plan.decimals.scale());
    let missing: Vec<Value> =
        plan.missing.iter().filter_map(|code| units(code, decimals)).collect();
    let known = |value: Value| if missing.contains(&value) { MISSING } else { value };
    let mut values = Vec::with_capacity(column.len());
    match column.data_type() {
        DataType::Float64 => {
            for (row, number) in column.as_primitive::<Float64Type>().iter().enumerate() {
                let value = number.map_or(Ok(MISSING), |number| decimals.round(number).map(known));
                values.push(value.map_err(|_| (row, number.unwrap_or(f64::NAN).to_string()))?);
            }
        }
        DataType::Float32 => {
            // By way of its shortest text: 0.1 is meant, not 0.10000000149.
            for (row, number) in column.as_primitive::<Float32Type>().iter().enumerate() {
                let text = number.map(|number| number.to_string());
                let value =
                    text.as_ref().map_or(Some(MISSING), |text| units(text, decimals).map(known));
                values.push(value.ok_or_else(|| (row, text.unwrap_or_default()))?);
            }
        }
        kind if kind.is_integer() => {
            let whole = cast(column, &DataType::Int64).map_err(|error| (0, error.to_string()))?;
            for (row, number) in whole.as_primitive::<Int64Type>().iter().enumerate() {
                let value = match number {
                    Some(number) => number.checked_mul(scale).map(known),
                    None if column.is_null(row) => Some(MISSING),
                    None => None,
                };
                let large = || (row, number.map_or_else(String::new, |number| number.to_string()));
                values.push(value.ok_or_else(large)?);
            }
        }
        _ => {
            if let Some(column) = column.as_string_opt::<i32>() {
                text_numbers(column.iter(), plan, &mut values)?;
            } else {
                let column =
                    texts(column).ok_or_else(|| (0, format!("a {}", column.data_type())))?;
                text_numbers(column.iter(), plan, &mut values)?;
            }
        }
    }
    Ok(values)
}

fn text_numbers<'a>(
    texts: impl Iterator<Item = Option<&'a str>>,
    plan: &NumberPlan,
    values: &mut Vec<Value>,
) -> Result<(), (usize, String)> {
    for (row, text) in texts.enumerate() {
        let text = text.unwrap_or_default().trim();
        let value = if text.is_empty() || plan.missing.iter().any(|code| code == text) {
            MISSING
        } else {
            units(text, plan.decimals).ok_or_else(|| (row, text.to_owned()))?
        };
        values.push(value);
    }
    Ok(())
}

/// How many decimals the numbers of a column need, if more than `known`. What is no number
/// is found later, with its place.
pub(super) fn needed_decimals(column: &ArrayRef, known: u8) -> u8 {
    let mut needed = known;
    if column.data_type().is_integer() {
        return needed;
    }
    if let Some(column) = column.as_primitive_opt::<Float64Type>() {
        for number in column.iter().flatten().filter(|number| number.is_finite()) {
            let scale = Decimals(needed.min(Decimals::MOST)).scale() as f64;
            if (number * scale).round() / scale != number {
                let text = Decimals::needed(&format!("{number}"));
                needed = needed.max(text.unwrap_or_default().0);
            }
        }
        return needed;
    }
    let of = |text: &str| {
        let text = text.trim();
        match text.split_once('.') {
            Some((_, fraction)) if fraction.bytes().all(|byte| byte.is_ascii_digit()) => {
                fraction.trim_end_matches('0').len() as u8
            }
            None if !text.contains(['e', 'E']) => 0,
            _ => Decimals::needed(text).unwrap_or_default().0,
        }
    };
    if let Some(column) = column.as_string_opt::<i32>() {
        return column.iter().flatten().fold(needed, |needed, text| needed.max(of(text)));
    }
    if let Some(column) = texts(column) {
        return column.iter().flatten().fold(needed, |needed, text| needed.max(of(text)));
    }
    needed
}
