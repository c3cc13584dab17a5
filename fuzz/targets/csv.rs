//! Records as text with separators: the dialect is found out, too.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_data::FileKind;

mod records;

fuzz_target!(|bytes: &[u8]| records::read(FileKind::Csv, bytes));
