//! The state of a long search in a file, so that it survives a reboot.
//!
//! Text, one line per item: the format, the method, the table's fingerprint, the steps taken, the hidden
//! cells, then the proofs, then what was tried. It tells how far cells can move, so it stays in
//! the office: only its owner can read the file.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use quell_formats::{Error as FileError, write_private};
use quell_model::{CellId, Problem};
use quell_suppress::{Checkpoint, Checkpoints, Method, Movement};
use sha2::{Digest, Sha256};

use crate::{CheckpointPlace, Error};

/// How often a checkpoint is written.
const EVERY: Duration = Duration::from_secs(60);

const FORMAT: &str = "quell checkpoint 2";

/// Checkpoints in a file.
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    method: &'static str,
    table: String,
    last: Option<Checkpoint>,
    written: Mutex<Instant>,
    failure: Mutex<Option<FileError>>,
}

impl CheckpointFile {
    /// The file at a place, with what an earlier search left in it.
    ///
    /// # Errors
    /// If the method keeps no checkpoints, there is a file that would be lost, or it is not of
    /// this method and table.
    pub fn open(
        place: &CheckpointPlace,
        method: &dyn Method,
        problem: &Problem,
    ) -> Result<Self, Error> {
        let path = &place.file;
        if !method.keeps_checkpoints() {
            return Err(Error::arguments(
                format!("{} keeps no checkpoints", method.name()),
                "ask for no checkpoint, or choose auto, exact, local-lp or hybrid",
            ));
        }
        let table = fingerprint(problem);
        let exists = path.exists();
        if exists && !place.resume {
            return Err(Error::arguments(
                format!("{} exists already", path.display()),
                "add --resume to go on from it, or remove it",
            ));
        }
        let last = match exists {
            true => Some(read(path, method.name(), &table, problem.cell_count())?),
            false => None,
        };
        let file = Self {
            path: path.clone(),
            method: method.name(),
            table,
            last,
            written: Mutex::new(Instant::now()),
            failure: Mutex::new(None),
        };
        // A place that cannot be written is told before hours of work.
        if !exists {
            file.write(&Checkpoint::default())?;
        }
        Ok(file)
    }

    /// What to tell of a checkpoint that could not be written; the search itself has not
    /// suffered.
    pub fn failure(self) -> Option<String> {
        let failure = self.failure.into_inner().ok().flatten();
        failure.map(|error| format!("no checkpoint could be written: {error}"))
    }

    fn write(&self, checkpoint: &Checkpoint) -> Result<(), FileError> {
        write_private(&self.path, |out| {
            let failed = |source| FileError::Write { file: self.path.clone(), source };
            write(out, self.method, &self.table, checkpoint).map_err(failed)
        })
    }
}

fn write(
    out: &mut impl Write,
    method: &str,
    table: &str,
    checkpoint: &Checkpoint,
) -> io::Result<()> {
    writeln!(out, "{FORMAT}\nmethod {method}\ntable {table}\nsteps {}", checkpoint.steps)?;
    write!(out, "hidden")?;
    for cell in &checkpoint.secondaries {
        write!(out, " {}", cell.0)?;
    }
    writeln!(out)?;
    for proof in &checkpoint.proofs {
        write!(out, "proof")?;
        for (cell, amount) in proof.entries() {
            write!(out, " {}:{amount}", cell.0)?;
        }
        writeln!(out)?;
    }
    for (mark, cost) in &checkpoint.tried {
        writeln!(out, "tried {mark}:{cost}")?;
    }
    writeln!(out, "end")
}

impl Checkpoints for CheckpointFile {
    fn last(&self) -> Option<&Checkpoint> {
        self.last.as_ref()
    }

    fn is_due(&self) -> bool {
        self.written.lock().is_ok_and(|written| written.elapsed() >= EVERY)
    }

    fn save(&self, checkpoint: &dyn Fn() -> Checkpoint) {
        let result = self.write(&checkpoint());
        if let (Err(error), Ok(mut failure)) = (result, self.failure.lock()) {
            *failure = Some(error);
        }
        if let Ok(mut written) = self.written.lock() {
            *written = Instant::now();
        }
    }
}

/// What makes a table this one: all that a search depends on.
fn fingerprint(problem: &Problem) -> String {
    let mut hash = Sha256::new();
    for cell in problem.system().cells() {
        let all = problem.cell(cell);
        hash.update(all.value.to_le_bytes());
        hash.update(all.weight.to_le_bytes());
        hash.update(format!("{:?}", all.status));
        hash.update(all.lower_bound.to_le_bytes());
        hash.update(all.upper_bound.to_le_bytes());
        let levels = all.protection;
        for level in [levels.lower, levels.upper, levels.sliding] {
            hash.update(level.to_le_bytes());
        }
    }
    for equation in problem.system().equations() {
        hash.update(problem.system().right_hand_side(equation).to_le_bytes());
        for (cell, coefficient) in problem.system().cells_of(equation) {
            hash.update(cell.0.to_le_bytes());
            hash.update(coefficient.to_le_bytes());
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(path: &Path, method: &str, table: &str, cells: usize) -> Result<Checkpoint, Error> {
    let failed = |source| FileError::Read { file: path.to_owned(), source };
    let file = std::fs::File::open(path).map_err(failed)?;
    let mut checkpoint = Checkpoint::default();
    let mut complete = false;
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let line = line.map_err(failed)?;
        let known = match (number, line.split_once(' ').unwrap_or((&line, ""))) {
            (0, _) => line == FORMAT,
            (1, ("method", found)) if found == method => true,
            (1, ("method", found)) => {
                return Err(Error::arguments(
                    format!("{} is a checkpoint of {found}, not of {method}", path.display()),
                    format!("go on with --method {found}, or remove it and begin anew"),
                ));
            }
            (2, ("table", found)) if found == table => true,
            (2, ("table", _)) => {
                return Err(Error::arguments(
                    format!("{} is a checkpoint of another table", path.display()),
                    "protect the table it is of, or remove it and begin anew",
                ));
            }
            (3, ("steps", steps)) => steps.parse().map(|steps| checkpoint.steps = steps).is_ok(),
            (4, ("hidden", list)) => {
                match list.split_whitespace().map(|id| cell(id, cells)).collect() {
                    Some(hidden) => {
                        checkpoint.secondaries = hidden;
                        true
                    }
                    None => false,
                }
            }
            (5.., ("proof", list)) => {
                match list.split(' ').map(|entry| moved(entry, cells)).collect() {
                    Some(entries) => {
                        checkpoint.proofs.push(Movement::new(entries));
                        true
                    }
                    None => false,
                }
            }
            (5.., ("tried", one)) => {
                let one = one.split_once(':');
                match one.and_then(|(mark, cost)| mark.parse().ok().zip(number_of(cost))) {
                    Some(one) => {
                        checkpoint.tried.push(one);
                        true
                    }
                    None => false,
                }
            }
            (5.., ("end", "")) => {
                complete = true;
                true
            }
            _ => false,
        };
        if !known {
            return Err(damaged(path, number + 1));
        }
    }
    match complete {
        true => Ok(checkpoint),
        false => Err(damaged(path, 0)),
    }
}

fn damaged(path: &Path, line: usize) -> Error {
    let place = if line == 0 { "its end".to_owned() } else { format!("line {line}") };
    Error::arguments(
        format!("{} is no checkpoint, or damaged at {place}", path.display()),
        "remove it and begin anew",
    )
}

fn cell(text: &str, cells: usize) -> Option<CellId> {
    text.parse().ok().filter(|&id: &u32| (id as usize) < cells).map(CellId)
}

fn moved(entry: &str, cells: usize) -> Option<(CellId, f64)> {
    let (id, amount) = entry.split_once(':')?;
    Some((cell(id, cells)?, number_of(amount)?))
}

fn number_of(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
