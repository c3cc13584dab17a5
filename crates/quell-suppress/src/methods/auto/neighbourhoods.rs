//! Neighbourhoods: some secondaries are opened, an integer program over the cuts chooses there
//! anew, and what it chooses is proven or cut off.
//!
//! Where a few large requirements take most of the cells, all proofs share them, and no one cell
//! can be put in the place of another: it takes a whole choice. One that turns out unsafe gives
//! cuts, which serve the bound and all later choices, and is asked for again a few times; what is
//! missing then is met at the least cost.

use quell_model::{CellId, Random, Requirement};
use rustc_hash::FxHashSet;

use super::rework::{Given, Trial};
use crate::bound::{Choice, Ended, Question, Row, Separator, separator};
use crate::search::incremental::reweighted;
use crate::search::kelly_program::KellyProgram;
use crate::search::mover::{FORBIDDEN, Mover, PRICE_OF_HIDDEN};
use crate::search::requirements::necessary_part;
use crate::tolerance::SAME_COST;
use crate::{Error, Movement};

/// Secondaries opened at first, and the fewest.
const SIZE: usize = 15;
const SMALLEST: usize = 6;

/// Cells to choose from, besides those opened.
const CANDIDATES: usize = 200;

/// Cells that count as columns when cuts are looked for.
const COLUMNS: usize = 2_000;

/// Nodes an integer program may take.
const NODES: u32 = 30;

/// How often an unsafe choice is asked for again.
const TRIES: usize = 8;

/// Requirements that a choice does not meet, after which no more are looked at: their cuts will
/// change it.
const UNMET: usize = 2;

/// How often a program is solved again at prices by what moved.
const REWEIGHTINGS: usize = 2;

/// The cuts to choose by.
#[derive(Clone, Copy)]
pub(super) struct Known<'k> {
    pub(super) rows: &'k [Row],
    /// The cells that can be in a cheaper pattern, lowest reduced cost first.
    pub(super) open: &'k [(CellId, f64)],
}

/// A cut, and whether every safe pattern satisfies it: not all do what this search asks for.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) row: Row,
    pub(super) is_necessary: bool,
}

/// Looks into neighbourhoods.
pub(super) struct Neighbourhoods<'a> {
    separator: Separator<'a>,
    size: usize,
    /// How often a requirement was not met, so that it is looked at early.
    failures: Vec<u32>,
}

/// What a choice leaves to be done.
enum Checked {
    /// Nothing: these prove it.
    Proven(Vec<Movement>),
    /// It cannot be, or not in time.
    Unmet(Vec<usize>),
}

impl<'a> Neighbourhoods<'a> {
    /// # Errors
    /// If the solver fails.
    pub(super) fn new(
        problem: &'a quell_model::Problem,
        budget: &quell_model::Budget,
    ) -> Result<Self, Error> {
        let separator = separator(problem, None, budget)?;
        Ok(Self { separator, size: SIZE, failures: Vec::new() })
    }

    /// Opens a neighbourhood and looks for other proofs there. Adds the cuts found to `cuts`.
    ///
    /// # Errors
    /// If the solver fails.
    pub(super) fn choose(
        &mut self,
        given: &Given,
        known: &Known,
        program: &mut KellyProgram<'a>,
        random: &mut Random,
        cuts: &mut Vec<Found>,
    ) -> Result<Option<Trial>, Error> {
        let Given { problem, secondaries, cost, budget, .. } = *given;
        if secondaries.is_empty() {
            return Ok(None);
        }
        self.failures.resize(given.store.requirements().len(), 0);
        let columns: Vec<CellId> = known.open.iter().map(|&(cell, _)| cell).take(COLUMNS).collect();
        self.separator.set_columns(&columns)?;
        let (freed, lines) = self.around(given, random);
        let mut rows: Vec<Row> = known.rows.to_vec();
        let mut hard = false;
        let mut last: Option<(Vec<CellId>, Vec<usize>)> = None;
        for _ in 0..TRIES {
            if budget.is_over() {
                return Ok(None);
            }
            let choice = choose_around(given, &rows, known.open, &freed, &lines)?;
            hard |= choice.ended == Ended::Limit;
            let Some(mut chosen) = choice.chosen else { break };
            let price: f64 = chosen.iter().map(|&cell| problem.weight(cell)).sum();
            if price >= cost - SAME_COST * cost {
                break;
            }
            chosen.sort_unstable();
            let opened = opened_by(given, &chosen);
            match self.check(given, &chosen, &opened, program)? {
                Checked::Proven(movements) => {
                    return Ok(Some(Trial { opened, movements }));
                }
                Checked::Unmet(unmet) => {
                    let found = self.cuts(given, &chosen, &unmet)?;
                    if found.is_empty() {
                        break;
                    }
                    rows.extend(found.iter().map(|found| found.row.clone()));
                    cuts.extend(found);
                    last = Some((chosen, opened));
                }
            }
        }
        if hard {
            self.size = (self.size * 4 / 5).max(SMALLEST);
        } else {
            self.size += 1 + self.size / 8;
        }
        let Some((chosen, opened)) = last else { return Ok(None) };
        self.complete(given, &chosen, opened, program)
    }

    /// Proves a choice that someone else made, if that can be done.
    ///
    /// # Errors
    /// If the solver fails.
    pub(super) fn prove(
        &mut self,
        given: &Given,
        chosen: &[CellId],
        program: &mut KellyProgram<'a>,
    ) -> Result<Option<Trial>, Error> {
        self.failures.resize(given.store.requirements().len(), 0);
        let opened = opened_by(given, chosen);
        Ok(match self.check(given, chosen, &opened, program)? {
            Checked::Proven(movements) => Some(Trial { opened, movements }),
            Checked::Unmet(_) => None,
        })
    }

    /// Proves the opened requirements by the chosen cells, those that failed before first.
    fn check(
        &mut self,
        given: &Given,
        chosen: &[CellId],
        opened: &[usize],
        program: &mut KellyProgram<'a>,
    ) -> Result<Checked, Error> {
        let Given { problem, fixed, store, budget, .. } = *given;
        let mut order = opened.to_vec();
        order.sort_by_key(|&index| (std::cmp::Reverse(self.failures[index]), index));
        let cost =
            |cell: CellId| match fixed.is_suppressed(cell) || chosen.binary_search(&cell).is_ok() {
                true if problem.status(cell).is_primary() => 0.0,
                true => problem.weight(cell),
                false => FORBIDDEN,
            };
        let (mut movements, mut unmet): (Vec<Movement>, Vec<usize>) = (Vec::new(), Vec::new());
        for index in order {
            let requirement = &store.requirements()[index];
            if is_met(given, &movements, requirement) {
                continue;
            }
            if budget.is_over() {
                return Ok(Checked::Unmet(Vec::new()));
            }
            match program.cheapest(requirement, &cost)? {
                Some(movement) => movements.push(movement),
                None => {
                    self.failures[index] += 1;
                    unmet.push(index);
                    if unmet.len() == UNMET {
                        break;
                    }
                }
            }
        }
        Ok(if unmet.is_empty() { Checked::Proven(movements) } else { Checked::Unmet(unmet) })
    }

    /// Cuts that a choice violates because it does not meet these requirements.
    fn cuts(
        &mut self,
        given: &Given,
        chosen: &[CellId],
        unmet: &[usize],
    ) -> Result<Vec<Found>, Error> {
        let Given { problem, fixed, store, .. } = *given;
        let forced = fixed.secondaries(problem);
        let all: Vec<CellId> = chosen.iter().copied().chain(forced).collect();
        self.separator.set_choice(&all)?;
        let mut found = Vec::new();
        for &index in unmet {
            let requirement = store.requirements()[index];
            let is_necessary = necessary_part(problem, &requirement) == Some(requirement);
            let row = self.separator.requirement(&requirement)?;
            found.extend(row.map(|row| Found { row, is_necessary }));
        }
        Ok(found)
    }

    /// Meets what a choice does not at the least cost.
    fn complete(
        &mut self,
        given: &Given,
        chosen: &[CellId],
        opened: Vec<usize>,
        program: &mut KellyProgram<'a>,
    ) -> Result<Option<Trial>, Error> {
        let Given { problem, fixed, store, cost, budget, .. } = *given;
        let mut left = cost - chosen.iter().map(|&cell| problem.weight(cell)).sum::<f64>();
        let mut hidden: FxHashSet<CellId> = chosen.iter().copied().collect();
        let mut movements: Vec<Movement> = Vec::new();
        for &index in &opened {
            let requirement = &store.requirements()[index];
            if is_met(given, &movements, requirement) {
                continue;
            }
            if budget.is_over() {
                return Ok(None);
            }
            let price = |cell: CellId| match fixed.is_suppressed(cell) || hidden.contains(&cell) {
                true => 0.0,
                false => problem.weight(cell).max(f64::MIN_POSITIVE),
            };
            let by_unit = |cell: CellId| match price(cell) {
                0.0 if problem.status(cell).is_primary() => 0.0,
                0.0 => PRICE_OF_HIDDEN * problem.weight(cell),
                price => price,
            };
            let found = reweighted(program, requirement, &price, &by_unit, REWEIGHTINGS)?;
            let Some(movement) = found else { return Ok(None) };
            let new: Vec<CellId> = movement.cells().filter(|&cell| price(cell) > 0.0).collect();
            left -= new.iter().map(|&cell| problem.weight(cell)).sum::<f64>();
            if left < 0.0 {
                return Ok(None);
            }
            hidden.extend(new);
            movements.push(movement);
        }
        Ok(Some(Trial { opened, movements }))
    }

    /// Secondaries around one, connected by equations, and the equations of all.
    fn around(&self, given: &Given, random: &mut Random) -> (Vec<CellId>, Vec<u32>) {
        let Given { problem, secondaries, .. } = *given;
        let system = problem.system();
        let mut freed: Vec<CellId> = vec![super::rework::pick(given, random)];
        let mut is_freed: FxHashSet<CellId> = freed.iter().copied().collect();
        let mut next = 0;
        while freed.len() < self.size.min(secondaries.len()) {
            if next == freed.len() {
                // Nothing connected is left: go on somewhere else.
                let other = secondaries[random.below(secondaries.len())];
                if is_freed.insert(other) {
                    freed.push(other);
                }
                continue;
            }
            let cell = freed[next];
            next += 1;
            let mut near: Vec<CellId> = system
                .equations_of(cell)
                .flat_map(|(equation, _)| system.cells_of(equation).map(|(other, _)| other))
                .filter(|other| secondaries.binary_search(other).is_ok())
                .collect();
            random.shuffle(&mut near);
            freed.extend(near.into_iter().filter(|&other| is_freed.insert(other)));
        }
        freed.truncate(self.size.max(1));
        let mut lines: Vec<u32> = freed
            .iter()
            .flat_map(|&cell| system.equations_of(cell).map(|(equation, _)| equation.0))
            .collect();
        lines.sort_unstable();
        lines.dedup();
        freed.sort_unstable();
        (freed, lines)
    }
}

/// Chooses anew among the freed cells and those of low reduced cost in their lines.
fn choose_around(
    given: &Given,
    rows: &[Row],
    open: &[(CellId, f64)],
    freed: &[CellId],
    lines: &[u32],
) -> Result<Choice, Error> {
    let Given { problem, fixed: always, secondaries, budget, .. } = *given;
    let system = problem.system();
    let mut fixed: Vec<CellId> =
        secondaries.iter().copied().filter(|cell| freed.binary_search(cell).is_err()).collect();
    let near =
        |cell: CellId| system.equations_of(cell).any(|(e, _)| lines.binary_search(&e.0).is_ok());
    let others = open.iter().map(|&(cell, _)| cell).filter(|&cell| !always.is_suppressed(cell));
    let others = others.filter(|cell| fixed.binary_search(cell).is_err() && near(*cell));
    let mut cells: Vec<CellId> = others.take(CANDIDATES).chain(freed.iter().copied()).collect();
    cells.sort_unstable();
    cells.dedup();
    let forced: Vec<CellId> = always.secondaries(problem).collect();
    fixed.extend(&forced);
    let mut choice = Question {
        problem,
        rows,
        cells: &cells,
        fixed: &fixed,
        start: Some(secondaries),
        nodes: Some(NODES),
        budget,
    }
    .answer()?;
    if let Some(chosen) = &mut choice.chosen {
        chosen.retain(|&cell| !always.is_suppressed(cell));
    }
    Ok(choice)
}

/// The requirements whose proofs use a secondary that is not among the chosen, rising.
fn opened_by(given: &Given, chosen: &[CellId]) -> Vec<usize> {
    let gone = given.secondaries.iter().filter(|cell| chosen.binary_search(cell).is_err());
    let proofs = gone.flat_map(|&cell| given.store.proofs_using(cell));
    let mut opened: Vec<usize> =
        proofs.flat_map(|(_, requirements)| requirements.iter().map(|&one| one as usize)).collect();
    opened.sort_unstable();
    opened.dedup();
    opened
}

/// Whether a requirement is met by one of some movements, there or back.
pub(super) fn is_met(given: &Given, movements: &[Movement], requirement: &Requirement) -> bool {
    movements.iter().any(|one| {
        one.meets(given.problem, requirement)
            || one
                .reversed(given.problem)
                .is_some_and(|back| back.meets(given.problem, requirement))
    })
}
