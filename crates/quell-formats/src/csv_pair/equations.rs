//! The equations file.

use std::borrow::Cow;
use std::ops::Range;

use quell_model::{Budget, CellId, Decimals, System, SystemBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Source;
use super::cells::{Cells, too_large};
use super::rows::{Field, Header, Rows, mistake};
use crate::Error;
use crate::number::{Exact, coefficient};
use crate::pace::Pace;

/// The columns, required ones first.
pub(crate) const COLUMNS: [&str; 4] = ["equation", "cell", "coefficient", "rhs"];

/// An equation as read.
#[derive(Default)]
struct Equation {
    entries: Vec<(CellId, i32)>,
    constant: Option<(Exact, Range<usize>)>,
}

/// The equations as read, constants not yet in units.
pub(crate) struct Equations<'a> {
    source: Source<'a>,
    equations: Vec<Equation>,
}

impl<'a> Equations<'a> {
    pub fn read(source: Source<'a>, cells: &Cells<'_>, budget: &Budget) -> Result<Self, Error> {
        let mut rows = Rows::new(source);
        let mut pace = Pace::new(budget);
        let header = Header::read(&mut rows, &COLUMNS, 3)?;
        let mut all = Self { source, equations: Vec::new() };
        let mut index: FxHashMap<Cow<'a, str>, u32> = FxHashMap::default();
        let mut entries: FxHashSet<(u32, u32)> = FxHashSet::default();
        let mut row = Vec::new();
        while rows.next(&mut row)? {
            pace.line()?;
            header.check(&rows, &row)?;
            let [Some(name), Some(cell), Some(factor)] = [0, 1, 2].map(|c| header.get(&row, c))
            else {
                // The header has all three, and the row has as many fields as the header.
                continue;
            };
            let wrong = |field: &Field<'_>, expected: &str, advice: &str| {
                Err(mistake(source, field.place.clone(), expected, advice))
            };
            if name.text.is_empty() {
                return wrong(name, "the name of an equation", "every equation needs a name");
            }
            let next = all.equations.len() as u32;
            let number = *index.entry(name.text.clone()).or_insert(next);
            if number == next {
                all.equations.push(Equation::default());
            }
            let Some(found) = cells.find(&cell.text) else {
                let advice = "names must be the same in both files, letter for letter";
                return wrong(cell, "a cell of the cells file", advice);
            };
            if !entries.insert((number, found)) {
                let advice = "the cell stands in this equation already: remove one of the lines";
                return wrong(cell, "each cell once in an equation", advice);
            }
            let Some(coefficient) = coefficient(factor.text.as_bytes()) else {
                let advice = "usually -1 for the total and 1 for parts";
                return wrong(factor, "a coefficient: a whole number other than 0", advice);
            };
            let equation = &mut all.equations[number as usize];
            equation.entries.push((CellId(found), coefficient));
            if let Some(field) = header.get(&row, 3).filter(|field| !field.text.is_empty()) {
                constant(equation, field, source)?;
            }
        }
        Ok(all)
    }

    pub fn decimals(&self) -> Decimals {
        let constants = self.equations.iter().filter_map(|equation| equation.constant.as_ref());
        Decimals(constants.map(|(number, _)| number.decimals).max().unwrap_or(0))
    }

    /// The system, now that the decimals are known.
    pub fn system(self, cell_count: usize, decimals: Decimals) -> Result<System, Error> {
        let mut builder = SystemBuilder::new(cell_count);
        for equation in self.equations {
            let constant = match equation.constant {
                None => 0,
                Some((number, place)) => {
                    let units = number.units(decimals);
                    units.ok_or_else(|| too_large(self.source, place, decimals))?
                }
            };
            builder.equation(equation.entries, constant);
        }
        Ok(builder.build())
    }
}

fn constant(equation: &mut Equation, field: &Field<'_>, source: Source<'_>) -> Result<(), Error> {
    let number = Exact::read(field.text.as_bytes()).map_err(|fault| {
        let (expected, advice) = fault.explain();
        mistake(source, field.place.clone(), format!("rhs: {expected}"), advice)
    })?;
    match &equation.constant {
        Some((earlier, _)) if *earlier != number => {
            let advice = "another line of this equation has another constant";
            Err(mistake(source, field.place.clone(), "the same rhs in all its lines", advice))
        }
        _ => {
            equation.constant = Some((number, field.place.clone()));
            Ok(())
        }
    }
}

/// The bytes of the name of an equation where it first stands.
pub(crate) fn place(source: Source<'_>, equation: usize) -> Range<usize> {
    let mut rows = Rows::new(source);
    let mut row = Vec::new();
    let Ok(header) = Header::read(&mut rows, &COLUMNS, 3) else { return 0..0 };
    let mut seen: FxHashSet<String> = FxHashSet::default();
    while matches!(rows.next(&mut row), Ok(true)) {
        if let Some(name) = header.get(&row, 0)
            && seen.insert(name.text.clone().into_owned())
            && seen.len() == equation + 1
        {
            return name.place.clone();
        }
    }
    0..0
}
