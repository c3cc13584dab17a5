//! Tables and records to try things on.

use std::path::PathBuf;

use pyo3::prelude::*;
use quell::generate::{Cta, Herrington, Ons, Survey, TableClass, generate, generate_survey};
use quell::{Error, table_file};

use crate::errors::{misuse, raised};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(table_in_file, module)?)?;
    module.add_function(wrap_pyfunction!(survey_files, module)?)
}

/// A synthetic table of one of the classes in the literature, written to a file; the number of its cells.
#[pyfunction]
fn table_in_file(
    py: Python<'_>,
    path: PathBuf,
    kind: &str,
    sizes: Vec<String>,
    seed: u64,
) -> PyResult<usize> {
    let class = table_class(py, kind, &sizes)?;
    let written = py.detach(|| -> Result<usize, Error> {
        let problem = generate(&class, seed)?;
        table_file::write(&path, &problem)?;
        Ok(problem.cell_count())
    });
    written.map_err(|error| raised(py, &error))
}

fn table_class(py: Python<'_>, kind: &str, sizes: &[String]) -> PyResult<TableClass> {
    let number = |size: &String| {
        size.parse::<usize>()
            .map_err(|_| misuse(py, format!("\"{size}\" is no size"), "give whole numbers"))
    };
    let numbers = || sizes.iter().map(number).collect::<PyResult<Vec<usize>>>();
    match kind {
        "ons" => {
            let size = |size: &String| {
                size.parse().map_err(|error: quell_gen::ParameterError| raised(py, &error.into()))
            };
            let dimensions = sizes.iter().map(size).collect::<PyResult<_>>()?;
            Ok(TableClass::Ons(Ons { dimensions, ..Ons::default() }))
        }
        "herrington" => match numbers()?[..] {
            [rows, columns] => {
                Ok(TableClass::Herrington(Herrington { rows, columns, ..Herrington::default() }))
            }
            _ => {
                Err(misuse(py, "tables of this class have two dimensions", "give rows and columns"))
            }
        },
        "cta" => Ok(TableClass::Cta(Cta { sizes: numbers()?, ..Cta::default() })),
        other => Err(misuse(
            py,
            format!("there is no class \"{other}\""),
            "give \"ons\", \"herrington\" or \"cta\"",
        )),
    }
}

/// The records and classifications of a fictional business survey: names of files and their text.
#[pyfunction]
fn survey_files(py: Python<'_>, firms: usize, seed: u64) -> PyResult<Vec<(String, String)>> {
    let survey = Survey { firms };
    generate_survey(&survey, seed).map(|made| made.files).map_err(|error| raised(py, &error))
}
