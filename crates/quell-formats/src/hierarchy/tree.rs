//! Codes with their parents, as a file has them.

use std::ops::Range;

use quell_model::{Hierarchy, HierarchyError, NodeId};
use rustc_hash::FxHashMap;

use crate::mistake::{Snippet, quote};
use crate::text::Text;
use crate::{Error, Mistake};

/// A code of a [`CodeTree`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeNode {
    /// The code, blanks on its left included.
    pub code: String,
    /// The node above it; none directly below the total.
    pub parent: Option<usize>,
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its column in the file, from 1.
    pub column: usize,
}

/// Codes with their parents, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeTree {
    /// The name of the file.
    pub file: String,
    /// The code of the total, if the file has it.
    pub total: Option<String>,
    /// All codes below the total. Every code stands once; parents form no circles.
    pub nodes: Vec<CodeNode>,
}

impl CodeTree {
    /// Depth below the total of every code, from 1.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.nodes.len()];
        for start in 0..self.nodes.len() {
            // Parents may follow their children, so walk up to a known depth, then down.
            let mut path = Vec::new();
            let mut node = Some(start);
            while let Some(at) = node.filter(|&at| depths[at] == 0) {
                path.push(at);
                node = self.nodes[at].parent;
            }
            let mut depth = node.map_or(0, |at| depths[at]);
            for at in path.into_iter().rev() {
                depth += 1;
                depths[at] = depth;
            }
        }
        depths
    }

    /// The nodes that are nobody's parent.
    pub fn leaves(&self) -> Vec<usize> {
        let mut is_parent = vec![false; self.nodes.len()];
        for parent in self.nodes.iter().filter_map(|node| node.parent) {
            is_parent[parent] = true;
        }
        (0..self.nodes.len()).filter(|&node| !is_parent[node]).collect()
    }

    /// The hierarchy under the file's own total, else under `total`.
    ///
    /// # Errors
    /// If one of the codes is the total's.
    pub fn to_hierarchy(&self, total: &str) -> Result<Hierarchy, Error> {
        let total = self.total.as_deref().unwrap_or(total);
        let mut codes = vec![total.to_owned()];
        let mut parents: Vec<Option<NodeId>> = vec![None];
        for node in &self.nodes {
            if node.code == total {
                let advice = "the total stands above all codes: remove it, or name another total";
                return Err(self.mistake(node, "a code other than the total's", advice));
            }
            codes.push(node.code.clone());
            parents.push(Some(node.parent.map_or(0, |parent| parent as NodeId + 1)));
        }
        Hierarchy::from_parents(codes, &parents).map_err(|error| {
            let (HierarchyError::DuplicateCode(code)
            | HierarchyError::Cycle(code)
            | HierarchyError::EmptySum(code)
            | HierarchyError::NotUnderTotal(code, _)) = &error
            else {
                return self.mistake_of_code("", &error);
            };
            self.mistake_of_code(code, &error)
        })
    }

    fn mistake_of_code(&self, code: &str, error: &HierarchyError) -> Error {
        let unknown = CodeNode { code: code.to_owned(), parent: None, line: 1, column: 1 };
        let node = self.nodes.iter().find(|node| node.code == code).unwrap_or(&unknown);
        self.mistake(node, format!("a tree, but {error}"), "correct the hierarchy")
    }

    /// A mistake at the line of a code.
    pub(super) fn mistake(
        &self,
        node: &CodeNode,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> Error {
        Mistake {
            file: self.file.clone(),
            line: node.line,
            column: node.column,
            found: quote(node.code.as_bytes()),
            expected: expected.into(),
            advice: advice.into(),
            snippet: Snippet {
                text: node.code.clone(),
                first_column: node.column,
                wrong: 0..node.code.len(),
            },
        }
        .into()
    }

    /// The tree without the blanks on the left of codes, if those are padding.
    ///
    /// In a fixed-width file the code `" 1"` has its blank; in files that pad codes for
    /// looks it does not. The data decide: if they know no code with blanks as it is
    /// written, but some without them, the blanks are padding. `known` says which codes
    /// the data have.
    #[must_use]
    pub fn without_padding(mut self, known: impl Fn(&str) -> bool) -> Self {
        let padded = || {
            self.nodes.iter().map(|node| node.code.as_str()).filter(|code| code.starts_with(' '))
        };
        let meant = padded().any(&known);
        let padding = !meant && padded().any(|code| known(code.trim_start()));
        let mut seen = FxHashMap::default();
        let distinct =
            self.nodes.iter().all(|node| seen.insert(node.code.trim_start(), ()).is_none());
        if padding && distinct {
            for node in &mut self.nodes {
                node.code = node.code.trim_start().to_owned();
            }
        }
        self
    }
}

/// Builds a tree from a file, code by code.
pub(crate) struct TreeBuilder<'a> {
    text: &'a Text,
    tree: CodeTree,
    by_code: FxHashMap<String, usize>,
}

impl<'a> TreeBuilder<'a> {
    pub fn new(text: &'a Text) -> Self {
        let tree = CodeTree { file: text.file().to_owned(), total: None, nodes: Vec::new() };
        Self { text, tree, by_code: FxHashMap::default() }
    }

    /// The number of codes so far.
    pub fn len(&self) -> usize {
        self.tree.nodes.len()
    }

    /// The position of a code that has been added.
    pub fn find(&self, code: &str) -> Option<usize> {
        self.by_code.get(code).copied()
    }

    pub fn node(&self, position: usize) -> &CodeNode {
        &self.tree.nodes[position]
    }

    pub fn set_total(&mut self, total: &str) {
        self.tree.total = Some(total.to_owned());
    }

    /// Adds a code that stands at a place of the text.
    pub fn add(
        &mut self,
        code: &str,
        parent: Option<usize>,
        line: usize,
        place: Range<usize>,
    ) -> Result<usize, Error> {
        if code.trim().is_empty() {
            let advice = "remove the line, or write the code";
            return Err(self.text.mistake_found(place, "no code", "a code", advice));
        }
        if let Some(before) = self.find(code) {
            let expected = format!("a code not used before; line {} has it", self.line_of(before));
            return Err(self.text.mistake(place, expected, "every code stands once"));
        }
        let before = &self.text.as_str()[..place.start.min(self.text.as_str().len())];
        let column = before.chars().rev().take_while(|&letter| letter != '\n').count() + 1;
        let position = self.len();
        self.tree.nodes.push(CodeNode { code: code.to_owned(), parent, line, column });
        self.by_code.insert(code.to_owned(), position);
        Ok(position)
    }

    pub fn set_parent(&mut self, position: usize, parent: usize) {
        self.tree.nodes[position].parent = Some(parent);
    }

    fn line_of(&self, position: usize) -> usize {
        self.tree.nodes[position].line
    }

    /// The tree, which must have a code.
    pub fn finish(self) -> Result<CodeTree, Error> {
        if self.tree.nodes.is_empty() {
            let end = self.text.as_str().trim_end().len();
            let advice = "a hierarchy needs at least one code below the total";
            return Err(self.text.mistake(end..end, "a code", advice));
        }
        Ok(self.tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(codes: &[(&str, Option<usize>)]) -> CodeTree {
        let nodes = codes.iter().enumerate().map(|(line, &(code, parent))| CodeNode {
            code: code.to_owned(),
            parent,
            line: line + 1,
            column: 1,
        });
        CodeTree { file: "t.hrc".to_owned(), total: None, nodes: nodes.collect() }
    }

    #[test]
    fn depths_are_found_in_any_order() {
        let tree = tree(&[("a1", Some(2)), ("b", None), ("a", None), ("a11", Some(0))]);
        assert_eq!(tree.depths(), [2, 1, 1, 3]);
        assert_eq!(tree.leaves(), [1, 3]);
    }

    #[test]
    fn a_code_of_the_total_is_refused_with_its_line() {
        let error = tree(&[("a", None), ("All", None)]).to_hierarchy("All").unwrap_err();
        assert_eq!(
            error.to_string(),
            "t.hrc, line 2, column 1: found \"All\", expected a code other than the total's"
        );
    }

    #[test]
    fn padding_goes_only_if_the_data_say_so() {
        let padded = tree(&[("North", None), (" 1", Some(0)), ("12", Some(0))]);
        let kept = padded.clone().without_padding(|code| code == " 1");
        assert_eq!(kept, padded);
        let trimmed = padded.clone().without_padding(|code| code == "1");
        assert_eq!(trimmed.nodes[1].code, "1");
        let unknown = padded.clone().without_padding(|_| false);
        assert_eq!(unknown, padded);
    }
}
