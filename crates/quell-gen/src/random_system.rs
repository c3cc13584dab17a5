//! Small random systems of every shape, for tests.
//!
//! Tables in papers are well behaved; the tables that break code are not. This class
//! draws, with a deliberate liking for corner cases: one to four dimensions, flat,
//! hierarchical and with alternative hierarchies, linked tables, systems that are no
//! cube at all; zeros, negatives, equal values, lines of one cell; every status; bounds
//! that are absent, wide, tight or one-sided; levels that are zero, lopsided, sliding or
//! beyond what the bounds allow. Whatever comes out adds up exactly, every value lies in
//! its bounds and no level is negative: the only fault left is the warning
//! `BeyondBounds`.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::leaves::all_leaves;
use quell_model::{
    Cell, CellId, Cube, Decimals, Dimension, Hierarchy, Labels, NodeId, Problem, Protection,
    Random, Reason, Status, Sum, System, SystemBuilder, UNBOUNDED_ABOVE, UNBOUNDED_BELOW, Value,
};

/// The kinds of systems [`random_problem`] draws from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A table of one to four flat dimensions.
    Flat,
    /// The same with trees, alternative hierarchies and chains of single codes.
    Hierarchical,
    /// Two tables of the same records that share a margin.
    Linked,
    /// Equations with coefficients ±1 (rarely ±2), constants, redundant equations and
    /// cells in no equation: no cube.
    General,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 4] = [Self::Flat, Self::Hierarchical, Self::Linked, Self::General];
}

/// A random problem of any shape with about `size` cells at most: a few more at times
/// (never above twice as many plus four), never fewer than two.
pub fn random_problem(random: &mut Random, size: usize) -> Problem {
    let shape = pick(random, &Shape::ALL);
    random_problem_of(shape, random, size)
}

/// A random problem of one shape; see [`random_problem`].
pub fn random_problem_of(shape: Shape, random: &mut Random, size: usize) -> Problem {
    let size = size.max(2);
    let skeleton = match shape {
        Shape::Flat => cube(random, size, false),
        Shape::Hierarchical => cube(random, size, true),
        Shape::Linked => linked(random, size),
        Shape::General => general(random, size),
    };
    dress(random, skeleton)
}

/// A system with additive values, before statuses, bounds and levels.
struct Skeleton {
    system: System,
    values: Vec<Value>,
    contributors: Vec<u32>,
    labels: Labels,
}

/// What a base cell brings to every total above it.
#[derive(Clone)]
struct Amount {
    value: Value,
    contributors: u32,
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        self.value += other.value;
        self.contributors += other.contributors;
    }
}

fn pick<T: Copy>(random: &mut Random, choices: &[T]) -> T {
    choices[random.below(choices.len())]
}

/// Uniform in `low..=high`.
fn between(random: &mut Random, low: Value, high: Value) -> Value {
    low + random.below((high - low + 1) as usize) as Value
}

/// How base values are drawn: one manner per table.
#[derive(Clone, Copy)]
enum Values {
    Small,
    Medium,
    ManyZeros,
    Equal(Value),
    Mixed,
    Negative,
    Wide,
}

impl Values {
    fn any(random: &mut Random) -> Self {
        let equal = between(random, 0, 9);
        pick(
            random,
            &[
                Self::Small,
                Self::Medium,
                Self::Medium,
                Self::ManyZeros,
                Self::Equal(equal),
                Self::Mixed,
                Self::Negative,
                Self::Wide,
            ],
        )
    }

    fn draw(self, random: &mut Random) -> Value {
        match self {
            Self::Small => between(random, 0, 3),
            Self::Medium => between(random, 0, 1000),
            Self::ManyZeros if random.chance(0.6) => 0,
            Self::ManyZeros => between(random, 1, 50),
            Self::Equal(value) => value,
            Self::Mixed => between(random, -50, 100),
            Self::Negative => between(random, -100, 0),
            Self::Wide if random.chance(0.2) => between(random, 0, 1_000_000),
            Self::Wide => between(random, 0, 5),
        }
    }
}

fn cube(random: &mut Random, size: usize, hierarchical: bool) -> Skeleton {
    let most = (2..=4).take_while(|&k| (1 << k) <= size).last().unwrap_or(1);
    let count = 1 + random.below(most);
    let lengths = lengths(random, count, size);
    let dimensions: Vec<Dimension> = lengths
        .iter()
        .enumerate()
        .map(|(position, &codes)| {
            let hierarchy = if hierarchical { tree(random, codes) } else { flat(codes) };
            Dimension::new(format!("v{}", position + 1), hierarchy)
        })
        .collect();
    let manner = Values::any(random);
    let density = pick(random, &[1.0, 1.0, 0.7, 0.3]);
    let mut base: Vec<(Vec<NodeId>, Amount)> = Vec::new();
    for coordinates in all_leaves(&dimensions) {
        if random.chance(density) {
            let value = manner.draw(random);
            base.push((coordinates, Amount { value, contributors: 1 + random.poisson(1.5) }));
        }
    }
    if base.is_empty() {
        // A table without any cell is no table.
        let first = dimensions.iter().map(|d| d.hierarchy.leaves().next().unwrap_or(0)).collect();
        base.push((first, Amount { value: manner.draw(random), contributors: 1 }));
    }
    let (cube, amounts) =
        Cube::roll_up(dimensions, base).expect("drawn from the leaves of these dimensions");
    Skeleton {
        system: cube.system(),
        values: amounts.iter().map(|amount| amount.value).collect(),
        contributors: amounts.iter().map(|amount| amount.contributors).collect(),
        labels: Labels::Cube(Box::new(cube)),
    }
}

/// Sizes of the dimensions, totals included, with a product of at most `size`.
fn lengths(random: &mut Random, count: usize, size: usize) -> Vec<usize> {
    let mut lengths = vec![2; count];
    // Stopping early now and then leaves dimensions of one leaf: degenerate lines.
    while random.chance(0.95) {
        let grown = random.below(count);
        lengths[grown] += 1;
        if lengths.iter().product::<usize>() > size {
            lengths[grown] -= 1;
            if lengths.iter().map(|&length| length + 1).max() > Some(size) || random.chance(0.3) {
                break;
            }
        }
    }
    lengths
}

fn flat(codes: usize) -> Hierarchy {
    Hierarchy::flat(codes.max(2) - 1)
}

/// A random tree with this many codes, at times with a second way to split its total.
fn tree(random: &mut Random, codes: usize) -> Hierarchy {
    let mut names = vec!["Total".to_owned()];
    let mut sums: Vec<Sum> = Vec::new();
    for node in 1..codes.max(2) as NodeId {
        let parent = if random.chance(0.5) { 0 } else { random.below(node as usize) as NodeId };
        names.push(format!("c{node}"));
        match sums.iter_mut().find(|sum| sum.total == parent) {
            Some(sum) => sum.parts.push(node),
            None => sums.push(Sum { total: parent, parts: vec![node] }),
        }
    }
    let is_total = |node| sums.iter().any(|sum| sum.total == node);
    let mut leaves: Vec<NodeId> =
        (0..names.len() as NodeId).filter(|&node| !is_total(node)).collect();
    if leaves.len() >= 4 && random.chance(0.2) {
        random.shuffle(&mut leaves);
        let cut = 1 + random.below(leaves.len() - 1);
        let (one, other) = (names.len() as NodeId, names.len() as NodeId + 1);
        names.extend(["this way".to_owned(), "that way".to_owned()]);
        sums.push(Sum { total: 0, parts: vec![one, other] });
        sums.push(Sum { total: one, parts: leaves[..cut].to_vec() });
        sums.push(Sum { total: other, parts: leaves[cut..].to_vec() });
    }
    Hierarchy::new(names, sums).expect("every code hangs under an earlier one")
}

/// Records over three variables, tabulated by the first and second and by the first and
/// third; the totals of the first variable are the same cells in both tables.
fn linked(random: &mut Random, size: usize) -> Skeleton {
    let half = size / 2;
    let shared_size = 2 + random.below(half.isqrt().max(2) - 1);
    let other = |random: &mut Random| 2 + random.below((half / shared_size).max(2) - 1);
    let (second, third) = (other(random), other(random));
    let dimension = |random: &mut Random, name: &str, codes: usize| {
        let hierarchy = if random.chance(0.5) { flat(codes) } else { tree(random, codes) };
        Dimension::new(name, hierarchy)
    };
    let shared = dimension(random, "a", shared_size);
    let (left, right) = (dimension(random, "b", second), dimension(random, "c", third));
    let manner = Values::any(random);
    let leaves = |dimension: &Dimension| dimension.hierarchy.leaves().collect::<Vec<_>>();
    let (of_shared, of_left, of_right) = (leaves(&shared), leaves(&left), leaves(&right));
    let records: Vec<[NodeId; 3]> = (0..size.max(2))
        .map(|_| [pick(random, &of_shared), pick(random, &of_left), pick(random, &of_right)])
        .collect();
    let amounts: Vec<Amount> =
        records.iter().map(|_| Amount { value: manner.draw(random), contributors: 1 }).collect();
    let tabulate = |second: &Dimension, place: usize| {
        let base = records
            .iter()
            .zip(&amounts)
            .map(|(record, amount)| (vec![record[0], record[place]], amount.clone()));
        Cube::roll_up(vec![shared.clone(), second.clone()], base).expect("records name leaves")
    };
    let tables = [tabulate(&left, 1), tabulate(&right, 2)];
    join(&tables)
}

/// One system out of tables whose totals over the second dimension are the same cells.
fn join(tables: &[(Cube, Vec<Amount>)]) -> Skeleton {
    let mut shared: BTreeMap<NodeId, CellId> = BTreeMap::new();
    let mut amounts: Vec<Amount> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut joined: Vec<Vec<CellId>> = Vec::new();
    for (cube, of_cube) in tables {
        let mut ids = Vec::with_capacity(of_cube.len());
        for (index, amount) in of_cube.iter().enumerate() {
            let cell = CellId::from_index(index);
            let fresh = CellId::from_index(amounts.len());
            let is_margin = cube.coordinate(cell, 1) == 0;
            let id = match is_margin {
                true => *shared.entry(cube.coordinate(cell, 0)).or_insert(fresh),
                false => fresh,
            };
            if id == fresh {
                amounts.push(amount.clone());
                let codes: Vec<String> = cube
                    .dimensions()
                    .iter()
                    .zip(cube.codes(cell))
                    .map(|(dimension, code)| format!("{}={code}", dimension.name))
                    .collect();
                names.push(codes.join(" "));
            }
            ids.push(id);
        }
        joined.push(ids);
    }
    let mut builder = SystemBuilder::new(amounts.len());
    for ((cube, _), ids) in tables.iter().zip(&joined) {
        let own = cube.system();
        for equation in own.equations() {
            let entries = own.cells_of(equation).map(|(cell, c)| (ids[cell.index()], c));
            builder.equation(entries, 0);
        }
    }
    Skeleton {
        system: builder.build(),
        values: amounts.iter().map(|amount| amount.value).collect(),
        contributors: amounts.iter().map(|amount| amount.contributors).collect(),
        labels: Labels::Named(names),
    }
}

/// Equations that come from no table. Each takes some cells with signs and either
/// defines a new cell by them or has the constant that makes it true.
fn general(random: &mut Random, size: usize) -> Skeleton {
    let manner = Values::any(random);
    let free = 1 + random.below((size * 2 / 3).max(1));
    let mut values: Vec<Value> = (0..free).map(|_| manner.draw(random)).collect();
    let mut equations: Vec<(Vec<(CellId, i32)>, Value)> = Vec::new();
    let wanted = 1 + random.below((size / 2).max(1));
    for _ in 0..wanted {
        let mut entries: Vec<(CellId, i32)> = Vec::new();
        if equations.len() >= 2 && random.chance(0.1) {
            // The sum of two others: adds nothing but trouble for rank-minded code.
            let one = random.below(equations.len());
            let other = random.below(equations.len());
            let (a, b) = (&equations[one], &equations[other]);
            let mut sum: BTreeMap<CellId, i32> = BTreeMap::new();
            for &(cell, coefficient) in a.0.iter().chain(&b.0) {
                *sum.entry(cell).or_default() += coefficient;
            }
            entries.extend(sum.into_iter().filter(|&(_, coefficient)| coefficient != 0));
            if !entries.is_empty() {
                let constant = a.1 + b.1;
                equations.push((entries, constant));
                continue;
            }
        }
        let mut cells: Vec<CellId> = (0..values.len()).map(CellId::from_index).collect();
        random.shuffle(&mut cells);
        let count = 1 + random.below(cells.len().min(6));
        for &cell in &cells[..count] {
            let size = if random.chance(0.03) { 2 } else { 1 };
            entries.push((cell, if random.chance(0.5) { size } else { -size }));
        }
        let sum: Value = entries
            .iter()
            .map(|&(cell, coefficient)| Value::from(coefficient) * values[cell.index()])
            .sum();
        if values.len() < size && random.chance(0.8) {
            // The new cell takes the sum with the sign that keeps magnitudes as they are.
            let sign = if sum >= 0 { -1 } else { 1 };
            entries.insert(0, (CellId::from_index(values.len()), sign));
            values.push(sum.abs());
            equations.push((entries, 0));
        } else {
            equations.push((entries, sum));
        }
    }
    // A cell in no equation is known to nobody: it must not be forgotten either.
    while values.len() < 2 || (values.len() < size && random.chance(0.1)) {
        values.push(manner.draw(random));
    }
    let mut builder = SystemBuilder::new(values.len());
    for (entries, constant) in equations {
        builder.equation(entries, constant);
    }
    let contributors = values.iter().map(|_| random.poisson(2.0)).collect();
    Skeleton { system: builder.build(), values, contributors, labels: Labels::Numbered }
}

/// What the attacker knows beforehand: one manner for the whole table, or any for each cell.
#[derive(Clone, Copy)]
enum Bounds {
    None,
    NonNegative,
    Wide,
    Proportional,
    Tight,
    OneSided,
    Fixed,
    Any,
}

impl Bounds {
    const SINGLE: [Self; 7] = [
        Self::None,
        Self::NonNegative,
        Self::Wide,
        Self::Proportional,
        Self::Tight,
        Self::OneSided,
        Self::Fixed,
    ];

    fn any(random: &mut Random) -> Self {
        pick(
            random,
            &[
                Self::NonNegative,
                Self::NonNegative,
                Self::NonNegative,
                Self::Wide,
                Self::None,
                Self::Proportional,
                Self::Tight,
                Self::Any,
                Self::Any,
            ],
        )
    }

    fn draw(self, random: &mut Random, value: Value) -> (Value, Value) {
        let size = value.abs();
        match self {
            Self::None => (UNBOUNDED_BELOW, UNBOUNDED_ABOVE),
            Self::NonNegative if value >= 0 => (0, UNBOUNDED_ABOVE),
            Self::NonNegative => (UNBOUNDED_BELOW, UNBOUNDED_ABOVE),
            Self::Wide => (value.min(0) * 3, size * 3 + 100),
            Self::Proportional => (value - (size + 1) / 2, value + (size + 1) / 2),
            Self::Tight => (value - between(random, 0, 2), value + between(random, 0, 2)),
            Self::OneSided if random.chance(0.5) => (value, UNBOUNDED_ABOVE),
            Self::OneSided => (UNBOUNDED_BELOW, value),
            Self::Fixed => (value, value),
            Self::Any => pick(random, &Self::SINGLE).draw(random, value),
        }
    }
}

/// How much protection primaries need: one manner for the whole table, or any for each cell.
#[derive(Clone, Copy)]
enum Levels {
    Zero,
    Unit,
    Percent(Value),
    Lopsided,
    Sliding,
    Any,
}

impl Levels {
    const SINGLE: [Self; 6] = [
        Self::Zero,
        Self::Unit,
        Self::Percent(10),
        Self::Percent(100),
        Self::Lopsided,
        Self::Sliding,
    ];

    fn any(random: &mut Random) -> Self {
        pick(
            random,
            &[
                Self::Percent(10),
                Self::Percent(10),
                Self::Percent(20),
                Self::Unit,
                Self::Zero,
                Self::Sliding,
                Self::Any,
                Self::Any,
            ],
        )
    }

    fn draw(self, random: &mut Random, value: Value) -> Protection {
        let size = value.abs();
        match self {
            Self::Zero => Protection::default(),
            Self::Unit => Protection { lower: 1, upper: 1, sliding: 0 },
            Self::Percent(percent) => {
                let level = (size * percent + 99) / 100;
                Protection { lower: level, upper: level, sliding: 0 }
            }
            Self::Lopsided => Protection {
                lower: between(random, 0, 2 + size / 4),
                upper: between(random, 0, 2 + size / 2),
                sliding: 0,
            },
            Self::Sliding => Protection {
                lower: if random.chance(0.5) { 0 } else { 1 },
                upper: if random.chance(0.5) { 0 } else { 1 },
                sliding: between(random, 1, 3 + size / 3),
            },
            Self::Any => pick(random, &Self::SINGLE).draw(random, value),
        }
    }
}

#[derive(Clone, Copy)]
enum Weights {
    Size,
    One,
    Contributors,
    Fraction,
    ManyZeros,
}

impl Weights {
    fn draw(self, random: &mut Random, value: Value, contributors: u32) -> f64 {
        match self {
            Self::Size => value.abs() as f64,
            Self::One => 1.0,
            Self::Contributors => f64::from(contributors),
            // Eighths are exact in binary and short in decimal.
            Self::Fraction => random.below(800) as f64 / 8.0,
            Self::ManyZeros => random.below(3) as f64,
        }
    }
}

const REASONS: [Reason; 3] = [Reason::Given, Reason::Frequency, Reason::Manual];

/// Statuses, bounds, levels and weights for a system with values.
fn dress(random: &mut Random, skeleton: Skeleton) -> Problem {
    let Skeleton { system, values, contributors, labels } = skeleton;
    let primaries = pick(random, &[0.05, 0.15, 0.3, 0.5, 0.9]);
    let secondaries = pick(random, &[0.0, 0.2, 0.5, 1.0]);
    let protected = pick(random, &[0.0, 0.0, 0.1, 0.4]);
    let bounds = Bounds::any(random);
    let levels = Levels::any(random);
    let weights = pick(
        random,
        &[
            Weights::Size,
            Weights::One,
            Weights::Contributors,
            Weights::Fraction,
            Weights::ManyZeros,
        ],
    );
    let reason = pick(random, &REASONS);
    // Zeros are mostly published as they stand, but not always.
    let zeros_protected = random.chance(0.5);
    let cells: Vec<Cell> = values
        .iter()
        .zip(&contributors)
        .map(|(&value, &contributors)| {
            let status = if random.chance(primaries) {
                Status::Primary(reason)
            } else if random.chance(protected) || (value == 0 && zeros_protected) {
                Status::Protected
            } else if random.chance(secondaries) {
                Status::Secondary
            } else {
                Status::Safe
            };
            let (lower_bound, upper_bound) = bounds.draw(random, value);
            Cell {
                value,
                weight: weights.draw(random, value, contributors),
                status,
                lower_bound,
                upper_bound,
                protection: levels.draw(random, value),
            }
        })
        .collect();
    let decimals = Decimals(random.below(4) as u8);
    let problem = Problem::new(system, decimals, cells).with_labels(labels);
    if random.chance(0.5) { problem.with_contributors(contributors) } else { problem }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quell_model::Fault;

    fn problems(shape: Shape, count: u64) -> impl Iterator<Item = Problem> {
        (0..count).map(move |seed| {
            let mut random = Random::new(seed, 0);
            let size = 2 + random.below(60);
            random_problem_of(shape, &mut random, size)
        })
    }

    #[test]
    fn every_random_problem_is_free_of_faults_but_warnings() {
        for shape in Shape::ALL {
            for (seed, problem) in problems(shape, 2000).enumerate() {
                let faults: Vec<Fault> =
                    problem.faults().into_iter().filter(|fault| !fault.is_warning()).collect();
                assert!(faults.is_empty(), "{shape:?}, seed {seed}: {faults:?}");
                assert!(problem.cell_count() >= 2);
            }
        }
    }

    #[test]
    fn sizes_are_kept() {
        for shape in Shape::ALL {
            for size in [2, 5, 12, 40, 150] {
                for seed in 0..200 {
                    let problem = random_problem_of(shape, &mut Random::new(seed, 1), size);
                    assert!(problem.cell_count() <= size * 2 + 4, "{shape:?} {size}");
                }
            }
        }
    }

    #[test]
    fn corner_cases_do_turn_up() {
        let all: Vec<Problem> = Shape::ALL.into_iter().flat_map(|s| problems(s, 500)).collect();
        let some = |what: &str, test: &dyn Fn(&Problem, CellId) -> bool| {
            let hits = all
                .iter()
                .filter(|problem| problem.system().cells().any(|cell| test(problem, cell)))
                .count();
            assert!(hits >= 30, "{what}: only {hits} of {}", all.len());
        };
        some("negative", &|p, c| p.value(c) < 0);
        some("zero", &|p, c| p.value(c) == 0);
        some("protected", &|p, c| p.status(c) == Status::Protected);
        some("secondary", &|p, c| p.status(c) == Status::Secondary);
        some("primary zero", &|p, c| p.status(c).is_primary() && p.value(c) == 0);
        some("no bounds", &|p, c| p.room_down(c) == Value::MAX && p.room_up(c) == Value::MAX);
        some("no room", &|p, c| p.room_down(c) == 0 && p.room_up(c) == 0);
        some("sliding", &|p, c| p.protection(c).sliding > 0);
        some("zero levels", &|p, c| p.protection(c) == Protection::default());
        some("in no equation", &|p, c| p.system().equations_of(c).len() == 0);
        some("in many equations", &|p, c| p.system().equations_of(c).len() >= 4);
        let equations = |test: &dyn Fn(&Problem, quell_model::EquationId) -> bool| {
            all.iter().filter(|p| p.system().equations().any(|e| test(p, e))).count()
        };
        assert!(equations(&|p, e| p.system().right_hand_side(e) != 0) >= 30);
        assert!(equations(&|p, e| p.system().cells_of(e).len() == 2) >= 30, "degenerate lines");
        assert!(equations(&|p, e| p.system().cells_of(e).any(|(_, c)| c.abs() == 2)) >= 30);
    }

    #[test]
    fn a_seed_gives_the_same_problem_again() {
        let draw = |seed| random_problem(&mut Random::new(seed, 0), 40);
        assert_eq!(draw(5), draw(5));
        assert_ne!(draw(5), draw(6));
    }
}
