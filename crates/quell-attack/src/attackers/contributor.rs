//! The attacker who is himself a contributor: a firm, or a holding with all its firms.
//!
//! He knows his own part of every cell: the value of cells to which nobody else contributes, and
//! the least that others can be (see [`Contributions`]). To him the movements that prove a primary
//! safe from the outsider are no proof if they contradict what he knows. So every primary is
//! audited again for each contributor who could refute its proof:
//!
//! 1. a movement that nobody refutes is a proof against everybody: most primaries end here;
//! 2. *groups*: what half of the others know is held still at once, in several ways of halving
//!    them: a movement found then is a proof against that half;
//! 3. what is left is proven for each contributor by himself, exactly.
//!
//! The only contributor of a primary knows it anyway and is no attacker of it. Who contributes to a
//! primary besides others knows that it is no less than his part, whatever is hidden; so that is as
//! far as it must be able to fall in his eyes, if its level asks for more.

use quell_model::{
    Budget, CellId, Certificate, Contributions, ContributorId, Direction, Knowing, Pattern,
    Problem, Progress, Protection, Requirement, Value,
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::sums::{SumFinding, sum_attack};
use crate::audit::{Audit, AuditError, End, Finding, Verdict, findings};
use crate::proof::prove::{Proven, Table, Thoroughness, settle};
use crate::view::{Start, View, tighten};

/// For someone who attacks few primaries, in components of up to this many cells: straight to linear
/// programs. Movements for many primaries at once would be a waste.
const PROGRAM_CELLS: usize = 4_000;

/// What is few.
const FEW_VICTIMS: usize = 12;

/// Ways of halving the contributors that are tried for all primaries in doubt at once.
const HALVINGS: u32 = 4;

/// A primary that a contributor can learn too much about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContributorFinding {
    /// The attacker.
    pub attacker: ContributorId,
    /// A hidden cell of the attacker: one of which he is the only contributor, if there is one.
    pub own_cell: CellId,
    /// What he can learn of another cell.
    pub finding: Finding,
}

/// What contributors can learn beyond the outside attacker.
#[derive(Debug, Clone, Default)]
pub struct ContributorAttack {
    /// Hidden cells with a single contributor.
    pub singletons: usize,
    /// Contributors who know something of hidden cells.
    pub attackers: usize,
    /// Pairs of a contributor and a primary whose proof against the outsider he refutes.
    pub pairs: usize,
    /// Pairs in which the primary is not safe (or not proven safe) from the contributor,
    /// though it is from the outside attacker.
    pub unsafe_pairs: Vec<ContributorFinding>,
    /// Sums of hidden cells that are sensitive and not proven safe.
    pub unsafe_sums: Vec<SumFinding>,
}

impl ContributorAttack {
    /// Whether nothing was found beyond what the outsider can learn.
    pub fn is_safe(&self) -> bool {
        self.unsafe_pairs.is_empty() && self.unsafe_sums.is_empty()
    }
}

/// Contributors with primaries that were proven safe from them. They stay safe when more is hidden.
#[derive(Debug, Clone, Default)]
pub struct SafePairs {
    pairs: FxHashSet<(ContributorId, CellId)>,
}

/// Attacks `problem` as each single contributor, and by the sums of hidden cells; `audit` is the
/// outside attacker's audit of the same pattern. Does nothing if the problem's contributions are
/// not known.
///
/// # Errors
/// If the solver fails.
pub fn contributor_attack(
    problem: &Problem,
    pattern: &Pattern,
    audit: &Audit,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<ContributorAttack, AuditError> {
    contributor_attack_again(problem, pattern, audit, &mut SafePairs::default(), budget, progress)
}

/// Primaries of a problem that are safe from the outsider, each with a contributor who might see
/// through its proofs, rising. What is not among these pairs is proven; of those that are many may be
/// safe, for nobody is looked at by himself.
///
/// # Errors
/// If the solver fails.
pub fn contributor_suspects(
    problem: &Problem,
    pattern: &Pattern,
    audit: &Audit,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Vec<(CellId, ContributorId)>, AuditError> {
    let Some(contributions) = problem.contributions() else { return Ok(Vec::new()) };
    progress.stage("contributors", None);
    let mut attack = Attack::new(problem, contributions, pattern, audit, budget);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(budget.threads()).build();
    match pool {
        Ok(pool) => pool.install(|| attack.in_halves(budget))?,
        Err(_) => attack.in_halves(budget)?,
    }
    let mut suspects: Vec<_> = attack.pairs().map(|(who, cell)| (cell, who)).collect();
    suspects.sort_unstable();
    Ok(suspects)
}

/// The same as [`contributor_attack`], with what is known of patterns that hide less; what is found out is added to it.
///
/// # Errors
/// If the solver fails.
pub fn contributor_attack_again(
    problem: &Problem,
    pattern: &Pattern,
    audit: &Audit,
    known: &mut SafePairs,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<ContributorAttack, AuditError> {
    let Some(contributions) = problem.contributions() else {
        return Ok(ContributorAttack::default());
    };
    progress.stage("contributors", None);
    let mut attack = Attack::new(problem, contributions, pattern, audit, budget);
    let pairs = attack.doubts.values().map(Vec::len).sum();
    attack.forget(known);
    let asked: Vec<(ContributorId, CellId)> = attack.pairs().collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(budget.threads()).build();
    let mut prove = || {
        attack.in_halves(budget)?;
        attack.one_by_one(budget, progress)
    };
    let unsafe_pairs = match pool {
        Ok(pool) => pool.install(prove)?,
        Err(_) => prove()?,
    };
    let is_open = |pair: &(ContributorId, CellId)| {
        let key = |own: &ContributorFinding| (own.attacker, own.finding.cell);
        unsafe_pairs.binary_search_by_key(pair, key).is_ok()
    };
    known.pairs.extend(asked.into_iter().filter(|pair| !is_open(pair)));
    let shares = pattern.suppressed().flat_map(|cell| contributions.shares(cell));
    let attackers: FxHashSet<ContributorId> = shares.map(|share| share.contributor).collect();
    let is_single = |&cell: &CellId| contributions.count(cell) == 1;
    Ok(ContributorAttack {
        singletons: pattern.suppressed().filter(is_single).count(),
        attackers: attackers.len(),
        pairs,
        unsafe_pairs,
        unsafe_sums: sum_attack(problem, pattern, budget, progress)?,
    })
}

/// A movement as a proof that a primary can move as far as it must.
#[derive(Clone, Copy)]
struct Proof<'a> {
    certificate: &'a Certificate,
    primary: CellId,
    /// How far it must move, in the outsider's eyes; none if that is not known.
    required: Option<Value>,
}

impl Proof<'_> {
    /// Whether someone can rule the movement out because of what he contributes to a cell. Less of
    /// it is a proof as well, if the primary need not move as far.
    fn is_refuted_at(&self, problem: &Problem, cell: CellId, attacker: ContributorId) -> bool {
        let amount = self.certificate.amount(cell);
        if amount == 0 {
            return false;
        }
        let knowing = Knowing::Contributor(attacker);
        let of = |amount: i128| if amount > 0 { Direction::Up } else { Direction::Down };
        let seen = |cell: CellId, amount: i128| {
            let requirement = Requirement::new(cell, of(amount), 0).knowing(knowing);
            problem.room_for(&requirement, cell, of(amount))
        };
        let room = seen(cell, amount);
        if room == Value::MAX {
            return false;
        }
        let (room, denominator) = (i128::from(room), i128::from(self.certificate.denominator));
        let moved = self.certificate.amount(self.primary);
        let needed = self.required.map(|required| required.min(seen(self.primary, moved)));
        let whole = amount.abs() <= room.saturating_mul(denominator);
        let enough = needed.is_some_and(|needed| {
            // The share of the movement that is needed: needed · denominator / moved.
            let product = |one: i128, other: i128| one.checked_mul(other);
            match (product(amount.abs(), needed.into()), product(room, moved.abs())) {
                (Some(asked), Some(left)) => asked <= left,
                _ => false,
            }
        });
        !(whole || enough)
    }
}

/// Those who can rule out a movement of a primary, rising, but not who knows it anyway.
fn refuters(
    problem: &Problem,
    contributions: &Contributions,
    proof: Proof<'_>,
) -> Vec<ContributorId> {
    let owner = contributions.only_contributor(proof.primary);
    let mut found: Vec<ContributorId> = Vec::new();
    for &(cell, _) in &proof.certificate.movement {
        let who = contributions.shares(cell).iter().map(|share| share.contributor);
        found.extend(
            who.filter(|&who| Some(who) != owner && proof.is_refuted_at(problem, cell, who)),
        );
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A primary, and who refutes its proof.
type Doubted = (CellId, Vec<ContributorId>);

/// The state of an attack.
struct Attack<'a> {
    problem: &'a Problem,
    contributions: &'a Contributions,
    pattern: &'a Pattern,
    table: Table<'a>,
    components: Vec<View>,
    component_of: FxHashMap<CellId, usize>,
    /// For primaries that the outsider cannot learn: who refutes all proofs so far, rising.
    doubts: FxHashMap<CellId, Vec<ContributorId>>,
}

impl<'a> Attack<'a> {
    fn new(
        problem: &'a Problem,
        contributions: &'a Contributions,
        pattern: &'a Pattern,
        audit: &Audit,
        budget: &Budget,
    ) -> Self {
        let mut hidden = View::new(problem, pattern);
        tighten(&mut hidden, Start::Everywhere, |_, _| ());
        let components = hidden.components();
        let mut component_of: FxHashMap<CellId, usize> = FxHashMap::default();
        for (number, component) in components.iter().enumerate() {
            component_of.extend(component.cells().iter().map(|&cell| (cell, number)));
        }
        let table = Table::new(problem);
        let doubts = FxHashMap::default();
        let mut attack =
            Self { problem, contributions, pattern, table, components, component_of, doubts };
        // Of primaries that there is no time for nothing is proven, whoever looks.
        let anyone = pattern.suppressed().flat_map(|cell| contributions.shares(cell)).next();
        let anyone: Vec<ContributorId> =
            anyone.map(|share| share.contributor).into_iter().collect();
        for finding in audit.primaries.iter().filter(|one| one.verdict == Verdict::Safe) {
            let doubted = match budget.stop() {
                None => attack.doubted(finding, &audit.certificates),
                Some(_) => anyone.clone(),
            };
            if !doubted.is_empty() {
                attack.doubts.insert(finding.cell, doubted);
            }
        }
        attack
    }

    /// Who refutes the proof of a safe primary.
    fn doubted(&self, finding: &Finding, certificates: &[Certificate]) -> Vec<ContributorId> {
        let levels = finding.down.required.saturating_add(finding.up.required);
        let of = |end: &End| {
            let certificate = end.certificate.map(|number| &certificates[number]);
            // Where a sliding level asks for more than both ends, nothing can be spared.
            let required = (finding.width <= levels).then_some(end.required);
            certificate.map_or(Vec::new(), |certificate| {
                let proof = Proof { certificate, primary: finding.cell, required };
                refuters(self.problem, self.contributions, proof)
            })
        };
        let (mut all, up) = (of(&finding.down), of(&finding.up));
        all.extend(up);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Leaves out what is known to be safe.
    fn forget(&mut self, known: &SafePairs) {
        self.doubts.retain(|&cell, doubts| {
            doubts.retain(|&who| !known.pairs.contains(&(who, cell)));
            !doubts.is_empty()
        });
    }

    /// Contributors with primaries that they may learn too much of, in no order.
    fn pairs(&self) -> impl Iterator<Item = (ContributorId, CellId)> {
        self.doubts.iter().flat_map(|(&cell, doubts)| doubts.iter().map(move |&who| (who, cell)))
    }

    /// Primaries with doubts, rising.
    fn victims(&self) -> Vec<CellId> {
        let mut victims: Vec<CellId> = self.doubts.keys().copied().collect();
        victims.sort_unstable();
        victims
    }

    /// Holds still what half of the contributors know, and proves what can be proven then.
    fn in_halves(&mut self, budget: &Budget) -> Result<(), AuditError> {
        for halving in 0..2 * HALVINGS {
            if budget.stop().is_some() {
                return Ok(());
            }
            let is_held = |who: ContributorId| {
                (scattered(who) >> (halving / 2)) & 1 == u64::from(halving % 2)
            };
            let wanted: Vec<CellId> = self
                .victims()
                .into_iter()
                .filter(|cell| {
                    let owner = self.contributions.only_contributor(*cell);
                    !owner.is_some_and(is_held) && self.doubts[cell].iter().any(|&who| is_held(who))
                })
                .collect();
            // As many programs for each by himself take no longer.
            if wanted.len() <= 2 {
                continue;
            }
            let mut numbers: Vec<usize> =
                wanted.iter().filter_map(|cell| self.component_of.get(cell)).copied().collect();
            numbers.sort_unstable();
            numbers.dedup();
            let proven: Vec<Result<Vec<Doubted>, AuditError>> = numbers
                .par_iter()
                .map(|&number| self.with_half(&self.components[number], &wanted, &is_held, budget))
                .collect();
            for proven in proven {
                for (cell, refuters) in proven? {
                    if let Some(doubts) = self.doubts.get_mut(&cell) {
                        doubts.retain(|who| refuters.binary_search(who).is_ok());
                    }
                }
            }
            self.doubts.retain(|_, doubts| !doubts.is_empty());
        }
        Ok(())
    }

    /// The wanted primaries of a component that are safe from those who are held, each with those
    /// who refute this proof.
    fn with_half(
        &self,
        component: &View,
        wanted: &[CellId],
        is_held: &dyn Fn(ContributorId) -> bool,
        budget: &Budget,
    ) -> Result<Vec<Doubted>, AuditError> {
        let mut view = component.clone();
        for position in 0..view.len() {
            let cell = view.cell(position);
            let is_primary = self.problem.status(cell).is_primary();
            for share in self.contributions.shares(cell).iter().filter(|s| is_held(s.contributor)) {
                // How far a primary can fall must not be limited where it is the one in question.
                if self.contributions.count(cell) == 1 || !is_primary {
                    narrow(self.problem, &mut view, position, share.contributor);
                }
            }
        }
        tighten(&mut view, Start::Everywhere, |_, _| ());
        let mut proven = Vec::new();
        let is_wanted = |cell: CellId| wanted.binary_search(&cell).is_ok();
        // What is exposed here is exposed to nobody in particular, and not worth long programs.
        let thoroughness =
            Thoroughness { simplex_cells: PROGRAM_CELLS, ..Thoroughness::FOR_REPAIR };
        for part in view.components() {
            if budget.stop().is_some() || !part.cells().iter().any(|&cell| is_wanted(cell)) {
                continue;
            }
            let settled = settle(&self.table, &part, &is_wanted, Vec::new(), thoroughness, budget)?;
            let found =
                findings(self.problem, self.pattern, &settled.primaries, &settled.certificates);
            for finding in found.iter().filter(|one| one.verdict == Verdict::Safe) {
                proven.push((finding.cell, self.doubted(finding, &settled.certificates)));
            }
        }
        Ok(proven)
    }

    /// What is left, for each contributor by himself.
    fn one_by_one(
        &self,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Vec<ContributorFinding>, AuditError> {
        let mut by_attacker: FxHashMap<ContributorId, Vec<CellId>> = FxHashMap::default();
        for cell in self.victims() {
            self.doubts[&cell]
                .iter()
                .for_each(|&who| by_attacker.entry(who).or_default().push(cell));
        }
        let mut attackers: Vec<(ContributorId, Vec<CellId>)> = by_attacker.into_iter().collect();
        attackers.sort_unstable();
        progress.stage("contributors", Some(attackers.len() as u64));
        let attack = |(attacker, victims): &(ContributorId, Vec<CellId>)| {
            let found = self.knowing(*attacker, victims, budget)?;
            progress.advance(1);
            let (attacker, own_cell) = (*attacker, self.own_cell(*attacker));
            let found = found.into_iter().filter(|finding| finding.verdict != Verdict::Safe);
            let found = found.map(|finding| ContributorFinding { attacker, own_cell, finding });
            Ok::<Vec<ContributorFinding>, AuditError>(found.collect())
        };
        let found: Result<Vec<_>, _> = attackers.par_iter().map(attack).collect();
        let mut found: Vec<ContributorFinding> = found?.into_iter().flatten().collect();
        found.sort_by_key(|pair| (pair.attacker, pair.finding.cell));
        Ok(found)
    }

    /// The hidden cell by which an attacker is named: one that he knows, if he knows any.
    fn own_cell(&self, attacker: ContributorId) -> CellId {
        let cells = || self.contributions.cells_of(attacker).iter().map(|&(cell, _)| cell);
        let hidden = || cells().filter(|&cell| self.pattern.is_suppressed(cell));
        let known = hidden().find(|&cell| self.contributions.count(cell) == 1);
        known.or_else(|| hidden().next()).or_else(|| cells().next()).unwrap_or(CellId(0))
    }

    /// The verdicts on some primaries for someone who knows what he contributes.
    fn knowing(
        &self,
        attacker: ContributorId,
        victims: &[CellId],
        budget: &Budget,
    ) -> Result<Vec<Finding>, AuditError> {
        if budget.stop().is_some() {
            let unknown: Vec<Proven> = victims.iter().map(|&cell| Proven::unknown(cell)).collect();
            return Ok(findings(self.problem, self.pattern, &unknown, &[]));
        }
        let own = self.contributions.cells_of(attacker);
        let shares_in = |cell: &CellId| own.binary_search_by_key(cell, |&(cell, _)| cell).is_ok();
        // To him cells that only he contributes to are published.
        let mut seen = self.pattern.clone();
        for &(cell, _) in own.iter().filter(|(cell, _)| self.contributions.count(*cell) == 1) {
            seen.publish(cell);
        }
        let cut: Vec<(CellId, Protection)> = (victims.iter().copied().filter(shares_in))
            .map(|cell| (cell, self.problem.protection_from(Knowing::Contributor(attacker), cell)))
            .filter(|&(cell, protection)| protection != self.problem.protection(cell))
            .collect();
        let asked = (!cut.is_empty()).then(|| self.problem.clone().with_protections(cut));
        match &asked {
            None => self.knowing_within(attacker, victims, &seen, &self.table, budget),
            Some(problem) => {
                self.knowing_within(attacker, victims, &seen, &Table::new(problem), budget)
            }
        }
    }

    /// The same, with the levels that can be asked of him.
    fn knowing_within(
        &self,
        attacker: ContributorId,
        victims: &[CellId],
        seen: &Pattern,
        table: &Table<'_>,
        budget: &Budget,
    ) -> Result<Vec<Finding>, AuditError> {
        let problem = table.problem;
        let mut numbers: Vec<usize> =
            victims.iter().filter_map(|cell| self.component_of.get(cell)).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut found: Vec<Finding> = Vec::new();
        for number in numbers {
            let mut view = self.components[number].clone();
            for &(cell, _) in self.contributions.cells_of(attacker) {
                if let Some(position) = view.position(cell) {
                    narrow(problem, &mut view, position, attacker);
                }
            }
            tighten(&mut view, Start::Everywhere, |_, _| ());
            let wanted = |cell: CellId| victims.binary_search(&cell).is_ok();
            for part in view.components() {
                if !part.cells().iter().any(|&cell| wanted(cell)) {
                    continue;
                }
                let thoroughness = match victims.len() > FEW_VICTIMS {
                    true => Thoroughness::FULL,
                    false => Thoroughness { simplex_cells: PROGRAM_CELLS, ..Thoroughness::FULL },
                };
                let part = settle(table, &part, &wanted, Vec::new(), thoroughness, budget)?;
                // Checked against what he knows, not only against what is published.
                let is_known = |certificate: &Certificate| {
                    certificate.movement.iter().all(|&(cell, _)| {
                        let whole = Proof { certificate, primary: cell, required: None };
                        !whole.is_refuted_at(problem, cell, attacker)
                    })
                };
                let primaries = match part.certificates.iter().all(is_known) {
                    true => part.primaries,
                    false => part.primaries.iter().map(|one| Proven::unknown(one.cell)).collect(),
                };
                found.extend(findings(problem, seen, &primaries, &part.certificates));
            }
        }
        let moved: FxHashSet<CellId> = found.iter().map(|finding| finding.cell).collect();
        let frozen: Vec<Proven> = victims
            .iter()
            .filter(|cell| !moved.contains(cell))
            .map(|&cell| Proven::immovable(cell))
            .collect();
        found.extend(findings(problem, seen, &frozen, &[]));
        found.sort_unstable_by_key(|finding| finding.cell);
        Ok(found)
    }
}

/// Leaves a cell of a view the room that a contributor to it knows it to have.
fn narrow(problem: &Problem, view: &mut View, position: usize, attacker: ContributorId) {
    let cell = view.cell(position);
    let seen = Requirement::new(cell, Direction::Up, 0).knowing(Knowing::Contributor(attacker));
    let room = |direction| problem.room_for(&seen, cell, direction);
    view.down[position] = view.down[position].min(room(Direction::Down));
    view.up[position] = view.up[position].min(room(Direction::Up));
}

/// Bits that differ from one contributor to the next, those with neighbouring numbers included.
fn scattered(contributor: ContributorId) -> u64 {
    let mut bits = (u64::from(contributor.0) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    bits >> 32
}
