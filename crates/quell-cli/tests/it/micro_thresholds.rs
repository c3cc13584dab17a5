//! `quell micro`: how often is enough, by dimension and by combination.

use std::collections::HashMap;

use quell_model::Random;

use crate::micro::people;
use crate::runner::Folder;

/// Every town and sex is there three times, every town six times.
const PAIR: &str = "people.csv --keys town,sex";

#[test]
fn a_combination_takes_the_threshold_of_its_dimension() {
    let folder = people();
    for (check, code) in [
        ("--combinations town,town*sex --threshold 6,3", 0),
        ("--combinations town,town*sex --threshold 3,4", 2),
        ("--combinations town,town*sex --threshold 7,3", 2),
        ("--combinations town*sex --parts --threshold 1,4", 2),
        ("--combinations town*sex --parts --threshold 6,3", 0),
        ("--all-together --threshold 1,4", 2),
        ("--all-together --threshold 7,3", 0),
        ("--all-together --parts --threshold 7,3", 2),
        ("--all-together --at-most 0,3", 2),
    ] {
        let outcome = folder.quell(&format!("micro risk {PAIR} {check}"));
        assert_eq!(outcome.code, code, "{check}: {}{}", outcome.out, outcome.err);
        let outcome = folder.quell(&format!("micro verify people.csv {PAIR} {check}"));
        assert_eq!(outcome.code, code, "{check}: {}{}", outcome.out, outcome.err);
        folder.done(&format!("micro suppress {PAIR} {check} --out safe.csv"));
        let words =
            folder.done(&format!("micro verify people.csv safe.csv --keys town,sex {check}"));
        assert!(words.starts_with("safe; "), "{check}: {words}");
    }
}

#[test]
fn a_combination_may_have_a_threshold_of_its_own() {
    let folder = people();
    for (check, code) in [
        ("--combinations town*sex<3", 0),
        ("--combinations town*sex<4", 2),
        ("--combinations town*sex<=2", 0),
        ("--combinations town*sex<=3", 2),
        ("--combinations town<6,town*sex<3", 0),
        ("--combinations town<7,town*sex<3", 2),
        // A part is as strict as the strictest combination it belongs to.
        ("--combinations town*sex<3 --parts", 0),
        ("--combinations town<6,town*sex<3 --threshold 9,9", 0),
        ("--combinations town*sex<3,sex --threshold 7", 2),
        ("--combinations town*sex<3 --parts --threshold 7", 0),
        ("--combinations town*sex<3 --parts --threshold 7,1", 2),
    ] {
        let outcome = folder.quell(&format!("micro risk {PAIR} {check}"));
        assert_eq!(outcome.code, code, "{check}: {}{}", outcome.out, outcome.err);
        folder.done(&format!("micro recode {PAIR} {check} --out safe.csv"));
        folder.done(&format!("micro verify people.csv safe.csv --keys town,sex {check}"));
    }
}

#[test]
fn thresholds_that_are_missing_are_asked_for() {
    let folder = people();
    for (check, words) in [
        ("--combinations town,town*sex*job --threshold 3,4", "2 thresholds are given"),
        ("--all-together --threshold 3,4", "combinations of up to 3 variables"),
        ("--max-dim 3 --threshold 3,4", "give one, or one for each dimension"),
        ("--combinations town*sex<3,town*job", "town*job has no threshold"),
        ("--combinations town*sex<many", "must be a whole number"),
    ] {
        let outcome =
            folder.quell(&format!("micro suppress people.csv --keys town,sex,job {check}"));
        assert_eq!((outcome.code, outcome.out.as_str()), (1, ""), "{check}");
        assert!(outcome.words().contains(words), "{check}: {}", outcome.words());
    }
}

/// Records of a CSV file, an empty field being missing.
fn rows(text: &str) -> Vec<Vec<Option<&str>>> {
    let fields = |line: &'_ str| -> Vec<Option<&str>> {
        // The text outlives the line.
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let line = &text[start..start + line.len()];
        line.split(',').map(|field| Some(field).filter(|field| !field.is_empty())).collect()
    };
    text.lines().skip(1).map(fields).collect()
}

#[test]
fn released_files_hold_what_naive_counting_finds_enough() {
    for task in 0..12 {
        let mut random = Random::new(77, task);
        let records = 20 + random.below(40);
        let mut text = "a,b,c\n".to_owned();
        for _ in 0..records {
            let fields: Vec<String> =
                [2, 4, 6].iter().map(|&codes| random.below(codes).to_string()).collect();
            text += &format!("{}\n", fields.join(","));
        }
        let folder = Folder::new();
        folder.write("in.csv", &text);
        let [one, two, three] = [(); 3].map(|()| 1 + random.below(6));
        let own = 1 + random.below(6);
        // By dimension; the pair a × b has a threshold of its own.
        let check =
            format!("--combinations a*b<{own},b*c,a*b*c --threshold {one},{two},{three} --parts");
        folder.done(&format!("micro suppress in.csv --keys a,b,c {check} --out out.csv"));
        let released = folder.read("out.csv");
        let (before, after) = (rows(&text), rows(&released));
        let demands: [(&[usize], usize); 7] = [
            (&[0], one),
            (&[1], one),
            (&[2], one),
            (&[0, 1], own.max(two)),
            (&[0, 2], two),
            (&[1, 2], two),
            (&[0, 1, 2], three),
        ];
        for (keys, least) in demands {
            let tuple = |row: &[Option<&str>]| -> Option<Vec<String>> {
                keys.iter().map(|&key| row[key].map(str::to_owned)).collect()
            };
            let mut counts: HashMap<Vec<String>, usize> = HashMap::new();
            for own in before.iter().filter_map(|row| tuple(row)) {
                *counts.entry(own).or_default() += 1;
            }
            for shown in after.iter().filter_map(|row| tuple(row)) {
                assert!(counts[&shown] >= least, "task {task}: {keys:?} {shown:?} under {least}");
            }
        }
    }
}
