//! Results on the standard output. Whoever stops reading early (`| head`) is not told of
//! an error.

use std::io::Write;

use serde::Serialize;

/// Prints a line.
pub fn line(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints a result as JSON.
pub fn json(result: &impl Serialize) {
    match serde_json::to_string_pretty(result) {
        Ok(text) => line(text),
        Err(error) => panic!("a result cannot be written as JSON: {error}"),
    }
}
