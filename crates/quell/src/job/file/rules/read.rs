//! Reading rules.

use std::fmt;
use std::sync::Arc;

use quell_tabulate::{
    IncompleteRule, MANUAL_MARGIN, MINIMUM_LEVEL, RULES, Rule, RuleKind, RuleSet, SETTINGS, Scope,
    Sides,
};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};

use super::RulesPart;
use super::number::Number;

/// The name of the rules on holdings.
pub(super) const HOLDINGS: &str = "holdings";

impl<'de> Deserialize<'de> for RulesPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Part)
    }
}

/// Reads `[rules]`.
struct Part;

impl<'de> Visitor<'de> for Part {
    type Value = RulesPart;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sensitivity rules")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RulesPart, A::Error> {
        let mut part = RulesPart::default();
        while let Some(key) = map.next_key_seed(Key(&names()))? {
            if let Some(kind) = RULES.iter().find(|kind| kind.key == key) {
                for rule in map.next_value_seed(OfKind(kind))? {
                    part.add(rule);
                }
            } else if key == HOLDINGS {
                part.holdings = Some(map.next_value_seed(Holdings)?);
            } else if key == MANUAL_MARGIN.name {
                part.manual_margin = Some(map.next_value_seed(Number(&MANUAL_MARGIN))?);
            } else if key == MINIMUM_LEVEL.name {
                part.minimum_level = Some(map.next_value_seed(Number(&MINIMUM_LEVEL))?);
            } else if key == "weighted" {
                part.weighted = Some(map.next_value()?);
            } else if key == "missing-is-safe" {
                part.missing_is_safe = map.next_value()?;
            } else {
                part.sides = map.next_value_seed(SidesName)?;
            }
        }
        Ok(part)
    }
}

/// Every name in `[rules]`.
fn names() -> Vec<&'static str> {
    let rules = RULES.iter().map(|kind| kind.key);
    rules.chain([HOLDINGS]).chain(SETTINGS.iter().map(|setting| setting.key)).collect()
}

/// Reads `holdings = { … }`.
struct Holdings;

impl<'de> DeserializeSeed<'de> for Holdings {
    type Value = RuleSet;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<RuleSet, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Holdings {
    type Value = RuleSet;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rules on holdings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RuleSet, A::Error> {
        let of_contributors = || RULES.iter().filter(|kind| kind.scope == Scope::Contributors);
        let names: Vec<&str> = of_contributors().map(|kind| kind.key).collect();
        let mut rules = RuleSet::default();
        while let Some(key) = map.next_key_seed(Key(&names))? {
            if let Some(kind) = of_contributors().find(|kind| kind.key == key) {
                map.next_value_seed(OfKind(kind))?.into_iter().for_each(|rule| rules.add(rule));
            }
        }
        Ok(rules)
    }
}

/// Reads a name, which must be one of these.
struct Key<'a>(&'a [&'static str]);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<String, E> {
        if self.0.contains(&name) {
            return Ok(name.to_owned());
        }
        Err(unknown("field", name, self.0))
    }
}

/// In the words of serde, which `JobMistake` understands.
fn unknown<E: Error>(what: &str, name: &str, known: &[&str]) -> E {
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    E::custom(format!("unknown {what} `{name}`, expected one of {}", known.join(", ")))
}

/// Reads a rule of this kind, or a list of such: each `{ parameter = number, … }`, or the bare
/// number if there is one parameter only.
struct OfKind(&'static RuleKind);

impl<'de> DeserializeSeed<'de> for OfKind {
    type Value = Vec<Arc<dyn Rule>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        match self.0.parameters {
            [only] => {
                let number = Number(only).deserialize(deserializer)?;
                Ok(vec![rule(self.0, &[(only.name, number)])?])
            }
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for OfKind {
    type Value = Vec<Arc<dyn Rule>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the parameters of the rule {}", self.0.key)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Ok(vec![rule_of_map(self.0, map)?])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut rules: Vec<Arc<dyn Rule>> = Vec::new();
        while let Some(rule) = list.next_element_seed(One(self.0))? {
            rules.push(rule);
        }
        match rules.len() <= 1 || self.0.repeats {
            true => Ok(rules),
            false => Err(A::Error::custom(format!("a table has one rule {} only", self.0.key))),
        }
    }
}

/// Reads one rule of a list.
struct One(&'static RuleKind);

impl<'de> DeserializeSeed<'de> for One {
    type Value = Arc<dyn Rule>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for One {
    type Value = Arc<dyn Rule>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OfKind(self.0).expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        rule_of_map(self.0, map)
    }
}

fn rule_of_map<'de, A: MapAccess<'de>>(
    kind: &'static RuleKind,
    mut map: A,
) -> Result<Arc<dyn Rule>, A::Error> {
    let names: Vec<&str> = kind.parameters.iter().map(|parameter| parameter.name).collect();
    let mut given = Vec::new();
    while let Some(name) = map.next_key_seed(Key(&names))? {
        if let Some(parameter) = kind.parameter(&name) {
            given.push((parameter.name, map.next_value_seed(Number(parameter))?));
        }
    }
    rule(kind, &given)
}

fn rule<E: Error>(kind: &RuleKind, given: &[(&str, f64)]) -> Result<Arc<dyn Rule>, E> {
    kind.rule(given).map_err(|error| match error {
        IncompleteRule::Missing(name) => de::Error::missing_field(name),
        IncompleteRule::Wrong(wrong) => E::custom(wrong),
    })
}

/// Reads a side.
struct SidesName;

impl<'de> DeserializeSeed<'de> for SidesName {
    type Value = Sides;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Sides, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for SidesName {
    type Value = Sides;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sides")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Sides, E> {
        let found = Sides::ALL.into_iter().find(|sides| sides.name() == name);
        found.ok_or_else(|| unknown("variant", name, &Sides::ALL.map(Sides::name)))
    }
}
