//! Data frames in and out: columns of R as Arrow arrays, and arrays as columns.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Decimal128Array, DictionaryArray, Float64Array, Int32Array,
    LargeStringArray, RecordBatch, RecordBatchOptions, StringArray,
};
use arrow::compute::{cast, concat_batches};
use arrow::datatypes::{DataType, Field, Float64Type, Int32Type, Int64Type, Schema};
use extendr_api::prelude::*;
use quell::ReleasedTable;

use crate::failure::Failure;
use crate::values::list_of;

/// The record batch of a data frame.
pub(crate) fn batch(frame: &Robj) -> Result<RecordBatch, Failure> {
    let columns = frame.as_list().ok_or_else(|| {
        Failure::misuse("the data are no data frame", "give a data.frame, a data.table or a tibble")
    })?;
    let (mut fields, mut arrays, mut rows) = (Vec::new(), Vec::new(), 0);
    for (name, column) in columns.iter() {
        let array = array(name, &column)?;
        rows = array.len();
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options)
        .map_err(|error| Failure::misuse(error.to_string(), "give columns of one length"))
}

fn array(name: &str, column: &Robj) -> Result<ArrayRef, Failure> {
    if column.inherits("factor") {
        return factor(name, column);
    }
    if let Some(values) = column.as_integer_slice() {
        let value = |&value: &i32| (value != i32::MIN).then_some(value);
        return Ok(Arc::new(values.iter().map(value).collect::<Int32Array>()));
    }
    if let Some(values) = column.as_real_slice() {
        // R's NA is a NaN.
        let value = |&value: &f64| (!value.is_nan()).then_some(value);
        return Ok(Arc::new(values.iter().map(value).collect::<Float64Array>()));
    }
    if let Some(texts) = column.as_str_iter() {
        let text = |text: &'static str| (!text.is_na()).then_some(text);
        return Ok(Arc::new(texts.map(text).collect::<LargeStringArray>()));
    }
    Err(Failure::misuse(
        format!("column \"{name}\" is of type {:?}", column.rtype()),
        "give columns of numbers, texts or factors",
    ))
}

/// A factor as it is: codes and levels.
fn factor(name: &str, column: &Robj) -> Result<ArrayRef, Failure> {
    let broken = || {
        let what = format!("column \"{name}\" is a factor without levels");
        Failure::misuse(what, "make it anew: factor(x)")
    };
    let levels = column.get_attrib("levels").ok_or_else(broken)?;
    let levels = levels.as_str_vector().ok_or_else(broken)?;
    let codes = column.as_integer_slice().ok_or_else(broken)?;
    let keys = codes.iter().map(|&code| (code > 0).then(|| code - 1)).collect::<Int32Array>();
    let levels = Arc::new(StringArray::from_iter_values(levels));
    let array = DictionaryArray::<Int32Type>::try_new(keys, levels).map_err(|_| broken())?;
    Ok(Arc::new(array))
}

/// Columns as a list with names, for the R side to make a data frame of.
pub(crate) fn columns(batch: &RecordBatch) -> Result<Robj, Failure> {
    let names = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
    let columns = batch.columns().iter().map(column).collect::<Result<_, _>>()?;
    Ok(list_of(names, columns))
}

/// The same of several batches, which have the same columns.
pub(crate) fn columns_of(batches: &[RecordBatch]) -> Result<Robj, Failure> {
    let Some(first) = batches.first() else { return Ok(().into_robj()) };
    let whole = concat_batches(&first.schema(), batches).map_err(|error| broken(&error))?;
    columns(&whole)
}

/// Tables as a list with names.
pub(crate) fn tables(tables: &[ReleasedTable]) -> Result<Robj, Failure> {
    let names = tables.iter().map(|table| table.name.clone()).collect();
    let tables = tables.iter().map(|table| columns(&table.cells)).collect::<Result<_, _>>()?;
    Ok(list_of(names, tables))
}

fn broken(error: &dyn std::fmt::Display) -> Failure {
    Failure::misuse(
        format!("a result has columns that R cannot have: {error}"),
        "please report this",
    )
}

fn column(array: &ArrayRef) -> Result<Robj, Failure> {
    match array.data_type() {
        DataType::Int32 => {
            let values = array.as_primitive::<Int32Type>();
            Ok(Integers::from_values(values.iter().map(Rint::from)).into_robj())
        }
        DataType::Int64 => {
            let values = array.as_primitive::<Int64Type>();
            let value = |value: Option<i64>| Rfloat::from(value.map(|value| value as f64));
            Ok(Doubles::from_values(values.iter().map(value)).into_robj())
        }
        DataType::Float64 => {
            let values = array.as_primitive::<Float64Type>();
            Ok(Doubles::from_values(values.iter().map(Rfloat::from)).into_robj())
        }
        DataType::Decimal128(_, scale) => {
            let unit = 10_f64.powi(i32::from(*scale));
            let values = array.as_any().downcast_ref::<Decimal128Array>();
            let values = values.ok_or_else(|| broken(&"decimals"))?;
            let value = |value: Option<i128>| Rfloat::from(value.map(|units| units as f64 / unit));
            Ok(Doubles::from_values(values.iter().map(value)).into_robj())
        }
        _ => {
            let texts = cast(array, &DataType::LargeUtf8).map_err(|error| broken(&error))?;
            let texts = texts.as_string::<i64>();
            let text = |text: Option<&str>| Rstr::from(text.map(str::to_owned));
            Ok(Strings::from_values(texts.iter().map(text)).into_robj())
        }
    }
}
