//! Tables that someone else made, read for jobs and batch files alike.

use std::path::Path;

use quell_formats::Exact;
use quell_formats::argus::{CellStatus, tab};
use quell_model::{Budget, CellId, Decimals, Dimension, Protection, Reason, Status, Value};
use quell_tabulate::{
    Additivity, Assessment, CellSummary, GivenRow, GivenTable, Place, Response, Rules, Table,
    assess_all_within,
};

use crate::Error;

/// The decimals that costs of a file are kept with, for the sums of totals it leaves out.
const COST_DECIMALS: Decimals = Decimals(3);

/// The rows of a file, and how a table is to be made of them.
#[derive(Debug)]
pub struct Given<'a> {
    /// The file, for messages.
    pub file: &'a Path,
    /// What the number of a row is: that of a line, or of a record.
    pub place: fn(u64) -> Place,
    /// Its rows.
    pub rows: &'a tab::Table,
    /// What the table is called.
    pub name: &'a str,
    /// Its dimensions, each with the column of its codes.
    pub dimensions: Vec<(Dimension, String)>,
    /// What it shows.
    pub response: Response,
    /// The decimals to keep; all that its numbers have if not given.
    pub decimals: Option<Decimals>,
    /// What to do about totals that are not sums.
    pub additivity: Additivity,
    /// What to tell whoever wants another additivity.
    pub advice: &'static str,
    /// Who decides what is sensitive.
    pub decides: Decides,
}

/// Who decides which cells are sensitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decides {
    /// The rules.
    Rules,
    /// The statuses of the file.
    Statuses,
    /// The statuses of the file for cells without parts; those of totals, which are computed
    /// anew, count no more.
    StatusesBelowTotals,
}

/// A table from a file, with what its rows say of its cells.
#[derive(Debug)]
pub struct GivenCells {
    /// The table.
    pub table: Table,
    /// What the file, or else the rules, say of each cell.
    pub assessments: Vec<Assessment>,
    /// What the file says suppression costs, a cell.
    pub costs: Vec<Option<f64>>,
    /// The row of each cell, if it has one.
    pub from: Vec<Option<usize>>,
}

impl Given<'_> {
    /// Makes the table.
    ///
    /// # Errors
    /// If its codes or totals are wrong, or it lacks what the rules look at.
    pub fn build(self, rules: &Rules) -> Result<GivenCells, Error> {
        self.build_within(rules, &Budget::default())
    }

    /// Makes the table as long as the budget allows.
    ///
    /// # Errors
    /// As [`Given::build`], and if it was stopped before the end.
    pub fn build_within(self, rules: &Rules, budget: &Budget) -> Result<GivenCells, Error> {
        if self.decides == Decides::Rules {
            self.refuse_blind_rules(rules)?;
        }
        let rows = &self.rows.rows;
        let order: Vec<usize> = self
            .dimensions
            .iter()
            .filter_map(|(_, column)| {
                self.rows.dimensions.iter().position(|other| other.eq_ignore_ascii_case(column))
            })
            .collect();
        let decimals = self.decimals.unwrap_or_else(|| decimals(rows));
        self.refuse_too_large(decimals)?;
        let table = GivenTable {
            name: self.name.to_owned(),
            dimensions: self.dimensions.into_iter().map(|(dimension, _)| dimension).collect(),
            response: self.response,
            decimals,
            cost_decimals: COST_DECIMALS,
            rows: rows.iter().map(|row| given_row(row, self.place, &order, decimals)).collect(),
        };
        let (table, from) = table.build(self.additivity).map_err(|error| {
            Error::arguments(format!("{}: {error}", self.file.display()), self.advice)
        })?;
        let mut assessments = assess_all_within(&table, rules, budget)?;
        for (cell, row) in from.iter().enumerate() {
            let Some(row) = row.map(|row| &rows[row]) else { continue };
            let counts = match self.decides {
                Decides::Rules => false,
                Decides::Statuses => true,
                Decides::StatusesBelowTotals => table.cube.is_base(CellId::from_index(cell)),
            };
            if counts {
                assessments[cell] = assessment(row, &table.cells[cell], rules, decimals);
            }
        }
        let costs = from.iter().map(|row| row.and_then(|row| rows[row].cost)).collect();
        Ok(GivenCells { table, assessments, costs, from })
    }

    /// A value that cannot be held with the decimals of the others would leave its cell empty.
    fn refuse_too_large(&self, decimals: Decimals) -> Result<(), Error> {
        let fits = |number: Option<Exact>| number.is_none_or(|one| units(one, decimals).is_some());
        let wrong = self.rows.rows.iter().find(|row| !fits(row.value) || !fits(row.shadow));
        match wrong {
            None => Ok(()),
            Some(row) => Err(Error::arguments(
                format!(
                    "{}, {}: a value is too large for exact arithmetic with {} decimals",
                    self.file.display(),
                    (self.place)(row.line as u64),
                    decimals.0
                ),
                "express the table in a larger unit, such as thousands, or drop decimals",
            )),
        }
    }

    /// A rule that looks at what a file does not have would call every cell safe.
    fn refuse_blind_rules(&self, rules: &Rules) -> Result<(), Error> {
        let rows = &self.rows.rows;
        let refuse = |lacks: String, advice: &str| {
            let file = self.file.display();
            let message = format!("the rules of \"{}\" look at {lacks} {file}", self.name);
            Err(Error::arguments(message, advice))
        };
        let tops = rows.first().map_or(0, |row| row.tops.len());
        let needs = rules.needs();
        if needs.top > tops {
            let lacks = format!("the {} largest contributions to a cell; {tops} are in", needs.top);
            return refuse(lacks, "name their columns, or give the statuses of cells");
        }
        if needs.requests || !rules.holdings.is_empty() {
            let lacks = "requests or holdings, which are not in".to_owned();
            return refuse(lacks, "start from the records, or give the statuses of cells");
        }
        if needs.counts && rows.iter().all(|row| row.frequency.is_none()) {
            let lacks = "the number of contributors, which is not in".to_owned();
            return refuse(lacks, "name its column, or give the statuses of cells");
        }
        Ok(())
    }
}

/// The codes in a column of a table, without that of the total: sorted, each once.
pub fn codes(rows: &tab::Table, column: &str, total: &str) -> Vec<String> {
    let Some(at) = rows.dimensions.iter().position(|other| other.eq_ignore_ascii_case(column))
    else {
        return Vec::new();
    };
    let codes = rows.rows.iter().map(|row| &row.codes[at]);
    let mut codes: Vec<String> =
        codes.filter(|code| code.trim() != total && !code.trim().is_empty()).cloned().collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The decimals that all numbers of a table need.
fn decimals(rows: &[tab::Row]) -> Decimals {
    let numbers = rows.iter().flat_map(|row| {
        let levels = [row.value, row.shadow, row.lower, row.upper];
        levels.into_iter().flatten().chain(row.tops.iter().copied())
    });
    Decimals(numbers.map(|number| number.decimals).max().unwrap_or(0))
}

/// A number in units of the table, finer digits rounded, halves away from zero.
fn units(number: Exact, decimals: Decimals) -> Option<Value> {
    match decimals.0.checked_sub(number.decimals) {
        Some(finer) => number.digits.checked_mul(Decimals(finer).scale()),
        None => {
            let unit = Decimals(number.decimals - decimals.0).scale();
            let rest = number.digits % unit;
            Some(number.digits / unit + rest.signum() * Value::from(2 * rest.abs() >= unit))
        }
    }
}

fn given_row(
    row: &tab::Row,
    place: fn(u64) -> Place,
    order: &[usize],
    decimals: Decimals,
) -> GivenRow {
    let units = |number: Exact| units(number, decimals);
    let cost = |cost: f64| (cost * COST_DECIMALS.scale() as f64).round() as Value;
    GivenRow {
        place: place(row.line as u64),
        codes: order.iter().map(|&column| row.codes[column].clone()).collect(),
        value: row.value.and_then(units),
        frequency: row.frequency.map(u64::from),
        shadow: row.shadow.and_then(units),
        cost: row.cost.map(cost),
        top: row.tops.iter().copied().filter_map(units).collect(),
        ..GivenRow::default()
    }
}

/// What a row says of its cell.
fn assessment(
    row: &tab::Row,
    summary: &CellSummary,
    rules: &Rules,
    decimals: Decimals,
) -> Assessment {
    let status = match row.status {
        Some(status) if status.is_unsafe() => Status::Primary(Reason::Given),
        Some(CellStatus::Protected | CellStatus::Empty | CellStatus::EmptyNonStructural) => {
            Status::Protected
        }
        Some(CellStatus::Secondary | CellStatus::SecondaryManual) => Status::Secondary,
        _ => Status::Safe,
    };
    let size = summary.value.unsigned_abs().min(Value::MAX as u64) as f64;
    // τ-ARGUS: levels that are not given are the manual margin, at most the value itself.
    let usual = ((size * rules.manual_margin / 100.0).ceil()).min(size).max(1.0) as Value;
    let level =
        |given: Option<Exact>| given.and_then(|level| units(level, decimals)).unwrap_or(usual);
    let protection = match status {
        Status::Primary(_) => {
            Protection { lower: level(row.lower), upper: level(row.upper), sliding: 0 }
        }
        _ => Protection::default(),
    };
    Assessment { status, by_hand: false, protection, violated: Vec::new() }
}

#[cfg(test)]
mod tests {
    use quell_formats::Text;
    use quell_formats::argus::rda;
    use quell_model::Hierarchy;

    use super::*;

    #[test]
    fn finer_digits_are_rounded_away_from_zero() {
        let units = |digits, own| units(Exact { digits, decimals: own }, Decimals(1));
        assert_eq!(units(12, 0), Some(120));
        assert_eq!(units(1_25, 2), Some(13));
        assert_eq!(units(-1_25, 2), Some(-13));
        assert_eq!(units(1_249, 3), Some(12));
        assert_eq!(units(i64::MAX, 0), None);
    }

    #[test]
    fn a_table_is_given_up_with_its_budget() {
        let metadata = "<SEPARATOR> \";\"\nregion\n<RECODEABLE>\nturnover\n<NUMERIC>\n";
        let metadata = rda::parse_table(&Text::new("t.rda", metadata.as_bytes())).unwrap();
        let wanted = tab::Wanted { response: Some("turnover"), ..tab::Wanted::default() };
        let rows = tab::parse(&Text::new("t.tab", b"N;10\nS;20\n"), &metadata, wanted).unwrap();
        let codes = ["Total", "N", "S"].map(str::to_owned).to_vec();
        let hierarchy = Hierarchy::from_parents(codes, &[None, Some(0), Some(0)]).unwrap();
        let given = || Given {
            file: Path::new("t.tab"),
            place: Place::Line,
            rows: &rows,
            name: "t",
            dimensions: vec![(Dimension::new("region", hierarchy.clone()), "region".to_owned())],
            response: Response::Variable("turnover".to_owned()),
            decimals: None,
            additivity: Additivity::Recompute,
            advice: "",
            decides: Decides::Rules,
        };
        assert_eq!(given().build(&Rules::default()).unwrap().table.cells.len(), 3);
        let budget = Budget::default();
        budget.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(given().build_within(&Rules::default(), &budget).unwrap_err().is_stopped());
    }
}
