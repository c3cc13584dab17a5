//! What an attacker knows of the cells beforehand.

use quell_model::{CellId, UNBOUNDED_ABOVE, UNBOUNDED_BELOW, Value};

use crate::{Assessment, Table};

/// What an attacker knows of every cell of a table beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum AttackerBounds {
    /// That values are not negative, if none is.
    #[default]
    Sign,
    /// Nothing.
    Nothing,
    /// As τ-ARGUS writes JJ files: between 0 and 1.5 times the largest value of the table; with
    /// negative values between 1.5 times the smallest and the largest; if all are negative
    /// between 1.5 times the smallest and 0.
    TauArgus,
    /// Each value up to shares of itself: G-Confid's default is 50 % below and above.
    Relative {
        /// How far below the value, in percent of it.
        below: f64,
        /// How far above the value, in percent of it.
        above: f64,
    },
}

impl AttackerBounds {
    /// The bounds of every cell of a table. τ-ARGUS' bounds are assumptions rather than
    /// knowledge, and give way where a protection level reaches beyond them, as they do there.
    pub fn of(&self, table: &Table, assessments: &[Assessment]) -> Vec<(Value, Value)> {
        let values: Vec<Value> =
            (0..table.cells.len()).map(|cell| table.value(CellId::from_index(cell))).collect();
        let smallest = values.iter().copied().min().unwrap_or(0);
        let largest = values.iter().copied().max().unwrap_or(0);
        let half_more = |value: Value| value.saturating_add(value / 2);
        values
            .iter()
            .zip(assessments)
            .map(|(&value, assessment)| match *self {
                Self::Sign if smallest >= 0 => (0, UNBOUNDED_ABOVE),
                Self::Sign | Self::Nothing => (UNBOUNDED_BELOW, UNBOUNDED_ABOVE),
                Self::TauArgus => {
                    let levels = assessment.protection;
                    let below = match half_more(smallest.min(0)) {
                        0 => 0,
                        bound => bound.min(value.saturating_sub(levels.lower)),
                    };
                    let above = match half_more(largest.max(0)) {
                        0 => 0,
                        bound => bound.max(value.saturating_add(levels.upper)),
                    };
                    (below, above)
                }
                Self::Relative { below, above } => {
                    let share =
                        |percent: f64| (value.abs() as f64 * percent.max(0.0) / 100.0) as Value;
                    (value.saturating_sub(share(below)), value.saturating_add(share(above)))
                }
            })
            .collect()
    }
}
