//! A value or a list of values.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{EnumAccessDeserializer, MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};

/// Reads `x` like `[x]`. Unlike an untagged enum it keeps what is wrong inside.
///
/// # Errors
/// What is wrong with the value.
pub fn one_or_many<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_any(OneOrMany(PhantomData))
}

struct OneOrMany<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrMany<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one or a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<T>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, one: A) -> Result<Vec<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(one)).map(|one| vec![one])
    }

    fn visit_enum<A: EnumAccess<'de>>(self, one: A) -> Result<Vec<T>, A::Error> {
        T::deserialize(EnumAccessDeserializer::new(one)).map(|one| vec![one])
    }

    fn visit_i64<E: de::Error>(self, one: i64) -> Result<Vec<T>, E> {
        T::deserialize(de::value::I64Deserializer::new(one)).map(|one| vec![one])
    }

    fn visit_str<E: de::Error>(self, one: &str) -> Result<Vec<T>, E> {
        T::deserialize(de::value::StrDeserializer::new(one)).map(|one| vec![one])
    }
}
