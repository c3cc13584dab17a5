//! The tables of a job, made or read, with what rules, files and people say of their cells.

use quell_model::{Budget, Progress};
use quell_tabulate::{
    Assessment, AttackerBounds, Linked, Resources, SMALLEST_COST, Table, apply_apriori, assess_all,
    tabulate,
};

use crate::Error;
use crate::job::Job;
use crate::job::file::{AttackerPart, RulesPart, SystemPart};
use crate::job::plan::{GivenPlan, Plan, TablePlan};
use crate::pipeline::{self, Decided, LinkedProblem};
use crate::table_file::{self, Check};

/// The tables of a job with what was decided of them, linked.
#[derive(Debug)]
pub struct Prepared {
    /// What the job means.
    pub plan: Plan,
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

/// Tabulates a job and applies its rules.
///
/// # Errors
/// If the job, its files or its records are wrong.
pub fn prepare(job: &Job, budget: &Budget, progress: &dyn Progress) -> Result<Prepared, Error> {
    progress.stage("looking at the data", None);
    if let Some(system) = &job.file.system {
        return whole_system(job, system);
    }
    let resources = Resources { budget: budget.clone(), ..Resources::default() };
    let plan = Plan::of(job, &resources)?;
    let (mut made, mut notes, records) = match &plan.spec {
        Some(spec) => {
            progress.stage("tabulating", None);
            let tabulated = tabulate(spec, &resources)?;
            (tabulated.tables.into_iter(), tabulated.notes, tabulated.records)
        }
        None => (Vec::new().into_iter(), Vec::new(), 0),
    };
    progress.stage("applying the rules", None);
    let (mut tables, mut decided) = (Vec::new(), Vec::new());
    for plan in &plan.tables {
        let (table, assessments, costs) = match &plan.given {
            Some(given) => given_table(plan, given, &mut notes)?,
            None => {
                let Some(table) = made.next() else { continue };
                let (assessments, costs) = (assess_all(&table, &plan.rules), plan.cost.of(&table));
                (table, assessments, costs)
            }
        };
        decided.push(decide(&table, plan, assessments, costs, &mut notes)?);
        tables.push(table);
    }
    let linked = pipeline::link(&tables, &decided, &plan.equations, plan.bounds)?;
    Ok(Prepared { plan, tables, decided, linked, records, notes })
}

/// A system of cells and equations that is given as it is, with its statuses and bounds.
fn whole_system(job: &Job, part: &SystemPart) -> Result<Prepared, Error> {
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
    Ok(Prepared {
        plan: Plan {
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
