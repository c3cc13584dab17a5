//! Records in lines of fixed width, described before a line of `---`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_data::argus::rda;
use quell_data::{Error, Records, Text, Watch};

fuzz_target!(|bytes: &[u8]| {
    let Some(place) = bytes.windows(5).position(|part| part == b"\n---\n") else { return };
    let Ok(metadata) = rda::parse_micro(&Text::new("T.rda", &bytes[..place])) else { return };
    let Ok(mut file) = tempfile::NamedTempFile::new() else { return };
    if std::io::Write::write_all(&mut file, &bytes[place + 5..]).is_err() {
        return;
    }
    let Ok(records) = Records::described(file.path(), &metadata) else { return };
    let columns: Vec<usize> = (0..records.variables().len()).collect();
    let _ = records.each_row(&columns, &Watch::default(), |row| {
        columns.iter().for_each(|column| drop(row.text(*column)));
        Ok::<(), Error>(())
    });
});
