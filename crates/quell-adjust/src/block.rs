//! Parts of a table that can be bounded on their own: the paper's partitioning bound.
//!
//! Without some of its equations a table falls apart into blocks that share no cell. Each
//! block is a small instance; what its cells cost in any adjusted table of the whole is at
//! least the block's own optimum. In a three-way table without the equations along one
//! dimension the blocks are its two-way slices.

use quell_model::{Cell, CellId, EquationId, Problem, SystemBuilder};

use crate::Instance;

/// A part of a table.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// Its cells in the whole table.
    pub(crate) cells: Vec<CellId>,
    /// Its table.
    problem: Problem,
}

impl Block {
    /// The part of a table that some equations make.
    pub(crate) fn new(problem: &Problem, equations: &[EquationId]) -> Self {
        let system = problem.system();
        let all = equations.iter().flat_map(|&e| system.cells_of(e).map(|(cell, _)| cell));
        let mut cells: Vec<CellId> = all.collect();
        cells.sort_unstable();
        cells.dedup();
        let mut builder = SystemBuilder::new(cells.len());
        for &equation in equations {
            let entries = system.cells_of(equation).map(|(cell, coefficient)| {
                let index = cells.binary_search(&cell).unwrap_or_default();
                (CellId::from_index(index), coefficient)
            });
            builder.equation(entries.collect::<Vec<_>>(), system.right_hand_side(equation));
        }
        let of = |&cell: &CellId| -> Cell { problem.cell(cell) };
        let problem = Problem::new(builder.build(), problem.decimals(), cells.iter().map(of));
        Self { cells, problem }
    }

    /// The block as an instance, with the costs and limits of the whole.
    pub(crate) fn instance<'b>(&'b self, whole: &Instance) -> Instance<'b> {
        let pick = |from: &[i64]| self.cells.iter().map(|cell| from[cell.index()]).collect();
        let mut position = vec![u32::MAX; self.cells.len()];
        let mut sensitive = Vec::new();
        for (index, &cell) in self.cells.iter().enumerate() {
            if let Some(of_whole) = whole.sensitive_at(cell) {
                position[index] = sensitive.len() as u32;
                let mut here = *of_whole;
                here.cell = CellId::from_index(index);
                sensitive.push(here);
            }
        }
        Instance {
            problem: &self.problem,
            costs: self.cells.iter().map(|cell| whole.costs[cell.index()]).collect(),
            down: pick(&whole.down),
            up: pick(&whole.up),
            sensitive,
            distance: whole.distance,
            position,
            quality: Vec::new(),
        }
    }
}

/// Classes of equations such that those of one class share no cell: in a flat table one
/// class a dimension.
pub(crate) fn classes(problem: &Problem) -> Vec<Vec<EquationId>> {
    let system = problem.system();
    let mut class_of = vec![usize::MAX; system.equation_count()];
    let mut classes: Vec<Vec<EquationId>> = Vec::new();
    let mut taken = Vec::new();
    for equation in system.equations() {
        taken.clear();
        for (cell, _) in system.cells_of(equation) {
            taken.extend(system.equations_of(cell).map(|(other, _)| class_of[other.index()]));
        }
        let class = (0..).find(|class| !taken.contains(class)).unwrap_or(0);
        class_of[equation.index()] = class;
        if class == classes.len() {
            classes.push(Vec::new());
        }
        classes[class].push(equation);
    }
    classes
}

/// The blocks that are left without the equations for which `without` is true.
pub(crate) fn blocks(problem: &Problem, without: &[bool]) -> Vec<Vec<EquationId>> {
    let system = problem.system();
    let mut seen = without.to_vec();
    let mut blocks = Vec::new();
    for start in system.equations() {
        if std::mem::replace(&mut seen[start.index()], true) {
            continue;
        }
        let mut block = vec![start];
        let mut next = 0;
        while next < block.len() {
            for (cell, _) in system.cells_of(block[next]) {
                for (other, _) in system.equations_of(cell) {
                    if !std::mem::replace(&mut seen[other.index()], true) {
                        block.push(other);
                    }
                }
            }
            next += 1;
        }
        blocks.push(block);
    }
    blocks
}
