//! A table to protect: the system with its values and what is known and wanted of each cell.

use std::sync::Arc;

use crate::{
    CellId, Contributions, ContributorId, Cube, Decimals, Direction, Fault, Knowing, Requirement,
    Status, System, UNBOUNDED_ABOVE, UNBOUNDED_BELOW, Value,
};

/// How far an attacker's interval must reach from the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Protection {
    /// The lower bound must be at most value − `lower` (LPL).
    pub lower: Value,
    /// The upper bound must be at least value + `upper` (UPL).
    pub upper: Value,
    /// Upper bound minus lower bound must be at least `sliding` (SPL).
    pub sliding: Value,
}

/// All that is known and wanted of one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The true value.
    pub value: Value,
    /// The information lost if it is suppressed.
    pub weight: f64,
    /// Its status before protection.
    pub status: Status,
    /// What the attacker knows beforehand: the value is at least this.
    pub lower_bound: Value,
    /// What the attacker knows beforehand: the value is at most this.
    pub upper_bound: Value,
    /// The protection it needs if it is primary.
    pub protection: Protection,
}

/// What cells are called in messages and reports.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Labels {
    /// By number.
    #[default]
    Numbered,
    /// By a text each.
    Named(Vec<String>),
    /// By the codes of their dimensions.
    Cube(Box<Cube>),
}

/// A table to protect: structure of arrays over the cells of a [`System`].
///
/// ```
/// use quell_model::{
///     Cell, Cube, Decimals, Dimension, Hierarchy, Labels, Problem, Protection, Reason, Status,
///     UNBOUNDED_ABOVE,
/// };
///
/// // Turnover of two branches in two regions; code 0 of each dimension is its total.
/// let dimensions = vec![
///     Dimension::new("branch", Hierarchy::flat(2)),
///     Dimension::new("region", Hierarchy::flat(2)),
/// ];
/// let base = [(vec![1, 1], 20), (vec![1, 2], 50), (vec![2, 1], 30), (vec![2, 2], 60)];
/// let (cube, values) = Cube::roll_up(dimensions, base)?;
/// let sensitive = cube.find(&[1, 1]).expect("the first branch in the first region");
///
/// let system = cube.system();
/// let cells = system.cells().zip(&values).map(|(cell, &value)| Cell {
///     value,
///     weight: value as f64,
///     status: match cell == sensitive {
///         true => Status::Primary(Reason::Frequency),
///         false => Status::Safe,
///     },
///     lower_bound: 0,
///     upper_bound: UNBOUNDED_ABOVE,
///     protection: Protection { lower: 2, upper: 2, sliding: 0 },
/// });
/// let problem = Problem::new(system.clone(), Decimals(0), cells)
///     .with_labels(Labels::Cube(Box::new(cube)));
///
/// assert_eq!(problem.cell_count(), 9);
/// assert_eq!(problem.primaries().collect::<Vec<_>>(), [sensitive]);
/// assert!(problem.faults().is_empty());
/// # Ok::<(), quell_model::CubeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    system: System,
    decimals: Decimals,
    values: Vec<Value>,
    weights: Vec<f64>,
    statuses: Vec<Status>,
    lower_bounds: Vec<Value>,
    upper_bounds: Vec<Value>,
    protections: Vec<Protection>,
    contributors: Option<Vec<u32>>,
    contributions: Option<Arc<Contributions>>,
    insiders: Option<Arc<[(CellId, ContributorId)]>>,
    labels: Labels,
}

impl Problem {
    /// A problem from a system and its cells in order. It may still have faults: see
    /// [`Problem::faults`].
    ///
    /// # Panics
    /// If there are not as many cells as the system has: readers report that before.
    pub fn new(system: System, decimals: Decimals, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut problem = Self {
            decimals,
            values: Vec::with_capacity(system.cell_count()),
            weights: Vec::with_capacity(system.cell_count()),
            statuses: Vec::with_capacity(system.cell_count()),
            lower_bounds: Vec::with_capacity(system.cell_count()),
            upper_bounds: Vec::with_capacity(system.cell_count()),
            protections: Vec::with_capacity(system.cell_count()),
            contributors: None,
            contributions: None,
            insiders: None,
            labels: Labels::Numbered,
            system,
        };
        for cell in cells {
            problem.values.push(cell.value);
            problem.weights.push(cell.weight);
            problem.statuses.push(cell.status);
            problem.lower_bounds.push(cell.lower_bound);
            problem.upper_bounds.push(cell.upper_bound);
            problem.protections.push(cell.protection);
        }
        assert_eq!(problem.values.len(), problem.system.cell_count(), "one entry for each cell");
        problem
    }

    /// The same problem with the number of contributors of each cell.
    ///
    /// # Panics
    /// If there is not one number for each cell.
    pub fn with_contributors(mut self, contributors: Vec<u32>) -> Self {
        assert_eq!(contributors.len(), self.system.cell_count(), "one number for each cell");
        self.contributors = Some(contributors);
        self
    }

    /// The same problem with attackers who contribute themselves: what is known of the
    /// contributions.
    ///
    /// # Panics
    /// If they are those of another number of cells.
    pub fn with_contributions(mut self, mut contributions: Contributions) -> Self {
        let cells = contributions.cell_count();
        assert_eq!(cells, self.system.cell_count(), "contributions to each cell");
        contributions.classify(&self.system);
        self.contributions = Some(Arc::new(contributions));
        self
    }

    /// The same problem with the outsider as the only attacker.
    pub fn without_contributions(mut self) -> Self {
        self.contributions = None;
        self
    }

    /// The same problem for a method that looks at the outsider, and of the contributors only at
    /// these, each as the attacker of one primary; not at whole classes of them ([`Class`]). Who
    /// attacks does not depend on it.
    ///
    /// [`Class`]: crate::Class
    pub fn with_insiders(mut self, mut pairs: Vec<(CellId, ContributorId)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        self.insiders = Some(pairs.into());
        self
    }

    /// The same problem with names for its cells.
    pub fn with_labels(mut self, labels: Labels) -> Self {
        self.labels = labels;
        self
    }

    /// The same problem with other statuses.
    ///
    /// # Panics
    /// If there is not one status for each cell.
    pub fn with_statuses(mut self, statuses: Vec<Status>) -> Self {
        assert_eq!(statuses.len(), self.system.cell_count(), "one status for each cell");
        self.statuses = statuses;
        self
    }

    /// The equations.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The decimals of all values.
    pub fn decimals(&self) -> Decimals {
        self.decimals
    }

    /// Number of cells.
    pub fn cell_count(&self) -> usize {
        self.values.len()
    }

    /// Everything of one cell.
    pub fn cell(&self, cell: CellId) -> Cell {
        let index = cell.index();
        Cell {
            value: self.values[index],
            weight: self.weights[index],
            status: self.statuses[index],
            lower_bound: self.lower_bounds[index],
            upper_bound: self.upper_bounds[index],
            protection: self.protections[index],
        }
    }

    /// The true values.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The true value of a cell.
    pub fn value(&self, cell: CellId) -> Value {
        self.values[cell.index()]
    }

    /// The information lost if a cell is suppressed.
    pub fn weight(&self, cell: CellId) -> f64 {
        self.weights[cell.index()]
    }

    /// The status of a cell.
    pub fn status(&self, cell: CellId) -> Status {
        self.statuses[cell.index()]
    }

    /// The protection a cell needs if it is primary.
    pub fn protection(&self, cell: CellId) -> Protection {
        self.protections[cell.index()]
    }

    /// The attacker's prior lower bound of a cell.
    pub fn lower_bound(&self, cell: CellId) -> Value {
        self.lower_bounds[cell.index()]
    }

    /// The attacker's prior upper bound of a cell.
    pub fn upper_bound(&self, cell: CellId) -> Value {
        self.upper_bounds[cell.index()]
    }

    /// How many contributed to a cell, if known.
    pub fn contributors(&self) -> Option<&[u32]> {
        self.contributors.as_deref()
    }

    /// What is known of the contributions, if contributors are attackers too.
    pub fn contributions(&self) -> Option<&Contributions> {
        self.contributions.as_deref()
    }

    /// The contributors whom methods look at, rising by the primaries they attack; `None` if they
    /// look at classes of them.
    pub fn insiders(&self) -> Option<&[(CellId, ContributorId)]> {
        self.insiders.as_deref()
    }

    /// How cells are called.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The primary cells in order.
    pub fn primaries(&self) -> impl Iterator<Item = CellId> + Clone + '_ {
        self.system.cells().filter(|&cell| self.status(cell).is_primary())
    }

    /// How far a cell can fall in the attacker's eyes; `Value::MAX` without limit.
    pub fn room_down(&self, cell: CellId) -> Value {
        match self.lower_bound(cell) {
            UNBOUNDED_BELOW => Value::MAX,
            bound => self.value(cell).saturating_sub(bound),
        }
    }

    /// How far a cell can rise in the attacker's eyes; `Value::MAX` without limit.
    pub fn room_up(&self, cell: CellId) -> Value {
        match self.upper_bound(cell) {
            UNBOUNDED_ABOVE => Value::MAX,
            bound => bound.saturating_sub(self.value(cell)),
        }
    }

    /// How far a cell can move in the attacker's eyes; `Value::MAX` without limit.
    pub fn room(&self, cell: CellId, direction: Direction) -> Value {
        match direction {
            Direction::Down => self.room_down(cell),
            Direction::Up => self.room_up(cell),
        }
    }

    /// How far a cell can move in the eyes of the attacker whom a requirement has in mind;
    /// `Value::MAX` without limit. A class is more than any one attacker knows: what its members
    /// contribute to the primary itself does not count, for it is others who attack.
    pub fn room_for(&self, requirement: &Requirement, cell: CellId, direction: Direction) -> Value {
        match requirement.knowing {
            Knowing::Class(_) if cell == requirement.cell => self.room(cell, direction),
            knowing => self.room_seen(knowing, cell, direction),
        }
    }

    /// How far a cell can move in the eyes of someone who knows some contributions; `Value::MAX`
    /// without limit.
    fn room_seen(&self, knowing: Knowing, cell: CellId, direction: Direction) -> Value {
        let room = self.room(cell, direction);
        match (&self.contributions, knowing) {
            (None, _) | (_, Knowing::Nothing) => room,
            (Some(contributions), knowing) => {
                let (size, is_signed) = (self.value(cell).saturating_abs(), self.is_signed(cell));
                contributions.room(knowing, cell, direction, (room, size, is_signed))
            }
        }
    }

    /// A requirement in someone's eyes. A contributor cannot be made to believe that a cell is less
    /// than his own part of it, whatever is hidden: so far and no farther it must be able to fall.
    /// None if nothing is left of it.
    pub fn in_eyes_of(&self, requirement: Requirement, knowing: Knowing) -> Option<Requirement> {
        let seen = requirement.knowing(knowing);
        let distance = match knowing {
            Knowing::Nothing | Knowing::Class(_) => seen.distance,
            Knowing::Contributor(_) => {
                seen.distance.min(self.room_seen(knowing, seen.cell, seen.direction))
            }
        };
        (distance > 0).then_some(Requirement { distance, ..seen })
    }

    /// The protection that a primary needs from someone who knows some contributions: none of it
    /// asks for what he knows to be impossible (see [`Problem::in_eyes_of`]).
    pub fn protection_from(&self, knowing: Knowing, cell: CellId) -> Protection {
        let levels = self.protection(cell);
        let seen = |direction| self.room_seen(knowing, cell, direction);
        let (down, up) = (seen(Direction::Down), seen(Direction::Up));
        // Levels beyond the bounds that everybody knows stay what they are: nobody is safe there.
        if (down, up) == (self.room_down(cell), self.room_up(cell)) {
            return levels;
        }
        let below = if down < self.room_down(cell) { down } else { Value::MAX };
        let above = if up < self.room_up(cell) { up } else { Value::MAX };
        Protection {
            lower: levels.lower.min(below),
            upper: levels.upper.min(above),
            sliding: levels.sliding.min(down.saturating_add(up)),
        }
    }

    /// The problem with other protection levels for some primaries.
    pub fn with_protections(
        mut self,
        protections: impl IntoIterator<Item = (CellId, Protection)>,
    ) -> Self {
        for (cell, protection) in protections {
            self.protections[cell.index()] = protection;
        }
        self
    }

    /// The table in the eyes of someone who knows some contributions, as if he were an outsider with
    /// narrower bounds. What moves here moves in his eyes; but primaries that he contributes to are
    /// narrower here than they should be (see [`Problem::room_for`]). Without names and without
    /// contributions.
    pub fn as_seen_by(&self, knowing: Knowing) -> Self {
        let mut seen = Self {
            system: self.system.clone(),
            decimals: self.decimals,
            values: self.values.clone(),
            weights: self.weights.clone(),
            statuses: self.statuses.clone(),
            lower_bounds: self.lower_bounds.clone(),
            upper_bounds: self.upper_bounds.clone(),
            protections: self.protections.clone(),
            contributors: None,
            contributions: None,
            insiders: None,
            labels: Labels::Numbered,
        };
        if self.contributions.is_none() {
            return seen;
        }
        for cell in self.system.cells() {
            let narrowed = |direction| {
                let left = self.room_seen(knowing, cell, direction);
                (left < self.room(cell, direction)).then_some(left)
            };
            if let Some(left) = narrowed(Direction::Down) {
                seen.lower_bounds[cell.index()] = self.value(cell) - left;
            }
            if let Some(left) = narrowed(Direction::Up) {
                seen.upper_bounds[cell.index()] = self.value(cell) + left;
            }
        }
        seen
    }

    /// Whether contributions to a cell may be negative.
    fn is_signed(&self, cell: CellId) -> bool {
        self.lower_bound(cell) < 0
    }

    /// What a cell is called in messages.
    pub fn cell_name(&self, cell: CellId) -> String {
        match &self.labels {
            Labels::Numbered => cell.to_string(),
            Labels::Named(names) => {
                names.get(cell.index()).cloned().unwrap_or_else(|| cell.to_string())
            }
            Labels::Cube(cube) => cube.codes(cell).collect::<Vec<_>>().join(" × "),
        }
    }

    /// Everything that is wrong with this problem.
    pub fn faults(&self) -> Vec<Fault> {
        crate::validate::faults(self)
    }
}
