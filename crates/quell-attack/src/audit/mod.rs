//! The audit: a verdict for every primary cell, from the problem and the pattern alone.
//!
//! The auditor trusts no method. What it calls safe it can prove by a movement that is
//! checked here again, exactly and against the original problem; what it calls exposed
//! it has an exact limit for; and what it could not settle in its budget it calls
//! undecided, never safe.

use quell_model::{Budget, CellId, Certificate, Fault, Pattern, Problem, Progress, Stop, Value};
use thiserror::Error;

use crate::proof::ledger::{SCALE, UNLIMITED};
use crate::proof::prove::{Proven, Thoroughness, prove};
use crate::proof::verify::verify;

/// Why there is no audit.
#[derive(Debug, Error)]
pub enum AuditError {
    /// The problem is not a valid table.
    #[error("the table has {} fault(s), the first: {}", .0.len(), .0[0])]
    Faulty(Vec<Fault>),
    /// The solver failed.
    #[error("the solver failed: {0}")]
    Solver(#[from] quell_solve::Error),
}

/// What the attacker can learn of one primary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Both ends of his interval are far enough away.
    Safe,
    /// He knows the exact value.
    ExposedExactly,
    /// He knows the value more closely than its protection levels allow.
    ExposedWithin,
    /// Not settled within the budget.
    Undecided,
}

impl Verdict {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::ExposedExactly => "exposed-exactly",
            Self::ExposedWithin => "exposed-within",
            Self::Undecided => "undecided",
        }
    }
}

/// What is known of one end of an attacker's interval, as distances from the true value
/// in units of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The protection level: how far the end must be away.
    pub required: Value,
    /// Proven by a certificate: it is at least this far away (rounded down).
    pub at_least: Value,
    /// Proven by a limit: it is at most this far away (rounded down; `Value::MAX`: no
    /// limit is known).
    pub at_most: Value,
    /// The certificate that proves `at_least`, by position in [`Audit::certificates`].
    pub certificate: Option<usize>,
}

impl End {
    /// How much further than required the end is proven to be; negative if it is not.
    pub fn slack(self) -> Value {
        self.at_least - self.required
    }
}

/// The verdict on one primary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// The cell.
    pub cell: CellId,
    /// The verdict.
    pub verdict: Verdict,
    /// The lower end.
    pub down: End,
    /// The upper end.
    pub up: End,
    /// The required width of the interval (sliding protection).
    pub width: Value,
}

/// Verdicts by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Safe primaries.
    pub safe: usize,
    /// Primaries known exactly.
    pub exposed_exactly: usize,
    /// Primaries known too closely.
    pub exposed_within: usize,
    /// Primaries not settled.
    pub undecided: usize,
}

/// The audit of a table under a pattern.
#[derive(Debug, Clone)]
pub struct Audit {
    /// Every primary in order.
    pub primaries: Vec<Finding>,
    /// The movements that prove the safe ones, each verified.
    pub certificates: Vec<Certificate>,
    /// Why it stopped early, if it did.
    pub stopped: Option<Stop>,
}

impl Audit {
    /// The verdicts counted.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for finding in &self.primaries {
            match finding.verdict {
                Verdict::Safe => counts.safe += 1,
                Verdict::ExposedExactly => counts.exposed_exactly += 1,
                Verdict::ExposedWithin => counts.exposed_within += 1,
                Verdict::Undecided => counts.undecided += 1,
            }
        }
        counts
    }

    /// Whether every primary is proven safe.
    pub fn is_safe(&self) -> bool {
        self.primaries.iter().all(|finding| finding.verdict == Verdict::Safe)
    }
}

/// Audits `problem` as seen without the cells of `pattern`.
///
/// ```
/// use quell_attack::{Verdict, audit};
/// use quell_gen::{DimensionSize, Ons};
/// use quell_model::{Budget, Pattern, Silent};
///
/// let table = Ons { dimensions: [8, 6].map(DimensionSize::flat).to_vec(), ..Ons::default() };
/// let problem = table.generate(1)?;
/// let budget = Budget::default();
///
/// // Hiding the primaries alone is not enough: others of their rows and columns give them away.
/// let exposed = audit(&problem, &Pattern::of_primaries(&problem), &budget, &Silent)?;
/// assert!(exposed.primaries.iter().any(|one| one.verdict == Verdict::ExposedExactly));
///
/// // If everything is hidden that may be, they are safe, and each has its proof.
/// let safe = audit(&problem, &Pattern::of_everything(&problem), &budget, &Silent)?;
/// assert!(safe.is_safe());
/// assert!(safe.primaries.iter().all(|one| one.up.at_least >= one.up.required));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the problem is not a valid table, or the solver fails.
pub fn audit(
    problem: &Problem,
    pattern: &Pattern,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Audit, AuditError> {
    audit_with(problem, pattern, Vec::new(), Thoroughness::FULL, budget, progress)
}

/// As [`audit`], but leaves undecided what takes long to settle in a large table: where more
/// cells can still be hidden, doing that is quicker. What could move when fewer were hidden still
/// can: the movements `known` from then are checked again, and only what they do not prove is
/// looked into.
///
/// # Errors
/// As [`audit`].
pub fn audit_for_repair(
    problem: &Problem,
    pattern: &Pattern,
    known: Vec<Certificate>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Audit, AuditError> {
    audit_with(problem, pattern, known, Thoroughness::FOR_REPAIR, budget, progress)
}

/// A first look: what it calls safe is proven safe, but in large tables it leaves undecided
/// what takes long to prove or to refute. Begins with movements that are `known` from smaller
/// patterns, which are checked again.
///
/// # Errors
/// As [`audit`].
pub fn quick_audit(
    problem: &Problem,
    pattern: &Pattern,
    known: Vec<Certificate>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Audit, AuditError> {
    audit_with(problem, pattern, known, Thoroughness::QUICK, budget, progress)
}

/// The movements that a first look finds for some primaries, each verified.
///
/// # Errors
/// As [`audit`].
pub fn movements_for(
    problem: &Problem,
    pattern: &Pattern,
    wanted: &(dyn Fn(CellId) -> bool + Sync),
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Vec<Certificate>, AuditError> {
    let proof = prove(problem, pattern, wanted, Vec::new(), Thoroughness::QUICK, budget, progress)?;
    let mut found = proof.certificates;
    found.retain(|certificate| verify(problem, pattern, certificate).is_ok());
    Ok(found)
}

/// The audit with this thoroughness, given movements that may hold here.
pub(crate) fn audit_with(
    problem: &Problem,
    pattern: &Pattern,
    mut known: Vec<Certificate>,
    thoroughness: Thoroughness,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Audit, AuditError> {
    let faults: Vec<Fault> =
        problem.faults().into_iter().filter(|fault| !fault.is_warning()).collect();
    if !faults.is_empty() {
        return Err(AuditError::Faulty(faults));
    }
    known.retain(|certificate| verify(problem, pattern, certificate).is_ok());
    let proof = prove(problem, pattern, &|_| true, known, thoroughness, budget, progress)?;
    let primaries = findings(problem, pattern, &proof.primaries, &proof.certificates);
    Ok(Audit { primaries, certificates: proof.certificates, stopped: budget.stop() })
}

/// The verdicts that certificates, checked here, and exact limits allow.
pub(crate) fn findings(
    problem: &Problem,
    pattern: &Pattern,
    primaries: &[Proven],
    certificates: &[Certificate],
) -> Vec<Finding> {
    let checked: Vec<bool> = certificates
        .iter()
        .map(|certificate| verify(problem, pattern, certificate).is_ok())
        .collect();
    primaries
        .iter()
        .map(|proven| finding(problem, pattern, proven, certificates, &checked))
        .collect()
}

/// The verdict that verified certificates and exact limits allow.
fn finding(
    problem: &Problem,
    pattern: &Pattern,
    proven: &Proven,
    certificates: &[Certificate],
    checked: &[bool],
) -> Finding {
    let cell = proven.cell;
    let levels = problem.protection(cell);
    // Read from the certificate itself, not from what the prover noted.
    let reach = [-1_i128, 1].map(|sign| {
        let number = proven.facts.certificate[usize::from(sign > 0)];
        let valid = number.map(|number| number as usize).filter(|&number| checked[number]);
        valid.map_or(0, |number| {
            let certificate = &certificates[number];
            let amount = sign * certificate.amount(cell) * SCALE;
            amount.max(0) / i128::from(certificate.denominator)
        })
    });
    let limit = proven.facts.limit;
    let end = |side: usize, required: Value| End {
        required,
        at_least: Value::try_from(reach[side] / SCALE).unwrap_or(Value::MAX),
        at_most: match limit[side] {
            UNLIMITED => Value::MAX,
            limit => Value::try_from(limit / SCALE).unwrap_or(Value::MAX),
        },
        certificate: proven.facts.certificate[side].map(|number| number as usize),
    };
    let (down, up) = (end(0, levels.lower), end(1, levels.upper));
    let width = i128::from(levels.sliding) * SCALE;
    // A primary that is published is known, even if it asks for no protection.
    let exposed = !pattern.is_suppressed(cell)
        || down.at_most < down.required
        || up.at_most < up.required
        || limit[0].saturating_add(limit[1]) < width;
    let safe = down.at_least >= down.required
        && up.at_least >= up.required
        && reach[0] + reach[1] >= width;
    let verdict = match (exposed, safe) {
        (true, _) if limit == [0, 0] => Verdict::ExposedExactly,
        (true, _) => Verdict::ExposedWithin,
        (false, true) => Verdict::Safe,
        (false, false) => Verdict::Undecided,
    };
    Finding { cell, verdict, down, up, width: levels.sliding }
}
