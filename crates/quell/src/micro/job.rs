//! `[micro]` of a job: what the sub-commands do, asked for in a file.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use quell_model::Budget;
use toml::Spanned;

use super::arguments::{CheckArguments, DataArguments, MeaningName};
use super::recode::{self, MeasureName, RecodeArguments};
use super::report::{self, Page};
use super::risk::{self, RiskArguments};
use super::same_file;
use super::suppress::{self, ObjectiveName, SuppressArguments};
use crate::Error;
use crate::job::Job;
use crate::job::file::{MicroPart, MicroTask, RecodePart};
use crate::limits::Limits;
use crate::release::OFFICE;
use crate::together::Together;

/// What was done with a job's records.
pub enum Told {
    /// The risk.
    Risk(Box<risk::Found>),
    /// The suppressions.
    Suppressed(suppress::Done),
    /// The recodings, and the suppressions of what was left.
    Recoded(recode::Done),
}

impl Told {
    /// Prints it.
    pub fn print(&self) {
        match self {
            Self::Risk(found) => found.print(),
            Self::Suppressed(done) => done.print(),
            Self::Recoded(done) => done.print(),
        }
    }

    /// Whether the records are safe as released, or as they are if nothing is.
    pub fn is_safe(&self) -> bool {
        match self {
            Self::Risk(found) => found.is_safe(),
            // Verified, or there would be an error.
            Self::Suppressed(_) | Self::Recoded(_) => true,
        }
    }
}

/// Carries out the part and writes into a folder in the making.
///
/// # Errors
/// If the part or the records are wrong, or a file cannot be written.
pub fn write(
    job: &Job,
    part: &MicroPart,
    folder: &Path,
    files: &mut Together,
    budget: &Budget,
) -> Result<Told, Error> {
    let task = task(job, part)?;
    let data = data_arguments(job, part)?;
    let check = check_arguments(job, part)?;
    known_variables(job, part, &data)?;
    let report = files.file(format!("{OFFICE}/microdata.html"))?;
    let title = job.file.title.as_deref();
    let limits = Limits { threads: None, time: None };
    if task == MicroTask::Risk {
        let risk = part.risk.as_ref().map(|risk| risk.get_ref().clone()).unwrap_or_default();
        let fraction = risk.dis_fraction.map_or(Ok(risk::USUAL_FRACTION), |share| {
            risk::fraction(&share.get_ref().to_string())
                .map_err(|message| job.mistake(share.span(), message, "such as 0.01"))
        })?;
        let arguments = RiskArguments {
            data,
            check,
            sensitive: owned(&risk.sensitive),
            suda: risk.suda,
            dis_fraction: fraction,
            json: false,
            limits,
        };
        let found = risk::carry_out(&arguments, budget)?;
        let page = Page {
            title: title.map_or_else(|| name(part), str::to_owned),
            meaning: arguments.check.meaning,
            before: found.summary(),
            suppression: None,
            recoding: None,
        };
        report::write(&report, &page)?;
        return Ok(Told::Risk(Box::new(found)));
    }
    let out = Some(released(job, part, &data.data, folder, files)?);
    let title = title.map(str::to_owned);
    let importance: Vec<String> = assigned(&part.importance);
    let marker = part.marker.clone();
    if task == MicroTask::Recode {
        let recode = part.recode.as_ref().map(|recode| recode.get_ref().clone());
        let RecodePart { apply, top, bottom, ladder, truncate, measure, losses } =
            recode.unwrap_or_default();
        if let (Some(_), Some(losses)) = (measure, &losses) {
            let advice = "leave measure out";
            return Err(job.mistake(losses.span(), "measure is given as well", advice));
        }
        let located = |files: &BTreeMap<String, Spanned<PathBuf>>| {
            let file = |(name, file): (&String, &Spanned<PathBuf>)| {
                Ok::<_, Error>(format!("{name}={}", job.existing(file)?.display()))
            };
            files.iter().map(file).collect::<Result<Vec<_>, _>>()
        };
        let arguments = RecodeArguments {
            data,
            check,
            apply: located(&apply)?,
            top: assigned(&top),
            bottom: assigned(&bottom),
            ladder: located(&ladder)?,
            truncate,
            measure: measure.unwrap_or(MeasureName::Entropy),
            losses: losses.as_ref().map(|file| job.existing(file)).transpose()?,
            importance,
            marker,
            out,
            report: Some(report),
            title,
            json: false,
            limits,
        };
        return Ok(Told::Recoded(recode::carry_out(&arguments, budget)?));
    }
    let objective = part.objective.as_ref().map(|objective| *objective.get_ref());
    let arguments = SuppressArguments {
        data,
        check,
        objective: objective.unwrap_or(ObjectiveName::Suppressions),
        importance,
        record_importance: part.record_importance.as_ref().map(|name| name.get_ref().clone()),
        household_keys: owned(&part.household_keys),
        marker,
        out,
        report: Some(report),
        title,
        json: false,
        limits,
    };
    Ok(Told::Suppressed(suppress::carry_out(&arguments, budget)?))
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

fn data_arguments(job: &Job, part: &MicroPart) -> Result<DataArguments, Error> {
    let text = |name: &Option<Spanned<String>>| name.as_ref().map(|name| name.get_ref().clone());
    let missing = part.missing.iter().flat_map(|(name, codes)| {
        codes.iter().map(move |code| format!("{}={code}", name.get_ref()))
    });
    Ok(DataArguments {
        data: job.existing(&part.file)?,
        rda: part.metadata.as_ref().map(|file| job.existing(file)).transpose()?,
        separator: part.separator.as_ref().map(|separator| *separator.get_ref()),
        keys: owned(&part.keys),
        missing: missing.collect(),
        weight: text(&part.weight),
        household: text(&part.household),
    })
}

fn check_arguments(job: &Job, part: &MicroPart) -> Result<CheckArguments, Error> {
    if let (Some(_), Some(at_most)) = (&part.threshold, &part.at_most) {
        let advice = "threshold: fewer are unsafe; at-most: as many are unsafe too";
        return Err(job.mistake(at_most.span(), "threshold is given as well", advice));
    }
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
        let advice = "name the .rda file: metadata = \"people.rda\"";
        return Err(job.mistake(
            flag.span(),
            "identification levels stand in the metadata",
            advice,
        ));
    }
    let numbers = |numbers: &Option<Spanned<crate::job::file::Numbers>>| {
        numbers.as_ref().map(|numbers| numbers.get_ref().0.clone()).unwrap_or_default()
    };
    Ok(CheckArguments {
        max_dim: part.max_dim.unwrap_or(3),
        threshold: numbers(&part.threshold),
        at_most: numbers(&part.at_most),
        combinations: part.combinations.as_ref().map(|list| list.get_ref().join(",")),
        parts: part.parts,
        levels,
        all_together,
        meaning: part.meaning.as_ref().map_or(MeaningName::Static, |name| *name.get_ref()),
    })
}

/// Names that the file does not have are shown where they stand.
fn known_variables(job: &Job, part: &MicroPart, data: &DataArguments) -> Result<(), Error> {
    let layout = data.layout()?;
    let names = layout.names();
    let risk = part.risk.as_ref().map(|risk| &risk.get_ref().sensitive);
    let one = [&part.weight, &part.household, &part.record_importance];
    let all = part.keys.iter().chain(&part.household_keys).chain(part.missing.keys());
    let all = all.chain(one.into_iter().flatten()).chain(risk.into_iter().flatten());
    for name in all {
        if layout.place(name.get_ref()).is_err() {
            job.known(name, &names, "variable")?;
        }
    }
    Ok(())
}

/// Where the released file is written.
fn released(
    job: &Job,
    part: &MicroPart,
    data: &Path,
    folder: &Path,
    files: &mut Together,
) -> Result<PathBuf, Error> {
    let (name, place) = match &part.out {
        Some(out) => (out.get_ref().clone(), out.span()),
        None => (usual_name(data), part.file.span()),
    };
    let plain = |part: Component| matches!(part, Component::Normal(_));
    if name.as_os_str().is_empty() || !name.components().all(plain) {
        let advice = "files of a release lie in its folder; folder = … in [release] says where";
        return Err(job.mistake(place, "this is not the name of a file", advice));
    }
    if same_file(&folder.join(&name), data) {
        let advice = "name another file with out = …, or another folder in [release]";
        return Err(job.mistake(place, "the release would be written over the records", advice));
    }
    files.file(name.to_string_lossy())
}

/// The name of the records' file; Parquet for what cannot be written.
fn usual_name(data: &Path) -> PathBuf {
    let name = PathBuf::from(data.file_name().unwrap_or_default());
    let ending = name.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("dta" | "sav") => name.with_extension("parquet"),
        _ => name,
    }
}

fn name(part: &MicroPart) -> String {
    format!("Risk of {}", part.file.get_ref().display())
}

fn owned(names: &[Spanned<String>]) -> Vec<String> {
    names.iter().map(|name| name.get_ref().clone()).collect()
}

fn assigned(numbers: &BTreeMap<String, f64>) -> Vec<String> {
    numbers.iter().map(|(name, number)| format!("{name}={number}")).collect()
}
