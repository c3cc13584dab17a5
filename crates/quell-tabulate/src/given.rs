//! Tables that someone else made: rows of codes with values, and what else is known.

use quell_data::suggest::nearest;
use quell_model::{CellId, Cube, CubeError, Decimals, Dimension, NodeId, Value};
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::{
    Attribution, CellSummary, Contribution, ContributorKey, Contributors, Place, ProtectionRequest,
    Response, Table,
};

/// A table as rows.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenTable {
    /// What it is called.
    pub name: String,
    /// Its dimensions.
    pub dimensions: Vec<Dimension>,
    /// What it shows.
    pub response: Response,
    /// The decimals of its values and of the shadow variable, largest contributions included.
    pub decimals: Decimals,
    /// The decimals of the cost variable.
    pub cost_decimals: Decimals,
    /// Its rows in any order. Rows of totals may be left out.
    pub rows: Vec<GivenRow>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GivenRow {
    /// Where it stands.
    pub place: Place,
    /// One code a dimension; an empty one is the total.
    pub codes: Vec<String>,
    /// Its value; nothing if the cell is empty.
    pub value: Option<Value>,
    /// The number of contributors; one if not given.
    pub frequency: Option<u64>,
    /// The number of holdings.
    pub holdings: Option<u64>,
    /// The total of the shadow variable; the value if not given.
    pub shadow: Option<Value>,
    /// The total of the cost variable.
    pub cost: Option<Value>,
    /// The largest contributions, largest first. They do not say whose they are.
    pub top: Vec<Value>,
}

/// What to do about totals that are not the sums of their parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Additivity {
    /// Refuse the table.
    #[default]
    Check,
    /// Take the sums: values of totals are not read.
    Recompute,
    /// Keep the values as they are: the equations then have constants.
    Allow,
}

/// What is wrong with a table that was given.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GivenError {
    /// Not one code a dimension.
    #[error("{place}: found {found} codes, expected {expected}, one for each dimension")]
    WrongCodes {
        /// Where.
        place: Place,
        /// Number of codes.
        found: usize,
        /// Number of dimensions.
        expected: usize,
    },
    /// A code that its dimension does not have.
    #[error(
        "{place}: found \"{code}\", expected a code of {dimension}{}",
        suggestion.as_ref().map_or_else(String::new, |code| format!("; did you mean \"{code}\"?"))
    )]
    UnknownCode {
        /// Where.
        place: Place,
        /// The code.
        code: String,
        /// The dimension.
        dimension: String,
        /// The nearest code there is.
        suggestion: Option<String>,
    },
    /// The same cell twice.
    #[error("{second}: the cell {cell} stands in {first} already")]
    Repeated {
        /// Where it stands first.
        first: Place,
        /// Where it stands again.
        second: Place,
        /// The cell by its codes.
        cell: String,
    },
    /// A total without any part.
    #[error("{place}: the cell {cell} is a total, and none of its parts is in the table")]
    NoParts {
        /// Where.
        place: Place,
        /// The cell by its codes.
        cell: String,
    },
    /// Totals that are not the sums of their parts.
    #[error(
        "{count} totals of table \"{table}\" are not the sums of their parts, first {}; \
         recompute the totals, or allow tables that do not add up",
        shown.join("; ")
    )]
    NotAdditive {
        /// The table.
        table: String,
        /// How many.
        count: usize,
        /// Some of them: where, which cell, what is there and what it should be.
        shown: Vec<String>,
    },
    /// Sums beyond exact arithmetic.
    #[error(
        "the values of table \"{table}\" are too large for exact arithmetic with {decimals} decimals"
    )]
    TooLarge {
        /// The table.
        table: String,
        /// Its decimals.
        decimals: u8,
    },
    /// A cube that cannot be built.
    #[error("table \"{table}\": {source}")]
    Cube {
        /// The table.
        table: String,
        /// Why.
        source: CubeError,
    },
}

/// How many cells a message names.
const SHOWN: usize = 10;

impl GivenTable {
    /// The table with its totals, and for each of its cells the row it is from, if any.
    ///
    /// Cells without parts come from their rows. Totals are computed, and compared with their
    /// rows as `additivity` says; what cannot be computed (the largest contributions, the
    /// number of respondents, who may be in several parts) is taken from their rows.
    ///
    /// # Errors
    /// See [`GivenError`].
    pub fn build(&self, additivity: Additivity) -> Result<(Table, Vec<Option<usize>>), GivenError> {
        let coordinates = self.coordinates()?;
        let wanted = self.rows.iter().map(|row| row.top.len()).max().unwrap_or(0);
        let holdings = self.rows.iter().any(|row| row.holdings.is_some());
        let is_leaf = |nodes: &[NodeId]| {
            let mut axes = nodes.iter().zip(&self.dimensions);
            axes.all(|(&node, dimension)| dimension.hierarchy.total_of(node).is_empty())
        };
        let mut size: i128 = 0;
        let mut base = Vec::new();
        for (row, nodes) in self.rows.iter().zip(&coordinates) {
            let Some(value) = row.value else { continue };
            let sizes = [Some(value), row.shadow, row.cost];
            size +=
                sizes.iter().flatten().map(|size| i128::from(size.unsigned_abs())).sum::<i128>();
            if is_leaf(nodes) {
                base.push((nodes.clone(), row.summary(value, wanted, holdings)));
            }
        }
        if size > i128::from(Value::MAX / 4) {
            let (table, decimals) = (self.name.clone(), self.decimals.0);
            return Err(GivenError::TooLarge { table, decimals });
        }
        let failed = |source| GivenError::Cube { table: self.name.clone(), source };
        let (cube, mut cells) = Cube::roll_up(self.dimensions.clone(), base).map_err(failed)?;
        let mut rows = vec![None; cells.len()];
        let mut wrong = Vec::new();
        for (position, (row, nodes)) in self.rows.iter().zip(&coordinates).enumerate() {
            let Some(value) = row.value else { continue };
            let cell = cube.find(nodes).ok_or_else(|| GivenError::NoParts {
                place: row.place,
                cell: row.codes.join(" × "),
            })?;
            rows[cell.index()] = Some(position);
            if is_leaf(nodes) {
                continue;
            }
            let summary = &mut cells[cell.index()];
            let sum = summary.value;
            if sum != value && additivity == Additivity::Check {
                let format = |value| self.decimals.format(value);
                wrong.push(format!(
                    "{} in {}: found {}, expected {}",
                    row.codes.join(" × "),
                    row.place,
                    format(value),
                    format(sum)
                ));
            }
            *summary = row.merged(summary, additivity, wanted);
        }
        if !wrong.is_empty() {
            let (table, count) = (self.name.clone(), wrong.len());
            wrong.truncate(SHOWN);
            return Err(GivenError::NotAdditive { table, count, shown: wrong });
        }
        let counted = self.rows.iter().any(|row| row.frequency.is_some());
        let table = Table {
            name: self.name.clone(),
            attribution: if counted { Attribution::Counted } else { Attribution::Unknown },
            has_shadow: self.rows.iter().any(|row| row.shadow.is_some()),
            missing_codes: vec![Vec::new(); self.dimensions.len()],
            cube,
            response: self.response.clone(),
            weighted: false,
            decimals: self.decimals,
            shadow_decimals: self.decimals,
            weight_decimals: Decimals::default(),
            cost_decimals: self.cost_decimals,
            cells,
        };
        Ok((table, rows))
    }

    /// The codes of every row, each cell once.
    fn coordinates(&self) -> Result<Vec<Vec<NodeId>>, GivenError> {
        let nodes: Vec<FxHashMap<&str, NodeId>> = self
            .dimensions
            .iter()
            .map(|dimension| {
                let codes = dimension.hierarchy.codes().iter().enumerate();
                codes.map(|(node, code)| (code.trim(), node as NodeId)).collect()
            })
            .collect();
        let mut seen: FxHashMap<Vec<NodeId>, Place> = FxHashMap::default();
        let mut all = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let place = row.place;
            let (found, expected) = (row.codes.len(), self.dimensions.len());
            if found != expected {
                return Err(GivenError::WrongCodes { place, found, expected });
            }
            let mut own = Vec::with_capacity(expected);
            for ((code, dimension), nodes) in row.codes.iter().zip(&self.dimensions).zip(&nodes) {
                let code = code.trim();
                let node = if code.is_empty() { Some(&0) } else { nodes.get(code) };
                own.push(*node.ok_or_else(|| {
                    GivenError::UnknownCode {
                        place,
                        code: code.to_owned(),
                        dimension: dimension.name.clone(),
                        suggestion: nearest(
                            code,
                            dimension.hierarchy.codes().iter().map(String::as_str),
                        )
                        .map(str::to_owned),
                    }
                })?);
            }
            if let Some(first) = seen.insert(own.clone(), place) {
                let cell = row.codes.join(" × ");
                return Err(GivenError::Repeated { first, second: place, cell });
            }
            all.push(own);
        }
        Ok(all)
    }
}

impl GivenRow {
    /// The summary of a cell without parts.
    fn summary(&self, value: Value, wanted: usize, holdings: bool) -> CellSummary {
        let holdings = holdings.then(|| {
            let count = self.holdings.unwrap_or(1);
            Box::new(Contributors { count, ..self.contributors(value, wanted) })
        });
        let records = self.frequency.unwrap_or(1);
        CellSummary {
            value,
            weighted_value: value,
            cost: self.cost.unwrap_or(0),
            records,
            weight: Value::try_from(records).unwrap_or(Value::MAX / 4),
            zeros: 0,
            negatives: u64::from(value < 0),
            missing: 0,
            respondents: self.contributors(value, wanted),
            holdings,
        }
    }

    fn contributors(&self, value: Value, wanted: usize) -> Contributors {
        let mut contributors = Contributors::none(wanted, 1);
        let size = self.shadow.unwrap_or(value).abs();
        for &value in &self.top {
            let contribution = Contribution {
                who: ContributorKey::default(),
                shown: value,
                value,
                weight: 1,
                weight_rest: 0,
                request: ProtectionRequest::None,
            };
            contributors.add(contribution, value);
        }
        let count = self.frequency.unwrap_or(1);
        Contributors { count, size, weighted_size: size, ..contributors }
    }

    /// A total, from what its parts come to and what its row says.
    fn merged(&self, sum: &CellSummary, additivity: Additivity, wanted: usize) -> CellSummary {
        let recompute = additivity == Additivity::Recompute;
        let value = match self.value {
            Some(value) if !recompute => value,
            _ => sum.value,
        };
        let mut merged = CellSummary { value, weighted_value: value, ..sum.clone() };
        if recompute {
            return merged;
        }
        let own = self.summary(value, wanted, sum.holdings.is_some());
        if self.frequency.is_some() {
            merged.records = own.records;
            merged.weight = own.weight;
            merged.respondents.count = own.respondents.count;
        }
        if !self.top.is_empty() {
            merged.respondents =
                Contributors { count: merged.respondents.count, ..own.respondents };
        }
        if self.holdings.is_some() {
            merged.holdings = own.holdings;
        }
        if self.cost.is_some() {
            merged.cost = own.cost;
        }
        merged
    }
}

impl Table {
    /// The cell at these codes, blanks at their ends ignored; an empty code is the total.
    pub fn find(&self, codes: &[&str]) -> Option<CellId> {
        let node = |(code, dimension): (&&str, &Dimension)| {
            let codes = dimension.hierarchy.codes();
            match code.trim() {
                "" => Some(0),
                code => codes.iter().position(|own| own.trim() == code).map(|at| at as NodeId),
            }
        };
        let nodes = codes.iter().zip(self.dimensions()).map(node).collect::<Option<Vec<_>>>()?;
        self.cube.find(&nodes)
    }
}
