//! What every safe pattern must meet: what a lower bound may rest on.

use quell_model::{ContributorId, Knowing, Requirement};

use crate::search::kelly_program::KellyProgram;
use crate::search::mover::Mover;
use crate::search::requirements::{level_of, necessary_part};
use crate::{Error, Task};

/// Single contributors whose requirements are asked for, for each primary at most: those with whole
/// cells in its equations.
const CONTRIBUTORS: usize = 3;

/// What every safe pattern must meet of some requirements: the levels, in the eyes of the outsider
/// and of single contributors. (That a whole class cannot rule a movement out is more than need be.)
pub(crate) fn necessary(
    task: &Task,
    requirements: &[Requirement],
) -> Result<Vec<Requirement>, Error> {
    let problem = task.problem;
    let mut levels: Vec<Requirement> = requirements
        .iter()
        .filter_map(|requirement| level_of(problem, &requirement.knowing(Knowing::Nothing)))
        .collect();
    levels.sort_unstable();
    levels.dedup();
    let Some(contributions) = problem.contributions() else { return Ok(levels) };
    let mut all = levels.clone();
    // Of contributors that are listed it is known already that they can be met.
    if problem.insiders().is_some() {
        let insiders = requirements.iter().filter(|one| one.knowing != Knowing::Nothing);
        all.extend(insiders.filter_map(|one| necessary_part(problem, one)));
        return Ok(all);
    }
    let mut program = KellyProgram::new(problem, task.budget)?;
    for level in levels {
        let mut owners: Vec<ContributorId> = (problem.system().equations_of(level.cell))
            .flat_map(|(equation, _)| problem.system().cells_of(equation))
            .filter(|&(cell, _)| problem.status(cell).is_primary() && cell != level.cell)
            .filter_map(|(cell, _)| contributions.only_contributor(cell))
            .filter(|&owner| contributions.only_contributor(level.cell) != Some(owner))
            .collect();
        owners.sort_unstable();
        owners.dedup();
        for owner in owners.into_iter().take(CONTRIBUTORS) {
            let Some(level) = problem.in_eyes_of(level, Knowing::Contributor(owner)) else {
                continue;
            };
            if task.budget.is_over() {
                return Ok(all);
            }
            // What cannot be met is met by no pattern, and says nothing of the cost.
            if program.cheapest(&level, &|_| 0.0)?.is_some() {
                all.push(level);
            }
        }
    }
    Ok(all)
}
