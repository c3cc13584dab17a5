//! The tables of a job, made or read, with what rules, files and people say of their cells:
//! everything before protection.

use quell_model::Problem;
use quell_tabulate::{
    Assessment, AttackerBounds, Linked, Resources, SMALLEST_COST, Table, apply_apriori,
    assess_all_within,
};

use crate::job::Job;
use crate::job::file::{AttackerPart, RulesPart, SystemPart};
use crate::job::plan::{GivenPlan, JobPlan, TablePlan};
use crate::pipeline::{self, Decided, LinkedProblem};
use crate::table_file::{self, Check};
use crate::{Context, Error};

/// The tables of a job with what was decided of them, linked.
#[derive(Debug)]
pub struct JobTables {
    /// What the job means.
    pub plan: JobPlan,
    /// The tables.
    pub tables: Vec<Table>,
    /// What rules and costs say.
    pub decided: Vec<Decided>,
    /// All of it as one problem.
    pub linked: LinkedProblem,
    /// Records read.
    pub records: u64,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl JobTables {
    /// All tables as one system, with statuses, protection levels and costs. It holds all
    /// values: it is not for publication.
    pub fn problem(&self) -> &Problem {
        &self.linked.problem
    }
}

/// Makes the tables of a job and applies its rules, but protects nothing.
///
/// # Examples
///
/// ```
/// use quell::{Context, Job};
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("firms.csv"), "region,turnover\nN,900\nN,20\nS,30\n")?;
/// let text = r#"
///     data = { file = "firms.csv" }
///     dimension = [{ name = "region" }]
///     rules = { frequency = { minimum = 3 } }
///     [[table]]
///     name = "Turnover"
///     dimensions = ["region"]
///     response = "turnover"
/// "#;
/// let tables = quell::tabulate(&Job::from_toml(text, folder.path())?, &Context::default())?;
/// assert_eq!(tables.records, 3);
/// assert_eq!(tables.problem().primaries().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the job, its files or its records are wrong, or the call is cancelled.
pub fn tabulate(job: &Job, context: &Context<'_>) -> Result<JobTables, Error> {
    let progress = context.progress;
    progress.stage("looking at the data", None);
    if let Some(system) = &job.file.system {
        return whole_system(job, system);
    }
    let resources = Resources { budget: context.budget.clone(), progress, ..Resources::default() };
    let plan = JobPlan::of(job, &resources)?;
    let (mut made, mut notes, records) = match &plan.spec {
        Some(spec) => {
            progress.stage("tabulating", None);
            let tabulated = quell_tabulate::tabulate(spec, &resources)?;
            (tabulated.tables.into_iter(), tabulated.notes, tabulated.records)
        }
        None => (Vec::new().into_iter(), Vec::new(), 0),
    };
    progress.stage("applying the rules", None);
    let (mut tables, mut decided) = (Vec::new(), Vec::new());
    for plan in &plan.tables {
        context.go_on()?;
        let (table, assessments, costs) = match &plan.given {
            Some(given) => given_table(plan, given, &mut notes)?,
            None => {
                let Some(table) = made.next() else { continue };
                let assessments = assess_all_within(&table, &plan.rules, &context.budget)?;
                let costs = plan.cost.of(&table);
                (table, assessments, costs)
            }
        };
        decided.push(decide(&table, plan, assessments, costs, &mut notes)?);
        tables.push(table);
    }
    let linked = pipeline::link(&tables, &decided, &plan.equations, plan.bounds)?;
    Ok(JobTables { plan, tables, decided, linked, records, notes })
}

/// A system of cells and equations that is given as it is, with its statuses and bounds.
fn whole_system(job: &Job, part: &SystemPart) -> Result<JobTables, Error> {
    let file = &job.file;
    let others = file.data.is_some()
        || !(file.dimension.is_empty() && file.table.is_empty() && file.equation.is_empty())
        || file.rules != RulesPart::default()
        || file.attacker != AttackerPart::default();
    if others {
        let message = "a system has its cells, equations, statuses and bounds already";
        let advice = "remove [data], [[dimension]], [[table]], [[equation]], [rules], [attacker]";
        return Err(job.mistake(part.file.span(), message, advice));
    }
    if file.release.formats.iter().any(|format| !format.needs_no_table()) {
        let message = "a system has no dimensions to make tables of";
        let advice = "set formats = [\"csv\", \"jj\"], or one of them, in [release]";
        return Err(job.mistake(part.file.span(), message, advice));
    }
    let problem = table_file::read(&job.locate(part.file.get_ref()), Check::Table)?;
    let linked = Linked {
        system: problem.system().clone(),
        decimals: problem.decimals(),
        first: Vec::new(),
        cell_of: Vec::new(),
    };
    Ok(JobTables {
        plan: JobPlan {
            spec: None,
            tables: Vec::new(),
            equations: Vec::new(),
            bounds: AttackerBounds::Nothing,
        },
        tables: Vec::new(),
        decided: Vec::new(),
        linked: LinkedProblem { linked, problem },
        records: 0,
        notes: Vec::new(),
    })
}

/// A table that is given, with what its file and the rules say of its cells.
fn given_table(
    plan: &TablePlan,
    given: &GivenPlan,
    notes: &mut Vec<String>,
) -> Result<(Table, Vec<Assessment>, Vec<f64>), Error> {
    let cells = given.given(&plan.name).build(&plan.rules)?;
    let guessed = given.rows.rows.iter().filter(|row| row.frequency_imputed).count();
    if guessed > 0 {
        notes.push(format!(
            "{}: {guessed} cells say nothing of their contributors and count as one",
            plan.name
        ));
    }
    let mut costs = plan.cost.of(&cells.table);
    for (cost, given) in costs.iter_mut().zip(&cells.costs) {
        if let Some(own) = given.filter(|_| plan.has_own_costs()) {
            *cost = own.max(SMALLEST_COST);
        }
    }
    Ok((cells.table, cells.assessments, costs))
}

/// Applies what was set by hand.
fn decide(
    table: &Table,
    plan: &TablePlan,
    mut assessments: Vec<Assessment>,
    mut costs: Vec<f64>,
    notes: &mut Vec<String>,
) -> Result<Decided, Error> {
    if let Some(apriori) = &plan.apriori {
        let refusals = apply_apriori(
            &apriori.entries,
            apriori.trivial,
            table,
            &plan.rules,
            &mut assessments,
            &mut costs,
        );
        match refusals.first() {
            Some(first) if !apriori.ignore_errors => {
                return Err(Error::arguments(
                    format!("{}: {first}", apriori.file.display()),
                    "correct the entry, or set ignore-errors = true to leave such entries out",
                ));
            }
            Some(first) => notes.push(format!(
                "{}: {} entries had no effect, the first: {first}",
                apriori.file.display(),
                refusals.len()
            )),
            None => {}
        }
    }
    Ok(Decided { assessments, costs, labels: plan.labels.clone() })
}
