//! Protected tables: how they were protected, with the audit of that way.

use quell_attack::{Audit, ContributorAttack, TableVerdict};
use quell_model::{CellId, Cube, Decimals, NodeId, Pattern, Problem, Status};
use quell_tabulate::Table;

use crate::adjust::summary::Summary;
use crate::pipeline::Decided;

/// The protected tables of a release. Each way to protect has an audit of its own kind.
#[derive(Debug)]
pub enum Protected {
    /// Cells are hidden.
    Suppressed(Box<SuppressedTables>),
    /// Values are moved.
    Adjusted(Box<AdjustedTables>),
}

impl Protected {
    /// The verdict of the audit on the whole.
    pub fn verdict(&self) -> TableVerdict {
        match self {
            Self::Suppressed(tables) => tables.verdict(),
            Self::Adjusted(tables) => tables.verdict(),
        }
    }

    /// The system of all tables with the values as they are published, hidden ones included.
    pub fn problem(&self) -> &Problem {
        match self {
            Self::Suppressed(tables) => &tables.problem,
            Self::Adjusted(tables) => &tables.published,
        }
    }

    /// The tables; none if the job was a system without dimensions.
    pub fn tables(&self) -> &[ProtectedTable] {
        match self {
            Self::Suppressed(tables) => &tables.tables,
            Self::Adjusted(tables) => &tables.tables,
        }
    }

    /// The status of a cell of the system after protection.
    pub fn status(&self, cell: CellId) -> Status {
        match self {
            Self::Suppressed(tables) => tables.status(cell),
            Self::Adjusted(_) => Status::Safe,
        }
    }
}

/// Tables with hidden cells.
#[derive(Debug)]
pub struct SuppressedTables {
    /// The linked system of all tables.
    pub problem: Problem,
    /// What is hidden.
    pub pattern: Pattern,
    /// The independent audit.
    pub audit: Audit,
    /// What contributors learn beyond the outsider, if they are attackers.
    pub contributors: ContributorAttack,
    /// The tables.
    pub tables: Vec<ProtectedTable>,
    /// The method that chose the secondaries.
    pub method: String,
    /// What is lost at the least, if the method proved a bound.
    pub lower_bound: Option<f64>,
}

impl SuppressedTables {
    /// The audit's verdict on the whole.
    pub fn verdict(&self) -> TableVerdict {
        TableVerdict::of(self.contributors.counts_with(self.audit.counts()))
    }

    /// The status of a cell of the system after protection.
    pub fn status(&self, cell: CellId) -> Status {
        match (self.problem.status(cell), self.pattern.is_suppressed(cell)) {
            (status @ Status::Primary(_), _) => status,
            (_, true) => Status::Secondary,
            (Status::Secondary, false) => Status::Safe,
            (status, false) => status,
        }
    }
}

/// Tables with moved values.
#[derive(Debug)]
pub struct AdjustedTables {
    /// The linked system of all tables as it is published: nothing points to the true values.
    pub published: Problem,
    /// The check that every sensitive cell moved far enough and all equations hold.
    pub audit: quell_adjust::Audit,
    /// What the audit found wrong, in the words of the tables; the first few.
    pub breaches: Vec<String>,
    /// What came of it, in numbers.
    pub summary: Summary,
    /// The tables.
    pub tables: Vec<ProtectedTable>,
}

impl AdjustedTables {
    /// The audit's verdict on the whole.
    pub fn verdict(&self) -> TableVerdict {
        match self.audit.is_safe() {
            true => TableVerdict::Safe,
            false => TableVerdict::NotSafe,
        }
    }
}

/// One table of a release.
#[derive(Debug)]
pub struct ProtectedTable {
    /// The table before protection.
    pub table: Table,
    /// What rules and costs said of its cells.
    pub decided: Decided,
    /// The cell of the system for each of its cells.
    pub cells: Vec<CellId>,
}

impl ProtectedTable {
    /// Tables with what was decided of their cells and where these are in the system.
    pub fn of(tables: Vec<Table>, decided: Vec<Decided>, cells: Vec<Vec<CellId>>) -> Vec<Self> {
        let all = tables.into_iter().zip(decided).zip(cells);
        all.map(|((table, decided), cells)| Self { table, decided, cells }).collect()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.table.name
    }

    /// What it adds up or counts.
    pub fn response(&self) -> &str {
        self.table.response.name()
    }

    /// Its dimensions and cells.
    pub fn cube(&self) -> &Cube {
        &self.table.cube
    }

    /// The decimals it is shown with.
    pub fn decimals(&self) -> Decimals {
        self.table.decimals
    }

    /// A code with its label, if it has one.
    pub fn label(&self, dimension: usize, node: NodeId) -> String {
        let code = self.cube().dimensions()[dimension].hierarchy.code(node);
        match self.decided.labels.get(dimension).and_then(|labels| labels.get(code)) {
            Some(label) => format!("{code} {label}"),
            None => code.to_owned(),
        }
    }

    /// Its cells with those of the system.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = (CellId, CellId)> + '_ {
        self.cells.iter().enumerate().map(|(index, &cell)| (CellId::from_index(index), cell))
    }
}
