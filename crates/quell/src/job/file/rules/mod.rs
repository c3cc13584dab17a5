//! The rules that make cells sensitive.
//!
//! Which rules there are, and with which parameters, is what [`quell_tabulate::RULES`]
//! declares; here is only how TOML writes them: `key = { parameter = number, … }`, a list of
//! such where a rule repeats, and a bare number where it has one parameter.

mod number;
mod read;
mod write;

use std::sync::Arc;

use quell_tabulate::{Rule, RuleSet, Scope, Sides};

/// `[rules]`
///
/// ```
/// use quell::job::file::RulesPart;
/// use quell::{Frequency, PriorPosterior};
///
/// let written: RulesPart =
///     toml::from_str("frequency = { minimum = 3, margin = 20 }\np-percent = { p = 10 }").unwrap();
/// let built = RulesPart::default()
///     .with(Frequency { minimum: 3.0, margin: 20.0 })
///     .with(PriorPosterior::p_percent(10.0, 1));
/// assert_eq!(written, built);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RulesPart {
    /// Rules on respondents.
    pub respondents: RuleSet,
    /// Rules on holdings, if the part speaks of them.
    pub holdings: Option<RuleSet>,
    /// Rules on whole cells.
    pub cells: RuleSet,
    /// Levels of cells set by hand, in percent.
    pub manual_margin: Option<f64>,
    /// The least protection level.
    pub minimum_level: Option<f64>,
    /// Whether the rules count by weights; else so if the table is weighted.
    pub weighted: Option<bool>,
    /// Whether cells of unknown codes are safe.
    pub missing_is_safe: bool,
    /// On which sides protection is needed.
    pub sides: Sides,
}

impl RulesPart {
    /// With one more rule, of respondents if it looks at contributors.
    pub fn with(mut self, rule: impl Rule + 'static) -> Self {
        self.add(Arc::new(rule));
        self
    }

    /// With one more rule on holdings.
    pub fn with_for_holdings(mut self, rule: impl Rule + 'static) -> Self {
        self.holdings.get_or_insert_default().add(Arc::new(rule));
        self
    }

    fn add(&mut self, rule: Arc<dyn Rule>) {
        match rule.kind().scope {
            Scope::Contributors => self.respondents.add(rule),
            Scope::Cell => self.cells.add(rule),
        }
    }
}

#[cfg(test)]
mod tests {
    use quell_tabulate::{
        Dominance, Frequency, OnRequest, PriorPosterior, RULES, SETTINGS, ZeroUnsafe,
    };

    use super::*;

    fn read(text: &str) -> Result<RulesPart, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn every_rule_and_setting_is_read_and_written() {
        let text = "dominance = [{ n = 1, k = 75.5 }, { n = 2, k = 85 }]\n\
                    p-percent = { p = 10, n = 2, q = 50 }\n\
                    request = { first = 70, minimum = 3 }\n\
                    frequency = { minimum = 3 }\n\
                    zero = 10\n\
                    holdings = { frequency = { minimum = 2, margin = 10 } }\n\
                    manual-margin = 15\nminimum-level = 5\nweighted = false\n\
                    missing-is-safe = true\nsides = \"sliding\"\n";
        let part = read(text).unwrap();
        let expected = RulesPart {
            manual_margin: Some(15.0),
            minimum_level: Some(5.0),
            weighted: Some(false),
            missing_is_safe: true,
            sides: Sides::Sliding,
            ..RulesPart::default()
        };
        let expected = expected
            .with(Dominance { n: 1, k: 75.5 })
            .with(Dominance { n: 2, k: 85.0 })
            .with(PriorPosterior { p: 10.0, q: 50.0, n: 2 })
            .with(OnRequest { first: 70.0, second: 0.0, minimum: 3.0, margin: 20.0 })
            .with(Frequency { minimum: 3.0, margin: 20.0 })
            .with(ZeroUnsafe { range: 10.0 })
            .with_for_holdings(Frequency { minimum: 2.0, margin: 10.0 });
        assert_eq!(part, expected);
        let written = toml::to_string(&part).unwrap();
        assert_eq!(read(&written).unwrap(), part, "{written}");
        let keys = RULES.iter().map(|kind| kind.key).chain(SETTINGS.iter().map(|own| own.key));
        for key in keys {
            assert!(written.contains(key), "{key} is not in:\n{written}");
        }
    }

    #[test]
    fn nothing_is_written_of_what_is_not_said() {
        assert_eq!(toml::to_string(&RulesPart::default()).unwrap(), "");
        let part = read("holdings = {}").unwrap();
        assert_eq!(read(&toml::to_string(&part).unwrap()).unwrap(), part);
    }

    /// The text at the place of a mistake, and the message.
    fn wrong(text: &str) -> (String, String) {
        let error = read(text).unwrap_err();
        (text[error.span().unwrap()].to_owned(), error.message().to_owned())
    }

    #[test]
    fn parameters_out_of_range_are_refused_at_their_place() {
        let refused = |text: &str, place: &str, words: &str| {
            let (found, message) = wrong(text);
            assert_eq!(found, place, "{message}");
            assert!(message.contains(words), "{message}");
        };
        let dominance = "k is 180, but must be a number from 0 to 100";
        refused("weighted = true\ndominance = { n = 2, k = 180 }", "180", dominance);
        refused("dominance = [{ n = 2, k = 80 }, { n = 2.5, k = 80 }]", "2.5", "a whole number");
        refused("p-percent = { p = -3 }", "-3", "a number from 0 to 100");
        refused("holdings = { p-percent = { p = 10, q = 101 } }", "101", "q is 101");
        refused("frequency = { minimum = nan }", "nan", "minimum is NaN");
        refused("zero = -1", "-1", "range is -1");
        refused("manual-margin = -1", "-1", "manual-margin is -1");
        refused("frequency = { minimum = \"3\" }", "\"3\"", "expected a number");
    }

    #[test]
    fn missing_and_unknown_names_are_said() {
        let message = |text: &str| wrong(text).1;
        assert_eq!(message("dominance = { n = 2 }"), "missing field `k`");
        let unknown = message("p-percent = { r = 2 }");
        assert!(unknown.contains("unknown field `r`, expected one of `p`, `n`, `q`"), "{unknown}");
        let unknown = message("p_percent = { p = 2 }");
        assert!(unknown.starts_with("unknown field `p_percent`, expected one of"), "{unknown}");
        let unknown = message("holdings = { zero = 2 }");
        assert!(unknown.starts_with("unknown field `zero`"), "{unknown}");
        let twice = message("frequency = [{ minimum = 3 }, { minimum = 4 }]");
        assert!(twice.contains("one rule"), "{twice}");
        let sides = message("sides = \"left\"");
        assert!(sides.contains("unknown variant `left`, expected one of `both`"), "{sides}");
    }
}
