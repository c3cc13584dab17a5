//! `quell protect`, `tabulate` and `init`: whole jobs.

use crate::runner::{Folder, Outcome};

/// A small survey: nine firms, one far larger than the rest of its cell.
const DATA: &str = "\
firm,sector,region,turnover,home,abroad
a,A1,N,900,500,400
b,A1,N,20,20,0
c,A1,S,300,300,0
d,A1,S,280,200,80
e,A1,S,310,300,10
f,A2,N,150,150,0
g,A2,N,160,100,60
h,A2,N,170,170,0
i,A2,S,120,120,0
j,A2,S,130,130,0
k,A2,S,140,100,40
l,B1,N,400,400,0
m,B1,N,410,400,10
n,B1,N,420,420,0
o,B1,S,500,500,0
p,B1,S,510,500,10
q,B1,S,520,520,0
";

pub const JOB: &str = "\
title = \"Small survey\"

[data]
file = \"data.csv\"
respondent = \"firm\"

[[dimension]]
name = \"sector\"
hierarchy = \"sector.hrc\"

[[dimension]]
name = \"region\"

[[table]]
name = \"Turnover\"
dimensions = [\"sector\", \"region\"]
response = \"turnover\"

[rules]
frequency = { minimum = 3, margin = 20 }
p-percent = { p = 10 }

[release]
folder = \"out\"
formats = [\"csv\", \"parquet\", \"xlsx\", \"code-value\", \"pivot\", \"sbs\", \"intermediate\", \"jj\"]
";

/// A folder with the small job.
pub fn small() -> Folder {
    let folder = Folder::new();
    folder.write("data.csv", DATA);
    folder.write("sector.hrc", "A\n@A1\n@A2\nB\n@B1\n");
    folder.write("job.toml", JOB);
    folder
}

/// The same job with one text instead of another.
pub fn changed(from: &str, to: &str) -> Folder {
    assert!(JOB.contains(from), "{from}");
    let folder = small();
    folder.write("job.toml", &JOB.replace(from, to));
    folder
}

/// The job must be refused, with these words, and nothing written.
pub fn refused(folder: &Folder, words: &[&str]) -> Outcome {
    let outcome = folder.quell("protect job.toml");
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    for word in words {
        assert!(outcome.words().contains(word), "\"{word}\" is not in:\n{}", outcome.err);
    }
    assert!(!folder.path("out").exists(), "something was written");
    let names = folder.names();
    assert!(names.iter().all(|name| !name.starts_with(".quell")), "{names:?}");
    outcome
}

#[test]
fn a_job_ends_in_an_audited_release_with_all_its_files() {
    let folder = small();
    let out = folder.done("protect job.toml");
    assert!(out.contains("17 records, 1 table"), "{out}");
    assert!(out.contains("SAFE: the only sensitive cell is proven safe"), "{out}");
    let csv = folder.read("out/turnover.csv");
    assert!(csv.starts_with("sector,region,turnover,status\n"), "{csv}");
    // The dominated cell is hidden, and no longer to be had by subtraction.
    assert!(csv.contains("A1,N,x,hidden\n"), "{csv}");
    // Why it is hidden is for the office.
    assert!(!csv.contains("primary") && !csv.contains("secondary"), "{csv}");
    let office = folder.read("out-office/turnover.csv");
    let why = "A1,N,920,primary,a contributor could estimate another (p%),2,90,90";
    assert!(office.contains(why) && office.contains(",secondary,"), "{office}");
    assert!(csv.contains("Total,Total,5440,published\n"), "{csv}");
    for name in ["turnover.parquet", "tables.xlsx", "turnover.code-value.txt", "turnover.pivot.txt"]
    {
        assert!(folder.path("out").join(name).is_file(), "{name}");
    }
    for name in ["report.html", "system.jj", "turnover.sbs.txt", "turnover.tab", "turnover.rda"] {
        assert!(folder.path("out-office").join(name).is_file(), "{name}");
    }
    // SBS: flag F for a cell that is sensitive by p%, D for a secondary, V for a safe one.
    let sbs = folder.read("out-office/turnover.sbs.txt");
    let flagged = |flag: &str| sbs.lines().filter(|line| line.contains(flag)).count();
    assert!(flagged("F") > 0 && flagged("D") > 0 && flagged("V") > 0, "{sbs}");
    folder.done("audit out-office/system.jj");
}

#[test]
fn threads_change_nothing() {
    let folder = small();
    folder.done("protect job.toml --threads 1 --out one");
    folder.done("protect job.toml --threads 3 --out three");
    for name in ["/turnover.csv", "/manifest.json", "-office/report.html", "-office/system.jj"] {
        assert_eq!(folder.read(&format!("one{name}")), folder.read(&format!("three{name}")));
    }
}

#[test]
fn the_release_is_the_same_by_every_format() {
    let folder = small();
    folder.done("protect job.toml");
    let hidden = |text: &str, mark: &str| text.matches(mark).count();
    let csv = folder.read("out/turnover.csv");
    let code_value = folder.read("out/turnover.code-value.txt");
    assert_eq!(hidden(&csv, ",x,"), hidden(&code_value, ",x\r\n"), "{csv}\n{code_value}");
    // 920 is the dominated cell.
    assert!(!csv.contains("920") && !code_value.contains("920"));
    assert!(!folder.read("out/turnover.pivot.txt").contains("920"));
}

/// What nobody can protect: everything but the sensitive cell must be published.
pub fn unprotectable() -> Folder {
    let folder = changed(
        "response = \"turnover\"\n",
        "response = \"turnover\"\napriori = { file = \"hand.hst\", ignore-errors = true }\n",
    );
    let mut lines = String::new();
    for sector in ["", "A", "A1", "A2", "B", "B1"] {
        for region in ["", "N", "S"] {
            lines.push_str(&format!("{sector};{region};P\n"));
        }
    }
    folder.write("hand.hst", &lines);
    folder
}

#[test]
fn what_is_not_safe_is_not_released() {
    let folder = unprotectable();
    let outcome = folder.quell("protect job.toml");
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    assert!(outcome.out.contains("NOT SAFE"), "{}", outcome.out);
    assert!(outcome.err.contains("nothing was written"), "{}", outcome.err);
    assert_eq!(folder.names(), ["data.csv", "hand.hst", "job.toml", "sector.hrc"]);
}

#[test]
fn an_unsafe_release_is_marked_everywhere() {
    let folder = unprotectable();
    let outcome = folder.quell("protect job.toml --release-unsafe");
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    let csv = folder.read("out/NOT-SAFE-turnover.csv");
    assert!(csv.lines().skip(1).all(|line| line.ends_with(",not proven safe")), "{csv}");
    assert!(folder.read("out-office/NOT-SAFE-report.html").contains("Not for publication"));
    for entry in std::fs::read_dir(folder.path("out")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name.starts_with("NOT-SAFE-") || name == "manifest.json", "{name}");
    }
}

#[test]
fn tables_that_share_cells_are_protected_as_one() {
    let folder = changed(
        "[rules]\n",
        "[[table]]\nname = \"By region\"\ndimensions = [\"region\"]\nresponse = \"turnover\"\n\n\
         [[table]]\nname = \"Home\"\ndimensions = [\"sector\", \"region\"]\nresponse = \"home\"\n\n\
         [[table]]\nname = \"Abroad\"\ndimensions = [\"sector\", \"region\"]\nresponse = \"abroad\"\n\n\
         [[equation]]\ntotal = \"turnover\"\nparts = [\"home\", \"abroad\"]\n\n[rules]\n",
    );
    let out = folder.done("protect job.toml");
    assert!(out.contains("4 tables"), "{out}");
    let value = |file: &str, codes: &str| {
        let text = folder.read(file);
        let line = text.lines().find(|line| line.starts_with(codes)).unwrap_or_default().to_owned();
        line[codes.len()..].split(',').next().unwrap_or_default().to_owned()
    };
    // The same cell is the same in both tables.
    assert_eq!(value("out/turnover.csv", "Total,N,"), value("out/by-region.csv", "N,"));
    // Both parts of a hidden sum cannot be published.
    let parts = [value("out/home.csv", "A1,N,"), value("out/abroad.csv", "A1,N,")];
    assert_eq!(value("out/turnover.csv", "A1,N,"), "x");
    assert!(parts.contains(&"x".to_owned()), "{parts:?}");
}

#[test]
fn an_equation_that_does_not_hold_names_the_cell() {
    let folder = changed(
        "[rules]\n",
        "[[table]]\nname = \"Home\"\ndimensions = [\"sector\", \"region\"]\nresponse = \"home\"\n\n\
         [[equation]]\ntotal = \"turnover\"\nparts = [\"home\"]\n\n[rules]\n",
    );
    refused(&folder, &["turnover is not the sum of its parts"]);
}

#[test]
fn misspelt_names_are_shown_with_what_was_meant() {
    refused(
        &changed("respondent =", "respondant ="),
        &["unknown field", "did you mean \"respondent\"?", "job.toml"],
    );
    refused(
        &changed("response = \"turnover\"", "response = \"turnovr\""),
        &["there is no variable \"turnovr\"", "did you mean \"turnover\"?"],
    );
    refused(
        &changed("[\"sector\", \"region\"]", "[\"sector\", \"regoin\"]"),
        &["there is no dimension \"regoin\"", "did you mean \"region\"?"],
    );
    refused(
        &changed("[rules]", "[protect]\nmethod = \"kelly-lq\"\n[rules]"),
        &["there is no method \"kelly-lq\"", "did you mean \"kelly-lp\"?"],
    );
    refused(
        &changed("\"parquet\"", "\"parket\""),
        &["unknown variant `parket`", "did you mean \"parquet\"?"],
    );
}

#[test]
fn a_job_without_rules_is_refused() {
    let rules = "frequency = { minimum = 3, margin = 20 }\np-percent = { p = 10 }\n";
    refused(&changed(rules, ""), &["has no rules: every cell would be published"]);
}

#[test]
fn statuses_can_be_set_by_hand() {
    let folder = changed(
        "response = \"turnover\"\n",
        "response = \"turnover\"\napriori = { file = \"hand.hst\" }\n",
    );
    folder.write("hand.hst", "B1;N;U\n");
    folder.done("protect job.toml");
    assert!(folder.read("out/turnover.csv").contains("B1,N,x,hidden\n"));
    folder.write("hand.hst", "B9;N;U\n");
    let outcome = folder.quell("protect job.toml --out other");
    assert_eq!(outcome.code, 1);
    assert!(outcome.words().contains("\"B9\" is not a code of sector"), "{}", outcome.err);
}

#[test]
fn a_parameter_out_of_range_is_refused_where_it_stands() {
    let (p_percent, line) =
        ("p-percent = { p = 10 }", JOB.lines().position(|line| line.starts_with("p-percent")));
    let place = format!("job.toml:{}:19", line.unwrap() + 1);
    let outcome =
        refused(&changed(p_percent, "p-percent = { p = 180 }"), &["p is 180, but must be"]);
    assert!(outcome.err.contains(&place), "{place} is not in:\n{}", outcome.err);
    refused(&changed(p_percent, "dominance = { n = 1.5, k = 75 }"), &["n is 1.5, but must be"]);
    refused(&changed(p_percent, "p-percnet = { p = 10 }"), &["did you mean \"p-percent\"?"]);
}

#[test]
fn tabulation_stops_before_protection() {
    let folder = small();
    let out = folder.done("tabulate job.toml --out tables.csv");
    assert!(out.contains("17 records, 1 table"), "{out}");
    assert!(folder.read("tables.cells.csv").contains("A1 × N"));
    let outcome = folder.quell("audit tables.csv --primaries-only");
    assert_eq!(outcome.code, 2, "{}", outcome.out);
    folder.done("suppress tables.csv --out protected.csv");
    folder.done("audit protected.csv");
}

#[test]
fn a_first_job_is_guessed_from_the_data() {
    let folder = small();
    let out = folder.done("init data.csv --out first.toml");
    assert!(out.contains("6 variables, 17 records"), "{out}");
    let job = folder.read("first.toml");
    assert!(job.contains("name = \"sector\""), "{job}");
    assert!(job.contains("response = \"turnover\""), "{job}");
    folder.done("protect first.toml --out out");
    let again = folder.quell("init data.csv --out first.toml");
    assert_eq!(again.code, 1);
    assert!(again.words().contains("exists already"));
}

#[test]
fn a_public_report_lies_with_the_release() {
    let folder = changed("[release]", "[report]\naudience = \"public\"\n\n[release]");
    folder.done("protect job.toml");
    let report = folder.read("out/report.html");
    assert!(!report.contains("for the office"));
    assert!(!report.contains("information lost"));
    assert!(!report.contains("times what is needed"));
}

#[test]
fn the_report_tells_the_limits_that_held() {
    let folder = changed("[release]", "[protect]\ntime = \"50s\"\nseed = 4\n\n[release]");
    let choice = |out: &str, name: &str| {
        let report = folder.read(&format!("{out}-office/report.html"));
        let (_, rest) = report.split_once(&format!("<td>{name}</td><td><code>")).unwrap();
        rest.split('<').next().unwrap_or_default().to_owned()
    };
    folder.done("protect job.toml --out own");
    assert_eq!([choice("own", "time"), choice("own", "work")], ["50s", "no limit"]);
    folder.done("protect job.toml --time 30s --out timed");
    assert_eq!([choice("timed", "time"), choice("timed", "seed")], ["30s", "4"]);
    folder.done("protect job.toml --work 12345 --seed 7 --out worked");
    assert_eq!([choice("worked", "time"), choice("worked", "work")], ["no limit", "12345"]);
    assert_eq!(choice("worked", "seed"), "7");
}

#[test]
fn a_checkpoint_that_nobody_would_write_is_refused() {
    let adjusted = changed("[release]", "[protect]\napproach = \"adjust\"\n\n[release]");
    let people = crate::report::survey();
    for (folder, job, words) in [
        (&adjusted, "job.toml", "an adjustment keeps no checkpoints"),
        (&people, "examples/people/job.toml", "a job without tables keeps no checkpoints"),
    ] {
        let outcome = folder.quell(&format!("protect {job} --checkpoint state --out out"));
        assert_eq!(outcome.code, 1, "{}", outcome.err);
        assert!(outcome.words().contains(words), "{}", outcome.err);
        assert!(!folder.path("out").exists() && !folder.path("state").exists());
    }
}

#[test]
fn a_release_without_time_for_its_audit_is_not_proven() {
    let folder = small();
    let outcome = folder.quell("protect job.toml --time 0s");
    assert_eq!(outcome.code, 2, "{}\n{}", outcome.out, outcome.err);
    assert!(outcome.out.contains("\nNOT "), "{}", outcome.out);
    assert!(!folder.path("out").exists());
}

#[test]
fn methods_are_compared_on_one_table() {
    let folder = small();
    folder.done("tabulate job.toml --out tables.jj");
    let out = folder.done("compare tables.jj --methods kelly-lp --work 1000000");
    assert!(out.contains("kelly-lp") && out.contains("yes"), "{out}");
    let json = folder.done("suppress tables.jj --method kelly-lp --json");
    for key in [
        "method",
        "cells",
        "equations",
        "primaries",
        "secondaries",
        "cost",
        "lower_bound",
        "gap",
        "safe",
        "seconds",
        "seed",
    ] {
        assert!(json.contains(&format!("\"{key}\":")), "{key}: {json}");
    }
    let outcome = folder.quell("suppress tables.jj --method best");
    assert_eq!(outcome.code, 1);
    assert!(outcome.words().contains("there is no method \"best\""));
}

/// Regions by number, amounts with decimal commas, in Latin-1, by semicolons: as offices write them.
#[test]
fn init_takes_numbers_of_regions_for_codes() {
    let folder = Folder::new();
    let mut text = b"r\xe9gion;code_ape;chiffre\n".to_vec();
    for record in 0..400 {
        let line =
            format!("{};{};{},5\n", 75_000 + 13 * (record % 90), 1000 + record % 7, record * 37);
        text.extend(line.into_bytes());
    }
    std::fs::write(folder.path("d.csv"), text).unwrap();
    folder.done("init d.csv --out first.toml");
    let job = folder.read("first.toml");
    assert!(job.contains("name = \"région\""), "{job}");
    assert!(job.contains("dimensions = [\"région\", \"code_ape\"]"), "{job}");
    assert!(job.contains("response = \"chiffre\""), "{job}");
    folder.done("tabulate first.toml --out t.csv");
}

#[test]
fn init_knows_a_finished_table() {
    let folder = Folder::new();
    let mut text = "branch;town;turnover;freq\n".to_owned();
    for branch in ["A", "B", "Ensemble"] {
        for town in ["N", "S", "Ensemble"] {
            let times = |code: &str| if code == "Ensemble" { 2 } else { 1 };
            let both = times(branch) * times(town);
            text.push_str(&format!("{branch};{town};{};{}\n", 100 * both, 4 * both));
        }
    }
    folder.write("t.csv", &text);
    folder.done("init t.csv --out first.toml");
    let job = folder.read("first.toml");
    assert!(!job.contains("[data]"), "{job}");
    assert!(job.contains("[table.given]") && job.contains("total = \"Ensemble\""), "{job}");
    assert!(job.contains("frequency = \"freq\""), "{job}");
    // The p% rule needs the largest contributions, which this table does not have.
    let job = job.replace("p-percent = { p = 10 }\n", "");
    folder.write("first.toml", &job);
    folder.done("tabulate first.toml --out out.csv");
    let cells = folder.read("out.cells.csv");
    assert_eq!(cells.lines().count(), 10, "{cells}");
}

#[test]
fn a_file_without_a_header_is_told_from_one_with() {
    let folder = Folder::new();
    let text: String = (0..30).map(|n| format!("N{},{}\n", n % 3, 10 + n)).collect();
    folder.write("d.csv", &text);
    let refused = folder.quell("init d.csv");
    assert_eq!(refused.code, 1);
    assert!(refused.words().contains("has no header"), "{}", refused.err);
    let job = "[data]\nfile = \"d.csv\"\nnames = [\"region\", \"turnover\"]\n\
        [[dimension]]\nname = \"region\"\n[[table]]\nname = \"T\"\ndimensions = [\"region\"]\n\
        response = \"turnover\"\n[rules]\nfrequency = { minimum = 3 }\n";
    folder.write("job.toml", job);
    folder.done("tabulate job.toml --out t.csv");
    // 10 to 39 together, the first line included.
    assert!(folder.read("t.cells.csv").contains(",735,"));
}
