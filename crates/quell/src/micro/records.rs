//! Where the records are and which variables identify: a file, or data in memory.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use quell_data::argus::rda::{self, Metadata};
use quell_data::{Options, Origin, Records, Text, Watch};
use quell_micro::{Column, Error, KeySet, Microdata, Result, Selected, Selection, read, release};

use crate::Context;

/// Records, and which of their variables identify.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordsSource {
    /// Where they are.
    pub place: RecordsPlace,
    /// The identifying variables; with a description those of a level if there are none.
    pub keys: Vec<String>,
    /// Codes that mean "missing".
    pub missing: Vec<MissingCode>,
    /// The sampling weight.
    pub weight: Option<String>,
    /// The variable that names the household.
    pub household: Option<String>,
}

/// Where records are.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordsPlace {
    /// In a file.
    File {
        /// The file, of any format that is read.
        path: PathBuf,
        /// The description of µ-ARGUS (`.rda`): places, missing codes, weight, household, levels.
        metadata: Option<PathBuf>,
        /// What stands between the fields of a CSV file; found out if not given.
        separator: Option<char>,
    },
    /// Opened already, or in memory.
    Opened(Records),
}

/// A code that means "missing".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingCode {
    /// Of this variable only.
    pub variable: Option<String>,
    /// The code.
    pub code: String,
}

impl FromStr for MissingCode {
    type Err = Error;

    /// `99` for all variables, `age=99` for one.
    fn from_str(text: &str) -> Result<Self> {
        let (variable, code) = match text.split_once('=') {
            Some((name, code)) => (Some(name.trim().to_owned()), code),
            None => (None, text),
        };
        Ok(Self { variable, code: code.trim().to_owned() })
    }
}

/// Something that is said of a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct OfVariable<T> {
    /// The variable's name.
    pub variable: String,
    /// What is said.
    pub value: T,
}

impl<T> OfVariable<T> {
    /// Says something of a variable.
    pub fn new(variable: impl Into<String>, value: T) -> Self {
        Self { variable: variable.into(), value }
    }
}

fn unreadable(text: &str) -> Error {
    Error::Request(format!("\"{text}\" does not read NAME=VALUE"))
}

impl FromStr for OfVariable<PathBuf> {
    type Err = Error;

    /// `age=Age.grc`
    fn from_str(text: &str) -> Result<Self> {
        let (name, file) = text.split_once('=').ok_or_else(|| unreadable(text))?;
        Ok(Self::new(name.trim(), PathBuf::from(file.trim())))
    }
}

impl FromStr for OfVariable<f64> {
    type Err = Error;

    /// `age=2`; a name may have an equals sign in it.
    fn from_str(text: &str) -> Result<Self> {
        let (name, number) = text.rsplit_once('=').ok_or_else(|| unreadable(text))?;
        let number = number.trim();
        let value = number.parse();
        let value = value.map_err(|_| Error::Request(format!("\"{number}\" is not a number")))?;
        Ok(Self::new(name.trim(), value))
    }
}

/// Records of which the identifying variables were read, with what is known of them.
///
/// ```
/// use quell::micro::KeyedRecords;
/// use quell_micro::{Column, Microdata};
///
/// let town = Column::from_labels("town", ["A", "A", "?"], &["?"]);
/// let records = KeyedRecords::from(Microdata::new(vec![town])?);
/// assert_eq!(records.data().records(), 3);
/// # Ok::<(), quell_micro::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct KeyedRecords {
    data: Microdata,
    /// Missing codes by identifying variable.
    missing: Vec<Vec<String>>,
    metadata: Option<Metadata>,
    /// All of the records, with the variables that do not identify.
    records: Option<Records>,
}

impl From<Microdata> for KeyedRecords {
    /// Records of identifying variables only; the codes that they have for "missing" mark
    /// suppressed values.
    fn from(data: Microdata) -> Self {
        let codes = |column: &Column| -> Vec<String> {
            let codes = column.labels()[column.categories() as usize..].iter();
            codes.filter(|code| !code.trim().is_empty()).cloned().collect()
        };
        let missing = data.keys().iter().map(codes).collect();
        Self { data, missing, metadata: None, records: None }
    }
}

impl KeyedRecords {
    /// The identifying variables.
    pub fn data(&self) -> &Microdata {
        &self.data
    }

    /// The description of the file, if it has one.
    pub fn metadata(&self) -> Option<&Metadata> {
        self.metadata.as_ref()
    }

    /// What to call them.
    pub fn name(&self) -> String {
        match &self.records {
            Some(records) => records.source().display().to_string(),
            None => "records".to_owned(),
        }
    }

    /// All of the records.
    ///
    /// # Errors
    /// If there are only identifying variables.
    pub(super) fn whole(&self) -> Result<&Records> {
        self.records.as_ref().ok_or_else(|| {
            let message = "there is nothing but identifying variables to be released as a file";
            Error::Request(message.into())
        })
    }

    /// What stands for a suppressed value of every variable: the marker, or its missing code.
    pub(super) fn markers(&self, marker: Option<&str>) -> Vec<String> {
        let of = |codes: &Vec<String>| match marker {
            Some(marker) => marker.to_owned(),
            None => codes.first().cloned().unwrap_or_default(),
        };
        self.missing.iter().map(of).collect()
    }

    /// Refuses a marker of hidden values that is a code: before hours of work.
    ///
    /// # Errors
    /// If it is one of an identifying variable.
    pub fn check_marker(&self, marker: Option<&str>) -> Result<()> {
        let Some(marker) = marker else { return Ok(()) };
        self.data.keys().iter().try_for_each(|column| release::check_marker(column, marker))
    }

    /// Whether a name is that of the file they were read from.
    pub(super) fn are_in(&self, file: &Path) -> bool {
        self.records.as_ref().is_some_and(|records| same_file(records.source(), file))
    }

    /// Refuses to write over the input, or where there is no folder: before hours of work.
    ///
    /// # Errors
    /// If the file cannot be written there.
    pub fn check_output(&self, out: &Path) -> Result<()> {
        if self.are_in(out) {
            let message = format!("{} is the input; name another file", out.display());
            return Err(Error::Request(message));
        }
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Error::Request(format!("there is no folder {}", folder.display())));
        }
        Ok(())
    }

    /// A variable that does not identify.
    pub(super) fn other(&self, name: &str) -> Result<&Column> {
        let others = self.data.others();
        let found = others.iter().find(|column| column.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| Error::UnknownVariable {
            name: name.to_owned(),
            known: others.iter().map(|column| column.name().to_owned()).collect(),
        })
    }

    /// Some of the identifying variables.
    pub(super) fn key_set(&self, names: &[String]) -> Result<KeySet> {
        let with = |set: KeySet, name: &String| Ok(set.with(self.data.key(name.trim())?));
        names.iter().try_fold(KeySet::EMPTY, with)
    }
}

/// Records that are open, with the description of their file if it has one.
pub(super) struct OpenRecords {
    pub(super) records: Records,
    metadata: Option<Metadata>,
}

impl RecordsSource {
    /// A file whose identifying variables are named.
    pub fn file(
        path: impl Into<PathBuf>,
        keys: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let place = RecordsPlace::File { path: path.into(), metadata: None, separator: None };
        Self::at(place, keys)
    }

    /// Records of which the identifying variables are named.
    pub fn at(place: RecordsPlace, keys: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let keys = keys.into_iter().map(Into::into).collect();
        Self { place, keys, missing: Vec::new(), weight: None, household: None }
    }

    /// Reads the identifying variables, and others if asked for.
    ///
    /// # Errors
    /// If a file cannot be read, a variable is unknown, or the call is cancelled.
    pub fn read(
        &self,
        others: &[String],
        context: &Context<'_>,
    ) -> std::result::Result<KeyedRecords, crate::Error> {
        Ok(self.read_open(self.open()?, others, context)?)
    }

    pub(super) fn read_open(
        &self,
        open: OpenRecords,
        others: &[String],
        context: &Context<'_>,
    ) -> Result<KeyedRecords> {
        let OpenRecords { records, metadata } = open;
        let mut selection = match &metadata {
            Some(metadata) => {
                let names: Vec<&str> = self.keys.iter().map(String::as_str).collect();
                Selection::described(metadata, &names)
            }
            None => {
                let keys = self.keys.iter().map(|name| Selected::named(name)).collect();
                Selection { keys, ..Selection::default() }
            }
        };
        if selection.keys.is_empty() {
            let message = "name the identifying variables (keys), separated by commas";
            return Err(Error::Request(message.into()));
        }
        self.add_missing(&mut selection)?;
        selection.weight = self.weight.clone().or(selection.weight);
        selection.household = self.household.clone().or(selection.household);
        selection.others = others.iter().map(|name| Selected::named(name)).collect();
        context.progress.stage("reading the records", None);
        let data = read(&records, &selection, &while_reading(context))?;
        let missing = selection.keys.iter().map(|key| key.missing.clone()).collect();
        Ok(KeyedRecords { data, missing, metadata, records: Some(records) })
    }

    /// Opens the records, without reading them.
    ///
    /// # Errors
    /// If a file cannot be opened.
    pub(super) fn open(&self) -> Result<OpenRecords> {
        let (path, metadata, separator) = match &self.place {
            RecordsPlace::Opened(records) => {
                return Ok(OpenRecords { records: records.clone(), metadata: None });
            }
            RecordsPlace::File { path, metadata, separator } => (path, metadata, separator),
        };
        if let Some(metadata) = metadata {
            let metadata = rda::parse_micro(&Text::read(metadata)?)?;
            let records = Records::described(path, &metadata)?.watched()?;
            return Ok(OpenRecords { records, metadata: Some(metadata) });
        }
        let separator = separator.map(separator_byte).transpose()?;
        Ok(OpenRecords { records: open_file(path, separator)?.watched()?, metadata: None })
    }

    fn add_missing(&self, selection: &mut Selection) -> Result<()> {
        for MissingCode { variable, code } in &self.missing {
            let Some(name) = variable else {
                for key in &mut selection.keys {
                    key.missing.push(code.clone());
                }
                continue;
            };
            let key =
                selection.keys.iter_mut().find(|key| key.name.eq_ignore_ascii_case(name.trim()));
            let key = key.ok_or_else(|| {
                Error::Request(format!(
                    "missing codes are given for \"{name}\", which is not among the keys"
                ))
            })?;
            key.missing.push(code.clone());
        }
        Ok(())
    }
}

/// What may stop reading: a limit of effort is for searches and does not.
fn while_reading<'a>(context: &Context<'a>) -> Watch<'a> {
    Watch::new(&context.audit_budget(), context.progress)
}

fn open_file(path: &Path, separator: Option<u8>) -> Result<Records> {
    Ok(Records::open_with(path, &Options { separator, ..Options::default() })?)
}

fn separator_byte(separator: char) -> Result<u8> {
    u8::try_from(separator).ok().filter(u8::is_ascii).ok_or_else(|| {
        Error::Request(format!("'{separator}' cannot stand between fields: use one of ASCII"))
    })
}

/// Reads a released file of the same form as its original.
///
/// # Errors
/// If it cannot be read, or the original is not a file's.
pub fn read_released(
    path: &Path,
    original: &KeyedRecords,
    context: &Context<'_>,
) -> std::result::Result<Microdata, crate::Error> {
    let records = match (original.whole()?.origin(), &original.metadata) {
        (_, Some(metadata)) => Records::described(path, metadata)?,
        (Origin::Delimited(dialect), None) => open_file(path, Some(dialect.separator))?,
        _ => open_file(path, None)?,
    };
    let keys = original.data.keys().iter().zip(&original.missing);
    let selected = |(column, missing): (&Column, &Vec<String>)| Selected {
        name: column.name().to_owned(),
        missing: missing.clone(),
    };
    let selection = Selection { keys: keys.map(selected).collect(), ..Selection::default() };
    Ok(read(&records, &selection, &while_reading(context))?)
}

/// Whether two names are those of one file that exists.
pub(super) fn same_file(one: &Path, two: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(two)) {
        (Ok(one), Ok(two)) => one == two,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_variables_is_read_from_text() {
        let number: OfVariable<f64> = "a=b = 2.5".parse().unwrap();
        assert_eq!(number, OfVariable::new("a=b", 2.5));
        let file: OfVariable<PathBuf> = "age=x=1.grc".parse().unwrap();
        assert_eq!(file, OfVariable::new("age", PathBuf::from("x=1.grc")));
        assert!("age".parse::<OfVariable<f64>>().is_err());
        let missing: MissingCode = "age = 99".parse().unwrap();
        assert_eq!((missing.variable.as_deref(), missing.code.as_str()), (Some("age"), "99"));
    }
}
