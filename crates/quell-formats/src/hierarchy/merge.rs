//! Several hierarchies on one variable.

use std::collections::{BTreeMap, BTreeSet};

use quell_model::{Hierarchy, NodeId, Sum};

use super::tree::{CodeNode, CodeTree};
use crate::Error;

/// The leaves under a code, by their codes.
type Leaves<'a> = BTreeSet<&'a str>;

/// One hierarchy of several trees over the same leaves. The total is the first tree's
/// own, else `total`. A code in two trees is the same code and must mean the same leaves;
/// it may be split in two ways.
///
/// # Errors
/// A mistake at the code that one tree has and another has not, or has with other leaves.
pub fn merge(trees: &[CodeTree], total: &str) -> Result<Hierarchy, Error> {
    let Some((first, others)) = trees.split_first() else {
        return Hierarchy::from_parents(vec![total.to_owned()], &[None])
            .map_err(|error| unreadable(total, &error.to_string()));
    };
    let total = first.total.as_deref().unwrap_or(total);
    for other in others {
        same_leaves(first, other)?;
        same_leaves(other, first)?;
    }
    let mut codes: Vec<String> = vec![total.to_owned()];
    let mut ids: BTreeMap<&str, NodeId> = BTreeMap::new();
    let mut meaning: BTreeMap<&str, (&CodeTree, Leaves<'_>)> = BTreeMap::new();
    for tree in trees {
        for (node, below) in tree.nodes.iter().zip(leaves(tree)) {
            if node.code == total {
                let advice = "the total stands above all codes: remove it from this file";
                return Err(tree.mistake(node, "a code other than the total's", advice));
            }
            match meaning.get(node.code.as_str()) {
                None => {
                    ids.insert(&node.code, codes.len() as NodeId);
                    codes.push(node.code.clone());
                    meaning.insert(&node.code, (tree, below));
                }
                Some((before, known)) => {
                    if let Some(leaf) = known.symmetric_difference(&below).next() {
                        let expected = format!(
                            "the same leaves below it as in {}; \"{leaf}\" is only in one",
                            before.file
                        );
                        let advice = "give the code another name in one of the hierarchies";
                        return Err(tree.mistake(node, expected, advice));
                    }
                }
            }
        }
    }
    let sums = sums(trees, &ids);
    Hierarchy::new(codes, sums).map_err(|error| unreadable(&first.file, &error.to_string()))
}

/// The sums of all trees; the same sum counts once.
fn sums(trees: &[CodeTree], ids: &BTreeMap<&str, NodeId>) -> Vec<Sum> {
    let id = |node: &CodeNode| ids.get(node.code.as_str()).copied().unwrap_or(0);
    let mut sums: Vec<Sum> = Vec::new();
    let mut seen: BTreeSet<(NodeId, Vec<NodeId>)> = BTreeSet::new();
    for tree in trees {
        let mut parts: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for node in &tree.nodes {
            let above = node.parent.map_or(0, |parent| id(&tree.nodes[parent]));
            parts.entry(above).or_default().push(id(node));
        }
        for (total, parts) in parts {
            let mut sorted = parts.clone();
            sorted.sort_unstable();
            if seen.insert((total, sorted)) {
                sums.push(Sum { total, parts });
            }
        }
    }
    sums
}

/// The leaves under every code of a tree; a leaf has itself.
fn leaves(tree: &CodeTree) -> Vec<Leaves<'_>> {
    let mut below = vec![BTreeSet::new(); tree.nodes.len()];
    for leaf in tree.leaves() {
        let mut at = Some(leaf);
        while let Some(node) = at {
            below[node].insert(tree.nodes[leaf].code.as_str());
            at = tree.nodes[node].parent;
        }
    }
    below
}

/// Every leaf of one tree is a leaf of the other.
fn same_leaves(one: &CodeTree, other: &CodeTree) -> Result<(), Error> {
    let known: BTreeSet<&str> =
        other.leaves().into_iter().map(|leaf| other.nodes[leaf].code.as_str()).collect();
    for leaf in one.leaves() {
        let node = &one.nodes[leaf];
        if !known.contains(node.code.as_str()) {
            let expected = format!("a code that is a leaf of {}, too", other.file);
            let advice = "alternative hierarchies of a variable have the same leaves";
            return Err(one.mistake(node, expected, advice));
        }
    }
    Ok(())
}

/// What the model refuses although no reader does.
fn unreadable(file: &str, what: &str) -> Error {
    let tree = CodeTree { file: file.to_owned(), total: None, nodes: Vec::new() };
    let node = CodeNode { code: String::new(), parent: None, line: 1, column: 1 };
    tree.mistake(&node, format!("hierarchies that fit together, but {what}"), "rename codes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argus::hrc;
    use crate::text::Text;

    fn tree(file: &str, text: &str) -> CodeTree {
        hrc::parse(&Text::new(file, text.as_bytes()), "@").unwrap()
    }

    #[test]
    fn two_trees_over_the_same_leaves_become_one_hierarchy() {
        let one = tree("one", "ab\n@a\n@b\nc\n");
        let two = tree("two", "a\nbc\n@b\n@c\n");
        let hierarchy = merge(&[one, two], "T").unwrap();
        assert_eq!(hierarchy.codes(), ["T", "ab", "a", "b", "c", "bc"]);
        assert_eq!(hierarchy.sums().len(), 4);
        assert_eq!(hierarchy.ancestors(3), [0, 1, 5]);
    }

    #[test]
    fn a_code_in_both_trees_may_be_split_in_two_ways() {
        let one = tree("one", "x\n@p\n@@a\n@@b\n@c\nd\n");
        let two = tree("two", "x\n@a\n@q\n@@b\n@@c\nd\n");
        let hierarchy = merge(&[one.clone(), two], "T").unwrap();
        let x = hierarchy.codes().iter().position(|code| code == "x").unwrap();
        assert_eq!(hierarchy.total_of(x as NodeId).len(), 2);
        // The total is the same sum in both.
        assert_eq!(hierarchy.total_of(0).len(), 1);
        assert_eq!(merge(std::slice::from_ref(&one), "T").unwrap(), one.to_hierarchy("T").unwrap());
    }

    #[test]
    fn differing_leaves_are_named_with_file_and_line() {
        let message = |one: &str, two: &str| {
            merge(&[tree("one", one), tree("two", two)], "T").unwrap_err().to_string()
        };
        assert_eq!(
            message("a\nb\n", "a\nb\nc\n"),
            "two, line 3, column 1: found \"c\", expected a code that is a leaf of one, too"
        );
        assert_eq!(
            message("x\n@a\n@b\nc\n", "x\n@a\nb\nc\n"),
            "two, line 1, column 1: found \"x\", expected the same leaves below it as in one; \
             \"b\" is only in one"
        );
    }
}
