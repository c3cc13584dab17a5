//! Descriptions of records and tables, `.rda`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_data::Text;
use quell_data::argus::rda;

fuzz_target!(|bytes: &[u8]| {
    let text = Text::new("T.rda", bytes);
    if let Ok(metadata) = rda::parse_micro(&text) {
        let printed = rda::print(&metadata);
        let again = Text::new("T.rda", printed.as_bytes());
        assert!(rda::parse_micro(&again).is_ok(), "{printed}");
    }
    let _ = rda::parse_table(&text);
});
