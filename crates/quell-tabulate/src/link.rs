//! Several tables as one system: cells of the same cut are the same cell.

use quell_model::{CellId, Decimals, System, SystemBuilder, Value};
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
}

/// What a cell is about: a response and the codes that are not totals.
type Cut = SmallVec<[u32; 6]>;

/// Links tables into one system. A dimension at its total is the same as a dimension that
/// the table does not have; codes of a dimension are the same if their texts are.
///
/// # Errors
/// If tables contradict each other, or an equation does not hold; see [`LinkError`].
pub fn linked(tables: &[Table], equations: &[ResponseEquation]) -> Result<Linked, LinkError> {
    let decimals = tables.iter().map(|table| table.decimals).max().unwrap_or_default();
    let mut names = Names::default();
    let mut index: FxHashMap<Cut, CellId> = FxHashMap::default();
    let mut cuts: Vec<Cut> = Vec::new();
    let mut first: Vec<TableCell> = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    let mut cell_of = Vec::with_capacity(tables.len());
    for (position, table) in tables.iter().enumerate() {
        let codes = names.codes(table);
        let response = names.response(&table.response, table.weighted);
        let mut cells = Vec::with_capacity(table.cells.len());
        for number in 0..table.cells.len() {
            let cell = CellId::from_index(number);
            let cut = cut(table, cell, response, &codes);
            let value = rescaled(table, cell, decimals)?;
            let next = CellId::from_index(first.len());
            let shared = *index.entry(cut.clone()).or_insert(next);
            if shared == next {
                cuts.push(cut);
                first.push(TableCell { table: position, cell });
                values.push(value);
            } else if values[shared.index()] != value {
                return Err(LinkError::Contradiction {
                    cell: table.cell_name(cell),
                    first: tables[first[shared.index()].table].name.clone(),
                    first_value: decimals.format(values[shared.index()]),
                    second: table.name.clone(),
                    second_value: decimals.format(value),
                });
            }
            cells.push(shared);
        }
        cell_of.push(cells);
    }
    let mut rows = Rows::default();
    for (table, cells) in tables.iter().zip(&cell_of) {
        let system = table.cube.system();
        for equation in system.equations() {
            let entries = system.cells_of(equation);
            rows.add(entries.map(|(cell, factor)| (cells[cell.index()], factor)).collect());
        }
    }
    for equation in equations {
        let of = |response: &Response| {
            let known = [false, true].map(|weighted| names.known(response, weighted));
            known.into_iter().flatten().next().ok_or_else(|| LinkError::UnknownResponse {
                total: equation.total.name().to_owned(),
                response: response.name().to_owned(),
            })
        };
        of(&equation.total)?;
        equation.parts.iter().try_for_each(|part| of(part).map(|_| ()))?;
        for weighted in [false, true] {
            let Some(total) = names.known(&equation.total, weighted) else { continue };
            let parts: Option<Vec<u32>> =
                equation.parts.iter().map(|part| names.known(part, weighted)).collect();
            let Some(parts) = parts else { continue };
            for (number, cut) in cuts.iter().enumerate().filter(|(_, cut)| cut[0] == total) {
                let mut entries = vec![(CellId::from_index(number), -1)];
                for &part in &parts {
                    let mut same = cut.clone();
                    same[0] = part;
                    entries.extend(index.get(&same).map(|&cell| (cell, 1)));
                }
                if entries.len() <= parts.len() {
                    // No table shows all parts at this cut.
                    continue;
                }
                let amount = |&(cell, factor): &(CellId, i32)| {
                    i128::from(values[cell.index()]) * i128::from(factor)
                };
                let difference: i128 = entries.iter().map(amount).sum();
                if difference != 0 {
                    let place = first[number];
                    let table = &tables[place.table];
                    return Err(LinkError::NotTheSum {
                        total: equation.total.name().to_owned(),
                        cell: table.cell_name(place.cell),
                        table: table.name.clone(),
                        difference: Value::try_from(difference).map_or_else(
                            |_| difference.to_string(),
                            |units| decimals.format(units),
                        ),
                    });
                }
                rows.add(entries);
            }
        }
    }
    Ok(Linked { system: rows.build(&values), decimals, first, cell_of })
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

    /// Cannot be a dimension's: their kinds start with `d`.
    fn response_name(response: &Response, weighted: bool) -> (String, String) {
        match response {
            Response::Frequency => (format!("f{weighted}"), String::new()),
            Response::Variable(name) => (format!("v{weighted}"), name.clone()),
        }
    }
}

/// Equations, each once: tables that share margins share the equations among them.
#[derive(Default)]
struct Rows {
    seen: FxHashSet<Vec<(CellId, i32)>>,
    rows: Vec<Vec<(CellId, i32)>>,
}

impl Rows {
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
