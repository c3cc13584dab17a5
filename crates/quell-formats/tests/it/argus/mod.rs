//! The files of τ-ARGUS: invented examples, what they mean, and what is wrong with them.

mod batches;
mod metadata;
mod mutations;
mod outputs;
mod round_trips;
mod tables;

use quell_formats::argus::arb::{self, RuleForm, Step};
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

/// A batch with the rules of τ-ARGUS.
fn batch(text: &Text) -> Result<Vec<Step>, Error> {
    let form = |keyword, arguments, places| RuleForm { keyword, arguments, limits: vec![], places };
    let rules = [
        form("P", &[&["p"], &["p", "n"], &["p", "q", "n"]], Some(2)),
        form("NK", &[&["n", "k"]], Some(2)),
        form("FREQ", &[&["minimum", "margin"]], Some(1)),
        form("ZERO", &[&["range"]], None),
        form("REQ", &[&["first", "second", "minimum", "margin"]], Some(1)),
    ];
    arb::parse(text, &rules)
}
