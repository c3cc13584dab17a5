//! Hierarchies, `.hrc`: codes in order, each behind the one above it.
//!
//! A line is the leading string once for every level below the first, then the code. The
//! total is not in the file. Blanks on the left of a code belong to it, blanks on the
//! right do not; see [`CodeTree::without_padding`] for files that pad codes.

use quell_model::{Hierarchy, NodeId};

use crate::Error;
use crate::hierarchy::CodeTree;
use crate::hierarchy::TreeBuilder;
use crate::text::Text;

/// Reads a `.hrc` text whose levels are led by `lead`, usually `@`.
///
/// # Errors
/// A mistake with its place.
pub fn parse(text: &Text, lead: &str) -> Result<CodeTree, Error> {
    let mut builder = TreeBuilder::new(text);
    if lead.is_empty() {
        let advice = "give a leading string, usually @";
        return Err(text.mistake_found(0..0, "no leading string", "one", advice));
    }
    // The codes above the current one.
    let mut path: Vec<usize> = Vec::new();
    for line in text.lines().filter(|line| !line.text.trim().is_empty()) {
        let content = line.text.trim_end();
        let mut code = content;
        let mut depth = 0;
        while let Some(rest) = code.strip_prefix(lead) {
            code = rest;
            depth += 1;
        }
        let start = line.start + content.len() - code.len();
        if depth > path.len() {
            let expected = format!("at most {} times the leading string \"{lead}\"", path.len());
            let advice = "a code may be one level deeper than the one above it, no more";
            return Err(text.mistake(line.start..start, expected, advice));
        }
        path.truncate(depth);
        let parent = path.last().copied();
        path.push(builder.add(code, parent, line.number, start..start + code.len())?);
    }
    builder.finish()
}

/// A tree as a `.hrc` text, without its total. Codes come in the order of the hierarchy,
/// each behind the one above it.
///
/// # Errors
/// If a code stands under several others, or cannot be told from the leading string.
pub fn print(hierarchy: &Hierarchy, lead: &str) -> Result<String, Error> {
    let unwritable = |code: &str, what: &str, advice| Error::Unwritable {
        what: format!("the code \"{code}\", which {what},"),
        format: "a τ-ARGUS hierarchy",
        advice,
    };
    let mut out = String::new();
    if hierarchy.is_empty() {
        return Ok(out);
    }
    // Depth first, the first part on top.
    let parts = |node: NodeId| -> Vec<NodeId> {
        let sums = hierarchy.total_of(node).iter();
        sums.flat_map(|&sum| hierarchy.sums()[sum as usize].parts.iter().copied()).collect()
    };
    let mut open: Vec<(NodeId, usize)> = parts(0).into_iter().rev().map(|part| (part, 0)).collect();
    while let Some((node, depth)) = open.pop() {
        let code = hierarchy.code(node);
        if hierarchy.part_of(node).len() > 1 || hierarchy.total_of(node).len() > 1 {
            let advice = "write each of the alternative hierarchies to its own file";
            return Err(unwritable(code, "stands in several hierarchies", advice));
        }
        if code.starts_with(lead) || code.trim_end() != code || code.contains(['\n', '\r']) {
            let advice = "use another leading string, or rename the code";
            return Err(unwritable(code, "would not read back", advice));
        }
        for _ in 0..depth {
            out.push_str(lead);
        }
        out.push_str(code);
        out.push_str("\r\n");
        open.extend(parts(node).into_iter().rev().map(|part| (part, depth + 1)));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Hierarchy, Error> {
        parse(&Text::new("t.hrc", text.as_bytes()), "@")?.to_hierarchy("Total")
    }

    #[test]
    fn levels_and_blanks_are_read_as_files_have_them() {
        let hierarchy = read("Nr\r\n@ 1\r\r\n@10 \nOs \n\n@@x").unwrap_err();
        assert_eq!(hierarchy.mistake().unwrap().line, 6);
        let hierarchy = read("Nr\r\n@ 1\r\r\n@@1a\n@10 \nOs \n\n@x").unwrap();
        assert_eq!(hierarchy.codes(), ["Total", "Nr", " 1", "1a", "10", "Os", "x"]);
        assert_eq!(hierarchy.ancestors(3), [0, 1, 2]);
        assert_eq!(hierarchy.ancestors(6), [0, 5]);
    }

    #[test]
    fn mistakes_have_their_place() {
        let wrong = |text: &str| {
            let error = read(text).unwrap_err();
            error.mistake().map(|mistake| (mistake.line, mistake.column))
        };
        assert_eq!(wrong("@a"), Some((1, 1)));
        assert_eq!(wrong("a\n@b\n@a\n"), Some((3, 2)));
        assert_eq!(wrong("a\n@\n"), Some((2, 2)));
        assert_eq!(wrong("a\n@Total\n"), Some((2, 2)));
        assert_eq!(wrong("\n \n"), Some((1, 1)));
    }

    #[test]
    fn leading_strings_may_be_long() {
        let tree = parse(&Text::new("t", b"A\n..B\n....C\n"), "..").unwrap();
        assert_eq!(tree.depths(), [1, 2, 3]);
    }

    #[test]
    fn what_would_not_read_back_is_not_written() {
        let codes = ["T", "@a"].map(String::from).to_vec();
        let hierarchy = Hierarchy::from_parents(codes, &[None, Some(0)]).unwrap();
        assert!(print(&hierarchy, "@").is_err());
        assert_eq!(print(&hierarchy, ".").unwrap(), "@a\r\n");
    }
}
