//! Rules in the words of the job file and of the report.

use quell_tabulate::{
    ContributorRules, Dominance, Frequency, OnRequest, PriorPosterior, Rules, Sides,
};

use super::file::{
    DominancePart, FrequencyPart, PPercentPart, RequestRulePart, RulesPart, SidesChoice,
};
use crate::report::RuleShown;

/// The rules of a table; `weighted` unless the part says otherwise.
pub fn rules(part: &RulesPart, weighted: bool) -> Rules {
    let holdings = part.holdings.clone().unwrap_or_default();
    let standard = Rules::default();
    Rules {
        respondents: contributors(part.frequency, &part.dominance, &part.p_percent, part.request),
        holdings: contributors(
            holdings.frequency,
            &holdings.dominance,
            &holdings.p_percent,
            holdings.request,
        ),
        zero: part.zero,
        manual_margin: part.manual_margin.unwrap_or(standard.manual_margin),
        minimum_level: part.minimum_level.unwrap_or(standard.minimum_level),
        weighted: part.weighted.unwrap_or(weighted),
        missing_is_safe: part.missing_is_safe,
        sides: match part.sides {
            SidesChoice::Both => Sides::Both,
            SidesChoice::Upper => Sides::Upper,
            SidesChoice::Sliding => Sides::Sliding,
        },
    }
}

fn contributors(
    frequency: Option<FrequencyPart>,
    dominance: &[DominancePart],
    p_percent: &[PPercentPart],
    request: Option<RequestRulePart>,
) -> ContributorRules {
    ContributorRules {
        frequency: frequency.map(|rule| Frequency { minimum: rule.minimum, margin: rule.margin }),
        dominance: dominance.iter().map(|rule| Dominance { n: rule.n, k: rule.k }).collect(),
        prior_posterior: p_percent
            .iter()
            .map(|rule| PriorPosterior { p: rule.p, q: rule.q, n: rule.n })
            .collect(),
        request: request.map(|rule| OnRequest {
            first: rule.first,
            second: rule.second,
            minimum: rule.minimum,
            margin: rule.margin,
        }),
    }
}

/// Whether any rule can make a cell primary.
pub fn is_empty(rules: &Rules) -> bool {
    rules.zero.is_none()
        && [&rules.respondents, &rules.holdings]
            .into_iter()
            .all(|rules| *rules == ContributorRules::default())
}

/// The rules as the report shows them; parameters only if they may be told.
pub fn shown(rules: &Rules, parameters: bool) -> Vec<RuleShown> {
    let mut list: Vec<(String, String)> = Vec::new();
    for (rules, of) in [(&rules.respondents, ""), (&rules.holdings, " of holdings")] {
        for rule in &rules.dominance {
            list.push((format!("dominance{of}"), format!("n = {}, k = {} %", rule.n, rule.k)));
        }
        for rule in &rules.prior_posterior {
            let (name, q) = match rule.q == 100.0 {
                true => ("p%", String::new()),
                false => ("pq", format!(", q = {} %", rule.q)),
            };
            list.push((format!("{name}{of}"), format!("p = {} %{q}, n = {}", rule.p, rule.n)));
        }
        if let Some(rule) = rules.request {
            let shares = format!("{} %, {} %", rule.first, rule.second);
            list.push((format!("request{of}"), format!("{shares}, minimum {}", rule.minimum)));
        }
        if let Some(rule) = rules.frequency {
            let words = format!("minimum {}, margin {} %", rule.minimum, rule.margin);
            list.push((format!("minimum frequency{of}"), words));
        }
    }
    if let Some(range) = rules.zero {
        list.push(("zero".to_owned(), format!("range {range}")));
    }
    list.into_iter()
        .map(|(name, words)| RuleShown {
            name,
            parameters: parameters.then_some(words),
            tables: Vec::new(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_with_their_usual_parameters() {
        let part: RulesPart = toml::from_str(
            "frequency = { minimum = 3 }\n\
             p-percent = { p = 15 }\n\
             dominance = [{ n = 1, k = 80 }, { n = 2, k = 90 }]\n\
             holdings = { frequency = { minimum = 2, margin = 10 } }\n",
        )
        .unwrap();
        let rules = rules(&part, true);
        assert_eq!(rules.respondents.frequency, Some(Frequency { minimum: 3.0, margin: 20.0 }));
        assert_eq!(rules.respondents.prior_posterior, [PriorPosterior::p_percent(15.0, 1)]);
        assert_eq!(rules.respondents.dominance.len(), 2);
        assert_eq!(rules.holdings.frequency, Some(Frequency { minimum: 2.0, margin: 10.0 }));
        assert!(rules.weighted);
        assert!(!is_empty(&rules));
    }

    #[test]
    fn parameters_are_told_only_on_demand() {
        let part: RulesPart = toml::from_str("p-percent = { p = 15 }").unwrap();
        let rules = rules(&part, false);
        assert_eq!(shown(&rules, false)[0].parameters, None);
        assert_eq!(shown(&rules, true)[0].parameters.as_deref(), Some("p = 15 %, n = 1"));
    }
}
