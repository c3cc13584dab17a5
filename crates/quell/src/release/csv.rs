//! A table as CSV: codes, value, status; a system without tables: cell, value, status.

use std::io::{self, Write};

use super::files::Style;
use super::rows::rows;
use super::{Marking, Protected, ProtectedTable};

/// Writes a table with a header.
///
/// # Errors
/// If `out` fails.
pub fn write(
    out: &mut impl Write,
    protected: &Protected,
    table: &ProtectedTable,
    style: &Style,
    marking: Marking,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let names = table.cube().dimensions().iter().map(|dimension| dimension.name.as_str());
    let last = [table.response(), "status"];
    writer.write_record(names.chain(last).chain(marking.note().map(|_| "note")))?;
    for row in rows(protected, table, style.statuses) {
        let value = row.value.map(|value| table.decimals().format(value));
        let last = [value.as_deref().unwrap_or(&style.suppressed), row.status];
        writer.write_record(table.cube().codes(row.place).chain(last).chain(marking.note()))?;
    }
    writer.flush()
}

/// Writes the cells of a system that has no tables.
///
/// # Errors
/// If `out` fails.
pub fn write_system(
    out: &mut impl Write,
    protected: &Protected,
    style: &Style,
    marking: Marking,
) -> io::Result<()> {
    let problem = protected.problem();
    let mut writer = csv::Writer::from_writer(out);
    let names = ["cell", "value", "status"].into_iter();
    writer.write_record(names.chain(marking.note().map(|_| "note")))?;
    for cell in problem.system().cells() {
        let status = protected.status(cell);
        let value = match status.is_suppressed() {
            true => style.suppressed.clone(),
            false => problem.decimals().format(problem.value(cell)),
        };
        let name = problem.cell_name(cell).to_string();
        let fields = [name.as_str(), &value, style.statuses.word(status)].into_iter();
        writer.write_record(fields.chain(marking.note()))?;
    }
    writer.flush()
}
