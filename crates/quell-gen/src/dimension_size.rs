//! Sizes of dimensions as the papers' tables give them, and plausible hierarchies.

use std::fmt;
use std::str::FromStr;

use quell_model::{Dimension, Hierarchy, NodeId, Random};

use crate::ParameterError;

/// The size of a dimension *including margin totals*, as in `100×158(H)×9`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DimensionSize {
    /// Number of codes, the total and all sub-totals included.
    pub codes: usize,
    /// Whether there are sub-totals.
    pub hierarchical: bool,
}

impl DimensionSize {
    /// A flat dimension: one total, the rest leaves.
    pub fn flat(codes: usize) -> Self {
        Self { codes, hierarchical: false }
    }

    /// A dimension with sub-totals.
    pub fn hierarchical(codes: usize) -> Self {
        Self { codes, hierarchical: true }
    }

    /// The dimension at a position of a table; the seed shapes its tree if it has one.
    pub(crate) fn dimension(self, position: usize, seed: u64) -> Dimension {
        let name = format!("d{}", position + 1);
        let hierarchy = if self.hierarchical {
            // Streams from 2³² on belong to dimensions, those below to cells.
            let mut random = Random::new(seed, (1 << 32) + position as u64);
            plausible_hierarchy(self.codes, &mut random)
        } else {
            Hierarchy::flat(self.codes - 1)
        };
        Dimension::new(name, hierarchy)
    }

    pub(crate) fn check(sizes: &[Self]) -> Result<(), ParameterError> {
        let wrong = |found: String, expected| ParameterError::new("dimensions", found, expected);
        if sizes.is_empty() {
            return Err(wrong("empty".to_owned(), "at least one dimension"));
        }
        if let Some(small) = sizes.iter().find(|size| size.codes < 2) {
            return Err(wrong(small.to_string(), "at least 2 codes each: a total and a part"));
        }
        let possible = sizes.iter().try_fold(1_u64, |product, size| {
            product.checked_mul(size.codes as u64).filter(|&product| product <= 1 << 32)
        });
        match possible {
            Some(_) => Ok(()),
            None => Err(wrong(Self::show(sizes), "at most 2^32 possible cells in all")),
        }
    }

    fn show(sizes: &[Self]) -> String {
        sizes.iter().map(Self::to_string).collect::<Vec<_>>().join("×")
    }
}

impl fmt::Display for DimensionSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.codes, if self.hierarchical { "(H)" } else { "" })
    }
}

impl FromStr for DimensionSize {
    type Err = ParameterError;

    /// Reads `9`, `158H` or `158(H)`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let trimmed = text.trim();
        let digits = trimmed.trim_end_matches(|c: char| !c.is_ascii_digit());
        let hierarchical = match &trimmed[digits.len()..] {
            "" => false,
            "H" | "h" | "(H)" | "(h)" => true,
            _ => {
                return Err(ParameterError::new("dimension", text, "a size such as 9 or 158H"));
            }
        };
        match digits.parse() {
            Ok(codes) if codes >= 2 => Ok(Self { codes, hierarchical }),
            _ => Err(ParameterError::new("dimension", text, "a size of at least 2, such as 158H")),
        }
    }
}

/// Codes under one total up to which nobody would introduce sub-totals.
const FLAT_ENOUGH: usize = 6;

/// A tree with exactly this many codes, its total included, that looks like a
/// classification in use: two levels below the total up to a few dozen codes, then
/// three, then four; groups of unequal size; no group of a single code.
pub fn plausible_hierarchy(codes: usize, random: &mut Random) -> Hierarchy {
    let codes = codes.max(2);
    let levels = match codes {
        ..=60 => 2,
        61..=1000 => 3,
        _ => 4,
    };
    let mut names = vec!["Total".to_owned()];
    let mut parents = vec![None];
    grow(0, codes - 1, levels, random, &mut names, &mut parents);
    Hierarchy::from_parents(names, &parents).expect("every code hangs under an earlier one")
}

/// Hangs `below` codes under `parent` with at most `levels` levels.
fn grow(
    parent: NodeId,
    below: usize,
    levels: u32,
    random: &mut Random,
    names: &mut Vec<String>,
    parents: &mut Vec<Option<NodeId>>,
) {
    for (child, size) in split(below, levels, random).into_iter().enumerate() {
        let node = names.len() as NodeId;
        let name = match parent {
            0 => (child + 1).to_string(),
            _ => format!("{}.{}", names[parent as usize], child + 1),
        };
        names.push(name);
        parents.push(Some(parent));
        if size > 1 {
            grow(node, size - 1, levels - 1, random, names, parents);
        }
    }
}

/// The sizes of the branches of a code with `below` codes under it, each 1 or at least 3.
fn split(below: usize, levels: u32, random: &mut Random) -> Vec<usize> {
    if levels <= 1 || below <= FLAT_ENOUGH {
        return vec![1; below];
    }
    let even = (below as f64).powf(1.0 / f64::from(levels)).round() as usize;
    let branches = even.clamp(2, below / 3);
    let mut sizes = vec![below / branches; branches];
    sizes[0] += below % branches;
    // Shift a third from one to another now and then: real classifications are uneven.
    for _ in 0..branches {
        let (from, to) = (random.below(branches), random.below(branches));
        let moved = random.below(sizes[from] / 3 + 1);
        if sizes[from] - moved >= 3 {
            sizes[from] -= moved;
            sizes[to] += moved;
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hierarchies_have_exactly_the_codes_asked_for() {
        for codes in (2..400).chain([999, 1001, 5000]) {
            let hierarchy = plausible_hierarchy(codes, &mut Random::new(codes as u64, 0));
            assert_eq!(hierarchy.len(), codes);
            if codes > 3 {
                let lonely = hierarchy.sums().iter().filter(|sum| sum.parts.len() == 1).count();
                assert_eq!(lonely, 0, "{codes} codes: a group of one code");
            }
            if codes >= 21 {
                assert!(hierarchy.sums().len() > 1, "{codes} codes: no sub-total");
            }
        }
    }

    #[test]
    fn sizes_are_read_as_the_papers_write_them() {
        assert_eq!("9".parse(), Ok(DimensionSize::flat(9)));
        assert_eq!("158H".parse(), Ok(DimensionSize::hierarchical(158)));
        assert_eq!("158(H)".parse(), Ok(DimensionSize::hierarchical(158)));
        for wrong in ["", "1", "H", "-3", "12x", "99999999999999999999"] {
            assert!(wrong.parse::<DimensionSize>().is_err(), "{wrong}");
        }
    }
}
