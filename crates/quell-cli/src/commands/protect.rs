//! `quell protect`: a whole job, from records to an audited release.

use std::path::{Path, PathBuf};

use clap::Args;
use quell::release::{AdjustedTables, StagedFiles, SuppressedTables};
use quell::text::AuditReport;
use quell::{
    Context, Error, Job, Limits, Overrides, Protected, Release, TableVerdict, WhenUnsafe,
    run as carry_out,
};

use super::Session;
use crate::args::{CheckpointArguments, SearchArguments};
use crate::exit::Exit;
use crate::output;

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
    search: SearchArguments,

    #[command(flatten)]
    checkpoints: CheckpointArguments,
}

impl ProtectArguments {
    /// What holds instead of the words of the job.
    fn overrides(&self) -> Overrides {
        Overrides {
            method: self.method.clone(),
            limits: Limits {
                time: self.search.limits.time,
                work: self.search.work,
                seed: self.search.seed,
                threads: self.search.limits.threads.map(usize::from),
            },
        }
    }

    fn when_unsafe(&self) -> WhenUnsafe {
        match self.release_unsafe {
            true => WhenUnsafe::Mark,
            false => WhenUnsafe::Refuse,
        }
    }
}

/// Runs the sub-command.
///
/// # Errors
/// If the job is wrong, or its release cannot be written.
pub fn run(arguments: &ProtectArguments) -> Result<Exit, Error> {
    let job = Job::read(&arguments.job)?.with_overrides(arguments.overrides());
    let folder = arguments.out.clone().unwrap_or_else(|| job.release_folder());
    let session = Session::begin();
    let context =
        Context { checkpoints: arguments.checkpoints.place(), ..session.search_of_a_job() };
    // A folder that cannot be written is told before hours of work.
    drop(StagedFiles::new(&folder, &context)?);
    let release = carry_out(&job, &context)?;
    let when_unsafe = arguments.when_unsafe();
    if release.tables_verdict() != TableVerdict::Safe && when_unsafe == WhenUnsafe::Refuse {
        drop(session);
        show_refused(&release);
        return Ok(Exit::NotSafe);
    }
    let written = release.write_with(&folder, when_unsafe, &context)?;
    drop(session);
    show(&release);
    list(&folder, &written);
    Ok(release.verdict().into())
}

/// Tells what was done with the microdata and the tables.
fn show(release: &Release) {
    if let Some(microdata) = release.microdata() {
        output::line(microdata.text());
    }
    if let Some(protected) = release.protected() {
        output::line(summary(release, protected));
    }
}

/// Tells why nothing was written.
fn show_refused(release: &Release) {
    let Some(protected) = release.protected() else { return };
    output::line(summary(release, protected));
    match protected {
        Protected::Suppressed(tables) => {
            let report = AuditReport::new(&tables.problem, &tables.pattern, &tables.audit);
            eprintln!("{}", report.text());
        }
        Protected::Adjusted(tables) => tables.breaches.iter().for_each(output::remark),
    }
    output::remark("nothing was written (--release-unsafe writes it, marked)");
}

/// Tells which files were written.
fn list(folder: &Path, written: &[PathBuf]) {
    output::line(format_args!("wrote {}:", folder.display()));
    for path in written {
        let name = path.strip_prefix(folder).unwrap_or(path);
        output::line(format_args!("  {}", name.display()));
    }
}

/// What was done with the tables, in a few lines.
fn summary(release: &Release, protected: &Protected) -> String {
    match protected {
        Protected::Suppressed(tables) => suppressed(release, tables),
        Protected::Adjusted(tables) => adjusted(tables),
    }
}

fn suppressed(release: &Release, tables: &SuppressedTables) -> String {
    let problem = &tables.problem;
    let primaries = tables.audit.primaries.len();
    let verdict = match tables.verdict() {
        TableVerdict::Safe => format!("all {primaries} sensitive cells are proven safe"),
        _ => {
            let safe = tables.audit.counts().safe;
            format!("{safe} of {primaries} sensitive cells are proven safe")
        }
    };
    let (records, count) = (release.records(), tables.tables.len() as u64);
    let size = [
        (records > 0).then(|| output::counted(records, "record")),
        (count > 0).then(|| output::counted(count, "table")),
        Some(output::counted(problem.cell_count() as u64, "cell")),
        Some(output::counted(problem.system().equation_count() as u64, "equation")),
    ];
    format!(
        "{}\n\
         {primaries} primary, {} secondary ({}), {:.1} % of all cells published\n\
         {}: {verdict}",
        size.into_iter().flatten().collect::<Vec<_>>().join(", "),
        tables.pattern.secondaries(problem).count(),
        tables.method,
        100.0 * (problem.cell_count() - tables.pattern.len()) as f64
            / problem.cell_count().max(1) as f64,
        tables.verdict(),
    )
}

fn adjusted(tables: &AdjustedTables) -> String {
    tables.summary.text()
}
