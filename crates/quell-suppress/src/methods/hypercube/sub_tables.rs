//! Boxes in tables with hierarchies: sub-table by sub-table, from the top.

use quell_model::{CellId, Direction, Pattern, Requirement};
use rustc_hash::FxHashMap;

use super::boxes::{Boxes, NO_SUM, SubTable};
use crate::{Task, requirements};

/// A cell that must be able to move in one sub-table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Demand {
    /// How far from the top: the number of codes above its own, over all dimensions.
    depth: usize,
    /// The larger, the earlier: its box then serves the smaller.
    smallness: std::cmp::Reverse<i64>,
    requirement: Requirement,
    sub_table: SubTable,
}

/// Protects all requirements by boxes. Gives the pattern and the requirements of primaries for
/// which there is no box.
///
/// Corners of a box in other sub-tables are demands of the next round, as secondaries that
/// belong to several sub-tables are in the literature, until no demand is left: demands
/// only grow, up to the largest level, so the rounds end.
pub(super) fn protect(task: &Task, boxes: &mut Boxes) -> (Pattern, Vec<Requirement>) {
    let problem = task.problem;
    let mut pattern = Pattern::of_primaries(problem);
    let mut met: FxHashMap<(CellId, Direction, SubTable), i64> = FxHashMap::default();
    let mut unmet = Vec::new();
    let mut demands: Vec<Demand> = requirements(problem)
        .iter()
        .flat_map(|requirement| demands_of(boxes, requirement))
        .collect();
    let mut round = 0;
    while !demands.is_empty() {
        round += 1;
        task.progress.stage(&format!("boxes, round {round}"), Some(demands.len() as u64));
        demands.sort_unstable();
        let mut next = Vec::new();
        for Demand { requirement, sub_table, .. } in demands {
            task.progress.advance(1);
            let key = (requirement.cell, requirement.direction, sub_table);
            if met.get(&key).is_some_and(|&amount| amount >= requirement.distance) {
                continue;
            }
            let sub_table = key.2;
            let cost = |cell| match pattern.is_suppressed(cell) {
                true => 0.0,
                false => problem.weight(cell),
            };
            let Some(corners) = boxes.cheapest_box(&requirement, &sub_table, &cost) else {
                if problem.status(requirement.cell).is_primary() {
                    unmet.push(requirement);
                }
                met.insert(
                    (requirement.cell, requirement.direction, sub_table),
                    requirement.distance,
                );
                continue;
            };
            for corner in corners {
                pattern.suppress(corner.cell);
                let moved =
                    Requirement { cell: corner.cell, direction: corner.direction, ..requirement };
                let slot = met.entry((moved.cell, moved.direction, sub_table.clone())).or_insert(0);
                *slot = (*slot).max(requirement.distance);
                let elsewhere = demands_of(boxes, &moved);
                next.extend(elsewhere.filter(|demand| demand.sub_table != sub_table));
            }
        }
        next.retain(|demand| {
            let key =
                (demand.requirement.cell, demand.requirement.direction, demand.sub_table.clone());
            met.get(&key).is_none_or(|&amount| amount < demand.requirement.distance)
        });
        demands = next;
    }
    task.budget.spend(boxes.searches());
    unmet.sort_unstable();
    unmet.dedup();
    (pattern, unmet)
}

/// A requirement as demands, one for each sub-table of its cell.
fn demands_of<'a>(
    boxes: &Boxes<'a>,
    requirement: &Requirement,
) -> impl Iterator<Item = Demand> + use<'a> {
    let cube = boxes.cube();
    let requirement = *requirement;
    let mut sub_tables: Vec<SubTable> = vec![Vec::new()];
    let mut depth = 0;
    for (position, dimension) in cube.dimensions().iter().enumerate() {
        let code = cube.coordinate(requirement.cell, position);
        depth += dimension.hierarchy.ancestors(code).len();
        let sums: Vec<u32> = match dimension.hierarchy.sums() {
            [] => vec![NO_SUM],
            _ => {
                let (above, below) =
                    (dimension.hierarchy.part_of(code), dimension.hierarchy.total_of(code));
                above.iter().chain(below).copied().collect()
            }
        };
        let longer = |sub_table: &SubTable| {
            let sub_table = sub_table.clone();
            let with = |&sum: &u32| sub_table.iter().copied().chain([sum]).collect::<SubTable>();
            sums.iter().map(with).collect::<Vec<_>>()
        };
        sub_tables = sub_tables.iter().flat_map(longer).collect();
    }
    sub_tables.into_iter().map(move |sub_table| Demand {
        depth,
        smallness: std::cmp::Reverse(requirement.distance),
        requirement,
        sub_table,
    })
}
