//! Runs the commands of a batch file one after the other; `job` makes a job of them instead.

mod job;
mod protection;
mod read;
mod session;
pub(super) mod tables;

use std::path::{Path, PathBuf};
use std::time::Duration;

use quell_formats::Text;
use quell_formats::argus::arb;
use quell_tabulate::Resources;

use super::classification::Folders;
use super::log::Log;
use super::output::Pending;
use super::rules;
use crate::job::Limits;
use crate::release::FileSet;
use crate::text::counted;
use crate::{Context, Error};
use session::Session;

/// What a batch does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BatchOptions {
    /// The logbook, if the batch does not name one.
    pub log: Option<PathBuf>,
    /// Where files without a path are looked for, after the batch's own folder.
    pub folders: Vec<PathBuf>,
    /// The time of each protection, instead of the batch's.
    pub time: Option<Duration>,
}

/// What came of a batch. Its tables are written by [`BatchRun::write`].
#[derive(Debug)]
pub struct BatchRun {
    log: Log,
    outputs: Vec<Pending>,
    not_proven: Vec<NotProven>,
}

/// A protection that was not proven safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotProven {
    /// The line of the batch that asked for it.
    pub line: usize,
    /// What the auditor says.
    pub audit: String,
}

impl BatchRun {
    /// What was done, command by command.
    pub fn log(&self) -> String {
        self.log.text()
    }

    /// What was not proven safe; nothing may be written then.
    pub fn not_proven(&self) -> &[NotProven] {
        &self.not_proven
    }

    /// Writes all files that the batch asks for, together; none if a protection is not proven
    /// safe. Tells which were written.
    ///
    /// # Errors
    /// If a file cannot be written; then none is.
    pub fn write(&mut self, context: &Context<'_>) -> Result<Vec<PathBuf>, Error> {
        if !self.not_proven.is_empty() {
            self.log.end("not proven safe: no table was written");
            self.log.check()?;
            return Ok(Vec::new());
        }
        let written = self.write_all(context);
        match &written {
            Ok(files) => self.log.end(format!("{} written", counted(files.len(), "file"))),
            Err(failure) => self.log.end(format!("no table was written: {failure}")),
        }
        let files = written?;
        self.log.check()?;
        Ok(files)
    }

    fn write_all(&self, context: &Context<'_>) -> Result<Vec<PathBuf>, Error> {
        let mut files = FileSet::new(context);
        for pending in &self.outputs {
            context.go_on()?;
            pending.write(&mut files)?;
        }
        files.publish()
    }
}

/// Runs a batch file as it is, up to `<GOINTERACTIVE>`.
///
/// # Errors
/// If the batch or its files are wrong, or the call is cancelled; the logbook then tells how far
/// it came.
pub fn run(batch: &Path, options: &BatchOptions, context: &Context<'_>) -> Result<BatchRun, Error> {
    if context.checkpoints.is_some() {
        let advice = "leave the checkpoint out, or protect the table by itself";
        return Err(Error::arguments("a batch keeps no checkpoints", advice));
    }
    let text = Text::read(batch)?;
    let steps = arb::parse(&text, &rules::forms())?;
    let folder = match batch.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut folders = vec![folder.to_owned()];
    folders.extend(options.folders.iter().cloned());
    let reading = Limits::default().reading(context);
    let spill = context.spill_folder();
    let mut session = Session {
        steps: &steps,
        folder,
        folders: Folders { folders },
        resources: Resources {
            budget: reading.budget.clone(),
            progress: context.progress,
            spill: spill.as_ref().map(|folder| folder.path().to_owned()),
            ..Resources::default()
        },
        time: options.time,
        context,
        log: Log::new(options.log.as_deref())?,
        source: None,
        metadata: None,
        tables: Vec::new(),
        outputs: Vec::new(),
        places: Vec::new(),
        not_proven: Vec::new(),
    };
    let result = session.run();
    let Session { mut log, outputs, not_proven, .. } = session;
    if let Err(failure) = result {
        log.end(format!("stopped: {failure}"));
        return Err(failure);
    }
    Ok(BatchRun { log, outputs, not_proven })
}
