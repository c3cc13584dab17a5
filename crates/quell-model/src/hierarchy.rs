//! Classifications: which codes add up to which.

use rustc_hash::FxHashMap;
use thiserror::Error;

/// A code of a [`Hierarchy`], by position.
pub type NodeId = u32;

/// `total = Σ parts` among the codes of one classification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    /// The code that is the total.
    pub total: NodeId,
    /// The codes it is the sum of.
    pub parts: Vec<NodeId>,
}

/// What is wrong with a classification.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HierarchyError {
    /// The same code twice.
    #[error("code \"{0}\" stands twice in the hierarchy")]
    DuplicateCode(String),
    /// A code that is its own ancestor.
    #[error("code \"{0}\" is, through its parts, a part of itself")]
    Cycle(String),
    /// A sum without parts.
    #[error("code \"{0}\" is declared a total of no codes")]
    EmptySum(String),
    /// A sum that names a code position beyond the list.
    #[error("a sum names code number {0}, which does not exist")]
    UnknownNode(NodeId),
    /// The first code is not above this one.
    #[error("code \"{0}\" does not belong to the total \"{1}\"")]
    NotUnderTotal(String, String),
}

/// The codes of one classification and how they add up.
///
/// Usually a tree under one total, but a code may be split in several ways
/// (alternative hierarchies over the same leaves), so the structure is a list of
/// [`Sum`]s. The first code is the grand total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    codes: Vec<String>,
    sums: Vec<Sum>,
    /// Sums in which a code is a part.
    part_of: Vec<Vec<u32>>,
    /// Sums of which a code is the total.
    total_of: Vec<Vec<u32>>,
    /// All codes above a code, rising, without itself.
    ancestors: Vec<Vec<NodeId>>,
}

impl Hierarchy {
    /// A hierarchy from its codes (the total first) and sums.
    ///
    /// # Errors
    /// See [`HierarchyError`].
    pub fn new(codes: Vec<String>, sums: Vec<Sum>) -> Result<Self, HierarchyError> {
        let mut seen = FxHashMap::default();
        for (node, code) in codes.iter().enumerate() {
            if seen.insert(code.as_str(), node).is_some() {
                return Err(HierarchyError::DuplicateCode(code.clone()));
            }
        }
        let mut part_of = vec![Vec::new(); codes.len()];
        let mut total_of = vec![Vec::new(); codes.len()];
        for (index, sum) in sums.iter().enumerate() {
            for &node in sum.parts.iter().chain([&sum.total]) {
                if node as usize >= codes.len() {
                    return Err(HierarchyError::UnknownNode(node));
                }
            }
            if sum.parts.is_empty() {
                return Err(HierarchyError::EmptySum(codes[sum.total as usize].clone()));
            }
            total_of[sum.total as usize].push(index as u32);
            for &part in &sum.parts {
                part_of[part as usize].push(index as u32);
            }
        }
        let ancestors = ancestors(&codes, &sums, &part_of)?;
        for node in 1..codes.len() {
            if ancestors[node].first() != Some(&0) {
                let (code, total) = (codes[node].clone(), codes[0].clone());
                return Err(HierarchyError::NotUnderTotal(code, total));
            }
        }
        Ok(Self { codes, sums, part_of, total_of, ancestors })
    }

    /// A tree from each code's parent; the first code is the total and has none.
    ///
    /// # Errors
    /// See [`HierarchyError`]; a missing parent of a later code is `NotUnderTotal`.
    pub fn from_parents(
        codes: Vec<String>,
        parents: &[Option<NodeId>],
    ) -> Result<Self, HierarchyError> {
        let mut parts: Vec<Vec<NodeId>> = vec![Vec::new(); codes.len()];
        for (node, &parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                parts
                    .get_mut(parent as usize)
                    .ok_or(HierarchyError::UnknownNode(parent))?
                    .push(node as NodeId);
            }
        }
        let sums = parts
            .into_iter()
            .enumerate()
            .filter(|(_, parts)| !parts.is_empty())
            .map(|(total, parts)| Sum { total: total as NodeId, parts })
            .collect();
        Self::new(codes, sums)
    }

    /// A flat classification: a total and `leaves` codes numbered from 1.
    pub fn flat(leaves: usize) -> Self {
        Self::balanced(&[leaves])
    }

    /// A balanced tree: `branches[0]` codes under the total, `branches[1]` under each
    /// of those, and so on. Codes are paths like `2.1`.
    pub fn balanced(branches: &[usize]) -> Self {
        let mut codes = vec!["Total".to_owned()];
        let mut parents = vec![None];
        let mut level = vec![0_usize];
        for &branch in branches {
            let mut next = Vec::with_capacity(level.len() * branch);
            for &parent in &level {
                for child in 1..=branch {
                    next.push(codes.len());
                    parents.push(Some(parent as NodeId));
                    codes.push(match parent {
                        0 => child.to_string(),
                        _ => format!("{}.{child}", codes[parent]),
                    });
                }
            }
            level = next;
        }
        Self::from_parents(codes, &parents).expect("a balanced tree is well formed")
    }

    /// Number of codes, the total included.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is no code at all.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The text of a code.
    pub fn code(&self, node: NodeId) -> &str {
        &self.codes[node as usize]
    }

    /// All codes in order.
    pub fn codes(&self) -> &[String] {
        &self.codes
    }

    /// All sums.
    pub fn sums(&self) -> &[Sum] {
        &self.sums
    }

    /// The sums in which a code is a part.
    pub fn part_of(&self, node: NodeId) -> &[u32] {
        &self.part_of[node as usize]
    }

    /// The sums of which a code is the total; none for a leaf.
    pub fn total_of(&self, node: NodeId) -> &[u32] {
        &self.total_of[node as usize]
    }

    /// All codes above a code, rising.
    pub fn ancestors(&self, node: NodeId) -> &[NodeId] {
        &self.ancestors[node as usize]
    }

    /// The codes that are no totals.
    pub fn leaves(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.len() as NodeId).filter(|&node| self.total_of(node).is_empty())
    }
}

fn ancestors(
    codes: &[String],
    sums: &[Sum],
    part_of: &[Vec<u32>],
) -> Result<Vec<Vec<NodeId>>, HierarchyError> {
    let mut all = Vec::with_capacity(codes.len());
    for (node, code) in codes.iter().enumerate() {
        let mut above: Vec<NodeId> = Vec::new();
        let mut open = vec![node as NodeId];
        while let Some(current) = open.pop() {
            for &sum in &part_of[current as usize] {
                let total = sums[sum as usize].total;
                if total as usize == node {
                    return Err(HierarchyError::Cycle(code.clone()));
                }
                if !above.contains(&total) {
                    above.push(total);
                    open.push(total);
                }
            }
        }
        above.sort_unstable();
        all.push(above);
    }
    Ok(all)
}

/// A spanning variable of a table: a name and its classification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dimension {
    /// The variable's name.
    pub name: String,
    /// Its codes and how they add up.
    pub hierarchy: Hierarchy,
}

impl Dimension {
    /// A named dimension.
    pub fn new(name: impl Into<String>, hierarchy: Hierarchy) -> Self {
        Self { name: name.into(), hierarchy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_balanced_tree_has_the_right_codes_and_ancestors() {
        let tree = Hierarchy::balanced(&[2, 3]);
        assert_eq!(tree.len(), 9);
        assert_eq!(tree.leaves().count(), 6);
        assert_eq!(tree.code(3), "1.1");
        assert_eq!(tree.ancestors(3), [0, 1]);
        assert_eq!(tree.sums().len(), 3);
    }

    #[test]
    fn one_code_may_be_split_in_two_ways() {
        let codes = ["Total", "a", "b", "c", "ab", "bc"].map(String::from).to_vec();
        let sum = |total, parts: &[NodeId]| Sum { total, parts: parts.to_vec() };
        let sums = vec![sum(0, &[4, 3]), sum(0, &[1, 5]), sum(4, &[1, 2]), sum(5, &[2, 3])];
        let hierarchy = Hierarchy::new(codes, sums).unwrap();
        assert_eq!(hierarchy.ancestors(2), [0, 4, 5]);
        assert_eq!(hierarchy.total_of(0), [0, 1]);
    }

    #[test]
    fn broken_hierarchies_are_refused() {
        let codes = |list: &[&str]| list.iter().map(|&code| code.to_owned()).collect::<Vec<_>>();
        let sum = |total, parts: &[NodeId]| Sum { total, parts: parts.to_vec() };
        assert_eq!(
            Hierarchy::new(codes(&["T", "a", "a"]), vec![sum(0, &[1, 2])]),
            Err(HierarchyError::DuplicateCode("a".into()))
        );
        assert_eq!(
            Hierarchy::new(codes(&["T", "a", "b"]), vec![sum(0, &[1]), sum(1, &[2]), sum(2, &[1])]),
            Err(HierarchyError::Cycle("a".into()))
        );
        assert_eq!(
            Hierarchy::new(codes(&["T", "a", "b"]), vec![sum(0, &[1])]),
            Err(HierarchyError::NotUnderTotal("b".into(), "T".into()))
        );
        assert_eq!(
            Hierarchy::new(codes(&["T", "a"]), vec![sum(0, &[7])]),
            Err(HierarchyError::UnknownNode(7))
        );
        assert_eq!(
            Hierarchy::new(codes(&["T", "a"]), vec![sum(0, &[1]), sum(1, &[])]),
            Err(HierarchyError::EmptySum("a".into()))
        );
    }
}
