//! A CSV file of parent and child.

use super::tree::{CodeTree, TreeBuilder};
use crate::Error;
use crate::fields;
use crate::text::Text;

/// Reads a CSV file with a header and lines of a parent and one of its parts, in any
/// order: `from,to` or `parent,child` or whatever the two columns are called. If one code
/// stands above all others, it is the total.
///
/// # Errors
/// A mistake with its place; a code with two parents and a circle are mistakes.
pub fn parents(text: &Text) -> Result<CodeTree, Error> {
    let separator = fields::separator_of(text);
    let advice = "a line reads: parent, separator, child";
    // Children in the order of the file; parents that are nobody's child are found later.
    let mut pairs = Vec::new();
    for line in text.lines().filter(|line| !line.text.trim().is_empty()).skip(1) {
        let row = fields::split(&line, separator);
        let Ok([parent, child]) = <[_; 2]>::try_from(row) else {
            return Err(text.mistake(line.place(), "a parent and a child", advice));
        };
        if parent.text == child.text {
            let advice = "no code is a part of itself";
            return Err(text.mistake(child.place, "a child other than its parent", advice));
        }
        pairs.push((parent, child, line.number));
    }
    let children: rustc_hash::FxHashSet<&str> =
        pairs.iter().map(|(_, child, _)| child.text.as_ref()).collect();
    let mut tops: Vec<&str> = Vec::new();
    for (parent, ..) in &pairs {
        if !children.contains(parent.text.as_ref()) && !tops.contains(&parent.text.as_ref()) {
            tops.push(&parent.text);
        }
    }
    let mut builder = TreeBuilder::new(text);
    let total = match tops.as_slice() {
        [total] => Some(*total),
        _ => None,
    };
    if let Some(total) = total {
        builder.set_total(total);
    }
    for (parent, child, line) in &pairs {
        let top = Some(parent.text.as_ref()) != total && !children.contains(parent.text.as_ref());
        if top && builder.find(&parent.text).is_none() {
            builder.add(&parent.text, None, *line, parent.place.clone())?;
        }
        builder.add(&child.text, None, *line, child.place.clone())?;
    }
    for (parent, child, _) in &pairs {
        if let (Some(parent), Some(child)) = (builder.find(&parent.text), builder.find(&child.text))
        {
            builder.set_parent(child, parent);
        }
    }
    let tree = builder.finish()?;
    refuse_circles(&tree)?;
    Ok(tree)
}

/// Walks up from every code, each edge once.
pub(super) fn refuse_circles(tree: &CodeTree) -> Result<(), Error> {
    // 0: not seen; else the walk that saw it.
    let mut seen = vec![0_usize; tree.nodes.len()];
    for start in 0..tree.nodes.len() {
        let mut at = Some(start);
        while let Some(node) = at {
            if seen[node] == start + 1 {
                let advice = "one of the lines has parent and child the wrong way round";
                let expected = "a code that is not, through its parents, part of itself";
                return Err(tree.mistake(&tree.nodes[node], expected, advice));
            }
            if seen[node] != 0 {
                break;
            }
            seen[node] = start + 1;
            at = tree.nodes[node].parent;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_top_is_the_total() {
        let text = Text::new("t", b"from,to\nA,a1\nAll,A\nAll,B\nA,a2\n");
        let tree = parents(&text).unwrap();
        assert_eq!(tree.total.as_deref(), Some("All"));
        let hierarchy = tree.to_hierarchy("unused").unwrap();
        assert_eq!(hierarchy.codes(), ["All", "a1", "A", "B", "a2"]);
        assert_eq!(hierarchy.ancestors(1), [0, 2]);
    }

    #[test]
    fn several_tops_stand_below_the_callers_total() {
        let tree = parents(&Text::new("t", b"p;c\nA;a1\nB;b1\n")).unwrap();
        assert_eq!(tree.total, None);
        assert_eq!(tree.to_hierarchy("T").unwrap().codes(), ["T", "A", "a1", "B", "b1"]);
    }

    #[test]
    fn circles_and_second_parents_are_mistakes() {
        let line = |text: &str| {
            let error = parents(&Text::new("t", text.as_bytes())).unwrap_err();
            error.mistake().map(|mistake| mistake.line)
        };
        assert_eq!(line("p,c\nT,x\na,b\nb,a\n"), Some(3));
        assert_eq!(line("p,c\na,b\nc,b\n"), Some(3));
        assert_eq!(line("p,c\na,a\n"), Some(2));
        assert_eq!(line("p,c\n"), Some(1));
    }
}
