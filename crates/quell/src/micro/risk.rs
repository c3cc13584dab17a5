//! `quell micro risk`: who can be recognised, and by what.

use clap::Args;
use quell_micro::risk::{closeness, diversity, frequency, individual, suda};
use quell_micro::{Meaning, Minucs, Result, Suppressions};
use quell_model::Budget;
use serde::Serialize;

use super::arguments::{CheckArguments, DataArguments, on_threads};
use super::summary::RiskSummary;
use crate::exit::Exit;
use crate::limits::Limits;
use crate::output;

/// Find unsafe combinations of values and measure the risk of every record.
///
/// Ends with 0 if nothing is unsafe and with 2 otherwise.
#[derive(Debug, Args)]
pub struct RiskArguments {
    /// The data.
    #[command(flatten)]
    pub data: DataArguments,

    /// What is checked.
    #[command(flatten)]
    pub check: CheckArguments,

    /// Sensitive variables, for l-diversity and t-closeness
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub sensitive: Vec<String>,

    /// Special uniques of up to this many variables (SUDA scores)
    #[arg(long, value_name = "N")]
    pub suda: Option<usize>,

    /// Sampling fraction that DIS-SUDA supposes
    #[arg(long, value_name = "SHARE", default_value_t = USUAL_FRACTION, value_parser = fraction)]
    pub dis_fraction: f64,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Time and threads.
    #[command(flatten)]
    pub limits: Limits,
}

/// The sampling fraction that DIS-SUDA supposes if nobody says.
pub const USUAL_FRACTION: f64 = 0.01;

/// Reads a share between 0 and 1.
///
/// # Errors
/// What is wrong, for the user.
pub fn fraction(text: &str) -> std::result::Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|share| *share > 0.0 && *share < 1.0)
        .ok_or_else(|| "expected a share between 0 and 1".to_owned())
}

#[derive(Debug, Serialize)]
struct Uniques {
    k_anonymity: u32,
    sample_uniques: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_population_uniques: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_correct_links: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    largest_individual_risk: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Sensitive {
    variable: String,
    distinct_l: usize,
    entropy_l: f64,
    /// None if some class has one value only.
    recursive_c: Option<f64>,
    t_equal: f64,
    t_ordered: f64,
}

#[derive(Debug, Serialize)]
struct SudaSummary {
    minimal_uniques_by_size: Vec<u64>,
    records_with_score: usize,
    largest_score: f64,
    largest_dis: f64,
    contributions: Vec<(String, f64)>,
}

/// What was found.
#[derive(Debug, Serialize)]
pub struct Found {
    #[serde(flatten)]
    summary: RiskSummary,
    uniques: Uniques,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sensitive: Vec<Sensitive>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suda: Option<SudaSummary>,
}

/// Runs the sub-command.
///
/// # Errors
/// If the input is wrong.
pub fn run(arguments: &RiskArguments) -> Result<Exit> {
    let found = carry_out(arguments, &arguments.limits.budget())?;
    if arguments.json {
        output::json(&found);
    } else {
        found.print();
    }
    Ok(if found.is_safe() { Exit::Done } else { Exit::NotSafe })
}

/// Finds what the arguments ask for.
///
/// # Errors
/// If the input is wrong.
pub fn carry_out(arguments: &RiskArguments, budget: &Budget) -> Result<Found> {
    on_threads(budget.threads(), || find(arguments))
}

fn find(arguments: &RiskArguments) -> Result<Found> {
    let source = arguments.data.read(&arguments.sensitive)?;
    let data = &source.data;
    let combinations = arguments.check.combinations(&source)?;
    let minucs = Minucs::find(data, &combinations);
    let none = Suppressions::default();
    let meaning = match arguments.check.meaning.meaning() {
        Meaning::Wildcard => Meaning::Wildcard,
        _ => Meaning::IdenticalTuple,
    };
    let frequencies = frequency::frequencies(data, &none, meaning);
    let weighted = data.weights().is_some();
    let risks = individual::risks(&frequencies);
    let uniques = Uniques {
        k_anonymity: frequencies.anonymity(),
        sample_uniques: frequencies.sample_uniques(),
        expected_population_uniques: weighted.then(|| individual::population_uniques(&frequencies)),
        expected_correct_links: weighted.then(|| individual::expected_links(&risks)),
        largest_individual_risk: weighted.then(|| risks.iter().copied().fold(0.0, f64::max)),
    };
    let sensitive = data
        .others()
        .iter()
        .map(|column| {
            let diverse = diversity::diversity(data, &none, column);
            let close = |distance| closeness::closeness(data, &none, column, distance);
            Sensitive {
                variable: column.name().to_owned(),
                distinct_l: diverse.distinct,
                entropy_l: diverse.entropy,
                recursive_c: Some(diverse.recursive).filter(|c| c.is_finite()),
                t_equal: close(closeness::Distance::Equal),
                t_ordered: close(closeness::Distance::Ordered),
            }
        })
        .collect();
    let suda = match arguments.suda {
        None => None,
        Some(most) => {
            let found = suda::suda(data, most, arguments.dis_fraction)?;
            let names = data.keys().iter().map(|column| column.name().to_owned());
            Some(SudaSummary {
                minimal_uniques_by_size: found.sizes,
                records_with_score: found.scores.iter().filter(|&&score| score > 0.0).count(),
                largest_score: found.scores.iter().copied().fold(0.0, f64::max),
                largest_dis: found.dis.iter().copied().fold(0.0, f64::max),
                contributions: names.zip(found.contributions).collect(),
            })
        }
    };
    Ok(Found { summary: RiskSummary::new(data, &minucs), uniques, sensitive, suda })
}

impl Found {
    /// The unsafe combinations.
    pub fn summary(&self) -> &RiskSummary {
        &self.summary
    }

    /// Whether there are none.
    pub fn is_safe(&self) -> bool {
        self.summary.risky_records == 0
    }

    /// Prints the summary.
    pub fn print(&self) {
        self.summary.print();
        let uniques = &self.uniques;
        output::line(format_args!(
            "all variables together: {}-anonymous, {} records alone in the file",
            uniques.k_anonymity, uniques.sample_uniques
        ));
        if let (Some(population), Some(links), Some(largest)) = (
            uniques.expected_population_uniques,
            uniques.expected_correct_links,
            uniques.largest_individual_risk,
        ) {
            output::line(format_args!(
                "expected: {population:.1} alone in the population, {links:.1} correct links; largest \
                 individual risk {largest:.4}"
            ));
        }
        for sensitive in &self.sensitive {
            output::line(format_args!(
                "{}: {} distinct values at least, entropy l {:.2}, t {:.3} (ordered {:.3})",
                sensitive.variable,
                sensitive.distinct_l,
                sensitive.entropy_l,
                sensitive.t_equal,
                sensitive.t_ordered
            ));
        }
        if let Some(suda) = &self.suda {
            output::line(format_args!(
                "SUDA: {} records score, at most {}; DIS at most {:.4}; minimal uniques by size {:?}",
                suda.records_with_score,
                suda.largest_score,
                suda.largest_dis,
                suda.minimal_uniques_by_size
            ));
        }
    }
}
