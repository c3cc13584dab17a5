//! Against whom tables are protected and audited: against the outsider always, against
//! contributors if it is known who contributes, or how many.

use std::sync::Arc;

use quell_model::{Contributions, Problem};
use quell_tabulate::Rules;

use crate::Error;

/// Whether those who contribute to a table are attackers, too. A contributor knows its own part
/// of every cell, so it can work out more than somebody who only reads the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContributorAttackers {
    /// If the data say who contributes, or how many do.
    #[default]
    IfKnown,
    /// Yes; data that do not say it are refused.
    Yes,
    /// No: only the outsider is.
    No,
}

impl ContributorAttackers {
    /// What somebody who says yes or no, or nothing, means.
    pub fn of(word: Option<bool>) -> Self {
        match word {
            None => Self::IfKnown,
            Some(true) => Self::Yes,
            Some(false) => Self::No,
        }
    }

    /// A table with numbers of contributors, with its contributors as attackers if they are to be.
    /// `name` is what messages call the table.
    ///
    /// Every only contributor is then taken for another one. Sums of hidden cells need three
    /// contributors: files do not say by which rules a table was made.
    ///
    /// # Errors
    /// If contributors are attackers, and the table does not say how many there are.
    pub fn of_table(self, problem: Problem, name: &str) -> Result<Problem, Error> {
        match (self, problem.contributors()) {
            (Self::No, _) => Ok(problem.without_contributions()),
            (Self::IfKnown, None) => Ok(problem),
            (Self::Yes, None) => Err(Error::arguments(
                format!("{name} does not say how many contributed"),
                "put the contributors of T.jj into T.frq, or into the column contributors of T.cells.csv",
            )),
            (_, Some(counts)) => {
                let rule = Arc::new(Rules::default().least_contributors());
                let contributions =
                    Contributions::of_counts(problem.system(), counts, problem.values())
                        .with_rule(rule);
                Ok(problem.with_contributions(contributions))
            }
        }
    }
}

/// Against whom a table is protected and audited, and against whom not, in a sentence.
pub fn tested_against(problem: &Problem) -> &'static str {
    let rule = problem.contributions().map(Contributions::rule);
    if problem.contributions().is_some_and(|known| !known.know_parts()) {
        return match rule.flatten() {
            Some(_) => {
                "tested against: the outsider; contributors who are alone in a cell (a holding is one \
                 of them); sums of hidden cells; not tested against what others know of cells they \
                 contribute to: this was not asked for"
            }
            None => {
                "tested against: the outsider; contributors who are alone in a cell (a holding is one \
                 of them); not tested against what others know of cells they contribute to, nor \
                 against sums of hidden cells: this was not asked for"
            }
        };
    }
    match (rule, problem.contributors()) {
        (Some(None), _) => {
            "tested against: the outsider; contributors (a holding is one of them); not tested \
             against sums of hidden cells: this was not asked for"
        }
        (Some(Some(rule)), _) if rule.asks_for_numbers_only() => {
            "tested against: the outsider; contributors (a holding is one of them); sums of hidden \
             cells with too few contributors"
        }
        (Some(Some(_)), _) => {
            "tested against: the outsider; contributors (a holding is one of them); sums of hidden \
             cells"
        }
        (None, Some(_)) => {
            "tested against: the outsider; not tested against contributors: this was not asked for"
        }
        (None, None) => {
            "tested against: the outsider; not tested against contributors: the data do not say \
             how many contribute"
        }
    }
}

#[cfg(test)]
mod tests {
    use quell_model::{Cell, Decimals, Protection, Status, SystemBuilder, UNBOUNDED_ABOVE};

    use super::*;

    /// A total of two cells.
    fn table(counts: Option<Vec<u32>>) -> Problem {
        let mut builder = SystemBuilder::new(3);
        builder.equation(
            [(0, -1), (1, 1), (2, 1)].map(|(cell, factor)| (quell_model::CellId(cell), factor)),
            0,
        );
        let cells = [30, 10, 20].map(|value| Cell {
            value,
            weight: 1.0,
            status: Status::Safe,
            lower_bound: 0,
            upper_bound: UNBOUNDED_ABOVE,
            protection: Protection::default(),
        });
        let problem = Problem::new(builder.build(), Decimals(0), cells);
        match counts {
            Some(counts) => problem.with_contributors(counts),
            None => problem,
        }
    }

    #[test]
    fn contributors_attack_if_they_are_known() {
        let attackers = |who: ContributorAttackers, counts| who.of_table(table(counts), "T.jj");
        let counts = || Some(vec![4, 1, 3]);
        let known = attackers(ContributorAttackers::IfKnown, counts()).unwrap();
        let contributions = known.contributions().unwrap();
        assert_eq!(contributions.count(quell_model::CellId(0)), 4);
        assert!(contributions.only_contributor(quell_model::CellId(1)).is_some());
        // Two contributors are too few for a sum, three are enough.
        let rule = contributions.rule().unwrap();
        let sum =
            |contributors| quell_model::HiddenSum { value: 50, contributors, largest: vec![] };
        let level = Protection { lower: 10, upper: 10, sliding: 0 };
        assert_eq!(rule.protection(&sum(2)), Some(level));
        assert_eq!(rule.protection(&sum(3)), None);
        assert!(tested_against(&known).contains("contributors (a holding is one of them)"));

        let switched_off = attackers(ContributorAttackers::No, counts()).unwrap();
        assert!(switched_off.contributions().is_none());
        assert!(tested_against(&switched_off).ends_with("this was not asked for"));

        let unknown = attackers(ContributorAttackers::IfKnown, None).unwrap();
        assert!(unknown.contributions().is_none());
        assert!(tested_against(&unknown).ends_with("the data do not say how many contribute"));
        let error = attackers(ContributorAttackers::Yes, None).unwrap_err().to_string();
        assert!(error.contains("T.jj does not say how many contributed"), "{error}");
    }
}
