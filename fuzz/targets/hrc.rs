//! Hierarchies of τ-ARGUS, `.hrc`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_data::Text;
use quell_formats::argus::hrc;

fuzz_target!(|bytes: &[u8]| {
    let text = Text::new("T.hrc", bytes);
    for lead in ["@", "--"] {
        if let Ok(tree) = hrc::parse(&text, lead) {
            let _ = (tree.depths(), tree.leaves());
            let _ = tree.to_hierarchy("Total");
        }
    }
});
