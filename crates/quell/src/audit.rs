//! A proven verdict for every primary cell of a table with hidden cells.

use quell_attack::{Audit, AuditError, ContributorAttack, Interval, TableVerdict};
use quell_model::{Contributions, Pattern, Problem};

use crate::text::AuditReport;
use crate::{Context, Error};

/// What an audit looks at beside the outside attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditOptions {
    /// Also what contributors can learn, where the problem does not have them as attackers anyway.
    /// The table must say how many contributed.
    pub contributors: bool,
    /// Also the exact interval of every hidden cell.
    pub intervals: bool,
}

/// What an audit has found. For the office: verdicts say how near an attacker can come.
#[derive(Debug, Clone)]
pub struct Audited {
    /// The verdicts on all primaries.
    pub audit: Audit,
    /// What single contributors can learn, if that was asked.
    pub contributors: Option<ContributorAttack>,
    /// The intervals of all hidden cells, if they were asked for and the time sufficed.
    pub intervals: Option<Vec<Interval>>,
}

impl Audited {
    /// The audit of `problem` under `pattern` for people and programs.
    pub fn report<'a>(&'a self, problem: &'a Problem, pattern: &'a Pattern) -> AuditReport<'a> {
        let report = AuditReport::new(problem, pattern, &self.audit);
        match &self.contributors {
            Some(attack) => report.with_contributors(attack),
            None => report,
        }
    }

    /// The verdict on the table: safe only if it is safe from everyone who was looked at.
    pub fn verdict(&self) -> TableVerdict {
        match &self.contributors {
            Some(attack) => TableVerdict::of(attack.counts_with(self.audit.counts())),
            None => TableVerdict::of(self.audit.counts()),
        }
    }
}

/// Audits a table as seen without the cells of `pattern`.
///
/// An attacker who knows the published cells, the equations and the bounds must not come
/// nearer to a primary than its protection levels. What is not settled when the time ends or
/// the call is cancelled is undecided, never safe.
///
/// ```
/// use quell::audit::AuditOptions;
/// use quell::generate::{Ons, TableClass, generate};
/// use quell::{Context, Pattern, TableVerdict, audit};
///
/// let dimensions = vec!["7".parse()?, "6".parse()?, "5".parse()?];
/// let problem = generate(&TableClass::Ons(Ons { dimensions, ..Ons::default() }), 1)?;
/// let unprotected = Pattern::of_primaries(&problem);
/// let found = audit(&problem, &unprotected, &AuditOptions::default(), &Context::default())?;
/// assert_eq!(found.verdict(), TableVerdict::NotSafe);
/// println!("{}", found.report(&problem, &unprotected).text());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the table is faulty, does not say how many contributed although contributors are to be
/// looked at, or the solver fails.
pub fn audit(
    problem: &Problem,
    pattern: &Pattern,
    options: &AuditOptions,
    context: &Context<'_>,
) -> Result<Audited, Error> {
    let is_unknown = problem.contributors().is_none() && problem.contributions().is_none();
    if options.contributors && is_unknown {
        return Err(Error::arguments(
            "the table does not say how many contributed to its cells",
            "give the number of contributors of every cell",
        ));
    }
    let Context { budget, progress, .. } = context;
    let audit = quell_attack::audit(problem, pattern, budget, *progress)?;
    let with_counts = match (problem.contributions(), problem.contributors()) {
        (None, Some(counts)) if options.contributors => {
            let contributions =
                Contributions::of_counts(problem.system(), counts, problem.values());
            Some(problem.clone().with_contributions(contributions))
        }
        _ => None,
    };
    let attacked = with_counts.as_ref().unwrap_or(problem);
    let contributors = attacked
        .contributions()
        .map(|_| quell_attack::contributor_attack(attacked, pattern, &audit, budget, *progress))
        .transpose()?;
    let intervals = match options.intervals {
        true => quell_attack::intervals(problem, pattern, budget, *progress)
            .map_err(AuditError::from)?,
        false => None,
    };
    Ok(Audited { audit, contributors, intervals })
}
