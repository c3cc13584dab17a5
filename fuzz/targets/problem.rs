//! Small problems, protected by a method and attacked by a second auditor (see `quell-bench
//! campaign`). The input chooses the table, the method and the work limit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_model::{Budget, Silent};
use quell_suppress::{Error, METHODS, method, protect};

#[path = "../../crates/quell-suppress/tests/it/attacker.rs"]
#[allow(dead_code)]
mod second_auditor;
#[path = "../../bench/src/campaign/table.rs"]
mod table;

fuzz_target!(|bytes: &[u8]| {
    let [a, b, c, d, size, which, work, ..] = *bytes else { return };
    let number = u64::from(u32::from_le_bytes([a, b, c, d]));
    let table = table::table(number, 5 + usize::from(size) % 32);
    let name = METHODS[usize::from(which) % METHODS.len()];
    let work = 10 << (work % 9);
    let budget = Budget::default().with_work(work).with_seed(number).with_threads(1);
    match protect(method(name).expect("a method").as_ref(), table.problem(), &budget, &Silent) {
        Ok(outcome) => {
            let faults = table.compare(&outcome).faults;
            assert!(faults.is_empty(), "{name} on table {number}: {faults:?}");
        }
        Err(Error::NotForThisTable { .. }) => {}
        Err(error) => panic!("{name} on table {number}: {error}"),
    }
});
