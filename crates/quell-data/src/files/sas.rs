//! SAS: `.sas7bdat`, compressed or not. Labels of values come from the catalogue of the same name
//! (`.sas7bcat`) if it lies beside the file. Missing values (`.`, `.A` to `.Z`) are null.

use std::path::Path;

use sas7bdat::catalog::normalize_format_name;
use sas7bdat::{BatchHint, Dataset, Parallelism, ValueKey, ValueLabel};

use super::{BATCH, Head, Take};
use crate::variable::Kind;
use crate::{Error, Variable};

fn open(path: &Path) -> Result<Dataset, Error> {
    // Asked first, so that a missing file is one.
    std::fs::metadata(path).map_err(|source| Error::read(path, source))?;
    Dataset::open(path).map_err(|error| Error::malformed(path, error))
}

pub(crate) fn head(path: &Path) -> Result<Head, Error> {
    let mut data = open(path)?;
    let catalogue = path.with_extension("sas7bcat");
    if catalogue.is_file() {
        data.attach_catalog(&catalogue).map_err(|error| Error::malformed(&catalogue, error))?;
    }
    let schema = data.scan().arrow_schema().map_err(|error| Error::malformed(path, error))?;
    let variables = data.columns().iter().zip(schema.fields()).map(|(column, field)| {
        let labels = labels(&data, column.format.as_deref());
        Variable {
            kind: if labels.is_empty() { Kind::of(field.data_type()) } else { Kind::Code },
            label: column.label.clone(),
            labels,
            ..Variable::named(field.name())
        }
    });
    Ok(Head { variables: variables.collect(), schema })
}

/// The labels of a format.
fn labels(data: &Dataset, format: Option<&str>) -> Vec<(String, String)> {
    let name = normalize_format_name(format.unwrap_or_default());
    let Some(set) = data.metadata().label_sets.get(&name) else { return Vec::new() };
    let label = |one: &ValueLabel| {
        let code = match &one.key {
            ValueKey::Numeric(number) => number.to_string(),
            ValueKey::Integer(number) => number.to_string(),
            ValueKey::String(text) => text.trim_end().to_owned(),
            // A missing value: null in the records.
            ValueKey::Tagged(_) => return None,
        };
        Some((code, one.label.clone()))
    };
    set.labels.iter().filter_map(label).collect()
}

/// Reads some columns, which rise.
pub(crate) fn each_batch(path: &Path, columns: &[usize], take: Take) -> Result<(), Error> {
    let data = open(path)?;
    let broken = |error: sas7bdat::Error| Error::malformed(path, error);
    let wanted = columns.iter().fold(data.projection(), |some, &column| some.column_idx(column));
    let wanted = wanted.build().map_err(broken)?;
    let scan = data
        .scan()
        .with_projection(&wanted)
        .with_parallelism(Parallelism::None)
        .with_batch_hint(BatchHint::Rows(BATCH));
    scan.visit_arrow_batches(|batch| Ok(take(batch))).map(drop).map_err(broken)
}
