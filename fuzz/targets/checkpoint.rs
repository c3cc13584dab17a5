//! Checkpoints of a search that goes on from them.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use quell::suppress::SuppressOptions;
use quell::{Budget, CheckpointPlace, Context, suppress};
use quell_gen::random_problem;
use quell_model::Random;

fuzz_target!(|bytes: &[u8]| {
    let problem = random_problem(&mut Random::new(1, 2), 30);
    let Ok(mut file) = tempfile::NamedTempFile::new() else { return };
    if file.write_all(bytes).is_err() {
        return;
    }
    let place = CheckpointPlace { file: file.path().to_owned(), resume: true };
    let budget = Budget::default().with_work(50).with_threads(1);
    let context = Context { budget, checkpoints: Some(place), ..Context::default() };
    let options = SuppressOptions { method: "local-lp".to_owned(), ..SuppressOptions::default() };
    if let Ok(suppressed) = suppress(&problem, &options, &context) {
        let verdict = suppressed.verdict();
        let audited = quell::audit(
            &problem,
            suppressed.pattern(),
            &quell::audit::AuditOptions::default(),
            &Context::default(),
        );
        assert_eq!(audited.expect("audited").verdict(), verdict);
    }
});
