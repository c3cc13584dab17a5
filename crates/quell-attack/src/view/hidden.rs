//! The attacker's view: the hidden cells and the equations they stand in.
//!
//! Published cells are constants, so an attacker's table is `a + y` where only hidden
//! cells move and every equation says `Σ M y = 0`. In these terms (movements from the
//! true value) the right-hand sides vanish and the bounds become *rooms*: how far a
//! cell can fall and rise.

use std::cmp::Reverse;

use quell_model::{CellId, Direction, EquationId, Pattern, Problem, System, Value};

use super::{Start, tighten};

/// Sparse rows of `(index, coefficient)`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    starts: Vec<usize>,
    entries: Vec<(u32, i32)>,
}

impl Rows {
    fn new() -> Self {
        Self { starts: vec![0], entries: Vec::new() }
    }

    fn push(&mut self, row: impl IntoIterator<Item = (u32, i32)>) {
        self.entries.extend(row);
        self.starts.push(self.entries.len());
    }

    fn transposed(&self, columns: usize) -> Self {
        let mut starts = vec![0; columns + 1];
        for &(column, _) in &self.entries {
            starts[column as usize + 1] += 1;
        }
        for column in 0..columns {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0, 0); self.entries.len()];
        for row in 0..self.len() {
            for &(column, coefficient) in self.row(row) {
                entries[next[column as usize]] = (row as u32, coefficient);
                next[column as usize] += 1;
            }
        }
        Self { starts, entries }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn row(&self, row: usize) -> &[(u32, i32)] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }
}

/// Hidden cells, the equations they stand in, and how far each can move.
///
/// Cells and equations have positions of their own here, in the order of the problem.
#[derive(Debug, Clone)]
pub(crate) struct View {
    cells: Vec<CellId>,
    equations: Vec<EquationId>,
    by_equation: Rows,
    by_cell: Rows,
    /// How far each cell can fall; `Value::MAX` without limit.
    pub(crate) down: Vec<Value>,
    /// How far each cell can rise; `Value::MAX` without limit.
    pub(crate) up: Vec<Value>,
}

/// An enclosure with more lines than this does not grow any further.
const MOST_LINES: usize = 9_000;

/// A position that is not part of the view.
const ABSENT: u32 = u32::MAX;

impl View {
    /// The view on `problem` of an attacker who does not see the cells of `pattern`.
    pub(crate) fn new(problem: &Problem, pattern: &Pattern) -> Self {
        let system = problem.system();
        let cells: Vec<CellId> = pattern.suppressed().collect();
        let mut position = vec![ABSENT; problem.cell_count()];
        let mut touched = vec![false; system.equation_count()];
        for (index, &cell) in cells.iter().enumerate() {
            position[cell.index()] = index as u32;
            for (equation, _) in system.equations_of(cell) {
                touched[equation.index()] = true;
            }
        }
        let equations: Vec<EquationId> =
            system.equations().filter(|equation| touched[equation.index()]).collect();
        let mut by_equation = Rows::new();
        for &equation in &equations {
            let row = system.cells_of(equation).filter_map(|(cell, coefficient)| {
                let index = position[cell.index()];
                (index != ABSENT).then_some((index, coefficient))
            });
            by_equation.push(row);
        }
        Self {
            by_cell: by_equation.transposed(cells.len()),
            down: cells.iter().map(|&cell| problem.room_down(cell)).collect(),
            up: cells.iter().map(|&cell| problem.room_up(cell)).collect(),
            cells,
            equations,
            by_equation,
        }
    }

    /// The same view without the cells that cannot move, split into parts that share no
    /// equation. The rooms of `self` should be tightened before.
    pub(crate) fn components(&self) -> Vec<Self> {
        let movable = |cell: usize| self.down[cell] > 0 || self.up[cell] > 0;
        let mut part = vec![ABSENT; self.len()];
        let mut seen_equation = vec![false; self.equations.len()];
        let mut parts: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for start in 0..self.len() {
            if part[start] != ABSENT || !movable(start) {
                continue;
            }
            let number = parts.len() as u32;
            part[start] = number;
            let (mut cells, mut equations) = (vec![start as u32], Vec::new());
            let mut next = 0;
            while next < cells.len() {
                for &(equation, _) in self.by_cell.row(cells[next] as usize) {
                    if std::mem::replace(&mut seen_equation[equation as usize], true) {
                        continue;
                    }
                    equations.push(equation);
                    for &(other, _) in self.by_equation.row(equation as usize) {
                        if part[other as usize] == ABSENT && movable(other as usize) {
                            part[other as usize] = number;
                            cells.push(other);
                        }
                    }
                }
                next += 1;
            }
            cells.sort_unstable();
            equations.sort_unstable();
            parts.push((cells, equations));
        }
        let mut position = vec![ABSENT; self.len()];
        for (cells, _) in &parts {
            for (index, &cell) in cells.iter().enumerate() {
                position[cell as usize] = index as u32;
            }
        }
        // No two parts share an equation, so that no cell is mistaken for one of another.
        let place = |cell: u32| Some(position[cell as usize]).filter(|&index| index != ABSENT);
        parts.iter().map(|(cells, equations)| self.part(cells, equations, place)).collect()
    }

    /// The view of a few cells, rising, and all their equations, the others standing still.
    pub(crate) fn of_cells(&self, cells: &[u32]) -> Self {
        let own = cells.iter().flat_map(|&cell| self.equations_of(cell as usize));
        let mut equations: Vec<u32> = own.map(|&(equation, _)| equation).collect();
        equations.sort_unstable();
        equations.dedup();
        self.small_part(cells, &equations)
    }

    /// The view of a few cells, rising, and equations: without looking at all the others.
    fn small_part(&self, cells: &[u32], equations: &[u32]) -> Self {
        let place = |cell: u32| cells.binary_search(&cell).ok().map(|index| index as u32);
        self.part(cells, equations, place)
    }

    /// The view of some cells and equations, where `place` tells where each cell is.
    fn part(&self, cells: &[u32], equations: &[u32], place: impl Fn(u32) -> Option<u32>) -> Self {
        let mut by_equation = Rows::new();
        for &equation in equations {
            let row = self.by_equation.row(equation as usize).iter();
            by_equation
                .push(row.filter_map(|&(cell, coefficient)| Some((place(cell)?, coefficient))));
        }
        Self {
            cells: cells.iter().map(|&cell| self.cells[cell as usize]).collect(),
            equations: equations.iter().map(|&e| self.equations[e as usize]).collect(),
            by_cell: by_equation.transposed(cells.len()),
            by_equation,
            down: cells.iter().map(|&cell| self.down[cell as usize]).collect(),
            up: cells.iter().map(|&cell| self.up[cell as usize]).collect(),
        }
    }

    /// The cells within `radius` equations of a cell, and every equation they stand in.
    /// The other cells of such an equation are taken together as one, free of its other
    /// equations. That frees the attacker's movements: what is impossible here is
    /// impossible in the whole.
    pub(crate) fn neighbourhood(&self, cell: usize, radius: usize) -> Self {
        let (mut cells, mut equations) = (vec![cell as u32], Vec::new());
        for step in 0..=radius {
            equations = cells
                .iter()
                .flat_map(|&cell| self.equations_of(cell as usize).iter().map(|&(e, _)| e))
                .collect();
            equations.sort_unstable();
            equations.dedup();
            if step < radius {
                let all = equations.iter().flat_map(|&equation| self.cells_of(equation as usize));
                cells = all.map(|&(cell, _)| cell).collect();
                cells.sort_unstable();
                cells.dedup();
            }
        }
        let mut around = self.small_part(&cells, &equations);
        let mut with_others = Rows::new();
        for (row, &equation) in equations.iter().enumerate() {
            let mut entries = around.by_equation.row(row).to_vec();
            let outside = self.cells_of(equation as usize).iter();
            let outside = outside.filter(|&&(cell, _)| cells.binary_search(&cell).is_err());
            let (falls, rises) = outside.fold((0, 0), |(falls, rises): (Value, Value), entry| {
                let (fall, rise) = self.term_rooms(entry);
                (falls.saturating_add(fall), rises.saturating_add(rise))
            });
            if falls != 0 || rises != 0 {
                entries.push((around.cells.len() as u32, 1));
                around.cells.push(CellId(u32::MAX));
                around.down.push(falls);
                around.up.push(rises);
            }
            with_others.push(entries);
        }
        around.by_cell = with_others.transposed(around.cells.len());
        around.by_equation = with_others;
        around
    }

    /// The cells of the box around a cell, the others standing still, as far as they can
    /// move then. What is possible here is possible in the whole. `None` if the cell itself
    /// cannot move.
    ///
    /// The box has the roomiest hidden cells in the lines of the cell as edges, `width` in each.
    /// Without coordinates: its lines are the equations of those cells and of all cells,
    /// published ones too, where two such equations cross, and again for every dimension above
    /// three; its cells are those with no other equations.
    pub(crate) fn enclosure(&self, system: &System, cell: usize, width: usize) -> Option<Self> {
        let room = |cell: u32| self.down[cell as usize].min(self.up[cell as usize]);
        let mut edges = vec![cell as u32];
        for &(line, _) in self.equations_of(cell) {
            let mut others: Vec<u32> =
                self.cells_of(line as usize).iter().map(|one| one.0).collect();
            others.retain(|&other| other as usize != cell);
            if others.len() > width {
                others.select_nth_unstable_by_key(width, |&other| (Reverse(room(other)), other));
                others.truncate(width);
            }
            edges.extend(others);
        }
        let mut lines: Vec<EquationId> = edges
            .iter()
            .flat_map(|&cell| system.equations_of(self.cell(cell as usize)))
            .map(|(equation, _)| equation)
            .collect();
        lines.sort_unstable();
        lines.dedup();
        let dimensions = system.equations_of(self.cell(cell)).len();
        for _ in 2..dimensions.max(3) {
            let mut crossed: Vec<CellId> = lines
                .iter()
                .flat_map(|&equation| system.cells_of(equation).map(|(cell, _)| cell))
                .collect();
            crossed.sort_unstable();
            for repeated in crossed.chunk_by(|a, b| a == b).filter(|repeated| repeated.len() > 1) {
                lines.extend(system.equations_of(repeated[0]).map(|(equation, _)| equation));
            }
            lines.sort_unstable();
            lines.dedup();
            if lines.len() > MOST_LINES {
                break;
            }
        }
        let equations: Vec<u32> = lines
            .iter()
            .filter_map(|line| self.equations.binary_search(line).ok())
            .map(|position| position as u32)
            .collect();
        let is_closed = |&cell: &u32| {
            let mut own = self.equations_of(cell as usize).iter();
            own.all(|(equation, _)| equations.binary_search(equation).is_ok())
        };
        let all = equations.iter().flat_map(|&equation| self.cells_of(equation as usize));
        let mut cells: Vec<u32> = all.map(|&(cell, _)| cell).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.retain(is_closed);
        self.closed(&cells, &equations, cell)
    }

    /// The part around `cell` of the view of some cells and all their equations, both rising,
    /// the other cells standing still, as far as cells can move then; `None` if it cannot.
    pub(crate) fn closed(&self, cells: &[u32], equations: &[u32], cell: usize) -> Option<Self> {
        let mut closed = self.small_part(cells, equations);
        tighten(&mut closed, Start::Everywhere, |_, _| ());
        let id = self.cell(cell);
        closed.components().into_iter().find(|part| part.position(id).is_some())
    }

    /// How far a term `coefficient · y` of an equation can fall and rise.
    pub(crate) fn term_rooms(&self, &(cell, coefficient): &(u32, i32)) -> (Value, Value) {
        let size = Value::from(coefficient.unsigned_abs());
        let times = |room: Value| room.saturating_mul(size);
        let (down, up) = (times(self.down[cell as usize]), times(self.up[cell as usize]));
        if coefficient > 0 { (down, up) } else { (up, down) }
    }

    /// The same view with a cell that cannot move further than `amount`.
    pub(crate) fn capped(&self, cell: usize, direction: Direction, amount: Value) -> Self {
        let mut capped = self.clone();
        let rooms = match direction {
            Direction::Down => &mut capped.down,
            Direction::Up => &mut capped.up,
        };
        rooms[cell] = rooms[cell].min(amount);
        capped
    }

    /// The same view after cells have moved by exactly these amounts, with the rooms that
    /// leaves the others; `None` if they cannot.
    pub(crate) fn moved(&self, moves: &[(usize, Value)]) -> Option<Self> {
        let mut moved = self.clone();
        for &(cell, amount) in moves {
            (moved.down[cell], moved.up[cell]) = (-amount, amount);
        }
        let start = match moves {
            &[(cell, _)] => Start::At(cell),
            _ => Start::Everywhere,
        };
        tighten(&mut moved, start, |_, _| ());
        let possible = |cell: usize| moved.down[cell].saturating_add(moved.up[cell]) >= 0;
        (0..moved.len()).all(possible).then_some(moved)
    }

    /// Number of hidden cells.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Number of equations with hidden cells.
    pub(crate) fn equation_count(&self) -> usize {
        self.equations.len()
    }

    /// The problem's id of a cell.
    pub(crate) fn cell(&self, cell: usize) -> CellId {
        self.cells[cell]
    }

    /// The problem's ids of all cells, rising.
    pub(crate) fn cells(&self) -> &[CellId] {
        &self.cells
    }

    /// The position of a cell of the problem, if it is part of this view.
    pub(crate) fn position(&self, cell: CellId) -> Option<usize> {
        self.cells.binary_search(&cell).ok()
    }

    /// The problem's id of an equation.
    pub(crate) fn equation(&self, equation: usize) -> EquationId {
        self.equations[equation]
    }

    /// The cells of an equation with their coefficients.
    pub(crate) fn cells_of(&self, equation: usize) -> &[(u32, i32)] {
        self.by_equation.row(equation)
    }

    /// The equations of a cell with its coefficient in each.
    pub(crate) fn equations_of(&self, cell: usize) -> &[(u32, i32)] {
        self.by_cell.row(cell)
    }
}
