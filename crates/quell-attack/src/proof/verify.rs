//! Checking certificates: exact, linear in their size, without a solver.

use quell_model::{CellId, Certificate, EquationId, Pattern, Problem, Value};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// Why a certificate proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CertificateError {
    /// It moves a published cell.
    #[error("{0} is published and cannot move")]
    Published(CellId),
    /// It moves a cell beyond the attacker's bounds.
    #[error("{0} would leave the attacker's bounds")]
    OutOfBounds(CellId),
    /// An equation would no longer hold.
    #[error("{0} would no longer add up")]
    NotAdditive(EquationId),
    /// The movement is not in rising order of cells, or its denominator is zero.
    #[error("the movement is not well formed")]
    Malformed,
}

/// Checks that `certificate` is a movement the attacker of `pattern` cannot rule out.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn verify(
    problem: &Problem,
    pattern: &Pattern,
    certificate: &Certificate,
) -> Result<(), CertificateError> {
    let rising = certificate.movement.is_sorted_by(|a, b| a.0 < b.0);
    let known =
        certificate.movement.last().is_none_or(|last| last.0.index() < problem.cell_count());
    if !rising || !known || certificate.denominator == 0 {
        return Err(CertificateError::Malformed);
    }
    let mut sums: FxHashMap<EquationId, i128> = FxHashMap::default();
    for &(cell, amount) in &certificate.movement {
        if !pattern.is_suppressed(cell) {
            return Err(CertificateError::Published(cell));
        }
        let within = |room: Value, amount: i128| {
            room == Value::MAX || amount <= i128::from(room) * i128::from(certificate.denominator)
        };
        // Beyond this size products with coefficients could overflow.
        let sane = amount.unsigned_abs() < 1 << 90;
        if !sane
            || !within(problem.room_up(cell), amount)
            || !within(problem.room_down(cell), -amount)
        {
            return Err(CertificateError::OutOfBounds(cell));
        }
        for (equation, coefficient) in problem.system().equations_of(cell) {
            *sums.entry(equation).or_default() += amount * i128::from(coefficient);
        }
    }
    // Walk the movement again, not the map: the error must not depend on hashing.
    for &(cell, _) in &certificate.movement {
        for (equation, _) in problem.system().equations_of(cell) {
            if sums[&equation] != 0 {
                return Err(CertificateError::NotAdditive(equation));
            }
        }
    }
    Ok(())
}
