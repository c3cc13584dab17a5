//! Who contributes how much to which cells: what contributors know beforehand.
//!
//! A firm knows its own part of every cell. Of a cell to which nobody else contributes it knows
//! the value; of any other it knows that the value is at least its part. To attackers of this
//! kind some hidden cells are as good as published, so the movements that prove a primary safe
//! from the outsider may prove nothing to them.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{CellId, Direction, Knowing, Protection, System, Value};

/// A contributor by number: a respondent, or a holding with all its respondents. Numbers are given
/// out anew for every table and mean nothing outside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContributorId(pub u32);

/// What one contributor contributes to one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Who.
    pub contributor: ContributorId,
    /// How much of the value that the table shows, without its sign.
    pub amount: Value,
}

/// The largest shares of every cell.
///
/// ```
/// use quell_model::{CellId, Contributions, ContributorId, Share};
///
/// let share = |contributor, amount| Share { contributor: ContributorId(contributor), amount };
/// // The first cell is known to contributor 7; to the second two others contribute as well.
/// let contributions = Contributions::new([(1, vec![share(7, 20)]), (3, vec![share(7, 30)])]);
/// assert_eq!(contributions.only_contributor(CellId(0)), Some(ContributorId(7)));
/// assert_eq!(contributions.only_contributor(CellId(1)), None);
/// assert_eq!(contributions.cells_of(ContributorId(7)), [(CellId(0), 20), (CellId(1), 30)]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Contributions {
    /// How many contribute to each cell.
    counts: Vec<u32>,
    /// Where the shares of each cell begin.
    starts: Vec<u32>,
    /// The shares, cell by cell, the largest first.
    shares: Vec<Share>,
    /// The cells of each contributor, with his amounts.
    by_contributor: FxHashMap<ContributorId, Vec<(CellId, Value)>>,
    /// Whether those who are not listed may be the same in several cells.
    may_overlap: bool,
    /// For each class of contributors the largest share of one of its members in each cell.
    largest_in_class: [Vec<Value>; Class::BOTH.len()],
    rule: Option<Arc<dyn SumRule>>,
    /// Whether contributors make use of their parts of cells in which they are not alone.
    know_parts: bool,
}

/// One half of all contributors.
///
/// A primary must be safe from every single contributor, and there may be very many. But a
/// movement that needs no cell known to any member of a class is a proof against all its members
/// at once; so one movement for each of two classes is a proof against everybody. (Not the only
/// one: a primary that no such pair protects may be safe from each contributor by himself.) The
/// classes are mixed in every equation, so that cells of one class can stand in for those of the
/// other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// One half.
    First,
    /// The other.
    Second,
}

impl Class {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];
}

impl Contributions {
    /// For each cell in order how many contribute to it, and the shares of the largest of them:
    /// of all, where they are few. Shares of nothing may be left out if there are others.
    pub fn new(cells: impl IntoIterator<Item = (u32, Vec<Share>)>) -> Self {
        let (mut counts, mut starts, mut shares) = (Vec::new(), vec![0], Vec::new());
        for (count, mut of_cell) in cells {
            of_cell.sort_by_key(|share| (std::cmp::Reverse(share.amount), share.contributor));
            counts.push(count.max(of_cell.len() as u32));
            shares.extend(of_cell);
            starts.push(shares.len() as u32);
        }
        Self::indexed(counts, starts, shares, true)
    }

    /// Where only numbers of contributors are known: nobody contributes to two cells of a sum, and
    /// every only contributor is another one, but for one case. Who alone contributes to a total is
    /// the only contributor of its parts as well.
    ///
    /// ```
    /// use quell_model::{CellId, Contributions, SystemBuilder};
    ///
    /// // Mills in the north and in all regions: one firm. Another is alone in the south.
    /// let mut builder = SystemBuilder::new(4);
    /// builder.equation([(CellId(0), 1), (CellId(1), 1), (CellId(2), -1)], 0);
    /// let contributions = Contributions::of_counts(&builder.build(), &[1, 0, 1, 1], &[20, 0, 20, 7]);
    /// let only = |cell| contributions.only_contributor(CellId(cell)).unwrap();
    /// assert_eq!(only(0), only(2));
    /// assert_ne!(only(0), only(3));
    /// ```
    pub fn of_counts(system: &System, counts: &[u32], values: &[Value]) -> Self {
        let only = only_contributors(system, counts);
        let (mut starts, mut shares) = (vec![0], Vec::new());
        for (cell, (&count, value)) in counts.iter().zip(values).enumerate() {
            if count == 1 {
                let (contributor, amount) = (ContributorId(only[cell]), value.saturating_abs());
                shares.push(Share { contributor, amount });
            }
            starts.push(shares.len() as u32);
        }
        Self::indexed(counts.to_vec(), starts, shares, false)
    }

    fn indexed(counts: Vec<u32>, starts: Vec<u32>, shares: Vec<Share>, may_overlap: bool) -> Self {
        let mut contributions = Self {
            counts,
            starts,
            shares,
            may_overlap,
            by_contributor: FxHashMap::default(),
            largest_in_class: Default::default(),
            rule: None,
            know_parts: true,
        };
        for cell in (0..contributions.counts.len()).map(CellId::from_index) {
            for share in contributions.shares[contributions.range(cell)].iter() {
                let cells = contributions.by_contributor.entry(share.contributor).or_default();
                cells.push((cell, share.amount));
            }
        }
        contributions
    }

    /// Divides the contributors into classes: those who know whole cells so that each class knows
    /// about half of those in every equation.
    pub(crate) fn classify(&mut self, system: &System) {
        let mut known = vec![[0_u32; 2]; system.equation_count()];
        self.largest_in_class = [vec![0; self.cell_count()], vec![0; self.cell_count()]];
        for contributor in self.contributors() {
            let cells = &self.by_contributor[&contributor];
            let whole = cells.iter().filter(|(cell, _)| self.count(*cell) == 1);
            let lines: Vec<usize> = whole
                .flat_map(|&(cell, _)| system.equations_of(cell))
                .map(|(equation, _)| equation.index())
                .collect();
            let [first, second] = lines
                .iter()
                .fold([0; 2], |sum, &line| [sum[0] + known[line][0], sum[1] + known[line][1]]);
            let class = match first.cmp(&second) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Greater => 1,
                std::cmp::Ordering::Equal => contributor.0 as usize % 2,
            };
            lines.iter().for_each(|&line| known[line][class] += 1);
            for &(cell, amount) in cells {
                let largest = &mut self.largest_in_class[class][cell.index()];
                *largest = amount.max(*largest);
            }
        }
    }

    /// The least that a cell can be in the eyes of someone who knows its contributions, if none is
    /// negative.
    fn least(&self, knowing: Knowing, cell: CellId) -> Value {
        match knowing {
            Knowing::Nothing => 0,
            Knowing::Class(class) => self.largest_in_class[class as usize][cell.index()],
            Knowing::Contributor(contributor) => {
                let cells = self.cells_of(contributor);
                let position = cells.binary_search_by_key(&cell, |&(cell, _)| cell);
                position.map_or(0, |position| cells[position].1)
            }
        }
    }

    /// How far a cell can move in the eyes of someone who knows some contributions, if to others
    /// it can move by `room`. Where values may be negative, only whole cells are known.
    pub(crate) fn room(
        &self,
        knowing: Knowing,
        cell: CellId,
        direction: Direction,
        (room, size, is_signed): (Value, Value, bool),
    ) -> Value {
        let least = self.least(knowing, cell);
        if least == 0 {
            // Who contributes nothing, or is not listed; but the only contributor of a zero knows it.
            return if self.is_zero_known(knowing, cell) { 0 } else { room };
        }
        match (self.count(cell), direction) {
            (1, _) => 0,
            (_, Direction::Down) if !is_signed && self.know_parts => {
                room.min(size.saturating_sub(least).max(0))
            }
            _ => room,
        }
    }

    fn is_zero_known(&self, knowing: Knowing, cell: CellId) -> bool {
        self.count(cell) == 1
            && match (knowing, self.only_contributor(cell)) {
                (Knowing::Contributor(contributor), only) => only == Some(contributor),
                (Knowing::Class(_), Some(_)) => true,
                _ => false,
            }
    }

    /// The same for a problem with more cells behind these, to which nobody contributes.
    pub fn with_more_cells(&self, cells: usize) -> Self {
        let mut wider = self.clone();
        wider.counts.resize(cells, 0);
        wider.starts.resize(cells + 1, self.shares.len() as u32);
        wider
    }

    /// The same with attackers who only know the cells in which they are alone (singletons).
    pub fn without_parts(self) -> Self {
        Self { know_parts: false, ..self }
    }

    /// Whether contributors know their parts of cells in which they are not alone.
    pub fn know_parts(&self) -> bool {
        self.know_parts
    }

    /// The same with a rule for the sums of hidden cells.
    pub fn with_rule(self, rule: Arc<dyn SumRule>) -> Self {
        Self { rule: Some(rule), ..self }
    }

    /// The same with sums of hidden cells that may be known.
    pub fn without_rule(self) -> Self {
        Self { rule: None, ..self }
    }

    /// The rule for the sums of hidden cells, if there is one.
    pub fn rule(&self) -> Option<&dyn SumRule> {
        self.rule.as_deref()
    }

    /// Number of cells.
    pub fn cell_count(&self) -> usize {
        self.counts.len()
    }

    /// How many contribute to a cell.
    pub fn count(&self, cell: CellId) -> u32 {
        self.counts[cell.index()]
    }

    /// The shares of a cell that are known, the largest first.
    pub fn shares(&self, cell: CellId) -> &[Share] {
        &self.shares[self.range(cell)]
    }

    fn range(&self, cell: CellId) -> std::ops::Range<usize> {
        self.starts[cell.index()] as usize..self.starts[cell.index() + 1] as usize
    }

    /// The one who knows a cell, because nobody else contributes to it.
    pub fn only_contributor(&self, cell: CellId) -> Option<ContributorId> {
        match (self.count(cell), self.shares(cell)) {
            (1, [only]) => Some(only.contributor),
            _ => None,
        }
    }

    /// The cells in which a contributor is listed, rising, with his amounts.
    pub fn cells_of(&self, contributor: ContributorId) -> &[(CellId, Value)] {
        self.by_contributor.get(&contributor).map_or(&[], Vec::as_slice)
    }

    /// All contributors that are listed anywhere, rising.
    pub fn contributors(&self) -> Vec<ContributorId> {
        let mut all: Vec<ContributorId> = self.by_contributor.keys().copied().collect();
        all.sort_unstable();
        all
    }

    /// Who contributes to the sum of some cells.
    pub fn of_sum(&self, cells: &[CellId], value: Value) -> HiddenSum {
        let mut amounts: FxHashMap<ContributorId, Value> = Default::default();
        let (mut together, mut most) = (0_u64, 0_u32);
        for &cell in cells {
            together += u64::from(self.count(cell));
            most = most.max(self.count(cell));
            for share in self.shares(cell) {
                let amount = amounts.entry(share.contributor).or_default();
                *amount = amount.saturating_add(share.amount);
            }
        }
        let contributors = match self.may_overlap {
            true => (amounts.len() as u64).max(u64::from(most)),
            false => together,
        };
        let mut largest: Vec<Value> = amounts.into_values().collect();
        largest.sort_unstable_by(|a, b| b.cmp(a));
        HiddenSum { value, contributors, largest }
    }
}

/// For every cell a number for its only contributor, if it has one: the first cell that is certain
/// to have the same.
fn only_contributors(system: &System, counts: &[u32]) -> Vec<u32> {
    let mut same: Vec<u32> = (0..counts.len() as u32).collect();
    fn first(same: &[u32], mut cell: u32) -> u32 {
        while same[cell as usize] != cell {
            cell = same[cell as usize];
        }
        cell
    }
    for equation in system.equations() {
        if system.right_hand_side(equation) != 0 {
            continue;
        }
        // The cell on the one side of the equation is the total of those on the other.
        let side =
            |sign: i32| system.cells_of(equation).filter(move |cell| cell.1.signum() == sign);
        let mut totals = [side(-1), side(1)].map(|mut side| (side.next(), side.next()));
        totals.sort_by_key(|(_, second)| second.is_some());
        let [(Some((total, _)), None), (Some(_), _)] = totals else { continue };
        if counts[total.index()] != 1 {
            continue;
        }
        for (part, _) in system.cells_of(equation).filter(|(cell, _)| counts[cell.index()] == 1) {
            let (one, other) = (first(&same, total.0), first(&same, part.0));
            same[one.max(other) as usize] = one.min(other);
        }
    }
    (0..same.len() as u32).map(|cell| first(&same, cell)).collect()
}

/// The sum of the hidden cells of an equation, which the equation publishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenSum {
    /// Its value.
    pub value: Value,
    /// How many contribute to it at least.
    pub contributors: u64,
    /// The largest contributions, as far as they are known, falling.
    pub largest: Vec<Value>,
}

/// Decides whether the sum of hidden cells may be known: what it would need if it were a cell of
/// the table.
pub trait SumRule: fmt::Debug + Send + Sync {
    /// The protection that the sum needs, if it is sensitive itself.
    fn protection(&self, sum: &HiddenSum) -> Option<Protection>;

    /// Whether it only asks how many contribute, not how much.
    fn asks_for_numbers_only(&self) -> bool {
        false
    }
}

impl PartialEq for dyn SumRule {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

/// A sum must have at least so many contributors, like a cell under the minimum frequency rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeastContributors {
    /// How many.
    pub at_least: u64,
    /// How far a sum of fewer must be able to move either way, in percent.
    pub percent: u32,
}

impl SumRule for LeastContributors {
    fn protection(&self, sum: &HiddenSum) -> Option<Protection> {
        let share = i128::from(sum.value.unsigned_abs()) * i128::from(self.percent) / 100;
        let level = Value::try_from(share).unwrap_or(Value::MAX / 4).max(1);
        (sum.contributors < self.at_least).then_some(Protection {
            lower: level,
            upper: level,
            sliding: 0,
        })
    }

    fn asks_for_numbers_only(&self) -> bool {
        true
    }
}
