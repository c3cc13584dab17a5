//! Frames in and out, through the Arrow PyCapsule interface: no copy either way.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, Float64Array, Int64Array, RecordBatch, StructArray};
use arrow::datatypes::{Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::util::display::array_value_to_string;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};
use pyo3_arrow::input::AnyRecordBatch;

use crate::errors::misuse;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ArrowFrame>()?;
    module.add_function(wrap_pyfunction!(arrow_frame, module)?)
}

/// The record batches of a frame: anything with `__arrow_c_stream__` or `__arrow_c_array__`.
pub(crate) fn batches(frame: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    let py = frame.py();
    let failed = |error: &dyn std::fmt::Display| {
        misuse(
            py,
            format!("the frame cannot be read as Arrow: {error}"),
            "give a frame of Polars, pandas, pyarrow or DuckDB, or another with __arrow_c_stream__",
        )
    };
    let any: AnyRecordBatch = frame.extract().map_err(|error: PyErr| failed(&error))?;
    let reader = any.into_reader().map_err(|error| failed(&error))?;
    reader.collect::<Result<Vec<RecordBatch>, ArrowError>>().map_err(|error| failed(&error))
}

/// Arrow data on their way to Python: every library that knows the PyCapsule interface takes them.
#[pyclass(name = "ArrowFrame", module = "quell._quell", frozen)]
pub(crate) struct ArrowFrame {
    batches: Vec<RecordBatch>,
    schema: SchemaRef,
}

/// Any frame as one of ours.
#[pyfunction]
fn arrow_frame(frame: &Bound<'_, PyAny>) -> PyResult<ArrowFrame> {
    let batches = batches(frame)?;
    let schema = batches.first().map_or_else(|| Arc::new(Schema::empty()), RecordBatch::schema);
    Ok(ArrowFrame { batches, schema })
}

impl From<RecordBatch> for ArrowFrame {
    fn from(batch: RecordBatch) -> Self {
        let schema = batch.schema();
        Self { batches: vec![batch], schema }
    }
}

impl ArrowFrame {
    /// Several batches of the same columns; none if there is no batch.
    pub(crate) fn of(batches: Vec<RecordBatch>) -> Option<Self> {
        let schema = batches.first()?.schema();
        Some(Self { batches, schema })
    }
}

#[pymethods]
impl ArrowFrame {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let whole = |batch: RecordBatch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef);
        let field = Field::new_struct("", self.schema.fields().clone(), false);
        let field = Arc::new(field.with_metadata(self.schema.metadata().clone()));
        let arrays = ArrayIterator::new(self.batches.clone().into_iter().map(whole), field);
        Ok(to_stream_pycapsule(py, Box::new(arrays), requested_schema)?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The first rows, each a list: numbers as numbers, everything else as text.
    fn rows<'py>(&self, py: Python<'py>, most: usize) -> PyResult<Vec<Bound<'py, PyList>>> {
        let mut rows = Vec::new();
        for batch in &self.batches {
            for row in 0..batch.num_rows().min(most - rows.len()) {
                let values = batch.columns().iter().map(|column| value(py, column, row));
                rows.push(PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?);
            }
        }
        Ok(rows)
    }
}

/// A value as Python has it.
fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    if let Some(numbers) = column.as_any().downcast_ref::<Int64Array>() {
        return Ok(numbers.value(row).into_pyobject(py)?.into_any());
    }
    if let Some(numbers) = column.as_any().downcast_ref::<Float64Array>() {
        return Ok(numbers.value(row).into_pyobject(py)?.into_any());
    }
    let text = array_value_to_string(column, row)
        .map_err(|error| misuse(py, error.to_string(), "report this"))?;
    if column.data_type().is_decimal() {
        return py.import("decimal")?.getattr("Decimal")?.call1((text,));
    }
    Ok(text.into_pyobject(py)?.into_any())
}
