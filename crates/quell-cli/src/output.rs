//! Results on the standard output, remarks on the standard error. Whoever stops reading early
//! (`| head`) is not told of an error.

use std::io::Write;

use serde::Serialize;

/// Prints a line of the result.
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

/// Says what is worth knowing beside the result.
pub fn remark(text: impl std::fmt::Display) {
    eprintln!("quell: {text}");
}

/// A number of things: one table, two tables.
pub fn counted(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
