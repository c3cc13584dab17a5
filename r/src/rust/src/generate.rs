//! Records to try things on.

use extendr_api::prelude::*;
use quell::generate::{Survey, generate_survey};

use crate::failure::answer;
use crate::values::list_of;

extendr_module! {
    mod generate;
    fn survey_files;
    fn methods;
}

/// The records and classifications of a fictional business survey: names of files and their text.
#[extendr]
fn survey_files(firms: f64, seed: f64) -> Robj {
    answer(|| {
        let made = generate_survey(&Survey { firms: firms as usize }, seed as u64)?;
        let (names, texts): (Vec<String>, Vec<Robj>) =
            made.files.into_iter().map(|(name, text)| (name, text.into_robj())).unzip();
        Ok(list_of(names, texts))
    })
}

/// The names of all methods of suppression and of adjustment.
#[extendr]
fn methods() -> Robj {
    list!(suppress = quell_suppress::METHODS.to_vec(), adjust = quell_adjust::METHODS.to_vec())
        .into_robj()
}
