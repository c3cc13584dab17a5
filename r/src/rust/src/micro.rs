//! Frequencies of records that are to be released themselves.

use extendr_api::prelude::*;
use quell::Context;
use quell::micro::{RecordsPlace, RecordsSource, frequencies};
use quell_data::Records;
use quell_micro::Meaning;

use crate::call::{Limits, call};
use crate::failure::answer;
use crate::frames::batch;

extendr_module! {
    mod micro;
    fn record_frequencies;
}

/// How many records look like each, and how many people by the weights. What is missing looks like
/// everything.
#[extendr]
fn record_frequencies(frame: Robj, keys: Vec<String>, weight: Robj) -> Robj {
    answer(|| {
        let batch = batch(&frame)?;
        let records = Records::batches("records", batch.schema(), vec![batch])
            .map_err(quell_micro::Error::from)
            .map_err(quell::Error::from)?;
        let mut source = RecordsSource::at(RecordsPlace::Opened(records), keys);
        source.weight = weight.as_str().map(str::to_owned);
        let budget = Limits::default().budget();
        let count = |context: &Context<'_>| {
            frequencies(&source.read(&[], context)?, Meaning::Wildcard, context)
        };
        let found = call(budget, &().into_robj(), count)?.value;
        let sample: Vec<f64> = found.sample.iter().copied().map(f64::from).collect();
        Ok(list!(sample = sample, population = found.population).into_robj())
    })
}
