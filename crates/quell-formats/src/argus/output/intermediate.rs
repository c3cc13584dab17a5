//! Intermediate files: a table as τ-ARGUS reads it, with its metadata and hierarchies.

use std::ffi::OsString;
use std::io::{Result as IoResult, Write};
use std::path::{Path, PathBuf};

use super::{CostName, OutputCell, OutputDimension, OutputTable, Values, WriteOptions};
use crate::argus::CellStatus;
use crate::argus::rda::{
    self, FileName, HierarchySource, Layout, Metadata, Role, StatusLetters, Variable,
};
use crate::{Error, write_whole};

/// The string that leads levels in the hierarchies written.
const LEAD: &str = "@";

pub(super) fn print(
    out: &mut impl Write,
    table: &OutputTable,
    cells: &[&OutputCell],
    options: WriteOptions,
) -> IoResult<()> {
    let tops = top_count(table, options);
    table.visit(cells, options.suppress_empty, |at, cell| {
        if options.suppress_empty && cell.is_none_or(|cell| cell.status == CellStatus::Empty) {
            return Ok(());
        }
        for (dimension, &code) in at.iter().enumerate() {
            write!(out, "{};", table.label(dimension, code, options))?;
        }
        print_cell(out, table, cell, tops, options)
    })
}

/// How many of the largest contributions every line has.
fn top_count(table: &OutputTable, options: WriteOptions) -> usize {
    let most = table.cells.iter().map(|cell| cell.tops.len()).max().unwrap_or(0);
    if options.status_only { 0 } else { most }
}

fn print_cell(
    out: &mut impl Write,
    table: &OutputTable,
    cell: Option<&OutputCell>,
    tops: usize,
    options: WriteOptions,
) -> IoResult<()> {
    let amount = |value: i64| table.decimals.format(value);
    let value = cell.and_then(|cell| match table.values {
        Values::Suppressed => cell.value,
        Values::Rounded | Values::Adjusted => cell.released,
    });
    // A value that is kept out is no number for a reader.
    let kept_out = cell.is_some_and(|cell| cell.status.is_suppressed() && value.is_none());
    write!(out, "{};", if kept_out { "x".to_owned() } else { amount(value.unwrap_or(0)) })?;
    if table.response.is_some() {
        write!(out, "{};", cell.map_or(0, |cell| cell.frequency))?;
        if !options.status_only {
            write!(out, "{};", amount(cell.map_or(0, |cell| cell.shadow)))?;
        }
    }
    let decimals = usize::from(table.decimals.0);
    write!(out, "{:.decimals$};", cell.map_or(0.0, |cell| cell.cost))?;
    for position in 0..tops {
        let top = cell.and_then(|cell| cell.tops.get(position)).copied();
        write!(out, "{};", amount(top.unwrap_or(0)))?;
    }
    let status = cell.map_or(CellStatus::Empty, |cell| cell.status);
    let (lower, upper) = cell.map_or((0, 0), |cell| (cell.lower, cell.upper));
    write!(out, "{};{};{}", status.letter(), amount(lower), amount(upper))?;
    if options.audit {
        print_audit(out, table, cell)?;
    }
    write!(out, "\r\n")
}

/// What an attacker must think possible: its ends, its width, and the three in percent.
fn print_audit(
    out: &mut impl Write,
    table: &OutputTable,
    cell: Option<&OutputCell>,
) -> IoResult<()> {
    let value = cell.and_then(|cell| cell.value).unwrap_or(0);
    // Of a published cell everybody knows the value.
    let (low, high) = cell.and_then(|cell| cell.audit).unwrap_or((value, value));
    let amount = |value: i64| table.decimals.format(value);
    write!(out, ";{};{};{}", amount(low), amount(high), amount(high.saturating_sub(low)))?;
    let judged = cell.is_some_and(|cell| cell.status.is_suppressed());
    if value == 0 || !judged {
        return write!(out, ";0;0;0");
    }
    let (low, high, value) = (low as f64, high as f64, value as f64);
    let percent = |part: f64| 100.0 * part / value;
    let (below, above) = (percent(value - low), percent(high - value));
    write!(out, ";{below:.2};{above:.2};{:.2}", percent(high - low))
}

/// The files beside an intermediate file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Companions {
    /// The metadata and where they go.
    pub metadata: (PathBuf, String),
    /// The hierarchies of the hierarchical dimensions and where they go.
    pub hierarchies: Vec<(PathBuf, String)>,
}

/// The files that belong beside an intermediate file: for `T.tab` its metadata `T.rda`
/// and the hierarchy `T_n.hrc` of each hierarchical dimension n, from 1.
///
/// # Errors
/// If a code cannot be told from the leading string of a hierarchy.
pub fn companions(
    path: &Path,
    table: &OutputTable,
    options: WriteOptions,
) -> Result<Companions, Error> {
    let mut hierarchies = Vec::new();
    let mut variables = Vec::new();
    for (position, dimension) in table.dimensions.iter().enumerate() {
        let mut variable = Variable {
            name: dimension.name.clone(),
            missing: dimension.missing.iter().take(2).cloned().collect(),
            categorical: true,
            total_code: dimension.codes.first().map(|total| total.code.clone()),
            ..Variable::default()
        };
        if dimension.is_hierarchical() {
            let file = beside(path, position + 1);
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            variable.hierarchy = Some(HierarchySource::File {
                file: FileName { name, line: 0 },
                lead: LEAD.to_owned(),
            });
            hierarchies.push((file, hierarchy(dimension)?));
        }
        variables.push(variable);
    }
    variables.extend(columns(table, options));
    let layout = Layout::Table(";".to_owned());
    let mut text = rda::print(&Metadata { layout, letters: StatusLetters::default(), variables });
    if options.audit {
        text.push_str(
            "// Six more columns are not read back: lower and upper end of what an attacker\r\n\
             // must think possible, its width, and the three in percent of the value.\r\n",
        );
    }
    Ok(Companions { metadata: (path.with_extension("rda"), text), hierarchies })
}

/// The columns behind the codes.
fn columns(table: &OutputTable, options: WriteOptions) -> Vec<Variable> {
    let decimals = table.decimals.0;
    let column = |name: String, numeric: bool, role: Option<Role>| Variable {
        name,
        numeric,
        role,
        ..Variable::default()
    };
    let mut columns = Vec::new();
    let base = match &table.response {
        Some(response) => {
            columns.push(Variable { decimals, ..column(response.clone(), true, None) });
            columns.push(column("FreqVar".to_owned(), false, Some(Role::Frequency)));
            if !options.status_only {
                columns.push(column(format!("{response}_Shadow"), true, Some(Role::Shadow)));
            }
            response.as_str()
        }
        None => {
            columns.push(column("FreqVar".to_owned(), false, Some(Role::Frequency)));
            "FreqVar"
        }
    };
    let cost = match &table.cost {
        CostName::Response => format!("{base}_Cost"),
        // A name must not stand twice.
        CostName::Variable(name) if table.response.as_ref() == Some(name) => format!("{name}_Cost"),
        CostName::Variable(name) => name.clone(),
        CostName::Frequency => "FreqCost".to_owned(),
        CostName::Unity => "UnitCost".to_owned(),
        CostName::Distance => "DistCost".to_owned(),
    };
    columns.push(column(cost, true, Some(Role::Cost)));
    for position in 1..=top_count(table, options) {
        columns.push(column(format!("Top{position}"), false, Some(Role::Top)));
    }
    columns.push(column("StatusVar".to_owned(), false, Some(Role::Status)));
    columns.push(column("LowerProtLevel".to_owned(), true, Some(Role::LowerLevel)));
    columns.push(column("UpperProtLevel".to_owned(), true, Some(Role::UpperLevel)));
    columns
}

/// `T_1.hrc` for `T.tab`.
fn beside(path: &Path, number: usize) -> PathBuf {
    let mut name = path.file_stem().map_or_else(OsString::new, OsString::from);
    name.push(format!("_{number}.hrc"));
    path.with_file_name(name)
}

/// A dimension as a `.hrc` file: no total, no missing codes.
fn hierarchy(dimension: &OutputDimension) -> Result<String, Error> {
    let mut out = String::new();
    for code in dimension.codes.iter().skip(1) {
        if dimension.missing.contains(&code.code) {
            continue;
        }
        if code.code.starts_with(LEAD) || code.code.trim_end() != code.code {
            return Err(Error::Unwritable {
                what: format!("the code \"{}\"", code.code),
                format: "a τ-ARGUS hierarchy",
                advice: "codes may neither start with @ nor end with a blank",
            });
        }
        out.push_str(&LEAD.repeat(code.level.saturating_sub(1)));
        out.push_str(&code.code);
        out.push_str("\r\n");
    }
    Ok(out)
}

impl Companions {
    /// Writes all of them.
    ///
    /// # Errors
    /// What the operating system reports.
    pub fn write(&self) -> Result<(), Error> {
        for (path, text) in self.hierarchies.iter().chain([&self.metadata]) {
            write_whole(path, |out| {
                out.write_all(text.as_bytes()).map_err(|source| Error::write(path, source))
            })?;
        }
        Ok(())
    }
}
