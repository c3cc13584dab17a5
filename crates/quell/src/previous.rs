//! What was released before: the same table of an earlier period, or figures that are published a
//! second time (a revision, an opening stock that was the closing stock of the last period).
//!
//! Figures of another period tell nothing of these, but readers and series profit from patterns that
//! stay: what was hidden then is cheaper to hide now, or hidden again. Where the figures are the same
//! ones, two releases are one to an attacker: what was published is known, and what was hidden
//! must not be published now. With both, every system of equations that this job adds to those of
//! the earlier one (stock and flows make the next stock) is audited together with what was known
//! before.

use std::collections::BTreeMap;
use std::path::Path;

use quell_model::{CellId, Protection, Status, Value};
use quell_tabulate::{Assessment, Table};

use crate::Error;
use crate::job::file::PreviousPattern;

/// What it costs to hide again what was hidden before, as a share of what it costs otherwise.
const PRICE_OF_HIDDEN: f64 = 0.1;

/// What an earlier release said of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// Nothing but that it is not empty.
    Hidden,
    /// This, in the decimals of the table.
    Published(Value),
}

/// Reads a released table: CSV with the codes of the dimensions, the value, and a status.
///
/// # Errors
/// If it cannot be read or has not the dimensions of the table.
pub fn read(file: &Path, table: &Table) -> Result<BTreeMap<CellId, Earlier>, Error> {
    let shown = file.display();
    let failed = |error: csv::Error| {
        let advice = "name a table of an earlier release as CSV: codes, value, status";
        Error::arguments(format!("{shown}: {error}"), advice)
    };
    let mut reader = csv::Reader::from_path(file).map_err(failed)?;
    let header = reader.headers().map_err(failed)?.clone();
    let column = |name: &str| header.iter().position(|own| own.trim() == name);
    let mut codes = Vec::new();
    for dimension in table.dimensions() {
        codes.push(column(&dimension.name).ok_or_else(|| {
            Error::arguments(
                format!("{shown} has no column \"{}\"", dimension.name),
                "an earlier release has the dimensions of the table as its first columns",
            )
        })?);
    }
    let status = column("status");
    let value = column(table.response.name())
        .or_else(|| (0..header.len()).find(|at| !codes.contains(at) && Some(*at) != status));
    let mut cells = BTreeMap::new();
    for record in reader.records() {
        let record = record.map_err(failed)?;
        let field = |at: usize| record.get(at).unwrap_or("").trim();
        let at: Vec<&str> = codes.iter().map(|&column| field(column)).collect();
        // A cell that is empty now is none of the table.
        let Some(cell) = table.find(&at) else { continue };
        let amount = value.and_then(|value| field(value).parse::<f64>().ok());
        let amount = amount.and_then(|amount| table.decimals.round(amount).ok());
        let is_published = status.is_none_or(|status| field(status) == "published");
        cells.insert(
            cell,
            match amount.filter(|_| is_published) {
                Some(amount) => Earlier::Published(amount),
                None => Earlier::Hidden,
            },
        );
    }
    Ok(cells)
}

/// Applies what was released before to what rules, costs and people say of a table. Gives what the
/// user should know.
pub fn apply(
    earlier: &BTreeMap<CellId, Earlier>,
    pattern: PreviousPattern,
    table: &Table,
    assessments: &mut [Assessment],
    costs: &mut [f64],
) -> Vec<String> {
    let (mut cheaper, mut hidden, mut known) = (0, 0, 0);
    let (mut too_late, mut opened) = (Vec::new(), Vec::new());
    for index in 0..table.cells.len() {
        let cell = CellId::from_index(index);
        let (Some(before), assessment) = (earlier.get(&cell), &mut assessments[index]) else {
            continue;
        };
        match (pattern, before) {
            (PreviousPattern::Cheaper, Earlier::Hidden) => {
                costs[index] *= PRICE_OF_HIDDEN;
                cheaper += 1;
            }
            (PreviousPattern::Hidden | PreviousPattern::Same, Earlier::Hidden) => {
                match assessment.status {
                    Status::Primary(_) => {}
                    Status::Protected => opened.push(cell),
                    Status::Safe | Status::Secondary => {
                        (assessment.status, assessment.by_hand) = (Status::Secondary, true);
                        hidden += 1;
                    }
                }
            }
            (PreviousPattern::Same, &Earlier::Published(value)) => {
                let is_revised = value != table.value(cell);
                match assessment.status {
                    Status::Primary(_) if is_revised => {}
                    Status::Primary(_) => {
                        too_late.push(cell);
                        assessment.status = Status::Protected;
                        assessment.protection = Protection::default();
                    }
                    _ => {
                        assessment.status = Status::Protected;
                        known += 1;
                    }
                }
            }
            (PreviousPattern::Cheaper | PreviousPattern::Hidden, Earlier::Published(_)) => {}
        }
    }
    let names = |cells: &[CellId]| {
        let shown = cells.iter().take(3).map(|&cell| table.cell_name(cell));
        let more = if cells.len() > 3 { ", …" } else { "" };
        format!("{}{more}", shown.collect::<Vec<_>>().join(", "))
    };
    let mut notes = match pattern {
        PreviousPattern::Cheaper => {
            vec![format!("{cheaper} cells that were hidden before cost a tenth")]
        }
        PreviousPattern::Hidden => {
            vec![format!("{hidden} cells are hidden because they were hidden before")]
        }
        PreviousPattern::Same => vec![format!(
            "{hidden} cells are hidden because they were hidden before, {known} are known because they \
             were published"
        )],
    };
    if !too_late.is_empty() {
        notes.push(format!(
            "{} sensitive cells were published before and cannot be hidden any more: {}",
            too_late.len(),
            names(&too_late)
        ));
    }
    if !opened.is_empty() {
        notes.push(format!(
            "{} cells that were hidden before must be published now: {}",
            opened.len(),
            names(&opened)
        ));
    }
    notes
}
