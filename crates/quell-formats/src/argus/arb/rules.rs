//! The argument of `<SAFETYRULE>`: the sensitivity rules of a table.
//!
//! Which rules there are is not said here: who reads a batch gives their forms, so that a rule
//! is declared in one place only.

use super::RuleForm;
use crate::Error;
use crate::argus::tokens::{Token, Tokens};
use crate::suggest::advise;

/// The sensitivity rules of a table, as they are written.
#[derive(Debug, Clone, PartialEq)]
pub struct SafetyRules {
    /// The rules in the order of the file, those that only keep a place included.
    pub rules: Vec<WrittenRule>,
    /// `WGT(1)`: rules apply sampling weights.
    pub weighted: bool,
    /// `MIS(1)`: cells with a missing code are safe whatever the rules say.
    pub missing_is_safe: bool,
    /// `MAN(margin)`: protection of cells unsafe by hand, in percent; 20 unless given.
    pub manual_margin: f64,
}

impl Default for SafetyRules {
    fn default() -> Self {
        Self { rules: Vec::new(), weighted: false, missing_is_safe: false, manual_margin: 20.0 }
    }
}

/// A rule as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenRule {
    /// Its keyword, as in its form.
    pub keyword: &'static str,
    /// Whether it stands in a place for holdings.
    pub holding: bool,
    /// The parameters that are given, with their names.
    pub parameters: Vec<(&'static str, f64)>,
}

/// Keywords that say something of all rules.
const SETTINGS: [(&str, &str); 3] =
    [("WGT", "WGT(0) or WGT(1)"), ("MIS", "MIS(0) or MIS(1)"), ("MAN", "MAN(margin)")];

pub(super) fn read(line: &mut Tokens<'_>, forms: &[RuleForm]) -> Result<SafetyRules, Error> {
    let mut rules = SafetyRules::default();
    // How many rules of each form were read, those that keep a place counted: a rule's place
    // decides whether it is on contributors or on holdings.
    let mut places = vec![0; forms.len()];
    while let Some(name) = line.piece()? {
        let upper = name.text.to_uppercase();
        if let Some(number) = forms.iter().position(|form| form.keyword == upper) {
            rules.rules.push(rule(&name, line, &forms[number], &mut places[number])?);
        } else {
            setting(&upper, &name, line, &mut rules, forms)?;
        }
        if !line.at_end() {
            line.need_sign("|", "rules are separated by |")?;
        }
    }
    Ok(rules)
}

fn rule(
    name: &Token<'_>,
    line: &mut Tokens<'_>,
    form: &RuleForm,
    place: &mut usize,
) -> Result<WrittenRule, Error> {
    let reads = form.reads();
    let numbers = arguments(line, &reads)?;
    let Some(names) = form.arguments.iter().find(|names| names.len() == numbers.len()) else {
        let advice = "check the number of arguments";
        return Err(line.mistake(name.place.clone(), reads, advice));
    };
    let mut parameters = Vec::with_capacity(numbers.len());
    for ((piece, number), &argument) in numbers.iter().zip(*names) {
        if let Some(wrong) = form.wrong(argument, *number) {
            let advice = format!("{}; the rule reads {reads}", wrong.advice);
            return Err(line.mistake(piece.place.clone(), wrong.expected, advice));
        }
        parameters.push((argument, *number));
    }
    *place += 1;
    if let Some(most) = form.places.map(|places| 2 * places).filter(|&most| *place > most) {
        let expected = format!("at most {most} rules {}", form.keyword);
        let advice = "half are on contributors, half on holdings";
        return Err(line.mistake(name.place.clone(), expected, advice));
    }
    let holding = form.places.is_some_and(|places| *place > places);
    Ok(WrittenRule { keyword: form.keyword, holding, parameters })
}

fn setting(
    upper: &str,
    name: &Token<'_>,
    line: &mut Tokens<'_>,
    rules: &mut SafetyRules,
    forms: &[RuleForm],
) -> Result<(), Error> {
    let Some((_, reads)) = SETTINGS.iter().find(|(keyword, _)| *keyword == upper) else {
        let keywords: Vec<&str> =
            forms.iter().map(|form| form.keyword).chain(SETTINGS.map(|(own, _)| own)).collect();
        return Err(line.mistake(name.place.clone(), "a safety rule", advise(upper, &keywords)));
    };
    let numbers: Vec<f64> = arguments(line, reads)?.into_iter().map(|(_, number)| number).collect();
    match (upper, numbers.as_slice()) {
        ("MAN", &[margin]) => rules.manual_margin = margin,
        ("WGT", &[yes]) if yes == 0.0 || yes == 1.0 => rules.weighted = yes == 1.0,
        ("MIS", &[yes]) if yes == 0.0 || yes == 1.0 => rules.missing_is_safe = yes == 1.0,
        (_, [_]) => {
            let advice = "write 0 or 1 in the brackets";
            return Err(line.mistake(name.place.clone(), *reads, advice));
        }
        _ => {
            let advice = "check the number of arguments";
            return Err(line.mistake(name.place.clone(), *reads, advice));
        }
    }
    Ok(())
}

/// The numbers in brackets, each with its place.
fn arguments<'a>(line: &mut Tokens<'a>, reads: &str) -> Result<Vec<(Token<'a>, f64)>, Error> {
    let advice = format!("the rule reads {reads}");
    line.need_sign("(", &advice)?;
    let mut numbers = Vec::new();
    loop {
        let piece = line.need("a number", &advice)?;
        let number: f64 = line.number(&piece, "a number", &advice)?;
        if number < 0.0 || !number.is_finite() {
            return Err(line.mistake(piece.place, "a number of at least 0", advice));
        }
        numbers.push((piece, number));
        if line.skip(")")? {
            return Ok(numbers);
        }
        line.need_sign(",", &advice)?;
    }
}

#[cfg(test)]
mod tests {
    use super::super::ArgumentLimit;
    use super::*;
    use crate::Text;
    use crate::argus::tokens::lines;

    /// Rules of three kinds, in the manner of τ-ARGUS.
    fn forms() -> Vec<RuleForm> {
        let form = |keyword, arguments, places| RuleForm {
            keyword,
            arguments,
            limits: vec![
                ArgumentLimit { name: "n", whole: true, most: 9.0, meaning: "how many" },
                ArgumentLimit { name: "k", whole: false, most: 100.0, meaning: "a share" },
            ],
            places,
        };
        vec![
            form("P", &[&["p"], &["p", "n"], &["p", "q", "n"]], Some(2)),
            form("NK", &[&["n", "k"]], Some(2)),
            form("FREQ", &[&["minimum", "margin"]], Some(1)),
            form("ZERO", &[&["range"]], None),
        ]
    }

    fn rules(text: &str) -> Result<SafetyRules, Error> {
        let text = Text::new("t.arb", text.as_bytes());
        let mut line = lines(&text).next().unwrap();
        read(&mut line, &forms())
    }

    #[test]
    fn the_place_of_a_rule_decides_between_contributors_and_holdings() {
        let text = "P(15,100,1)|P(0,100,0)|P(10,2)|NK(3,75)|NK(0,0)|NK(1,50.5)|FREQ(3,30)|ZERO(5)|";
        let rules = rules(text).unwrap().rules;
        let is = |at: usize, keyword, holding, parameters: &[(&'static str, f64)]| {
            assert_eq!(
                rules[at],
                WrittenRule { keyword, holding, parameters: parameters.to_vec() }
            );
        };
        is(0, "P", false, &[("p", 15.0), ("q", 100.0), ("n", 1.0)]);
        is(1, "P", false, &[("p", 0.0), ("q", 100.0), ("n", 0.0)]);
        is(2, "P", true, &[("p", 10.0), ("n", 2.0)]);
        is(3, "NK", false, &[("n", 3.0), ("k", 75.0)]);
        is(5, "NK", true, &[("n", 1.0), ("k", 50.5)]);
        is(6, "FREQ", false, &[("minimum", 3.0), ("margin", 30.0)]);
        is(7, "ZERO", false, &[("range", 5.0)]);
    }

    #[test]
    fn switches_and_margins_are_no_rules() {
        let rules = rules("wgt(1) | MIS(1) | man(10)").unwrap();
        assert!(rules.weighted && rules.missing_is_safe && rules.rules.is_empty());
        assert_eq!(rules.manual_margin, 10.0);
    }

    #[test]
    fn wrong_rules_have_their_place() {
        let wrong = |text: &str| {
            let error = rules(text).unwrap_err();
            error.mistake().map(|mistake| (mistake.column, mistake.expected.clone()))
        };
        assert_eq!(wrong("P(15)|FERQ(3,30)"), Some((7, "a safety rule".into())));
        assert_eq!(wrong("NK(2)"), Some((1, "NK(n,k)".into())));
        assert_eq!(wrong("P(1,2,3,4)"), Some((1, "P(p), P(p,n) or P(p,q,n)".into())));
        assert_eq!(wrong("WGT(2)"), Some((1, "WGT(0) or WGT(1)".into())));
        assert_eq!(wrong("MAN(1,2)"), Some((1, "MAN(margin)".into())));
        assert_eq!(wrong("P(-5)"), Some((3, "a number of at least 0".into())));
        assert_eq!(wrong("P 5"), Some((3, "\"(\"".into())));
        assert_eq!(wrong("P(5) NK(2,3)"), Some((6, "\"|\"".into())));
        let many = "FREQ(1,1)|FREQ(1,1)|FREQ(1,1)";
        assert_eq!(wrong(many), Some((21, "at most 2 rules FREQ".into())));
    }

    #[test]
    fn arguments_out_of_range_have_their_place() {
        let wrong = |text: &str| {
            let error = rules(text).unwrap_err();
            let mistake = error.mistake().unwrap().clone();
            (mistake.column, mistake.expected, mistake.advice)
        };
        let (column, expected, advice) = wrong("P(10)|NK(2,180)");
        assert_eq!((column, expected.as_str()), (12, "a number of at most 100"));
        assert_eq!(advice, "k is a share; the rule reads NK(n,k)");
        let (column, expected, _) = wrong("NK(2.5,80)");
        assert_eq!((column, expected.as_str()), (4, "a whole number of contributors"));
    }
}
