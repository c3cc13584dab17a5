//! `quell protect`: a whole job, from records to an audited release.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use quell_attack::TableVerdict;
use quell_formats::Error as FileError;
use quell_model::{Budget, Problem, Progress};
use quell_suppress::METHODS;

use crate::Error;
use crate::adjust;
use crate::checkpoint_file::CheckpointArguments;
use crate::exit::Exit;
use crate::interrupt;
use crate::job::file::Approach;
use crate::job::plan::Plan;
use crate::job::{Job, rules};
use crate::limits::{self, Search, USUAL_TIME, Usual};
use crate::micro::{self, job::Told};
use crate::output;
use crate::pipeline;
use crate::prepare::{Prepared, prepare};
use crate::progress_bar::ProgressBar;
use crate::release::{self, Marking, OFFICE, Protected};
use crate::report::{Audience, Report, Reproduce, RuleShown};
use crate::together::Together;

/// Protect a whole job: tabulate, apply the rules, hide cells, audit, release.
///
/// A job may have tables, microdata (`[micro]`), or both.
///
/// All files of a release appear together, and only if the audit proves every sensitive
/// cell safe.
#[derive(Debug, Args)]
pub struct ProtectArguments {
    /// The job file (docs/job.md); quell init writes a first one
    #[arg(value_name = "JOB")]
    job: PathBuf,

    /// The method, instead of the job's
    #[arg(long, value_name = "NAME")]
    method: Option<String>,

    /// The folder of the release, instead of the job's
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Write the release although it is not proven safe; every file is marked
    #[arg(long)]
    release_unsafe: bool,

    #[command(flatten)]
    search: Search,

    #[command(flatten)]
    checkpoints: CheckpointArguments,
}

/// The limits that a job gives, checked.
///
/// # Errors
/// If its time is none.
pub fn usual(job: &Job) -> Result<Usual, Error> {
    let part = &job.file.protect;
    let time = part.time.as_ref().map(|time| {
        limits::parse_time(time.get_ref())
            .map_err(|message| job.mistake(time.span(), "this is not a time", message))
    });
    // Some methods would go on until they have a proof.
    let standard = Some(USUAL_TIME).filter(|_| part.work.is_none());
    let time = time.transpose()?.or(standard);
    Ok(Usual { threads: part.threads, time, work: part.work, seed: part.seed })
}

/// The method's name, checked before any work is done.
fn method(arguments: &ProtectArguments, job: &Job) -> Result<String, Error> {
    let approach = job.file.protect.approach;
    if let Some(name) = &arguments.method {
        match approach {
            Approach::Suppress => drop(quell_suppress::method(name)?),
            Approach::Adjust => drop(quell_adjust::method(name)?),
        }
        return Ok(name.clone());
    }
    let methods = match approach {
        Approach::Suppress => METHODS,
        Approach::Adjust => quell_adjust::METHODS,
    };
    match &job.file.protect.method {
        Some(name) => {
            job.known(name, methods, "method")?;
            Ok(name.get_ref().clone())
        }
        None => Ok(methods[0].to_owned()),
    }
}

/// Runs the sub-command.
///
/// # Errors
/// If the job is wrong, or its release cannot be written.
pub fn run(arguments: &ProtectArguments) -> Result<Exit, Error> {
    let job = Job::read(&arguments.job)?;
    let method = method(arguments, &job)?;
    let usual = usual(&job)?;
    let folder = match &arguments.out {
        Some(folder) => folder.clone(),
        None => job.locate(&job.file.release.folder),
    };
    // A folder that cannot be written is told before hours of work.
    let mut files = Together::new(&folder)?;
    let cancel: Arc<AtomicBool> = interrupt::cancel_flag();
    let progress = ProgressBar::new();
    let micro = match &job.file.micro {
        Some(part) => {
            progress.stage("protecting the microdata", None);
            let budget = arguments.search.budget_from_now(&usual, &cancel);
            Some(micro::job::write(&job, part, &folder, &mut files, &budget)?)
        }
        None => None,
    };
    if let Some(told) = micro.as_ref().filter(|_| !job.has_tables()) {
        let written = files.publish()?;
        drop(progress);
        told.print();
        list(&folder, &written);
        return Ok(if told.is_safe() { Exit::Done } else { Exit::NotSafe });
    }
    let first = arguments.search.budget_from_now(&Usual { time: None, ..usual.clone() }, &cancel);
    let prepared = prepare(&job, &first, &progress)?;
    refuse_faulty(&prepared.linked.problem)?;
    let budget = arguments.search.budget_from_now(&usual, &cancel);
    if job.file.protect.approach == Approach::Adjust {
        let choices = choices(&job, &method, &budget, &usual);
        let summary =
            adjust::job::write(&job, prepared, &method, &mut files, &budget, &progress, &choices)?;
        if !summary.safe {
            drop(progress);
            output::line(summary.text());
            return Ok(Exit::NotSafe);
        }
        let written = files.publish()?;
        drop(progress);
        tell(micro.as_ref(), &summary.text());
        list(&folder, &written);
        return Ok(exit(TableVerdict::Safe, micro.as_ref()));
    }
    let problem = &prepared.linked.problem;
    let outcome = pipeline::protect(problem, &method, &budget, &progress, &arguments.checkpoints)?;
    let audit = pipeline::audit(problem, &outcome, &budget, &progress)?;
    let Prepared { plan, tables, decided, linked, records, notes } = prepared;
    let lower_bound = Some(outcome.lower_bound).filter(|&bound| bound > 0.0);
    let protected = pipeline::protected(tables, decided, linked, outcome, audit);
    let summary = summary(&protected, records, &method);
    if protected.verdict() != TableVerdict::Safe && !arguments.release_unsafe {
        drop(progress);
        output::line(summary);
        let text =
            quell_attack::Report::new(&protected.problem, &protected.pattern, &protected.audit);
        eprintln!(
            "{}\nquell: nothing was written (--release-unsafe writes it, marked)",
            text.text()
        );
        return Ok(Exit::NotSafe);
    }
    progress.stage("writing", None);
    let title = job.file.title.clone().unwrap_or_else(|| stem(&arguments.job));
    let report = Report {
        title: &title,
        protected: &protected,
        audience: job.file.report.audience,
        rules: rules_shown(&plan, job.file.report.parameters),
        method: &method,
        lower_bound,
        notes: &notes,
        reproduce: Reproduce {
            version: env!("CARGO_PKG_VERSION"),
            inputs: job.inputs()?,
            choices: choices(&job, &method, &budget, &usual),
        },
    };
    release::write(
        &mut files,
        &protected,
        &job.file.release.formats,
        &job.file.release.suppressed,
    )?;
    write_report(&mut files, &report)?;
    let written = files.publish()?;
    drop(progress);
    tell(micro.as_ref(), &summary);
    list(&folder, &written);
    Ok(exit(protected.verdict(), micro.as_ref()))
}

/// Tells what was done with the microdata, if there are any, and with the tables.
fn tell(micro: Option<&Told>, tables: &str) {
    if let Some(told) = micro {
        told.print();
    }
    output::line(tables);
}

/// Safe if all of it is.
fn exit(tables: TableVerdict, micro: Option<&Told>) -> Exit {
    match tables {
        TableVerdict::Safe if micro.is_none_or(Told::is_safe) => Exit::Done,
        _ => Exit::NotSafe,
    }
}

/// Tells which files were written.
fn list(folder: &Path, written: &[PathBuf]) {
    output::line(format_args!("wrote {}:", folder.display()));
    for path in written {
        let name = path.strip_prefix(folder).unwrap_or(path);
        output::line(format_args!("  {}", name.display()));
    }
}

/// A table that does not add up or lies outside the attacker's bounds cannot be protected.
fn refuse_faulty(problem: &Problem) -> Result<(), Error> {
    match problem.faults().into_iter().find(|fault| !fault.is_warning()) {
        None => Ok(()),
        Some(fault) => Err(Error::arguments(
            fault.describe(problem),
            "see [attacker] in docs/job.md for bounds, and [[equation]] for sums",
        )),
    }
}

fn write_report(files: &mut Together, report: &Report<'_>) -> Result<(), Error> {
    let folder = match report.audience {
        Audience::Office => format!("{OFFICE}/"),
        Audience::Public => String::new(),
    };
    let prefix = Marking::of(report.protected.verdict()).prefix();
    let file = files.file(format!("{folder}{prefix}report.html"))?;
    std::fs::write(&file, report.html()).map_err(|source| FileError::Write { file, source }.into())
}

/// What was done, in a few lines.
fn summary(protected: &Protected, records: u64, method: &str) -> String {
    let problem = &protected.problem;
    let counts = protected.audit.counts();
    let primaries = protected.audit.primaries.len();
    let verdict = match protected.verdict() {
        TableVerdict::Safe => format!("all {primaries} sensitive cells are proven safe"),
        _ => format!("{} of {primaries} sensitive cells are proven safe", counts.safe),
    };
    let records = (records > 0).then(|| output::counted(records, "record"));
    let tables = protected.tables.len() as u64;
    let tables = (tables > 0).then(|| output::counted(tables, "table"));
    let size = [
        records,
        tables,
        Some(output::counted(problem.cell_count() as u64, "cell")),
        Some(output::counted(problem.system().equation_count() as u64, "equation")),
    ];
    format!(
        "{}\n\
         {primaries} primary, {} secondary ({method}), {:.1} % of all cells published\n\
         {}: {verdict}",
        size.into_iter().flatten().collect::<Vec<_>>().join(", "),
        protected.pattern.secondaries(problem).count(),
        100.0 * (problem.cell_count() - protected.pattern.len()) as f64
            / problem.cell_count().max(1) as f64,
        protected.verdict(),
    )
}

/// The rules of all tables; those that hold for some only say for which.
fn rules_shown(plan: &Plan, parameters: bool) -> Vec<RuleShown> {
    let mut list: Vec<RuleShown> = Vec::new();
    for table in &plan.tables {
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
        if rule.tables.len() == plan.tables.len() {
            rule.tables.clear();
        }
    }
    list
}

fn choices(job: &Job, method: &str, budget: &Budget, usual: &Usual) -> Vec<(String, String)> {
    let time = usual.time.map_or_else(|| "no limit".to_owned(), |time| format!("{time:?}"));
    let work = usual.work.map_or_else(|| "no limit".to_owned(), |work| work.to_string());
    let attacker = &job.file.attacker;
    let knows = match (attacker.knows, attacker.below.or(attacker.above)) {
        (Some(knows), _) => format!("{knows:?}").to_lowercase(),
        (None, Some(_)) => "each value to within a share of itself".to_owned(),
        (None, None) => "that values are not negative, if none is".to_owned(),
    };
    [
        ("method", method.to_owned()),
        ("seed", budget.seed().to_string()),
        ("time", time),
        ("work", work),
        ("the attacker knows", knows),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "job".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
