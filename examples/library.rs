//! Protects a table that is in memory, with progress and cancel; no file is touched.
//!
//! `cargo run --example library`

use std::error::Error;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow::util::display::array_value_to_string;
use quell::suppress::SuppressOptions;
use quell::{ArrowTable, Cancel, Context, Progress, TableColumns, TableVerdict};

struct Stages;

impl Progress for Stages {
    fn stage(&self, name: &str, _total: Option<u64>) {
        eprintln!("{name} ...");
    }
    fn advance(&self, _steps: u64) {}
}

/// Protects a table of nine cells and prints what may be published.
pub fn main() -> Result<(), Box<dyn Error>> {
    let text = |values: &[&str]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let turnover = Int64Array::from(vec![20, 50, 10, 8, 19, 22, 17, 32, 12]);
    let batch = RecordBatch::try_from_iter([
        (
            "region",
            text(&["north", "north", "north", "south", "south", "south", "west", "west", "west"]),
        ),
        (
            "industry",
            text(&["food", "metal", "trade", "food", "metal", "trade", "food", "metal", "trade"]),
        ),
        ("turnover", Arc::new(turnover) as ArrayRef),
        (
            "status",
            text(&["safe", "safe", "safe", "safe", "primary", "safe", "safe", "safe", "safe"]),
        ),
    ])?;
    let columns = TableColumns::new(["region", "industry"], "turnover").status("status");
    let table = ArrowTable::from_batches(&[batch], &columns)?;
    let cancel = Cancel::default(); // cancel.everything() on another thread ends the call
    let context = Context { progress: &Stages, ..Context::default() }.cancelled_by(&cancel);
    let suppressed = quell::suppress(table.problem(), &SuppressOptions::default(), &context)?;
    println!("{}: {} secondaries", suppressed.verdict(), suppressed.summary.secondaries);
    if suppressed.verdict() == TableVerdict::Safe {
        let released = table.released(suppressed.pattern());
        for row in 0..released.num_rows() {
            let cell = |column: &ArrayRef| array_value_to_string(column, row);
            let cells = released.columns().iter().map(cell).collect::<Result<Vec<_>, _>>()?;
            println!("{}", cells.join("  "));
        }
    }
    Ok(())
}
