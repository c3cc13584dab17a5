//! Tables of a job that are made already: one row per cell.

use std::path::{Path, PathBuf};

use quell_data::{FileKind, Options, Origin, Records, Watch};
use quell_formats::argus::rda::{self, Metadata, Role, StatusLetters, Variable};
use quell_formats::argus::tab;
use quell_formats::{Error as FileError, Text};
use quell_model::{Decimals, Dimension};
use quell_tabulate::{Additivity, Place, Response};
use toml::Spanned;

use super::dimensions::Dimensions;
use super::records::{in_memory, separator};
use crate::Error;
use crate::argus::classification::{self, Folders};
use crate::given::{self, Decides, Given};
use crate::job::Job;
use crate::job::file::{DataFormat, GivenPart, TablePart, TotalsChoice};

/// The rows of a table file, and what its columns are for.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    metadata: Metadata,
    rows: tab::Table,
    totals: TotalsChoice,
    decimals: Option<Decimals>,
    /// Whether the metadata come from a file, which then describes dimensions as well.
    described: bool,
    folder: PathBuf,
}

/// A table to make of rows.
#[derive(Debug)]
pub struct GivenPlan {
    /// The file.
    pub file: PathBuf,
    /// Its rows.
    pub rows: tab::Table,
    /// The dimensions with their columns.
    pub dimensions: Vec<(Dimension, String)>,
    /// What it shows.
    pub response: Response,
    /// The decimals to keep, if not all.
    pub decimals: Option<Decimals>,
    /// What to do about totals that are not sums.
    pub additivity: Additivity,
    /// Who decides what is sensitive.
    pub decides: Decides,
    /// Whether the file says what suppression costs.
    pub has_costs: bool,
}

impl GivenPlan {
    /// The table to build.
    pub fn given<'a>(&'a self, name: &'a str) -> Given<'a> {
        Given {
            file: &self.file,
            place: Place::Line,
            rows: &self.rows,
            name,
            dimensions: self.dimensions.clone(),
            response: self.response.clone(),
            decimals: self.decimals,
            additivity: self.additivity,
            advice: "see totals = \"recompute\" or \"allow\", and decimals, in docs/job.md",
            decides: self.decides,
        }
    }
}

impl TableFile {
    /// Reads the file of a table.
    ///
    /// # Errors
    /// If it cannot be read, lacks a column, or has a mistake.
    pub fn read(job: &Job, table: &TablePart, part: &GivenPart) -> Result<Self, Error> {
        let path = match job.in_memory(part.file.get_ref()) {
            Some(_) => part.file.get_ref().clone(),
            None => job.existing(&part.file)?,
        };
        let name =
            |name: &Option<Spanned<String>>| name.as_ref().map(|name| name.get_ref().clone());
        let (response, shadow, cost) =
            (name(&table.response), name(&table.shadow), name(&table.cost_variable));
        let mut wanted = tab::Wanted {
            response: response.as_deref(),
            shadow: shadow.as_deref(),
            cost: cost.as_deref(),
            header: false,
        };
        if table.response.is_none() && part.frequency.is_none() && part.metadata.is_none() {
            let message = "the table has neither a response nor a frequency";
            let advice = "name the column of its values: response = \"…\"";
            return Err(job.mistake(table.name.span(), message, advice));
        }
        let (metadata, columns) = match &part.metadata {
            Some(file) => {
                let described = described(job, part, file)?;
                match in_memory(job, part.file.get_ref())? {
                    // What is no text becomes text with commas.
                    Some(columns) => {
                        let layout = rda::Layout::Table(",".to_owned());
                        (Metadata { layout, ..described }, Some(columns))
                    }
                    None => (described, None),
                }
            }
            None => {
                let columns = opened(job, part, &path)?;
                (self::metadata(job, table, part, &columns)?, Some(columns))
            }
        };
        let named = [&table.response, &table.shadow, &table.cost_variable];
        let known: Vec<&str> =
            metadata.variables.iter().map(|variable| variable.name.as_str()).collect();
        for name in named.into_iter().flatten() {
            job.known(name, &known, "column")?;
        }
        wanted.header = columns.is_some();
        let typed = columns.filter(|own| !matches!(own.origin(), Origin::Delimited(_)));
        let text = match typed {
            Some(columns) => text_of(&columns)?,
            None => Text::read(&path)?,
        };
        let rows = tab::parse(&text, &metadata, wanted)?;
        if rows.rows.is_empty() {
            let message = format!("{} has no rows", path.display());
            return Err(job.mistake(part.file.span(), message, "give one row per cell"));
        }
        let beside = part.metadata.as_ref().map(|file| job.locate(file.get_ref()));
        let folder = beside.as_deref().unwrap_or(&path).parent().unwrap_or(Path::new("."));
        Ok(Self {
            rows,
            metadata,
            totals: part.totals,
            decimals: decimals(job, part)?,
            described: part.metadata.is_some(),
            folder: folder.to_owned(),
            path,
        })
    }

    /// The codes in a column.
    pub fn codes(&self, column: &str, total: &str) -> Vec<String> {
        given::codes(&self.rows, column, total)
    }

    /// The dimensions that metadata describe.
    pub fn described(&self) -> Vec<&str> {
        let variables = self.metadata.variables.iter();
        let described = variables.filter(|variable| self.described && variable.categorical);
        described.map(|variable| variable.name.as_str()).collect()
    }

    /// Who decides what is sensitive: the statuses, if there are any, unless the table has
    /// rules of its own.
    pub fn decides(&self, table: &TablePart) -> Decides {
        let statuses = self.metadata.with_role(&Role::Status).is_some();
        if statuses && table.rules.is_none() { Decides::Statuses } else { Decides::Rules }
    }

    /// The table to make.
    ///
    /// # Errors
    /// If a hierarchy that the metadata name is none.
    pub fn plan(
        self,
        job: &Job,
        table: &TablePart,
        dimensions: &Dimensions,
    ) -> Result<GivenPlan, Error> {
        let mut own = Vec::new();
        for name in table.dimensions.get_ref() {
            own.push(match dimensions.declared(name.get_ref()) {
                Some(declared) => {
                    let column = &declared.1;
                    if !self.rows.dimensions.contains(column) {
                        let message = format!("{} has no column {column}", self.path.display());
                        let advice = "name the column with variable = \"…\" in [[dimension]]";
                        return Err(job.mistake(name.span(), message, advice));
                    }
                    declared.clone()
                }
                None => self.dimension(name.get_ref())?,
            });
        }
        let cost = self.metadata.with_role(&Role::Cost).is_some() || table.cost_variable.is_some();
        Ok(GivenPlan {
            dimensions: own,
            response: match &table.response {
                Some(name) => Response::Variable(name.get_ref().clone()),
                None => Response::Frequency,
            },
            decimals: self.decimals,
            additivity: match self.totals {
                TotalsChoice::Check => Additivity::Check,
                TotalsChoice::Recompute => Additivity::Recompute,
                TotalsChoice::Allow => Additivity::Allow,
            },
            decides: self.decides(table),
            has_costs: cost && table.cost.is_none(),
            file: self.path,
            rows: self.rows,
        })
    }

    /// A dimension as the metadata describe it.
    fn dimension(&self, name: &str) -> Result<(Dimension, String), Error> {
        let folders = Folders { folders: vec![self.folder.clone()] };
        let variable = self.metadata.variable(name).cloned().unwrap_or_default();
        let codes = self.codes(name, variable.total());
        let hierarchy = classification::hierarchy(&variable, &codes, &folders)?;
        Ok((Dimension::new(name, hierarchy), name.to_owned()))
    }
}

fn decimals(job: &Job, part: &GivenPart) -> Result<Option<Decimals>, Error> {
    match &part.decimals {
        Some(decimals) if *decimals.get_ref() > Decimals::MOST => {
            let advice = format!("at most {} decimals are exact", Decimals::MOST);
            Err(job.mistake(decimals.span(), "too many decimals", advice))
        }
        decimals => Ok(decimals.as_ref().map(|decimals| Decimals(*decimals.get_ref()))),
    }
}

/// The columns of a file, wherever they stand.
fn opened(job: &Job, part: &GivenPart, path: &Path) -> Result<Records, Error> {
    if let Some(records) = in_memory(job, part.file.get_ref())? {
        return Ok(records);
    }
    let kind = part.format.map(DataFormat::kind);
    if kind.or_else(|| FileKind::of_ending(path)) == Some(FileKind::Fixed) {
        let message = "a table is not read from a fixed-width file";
        return Err(job.mistake(part.file.span(), message, "give CSV, Parquet or .tab"));
    }
    let separator = separator(job, part.separator.as_ref())?;
    Ok(Records::open_with(path, &Options { kind, separator, ..Options::default() })?)
}

/// Metadata from a file: they say what every column is for.
fn described(job: &Job, part: &GivenPart, file: &Spanned<PathBuf>) -> Result<Metadata, Error> {
    let named = [&part.frequency, &part.status, &part.lower, &part.upper];
    let tops = part.tops();
    if let Some(name) = named.into_iter().flatten().chain(tops.first()).next() {
        let message = "the metadata say already what this column is for";
        return Err(job.mistake(name.span(), message, "remove this key, or the metadata"));
    }
    Ok(rda::parse_table(&Text::read(&job.locate(file.get_ref()))?)?)
}

/// Metadata from the names that the job gives to columns.
fn metadata(
    job: &Job,
    table: &TablePart,
    part: &GivenPart,
    columns: &Records,
) -> Result<Metadata, Error> {
    let known: Vec<&str> = columns.names().collect();
    let mut variables: Vec<Variable> = known
        .iter()
        .map(|&name| Variable { name: name.to_owned(), ..Variable::default() })
        .collect();
    let mut mark = |name: &Spanned<String>, role: Role| {
        job.known(name, &known, "column")?;
        for variable in variables.iter_mut().filter(|one| one.name == *name.get_ref()) {
            variable.role = Some(role.clone());
        }
        Ok::<_, Error>(())
    };
    let roles = [
        (&part.frequency, Role::Frequency),
        (&part.status, Role::Status),
        (&part.lower, Role::LowerLevel),
        (&part.upper, Role::UpperLevel),
    ];
    for (name, role) in roles {
        name.as_ref().map_or(Ok(()), |name| mark(name, role))?;
    }
    for name in &part.tops() {
        mark(name, Role::Top)?;
    }
    for dimension in table.dimensions.get_ref() {
        let declared =
            job.file.dimension.iter().find(|part| part.name.get_ref() == dimension.get_ref());
        let column = declared.and_then(|part| part.variable.as_ref()).unwrap_or(dimension);
        job.known(column, &known, "column")?;
        for variable in variables.iter_mut().filter(|one| one.name == *column.get_ref()) {
            variable.categorical = true;
            variable.total_code = declared.map(|part| part.total.clone());
        }
    }
    // What is no text becomes text with commas.
    let separator = match columns.origin() {
        Origin::Delimited(dialect) => char::from(dialect.separator).to_string(),
        _ => ",".to_owned(),
    };
    Ok(Metadata {
        layout: rda::Layout::Table(separator),
        letters: StatusLetters::default(),
        variables,
    })
}

/// Typed columns as the text of a table, one line per record.
fn text_of(columns: &Records) -> Result<Text, Error> {
    let broken = |error: &dyn std::fmt::Display| FileError::malformed(columns.source(), error);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.names()).map_err(|error| broken(&error))?;
    let all: Vec<usize> = (0..columns.variables().len()).collect();
    columns.each_row(&all, &Watch::default(), |row| {
        let fields = all.iter().map(|&column| row.text(column).unwrap_or_default().into_owned());
        writer.write_record(fields).map_err(|error| broken(&error))
    })?;
    let bytes = writer.into_inner().map_err(|error| broken(&error))?;
    Ok(Text::new(&columns.source().display().to_string(), &bytes))
}
