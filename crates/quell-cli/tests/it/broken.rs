//! Inputs that are broken in every way we could think of: refused with a place, no panic,
//! nothing half written. `docs/broken-input.md` is the list.

use crate::job::{JOB, changed, refused, small};
use crate::runner::Folder;

/// The small job with other data.
fn with_data(data: &[u8]) -> Folder {
    let folder = small();
    std::fs::write(folder.path("data.csv"), data).unwrap();
    folder
}

const HEADER: &str = "firm,sector,region,turnover,home,abroad\n";

#[test]
fn files_that_are_not_there() {
    let outcome = Folder::new().quell("protect job.toml");
    assert_eq!(outcome.code, 1);
    assert!(outcome.words().contains("cannot read job.toml"), "{}", outcome.err);
    refused(&changed("data.csv", "date.csv"), &["there is no file", "date.csv"]);
    refused(&changed("sector.hrc", "sectors.hrc"), &["cannot read", "sectors.hrc"]);
    let folder = small();
    std::fs::remove_file(folder.path("data.csv")).unwrap();
    std::fs::create_dir(folder.path("data.csv")).unwrap();
    refused(&folder, &["there is no file"]);
}

#[test]
fn job_files_that_are_no_job() {
    for (text, words) in [
        ("", "the job has no tables"),
        ("title = ", "job.toml"),
        ("[data\n", "job.toml"),
        ("\u{feff}\u{0}", "job.toml"),
        ("data = 3\n", "invalid type"),
        ("[data]\nfile = \"data.csv\"\n", "the job has no tables"),
        ("[data]\nfile = \"data.csv\"\nfile = \"data.csv\"\n", "duplicate key"),
        ("[data]\nfile = [\"data.csv\"]\n", "invalid type"),
    ] {
        let folder = small();
        folder.write("job.toml", text);
        refused(&folder, &[words]);
    }
    let folder = small();
    std::fs::write(folder.path("job.toml"), b"title = \"\xff\xfe\"\n").unwrap();
    refused(&folder, &["this is not UTF-8", "save the file as UTF-8"]);
}

#[test]
fn keys_with_senseless_values() {
    refused(&changed("[rules]", "[protect]\ntime = \"soon\"\n[rules]"), &["this is not a time"]);
    refused(
        &changed("file = \"data.csv\"", "file = \"data.csv\"\nseparator = \"ä\""),
        &["cannot separate fields"],
    );
    refused(&changed("hierarchy = \"sector.hrc\"", "digits = [1, 0]"), &["levels without digits"]);
    refused(
        &changed("hierarchy = \"sector.hrc\"", "hierarchy = \"sector.hrc\"\ndigits = [1]"),
        &["not both"],
    );
    refused(&changed("[\"sector\", \"region\"]", "[]"), &["a table without dimensions"]);
    refused(&changed("[\"sector\", \"region\"]", "[\"sector\", \"sector\"]"), &["stands twice"]);
    refused(&changed("name = \"region\"", "name = \"sector\""), &["two dimensions"]);
    refused(
        &changed("[rules]", "[attacker]\nknows = \"sign\"\nbelow = 5\n[rules]"),
        &["both knows and percentages"],
    );
    refused(
        &changed("p-percent = { p = 10 }", "holdings = { p-percent = { p = 10 } }"),
        &["rules for holdings"],
    );
}

#[test]
fn numbers_that_are_none() {
    for (value, words) in [
        ("NaN", "NaN"),
        ("inf", "inf"),
        ("1.2,5", "line 2"),
        ("abc", "abc"),
        ("1e400", "1e400"),
        ("99999999999999999999999", "99999999999999999999999"),
    ] {
        let data = format!("{HEADER}a,A1,N,\"{value}\",1,1\n");
        let outcome = refused(&with_data(data.as_bytes()), &[]);
        let shown = outcome.words();
        assert!(shown.contains(words) || shown.contains("line 2"), "{value}: {shown}");
    }
}

#[test]
fn data_without_records() {
    refused(&with_data(b""), &[]);
    refused(&with_data(HEADER.as_bytes()), &["no records"]);
    refused(&with_data(b"\n\n\n"), &[]);
}

#[test]
fn records_that_are_torn() {
    refused(&with_data(format!("{HEADER}a,A1,N\n").as_bytes()), &[]);
    refused(&with_data(format!("{HEADER}a,A1,N,1,1,1,1,1\n").as_bytes()), &[]);
    refused(&with_data(format!("{HEADER}a,\"A1,N,1,1,1\n").as_bytes()), &[]);
    let mut noise: Vec<u8> = (0..=255).cycle().take(5000).collect();
    noise.splice(0..0, HEADER.bytes());
    refused(&with_data(&noise), &[]);
}

#[test]
fn codes_that_no_hierarchy_knows() {
    let data = format!("{HEADER}a,A1,N,1,1,0\nb,ZZ,N,1,1,0\n");
    refused(&with_data(data.as_bytes()), &["ZZ", "line 3"]);
    // A sub-total is no code of a record.
    let data = format!("{HEADER}a,A,N,1,1,0\n");
    refused(&with_data(data.as_bytes()), &["\"A\""]);
}

#[test]
fn hierarchies_that_are_none() {
    for (text, words) in [
        ("", "a code"),
        ("@A1\n", "leading string"),
        ("A\n@@A1\n", "leading string"),
        ("A\n@A1\nA\n", "used before"),
        ("Total\n@A1\n", "other than the total"),
    ] {
        let folder = small();
        folder.write("sector.hrc", text);
        refused(&folder, &[words, "sector.hrc"]);
    }
    let folder = changed("sector.hrc", "sector.csv");
    folder.write("sector.csv", "parent,child\nA,A1\nA1,A\n");
    refused(&folder, &["sector.csv"]);
}

#[test]
fn a_hierarchy_in_latin_1_is_read() {
    let folder = small();
    let mut data = String::from(HEADER);
    for (firm, amount) in [("a", 10), ("b", 11), ("c", 12), ("d", 13)] {
        data.push_str(&format!("{firm},Ä1,N,{amount},1,0\n"));
    }
    folder.write("data.csv", &data);
    std::fs::write(folder.path("sector.hrc"), b"A\n@\xc41\n").unwrap();
    folder.done("protect job.toml");
    assert!(folder.read("out/turnover.csv").contains("Ä1,N,46,published"));
}

#[test]
fn values_at_the_edge_of_the_arithmetic() {
    let folder = with_data(
        format!("{HEADER}a,A1,N,2000000000000000000,1,0\nb,A1,S,2000000000000000000,1,0\n")
            .as_bytes(),
    );
    refused(&folder, &["too large"]);
    // Negative values are allowed: rules look at sizes.
    let folder = with_data(
        format!("{HEADER}a,A1,N,-5,1,0\nb,A1,N,-6,1,0\nc,A1,N,-7,1,0\nd,A2,S,9,1,0\n").as_bytes(),
    );
    let outcome = folder.quell("protect job.toml");
    assert!(outcome.code == 0 || outcome.code == 2, "{}", outcome.err);
}

#[test]
fn places_that_cannot_be_written() {
    let folder = small();
    folder.write("out", "a file where the folder should be");
    let outcome = folder.quell("protect job.toml");
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    assert!(outcome.words().contains("is a file, not a folder"), "{}", outcome.err);
    let folder = changed("folder = \"out\"", "folder = \"/proc/nothing/out\"");
    let outcome = folder.quell("protect job.toml");
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    assert!(outcome.words().contains("cannot write"), "{}", outcome.err);
}

#[cfg(unix)]
#[test]
fn an_old_release_survives_a_failure() {
    let folder = small();
    folder.done("protect job.toml");
    let before = folder.read("out/turnover.csv");
    // A folder stands where a file must go.
    std::fs::remove_file(folder.path("out/tables.xlsx")).unwrap();
    std::fs::create_dir_all(folder.path("out/office/system.jj.d")).unwrap();
    folder.write("job.toml", &JOB.replace("p = 10", "p = 90").replace("suppressed", ""));
    folder.write("data.csv", "not,a,survey\n");
    let outcome = folder.quell("protect job.toml");
    assert_eq!(outcome.code, 1);
    assert_eq!(folder.read("out/turnover.csv"), before);
    let hidden: Vec<String> = std::fs::read_dir(folder.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(".quell"))
        .collect();
    assert!(hidden.is_empty(), "{hidden:?}");
}

/// A shell runs the command where no file may grow beyond four kilobytes: writing fails in
/// the middle of the release, as it does on a full disk.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_leaves_nothing_behind() {
    let folder = small();
    let before = folder.names();
    let outcome = folder.shell("trap '' XFSZ; ulimit -f 8; exec \"$QUELL\" protect job.toml");
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    assert!(outcome.words().contains("cannot write"), "{}", outcome.err);
    assert_eq!(folder.names(), before);
    // Nor is an old release touched.
    folder.done("protect job.toml");
    let old = folder.read("out-office/report.html");
    folder.write("job.toml", &JOB.replace("Small survey", "Another title"));
    let outcome = folder.shell("trap '' XFSZ; ulimit -f 8; exec \"$QUELL\" protect job.toml");
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    assert_eq!(folder.read("out-office/report.html"), old);
}

/// A job that would go on for an hour.
fn endless() -> Folder {
    let folder = Folder::new();
    folder.done("generate ons --dims 6,6,6 --seed 7 --out table.jj");
    folder.write(
        "job.toml",
        "[system]\nfile = \"table.jj\"\n[protect]\nmethod = \"exact\"\ntime = \"1h\"\n",
    );
    folder
}

#[cfg(unix)]
#[test]
fn ctrl_c_releases_the_best_pattern_so_far() {
    let folder = endless();
    let outcome = folder.shell("\"$QUELL\" protect job.toml & sleep 1; kill -INT $!; wait $!");
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(outcome.err.contains("stopping"), "{}", outcome.err);
    assert!(outcome.out.contains("SAFE: all 43 sensitive cells"), "{}", outcome.out);
    assert!(folder.read("release-office/cells.csv").contains(",secondary,"));
}

#[cfg(unix)]
#[test]
fn a_second_ctrl_c_ends_at_once_and_leaves_nothing() {
    let folder = endless();
    let before = folder.names();
    let outcome = folder.shell(
        "\"$QUELL\" protect job.toml & sleep 1; kill -INT $!; sleep 0.1; kill -INT $!; wait $!",
    );
    // It may have ended in good order between the two.
    assert!(matches!(outcome.code, 0 | 130), "{}: {}", outcome.code, outcome.err);
    if outcome.code == 130 {
        assert_eq!(folder.names(), before);
    }
}

#[test]
fn random_damage_to_a_job_never_panics() {
    // A byte changed, removed or doubled, all over the file.
    let bytes = JOB.as_bytes();
    for position in (0..bytes.len()).step_by(31) {
        for damage in 0..3 {
            let mut text = bytes.to_vec();
            match damage {
                0 => text[position] = b'"',
                1 => drop(text.remove(position)),
                _ => text.insert(position, text[position]),
            }
            let folder = small();
            std::fs::write(folder.path("job.toml"), &text).unwrap();
            let outcome = folder.quell("protect job.toml");
            assert!((0..=2).contains(&outcome.code), "{position}, {damage}: {}", outcome.err);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_printed_is_a_failure_and_one_that_nobody_reads_is_not() {
    let folder = small();
    folder.done("tabulate job.toml --out t.jj");
    let outcome = folder.shell("\"$QUELL\" audit t.jj > /dev/full");
    // The verdict is as before; what there is to say is on the standard error.
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    assert!(outcome.err.contains("the result could not be written"), "{}", outcome.err);
    let outcome = folder.shell("\"$QUELL\" protect job.toml > /dev/full");
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    assert!(folder.path("out/turnover.csv").is_file());
    let outcome = folder.shell("\"$QUELL\" protect job.toml --out two | true; ls two");
    assert_eq!((outcome.code, outcome.err.as_str()), (0, ""));
    // Nor is a closed standard error a reason to fail.
    let outcome = folder.shell("\"$QUELL\" protect nothing.toml 2> /dev/full; echo $?");
    assert_eq!(outcome.out.trim(), "1");
}

/// The work ends with a word where there is no room for a thread's stack; it never waits for one.
#[cfg(target_os = "linux")]
#[test]
fn no_room_for_threads_is_told() {
    let folder = small();
    let mut told = 0;
    for room in [100, 110, 120, 130, 150, 220, 280] {
        let outcome = folder.shell(&format!(
            "ulimit -c 0; ulimit -v {room}000; exec timeout -s KILL 300 \"$QUELL\" protect job.toml --threads 8"
        ));
        // 134 and 139: no room for anything else either.
        assert!(matches!(outcome.code, 0 | 1 | -1 | 134 | 139), "{room}: {}", outcome.code);
        assert!(!outcome.err.contains("mistake in quell"), "{room}: {}", outcome.err);
        told += usize::from(outcome.words().contains("there is no room for"));
    }
    assert!(told > 0);
    folder.done("protect job.toml");
    assert!(folder.names().iter().all(|name| !name.starts_with('.')), "{:?}", folder.names());
}
