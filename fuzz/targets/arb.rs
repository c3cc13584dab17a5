//! Batch files of τ-ARGUS, as jobs: files that they name are not there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell::Job;

fuzz_target!(|text: &[u8]| {
    let _ = Job::from_arb(text, "/nowhere");
});
