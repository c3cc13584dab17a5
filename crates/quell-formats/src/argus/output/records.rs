//! One line per cell: pivot, code-value and SBS files.

use std::io::{Result, Write};

use super::{OutputCell, OutputTable, Values, WriteOptions, quoted};
use crate::argus::CellStatus;

/// Pivot and code-value files.
pub(super) fn print(
    out: &mut impl Write,
    table: &OutputTable,
    cells: &[&OutputCell],
    options: WriteOptions,
) -> Result<()> {
    if options.first_line {
        write!(out, "{}\r\n", first_line(table, options))?;
    }
    table.visit(cells, options.suppress_empty, |at, cell| {
        if options.suppress_empty && cell.is_none_or(is_empty) {
            return Ok(());
        }
        print_codes(out, table, at, options)?;
        write!(out, "{}", released(table, cell, options.status))?;
        if options.status {
            let number = cell.map_or(CellStatus::Empty, |cell| cell.status).number();
            match table.values {
                Values::Suppressed => write!(out, ",{number}")?,
                Values::Rounded => write!(out, ",{}", original(table, cell))?,
                Values::Adjusted => write!(out, ",{},{number}", original(table, cell))?,
            }
        }
        write!(out, "\r\n")
    })
}

fn is_empty(cell: &OutputCell) -> bool {
    cell.frequency == 0 || cell.status == CellStatus::Empty
}

fn print_codes(
    out: &mut impl Write,
    table: &OutputTable,
    at: &[u32],
    options: WriteOptions,
) -> Result<()> {
    for (dimension, &code) in at.iter().enumerate() {
        write!(out, "{},", table.label(dimension, code, options))?;
    }
    Ok(())
}

fn first_line(table: &OutputTable, options: WriteOptions) -> String {
    let name = |name: &str| if options.quotes { quoted(name) } else { name.replace('"', "'") };
    let mut names: Vec<String> =
        table.dimensions.iter().map(|dimension| name(&dimension.name)).collect();
    let response = table.response.as_deref();
    names.push(match (response, table.values) {
        (None, _) => name("Freq"),
        (Some(response), Values::Suppressed) => name(response),
        (Some(response), Values::Rounded) => name(&format!("{response}_Round")),
        (Some(response), Values::Adjusted) => name(&format!("{response}_CTA")),
    });
    if options.status {
        if table.values != Values::Suppressed {
            names.push(name(&format!("{}_Orig", response.unwrap_or("Freq"))));
        }
        if table.values != Values::Rounded {
            names.push(name("Status"));
        }
    }
    names.join(",")
}

/// What is released of a cell; the value of a suppressed one only beside its status.
pub(super) fn released(
    table: &OutputTable,
    cell: Option<&OutputCell>,
    beside_status: bool,
) -> String {
    let Some(cell) = cell.filter(|cell| cell.status != CellStatus::Empty) else {
        return "-".to_owned();
    };
    let hidden = cell.status.is_suppressed() && !beside_status;
    let value = match table.values {
        Values::Suppressed if hidden => None,
        Values::Suppressed => cell.value,
        Values::Rounded | Values::Adjusted => cell.released,
    };
    match value {
        Some(value) => table.decimals.format(value),
        None if cell.status == CellStatus::EmptyNonStructural => table.decimals.format(0),
        None => "x".to_owned(),
    }
}

fn original(table: &OutputTable, cell: Option<&OutputCell>) -> String {
    match cell {
        Some(cell) if cell.status != CellStatus::Empty => {
            cell.value.map_or_else(|| "x".to_owned(), |value| table.decimals.format(value))
        }
        _ => "-".to_owned(),
    }
}

/// Files for structural business statistics: empty cells never, flags and shares always.
pub(super) fn print_sbs(
    out: &mut impl Write,
    table: &OutputTable,
    cells: &[&OutputCell],
    options: WriteOptions,
) -> Result<()> {
    let tops = table.cells.iter().map(|cell| cell.tops.len()).max().unwrap_or(0);
    for &cell in cells.iter().filter(|cell| !is_empty(cell)) {
        for (dimension, &code) in cell.at.iter().enumerate() {
            write!(out, "{},", table.label(dimension, code, options))?;
            if options.levels {
                let codes = &table.dimensions[dimension];
                let hierarchical = codes.is_hierarchical();
                let level = if hierarchical { codes.codes[code as usize].level } else { 0 };
                write!(out, "{level},")?;
            }
        }
        let value = released(table, Some(cell), true);
        let flag = flag(cell.status, table.p_percent, tops);
        write!(out, "{value},{},{flag}", cell.frequency)?;
        if cell.status.is_unsafe() && cell.status != CellStatus::UnsafeFrequency {
            let top = |position: usize| cell.tops.get(position).copied().unwrap_or(0) as f64;
            let share = |amount: f64| match cell.shadow {
                0 => 0.0,
                shadow => 100.0 * amount / shadow as f64,
            };
            if table.p_percent {
                write!(out, ",{:.1},{:.1}", share(top(0)), share(top(1)))?;
            } else {
                write!(out, ",{:.1}", share(top(0) + top(1)))?;
            }
        }
        write!(out, "\r\n")?;
    }
    Ok(())
}

/// The flag of a cell: A too few, B dominated by one, C by two, F by p%, D secondary, V
/// safe.
fn flag(status: CellStatus, p_percent: bool, tops: usize) -> &'static str {
    match status {
        CellStatus::UnsafeFrequency => "A",
        CellStatus::UnsafeRule if p_percent => "F",
        CellStatus::UnsafeRule if tops > 1 => "C",
        CellStatus::Empty => "-",
        status if status.is_unsafe() => "B",
        status if status.is_suppressed() => "D",
        _ => "V",
    }
}
