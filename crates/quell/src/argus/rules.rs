//! Safety rules and costs of a batch in our words.

use quell_formats::argus::arb;
use quell_formats::argus::rda::Metadata;
use quell_tabulate::{
    ContributorRules, Cost, CostMeasure, Dominance, Frequency, OnRequest, PriorPosterior, Rules,
    Sides, Transformation,
};

/// The rules of a table.
pub fn rules(rules: &arb::SafetyRules, weighted: bool) -> Rules {
    Rules {
        respondents: set(&rules.individual),
        holdings: set(&rules.holding),
        zero: rules.zero,
        manual_margin: rules.manual_margin,
        minimum_level: 0.0,
        weighted,
        missing_is_safe: rules.missing_is_safe,
        sides: Sides::Both,
    }
}

fn set(rules: &arb::RuleSet) -> ContributorRules {
    ContributorRules {
        frequency: rules
            .frequency
            .map(|rule| Frequency { minimum: f64::from(rule.minimum), margin: rule.margin }),
        dominance: rules
            .dominance
            .iter()
            .map(|rule| Dominance { n: rule.n as usize, k: rule.k })
            .collect(),
        prior_posterior: rules
            .p_percent
            .iter()
            .map(|rule| PriorPosterior { p: rule.p, q: rule.q, n: rule.n as usize })
            .collect(),
        request: rules.request.map(|rule| OnRequest {
            first: rule.first,
            second: rule.second,
            minimum: f64::from(rule.minimum),
            margin: rule.margin,
        }),
    }
}

/// What suppression costs in a table.
pub fn cost(spec: &arb::TableSpec, metadata: &Metadata) -> Cost {
    let measure = match &spec.cost {
        arb::Cost::Response => CostMeasure::Value,
        arb::Cost::Variable(_) => CostMeasure::Variable,
        arb::Cost::Frequency => CostMeasure::Frequency,
        arb::Cost::Unity => CostMeasure::Unity,
        arb::Cost::Distance => {
            let distances = spec.explanatory.iter().map(|name| {
                let given = metadata.variable(name).and_then(|variable| variable.distances);
                given.map_or_else(Vec::new, |all| all.map(f64::from).to_vec())
            });
            CostMeasure::Distance(distances.collect())
        }
    };
    Cost { measure, transformation: Transformation::from_lambda(spec.lambda) }
}
