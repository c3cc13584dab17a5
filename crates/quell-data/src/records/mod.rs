//! Records and what is known of them, wherever they come from.

mod memory;
mod rows;
mod stream;
mod watch;

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field as ArrowField, Schema, SchemaRef};
use quell_model::Decimals;

pub use self::rows::Row;
pub use self::stream::Batches;
pub use self::watch::Watch;

use self::memory::Memory;
use crate::argus::rda;
use crate::dialect::{find, sample};
use crate::files::{Head, Take, delimited, fixed, parquet, sas, spss, stata};
use crate::suggest::nearest;
use crate::variable::Kind;
use crate::{Dialect, Encoding, Error, Field, FileKind, Fingerprint, Place, Variable};

/// Records: a file or batches in memory, with what is known of their variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Records {
    source: PathBuf,
    origin: Origin,
    schema: SchemaRef,
    variables: Vec<Variable>,
    /// What the file was at first, if that is watched.
    fingerprint: Option<Fingerprint>,
}

/// Where records come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// Text with separators.
    Delimited(Dialect),
    /// Text with fields by position, see [`Variable::field`].
    Fixed,
    /// Apache Parquet.
    Parquet,
    /// Stata.
    Stata,
    /// SPSS.
    Spss,
    /// SAS.
    Sas,
    /// Arrow batches in memory.
    Memory(Memory),
}

/// What is said of a file instead of found out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Its kind.
    pub kind: Option<FileKind>,
    /// What stands between the fields of text, one byte.
    pub separator: Option<u8>,
    /// The names of the variables of text without a header line.
    pub names: Option<Vec<String>>,
    /// Whether the numbers of text have decimal commas.
    pub decimal_comma: Option<bool>,
    /// How the letters of text are written.
    pub encoding: Option<Encoding>,
}

impl Records {
    /// A file, everything about it found out: its kind by its content and its ending, the
    /// dialect of text by its start.
    ///
    /// # Errors
    /// If it cannot be read, or is not what its name says.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::open_with(path, &Options::default())
    }

    /// A file of which something is known.
    ///
    /// # Errors
    /// As [`Records::open`], and if it is not what is said of it.
    pub fn open_with(path: &Path, options: &Options) -> Result<Self, Error> {
        let start = sample(path)?;
        let kind = match options.kind {
            Some(kind) => kind,
            None => FileKind::find(path, &start)?,
        };
        let (origin, head) = match kind {
            FileKind::Csv => {
                let (dialect, variables) = find(path, &start, options)?;
                return Ok(Self::text(path, Origin::Delimited(dialect), variables));
            }
            FileKind::Fixed => {
                let message = "a fixed-width file does not say where its variables are; \
                               describe it with an .rda file";
                return Err(Error::malformed(path, message));
            }
            FileKind::Parquet => (Origin::Parquet, parquet::head(path)?),
            FileKind::Stata => (Origin::Stata, stata::head(path)?),
            FileKind::Spss => (Origin::Spss, spss::head(path)?),
            FileKind::Sas => (Origin::Sas, sas::head(path)?),
        };
        let Head { schema, variables } = head;
        Ok(Self { source: path.to_owned(), origin, schema, variables, fingerprint: None })
    }

    /// A file with fields by position, described by its variables.
    ///
    /// # Errors
    /// If the file is not there, or a variable has no place in the line.
    pub fn fixed(path: &Path, variables: Vec<Variable>) -> Result<Self, Error> {
        std::fs::metadata(path).map_err(|source| Error::read(path, source))?;
        let placed = |one: &&Variable| one.field.is_some_and(|field| field.start > 0);
        if let Some(lost) = variables.iter().find(|one| !placed(one)) {
            let message = format!(
                "variable \"{}\" has no place in the line; give its start (from 1) and length",
                lost.name
            );
            return Err(Error::malformed(path, message));
        }
        Ok(Self::text(path, Origin::Fixed, variables))
    }

    /// A file that a description of τ- or µ-ARGUS tells about.
    ///
    /// # Errors
    /// If the file cannot be read, or is not what the description says.
    pub fn described(path: &Path, metadata: &rda::Metadata) -> Result<Self, Error> {
        let mut records = match &metadata.layout {
            rda::Layout::Fixed => Self::fixed(path, metadata.variables.iter().map(own).collect())?,
            rda::Layout::Spss => Self::open_with(
                path,
                &Options { kind: Some(FileKind::Spss), ..Options::default() },
            )?,
            rda::Layout::Free(separator) | rda::Layout::Table(separator) => {
                let [separator] = *separator.as_bytes() else {
                    let message = format!(
                        "\"{separator}\" does not separate the fields of a data file; \
                         give one plain character after <SEPARATOR>, such as \";\""
                    );
                    return Err(Error::malformed(path, message));
                };
                let names = metadata.variables.iter().map(|variable| variable.name.clone());
                let options = Options {
                    kind: Some(FileKind::Csv),
                    separator: Some(separator),
                    names: Some(names.collect()),
                    ..Options::default()
                };
                Self::open_with(path, &options)?
            }
        };
        records.describe(metadata)?;
        Ok(records)
    }

    /// Takes over what a description says of the variables: missing codes, decimals, kinds. Where
    /// they stand is known already.
    ///
    /// # Errors
    /// If it describes a variable that there is not.
    pub fn describe(&mut self, metadata: &rda::Metadata) -> Result<(), Error> {
        for described in metadata.variables.iter().map(own) {
            let variable = self.variable_mut(&described.name)?;
            if !described.missing.codes.is_empty() {
                variable.missing.codes = described.missing.codes;
            }
            variable.decimals = described.decimals;
            variable.kind = described.kind;
        }
        Ok(())
    }

    /// Batches in memory, under a name for messages.
    ///
    /// # Errors
    /// If a batch has other columns than the schema.
    pub fn batches(
        name: &str,
        schema: SchemaRef,
        batches: Vec<RecordBatch>,
    ) -> Result<Self, Error> {
        let source = PathBuf::from(name);
        let memory = Memory::new(&source, &schema, batches)?;
        let variables = schema.fields().iter().map(|field| Variable {
            kind: Kind::of(field.data_type()),
            ..Variable::named(field.name())
        });
        let variables = variables.collect();
        Ok(Self { source, origin: Origin::Memory(memory), schema, variables, fingerprint: None })
    }

    fn text(path: &Path, origin: Origin, variables: Vec<Variable>) -> Self {
        let fields = variables.iter().map(|one| ArrowField::new(&one.name, DataType::Utf8, true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        Self { source: path.to_owned(), origin, schema, variables, fingerprint: None }
    }

    /// The same records, watched: from now on [`Records::check_unchanged`] tells whether their
    /// file is still what it is now.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn watched(self) -> Result<Self, Error> {
        let fingerprint = match &self.origin {
            Origin::Memory(_) => None,
            _ => Some(Fingerprint::of(&self.source)?),
        };
        Ok(Self { fingerprint, ..self })
    }

    /// Checks that the file of watched records is still the same.
    ///
    /// # Errors
    /// If it changed, or cannot be read.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        match &self.fingerprint {
            Some(fingerprint) => fingerprint.check(&self.source),
            None => Ok(()),
        }
    }

    /// The file, or the name of batches in memory.
    pub fn source(&self) -> &Path {
        &self.source
    }

    /// Where they come from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The types of the columns as they are read; text is text.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The variables, one for each column, in order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The names of the variables, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|variable| variable.name.as_str())
    }

    /// The position of a variable; blanks around its name and the case of its letters count
    /// only if several names differ by them.
    ///
    /// # Errors
    /// If there is none of that name, or more than one.
    pub fn position(&self, name: &str) -> Result<usize, Error> {
        let all = |same: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..self.variables.len()).filter(|&place| same(&self.variables[place].name)).collect()
        };
        let mut found = all(&|other| other == name);
        if found.is_empty() {
            found = all(&|other| other.trim().eq_ignore_ascii_case(name.trim()));
        }
        match found[..] {
            [place] => Ok(place),
            [] => Err(Error::UnknownVariable {
                file: self.source.clone(),
                name: name.to_owned(),
                known: self.names().map(str::to_owned).collect(),
                suggestion: nearest(name, self.names()).map(str::to_owned),
            }),
            _ => Err(Error::RepeatedVariable {
                file: self.source.clone(),
                name: name.to_owned(),
                count: found.len(),
            }),
        }
    }

    /// The variable of a name.
    ///
    /// # Errors
    /// As [`Records::position`].
    pub fn variable(&self, name: &str) -> Result<&Variable, Error> {
        Ok(&self.variables[self.position(name)?])
    }

    /// The variable of a name, to say more of it: missing codes, decimals, labels.
    ///
    /// # Errors
    /// As [`Records::position`].
    pub fn variable_mut(&mut self, name: &str) -> Result<&mut Variable, Error> {
        let position = self.position(name)?;
        Ok(&mut self.variables[position])
    }

    /// The same file read as Windows-1252, if it is text that was taken for UTF-8 and is not:
    /// files are looked at from their start, and the first odd letter may stand far behind.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn in_windows_1252(&self) -> Result<Option<Self>, Error> {
        let Origin::Delimited(dialect @ Dialect { encoding: Encoding::Utf8, .. }) = self.origin
        else {
            return Ok(None);
        };
        let encoding = Encoding::of_file(&self.source);
        let encoding = encoding.map_err(|source| Error::read(&self.source, source))?;
        let origin = Origin::Delimited(Dialect { encoding, ..dialect });
        Ok((encoding == Encoding::Windows1252).then(|| Self { origin, ..self.clone() }))
    }

    /// Where a record stands, counted from 0.
    pub fn place(&self, row: u64) -> Place {
        let line = match &self.origin {
            Origin::Delimited(dialect) => delimited::line_of(&self.source, *dialect, row),
            Origin::Fixed => fixed::line_of(&self.source, row),
            _ => None,
        };
        line.map_or(Place::Record(row + 1), Place::Line)
    }

    /// The records in up to so many parts that can be read at the same time, in order.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn parts(&self, count: usize) -> Result<Vec<Part>, Error> {
        let ranges = match &self.origin {
            Origin::Fixed => fixed::parts(&self.source, count)?,
            Origin::Memory(memory) => memory.parts(count),
            _ => vec![Part::WHOLE],
        };
        let records = Arc::new(self.clone());
        Ok(ranges.into_iter().map(|range| Part { records: Arc::clone(&records), range }).collect())
    }

    /// Gives some columns, in the order asked for, to `take`, batch after batch.
    ///
    /// # Errors
    /// If the records cannot be read, the work is stopped, or of `take`.
    pub fn each_batch<E: From<Error>>(
        &self,
        columns: &[usize],
        watch: &Watch<'_>,
        mut take: impl FnMut(RecordBatch) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut taken = Ok(());
        self.read(Part::WHOLE, columns, &mut |batch| {
            taken = watch.step(batch.num_rows()).map_err(E::from).and_then(|()| take(batch));
            if taken.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        taken
    }

    /// Reads a range of what [`Records::parts`] cuts by.
    fn read(&self, range: Range<u64>, columns: &[usize], take: Take) -> Result<(), Error> {
        let mut rising = columns.to_vec();
        rising.sort_unstable();
        rising.dedup();
        if rising == columns {
            return self.read_rising(range, columns, take);
        }
        let order: Vec<usize> =
            columns.iter().map(|column| rising.binary_search(column).unwrap_or_default()).collect();
        let mut failed = None;
        self.read_rising(range, &rising, &mut |batch| match batch.project(&order) {
            Ok(batch) => take(batch),
            Err(error) => {
                failed = Some(Error::malformed(&self.source, error));
                ControlFlow::Break(())
            }
        })?;
        failed.map_or(Ok(()), Err)
    }

    fn read_rising(&self, range: Range<u64>, columns: &[usize], take: Take) -> Result<(), Error> {
        let path = &self.source;
        match &self.origin {
            Origin::Delimited(dialect) => {
                delimited::each_batch(path, *dialect, &self.schema, columns, take)
            }
            Origin::Fixed => {
                let fields: Vec<Field> = self.fields();
                fixed::each_batch(path, range, &self.schema, &fields, columns, take)
            }
            Origin::Parquet => parquet::each_batch(path, columns, take),
            Origin::Stata => stata::each_batch(path, columns, take),
            Origin::Spss => spss::each_batch(path, columns, take),
            Origin::Sas => sas::each_batch(path, columns, take),
            Origin::Memory(memory) => memory.each_batch(range, columns, take),
        }
    }

    /// The places of all variables in a line.
    fn fields(&self) -> Vec<Field> {
        let nowhere = Field { start: 1, length: 0 };
        self.variables.iter().map(|variable| variable.field.unwrap_or(nowhere)).collect()
    }
}

/// A part of some records, which can be read while others are.
#[derive(Debug, Clone)]
pub struct Part {
    records: Arc<Records>,
    /// Bytes of a fixed-width file, rows of batches in memory.
    range: Range<u64>,
}

impl Part {
    const WHOLE: Range<u64> = 0..u64::MAX;

    /// The batches of some columns, in the order asked for.
    pub fn stream(&self, columns: &[usize]) -> Batches {
        stream::stream(self, columns)
    }
}

/// A variable as its description has it.
fn own(described: &rda::Variable) -> Variable {
    let field = described.start.zip(described.length);
    Variable {
        kind: match (described.categorical, described.numeric) {
            (true, _) => Kind::Code,
            (false, true) => Kind::Number,
            (false, false) => Kind::Text,
        },
        field: field.map(|(start, length)| Field { start, length }),
        missing: crate::Missing { codes: described.missing.clone(), range: None },
        decimals: described.numeric.then_some(Decimals(described.decimals)),
        ..Variable::named(described.name.clone())
    }
}
