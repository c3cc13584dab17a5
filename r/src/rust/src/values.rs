//! R's lists as JSON and back.

use extendr_api::prelude::*;
use serde::Serialize;
use serde_json::{Map, Number, Value};

use crate::failure::Failure;

/// The largest number up to which all whole doubles are exact.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A value of R as JSON. A vector of length one is a scalar, unless it is protected by `I()`; lists
/// without names are arrays, however short.
pub(crate) fn json(value: &Robj) -> Result<Value, Failure> {
    if value.is_null() {
        return Ok(Value::Null);
    }
    if let Some(list) = value.as_list() {
        return of_list(&list);
    }
    let scalars = scalars(value)?;
    match <[Value; 1]>::try_from(scalars) {
        Ok([one]) if !value.inherits("AsIs") => Ok(one),
        Ok([one]) => Ok(Value::Array(vec![one])),
        Err(several) => Ok(Value::Array(several)),
    }
}

fn of_list(list: &List) -> Result<Value, Failure> {
    if list.names().is_none() {
        return list.values().map(|value| json(&value)).collect::<Result<_, _>>().map(Value::Array);
    }
    let mut object = Map::new();
    for (name, value) in list.iter() {
        object.insert(name.to_owned(), json(&value)?);
    }
    Ok(Value::Object(object))
}

fn scalars(value: &Robj) -> Result<Vec<Value>, Failure> {
    if let Some(texts) = value.as_str_vector() {
        return Ok(texts.into_iter().map(Value::from).collect());
    }
    if let Some(numbers) = value.as_integer_slice() {
        return Ok(numbers.iter().copied().map(Value::from).collect());
    }
    if let Some(numbers) = value.as_real_slice() {
        return numbers.iter().copied().map(number).collect();
    }
    if let Some(flags) = value.as_logical_slice() {
        return Ok(flags.iter().map(|flag| Value::from(flag.is_true())).collect());
    }
    Err(Failure::misuse(
        format!("a value is of type {:?}", value.rtype()),
        "give texts, numbers, TRUE or FALSE, and lists of these",
    ))
}

/// Whole numbers as such: R's are doubles, a job's are not.
fn number(value: f64) -> Result<Value, Failure> {
    if value.fract() == 0.0 && value.abs() <= WHOLE {
        return Ok(Value::from(value as i64));
    }
    Number::from_f64(value).map(Value::Number).ok_or_else(|| {
        Failure::misuse(format!("{value} is no number that can be used"), "give a finite number")
    })
}

/// A result of the library as a value of R.
pub(crate) fn robj(value: &impl Serialize) -> Result<Robj, Failure> {
    let value = serde_json::to_value(value)
        .map_err(|error| Failure::misuse(error.to_string(), "please report this"))?;
    Ok(of_json(value))
}

fn of_json(value: Value) -> Robj {
    match value {
        Value::Null => ().into_robj(),
        Value::Bool(flag) => flag.into_robj(),
        Value::Number(number) => number.as_f64().into_robj(),
        Value::String(text) => text.into_robj(),
        Value::Array(values) => of_array(values),
        Value::Object(object) => {
            let (names, values): (Vec<String>, Vec<Robj>) =
                object.into_iter().map(|(name, value)| (name, of_json(value))).unzip();
            list_of(names, values)
        }
    }
}

/// A list with names.
pub(crate) fn list_of(names: Vec<String>, values: Vec<Robj>) -> Robj {
    let mut list = List::from_values(values).into_robj();
    // There are as many names as values.
    let _ = list.set_names(names);
    list
}

/// A vector if all are numbers or all are texts, else a list.
fn of_array(values: Vec<Value>) -> Robj {
    if values.is_empty() {
        return List::new(0).into_robj();
    }
    if let Some(numbers) = values.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>() {
        return numbers.into_robj();
    }
    if let Some(texts) = values.iter().map(Value::as_str).collect::<Option<Vec<&str>>>() {
        return texts.into_robj();
    }
    List::from_values(values.into_iter().map(of_json)).into_robj()
}
