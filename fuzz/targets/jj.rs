//! Tables in JJ: what is accepted is written and read again as the same table.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_formats::jj;

fuzz_target!(|text: &[u8]| {
    let Ok(problem) = jj::parse("T.jj", text) else { return };
    for fault in problem.faults() {
        let _ = fault.describe(&problem);
        let _ = jj::mistake_of("T.jj", text, &problem, &fault);
    }
    let mut written = Vec::new();
    jj::print(&mut written, &problem).expect("memory does not fail");
    let again = jj::parse("T.jj", &written).expect("what was written is read");
    assert_eq!(again.values(), problem.values());
    let _ = jj::frequencies::parse("T.frq", text, problem.cell_count());
});
