//! What goes wrong, as a value that the R side raises as a condition with a class.

use extendr_api::prelude::*;
use quell::Error;

/// What a function gives R: its value, or what went wrong.
pub(crate) fn answer(work: impl FnOnce() -> Result<Robj, Failure>) -> Robj {
    work().unwrap_or_else(|failure| failure.robj())
}

/// Something that cannot be done.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The most special class of the condition.
    class: &'static str,
    what: String,
    place: Option<String>,
    advice: String,
}

impl Failure {
    /// A request that makes no sense.
    pub(crate) fn misuse(what: impl Into<String>, advice: impl Into<String>) -> Self {
        let (what, advice) = (what.into(), advice.into());
        Self { class: "quell_misuse", what, place: None, advice }
    }

    fn robj(&self) -> Robj {
        let class = Strings::from_values([self.class]);
        let place = self.place.as_deref().map_or_else(|| ().into_robj(), IntoRobj::into_robj);
        let parts = [
            ("what", self.what.as_str().into_robj()),
            ("where", place),
            ("advice", self.advice.as_str().into_robj()),
            ("class", class.into_robj()),
        ];
        let mut failure = List::from_pairs(parts).into_robj();
        // A list takes a class.
        let _ = failure.set_class(["quell_failure"]);
        failure
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let class = match &error {
            Error::NotSafe(_) => "quell_not_safe",
            error if error.is_stopped() => "quell_interrupted",
            error if error.is_internal() => "quell_internal",
            Error::Arguments { .. } | Error::Job(_) => "quell_misuse",
            _ => "quell_data",
        };
        Self {
            class,
            what: error.to_string(),
            place: error.place(),
            advice: error.advice().unwrap_or_default().to_owned(),
        }
    }
}
