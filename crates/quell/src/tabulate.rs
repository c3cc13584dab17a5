//! The tables of a job, made or read, with what rules, files and people say of their cells:
//! everything before protection.

use quell_model::{Budget, NodeId, Problem};
use quell_tabulate::{
    Assessment, AttackerBounds, EmptyCells, Linked, Resources, SMALLEST_COST, SumsBy, Table,
    apply_apriori, assess_all_within, let_empty_be_hidden,
};

use crate::job::Job;
use crate::job::file::{RulesPart, SystemPart};
use crate::job::plan::{GivenPlan, JobPlan, TablePlan};
use crate::pipeline::{self, Attackers, Decided, LinkedProblem};
use crate::previous;
use crate::release::published::take_as_published;
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
        return whole_system(job, system, &context.budget);
    }
    let spill = context.spill_folder();
    let resources = Resources {
        budget: context.budget.clone(),
        progress,
        spill: spill.as_ref().map(|folder| folder.path().to_owned()),
        ..Resources::default()
    };
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
            Some(given) => given_table(plan, given, &context.budget, &mut notes)?,
            None => {
                let Some(table) = made.next() else { continue };
                let assessments = assess_all_within(&table, &plan.rules, &context.budget)?;
                let costs = plan.cost.of(&table);
                (table, assessments, costs)
            }
        };
        let (table, assessments, costs) = with_empty_cells(plan, table, assessments, costs)?;
        decided.push(decide(&table, plan, assessments, costs, &mut notes)?);
        tables.push(table);
    }
    let budget = &context.budget;
    let mut linked =
        pipeline::link_within(&tables, &decided, &plan.equations, plan.attackers, budget)?;
    take_as_published(job, &tables, &mut linked, &mut notes, context)?;
    Ok(JobTables { plan, tables, decided, linked, records, notes })
}

/// A system of cells and equations that is given as it is, with its statuses and bounds.
fn whole_system(job: &Job, part: &SystemPart, budget: &Budget) -> Result<JobTables, Error> {
    let file = &job.file;
    let others = file.data.is_some()
        || !(file.dimension.is_empty() && file.table.is_empty() && file.equation.is_empty())
        || file.rules != RulesPart::default()
        || file.attacker.has_bounds()
        || file.protect.previous.is_some();
    if others {
        let message = "a system has its cells, equations, statuses and bounds already";
        let advice = "remove [data], [[dimension]], [[table]], [[equation]], [rules], what the attacker \
                      knows, and what was released before";
        return Err(job.mistake(part.file.span(), message, advice));
    }
    if file.release.formats.iter().any(|format| !format.needs_no_table()) {
        let message = "a system has no dimensions to make tables of";
        let advice = "set formats = [\"csv\", \"jj\"], or one of them, in [release]";
        return Err(job.mistake(part.file.span(), message, advice));
    }
    if let Some(earlier) = file.release.published.first() {
        let message = "a system has no tables that an earlier release could be compared with";
        let advice = "leave published out, and set the status of what is known to z in the file";
        return Err(job.mistake(earlier.span(), message, advice));
    }
    let (path, contributors) = (job.locate(part.file.get_ref()), job.contributor_attackers());
    let problem = table_file::read_within(&path, Check::Table, budget)?;
    let problem = contributors.of_table(problem, &path.display().to_string())?;
    let problem = match (job.sums(), problem.contributions().cloned()) {
        (SumsBy::Nothing, Some(known)) => problem.with_contributions(known.without_rule()),
        _ => problem,
    };
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
            attackers: Attackers {
                bounds: AttackerBounds::Nothing,
                contributors,
                know_parts: job.contributors_know_parts(),
                sums: job.sums(),
            },
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
    budget: &Budget,
    notes: &mut Vec<String>,
) -> Result<(Table, Vec<Assessment>, Vec<f64>), Error> {
    let cells = given.given(&plan.name).build_within(&plan.rules, budget)?;
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

/// A table whose empty cells may be hidden as far as the job says.
fn with_empty_cells(
    plan: &TablePlan,
    table: Table,
    assessments: Vec<Assessment>,
    costs: Vec<f64>,
) -> Result<(Table, Vec<Assessment>, Vec<f64>), Error> {
    let Some(empty) = &plan.empty_cells else { return Ok((table, assessments, costs)) };
    let node = |dimension: usize, code: &str, place: &str| {
        let hierarchy = &table.dimensions()[dimension].hierarchy;
        let found = hierarchy.codes().iter().position(|own| own.trim() == code.trim());
        let name = &table.dimensions()[dimension].name;
        found.map(|node| node as NodeId).ok_or_else(|| {
            Error::arguments(
                format!("{place}: \"{code}\" is not a code of {name}"),
                "correct the code, or remove it",
            )
        })
    };
    let place = format!("empty-cells of \"{}\"", plan.name);
    let only = empty.only.iter().enumerate().map(|(dimension, codes)| {
        codes.iter().map(|code| node(dimension, code, &place)).collect::<Result<Vec<_>, _>>()
    });
    let only = only.collect::<Result<Vec<_>, _>>()?;
    let listed = empty.listed.as_ref().map(|(file, cells)| {
        let place = file.display().to_string();
        let cell = |codes: &Vec<String>| {
            let codes = codes.iter().enumerate().map(|(dimension, code)| match code.as_str() {
                "" => Ok(None),
                code => node(dimension, code, &place).map(Some),
            });
            codes.collect::<Result<Vec<_>, _>>()
        };
        cells.iter().map(cell).collect::<Result<Vec<_>, _>>()
    });
    let wanted = EmptyCells { only, listed: listed.transpose()? };
    let_empty_be_hidden(table, &wanted, assessments, costs).map_err(|error| {
        let advice = "remove empty-cells, or make the classifications of the table smaller";
        Error::arguments(format!("{place}: {error}"), advice)
    })
}

/// Applies what was set by hand, and what an earlier release means.
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
    if let Some((file, pattern)) = &plan.previous {
        let earlier = previous::read(file, table)?;
        let noted = previous::apply(&earlier, *pattern, table, &mut assessments, &mut costs);
        notes.extend(noted.into_iter().map(|note| format!("{}: {note}", plan.name)));
    }
    let (rules, labels) = (plan.rules.clone(), plan.labels.clone());
    Ok(Decided { rules, assessments, costs, labels })
}
