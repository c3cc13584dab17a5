//! What can be set: method, presolve, tolerances, limits, seed.
//!
//! Every value has its default written here, so that a reader need not know HiGHS to know what
//! runs.

use super::{Solver, ffi::check};
use crate::{Error, tolerance};
use std::ffi::CStr;

/// How many interior-point iterations a solve may take if no limit is set. HiGHS has none of its
/// own, and its interior-point method (IPX) can run for ever on a small LP that is infeasible or
/// unbounded; where it works it needs fewer than a hundred.
pub const INTERIOR_ITERATIONS: u32 = 400;
/// How many first-order iterations a solve may take if no limit is set, for the same reason.
pub const FIRST_ORDER_ITERATIONS: u32 = 1_000_000;

/// The method for LPs (a MIP always uses branch and cut).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Strategy {
    /// Simplex: primal if the starting basis is primal feasible, else dual.
    #[default]
    Choose,
    /// Dual simplex: best from scratch, and after bounds were changed or rows added.
    Dual,
    /// Primal simplex: best after costs were changed or columns added.
    Primal,
    /// Interior point with crossover, which ends with a basis. On infeasible or unbounded models it
    /// may end with an iteration limit instead of saying so (see [`INTERIOR_ITERATIONS`]).
    InteriorPoint,
    /// Interior point without crossover: no basis, and a solution inside the optimal face.
    InteriorPointOnly,
    /// First-order method: no basis, low accuracy, for very large models.
    Pdlp,
}

/// Whether the model is simplified before it is solved.
///
/// HiGHS skips the presolve of an LP whenever it holds a basis to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Presolve {
    /// HiGHS decides.
    #[default]
    Choose,
    /// Always.
    On,
    /// Never: best for many small LPs.
    Off,
}

/// When to stop early. Iterations and nodes are deterministic; seconds are not.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Simplex iterations of one solve (LP only: HiGHS does not count them in a MIP).
    pub simplex_iterations: Option<u32>,
    /// Interior-point or first-order iterations of one solve; `None` stands for
    /// [`INTERIOR_ITERATIONS`] or [`FIRST_ORDER_ITERATIONS`].
    pub interior_iterations: Option<u32>,
    /// Branch-and-bound nodes of one solve.
    pub nodes: Option<u32>,
    /// Stop a MIP after this many improving solutions.
    pub improving_solutions: Option<u32>,
    /// Wall-clock seconds of one solve.
    pub seconds: Option<f64>,
}

/// Options in force, kept to skip calls that would change nothing: HiGHS looks an option up by
/// comparing its name with all others, and options are switched around every re-solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct InForce {
    pub strategy: Strategy,
    pub presolve: Presolve,
}

/// How far the primal simplex may shift bounds to escape degeneracy, as a multiple of HiGHS's
/// default. Not at all: on models of tables the shifts cost three to fifteen times as many
/// iterations, from scratch as well as from a basis.
const BOUND_PERTURBATION: f64 = 0.0;

/// HiGHS's bit for the presolve rule that joins parallel rows and parallel columns. It is switched
/// off: where such a column has lost its lower bound, HiGHS prints a line to the standard output when it takes
/// the columns apart again, whatever its options, into the midst of what a command prints there.
const PARALLEL_ROWS_AND_COLUMNS: i32 = 1 << 13;

impl Solver {
    pub(super) fn set_defaults(&mut self) -> Result<(), Error> {
        self.set_bool(c"output_flag", false)?;
        self.set_int(c"presolve_rule_off", PARALLEL_ROWS_AND_COLUMNS)?;
        // One instance per thread: HiGHS's scheduler belongs to the thread, and a thread that has
        // once solved with one number of threads refuses any other.
        self.set_int(c"threads", 1)?;
        self.set_text(c"parallel", c"off")?;
        self.set_text(c"solver", c"simplex")?;
        self.set_int(c"simplex_strategy", 0)?;
        self.set_real(c"primal_simplex_bound_perturbation_multiplier", BOUND_PERTURBATION)?;
        self.set_limits(&Limits::default())?;
        self.set_mip_gap(tolerance::RELATIVE_GAP, tolerance::ABSOLUTE_GAP)
    }

    /// Chooses the LP method of [`solve`](Self::solve).
    pub fn set_strategy(&mut self, strategy: Strategy) {
        self.wanted.strategy = strategy;
    }

    /// Chooses whether [`solve`](Self::solve) may presolve.
    pub fn set_presolve(&mut self, presolve: Presolve) {
        self.wanted.presolve = presolve;
    }

    /// Brings method and presolve in force.
    pub(super) fn apply(&mut self, wanted: InForce) -> Result<(), Error> {
        if wanted == self.in_force {
            return Ok(());
        }
        if wanted.strategy != self.in_force.strategy {
            let (solver, simplex, crossover) = match wanted.strategy {
                Strategy::Choose => (c"simplex", 0, c"on"),
                Strategy::Dual => (c"simplex", 1, c"on"),
                Strategy::Primal => (c"simplex", 4, c"on"),
                Strategy::InteriorPoint => (c"ipx", 0, c"on"),
                Strategy::InteriorPointOnly => (c"ipx", 0, c"off"),
                Strategy::Pdlp => (c"pdlp", 0, c"off"),
            };
            self.set_text(c"solver", solver)?;
            self.set_int(c"simplex_strategy", simplex)?;
            self.set_text(c"run_crossover", crossover)?;
        }
        if wanted.presolve != self.in_force.presolve {
            let value = match wanted.presolve {
                Presolve::Choose => c"choose",
                Presolve::On => c"on",
                Presolve::Off => c"off",
            };
            self.set_text(c"presolve", value)?;
        }
        self.in_force = wanted;
        Ok(())
    }

    /// Sets the limits of every later solve. Each solve starts counting anew.
    pub fn set_limits(&mut self, limits: &Limits) -> Result<(), Error> {
        let count = |limit: Option<u32>| match limit {
            Some(limit) => i32::try_from(limit).unwrap_or(i32::MAX),
            None => i32::MAX,
        };
        let interior = limits.interior_iterations.unwrap_or(INTERIOR_ITERATIONS);
        let first_order = limits.interior_iterations.unwrap_or(FIRST_ORDER_ITERATIONS);
        self.set_int(c"simplex_iteration_limit", count(limits.simplex_iterations))?;
        self.set_int(c"ipm_iteration_limit", count(Some(interior)))?;
        self.set_int(c"pdlp_iteration_limit", count(Some(first_order)))?;
        self.set_int(c"mip_max_nodes", count(limits.nodes))?;
        self.set_int(c"mip_max_improving_sols", count(limits.improving_solutions).max(1))?;
        self.set_real(c"time_limit", limits.seconds.unwrap_or(f64::INFINITY).max(0.0))?;
        self.timed = limits.seconds.is_some();
        Ok(())
    }

    /// Sets the seed of all random choices HiGHS makes.
    pub fn set_seed(&mut self, seed: u32) -> Result<(), Error> {
        self.set_int(c"random_seed", i32::try_from(seed & 0x7fff_ffff).unwrap_or(0))
    }

    /// Sets the primal and dual feasibility tolerances (see [`tolerance::PRIMAL_FEASIBILITY`]).
    pub fn set_tolerances(&mut self, primal: f64, dual: f64) -> Result<(), Error> {
        self.set_real(c"primal_feasibility_tolerance", primal)?;
        self.set_real(c"dual_feasibility_tolerance", dual)
    }

    /// Sets how far from an integer an integer column may be (see [`tolerance::INTEGRALITY`]).
    pub fn set_integrality_tolerance(&mut self, tolerance: f64) -> Result<(), Error> {
        self.set_real(c"mip_feasibility_tolerance", tolerance)
    }

    /// Sets the gaps at which a MIP counts as solved; either is enough.
    pub fn set_mip_gap(&mut self, relative: f64, absolute: f64) -> Result<(), Error> {
        self.set_real(c"mip_rel_gap", relative)?;
        self.set_real(c"mip_abs_gap", absolute)
    }

    /// Sets the share of its time a MIP solve may give to heuristics (HiGHS: 0.05). With none at
    /// all the search by jumps before the first node, which HiGHS does not count, is left out as
    /// well.
    pub fn set_mip_heuristic_effort(&mut self, effort: f64) -> Result<(), Error> {
        self.set_bool(c"mip_heuristic_run_feasibility_jump", effort > 0.0)?;
        self.set_real(c"mip_heuristic_effort", effort)
    }

    /// Stops the dual simplex as soon as the optimum is known to be worse than the bound; `None`
    /// lifts it. For models to be minimised, solved without presolve.
    pub fn set_objective_bound(&mut self, bound: Option<f64>) -> Result<(), Error> {
        self.set_real(c"objective_bound", bound.unwrap_or(f64::INFINITY))
    }

    pub(super) fn set_bool(&mut self, name: &CStr, value: bool) -> Result<(), Error> {
        // SAFETY: the instance is alive and the name ends in a zero byte.
        let status = unsafe {
            highs_sys::Highs_setBoolOptionValue(self.pointer(), name.as_ptr(), i32::from(value))
        };
        check("Highs_setBoolOptionValue", status)
    }

    pub(super) fn set_int(&mut self, name: &CStr, value: i32) -> Result<(), Error> {
        // SAFETY: the instance is alive and the name ends in a zero byte.
        let status =
            unsafe { highs_sys::Highs_setIntOptionValue(self.pointer(), name.as_ptr(), value) };
        check("Highs_setIntOptionValue", status)
    }

    pub(super) fn set_real(&mut self, name: &CStr, value: f64) -> Result<(), Error> {
        // SAFETY: the instance is alive and the name ends in a zero byte.
        let status =
            unsafe { highs_sys::Highs_setDoubleOptionValue(self.pointer(), name.as_ptr(), value) };
        check("Highs_setDoubleOptionValue", status)
    }

    pub(super) fn set_text(&mut self, name: &CStr, value: &CStr) -> Result<(), Error> {
        // SAFETY: the instance is alive and both strings end in a zero byte.
        let status = unsafe {
            highs_sys::Highs_setStringOptionValue(self.pointer(), name.as_ptr(), value.as_ptr())
        };
        check("Highs_setStringOptionValue", status)
    }
}
