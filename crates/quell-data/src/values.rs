//! Columns of any type as texts.
//!
//! A number without a fraction is a whole one, whatever its type, so that a code 99 is "99"
//! in each format: never "99.0", as Arrow would write it.

use arrow::array::{Array, ArrayRef, AsArray, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float32Type, Float64Type};
use arrow::error::ArrowError;

/// A column as texts; null stays null, and so does "not a number", which stands for unknown
/// values wherever columns cannot be null.
///
/// # Errors
/// If the column is of a type that has no texts, such as a list.
pub fn texts(column: &ArrayRef) -> Result<StringViewArray, ArrowError> {
    match column.data_type() {
        DataType::Float64 => {
            let numbers = column.as_primitive::<Float64Type>().iter();
            Ok(numbers.map(|number| Some(number?).filter(|n| !n.is_nan()).map(written)).collect())
        }
        DataType::Float32 => {
            let numbers = column.as_primitive::<Float32Type>().iter();
            Ok(numbers.map(|number| Some(number?).filter(|n| !n.is_nan()).map(written)).collect())
        }
        DataType::Float16 => texts(&cast(column, &DataType::Float32)?),
        DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal128(..)
        | DataType::Decimal256(..) => {
            let written = cast(column, &DataType::Utf8)?;
            let texts = written.as_string::<i32>().iter();
            Ok(texts.map(|text| text.map(without_empty_fraction)).collect())
        }
        DataType::Dictionary(_, values) => texts(&cast(column, values)?),
        DataType::RunEndEncoded(_, values) => texts(&cast(column, values.data_type())?),
        _ => Ok(cast(column, &DataType::Utf8View)?.as_string_view().clone()),
    }
}

fn written(number: impl std::fmt::Display) -> String {
    number.to_string()
}

fn without_empty_fraction(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use arrow::array::{
        BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float64Array, Int32Array,
        Int64Array, LargeStringArray, NullArray, StringArray, UInt64Array,
    };

    fn all(column: impl Array + 'static) -> Vec<String> {
        let column: ArrayRef = Arc::new(column);
        let texts = texts(&column).unwrap();
        texts.iter().map(|text| text.unwrap_or("null").to_owned()).collect()
    }

    #[test]
    fn codes_are_the_same_texts_in_every_type() {
        assert_eq!(
            all(Float64Array::from(vec![Some(99.0), Some(1.5), None, Some(f64::NAN)])),
            ["99", "1.5", "null", "null"]
        );
        assert_eq!(all(Int64Array::from(vec![Some(99), None])), ["99", "null"]);
        assert_eq!(all(UInt64Array::from(vec![u64::MAX])), ["18446744073709551615"]);
        let decimals = Decimal128Array::from(vec![9_900, 150, -1]);
        assert_eq!(all(decimals.with_precision_and_scale(10, 2).unwrap()), ["99", "1.5", "-0.01"]);
        assert_eq!(all(LargeStringArray::from(vec![Some("99"), None])), ["99", "null"]);
        assert_eq!(all(BooleanArray::from(vec![true, false])), ["true", "false"]);
        assert_eq!(all(Date32Array::from(vec![19_723])), ["2024-01-01"]);
        assert_eq!(all(NullArray::new(1)), ["null"]);
        let keys = Int32Array::from(vec![Some(1), None, Some(0)]);
        let words = DictionaryArray::new(keys.clone(), Arc::new(StringArray::from(vec!["a", "b"])));
        assert_eq!(all(words), ["b", "null", "a"]);
        let numbers = DictionaryArray::new(keys, Arc::new(Float64Array::from(vec![1.0, 2.0])));
        assert_eq!(all(numbers), ["2", "null", "1"]);
    }
}
