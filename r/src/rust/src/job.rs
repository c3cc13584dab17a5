//! Jobs: a list becomes the text of a job, and that a release.

use std::path::PathBuf;

use extendr_api::prelude::*;
use quell::job::init;
use quell::{Audience, Context, Job, Overrides, Release, TableVerdict, WhenUnsafe};

use crate::call::{Done, Limits, call};
use crate::failure::{Failure, answer};
use crate::frames::{batch, columns, columns_of, tables};
use crate::values::{json, robj};

extendr_module! {
    mod job;
    fn job_text;
    fn job_of_arb;
    fn first_job;
    fn protect_job;
    fn tabulate_job;
    fn release_facts;
    fn release_tables;
    fn release_confidential;
    fn release_primaries;
    fn release_micro;
    fn release_report;
    fn release_write;
}

/// The text of the job that a list describes, in the order of docs/job.md.
#[extendr]
fn job_text(job: Robj) -> Robj {
    answer(|| Ok(Job::text_of_json(&json(&job)?.to_string())?.into_robj()))
}

/// The text of the job that a batch file of τ-ARGUS says.
#[extendr]
fn job_of_arb(path: &str) -> Robj {
    answer(|| {
        let path = PathBuf::from(path);
        let text = std::fs::read(&path).map_err(|error| {
            Failure::misuse(format!("{}: {error}", path.display()), "check the name")
        })?;
        let job = Job::from_arb(text, path.parent().unwrap_or(&path))?;
        Ok(job.to_toml().into_robj())
    })
}

/// The text of a first job, from a look at a file of records.
#[extendr]
fn first_job(path: &str, folder: &str) -> Robj {
    answer(|| Ok(init::first_job(path.as_ref(), folder.as_ref())?.text.into_robj()))
}

/// A job from its text, with records in memory.
fn job_of(
    text: &str,
    folder: &str,
    records: &List,
    limits: &Limits,
    method: Option<String>,
) -> Result<Job, Failure> {
    let mut job = Job::from_toml(text, folder)?;
    for (name, frame) in records.iter() {
        job = job.with_records(name, vec![batch(&frame)?]);
    }
    let overrides = Overrides { method, limits: limits.library(), ..Overrides::default() };
    Ok(job.with_overrides(overrides))
}

/// A release, held until it is written.
struct Held {
    release: Release,
}

/// Runs a job: the release, and whether an interrupt ended it early.
#[extendr]
fn protect_job(
    text: &str,
    folder: &str,
    records: List,
    limits: List,
    method: Robj,
    progress: Robj,
) -> Robj {
    answer(|| {
        let limits = Limits::of(&limits)?;
        let method = method.as_str().map(str::to_owned);
        let job = job_of(text, folder, &records, &limits, method)?;
        // The job's own limits hold: the call has none of its own.
        let Done { value, interrupted } =
            call(quell::Budget::default(), &progress, |context| quell::run(&job, context))?;
        let release = ExternalPtr::new(Held { release: value });
        Ok(list!(release = release, interrupted = interrupted).into_robj())
    })
}

/// The tables of a job before protection.
#[extendr]
fn tabulate_job(text: &str, folder: &str, records: List, limits: List, progress: Robj) -> Robj {
    answer(|| {
        let limits = Limits::of(&limits)?;
        let job = job_of(text, folder, &records, &limits, None)?;
        let done = call(limits.budget(), &progress, |context| quell::tabulate(&job, context))?;
        tables(&done.value.batches()?)
    })
}

fn held(pointer: &Robj) -> Result<&Release, Failure> {
    let held: &ExternalPtr<Held> = pointer.try_into().map_err(|_| {
        Failure::misuse("this release is gone: R cannot save one", "run protect() again")
    })?;
    Ok(&held.release)
}

/// Title, verdict, notes and numbers.
#[extendr]
fn release_facts(release: Robj) -> Robj {
    answer(|| {
        let release = held(&release)?;
        let summary = match release.hidden() {
            Some(hidden) => robj(&hidden)?,
            None => ().into_robj(),
        };
        Ok(list!(
            title = release.title(),
            verdict = release.verdict().word(),
            safe = release.verdict() == TableVerdict::Safe,
            records = release.records() as f64,
            notes = release.notes().to_vec(),
            summary = summary
        )
        .into_robj())
    })
}

/// The tables as they may be published.
#[extendr]
fn release_tables(release: Robj) -> Robj {
    answer(|| tables(&held(&release)?.tables()?))
}

/// The tables with all values: for the office only.
#[extendr]
fn release_confidential(release: Robj) -> Robj {
    answer(|| tables(&held(&release)?.confidential()?))
}

/// The verdict on every primary.
#[extendr]
fn release_primaries(release: Robj) -> Robj {
    answer(|| match held(&release)?.primaries()? {
        Some(found) => columns(&found),
        None => Ok(().into_robj()),
    })
}

/// What was done with records that are released themselves: the records, numbers and words.
#[extendr]
fn release_micro(release: Robj) -> Robj {
    answer(|| {
        let Some(microdata) = held(&release)?.microdata() else { return Ok(().into_robj()) };
        let records = columns_of(&microdata.batches(&Context::default())?)?;
        let summary = robj(microdata.outcome())?;
        let list = list!(records = records, summary = summary, text = microdata.text());
        Ok(list.into_robj())
    })
}

/// The report as one HTML page.
#[extendr]
fn release_report(release: Robj, audience: &str) -> Robj {
    answer(|| {
        let audience = match audience {
            "office" => Audience::Office,
            "public" => Audience::Public,
            other => {
                let what = format!("there is no audience \"{other}\"");
                return Err(Failure::misuse(what, "give \"office\" or \"public\""));
            }
        };
        Ok(held(&release)?.report(audience).into_robj())
    })
}

/// Writes all files into a folder, together or not at all.
#[extendr]
fn release_write(release: Robj, folder: &str, unsafe_too: bool) -> Robj {
    answer(|| {
        let when = if unsafe_too { WhenUnsafe::Mark } else { WhenUnsafe::Refuse };
        let written = held(&release)?.write_with(folder.as_ref(), when, &Context::default())?;
        let names = written.iter().map(|file| file.to_string_lossy().into_owned());
        Ok(names.collect::<Vec<String>>().into_robj())
    })
}
