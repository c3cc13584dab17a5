//! What goes wrong, as Python exceptions that carry what, where and what to do.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt};
use pyo3::prelude::*;
use quell::Error;

create_exception!(
    quell,
    QuellError,
    PyException,
    "Something cannot be done: `what` is wrong, `where` it is, and `advice` on what to do."
);
create_exception!(
    quell,
    NotSafe,
    QuellError,
    "A release is not proven safe; `release` is what there is of it, for the office."
);
create_exception!(quell, InternalError, QuellError, "A mistake in Quell: please report it.");

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("QuellError", py.get_type::<QuellError>())?;
    module.add("NotSafe", py.get_type::<NotSafe>())?;
    module.add("InternalError", py.get_type::<InternalError>())
}

/// The exception for an error of the library.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    if error.is_stopped() {
        return PyKeyboardInterrupt::new_err("stopped before there was anything to show");
    }
    let (what, place) = (error.to_string(), error.place());
    let advice = error.advice().unwrap_or_default();
    let told = [place.as_deref(), Some(what.as_str())].into_iter().flatten().collect::<Vec<_>>();
    let message = match advice {
        "" => told.join(": "),
        advice => format!("{} ({advice})", told.join(": ")),
    };
    let exception = match error {
        Error::NotSafe(_) => NotSafe::new_err(message),
        error if error.is_internal() => InternalError::new_err(message),
        _ => QuellError::new_err(message),
    };
    let value = exception.value(py);
    // An exception of ours takes attributes.
    let _ = value.setattr("what", what);
    let _ = value.setattr("where", place);
    let _ = value.setattr("advice", advice);
    exception
}

/// A request that makes no sense.
pub(crate) fn misuse(py: Python<'_>, what: impl Into<String>, advice: impl Into<String>) -> PyErr {
    raised(py, &Error::arguments(what, advice))
}

/// A value as JSON, which Python reads.
pub(crate) fn json(py: Python<'_>, value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| misuse(py, error.to_string(), "report this"))
}
