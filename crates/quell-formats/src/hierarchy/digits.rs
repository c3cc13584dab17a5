//! Hierarchies in the digits of codes.

use rustc_hash::FxHashMap;

use super::tree::{CodeNode, CodeTree};

/// The tree of codes whose first digits name the codes above them: with levels of 3, 1
/// and 1 digits, `34100` lies below `3410` and that below `341`.
///
/// Codes shorter than all levels together stand where their digits end. Codes come out
/// sorted, each behind the one above it. `line` is the position of a code in `codes`.
pub fn digits<'a>(codes: impl IntoIterator<Item = &'a str>, levels: &[usize]) -> CodeTree {
    let mut prefixes: Vec<(String, usize)> = Vec::new();
    for (position, code) in codes.into_iter().enumerate() {
        let letters: Vec<char> = code.chars().collect();
        let mut end = 0;
        for &level in levels {
            if end >= letters.len() {
                break;
            }
            end = (end + level).min(letters.len());
            prefixes.push((letters[..end].iter().collect(), position));
        }
    }
    prefixes.sort();
    prefixes.dedup_by(|one, other| one.0 == other.0);
    let mut nodes: Vec<CodeNode> = Vec::with_capacity(prefixes.len());
    let mut by_code: FxHashMap<String, usize> = FxHashMap::default();
    for (code, position) in prefixes {
        let length = code.chars().count();
        let mut above = 0;
        for &level in levels {
            if above + level >= length {
                break;
            }
            above += level;
        }
        let parent: String = code.chars().take(above).collect();
        by_code.insert(code.clone(), nodes.len());
        nodes.push(CodeNode {
            parent: by_code.get(&parent).copied(),
            code,
            line: position + 1,
            column: 1,
        });
    }
    CodeTree { file: "the codes' digits".to_owned(), total: None, nodes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lie_below_their_first_digits() {
        let tree = digits(["34100", "34110", "29240", "29"], &[3, 1, 1]);
        let codes: Vec<_> =
            tree.nodes.iter().map(|node| (node.code.as_str(), node.parent)).collect();
        assert_eq!(
            codes,
            [
                ("29", None),
                ("292", None),
                ("2924", Some(1)),
                ("29240", Some(2)),
                ("341", None),
                ("3410", Some(4)),
                ("34100", Some(5)),
                ("3411", Some(4)),
                ("34110", Some(7)),
            ]
        );
    }
}
