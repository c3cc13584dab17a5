//! Numbers of records as units, whatever the type of their column.

use std::borrow::Cow;

use quell_data::arrow::array::{Array, ArrayRef, AsArray};
use quell_data::arrow::compute::cast;
use quell_data::arrow::datatypes::{DataType, Float32Type, Float64Type, Int64Type};
use quell_data::texts;
use quell_model::{Decimals, Value};

use super::plan::NumberPlan;
use crate::number::units;

/// A number that is not known.
pub(super) const MISSING: Value = Value::MIN;

/// A column as units, [`MISSING`] where it is not known, or the first record that is no
/// number.
pub(super) fn numbers(column: &ArrayRef, plan: &NumberPlan) -> Result<Vec<Value>, (usize, String)> {
    let (decimals, scale) = (plan.decimals, plan.decimals.scale());
    let missing: Vec<Value> =
        plan.missing.codes.iter().filter_map(|code| units(code, decimals)).collect();
    let in_range = |value: Value| {
        plan.missing.range.is_some() && plan.missing.has_number(value as f64 / scale as f64)
    };
    let known =
        |value: Value| if missing.contains(&value) || in_range(value) { MISSING } else { value };
    let mut values = Vec::with_capacity(column.len());
    match column.data_type() {
        DataType::Float64 => {
            for (row, number) in column.as_primitive::<Float64Type>().iter().enumerate() {
                let number = number.filter(|number| !number.is_nan());
                let value = number.map_or(Ok(MISSING), |number| decimals.round(number).map(known));
                values.push(value.map_err(|_| (row, number.unwrap_or(f64::NAN).to_string()))?);
            }
        }
        DataType::Float32 => {
            // By way of its shortest text: 0.1 is meant, not 0.10000000149.
            for (row, number) in column.as_primitive::<Float32Type>().iter().enumerate() {
                let number = number.filter(|number| !number.is_nan());
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
        DataType::Dictionary(_, kind) if kind.is_numeric() => {
            let plain = cast(column, kind).map_err(|error| (0, error.to_string()))?;
            return numbers(&plain, plan);
        }
        _ => {
            if let Some(column) = column.as_string_opt::<i32>() {
                text_numbers(column.iter(), plan, &mut values)?;
            } else {
                let column = texts(column).map_err(|_| (0, format!("a {}", column.data_type())))?;
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
        let value = if text.is_empty() || plan.missing.codes.iter().any(|code| code == text) {
            Some(MISSING)
        } else {
            with_point(text, plan.decimal_comma).and_then(|text| units(&text, plan.decimals))
        };
        values.push(value.ok_or_else(|| (row, text.to_owned()))?);
    }
    Ok(())
}

/// A number with a decimal point where it has a decimal comma; none if it has a point where a
/// comma belongs, which may stand between thousands.
fn with_point(text: &str, decimal_comma: bool) -> Option<Cow<'_, str>> {
    match decimal_comma {
        false => Some(Cow::Borrowed(text)),
        true if text.contains('.') => None,
        true => Some(Cow::Owned(text.replacen(',', ".", 1))),
    }
}

/// How many decimals the numbers of a column need, if more than `known`. What is no number
/// is found later, with its place.
pub(super) fn needed_decimals(column: &ArrayRef, known: u8, decimal_comma: bool) -> u8 {
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
    let mark = if decimal_comma { ',' } else { '.' };
    let of = |text: &str| {
        let text = text.trim();
        match text.split_once(mark) {
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
    if let Ok(column) = texts(column) {
        return column.iter().flatten().fold(needed, |needed, text| needed.max(of(text)));
    }
    needed
}
