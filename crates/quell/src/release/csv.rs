//! A table as CSV: codes, value, status.

use std::io::{self, Write};

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
    suppressed: &str,
    marking: Marking,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let names = table.cube().dimensions().iter().map(|dimension| dimension.name.as_str());
    let last = [table.response(), "status"];
    writer.write_record(names.chain(last).chain(marking.note().map(|_| "note")))?;
    for row in rows(protected, table) {
        let value = row.value.map(|value| table.decimals().format(value));
        let last = [value.as_deref().unwrap_or(suppressed), row.status];
        writer.write_record(table.cube().codes(row.place).chain(last).chain(marking.note()))?;
    }
    writer.flush()
}
