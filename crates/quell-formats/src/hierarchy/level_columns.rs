//! A correspondence table: one column per level, coarse to fine.

use super::tree::{CodeTree, TreeBuilder};
use crate::Error;
use crate::fields::{self, Field};
use crate::text::Text;

/// Reads a CSV file with a header and, in each line, the codes of one leaf from coarse to
/// fine. With `columns`, only the columns of these names count, in this order.
///
/// Branches may be shorter: an empty field or `NA`, and a code that repeats the one before
/// it in its line, stand for no further level. (rtauargus writes such tables, with the
/// same code on two levels where a branch has nothing to split.)
///
/// # Errors
/// A mistake with its place; a code under two parents is one.
pub fn level_columns(text: &Text, columns: Option<&[&str]>) -> Result<CodeTree, Error> {
    let separator = fields::separator_of(text);
    let mut lines = text.lines().filter(|line| !line.text.trim().is_empty());
    let end = text.as_str().len();
    let advice = "the first line names the levels, coarse to fine";
    let header = lines.next().ok_or_else(|| text.mistake(end..end, "a header", advice))?;
    let header_fields = fields::split(&header, separator);
    let names: Vec<&str> = header_fields.iter().map(|field| field.text.as_ref()).collect();
    let chosen: Vec<usize> = match columns {
        None => (0..names.len()).collect(),
        Some(columns) => columns
            .iter()
            .map(|&column| {
                let lower = column.to_lowercase();
                names.iter().position(|name| name.to_lowercase() == lower).ok_or_else(|| {
                    let advice = crate::suggest::advise(column, &names);
                    text.mistake(header.place(), format!("a column \"{column}\""), advice)
                })
            })
            .collect::<Result<_, _>>()?,
    };
    let mut builder = TreeBuilder::new(text);
    for line in lines {
        let row = fields::split(&line, separator);
        if row.len() != names.len() {
            let expected = format!("{} fields as in the header", names.len());
            let found = format!("{} fields", row.len());
            let advice = "every line has a code for each level";
            return Err(text.mistake_found(line.place(), found, expected, advice));
        }
        let path: Vec<&Field<'_>> = chosen.iter().map(|&column| &row[column]).collect();
        add_path(&mut builder, text, &path, line.number)?;
    }
    builder.finish()
}

fn add_path(
    builder: &mut TreeBuilder<'_>,
    text: &Text,
    path: &[&Field<'_>],
    line: usize,
) -> Result<(), Error> {
    let mut parent: Option<usize> = None;
    for field in path {
        let code = field.text.as_ref();
        let repeats = parent.is_some_and(|parent| builder.node(parent).code == code);
        if code.is_empty() || code == "NA" || repeats {
            continue;
        }
        parent = Some(match builder.find(code) {
            None => builder.add(code, parent, line, field.place.clone())?,
            Some(known) if builder.node(known).parent == parent => known,
            Some(known) => {
                let known = builder.node(known);
                let above = known.parent.map_or("the total", |at| builder.node(at).code.as_str());
                let expected = format!("it under {above} as in line {}", known.line);
                let advice = "a code has one parent and one level; rename one of the two";
                return Err(text.mistake(field.place.clone(), expected, advice));
            }
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(tree: &CodeTree) -> Vec<(&str, Option<usize>)> {
        tree.nodes.iter().map(|node| (node.code.as_str(), node.parent)).collect()
    }

    #[test]
    fn short_branches_may_repeat_or_leave_out_codes() {
        let text = Text::new("t", b"L1,L2,L3\nA,A1,01\nA,A1,02\nA,X,X\nB,,09\nC,C,C\nD,NA,NA\n");
        let tree = level_columns(&text, None).unwrap();
        assert_eq!(
            codes(&tree),
            [
                ("A", None),
                ("A1", Some(0)),
                ("01", Some(1)),
                ("02", Some(1)),
                ("X", Some(0)),
                ("B", None),
                ("09", Some(5)),
                ("C", None),
                ("D", None)
            ]
        );
    }

    #[test]
    fn columns_are_chosen_by_name() {
        let text = Text::new("t", b"fine;x;coarse\n1;;A\n2;;A\n");
        let tree = level_columns(&text, Some(&["COARSE", "fine"])).unwrap();
        assert_eq!(codes(&tree), [("A", None), ("1", Some(0)), ("2", Some(0))]);
        let error = level_columns(&text, Some(&["corse"])).unwrap_err();
        assert_eq!(error.mistake().unwrap().advice, "did you mean coarse?");
    }

    #[test]
    fn two_parents_are_a_mistake_with_both_lines() {
        let error = level_columns(&Text::new("t", b"a,b\nA,1\nB,1\n"), None).unwrap_err();
        let mistake = error.mistake().unwrap();
        assert_eq!((mistake.line, mistake.column), (3, 3));
        assert_eq!(mistake.expected, "it under A as in line 2");
    }
}
