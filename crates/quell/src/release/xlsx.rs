//! A workbook with two sheets per table: its cells as a list, and crossed.

use std::path::Path;

use quell_formats::Error as FileError;
use quell_formats::argus::output::OutputDimension;
use quell_model::NodeId;
use rust_xlsxwriter::{
    Color, DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError,
};

use super::files::Style;
use super::rows::{Row, rows};
use super::{Marking, Protected, ProtectedTable};
use crate::Error;

/// The most rows a sheet can have, the header included.
const MOST_ROWS: usize = 1_048_576;

/// The most characters of a sheet's name.
const NAME: usize = 31;

/// The most columns a sheet can have.
const MOST_COLUMNS: usize = 16_384;

/// Writes all tables: each as a list of its cells, and with its last dimension across.
///
/// # Errors
/// If a table is too long for a sheet, or the file cannot be written.
pub fn write(
    path: &Path,
    protected: &Protected,
    style: &Style,
    marking: Marking,
) -> Result<(), Error> {
    let mut workbook = Workbook::new();
    // The same tables are the same bytes, whenever they are written.
    let epoch = ExcelDateTime::from_ymd(2000, 1, 1).map_err(|error| failed(path, error))?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&epoch));
    for (number, table) in protected.tables().iter().enumerate() {
        if table.cells.len() >= MOST_ROWS {
            return Err(Error::arguments(
                format!("\"{}\" has more cells than a sheet has rows", table.name()),
                "leave xlsx out of the formats, or take parquet",
            ));
        }
        let sheet = Sheet { table, style, marking, formats: Formats::of(table) };
        let rows: Vec<Row> = rows(protected, table, style.statuses).collect();
        let name = sheet_name(&format!("{} {}", number + 1, table.name()));
        sheet
            .list(
                workbook.add_worksheet().set_name(name).map_err(|error| failed(path, error))?,
                &rows,
            )
            .map_err(|error| failed(path, error))?;
        if let Some(crossed) = Crossed::of(table) {
            // Lists begin with their number, so no other sheet is called so.
            let name = format!("crossed {}", number + 1);
            let page = workbook.add_worksheet().set_name(name);
            page.and_then(|page| sheet.cross(page, &crossed, &rows))
                .map_err(|error| failed(path, error))?;
        }
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

/// What values look like.
struct Formats {
    heading: Format,
    published: Format,
    hidden: Format,
}

impl Formats {
    fn of(table: &ProtectedTable) -> Self {
        let pattern = match usize::from(table.decimals().0) {
            0 => "#,##0".to_owned(),
            decimals => format!("#,##0.{}", "0".repeat(decimals)),
        };
        Self {
            heading: Format::new().set_bold(),
            published: Format::new().set_num_format(pattern),
            hidden: Format::new()
                .set_background_color(Color::RGB(0xF6_E3_C3))
                .set_align(FormatAlign::Right),
        }
    }
}

/// A table on its way to a sheet.
struct Sheet<'a> {
    table: &'a ProtectedTable,
    style: &'a Style,
    marking: Marking,
    formats: Formats,
}

impl Sheet<'_> {
    /// One line per cell.
    fn list(&self, sheet: &mut Worksheet, rows: &[Row]) -> Result<(), XlsxError> {
        let table = self.table;
        let dimensions = table.cube().dimensions();
        let names = dimensions.iter().map(|dimension| dimension.name.as_str());
        let names = names.chain([table.response(), "status"]);
        let mut width = 0_u16;
        for name in names.chain(self.marking.note().map(|_| "note")) {
            sheet.write_with_format(0, width, name, &self.formats.heading)?;
            width += 1;
        }
        let mut line = 0_u32;
        for row in rows {
            line += 1;
            let mut column = 0_u16;
            for dimension in 0..dimensions.len() {
                let node = table.cube().coordinate(row.place, dimension);
                sheet.write(line, column, table.label(dimension, node))?;
                column += 1;
            }
            self.value(sheet, line, column, row)?;
            sheet.write(line, column + 1, row.status)?;
            if let Some(note) = self.marking.note() {
                sheet.write(line, column + 2, note)?;
            }
        }
        sheet.set_freeze_panes(1, 0)?;
        sheet.autofilter(0, 0, line, width.saturating_sub(1))?;
        sheet.autofit();
        Ok(())
    }

    /// The last dimension across, the others down.
    fn cross(
        &self,
        sheet: &mut Worksheet,
        crossed: &Crossed,
        rows: &[Row],
    ) -> Result<(), XlsxError> {
        let (table, across) = (self.table, crossed.across);
        let down = crossed.down.iter().map(|&dimension| &table.cube().dimensions()[dimension]);
        let heading = &self.formats.heading;
        let title = match self.marking.note() {
            Some(note) => format!("{} ({note})", table.response()),
            None => table.response().to_owned(),
        };
        sheet.write_with_format(0, 0, title, heading)?;
        for (column, dimension) in down.enumerate() {
            sheet.write_with_format(1, column as u16, dimension.name.as_str(), heading)?;
        }
        let first = crossed.down.len() as u16;
        sheet.write_with_format(
            0,
            first,
            table.cube().dimensions()[across].name.as_str(),
            heading,
        )?;
        for (node, &place) in crossed.place[across].iter().enumerate() {
            let label = table.label(across, node as NodeId);
            sheet.write_with_format(1, first + place as u16, label, heading)?;
        }
        // Lines in the order of the codes, those that have a cell only.
        let at = |row: &Row, dimension: usize| {
            crossed.place[dimension][table.cube().coordinate(row.place, dimension) as usize]
        };
        let line_of = |row: &Row| -> Vec<usize> {
            crossed.down.iter().map(|&dimension| at(row, dimension)).collect()
        };
        let mut order: Vec<(Vec<usize>, &Row)> =
            rows.iter().map(|row| (line_of(row), row)).collect();
        order.sort_by(|one, other| one.0.cmp(&other.0));
        let mut line = 1_u32;
        let mut last: Option<Vec<usize>> = None;
        for (own, row) in order {
            if last.as_ref() != Some(&own) {
                line += 1;
                for (column, &dimension) in crossed.down.iter().enumerate() {
                    let node = table.cube().coordinate(row.place, dimension);
                    sheet.write(line, column as u16, table.label(dimension, node))?;
                }
                last = Some(own);
            }
            self.value(sheet, line, first + at(row, across) as u16, row)?;
        }
        sheet.set_freeze_panes(2, first)?;
        sheet.autofit();
        Ok(())
    }

    /// The value, or what stands for it.
    fn value(
        &self,
        sheet: &mut Worksheet,
        line: u32,
        column: u16,
        row: &Row,
    ) -> Result<(), XlsxError> {
        match row.value {
            Some(value) => {
                let value = self.table.decimals().to_f64(value);
                sheet.write_with_format(line, column, value, &self.formats.published)?
            }
            None => {
                let hidden = self.style.suppressed.as_str();
                sheet.write_with_format(line, column, hidden, &self.formats.hidden)?
            }
        };
        Ok(())
    }
}

/// How a table is laid out in rows and columns.
struct Crossed {
    down: Vec<usize>,
    across: usize,
    /// The place of each code of each dimension: its parts behind it.
    place: Vec<Vec<usize>>,
}

impl Crossed {
    /// None if it has only one dimension, or more codes than a sheet has columns.
    fn of(table: &ProtectedTable) -> Option<Self> {
        let dimensions = table.cube().dimensions();
        let across = dimensions.len().checked_sub(1).filter(|&last| last > 0)?;
        if dimensions[across].hierarchy.len() + across > MOST_COLUMNS {
            return None;
        }
        let place = dimensions.iter().map(|dimension| {
            let (_, nodes) = OutputDimension::of(&dimension.name, &dimension.hierarchy);
            let mut place = vec![0; dimension.hierarchy.len()];
            for (position, node) in nodes.into_iter().enumerate() {
                place[node as usize] = position;
            }
            place
        });
        Some(Self { down: (0..across).collect(), across, place: place.collect() })
    }
}

/// A name that a sheet may have.
fn sheet_name(name: &str) -> String {
    name.chars().filter(|letter| !"[]:*?/\\'".contains(*letter)).take(NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_have_names_that_are_allowed() {
        assert_eq!(sheet_name("1 a/b: c?"), "1 ab c");
        assert_eq!(sheet_name(&"x".repeat(50)).chars().count(), NAME);
    }
}
