//! CSV files: rows and columns as in a printed table, a block a layer.

use std::io::{Result, Write};

use super::records::released;
use super::{OutputCell, OutputTable, WriteOptions};

pub(super) fn print(
    out: &mut impl Write,
    table: &OutputTable,
    cells: &[&OutputCell],
    options: WriteOptions,
) -> Result<()> {
    let last = table.dimensions.len() - 1;
    let width = table.dimensions[last].codes.len();
    let height = if last > 0 { table.dimensions[last - 1].codes.len() } else { 1 };
    table.visit(cells, false, |at, cell| {
        let column = at[last] as usize;
        let row = if last > 0 { at[last - 1] as usize } else { 0 };
        if column == 0 && row == 0 {
            print_heading(out, table, at, options)?;
        }
        if column == 0 {
            if last > 0 {
                write!(out, "{}", table.label(last - 1, at[last - 1], options))?;
            }
            write!(out, ",")?;
        }
        write!(out, "{}", released(table, cell, false))?;
        if column + 1 < width {
            return write!(out, ",");
        }
        // A row ends, and with the last one the layer.
        write!(out, "{}", if row + 1 < height || last == 0 { "\r\n" } else { "\r\n\r\n" })
    })
}

/// The layer, if there are any, and the codes of the columns.
fn print_heading(
    out: &mut impl Write,
    table: &OutputTable,
    at: &[u32],
    options: WriteOptions,
) -> Result<()> {
    let last = table.dimensions.len() - 1;
    if last > 1 {
        let layer = |dimension: usize| {
            let label = table.label(dimension, at[dimension], options);
            format!("Var {},{label}", dimension + 1)
        };
        let layers: Vec<String> = (0..last - 1).map(layer).collect();
        write!(out, "{}\r\n", layers.join(", "))?;
    }
    let columns = 0..table.dimensions[last].codes.len() as u32;
    let labels: Vec<String> = columns.map(|code| table.label(last, code, options)).collect();
    write!(out, ",{}\r\n", labels.join(","))
}
