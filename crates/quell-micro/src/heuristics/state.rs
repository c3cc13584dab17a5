//! A partial cover, and what each column would add to it.

use quell_model::Random;

use super::Choice;
use crate::cover::{Cover, Covering};

/// Lighter columns have the chance of this weight: without one, a column of no weight would
/// always be drawn.
const LIGHTEST: f64 = 1e-6;

pub(super) struct State<'a> {
    pub(super) covering: &'a Covering,
    pub(super) rows_of: Vec<Vec<u32>>,
    /// Chosen columns, in order of choice.
    pub(super) chosen: Vec<u32>,
    pub(super) is_chosen: Vec<bool>,
    /// Chosen columns that cover a row.
    pub(super) covers: Vec<u32>,
    /// Uncovered rows that a column would cover.
    pub(super) gain: Vec<u32>,
    pub(super) uncovered: usize,
}

impl<'a> State<'a> {
    pub(super) fn new(covering: &'a Covering) -> Self {
        let rows_of = covering.transposed();
        Self {
            covering,
            gain: rows_of.iter().map(|rows| rows.len() as u32).collect(),
            rows_of,
            chosen: Vec::new(),
            is_chosen: vec![false; covering.columns()],
            covers: vec![0; covering.rows()],
            uncovered: covering.rows(),
        }
    }

    pub(super) fn add(&mut self, column: u32) {
        self.is_chosen[column as usize] = true;
        self.chosen.push(column);
        for &row in &self.rows_of[column as usize] {
            self.covers[row as usize] += 1;
            if self.covers[row as usize] == 1 {
                self.uncovered -= 1;
                for &other in self.covering.row(row as usize) {
                    self.gain[other as usize] -= 1;
                }
            }
        }
    }

    pub(super) fn remove(&mut self, column: u32) {
        self.is_chosen[column as usize] = false;
        self.chosen.retain(|&other| other != column);
        for &row in &self.rows_of[column as usize] {
            self.covers[row as usize] -= 1;
            if self.covers[row as usize] == 0 {
                self.uncovered += 1;
                for &other in self.covering.row(row as usize) {
                    self.gain[other as usize] += 1;
                }
            }
        }
    }

    /// Rows a column covers for its weight; a weight of nothing is best of all.
    fn worth(&self, column: u32) -> f64 {
        let gain = f64::from(self.gain[column as usize]);
        let weight = self.covering.weights()[column as usize];
        if gain == 0.0 {
            0.0
        } else if weight == 0.0 {
            f64::INFINITY
        } else {
            gain / weight
        }
    }

    /// The best of some columns by worth; the first of equals.
    fn best(&self, columns: impl Iterator<Item = u32>) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        for column in columns.filter(|&column| self.gain[column as usize] > 0) {
            let worth = self.worth(column);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, column));
            }
        }
        best.map(|(_, column)| column)
    }

    fn open_rows(&self) -> impl Iterator<Item = u32> + Clone {
        (0..self.covering.rows() as u32).filter(|&row| self.covers[row as usize] == 0)
    }

    /// The next column, or none if all rows are covered.
    pub(super) fn choose(&self, choice: Choice, step: usize, random: &mut Random) -> Option<u32> {
        if self.uncovered == 0 {
            return None;
        }
        let all = || 0..self.covering.columns() as u32;
        match choice {
            Choice::MostRows => self.best(all()),
            Choice::ShortestRow | Choice::ShortestThenMost => {
                let length = |row: u32| self.covering.row(row as usize).len();
                let shortest = self.open_rows().map(length).min()?;
                let mut count = vec![0_u32; self.covering.columns()];
                for row in self.open_rows().filter(|&row| length(row) == shortest) {
                    for &column in self.covering.row(row as usize) {
                        count[column as usize] += 1;
                    }
                }
                if choice == Choice::ShortestThenMost {
                    return self.best(all().filter(|&column| count[column as usize] > 0));
                }
                // Most of the shortest rows for the weight; the first of equals.
                let mut best: Option<(f64, u32)> = None;
                for column in all().filter(|&column| count[column as usize] > 0) {
                    let worth = f64::from(count[column as usize])
                        / self.covering.weights()[column as usize].max(f64::MIN_POSITIVE);
                    if best.is_none_or(|(most, _)| worth > most) {
                        best = Some((worth, column));
                    }
                }
                best.map(|(_, column)| column)
            }
            Choice::FrequenciesThenMost if step % 2 == 1 => self.best(all()),
            Choice::SumOfFrequencies | Choice::FrequenciesThenMost => {
                let sum = |row: u32| -> u64 {
                    let columns = self.covering.row(row as usize);
                    columns.iter().map(|&column| u64::from(self.gain[column as usize])).sum()
                };
                let rarest = self.open_rows().min_by_key(|&row| sum(row))?;
                self.best(self.covering.row(rarest as usize).iter().copied())
            }
            Choice::Probabilistic => {
                let total: f64 = all().map(|column| self.chance(column)).sum();
                let mut left = random.uniform() * total;
                let mut last = None;
                for column in all().filter(|&column| self.gain[column as usize] > 0) {
                    last = Some(column);
                    left -= self.chance(column);
                    if left < 0.0 {
                        break;
                    }
                }
                last
            }
        }
    }

    /// Frequency for the weight, finite.
    fn chance(&self, column: u32) -> f64 {
        let weight = self.covering.weights()[column as usize];
        f64::from(self.gain[column as usize]) / weight.max(LIGHTEST)
    }

    pub(super) fn into_cover(mut self) -> Cover {
        self.chosen.sort_unstable();
        let weight = self.covering.weight(&self.chosen);
        Cover { columns: self.chosen, weight, bound: 0.0 }
    }
}
