//! The JSON of sdcHierarchies, in the form of jsTree.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::tree::{CodeTree, TreeBuilder};
use crate::Error;
use crate::text::Text;

#[derive(Deserialize)]
struct Item {
    id: String,
    parent: String,
    #[serde(default)]
    text: Option<String>,
}

/// Reads an array of `{"id", "parent", "text"}`; the parent of codes directly below the
/// total is `"#"`. Other fields do not count. If one code stands above all others, it is
/// the total.
///
/// # Errors
/// A mistake with its place.
pub fn json(text: &Text) -> Result<CodeTree, Error> {
    let source = text.as_str();
    let advice = "the file is an array of {\"id\": …, \"parent\": …}, parent \"#\" at the top";
    // Items are kept raw first: their addresses tell their places.
    let raw: Vec<&RawValue> = serde_json::from_str(source).map_err(|error| {
        let at = place_of(text, error.line(), error.column());
        text.mistake_found(at..at, error.to_string(), "an array of codes in JSON", advice)
    })?;
    let mut items = Vec::with_capacity(raw.len());
    for item in raw {
        let start = item.get().as_ptr() as usize - source.as_ptr() as usize;
        let place = start..start + item.get().find('\n').unwrap_or(item.get().len());
        let parsed: Item = serde_json::from_str(item.get())
            .map_err(|_| text.mistake(place.clone(), "an object with id and parent", advice))?;
        items.push((parsed, place));
    }
    let mut tops = items.iter().filter(|(item, _)| item.parent == "#");
    let total = match (tops.next(), tops.next()) {
        // A lone top with others below it is the total itself.
        (Some((top, _)), None) if items.len() > 1 => Some(top.id.as_str()),
        _ => None,
    };
    let mut builder = TreeBuilder::new(text);
    let mut number = 1;
    let mut counted = 0;
    // Ids may differ from codes.
    let mut by_id = rustc_hash::FxHashMap::default();
    for (item, place) in &items {
        number += source[counted..place.start].matches('\n').count();
        counted = place.start;
        let code = item.text.as_deref().unwrap_or(&item.id);
        if Some(item.id.as_str()) == total {
            builder.set_total(code);
            continue;
        }
        let position = builder.add(code, None, number, place.clone())?;
        if by_id.insert(item.id.as_str(), position).is_some() {
            return Err(text.mistake(place.clone(), "an id not used before", advice));
        }
    }
    for (item, place) in &items {
        if item.parent == "#" || Some(item.parent.as_str()) == total {
            continue;
        }
        let (Some(&node), Some(&parent)) =
            (by_id.get(item.id.as_str()), by_id.get(item.parent.as_str()))
        else {
            let expected = format!("a parent that exists; there is no \"{}\"", item.parent);
            return Err(text.mistake(place.clone(), expected, advice));
        };
        builder.set_parent(node, parent);
    }
    let tree = builder.finish()?;
    super::parents::refuse_circles(&tree)?;
    Ok(tree)
}

/// The byte of a line and a column in bytes, both from 1, as the JSON reader counts.
fn place_of(text: &Text, line: usize, column: usize) -> usize {
    let found = text.lines().nth(line.saturating_sub(1));
    let Some(line) = found else { return text.as_str().len() };
    let mut at = (line.start + column.saturating_sub(1)).min(text.as_str().len());
    while !text.as_str().is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_find_their_parents_in_any_order() {
        let text = Text::new(
            "t",
            b"[{\"id\":\"a1\",\"parent\":\"A\",\"text\":\"a1\",\"state\":{\"opened\":true}},\n \
              {\"id\":\"A\",\"parent\":\"#\"},\n {\"id\":\"B\",\"parent\":\"#\",\"text\":\"B\"}]",
        );
        let tree = json(&text).unwrap();
        let codes: Vec<_> =
            tree.nodes.iter().map(|node| (node.code.as_str(), node.parent)).collect();
        assert_eq!(codes, [("a1", Some(1)), ("A", None), ("B", None)]);
        assert_eq!(tree.nodes[2].line, 3);
        assert_eq!(tree.total, None);
    }

    #[test]
    fn a_lone_top_is_the_total() {
        let text =
            Text::new("t", b"[{\"id\":\"T\",\"parent\":\"#\"},{\"id\":\"a\",\"parent\":\"T\"}]");
        let tree = json(&text).unwrap();
        assert_eq!(tree.total.as_deref(), Some("T"));
        assert_eq!(tree.nodes.len(), 1);
    }

    #[test]
    fn mistakes_have_their_line() {
        let line = |text: &str| {
            let error = json(&Text::new("t", text.as_bytes())).unwrap_err();
            error.mistake().map(|mistake| mistake.line)
        };
        assert_eq!(line("[\n{\"id\":\"a\",}]"), Some(2));
        assert_eq!(
            line("[{\"id\":\"a\",\"parent\":\"#\"},\n{\"id\":\"b\",\"parent\":\"x\"}]"),
            Some(2)
        );
        assert_eq!(line("[\n\n{\"id\":1}]"), Some(3));
        let circle = "[{\"id\":\"a\",\"parent\":\"b\"},{\"id\":\"b\",\"parent\":\"a\"}]";
        assert_eq!(line(circle), Some(1));
        assert_eq!(line("[]"), Some(1));
    }
}
