//! The records of a job.

use std::path::Path;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use quell_data::{FileKind, Options, Records as Data};
use quell_formats::Text;
use quell_formats::argus::rda;
use quell_model::Decimals;
use quell_tabulate::{Axis, Request, Spec, TableSpec, Waiver};
use toml::Spanned;

use crate::Error;
use crate::job::Job;
use crate::job::file::{DataFormat, DataPart};

/// The data file, with the variables that say who records are from.
#[derive(Debug)]
pub struct Records {
    /// The records themselves.
    pub data: Data,
    /// The names of its variables.
    pub names: Vec<String>,
    respondent: Option<String>,
    holding: Option<String>,
    weight: Option<String>,
    request: Option<Request>,
    waiver: Option<Waiver>,
}

impl Records {
    /// Looks up what `[data]` names.
    ///
    /// # Errors
    /// If the file or a variable is not there.
    pub fn of(job: &Job, part: &DataPart) -> Result<Self, Error> {
        let data = open(job, part)?;
        let mut records = Self {
            names: data.names().map(str::to_owned).collect(),
            data,
            respondent: None,
            holding: None,
            weight: None,
            request: None,
            waiver: None,
        };
        records.respondent = records.variable(job, part.respondent.as_ref())?;
        records.holding = records.variable(job, part.holding.as_ref())?;
        records.weight = records.variable(job, part.weight.as_ref())?;
        if let Some(request) = &part.request {
            records.known(job, &request.variable)?;
            records.request = Some(Request {
                variable: request.variable.get_ref().clone(),
                first: request.first.clone(),
                second: request.second.clone(),
            });
        }
        if let Some(waiver) = &part.waiver {
            records.known(job, &waiver.variable)?;
            let variable = waiver.variable.get_ref().clone();
            records.waiver = Some(Waiver { variable, code: waiver.code.clone() });
        }
        Ok(records)
    }

    /// Checks that the file has a variable.
    ///
    /// # Errors
    /// If it has not, with a guess at what was meant.
    pub fn known(&self, job: &Job, name: &Spanned<String>) -> Result<(), Error> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        job.known(name, &names, "variable")
    }

    /// The name of a variable that the job may name, checked.
    ///
    /// # Errors
    /// If the file does not have it.
    pub fn variable(
        &self,
        job: &Job,
        name: Option<&Spanned<String>>,
    ) -> Result<Option<String>, Error> {
        let Some(name) = name else { return Ok(None) };
        self.known(job, name).map(|()| Some(name.get_ref().clone()))
    }

    /// What to tabulate.
    pub fn spec(self, axes: Vec<Axis>, tables: Vec<TableSpec>) -> Spec {
        Spec {
            records: self.data,
            axes,
            tables,
            respondent: self.respondent,
            holding: self.holding,
            request: self.request,
            waiver: self.waiver,
            weight: self.weight,
        }
    }
}

/// Records that are given in memory in the place of a file.
///
/// # Errors
/// If the batches have not all the same columns.
pub fn in_memory(job: &Job, name: &Path) -> Result<Option<Data>, Error> {
    let Some(batches) = job.in_memory(name) else { return Ok(None) };
    let schema = batches.first().map_or_else(|| Arc::new(Schema::empty()), RecordBatch::schema);
    Ok(Some(Data::batches(&name.display().to_string(), schema, batches.to_vec())?))
}

/// The records, with what the job says of their variables.
fn open(job: &Job, part: &DataPart) -> Result<Data, Error> {
    let mut records = match in_memory(job, part.file.get_ref())? {
        Some(mut records) => {
            if let Some(description) = description(job, part)? {
                records.describe(&description)?;
            }
            records
        }
        None => file(job, part)?,
    };
    let names: Vec<String> = records.names().map(str::to_owned).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for (name, missing) in &part.missing {
        job.known(name, &names, "variable")?;
        records.variable_mut(name.get_ref())?.missing.codes.clone_from(missing);
    }
    for (name, &decimals) in &part.decimals {
        job.known(name, &names, "variable")?;
        if decimals > Decimals::MOST {
            let advice = format!("at most {} decimals are exact", Decimals::MOST);
            return Err(job.mistake(name.span(), "too many decimals", advice));
        }
        records.variable_mut(name.get_ref())?.decimals = Some(Decimals(decimals));
    }
    Ok(records)
}

/// What an `.rda` file says of the variables, if the job names one.
fn description(job: &Job, part: &DataPart) -> Result<Option<rda::Metadata>, Error> {
    let Some(file) = &part.metadata else { return Ok(None) };
    Ok(Some(rda::parse_micro(&Text::read(&job.locate(file.get_ref()))?)?))
}

/// The data file by its format.
fn file(job: &Job, part: &DataPart) -> Result<Data, Error> {
    let path = job.existing(&part.file)?;
    Ok(match description(job, part)? {
        Some(description) => Data::described(&path, &description)?,
        None => {
            if part.format.map_or_else(|| FileKind::of_ending(&path), |own| Some(own.kind()))
                == Some(FileKind::Fixed)
            {
                let message = "a fixed-width file does not say where its variables are";
                return Err(job.mistake(part.file.span(), message, "add metadata = \"….rda\""));
            }
            let options = Options {
                kind: part.format.map(DataFormat::kind),
                separator: separator(job, part.separator.as_ref())?,
                decimal_comma: part.decimal_comma,
                names: part.names.as_ref().map(|names| names.get_ref().clone()),
                ..Options::default()
            };
            Data::open_with(&path, &options)?
        }
    })
}

/// What separates the fields of a CSV file, if the job says so.
///
/// # Errors
/// If it is not one plain character.
pub fn separator(job: &Job, separator: Option<&Spanned<char>>) -> Result<Option<u8>, Error> {
    let Some(separator) = separator else { return Ok(None) };
    let byte = u8::try_from(*separator.get_ref()).ok().filter(u8::is_ascii).ok_or_else(|| {
        let advice = "give one plain character, such as \";\"";
        job.mistake(separator.span(), "this cannot separate fields", advice)
    })?;
    Ok(Some(byte))
}
