//! Rules in the words of the job file and of the report.

use quell_tabulate::{MANUAL_MARGIN, Rule, Rules};

use super::file::RulesPart;
use crate::report::RuleShown;

/// The rules of a table; `weighted` unless the part says otherwise.
pub fn rules(part: &RulesPart, weighted: bool) -> Rules {
    Rules {
        respondents: part.respondents.clone(),
        holdings: part.holdings.clone().unwrap_or_default(),
        cells: part.cells.clone(),
        manual_margin: part.manual_margin.or(MANUAL_MARGIN.default).unwrap_or_default(),
        minimum_level: part.minimum_level.unwrap_or_default(),
        weighted: part.weighted.unwrap_or(weighted),
        missing_is_safe: part.missing_is_safe,
        sides: part.sides,
    }
}

/// The rules as the report shows them; parameters only if they may be told.
pub fn shown(rules: &Rules, parameters: bool) -> Vec<RuleShown> {
    let sets = [(&rules.respondents, ""), (&rules.holdings, " of holdings"), (&rules.cells, "")];
    let of = |rule: &dyn Rule, of: &str| RuleShown {
        name: format!("{}{of}", rule.title()),
        parameters: parameters.then(|| rule.parameters()),
        tables: Vec::new(),
    };
    sets.iter().flat_map(|(set, words)| set.iter().map(move |rule| of(&**rule, words))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, weighted: bool) -> Rules {
        rules(&toml::from_str(text).unwrap(), weighted)
    }

    #[test]
    fn rules_are_weighted_if_their_table_is_and_nothing_else_is_said() {
        assert!(of("frequency = { minimum = 3 }", true).weighted);
        assert!(!of("weighted = false", true).weighted);
        assert_eq!(of("", false), Rules::default());
    }

    #[test]
    fn parameters_are_told_only_on_demand() {
        let rules = of("p-percent = { p = 15 }", false);
        assert_eq!(shown(&rules, false)[0].parameters, None);
        assert_eq!(shown(&rules, true)[0].parameters.as_deref(), Some("p = 15 %, n = 1"));
    }

    #[test]
    fn the_report_names_the_rules_in_the_order_of_the_decision() {
        let rules = of(
            "zero = 5\nfrequency = { minimum = 3 }\ndominance = { n = 1, k = 80 }\n\
             p-percent = [{ p = 10 }, { p = 10, q = 50 }]\nholdings = { p-percent = { p = 5 } }",
            false,
        );
        let names: Vec<String> = shown(&rules, true).into_iter().map(|rule| rule.name).collect();
        assert_eq!(names, ["dominance", "p%", "pq", "minimum frequency", "p% of holdings", "zero"]);
    }
}
