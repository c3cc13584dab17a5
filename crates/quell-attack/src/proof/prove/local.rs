//! Means that look at one claim and the cells near it.

use quell_model::{Certificate, Value};
use quell_solve::Error;

use super::grouping::everything;
use super::{Findings, Prover, WORTHWHILE};
use crate::proof::barrier::Barrier;
use crate::proof::cheapest::{Answer, CheapestMovement};
use crate::proof::dual;
use crate::proof::ledger::Claim;
use crate::proof::lp::{AttackerLp, Farthest};
use crate::proof::pieces::Pieces;
use crate::proof::region::Size;
use crate::proof::repair::Repair;
use crate::view::View;

/// Neighbourhoods (in steps from cell to cell) on which limits are looked for.
const RADII: [usize; 2] = [1, 2];

/// A means that looks at one claim and what is near it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Local {
    Neighbourhoods,
    Enclosures { width: usize },
    Regions(Size),
    Interiors(Size),
    Pieces,
    CheapestMovements,
}

/// In the order in which they are tried: most requirements that boxes do not meet take a few cells
/// more.
pub(super) const LOCAL_MEANS: [Local; 11] = [
    Local::Neighbourhoods,
    Local::Enclosures { width: 3 },
    Local::Enclosures { width: 8 },
    Local::Regions(Size { width: 8, lines: 2_000 }),
    Local::Regions(Size { width: 12, lines: 5_000 }),
    Local::Interiors(Size { width: 14, lines: 7_000 }),
    Local::Interiors(Size { width: 20, lines: 15_000 }),
    Local::Pieces,
    Local::Enclosures { width: 12 },
    Local::Enclosures { width: usize::MAX },
    Local::CheapestMovements,
];

/// Neighbourhoods and enclosures with more cells than this are left to other means.
const LOCAL_CELLS: usize = 15_000;

/// Enough for movements of some hundred cells, and a last try.
const FEW_STEPS: Effort = Effort { steps: 2_000, together: 32 };
pub(super) const MANY_STEPS: Effort = Effort { steps: 50_000, together: 8 };

/// Simplex steps for a movement in a region.
const REGION_STEPS: u32 = 15_000;

/// The same where more cells can still be hidden, and for all pieces of a claim together: what
/// takes longer had better be met by hiding more.
const FOR_REPAIR_STEPS: u32 = 6_000;

/// Simplex steps for one piece of a claim: those that are proven at all take few.
const PIECE_STEPS: u32 = 3_000;

/// Of a claim proven in pieces, the first to be tried is one in so many parts, and the smallest.
const FIRST_PART: Value = 4;
const SMALLEST_PART: Value = 256;

/// Regions for pieces.
const PIECE_SIZES: [Size; 3] = [
    Size { width: 8, lines: 2_000 },
    Size { width: 8, lines: 5_000 },
    Size { width: 12, lines: 5_000 },
];

/// How hard cheapest movements are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Effort {
    /// Simplex steps for each.
    steps: u32,
    /// Claims put to one program: it takes time to build.
    together: usize,
}

/// Components with more cells than this are too large to look for cheapest movements in.
const MOVEMENT_CELLS: usize = 200_000;

impl Prover<'_> {
    /// Asks about everything that is open, while that settles a share `least`; says whether
    /// it came to the end.
    pub(super) fn by_local_means(&mut self, means: Local, least: f64) -> Result<bool, Error> {
        match means {
            Local::Neighbourhoods => self.by_neighbourhoods(self.ledger.open(), least),
            Local::Enclosures { width } => self.by_enclosures(width, least),
            Local::Regions(size) => self.by_regions(size, least),
            Local::Interiors(size) => self.by_interiors(size, least),
            Local::Pieces => self.by_pieces(least),
            Local::CheapestMovements => self.by_cheapest_movements(FEW_STEPS),
        }
    }

    /// The cheapest movement for one claim at a time, with so much effort, while that pays:
    /// where only movements of thousands of cells exist, it does not.
    pub(super) fn by_cheapest_movements(&mut self, effort: Effort) -> Result<bool, Error> {
        if self.hidden.len() > MOVEMENT_CELLS {
            return Ok(true);
        }
        self.in_slices(&self.ledger.open(), effort.together, WORTHWHILE, |prover, claims| {
            let mut findings = Findings::default();
            let mut program = CheapestMovement::new(prover.hidden, effort.steps, prover.budget)?;
            for claim in claims {
                match program.prove(claim)? {
                    Answer::Proven(certificate) => findings.certificates.push(certificate),
                    Answer::Limited(limit) => findings.limits.push((*claim, limit)),
                    Answer::Unknown => {}
                }
            }
            Ok(findings)
        })
    }

    /// Movements of the cells around one: in dense tables they suffice, and cost little. All
    /// that is open nearby is asked for at once, and the cell alone if that does not prove it.
    fn by_enclosures(&mut self, width: usize, least: f64) -> Result<bool, Error> {
        self.one_by_one(least, |prover, claim| {
            let mut findings = Findings::default();
            let hidden = prover.hidden;
            let enclosure =
                hidden.enclosure(prover.table.problem.system(), claim.place as usize, width);
            let Some(part) = enclosure.filter(|part| part.len() <= LOCAL_CELLS) else {
                return Ok(findings);
            };
            let Some(cell) = part.position(hidden.cell(claim.place as usize)) else {
                return Ok(findings);
            };
            let open = prover.open_in(&part);
            if open.len() > 1 {
                let (barrier, repair) = (Barrier::new(&part), Repair::new(&part));
                for group in everything(&part, &open, 0) {
                    let proven = barrier.prove(&group, || prover.stopped());
                    findings.certificates.extend(repair.certificate(&proven.movement));
                }
            }
            let goal = claim.goal();
            if findings.certificates.iter().any(|found| claim.reach(hidden, found) >= goal) {
                return Ok(findings);
            }
            let mut program = CheapestMovement::new(&part, FEW_STEPS.steps, prover.budget)?;
            let here = Claim { place: cell as u32, ..*claim };
            if let Answer::Proven(certificate) = program.prove(&here)? {
                findings.certificates.push(certificate);
            }
            Ok(findings)
        })
    }

    /// Cheapest movements of the cells that can carry the most of a claim.
    fn by_regions(&mut self, size: Size, least: f64) -> Result<bool, Error> {
        let steps = if self.is_last() { REGION_STEPS } else { FOR_REPAIR_STEPS };
        self.one_by_one(least, |prover, claim| {
            let (proven, _) = prover.in_region(prover.hidden, claim, size, steps)?;
            let certificates = proven.map_or_else(Vec::new, |one| prover.there_and_back(one));
            Ok(Findings { certificates, ..Findings::default() })
        })
    }

    /// The cheapest movement in the region of a claim, and the simplex steps it took.
    fn in_region(
        &self,
        hidden: &View,
        claim: &Claim,
        size: Size,
        steps: u32,
    ) -> Result<(Option<Certificate>, u32), Error> {
        let Some(part) = hidden.region(claim, size) else { return Ok((None, 0)) };
        let Some(cell) = part.position(hidden.cell(claim.place as usize)) else {
            return Ok((None, 0));
        };
        let mut program = CheapestMovement::new(&part, steps, self.budget)?;
        let proven = match program.prove(&Claim { place: cell as u32, ..*claim })? {
            Answer::Proven(certificate) => Some(certificate),
            Answer::Limited(_) | Answer::Unknown => None,
        };
        Ok((proven, program.steps()))
    }

    /// Movements well inside the rooms of a region: where thousands of cells have to move a
    /// little, simplex steps are too many.
    fn by_interiors(&mut self, size: Size, least: f64) -> Result<bool, Error> {
        self.one_by_one(least, |prover, claim| {
            let (hidden, mut findings) = (prover.hidden, Findings::default());
            let Some(part) = hidden.region(claim, size) else { return Ok(findings) };
            let Some(cell) = part.position(hidden.cell(claim.place as usize)) else {
                return Ok(findings);
            };
            let here = Claim { place: cell as u32, ..*claim };
            let interior = Barrier::new(&part).prove(&[here], || prover.stopped());
            let reached = interior.movement[cell] * claim.requirement.direction.sign() as f64;
            if reached >= claim.requirement.distance as f64 {
                let certificate = Repair::patient(&part).certificate(&interior.movement);
                findings.certificates.extend(certificate);
            }
            Ok(findings)
        })
    }

    /// Claims proven a part at a time, each part in a region of what is left: smaller parts
    /// where larger ones are not to be had.
    fn by_pieces(&mut self, least: f64) -> Result<bool, Error> {
        self.one_by_one(least, |prover, claim| {
            let mut pieces = Pieces::new(prover.hidden);
            let mut missing = claim.requirement.distance;
            let mut part = (claim.requirement.distance / FIRST_PART).max(1);
            let mut steps = if prover.is_last() { u32::MAX } else { FOR_REPAIR_STEPS };
            while missing > 0 && steps > 0 && !prover.stopped() {
                part = part.min(missing);
                let piece = claim.asking(part);
                let mut proven = None;
                for size in PIECE_SIZES {
                    let most = steps.min(PIECE_STEPS);
                    let (found, taken) = prover.in_region(pieces.left(), &piece, size, most)?;
                    steps = steps.saturating_sub(taken);
                    proven = found;
                    if proven.is_some() || steps == 0 {
                        break;
                    }
                }
                if proven.is_some_and(|one| pieces.add(&one)) {
                    missing -= part;
                } else if part / 2 > claim.requirement.distance / SMALLEST_PART {
                    part /= 2;
                } else {
                    return Ok(Findings::default());
                }
            }
            let sum = (missing == 0).then(|| pieces.sum());
            Ok(Findings { certificates: sum.into_iter().collect(), ..Findings::default() })
        })
    }

    /// What is open of the cells of a part, as claims there.
    fn open_in(&self, part: &View) -> Vec<Claim> {
        let cells = part.cells().iter().enumerate();
        let places = cells.filter_map(|(here, &cell)| Some((here, self.hidden.position(cell)?)));
        let open = places.flat_map(|(here, there)| {
            self.ledger.open_at(there).map(move |claim| Claim { place: here as u32, ..claim })
        });
        open.collect()
    }

    /// Limits from the equations around a cell: what they forbid is forbidden.
    pub(super) fn by_neighbourhoods(
        &mut self,
        claims: Vec<Claim>,
        least: f64,
    ) -> Result<bool, Error> {
        self.in_slices(&claims, 1, least, |prover, claims| {
            let (hidden, claim) = (prover.hidden, &claims[0]);
            let mut findings = Findings::default();
            for radius in RADII {
                let around = hidden.neighbourhood(claim.place as usize, radius);
                let cell = around.position(hidden.cell(claim.place as usize));
                let Some(cell) = cell.filter(|_| around.len() <= LOCAL_CELLS) else { break };
                let mut program = AttackerLp::new(&around, prover.budget)?;
                let Farthest::At(_) = program.farthest(cell, claim.requirement.direction)? else {
                    continue;
                };
                let limit =
                    dual::limit(&around, cell, claim.requirement.direction, program.multipliers());
                findings.limits.extend(limit.map(|limit| (*claim, limit)));
                if limit.is_some_and(|limit| claim.is_settled(0, limit)) {
                    break;
                }
            }
            Ok(findings)
        })
    }
}

#[cfg(test)]
mod tests {
    use quell_gen::{DimensionSize, Ons};
    use quell_model::{Budget, Pattern};

    use super::super::{Table, Thoroughness};
    use super::*;
    use crate::proof::ledger::Ledger;
    use crate::verify;

    /// Everything but the grand total of a three-way table is hidden.
    #[test]
    fn interiors_and_pieces_prove_claims_by_true_movements() {
        let dimensions = [6, 5, 5].map(DimensionSize::flat).to_vec();
        let table = Ons { dimensions, ..Ons::default() };
        for seed in 0..3 {
            let problem = table.generate(seed).expect("a table");
            let mut pattern = Pattern::of_primaries(&problem);
            problem.system().cells().skip(1).for_each(|cell| pattern.suppress(cell));
            let (hidden, budget) = (View::new(&problem, &pattern), Budget::default());
            let table = Table::new(&problem);
            for means in [Local::Interiors(Size { width: 8, lines: 500 }), Local::Pieces] {
                let mut prover = Prover {
                    table: &table,
                    hidden: &hidden,
                    ledger: Ledger::new(&problem, &hidden, &|_| true),
                    thoroughness: Thoroughness::FOR_REPAIR,
                    budget: &budget,
                };
                let open = prover.ledger.open().len();
                assert!(prover.by_local_means(means, 0.0).expect("asked"), "{seed} {means:?}");
                let left = prover.ledger.open().len();
                assert!(left * 2 < open, "{seed} {means:?}: {left} of {open} left");
                for certificate in &prover.ledger.certificates {
                    assert_eq!(verify(&problem, &pattern, certificate), Ok(()), "{seed} {means:?}");
                }
            }
        }
    }
}
