//! Runs the commands of a batch file one after the other.

mod protection;
mod read;
mod session;
pub(super) mod tables;

use std::path::Path;

use quell_formats::Text;
use quell_formats::argus::arb;
use quell_tabulate::Resources;

use super::RunArguments;
use super::classification::Folders;
use super::log::Log;
use crate::Error;
use crate::exit::Exit;
use crate::interrupt;
use crate::output;
use crate::progress_bar::ProgressBar;
use session::{Session, Unsafe};

/// Runs a batch file.
///
/// # Errors
/// If the batch or its files are wrong, or an output cannot be written.
pub fn run(arguments: &RunArguments) -> Result<Exit, Error> {
    let text = Text::read(&arguments.batch)?;
    let steps = arb::parse(&text)?;
    let folder = match arguments.batch.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut folders = vec![folder.to_owned()];
    folders.extend(arguments.datadir.clone());
    let cancel = interrupt::cancel_flag();
    let budget = arguments.limits.budget_from_now(&cancel);
    let progress = ProgressBar::new();
    let mut session = Session {
        steps: &steps,
        folder,
        folders: Folders { folders },
        resources: Resources { budget, ..Resources::default() },
        limits: &arguments.limits,
        cancel,
        progress: &progress,
        log: Log::new(arguments.log.as_deref()),
        source: None,
        metadata: None,
        tables: Vec::new(),
        outputs: Vec::new(),
        not_safe: Vec::new(),
    };
    let result = session.run();
    let Session { mut log, outputs, not_safe, .. } = session;
    drop(progress);
    if let Err(failure) = result {
        log.end(format!("stopped: {failure}"));
        log.write()?;
        return Err(failure);
    }
    if !not_safe.is_empty() {
        log.end("not proven safe: no table was written");
        log.write()?;
        for Unsafe { line, text } in &not_safe {
            eprintln!("line {line}:\n{text}");
        }
        eprintln!("quell: no table was written");
        return Ok(Exit::NotSafe);
    }
    for pending in &outputs {
        pending.write()?;
    }
    log.write()?;
    output::line(log.text().trim_end());
    for pending in &outputs {
        output::line(format_args!("wrote {}", pending.path().display()));
    }
    Ok(Exit::Done)
}
