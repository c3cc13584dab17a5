//! The dimensions of a job, with the classifications of their codes.

use std::collections::BTreeMap;

use quell_model::Dimension;
use quell_tabulate::{Axis, CodeMatch, Resources, distinct_codes};
use toml::Spanned;

use super::given::TableFile;
use super::records::Records;
use crate::Error;
use crate::job::file::{DimensionPart, TablePart};
use crate::job::{Job, classification};

/// The dimensions that a job declares.
#[derive(Debug)]
pub struct Dimensions {
    /// Those that records feed.
    pub axes: Vec<Axis>,
    /// Each with the column of a table file that has its codes.
    declared: Vec<(Dimension, String)>,
    /// Labels of codes, by dimension.
    labels: BTreeMap<String, BTreeMap<String, String>>,
}

impl Dimensions {
    /// Reads the classifications. Those that are written down nowhere are made of the codes
    /// of the records and of the tables that are given.
    ///
    /// # Errors
    /// If a variable is not there, or a classification is none.
    pub fn of(
        job: &Job,
        records: Option<&Records>,
        files: &[Option<TableFile>],
        resources: &Resources<'_>,
    ) -> Result<Self, Error> {
        let parts = &job.file.dimension;
        let fed: Vec<Option<&Records>> =
            parts.iter().map(|part| records.filter(|_| is_fed(job, part))).collect();
        let mut feeding: Vec<&str> = Vec::new();
        for (part, records) in parts.iter().zip(&fed) {
            if let Some(records) = records {
                let variable = part.variable.as_ref().unwrap_or(&part.name);
                records.known(job, variable)?;
                feeding.push(variable.get_ref());
            }
        }
        let mut found = match records {
            Some(records) if !feeding.is_empty() => {
                distinct_codes(&records.data, &feeding, resources)?
            }
            _ => Vec::new(),
        }
        .into_iter();
        let mut dimensions =
            Self { axes: Vec::new(), declared: Vec::new(), labels: BTreeMap::new() };
        for (part, fed) in parts.iter().zip(fed) {
            let name = part.name.get_ref();
            if dimensions.declared.iter().any(|(dimension, _)| dimension.name == *name) {
                let message = format!("there are two dimensions \"{name}\"");
                return Err(job.mistake(part.name.span(), message, "rename or remove one"));
            }
            let mut codes = fed.and_then(|_| found.next()).unwrap_or_default();
            let variable = part.variable.as_ref().unwrap_or(&part.name).get_ref();
            for (table, file) in job.file.table.iter().zip(files) {
                if let Some(file) = file.as_ref().filter(|_| uses(table, name)) {
                    codes.extend(file.codes(variable, &part.total));
                }
            }
            codes.sort_unstable();
            codes.dedup();
            let dimension = Dimension::new(name, classification::hierarchy(job, part, &codes)?);
            if fed.is_some() {
                dimensions.axes.push(Axis {
                    dimension: dimension.clone(),
                    variable: variable.clone(),
                    codes: if part.exact_codes { CodeMatch::Exact } else { CodeMatch::Trimmed },
                });
            }
            dimensions.declared.push((dimension, variable.clone()));
            let labels = match (&part.labels, fed) {
                (Some(file), _) => classification::labels(&job.locate(file.get_ref()))?,
                // Stata, SPSS and SAS say themselves what codes mean.
                (None, Some(records)) => {
                    records.data.variable(variable)?.labels.iter().cloned().collect()
                }
                (None, None) => BTreeMap::new(),
            };
            if !labels.is_empty() {
                dimensions.labels.insert(name.clone(), labels);
            }
        }
        Ok(dimensions)
    }

    /// A dimension that the job declares, with its column in table files.
    pub fn declared(&self, name: &str) -> Option<&(Dimension, String)> {
        self.declared.iter().find(|(dimension, _)| dimension.name == name)
    }

    /// Checks that a table's dimension is declared, by the job or by the metadata of its file.
    ///
    /// # Errors
    /// If it is not, with a guess at what was meant.
    pub fn known(
        &self,
        job: &Job,
        name: &Spanned<String>,
        file: Option<&TableFile>,
    ) -> Result<(), Error> {
        let mut known: Vec<&str> =
            self.declared.iter().map(|(dimension, _)| dimension.name.as_str()).collect();
        known.extend(file.into_iter().flat_map(TableFile::described));
        job.known(name, &known, "dimension")
    }

    /// Labels of codes for the dimensions of a table.
    pub fn labels_of(&self, table: &TablePart) -> Vec<BTreeMap<String, String>> {
        let names = table.dimensions.get_ref().iter();
        names.map(|name| self.labels.get(name.get_ref()).cloned().unwrap_or_default()).collect()
    }
}

fn uses(table: &TablePart, name: &str) -> bool {
    table.dimensions.get_ref().iter().any(|other| other.get_ref() == name)
}

/// Whether records have codes of a dimension: not if only given tables use it.
fn is_fed(job: &Job, part: &DimensionPart) -> bool {
    let mut users = job.file.table.iter().filter(|table| uses(table, part.name.get_ref()));
    let given = |table: &TablePart| table.given.is_some();
    match users.next() {
        None => job.file.table.iter().any(|table| !given(table)),
        Some(first) => !given(first) || users.any(|table| !given(table)),
    }
}
