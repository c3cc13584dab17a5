//! Which columns of record batches are what.

use quell_model::Hierarchy;
use quell_tabulate::{Additivity, AttackerBounds, Rules};

use crate::given::Decides;
use crate::{ContributorAttackers, Error};

/// A dimension of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableDimension {
    /// The column of its codes.
    pub column: String,
    /// How its codes add up; if not given, all codes of the column add up to the total.
    pub hierarchy: Option<Hierarchy>,
    /// The code of the total, if no hierarchy is given.
    pub total: String,
}

/// Which columns are what. Only dimensions and a value are needed, and what says which cells are
/// sensitive: a column of statuses, or rules.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableColumns {
    /// The dimensions.
    pub dimensions: Vec<TableDimension>,
    /// The values; without them the numbers of contributors are the values.
    pub value: Option<String>,
    /// Statuses: `safe` (or `published`), `protected`, `primary`, `secondary`, or the letters s,
    /// z, u and m of JJ files. Nulls are safe.
    pub status: Option<String>,
    /// Numbers of contributors.
    pub contributors: Option<String>,
    /// What suppressing a cell costs; its value if not given.
    pub cost: Option<String>,
    /// What rules look at instead of the value.
    pub shadow: Option<String>,
    /// The largest contributions, falling.
    pub largest: Vec<String>,
    /// Lower protection levels of primaries.
    pub lower_level: Option<String>,
    /// Upper protection levels of primaries.
    pub upper_level: Option<String>,
    /// How wide the attacker's interval of a primary must be.
    pub sliding_level: Option<String>,
    /// Lower bounds that the attacker knows; where null, what `attacker` says.
    pub lower_bound: Option<String>,
    /// Upper bounds that the attacker knows; where null, what `attacker` says.
    pub upper_bound: Option<String>,
    /// The decimals of values, to which they are rounded; all they have if not given.
    pub decimals: Option<u8>,
    /// What to do about totals that are not the sums of their parts.
    pub totals: Additivity,
    /// Rules that decide which cells are sensitive, in place of statuses.
    pub rules: Option<Rules>,
    /// What the attacker knows of values beforehand.
    pub attacker: AttackerBounds,
    /// Whether contributors are attackers, too; they are if there is a column of their numbers.
    pub contributor_attackers: ContributorAttackers,
}

impl TableColumns {
    /// Columns of codes with the total `Total`, and of values.
    pub fn new<'a>(dimensions: impl IntoIterator<Item = &'a str>, value: &str) -> Self {
        let dimension = |column: &str| TableDimension {
            column: column.to_owned(),
            hierarchy: None,
            total: "Total".to_owned(),
        };
        Self {
            dimensions: dimensions.into_iter().map(dimension).collect(),
            value: Some(value.to_owned()),
            ..Self::default()
        }
    }

    /// With a hierarchy for a dimension, which is added if it is not there yet.
    pub fn hierarchy(mut self, column: &str, hierarchy: Hierarchy) -> Self {
        let total = hierarchy.code(0).to_owned();
        let own = TableDimension { column: column.to_owned(), hierarchy: Some(hierarchy), total };
        match self.dimensions.iter_mut().find(|dimension| dimension.column == column) {
            Some(dimension) => *dimension = own,
            None => self.dimensions.push(own),
        }
        self
    }

    /// With a column of statuses.
    pub fn status(mut self, column: &str) -> Self {
        self.status = Some(column.to_owned());
        self
    }

    /// With rules that decide which cells are sensitive.
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = Some(rules);
        self
    }

    /// With a column of numbers of contributors.
    pub fn contributors(mut self, column: &str) -> Self {
        self.contributors = Some(column.to_owned());
        self
    }

    /// With contributors as attackers, or without.
    pub fn contributor_attackers(mut self, contributors: ContributorAttackers) -> Self {
        self.contributor_attackers = contributors;
        self
    }

    /// With columns of the largest contributions, falling.
    pub fn largest<'a>(mut self, columns: impl IntoIterator<Item = &'a str>) -> Self {
        self.largest = columns.into_iter().map(str::to_owned).collect();
        self
    }

    /// With a column of costs.
    pub fn cost(mut self, column: &str) -> Self {
        self.cost = Some(column.to_owned());
        self
    }

    /// With columns of lower and upper protection levels.
    pub fn levels(mut self, lower: &str, upper: &str) -> Self {
        self.lower_level = Some(lower.to_owned());
        self.upper_level = Some(upper.to_owned());
        self
    }

    /// With columns of lower and upper bounds that the attacker knows.
    pub fn bounds(mut self, lower: &str, upper: &str) -> Self {
        self.lower_bound = Some(lower.to_owned());
        self.upper_bound = Some(upper.to_owned());
        self
    }

    /// With values rounded to so many decimals.
    pub fn decimals(mut self, decimals: u8) -> Self {
        self.decimals = Some(decimals);
        self
    }

    /// Who decides which cells are sensitive. A table of which nothing says that would be called
    /// safe whatever is in it.
    pub(super) fn decides(&self) -> Result<Decides, Error> {
        match (&self.rules, &self.status) {
            (Some(_), _) => Ok(Decides::Rules),
            (None, Some(_)) => Ok(Decides::Statuses),
            (None, None) => Err(Error::arguments(
                "nothing says which cells are sensitive",
                "name a column of statuses, or give rules",
            )),
        }
    }
}
