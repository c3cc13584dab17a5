//! Batches of records as integers: codes as leaves, numbers as units, requests.

use quell_data::arrow::array::{Array, RecordBatch, StringViewArray};
use quell_data::texts;
use quell_model::{NodeId, Value};

use super::codes::Codes;
use super::numbers::{MISSING, numbers};
use super::people::Who;
use super::plan::Plan;
use crate::number::rounded;
use crate::{ContributorKey, ProtectionRequest};

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
    /// Nothing if nobody can ask.
    pub(super) requests: Vec<ProtectionRequest>,
}

impl Encoded {
    /// For each record a key made of all it says. Records with the same key say the same, so they
    /// are in the same cells of all tables.
    pub(super) fn keys(&self) -> Vec<ContributorKey> {
        let mut keys = vec![ContributorKey::default(); self.rows];
        for nodes in &self.nodes {
            keys.iter_mut().zip(nodes).for_each(|(key, &node)| *key = key.and(u64::from(node)));
        }
        for values in &self.values {
            let bits = values.iter().map(|&value| u64::from_ne_bytes(value.to_ne_bytes()));
            keys.iter_mut().zip(bits).for_each(|(key, bits)| *key = key.and(bits));
        }
        let requests = self.requests.iter().map(|&request| u64::from(request as u8));
        keys.iter_mut().zip(requests).for_each(|(key, request)| *key = key.and(request));
        keys
    }
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
        let requests = self.requests(batch);
        Ok(Encoded { rows: batch.num_rows(), nodes, values, weighted, requests })
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

    fn requests(&self, batch: &RecordBatch) -> Vec<ProtectionRequest> {
        if self.plan.request.is_none() && self.plan.waiver.is_none() {
            return Vec::new();
        }
        let mut requests = vec![ProtectionRequest::None; batch.num_rows()];
        if let Some(waiver) = &self.plan.waiver
            && let Ok(column) = texts(batch.column(waiver.column))
        {
            for (asked, text) in requests.iter_mut().zip(&column) {
                if text.is_some_and(|text| waiver.codes.iter().any(|code| code == text.trim())) {
                    *asked = ProtectionRequest::Waived;
                }
            }
        }
        if let Some(request) = &self.plan.request
            && let Ok(column) = texts(batch.column(request.column))
        {
            for (asked, text) in requests.iter_mut().zip(&column) {
                let text = text.unwrap_or_default().trim();
                if text == request.first {
                    *asked = ProtectionRequest::FirstRequest;
                } else if request.second.as_deref() == Some(text) {
                    *asked = ProtectionRequest::SecondRequest;
                }
            }
        }
        requests
    }

    /// Who each record is from. A record without a holding is from its respondent, or from
    /// nobody known.
    pub(super) fn people(&self, batch: &RecordBatch, who: Who) -> StringViewArray {
        let column = |column: usize| texts(batch.column(column)).ok();
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
                // Blanks around a name are no part of it, as in names of holdings.
                let is_plain = |name: &str| !name.is_empty() && name.trim().len() == name.len();
                if names.iter().all(|name| name.is_some_and(is_plain)) {
                    return names;
                }
                let named = |name: &&str| !name.is_empty();
                names.iter().map(|name| name.map(str::trim).filter(named)).collect()
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
