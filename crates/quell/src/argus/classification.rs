//! Dimensions from metadata, with groups that recodes ahead will ask for.

use std::path::{Path, PathBuf};

use quell_formats::Text;
use quell_formats::argus::rda::{HierarchySource, Variable};
use quell_formats::argus::{grc, hrc, locate};
use quell_formats::hierarchy::{self, CodeNode, CodeTree};
use quell_model::Hierarchy;

use crate::Error;

/// Where files of a batch are looked for.
#[derive(Debug)]
pub struct Folders {
    /// The batch's folder first.
    pub folders: Vec<PathBuf>,
}

impl Folders {
    /// The file that a name means.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, name: &str) -> Result<PathBuf, Error> {
        let folders: Vec<&Path> = self.folders.iter().map(PathBuf::as_path).collect();
        locate(name, &folders).ok_or_else(|| {
            let places: Vec<String> =
                self.folders.iter().map(|folder| folder.display().to_string()).collect();
            Error::arguments(
                format!("there is no file {name}"),
                format!("it was looked for in {}", places.join(", ")),
            )
        })
    }
}

/// The hierarchy of a variable. `codes` are those of the data.
///
/// # Errors
/// If its file cannot be read or is no hierarchy.
pub fn hierarchy(
    variable: &Variable,
    codes: &[String],
    folders: &Folders,
) -> Result<Hierarchy, Error> {
    let observed: Vec<&str> =
        codes.iter().map(|code| code.trim_end()).filter(|code| !code.is_empty()).collect();
    let mut tree = match &variable.hierarchy {
        None => flat(&observed),
        Some(HierarchySource::Digits(levels)) => {
            hierarchy::digits(observed.iter().copied(), levels)
        }
        Some(HierarchySource::File { file, lead }) => {
            let text = Text::read(&folders.find(&file.name)?)?;
            let known = |code: &str| observed.contains(&code);
            hrc::parse(&text, lead)?.without_padding(known)
        }
    };
    add_missing(&mut tree, variable);
    Ok(tree.to_hierarchy(variable.total())?)
}

fn flat(codes: &[&str]) -> CodeTree {
    let nodes = codes.iter().enumerate().map(|(position, &code)| CodeNode {
        code: code.to_owned(),
        parent: None,
        line: position + 1,
        column: 1,
    });
    CodeTree { file: "the data's codes".to_owned(), total: None, nodes: nodes.collect() }
}

/// Codes that mean "not known" need not stand in a hierarchy file, nor in the data: τ-ARGUS
/// always has them, below the total.
fn add_missing(tree: &mut CodeTree, variable: &Variable) {
    for missing in variable.missing.iter().filter(|missing| !missing.trim().is_empty()) {
        if !tree.nodes.iter().any(|node| node.code.trim() == missing.trim()) {
            let code = variable.pad(missing.trim());
            tree.nodes.push(CodeNode { code, parent: None, line: 1, column: 1 });
        }
    }
}

/// What stands before the new codes of a recode until it is done: a new code may be one of
/// the old ones.
const NEW: char = '\u{1}';

/// Whether a code is the new one of a recode that is still to come.
pub fn is_new(code: &str) -> bool {
    code.starts_with(NEW)
}

/// A code as it is called.
pub fn plain(code: &str) -> &str {
    code.trim_start_matches(NEW)
}

/// The hierarchy with the new codes of a recode between the total and its parts. A code
/// that the recode leaves alone stays where it is.
///
/// # Errors
/// If the codes then make no tree.
pub fn with_groups(
    hierarchy: &Hierarchy,
    groups: &grc::Groups,
    width: usize,
) -> Result<Hierarchy, Error> {
    let mut codes: Vec<String> = hierarchy.codes().to_vec();
    let mut parents: Vec<Option<u32>> = vec![None];
    parents.extend((1..hierarchy.len() as u32).map(|node| {
        let above = hierarchy.ancestors(node).iter().copied();
        above.max_by_key(|&above| hierarchy.ancestors(above).len())
    }));
    for node in hierarchy.leaves() {
        let Some(new) = groups.new_code(hierarchy.code(node), width) else { continue };
        let new = format!("{NEW}{new}");
        let group = codes.iter().position(|code| *code == new).unwrap_or_else(|| {
            codes.push(new);
            parents.push(Some(0));
            codes.len() - 1
        });
        parents[node as usize] = Some(group as u32);
    }
    Hierarchy::from_parents(codes, &parents).map_err(|error| {
        Error::arguments(
            format!("the recode makes no hierarchy: {error}"),
            "give groups other codes than those of the data",
        )
    })
}
