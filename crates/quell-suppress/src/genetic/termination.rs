//! When evolution ends.

/// When evolution ends, if the budget does not end it before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Termination {
    /// After so many generations, or so many without a gain (herrington-2015: 1,000 and
    /// 100).
    Generations {
        /// Generations in all.
        most: u64,
        /// Generations without a cheaper pattern.
        without_gain: u64,
    },
    /// When time is better spent elsewhere, as the thesis recommends (chapter 5): when the
    /// last generations together gained less than a share of the cost. Counted in
    /// generations, not in seconds, so that the end does not depend on the machine.
    CostBenefit {
        /// The generations looked back at.
        window: u64,
        /// The least gain over these, as a share of the cost.
        least_gain: f64,
    },
}

impl Default for Termination {
    fn default() -> Self {
        Self::Generations { most: 1_000, without_gain: 100 }
    }
}

/// Watches the best cost from generation to generation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch {
    /// The best cost after each generation, and before the first.
    costs: Vec<f64>,
}

impl Watch {
    /// Whether another generation is due, given the best cost now.
    pub(crate) fn goes_on(&mut self, termination: Termination, cost: f64) -> bool {
        self.costs.push(cost);
        let generations = self.costs.len() as u64 - 1;
        let gain_over = |last: u64| {
            let before = self.costs.len().checked_sub(1 + last as usize);
            before.map(|before| self.costs[before] - cost)
        };
        cost > 0.0
            && match termination {
                Termination::Generations { most, without_gain } => {
                    generations < most && gain_over(without_gain).is_none_or(|gain| gain > 0.0)
                }
                Termination::CostBenefit { window, least_gain } => {
                    gain_over(window).is_none_or(|gain| gain >= least_gain * cost)
                }
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generations(termination: Termination, cost: impl Fn(u64) -> f64) -> u64 {
        let mut watch = Watch::default();
        (0..).find(|&generation| !watch.goes_on(termination, cost(generation))).unwrap()
    }

    #[test]
    fn generations_end_evolution() {
        let usual = Termination::default();
        assert_eq!(generations(usual, |generation| 5_000.0 - generation as f64), 1_000);
        assert_eq!(generations(usual, |_| 5_000.0), 100);
        assert_eq!(generations(usual, |generation| 100.0 - generation.min(30) as f64), 130);
    }

    #[test]
    fn a_pattern_without_cost_cannot_be_improved() {
        assert_eq!(generations(Termination::default(), |_| 0.0), 0);
    }

    #[test]
    fn small_gains_end_evolution_by_cost_benefit() {
        let stop = Termination::CostBenefit { window: 10, least_gain: 0.01 };
        assert_eq!(generations(stop, |_| 100.0), 10);
        // Gains of 1 % a generation until generation 40, then of nearly nothing: ten
        // generations gain less than 1 % when eight of the good ones are out of sight.
        let cost = |generation: u64| 0.99_f64.powi(generation.min(40) as i32);
        assert_eq!(generations(stop, cost), 50);
    }
}
