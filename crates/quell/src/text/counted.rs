//! Counts in the grammar of English.

/// A number of things: one table, two tables, one primary, no primaries.
pub fn counted(number: usize, thing: &str) -> String {
    match (number, thing.strip_suffix('y')) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_several() {
        assert_eq!([counted(0, "cell"), counted(1, "cell")], ["0 cells", "1 cell"]);
        assert_eq!([counted(1, "primary"), counted(2, "primary")], ["1 primary", "2 primaries"]);
    }
}
