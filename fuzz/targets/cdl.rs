//! Labels of codes, `.cdl`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_data::Text;
use quell_data::argus::cdl::CodeList;

fuzz_target!(|bytes: &[u8]| {
    let _ = CodeList::parse(&Text::new("T.cdl", bytes)).label("A");
});
