//! A CSV file of level and name, as sdcHierarchies' `df` and sdcTable have it.

use super::tree::{CodeTree, TreeBuilder};
use crate::Error;
use crate::fields;
use crate::text::Text;

/// Reads lines of a level and a name: `"@@";"North"`. The level is as many `@` as the
/// code is deep, the total included, which comes first as `@`. The header is optional.
///
/// # Errors
/// A mistake with its place.
pub fn level_names(text: &Text) -> Result<CodeTree, Error> {
    let separator = fields::separator_of(text);
    let mut builder = TreeBuilder::new(text);
    // The codes above the current one; the total is none of them.
    let mut path: Vec<usize> = Vec::new();
    let mut total = false;
    let mut first = true;
    for line in text.lines().filter(|line| !line.text.trim().is_empty()) {
        let row = fields::split(&line, separator);
        let advice = "a line reads: level as one @ or more, separator, code";
        let [level, name] = row.as_slice() else {
            return Err(text.mistake(line.place(), "a level and a code", advice));
        };
        let header = std::mem::take(&mut first) && !level.text.starts_with('@');
        if header {
            continue;
        }
        let depth = level.text.len();
        if depth == 0 || level.text.bytes().any(|byte| byte != b'@') {
            return Err(text.mistake(level.place.clone(), "a level of one @ or more", advice));
        }
        match (depth, total) {
            (1, false) if !name.text.trim().is_empty() => {
                builder.set_total(&name.text);
                total = true;
            }
            (1, _) => {
                let advice = "@ is the level of the total, which stands once and first";
                return Err(text.mistake(line.place(), "one code of the level @", advice));
            }
            (_, false) => {
                let advice = "the first code is the total";
                return Err(text.mistake(level.place.clone(), "the level @", advice));
            }
            _ if depth - 2 > path.len() => {
                let expected = format!("at most {} @", path.len() + 2);
                let advice = "a level may be one deeper than the one above it, no more";
                return Err(text.mistake(level.place.clone(), expected, advice));
            }
            _ => {
                path.truncate(depth - 2);
                let parent = path.last().copied();
                path.push(builder.add(&name.text, parent, line.number, name.place.clone())?);
            }
        }
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_count_from_the_total() {
        let text = Text::new(
            "t",
            b"\"level\";\"name\"\n\"@\";\"Tot\"\n\"@@\";\"A\"\n\"@@@\";\"a1\"\n\"@@\";\"B\"\n",
        );
        let tree = level_names(&text).unwrap();
        assert_eq!(tree.total.as_deref(), Some("Tot"));
        let codes: Vec<_> =
            tree.nodes.iter().map(|node| (node.code.as_str(), node.parent)).collect();
        assert_eq!(codes, [("A", None), ("a1", Some(0)), ("B", None)]);
        assert_eq!(tree.nodes[1].line, 4);
    }

    #[test]
    fn wrong_levels_have_their_place() {
        let wrong = |text: &str| {
            let error = level_names(&Text::new("t", text.as_bytes())).unwrap_err();
            error.mistake().map(|mistake| (mistake.line, mistake.expected.clone()))
        };
        assert_eq!(wrong("@,T\n@@@,a"), Some((2, "at most 2 @".into())));
        assert_eq!(wrong("@@,a"), Some((1, "the level @".into())));
        assert_eq!(wrong("@,T\n@,U"), Some((2, "one code of the level @".into())));
        assert_eq!(wrong("@,T\n@@,a\n@@,a").map(|wrong| wrong.0), Some(3));
        assert_eq!(wrong("@,T\n"), Some((1, "a code".into())));
    }
}
