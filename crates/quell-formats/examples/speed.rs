//! How fast a table of a million cells is printed and read as JJ and as a CSV pair.

use std::time::Instant;

use quell_formats::csv_pair::{self, Source};
use quell_gen::Preset;

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{what:>16}: {:.2} s", start.elapsed().as_secs_f64());
    result
}

fn main() {
    let preset = Preset::find("100x100x100").expect("a preset of this name");
    let problem = timed("generate", || preset.parameters().generate(1).expect("presets are sound"));
    let mut text = Vec::new();
    timed("print JJ", || {
        quell_formats::jj::print(&mut text, &problem).expect("memory does not fail")
    });
    println!("{:>16}: {:.1} MB", "size", text.len() as f64 / 1e6);
    let again =
        timed("read JJ", || quell_formats::jj::parse("memory", &text).expect("our own text"));
    assert_eq!(again.values(), problem.values());
    drop(again);
    let (mut cells, mut equations) = (Vec::new(), Vec::new());
    timed("print CSV", || {
        csv_pair::print_cells(&mut cells, &problem).expect("memory does not fail");
        csv_pair::print_equations(&mut equations, &problem).expect("memory does not fail");
    });
    println!("{:>16}: {:.1} MB", "size", (cells.len() + equations.len()) as f64 / 1e6);
    let again = timed("read CSV", || {
        let cells = Source { file: "cells", text: &cells };
        csv_pair::parse(cells, Source { file: "equations", text: &equations })
            .expect("our own text")
    });
    assert_eq!(again.values(), problem.values());
}
