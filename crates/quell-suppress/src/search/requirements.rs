//! What must be protected: how far each primary must be able to move.

use quell_attack::{CandidateAlgorithm, ExposureSets};
use quell_model::{CellId, Class, Direction, Knowing, Problem, Requirement, Value};

use crate::{Error, Task};

/// All requirements of a problem, primary by primary, upper before lower as in Kelly's
/// incremental model (serpell-2011, figure 1).
///
/// A sliding level that the two others do not cover yet is added to the upper side as far
/// as the attacker's bounds let the cell rise, the rest to the lower one: a choice that is
/// safe, though another split might be cheaper.
pub fn requirements(problem: &Problem) -> Vec<Requirement> {
    problem.primaries().flat_map(|cell| of_primary(problem, cell)).collect()
}

/// The requirements of a problem in the eyes of all its attackers. Where contributors are among
/// them, each is one for either class of them, which includes the outsider: what holds for someone
/// who knows more holds for him as well. If the problem lists the contributors to look at, each is
/// one for the outsider and one for everybody who attacks its primary.
pub fn requirements_for_all(problem: &Problem) -> Vec<Requirement> {
    in_all_eyes(problem, requirements(problem))
}

/// Who the attackers of every primary are: two classes of contributors, or the outsider alone.
pub(crate) fn attackers(problem: &Problem) -> &'static [Knowing] {
    match (problem.contributions(), problem.insiders()) {
        (Some(_), None) => &[Knowing::Class(Class::First), Knowing::Class(Class::Second)],
        _ => &[Knowing::Nothing],
    }
}

/// Those who are looked at as attackers of one primary by themselves.
fn insiders_of(problem: &Problem, cell: CellId) -> impl Iterator<Item = Knowing> {
    let listed = problem.insiders().unwrap_or_default();
    let first = listed.partition_point(|&(attacked, _)| attacked < cell);
    let own = listed[first..].iter().take_while(move |&&(attacked, _)| attacked == cell);
    own.map(|&(_, who)| Knowing::Contributor(who))
}

/// Requirements in the eyes of all attackers.
pub(crate) fn in_all_eyes(problem: &Problem, requirements: Vec<Requirement>) -> Vec<Requirement> {
    let in_eyes = |requirement: Requirement| {
        let insiders = insiders_of(problem, requirement.cell);
        let all = attackers(problem).iter().copied().chain(insiders);
        all.filter_map(move |knowing| problem.in_eyes_of(requirement, knowing))
    };
    requirements.into_iter().flat_map(in_eyes).collect()
}

/// The part of a requirement that every pattern safe from its attacker meets, as [`level_of`]; what
/// is asked in the eyes of a whole class is more than need be.
pub(crate) fn necessary_part(problem: &Problem, requirement: &Requirement) -> Option<Requirement> {
    let level = level_of(problem, requirement)?;
    match requirement.knowing {
        Knowing::Class(_) => None,
        knowing => problem.in_eyes_of(level, knowing),
    }
}

/// A requirement and what can still be done for its primary if it cannot be met: without what the
/// sliding level adds to it, and in the eyes of the outsider only. (Single contributors are then
/// left to the repair: what no class lets move may move for each of its members.)
pub(crate) fn or_less(
    problem: &Problem,
    requirement: Requirement,
) -> impl Iterator<Item = Requirement> {
    let outside = requirement.knowing(Knowing::Nothing);
    let outside = (outside != requirement).then_some(outside);
    let of_outsider = outside.and_then(|outside| level_of(problem, &outside));
    [Some(requirement), level_of(problem, &requirement), outside, of_outsider].into_iter().flatten()
}

/// The requirements of the candidates that an algorithm of serpell-2013 (figure 4) finds; `None`:
/// of all primaries.
///
/// # Errors
/// If the solver fails.
pub(crate) fn candidate_requirements(
    task: &Task,
    algorithm: Option<CandidateAlgorithm>,
) -> Result<Vec<Requirement>, Error> {
    let mut requirements = requirements(task.problem);
    if let Some(algorithm) = algorithm {
        let sets = ExposureSets::find(task.problem, task.budget, task.progress)?;
        let candidates = sets.candidates(algorithm);
        requirements.retain(|requirement| candidates.contains(&requirement.cell));
    }
    Ok(requirements)
}

/// The part of a requirement that every safe pattern meets: the lower or upper level. How a pattern
/// makes up for a sliding level is its own choice, so a bound may not rest on that; and where
/// the sliding level is out of reach, this is what can still be done for the primary.
pub(crate) fn level_of(problem: &Problem, requirement: &Requirement) -> Option<Requirement> {
    let levels = problem.protection(requirement.cell);
    let distance = match requirement.direction {
        Direction::Up => levels.upper,
        Direction::Down => levels.lower,
    };
    (distance > 0).then_some(Requirement { distance, ..*requirement })
}

/// The requirements of one primary.
pub(crate) fn of_primary(problem: &Problem, cell: CellId) -> impl Iterator<Item = Requirement> {
    of_split(problem, cell, 1.0)
}

/// The requirements of one primary in several splits of its sliding level, that of [`requirements`]
/// first; only that one if the two other levels cover it.
pub(crate) fn splits(
    problem: &Problem,
    cell: CellId,
) -> impl Iterator<Item = impl Iterator<Item = Requirement>> {
    let shares: &[f64] = if missing(problem, cell) > 0 { &SPLITS } else { &SPLITS[..1] };
    shares.iter().map(move |&share| of_split(problem, cell, share))
}

/// Shares of what a sliding level asks beyond the others that the upper side is asked for.
const SPLITS: [f64; 5] = [1.0, 0.0, 0.5, 0.75, 0.25];

/// What a sliding level asks beyond the two others.
fn missing(problem: &Problem, cell: CellId) -> Value {
    let levels = problem.protection(cell);
    levels.sliding.saturating_sub(levels.lower.saturating_add(levels.upper)).max(0)
}

/// The requirements of one primary if the upper side takes a share of what the sliding level asks
/// beyond the others, the lower side the rest, and each what the other has no room for.
fn of_split(problem: &Problem, cell: CellId, share: f64) -> impl Iterator<Item = Requirement> {
    let (levels, missing) = (problem.protection(cell), missing(problem, cell));
    let room_up = problem.room_up(cell).saturating_sub(levels.upper).max(0);
    let room_down = problem.room_down(cell).saturating_sub(levels.lower).max(0);
    let wished = ((missing as f64 * share) as Value).min(room_up);
    let below = room_down.min(missing - wished);
    let above = room_up.min(missing - below);
    let requirements = [
        (Direction::Up, levels.upper.saturating_add(above)),
        (Direction::Down, levels.lower.saturating_add(below)),
    ];
    requirements
        .into_iter()
        .filter(|&(_, distance)| distance > 0)
        .map(move |(direction, distance)| Requirement::new(cell, direction, distance))
}
