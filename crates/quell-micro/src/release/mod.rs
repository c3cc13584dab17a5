//! Writing the released file, and reading it back.
//!
//! The input is read a second time and copied field by field; only recoded and
//! suppressed values change, so all other variables come out as they went in.

mod columns;

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use arrow::array::RecordBatch;
use quell_data::{Dialect, Encoding, FileKind, Origin, Records, Watch};

use self::columns::{ReleasedAs, ReleasedColumns};
use crate::{Codes, Column, Error, KeySet, Microdata, Result, Suppressions};

/// How one identifying variable is released.
#[derive(Debug, Clone, Copy)]
pub struct Released<'a> {
    /// The variable as read.
    pub original: &'a Column,
    /// The variable after recoding, if it was recoded.
    pub recoded: Option<&'a Column>,
    /// What stands for a suppressed value.
    pub missing: &'a str,
}

impl Released<'_> {
    /// A hidden value must not look like one that is shown, nor like one that was joined with
    /// others.
    fn check_marker(&self) -> Result<()> {
        [Some(self.original), self.recoded]
            .into_iter()
            .flatten()
            .try_for_each(|column| check_marker(column, self.missing))
    }

    /// The new field, or none if it stays.
    pub(crate) fn field(&self, record: usize, suppressed: bool) -> Option<&str> {
        if suppressed {
            Some(self.missing)
        } else {
            self.recoded.map(|column| column.label(record))
        }
    }
}

/// Checks that a marker of hidden values is no code of a variable, as a text or as a number.
///
/// # Errors
/// If it is.
pub fn check_marker(column: &Column, marker: &str) -> Result<()> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let same = |label: &String| {
        label.trim() == marker.trim()
            || number(label).is_some_and(|own| number(marker) == Some(own))
    };
    match column.labels()[..column.categories() as usize].iter().any(same) {
        false => Ok(()),
        true => Err(Error::Request(format!(
            "a hidden value of variable \"{}\" cannot be marked \"{marker}\": that is one of its codes",
            column.name()
        ))),
    }
}

/// The file as it is released, in memory: suppressed values are missing, with the code of
/// `missing` for each variable.
///
/// # Errors
/// If a missing code is one of the variable's own.
pub fn suppressed(
    data: &Microdata,
    suppressions: &Suppressions,
    missing: &[String],
) -> Result<Microdata> {
    let keys = data.keys().iter().zip(missing).enumerate();
    let keys = keys.map(|(key, (original, missing))| {
        Released { original, recoded: None, missing }.check_marker()?;
        Ok(with_missing(original, suppressions, key, missing))
    });
    data.with_keys(keys.collect::<Result<Vec<Column>>>()?)
}

fn with_missing(column: &Column, suppressions: &Suppressions, key: usize, missing: &str) -> Column {
    let mut labels = column.labels().to_vec();
    let categories = column.categories();
    let known = labels[categories as usize..].iter().position(|label| label.trim() == missing);
    let hidden = known.map_or(labels.len(), |place| categories as usize + place);
    if hidden == labels.len() {
        labels.push(missing.to_owned());
    }
    let mut codes: Vec<u32> =
        (0..column.codes().len()).map(|record| column.codes().get(record)).collect();
    for (record, _) in suppressions.iter().filter(|(_, set)| set.contains(key)) {
        codes[record] = hidden as u32;
    }
    let codes = Codes::new(codes, labels.len());
    Column::from_parts(column.name().to_owned(), labels, categories, codes)
}

/// Writes the released file beside its place and moves it there when it is whole.
///
/// # Errors
/// If a file cannot be read or written, the input changed meanwhile, the work is stopped, or a new
/// code does not fit a fixed-width field or the letters of the file.
pub fn write(
    input: &Records,
    output: &Path,
    keys: &[Released],
    suppressions: &Suppressions,
    watch: &Watch<'_>,
) -> Result<()> {
    keys.iter().try_for_each(Released::check_marker)?;
    let place_of = places(input, keys)?;
    let is_text = matches!(input.origin(), Origin::Delimited(_) | Origin::Fixed);
    let ends_as_text =
        matches!(FileKind::of_ending(output), None | Some(FileKind::Csv | FileKind::Fixed));
    if is_text && !ends_as_text {
        return Err(Error::Request(format!(
            "{}: a text file is released as a text file; give it another ending",
            output.display()
        )));
    }
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = output.with_file_name(name);
    let written = match input.origin() {
        Origin::Delimited(dialect) => TextRelease::new(input, keys, suppressions, watch)
            .and_then(|release| release.delimited(*dialect, &part, &place_of)),
        Origin::Fixed => TextRelease::new(input, keys, suppressions, watch)
            .and_then(|release| release.fixed(&part, &place_of)),
        _ => ReleasedAs::of(output).and_then(|format| {
            let columns = ReleasedColumns { input, keys, place_of: &place_of, suppressions };
            columns::write(&columns, format, &part, watch)
        }),
    };
    let moved = written
        // Else the values of other records may be hidden than those that were judged.
        .and_then(|()| Ok(input.check_unchanged()?))
        .and_then(|()| std::fs::rename(&part, output).map_err(|source| Error::io(output, source)));
    if moved.is_err() {
        // Nothing half-written may be taken for a release.
        let _ = std::fs::remove_file(&part);
    }
    moved
}

/// The released records as batches in memory: a suppressed value is null, or its missing code.
///
/// # Errors
/// As [`write()`].
pub fn batches(
    input: &Records,
    keys: &[Released],
    suppressions: &Suppressions,
    watch: &Watch<'_>,
) -> Result<Vec<RecordBatch>> {
    keys.iter().try_for_each(Released::check_marker)?;
    let place_of = places(input, keys)?;
    let columns = ReleasedColumns { input, keys, place_of: &place_of, suppressions };
    let mut released = Vec::new();
    columns.each_batch(false, watch, |batch| {
        released.push(batch);
        Ok(())
    })?;
    input.check_unchanged()?;
    if released.is_empty() {
        released.push(RecordBatch::new_empty(columns.schema(false)));
    }
    Ok(released)
}

/// Where the identifying variables stand among all.
fn places(input: &Records, keys: &[Released]) -> Result<Vec<usize>> {
    keys.iter().map(|key| Ok(input.position(key.original.name())?)).collect()
}

fn changed(input: &Records) -> Error {
    quell_data::Error::Changed { file: input.source().to_owned() }.into()
}

/// Records between two looks at whether to stop.
const STEP: usize = 8_192;

/// A text file on its way out: copied byte by byte but for what changes.
struct TextRelease<'a> {
    input: &'a Records,
    keys: &'a [Released<'a>],
    suppressions: &'a Suppressions,
    watch: &'a Watch<'a>,
    /// How the letters of new codes are to be written.
    encoding: Encoding,
    records: usize,
}

impl<'a> TextRelease<'a> {
    fn new(
        input: &'a Records,
        keys: &'a [Released<'a>],
        suppressions: &'a Suppressions,
        watch: &'a Watch<'a>,
    ) -> Result<Self> {
        let plain = |key: &Released| {
            key.missing.is_ascii()
                && key.recoded.is_none_or(|column| column.labels().iter().all(|l| l.is_ascii()))
        };
        let encoding = match keys.iter().all(plain) {
            true => Encoding::Utf8,
            false => Encoding::of_file(input.source())
                .map_err(|source| Error::io(input.source(), source))?,
        };
        let records = keys.first().map_or(0, |key| key.original.codes().len());
        Ok(Self { input, keys, suppressions, watch, encoding, records })
    }

    /// The new bytes of a key, or none if its field stays.
    fn field(&self, key: usize, record: usize, suppressed: bool) -> Result<Option<Cow<'a, [u8]>>> {
        let Some(text) = self.keys[key].field(record, suppressed) else { return Ok(None) };
        let bytes = self.encoding.encoded(text).ok_or_else(|| {
            Error::Request(format!(
                "the code \"{text}\" has letters that {} has not: it is in Windows-1252",
                self.input.source().display()
            ))
        })?;
        Ok(Some(bytes))
    }

    fn delimited(&self, dialect: Dialect, output: &Path, place_of: &[usize]) -> Result<()> {
        let path = self.input.source();
        let reading = |source| Error::io(path, source);
        let writing = |source| Error::io(output, source);
        let mut file = File::open(path).map_err(reading)?;
        let mut out = File::create(output).map_err(writing)?;
        if dialect.byte_order_mark {
            let mut mark = [0; 3];
            file.read_exact(&mut mark).map_err(reading)?;
            out.write_all(&mark).map_err(writing)?;
        }
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(dialect.separator)
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(1 << 18)
            .from_reader(file);
        let mut writer = csv::WriterBuilder::new()
            .delimiter(dialect.separator)
            .flexible(true)
            .buffer_capacity(1 << 18)
            .from_writer(out);
        let broken = |source| Error::csv(output, source);
        let unread = |source| Error::csv(path, source);
        let mut record = csv::ByteRecord::new();
        if dialect.header {
            reader.read_byte_record(&mut record).map_err(unread)?;
            writer.write_byte_record(&record).map_err(broken)?;
        }
        let mut hidden = self.suppressions.iter().peekable();
        let mut fields: Vec<Option<Cow<'_, [u8]>>> = Vec::new();
        let mut number = 0;
        while reader.read_byte_record(&mut record).map_err(unread)? {
            if number == self.records {
                return Err(changed(self.input));
            }
            let set =
                hidden.next_if(|&(own, _)| own == number).map_or(KeySet::EMPTY, |(_, set)| set);
            fields.clear();
            fields.resize(record.len(), None);
            for (key, &place) in place_of.iter().enumerate() {
                let Some(field) = fields.get_mut(place) else { return Err(changed(self.input)) };
                *field = self.field(key, number, set.contains(key))?;
            }
            for (field, new) in record.iter().zip(&fields) {
                writer.write_field(new.as_deref().unwrap_or(field)).map_err(broken)?;
            }
            writer.write_record(None::<&[u8]>).map_err(broken)?;
            number += 1;
            self.step(number)?;
        }
        if number != self.records {
            return Err(changed(self.input));
        }
        writer.flush().map_err(writing)
    }

    fn fixed(&self, output: &Path, place_of: &[usize]) -> Result<()> {
        let path = self.input.source();
        let reading = |source| Error::io(path, source);
        let writing = |source| Error::io(output, source);
        let mut reader = BufReader::with_capacity(1 << 18, File::open(path).map_err(reading)?);
        let mut writer = BufWriter::with_capacity(1 << 18, File::create(output).map_err(writing)?);
        let mut hidden = self.suppressions.iter().peekable();
        let mut line = Vec::new();
        let mut number = 0;
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line).map_err(reading)? == 0 {
                break;
            }
            let empty = line.iter().all(|byte| matches!(byte, b'\r' | b'\n'));
            if !empty {
                if number == self.records {
                    return Err(changed(self.input));
                }
                let set =
                    hidden.next_if(|&(own, _)| own == number).map_or(KeySet::EMPTY, |(_, set)| set);
                for (key, &place) in place_of.iter().enumerate() {
                    if let Some(new) = self.field(key, number, set.contains(key))? {
                        self.put(key, place, &new, &mut line)?;
                    }
                }
                number += 1;
                self.step(number)?;
            }
            writer.write_all(&line).map_err(writing)?;
        }
        if number != self.records {
            return Err(changed(self.input));
        }
        writer.flush().map_err(writing)
    }

    /// Puts a new code into its place in a line, to the right.
    fn put(&self, key: usize, place: usize, new: &[u8], line: &mut [u8]) -> Result<()> {
        let variable = &self.input.variables()[place];
        let range = variable.field.map(quell_data::Field::range).unwrap_or_default();
        let length = range.len();
        if new.len() > length {
            return Err(Error::Request(format!(
                "the code \"{}\" of variable \"{}\" does not fit into {length} places",
                quell_data::decoded(new),
                self.keys[key].original.name()
            )));
        }
        let Some(field) = line.get_mut(range) else { return Err(changed(self.input)) };
        field.fill(b' ');
        field[length - new.len()..].copy_from_slice(new);
        Ok(())
    }

    fn step(&self, number: usize) -> Result<()> {
        match number % STEP {
            0 => Ok(self.watch.step(STEP)?),
            _ => Ok(()),
        }
    }
}

/// What a released file hides of its original.
///
/// # Errors
/// If the files have different records or variables, or a value was changed to another
/// one than missing.
pub fn hidden(original: &Microdata, released: &Microdata) -> Result<Suppressions> {
    if original.records() != released.records() || original.keys().len() != released.keys().len() {
        return Err(Error::Request(format!(
            "the files do not fit: {} and {} records, {} and {} variables",
            original.records(),
            released.records(),
            original.keys().len(),
            released.keys().len()
        )));
    }
    let mut sets = vec![KeySet::EMPTY; original.records()];
    for (key, (before, after)) in original.keys().iter().zip(released.keys()).enumerate() {
        for (record, set) in sets.iter_mut().enumerate() {
            let (old, new) = (before.codes().get(record), after.codes().get(record));
            if before.is_missing(old) {
                continue;
            }
            if after.is_missing(new) {
                *set = set.with(key);
            } else if before.labels()[old as usize].trim() != after.labels()[new as usize].trim() {
                return Err(Error::Request(format!(
                    "record {}: variable \"{}\" was \"{}\" and is \"{}\"",
                    record + 1,
                    before.name(),
                    before.labels()[old as usize],
                    after.labels()[new as usize]
                )));
            }
        }
    }
    Ok(Suppressions::new(sets.into_iter().enumerate().map(|(record, set)| (record as u32, set))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recode::limits::top_and_bottom;
    use crate::{Selected, Selection, read};
    use quell_data::{Field, Variable};

    #[test]
    fn only_suppressed_and_recoded_values_change() {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in.csv"), folder.path().join("out.csv"));
        std::fs::write(&input, "id;age;\"the sex\";note\n1;30;m;\"a;b\"\n2;99;f;c\n3;31;m;\n")
            .unwrap();
        let records = Records::open(&input).unwrap();
        let watch = Watch::default();
        let selection = Selection {
            keys: vec![Selected::named("age"), Selected::named("the sex")],
            ..Selection::default()
        };
        let data = read(&records, &selection, &watch).unwrap();
        let recoded =
            top_and_bottom(&data.keys()[0], None, Some(80.0)).unwrap().apply(&data.keys()[0], "");
        let recoded = recoded.unwrap();
        let keys = [
            Released { original: &data.keys()[0], recoded: Some(&recoded), missing: "" },
            Released { original: &data.keys()[1], recoded: None, missing: "?" },
        ];
        let suppressions = Suppressions::new([(0, KeySet(1)), (2, KeySet(2))]);
        write(&records, &output, &keys, &suppressions, &watch).unwrap();
        let text = std::fs::read_to_string(&output).unwrap();
        assert_eq!(text, "id;age;the sex;note\n1;;m;\"a;b\"\n2;>=80;f;c\n3;31;?;\n");
        let again = Selection {
            keys: vec![
                Selected::named("age"),
                Selected { missing: vec!["?".into()], ..Selected::named("the sex") },
            ],
            ..Selection::default()
        };
        let released = read(&Records::open(&output).unwrap(), &again, &watch).unwrap();
        let recoded_data = data.with_keys(vec![recoded, data.keys()[1].clone()]).unwrap();
        assert_eq!(hidden(&recoded_data, &released).unwrap(), suppressions);
        let error = hidden(&data, &released).unwrap_err().to_string();
        assert_eq!(error, "record 2: variable \"age\" was \"99\" and is \">=80\"");
    }

    #[test]
    fn fixed_width_files_keep_their_places() {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in.asc"), folder.path().join("out.asc"));
        std::fs::write(&input, "12m x\r\n 7f y\r\n").unwrap();
        let field = |name: &str, start, length| Variable {
            field: Some(Field { start, length }),
            ..Variable::named(name)
        };
        let variables = vec![field("age", 1, 2), field("sex", 3, 1)];
        let records = Records::fixed(&input, variables).unwrap();
        let watch = Watch::default();
        let selection = Selection {
            keys: vec![Selected::named("age"), Selected::named("sex")],
            ..Selection::default()
        };
        let data = read(&records, &selection, &watch).unwrap();
        let release = |missing| {
            data.keys()
                .iter()
                .map(|original| Released { original, recoded: None, missing })
                .collect::<Vec<_>>()
        };
        let suppressions = Suppressions::new([(0, KeySet(1)), (1, KeySet(2))]);
        write(&records, &output, &release("9"), &suppressions, &watch).unwrap();
        assert_eq!(std::fs::read_to_string(&output).unwrap(), " 9m x\r\n 79 y\r\n");
        assert!(write(&records, &output, &release("99"), &suppressions, &watch).is_err());
        let other = folder.path().join("out.parquet");
        assert!(write(&records, &other, &release("9"), &suppressions, &watch).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no half file is left");
    }
}
