//! The files of τ-ARGUS: invented examples, what they mean, and what is wrong with them.

mod batches;
mod metadata;
mod mutations;
mod outputs;
mod round_trips;
mod tables;

use quell_formats::{Error, Text};

fn text(content: &str) -> Text {
    Text::new("t", content.as_bytes())
}

/// Line, column and what was expected.
fn wrong<T: std::fmt::Debug>(result: Result<T, Error>) -> (usize, usize, String) {
    let error = result.expect_err("must be refused");
    let mistake = error.mistake().expect("must have a place");
    (mistake.line, mistake.column, mistake.expected.clone())
}
