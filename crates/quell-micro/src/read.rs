//! Reading microdata: delimited and fixed-width files, and files of columns.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::{Column, ColumnBuilder, Error, Microdata, Result, columns};

/// A field of a fixed-width file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The variable.
    pub name: String,
    /// First byte, from 0.
    pub start: usize,
    /// Number of bytes.
    pub length: usize,
}

/// How the records of a file are laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// Fields between separators.
    Delimited {
        /// The separator.
        separator: u8,
        /// Whether the first line has the names.
        header: bool,
        /// The names of all fields, in order.
        names: Vec<String>,
    },
    /// Fields at fixed places.
    Fixed(Vec<Field>),
    /// Typed columns: Parquet, Stata, SPSS.
    Columns {
        /// The names of all columns, in order.
        names: Vec<String>,
    },
}

/// Endings of files that nobody should take for text.
const NOT_READ: [&str; 7] = ["sas7bdat", "xpt", "por", "xlsx", "xls", "rds", "feather"];

impl Layout {
    /// Of a file by the ending of its name: Parquet (`.parquet`), Stata (`.dta`), SPSS
    /// (`.sav`); any other is delimited.
    ///
    /// # Errors
    /// If it cannot be read or is not what its name says.
    pub fn of_file(path: &Path, separator: Option<u8>) -> Result<Self> {
        match columns::Format::of(path) {
            Some(_) => Ok(Self::Columns { names: columns::names(path)? }),
            None if NOT_READ.iter().any(|&ending| path.extension() == Some(ending.as_ref())) => {
                Err(Error::Request(format!(
                    "{}: files of this kind are not read; turn it into Parquet or CSV",
                    path.display()
                )))
            }
            None => Self::of_csv(path, separator),
        }
    }

    /// A delimited file with a header line. The separator is the one of `;`, `,`, tab
    /// and `|` that the header has most of, unless given.
    ///
    /// # Errors
    /// If the file cannot be read or has no header.
    pub fn of_csv(path: &Path, separator: Option<u8>) -> Result<Self> {
        let file = File::open(path).map_err(|source| Error::io(path, source))?;
        let mut line = Vec::new();
        BufReader::new(file.take(1 << 20))
            .read_until(b'\n', &mut line)
            .map_err(|source| Error::io(path, source))?;
        // Names in another encoding cannot be asked for, but the others can.
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            return Err(Error::line(path, 1, "the file has no header line"));
        }
        let separator = separator.unwrap_or_else(|| {
            let count = |candidate: u8| line.bytes().filter(|&byte| byte == candidate).count();
            // The first of the most frequent: `max_by_key` would take the last.
            let mut best = b',';
            for candidate in [b';', b'\t', b'|'] {
                if count(candidate) > count(best) {
                    best = candidate;
                }
            }
            best
        });
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .from_reader(line.as_bytes());
        let names = reader
            .records()
            .next()
            .transpose()
            .map_err(|source| Error::csv(path, source))?
            .map(|record| record.iter().map(|name| name.trim().to_owned()).collect())
            .unwrap_or_default();
        Ok(Self::Delimited { separator, header: true, names })
    }

    /// The variables' names.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Delimited { names, .. } | Self::Columns { names } => {
                names.iter().map(String::as_str).collect()
            }
            Self::Fixed(fields) => fields.iter().map(|field| field.name.as_str()).collect(),
        }
    }

    /// The place of a variable.
    ///
    /// # Errors
    /// If there is none of that name, or more than one.
    pub fn place(&self, name: &str) -> Result<usize> {
        let names = self.names();
        let all = |same: fn(&str, &str) -> bool| -> Vec<usize> {
            (0..names.len()).filter(|&place| same(names[place], name)).collect()
        };
        let mut found = all(|other, name| other == name);
        if found.is_empty() {
            found = all(str::eq_ignore_ascii_case);
        }
        match found[..] {
            [place] => Ok(place),
            [] => Err(Error::UnknownVariable {
                name: name.to_owned(),
                known: names.iter().map(|&name| name.to_owned()).collect(),
            }),
            _ => Err(Error::Request(format!(
                "the file has {} variables \"{name}\"; give them different names",
                found.len()
            ))),
        }
    }
}

/// A variable to read as codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Codes that mean "missing", besides the empty field.
    pub missing: Vec<String>,
}

impl Variable {
    /// A variable without missing codes of its own.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), missing: Vec::new() }
    }
}

/// What to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// The identifying variables.
    pub keys: Vec<Variable>,
    /// The sampling weight.
    pub weight: Option<String>,
    /// The household identifier.
    pub household: Option<String>,
    /// Other variables, such as sensitive ones.
    pub others: Vec<Variable>,
}

/// Collects the fields of one record after another.
struct Collector<'a> {
    path: &'a Path,
    keys: Vec<(usize, ColumnBuilder)>,
    others: Vec<(usize, ColumnBuilder)>,
    household: Option<(usize, ColumnBuilder)>,
    weight: Option<(usize, Vec<f64>)>,
}

impl<'a> Collector<'a> {
    fn new(path: &'a Path, layout: &Layout, selection: &Selection) -> Result<Self> {
        let builders = |variables: &[Variable]| -> Result<Vec<(usize, ColumnBuilder)>> {
            variables
                .iter()
                .map(|variable| {
                    let builder =
                        ColumnBuilder::new(&variable.name, variable.missing.iter().cloned());
                    Ok((layout.place(&variable.name)?, builder))
                })
                .collect()
        };
        let keys = builders(&selection.keys)?;
        for (index, (place, _)) in keys.iter().enumerate() {
            if keys[..index].iter().any(|(other, _)| other == place) {
                return Err(Error::Request(format!(
                    "variable \"{}\" is named twice",
                    selection.keys[index].name
                )));
            }
        }
        Ok(Self {
            path,
            keys,
            others: builders(&selection.others)?,
            household: match &selection.household {
                Some(name) => Some((layout.place(name)?, ColumnBuilder::new(name, []))),
                None => None,
            },
            weight: match &selection.weight {
                Some(name) => Some((layout.place(name)?, Vec::new())),
                None => None,
            },
        })
    }

    #[inline]
    fn push<'f>(&mut self, line: u64, field: impl Fn(usize) -> Option<&'f [u8]>) -> Result<()> {
        let path = self.path;
        let get = |place: usize| {
            field(place).ok_or_else(|| {
                Error::line(path, line, format!("the record has no field {}", place + 1))
            })
        };
        for (place, builder) in self.keys.iter_mut().chain(&mut self.others) {
            builder.push(get(*place)?);
        }
        if let Some((place, builder)) = &mut self.household {
            builder.push(get(*place)?);
        }
        if let Some((place, weights)) = &mut self.weight {
            let text = String::from_utf8_lossy(get(*place)?);
            let weight = text.trim().replace(',', ".").parse::<f64>();
            let weight = weight.ok().filter(|weight| *weight > 0.0 && weight.is_finite());
            weights.push(weight.ok_or_else(|| {
                Error::line(path, line, format!("\"{text}\" is no positive weight"))
            })?);
        }
        Ok(())
    }

    /// The columns that are read.
    fn places(&self) -> Vec<usize> {
        let columns = self.keys.iter().chain(&self.others).chain(&self.household);
        let places = columns.map(|(place, _)| *place);
        places.chain(self.weight.as_ref().map(|(place, _)| *place)).collect()
    }

    fn finish(self) -> Result<Microdata> {
        let columns = |builders: Vec<(usize, ColumnBuilder)>| -> Vec<Column> {
            builders.into_iter().map(|(_, builder)| builder.finish()).collect()
        };
        let mut data = Microdata::new(columns(self.keys))?.with_others(columns(self.others))?;
        if let Some((_, household)) = self.household {
            data = data.with_household(household.finish())?;
        }
        if let Some((_, weights)) = self.weight {
            data = data.with_weights(weights)?;
        }
        Ok(data)
    }
}

/// Reads the selected variables of a file.
///
/// # Errors
/// If the file cannot be read, a variable is unknown, or a line is wrong.
pub fn read(path: &Path, layout: &Layout, selection: &Selection) -> Result<Microdata> {
    let mut collector = Collector::new(path, layout, selection)?;
    let file = File::open(path).map_err(|source| Error::io(path, source))?;
    match layout {
        Layout::Delimited { separator, header, names } => {
            let mut reader = csv::ReaderBuilder::new()
                .delimiter(*separator)
                .has_headers(*header)
                .flexible(true)
                .buffer_capacity(1 << 18)
                .from_reader(file);
            let mut record = csv::ByteRecord::new();
            while reader.read_byte_record(&mut record).map_err(|e| Error::csv(path, e))? {
                let line = record.position().map_or(0, csv::Position::line);
                if record.len() != names.len() {
                    return Err(Error::line(
                        path,
                        line,
                        format!("{} fields, but {} variables", record.len(), names.len()),
                    ));
                }
                collector.push(line, |place| record.get(place))?;
            }
        }
        Layout::Fixed(fields) => {
            let mut reader = BufReader::with_capacity(1 << 18, file);
            let mut record = Vec::new();
            let mut line = 0;
            loop {
                record.clear();
                let read = reader.read_until(b'\n', &mut record);
                if read.map_err(|source| Error::io(path, source))? == 0 {
                    break;
                }
                line += 1;
                while matches!(record.last(), Some(b'\n' | b'\r')) {
                    record.pop();
                }
                if record.is_empty() {
                    continue;
                }
                collector.push(line, |place| {
                    let field = &fields[place];
                    record.get(field.start..field.start + field.length)
                })?;
            }
        }
        Layout::Columns { .. } => {
            drop(file);
            columns::each(path, &collector.places(), |record, at, columns| {
                collector.push(record, |place| {
                    at(place).map(|(column, row)| columns[column][row].as_bytes())
                })
            })?;
        }
    }
    collector.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn a_delimited_file_is_read_with_weights_households_and_missing_codes() {
        let file = file("hh;sex;\"age\";w\n1;m;9;2.5\n1;f;10;1\n2;m;99;4\n");
        let layout = Layout::of_csv(file.path(), None).unwrap();
        assert_eq!(layout.names(), ["hh", "sex", "age", "w"]);
        let selection = Selection {
            keys: vec![
                Variable { name: "age".into(), missing: vec!["99".into()] },
                Variable::named("SEX"),
            ],
            weight: Some("w".into()),
            household: Some("hh".into()),
            others: Vec::new(),
        };
        let data = read(file.path(), &layout, &selection).unwrap();
        assert_eq!(data.records(), 3);
        assert_eq!(data.keys()[0].labels(), ["9", "10", "99"]);
        assert_eq!(data.keys()[0].categories(), 2);
        assert_eq!(data.weights().unwrap(), [2.5, 1.0, 4.0]);
        assert_eq!(data.household().unwrap().labels(), ["1", "2"]);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let short = file("a,b\n1,2\n1\n");
        let layout = Layout::of_csv(short.path(), None).unwrap();
        let selection = Selection { keys: vec![Variable::named("b")], ..Selection::default() };
        let error = read(short.path(), &layout, &selection).unwrap_err().to_string();
        assert!(error.ends_with("line 3: 1 fields, but 2 variables"), "{error}");
        let selection = Selection { keys: vec![Variable::named("c")], ..Selection::default() };
        let error = read(short.path(), &layout, &selection).unwrap_err().to_string();
        assert_eq!(error, "there is no variable \"c\"; the file has a, b");
        let twice = Layout::of_csv(file("a,a,B,b,\n").path(), None).unwrap();
        let error = twice.place("a").unwrap_err().to_string();
        assert_eq!(error, "the file has 2 variables \"a\"; give them different names");
        assert_eq!(twice.place("b").unwrap(), 3);
    }

    #[test]
    fn other_encodings_than_utf_8_are_told_apart() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"\xE9,town\n1,\xE9\n2,\xE8\n3,\xE9\n").unwrap();
        let layout = Layout::of_csv(file.path(), None).unwrap();
        let selection = Selection { keys: vec![Variable::named("town")], ..Selection::default() };
        let data = read(file.path(), &layout, &selection).unwrap();
        assert_eq!(data.keys()[0].categories(), 2);
    }

    #[test]
    fn a_fixed_width_file_keeps_its_blanks() {
        let file = file(" 1m\r\n12f\r\n");
        let layout = Layout::Fixed(vec![
            Field { name: "age".into(), start: 0, length: 2 },
            Field { name: "sex".into(), start: 2, length: 1 },
        ]);
        let selection = Selection {
            keys: vec![Variable::named("age"), Variable::named("sex")],
            ..Selection::default()
        };
        let data = read(file.path(), &layout, &selection).unwrap();
        assert_eq!(data.keys()[0].labels(), [" 1", "12"]);
        assert_eq!(data.keys()[1].labels(), ["f", "m"]);
    }
}
