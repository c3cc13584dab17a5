//! Damaged files: reading never panics, and whatever is accepted survives a round trip.

use proptest::prelude::*;
use quell_formats::{Error, jj};
use quell_model::Random;

use crate::tables::{any_table, cases, csv_texts, jj_text, parse_csv};

/// Words that have broken readers before.
const WORDS: [&str; 26] = [
    "",
    "0",
    "-1",
    "1e30",
    "-1e30",
    "1e-15",
    "1e-16",
    "0.1",
    "99999999999999999999",
    "9223372036854775807",
    "-9223372036854775808",
    "2305843009213693951",
    "2305843009213693952",
    "4294967295",
    "4294967296",
    "nan",
    "inf",
    "(",
    ")",
    ":",
    "\"",
    ",",
    "\u{feff}",
    "é",
    "<NUMERIC>",
    "//",
];

/// One random damage.
fn damage(text: &mut Vec<u8>, random: &mut Random) {
    let place = |random: &mut Random, text: &[u8]| random.below(text.len() + 1);
    let span = |random: &mut Random, text: &[u8], most: usize| {
        let start = random.below(text.len() + 1);
        start..(start + random.below(most)).min(text.len())
    };
    match random.below(10) {
        0 if !text.is_empty() => {
            let at = random.below(text.len());
            text[at] ^= 1 << random.below(8);
        }
        1 => drop(text.drain(span(random, text, 20))),
        2 => {
            let at = place(random, text);
            text.insert(at, random.below(256) as u8);
        }
        3 => {
            let at = place(random, text);
            let symbols = b" \t\r\n0123456789.-+eE():,;|@<>/\"suzm";
            text.insert(at, symbols[random.below(symbols.len())]);
        }
        4 => {
            let at = place(random, text);
            text.truncate(at);
        }
        5 => {
            let from = span(random, text, 60);
            let copy = text[from].to_vec();
            let at = place(random, text);
            text.splice(at..at, copy);
        }
        6 => swap_lines(text, random),
        7 => repeat_line(text, random),
        _ => replace_word(text, random),
    }
}

fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

fn swap_lines(text: &mut Vec<u8>, random: &mut Random) {
    let mut lines = lines(text);
    if !lines.is_empty() {
        let (one, other) = (random.below(lines.len()), random.below(lines.len()));
        lines.swap(one, other);
    }
    *text = lines.concat();
}

fn repeat_line(text: &mut Vec<u8>, random: &mut Random) {
    let mut lines = lines(text);
    if !lines.is_empty() {
        let (from, to) = (random.below(lines.len()), random.below(lines.len()));
        let copy = lines[from].clone();
        lines.insert(to, copy);
    }
    *text = lines.concat();
}

/// Replaces a word, numbers above all, by one that is hard to read.
fn replace_word(text: &mut Vec<u8>, random: &mut Random) {
    let boundary = |byte: &u8| b" \n,;():".contains(byte);
    let at = random.below(text.len() + 1);
    let start = text[..at].iter().rposition(boundary).map_or(0, |at| at + 1);
    let end = text[at..].iter().position(boundary).map_or(text.len(), |end| at + end);
    let word = WORDS[random.below(WORDS.len())].bytes();
    text.splice(start..end, word);
}

/// A text with one random damage or a few.
pub fn damaged(text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let mut text = text;
    for _ in 0..1 + random.poisson(1.0) {
        damage(&mut text, random);
    }
    text
}

/// Refusals must point into the text, or right behind its end.
pub fn check_place(error: &Error, texts: &[&[u8]]) -> Result<(), TestCaseError> {
    let mistake = error.mistake().expect("only mistakes come out of texts");
    let fits = |text: &&[u8]| {
        let lines = text.split(|&byte| byte == b'\n').count();
        mistake.line >= 1 && mistake.line <= lines && mistake.column >= 1
    };
    prop_assert!(texts.iter().any(fits), "{mistake}");
    let snippet = &mistake.snippet;
    prop_assert!(snippet.text.get(snippet.wrong.clone()).is_some());
    prop_assert!(!snippet.text.contains('\n'));
    prop_assert!(!mistake.found.is_empty() && !mistake.expected.is_empty());
    prop_assert!(!mistake.advice.is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn damaged_jj_files_are_refused_or_consistent(seed in any::<u64>()) {
        let random = &mut Random::new(seed, 1);
        let text = damaged(jj_text(&any_table(seed % 500, 25)), random);
        match jj::parse("t.jj", &text) {
            Err(error) => check_place(&error, &[&text])?,
            Ok(problem) => {
                let again = jj::parse("t.jj", &jj_text(&problem)).unwrap();
                prop_assert_eq!(&again, &problem);
                for fault in problem.faults() {
                    let mistake = jj::mistake_of("t.jj", &text, &problem, &fault);
                    check_place(&mistake.into(), &[&text])?;
                }
            }
        }
    }

    #[test]
    fn damaged_csv_files_are_refused_or_consistent(seed in any::<u64>()) {
        let random = &mut Random::new(seed, 2);
        let (mut cells, mut equations) = csv_texts(&any_table(seed % 500, 20));
        match random.below(3) {
            0 => cells = damaged(cells, random),
            1 => equations = damaged(equations, random),
            _ => {
                cells = damaged(cells, random);
                equations = damaged(equations, random);
            }
        }
        match parse_csv(&cells, &equations) {
            Err(error) => check_place(&error, &[&cells, &equations])?,
            Ok(problem) => {
                let (one, other) = csv_texts(&problem);
                prop_assert_eq!(parse_csv(&one, &other).unwrap(), problem);
            }
        }
    }

    #[test]
    fn damaged_frequency_files_are_refused_or_complete(seed in any::<u64>()) {
        let random = &mut Random::new(seed, 3);
        let text: String = (0..12).map(|_| format!("{0} {0}\n", random.below(30))).collect();
        let text = damaged(text.into_bytes(), random);
        match jj::frequencies::parse("t.frq", &text, 12) {
            Err(error) => check_place(&error, &[&text])?,
            Ok(contributors) => prop_assert_eq!(contributors.len(), 12),
        }
    }
}
