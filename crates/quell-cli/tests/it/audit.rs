//! `quell audit`: verdicts, files and exit codes.

use serde_json::Value;

use crate::runner::Folder;

/// `T = a + b + c` with `a` and `b` hidden: safe if they may move far enough.
fn line_of_three(level: u32, statuses: [char; 3]) -> String {
    let [a, b, c] = statuses;
    format!(
        "0\n4\n0 60 1 s 0 100 0 0 0\n1 10 1 {a} 0 100 {level} {level} 0\n\
         2 20 1 {b} 0 100 0 0 0\n3 30 1 {c} 0 100 0 0 0\n\
         1\n0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)\n"
    )
}

/// What an audit of a table says, with its exit code.
fn audited(table: &str, options: &str) -> (i32, String) {
    let folder = Folder::new();
    folder.write("T.jj", table);
    let outcome = folder.quell(&format!("audit T.jj {options}"));
    assert_eq!(outcome.err, "", "{}", outcome.out);
    (outcome.code, outcome.out)
}

#[test]
fn a_safe_table_ends_with_0() {
    let (code, out) = audited(&line_of_three(5, ['u', 'm', 's']), "");
    assert_eq!(code, 0);
    assert!(out.contains("SAFE: the only primary is proven safe"), "{out}");
    assert!(out.contains("4 cells, 1 equation, 2 hidden: 1 primary, 1 secondary"), "{out}");
}

#[test]
fn a_primary_alone_is_known_exactly_and_the_command_ends_with_2() {
    let (code, out) = audited(&line_of_three(5, ['u', 's', 's']), "");
    assert_eq!(code, 2);
    assert!(out.contains("NOT SAFE: 1 of 1 primary is exposed"), "{out}");
    assert!(out.contains("cell 1  exposed exactly"), "{out}");
}

#[test]
fn a_primary_known_too_closely_is_exposed_within() {
    // It can fall by 10 only.
    let (code, out) = audited(&line_of_three(15, ['u', 'm', 's']), "");
    assert_eq!(code, 2);
    assert!(out.contains("cell 1  exposed within"), "{out}");
    assert!(out.contains("<= 10"), "{out}");
}

#[test]
fn without_time_nothing_is_proven_and_nothing_called_safe() {
    let (code, out) = audited(&line_of_three(5, ['u', 'm', 's']), "--time 0s");
    assert_eq!(code, 2);
    assert!(out.contains("NOT PROVEN: 1 of 1 primary not settled in the budget"), "{out}");
}

#[test]
fn a_table_without_primaries_is_safe() {
    assert_eq!(audited(&line_of_three(5, ['s', 's', 's']), "").0, 0);
}

#[test]
fn before_protection_only_primaries_are_hidden() {
    let table = line_of_three(5, ['u', 'm', 's']);
    let (code, out) = audited(&table, "--primaries-only");
    assert_eq!(code, 2);
    assert!(out.contains("1 hidden: 1 primary, 0 secondary"), "{out}");
}

#[test]
fn another_file_may_say_what_is_hidden() {
    let folder = Folder::new();
    folder.write("T.jj", &line_of_three(5, ['u', 's', 's']));
    folder.write("P.jj", &line_of_three(5, ['u', 's', 'm']).replace("60 1 s", "60.00 1 s"));
    assert_eq!(folder.quell("audit T.jj").code, 2);
    folder.done("audit T.jj --pattern P.jj");
    // A pattern that publishes the primary is the worst of all.
    folder.write("P.jj", &line_of_three(5, ['s', 'm', 'm']));
    let outcome = folder.quell("audit T.jj --pattern P.jj");
    assert_eq!(outcome.code, 2);
    assert!(outcome.out.contains("exposed exactly"), "{}", outcome.out);
}

#[test]
fn a_pattern_of_another_table_is_refused() {
    let folder = Folder::new();
    let table = line_of_three(5, ['u', 'm', 's']);
    folder.write("T.jj", &table);
    folder.write("P.jj", &table.replace("3 30 1", "3 31 1"));
    let outcome = folder.quell("audit T.jj --pattern P.jj");
    assert_eq!((outcome.code, outcome.out.as_str()), (1, ""));
    assert!(outcome.words().contains("cell 3 is 31 there instead of 30"), "{}", outcome.err);
    folder.write("P.jj", "0\n1\n0 3 1 s 0 9 0 0 0\n0\n");
    let outcome = folder.quell("audit T.jj --pattern P.jj");
    assert_eq!(outcome.code, 1);
    assert!(outcome.words().contains("it has 1 cells and 0 equations"), "{}", outcome.err);
    assert_eq!(folder.quell("audit T.jj --pattern P.jj --primaries-only").code, 1);
}

#[test]
fn json_says_the_same() {
    let (code, out) = audited(&line_of_three(15, ['u', 'm', 's']), "--json");
    assert_eq!(code, 2);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["verdict"], "not-safe");
    assert_eq!((&json["safe"], &json["decided"]), (&false.into(), &true.into()));
    assert_eq!(json["counts"]["exposed_within"], 1);
    let finding = &json["findings"][0];
    assert_eq!(finding["cell"], 1);
    assert_eq!(finding["verdict"], "exposed-within");
    assert_eq!(finding["required_down"], "15");
    assert_eq!(finding["limit_down"], "10");
    assert_eq!(finding["slack"], "-5");
}

#[test]
fn verdicts_and_intervals_are_written_on_request() {
    let folder = Folder::new();
    folder.write("T.jj", &line_of_three(15, ['u', 'm', 's']));
    let outcome = folder.quell("audit T.jj --csv verdicts.csv --intervals intervals.csv");
    assert_eq!(outcome.code, 2);
    let verdicts = folder.read("verdicts.csv");
    let lines: Vec<&str> = verdicts.lines().collect();
    assert_eq!(
        lines[0],
        "cell,name,verdict,lpl,down_at_least,down_at_most,upl,up_at_least,up_at_most,spl,slack"
    );
    assert!(lines[1].starts_with("1,cell 1,exposed-within,15,"), "{verdicts}");
    assert_eq!(lines.len(), 2);
    assert_eq!(
        folder.read("intervals.csv"),
        "cell,name,value,lower,upper\n1,cell 1,10,0,30\n2,cell 2,20,0,30\n"
    );
    assert_eq!(folder.names(), ["T.jj", "intervals.csv", "verdicts.csv"]);
}

#[test]
fn intervals_that_were_not_finished_are_not_written() {
    let folder = Folder::new();
    folder.write("T.jj", &line_of_three(5, ['u', 'm', 's']));
    let outcome = folder.quell("audit T.jj --time 0s --intervals intervals.csv");
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("intervals.csv not written"), "{}", outcome.err);
    assert_eq!(folder.names(), ["T.jj"]);
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = Folder::new();
    folder.done("generate ons --dims 9,9,9 --mean 2.6 --seed 2 --out T.jj");
    folder.done("generate ons --dims 12,9H --mean 2.2 --zeros 0.2 --seed 3 --out U.jj");
    for table in ["T.jj", "U.jj"] {
        let run = |threads: u32| {
            let command = format!(
                "audit {table} --json --contributors --csv v.csv --intervals i.csv --threads {threads}"
            );
            let outcome = folder.quell(&command);
            assert_eq!((outcome.code, outcome.err.as_str()), (2, ""));
            (outcome.out, folder.read("v.csv"), folder.read("i.csv"))
        };
        assert_eq!(run(1), run(2), "{table}");
    }
}

#[test]
fn contributors_are_attackers_too() {
    // a (one contributor) and b protect each other; whoever contributed a knows b.
    let folder = Folder::new();
    folder
        .write("T.jj", &line_of_three(5, ['u', 'u', 's']).replace("100 0 0 0\n3", "100 5 5 0\n3"));
    let outcome = folder.quell("audit T.jj --contributors");
    assert_eq!(outcome.code, 1);
    assert!(outcome.words().contains("does not say how many contributed"), "{}", outcome.err);
    folder.write("T.frq", "9\n1\n2\n6\n");
    folder.done("audit T.jj --contributors=no");
    let outcome = folder.quell("audit T.jj --contributors");
    assert_eq!(outcome.code, 2, "{}", outcome.out);
    assert!(
        outcome.out.contains(
            "NOT SAFE: all 2 primaries are proven safe from outsiders, but contributors can \
             expose 1 of the safe ones"
        ),
        "{}",
        outcome.out
    );
    assert!(outcome.out.contains("cell 1       cell 2  exposed exactly"), "{}", outcome.out);
    let outcome = folder.quell("audit T.jj --contributors --json");
    let json: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(json["safe"], false);
    assert_eq!(json["contributors"]["singletons"], 1);
    assert_eq!(json["contributors"]["unsafe_pairs"][0]["own_cell"], 1);
    assert_eq!(json["contributors"]["unsafe_pairs"][0]["cell"], 2);
}

#[test]
fn broken_tables_are_wrong_input_and_nothing_is_written() {
    let folder = Folder::new();
    folder.write("broken.jj", "0\n1\n0 3,5 1 s 0 9 0 0 0\n0\n");
    folder.write("sum.jj", &line_of_three(5, ['u', 'm', 's']).replace("0 60 1", "0 61 1"));
    for (command, words) in [
        ("audit broken.jj", "broken.jj, line 3, column 3"),
        ("audit sum.jj", "does not add up"),
        ("audit none.jj", "cannot read none.jj"),
        ("unpick broken.jj", "broken.jj, line 3, column 3"),
        ("unpick none.jj", "cannot read none.jj"),
        ("exposure sum.jj", "does not add up"),
        ("exposure broken.jj --algorithm k9", "choose e, k1, k3 or k5"),
        ("audit sum.jj --threads 0", "invalid value '0'"),
        ("audit sum.jj --time soon", "a time such as 60s"),
    ] {
        let outcome = folder.quell(&format!("{command} --json"));
        assert_eq!((outcome.code, outcome.out.as_str()), (1, ""), "{command}");
        assert!(outcome.words().contains(words), "{command}: {}", outcome.err);
    }
    folder.write("T.jj", &line_of_three(5, ['u', 'm', 's']));
    let outcome = folder.quell("audit T.jj --csv no/such/folder.csv");
    assert_eq!(outcome.code, 1);
    assert!(outcome.words().contains("cannot write no/such/folder.csv"), "{}", outcome.err);
    assert_eq!(folder.names(), ["T.jj", "broken.jj", "sum.jj"]);
}
