//! `quell protect`: a whole job, from records to an audited release.

use std::path::{Path, PathBuf};

use clap::Args;
use quell::release::{AdjustedTables, Previous, ReleaseFolder, SuppressedTables};
use quell::text::{AuditReport, counted};
use quell::{
    Audience, Context, Error, Job, Limits, Overrides, Protected, Release, TableVerdict, WhenUnsafe,
    run as carry_out, tested_against,
};

use super::Session;
use crate::args::{CheckpointArguments, ContributorArguments, SearchArguments};
use crate::exit::Exit;
use crate::output;

/// Protect a whole job: tabulate, apply the rules, hide cells, audit, release.
///
/// A job may have tables, microdata (`[micro]`), or both.
///
/// All files of a release appear together, instead of the release that is in the folder, and
/// only if the audit proves every sensitive cell safe. What must not be published goes into a
/// folder beside it, FOLDER-office.
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

    /// Keep the release that is in the folder, beside it as FOLDER-previous
    #[arg(long)]
    keep_previous: bool,

    /// Write the release although it is not proven safe; every file is marked
    #[arg(long)]
    release_unsafe: bool,

    #[command(flatten)]
    contributors: ContributorArguments,

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
            contributors: self.contributors.attackers(),
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
        Context { checkpoints: arguments.checkpoints.place(), ..session.search_of_a_job()? };
    let previous = if arguments.keep_previous { Previous::Kept } else { Previous::Removed };
    // Before hours of work: a folder that cannot be written, or that another run writes to.
    let place = ReleaseFolder::take(&folder, previous, &context)?;
    let checkpoint = context.checkpoints.as_ref().map(|place| place.file.as_path());
    place.refuse_inside(checkpoint)?;
    let inputs = job.input_files();
    place.refuse_inside(inputs.iter().map(PathBuf::as_path).chain([arguments.job.as_path()]))?;
    let office = place.shown_for(Audience::Office);
    let release = carry_out(&job, &context)?;
    let when_unsafe = arguments.when_unsafe();
    if release.tables_verdict() != TableVerdict::Safe && when_unsafe == WhenUnsafe::Refuse {
        drop(session);
        show_refused(&release);
        return Ok(Exit::NotSafe);
    }
    let written = release.write_to(place, when_unsafe, &context)?;
    drop(session);
    show(&release);
    list(&folder, "", &written);
    list(&office, " (not for publication)", &written);
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
            let report = AuditReport::new(&tables.problem, &tables.pattern, &tables.audit)
                .with_contributors(&tables.contributors);
            output::aside(report.text());
        }
        Protected::Adjusted(tables) => tables.breaches.iter().for_each(output::remark),
    }
    release.notes().iter().for_each(output::remark);
    output::remark("nothing was written (--release-unsafe writes it, marked)");
}

/// Tells which files were written into a folder.
fn list(folder: &Path, remark: &str, written: &[PathBuf]) {
    output::line(format_args!("wrote {}{remark}:", folder.display()));
    for name in written.iter().filter_map(|path| path.strip_prefix(folder).ok()) {
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
        TableVerdict::Safe if primaries == 0 => "there is nothing to protect".to_owned(),
        TableVerdict::Safe if primaries == 1 => "the only sensitive cell is proven safe".to_owned(),
        TableVerdict::Safe => format!("all {primaries} sensitive cells are proven safe"),
        _ => {
            let safe = tables.audit.counts().safe;
            let are = if safe == 1 { "is" } else { "are" };
            format!("{safe} of {} {are} proven safe", counted(primaries, "sensitive cell"))
        }
    };
    let (records, count) = (release.records() as usize, tables.tables.len());
    let size = [
        (records > 0).then(|| counted(records, "record")),
        (count > 0).then(|| counted(count, "table")),
        Some(counted(problem.cell_count(), "cell")),
        Some(counted(problem.system().equation_count(), "equation")),
    ];
    format!(
        "{}\n\
         {primaries} primary, {} secondary ({}), {:.1} % of all cells published\n\
         {}: {verdict}\n\
         {}",
        size.into_iter().flatten().collect::<Vec<_>>().join(", "),
        tables.pattern.secondaries(problem).count(),
        tables.method,
        100.0 * (problem.cell_count() - tables.pattern.len()) as f64
            / problem.cell_count().max(1) as f64,
        tables.verdict(),
        tested_against(problem),
    )
}

fn adjusted(tables: &AdjustedTables) -> String {
    format!("{}\nnot tested against contributors", tables.summary.text().trim_end())
}
