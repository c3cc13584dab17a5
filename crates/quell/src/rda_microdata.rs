//! Microdata described by a τ-ARGUS metadata file.

use std::path::Path;

use quell_formats::argus::rda::{self, Metadata};
use quell_model::Decimals;
use quell_tabulate::{Field, Layout, Microdata, Variable};

use crate::Error;

/// The data file at `path` as its metadata describe it.
///
/// # Errors
/// If it is an SPSS file, or its separator is not one plain character.
pub fn microdata(path: &Path, metadata: &Metadata) -> Result<Microdata, Error> {
    let layout = match &metadata.layout {
        rda::Layout::Fixed => Layout::FixedWidth,
        rda::Layout::Free(separator) | rda::Layout::Table(separator) => {
            let [separator] = *separator.as_bytes() else {
                return Err(Error::arguments(
                    format!("\"{separator}\" does not separate the fields of a data file"),
                    "give one plain character after <SEPARATOR>, such as \";\"",
                ));
            };
            Layout::Delimited { separator, header: false }
        }
        rda::Layout::Spss => {
            return Err(Error::arguments(
                format!("{} is an SPSS file, which is not read", path.display()),
                "export it as CSV or fixed-width text",
            ));
        }
    };
    let variables = metadata.variables.iter().map(|variable| Variable {
        name: variable.name.clone(),
        field: variable.start.zip(variable.length).map(|(start, length)| Field { start, length }),
        missing: variable.missing.clone(),
        decimals: variable.numeric.then_some(Decimals(variable.decimals)),
    });
    Ok(Microdata { path: path.to_owned(), layout, variables: variables.collect() })
}
