//! Labels of codes, `.cdl`: a code, a comma, its label.

use crate::text::Text;

/// A code with its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The code, blanks on its left included.
    pub code: String,
    /// What it means; empty if the file does not say.
    pub label: String,
    /// The line, from 1.
    pub line: usize,
}

/// A code list. It only names codes; which codes there are is for the data to say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CodeList {
    /// In the order of the file; a code may stand twice.
    pub labels: Vec<Label>,
}

impl CodeList {
    /// Reads a `.cdl` text. Every text is one.
    pub fn parse(text: &Text) -> Self {
        let labels = text.lines().filter(|line| !line.text.trim().is_empty()).map(|line| {
            let content = line.text.trim_end();
            let (code, label) = match content
                .strip_prefix('"')
                .and_then(|rest| rest.split_once('"'))
            {
                Some((code, rest)) => (code, rest.trim_start().strip_prefix(',').unwrap_or(rest)),
                None => content.split_once(',').unwrap_or((content, "")),
            };
            let label = label.trim();
            let inside = label.strip_prefix('"').and_then(|label| label.strip_suffix('"'));
            Label {
                code: code.trim_end().to_owned(),
                label: inside.unwrap_or(label).to_owned(),
                line: line.number,
            }
        });
        Self { labels: labels.collect() }
    }

    /// The label of a code, blanks on its left counted only if that finds one.
    pub fn label(&self, code: &str) -> Option<&str> {
        let exact = self.labels.iter().find(|label| label.code == code);
        let loose = || self.labels.iter().find(|label| label.code.trim() == code.trim());
        exact.or_else(loose).map(|label| label.label.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_may_have_commas_quotes_and_padded_codes() {
        let text = Text::new("t", b" 1,Groningen\r\n12, A, B\n20,\"Corop 20\"\nNr\n\"x,y\",z\n");
        let list = CodeList::parse(&text);
        assert_eq!(list.label(" 1"), Some("Groningen"));
        assert_eq!(list.label("1"), Some("Groningen"));
        assert_eq!(list.label("12"), Some("A, B"));
        assert_eq!(list.label("20"), Some("Corop 20"));
        assert_eq!(list.label("Nr"), Some(""));
        assert_eq!(list.label("x,y"), Some("z"));
        assert_eq!(list.label("2"), None);
        assert_eq!(list.labels[2].line, 3);
    }
}
