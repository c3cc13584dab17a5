//! Several tables as one system: cells of the same cut are the same cell.

use quell_model::{Budget, CellId, Decimals, Stop, System, SystemBuilder, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use thiserror::Error;

use crate::{Response, Table};

/// `total = Σ parts` between response variables: turnover is domestic turnover plus export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResponseEquation {
    /// The total.
    pub total: Response,
    /// Its parts.
    pub parts: Vec<Response>,
}

/// A cell of one of several tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableCell {
    /// Position of the table.
    pub table: usize,
    /// The cell there.
    pub cell: CellId,
}

/// Tables that share cells, as one system.
#[derive(Debug, Clone, PartialEq)]
pub struct Linked {
    /// All equations of all tables, and those between responses.
    pub system: System,
    /// The decimals of its values: the most of any table.
    pub decimals: Decimals,
    /// For each cell of the system, where it stands first.
    pub first: Vec<TableCell>,
    /// For each table, its cells in the system.
    pub cell_of: Vec<Vec<CellId>>,
}

/// Why tables do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LinkError {
    /// One cell with two values.
    #[error(
        "the cell {cell} is {first_value} in table \"{first}\" and {second_value} in table \"{second}\"; \
         tables that share a response and dimensions must be made from the same records"
    )]
    Contradiction {
        /// The cell by its codes in the second table.
        cell: String,
        /// The table it stands in first.
        first: String,
        /// Its value there.
        first_value: String,
        /// The table that contradicts.
        second: String,
        /// The value there.
        second_value: String,
    },
    /// An equation between responses that the values do not meet.
    #[error(
        "{total} is not the sum of its parts in the cell {cell} of table \"{table}\": off by {difference}"
    )]
    NotTheSum {
        /// The response that should be the total.
        total: String,
        /// The cell by its codes.
        cell: String,
        /// The table of the total.
        table: String,
        /// Parts minus total.
        difference: String,
    },
    /// An equation with a response that no table shows.
    #[error("the equation of {total} names {response}, which no table shows")]
    UnknownResponse {
        /// The total of the equation.
        total: String,
        /// The response.
        response: String,
    },
    /// Values too large at the common decimals.
    #[error("table \"{table}\" has values too large to be shown with {decimals} decimals")]
    TooLarge {
        /// The table.
        table: String,
        /// The common decimals.
        decimals: u8,
    },
    /// Stopped before the end.
    #[error("stopped before the tables were linked ({0:?})")]
    Stopped(Stop),
}

/// What a cell is about: a response and the codes that are not totals.
type Cut = SmallVec<[u32; 6]>;

/// After how many cells or equations the budget is looked at: each takes microseconds.
const STEPS: usize = 1024;

/// Links tables into one system. A dimension at its total is the same as a dimension that
/// the table does not have; codes of a dimension are the same if their texts are.
///
/// # Errors
/// If tables contradict each other, or an equation does not hold; see [`LinkError`].
pub fn linked(tables: &[Table], equations: &[ResponseEquation]) -> Result<Linked, LinkError> {
    linked_within(tables, equations, &Budget::default())
}

/// Links tables as long as the budget allows.
///
/// # Errors
/// As [`linked`], and [`LinkError::Stopped`].
pub fn linked_within(
    tables: &[Table],
    equations: &[ResponseEquation],
    budget: &Budget,
) -> Result<Linked, LinkError> {
    let decimals = tables.iter().map(|table| table.decimals).max().unwrap_or_default();
    let mut names = Names::default();
    let mut cells = Cells { tables, decimals, ..Cells::default() };
    for position in 0..tables.len() {
        cells.add_table(position, &mut names, budget)?;
    }
    let mut rows = Rows::default();
    for (table, cells) in tables.iter().zip(&cells.cell_of) {
        rows.add_table(table, cells, budget)?;
    }
    for equation in equations {
        for weighted in [false, true] {
            if let Some(responses) = names.responses(equation, weighted)? {
                rows.add_responses(equation, &responses, &cells, budget)?;
            }
        }
    }
    let Cells { values, first, cell_of, .. } = cells;
    Ok(Linked { system: rows.build(&values), decimals, first, cell_of })
}

/// Looks at the budget at every so many steps.
fn go_on(step: usize, budget: &Budget) -> Result<(), LinkError> {
    match step % STEPS {
        0 => budget.stop().map_or(Ok(()), |stop| Err(LinkError::Stopped(stop))),
        _ => Ok(()),
    }
}

/// The cells of all tables, each once.
#[derive(Default)]
struct Cells<'a> {
    tables: &'a [Table],
    decimals: Decimals,
    index: FxHashMap<Cut, CellId>,
    cuts: Vec<Cut>,
    first: Vec<TableCell>,
    values: Vec<Value>,
    cell_of: Vec<Vec<CellId>>,
}

impl Cells<'_> {
    fn add_table(
        &mut self,
        position: usize,
        names: &mut Names,
        budget: &Budget,
    ) -> Result<(), LinkError> {
        let table = &self.tables[position];
        let codes = names.codes(table);
        let response = names.response(&table.response, table.weighted);
        let mut cells = Vec::with_capacity(table.cells.len());
        for number in 0..table.cells.len() {
            go_on(number, budget)?;
            let place = TableCell { table: position, cell: CellId::from_index(number) };
            cells.push(self.add(place, cut(table, place.cell, response, &codes))?);
        }
        self.cell_of.push(cells);
        Ok(())
    }

    /// The cell of the system for a cell of a table.
    fn add(&mut self, place: TableCell, cut: Cut) -> Result<CellId, LinkError> {
        let table = &self.tables[place.table];
        let value = rescaled(table, place.cell, self.decimals)?;
        let next = CellId::from_index(self.first.len());
        let shared = *self.index.entry(cut.clone()).or_insert(next);
        if shared == next {
            self.cuts.push(cut);
            self.first.push(place);
            self.values.push(value);
        } else if self.values[shared.index()] != value {
            return Err(LinkError::Contradiction {
                cell: table.cell_name(place.cell),
                first: self.tables[self.first[shared.index()].table].name.clone(),
                first_value: self.decimals.format(self.values[shared.index()]),
                second: table.name.clone(),
                second_value: self.decimals.format(value),
            });
        }
        Ok(shared)
    }

    /// The parts of an equation between responses at the cut of a cell, as far as tables show them.
    fn parts(&self, number: usize, parts: &[u32]) -> Vec<(CellId, i32)> {
        let at = |&part: &u32| {
            let mut same = self.cuts[number].clone();
            same[0] = part;
            self.index.get(&same).map(|&cell| (cell, 1))
        };
        parts.iter().filter_map(at).collect()
    }

    /// What the cells of an equation come to.
    fn sum(&self, entries: &[(CellId, i32)]) -> i128 {
        let amount = |&(cell, factor): &(CellId, i32)| {
            i128::from(self.values[cell.index()]) * i128::from(factor)
        };
        entries.iter().map(amount).sum()
    }

    fn not_the_sum(&self, total: &Response, number: usize, difference: i128) -> LinkError {
        let place = self.first[number];
        let table = &self.tables[place.table];
        LinkError::NotTheSum {
            total: total.name().to_owned(),
            cell: table.cell_name(place.cell),
            table: table.name.clone(),
            difference: Value::try_from(difference)
                .map_or_else(|_| difference.to_string(), |units| self.decimals.format(units)),
        }
    }
}

/// The value of a cell at the common decimals.
pub(crate) fn rescaled(
    table: &Table,
    cell: CellId,
    decimals: Decimals,
) -> Result<Value, LinkError> {
    let factor = Decimals(decimals.0.saturating_sub(table.decimals.0)).scale();
    let value = table.value(cell).checked_mul(factor);
    value
        .filter(|value| value.abs() <= Value::MAX / 4)
        .ok_or_else(|| LinkError::TooLarge { table: table.name.clone(), decimals: decimals.0 })
}

fn cut(table: &Table, cell: CellId, response: u32, codes: &[Vec<u32>]) -> Cut {
    let mut cut = Cut::new();
    cut.push(response);
    let nodes = codes.iter().enumerate().map(|(position, codes)| {
        let node = table.cube.coordinate(cell, position);
        (node != 0).then(|| codes[node as usize])
    });
    cut.extend(nodes.flatten());
    cut[1..].sort_unstable();
    cut
}

/// Numbers for the texts that name responses and codes.
#[derive(Default)]
struct Names(FxHashMap<(String, String), u32>);

impl Names {
    fn number(&mut self, kind: String, text: String) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry((kind, text)).or_insert(next)
    }

    /// The numbers of all codes of a table's dimensions.
    fn codes(&mut self, table: &Table) -> Vec<Vec<u32>> {
        let mut numbers = Vec::new();
        for dimension in table.dimensions() {
            let codes = dimension.hierarchy.codes().iter();
            let number = |code: &String| self.number(format!("d{}", dimension.name), code.clone());
            numbers.push(codes.map(number).collect());
        }
        numbers
    }

    fn response(&mut self, response: &Response, weighted: bool) -> u32 {
        let (kind, text) = Self::response_name(response, weighted);
        self.number(kind, text)
    }

    fn known(&self, response: &Response, weighted: bool) -> Option<u32> {
        self.0.get(&Self::response_name(response, weighted)).copied()
    }

    /// The numbers of an equation's responses; none if tables of this kind do not show them all.
    fn responses(
        &self,
        equation: &ResponseEquation,
        weighted: bool,
    ) -> Result<Option<EquationResponses>, LinkError> {
        for response in std::iter::once(&equation.total).chain(&equation.parts) {
            if [false, true].iter().all(|&weighted| self.known(response, weighted).is_none()) {
                return Err(LinkError::UnknownResponse {
                    total: equation.total.name().to_owned(),
                    response: response.name().to_owned(),
                });
            }
        }
        let parts: Option<Vec<u32>> =
            equation.parts.iter().map(|part| self.known(part, weighted)).collect();
        let total = self.known(&equation.total, weighted);
        Ok(total.zip(parts).map(|(total, parts)| EquationResponses { total, parts }))
    }

    /// Cannot be a dimension's: their kinds start with `d`.
    fn response_name(response: &Response, weighted: bool) -> (String, String) {
        match response {
            Response::Frequency => (format!("f{weighted}"), String::new()),
            Response::Variable(name) => (format!("v{weighted}"), name.clone()),
        }
    }
}

/// The responses of an equation by their numbers.
struct EquationResponses {
    total: u32,
    parts: Vec<u32>,
}

/// Equations, each once: tables that share margins share the equations among them.
#[derive(Default)]
struct Rows {
    seen: FxHashSet<Vec<(CellId, i32)>>,
    rows: Vec<Vec<(CellId, i32)>>,
}

impl Rows {
    fn add_table(
        &mut self,
        table: &Table,
        cells: &[CellId],
        budget: &Budget,
    ) -> Result<(), LinkError> {
        let system = table.cube.system();
        for (number, equation) in system.equations().enumerate() {
            go_on(number, budget)?;
            let entries = system.cells_of(equation);
            self.add(entries.map(|(cell, factor)| (cells[cell.index()], factor)).collect());
        }
        Ok(())
    }

    /// An equation between responses, at every cut at which tables show all its parts.
    fn add_responses(
        &mut self,
        equation: &ResponseEquation,
        responses: &EquationResponses,
        cells: &Cells<'_>,
        budget: &Budget,
    ) -> Result<(), LinkError> {
        for (number, cut) in cells.cuts.iter().enumerate() {
            go_on(number, budget)?;
            if cut[0] != responses.total {
                continue;
            }
            let mut entries = cells.parts(number, &responses.parts);
            if entries.len() < responses.parts.len() {
                // No table shows all parts at this cut.
                continue;
            }
            entries.push((CellId::from_index(number), -1));
            match cells.sum(&entries) {
                0 => self.add(entries),
                difference => {
                    return Err(cells.not_the_sum(&equation.total, number, difference));
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, mut row: Vec<(CellId, i32)>) {
        row.sort_unstable();
        // A code with one part, cut the same way, is the cell itself: nothing to say.
        if row.iter().map(|&(cell, _)| cell).min() == row.iter().map(|&(cell, _)| cell).max() {
            return;
        }
        if self.seen.insert(row.clone()) {
            self.rows.push(row);
        }
    }

    /// The system. Tables that do not add up (see [`crate::Additivity::Allow`]) have constants
    /// that make their equations true.
    fn build(self, values: &[Value]) -> System {
        let mut builder = SystemBuilder::new(values.len());
        for row in self.rows {
            let amount = |&(cell, factor): &(CellId, i32)| {
                i128::from(values[cell.index()]) * i128::from(factor)
            };
            let constant: i128 = row.iter().map(amount).sum();
            builder.equation(row, Value::try_from(constant).unwrap_or(0));
        }
        builder.build()
    }
}
