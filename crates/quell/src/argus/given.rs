//! Tables of a batch read from a file instead of records.

use std::path::Path;

use quell_formats::Text;
use quell_formats::argus::rda::Metadata;
use quell_formats::argus::{arb, tab};
use quell_model::Dimension;
use quell_tabulate::{Additivity, Place, Response, Rules};

use super::classification::{self, Folders};
use crate::Error;
use crate::given::{Decides, Given, GivenCells, codes};

/// Reads a table as a batch specifies it.
///
/// # Errors
/// If the file is wrong, or its totals do not add up although they should.
pub fn read(
    path: &Path,
    metadata: &Metadata,
    folders: &Folders,
    name: &str,
    spec: &arb::TableSpec,
    rules: &Rules,
    totals: (arb::Totals, bool),
) -> Result<GivenCells, Error> {
    let cost = match &spec.cost {
        arb::Cost::Variable(name) => Some(name.as_str()),
        _ => None,
    };
    let wanted = tab::Wanted {
        response: spec.response.as_deref(),
        shadow: spec.shadow.as_deref(),
        cost,
        header: false,
    };
    let text = Text::read(path)?;
    let rows = tab::parse(&text, metadata, wanted)?;
    let additivity = match totals.0 {
        arb::Totals::Check => Additivity::Check,
        arb::Totals::Recompute => Additivity::Recompute,
        arb::Totals::NotRequired => Additivity::Allow,
    };
    let recomputed = additivity == Additivity::Recompute && !totals.1;
    let table = Given {
        file: path,
        place: Place::Line,
        rows: &rows,
        name,
        dimensions: dimensions(metadata, folders, &spec.explanatory, &rows)?,
        response: spec.response.clone().map_or(Response::Frequency, Response::Variable),
        decimals: None,
        additivity,
        advice: "see <READTABLE> 0, 1 and 2",
        decides: match (rules.is_empty(), recomputed) {
            (false, _) => Decides::Rules,
            (true, false) => Decides::Statuses,
            (true, true) => Decides::StatusesBelowTotals,
        },
    };
    table.build(rules)
}

/// The dimensions as the metadata describe them, each with its column.
fn dimensions(
    metadata: &Metadata,
    folders: &Folders,
    names: &[String],
    rows: &tab::Table,
) -> Result<Vec<(Dimension, String)>, Error> {
    let mut dimensions = Vec::new();
    for name in names {
        let variable = metadata.variable(name).filter(|variable| variable.categorical);
        let variable = variable.ok_or_else(|| unknown(name))?;
        let codes = codes(rows, name, variable.total());
        let hierarchy = classification::hierarchy(variable, &codes, folders)?;
        dimensions.push((Dimension::new(name, hierarchy), name.clone()));
    }
    Ok(dimensions)
}

/// A variable that the metadata do not have.
pub fn unknown(name: &str) -> Error {
    Error::arguments(
        format!("the metadata have no spanning variable \"{name}\""),
        "see <SPECIFYTABLE> and the .rda file",
    )
}
