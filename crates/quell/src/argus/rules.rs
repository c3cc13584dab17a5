//! Safety rules and costs of a batch in our words.

use std::sync::Arc;

use quell_formats::argus::arb::{self, ArgumentLimit, RuleForm, WrittenRule};
use quell_formats::argus::rda::Metadata;
use quell_tabulate::{
    ArgusForm, AttackerBounds, Cost, CostMeasure, RULES, Rule, RuleKind, Rules, Scope, SumsBy,
    Transformation, Unit,
};

use crate::ContributorAttackers;
use crate::pipeline::Attackers;

/// How the rules that τ-ARGUS has are written in a batch.
pub fn forms() -> Vec<RuleForm> {
    let form = |kind: &&RuleKind| kind.argus.map(|form| rule_form(kind, form));
    RULES.iter().filter_map(form).collect()
}

fn rule_form(kind: &RuleKind, form: ArgusForm) -> RuleForm {
    let limits = kind.parameters.iter().map(|parameter| ArgumentLimit {
        name: parameter.name,
        // τ-ARGUS counts in whole numbers even where weights would allow a fraction.
        whole: matches!(parameter.unit, Unit::Contributors | Unit::Weight),
        most: parameter.most,
        meaning: parameter.meaning,
    });
    RuleForm {
        keyword: form.keyword,
        arguments: form.arguments,
        limits: limits.collect(),
        places: (kind.scope == Scope::Contributors).then_some(form.most),
    }
}

/// The rules of a table.
pub fn rules(written: &arb::SafetyRules, weighted: bool) -> Rules {
    let mut rules = Rules {
        manual_margin: written.manual_margin,
        weighted,
        missing_is_safe: written.missing_is_safe,
        ..Rules::default()
    };
    for own in &written.rules {
        if let Some(rule) = rule(own) {
            match (own.holding, rule.kind().scope) {
                (true, _) => rules.holdings.add(rule),
                (false, Scope::Contributors) => rules.respondents.add(rule),
                (false, Scope::Cell) => rules.cells.replace(rule),
            }
        }
    }
    rules
}

/// A rule of a batch; none if it only keeps a place. The batch was read with our forms, so its
/// parameters are good.
fn rule(written: &WrittenRule) -> Option<Arc<dyn Rule>> {
    let form_of = |kind: &RuleKind| kind.argus.filter(|form| form.keyword == written.keyword);
    let (kind, form) = RULES.iter().find_map(|kind| Some((kind, form_of(kind)?)))?;
    let zero = |name: &&str| written.parameters.contains(&(*name, 0.0));
    let keeps_a_place = !form.keeps_a_place.is_empty() && form.keeps_a_place.iter().all(zero);
    kind.rule(&written.parameters).ok().filter(|rule| rule.applies() && !keeps_a_place)
}

/// What τ-ARGUS takes attackers to know, and whether contributors are among them.
pub fn attackers(contributors: ContributorAttackers) -> Attackers {
    Attackers {
        bounds: AttackerBounds::TauArgus,
        contributors,
        know_parts: true,
        sums: SumsBy::Rules,
    }
}

/// The attackers under a method of τ-ARGUS.
pub fn attackers_under(method: &arb::Method) -> Attackers {
    Attackers { sums: sums_under(method), ..attackers(contributor_attackers(method)) }
}

/// By what sums of hidden cells are judged under a method: MOD asks how many contribute to a row's
/// hidden cells; the other methods ask nothing, and get what any job gets.
pub fn sums_under(method: &arb::Method) -> SumsBy {
    match method {
        arb::Method::Modular { .. } => SumsBy::Frequency,
        _ => SumsBy::Rules,
    }
}

/// Whether contributors are attackers under a method, as its parameters for singletons say.
///
/// τ-ARGUS protects singletons unless all that it is told of them is 0. Its methods then look at
/// some of the ways in which one contributor sees through a row of the table: GH at cells with
/// one contributor, MOD at rows with two hidden singletons, with a singleton and another cell,
/// and with too few contributors, each by a parameter of its own. Here an attacker who
/// contributes covers all of them, so one that is not 0 is enough. Methods without such
/// parameters do as they do here in any job.
pub fn contributor_attackers(method: &arb::Method) -> ContributorAttackers {
    let asked = match method {
        arb::Method::Hypercube { singleton, .. } => vec![*singleton],
        arb::Method::Modular {
            singleton_singleton, singleton_multiple, minimum_frequency, ..
        } => vec![*singleton_singleton, *singleton_multiple, *minimum_frequency],
        _ => vec![None],
    };
    match asked.into_iter().any(|flag| flag.unwrap_or(true)) {
        true => ContributorAttackers::IfKnown,
        false => ContributorAttackers::No,
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

#[cfg(test)]
mod tests {
    use quell_formats::Text;
    use quell_formats::argus::arb::Command;
    use quell_tabulate::{Dominance, Frequency, OnRequest, PriorPosterior, ZeroUnsafe};

    use super::*;

    fn read(text: &str) -> Result<Rules, quell_formats::Error> {
        let batch = format!(
            "<OPENMICRODATA> m\n<OPENMETADATA> r\n<SPECIFYTABLE> \"A\"|\"R\"\n<SAFETYRULE> {text}\n"
        );
        let steps = arb::parse(&Text::new("t.arb", batch.as_bytes()), &forms())?;
        let Some(Command::SafetyRule(written)) = steps.last().map(|step| &step.command) else {
            panic!("no rules in {batch}")
        };
        Ok(rules(written, written.weighted))
    }

    #[test]
    fn every_rule_of_tau_argus_is_read() {
        let text = "FREQ(3,30)|ZERO(20)|ZERO(10)|NK(3,75)|P(15)|P(10,50,2)|REQ(15,10,3,20)|WGT(1)|\
                    MIS(1)|MAN(10)|NK(0,0)|NK(1,50.5)|FREQ(2,20)";
        let expected = Rules {
            manual_margin: 10.0,
            weighted: true,
            missing_is_safe: true,
            ..Rules::default()
        }
        .with(Dominance { n: 3, k: 75.0 })
        .with(PriorPosterior::p_percent(15.0, 1))
        .with(PriorPosterior { p: 10.0, q: 50.0, n: 2 })
        .with(OnRequest { first: 15.0, second: 10.0, minimum: 3.0, margin: 20.0 })
        .with(Frequency { minimum: 3.0, margin: 30.0 })
        .with(ZeroUnsafe { range: 10.0 })
        .with_for_holdings(Dominance { n: 1, k: 50.5 })
        .with_for_holdings(Frequency { minimum: 2.0, margin: 20.0 });
        assert_eq!(read(text).unwrap(), expected);
    }

    #[test]
    fn rules_that_keep_a_place_are_none() {
        let rules = read("P(0,100,0)|P(0,0)|NK(0,0)|FREQ(0,0)|REQ(0,0,3,20)").unwrap();
        assert_eq!(rules, Rules::default());
    }

    #[test]
    fn parameters_for_singletons_say_whether_contributors_attack() {
        let attackers = |method: &str| {
            let batch = format!(
                "<OPENMICRODATA> m\n<OPENMETADATA> r\n<SPECIFYTABLE> \"A\"|\"R\"\n<SAFETYRULE> P(10)\n\
                 <READMICRODATA>\n<SUPPRESS> {method}\n"
            );
            let steps = arb::parse(&Text::new("t.arb", batch.as_bytes()), &forms()).unwrap();
            match steps.last().map(|step| &step.command) {
                Some(Command::Suppress { method, .. }) => contributor_attackers(method),
                other => panic!("{other:?}"),
            }
        };
        for method in ["GH(1)", "GH(1,75,0,1)", "MOD(1)", "MOD(1,5,1,0,0)", "MOD(1,5,0,0,1)"] {
            assert_eq!(attackers(method), ContributorAttackers::IfKnown, "{method}");
        }
        // What is left out is τ-ARGUS' default, 1.
        assert_eq!(attackers("MOD(1,5,0,0)"), ContributorAttackers::IfKnown);
        assert_eq!(attackers("OPT(1,5)"), ContributorAttackers::IfKnown);
        for method in ["GH(1,75,0,0)", "MOD(1,5,0,0,0)"] {
            assert_eq!(attackers(method), ContributorAttackers::No, "{method}");
        }
    }

    #[test]
    fn arguments_out_of_range_are_refused_at_their_place() {
        let wrong = |text: &str| {
            let error = read(text).unwrap_err();
            let mistake = error.mistake().unwrap();
            (mistake.line, mistake.column, mistake.expected.clone())
        };
        let place = "<SAFETYRULE> ".len();
        let share = || "a number of at most 100".to_owned();
        assert_eq!(wrong("NK(2,180)"), (4, place + 6, share()));
        assert_eq!(wrong("P(101)"), (4, place + 3, share()));
        let whole = || "a whole number of contributors".to_owned();
        assert_eq!(wrong("FREQ(2.5,30)"), (4, place + 6, whole()));
        assert_eq!(wrong("P(10,1.5)"), (4, place + 6, whole()));
    }
}
