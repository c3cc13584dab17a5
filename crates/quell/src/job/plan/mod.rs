//! What a job means: the tables to make or to read, and what holds for each.

mod dimensions;
mod given;
mod records;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;

use quell_tabulate::{
    Apriori, AttackerBounds, Cost, Resources, Response, ResponseEquation, Rules, Spec, TableSpec,
    TrivialLevels,
};
use toml::Spanned;

use super::Job;
use super::file::{Knows, PreviousPattern, TablePart};
use crate::given::Decides;
use crate::pipeline::Attackers;
use crate::{ContributorAttackers, Error};
use dimensions::Dimensions;
pub use given::GivenPlan;
use given::TableFile;
use records::Records;
pub(crate) use records::in_memory;

/// What holds for one table.
#[derive(Debug)]
pub struct TablePlan {
    /// What it is called.
    pub name: String,
    /// The rows it is made of; none if it is made from the records.
    pub given: Option<GivenPlan>,
    /// Its rules.
    pub rules: Rules,
    /// What suppression costs.
    pub cost: Cost,
    /// What was set by hand, and whether mistakes there are ignored.
    pub apriori: Option<AprioriPlan>,
    /// Empty cells that may be hidden.
    pub empty_cells: Option<EmptyCellsPlan>,
    /// An earlier release of the same table or figures, and what it means.
    pub previous: Option<(PathBuf, PreviousPattern)>,
    /// Labels of codes, one map per dimension.
    pub labels: Vec<BTreeMap<String, String>>,
}

impl TablePlan {
    /// Whether the file of the table says what suppressing its cells costs.
    pub fn has_own_costs(&self) -> bool {
        self.given.as_ref().is_some_and(|given| given.has_costs)
    }

    /// Whether the file of the table says which cells are sensitive.
    pub fn is_decided_by_statuses(&self) -> bool {
        self.given.as_ref().is_some_and(|given| given.decides != Decides::Rules)
    }
}

/// What was set by hand.
#[derive(Debug)]
pub struct AprioriPlan {
    /// The file, for messages.
    pub file: PathBuf,
    /// Its entries.
    pub entries: Vec<Apriori>,
    /// Whether an entry counts for all cells that show the same.
    pub trivial: TrivialLevels,
    /// Whether entries without effect are only noted.
    pub ignore_errors: bool,
}

/// Empty cells that may be hidden, by their codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmptyCellsPlan {
    /// For each dimension the codes that they have; none: any.
    pub only: Vec<Vec<String>>,
    /// A list of cells with its file, for messages; an empty code is any.
    pub listed: Option<(PathBuf, Vec<Vec<String>>)>,
}

/// A whole job, ready to run.
#[derive(Debug)]
pub struct JobPlan {
    /// The tables to make from records, in the job's order; none if all are given.
    pub spec: Option<Spec>,
    /// What holds for each table.
    pub tables: Vec<TablePlan>,
    /// Equations between responses.
    pub equations: Vec<ResponseEquation>,
    /// What attackers know and who they are.
    pub attackers: Attackers,
}

impl JobPlan {
    /// Looks everything up that a job names.
    ///
    /// # Errors
    /// If something is missing or wrong, with its place in the job file.
    pub fn of(job: &Job, resources: &Resources<'_>) -> Result<Self, Error> {
        let tables = &job.file.table;
        let records = job.file.data.as_ref().map(|part| Records::of(job, part)).transpose()?;
        if tables.is_empty() {
            let advice = "add [[table]] with a name, dimensions and a response";
            return Err(job.mistake(0..0, "the job has no tables", advice));
        }
        let mut files = Vec::new();
        for part in tables {
            table::check(job, part, tables)?;
            files.push(part.given.as_ref().map(|given| TableFile::read(job, part, given)));
        }
        let files: Vec<Option<TableFile>> =
            files.into_iter().map(Option::transpose).collect::<Result<_, _>>()?;
        let dimensions = Dimensions::of(job, records.as_ref(), &files, resources)?;
        let mut specs = Vec::new();
        let mut plans = Vec::new();
        for (part, file) in tables.iter().zip(files) {
            for name in part.dimensions.get_ref() {
                dimensions.known(job, name, file.as_ref())?;
            }
            let labels = dimensions.labels_of(part);
            let decides = file.as_ref().map(|file| file.decides(part));
            let (rules, cost) = table::decisions(job, part, decides)?;
            let given = match (file, &records) {
                (Some(file), _) => Some(file.plan(job, part, &dimensions)?),
                (None, Some(records)) => {
                    specs.push(table_spec(job, part, records, &rules)?);
                    None
                }
                (None, None) => {
                    let message = "a table is made of records, and the job has none";
                    let advice = "add [data], or given = { file = \"…\" } to the table";
                    return Err(job.mistake(part.name.span(), message, advice));
                }
            };
            plans.push(TablePlan {
                name: part.name.get_ref().clone(),
                given,
                rules,
                cost,
                apriori: table::apriori(job, part)?,
                empty_cells: table::empty_cells(job, part)?,
                previous: job.earlier_table(part).map(|(file, meant)| (job.locate(&file), meant)),
                labels,
            });
        }
        let spec = records.map(|records| records.spec(dimensions.axes, specs));
        Ok(Self {
            spec: spec.filter(|spec| !spec.tables.is_empty()),
            tables: plans,
            equations: equations(job)?,
            attackers: Attackers {
                bounds: bounds(job)?,
                contributors: job.contributor_attackers(),
                know_parts: job.contributors_know_parts(),
                sums: job.sums(),
            },
        })
    }
}

fn table_spec(
    job: &Job,
    part: &TablePart,
    records: &Records,
    rules: &Rules,
) -> Result<TableSpec, Error> {
    let variable = |name: &Option<Spanned<String>>| records.variable(job, name.as_ref());
    Ok(TableSpec {
        name: part.name.get_ref().clone(),
        dimensions: part.dimensions.get_ref().iter().map(|name| name.get_ref().clone()).collect(),
        response: variable(&part.response)?.map_or(Response::Frequency, Response::Variable),
        shadow: variable(&part.shadow)?,
        cost: variable(&part.cost_variable)?,
        weighted: is_weighted(job, part),
        top: match job.contributor_attackers() {
            ContributorAttackers::No => rules.top_needed(),
            _ => rules.top_against_contributors(),
        },
    })
}

/// Whether a table shows weighted values: so if there are weights.
fn is_weighted(job: &Job, part: &TablePart) -> bool {
    let weights = job.file.data.as_ref().is_some_and(|data| data.weight.is_some());
    part.weighted.unwrap_or(weights && part.given.is_none())
}

fn equations(job: &Job) -> Result<Vec<ResponseEquation>, Error> {
    let shown: Vec<&str> = job
        .file
        .table
        .iter()
        .filter_map(|table| table.response.as_ref())
        .map(|name| name.get_ref().as_str())
        .collect();
    let response = |name: &Spanned<String>| {
        job.known(name, &shown, "response of a table")?;
        Ok::<_, Error>(Response::Variable(name.get_ref().clone()))
    };
    job.file
        .equation
        .iter()
        .map(|equation| {
            Ok(ResponseEquation {
                total: response(&equation.total)?,
                parts: equation.parts.iter().map(response).collect::<Result<_, _>>()?,
            })
        })
        .collect()
}

fn bounds(job: &Job) -> Result<AttackerBounds, Error> {
    let part = &job.file.attacker;
    Ok(match (part.knows, part.below, part.above) {
        (Some(_), Some(_), _) | (Some(_), _, Some(_)) => {
            return Err(Error::arguments(
                "[attacker] has both knows and percentages",
                "give knows, or below and above",
            ));
        }
        (None, None, None) | (Some(Knows::Sign), ..) => AttackerBounds::Sign,
        (Some(Knows::Nothing), ..) => AttackerBounds::Nothing,
        (Some(Knows::TauArgus), ..) => AttackerBounds::TauArgus,
        (None, below, above) => AttackerBounds::Relative {
            below: below.or(above).unwrap_or_default(),
            above: above.or(below).unwrap_or_default(),
        },
    })
}
