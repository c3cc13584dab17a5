//! What a release tells, and whom: nothing that is published is derived from what is hidden.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use quell_data::{Error, Records, Watch};

use crate::job::{JOB, changed, small};
use crate::report::survey;
use crate::runner::Folder;

/// Every file in a folder and below, by name.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        match path.is_dir() {
            true => found
                .extend(files(&path).into_iter().map(|(inside, text)| (name.join(inside), text))),
            false => drop(found.insert(name, std::fs::read(&path).unwrap())),
        }
    }
    found
}

/// The job with both kinds of report and every format that everyone may read.
fn public_job() -> Folder {
    changed("[release]", "[report]\naudience = \"public\"\n\n[release]")
}

/// What a file tells whoever opens it: its text, or what its format holds.
fn told(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("xlsx") => unzipped(&bytes),
        Some("parquet") => {
            let records = Records::open(path).unwrap();
            let columns: Vec<usize> = (0..records.variables().len()).collect();
            // The names, metadata and statistics are plain in the file.
            let mut text = String::from_utf8_lossy(&bytes).into_owned();
            let each = records.each_row(&columns, &Watch::default(), |row| {
                for column in 0..columns.len() {
                    text += &row.text(column).unwrap_or_default();
                    text.push(' ');
                }
                Ok::<(), Error>(())
            });
            each.unwrap();
            text
        }
        _ => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

/// All files in a zip archive, one after the other.
fn unzipped(bytes: &[u8]) -> String {
    let number = |at: usize, length: usize| {
        bytes[at..at + length].iter().rev().fold(0_usize, |sum, &byte| sum << 8 | usize::from(byte))
    };
    let end = bytes.windows(4).rposition(|four| four == b"PK\x05\x06").expect("an end");
    let (mut at, count) = (number(end + 16, 4), number(end + 10, 2));
    let mut text = String::new();
    for _ in 0..count {
        let (method, packed) = (number(at + 10, 2), number(at + 20, 4));
        let (name, extra, comment) = (number(at + 28, 2), number(at + 30, 2), number(at + 32, 2));
        let file = number(at + 42, 4);
        let start = file + 30 + number(file + 26, 2) + number(file + 28, 2);
        let body = &bytes[start..start + packed];
        let mut own = Vec::new();
        match method {
            0 => own.extend_from_slice(body),
            _ => drop(flate2::read::DeflateDecoder::new(body).read_to_end(&mut own).unwrap()),
        }
        // The colours that every workbook has, which are numbers like any others.
        let called = &bytes[at + 46..at + 46 + name];
        if !called.starts_with(b"xl/theme") {
            text += &String::from_utf8_lossy(&own);
        }
        at += 46 + name + extra + comment;
    }
    text
}

/// The words of a text that are numbers or names.
fn words(text: &str) -> BTreeSet<&str> {
    let parts = |letter: char| !letter.is_ascii_alphanumeric() && letter != '.';
    text.split(parts).filter(|word| !word.is_empty()).collect()
}

#[test]
fn hidden_values_can_change_without_a_byte_of_what_is_published() {
    let folder = public_job();
    folder.done("protect job.toml --out one");
    let data = folder.read("data.csv");
    // The same margins, other values inside: all four cells are hidden.
    let mut moved = data.clone();
    for (from, to) in [
        ("a,A1,N,900", "a,A1,N,905"),
        ("c,A1,S,300", "c,A1,S,295"),
        ("f,A2,N,150", "f,A2,N,145"),
        ("i,A2,S,120", "i,A2,S,125"),
    ] {
        assert!(moved.contains(from), "{from}");
        moved = moved.replace(from, to);
    }
    folder.write("data.csv", &moved);
    folder.done("protect job.toml --out two");
    let (one, two) = (files(&folder.path("one")), files(&folder.path("two")));
    assert!(one.len() >= 7, "{:?}", one.keys());
    assert_eq!(one.keys().collect::<Vec<_>>(), two.keys().collect::<Vec<_>>());
    for (name, text) in &one {
        assert!(text == &two[name], "{} tells of hidden values", name.display());
    }
    // The office is told which input it was.
    let offices = ["one-office", "two-office"].map(|name| files(&folder.path(name)));
    let report = Path::new("report.html");
    assert_ne!(offices[0][report], offices[1][report]);
}

/// From the release alone: whoever guesses the input right must not see that he is right.
#[test]
fn no_hash_in_a_release_is_that_of_a_guessed_input() {
    let folder = public_job();
    folder.done("protect job.toml");
    let is_hash =
        |word: &&str| word.len() >= 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut published = BTreeSet::new();
    let public = folder.path("out");
    for name in files(&public).keys() {
        let text = told(&public.join(name));
        published.extend(words(&text).into_iter().filter(is_hash).map(str::to_owned));
    }
    // Those of the published files are there.
    assert!(published.len() >= 5, "{published:?}");
    let data = folder.read("data.csv");
    let mut guesses = vec![folder.read("job.toml").into_bytes()];
    for guess in 800..=1000 {
        guesses.push(data.replace("a,A1,N,900", &format!("a,A1,N,{guess}")).into_bytes());
    }
    for guess in guesses {
        let print = quell_data::Fingerprint::of_bytes(&guess);
        assert!(!published.contains(print.sha256()), "a guess can be checked");
    }
    // The office has the hash of its input.
    let print = quell_data::Fingerprint::of_bytes(data.as_bytes());
    assert!(folder.read("out-office/report.html").contains(print.sha256()));
}

/// The values of the cells that are hidden in a release and what they come to, as the tables for
/// the office write them. Small numbers are also codes and counts, and a value may stand in a published cell
/// as well: these are left out.
fn hidden_values(office: &Path) -> BTreeSet<String> {
    let (mut secrets, mut shown) = (BTreeSet::new(), BTreeSet::new());
    for (name, text) in files(office) {
        if name.extension().is_none_or(|ending| ending != "csv") {
            continue;
        }
        let mut sums = [0_i64; 2];
        let mut reader = csv::Reader::from_reader(text.as_slice());
        let header = reader.headers().unwrap().clone();
        let status = header.iter().position(|name| name == "status").unwrap();
        for record in reader.records() {
            let record = record.unwrap();
            let value = record[status - 1].to_owned();
            match &record[status] {
                "published" => drop(shown.insert(value)),
                kind => {
                    sums[usize::from(kind == "primary")] += value.parse::<i64>().unwrap();
                    secrets.insert(value);
                }
            }
        }
        secrets.extend([sums[0], sums[1], sums[0] + sums[1]].map(|sum| sum.to_string()));
    }
    secrets.retain(|secret| secret.len() >= 5 && !shown.contains(secret));
    secrets
}

#[test]
fn nothing_hidden_is_in_any_published_file_of_any_example() {
    let folder = survey();
    let job = folder.read("examples/survey/job.toml");
    let job = job.replace("audience = \"office\"", "audience = \"public\"").replace(
        "formats = [\"csv\", \"parquet\", \"xlsx\", \"code-value\", \"jj\"]",
        "formats = [\"csv\", \"parquet\", \"xlsx\", \"code-value\", \"pivot\", \"sbs\", \"intermediate\", \"jj\"]",
    );
    folder.write("examples/survey/job.toml", &job);
    let said = folder.done("protect examples/survey/job.toml --out out");
    assert!(said.contains("SAFE: all"), "{said}");
    folder.done("protect examples/people/job.toml --out people");
    let page = folder.read("out-office/report.html");
    assert_eq!(page.matches("http").count(), page.matches("http://www.w3.org/2000/svg").count());
    for firm in ["F000001", "F000042", "F001234"] {
        assert!(!page.contains(firm), "{firm} is in the report");
    }
    let mut secrets = hidden_values(&folder.path("out-office"));
    assert!(secrets.len() > 20, "{}", secrets.len());
    for line in folder.read("examples/survey/survey.csv").lines().skip(1) {
        let firm = line.split(',').next().unwrap();
        assert!(firm.len() >= 5, "{firm}");
        secrets.insert(firm.to_owned());
    }
    for example in ["survey", "people"] {
        for input in files(&folder.path(&format!("examples/{example}"))).into_values() {
            secrets.insert(quell_data::Fingerprint::of_bytes(&input).sha256().to_owned());
        }
    }
    let mut looked_at = 0;
    for public in ["out", "people"] {
        for name in files(&folder.path(public)).keys() {
            let text = told(&folder.path(public).join(name)).replace('\u{202f}', "");
            let told = words(&text);
            let secret = secrets.iter().find(|secret| told.contains(secret.as_str()));
            // The released records of people have values of their own.
            if public == "out" || secret.is_some_and(|secret| secret.len() == 64) {
                assert_eq!(secret, None, "in {public}/{}", name.display());
            }
            looked_at += 1;
        }
    }
    assert!(looked_at >= 19, "{looked_at} files");
}

/// The batch as it is leaves a logbook, and the job that it becomes a release.
#[test]
fn nothing_hidden_is_in_any_published_file_of_a_batch() {
    let folder = survey();
    let batch = "examples/tau-argus/tables";
    folder.done(&format!("init {batch}.arb --out {batch}.toml"));
    let job = folder.read(&format!("{batch}.toml"));
    let formats = job.lines().find(|line| line.starts_with("formats")).unwrap();
    let all = "formats = [\"csv\", \"parquet\", \"xlsx\", \"code-value\", \"pivot\", \"sbs\"]";
    folder.write(&format!("{batch}.toml"), &job.replace(formats, all));
    folder.done(&format!("protect {batch}.toml --out out"));
    folder.done(&format!("argus run {batch}.arb"));
    let secrets = hidden_values(&folder.path("out-office"));
    assert!(secrets.len() > 5, "{secrets:?}");
    let mut looked_at = 0;
    let published = files(&folder.path("out")).into_keys().map(|name| Path::new("out").join(name));
    for name in published.chain([PathBuf::from("examples/tau-argus/tables.log")]) {
        let text = told(&folder.path(&name.display().to_string()));
        let told = words(&text);
        let secret = secrets.iter().find(|secret| told.contains(secret.as_str()));
        assert_eq!(secret, None, "in {}", name.display());
        looked_at += 1;
    }
    assert!(looked_at >= 11, "{looked_at} files");
}

#[test]
fn everyone_is_told_one_thing_of_all_hidden_cells() {
    let folder = public_job();
    folder.done("protect job.toml");
    let public = folder.path("out");
    for name in files(&public).keys() {
        let mut text = told(&public.join(name)).to_lowercase();
        // Styles and scripts are the same for all reports.
        for (start, end) in [("<style>", "</style>"), ("<script>", "</script>")] {
            if let (Some(start), Some(end)) = (text.find(start), text.rfind(end)) {
                text.replace_range(start..end.max(start), "");
            }
        }
        for word in ["primary", "secondary", "primaries", "secondaries", "could estimate"] {
            assert!(!text.contains(word), "{word} is in {}", name.display());
        }
    }
    // τ-ARGUS' numbers tell hidden from published, no more.
    let pivot = folder.read("out/turnover.pivot.txt");
    let statuses: BTreeSet<&str> =
        pivot.lines().skip(1).filter_map(|line| line.trim().rsplit(',').next()).collect();
    assert_eq!(statuses, BTreeSet::from(["1", "11"]), "{pivot}");
    // Unless the job asks for it.
    folder.write("job.toml", &JOB.replace("[release]\n", "[release]\nstatuses = \"full\"\n"));
    folder.done("protect job.toml --out full");
    assert!(folder.read("full/turnover.csv").contains("A1,N,x,primary\n"));
    let pivot = folder.read("full/turnover.pivot.txt");
    assert!(pivot.lines().any(|line| line.trim().ends_with(",3")), "{pivot}");
}

#[test]
fn a_release_takes_the_place_of_all_of_the_one_before() {
    let folder = small();
    folder.done("protect job.toml");
    // The formats of before would show cells that are hidden now.
    let formats = JOB.lines().find(|line| line.starts_with("formats")).unwrap();
    folder.write("job.toml", &JOB.replace(formats, "formats = [\"csv\"]"));
    folder.done("protect job.toml");
    let names = |name: &str| -> Vec<PathBuf> { files(&folder.path(name)).into_keys().collect() };
    assert_eq!(names("out"), [Path::new("manifest.json"), Path::new("turnover.csv")]);
    let office = ["manifest.json", "report.html", "turnover.csv"].map(PathBuf::from);
    assert_eq!(names("out-office"), office);
    let before = files(&folder.path("out"));
    folder.write("job.toml", JOB);
    folder.done("protect job.toml --keep-previous");
    assert_eq!(files(&folder.path("out-previous")), before);
    assert!(files(&folder.path("out")).len() > before.len());
    assert_eq!(
        folder.names(),
        [
            "data.csv",
            "job.toml",
            "out",
            "out-office",
            "out-previous",
            "out-previous-office",
            "sector.hrc"
        ]
    );
}

#[test]
fn a_folder_with_other_files_is_refused_and_stays() {
    let folder = small();
    std::fs::create_dir(folder.path("out")).unwrap();
    folder.write("out/notes.txt", "mine");
    let outcome = folder.quell("protect job.toml");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    assert!(
        outcome.words().contains("out is no release of quell: it has notes.txt"),
        "{}",
        outcome.err
    );
    assert!(
        outcome.words().contains("give another one, or move these files away"),
        "{}",
        outcome.err
    );
    assert_eq!(folder.read("out/notes.txt"), "mine");
    // So is one whose files were changed: somebody's work would be lost.
    folder.done("protect job.toml --out other");
    folder.write("other/turnover.csv", "corrected by hand");
    let outcome = folder.quell("protect job.toml --out other");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    assert!(outcome.words().contains("not as they were released: turnover.csv"), "{}", outcome.err);
    assert_eq!(folder.read("other/turnover.csv"), "corrected by hand");
}

#[test]
fn the_folder_of_the_input_is_refused() {
    let folder = small();
    folder.done("protect job.toml --out first");
    // A second job reads what the first released, and would release over it.
    let given = "response = \"turnover\"\ngiven = { file = \"first-office/turnover.tab\", metadata = \"first-office/turnover.rda\" }\n";
    let text = JOB.replace("response = \"turnover\"\n", given);
    let (start, end) = (text.find("[rules]").unwrap(), text.find("[release]").unwrap());
    let text = format!("{}{}", &text[..start], &text[end..])
        .replace("[data]\nfile = \"data.csv\"\nrespondent = \"firm\"\n", "");
    folder.write("second.toml", &text);
    let outcome = folder.quell("protect second.toml --out first");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    assert!(outcome.words().contains("lies in the folder of the release"), "{}", outcome.err);
    assert!(folder.path("first-office/turnover.tab").is_file());
    folder.done("protect second.toml --out second");
}

#[cfg(unix)]
#[test]
fn what_is_confidential_is_its_owners() {
    use std::os::unix::fs::PermissionsExt;
    let folder = small();
    let outcome =
        folder.shell("umask 022; \"$QUELL\" protect job.toml --checkpoint state --method exact");
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let mode =
        |name: &str| std::fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("out"), 0o755);
    assert_eq!(mode("out/turnover.csv"), 0o644);
    assert_eq!(mode("out-office"), 0o700);
    for name in files(&folder.path("out-office")).keys() {
        assert_eq!(mode(&format!("out-office/{}", name.display())), 0o600, "{}", name.display());
    }
    assert_eq!(mode("state"), 0o600);
}

#[test]
fn the_workbook_is_the_same_bytes_every_time() {
    let folder = small();
    folder.done("protect job.toml --out one");
    std::thread::sleep(std::time::Duration::from_millis(1100));
    folder.done("protect job.toml --out two");
    let book = |name: &str| std::fs::read(folder.path(name).join("tables.xlsx")).unwrap();
    assert!(book("one") == book("two"));
    let text = unzipped(&book("one"));
    assert!(text.contains("\"1 Turnover\"") && text.contains("\"crossed 1\""), "sheets");
}

#[test]
fn the_office_is_told_why_a_cell_is_hidden_and_what_protects_it() {
    let folder = small();
    folder.done("protect job.toml");
    let page = folder.read("out-office/report.html");
    for words in [
        "[\"value\",\"920\"],[\"contributors\",\"2\"],[\"the largest have\",\"97.8 %, 2.2 %\"]",
        "[\"hidden because\",\"a contributor could estimate another (p%)\"]",
        "[\"protected by\",\"",
        "[\"protects\",\"",
        "empty: no such cell",
        "only they hidden",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn what_was_published_before_is_known() {
    let folder = small();
    // By this rule no cell is sensitive.
    let rule = JOB.replace("p-percent = { p = 10 }\n", "").replace("minimum = 3", "minimum = 1");
    folder.write("job.toml", &rule);
    folder.done("protect job.toml --out first");
    assert!(folder.read("first/turnover.csv").contains("A1,N,920,published"));
    let published = "[release]\npublished = [\"first\"]\n";
    folder.write("job.toml", &JOB.replace("[release]\n", published));
    let outcome = folder.quell("protect job.toml");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    let words = "a sensitive cell was published in first already: A1 × N";
    assert!(outcome.words().contains(words), "{}", outcome.err);
    assert!(!folder.path("out").exists());
    // Where nothing sensitive is out, no cell that is out is hidden to protect another.
    folder.write("job.toml", JOB);
    folder.done("protect job.toml --out first");
    folder.write("job.toml", &JOB.replace("[release]\n", published));
    folder.done("protect job.toml --out second");
    assert_eq!(folder.read("first/turnover.csv"), folder.read("second/turnover.csv"));
    // A release of something else is no help.
    folder.write(
        "job.toml",
        &JOB.replace("[release]\n", published).replace("name = \"Turnover\"", "name = \"Sales\""),
    );
    let outcome = folder.quell("protect job.toml");
    assert!(outcome.words().contains("first has none of the job's tables"), "{}", outcome.err);
}
