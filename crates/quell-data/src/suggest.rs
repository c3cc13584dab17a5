//! "Did you mean …" for misspelt words.

/// The candidate nearest to a misspelt word, if one is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.to_uppercase().chars().take(64).collect();
    let limit = letters.len().div_ceil(3);
    candidates
        .into_iter()
        .map(|candidate| (distance(&letters, &candidate.to_uppercase()), candidate))
        // With no letter in common nothing is near.
        .filter(|&(distance, _)| distance <= limit && (distance < letters.len() || distance == 0))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The advice for a misspelt word: the nearest candidate, else all of them.
pub fn advise(word: &str, candidates: &[&str]) -> String {
    match nearest(word, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean {candidate}?"),
        None => format!("one of {}", candidates.join(" ")),
    }
}

/// Letters to insert, remove or replace to get from one word to the other.
fn distance(one: &[char], other: &str) -> usize {
    let mut row: Vec<usize> = (0..=one.len()).collect();
    for (position, letter) in other.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = position + 1;
        for (column, &mine) in one.iter().enumerate() {
            let replaced = diagonal + usize::from(mine != letter);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[one.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_suggested() {
        let words = ["<RECODEABLE>", "<NUMERIC>", "<TOTCODE>"];
        assert_eq!(nearest("<TOTALCODE>", words), Some("<TOTCODE>"));
        assert_eq!(nearest("<numerical>", words), Some("<NUMERIC>"));
        assert_eq!(nearest("<XYZ>", words), None);
        assert_eq!(nearest("c", ["a", "b"]), None);
        assert_eq!(nearest("A", ["a", "b"]), Some("a"));
        assert_eq!(advise("<XYZ>", &words[..2]), "one of <RECODEABLE> <NUMERIC>");
    }
}
