//! Exact movements from approximate ones.
//!
//! Interior-point and simplex methods give a movement `y` that keeps the equations only
//! to within rounding. A certificate must keep them exactly. So `y` is put on a fine
//! grid of integers and the small imbalances that this leaves are pushed through a
//! *triangular* set of pivot cells: each equation but a few has a pivot cell with
//! coefficient ±1 that stands, apart from that equation, only in equations handled
//! later. One backward sweep of integer additions then balances every equation that
//! has a pivot. In tables the equations without a pivot (the *nucleus*) are almost
//! exactly the redundant ones, which then balance by themselves; a few further integer
//! combinations of free cells take care of the rest.
//!
//! Pivot cells are found as in bootstrap percolation: a cell all but one of whose
//! equations are reached already becomes the pivot of the last one. Breadth first keeps
//! the chains short, and with them the growth of the rounding errors: below 2,500 times
//! the grid's step on a sparse 100×73×35 table.
//!
//! Nothing here has to be trusted: what comes out is verified.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use quell_model::Certificate;

use crate::view::View;

/// The grid of repaired movements has 2³² steps to a unit: errors grow a few thousand
/// times in the sweep and stay far below the slack that interior points have.
const GRID_BITS: u32 = 32;

/// Movements beyond this are not repaired: their sums could overflow.
const LARGEST_AMOUNT: f64 = 1e18;

/// One cell in so many counts as tight.
const TIGHT_SHARE: usize = 10;

/// Combinations for the nucleus are looked for among this many free cells per nucleus
/// equation.
const CANDIDATES_PER_EQUATION: usize = 4;

/// Entries written to find combinations, after which no more are looked for.
const MOST_ENTRIES: usize = 8_000_000;

/// The same where there is time: some seconds.
const PATIENT_ENTRIES: usize = 100_000_000;

/// A combination that has an effect on more equations than this, or takes more free cells, is
/// dropped.
const LARGEST_COMBINATION: usize = 2_000;

/// Combinations with coefficients beyond this are dropped.
const LARGEST_COEFFICIENT: i128 = 1 << 40;

/// The pivot cell of an equation.
struct Pivot {
    equation: u32,
    cell: u32,
    /// ±1.
    coefficient: i32,
}

/// An integer movement that changes a nucleus equation by ±1, leaves the nucleus
/// equations of earlier combinations alone, and balances every equation with a pivot.
struct Combination {
    /// The nucleus equation it is for.
    equation: u32,
    /// ±1: its effect on that.
    unit: i128,
    /// Its effect on nucleus equations.
    effect: Vec<(u32, i128)>,
    /// The free cells it moves.
    parts: Vec<(u32, i128)>,
    /// These and the pivots that make good.
    cells: Vec<(u32, i128)>,
}

/// The pivots of a view, ready to repair many movements.
pub(crate) struct Repair<'a> {
    hidden: &'a View,
    /// In the order in which equations were reached.
    pivots: Vec<Pivot>,
    /// Equations without a pivot.
    nucleus: Vec<u32>,
    combinations: Vec<Combination>,
    /// Combinations would take too much time and memory.
    is_hopeless: bool,
}

impl<'a> Repair<'a> {
    /// Finds the pivots of `hidden`.
    pub(crate) fn new(hidden: &'a View) -> Self {
        Self::within(hidden, MOST_ENTRIES)
    }

    /// As [`Self::new`], where that may take some seconds.
    pub(crate) fn patient(hidden: &'a View) -> Self {
        Self::within(hidden, PATIENT_ENTRIES)
    }

    fn within(hidden: &'a View, most_entries: usize) -> Self {
        let (pivots, nucleus) = percolate(hidden);
        let (combinations, is_hopeless) = (Vec::new(), false);
        let mut repair = Self { hidden, pivots, nucleus, combinations, is_hopeless };
        (repair.combinations, repair.is_hopeless) = repair.nucleus_combinations(most_entries);
        repair
    }

    /// The exact movement nearest to `movement` (one number for each cell, in units), or `None`
    /// if it cannot be balanced or leaves the rooms of the view.
    pub(crate) fn certificate(&self, movement: &[f64]) -> Option<Certificate> {
        let denominator = 1_u64 << GRID_BITS;
        // Also refuses what is not a number.
        movement.iter().all(|amount| amount.abs() <= LARGEST_AMOUNT).then_some(())?;
        let mut exact: Vec<i128> =
            movement.iter().map(|&amount| (amount * denominator as f64).round() as i128).collect();
        self.balance(&mut exact).then(|| certificate_of(self.hidden, &exact, denominator))?
    }

    /// Changes pivot and combination cells so that every equation holds exactly.
    fn balance(&self, movement: &mut [i128]) -> bool {
        let hidden = self.hidden;
        let mut imbalance: Vec<i128> = (0..hidden.equation_count())
            .map(|equation| {
                let cells = hidden.cells_of(equation).iter();
                cells.map(|&(cell, c)| i128::from(c) * movement[cell as usize]).sum()
            })
            .collect();
        self.sweep(&mut imbalance, |cell, amount| movement[cell as usize] += amount);
        for combination in &self.combinations {
            let times = -imbalance[combination.equation as usize] * combination.unit;
            if times == 0 {
                continue;
            }
            for &(equation, effect) in &combination.effect {
                imbalance[equation as usize] += times * effect;
            }
            for &(cell, amount) in &combination.cells {
                movement[cell as usize] += times * amount;
            }
        }
        imbalance.iter().all(|&left| left == 0)
    }

    /// Balances every equation that has a pivot, the last reached first.
    fn sweep(&self, imbalance: &mut [i128], mut moved: impl FnMut(u32, i128)) {
        for pivot in self.pivots.iter().rev() {
            let left = imbalance[pivot.equation as usize];
            if left == 0 {
                continue;
            }
            let amount = -left * i128::from(pivot.coefficient);
            moved(pivot.cell, amount);
            for &(equation, c) in self.hidden.equations_of(pivot.cell as usize) {
                imbalance[equation as usize] += amount * i128::from(c);
            }
        }
    }

    /// Whether the view is one in which few movements can be repaired.
    pub(crate) fn is_hopeless(&self) -> bool {
        self.is_hopeless
    }

    /// Combinations of free cells that span what free cells can do to the nucleus, and whether
    /// there would be too many.
    fn nucleus_combinations(&self, most_entries: usize) -> (Vec<Combination>, bool) {
        let hidden = self.hidden;
        if self.nucleus.is_empty() {
            return (Vec::new(), false);
        }
        let mut sweeper = Sweeper::new(self);
        let mut is_pivot = vec![false; hidden.len()];
        self.pivots.iter().for_each(|pivot| is_pivot[pivot.cell as usize] = true);
        // Cells whose equations were reached early have short chains and small effects.
        let mut free: Vec<(u32, u32)> = (0..hidden.len())
            .filter(|&cell| !is_pivot[cell] && !is_fixed(hidden, cell))
            .map(|cell| {
                let equations = hidden.equations_of(cell).iter();
                let latest = equations.map(|&(line, _)| sweeper.order[line as usize]).max();
                (latest.unwrap_or(0), cell as u32)
            })
            .collect();
        free.sort_unstable();
        free.truncate(CANDIDATES_PER_EQUATION * self.nucleus.len() + 64);

        // Echelon form: each combination is reduced by the earlier ones.
        let mut combinations: Vec<Combination> = Vec::new();
        let mut for_equation: Vec<Option<u32>> = vec![None; hidden.equation_count()];
        let mut entries = 0;
        for (_, cell) in free {
            if entries + sweeper.entries > most_entries {
                return (Vec::new(), true);
            }
            let mut effect = Sum::default();
            sweeper.sweep(&[(cell, 1)], |_, _| (), |line, amount| effect.add(line, amount));
            let mut parts = Sum::default();
            parts.add(cell, 1);
            // What is earlier leaves the equations of those before it alone.
            while let Some(earlier) =
                effect.places().filter_map(|line| for_equation[line as usize]).min()
            {
                let earlier = &combinations[earlier as usize];
                let times = -effect.at(earlier.equation) * earlier.unit;
                earlier.effect.iter().for_each(|&(line, amount)| effect.add(line, times * amount));
                earlier.parts.iter().for_each(|&(cell, amount)| parts.add(cell, times * amount));
                // Also those looked at to find the next.
                entries += earlier.effect.len() + earlier.parts.len() + effect.len();
                if !effect.is_sane() || !parts.is_sane() {
                    break;
                }
            }
            if !effect.is_sane() || !parts.is_sane() {
                continue;
            }
            let Some((equation, unit)) = effect.unit() else { continue };
            let parts = parts.into_entries();
            let mut cells = parts.clone();
            sweeper.sweep(&parts, |cell, amount| cells.push((cell, amount)), |_, _| ());
            let effect = effect.into_entries();
            entries += effect.len() + parts.len() + cells.len();
            for_equation[equation as usize] = Some(combinations.len() as u32);
            combinations.push(Combination { equation, unit, effect, parts, cells });
        }
        (combinations, false)
    }
}

/// Amounts at places, few of them not zero.
#[derive(Default)]
struct Sum(BTreeMap<u32, i128>);

impl Sum {
    fn add(&mut self, place: u32, amount: i128) {
        let sum = self.0.entry(place).or_default();
        *sum += amount;
        if *sum == 0 {
            self.0.remove(&place);
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn at(&self, place: u32) -> i128 {
        self.0.get(&place).copied().unwrap_or(0)
    }

    fn places(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.keys().copied()
    }

    /// The first place with an amount of ±1.
    fn unit(&self) -> Option<(u32, i128)> {
        self.0.iter().map(|(&place, &amount)| (place, amount)).find(|(_, amount)| amount.abs() == 1)
    }

    /// Whether there are few amounts and none is very large.
    fn is_sane(&self) -> bool {
        self.0.len() <= LARGEST_COMBINATION
            && self.0.values().all(|amount| amount.abs() < LARGEST_COEFFICIENT)
    }

    fn into_entries(self) -> Vec<(u32, i128)> {
        self.0.into_iter().collect()
    }
}

/// Balances equations with pivots after few cells have moved, looking only at those concerned.
struct Sweeper<'a> {
    repair: &'a Repair<'a>,
    /// In which order equations were reached, from 1; zero in the nucleus.
    order: Vec<u32>,
    imbalance: Vec<i128>,
    /// Equations that were out of balance at some time.
    touched: Vec<u32>,
    /// Those with pivots, the last reached first.
    open: BinaryHeap<u32>,
    /// How often an equation was changed.
    entries: usize,
}

impl<'a> Sweeper<'a> {
    fn new(repair: &'a Repair<'a>) -> Self {
        let equations = repair.hidden.equation_count();
        let mut order = vec![0; equations];
        for (place, pivot) in repair.pivots.iter().enumerate() {
            order[pivot.equation as usize] = place as u32 + 1;
        }
        let (touched, open) = (Vec::new(), BinaryHeap::new());
        Self { repair, order, imbalance: vec![0; equations], touched, open, entries: 0 }
    }

    /// Moves cells and lets the pivots make good; tells what the pivots move and what is left
    /// on the nucleus.
    fn sweep(
        &mut self,
        parts: &[(u32, i128)],
        mut moved: impl FnMut(u32, i128),
        mut left: impl FnMut(u32, i128),
    ) {
        parts.iter().for_each(|&(cell, amount)| self.disturb(cell, amount));
        while let Some(place) = self.open.pop() {
            let pivot = &self.repair.pivots[place as usize - 1];
            let amount = -self.imbalance[pivot.equation as usize] * i128::from(pivot.coefficient);
            if amount != 0 {
                moved(pivot.cell, amount);
                self.disturb(pivot.cell, amount);
            }
        }
        for line in self.touched.drain(..) {
            let amount = std::mem::take(&mut self.imbalance[line as usize]);
            if amount != 0 {
                left(line, amount);
            }
        }
    }

    fn disturb(&mut self, cell: u32, amount: i128) {
        for &(line, coefficient) in self.repair.hidden.equations_of(cell as usize) {
            self.imbalance[line as usize] += amount * i128::from(coefficient);
            self.touched.push(line);
            self.entries += 1;
            if self.order[line as usize] > 0 {
                self.open.push(self.order[line as usize]);
            }
        }
    }
}

/// A certificate from exact amounts over `denominator`, if they stay in the rooms.
pub(crate) fn certificate_of(
    hidden: &View,
    amounts: &[i128],
    denominator: u64,
) -> Option<Certificate> {
    let within = |room: i64, amount: i128| {
        room == i64::MAX || amount <= i128::from(room) * i128::from(denominator)
    };
    let mut movement = Vec::new();
    for (cell, &amount) in amounts.iter().enumerate() {
        if !within(hidden.up[cell], amount) || !within(hidden.down[cell], -amount) {
            return None;
        }
        if amount != 0 {
            movement.push((hidden.cell(cell), amount));
        }
    }
    Some(Certificate { movement, denominator })
}

/// Marks cells that cannot be pivots.
const FIXED: u32 = u32::MAX;

/// Whether a cell has one possible movement only.
fn is_fixed(hidden: &View, cell: usize) -> bool {
    hidden.down[cell].saturating_add(hidden.up[cell]) <= 0
}

/// The cells with the least room, one in [`TIGHT_SHARE`].
fn tight(hidden: &View) -> Vec<bool> {
    let width = |cell: usize| hidden.down[cell].saturating_add(hidden.up[cell]);
    let mut widths: Vec<i64> = (0..hidden.len()).map(width).collect();
    let rank = widths.len() / TIGHT_SHARE;
    let cut = match widths.is_empty() {
        true => 0,
        false => *widths.select_nth_unstable(rank).1,
    };
    (0..hidden.len()).map(|cell| width(cell) < cut).collect()
}

/// Pivots in the order in which their equations are reached, and the equations that had
/// to be seeds.
fn percolate(hidden: &View) -> (Vec<Pivot>, Vec<u32>) {
    let mut state = Percolation {
        hidden,
        reached: vec![false; hidden.equation_count()],
        missing: (0..hidden.len())
            .map(|cell| {
                if is_fixed(hidden, cell) { FIXED } else { hidden.equations_of(cell).len() as u32 }
            })
            .collect(),
        promise: vec![0; hidden.equation_count()],
        tight: tight(hidden),
        ready: [VecDeque::new(), VecDeque::new()],
        seeds: BinaryHeap::new(),
    };
    let mut pivots = Vec::new();
    let mut nucleus = Vec::new();
    // Cells in a single equation are pivots of it from the start.
    for cell in (0..hidden.len() as u32)
        .filter(|&cell| state.missing[cell as usize] == 1)
        .collect::<Vec<_>>()
    {
        state.make_ready(cell);
    }
    let mut next_seed = 0;
    loop {
        while let Some(cell) = state.next_ready() {
            if let Some(pivot) = state.pivot(cell) {
                state.reach(pivot.equation);
                pivots.push(pivot);
            }
        }
        let seed = state.best_seed().or_else(|| {
            let unreached = state.reached[next_seed..].iter().position(|&reached| !reached);
            unreached.map(|offset| {
                next_seed += offset;
                next_seed as u32
            })
        });
        let Some(seed) = seed else { return (pivots, nucleus) };
        nucleus.push(seed);
        state.reach(seed);
    }
}

struct Percolation<'a> {
    hidden: &'a View,
    reached: Vec<bool>,
    /// How many equations of a cell are not reached yet.
    missing: Vec<u32>,
    /// How many cells would become ready if an equation were reached.
    promise: Vec<u32>,
    /// Cells with little room, which should not have to take up the errors of others.
    tight: Vec<bool>,
    /// Cells with one equation left: roomy ones, and tight ones for when there are no
    /// others. What is reached last is balanced first, before errors add up.
    ready: [VecDeque<u32>; 2],
    /// Unreached equations by promise; entries may be out of date.
    seeds: BinaryHeap<(u32, Reverse<u32>)>,
}

impl Percolation<'_> {
    fn make_ready(&mut self, cell: u32) {
        self.ready[usize::from(self.tight[cell as usize])].push_back(cell);
    }

    fn next_ready(&mut self) -> Option<u32> {
        let [roomy, tight] = &mut self.ready;
        roomy.pop_front().or_else(|| tight.pop_front())
    }

    /// The pivot that a ready cell is, unless its last equation was reached meanwhile.
    fn pivot(&self, cell: u32) -> Option<Pivot> {
        let mut equations = self.hidden.equations_of(cell as usize).iter();
        let &(equation, coefficient) = equations.find(|&&(e, _)| !self.reached[e as usize])?;
        (coefficient.abs() == 1).then_some(Pivot { equation, cell, coefficient })
    }

    fn reach(&mut self, equation: u32) {
        self.reached[equation as usize] = true;
        for &(cell, _) in self.hidden.cells_of(equation as usize) {
            if self.missing[cell as usize] == FIXED {
                continue;
            }
            self.missing[cell as usize] -= 1;
            let missing = self.missing[cell as usize];
            if missing == 1 {
                self.make_ready(cell);
            }
            if missing > 2 || missing == 0 {
                continue;
            }
            for &(other, _) in self.hidden.equations_of(cell as usize) {
                if self.reached[other as usize] {
                    continue;
                }
                let promise = &mut self.promise[other as usize];
                if missing == 2 {
                    *promise += 1;
                    self.seeds.push((*promise, Reverse(other)));
                } else {
                    *promise = promise.saturating_sub(1);
                }
            }
        }
    }

    /// The unreached equation that makes the most cells ready.
    fn best_seed(&mut self) -> Option<u32> {
        while let Some((promise, Reverse(equation))) = self.seeds.pop() {
            let current = self.promise[equation as usize];
            if self.reached[equation as usize] || current == 0 {
                continue;
            }
            if promise == current {
                return Some(equation);
            }
            if promise > current {
                self.seeds.push((current, Reverse(equation)));
            }
        }
        None
    }
}
