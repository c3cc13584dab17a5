//! The simple sub-tables of a cube, and a part of a problem as a problem of its own.

use std::collections::BTreeSet;

use quell_model::{
    Cell, CellId, Cube, EquationId, Hierarchy, NodeId, Pattern, Problem, SystemBuilder, Value,
};

/// Codes of one dimension that a sub-table takes: a total and its parts.
struct Block {
    codes: Vec<NodeId>,
    /// How far below the grand total the total is.
    level: usize,
}

/// The blocks of one dimension, and which of them hold a code.
struct Blocks {
    all: Vec<Block>,
    of_code: Vec<Vec<u32>>,
}

impl Blocks {
    fn new(hierarchy: &Hierarchy) -> Self {
        let level = |node: NodeId| hierarchy.ancestors(node).len();
        let mut all: Vec<Block> = hierarchy
            .sums()
            .iter()
            .map(|sum| Block {
                codes: [sum.total].into_iter().chain(sum.parts.iter().copied()).collect(),
                level: level(sum.total),
            })
            .collect();
        if all.is_empty() {
            all.push(Block { codes: (0..hierarchy.len() as NodeId).collect(), level: 0 });
        }
        let mut of_code = vec![Vec::new(); hierarchy.len()];
        for (number, block) in all.iter().enumerate() {
            for &code in &block.codes {
                of_code[code as usize].push(number as u32);
            }
        }
        Self { all, of_code }
    }
}

/// A sub-table: how far below the top it is, and its block in every dimension. The order
/// is the one they are treated in.
type SubTable = (usize, Vec<u32>);

/// The sub-tables that wait to be protected.
pub struct SubTables<'a> {
    cube: &'a Cube,
    dimensions: Vec<Blocks>,
    waiting: BTreeSet<SubTable>,
    current: Option<SubTable>,
}

impl<'a> SubTables<'a> {
    /// None of a cube's sub-tables.
    pub fn new(cube: &'a Cube) -> Self {
        let blocks = cube.dimensions().iter().map(|dimension| Blocks::new(&dimension.hierarchy));
        Self { cube, dimensions: blocks.collect(), waiting: BTreeSet::new(), current: None }
    }

    /// Adds every sub-table that holds a cell.
    pub fn add_all_with(&mut self, cell: CellId) {
        let mut tables: Vec<SubTable> = vec![(0, Vec::new())];
        for (position, blocks) in self.dimensions.iter().enumerate() {
            let code = self.cube.coordinate(cell, position);
            let holding = &blocks.of_code[code as usize];
            tables = tables
                .iter()
                .flat_map(|(level, chosen)| {
                    holding.iter().map(move |&block| {
                        let chosen = chosen.iter().copied().chain([block]).collect();
                        (level + blocks.all[block as usize].level, chosen)
                    })
                })
                .collect();
        }
        self.waiting.extend(tables);
    }

    /// Takes the topmost sub-table and gives its cells, rising.
    pub fn next(&mut self) -> Option<Vec<CellId>> {
        let table = self.waiting.pop_first()?;
        let mut coordinates: Vec<Vec<NodeId>> = vec![Vec::new()];
        for (blocks, &chosen) in self.dimensions.iter().zip(&table.1) {
            let codes = &blocks.all[chosen as usize].codes;
            coordinates = coordinates
                .iter()
                .flat_map(|before| {
                    codes.iter().map(move |&code| before.iter().copied().chain([code]).collect())
                })
                .collect();
        }
        let mut cells: Vec<CellId> =
            coordinates.iter().filter_map(|coordinates| self.cube.find(coordinates)).collect();
        cells.sort_unstable();
        self.current = Some(table);
        Some(cells)
    }

    /// Says that the sub-table taken last is protected, with all that it hid itself.
    pub fn finish(&mut self) {
        if let Some(table) = self.current.take() {
            self.waiting.remove(&table);
        }
    }
}

/// Some cells of a problem as a problem of their own.
pub struct SubProblem {
    /// The part as a problem; its cells are those given, in order.
    pub problem: Problem,
    cells: Vec<CellId>,
}

impl SubProblem {
    /// The part of `problem` on `cells` (rising) with the equations that lie wholly among
    /// them, and with what is known of each cell by `known`.
    pub fn extract(problem: &Problem, cells: &[CellId], known: impl Fn(CellId) -> Cell) -> Self {
        let system = problem.system();
        let mut builder = SystemBuilder::new(cells.len());
        for equation in equations(problem, cells) {
            let inside: Option<Vec<(CellId, i32)>> = system
                .cells_of(equation)
                .map(|(cell, coefficient)| Some((place(cells, cell)?, coefficient)))
                .collect();
            if let Some(entries) = inside {
                builder.equation(entries, system.right_hand_side(equation));
            }
        }
        let parts = cells.iter().map(|&cell| known(cell));
        let part = Problem::new(builder.build(), problem.decimals(), parts);
        Self { problem: part, cells: cells.to_vec() }
    }

    /// The part of `problem` on `cells` (rising) with every equation that touches them, all
    /// other cells as if published: what moves here moves in the whole.
    pub fn with_the_rest_fixed(problem: &Problem, cells: &[CellId]) -> Self {
        let mut builder = SystemBuilder::new(cells.len());
        for equation in equations(problem, cells) {
            let (mut entries, mut sum) = (Vec::new(), 0_i128);
            for (cell, coefficient) in problem.system().cells_of(equation) {
                if let Some(place) = place(cells, cell) {
                    entries.push((place, coefficient));
                    sum += i128::from(coefficient) * i128::from(problem.value(cell));
                }
            }
            // A sum beyond 64 bits is of no table we can read.
            builder.equation(entries, Value::try_from(sum).unwrap_or(0));
        }
        let parts = cells.iter().map(|&cell| problem.cell(cell));
        let part = Problem::new(builder.build(), problem.decimals(), parts);
        Self { problem: part, cells: cells.to_vec() }
    }

    /// The cells, as the whole problem calls them, that a pattern of the part hides.
    pub fn hidden<'a>(&'a self, pattern: &'a Pattern) -> impl Iterator<Item = CellId> + 'a {
        pattern.suppressed().map(|cell| self.cells[cell.index()])
    }
}

/// The place of a cell among `cells`, rising.
fn place(cells: &[CellId], cell: CellId) -> Option<CellId> {
    cells.binary_search(&cell).ok().map(CellId::from_index)
}

/// The equations that touch `cells`, rising.
fn equations(problem: &Problem, cells: &[CellId]) -> BTreeSet<EquationId> {
    let of = |&cell: &CellId| problem.system().equations_of(cell).map(|(id, _)| id);
    cells.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use quell_gen::{DimensionSize, Ons};
    use quell_model::Labels;

    use super::*;

    #[test]
    fn every_equation_of_a_hierarchical_table_lies_in_a_sub_table_and_the_top_comes_first() {
        let dimensions = vec![DimensionSize::hierarchical(14), DimensionSize::hierarchical(9)];
        let problem = Ons { dimensions, zeros: 0.2, ..Ons::default() }.generate(3).unwrap();
        let Labels::Cube(cube) = problem.labels() else { panic!("a cube") };
        let mut waiting = SubTables::new(cube);
        problem.system().cells().for_each(|cell| waiting.add_all_with(cell));
        let mut tables = Vec::new();
        while let Some(cells) = waiting.next() {
            waiting.finish();
            tables.push(cells);
        }
        assert!(tables[0].contains(&CellId(0)), "the grand total is in the first");
        for equation in problem.system().equations() {
            let inside = |table: &Vec<CellId>| {
                problem.system().cells_of(equation).all(|(cell, _)| table.contains(&cell))
            };
            assert!(tables.iter().any(inside));
        }
        let largest = tables.iter().map(Vec::len).max().unwrap();
        assert!(largest < problem.cell_count());
    }
}
