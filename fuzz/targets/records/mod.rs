//! Reading a file of records of some kind to its end, in batches and record by record.

use std::path::PathBuf;
use std::sync::OnceLock;

use quell_data::{Error, FileKind, Options, Records, Watch};

/// Records that are read of a file; more of the same tell nothing new.
const MOST: usize = 2_000;

/// Where the file stands: in memory if there is a place for that.
fn place() -> &'static PathBuf {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    PLACE.get_or_init(|| {
        let memory = PathBuf::from("/dev/shm");
        let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
        folder.join(format!("quell-fuzz-{}", std::process::id()))
    })
}

/// Reads the bytes as a file of this kind.
pub fn read(kind: FileKind, bytes: &[u8]) {
    let file = place();
    if std::fs::write(file, bytes).is_err() {
        return;
    }
    let options = Options { kind: Some(kind), ..Options::default() };
    let Ok(records) = Records::open_with(file, &options) else { return };
    let columns: Vec<usize> = (0..records.variables().len()).collect();
    let mut read = 0;
    let _ = records.each_row(&columns, &Watch::default(), |row| {
        for column in &columns {
            let _ = row.text(*column);
        }
        read += 1;
        match read < MOST {
            true => Ok(()),
            false => Err(Error::malformed(file, "enough")),
        }
    });
    let _ = records.in_windows_1252();
}
