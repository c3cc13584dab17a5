//! `quell micro`.

use crate::runner::Folder;

/// Twelve people; nobody shares a town and a job with the miner.
const PEOPLE: &str = "id;town;sex;job;w\n\
    1;A;m;clerk;10\n2;A;m;clerk;10\n3;A;f;clerk;10\n4;A;f;nurse;10\n5;B;f;nurse;10\n6;B;f;nurse;10\n\
    7;B;m;clerk;10\n8;B;m;clerk;10\n9;B;f;clerk;10\n10;A;f;nurse;10\n11;B;m;miner;10\n12;A;m;clerk;10\n";

pub fn people() -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", PEOPLE);
    folder
}

#[test]
fn risk_names_the_unsafe_combinations_and_is_not_safe() {
    let outcome =
        people().quell("micro risk people.csv --keys town,sex,job --threshold 2 --weight w");
    assert_eq!((outcome.code, outcome.err.as_str()), (2, ""));
    assert!(
        outcome.out.starts_with("3 of 12 records have an unsafe combination"),
        "{}",
        outcome.out
    );
    assert!(outcome.out.contains("expected: 0.3 alone in the population"), "{}", outcome.out);
    // Nothing occurs less than once.
    people().done("micro risk people.csv --keys town,sex,job --threshold 1");
}

#[test]
fn fewer_than_and_at_most_are_different() {
    let folder = people();
    let fewer = folder.quell("micro risk people.csv --keys job --max-dim 1 --threshold 1 --json");
    let at_most = folder.quell("micro risk people.csv --keys job --max-dim 1 --at-most 1 --json");
    assert_eq!((fewer.code, at_most.code), (0, 2));
    assert!(at_most.out.contains("\"risky_records\": 1"), "{}", at_most.out);
}

#[test]
fn suppressed_files_are_verified_by_themselves() {
    let folder = people();
    let keys = "--keys town,sex,job --threshold 2";
    for meaning in ["static", "wildcard", "identical"] {
        let check = format!("{keys} --meaning {meaning}");
        folder
            .done(&format!("micro suppress people.csv {check} --out safe.csv --report safe.html"));
        let verdict = folder.done(&format!("micro verify people.csv safe.csv {check}"));
        assert!(verdict.starts_with("safe; "), "{meaning}: {verdict}");
        let page = folder.read("safe.html");
        assert!(page.contains("<h2>Suppressions</h2>") && page.contains("miner"), "{meaning}");
    }
    let outcome = folder.quell(&format!("micro verify people.csv people.csv {keys}"));
    assert_eq!(outcome.code, 2);
    assert!(outcome.out.contains("record 11: job occurs fewer than 2 times"), "{}", outcome.out);
}

#[test]
fn only_suppressed_values_change_in_the_file() {
    let folder = people();
    folder.done(
        "micro suppress people.csv --keys job --max-dim 1 --threshold 2 --out safe.csv --marker ?",
    );
    assert_eq!(folder.read("safe.csv"), PEOPLE.replace("miner", "?"));
}

#[test]
fn values_and_records_have_importance_of_their_own() {
    let folder = people();
    let keys = "--keys town,job --threshold 2 --max-dim 2 --json";
    let suppressed = |more: &str| {
        let out = folder.done(&format!("micro suppress people.csv {keys} {more}"));
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        json["suppression"]["by_category"]
            .as_array()
            .unwrap()
            .iter()
            .fold(String::new(), |all, one| format!("{all}{} ", one["code"].as_str().unwrap()))
    };
    // The miner is alone with the job: it must go, whatever it costs.
    assert_eq!(suppressed(""), "miner ");
    assert_eq!(suppressed("--importance job:miner=9"), "miner ");
    let pairs = "--combinations town*job";
    assert_eq!(suppressed(&format!("{pairs} --importance job:miner=9")), "B ");
    assert_eq!(suppressed(&format!("{pairs} --importance town:B=9")), "miner ");
    assert_eq!(suppressed(&format!("{pairs} --record-importance w --importance town=2")), "miner ");
    for (arguments, words) in [
        ("--importance job:minor=2", "variable \"job\" has no code \"minor\""),
        ("--record-importance sex", "record 1: \"m\" of sex is not a number"),
    ] {
        let outcome = folder.quell(&format!("micro suppress people.csv {keys} {arguments}"));
        assert_eq!(outcome.code, 1);
        assert!(outcome.words().contains(words), "{}", outcome.err);
    }
}

#[test]
fn a_file_is_never_written_over_itself() {
    let folder = people();
    let outcome = folder.quell("micro suppress people.csv --keys job --out people.csv");
    assert_eq!(outcome.code, 1);
    assert!(outcome.words().contains("is the input"), "{}", outcome.err);
    assert_eq!(folder.read("people.csv"), PEOPLE);
}

#[test]
fn recoding_chooses_a_level_and_applies_recode_files() {
    let folder = people();
    folder.write("jobs.csv", "clerk;office;work\nnurse;care;work\nminer;office;work\n");
    let text = folder.done(
        "micro recode people.csv --keys town,sex,job --threshold 2 --ladder job=jobs.csv --out safe.csv",
    );
    assert!(text.contains("proved least"), "{text}");
    // One's own losses: hiding a job is dear, joining jobs costs nothing, and the rest is barred.
    folder.write("losses.csv", "town,100\nsex,100\njob,100,1,900\n");
    let text = folder.done(
        "micro recode people.csv --keys town,sex,job --threshold 2 --ladder job=jobs.csv \
         --losses losses.csv",
    );
    assert!(text.contains("loss 1.0 by recoding"), "{text}");
    folder.write("losses.csv", "town,100\njob,100,1,900\n");
    let outcome = folder.quell("micro recode people.csv --keys town,sex --losses losses.csv");
    assert!(outcome.words().contains("no variable \"job\""), "{}", outcome.err);
    folder.write("job.grc", "office: clerk, miner\n");
    let text = folder.done(
        "micro recode people.csv --keys job --max-dim 1 --threshold 2 --apply job=job.grc --out recoded.csv",
    );
    assert!(text.contains("0 values suppressed"), "{text}");
    assert_eq!(
        folder.read("recoded.csv"),
        PEOPLE.replace("miner", "office").replace("clerk", "office")
    );
}

#[test]
fn an_argus_description_brings_places_levels_and_missing_codes() {
    let folder = Folder::new();
    folder.write(
        "p.rda",
        "town 1 1 \"X\"\n<RECODABLE>\n<IDLEVEL> 1\njob 2 2 \"99\"\n<RECODABLE>\n<IDLEVEL> 2\n",
    );
    folder.write("p.asc", "A 1\nA 1\nA 2\nB 1\nB 1\nB99\n");
    let arguments = "micro suppress p.asc --rda p.rda --levels --at-most 1 --out safe.asc";
    let text = folder.done(arguments);
    assert!(text.starts_with("1 of 6 records"), "{text}");
    assert_eq!(folder.read("safe.asc"), "A 1\nA 1\nA99\nB 1\nB 1\nB99\n");
}

#[test]
fn suppression_weights_of_a_description_say_what_to_keep() {
    let folder = Folder::new();
    folder.write("p.asc", "A1\nA1\nA2\nB2\nB2\n");
    for (town, job, safe) in [(9, 1, "A1\nA1\nAX\nB2\nB2\n"), (1, 9, "A1\nA1\nX2\nB2\nB2\n")] {
        folder.write(
            "p.rda",
            &format!(
                "town 1 1 \"X\"\n<RECODABLE>\n<IDLEVEL> 1\n<SUPPRESSWEIGHT> {town}\n\
                 job 2 1 \"X\"\n<RECODABLE>\n<IDLEVEL> 2\n<SUPPRESSWEIGHT> {job}\n"
            ),
        );
        folder.done("micro suppress p.asc --rda p.rda --threshold 2 --out safe.asc");
        assert_eq!(folder.read("safe.asc"), safe);
    }
    folder
        .done("micro suppress p.asc --rda p.rda --threshold 2 --importance town=20 --out safe.asc");
    assert_eq!(folder.read("safe.asc"), "A1\nA1\nAX\nB2\nB2\n", "the command line decides");
}

#[test]
fn without_time_nothing_is_written_and_nothing_called_safe() {
    let folder = people();
    for command in ["suppress people.csv --out safe.csv", "recode people.csv --out safe.csv"] {
        let command = format!("micro {command} --keys town,sex,job --threshold 2 --time 0s");
        let outcome = folder.quell(&command);
        assert_eq!((outcome.code, outcome.out.as_str()), (2, ""), "{command}: {}", outcome.err);
        assert!(outcome.words().contains("nothing is proven"), "{command}: {}", outcome.err);
        assert!(!folder.path("safe.csv").exists());
    }
    for command in ["risk people.csv", "verify people.csv people.csv"] {
        let command = format!("micro {command} --keys town,sex,job --threshold 1 --time 0s");
        let outcome = folder.quell(&command);
        assert_eq!((outcome.code, outcome.out.as_str()), (2, ""), "{command}: {}", outcome.err);
    }
    folder.write(
        "job.toml",
        "[micro]\nfile = \"people.csv\"\nkeys = [\"town\"]\n[protect]\ntime = \"0s\"\n",
    );
    assert_eq!(folder.quell("protect job.toml").code, 2);
    assert!(!folder.path("release").exists());
}

#[test]
fn codes_that_change_places_are_released_as_they_are_after() {
    let folder = people();
    folder.write("sex.grc", "f: m\nm: f\n");
    folder.done(
        "micro recode people.csv --keys sex --threshold 2 --apply sex=sex.grc --out safe.csv",
    );
    let changed = PEOPLE.replace(";m;", ";?;").replace(";f;", ";m;").replace(";?;", ";f;");
    assert_eq!(folder.read("safe.csv"), changed);
}

#[test]
fn mistakes_are_named() {
    let folder = people();
    folder.write("people.xlsx", "PK");
    for (arguments, words) in [
        ("micro risk people.csv", "name the identifying variables"),
        ("micro risk people.csv --keys town,age", "there is no variable \"age\""),
        ("micro risk nobody.csv --keys a", "nobody.csv"),
        (
            "micro risk people.csv --keys town,sex --threshold 5,3,2 --max-dim 2 --weight sex",
            "weight",
        ),
        (
            "micro suppress people.csv --keys town --importance town=much",
            "\"much\" is not a number",
        ),
        ("micro recode people.csv --keys town --top town=3", "not a number"),
        ("micro risk people.csv --keys town --separator é", "cannot stand between fields"),
        ("micro suppress people.csv --keys town --out none/safe.csv", "there is no folder none"),
        (
            "micro suppress people.csv --keys town,job --threshold 2 --marker A --out safe.csv",
            "cannot be marked \"A\"",
        ),
        ("micro suppress people.csv --keys town --out safe.parquet", "another ending"),
        ("micro suppress people.csv --keys town --household-keys town", "names the household"),
        ("micro risk people.sav --keys town", "people.sav"),
        ("micro risk people.sas7bdat --keys town", "people.sas7bdat"),
        ("micro risk people.xlsx --keys town", "turn it into Parquet or CSV"),
    ] {
        let outcome = folder.quell(arguments);
        assert_eq!((outcome.code, outcome.out.as_str()), (1, ""), "quell {arguments}");
        assert!(outcome.words().contains(words), "quell {arguments}: {}", outcome.words());
    }
}
