//! From finest cells and contributors to tables with all their totals.

use quell_model::{Budget, Cube, CubeError, Dimension, NodeId};

use super::people::{People, Who};
use super::plan::{Plan, TablePlan};
use super::records::Folded;
use crate::watch::Watch;
use crate::{Attribution, CellSummary, Contributors, Error, Response, Spec, Table};

/// Rolls up all tables.
pub(super) fn tables(
    spec: &Spec,
    plan: &Plan,
    folded: Folded,
    mut people: Vec<(Who, Vec<People>)>,
    budget: &Budget,
) -> Result<Vec<Table>, Error> {
    let mut watch = Watch::new(budget);
    let mut tables = Vec::with_capacity(spec.tables.len());
    for (position, mut cells) in folded.tables.into_iter().enumerate() {
        let (wanted, own) = (&spec.tables[position], &plan.tables[position]);
        let dimensions: Vec<Dimension> = wanted
            .dimensions
            .iter()
            .filter_map(|name| spec.axes.iter().find(|axis| axis.dimension.name == *name))
            .map(|axis| axis.dimension.clone())
            .collect();
        let mut base = std::mem::take(&mut cells.cells);
        base.sort_unstable_by_key(|&(key, _)| key);
        for (who, people) in &mut people {
            let single = &mut people[position].single;
            for (key, summary) in &mut base {
                watch.step()?;
                if let Some(contributors) = single.take(*key) {
                    contributors_of(summary, *who, &contributors);
                }
            }
        }
        let nodes = |key: u64| coordinates(own, &dimensions, key);
        let base: Vec<(Vec<NodeId>, CellSummary)> =
            base.into_iter().map(|(key, summary)| (nodes(key), summary)).collect();
        let failed = |error| match error {
            CubeError::Stopped(stop) => Error::Stopped(stop),
            source => Error::Cube { table: wanted.name.clone(), source },
        };
        let (cube, mut summaries) =
            Cube::roll_up_within(dimensions.clone(), base, budget).map_err(failed)?;
        for (who, people) in &people {
            for (key, contributors) in &people[position].spread.cells {
                watch.step()?;
                if let Some(cell) = cube.find(&nodes(*key)) {
                    contributors_of(&mut summaries[cell.index()], *who, contributors);
                }
            }
        }
        let counts_weights = wanted.weighted && wanted.response == Response::Frequency;
        tables.push(Table {
            name: wanted.name.clone(),
            response: wanted.response.clone(),
            weighted: wanted.weighted,
            decimals: if counts_weights {
                plan.weight_decimals()
            } else {
                plan.decimals(own.response)
            },
            shadow_decimals: plan.decimals(own.shadow),
            weight_decimals: plan.weight_decimals(),
            cost_decimals: plan.decimals(own.cost),
            attribution: Attribution::Named,
            has_shadow: own.shadow != own.response,
            missing_codes: own.axes.iter().map(|&axis| plan.axes[axis].missing.clone()).collect(),
            cube,
            cells: summaries,
        });
    }
    Ok(tables)
}

/// Adds contributors to a cell.
fn contributors_of(summary: &mut CellSummary, who: Who, contributors: &Contributors) {
    match who {
        Who::Respondents => summary.respondents += contributors,
        Who::Holdings => {
            if let Some(holdings) = &mut summary.holdings {
                **holdings += contributors;
            }
        }
    }
}

/// The codes of a cell by its number.
fn coordinates(table: &TablePlan, dimensions: &[Dimension], key: u64) -> Vec<NodeId> {
    let steps = dimensions.iter().zip(&table.strides);
    steps
        .map(|(dimension, stride)| (key / stride % dimension.hierarchy.len() as u64) as NodeId)
        .collect()
}
