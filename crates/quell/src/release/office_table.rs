//! A table as the office keeps it: true values, why cells are hidden, what they need.

use std::io::{self, Write};

use quell_model::{Decimals, Status, Value};
use quell_tabulate::Attribution;

use super::{Protected, ProtectedTable, Statuses};
use crate::report::reason;

/// What every row tells after the codes and the value.
const COLUMNS: [&str; 5] = ["status", "reason", "contributors", "lower level", "upper level"];

/// Writes a table with a header.
///
/// # Errors
/// If `out` fails.
pub fn write(
    out: &mut impl Write,
    protected: &Protected,
    table: &ProtectedTable,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let names = table.cube().dimensions().iter().map(|dimension| dimension.name.as_str());
    writer.write_record(names.chain([table.response()]).chain(COLUMNS))?;
    for (place, cell) in table.cells() {
        let assessment = &table.decided.assessments[place.index()];
        let protection = assessment.protection;
        let levels = [protection.lower, protection.upper];
        let summary = &table.table.cells[place.index()];
        let contributors = match table.table.attribution {
            Attribution::Unknown => String::new(),
            _ => summary.respondents.count.to_string(),
        };
        let row = Row {
            value: table.table.value(place),
            status: protected.status(cell),
            decided: assessment.status,
            contributors,
            levels,
            decimals: table.decimals(),
        };
        writer.write_record(
            table.cube().codes(place).chain(row.fields().iter().map(String::as_str)),
        )?;
    }
    writer.flush()
}

/// Writes the cells of a system that has no tables.
///
/// # Errors
/// If `out` fails.
pub fn write_system(out: &mut impl Write, protected: &Protected) -> io::Result<()> {
    let problem = protected.problem();
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(["cell", "value"].into_iter().chain(COLUMNS))?;
    for cell in problem.system().cells() {
        let protection = problem.cell(cell).protection;
        let counts = problem.contributors();
        let row = Row {
            value: problem.value(cell),
            status: protected.status(cell),
            decided: problem.status(cell),
            contributors: counts.map_or(String::new(), |counts| counts[cell.index()].to_string()),
            levels: [protection.lower, protection.upper],
            decimals: problem.decimals(),
        };
        let name = problem.cell_name(cell).to_string();
        let fields = row.fields();
        writer
            .write_record([name.as_str()].into_iter().chain(fields.iter().map(String::as_str)))?;
    }
    writer.flush()
}

/// What is told of a cell.
struct Row {
    value: Value,
    status: Status,
    /// What rules or people said of it.
    decided: Status,
    contributors: String,
    levels: [Value; 2],
    decimals: Decimals,
}

impl Row {
    fn fields(&self) -> [String; 6] {
        let why = match self.decided {
            Status::Primary(why) => reason(why),
            _ => "",
        };
        let level = |level: Value| match self.decided {
            Status::Primary(_) => self.decimals.format(level),
            _ => String::new(),
        };
        [
            self.decimals.format(self.value),
            Statuses::Full.word(self.status).to_owned(),
            why.to_owned(),
            self.contributors.clone(),
            level(self.levels[0]),
            level(self.levels[1]),
        ]
    }
}
