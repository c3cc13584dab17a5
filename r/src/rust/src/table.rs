//! One table in memory: audited, suppressed, adjusted, unpicked, compared.

use std::path::PathBuf;

use extendr_api::prelude::*;
use quell::adjust::{AdjustRequest, options::AdjustOptions};
use quell::audit::AuditOptions;
use quell::compare::CompareOptions;
use quell::job::classification::read_tree;
use quell::job::file::RulesPart;
use quell::job::rules::rules;
use quell::suppress::SuppressOptions;
use quell::text::UnpickReport;
use quell::{
    ArrowTable, Context, ContributorAttackers, Pattern, TableColumns, TableDimension, TableVerdict,
};
use quell_formats::hierarchy::{CodeTree, merge};
use serde::Deserialize;

use crate::call::{Done, Limits, call};
use crate::failure::{Failure, answer};
use crate::frames::{batch, columns};
use crate::values::{json, robj};

extendr_module! {
    mod table;
    fn table_new;
    fn table_facts;
    fn table_cells;
    fn table_audit;
    fn table_suppress;
    fn table_adjust;
    fn table_compare;
    fn table_unpick;
    fn table_write;
}

/// A dimension as R says it: the column of its codes, the code of the total, and the files of its
/// hierarchies.
#[derive(Deserialize)]
struct DimensionOf {
    column: String,
    total: String,
    hierarchies: Vec<PathBuf>,
}

impl DimensionOf {
    fn library(self) -> Result<TableDimension, quell::Error> {
        let Self { column, total, hierarchies } = self;
        let trees = hierarchies.iter().map(|file| read_tree(file, "@"));
        let trees = trees.collect::<Result<Vec<CodeTree>, quell::Error>>()?;
        let hierarchy = match trees.as_slice() {
            [] => None,
            [only] => Some(only.to_hierarchy(&total)?),
            several => Some(merge(several, &total)?),
        };
        Ok(TableDimension { column, hierarchy, total })
    }
}

/// Which columns are what.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ColumnsOf {
    dimensions: Vec<DimensionOf>,
    value: Option<String>,
    status: Option<String>,
    frequency: Option<String>,
    top: Vec<String>,
    cost: Option<String>,
    lower: Option<String>,
    upper: Option<String>,
    decimals: Option<u8>,
    rules: Option<RulesPart>,
    contributors: Option<bool>,
}

impl ColumnsOf {
    fn library(self) -> Result<TableColumns, quell::Error> {
        let dimensions = self.dimensions.into_iter().map(DimensionOf::library);
        Ok(TableColumns {
            dimensions: dimensions.collect::<Result<_, quell::Error>>()?,
            value: self.value,
            status: self.status,
            contributors: self.frequency,
            cost: self.cost,
            largest: self.top,
            lower_level: self.lower,
            upper_level: self.upper,
            decimals: self.decimals,
            rules: self.rules.map(|part| rules(&part, false)),
            contributor_attackers: ContributorAttackers::of(self.contributors),
            ..TableColumns::default()
        })
    }
}

/// A value of R as one of the library.
fn read<T: for<'a> Deserialize<'a>>(value: &Robj, advice: &str) -> Result<T, Failure> {
    serde_json::from_value(json(value)?).map_err(|error| Failure::misuse(error.to_string(), advice))
}

/// A table.
#[extendr]
fn table_new(frame: Robj, of: Robj) -> Robj {
    answer(|| {
        let of: ColumnsOf = read(&of, "see the help of sdc_table()")?;
        let table = ArrowTable::from_batches(&[batch(&frame)?], &of.library()?)?;
        Ok(ExternalPtr::new(table).into())
    })
}

fn held(pointer: &Robj) -> Result<&ArrowTable, Failure> {
    let held: &ExternalPtr<ArrowTable> = pointer
        .try_into()
        .map_err(|_| Failure::misuse("this table is gone: R cannot save one", "make it again"))?;
    Ok(held)
}

/// Cells, equations and primaries.
#[extendr]
fn table_facts(table: Robj) -> Robj {
    answer(|| {
        let problem = held(&table)?.problem();
        let equations = problem.system().equation_count() as f64;
        let primaries = problem.primaries().count() as f64;
        let cells = problem.cell_count() as f64;
        Ok(list!(cells = cells, equations = equations, primaries = primaries).into_robj())
    })
}

/// The table with its own statuses, hidden values missing; or with all its values.
#[extendr]
fn table_cells(table: Robj, confidential: bool) -> Robj {
    answer(|| {
        let table = held(&table)?;
        let pattern = match confidential {
            true => Pattern::none(table.problem()),
            false => table.pattern(),
        };
        columns(&table.released(&pattern))
    })
}

/// Whether every sensitive cell is safe, with what was found of each.
#[extendr]
fn table_audit(
    table: Robj,
    limits: List,
    contributors: bool,
    intervals: bool,
    progress: Robj,
) -> Robj {
    answer(|| {
        let table = held(&table)?;
        let (problem, pattern) = (table.problem(), table.pattern());
        let options = AuditOptions { contributors, intervals };
        let audit = |context: &Context<'_>| quell::audit(problem, &pattern, &options, context);
        let found = call(Limits::of(&limits)?.budget(), &progress, audit)?.value;
        let intervals = match found.interval_batch(problem)? {
            Some(intervals) => columns(&intervals)?,
            None => ().into_robj(),
        };
        Ok(list!(
            verdict = found.verdict().word(),
            safe = found.verdict() == TableVerdict::Safe,
            primaries = columns(&found.primaries(problem)?)?,
            intervals = intervals,
            text = found.report(problem, &pattern).text()
        )
        .into_robj())
    })
}

/// Hides further cells until every sensitive one is safe.
#[extendr]
fn table_suppress(table: Robj, limits: List, method: &str, progress: Robj) -> Robj {
    answer(|| {
        let (table, limits) = (held(&table)?, Limits::of(&limits)?);
        let search_time = limits.usual_search_time();
        let options = SuppressOptions { method: method.to_owned(), search_time };
        let suppress = |context: &Context<'_>| quell::suppress(table.problem(), &options, context);
        let Done { value, interrupted } = call(limits.budget(), &progress, suppress)?;
        Ok(list!(
            verdict = value.verdict().word(),
            safe = value.verdict() == TableVerdict::Safe,
            summary = robj(&value.summary)?,
            notes = value.notes.clone(),
            cells = columns(&table.released(value.pattern()))?,
            interrupted = interrupted
        )
        .into_robj())
    })
}

/// Moves values: the adjusted table, whether it is safe, and what came of it.
#[extendr]
fn table_adjust(table: Robj, limits: List, method: &str, options: Robj, progress: Robj) -> Robj {
    answer(|| {
        let (table, limits) = (held(&table)?, Limits::of(&limits)?);
        let wanted: AdjustOptions = read(&options, "docs/adjust.md lists the options")?;
        let request = AdjustRequest {
            method: method.to_owned(),
            options: wanted.options(table.problem())?,
            attack: false,
            search_time: limits.usual_search_time(),
        };
        let adjust = |context: &Context<'_>| quell::adjust(table.problem(), &request, context);
        let adjusted = call(limits.budget(), &progress, adjust)?.value;
        Ok(list!(
            safe = adjusted.is_safe(),
            summary = robj(&adjusted.summary)?,
            cells = columns(&table.adjusted(&adjusted.values)?)?
        )
        .into_robj())
    })
}

/// Several methods with the same limits.
#[extendr]
fn table_compare(table: Robj, limits: List, methods: Vec<String>, progress: Robj) -> Robj {
    answer(|| {
        let (table, limits) = (held(&table)?, Limits::of(&limits)?);
        let options = CompareOptions {
            methods,
            time: limits.time(),
            search_time: limits.usual_search_time(),
            work: limits.work(),
        };
        let compare = |context: &Context<'_>| quell::compare(table.problem(), &options, context);
        robj(&call(limits.without_time(), &progress, compare)?.value)
    })
}

/// What falls by subtraction alone, in words.
#[extendr]
fn table_unpick(table: Robj) -> Robj {
    answer(|| {
        let table = held(&table)?;
        let (problem, pattern) = (table.problem(), table.pattern());
        let unpicked = quell::unpick(problem, &pattern, &Context::default());
        Ok(UnpickReport::new(problem, &pattern, &unpicked).text().into_robj())
    })
}

/// Writes it with all values as a JJ file or a pair of CSV files.
#[extendr]
fn table_write(table: Robj, path: &str) -> Robj {
    answer(|| {
        quell::table_file::write(path.as_ref(), held(&table)?.problem())?;
        Ok(().into_robj())
    })
}
