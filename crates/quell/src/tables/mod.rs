//! Tables in memory, from Arrow record batches: to be suppressed, adjusted, audited, and given
//! back as record batches. No file is touched.
//!
//! - [`TableColumns`]: which columns are what;
//! - [`ArrowTable`]: the table, with totals that were missing, as a [`Problem`].

mod columns;
mod read;
mod values;

use std::path::Path;

use arrow::array::RecordBatch;
use quell_model::{
    CellId, Decimals, Dimension, Hierarchy, HierarchyError, Pattern, Problem, Status, Value,
};
use quell_tabulate::{
    Assessment, Cost, Place, Prepared, Response, Rules, SMALLEST_COST, SumsBy, Table, linked,
    problem,
};

pub use columns::{TableColumns, TableDimension};
use read::Rows;

use crate::Error;
use crate::given::{Given, GivenCells, codes};
use crate::pipeline::{Attackers, with_contributors};
use crate::release::batch::{self, Layout};
use crate::release::{Marking, Row, Statuses};

/// What a table is called in messages.
const NAME: &str = "table";

/// A table from Arrow record batches.
///
/// ```
/// use std::sync::Arc;
///
/// use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
/// use quell::suppress::SuppressOptions;
/// use quell::{ArrowTable, Context, TableColumns, TableVerdict, suppress};
///
/// let text = |values: [&str; 6]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
/// let batch = RecordBatch::try_from_iter([
///     ("region", text(["N", "N", "N", "S", "S", "S"])),
///     ("size", text(["a", "b", "c", "a", "b", "c"])),
///     ("turnover", Arc::new(Int64Array::from(vec![20, 50, 10, 8, 19, 22])) as ArrayRef),
///     ("status", text(["primary", "safe", "safe", "safe", "safe", "safe"])),
/// ])?;
/// let columns = TableColumns::new(["region", "size"], "turnover").status("status");
/// let table = ArrowTable::from_batches(&[batch], &columns)?;
/// let suppressed = suppress(table.problem(), &SuppressOptions::default(), &Context::default())?;
/// assert_eq!(suppressed.verdict(), TableVerdict::Safe);
/// let released = table.released(suppressed.pattern());
/// assert_eq!(released.num_rows(), 12); // six cells and their totals
/// assert_eq!(released.column_by_name("turnover").unwrap().null_count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ArrowTable {
    table: Table,
    problem: Problem,
    /// The cell of the problem for each cell of the table.
    cells: Vec<CellId>,
}

impl ArrowTable {
    /// The table in some batches, which must have the same columns.
    ///
    /// A row is a cell: its codes, its value and what else `columns` names. Totals may be left
    /// out: they are computed. A null in a column of codes means the total.
    ///
    /// # Errors
    /// If a column is missing or holds something else than it should, a cell stands twice, or
    /// the table does not add up. Messages name the column and the record, from 1.
    pub fn from_batches(batches: &[RecordBatch], columns: &TableColumns) -> Result<Self, Error> {
        let rows = read::rows(batches, columns)?;
        let decides = columns.decides()?;
        let standard = Rules::default();
        let cells = Given {
            file: Path::new(NAME),
            place: Place::Record,
            rows: &rows.table,
            name: NAME,
            dimensions: dimensions(columns, &rows)?,
            response: match &columns.value {
                Some(value) => Response::Variable(value.clone()),
                None => Response::Frequency,
            },
            decimals: columns.decimals.map(Decimals),
            additivity: columns.totals,
            advice: "correct the rows; TableColumns says which columns are read and how",
            decides,
        }
        .build(columns.rules.as_ref().unwrap_or(&standard))?;
        Self::of_cells(cells, &rows, columns)
    }

    fn of_cells(given: GivenCells, rows: &Rows, columns: &TableColumns) -> Result<Self, Error> {
        let GivenCells { table, mut assessments, costs: own_costs, from } = given;
        let mut costs = Cost::default().of(&table);
        for (cost, own) in costs.iter_mut().zip(own_costs) {
            *cost = own.map_or(*cost, |own| own.max(SMALLEST_COST));
        }
        set_sliding(&mut assessments, &from, rows, table.decimals);
        let mut bounds = columns.attacker.of(&table, &assessments);
        for ((lower, upper), row) in bounds.iter_mut().zip(&from) {
            let Some(row) = *row else { continue };
            *lower = rows.lower_bound(row, table.decimals).unwrap_or(*lower);
            *upper = rows.upper_bound(row, table.decimals).unwrap_or(*upper);
        }
        let linked = linked(std::slice::from_ref(&table), &[])?;
        let standard = Rules::default();
        let prepared = [Prepared {
            table: &table,
            rules: columns.rules.as_ref().unwrap_or(&standard),
            assessments: &assessments,
            costs: &costs,
            bounds: &bounds,
        }];
        let problem = problem(&linked, &prepared)?;
        let attackers = Attackers {
            bounds: columns.attacker,
            contributors: columns.contributor_attackers,
            know_parts: true,
            sums: SumsBy::Rules,
        };
        let problem = with_contributors(problem, &linked, &prepared, attackers)?;
        refuse_faults(&problem)?;
        let cells = linked.cell_of.into_iter().next().unwrap_or_default();
        Ok(Self { table, problem, cells })
    }

    /// The table as every method and attacker sees it.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The cell of the problem at these codes, one per dimension; an empty code is the total.
    pub fn find(&self, codes: &[&str]) -> Option<CellId> {
        self.table.find(codes).map(|cell| self.cells[cell.index()])
    }

    /// The hidden cells as the table's own statuses say: its primaries and secondaries.
    pub fn pattern(&self) -> Pattern {
        Pattern::of_statuses(&self.problem)
    }

    /// The table with the cells of a pattern hidden: one column of codes per dimension, the
    /// value, null where it is hidden, and the column `status`: published or hidden. Why a cell is
    /// hidden is for the office: the pattern and the problem tell.
    pub fn released(&self, pattern: &Pattern) -> RecordBatch {
        let statuses = pattern.statuses(&self.problem);
        self.batch(|cell| {
            let value = (!pattern.is_suppressed(cell)).then(|| self.problem.value(cell));
            (value, statuses[cell.index()])
        })
    }

    /// The table with adjusted values: all of them are published.
    ///
    /// # Errors
    /// If there is not one value per cell of the problem.
    pub fn adjusted(&self, values: &[Value]) -> Result<RecordBatch, Error> {
        if values.len() != self.problem.cell_count() {
            return Err(Error::arguments(
                format!("{} values for {} cells", values.len(), self.problem.cell_count()),
                "give one value per cell, in the order of the problem",
            ));
        }
        Ok(self.batch(|cell| (Some(values[cell.index()]), Status::Safe)))
    }

    /// The table with the value, if it is shown, and the status of each cell of the problem.
    fn batch(&self, shown: impl Fn(CellId) -> (Option<Value>, Status)) -> RecordBatch {
        let row = |(place, &cell): (usize, &CellId)| {
            let (value, status) = shown(cell);
            Row { place: CellId::from_index(place), value, status: Statuses::Hidden.word(status) }
        };
        let rows: Vec<Row> = self.cells.iter().enumerate().map(row).collect();
        let Table { cube, response, decimals, .. } = &self.table;
        let layout = Layout { cube, response: response.name(), decimals: *decimals };
        // No mark: whether it may be published is for the audit of the pattern to say.
        let schema = batch::schema(layout, Marking::Safe);
        batch::batch(&schema, layout, &rows, Marking::Safe)
            .expect("columns of one length and of the schema's types")
    }
}

/// The dimensions, each with the column of its codes.
fn dimensions(columns: &TableColumns, rows: &Rows) -> Result<Vec<(Dimension, String)>, Error> {
    let make = |dimension: &TableDimension| {
        let hierarchy = match &dimension.hierarchy {
            Some(hierarchy) => hierarchy.clone(),
            None => flat(&dimension.total, codes(&rows.table, &dimension.column, &dimension.total))
                .map_err(|error| {
                    let message = format!("column \"{}\": {error}", dimension.column);
                    Error::arguments(message, "give the dimension a hierarchy")
                })?,
        };
        Ok((Dimension::new(&dimension.column, hierarchy), dimension.column.clone()))
    };
    columns.dimensions.iter().map(make).collect()
}

/// A total over all codes.
fn flat(total: &str, codes: Vec<String>) -> Result<Hierarchy, HierarchyError> {
    let parents: Vec<_> = std::iter::once(None).chain(codes.iter().map(|_| Some(0))).collect();
    let codes = std::iter::once(total.to_owned()).chain(codes).collect();
    Hierarchy::from_parents(codes, &parents)
}

/// Sliding levels, which files of tables do not have.
fn set_sliding(
    assessments: &mut [Assessment],
    from: &[Option<usize>],
    rows: &Rows,
    decimals: Decimals,
) {
    for (assessment, row) in assessments.iter_mut().zip(from) {
        let sliding = row.and_then(|row| rows.sliding(row, decimals));
        if let (Some(sliding), true) = (sliding, assessment.status.is_primary()) {
            assessment.protection.sliding = sliding;
        }
    }
}

/// A table that lies outside the attacker's bounds cannot be protected.
fn refuse_faults(problem: &Problem) -> Result<(), Error> {
    match problem.faults().into_iter().find(|fault| !fault.is_warning()) {
        None => Ok(()),
        Some(fault) => {
            let advice = "correct the values, or the bounds that the attacker is said to know";
            Err(Error::arguments(fault.describe(problem), advice))
        }
    }
}
