//! What is proven about the primaries of one view, and what is still open.

use std::cmp::Reverse;

use quell_model::{CellId, Certificate, Direction, Problem, Requirement, Value};

use crate::view::View;

/// Movements and limits are kept in units of 1/720720 (the least common multiple of 1
/// to 16), so that the fractions of real vertices are exact.
pub(crate) const SCALE: i128 = 720_720;

/// No limit is known.
pub(crate) const UNLIMITED: i128 = i128::MAX;

/// No certificate yet.
const NONE: u32 = u32::MAX;

/// Why a movement is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A protection level: far enough, or not as far.
    Level,
    /// The width of the interval: as far as it goes, or as the whole width.
    Width,
    /// Whether an exposed cell is known exactly: any movement, or none.
    Exactness,
}

/// A requirement to be proven or refuted in a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claim {
    /// The position of the cell in the view.
    pub(crate) place: u32,
    pub(crate) requirement: Requirement,
    pub(crate) purpose: Purpose,
}

impl Claim {
    fn new(
        hidden: &View,
        place: u32,
        direction: Direction,
        distance: Value,
        purpose: Purpose,
    ) -> Self {
        let cell = hidden.cell(place as usize);
        Self { place, requirement: Requirement::new(cell, direction, distance), purpose }
    }

    /// The same for another distance.
    pub(crate) fn asking(&self, distance: Value) -> Self {
        Self { requirement: Requirement { distance, ..self.requirement }, ..*self }
    }

    /// The distance in units of 1/[`SCALE`].
    pub(crate) fn goal(&self) -> i128 {
        i128::from(self.requirement.distance) * SCALE
    }

    /// Whether a reach and a limit (in units of 1/[`SCALE`]) answer it.
    pub(crate) fn is_settled(&self, reach: i128, limit: i128) -> bool {
        match self.purpose {
            Purpose::Level => reach >= self.goal() || limit < self.goal(),
            Purpose::Width => reach >= self.goal().min(limit),
            Purpose::Exactness => reach > 0 || limit == 0,
        }
    }

    /// How far a certificate moves the cell in the required direction, in units of 1/[`SCALE`].
    pub(crate) fn reach(&self, hidden: &View, certificate: &Certificate) -> i128 {
        let amount = certificate.amount(hidden.cell(self.place as usize)) * SCALE;
        i128::from(self.requirement.direction.sign()) * amount / i128::from(certificate.denominator)
    }
}

/// What is known of one end of a cell's interval. Amounts are in units of 1/[`SCALE`].
#[derive(Debug, Clone, Copy)]
struct End {
    required: i128,
    /// Some certificate moves the cell this far.
    reach: i128,
    /// No movement goes beyond this.
    limit: i128,
    certificate: u32,
}

impl End {
    fn is_open(&self) -> bool {
        self.reach < self.required && self.required <= self.limit
    }
}

/// The state of proof of one view.
pub(crate) struct Ledger<'a> {
    hidden: &'a View,
    ends: Vec<[End; 2]>,
    /// The required width of a cell's interval.
    widths: Vec<i128>,
    /// Whether any movement at all was seen of a cell.
    moves: Vec<bool>,
    pub(crate) certificates: Vec<Certificate>,
}

/// One cell's proven facts, in units of 1/[`SCALE`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    /// Per direction (down, up): no movement goes beyond this.
    pub(crate) limit: [i128; 2],
    /// Per direction: which certificate, if any.
    pub(crate) certificate: [Option<u32>; 2],
}

impl<'a> Ledger<'a> {
    /// Everything the primaries of `hidden` that are `wanted` require, nothing proven but the
    /// rooms.
    pub(crate) fn new(
        problem: &Problem,
        hidden: &'a View,
        wanted: &(dyn Fn(CellId) -> bool + Sync),
    ) -> Self {
        let mut ends = Vec::with_capacity(hidden.len());
        let mut widths = Vec::with_capacity(hidden.len());
        for (position, &cell) in hidden.cells().iter().enumerate() {
            let levels = match problem.status(cell).is_primary() && wanted(cell) {
                true => problem.protection(cell),
                false => quell_model::Protection::default(),
            };
            let end = |required: Value, room: Value| End {
                required: i128::from(required) * SCALE,
                reach: 0,
                limit: if room == Value::MAX { UNLIMITED } else { i128::from(room) * SCALE },
                certificate: NONE,
            };
            ends.push([
                end(levels.lower, hidden.down[position]),
                end(levels.upper, hidden.up[position]),
            ]);
            widths.push(i128::from(levels.sliding) * SCALE);
        }
        let moves = vec![false; hidden.len()];
        Self { hidden, ends, widths, moves, certificates: Vec::new() }
    }

    /// What is still open, the largest amounts first: their movements prove smaller ones
    /// on the way.
    pub(crate) fn open(&self) -> Vec<Claim> {
        let cells = 0..self.ends.len();
        let mut open: Vec<Claim> = cells.flat_map(|cell| self.open_at(cell)).collect();
        open.sort_by_key(|claim| Reverse(claim.requirement.distance));
        open
    }

    /// What is still open of a cell.
    pub(crate) fn open_at(&self, cell: usize) -> impl Iterator<Item = Claim> + '_ {
        let claims = Direction::BOTH.map(|direction| {
            let distance = (self.ends[cell][direction as usize].required / SCALE) as Value;
            Claim::new(self.hidden, cell as u32, direction, distance, Purpose::Level)
        });
        claims.into_iter().filter(|claim| self.is_open(claim))
    }

    /// Whether a claim is neither proven nor refuted.
    pub(crate) fn is_open(&self, claim: &Claim) -> bool {
        self.ends[claim.place as usize][claim.requirement.direction as usize].is_open()
    }

    /// Cells whose interval may be too narrow although both ends may be far enough: either
    /// end as far as the whole width.
    pub(crate) fn narrow(&self) -> Vec<Claim> {
        let narrow = (0..self.ends.len() as u32).filter(|&cell| {
            let [down, up] = self.ends[cell as usize];
            let width = self.widths[cell as usize];
            down.reach.saturating_add(up.reach) < width
                && width <= down.limit.saturating_add(up.limit)
        });
        narrow
            .flat_map(|cell| {
                let width = (self.widths[cell as usize] / SCALE) as Value;
                let claim = |side| Claim::new(self.hidden, cell, side, width, Purpose::Width);
                Direction::BOTH.map(claim)
            })
            .collect()
    }

    /// Exposed cells of which no movement was seen and that have not been proven to be
    /// known exactly: both ends, as far as they go.
    pub(crate) fn doubtful(&self) -> Vec<Claim> {
        let doubtful = (0..self.ends.len() as u32).filter(|&cell| {
            let [down, up] = self.ends[cell as usize];
            let exposed = down.limit < down.required
                || up.limit < up.required
                || down.limit.saturating_add(up.limit) < self.widths[cell as usize];
            exposed && !self.moves[cell as usize] && (down.limit > 0 || up.limit > 0)
        });
        doubtful
            .flat_map(|cell| {
                let claim = |side| Claim::new(self.hidden, cell, side, 1, Purpose::Exactness);
                Direction::BOTH.map(claim)
            })
            .filter(|claim| {
                self.ends[claim.place as usize][claim.requirement.direction as usize].limit > 0
            })
            .collect()
    }

    /// Takes note of what an exact movement of this view proves; returns how many ends
    /// it settles. A certificate that proves nothing new is not kept.
    pub(crate) fn record(&mut self, certificate: Certificate) -> usize {
        let number = self.certificates.len() as u32;
        let (mut settled, mut used) = (0, false);
        for &(cell, amount) in &certificate.movement {
            let Some(position) = self.hidden.position(cell) else { continue };
            self.moves[position] = true;
            let direction = if amount > 0 { Direction::Up } else { Direction::Down };
            let end = &mut self.ends[position][direction as usize];
            let reach = amount.abs() * SCALE / i128::from(certificate.denominator);
            let wanted = end.required > 0 || self.widths[position] > 0;
            if wanted && reach > end.reach {
                // Improving on an end that is settled already is worth no storage of its own.
                let settles = end.is_open() && reach >= end.required;
                let widens = end.reach < self.widths[position];
                if settles || widens {
                    settled += usize::from(settles);
                    used = true;
                    end.reach = reach;
                    end.certificate = number;
                }
            }
        }
        if used {
            self.certificates.push(certificate);
        }
        settled
    }

    /// Takes note that a cell cannot move further than `limit` (in 1/[`SCALE`] units).
    pub(crate) fn limit(&mut self, cell: u32, direction: Direction, limit: i128) {
        let end = &mut self.ends[cell as usize][direction as usize];
        end.limit = end.limit.min(limit);
    }

    /// What is known of a cell.
    pub(crate) fn facts(&self, cell: usize) -> Facts {
        let ends = self.ends[cell];
        Facts {
            limit: ends.map(|end| end.limit),
            certificate: ends.map(|end| (end.certificate != NONE).then_some(end.certificate)),
        }
    }
}
