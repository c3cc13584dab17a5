//! Recodes, `.grc`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_data::Text;
use quell_data::argus::grc::{self, Recode};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(Recode::Groups(groups)) = grc::parse(&Text::new("T.grc", bytes)) {
        for code in ["", "1", "10", "A", "é"] {
            let _ = groups.new_code(code, 3);
        }
    }
});
