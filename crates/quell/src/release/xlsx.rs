//! A workbook with a sheet a table.

use std::path::Path;

use quell_formats::Error as FileError;
use rust_xlsxwriter::{Color, Format, Workbook, Worksheet, XlsxError};

use super::rows::rows;
use super::{Marking, Protected, ProtectedTable};
use crate::Error;

/// The most rows a sheet can have, the header included.
const MOST_ROWS: usize = 1_048_576;

/// The most characters of a sheet's name.
const NAME: usize = 31;

/// Writes all tables.
///
/// # Errors
/// If a table is too long for a sheet, or the file cannot be written.
pub fn write(
    path: &Path,
    protected: &Protected,
    suppressed: &str,
    marking: Marking,
) -> Result<(), Error> {
    let mut workbook = Workbook::new();
    for (number, table) in protected.tables().iter().enumerate() {
        if table.cells.len() >= MOST_ROWS {
            return Err(Error::arguments(
                format!("\"{}\" has more cells than a sheet has rows", table.name()),
                "leave xlsx out of the formats, or take parquet",
            ));
        }
        let sheet = workbook.add_worksheet();
        fill(sheet, number, protected, table, suppressed, marking)
            .map_err(|error| failed(path, error))?;
    }
    workbook.save(path).map_err(|error| failed(path, error))
}

fn failed(path: &Path, error: XlsxError) -> Error {
    let source = match error {
        XlsxError::IoError(source) => source,
        other => std::io::Error::other(other),
    };
    FileError::Write { file: path.to_owned(), source }.into()
}

fn fill(
    sheet: &mut Worksheet,
    number: usize,
    protected: &Protected,
    table: &ProtectedTable,
    suppressed: &str,
    marking: Marking,
) -> Result<(), XlsxError> {
    let heading = Format::new().set_bold();
    let decimals = usize::from(table.decimals().0);
    let pattern = match decimals {
        0 => "#,##0".to_owned(),
        _ => format!("#,##0.{}", "0".repeat(decimals)),
    };
    let published = Format::new().set_num_format(pattern);
    let hidden = Format::new()
        .set_background_color(Color::RGB(0xF6_E3_C3))
        .set_align(rust_xlsxwriter::FormatAlign::Right);
    sheet.set_name(sheet_name(number, table.name()))?;
    let dimensions = table.cube().dimensions();
    let names = dimensions.iter().map(|dimension| dimension.name.as_str());
    let names = names.chain([table.response(), "status"]);
    let mut width = 0_u16;
    for name in names.chain(marking.note().map(|_| "note")) {
        sheet.write_with_format(0, width, name, &heading)?;
        width += 1;
    }
    let mut line = 0_u32;
    for row in rows(protected, table) {
        line += 1;
        let mut column = 0_u16;
        for dimension in 0..dimensions.len() {
            let node = table.cube().coordinate(row.place, dimension);
            sheet.write(line, column, table.label(dimension, node))?;
            column += 1;
        }
        match row.value {
            Some(value) => {
                let value = table.decimals().to_f64(value);
                sheet.write_with_format(line, column, value, &published)?
            }
            None => sheet.write_with_format(line, column, suppressed, &hidden)?,
        };
        sheet.write(line, column + 1, row.status)?;
        if let Some(note) = marking.note() {
            sheet.write(line, column + 2, note)?;
        }
    }
    sheet.set_freeze_panes(1, 0)?;
    sheet.autofilter(0, 0, line, width.saturating_sub(1))?;
    sheet.autofit();
    Ok(())
}

/// A name that a sheet may have and no other one has.
fn sheet_name(number: usize, name: &str) -> String {
    let plain = name.chars().filter(|letter| !"[]:*?/\\'".contains(*letter));
    format!("{} ", number + 1).chars().chain(plain).take(NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_have_names_that_are_allowed() {
        assert_eq!(sheet_name(0, "a/b: c?"), "1 ab c");
        assert_eq!(sheet_name(1, &"x".repeat(50)).chars().count(), NAME);
    }
}
