//! `quell protect` with `[micro]`: what `quell micro` does, asked for in a job.

use crate::job;
use crate::micro::people;
use crate::report;
use crate::runner::Folder;

const MICRO: &str =
    "[micro]\nfile = \"people.csv\"\nkeys = [\"town\", \"sex\", \"job\"]\nthreshold = 2\n";

fn with_job(text: &str) -> Folder {
    let folder = people();
    folder.write("job.toml", text);
    folder
}

#[test]
fn the_example_is_released_safe_and_households_stay_together() {
    let folder = report::survey();
    let text = folder.done("protect examples/people/job.toml");
    assert!(text.contains("proved optimal"), "{text}");
    let page = folder.read("examples/people/release-office/microdata.html");
    assert!(page.contains("<title>Persons of Quellania"), "{page}");
    let verdict = folder.done(
        "micro verify examples/people/people.csv examples/people/release/people.csv \
         --keys region,age,sex,marital,occupation --threshold 3",
    );
    assert!(verdict.starts_with("safe; "), "{verdict}");
    let released = folder.read("examples/people/release/people.csv");
    let mut shown = std::collections::BTreeMap::new();
    for line in released.lines().skip(1) {
        let mut fields = line.split(',');
        let (house, region) = (fields.next().unwrap(), fields.next().unwrap());
        assert_eq!(*shown.entry(house).or_insert(region), region, "household {house}");
    }
}

#[test]
fn a_job_does_what_the_sub_commands_do() {
    let suppressed = with_job(MICRO);
    let told = suppressed.done("protect job.toml");
    let keys = "--keys town,sex,job --threshold 2";
    let own = suppressed.done(&format!("micro suppress people.csv {keys} --out safe.csv"));
    assert_eq!(told.lines().next(), own.lines().next());
    assert_eq!(suppressed.read("release/people.csv"), suppressed.read("safe.csv"));

    let recoded = with_job(&format!(
        "{MICRO}out = \"safe.csv\"\n[micro.recode]\nladder = {{ job = \"jobs.csv\" }}\n"
    ));
    recoded.write("jobs.csv", "clerk;office;work\nnurse;care;work\nminer;office;work\n");
    recoded.done("protect job.toml");
    recoded.done(&format!("micro recode people.csv {keys} --ladder job=jobs.csv --out own.csv"));
    assert_eq!(recoded.read("release/safe.csv"), recoded.read("own.csv"));

    let risk = with_job(&format!("{MICRO}task = \"risk\"\n[micro.risk]\nsensitive = [\"w\"]\n"));
    let outcome = risk.quell("protect job.toml");
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    let own = risk.quell(&format!("micro risk people.csv {keys} --sensitive w"));
    assert!(outcome.out.starts_with(&own.out), "{}", outcome.out);
    assert!(!risk.path("release/people.csv").exists());
}

#[test]
fn combinations_of_a_job_may_have_thresholds_of_their_own() {
    for (part, list, more) in [
        ("combinations = [\"town*sex < 4\", \"job<=1\"]", "town*sex<4,job<=1", ""),
        (
            "combinations = [{ keys = [\"town\", \"sex\"], threshold = 4 }, { keys = [\"job\"], at-most = 1 }]",
            "town*sex<4,job<=1",
            "",
        ),
        (
            "combinations = [\"town*sex\", \"town*sex*job < 2\"]\nparts = true\nthreshold = [2, 4]",
            "town*sex,town*sex*job<2",
            "--parts --threshold 2,4",
        ),
    ] {
        let folder = with_job(&format!(
            "[micro]\nfile = \"people.csv\"\nkeys = [\"town\", \"sex\", \"job\"]\n{part}\n"
        ));
        folder.done("protect job.toml");
        let check = format!("--keys town,sex,job --combinations {list} {more}");
        folder.done(&format!("micro suppress people.csv {check} --out safe.csv"));
        let released = folder.read("release/people.csv");
        assert_eq!(released, folder.read("safe.csv"), "{part}");
        assert_ne!(released, folder.read("people.csv"), "{part}");
        folder.done(&format!("micro verify people.csv release/people.csv {check}"));
    }
}

#[test]
fn tables_and_records_are_released_together_or_not_at_all() {
    let folder = job::small();
    let people = people();
    folder.write("people.csv", &people.read("people.csv"));
    folder.write("both.toml", &format!("{}\n{MICRO}", job::JOB));
    let text = folder.done("protect both.toml");
    assert!(text.contains("values suppressed") && text.contains("SAFE: the only"), "{text}");
    assert!(folder.path("out/people.csv").exists() && folder.path("out-office").is_dir());
    // Tables that are not safe keep the records back, too.
    let folder = job::unprotectable();
    folder.write("people.csv", &people.read("people.csv"));
    folder.write("both.toml", &format!("{}\n{MICRO}", folder.read("job.toml")));
    assert_eq!(folder.quell("protect both.toml").code, 2);
    assert!(!folder.path("out").exists());
}

#[test]
fn mistakes_are_shown_where_they_stand() {
    for (part, words) in [
        ("keys = [\"tawn\"]\n", "there is no variable \"tawn\""),
        ("keys = [\"town\"]\nobjektive = \"categories\"\n", "unknown field `objektive`"),
        ("keys = [\"town\"]\nobjective = \"category\"\n", "unknown variant `category`"),
        ("keys = [\"town\"]\nthreshold = 3\nat-most = 2\n", "threshold is given as well"),
        ("keys = [\"town\"]\nlevels = true\n", "identification levels stand in the metadata"),
        ("keys = [\"town\"]\ncombinations = [\"town\"]\nall-together = true\n", "only one of"),
        ("keys = [\"town\"]\nout = \"../people.csv\"\n", "this is not the name of a file"),
        (
            "keys = [\"town\"]\ntask = \"recode\"\nobjective = \"categories\"\n",
            "objective means nothing",
        ),
        ("", "name the identifying variables"),
        ("keys = [\"town\"]\ncombinations = [\"town < x\"]\n", "must be a whole number"),
        (
            "keys = [\"town\"]\ncombinations = [{ keys = [\"town\"], threshold = 3, at-most = 3 }]\n",
            "not both",
        ),
        ("keys = [\"town\"]\nthreshold = \"many\"\n", "invalid type"),
    ] {
        let folder = with_job(&format!("[micro]\nfile = \"people.csv\"\n{part}"));
        let outcome = folder.quell("protect job.toml");
        assert_eq!((outcome.code, outcome.out.as_str()), (1, ""), "{part}: {}", outcome.err);
        assert!(outcome.words().contains(words), "{part}: {}", outcome.words());
        assert!(!folder.path("release").exists());
    }
    let folder = with_job("[micro]\nfile = \"nobody.csv\"\nkeys = [\"town\"]\n");
    assert!(folder.quell("protect job.toml").words().contains("there is no file"));
    let folder = with_job(&format!("{MICRO}\n[release]\nfolder = \".\"\n"));
    let outcome = folder.quell("protect job.toml");
    assert!(outcome.words().contains("is no release of quell"), "{}", outcome.err);
    let folder = with_job(MICRO);
    let before = folder.read("people.csv");
    let outcome = folder.quell("protect job.toml --out .");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    assert!(outcome.words().contains("is no release of quell"), "{}", outcome.err);
    assert_eq!(folder.read("people.csv"), before);
}
