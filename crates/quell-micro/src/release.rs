//! Writing the released file, and reading it back.
//!
//! The input is read a second time and copied field by field; only recoded and
//! suppressed values change, so all other variables come out as they went in.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use crate::{Column, Error, KeySet, Layout, Microdata, Result, Suppressions, columns};

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
    /// The new field, or none if it stays.
    pub(crate) fn field(&self, record: usize, suppressed: bool) -> Option<&str> {
        if suppressed {
            Some(self.missing)
        } else {
            self.recoded.map(|column| column.label(record))
        }
    }
}

/// Writes the released file beside its place and moves it there when it is whole.
///
/// # Errors
/// If a file cannot be read or written, the input changed meanwhile, or a new code does
/// not fit a fixed-width field.
pub fn write(
    input: &Path,
    layout: &Layout,
    output: &Path,
    keys: &[Released],
    suppressions: &Suppressions,
) -> Result<()> {
    let mut place_of = Vec::with_capacity(keys.len());
    for key in keys {
        place_of.push(layout.place(key.original.name())?);
    }
    if !matches!(layout, Layout::Columns { .. }) && columns::Format::of(output).is_some() {
        return Err(Error::Request(format!(
            "{}: a text file is released as a text file; give it another ending",
            output.display()
        )));
    }
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = output.with_file_name(name);
    let written = match layout {
        Layout::Delimited { separator, header, .. } => {
            write_delimited(input, *separator, *header, &part, keys, &place_of, suppressions)
        }
        Layout::Fixed(fields) => {
            let fields: Vec<(usize, usize)> =
                place_of.iter().map(|&place| (fields[place].start, fields[place].length)).collect();
            write_fixed(input, &part, keys, &fields, suppressions)
        }
        Layout::Columns { .. } => columns::ReleasedAs::of(output)
            .and_then(|format| columns::write(input, format, &part, keys, &place_of, suppressions)),
    };
    let moved = written
        .and_then(|()| std::fs::rename(&part, output).map_err(|source| Error::io(output, source)));
    if moved.is_err() {
        // Nothing half-written may be taken for a release.
        let _ = std::fs::remove_file(&part);
    }
    moved
}

pub(crate) fn changed(input: &Path) -> Error {
    Error::Request(format!("{} changed while it was protected", input.display()))
}

fn write_delimited(
    input: &Path,
    separator: u8,
    header: bool,
    output: &Path,
    keys: &[Released],
    place_of: &[usize],
    suppressions: &Suppressions,
) -> Result<()> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(1 << 18)
        .from_path(input)
        .map_err(|source| Error::csv(input, source))?;
    let mut writer = csv::WriterBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .buffer_capacity(1 << 18)
        .from_writer(File::create(output).map_err(|source| Error::io(output, source))?);
    let broken = |source| Error::csv(output, source);
    let mut record = csv::ByteRecord::new();
    if header {
        reader.read_byte_record(&mut record).map_err(|source| Error::csv(input, source))?;
        writer.write_byte_record(&record).map_err(broken)?;
    }
    let records = keys.first().map_or(0, |key| key.original.codes().len());
    let mut hidden = suppressions.iter().peekable();
    let mut fields: Vec<Option<&str>> = Vec::new();
    let mut number = 0;
    while reader.read_byte_record(&mut record).map_err(|source| Error::csv(input, source))? {
        if number == records {
            return Err(changed(input));
        }
        let set = hidden.next_if(|&(own, _)| own == number).map_or(KeySet::EMPTY, |(_, set)| set);
        fields.clear();
        fields.resize(record.len(), None);
        for (key, released) in keys.iter().enumerate() {
            let Some(field) = fields.get_mut(place_of[key]) else { return Err(changed(input)) };
            *field = released.field(number, set.contains(key));
        }
        for (field, new) in record.iter().zip(&fields) {
            writer.write_field(new.map_or(field, str::as_bytes)).map_err(broken)?;
        }
        writer.write_record(None::<&[u8]>).map_err(broken)?;
        number += 1;
    }
    if number != records {
        return Err(changed(input));
    }
    writer.flush().map_err(|source| Error::io(output, source))
}

fn write_fixed(
    input: &Path,
    output: &Path,
    keys: &[Released],
    fields: &[(usize, usize)],
    suppressions: &Suppressions,
) -> Result<()> {
    let reading = |source| Error::io(input, source);
    let writing = |source| Error::io(output, source);
    let mut reader = BufReader::with_capacity(1 << 18, File::open(input).map_err(reading)?);
    let mut writer = BufWriter::with_capacity(1 << 18, File::create(output).map_err(writing)?);
    let records = keys.first().map_or(0, |key| key.original.codes().len());
    let mut hidden = suppressions.iter().peekable();
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(reading)? == 0 {
            break;
        }
        let empty = line.iter().all(|byte| matches!(byte, b'\r' | b'\n'));
        if !empty {
            if number == records {
                return Err(changed(input));
            }
            let set =
                hidden.next_if(|&(own, _)| own == number).map_or(KeySet::EMPTY, |(_, set)| set);
            for (key, released) in keys.iter().enumerate() {
                let (start, length) = fields[key];
                let Some(new) = released.field(number, set.contains(key)) else { continue };
                if new.len() > length {
                    return Err(Error::Request(format!(
                        "the code \"{new}\" of variable \"{}\" does not fit into {length} places",
                        released.original.name()
                    )));
                }
                let Some(place) = line.get_mut(start..start + length) else {
                    return Err(changed(input));
                };
                place.fill(b' ');
                place[length - new.len()..].copy_from_slice(new.as_bytes());
            }
            number += 1;
        }
        writer.write_all(&line).map_err(writing)?;
    }
    if number != records {
        return Err(changed(input));
    }
    writer.flush().map_err(writing)
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
    use crate::{Field, Selection, Variable, read};

    #[test]
    fn only_suppressed_and_recoded_values_change() {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in.csv"), folder.path().join("out.csv"));
        std::fs::write(&input, "id;age;\"the sex\";note\n1;30;m;\"a;b\"\n2;99;f;c\n3;31;m;\n")
            .unwrap();
        let layout = Layout::of_csv(&input, None).unwrap();
        let selection = Selection {
            keys: vec![Variable::named("age"), Variable::named("the sex")],
            ..Selection::default()
        };
        let data = read(&input, &layout, &selection).unwrap();
        let recoded =
            top_and_bottom(&data.keys()[0], None, Some(80.0)).unwrap().apply(&data.keys()[0], "");
        let recoded = recoded.unwrap();
        let keys = [
            Released { original: &data.keys()[0], recoded: Some(&recoded), missing: "" },
            Released { original: &data.keys()[1], recoded: None, missing: "?" },
        ];
        let suppressions = Suppressions::new([(0, KeySet(1)), (2, KeySet(2))]);
        write(&input, &layout, &output, &keys, &suppressions).unwrap();
        let text = std::fs::read_to_string(&output).unwrap();
        assert_eq!(text, "id;age;the sex;note\n1;;m;\"a;b\"\n2;>=80;f;c\n3;31;?;\n");
        let again = Selection {
            keys: vec![
                Variable::named("age"),
                Variable { missing: vec!["?".into()], ..Variable::named("the sex") },
            ],
            ..Selection::default()
        };
        let released = read(&output, &layout, &again).unwrap();
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
        let layout = Layout::Fixed(vec![
            Field { name: "age".into(), start: 0, length: 2 },
            Field { name: "sex".into(), start: 2, length: 1 },
        ]);
        let selection = Selection {
            keys: vec![Variable::named("age"), Variable::named("sex")],
            ..Selection::default()
        };
        let data = read(&input, &layout, &selection).unwrap();
        let release = |missing| {
            data.keys()
                .iter()
                .map(|original| Released { original, recoded: None, missing })
                .collect::<Vec<_>>()
        };
        let suppressions = Suppressions::new([(0, KeySet(1)), (1, KeySet(2))]);
        write(&input, &layout, &output, &release("9"), &suppressions).unwrap();
        assert_eq!(std::fs::read_to_string(&output).unwrap(), " 9m x\r\n 79 y\r\n");
        assert!(write(&input, &layout, &output, &release("99"), &suppressions).is_err());
        let other = folder.path().join("out.parquet");
        assert!(write(&input, &layout, &other, &release("9"), &suppressions).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no half file is left");
    }
}
