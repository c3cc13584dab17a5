//! Writing rules, so that a job that was built can be saved.

use quell_tabulate::{MANUAL_MARGIN, MINIMUM_LEVEL, RULES, Rule, RuleKind, RuleSet, Sides};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::RulesPart;
use super::read::HOLDINGS;

impl Serialize for RulesPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        // Numbers and words before tables, as TOML wants them.
        let margins = [(&MANUAL_MARGIN, self.manual_margin), (&MINIMUM_LEVEL, self.minimum_level)];
        for (parameter, value) in margins {
            if let Some(value) = value {
                map.serialize_entry(parameter.name, &value)?;
            }
        }
        if let Some(weighted) = self.weighted {
            map.serialize_entry("weighted", &weighted)?;
        }
        if self.missing_is_safe {
            map.serialize_entry("missing-is-safe", &true)?;
        }
        if self.sides != Sides::default() {
            map.serialize_entry("sides", self.sides.name())?;
        }
        entries(&mut map, &self.cells)?;
        entries(&mut map, &self.respondents)?;
        if let Some(holdings) = &self.holdings {
            map.serialize_entry(HOLDINGS, &OfSet(holdings))?;
        }
        map.end()
    }
}

/// The rules of a set, each under the name of its kind.
fn entries<M: SerializeMap>(map: &mut M, rules: &RuleSet) -> Result<(), M::Error> {
    for kind in RULES {
        let of_kind: Vec<OneRule<'_>> = rules
            .iter()
            .filter(|rule| rule.kind().key == kind.key)
            .map(|rule| OneRule(&**rule))
            .collect();
        match of_kind.as_slice() {
            [] => {}
            [rule] => map.serialize_entry(kind.key, rule)?,
            several => map.serialize_entry(kind.key, several)?,
        }
    }
    Ok(())
}

struct OfSet<'a>(&'a RuleSet);

impl Serialize for OfSet<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        entries(&mut map, self.0)?;
        map.end()
    }
}

struct OneRule<'a>(&'a dyn Rule);

impl Serialize for OneRule<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kind: &RuleKind = self.0.kind();
        let values = self.0.values();
        if let [only] = values[..] {
            return serializer.serialize_f64(only);
        }
        let mut map = serializer.serialize_map(Some(values.len()))?;
        for (parameter, value) in kind.parameters.iter().zip(values) {
            map.serialize_entry(parameter.name, &value)?;
        }
        map.end()
    }
}
