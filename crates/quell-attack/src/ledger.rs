//! What is proven about the primaries of one view, and what is still open.

use std::cmp::Reverse;

use quell_model::{CellId, Certificate, Direction, Problem, Value};

use crate::hidden::Hidden;

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

/// A primary that should be shown to move in a direction by an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) cell: u32,
    pub(crate) direction: Direction,
    pub(crate) amount: Value,
    pub(crate) purpose: Purpose,
}

impl Wish {
    /// The amount in units of 1/[`SCALE`].
    pub(crate) fn goal(&self) -> i128 {
        i128::from(self.amount) * SCALE
    }

    /// Whether a reach and a limit (in units of 1/[`SCALE`]) answer it.
    pub(crate) fn is_settled(&self, reach: i128, limit: i128) -> bool {
        match self.purpose {
            Purpose::Level => reach >= self.goal() || limit < self.goal(),
            Purpose::Width => reach >= self.goal().min(limit),
            Purpose::Exactness => reach > 0 || limit == 0,
        }
    }

    /// How far a certificate moves the cell in the wished direction, in units of 1/[`SCALE`].
    pub(crate) fn reach(&self, hidden: &Hidden, certificate: &Certificate) -> i128 {
        let amount = certificate.amount(hidden.cell(self.cell as usize)) * SCALE;
        i128::from(self.direction.sign()) * amount / i128::from(certificate.denominator)
    }
}

/// What is known of one end of a cell's interval. Amounts are in units of 1/[`SCALE`].
#[derive(Debug, Clone, Copy)]
struct End {
    need: i128,
    /// Some certificate moves the cell this far.
    reach: i128,
    /// No movement goes beyond this.
    limit: i128,
    certificate: u32,
}

impl End {
    fn is_open(&self) -> bool {
        self.reach < self.need && self.need <= self.limit
    }
}

/// The state of proof of one view.
pub(crate) struct Ledger<'a> {
    hidden: &'a Hidden,
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
    /// Everything the primaries of `hidden` that are `wanted` need, nothing proven but the
    /// rooms.
    pub(crate) fn new(
        problem: &Problem,
        hidden: &'a Hidden,
        wanted: &(dyn Fn(CellId) -> bool + Sync),
    ) -> Self {
        let mut ends = Vec::with_capacity(hidden.len());
        let mut widths = Vec::with_capacity(hidden.len());
        for (position, &cell) in hidden.cells().iter().enumerate() {
            let levels = match problem.status(cell).is_primary() && wanted(cell) {
                true => problem.protection(cell),
                false => quell_model::Protection::default(),
            };
            let end = |need: Value, room: Value| End {
                need: i128::from(need) * SCALE,
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
    pub(crate) fn open(&self) -> Vec<Wish> {
        let cells = 0..self.ends.len();
        let mut open: Vec<Wish> = cells.flat_map(|cell| self.open_at(cell)).collect();
        open.sort_by_key(|wish| Reverse(wish.amount));
        open
    }

    /// What is still open of a cell.
    pub(crate) fn open_at(&self, cell: usize) -> impl Iterator<Item = Wish> + '_ {
        let wishes = Direction::BOTH.map(|direction| Wish {
            cell: cell as u32,
            direction,
            amount: (self.ends[cell][direction as usize].need / SCALE) as Value,
            purpose: Purpose::Level,
        });
        wishes.into_iter().filter(|wish| self.is_open(wish))
    }

    /// Whether a wish is neither granted nor refused.
    pub(crate) fn is_open(&self, wish: &Wish) -> bool {
        self.ends[wish.cell as usize][wish.direction as usize].is_open()
    }

    /// Cells whose interval may be too narrow although both ends may be far enough: either
    /// end as far as the whole width.
    pub(crate) fn narrow(&self) -> Vec<Wish> {
        let narrow = (0..self.ends.len() as u32).filter(|&cell| {
            let [down, up] = self.ends[cell as usize];
            let width = self.widths[cell as usize];
            down.reach.saturating_add(up.reach) < width
                && width <= down.limit.saturating_add(up.limit)
        });
        narrow
            .flat_map(|cell| {
                let amount = (self.widths[cell as usize] / SCALE) as Value;
                let purpose = Purpose::Width;
                Direction::BOTH.map(|direction| Wish { cell, direction, amount, purpose })
            })
            .collect()
    }

    /// Exposed cells of which no movement was seen and that have not been proven to be
    /// known exactly: both ends, as far as they go.
    pub(crate) fn doubtful(&self) -> Vec<Wish> {
        let doubtful = (0..self.ends.len() as u32).filter(|&cell| {
            let [down, up] = self.ends[cell as usize];
            let exposed = down.limit < down.need
                || up.limit < up.need
                || down.limit.saturating_add(up.limit) < self.widths[cell as usize];
            exposed && !self.moves[cell as usize] && (down.limit > 0 || up.limit > 0)
        });
        doubtful
            .flat_map(|cell| {
                let purpose = Purpose::Exactness;
                Direction::BOTH.map(|direction| Wish { cell, direction, amount: 1, purpose })
            })
            .filter(|wish| self.ends[wish.cell as usize][wish.direction as usize].limit > 0)
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
            let wanted = end.need > 0 || self.widths[position] > 0;
            if wanted && reach > end.reach {
                // Improving on an end that is settled already is worth no storage of its own.
                let settles = end.is_open() && reach >= end.need;
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
