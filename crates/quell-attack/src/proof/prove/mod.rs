//! The proof of every primary: a movement that shows it safe, or a limit that shows it
//! exposed.
//!
//! The cheap and certain come first, and each step leaves less to the next:
//!
//! 1. unpicking gives limits, and cells that cannot move drop out;
//! 2. what is left falls into components;
//! 3. networks (two-dimensional tables) are settled by maximum flows;
//! 4. boxes prove nearly everything in dense tables, exchanges much in sparse ones, and of the
//!    primaries most protect each other;
//! 5. in large components barrier movements prove hundreds of primaries each;
//! 6. linear programs on the neighbourhood of a cell give limits that hold for the whole,
//!    and movements of the cells it encloses hold there, too, or of a region grown line by
//!    line where few cells are large, by simplex steps or a barrier, or of many regions, each
//!    for a piece of a large requirement;
//! 7. the cheapest movement for one requirement at a time, grown outwards from its cell;
//! 8. assuming that cells move by exactly what they need either leads to a
//!    contradiction or leaves a smaller system in which a movement is found (this is tried early,
//!    and for hundreds at once: of what is left then most has nothing to spare);
//! 9. linear programs on the whole component settle what remains;
//! 10. and what rounding leaves open in small ones is settled by fractions.
//!
//! Work is cut into pieces that depend only on the problem, done in parallel and noted
//! in order, so the number of threads changes nothing.

mod assumption;
mod grouping;
mod local;

use std::sync::OnceLock;

use quell_model::{
    Ancestry, Budget, CellId, Certificate, Pattern, Problem, Progress, Requirement, Value,
};
use quell_solve::Error;
use rayon::prelude::*;

use self::grouping::Grouping;
use self::local::{LOCAL_MEANS, MANY_STEPS};
use crate::proof::barrier::Barrier;
use crate::proof::boxes::Boxes;
use crate::proof::dual;
use crate::proof::exact;
use crate::proof::exchange::Exchanges;
use crate::proof::flow::{FlowAttack, Reached};
use crate::proof::ledger::{Claim, Facts, Ledger, Purpose, SCALE, UNLIMITED};
use crate::proof::lp::{AttackerLp, Farthest};
use crate::proof::repair::Repair;
use crate::view::{Start, View, tighten};

/// How hard to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Thoroughness {
    /// Components up to this many cells go straight to linear programs.
    pub(crate) simplex_cells: usize,
    /// What is done about the claims of larger ones.
    pub(crate) extent: Extent,
}

/// How far the means go; what they do not settle stays open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extent {
    /// Movements for many claims at once.
    ManyAtOnce,
    /// Every claim is asked about by itself, but not by linear programs over large components.
    OneByOne,
    /// Everything.
    ToTheEnd,
}

impl Thoroughness {
    /// For a verdict.
    pub(crate) const FULL: Self = Self { simplex_cells: 1_500, extent: Extent::ToTheEnd };

    /// For a verdict on what can still be changed.
    pub(crate) const FOR_REPAIR: Self = Self { extent: Extent::OneByOne, ..Self::FULL };

    /// For a first look.
    pub(crate) const QUICK: Self = Self { extent: Extent::ManyAtOnce, ..Self::FULL };
}

/// Claims handed to one linear program (or network) at a time: enough for warm starts
/// to pay, few enough to share the work.
const CHUNK: usize = 64;

/// Claims asked about between two looks at what is settled.
const SLICE: usize = 64;

/// Barrier movements go on while each batch settles this share of what is open, other means
/// while each slice settles this share of it.
const WORTHWHILE: f64 = 0.2;

/// Components with more cells than this take too long to centre for assumptions to be tried early.
const ASSUMED_CELLS: usize = 100_000;

/// Failures after which no more of a group of claims are assumed, at first.
const FEW_FAILURES: usize = 6;

/// Components with more cells than this are too large for linear programs on the whole;
/// what is open there then stays undecided.
const PROGRAM_CELLS: usize = 50_000;

/// In components up to this many cells linear programs tell cells that are known exactly
/// from cells known too closely, where cheaper means do not.
const EXACTNESS_CELLS: usize = 3_000;

/// A problem, and what is worked out of it when it is first asked for.
pub(crate) struct Table<'a> {
    pub(crate) problem: &'a Problem,
    ancestry: OnceLock<Option<Ancestry>>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Self {
        Self { problem, ancestry: OnceLock::new() }
    }

    /// Which base cells each cell is the sum of, if the system consists of sums.
    fn ancestry(&self) -> Option<&Ancestry> {
        self.ancestry.get_or_init(|| Ancestry::of(self.problem.system())).as_ref()
    }
}

/// What is proven of one primary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proven {
    pub(crate) cell: CellId,
    pub(crate) facts: Facts,
}

impl Proven {
    /// Of a cell that nobody has looked at.
    pub(crate) fn unknown(cell: CellId) -> Self {
        Self { cell, facts: Facts { limit: [UNLIMITED; 2], certificate: [None; 2] } }
    }

    /// Of a cell that cannot move at all.
    pub(crate) fn immovable(cell: CellId) -> Self {
        Self { cell, facts: Facts { limit: [0; 2], certificate: [None; 2] } }
    }
}

/// The outcome: what is proven of every primary, in order, with the movements.
pub(crate) struct Proof {
    pub(crate) primaries: Vec<Proven>,
    pub(crate) certificates: Vec<Certificate>,
}

/// Proves what can be proven of the primaries of `problem` that are `wanted` under `pattern`, with
/// this thoroughness, beginning with movements known to be possible.
pub(crate) fn prove(
    problem: &Problem,
    pattern: &Pattern,
    wanted: &(dyn Fn(CellId) -> bool + Sync),
    known: Vec<Certificate>,
    thoroughness: Thoroughness,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Proof, Error> {
    progress.stage("unpicking", None);
    let mut hidden = View::new(problem, pattern);
    tighten(&mut hidden, Start::Everywhere, |_, _| ());
    let components = hidden.components();
    progress.stage("proving", Some(problem.primaries().count() as u64));

    let pool = rayon::ThreadPoolBuilder::new().num_threads(budget.threads()).build();
    let table = Table::new(problem);
    let known = by_component(known, &components, problem.cell_count());
    let settle = |(component, known): (&View, Vec<Certificate>)| {
        let settled = settle(&table, component, wanted, known, thoroughness, budget)?;
        progress.advance(settled.primaries.len() as u64);
        Ok(settled)
    };
    let settled: Result<Vec<Settled>, Error> = match pool {
        Ok(pool) => pool.install(|| components.par_iter().zip(known).map(settle).collect()),
        Err(_) => components.iter().zip(known).map(settle).collect(),
    };

    let mut primaries: Vec<Proven> = Vec::new();
    let mut certificates = Vec::new();
    for settled in settled? {
        let offset = certificates.len() as u32;
        certificates.extend(settled.certificates);
        primaries.extend(settled.primaries.into_iter().map(|mut proven| {
            let shifted = proven.facts.certificate.map(|number| number.map(|n| n + offset));
            proven.facts.certificate = shifted;
            proven
        }));
    }
    // Primaries that cannot move are in no component.
    primaries.sort_unstable_by_key(|proven| proven.cell);
    let frozen = problem
        .primaries()
        .filter(|&cell| wanted(cell))
        .filter(|&cell| primaries.binary_search_by_key(&cell, |proven| proven.cell).is_err());
    let frozen: Vec<Proven> = frozen.map(Proven::immovable).collect();
    primaries.extend(frozen);
    primaries.sort_unstable_by_key(|proven| proven.cell);
    Ok(Proof { primaries, certificates })
}

/// Movements by the component that their first cell is in. One that reaches into others is
/// still a movement in each, but proves nothing there.
fn by_component(
    movements: Vec<Certificate>,
    components: &[View],
    cells: usize,
) -> Vec<Vec<Certificate>> {
    let mut sorted = vec![Vec::new(); components.len()];
    if movements.is_empty() {
        return sorted;
    }
    let mut component_of = vec![None; cells];
    for (number, component) in components.iter().enumerate() {
        component.cells().iter().for_each(|cell| component_of[cell.index()] = Some(number));
    }
    for movement in movements {
        let first = movement.movement.first();
        if let Some(number) = first.and_then(|(cell, _)| component_of[cell.index()]) {
            sorted[number].push(movement);
        }
    }
    sorted
}

/// What is proven in one component.
pub(crate) struct Settled {
    pub(crate) primaries: Vec<Proven>,
    pub(crate) certificates: Vec<Certificate>,
}

/// Proves what can be proven of the primaries of one component that are `wanted`, beginning with
/// movements that are `known`.
pub(crate) fn settle(
    table: &Table,
    hidden: &View,
    wanted: &(dyn Fn(CellId) -> bool + Sync),
    known: Vec<Certificate>,
    thoroughness: Thoroughness,
    budget: &Budget,
) -> Result<Settled, Error> {
    let problem = table.problem;
    let mut ledger = Ledger::new(problem, hidden, wanted);
    known.into_iter().for_each(|movement| _ = ledger.record(movement));
    let mut prover = Prover { table, hidden, ledger, thoroughness, budget };
    prover.run()?;
    let ledger = prover.ledger;
    let primaries: Vec<Proven> = (0..hidden.len())
        .filter(|&cell| problem.status(hidden.cell(cell)).is_primary() && wanted(hidden.cell(cell)))
        .map(|cell| Proven { cell: hidden.cell(cell), facts: ledger.facts(cell) })
        .collect();
    Ok(Settled { primaries, certificates: ledger.certificates })
}

/// Proves one component.
struct Prover<'a> {
    table: &'a Table<'a>,
    hidden: &'a View,
    ledger: Ledger<'a>,
    thoroughness: Thoroughness,
    budget: &'a Budget,
}

/// What one piece of work found out.
#[derive(Default)]
struct Findings {
    certificates: Vec<Certificate>,
    limits: Vec<(Claim, i128)>,
}

impl Findings {
    /// Takes what the last answer of a program proves about a claim.
    fn take(&mut self, program: &mut AttackerLp<'_>, claim: &Claim) {
        let (hidden, cell) = (program.hidden(), claim.place as usize);
        let certificate = program.certificate();
        let limit = dual::limit(hidden, cell, claim.requirement.direction, program.multipliers());
        let reached = certificate.as_ref().map_or(0, |one| claim.reach(hidden, one));
        let limited = limit.unwrap_or(UNLIMITED);
        self.certificates.extend(certificate);
        self.limits.extend(limit.map(|limit| (*claim, limit)));
        if !claim.is_settled(reached, limited) {
            let (certificate, limit) = program.exactly(cell, claim.requirement.direction);
            self.certificates.extend(certificate);
            self.limits.extend(limit.map(|limit| (*claim, limit)));
        }
    }
}

impl<'a> Prover<'a> {
    fn run(&mut self) -> Result<(), Error> {
        let thoroughness = self.thoroughness;
        let ledger = &self.ledger;
        if self.stopped() {
            return Ok(());
        }
        if ledger.open().is_empty() && ledger.narrow().is_empty() && ledger.doubtful().is_empty() {
            return Ok(());
        }
        if FlowAttack::new(self.hidden)?.is_some() {
            return self.by_flows();
        }
        if self.hidden.len() > thoroughness.simplex_cells {
            // Movements of the whole are of use only if they can be made exact.
            let repair = Some(Repair::new(self.hidden)).filter(|repair| !repair.is_hopeless());
            self.by_boxes();
            self.by_exchanges();
            self.by_primaries_alone()?;
            if let Some(repair) = &repair {
                self.by_movements(repair, Grouping::Everything);
            }
            if self.stopped() {
                return Ok(());
            }
            if thoroughness.extent == Extent::ManyAtOnce {
                return Ok(());
            }
            if repair.is_some() && self.hidden.len() <= ASSUMED_CELLS {
                self.by_assumption(FEW_FAILURES, WORTHWHILE);
            }
            // What pays depends on the table: first all while they pay, then to the end.
            let mut cut_short = Vec::new();
            for means in LOCAL_MEANS {
                if !self.by_local_means(means, WORTHWHILE)? {
                    cut_short.push(means);
                }
            }
            for means in cut_short {
                self.by_local_means(means, 0.0)?;
            }
            if let Some(repair) = &repair {
                self.by_movements(repair, Grouping::FarApart);
                self.by_assumption(usize::MAX, 0.0);
                self.by_single_movements(repair)?;
            }
            if self.is_last() || self.hidden.len() <= PROGRAM_CELLS {
                self.by_cheapest_movements(MANY_STEPS)?;
            }
        }
        if self.stopped() {
            return Ok(());
        }
        if self.hidden.len() <= PROGRAM_CELLS {
            self.by_programs(self.ledger.open())?;
            self.by_programs(self.ledger.narrow())?;
        }
        // Exposed, but how closely?
        self.by_neighbourhoods(self.ledger.doubtful(), 0.0)?;
        if self.hidden.len() <= EXACTNESS_CELLS {
            self.by_programs(self.ledger.doubtful())?;
        }
        if exact::is_small(self.hidden) {
            self.exactly(Ledger::open);
            self.exactly(Ledger::narrow);
            self.exactly(Ledger::doubtful);
        }
        Ok(())
    }

    /// What floating point could not decide, by fractions.
    fn exactly(&mut self, open: fn(&Ledger<'a>) -> Vec<Claim>) {
        for claim in open(&self.ledger) {
            if self.stopped() || !open(&self.ledger).contains(&claim) {
                continue;
            }
            let Requirement { direction, distance, .. } = claim.requirement;
            let place = claim.place as usize;
            let (certificate, limit) =
                exact::end(self.hidden, place, direction, distance, self.budget);
            let limits = limit.map(|limit| (claim, limit)).into_iter().collect();
            self.note(Findings { certificates: certificate.into_iter().collect(), limits });
        }
    }

    fn note(&mut self, findings: Findings) {
        for certificate in findings.certificates {
            self.ledger.record(certificate);
        }
        for (claim, limit) in findings.limits {
            self.ledger.limit(claim.place, claim.requirement.direction, limit);
        }
    }

    fn stopped(&self) -> bool {
        self.budget.stop().is_some()
    }

    /// Whether what stays open here stays open for good.
    fn is_last(&self) -> bool {
        self.thoroughness.extent == Extent::ToTheEnd
    }

    fn by_flows(&mut self) -> Result<(), Error> {
        let hidden = self.hidden;
        let run = |claims: &[Claim]| -> Result<Findings, Error> {
            let mut findings = Findings::default();
            let Some(mut network) = FlowAttack::new(hidden)? else { return Ok(findings) };
            for claim in claims {
                let (certificate, reached) = network.farthest(
                    claim.place as usize,
                    claim.requirement.direction,
                    claim.requirement.distance,
                )?;
                findings.certificates.push(certificate);
                if let Reached::Limit(limit) = reached {
                    findings.limits.push((*claim, i128::from(limit) * SCALE));
                }
            }
            Ok(findings)
        };
        loop {
            // A slice at a time: each flow proves other cells on its way.
            let mut open = self.ledger.open();
            open.truncate(CHUNK * 8);
            if open.is_empty() || self.stopped() {
                break;
            }
            let pieces: Vec<Result<Findings, Error>> = open.par_chunks(CHUNK).map(run).collect();
            for piece in pieces {
                self.note(piece?);
            }
        }
        // Width and exactness: as far as cells go.
        for claims in [self.ledger.narrow(), self.ledger.doubtful()] {
            let pieces: Vec<Result<Findings, Error>> = claims.par_chunks(CHUNK).map(run).collect();
            for piece in pieces {
                self.note(piece?);
            }
        }
        Ok(())
    }

    fn by_boxes(&mut self) {
        let boxes = Boxes::new(self.hidden);
        for (number, claim) in self.ledger.open().into_iter().enumerate() {
            if number % CHUNK == 0 && self.stopped() {
                return;
            }
            if !self.ledger.is_open(&claim) {
                continue;
            }
            let Some(circuit) =
                boxes.find(claim.place, claim.requirement.direction, claim.requirement.distance)
            else {
                continue;
            };
            for circuit in [circuit.reversed(), circuit] {
                let amount = circuit.capacity(self.hidden);
                let steps = circuit.steps.iter().map(|&(cell, direction)| {
                    (self.hidden.cell(cell as usize), direction.sign() * amount)
                });
                self.ledger.record(Certificate::integral(steps));
            }
        }
    }

    /// Exchanges of base cells, as many as can be had at once, until there are no more.
    fn by_exchanges(&mut self) {
        if self.ledger.open().is_empty() {
            return;
        }
        let Some(ancestry) = self.table.ancestry() else { return };
        let exchanges = Exchanges::new(self.hidden, ancestry);
        loop {
            let open = self.ledger.open();
            let proven = exchanges.prove(&open, || self.stopped());
            let settled: usize =
                self.there_and_back(proven).into_iter().map(|one| self.ledger.record(one)).sum();
            if settled == 0 || self.stopped() {
                return;
            }
        }
    }

    /// What primaries protect among themselves, all others standing still: most, and where a few
    /// large requirements take many other cells, a movement that is asked for these too proves
    /// nothing.
    fn by_primaries_alone(&mut self) -> Result<(), Error> {
        let (hidden, problem) = (self.hidden, self.table.problem);
        let is_primary = |cell: &u32| problem.status(hidden.cell(*cell as usize)).is_primary();
        let primaries: Vec<u32> = (0..hidden.len() as u32).filter(is_primary).collect();
        if primaries.len() == hidden.len() || self.ledger.open().is_empty() {
            return Ok(());
        }
        let mut alone = hidden.of_cells(&primaries);
        tighten(&mut alone, Start::Everywhere, |_, _| ());
        let is_open = |cell: CellId| {
            hidden.position(cell).is_some_and(|place| self.ledger.open_at(place).next().is_some())
        };
        let thoroughness = Thoroughness { extent: Extent::ManyAtOnce, ..self.thoroughness };
        let settled: Vec<Result<Settled, Error>> = alone
            .components()
            .par_iter()
            .map(|part| settle(self.table, part, &is_open, Vec::new(), thoroughness, self.budget))
            .collect();
        for part in settled {
            // Limits hold only while the others stand still.
            part?.certificates.into_iter().for_each(|one| _ = self.ledger.record(one));
        }
        Ok(())
    }

    /// A movement and the opposite one, if that is possible.
    fn there_and_back(&self, certificate: Certificate) -> Vec<Certificate> {
        let opposite = |&(cell, amount): &(CellId, i128)| (cell, -amount);
        let movement: Vec<(CellId, i128)> = certificate.movement.iter().map(opposite).collect();
        let fits = |&(cell, amount): &(CellId, i128)| {
            let room = self.hidden.position(cell).map_or(0, |place| match amount > 0 {
                true => self.hidden.up[place],
                false => self.hidden.down[place],
            });
            room == Value::MAX
                || amount.abs() <= i128::from(room) * i128::from(certificate.denominator)
        };
        let back = movement.iter().all(fits).then_some(movement);
        let denominator = certificate.denominator;
        let back = back.map(|movement| Certificate { movement, denominator });
        [certificate].into_iter().chain(back).collect()
    }

    /// Movements for many claims at once, while they pay.
    fn by_movements(&mut self, repair: &Repair, grouping: Grouping) {
        let barrier = Barrier::new(self.hidden);
        for round in 0.. {
            let open = self.ledger.open();
            if open.is_empty() || self.stopped() {
                return;
            }
            let groups = grouping.groups(self.hidden, &open, round);
            let movements: Vec<Option<Certificate>> = groups
                .par_iter()
                .map(|group| repair.certificate(&barrier.prove(group, || self.stopped()).movement))
                .collect();
            let settled: usize =
                movements.into_iter().flatten().map(|found| self.ledger.record(found)).sum();
            if (settled as f64) < WORTHWHILE * open.len() as f64 {
                return;
            }
        }
    }

    /// Asks about claims, some at a time: what one finds often settles others, and movements
    /// that settle nothing new are not kept in memory. Each look is at `together` of them. Ends
    /// where less than a share `least` of those asked for is settled; says whether all were
    /// asked about.
    fn in_slices(
        &mut self,
        claims: &[Claim],
        together: usize,
        least: f64,
        look: impl Fn(&Self, &[Claim]) -> Result<Findings, Error> + Sync,
    ) -> Result<bool, Error> {
        let is_asked = |prover: &Self, claim: &Claim| {
            claim.purpose != Purpose::Level || prover.ledger.is_open(claim)
        };
        // Every slice is a fair sample, so that the first tells whether the others pay.
        let slices = claims.len().div_ceil(SLICE);
        for first in 0..slices {
            let slice = claims.iter().skip(first).step_by(slices);
            let asked: Vec<Claim> = slice.filter(|claim| is_asked(self, claim)).copied().collect();
            if self.stopped() {
                return Ok(false);
            }
            let found: Vec<Result<Findings, Error>> =
                asked.par_chunks(together).map(|claims| look(self, claims)).collect();
            for findings in found {
                self.note(findings?);
            }
            let settled = asked.iter().filter(|claim| !is_asked(self, claim)).count();
            if (settled as f64) < least * asked.len() as f64 {
                return Ok(first + 1 == slices);
            }
        }
        Ok(true)
    }

    /// Asks about every open claim by itself.
    fn one_by_one(
        &mut self,
        least: f64,
        look: impl Fn(&Self, &Claim) -> Result<Findings, Error> + Sync,
    ) -> Result<bool, Error> {
        self.in_slices(&self.ledger.open(), 1, least, |prover, claims| look(prover, &claims[0]))
    }

    /// Movements for one claim at a time.
    fn by_single_movements(&mut self, repair: &Repair) -> Result<bool, Error> {
        let barrier = Barrier::new(self.hidden);
        self.one_by_one(0.0, |prover, claim| {
            let extreme = barrier.extreme(claim, || prover.stopped());
            let certificate = repair.certificate(&extreme.movement);
            let cell = claim.place as usize;
            let limit =
                dual::limit(prover.hidden, cell, claim.requirement.direction, &extreme.multipliers);
            Ok(Findings {
                certificates: certificate.into_iter().collect(),
                limits: limit.map(|limit| (*claim, limit)).into_iter().collect(),
            })
        })
    }

    /// Linear programs on the whole component.
    fn by_programs(&mut self, claims: Vec<Claim>) -> Result<(), Error> {
        let pieces: Vec<Result<Findings, Error>> =
            claims.par_chunks(CHUNK).map(|chunk| self.programs(chunk)).collect();
        for piece in pieces {
            self.note(piece?);
        }
        Ok(())
    }

    /// The linear programs of some claims, warm-started from one to the next.
    fn programs(&self, claims: &[Claim]) -> Result<Findings, Error> {
        let hidden = self.hidden;
        let mut findings = Findings::default();
        if self.stopped() {
            return Ok(findings);
        }
        let mut program = AttackerLp::new(hidden, self.budget)?;
        for claim in claims {
            if self.stopped() {
                break;
            }
            let cell = claim.place as usize;
            if findings.certificates.iter().any(|one| claim.reach(hidden, one) >= claim.goal()) {
                continue;
            }
            match program.farthest(cell, claim.requirement.direction)? {
                Farthest::At(_) => findings.take(&mut program, claim),
                Farthest::Unlimited => {
                    let capped = hidden.capped(
                        cell,
                        claim.requirement.direction,
                        claim.requirement.distance,
                    );
                    let mut program = AttackerLp::new(&capped, self.budget)?;
                    if let Farthest::At(_) = program.farthest(cell, claim.requirement.direction)? {
                        findings.take(&mut program, claim);
                        // Limits under a cap are none.
                        findings.limits.retain(|(limited, _)| limited != claim);
                    }
                }
                Farthest::Unknown => {}
            }
        }
        Ok(findings)
    }
}
