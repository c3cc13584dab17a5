//! The integer program.
//!
//! Columns: `x` of every cell that may be hidden and is not primary, then for every
//! movement the rise `y⁺` and the fall `y⁻` of every cell that can take part, in units of
//! the movement. Rows, for every movement:
//!
//! - `M (y⁺ − y⁻) = 0` (serpell-2011, equation 2);
//! - `y⁺/up + y⁻/down ≤ x` for every cell that is not primary: equations 3 and 4 with the
//!   room multiplied by `x`, and joined, because a cell need not rise and fall at once;
//! - for a sliding level, the two movements of a primary come to its width.
//!
//! Two kinds of rows that some optimum satisfies and that make the relaxation tighter:
//!
//! - *cover*: in every equation of the primary the others must make up for its movement,
//!   `Σ min(room, requirement)·x ≥ requirement`, less what primaries can do;
//! - *no lone cell*: `x ≤ Σ x` over the others of an equation without primaries; a cell
//!   hidden alone there cannot move and might as well be published.

use quell_model::{CellId, Direction, EquationId, Pattern, Problem, Status, Value};
use quell_solve::{Error, Index, Kind, Sense, Solver, Vectors};

use super::movements::{Movements, RequiredMovement};
use crate::search::network::arcs;

/// What stands for a room without end, as a multiple of the movement.
const ENDLESS: f64 = 1e4;

/// Rows of a model, one by one.
#[derive(Default)]
struct Rows {
    matrix: Vectors,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Rows {
    fn add(&mut self, lower: f64, entries: impl Iterator<Item = (usize, f64)>, upper: f64) {
        self.matrix.push(entries);
        self.lower.push(lower);
        self.upper.push(upper);
    }
}

/// The program of a table.
pub struct Model {
    /// The cells that may be hidden, in order, with the column of their `x` if not primary.
    cells: Vec<(CellId, Option<usize>)>,
    /// The place of a cell among them.
    place: Vec<Option<usize>>,
    /// How many columns are `x`.
    choices: usize,
    movements: Vec<RequiredMovement>,
    /// Rise and fall that a cell has in each movement, in its units.
    room: Vec<[f64; 2]>,
    weights: Vec<f64>,
    rows: Rows,
    exact: bool,
}

impl Model {
    /// The program of a problem and the movements it must allow.
    pub fn new(problem: &Problem, movements: &Movements) -> Self {
        let open = |&cell: &CellId| problem.status(cell) != Status::Protected;
        let mut place = vec![None; problem.cell_count()];
        let (mut cells, mut weights) = (Vec::new(), Vec::new());
        for cell in problem.system().cells().filter(open) {
            place[cell.index()] = Some(cells.len());
            let choice = (!problem.status(cell).is_primary()).then(|| {
                weights.push(problem.weight(cell));
                weights.len() - 1
            });
            cells.push((cell, choice));
        }
        let mut model = Self {
            choices: weights.len(),
            cells,
            place,
            movements: movements.list.clone(),
            room: Vec::new(),
            weights,
            rows: Rows::default(),
            exact: true,
        };
        model.set_rooms(problem);
        for movement in 0..model.movements.len() {
            model.add_movement(problem, movement);
            model.add_covers(problem, movement);
        }
        model.add_sliding(movements);
        model.add_no_lone_cells(problem);
        model
    }

    /// Whether the bound of the program is one of the table: no room was cut.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    fn set_rooms(&mut self, problem: &Problem) {
        let widest = if arcs(problem.system()).is_some() { 1.0 } else { f64::INFINITY };
        for wanted in self.movements.clone() {
            let unit = wanted.most as f64;
            let share = |room: Value| match room {
                Value::MAX => widest,
                _ => (room as f64 / unit).min(widest),
            };
            for position in 0..self.cells.len() {
                let cell = self.cells[position].0;
                let rooms = [share(problem.room_up(cell)), share(problem.room_down(cell))];
                self.exact &= rooms.iter().all(|room| room.is_finite());
                self.room.push(rooms.map(|room| if room.is_finite() { room } else { ENDLESS }));
            }
        }
    }

    /// The column of the rise (0) or fall (1) of a cell in a movement.
    fn column(&self, movement: usize, place: usize, side: usize) -> usize {
        self.choices + 2 * (movement * self.cells.len() + place) + side
    }

    fn room_of(&self, movement: usize, place: usize) -> [f64; 2] {
        self.room[movement * self.cells.len() + place]
    }

    /// The open cells of an equation: place, choice, coefficient.
    fn open_cells<'a>(
        &'a self,
        problem: &'a Problem,
        equation: EquationId,
    ) -> impl Iterator<Item = (usize, Option<usize>, f64)> + 'a {
        problem.system().cells_of(equation).filter_map(|(cell, coefficient)| {
            let place = self.place[cell.index()]?;
            Some((place, self.cells[place].1, f64::from(coefficient)))
        })
    }

    fn add_movement(&mut self, problem: &Problem, movement: usize) {
        let mut rows = std::mem::take(&mut self.rows);
        for equation in problem.system().equations() {
            let entries = self.open_cells(problem, equation).flat_map(|(place, _, coefficient)| {
                [(0, coefficient), (1, -coefficient)]
                    .map(|(side, value)| (self.column(movement, place, side), value))
            });
            rows.add(0.0, entries, 0.0);
        }
        for (place, &(_, choice)) in self.cells.iter().enumerate() {
            let Some(choice) = choice else { continue };
            let room = self.room_of(movement, place);
            let sides = [0, 1].into_iter().filter(|&side| room[side] > 0.0);
            let moves = sides.map(|side| (self.column(movement, place, side), 1.0 / room[side]));
            rows.add(f64::NEG_INFINITY, moves.chain([(choice, -1.0)]), 0.0);
        }
        self.rows = rows;
    }

    /// The cover rows of a movement, one for each equation of its primary.
    fn add_covers(&mut self, problem: &Problem, movement: usize) {
        let wanted = self.movements[movement];
        let mut rows = std::mem::take(&mut self.rows);
        for (equation, own) in problem.system().equations_of(wanted.cell) {
            let moved = wanted.least as f64 / wanted.most as f64 * f64::from(own.abs());
            let pushes = wanted.direction.sign() as f64 * f64::from(own);
            let able = |place: usize, coefficient: f64| {
                let falls = pushes * coefficient > 0.0;
                self.room_of(movement, place)[usize::from(falls)] * coefficient.abs()
            };
            let others = || {
                let cells = self.open_cells(problem, equation);
                cells.filter(|&(place, ..)| self.cells[place].0 != wanted.cell)
            };
            let primaries: f64 = others()
                .filter(|(_, choice, _)| choice.is_none())
                .map(|(place, _, coefficient)| able(place, coefficient))
                .sum();
            let short = moved - primaries;
            if short > 0.0 {
                let entries = others().filter_map(|(place, choice, coefficient)| {
                    Some((choice?, able(place, coefficient).min(short) / short))
                });
                rows.add(1.0, entries.filter(|&(_, share)| share > 0.0), f64::INFINITY);
            }
        }
        self.rows = rows;
    }

    fn add_sliding(&mut self, movements: &Movements) {
        for sliding in &movements.sliding {
            let width = sliding.width as f64;
            let sides = [sliding.up, sliding.down].into_iter().flatten().map(|movement| {
                (self.target(movement)[0], self.movements[movement].most as f64 / width)
            });
            let sides: Vec<(usize, f64)> = sides.collect();
            self.rows.add(1.0, sides.into_iter(), f64::INFINITY);
        }
    }

    fn add_no_lone_cells(&mut self, problem: &Problem) {
        let mut rows = std::mem::take(&mut self.rows);
        for equation in problem.system().equations() {
            let choices: Option<Vec<usize>> =
                self.open_cells(problem, equation).map(|(_, choice, _)| choice).collect();
            for &one in choices.iter().flatten() {
                let others = choices.iter().flatten().filter(|&&other| other != one);
                let entries = others.map(|&other| (other, 1.0)).chain([(one, -1.0)]);
                rows.add(0.0, entries, f64::INFINITY);
            }
        }
        self.rows = rows;
    }

    /// The column in which the primary of a movement moves, and that in which it rests.
    fn target(&self, movement: usize) -> [usize; 2] {
        let wanted = &self.movements[movement];
        let place = self.place[wanted.cell.index()].unwrap_or_default();
        let sides = match wanted.direction {
            Direction::Up => [0, 1],
            Direction::Down => [1, 0],
        };
        sides.map(|side| self.column(movement, place, side))
    }

    /// Hands the program to a solver.
    pub fn pass(&self, solver: &mut Solver) -> Result<(), Error> {
        let columns = self.choices + 2 * self.room.len();
        let mut costs = vec![0.0; columns];
        costs[..self.choices].copy_from_slice(&self.weights);
        let mut lower = vec![0.0; columns];
        let mut upper = vec![1.0; self.choices];
        upper.extend(self.room.iter().flatten());
        for (movement, wanted) in self.movements.iter().enumerate() {
            let [moves, rests] = self.target(movement);
            (lower[moves], upper[moves]) = (wanted.least as f64 / wanted.most as f64, 1.0);
            upper[rests] = 0.0;
        }
        let mut kinds = vec![Kind::Continuous; columns];
        kinds[..self.choices].fill(Kind::Integer);
        solver.pass(&quell_solve::Model {
            sense: Sense::Minimise,
            offset: 0.0,
            costs: &costs,
            lower: &lower,
            upper: &upper,
            kinds: Some(&kinds),
            row_lower: &self.rows.lower,
            row_upper: &self.rows.upper,
            matrix: self.rows.matrix.as_rows(),
        })
    }

    /// The values of the `x` columns that a pattern stands for.
    pub fn start(&self, pattern: &Pattern) -> (Vec<Index>, Vec<f64>) {
        let choices = self.cells.iter().filter_map(|&(cell, choice)| {
            Some((choice? as Index, f64::from(u8::from(pattern.is_suppressed(cell)))))
        });
        choices.unzip()
    }

    /// The pattern of a solution.
    pub fn pattern(&self, problem: &Problem, values: &[f64]) -> Pattern {
        let mut pattern = Pattern::of_primaries(problem);
        for &(cell, choice) in &self.cells {
            if choice.is_some_and(|choice| values[choice] > 0.5) {
                pattern.suppress(cell);
            }
        }
        pattern
    }

    /// How far a solution moves the primary of a movement, in the table's units.
    pub fn amount(&self, movement: usize, values: &[f64]) -> f64 {
        values[self.target(movement)[0]] * self.movements[movement].most as f64
    }
}
