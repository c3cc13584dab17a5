//! The certificate store: one proof for every requirement, and which cells the proofs use.
//!
//! A secondary can go iff every requirement whose proof uses it can be proven without it; keeping
//! the proofs makes that question local (algorithms.md calls them certificates). One
//! movement proves every requirement it meets, and often its opposite proves as many.

use quell_model::{CellId, Pattern, Problem, Requirement};
use rustc_hash::FxHashMap;

use crate::Movement;

/// A movement kept in the store, with the requirements that rest on it.
#[derive(Debug, Clone)]
struct Kept {
    movement: Movement,
    requirements: Vec<u32>,
}

/// Requirements, their proofs, and the cells in use.
#[derive(Debug, Clone)]
pub struct Store {
    requirements: Vec<Requirement>,
    /// The requirements of each primary.
    of_cell: FxHashMap<CellId, Vec<u32>>,
    proof: Vec<Option<u32>>,
    kept: Vec<Option<Kept>>,
    free: Vec<u32>,
    /// The movements that use a cell.
    users: Vec<Vec<u32>>,
    /// What was done since [`Store::begin`].
    journal: Option<Vec<Done>>,
}

/// A change that can be undone.
#[derive(Debug, Clone)]
enum Done {
    Kept(u32),
    Taken(Kept),
}

impl Store {
    /// A store without proofs.
    pub fn new(problem: &Problem, requirements: Vec<Requirement>) -> Self {
        let mut of_cell: FxHashMap<CellId, Vec<u32>> = FxHashMap::default();
        for (index, requirement) in requirements.iter().enumerate() {
            of_cell.entry(requirement.cell).or_default().push(index as u32);
        }
        Self {
            proof: vec![None; requirements.len()],
            requirements,
            of_cell,
            kept: Vec::new(),
            free: Vec::new(),
            users: vec![Vec::new(); problem.cell_count()],
            journal: None,
        }
    }

    /// Forgets all proofs.
    pub fn clear(&mut self) {
        let all: Vec<u32> = (0..self.kept.len() as u32).collect();
        self.journal = None;
        self.take_slots(&all);
    }

    /// Notes every change from here on, so that [`Store::roll_back`] can undo it.
    pub fn begin(&mut self) {
        self.journal = Some(Vec::new());
    }

    /// Keeps the changes since [`Store::begin`].
    pub fn commit(&mut self) {
        self.journal = None;
    }

    /// Undoes the changes since [`Store::begin`].
    pub fn roll_back(&mut self) {
        for done in self.journal.take().into_iter().flatten().rev() {
            match done {
                Done::Kept(slot) => {
                    self.take_slots(&[slot]);
                }
                Done::Taken(kept) => self.keep(kept.movement, kept.requirements),
            }
        }
    }

    /// The requirements.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// Asks less of a requirement that cannot be met.
    pub fn lower(&mut self, requirement: usize, less: Requirement) {
        self.requirements[requirement] = less;
    }

    /// Whether a requirement has a proof.
    pub fn is_proven(&self, requirement: usize) -> bool {
        self.proof[requirement].is_some()
    }

    /// The requirements without a proof, rising.
    pub fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.requirements.len()).filter(|&requirement| !self.is_proven(requirement))
    }

    /// Whether some proof moves a cell.
    pub fn is_used(&self, cell: CellId) -> bool {
        !self.users[cell.index()].is_empty()
    }

    /// How many movements use a cell.
    pub fn uses(&self, cell: CellId) -> usize {
        self.users[cell.index()].len()
    }

    /// The cells that some proof moves, rising.
    pub fn used_cells(&self) -> impl Iterator<Item = CellId> + '_ {
        let used = self.users.iter().enumerate().filter(|(_, users)| !users.is_empty());
        used.map(|(cell, _)| CellId(cell as u32))
    }

    /// The movement that proves a requirement, if it is proven.
    pub fn proof(&self, requirement: usize) -> Option<&Movement> {
        let slot = self.proof[requirement]?;
        self.kept[slot as usize].as_ref().map(|kept| &kept.movement)
    }

    /// The movement that proves a requirement, with all requirements it proves.
    pub fn proof_of(&self, requirement: usize) -> Option<(&Movement, &[u32])> {
        let kept = self.kept[self.proof[requirement]? as usize].as_ref();
        kept.map(|kept| (&kept.movement, kept.requirements.as_slice()))
    }

    /// The movements that prove something.
    pub fn movements(&self) -> impl Iterator<Item = &Movement> {
        self.kept.iter().flatten().map(|kept| &kept.movement)
    }

    /// The movements that use a cell, each with the requirements it proves.
    pub fn proofs_using(&self, cell: CellId) -> impl Iterator<Item = (&Movement, &[u32])> {
        let slots = self.users[cell.index()].iter();
        let kept = slots.filter_map(|&slot| self.kept[slot as usize].as_ref());
        kept.map(|kept| (&kept.movement, kept.requirements.as_slice()))
    }

    /// The cells that proofs and primaries need hidden: the pattern the store proves.
    pub fn pattern(&self, problem: &Problem) -> Pattern {
        let mut pattern = Pattern::of_primaries(problem);
        for cell in problem.system().cells().filter(|&cell| self.is_used(cell)) {
            pattern.suppress(cell);
        }
        pattern
    }

    /// Adds a movement as the proof of every open requirement it meets, and its opposite, if the
    /// bounds allow, of those that meets. Says how many requirements are proven now that were not.
    pub fn add(&mut self, problem: &Problem, movement: Movement) -> usize {
        let back = movement.reversed(problem);
        let movement = stretched(problem, movement);
        let open_there = self.open_met(problem, &movement);
        let mut proven = open_there.len();
        self.keep(movement, open_there);
        if let Some(back) = back {
            let back = stretched(problem, back);
            let open_back = self.open_met(problem, &back);
            proven += open_back.len();
            self.keep(back, open_back);
        }
        proven
    }

    fn open_met(&self, problem: &Problem, movement: &Movement) -> Vec<u32> {
        let requirements = movement.cells().filter_map(|cell| self.of_cell.get(&cell)).flatten();
        let open = requirements.copied().filter(|&requirement| {
            !self.is_proven(requirement as usize)
                && movement.meets(problem, &self.requirements[requirement as usize])
        });
        open.collect()
    }

    fn keep(&mut self, movement: Movement, requirements: Vec<u32>) {
        if requirements.is_empty() {
            return;
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.kept.push(None);
            self.kept.len() as u32 - 1
        });
        for cell in movement.cells() {
            self.users[cell.index()].push(slot);
        }
        for &requirement in &requirements {
            self.proof[requirement as usize] = Some(slot);
        }
        self.kept[slot as usize] = Some(Kept { movement, requirements });
        if let Some(journal) = &mut self.journal {
            journal.push(Done::Kept(slot));
        }
    }

    /// Puts movements in the place of the proofs of some requirements, if that proves as much and
    /// changes the cost of what is hidden beyond `fixed` by at most `most`; says by how much it did.
    pub(crate) fn replace(
        &mut self,
        problem: &Problem,
        fixed: &Pattern,
        requirements: &[usize],
        movements: Vec<Movement>,
        most: f64,
    ) -> Option<f64> {
        let old = requirements.iter().filter_map(|&requirement| self.proof(requirement));
        let mut touched: Vec<CellId> = old.chain(&movements).flat_map(Movement::cells).collect();
        touched.sort_unstable();
        touched.dedup();
        touched.retain(|&cell| !fixed.is_suppressed(cell));
        let used = |store: &Self| -> f64 {
            let cells = touched.iter().filter(|&&cell| store.is_used(cell));
            cells.map(|&cell| problem.weight(cell)).sum()
        };
        let before = used(self);
        self.begin();
        let opened: Vec<usize> = requirements
            .iter()
            .flat_map(|&requirement| self.take_requirement(requirement).1)
            .collect();
        for movement in movements {
            self.add(problem, movement);
        }
        let change = used(self) - before;
        if change <= most && opened.iter().all(|&requirement| self.is_proven(requirement)) {
            self.commit();
            return Some(change);
        }
        self.roll_back();
        None
    }

    /// Takes away every proof that moves a cell. Gives the movements taken, so that
    /// [`Store::add`] can bring them back, and the requirements left open.
    pub fn take(&mut self, cell: CellId) -> (Vec<Movement>, Vec<usize>) {
        let slots = self.users[cell.index()].clone();
        self.take_slots(&slots)
    }

    /// Takes away the proof of a requirement, and with it that of all requirements that share it.
    pub fn take_requirement(&mut self, requirement: usize) -> (Vec<Movement>, Vec<usize>) {
        let slots: Vec<u32> = self.proof[requirement].into_iter().collect();
        self.take_slots(&slots)
    }

    fn take_slots(&mut self, slots: &[u32]) -> (Vec<Movement>, Vec<usize>) {
        let (mut movements, mut opened) = (Vec::new(), Vec::new());
        for &slot in slots {
            let Some(kept) = self.kept[slot as usize].take() else { continue };
            for cell in kept.movement.cells() {
                self.users[cell.index()].retain(|&user| user != slot);
            }
            for &requirement in &kept.requirements {
                self.proof[requirement as usize] = None;
                opened.push(requirement as usize);
            }
            movements.push(kept.movement.clone());
            self.free.push(slot);
            if let Some(journal) = &mut self.journal {
                journal.push(Done::Taken(kept));
            }
        }
        opened.sort_unstable();
        (movements, opened)
    }
}

/// A movement as long as it may be, so that it meets as much as it can. What contributors cannot rule
/// out may be ruled out by them when it is longer.
fn stretched(problem: &Problem, movement: Movement) -> Movement {
    match problem.contributions() {
        None => movement.stretched(problem),
        Some(_) => movement,
    }
}
