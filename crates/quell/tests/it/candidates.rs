//! Which cells may be hidden: empty ones, those of an earlier release, and what is said where those
//! that may not make protection impossible.

use std::path::Path;

use quell::{Context, Error, Job, Release, TableVerdict, WhenUnsafe};

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn run(folder: &Path, job: &str) -> Result<Release, Error> {
    quell::run(&Job::from_toml(job, folder)?, &Context::default())
}

fn written(release: &Release, name: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    release.write_with(&out, WhenUnsafe::Mark, &Context::default()).unwrap();
    let marked = std::fs::read_to_string(out.join(format!("NOT-SAFE-{name}")));
    marked.or_else(|_| std::fs::read_to_string(out.join(name))).unwrap()
}

const SHAPE: &str = "\
[data]
file = \"firms.csv\"
[[dimension]]
name = \"sector\"
[[dimension]]
name = \"region\"
[rules]
frequency = { minimum = 2, margin = 20 }
[attacker]
contributors = false
[[table]]
name = \"Turnover\"
dimensions = [\"sector\", \"region\"]
response = \"turnover\"
";

/// A in the south is alone. To look smaller it needs another cell of the south that can grow while
/// one of the same sector in the north can shrink: C in the north is too small for that, and there is
/// no B in the south.
const FIRMS: &str = "sector,region,turnover\nA,N,50\nA,N,60\nA,S,40\nB,N,20\nB,N,25\nC,N,1\nC,N,1\n\
    C,S,30\nC,S,31\n";

#[test]
fn empty_cells_are_hidden_where_they_may_be() {
    let folder = folder(&[
        ("firms.csv", FIRMS),
        ("empty.csv", "B;S\n"),
        ("other.csv", "A;*\n"),
        ("wrong.csv", "B;S\nB;X\n"),
    ]);
    // Totals of two sectors are hidden.
    let without = run(folder.path(), SHAPE).unwrap();
    assert_eq!(without.verdict(), TableVerdict::Safe);
    assert!(!written(&without, "turnover.csv").contains("B,S,"));
    for empty in ["{}", "{ file = \"empty.csv\" }", "{ only = { region = [\"S\"] } }"] {
        let with = run(folder.path(), &format!("{SHAPE}empty-cells = {empty}\n")).unwrap();
        assert_eq!(with.verdict(), TableVerdict::Safe, "{empty}");
        let table = written(&with, "turnover.csv");
        assert!(table.contains("B,S,x,"), "{empty}: {table}");
        // No total is, now.
        assert!(!table.lines().any(|row| row.contains("Total") && row.contains(",x,")), "{table}");
        let pivot =
            format!("{SHAPE}empty-cells = {empty}\n[release]\nformats = [\"code-value\"]\n");
        let table = written(&run(folder.path(), &pivot).unwrap(), "turnover.code-value.txt");
        assert!(table.contains("\"B\",\"S\",x"), "{empty}: {table}");
    }
    for empty in ["{ file = \"other.csv\" }", "{ only = { sector = [\"A\"] } }"] {
        let with = run(folder.path(), &format!("{SHAPE}empty-cells = {empty}\n")).unwrap();
        assert_eq!(written(&with, "turnover.csv"), written(&without, "turnover.csv"), "{empty}");
    }
    let error = |empty: &str| {
        run(folder.path(), &format!("{SHAPE}empty-cells = {empty}\n")).unwrap_err().to_string()
    };
    assert!(error("{ file = \"wrong.csv\" }").contains("wrong.csv: \"X\" is not a code of region"));
    assert!(error("{ only = { regoin = [\"S\"] } }").contains("dimension of this table"));
}

#[test]
fn another_table_must_not_tell_which_cells_are_empty() {
    let folder = folder(&[("firms.csv", FIRMS)]);
    let both = format!(
        "{SHAPE}empty-cells = {{}}\n[[table]]\nname = \"Again\"\ndimensions = [\"region\", \"sector\"]\n\
         response = \"turnover\"\n"
    );
    let error = run(folder.path(), &both).unwrap_err().to_string();
    assert!(
        error.contains("\"Again\" would tell which cells of \"Turnover\" are empty"),
        "{error}"
    );
    let release = run(folder.path(), &format!("{both}empty-cells = {{}}\n")).unwrap();
    assert_eq!(release.verdict(), TableVerdict::Safe);
    assert!(written(&release, "again.csv").contains("S,B,x,"));
}

#[test]
fn what_must_be_published_and_makes_protection_impossible_is_named() {
    let folder = folder(&[
        ("firms.csv", FIRMS),
        ("row.hst", "A;N;P\nA;Total;P\nB;N;P\nTotal;N;P\n"),
        ("cross.hst", "A;N;P\nA;Total;P\nC;S;P\nTotal;S;P\nB;N;P\n"),
    ]);
    let job = |file: &str| format!("{SHAPE}apriori = {{ file = \"{file}\" }}\n");
    let release = run(folder.path(), &job("row.hst")).unwrap();
    assert_eq!(release.verdict(), TableVerdict::NotSafe);
    let told: Vec<&String> =
        release.notes().iter().filter(|note| note.contains("cannot be protected")).collect();
    // Of the four cells that must be published only the two of its row are in the way, and one of
    // them is enough.
    assert_eq!(told.len(), 1, "{:?}", release.notes());
    let one = ["A × N", "A × Total"].iter().find(|cell| {
        told[0].ends_with(&format!("A × S cannot be protected while {cell} must be published"))
    });
    let one = one.unwrap_or_else(|| panic!("{told:?}"));
    let report = release.report(quell::Audience::Office);
    assert!(report.contains(&format!("{one} must be published")));
    assert!(!release.report(quell::Audience::Public).contains("must be published"));
    // One of its row and one of its column.
    let release = run(folder.path(), &job("cross.hst")).unwrap();
    let told = release.notes().iter().find(|note| note.contains("cannot be protected")).unwrap();
    assert!(told.contains("cannot be protected while these 2 must be published: "), "{told}");
    // What is hidden by hand is hidden whatever it costs.
    std::fs::write(folder.path().join("hidden.hst"), "B;N;M\n").unwrap();
    let release = run(folder.path(), &job("hidden.hst")).unwrap();
    assert_eq!(release.verdict(), TableVerdict::Safe);
    assert!(written(&release, "turnover.csv").contains("B,N,x,"));
}

#[test]
fn a_pattern_stays_if_it_may_and_if_it_must() {
    let firms = "sector,region,turnover\nA,N,50\nA,N,60\nA,S,40\nB,N,70\nB,N,80\nB,S,45\nB,S,45\n\
                 A,E,41\nA,E,41\nB,E,41\nB,E,41\n";
    let last = |hidden: [&str; 4]| {
        let cells = ["A,N", "A,S", "A,E", "B,N", "B,S", "B,E"].map(|cell| {
            let is_hidden = hidden.contains(&cell);
            let (value, status) = if is_hidden { ("x", "secondary") } else { ("7", "published") };
            format!("{cell},{value},{status}\n")
        });
        format!("sector,region,turnover,status\n{}", cells.concat())
    };
    let folder = folder(&[("firms.csv", firms)]);
    std::fs::create_dir(folder.path().join("last")).unwrap();
    let file = folder.path().join("last/turnover.csv");
    let hidden = |pattern: &str| {
        let (head, table) = SHAPE.split_once("[[table]]").unwrap();
        let job = format!("{head}[protect]\nprevious = \"last\"\n{pattern}\n[[table]]{table}");
        let release = run(folder.path(), &job).unwrap();
        assert_eq!(release.verdict(), TableVerdict::Safe);
        let table = written(&release, "turnover.csv");
        let hidden = table.lines().filter(|line| line.contains(",x,"));
        hidden.map(|line| line.split(",x").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // By itself the smaller of N and E is hidden.
    std::fs::write(&file, last(["", "", "", ""])).unwrap();
    assert_eq!(hidden(""), ["A,E", "A,S", "B,E", "B,S"]);
    std::fs::write(&file, last(["A,N", "A,S", "B,N", "B,S"])).unwrap();
    assert_eq!(hidden(""), ["A,N", "A,S", "B,N", "B,S"]);
    assert_eq!(hidden("previous-pattern = \"hidden\""), ["A,N", "A,S", "B,N", "B,S"]);
    // One that is needed no longer is hidden only if it must be.
    std::fs::write(&file, last(["A,E", "A,S", "B,E", "B,N"])).unwrap();
    assert!(!hidden("").contains(&"B,N".to_owned()));
    assert!(hidden("previous-pattern = \"hidden\"").contains(&"B,N".to_owned()));
}

/// A stock at the end of the year is the one at its beginning and what came in: the stock at the
/// beginning was released as last year's stock at the end.
#[test]
fn flows_do_not_open_the_stock_that_was_released_before() {
    let firms = "sector,region,opening,inflow,closing\n\
        A,N,50,5,55\nA,N,60,5,65\nA,S,40,6,46\nA,E,30,2,32\nA,E,31,3,34\nB,N,70,7,77\nB,N,80,8,88\n\
        B,S,45,4,49\nB,S,46,5,51\nB,E,35,3,38\nB,E,36,3,39\n";
    // Last year A-S was hidden with A-N, B-N and B-S; now E would be cheaper.
    let cells = "A,N,x,s\nA,S,x,s\nA,E,61,published\nB,N,x,s\nB,S,x,s\nB,E,71,published\n\
        A,Total,211,published\nB,Total,312,published\nTotal,N,260,published\nTotal,S,131,published\n\
        Total,E,132,published\nTotal,Total,523,published\n";
    let folder = folder(&[
        ("firms.csv", firms),
        ("last-closing.csv", &format!("sector,region,closing,status\n{cells}")),
    ]);
    let table = |response: &str, previous: &str| {
        format!(
            "[[table]]\nname = \"{response}\"\ndimensions = [\"sector\", \"region\"]\nresponse = \
             \"{response}\"\n{previous}\n"
        )
    };
    let (head, _) = SHAPE.split_once("[[table]]").unwrap();
    let job = |previous: &str| {
        let tables = ["inflow", "closing"].map(|response| table(response, ""));
        let equation = "[[equation]]\ntotal = \"closing\"\nparts = [\"opening\", \"inflow\"]\n";
        format!("{head}{}{}{equation}", table("opening", previous), tables.concat())
    };
    // By itself the job takes another pattern for the opening stock: with what was published last
    // year A-S is 211 − 110 − 61.
    let alone = written(&run(folder.path(), &job("")).unwrap(), "opening.csv");
    assert!(alone.contains("A,N,110,published"), "{alone}");
    let previous = "previous = { file = \"last-closing.csv\", pattern = \"same\" }";
    let release = run(folder.path(), &job(previous)).unwrap();
    assert_eq!(release.verdict(), TableVerdict::Safe);
    let opening = written(&release, "opening.csv");
    for line in cells.lines() {
        let codes = line.rsplitn(3, ',').nth(2).unwrap();
        let now = opening.lines().find(|own| own.starts_with(&format!("{codes},"))).unwrap();
        assert_eq!(line.contains(",x,"), now.contains(",x,"), "{line}: {now}");
    }
    // What one period hides the flow and the other stock must not give away.
    for codes in ["A,N", "A,S", "B,N", "B,S"] {
        let is_hidden = |name: &str| {
            let table = written(&release, name);
            table.contains(&format!("\n{codes},x,"))
        };
        assert!(is_hidden("inflow.csv") || is_hidden("closing.csv"), "{codes}");
    }
    // A sensitive cell that was published is known, and the office is told.
    let told = "A,S,40,published\n";
    let text = format!("sector,region,closing,status\n{}", cells.replace("A,S,x,s\n", told));
    std::fs::write(folder.path().join("last-closing.csv"), text).unwrap();
    let release = run(folder.path(), &job(previous)).unwrap();
    assert!(
        release.notes().iter().any(|note| {
            note.contains("1 sensitive cells were published before") && note.ends_with("A × S")
        }),
        "{:?}",
        release.notes()
    );
}
