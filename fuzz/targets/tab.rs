//! Tables that are made already, `.tab`, with their description before a line of `---`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_data::Text;
use quell_data::argus::rda;
use quell_formats::argus::tab::{self, Wanted};

fuzz_target!(|bytes: &[u8]| {
    let place = bytes.windows(5).position(|part| part == b"\n---\n");
    let Some(place) = place else { return };
    let Ok(metadata) = rda::parse_table(&Text::new("T.rda", &bytes[..place])) else { return };
    let text = Text::new("T.tab", &bytes[place + 5..]);
    let response = metadata.variables.last().map(|variable| variable.name.as_str());
    for header in [false, true] {
        let _ = tab::parse(&text, &metadata, Wanted { response, header, ..Wanted::default() });
    }
});
