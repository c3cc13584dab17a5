//! The records of a job.

use std::collections::BTreeMap;

use quell_formats::Text;
use quell_formats::argus::rda;
use quell_model::Decimals;
use quell_tabulate::{Axis, Layout, Microdata, Request, Spec, TableSpec, Variable, Waiver};
use toml::Spanned;

use crate::Error;
use crate::columns;
use crate::job::Job;
use crate::job::file::{DataFormat, DataPart};
use crate::rda_microdata;

/// The data file, with the variables that say who records are from.
#[derive(Debug)]
pub struct Records {
    /// The file.
    pub data: Microdata,
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
        let data = microdata(job, part)?;
        let mut records = Self {
            names: columns::names(&data)?,
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
            data: self.data,
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

/// The data file by its format.
fn microdata(job: &Job, part: &DataPart) -> Result<Microdata, Error> {
    let path = job.existing(&part.file)?;
    if let Some(metadata) = &part.metadata {
        let metadata = rda::parse_micro(&Text::read(&job.locate(metadata.get_ref()))?)?;
        return rda_microdata::microdata(&path, &metadata);
    }
    let layout = match part.format.unwrap_or_else(|| DataFormat::of(&path)) {
        DataFormat::Parquet => Layout::Parquet,
        DataFormat::Csv => {
            Layout::Delimited { separator: separator(job, part.separator.as_ref())?, header: true }
        }
        DataFormat::Fixed => {
            let message = "a fixed-width file does not say where its variables are";
            return Err(job.mistake(part.file.span(), message, "add metadata = \"….rda\""));
        }
    };
    let mut variables: BTreeMap<&str, Variable> = BTreeMap::new();
    for (name, missing) in &part.missing {
        variables.entry(name.get_ref()).or_default().missing.clone_from(missing);
    }
    for (name, &decimals) in &part.decimals {
        if decimals > Decimals::MOST {
            let advice = format!("at most {} decimals are exact", Decimals::MOST);
            return Err(job.mistake(name.span(), "too many decimals", advice));
        }
        variables.entry(name.get_ref()).or_default().decimals = Some(Decimals(decimals));
    }
    let variables = variables
        .into_iter()
        .map(|(name, variable)| Variable { name: name.to_owned(), ..variable })
        .collect();
    Ok(Microdata { path, layout, variables })
}

/// What separates the fields of a CSV file.
///
/// # Errors
/// If it is not one plain character.
pub fn separator(job: &Job, separator: Option<&Spanned<char>>) -> Result<u8, Error> {
    let Some(separator) = separator else { return Ok(b',') };
    u8::try_from(*separator.get_ref()).ok().filter(u8::is_ascii).ok_or_else(|| {
        let advice = "give one plain character, such as \";\"";
        job.mistake(separator.span(), "this cannot separate fields", advice)
    })
}
