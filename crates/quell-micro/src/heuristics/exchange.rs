//! The exchange procedure of §8: a column chosen early may have lost its worth.
//!
//! For every chosen column, in order of choice: the rows that it alone covers are what
//! it contributes. It leaves if that is nothing. It is replaced by a column from outside
//! if that one covers more rows among these and the uncovered ones and weighs no more;
//! once nothing is uncovered, a replacement must cover all of them and weigh less, or
//! make another chosen column superfluous.

use quell_model::Budget;

use super::state::State;

pub(super) fn exchange(state: &mut State, budget: &Budget) {
    for column in state.chosen.clone() {
        if budget.stop().is_some() {
            return;
        }
        if !state.is_chosen[column as usize] {
            continue;
        }
        let alone: usize = alone(state, column);
        let before = state.uncovered;
        let weight = state.covering.weights()[column as usize];
        state.remove(column);
        if alone == 0 {
            continue;
        }
        // With the column out, a gain counts its rows and the uncovered ones alike.
        let mut best: Option<(usize, f64, u32)> = None;
        for other in 0..state.covering.columns() as u32 {
            let gain = state.gain[other as usize] as usize;
            let own = state.covering.weights()[other as usize];
            if other == column || state.is_chosen[other as usize] || gain < alone || own > weight {
                continue;
            }
            let better = if before > 0 {
                gain > alone || own < weight
            } else {
                own < weight || makes_superfluous(state, other)
            };
            if better
                && best.is_none_or(|(most, least, _)| gain > most || (gain == most && own < least))
            {
                best = Some((gain, own, other));
            }
        }
        state.add(best.map_or(column, |(.., other)| other));
        if before == 0 && best.is_some() {
            drop_superfluous(state);
        }
    }
}

/// Rows that a chosen column alone covers.
fn alone(state: &State, column: u32) -> usize {
    state.rows_of[column as usize].iter().filter(|&&row| state.covers[row as usize] == 1).count()
}

/// Whether a chosen column would contribute nothing once `other` is chosen.
fn makes_superfluous(state: &mut State, other: u32) -> bool {
    state.add(other);
    let found = state.chosen.iter().any(|&column| column != other && alone(state, column) == 0);
    state.remove(other);
    found
}

/// Takes out chosen columns that contribute nothing, heaviest first, then earliest.
pub(super) fn drop_superfluous(state: &mut State) {
    let mut order = state.chosen.clone();
    let weights = state.covering.weights();
    order.sort_by(|&a, &b| weights[b as usize].total_cmp(&weights[a as usize]));
    for column in order {
        if alone(state, column) == 0 {
            state.remove(column);
        }
    }
}
