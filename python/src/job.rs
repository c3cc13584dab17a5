//! Jobs: a dictionary becomes the text of a job file, and that a release.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use quell::job::init;
use quell::{
    Audience, Context, Error, Job, Overrides, Release, ReleasedTable, TableVerdict, WhenUnsafe,
};

use crate::call::{Limits, call, run};
use crate::errors::{json, misuse, raised};
use crate::frames::{ArrowFrame, batches};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyRelease>()?;
    module.add_function(wrap_pyfunction!(job_text, module)?)?;
    module.add_function(wrap_pyfunction!(job_of_arb, module)?)?;
    module.add_function(wrap_pyfunction!(first_job, module)?)?;
    module.add_function(wrap_pyfunction!(protect, module)?)?;
    module.add_function(wrap_pyfunction!(tabulate, module)?)
}

/// The text of the job that a JSON object describes, in the order of docs/job.md.
#[pyfunction]
fn job_text(py: Python<'_>, json: &str) -> PyResult<String> {
    Job::text_of_json(json).map_err(|error| raised(py, &error))
}

/// The text of the job that a batch file of τ-ARGUS says.
#[pyfunction]
fn job_of_arb(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let text = std::fs::read(&path)
        .map_err(|error| misuse(py, format!("{}: {error}", path.display()), "check the name"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let job = Job::from_arb(text, folder).map_err(|error| raised(py, &error))?;
    Ok(job.to_toml().to_owned())
}

/// The text of a first job, from a look at a file of records.
#[pyfunction]
fn first_job(py: Python<'_>, path: PathBuf, folder: PathBuf) -> PyResult<String> {
    let first = init::first_job(&path, &folder).map_err(|error| raised(py, &error))?;
    Ok(first.text)
}

/// A job from its text, with records in memory.
fn job_of(
    py: Python<'_>,
    text: String,
    folder: PathBuf,
    records: Vec<(String, Bound<'_, PyAny>)>,
    limits: &Limits,
    method: Option<String>,
) -> PyResult<Job> {
    let mut job = Job::from_toml(text, folder).map_err(|error| raised(py, &error))?;
    for (name, frame) in records {
        job = job.with_records(name, batches(&frame)?);
    }
    let overrides = Overrides { method, limits: limits.library(py)?, ..Overrides::default() };
    Ok(job.with_overrides(overrides))
}

/// Runs a job. The second is whether Ctrl-C ended it early.
#[pyfunction]
#[pyo3(signature = (text, folder, records, limits, method=None, progress=None))]
fn protect(
    py: Python<'_>,
    text: String,
    folder: PathBuf,
    records: Vec<(String, Bound<'_, PyAny>)>,
    limits: Limits,
    method: Option<String>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(PyRelease, bool)> {
    let job = job_of(py, text, folder, records, &limits, method)?;
    // The job's own limits hold: the call has none of its own.
    let done =
        run(py, quell::Budget::default(), progress.as_ref(), |context| quell::run(&job, context))?;
    Ok((PyRelease { release: done.value }, done.interrupted))
}

/// The tables of a job before protection: name, and a frame with the status of every cell.
#[pyfunction]
#[pyo3(signature = (text, folder, records, limits, progress=None))]
fn tabulate(
    py: Python<'_>,
    text: String,
    folder: PathBuf,
    records: Vec<(String, Bound<'_, PyAny>)>,
    limits: Limits,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<(String, ArrowFrame)>> {
    let job = job_of(py, text, folder, records, &limits, None)?;
    let done = call(py, &limits, progress.as_ref(), |context| quell::tabulate(&job, context))?;
    named(py, done.value.batches())
}

/// Tables with their names.
fn named(
    py: Python<'_>,
    tables: Result<Vec<ReleasedTable>, Error>,
) -> PyResult<Vec<(String, ArrowFrame)>> {
    let tables = tables.map_err(|error| raised(py, &error))?;
    Ok(tables.into_iter().map(|table| (table.name, table.cells.into())).collect())
}

/// A release, held until it is written.
#[pyclass(name = "Release", module = "quell._quell", frozen)]
pub(crate) struct PyRelease {
    release: Release,
}

#[pymethods]
impl PyRelease {
    #[getter]
    fn title(&self) -> &str {
        self.release.title()
    }

    #[getter]
    fn verdict(&self) -> &'static str {
        self.release.verdict().word()
    }

    #[getter]
    fn is_safe(&self) -> bool {
        self.release.verdict() == TableVerdict::Safe
    }

    #[getter]
    fn records(&self) -> u64 {
        self.release.records()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.release.notes().to_vec()
    }

    /// What is hidden, what it costs and what is proven, as JSON; none if nothing was hidden.
    fn summary(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.release.hidden().map(|summary| json(py, &summary)).transpose()
    }

    /// The tables as they may be published.
    fn tables(&self, py: Python<'_>) -> PyResult<Vec<(String, ArrowFrame)>> {
        named(py, self.release.tables())
    }

    /// The tables with all values, hidden ones included: for the office only.
    fn confidential(&self, py: Python<'_>) -> PyResult<Vec<(String, ArrowFrame)>> {
        named(py, self.release.confidential())
    }

    /// What was done with the records of `[micro]`, as JSON; none if there are none.
    fn micro_summary(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let Some(microdata) = self.release.microdata() else { return Ok(None) };
        json(py, microdata.outcome()).map(Some)
    }

    /// The same in words.
    fn micro_text(&self) -> Option<String> {
        self.release.microdata().map(quell::MicroRelease::text)
    }

    /// The records as they are released; none if none are.
    fn micro_records(&self, py: Python<'_>) -> PyResult<Option<ArrowFrame>> {
        let Some(microdata) = self.release.microdata() else { return Ok(None) };
        let released = py.detach(|| microdata.batches(&Context::default()));
        let released = released.map_err(|error| raised(py, &error))?;
        Ok(ArrowFrame::of(released))
    }

    /// The report as one HTML page.
    fn report(&self, py: Python<'_>, audience: &str) -> PyResult<String> {
        match audience {
            "office" => Ok(self.release.report(Audience::Office)),
            "public" => Ok(self.release.report(Audience::Public)),
            other => Err(misuse(
                py,
                format!("there is no audience \"{other}\""),
                "give \"office\" or \"public\"",
            )),
        }
    }

    /// Writes all files into a folder, together or not at all.
    #[pyo3(signature = (folder, unsafe_too=false))]
    fn write(&self, py: Python<'_>, folder: PathBuf, unsafe_too: bool) -> PyResult<Vec<PathBuf>> {
        let when = match unsafe_too {
            true => WhenUnsafe::Mark,
            false => WhenUnsafe::Refuse,
        };
        let written = py.detach(|| self.release.write_with(&folder, when, &Context::default()));
        written.map_err(|error| raised(py, &error))
    }
}
