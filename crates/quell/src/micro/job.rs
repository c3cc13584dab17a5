//! `[micro]` of a job: what the calls of this module do, asked for in a file.

use std::collections::BTreeMap;
use std::path::{Component, PathBuf};

use arrow::array::RecordBatch;
use quell_data::{Origin, Records};
use quell_micro::{ListedCombination, Meaning, Threshold, Thresholds};
use toml::Spanned;

use super::check::{Check, Scope};
use super::recode::{Joining, LossMeasure, RecodeRequest, Tree};
use super::records::{
    KeyedRecords, MissingCode, OfVariable, OpenRecords, RecordsPlace, RecordsSource,
};
use super::request::{Outcome, Request};
use super::risk::{self, RiskRequest, SAMPLING_FRACTION};
use super::suppress::SuppressRequest;
use crate::job::Job;
use crate::job::file::{CombinationPart, MicroPart, MicroTask, Numbers, RecodePart, RiskPart};
use crate::job::plan::in_memory;
use crate::release::StagedFiles;
use crate::report::Audience;
use crate::{Context, Error};

/// A job's records with what was done with them.
#[derive(Debug)]
pub struct MicroRelease {
    records: KeyedRecords,
    outcome: Outcome,
    title: String,
    marker: Option<String>,
    /// The released file's name, in the folder of the release.
    name: PathBuf,
}

/// Carries out the part.
///
/// # Errors
/// If the part or the records are wrong, or the budget is spent before a safe file is known.
pub fn run(job: &Job, part: &MicroPart, context: &Context<'_>) -> Result<MicroRelease, Error> {
    let request = request(job, part)?;
    let source = records_source(job, part)?;
    let open = source.open()?;
    known_variables(job, part, &open)?;
    let name = released_name(job, part, &open)?;
    let records = source.read_open(open, &request.others(), context)?;
    records.check_marker(part.marker.as_deref())?;
    let outcome = request.carry_out(&records, context)?;
    let title = job.file.title.clone();
    let shown = match outcome {
        Outcome::Risk(_) => part.file.get_ref().display().to_string(),
        Outcome::Suppressed(_) | Outcome::Recoded(_) => records.name(),
    };
    let title = title.unwrap_or_else(|| format!("{} of {shown}", outcome.name()));
    Ok(MicroRelease { records, outcome, title, marker: part.marker.clone(), name })
}

impl MicroRelease {
    /// What was done.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The released records as record batches, if any are released.
    ///
    /// # Errors
    /// If the records cannot be read again, or the marker is one of a variable's codes.
    pub fn batches(&self, context: &Context<'_>) -> Result<Vec<RecordBatch>, Error> {
        match self.outcome.released(&self.records, self.marker.as_deref()) {
            Some(released) => released.batches(context),
            None => Ok(Vec::new()),
        }
    }

    /// The same in words.
    pub fn text(&self) -> String {
        self.outcome.text()
    }

    /// The same as a page, for the office.
    pub fn report(&self) -> String {
        self.outcome.report(&self.title)
    }

    /// Whether the records are safe as released, or as they are if nothing is.
    pub fn is_safe(&self) -> bool {
        self.outcome.is_safe()
    }

    /// Writes the released records, if any are, and the page into a folder in the making.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, files: &mut StagedFiles, context: &Context<'_>) -> Result<(), Error> {
        let page = files.file(Audience::Office, "microdata.html")?;
        if self.outcome.has_release() {
            let out = files.file(Audience::Public, self.name.to_string_lossy())?;
            self.outcome.write(&self.records, &out, self.marker.as_deref(), context)?;
        }
        let failed = |source| quell_formats::Error::Write { file: page.clone(), source };
        std::fs::write(&page, self.report()).map_err(failed)?;
        Ok(())
    }
}

/// What the part asks for.
fn request(job: &Job, part: &MicroPart) -> Result<Request, Error> {
    let task = task(job, part)?;
    let check = check(job, part)?;
    Ok(match task {
        MicroTask::Risk => Request::Risk(risk_request(job, part, check)?),
        MicroTask::Suppress => Request::Suppress(SuppressRequest {
            check,
            objective: part.objective.as_ref().map(|own| *own.get_ref()).unwrap_or_default(),
            importance: of_variables(&part.importance, |weight| weight),
            record_importance: text(&part.record_importance),
            household_keys: texts(&part.household_keys),
        }),
        MicroTask::Recode => Request::Recode(recode_request(job, part, check)?),
    })
}

/// What to do, and that the part says nothing that it does not use.
fn task(job: &Job, part: &MicroPart) -> Result<MicroTask, Error> {
    let usual = if part.recode.is_some() { MicroTask::Recode } else { MicroTask::Suppress };
    let task = part.task.as_ref().map_or(usual, |task| *task.get_ref());
    let unused = |place, what: &str, task: &str| {
        let message = format!("{what} means nothing when the task is to {task}");
        Err(job.mistake(place, message, "leave it out, or change task"))
    };
    if let Some(recode) = part.recode.as_ref().filter(|_| task != MicroTask::Recode) {
        return unused(recode.span(), "[micro.recode]", "suppress or to measure risk");
    }
    if let Some(risk) = part.risk.as_ref().filter(|_| task != MicroTask::Risk) {
        return unused(risk.span(), "[micro.risk]", "protect");
    }
    if task == MicroTask::Recode {
        if let Some(objective) = &part.objective {
            return unused(objective.span(), "objective", "recode: least information is lost");
        }
        if let Some(name) = part.household_keys.first().or(part.record_importance.as_ref()) {
            return unused(name.span(), "this", "recode");
        }
    }
    Ok(task)
}

fn risk_request(job: &Job, part: &MicroPart, check: Check) -> Result<RiskRequest, Error> {
    let RiskPart { sensitive, suda, dis_fraction } =
        part.risk.as_ref().map(|risk| risk.get_ref().clone()).unwrap_or_default();
    let sampling_fraction = dis_fraction.map_or(Ok(SAMPLING_FRACTION), |share| {
        risk::sampling_fraction(*share.get_ref())
            .map_err(|error| job.mistake(share.span(), error.to_string(), "such as 0.01"))
    })?;
    Ok(RiskRequest { check, sensitive: texts(&sensitive), suda, sampling_fraction })
}

fn recode_request(job: &Job, part: &MicroPart, check: Check) -> Result<RecodeRequest, Error> {
    let RecodePart { apply, top, bottom, ladder, truncate, measure, losses } =
        part.recode.as_ref().map(|recode| recode.get_ref().clone()).unwrap_or_default();
    if let (Some(_), Some(losses)) = (measure, &losses) {
        let advice = "leave measure out";
        return Err(job.mistake(losses.span(), "measure is given as well", advice));
    }
    let mut joinings = of_files(job, &apply, Joining::File)?;
    joinings.extend(of_variables(&top, Joining::Top));
    joinings.extend(of_variables(&bottom, Joining::Bottom));
    let mut trees = of_files(job, &ladder, Tree::File)?;
    trees.extend(truncate.iter().map(|name| OfVariable::new(name, Tree::Digits)));
    let measure = match &losses {
        Some(file) => LossMeasure::File(job.existing(file)?),
        None => measure.unwrap_or_default().into(),
    };
    let importance = of_variables(&part.importance, |weight| weight);
    Ok(RecodeRequest { check, joinings, trees, measure, importance })
}

fn records_source(job: &Job, part: &MicroPart) -> Result<RecordsSource, Error> {
    let missing = part.missing.iter().flat_map(|(name, codes)| {
        let variable = Some(name.get_ref().clone());
        codes.iter().map(move |code| MissingCode { variable: variable.clone(), code: code.clone() })
    });
    let place = match in_memory(job, part.file.get_ref())? {
        Some(records) => {
            if let Some(metadata) = &part.metadata {
                let message = "records that are given in memory have no description";
                let advice = "leave it out; missing = … and weight = … say the same";
                return Err(job.mistake(metadata.span(), message, advice));
            }
            RecordsPlace::Opened(records)
        }
        None => RecordsPlace::File {
            path: job.existing(&part.file)?,
            metadata: part.metadata.as_ref().map(|file| job.existing(file)).transpose()?,
            separator: part.separator.as_ref().map(|separator| *separator.get_ref()),
        },
    };
    Ok(RecordsSource {
        place,
        keys: texts(&part.keys),
        missing: missing.collect(),
        weight: text(&part.weight),
        household: text(&part.household),
    })
}

fn check(job: &Job, part: &MicroPart) -> Result<Check, Error> {
    let meaning = part.meaning.as_ref().map_or(Meaning::Static, |name| *name.get_ref());
    Ok(Check { scope: scope(job, part)?, thresholds: thresholds(job, part)?, meaning })
}

fn thresholds(job: &Job, part: &MicroPart) -> Result<Option<Thresholds>, Error> {
    if let (Some(_), Some(at_most)) = (&part.threshold, &part.at_most) {
        let advice = "threshold: fewer are unsafe; at-most: as many are unsafe too";
        return Err(job.mistake(at_most.span(), "threshold is given as well", advice));
    }
    let of = |numbers: &Option<Spanned<Numbers>>, threshold| {
        let numbers = numbers.as_ref()?;
        Thresholds::of_numbers(&numbers.get_ref().0, threshold)
    };
    Ok(of(&part.threshold, Threshold::FewerThan).or_else(|| of(&part.at_most, Threshold::AtMost)))
}

fn scope(job: &Job, part: &MicroPart) -> Result<Scope, Error> {
    let chosen = |flag: &Option<Spanned<bool>>| flag.as_ref().is_some_and(|flag| *flag.get_ref());
    let (levels, all_together) = (chosen(&part.levels), chosen(&part.all_together));
    let places = [
        part.combinations.as_ref().map(Spanned::span),
        part.levels.as_ref().filter(|_| levels).map(Spanned::span),
        part.all_together.as_ref().filter(|_| all_together).map(Spanned::span),
    ];
    if let Some(second) = places.into_iter().flatten().nth(1) {
        let message = "only one of combinations, levels and all-together can be";
        return Err(job.mistake(second, message, "leave the others out"));
    }
    if let Some(flag) = part.levels.as_ref().filter(|_| levels && part.metadata.is_none()) {
        let message = "identification levels stand in the metadata";
        let advice = "name the .rda file: metadata = \"people.rda\"";
        return Err(job.mistake(flag.span(), message, advice));
    }
    let parts = part.parts;
    Ok(match &part.combinations {
        Some(list) => Scope::Listed { list: listed(list.get_ref()), parts },
        None if all_together => Scope::AllTogether { parts },
        None if levels => Scope::IdentificationLevels,
        None => part.max_dim.map_or_else(Scope::default, Scope::UpTo),
    })
}

fn listed(list: &[CombinationPart]) -> Vec<ListedCombination> {
    list.iter().map(|own| own.0.clone()).collect()
}

/// Names that the file does not have are shown where they stand.
fn known_variables(job: &Job, part: &MicroPart, open: &OpenRecords) -> Result<(), Error> {
    let names: Vec<&str> = open.records.names().collect();
    let risk = part.risk.as_ref().map(|risk| &risk.get_ref().sensitive);
    let one = [&part.weight, &part.household, &part.record_importance];
    let all = part.keys.iter().chain(&part.household_keys).chain(part.missing.keys());
    let all = all.chain(one.into_iter().flatten()).chain(risk.into_iter().flatten());
    for name in all {
        if open.records.position(name.get_ref()).is_err() {
            job.known(name, &names, "variable")?;
        }
    }
    Ok(())
}

/// What the released file is called in its folder.
fn released_name(job: &Job, part: &MicroPart, open: &OpenRecords) -> Result<PathBuf, Error> {
    let (name, place) = match &part.out {
        Some(out) => (out.get_ref().clone(), out.span()),
        None => (usual_name(&open.records), part.file.span()),
    };
    let plain = |part: Component| matches!(part, Component::Normal(_));
    if name.as_os_str().is_empty() || !name.components().all(plain) {
        let advice = "files of a release lie in its folder; folder = … in [release] says where";
        return Err(job.mistake(place, "this is not the name of a file", advice));
    }
    Ok(name)
}

/// The name of the records' file; Parquet for what cannot be written.
fn usual_name(records: &Records) -> PathBuf {
    let name = PathBuf::from(records.source().file_name().unwrap_or_default());
    let ending = name.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let is_written = match records.origin() {
        Origin::Delimited(_) | Origin::Fixed | Origin::Parquet => true,
        Origin::Memory(_) => matches!(ending.as_deref(), Some("csv" | "parquet")),
        Origin::Stata | Origin::Spss | Origin::Sas => false,
    };
    if is_written { name } else { name.with_extension("parquet") }
}

fn text(name: &Option<Spanned<String>>) -> Option<String> {
    name.as_ref().map(|name| name.get_ref().clone())
}

fn texts(names: &[Spanned<String>]) -> Vec<String> {
    names.iter().map(|name| name.get_ref().clone()).collect()
}

fn of_variables<T>(numbers: &BTreeMap<String, f64>, make: fn(f64) -> T) -> Vec<OfVariable<T>> {
    numbers.iter().map(|(name, number)| OfVariable::new(name, make(*number))).collect()
}

fn of_files<T>(
    job: &Job,
    files: &BTreeMap<String, Spanned<PathBuf>>,
    make: fn(PathBuf) -> T,
) -> Result<Vec<OfVariable<T>>, Error> {
    let file = |(name, file): (&String, &Spanned<PathBuf>)| {
        Ok(OfVariable::new(name, make(job.existing(file)?)))
    };
    files.iter().map(file).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{Array, ArrayRef, Int64Array, StringArray};

    use super::*;

    const JOB: &str = "[micro]\nfile = \"people\"\nkeys = [\"town\", \"job\"]\nthreshold = 2\n";

    /// Five people; there is one mayor.
    fn people() -> RecordBatch {
        let jobs = ["clerk", "clerk", "clerk", "clerk", "mayor"];
        let columns: [(&str, ArrayRef); 3] = [
            ("id", Arc::new(Int64Array::from(vec![1, 2, 3, 4, 5]))),
            ("town", Arc::new(StringArray::from(vec!["A", "A", "B", "B", "B"]))),
            ("job", Arc::new(StringArray::from(jobs.to_vec()))),
        ];
        RecordBatch::try_from_iter(columns).unwrap()
    }

    fn job(text: &str) -> Job {
        Job::from_toml(text, ".").unwrap().with_records("people", vec![people()])
    }

    #[test]
    fn records_in_memory_are_protected_and_released() {
        let release = crate::run(&job(JOB), &Context::default()).unwrap();
        let text = release.microdata().unwrap().text();
        assert!(text.contains("1 value suppressed in 1 record"), "{text}");
        let batches = release.microdata().unwrap().batches(&Context::default()).unwrap();
        let hidden = |column: usize| batches[0].column(column).null_count();
        assert_eq!([hidden(0), hidden(1), hidden(2)], [0, 0, 1]);
        let folder = tempfile::tempdir().unwrap();
        let written = release.write(folder.path()).unwrap();
        assert!(written.iter().any(|file| file.ends_with("people.parquet")), "{written:?}");
        let release = crate::run(
            &job(&format!("{JOB}out = \"people.csv\"\nmarker = \"?\"\n")),
            &Context::default(),
        );
        release.unwrap().write(folder.path()).unwrap();
        let text = std::fs::read_to_string(folder.path().join("people.csv")).unwrap();
        assert_eq!(text, "id,town,job\n1,A,clerk\n2,A,clerk\n3,B,clerk\n4,B,clerk\n5,B,?\n");
    }

    #[test]
    fn records_in_memory_have_no_description() {
        let job = job(&format!("{JOB}metadata = \"people.rda\"\n"));
        let error = crate::run(&job, &Context::default()).unwrap_err().to_string();
        assert!(error.contains("have no description"), "{error}");
    }
}
