//! What is known of cells beforehand, `.hst`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_data::Text;
use quell_formats::argus::hst;

fuzz_target!(|bytes: &[u8]| {
    let text = Text::new("T.hst", bytes);
    for separator in [";", ",", "\t", " "] {
        let _ = hst::parse(&text, separator, 2);
    }
});
