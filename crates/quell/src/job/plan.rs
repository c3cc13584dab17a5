//! What a job means: the tables to make of the records, and what holds for each.

use std::collections::BTreeMap;
use std::path::PathBuf;

use quell_formats::Text;
use quell_formats::argus::{hst, rda};
use quell_model::{Decimals, Dimension};
use quell_tabulate::{
    Apriori, AttackerBounds, Axis, CodeMatch, Cost, CostMeasure, Layout, Microdata, Request,
    Resources, Response, ResponseEquation, Rules, Spec, TableSpec, Transformation, TrivialLevels,
    Variable, Waiver, distinct_codes,
};
use toml::Spanned;

use super::file::{CostChoice, DataFormat, Knows, TablePart};
use super::{Job, classification, rules};
use crate::columns;
use crate::failure::Failure;
use crate::hst_entries;
use crate::rda_microdata;

/// What holds for one table.
#[derive(Debug)]
pub struct TablePlan {
    /// Its rules.
    pub rules: Rules,
    /// What suppression costs.
    pub cost: Cost,
    /// What was set by hand, and whether mistakes there are ignored.
    pub apriori: Option<AprioriPlan>,
    /// Labels of codes, a map a dimension.
    pub labels: Vec<BTreeMap<String, String>>,
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

/// A whole job, ready to run.
#[derive(Debug)]
pub struct Plan {
    /// The tables to make.
    pub spec: Spec,
    /// What holds for each.
    pub tables: Vec<TablePlan>,
    /// Equations between responses.
    pub equations: Vec<ResponseEquation>,
    /// What an attacker knows.
    pub bounds: AttackerBounds,
}

impl Plan {
    /// Looks everything up that a job names.
    ///
    /// # Errors
    /// If something is missing or wrong, with its place in the job file.
    pub fn of(job: &Job, resources: &Resources) -> Result<Self, Failure> {
        let data = microdata(job)?;
        let names = columns::names(&data)?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let part = &job.file.data;
        let variable = |name: &Option<Spanned<String>>| match name {
            Some(name) => {
                job.known(name, &names, "variable").map(|()| Some(name.get_ref().clone()))
            }
            None => Ok(None),
        };
        let request = part.request.as_ref().map(|request| {
            job.known(&request.variable, &names, "variable")?;
            Ok::<_, Failure>(Request {
                variable: request.variable.get_ref().clone(),
                first: request.first.clone(),
                second: request.second.clone(),
            })
        });
        let waiver = part.waiver.as_ref().map(|waiver| {
            job.known(&waiver.variable, &names, "variable")?;
            let variable = waiver.variable.get_ref().clone();
            Ok::<_, Failure>(Waiver { variable, code: waiver.code.clone() })
        });
        let tables = &job.file.table;
        if tables.is_empty() {
            let advice = "add [[table]] with a name, dimensions and a response";
            return Err(job.mistake(0..0, "the job has no tables", advice));
        }
        let (axes, labels) = axes(job, &data, &names, resources)?;
        let declared: Vec<&str> = axes.iter().map(|axis| axis.dimension.name.as_str()).collect();
        let mut specs = Vec::new();
        let mut plans = Vec::new();
        for table in tables {
            for dimension in table.dimensions.get_ref() {
                job.known(dimension, &declared, "dimension")?;
            }
            check_table(job, table, tables)?;
            let plan = table_plan(job, table, &labels)?;
            specs.push(TableSpec {
                name: table.name.get_ref().clone(),
                dimensions: texts(table.dimensions.get_ref()),
                response: match variable(&table.response)? {
                    Some(name) => Response::Variable(name),
                    None => Response::Frequency,
                },
                shadow: variable(&table.shadow)?,
                cost: variable(&table.cost_variable)?,
                weighted: is_weighted(job, table),
                top: plan.rules.top_needed(),
            });
            plans.push(plan);
        }
        Ok(Self {
            spec: Spec {
                respondent: variable(&part.respondent)?,
                holding: variable(&part.holding)?,
                weight: variable(&part.weight)?,
                request: request.transpose()?,
                waiver: waiver.transpose()?,
                data,
                axes,
                tables: specs,
            },
            tables: plans,
            equations: equations(job)?,
            bounds: bounds(job)?,
        })
    }
}

fn texts(names: &[Spanned<String>]) -> Vec<String> {
    names.iter().map(|name| name.get_ref().clone()).collect()
}

fn is_weighted(job: &Job, table: &TablePart) -> bool {
    table.weighted.unwrap_or(job.file.data.weight.is_some())
}

/// The data file by its format.
fn microdata(job: &Job) -> Result<Microdata, Failure> {
    let part = &job.file.data;
    let path = job.locate(part.file.get_ref());
    if !path.is_file() {
        let message = format!("there is no file {}", path.display());
        let advice = "files are looked for from the folder of the job file";
        return Err(job.mistake(part.file.span(), message, advice));
    }
    if let Some(metadata) = &part.metadata {
        let metadata = rda::parse_micro(&Text::read(&job.locate(metadata.get_ref()))?)?;
        return rda_microdata::microdata(&path, &metadata);
    }
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let format = part.format.unwrap_or(match ending.as_deref() {
        Some("parquet" | "pq") => DataFormat::Parquet,
        Some("asc") => DataFormat::Fixed,
        _ => DataFormat::Csv,
    });
    let layout = match format {
        DataFormat::Parquet => Layout::Parquet,
        DataFormat::Csv => Layout::Delimited { separator: separator(job)?, header: true },
        DataFormat::Fixed => {
            let message = "a fixed-width file does not say where its variables are";
            return Err(job.mistake(part.file.span(), message, "add metadata = \"….rda\""));
        }
    };
    let mut variables: BTreeMap<&str, Variable> = BTreeMap::new();
    for (name, missing) in &part.missing {
        variables.entry(name.get_ref()).or_default().missing.clone_from(missing);
    }
    for (name, &decimals) in &part.decimals {
        if decimals > Decimals::MOST {
            let advice = format!("at most {} decimals are exact", Decimals::MOST);
            return Err(job.mistake(name.span(), "too many decimals", advice));
        }
        variables.entry(name.get_ref()).or_default().decimals = Some(Decimals(decimals));
    }
    let variables = variables
        .into_iter()
        .map(|(name, variable)| Variable { name: name.to_owned(), ..variable })
        .collect();
    Ok(Microdata { path, layout, variables })
}

fn separator(job: &Job) -> Result<u8, Failure> {
    let Some(separator) = &job.file.data.separator else { return Ok(b',') };
    u8::try_from(*separator.get_ref()).ok().filter(u8::is_ascii).ok_or_else(|| {
        let advice = "give one plain character, such as \";\"";
        job.mistake(separator.span(), "this cannot separate fields", advice)
    })
}

type Labels = BTreeMap<String, BTreeMap<String, String>>;

/// The dimensions with their classifications, and the labels of their codes.
fn axes(
    job: &Job,
    data: &Microdata,
    names: &[&str],
    resources: &Resources,
) -> Result<(Vec<Axis>, Labels), Failure> {
    let parts = &job.file.dimension;
    let mut feeding: Vec<&str> = Vec::new();
    for part in parts {
        let variable = part.variable.as_ref().unwrap_or(&part.name);
        job.known(variable, names, "variable")?;
        feeding.push(variable.get_ref());
    }
    let codes = distinct_codes(data, &feeding, resources)?;
    let mut axes: Vec<Axis> = Vec::new();
    let mut labels = Labels::new();
    for ((part, variable), codes) in parts.iter().zip(feeding).zip(&codes) {
        let name = part.name.get_ref();
        if axes.iter().any(|axis| axis.dimension.name == *name) {
            let message = format!("there are two dimensions \"{name}\"");
            return Err(job.mistake(part.name.span(), message, "rename or remove one"));
        }
        axes.push(Axis {
            dimension: Dimension::new(name, classification::hierarchy(job, part, codes)?),
            variable: variable.to_owned(),
            codes: if part.exact_codes { CodeMatch::Exact } else { CodeMatch::Trimmed },
        });
        if let Some(file) = &part.labels {
            labels.insert(name.clone(), classification::labels(&job.locate(file.get_ref()))?);
        }
    }
    Ok((axes, labels))
}

fn check_table(job: &Job, table: &TablePart, all: &[TablePart]) -> Result<(), Failure> {
    let dimensions = table.dimensions.get_ref();
    if dimensions.is_empty() {
        let advice = "name at least one dimension";
        return Err(job.mistake(table.dimensions.span(), "a table without dimensions", advice));
    }
    for (position, name) in dimensions.iter().enumerate() {
        if dimensions[..position].iter().any(|other| other.get_ref() == name.get_ref()) {
            let message = format!("\"{}\" stands twice in one table", name.get_ref());
            return Err(job.mistake(name.span(), message, "name every dimension once"));
        }
    }
    let same = |other: &&TablePart| other.name.get_ref() == table.name.get_ref();
    if all.iter().filter(same).count() > 1 {
        let message = format!("there are two tables \"{}\"", table.name.get_ref());
        return Err(job.mistake(table.name.span(), message, "give every table its own name"));
    }
    Ok(())
}

fn table_plan(job: &Job, table: &TablePart, labels: &Labels) -> Result<TablePlan, Failure> {
    let part = table.rules.as_ref().unwrap_or(&job.file.rules);
    let rules = rules::rules(part, is_weighted(job, table));
    if rules::is_empty(&rules) && table.apriori.is_none() {
        let message =
            format!("\"{}\" has no rules: every cell would be published", table.name.get_ref());
        let advice = "add [rules] with frequency, dominance or p-percent";
        return Err(job.mistake(table.name.span(), message, advice));
    }
    let holdings = part.holdings.is_some() && job.file.data.holding.is_none();
    if holdings {
        let message = "rules for holdings need to know who belongs to which";
        return Err(job.mistake(table.name.span(), message, "add holding = \"…\" to [data]"));
    }
    let measure = match (&table.cost_variable, table.cost.unwrap_or_default()) {
        (Some(_), _) => CostMeasure::Variable,
        (None, CostChoice::Value) => CostMeasure::Value,
        (None, CostChoice::Unity) => CostMeasure::Unity,
        (None, CostChoice::Frequency) => CostMeasure::Frequency,
        (None, CostChoice::Digits) => CostMeasure::Digits,
        (None, CostChoice::Information) => CostMeasure::Information,
        (None, CostChoice::Inverse) => CostMeasure::Inverse,
        (None, CostChoice::RoundedSize) => CostMeasure::RoundedSize,
        (None, CostChoice::Distance) => CostMeasure::Distance(Vec::new()),
    };
    let transformation =
        table.cost_lambda.map_or(Transformation::None, Transformation::from_lambda);
    let apriori = table.apriori.as_ref().map(|part| {
        let file = job.locate(part.file.get_ref());
        let entries =
            hst::parse(&Text::read(&file)?, &part.separator, table.dimensions.get_ref().len())?;
        Ok::<_, Failure>(AprioriPlan {
            entries: hst_entries::entries(&entries),
            file,
            trivial: match part.expand_trivial_levels {
                true => TrivialLevels::Together,
                false => TrivialLevels::Apart,
            },
            ignore_errors: part.ignore_errors,
        })
    });
    let labels = table
        .dimensions
        .get_ref()
        .iter()
        .map(|name| labels.get(name.get_ref()).cloned().unwrap_or_default());
    Ok(TablePlan {
        rules,
        cost: Cost { measure, transformation },
        apriori: apriori.transpose()?,
        labels: labels.collect(),
    })
}

fn equations(job: &Job) -> Result<Vec<ResponseEquation>, Failure> {
    let shown: Vec<&str> = job
        .file
        .table
        .iter()
        .filter_map(|table| table.response.as_ref())
        .map(|name| name.get_ref().as_str())
        .collect();
    let response = |name: &Spanned<String>| {
        job.known(name, &shown, "response of a table")?;
        Ok::<_, Failure>(Response::Variable(name.get_ref().clone()))
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

fn bounds(job: &Job) -> Result<AttackerBounds, Failure> {
    let part = &job.file.attacker;
    Ok(match (part.knows, part.below, part.above) {
        (Some(_), Some(_), _) | (Some(_), _, Some(_)) => {
            return Err(Failure::arguments(
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
