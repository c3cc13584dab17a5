//! Records as microdata: identifying variables as small integers, weights, households.

use std::borrow::Cow;

use quell_data::argus::rda::{self, Role};
use quell_data::{Place, Records, Row, Watch};

use crate::{Column, ColumnBuilder, Error, Microdata, Result};

/// A variable to read as codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    /// Its name.
    pub name: String,
    /// Codes that mean "missing", besides the empty field.
    pub missing: Vec<String>,
}

impl Selected {
    /// A variable without missing codes of its own.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), missing: Vec::new() }
    }
}

/// What to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// The identifying variables.
    pub keys: Vec<Selected>,
    /// The sampling weight.
    pub weight: Option<String>,
    /// The household identifier.
    pub household: Option<String>,
    /// Other variables, such as sensitive ones.
    pub others: Vec<Selected>,
}

impl Selection {
    /// What a description says is to be read: the named identifying variables with their missing
    /// codes, the weight and the household. Without names, all variables of an identification
    /// level above 0.
    pub fn described(metadata: &rda::Metadata, keys: &[&str]) -> Self {
        let own = |variable: &rda::Variable| Selected {
            name: variable.name.clone(),
            missing: variable.missing.clone(),
        };
        let key = |name: &&str| metadata.variable(name).map_or_else(|| Selected::named(name), own);
        let named = |role| metadata.with_role(&role).map(|variable| variable.name.clone());
        let identifying = metadata.variables.iter().filter(|variable| variable.identification > 0);
        Self {
            keys: match keys {
                [] => identifying.map(own).collect(),
                names => names.iter().map(key).collect(),
            },
            weight: named(Role::Weight),
            household: named(Role::HouseholdId),
            others: Vec::new(),
        }
    }
}

/// Collects the fields of one record after another. Columns are positions in `columns`.
struct Collector<'a> {
    records: &'a Records,
    /// The columns that are read.
    columns: Vec<usize>,
    /// Columns with their builders: keys, others, household.
    keys: Vec<ColumnBuilder>,
    others: Vec<ColumnBuilder>,
    household: Option<ColumnBuilder>,
    weights: Option<Vec<f64>>,
}

impl<'a> Collector<'a> {
    fn new(records: &'a Records, selection: &Selection) -> Result<Self> {
        let builder = |variable: &Selected| {
            ColumnBuilder::new(&variable.name, variable.missing.iter().cloned())
        };
        let keys = selection.keys.iter().map(|variable| variable.name.as_str());
        let others = selection.others.iter().map(|variable| variable.name.as_str());
        let names = keys.chain(others).chain(selection.household.as_deref());
        let columns = names
            .chain(selection.weight.as_deref())
            .map(|name| Ok(records.position(name)?))
            .collect::<Result<Vec<usize>>>()?;
        for (index, place) in columns[..selection.keys.len()].iter().enumerate() {
            if columns[..index].contains(place) {
                let name = &selection.keys[index].name;
                return Err(Error::Request(format!("variable \"{name}\" is named twice")));
            }
        }
        Ok(Self {
            records,
            columns,
            keys: selection.keys.iter().map(builder).collect(),
            others: selection.others.iter().map(builder).collect(),
            household: selection.household.as_ref().map(|name| ColumnBuilder::new(name, [])),
            weights: selection.weight.as_ref().map(|_| Vec::new()),
        })
    }

    #[inline]
    fn push(&mut self, row: &Row<'_>) -> Result<()> {
        let field = |position: usize| -> Result<Cow<'_, str>> {
            row.text(position).ok_or_else(|| {
                let message = format!("the record has no field {}", position + 1);
                self::wrong(self.records, row.place(), message)
            })
        };
        let builders = self.keys.iter_mut().chain(&mut self.others).chain(&mut self.household);
        let mut last = 0;
        for (position, builder) in builders.enumerate() {
            builder.push(field(position)?.as_bytes());
            last = position + 1;
        }
        if let Some(weights) = &mut self.weights {
            let text = field(last)?;
            let weight = text.trim().replace(',', ".").parse::<f64>();
            let weight = weight.ok().filter(|weight| *weight > 0.0 && weight.is_finite());
            weights.push(weight.ok_or_else(|| {
                let message = format!("\"{text}\" is no positive weight");
                self::wrong(self.records, row.place(), message)
            })?);
        }
        Ok(())
    }

    fn finish(self) -> Result<Microdata> {
        let columns = |builders: Vec<ColumnBuilder>| -> Vec<Column> {
            builders.into_iter().map(ColumnBuilder::finish).collect()
        };
        let mut data = Microdata::new(columns(self.keys))?.with_others(columns(self.others))?;
        if let Some(household) = self.household {
            data = data.with_household(household.finish())?;
        }
        if let Some(weights) = self.weights {
            data = data.with_weights(weights)?;
        }
        Ok(data)
    }
}

/// A record that does not say what it should.
fn wrong(records: &Records, place: Place, message: String) -> Error {
    quell_data::Error::Record { file: records.source().to_owned(), place, message }.into()
}

/// Reads the selected variables of some records.
///
/// # Errors
/// If the records cannot be read, a variable is unknown, a record is wrong, or the work is
/// stopped.
pub fn read(records: &Records, selection: &Selection, watch: &Watch<'_>) -> Result<Microdata> {
    let mut collector = Collector::new(records, selection)?;
    let columns = collector.columns.clone();
    records.each_row(&columns, watch, |row| collector.push(row))?;
    collector.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    use quell_data::{Field, Variable};

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn a_delimited_file_is_read_with_weights_households_and_missing_codes() {
        let file = file("hh;sex;\"age\";w\n1;m;9;2.5\n1;f;10;1\n2;m;99;4\n");
        let records = Records::open(file.path()).unwrap();
        let selection = Selection {
            keys: vec![
                Selected { name: "age".into(), missing: vec!["99".into()] },
                Selected::named("SEX"),
            ],
            weight: Some("w".into()),
            household: Some("hh".into()),
            others: Vec::new(),
        };
        let data = read(&records, &selection, &Watch::default()).unwrap();
        assert_eq!(data.records(), 3);
        assert_eq!(data.keys()[0].labels(), ["9", "10", "99"]);
        assert_eq!(data.keys()[0].categories(), 2);
        assert_eq!(data.weights().unwrap(), [2.5, 1.0, 4.0]);
        assert_eq!(data.household().unwrap().labels(), ["1", "2"]);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let short = file("a,b\n1,2\n1\n");
        let records = Records::open(short.path()).unwrap();
        let read = |selection: &Selection| {
            read(&records, selection, &Watch::default()).unwrap_err().to_string()
        };
        let selection = Selection { keys: vec![Selected::named("b")], ..Selection::default() };
        let error = read(&selection);
        assert!(error.ends_with("line 3: 1 fields, but 2 variables"), "{error}");
        let selection = Selection { keys: vec![Selected::named("c")], ..Selection::default() };
        let error = read(&selection);
        assert!(error.ends_with("there is no variable \"c\"; there are a, b"), "{error}");
    }

    #[test]
    fn letters_of_other_encodings_than_utf_8_are_known() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"\xE9,town\n1,\xE9\n2,\xE8\n3,\xE9\n").unwrap();
        let records = Records::open(file.path()).unwrap();
        let selection = Selection { keys: vec![Selected::named("town")], ..Selection::default() };
        let data = read(&records, &selection, &Watch::default()).unwrap();
        assert_eq!(data.keys()[0].labels(), ["è", "é"]);
    }

    #[test]
    fn a_fixed_width_file_keeps_its_blanks() {
        let file = file(" 1m\r\n12f\r\n");
        let field = |name: &str, start, length| Variable {
            field: Some(Field { start, length }),
            ..Variable::named(name)
        };
        let variables = vec![field("age", 1, 2), field("sex", 3, 1)];
        let records = Records::fixed(file.path(), variables).unwrap();
        let selection = Selection {
            keys: vec![Selected::named("age"), Selected::named("sex")],
            ..Selection::default()
        };
        let data = read(&records, &selection, &Watch::default()).unwrap();
        assert_eq!(data.keys()[0].labels(), [" 1", "12"]);
        assert_eq!(data.keys()[1].labels(), ["f", "m"]);
    }

    #[test]
    fn a_description_says_what_is_read() {
        let text = "house 1 4 \"9998\" \"9999\"\n  <HOUSE_ID>\nw 5 5\n <NUMERIC>\n <DECIMALS> 2\n \
                    <WEIGHT>\ntown 10 1 \"X\" // a comment\n\t<RECODABLE>\n <IDLEVEL> 1\n \
                    <SUPPRESSPRIORITY> 50\n";
        let text = quell_data::Text::new("x.rda", text.as_bytes());
        let metadata = rda::parse_micro(&text).unwrap();
        let selection = Selection::described(&metadata, &[]);
        assert_eq!(selection.keys.len(), 1);
        assert_eq!(selection.keys[0].missing, ["X"]);
        assert_eq!(selection.weight.as_deref(), Some("w"));
        assert_eq!(selection.household.as_deref(), Some("house"));
        assert_eq!(Selection::described(&metadata, &["TOWN"]).keys, selection.keys);
    }
}
