//! Chance that stays the same: a fixed generator and our own sampling.
//!
//! Library distributions change their output between versions; what is published with
//! a seed must not. ChaCha's stream is specified, and the few samplers needed are here.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of chance for one task.
#[derive(Debug, Clone)]
pub struct Random {
    generator: ChaCha8Rng,
}

impl Random {
    /// The stream of a seed and a task.
    pub fn new(seed: u64, task: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(task);
        Self { generator }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Uniform in [0, 1), 53 bits.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in 0..n (lemire-2019; the bias below 2⁻⁶⁴·n is left in).
    ///
    /// # Panics
    /// If `n` is zero.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "nothing to choose from");
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.uniform() < p
    }

    /// Poisson with the given mean: Knuth's product for small means, and a sum of
    /// halves for large ones, where the product would underflow.
    pub fn poisson(&mut self, mean: f64) -> u32 {
        if mean <= 0.0 {
            return 0;
        }
        if mean > 30.0 {
            return self.poisson(mean / 2.0) + self.poisson(mean / 2.0);
        }
        let limit = (-mean).exp();
        let (mut count, mut product) = (0, self.uniform());
        while product > limit {
            count += 1;
            product *= self.uniform();
        }
        count
    }

    /// Puts a slice in random order (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// The fingerprint of a number: always the same, and like chance from one number to the next (the
/// finaliser of SplitMix64, steele-2014). Sums of fingerprints tell sets of numbers apart, but for
/// one in 2⁶⁴.
pub fn fingerprint(number: u32) -> u64 {
    let mut bits = (u64::from(number) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_and_task_always_give_the_same_stream() {
        let draw = |seed, task| {
            let mut random = Random::new(seed, task);
            [random.bits(), random.bits()]
        };
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
        // Published seeds depend on these very numbers.
        assert_eq!(Random::new(1, 0).below(1_000_000), 402_485);
    }

    #[test]
    fn poisson_has_its_mean() {
        let mut random = Random::new(7, 0);
        for mean in [0.5, 4.0, 80.0] {
            let sum: u64 = (0..20_000).map(|_| u64::from(random.poisson(mean))).sum();
            let average = sum as f64 / 20_000.0;
            assert!((average - mean).abs() < 0.05 * mean + 0.02, "{mean}: {average}");
        }
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..100).collect();
        Random::new(3, 3).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
