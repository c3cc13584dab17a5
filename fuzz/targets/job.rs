//! Job files. What is accepted is run on files that are not there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell::{Context, Job};

fuzz_target!(|text: &str| {
    if let Ok(job) = Job::from_toml(text, "/nowhere") {
        let _ = quell::run(&job, &Context::default());
    }
});
