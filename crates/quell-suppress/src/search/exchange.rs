//! Exchange classes: a safe pattern of a sparse giant without a linear program.
//!
//! Two base cells with the same published cells above them can trade: one rises, the other
//! falls, and with them the hidden cells above each; nothing published changes. With all cells
//! hidden, every base cell can trade with every other. Every cell that is published splits the base
//! cells into those under it and the others, who no longer trade. So publish the dearest cells
//! first, as long as every class that results can still give its primaries what they need.
//!
//! A primary `p` needs the share `q = level/capacity` of what its base cells can move. A class
//! `K` grants its part if the others in it can move as much: `c(K) − c(K∩p) ≥ q·c(K∩p)`, where
//! `c` adds up how far base cells can move. If all classes that share base cells with `p` do,
//! `p` can move by its level, up and down.
//!
//! Time: about the sum over all cells of the base cells under them, times the primaries above
//! one.

use quell_model::{Ancestry, CellId, Pattern, Problem, Status, Value};

/// More than this a base cell is not taken to move, so that sums are exact.
const MOST: Value = 1 << 40;

/// How often every cell is tried.
const PASSES: usize = 2;

/// A pattern in which exchanges protect every primary that they can; `None` if the system does
/// not consist of sums.
pub(crate) fn with_exchanges(problem: &Problem) -> Option<Pattern> {
    let ancestry = Ancestry::of(problem.system())?;
    let mut classes = Classes::new(problem, &ancestry);
    let candidates = problem.system().cells().filter(|&cell| !problem.status(cell).is_primary());
    let (fixed, mut left): (Vec<CellId>, Vec<CellId>) =
        candidates.partition(|&cell| problem.status(cell) == Status::Protected);
    for cell in fixed {
        let parts = classes.parts(ancestry.under(cell));
        classes.split(&parts);
    }
    left.sort_by(|&a, &b| problem.weight(b).total_cmp(&problem.weight(a)).then(a.cmp(&b)));
    // What would have split a class may be a union of classes later.
    for _ in 0..PASSES {
        left.retain(|&cell| {
            let mut parts = classes.parts(ancestry.under(cell));
            let fits = parts.iter_mut().all(|part| classes.can_split(part));
            if fits {
                classes.split(&parts);
            }
            !fits
        });
    }
    let mut pattern = Pattern::of_primaries(problem);
    left.into_iter().for_each(|cell| pattern.suppress(cell));
    Some(pattern)
}

/// Base cells that can trade with each other.
#[derive(Debug, Clone)]
struct Class {
    members: Vec<u32>,
    /// What they can move in all.
    capacity: Value,
    /// Their primaries need no more capacity than this.
    needed: f64,
}

/// Some base cells of a class, not all.
#[derive(Debug, Clone)]
struct Part {
    class: u32,
    members: Vec<u32>,
    capacity: Value,
    /// What is needed among these and among the others of the class.
    needed: [f64; 2],
}

struct Classes {
    /// How far each base cell can move, with all above it.
    capacities: Vec<Value>,
    /// For each base cell the primaries above it that exchanges can protect.
    primaries: Vec<Vec<u32>>,
    /// By primary: 1 + q.
    shares: Vec<f64>,
    class_of: Vec<u32>,
    place_in_class: Vec<u32>,
    classes: Vec<Class>,
    /// Working memory: capacities by primary, and who is in a part.
    sums: Vec<Value>,
    is_inside: Vec<bool>,
}

impl Classes {
    /// All base cells in one class.
    fn new(problem: &Problem, ancestry: &Ancestry) -> Self {
        let count = ancestry.base().len();
        let room = |cell: CellId| problem.room_down(cell).min(problem.room_up(cell));
        let capacities: Vec<Value> = (0..count as u32)
            .map(|base| ancestry.over(base).map(room).min().unwrap_or(0).clamp(0, MOST))
            .collect();
        let all: Value = capacities.iter().sum();
        let mut primaries = vec![Vec::new(); count];
        let mut shares = Vec::new();
        for cell in problem.primaries() {
            let under = ancestry.under(cell);
            let capacity: Value = under.iter().map(|&base| capacities[base as usize]).sum();
            let levels = problem.protection(cell);
            let level = levels.lower.max(levels.upper).max(levels.sliding);
            // What all others together cannot protect asks for nothing.
            if level <= capacity && capacity.saturating_add(level) <= all {
                under.iter().for_each(|&base| primaries[base as usize].push(shares.len() as u32));
                shares.push(1.0 + level as f64 / capacity.max(1) as f64);
            }
        }
        let members: Vec<u32> = (0..count as u32).collect();
        Self {
            sums: vec![0; shares.len()],
            is_inside: vec![false; count],
            class_of: vec![0; count],
            place_in_class: members.clone(),
            classes: vec![Class { members, capacity: all, needed: f64::INFINITY }],
            capacities,
            primaries,
            shares,
        }
    }

    /// The parts into which publishing the sum of some base cells splits classes, small ones
    /// first: most often it is these that cannot be had, and they are soon looked at.
    fn parts(&self, under: &[u32]) -> Vec<Part> {
        let mut by_class: Vec<(u32, u32)> =
            under.iter().map(|&base| (self.class_of[base as usize], base)).collect();
        by_class.sort_unstable();
        let parts = by_class.chunk_by(|one, other| one.0 == other.0).filter_map(|part| {
            let class = part[0].0;
            let members = || part.iter().map(|&(_, base)| base);
            let whole = &self.classes[class as usize];
            (part.len() < whole.members.len()).then(|| Part {
                class,
                members: members().collect(),
                capacity: members().map(|base| self.capacities[base as usize]).sum(),
                needed: [whole.needed; 2],
            })
        });
        let mut parts: Vec<Part> = parts.collect();
        parts.sort_by_key(|part| part.members.len());
        parts
    }

    /// Whether both sides of a split can still give their primaries what they need. Looks
    /// closely only where what the whole class needs is more than a side has.
    fn can_split(&mut self, part: &mut Part) -> bool {
        let capacity = self.classes[part.class as usize].capacity;
        if (part.capacity as f64) < part.needed[0] {
            part.needed[0] = needed(&part.members, self);
            if (part.capacity as f64) < part.needed[0] {
                return false;
            }
        }
        let left = (capacity - part.capacity) as f64;
        if left < part.needed[1] {
            part.members.iter().for_each(|&base| self.is_inside[base as usize] = true);
            let all = &self.classes[part.class as usize].members;
            let others: Vec<u32> =
                all.iter().copied().filter(|&base| !self.is_inside[base as usize]).collect();
            part.members.iter().for_each(|&base| self.is_inside[base as usize] = false);
            part.needed[1] = needed(&others, self);
        }
        left >= part.needed[1]
    }

    /// Makes classes of parts.
    fn split(&mut self, parts: &[Part]) {
        for part in parts {
            let number = self.classes.len() as u32;
            let whole = &mut self.classes[part.class as usize];
            whole.capacity -= part.capacity;
            whole.needed = part.needed[1];
            for &base in &part.members {
                let place = self.place_in_class[base as usize] as usize;
                whole.members.swap_remove(place);
                if let Some(&moved) = whole.members.get(place) {
                    self.place_in_class[moved as usize] = place as u32;
                }
            }
            for (place, &base) in part.members.iter().enumerate() {
                self.class_of[base as usize] = number;
                self.place_in_class[base as usize] = place as u32;
            }
            self.classes.push(Class {
                members: part.members.clone(),
                capacity: part.capacity,
                needed: part.needed[0],
            });
        }
    }
}

/// The capacity that some base cells must have among them for the primaries above them.
fn needed(members: &[u32], classes: &mut Classes) -> f64 {
    let Classes { capacities, primaries, shares, sums, .. } = classes;
    let mut most = 0.0_f64;
    for &base in members {
        for &primary in &primaries[base as usize] {
            let sum = &mut sums[primary as usize];
            *sum += capacities[base as usize];
            most = most.max(*sum as f64 * shares[primary as usize]);
        }
    }
    for &base in members {
        primaries[base as usize].iter().for_each(|&primary| sums[primary as usize] = 0);
    }
    most
}

#[cfg(test)]
mod tests {
    use quell_attack::{Verdict, audit};
    use quell_gen::{DimensionSize, Ons, Sparse};
    use quell_model::{Budget, Silent};

    use super::*;

    fn unsafe_primaries(problem: &Problem, pattern: &Pattern) -> usize {
        let audit = audit(problem, pattern, &Budget::default(), &Silent).expect("solved");
        audit.primaries.iter().filter(|finding| finding.verdict != Verdict::Safe).count()
    }

    #[test]
    fn exchanges_protect_sparse_tables() {
        for seed in 0..10 {
            let problem = Sparse::giant_of(200).generate(seed).expect("a table");
            let pattern = with_exchanges(&problem).expect("a cube consists of sums");
            assert_eq!(unsafe_primaries(&problem, &pattern), 0, "{seed}");
            assert!(pattern.len() < problem.cell_count(), "{seed}: something is published");
        }
    }

    #[test]
    fn exchanges_protect_dense_tables_with_hierarchies() {
        let dimensions = vec![DimensionSize::flat(5), DimensionSize::hierarchical(12)];
        let table = Ons { dimensions, ..Ons::default() };
        for seed in 0..20 {
            let problem = table.generate(seed).expect("a table");
            let pattern = with_exchanges(&problem).expect("a cube consists of sums");
            assert_eq!(unsafe_primaries(&problem, &pattern), 0, "{seed}");
        }
    }

    #[test]
    fn what_must_be_published_is() {
        let problem = Sparse::giant_of(100).generate(1).expect("a table");
        let mut statuses = Pattern::of_primaries(&problem).statuses(&problem);
        let hidden = with_exchanges(&problem).expect("a cube consists of sums");
        let chosen = hidden.secondaries(&problem).next().expect("there are secondaries");
        statuses[chosen.index()] = Status::Protected;
        let problem = problem.with_statuses(statuses);
        let pattern = with_exchanges(&problem).expect("a cube consists of sums");
        assert!(!pattern.is_suppressed(chosen));
    }
}
