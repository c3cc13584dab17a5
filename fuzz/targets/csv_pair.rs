//! Pairs of CSV files; a line of `---` parts the two.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_formats::csv_pair::{self, Source};

const PARTED_BY: &[u8] = b"\n---\n";

fuzz_target!(|text: &[u8]| {
    let place = text.windows(PARTED_BY.len()).position(|part| part == PARTED_BY);
    let (cells, equations) = match place {
        Some(place) => (&text[..=place], &text[place + PARTED_BY.len()..]),
        None => (text, &b""[..]),
    };
    let cells = Source { file: "T.cells.csv", text: cells };
    let equations = Source { file: "T.equations.csv", text: equations };
    let Ok(problem) = csv_pair::parse(cells, equations) else { return };
    for fault in problem.faults() {
        let _ = csv_pair::mistake_of(cells, equations, &problem, &fault);
    }
    let (mut of_cells, mut of_equations) = (Vec::new(), Vec::new());
    csv_pair::print_cells(&mut of_cells, &problem).expect("memory does not fail");
    csv_pair::print_equations(&mut of_equations, &problem).expect("memory does not fail");
    let again = csv_pair::parse(
        Source { file: "T.cells.csv", text: &of_cells },
        Source { file: "T.equations.csv", text: &of_equations },
    );
    assert_eq!(again.expect("what was written is read").values(), problem.values());
});
