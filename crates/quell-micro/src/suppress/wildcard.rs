//! Large files under the wildcard meaning (a missing value matches everything).
//!
//! Suppressing a value never makes anybody less safe here, so any order of repairs ends
//! safe. Several starts are tried: optimal suppressions of the static meaning with all
//! parts of the combinations checked (what is left of a combination is then frequent in
//! the original, and stays matched), and none. Then, record by record, the value whose
//! suppression helps most for its weight is suppressed until the record is safe; and
//! last, suppressed values are opened again, dearest first, where all stay safe.
//!
//! *Guarantee*: safe. *Quality*: no better than the order allows; optima of this meaning
//! tend to blank a few records that then match many. *Complexity*: suppressions ×
//! records × combinations.

use quell_model::Budget;

use super::{Importance, Objective, Request, Solution, Suppressions, suppress_static};
use crate::safety::{Released, widest};
use crate::stop_check::StopCheck;
use crate::{Combination, Error, KeySet, Limits, Microdata, Minucs, Result};

const MISSING: u32 = u32::MAX;

/// More counters than this (records × combinations) do not fit.
const MOST_COUNTERS: usize = 1 << 28;

/// Matches beyond what a record needs are worth this share of one that it needs: they only
/// decide between equals.
const WORTH_OF_MORE: f64 = 1e-6;

/// Lighter values count as if they weighed this much, so that none is worth infinitely much.
const LIGHTEST: f64 = 1e-9;

/// More parts of combinations than this are not counted for a start.
const MOST_PARTS: usize = 20_000;

struct State<'a> {
    data: &'a Microdata,
    importance: &'a Importance,
    combinations: Vec<Combination>,
    keys: usize,
    /// Shown codes by record, then variable.
    shown: Vec<u32>,
    hidden: Vec<KeySet>,
    /// Matches by combination, then record.
    counts: Vec<Vec<u32>>,
}

impl<'a> State<'a> {
    /// The file as a start leaves it, with all matches counted.
    ///
    /// # Errors
    /// If the budget is spent before.
    fn new(request: &Request<'a>, start: &Suppressions, stop: &StopCheck) -> Result<Self> {
        let data = request.data;
        let keys = data.keys().len();
        let mut shown = Vec::with_capacity(data.records() * keys);
        for record in 0..data.records() {
            let hidden = start.of(record);
            for (key, column) in data.keys().iter().enumerate() {
                let code = column.codes().get(record);
                let missing = column.is_missing(code) || hidden.contains(key);
                shown.push(if missing { MISSING } else { code });
            }
        }
        let mut hidden = vec![KeySet::EMPTY; data.records()];
        for (record, set) in start.iter() {
            hidden[record] = set;
        }
        let combinations = widest(request.combinations);
        let released = Released::new(data, start);
        let counts = combinations
            .iter()
            .map(|combination| released.matches(combination.keys, stop))
            .collect::<Result<_>>()?;
        let importance = request.importance;
        Ok(Self { data, importance, combinations, keys, shown, hidden, counts })
    }

    fn row(&self, record: usize) -> &[u32] {
        &self.shown[record * self.keys..(record + 1) * self.keys]
    }

    fn safe(&self, place: usize, record: usize) -> bool {
        let combination = self.combinations[place];
        self.counts[place][record] >= combination.minimum
            || combination.keys.iter().all(|key| self.row(record)[key] == MISSING)
    }

    /// Records that differ from `record` in `key` alone, within a combination, when the
    /// record's value is `code`.
    fn divided<'s>(
        &'s self,
        record: usize,
        key: usize,
        code: u32,
        keys: KeySet,
    ) -> impl Iterator<Item = usize> + 's {
        let own: Vec<(usize, u32)> = keys
            .iter()
            .filter(|&other| other != key && self.row(record)[other] != MISSING)
            .map(|other| (other, self.row(record)[other]))
            .collect();
        self.shown.chunks_exact(self.keys).enumerate().filter_map(move |(other, row)| {
            let differs = row[key] != code && row[key] != MISSING;
            (differs
                && other != record
                && own.iter().all(|&(key, code)| row[key] == code || row[key] == MISSING))
            .then_some(other)
        })
    }

    /// Hides a value that nobody has time to count for: the matches are then more than those
    /// counted, never less.
    fn hide_uncounted(&mut self, record: usize, key: usize) {
        self.shown[record * self.keys + key] = MISSING;
        self.hidden[record] = self.hidden[record].with(key);
    }

    fn hide(&mut self, record: usize, key: usize) {
        let code = self.row(record)[key];
        for place in 0..self.combinations.len() {
            let keys = self.combinations[place].keys;
            if keys.contains(key) {
                let new: Vec<usize> = self.divided(record, key, code, keys).collect();
                self.counts[place][record] += new.len() as u32;
                for other in new {
                    self.counts[place][other] += 1;
                }
            }
        }
        self.hide_uncounted(record, key);
    }

    /// Shows a hidden value again if everybody stays safe.
    fn open(&mut self, record: usize, key: usize) -> bool {
        let code = self.data.keys()[key].codes().get(record);
        let mut lost: Vec<(usize, Vec<usize>)> = Vec::new();
        for (place, combination) in self.combinations.iter().enumerate() {
            if !combination.keys.contains(key) {
                continue;
            }
            let apart: Vec<usize> = self.divided(record, key, code, combination.keys).collect();
            let left = self.counts[place][record] - apart.len() as u32;
            let everybody = left >= combination.minimum
                && apart.iter().all(|&other| {
                    self.counts[place][other] > combination.minimum
                        || combination.keys.iter().all(|key| self.row(other)[key] == MISSING)
                });
            if !everybody {
                return false;
            }
            lost.push((place, apart));
        }
        for (place, apart) in lost {
            self.counts[place][record] -= apart.len() as u32;
            for other in apart {
                self.counts[place][other] -= 1;
            }
        }
        self.shown[record * self.keys + key] = code;
        self.hidden[record].0 &= !(1 << key);
        true
    }

    fn weight(&self, record: usize, key: usize) -> f64 {
        self.importance.of(self.data, record, key)
    }

    /// Suppresses until all are safe.
    fn repair(&mut self, budget: &Budget) {
        for record in 0..self.data.records() {
            for place in 0..self.combinations.len() {
                while !self.safe(place, record) {
                    let keys = self.combinations[place].keys;
                    let open = keys.iter().filter(|&key| self.row(record)[key] != MISSING);
                    if budget.stop().is_some() {
                        // No time to choose: a record that shows nothing is safe.
                        for key in open.collect::<Vec<_>>() {
                            self.hide_uncounted(record, key);
                        }
                        continue;
                    }
                    let mut best: Option<(f64, usize)> = None;
                    for key in open {
                        let code = self.row(record)[key];
                        let gain = self.divided(record, key, code, keys).count() as f64;
                        // Matches beyond what is needed are worth little.
                        let needed = self.combinations[place].minimum - self.counts[place][record];
                        let worth = gain.min(f64::from(needed)) + WORTH_OF_MORE * gain;
                        let worth = worth / self.weight(record, key).max(LIGHTEST);
                        if best.is_none_or(|(most, _)| worth > most) {
                            best = Some((worth, key));
                        }
                    }
                    let Some((_, key)) = best else { break };
                    self.hide(record, key);
                }
            }
        }
    }

    /// Opens what need not be hidden, dearest first; of equals those that fewest match.
    fn reopen(&mut self, budget: &Budget) {
        let mut hidden: Vec<(f64, u32, usize, usize)> = Vec::new();
        for record in 0..self.data.records() {
            for key in self.hidden[record].iter() {
                let size = self.hidden[record].len() as u32;
                hidden.push((self.weight(record, key), size, record, key));
            }
        }
        hidden.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then((a.2, a.3).cmp(&(b.2, b.3)))
        });
        for (_, _, record, key) in hidden {
            if budget.stop().is_some() {
                return;
            }
            self.open(record, key);
        }
    }
}

pub(super) fn suppress(request: &Request, budget: &Budget) -> Result<Solution> {
    let data = request.data;
    let counters = widest(request.combinations).len().saturating_mul(data.records());
    if counters > MOST_COUNTERS {
        return Err(Error::TooLarge(format!(
            "{counters} counters for the wildcard meaning; at most {MOST_COUNTERS}"
        )));
    }
    let stop = StopCheck::silent(budget);
    let mut starts = vec![Suppressions::default()];
    if let Ok(parts) = request.combinations.with_parts()
        && parts.as_slice().len() <= MOST_PARTS
    {
        let minucs = Minucs::find_as_step(data, &parts, &Limits::default(), &stop)?;
        let mut add = |objective| -> Result<()> {
            let start = suppress_static(data, &minucs, objective, request.importance, budget)?;
            starts.insert(0, start.suppressions);
            Ok(())
        };
        // Suppressions spread over many categories leave more to open again.
        add(Objective::SuppressionsThenMostCategories)?;
        if request.objective != Objective::SuppressionsThenMostCategories {
            add(request.objective)?;
        }
    }
    let mut best: Option<(f64, Suppressions)> = None;
    for start in &starts {
        if best.is_some() && budget.stop().is_some() {
            break;
        }
        let found = match State::new(request, start, &stop) {
            Ok(mut state) => {
                state.repair(budget);
                state.reopen(budget);
                Suppressions::new((0..).zip(state.hidden.iter().copied()))
            }
            // Nobody knows who matches whom, but a start of all parts is safe as it is.
            Err(Error::Stopped(_)) if starts.len() > 1 => start.clone(),
            Err(error) => return Err(error),
        };
        let value = match request.objective {
            Objective::Categories | Objective::CategoriesThenSuppressions => {
                found.category_weight(data, request.importance)
            }
            _ => found.weight(data, request.importance),
        };
        if best.as_ref().is_none_or(|(least, _)| value < *least) {
            best = Some((value, found));
        }
    }
    let suppressions = best.map(|(_, found)| found).unwrap_or_default();
    let weight = suppressions.weight(data, request.importance);
    Ok(Solution {
        category_weight: suppressions.category_weight(data, request.importance),
        proved: suppressions.count() == 0,
        suppressions,
        weight,
        bound: 0.0,
    })
}
