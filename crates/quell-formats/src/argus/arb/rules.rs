//! The argument of `<SAFETYRULE>`: the sensitivity rules of a table.

use crate::Error;
use crate::argus::tokens::{Token, Tokens};
use crate::suggest::advise;

/// The sensitivity rules of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct SafetyRules {
    /// On contributors.
    pub individual: RuleSet,
    /// On holdings of contributors.
    pub holding: RuleSet,
    /// `ZERO(range)`: zeros are unsafe, with this protection.
    pub zero: Option<f64>,
    /// `WGT(1)`: rules apply sampling weights.
    pub weighted: bool,
    /// `MIS(1)`: cells with a missing code are safe whatever the rules say.
    pub missing_is_safe: bool,
    /// `MAN(margin)`: protection of cells unsafe by hand, in percent; 20 unless given.
    pub manual_margin: f64,
}

impl Default for SafetyRules {
    fn default() -> Self {
        Self {
            individual: RuleSet::default(),
            holding: RuleSet::default(),
            zero: None,
            weighted: false,
            missing_is_safe: false,
            manual_margin: 20.0,
        }
    }
}

impl SafetyRules {
    /// Whether no rule judges cells, so that statuses are taken from the file.
    pub fn use_given_status(&self) -> bool {
        self.individual == RuleSet::default()
            && self.holding == RuleSet::default()
            && self.zero.is_none()
    }
}

/// Rules on contributors, or on holdings of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RuleSet {
    /// Up to two p% rules; `P(0,…)` only holds a place and is none.
    pub p_percent: Vec<PPercent>,
    /// Up to two dominance rules; `NK(0,0)` only holds a place and is none.
    pub dominance: Vec<Dominance>,
    /// The least number of contributors.
    pub frequency: Option<MinimumFrequency>,
    /// The request rule.
    pub request: Option<Request>,
}

/// `P(p,n)` or `P(p,q,n)`: nobody may estimate another to within p% of its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PPercent {
    /// In percent.
    pub p: f64,
    /// What is known beforehand, in percent; 100 unless given.
    pub q: f64,
    /// How many may pool what they know; 1 unless given.
    pub n: u32,
}

/// `NK(n,k)`: the largest n may not have more than k%.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dominance {
    /// How many.
    pub n: u32,
    /// In percent.
    pub k: f64,
}

/// `FREQ(minimum,margin)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MinimumFrequency {
    /// Fewer contributors are unsafe.
    pub minimum: u32,
    /// Protection in percent.
    pub margin: f64,
}

/// `REQ(first,second,minimum,margin)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Request {
    /// Share in percent that lets contributors of the first request code ask.
    pub first: f64,
    /// The same for the second code.
    pub second: f64,
    /// The least number of contributors.
    pub minimum: u32,
    /// Protection in percent.
    pub margin: f64,
}

const RULES: [&str; 8] = ["P", "NK", "FREQ", "ZERO", "REQ", "WGT", "MIS", "MAN"];

/// How many rules of each kind were read, placeholders counted: a rule's place decides
/// whether it is on contributors or on holdings.
#[derive(Default)]
struct Places {
    p_percent: usize,
    dominance: usize,
    frequency: usize,
    request: usize,
}

pub(super) fn read(line: &mut Tokens<'_>) -> Result<SafetyRules, Error> {
    let mut rules = SafetyRules::default();
    let mut places = Places::default();
    while let Some(name) = line.piece()? {
        rule(&name, line, &mut rules, &mut places)?;
        if !line.at_end() {
            line.need_sign("|", "rules are separated by |")?;
        }
    }
    Ok(rules)
}

fn rule(
    name: &Token<'_>,
    line: &mut Tokens<'_>,
    rules: &mut SafetyRules,
    places: &mut Places,
) -> Result<(), Error> {
    let upper = name.text.to_uppercase();
    let (least, most, form) = match upper.as_str() {
        "P" => (1, 3, "P(p,n) or P(p,q,n)"),
        "NK" => (2, 2, "NK(n,k)"),
        "FREQ" => (2, 2, "FREQ(minimum,margin)"),
        "ZERO" => (1, 1, "ZERO(range)"),
        "REQ" => (4, 4, "REQ(percent,percent,minimum,margin)"),
        "WGT" => (1, 1, "WGT(0) or WGT(1)"),
        "MIS" => (1, 1, "MIS(0) or MIS(1)"),
        "MAN" => (1, 1, "MAN(margin)"),
        other => {
            let advice = advise(other, &RULES);
            return Err(line.mistake(name.place.clone(), "a safety rule", advice));
        }
    };
    let numbers = arguments(line, form)?;
    if !(least..=most).contains(&numbers.len()) {
        let advice = "check the number of arguments";
        return Err(line.mistake(name.place.clone(), form, advice));
    }
    let misplaced = |most: usize| {
        let expected = format!("at most {most} rules {upper}");
        line.mistake(name.place.clone(), expected, "half are on contributors, half on holdings")
    };
    match (upper.as_str(), numbers.as_slice()) {
        ("P", &[p, ref rest @ ..]) => {
            let (q, n) = match *rest {
                [] => (100.0, 1),
                [n] => (100.0, whole(n, name, line)?),
                [q, n, ..] => (q, whole(n, name, line)?),
            };
            let set = of_place(rules, &mut places.p_percent, 2).ok_or_else(|| misplaced(4))?;
            if p > 0.0 {
                set.p_percent.push(PPercent { p, q, n });
            }
        }
        ("NK", &[n, k]) => {
            let n = whole(n, name, line)?;
            let set = of_place(rules, &mut places.dominance, 2).ok_or_else(|| misplaced(4))?;
            if n > 0 && k > 0.0 {
                set.dominance.push(Dominance { n, k });
            }
        }
        ("FREQ", &[minimum, margin]) => {
            let minimum = whole(minimum, name, line)?;
            let set = of_place(rules, &mut places.frequency, 1).ok_or_else(|| misplaced(2))?;
            set.frequency = (minimum > 0).then_some(MinimumFrequency { minimum, margin });
        }
        ("REQ", &[first, second, minimum, margin]) => {
            let minimum = whole(minimum, name, line)?;
            let set = of_place(rules, &mut places.request, 1).ok_or_else(|| misplaced(2))?;
            let asks = first > 0.0 || second > 0.0;
            set.request = asks.then_some(Request { first, second, minimum, margin });
        }
        ("ZERO", &[range]) => rules.zero = Some(range),
        ("MAN", &[margin]) => rules.manual_margin = margin,
        ("WGT" | "MIS", &[yes]) if yes == 0.0 || yes == 1.0 => {
            let rule =
                if upper == "WGT" { &mut rules.weighted } else { &mut rules.missing_is_safe };
            *rule = yes == 1.0;
        }
        _ => return Err(line.mistake(name.place.clone(), form, "write 0 or 1 in the brackets")),
    }
    Ok(())
}

/// The rule set of the next place: the first `each` are on contributors, the next on
/// holdings, more do not exist.
fn of_place<'a>(
    rules: &'a mut SafetyRules,
    place: &mut usize,
    each: usize,
) -> Option<&'a mut RuleSet> {
    let at = *place / each;
    *place += 1;
    match at {
        0 => Some(&mut rules.individual),
        1 => Some(&mut rules.holding),
        _ => None,
    }
}

fn arguments(line: &mut Tokens<'_>, form: &str) -> Result<Vec<f64>, Error> {
    let advice = format!("the rule reads {form}");
    line.need_sign("(", &advice)?;
    let mut numbers = Vec::new();
    loop {
        let piece = line.need("a number", &advice)?;
        let number: f64 = line.number(&piece, "a number", &advice)?;
        if number < 0.0 || !number.is_finite() {
            return Err(line.mistake(piece.place, "a number of at least 0", advice));
        }
        numbers.push(number);
        if line.skip(")")? {
            return Ok(numbers);
        }
        line.need_sign(",", &advice)?;
    }
}

fn whole(number: f64, name: &Token<'_>, line: &Tokens<'_>) -> Result<u32, Error> {
    if number.fract() == 0.0 && number <= f64::from(u32::MAX) {
        return Ok(number as u32);
    }
    let advice = "contributors are counted in whole numbers";
    Err(line.mistake(name.place.clone(), "a whole number of contributors", advice))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;
    use crate::argus::tokens::lines;

    fn rules(text: &str) -> Result<SafetyRules, Error> {
        let text = Text::new("t.arb", text.as_bytes());
        let mut line = lines(&text).next().unwrap();
        read(&mut line)
    }

    #[test]
    fn the_place_of_a_rule_decides_between_contributors_and_holdings() {
        let rules = rules("P(15,100,1)|P(0,100,0)|P(10,2)|NK(3,75)|NK(0,0)|NK(1,50.5)|FREQ(3,30)|")
            .unwrap();
        assert_eq!(rules.individual.p_percent, [PPercent { p: 15.0, q: 100.0, n: 1 }]);
        assert_eq!(rules.holding.p_percent, [PPercent { p: 10.0, q: 100.0, n: 2 }]);
        assert_eq!(rules.individual.dominance, [Dominance { n: 3, k: 75.0 }]);
        assert_eq!(rules.holding.dominance, [Dominance { n: 1, k: 50.5 }]);
        assert_eq!(rules.individual.frequency, Some(MinimumFrequency { minimum: 3, margin: 30.0 }));
        assert!(!rules.use_given_status());
    }

    #[test]
    fn switches_and_margins_judge_no_cell() {
        let rules = rules("wgt(1) | MIS(1) | man(10) | NK(0,0) | FREQ(0,0)").unwrap();
        assert!(rules.weighted && rules.missing_is_safe && rules.use_given_status());
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
        assert_eq!(wrong("P(1,2,3,4)"), Some((1, "P(p,n) or P(p,q,n)".into())));
        assert_eq!(wrong("WGT(2)"), Some((1, "WGT(0) or WGT(1)".into())));
        assert_eq!(wrong("P(-5)"), Some((3, "a number of at least 0".into())));
        assert_eq!(wrong("P 5"), Some((3, "\"(\"".into())));
        assert_eq!(wrong("P(5) NK(2,3)"), Some((6, "\"|\"".into())));
        let many = "FREQ(1,1)|FREQ(1,1)|FREQ(1,1)";
        assert_eq!(wrong(many), Some((21, "at most 2 rules FREQ".into())));
    }
}
