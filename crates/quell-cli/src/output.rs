//! Results on the standard output, remarks on the standard error. Whoever stops reading early
//! (`| head`) is not told of an error; a result that could not be written is one.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::exit::Exit;

/// The first failure of the standard output.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints a line of the result.
pub fn line(text: impl std::fmt::Display) {
    note(writeln!(io::stdout().lock(), "{text}"));
}

fn note(written: io::Result<()>) {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            FAILED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
        _ => {}
    }
}

/// How the command ended, now that all of its result is written, or could not be.
pub fn finish(exit: Exit) -> Exit {
    note(io::stdout().lock().flush());
    match FAILED.lock().unwrap_or_else(PoisonError::into_inner).take() {
        None => exit,
        Some(error) => {
            remark(format_args!("the result could not be written: {error}"));
            if exit == Exit::Done { Exit::WrongInput } else { exit }
        }
    }
}

/// Prints a result as JSON.
pub fn json(result: &impl Serialize) {
    match serde_json::to_string_pretty(result) {
        Ok(text) => line(text),
        Err(error) => panic!("a result cannot be written as JSON: {error}"),
    }
}

/// Says what is worth knowing beside the result.
pub fn remark(text: impl std::fmt::Display) {
    aside(format_args!("quell: {text}"));
}

/// Prints a line on the standard error. That nobody hears it is no reason to fail.
pub fn aside(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
