//! How a solve can end.

use highs_sys::HighsInt;

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Solved to optimality (for a MIP: within the gap asked for).
    Optimal,
    /// No point satisfies the constraints.
    Infeasible,
    /// The objective can be improved without end.
    Unbounded,
    /// Presolve or the MIP solver saw one of the two and did not say which.
    InfeasibleOrUnbounded,
    /// The dual objective passed
    /// [`Solver::set_objective_bound`](super::Solver::set_objective_bound).
    ObjectiveBound,
    /// The simplex (or interior-point, or first-order) iterations allowed were used up.
    IterationLimit,
    /// The MIP nodes or improving solutions allowed were used up; HiGHS has one status for both.
    NodeLimit,
    /// The wall-clock time allowed was used up.
    TimeLimit,
    /// It was told to stop; see [`Solver::set_stopping`](super::Solver::set_stopping).
    Interrupted,
    /// HiGHS gave up for numerical reasons or for want of memory. What it then holds proves
    /// nothing.
    Trouble,
}

impl Outcome {
    pub(super) fn from_model_status(status: HighsInt) -> Self {
        match status {
            // An empty model has the empty solution.
            highs_sys::MODEL_STATUS_OPTIMAL | highs_sys::MODEL_STATUS_MODEL_EMPTY => Self::Optimal,
            highs_sys::MODEL_STATUS_INFEASIBLE => Self::Infeasible,
            highs_sys::MODEL_STATUS_UNBOUNDED => Self::Unbounded,
            highs_sys::MODEL_STATUS_UNBOUNDED_OR_INFEASIBLE => Self::InfeasibleOrUnbounded,
            highs_sys::MODEL_STATUS_OBJECTIVE_BOUND => Self::ObjectiveBound,
            highs_sys::MODEL_STATUS_REACHED_ITERATION_LIMIT => Self::IterationLimit,
            highs_sys::MODEL_STATUS_REACHED_SOLUTION_LIMIT => Self::NodeLimit,
            highs_sys::MODEL_STATUS_REACHED_TIME_LIMIT => Self::TimeLimit,
            highs_sys::MODEL_STATUS_REACHED_INTERRUPT => Self::Interrupted,
            _ => Self::Trouble,
        }
    }

    /// Did a limit, or being told to stop, end the solve early?
    pub fn is_limit(self) -> bool {
        matches!(self, Self::IterationLimit | Self::NodeLimit | Self::TimeLimit | Self::Interrupted)
    }
}
