//! µ-ARGUS' description of a microdata file (`.rda`).
//!
//! One line a variable (name, place, length, missing codes), followed by lines of
//! options in angle brackets; a `<SEPARATOR>` on the first line makes the file free
//! format. The same tokens as τ-ARGUS', with µ-ARGUS' own options.

use std::path::Path;

use crate::read::{Field, Layout, Selection, Variable};
use crate::{Error, Result};

/// One variable of a `.rda` file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MetaVariable {
    /// Its name.
    pub name: String,
    /// First byte in a fixed-width file, from 0.
    pub start: usize,
    /// Number of bytes.
    pub length: usize,
    /// Up to two missing codes.
    pub missing: Vec<String>,
    /// Categorical: may be recoded and suppressed.
    pub recodable: bool,
    /// Last digits may be cut off.
    pub truncable: bool,
    /// Identification level, 0 for none.
    pub level: u32,
    /// Priority or weight of suppression.
    pub suppression: Option<f64>,
    /// File of labels.
    pub code_list: Option<String>,
    /// A number.
    pub numeric: bool,
    /// Decimals of a number.
    pub decimals: u32,
    /// The sampling weight.
    pub weight: bool,
    /// The household identifier.
    pub household_id: bool,
    /// A household variable: the same for all members.
    pub household: bool,
}

/// A `.rda` file.
#[derive(Debug, Clone, PartialEq)]
pub struct Metadata {
    /// The separator of a free-format file; fixed width without.
    pub separator: Option<u8>,
    /// The variables, in order.
    pub variables: Vec<MetaVariable>,
}

/// Tokens of a line: blanks separate, quotes hold together, `//` ends.
fn tokens(line: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() && !rest.starts_with("//") {
        let (token, after) = if let Some(quoted) = rest.strip_prefix('"') {
            quoted.split_once('"').unwrap_or((quoted, ""))
        } else if let Some(end) = rest.strip_prefix('<').and_then(|inner| inner.find('>')) {
            rest.split_at(end + 2)
        } else {
            rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()))
        };
        tokens.push(token.to_owned());
        rest = after.trim_start();
    }
    tokens
}

impl Metadata {
    /// Reads a `.rda` file.
    ///
    /// # Errors
    /// If it cannot be read or a line is wrong.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|source| Error::io(path, source))?;
        Self::parse(&String::from_utf8_lossy(&bytes), path)
    }

    /// The description in a text; `path` is for messages.
    ///
    /// # Errors
    /// If a line is wrong.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let mut found = Self { separator: None, variables: Vec::new() };
        for (line, text) in (1..).zip(text.lines()) {
            let tokens = tokens(&text.replace('\t', " "));
            let wrong = |message: String| Error::line(path, line, message);
            let Some(first) = tokens.first() else { continue };
            let number = |place: usize, what: &str| -> Result<usize> {
                let token = tokens.get(place).ok_or_else(|| wrong(format!("{what} is missing")))?;
                token.parse().map_err(|_| wrong(format!("{what} \"{token}\" is not a number")))
            };
            if !first.starts_with('<') {
                // Only a fixed-width file has a start.
                let fixed = usize::from(found.separator.is_none());
                let start = if fixed == 1 { number(1, "the start")? } else { 1 };
                if start == 0 {
                    return Err(wrong("the first place is 1, not 0".into()));
                }
                found.variables.push(MetaVariable {
                    name: first.clone(),
                    start: start - 1,
                    length: number(1 + fixed, "the length")?,
                    missing: tokens.iter().skip(2 + fixed).cloned().collect(),
                    ..MetaVariable::default()
                });
                continue;
            }
            let keyword = first.to_uppercase();
            if keyword == "<SEPARATOR>" {
                let separator = tokens.get(1).and_then(|token| token.bytes().next());
                if !found.variables.is_empty() {
                    return Err(wrong("<SEPARATOR> must come before all variables".into()));
                }
                found.separator =
                    Some(separator.ok_or_else(|| wrong("the separator is missing".into()))?);
                continue;
            }
            let Some(variable) = found.variables.last_mut() else {
                return Err(wrong(format!("{first} before the first variable")));
            };
            match keyword.as_str() {
                "<RECODABLE>" | "<RECODEABLE>" => variable.recodable = true,
                "<TRUNCABLE>" => variable.truncable = true,
                "<IDLEVEL>" => variable.level = number(1, "the level")? as u32,
                "<SUPPRESSWEIGHT>" | "<SUPPRESSPRIORITY>" => {
                    variable.suppression = Some(number(1, "the weight")? as f64);
                }
                "<CODELIST>" => variable.code_list = tokens.get(1).cloned(),
                "<NUMERIC>" => variable.numeric = true,
                "<DECIMALS>" => variable.decimals = number(1, "the number of decimals")? as u32,
                "<WEIGHT>" => variable.weight = true,
                "<HOUSE_ID>" => variable.household_id = true,
                "<HOUSEHOLD>" => variable.household = true,
                _ => return Err(wrong(format!("unknown option {first}"))),
            }
        }
        if found.variables.is_empty() {
            return Err(Error::line(path, 1, "no variable is described"));
        }
        Ok(found)
    }

    /// Where the fields are.
    pub fn layout(&self) -> Layout {
        match self.separator {
            Some(separator) => Layout::Delimited {
                separator,
                header: false,
                names: self.variables.iter().map(|variable| variable.name.clone()).collect(),
            },
            None => Layout::Fixed(
                self.variables
                    .iter()
                    .map(|variable| Field {
                        name: variable.name.clone(),
                        start: variable.start,
                        length: variable.length,
                    })
                    .collect(),
            ),
        }
    }

    /// The variable of a name.
    pub fn variable(&self, name: &str) -> Option<&MetaVariable> {
        self.variables.iter().find(|variable| variable.name.eq_ignore_ascii_case(name))
    }

    /// What to read: the named identifying variables with their missing codes, the
    /// weight and the household. Without names, all variables of a level above 0.
    pub fn selection(&self, keys: &[&str]) -> Selection {
        let key = |name: &str| match self.variable(name) {
            Some(variable) => {
                Variable { name: variable.name.clone(), missing: variable.missing.clone() }
            }
            None => Variable::named(name),
        };
        let named = |is: fn(&MetaVariable) -> bool| {
            self.variables.iter().find(|variable| is(variable)).map(|found| found.name.clone())
        };
        Selection {
            keys: if keys.is_empty() {
                self.variables.iter().filter(|v| v.level > 0).map(|v| key(&v.name)).collect()
            } else {
                keys.iter().map(|name| key(name)).collect()
            },
            weight: named(|variable| variable.weight),
            household: named(|variable| variable.household_id),
            others: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Metadata> {
        Metadata::parse(text, Path::new("x.rda"))
    }

    #[test]
    fn a_fixed_width_description_is_read() {
        let text = "house 1 4 \"9998\" \"9999\"\n  <HOUSE_ID>\nw 5 5\n <NUMERIC>\n <DECIMALS> 2\n \
                    <WEIGHT>\ntown 10 1 \"X\" // a comment\n\t<RECODABLE>\n <IDLEVEL> 1\n \
                    <SUPPRESSPRIORITY> 50\n <CODELIST> \"Town list.cdl\"\n";
        let metadata = parse(text).unwrap();
        let town = metadata.variable("TOWN").unwrap();
        assert_eq!((town.start, town.length, town.level), (9, 1, 1));
        assert_eq!(town.missing, ["X"]);
        assert_eq!(town.code_list.as_deref(), Some("Town list.cdl"));
        assert_eq!(town.suppression, Some(50.0));
        let selection = metadata.selection(&[]);
        assert_eq!(selection.keys.len(), 1);
        assert_eq!(selection.weight.as_deref(), Some("w"));
        assert_eq!(selection.household.as_deref(), Some("house"));
        assert!(matches!(metadata.layout(), Layout::Fixed(_)));
    }

    #[test]
    fn a_free_format_description_has_no_places() {
        let metadata = parse("<SEPARATOR> \",\"\nREGION 4 9999 9998\n <RECODABLE>\n").unwrap();
        assert_eq!(metadata.separator, Some(b','));
        assert_eq!(metadata.variables[0].length, 4);
        assert_eq!(metadata.variables[0].missing, ["9999", "9998"]);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert_eq!(message("a 1 1\n<COLOUR>\n"), "x.rda, line 2: unknown option <COLOUR>");
        assert_eq!(message("a 1 one"), "x.rda, line 1: the length \"one\" is not a number");
        assert_eq!(message("\n<IDLEVEL> 1"), "x.rda, line 2: <IDLEVEL> before the first variable");
    }
}
