//! A whole job, from records to an audited release: the call that every face makes.
//!
//! - [`run()`]: the way of the data, in order;
//! - `suppressed`, `adjusted`: the tables, by the way they are protected;
//! - `microdata`: the records themselves;
//! - `choices`: what was chosen, for the report.

mod adjusted;
mod choices;
mod microdata;
mod suppressed;

use quell_adjust::METHODS as ADJUSTMENTS;
use quell_suppress::METHODS;

use crate::job::file::Approach;
use crate::job::{Inputs, Job, rules};
use crate::release::{Protected, Release, Style};
use crate::report::{Reproduce, RuleShown};
use crate::tabulate::{JobTables, tabulate};
use crate::{Context, Error};

/// Carries out a job: makes its tables, applies its rules, protects and audits them, and
/// protects its microdata. Nothing is written; [`Release::write`] does that.
///
/// A job that is cancelled before it has a protected table is an error
/// ([`Error::is_stopped`]). Later, what there is by then is audited as far as the context
/// allows; what is not proven by then is *not proven*.
///
/// # Errors
/// If the job, its files or its records are wrong, or its tables cannot be protected.
///
/// # Examples
///
/// ```
/// use quell::{Context, Job, TableVerdict};
///
/// # let folder = tempfile::tempdir()?;
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
/// write("firms.csv", "sector,region,turnover\nA,N,900\nA,N,20\nA,S,300\nA,S,290\nA,S,310\n\
///                     B,N,150\nB,N,160\nB,N,170\nB,S,120\nB,S,130\nB,S,140\n")?;
/// let job = Job::from_toml(
///     r#"
///     [data]
///     file = "firms.csv"
///     [[dimension]]
///     name = "sector"
///     [[dimension]]
///     name = "region"
///     [[table]]
///     name = "Turnover"
///     dimensions = ["sector", "region"]
///     response = "turnover"
///     [rules]
///     p-percent = { p = 10 }
///     "#,
///     folder.path(),
/// )?;
/// let release = quell::run(&job, &Context::default())?;
/// assert_eq!(release.verdict(), TableVerdict::Safe);
/// let tables = release.tables()?;
/// assert_eq!(tables[0].name, "Turnover");
/// // The sensitive cell is hidden, and so are those that would give it away.
/// assert!(tables[0].cells.column(2).null_count() >= 4);
/// let written = release.write(folder.path().join("release"))?;
/// assert!(written[0].ends_with("turnover.csv"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(job: &Job, context: &Context<'_>) -> Result<Release, Error> {
    Context::clean_up();
    let limits = job.limits()?;
    let method = method(job)?;
    refuse_checkpoints(job, context)?;
    job.check_in_memory()?;
    let inputs = Inputs::of(job);
    let microdata = microdata::microdata(job, &limits, context)?;
    let mut release = Release {
        title: job.title(),
        protected: None,
        microdata,
        records: 0,
        notes: Vec::new(),
        rules: Vec::new(),
        reproduce: Reproduce {
            version: env!("CARGO_PKG_VERSION"),
            inputs: inputs.shown(),
            choices: choices::choices(job, method, &limits, context),
        },
        audience: job.file.report.audience,
        style: Style {
            formats: job.file.release.formats.clone(),
            statuses: job.file.release.statuses,
            suppressed: job.file.release.suppressed.clone(),
        },
        inputs,
    };
    if !job.has_tables() {
        return Ok(release);
    }
    let reading = limits.reading(context);
    let prepared = tabulate(job, &reading)?;
    reading.go_on()?;
    // Nothing is read again but records that are released themselves.
    release.inputs.check_unchanged()?;
    release.records = prepared.records;
    release.rules = rules_shown(&prepared, job.file.report.parameters);
    release.notes.clone_from(&prepared.notes);
    release.protected = Some(match job.file.protect.approach {
        Approach::Suppress => {
            let notes = &mut release.notes;
            let tables = suppressed::suppressed(prepared, method, &limits, notes, context)?;
            Protected::Suppressed(Box::new(tables))
        }
        Approach::Adjust => {
            let tables = adjusted::adjusted(job, prepared, method, &limits, context)?;
            Protected::Adjusted(Box::new(tables))
        }
    });
    Ok(release)
}

/// The method's name, checked before any work is done.
fn method(job: &Job) -> Result<&str, Error> {
    let approach = job.file.protect.approach;
    if let Some(name) = &job.overrides.method {
        match approach {
            Approach::Suppress => drop(quell_suppress::method(name)?),
            Approach::Adjust => drop(quell_adjust::method(name)?),
        }
        return Ok(name);
    }
    let methods = match approach {
        Approach::Suppress => METHODS,
        Approach::Adjust => ADJUSTMENTS,
    };
    match &job.file.protect.method {
        Some(name) => {
            job.known(name, methods, "method")?;
            Ok(name.get_ref())
        }
        None => Ok(methods[0]),
    }
}

/// A checkpoint that nobody writes must not be believed to be there.
fn refuse_checkpoints(job: &Job, context: &Context<'_>) -> Result<(), Error> {
    let keeps = job.has_tables() && job.file.protect.approach == Approach::Suppress;
    if keeps || context.checkpoints.is_none() {
        return Ok(());
    }
    let message = match job.has_tables() {
        true => "an adjustment keeps no checkpoints",
        false => "a job without tables keeps no checkpoints",
    };
    Err(Error::arguments(
        message,
        "leave the checkpoint out; only searches for cells to hide have them",
    ))
}

/// The rules of all tables; those that hold for some only say for which.
fn rules_shown(prepared: &JobTables, parameters: bool) -> Vec<RuleShown> {
    let mut list: Vec<RuleShown> = Vec::new();
    let plans = &prepared.plan.tables;
    for table in plans {
        if table.is_decided_by_statuses() {
            continue;
        }
        for rule in rules::shown(&table.rules, parameters) {
            let same = |other: &&mut RuleShown| {
                (&other.name, &other.parameters) == (&rule.name, &rule.parameters)
            };
            match list.iter_mut().find(same) {
                Some(known) => known.tables.push(table.name.clone()),
                None => list.push(RuleShown { tables: vec![table.name.clone()], ..rule }),
            }
        }
    }
    for rule in &mut list {
        rule.tables.dedup();
        if rule.tables.len() == plans.len() {
            rule.tables.clear();
        }
    }
    list
}
