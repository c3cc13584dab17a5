//! A mistake in a job file, and where it stands.

use std::ops::Range;

use thiserror::Error;

/// How like two names must be for one to be meant by the other.
const ALIKE: f64 = 0.6;

/// A mistake in a job file.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct JobMistake {
    /// The job file's name.
    pub file: String,
    /// Its whole text.
    pub text: String,
    /// The bytes of the text that are wrong.
    pub place: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub advice: String,
}

impl JobMistake {
    /// A mistake at the bytes `place` of a job file's text.
    pub fn new(
        file: &str,
        text: &str,
        place: Range<usize>,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self {
            file: file.to_owned(),
            text: text.to_owned(),
            place,
            message: message.into(),
            advice: advice.into(),
        }
    }

    /// The file, and the line that it stands in.
    pub fn line(&self) -> String {
        let before = self.text.get(..self.place.start).unwrap_or(&self.text);
        let number = before.matches('\n').count();
        let text = self.text.lines().nth(number).unwrap_or_default().trim();
        format!("{} line {}, \"{text}\"", self.file, number + 1)
    }

    /// What the reader of TOML complains about, with a guess at what was meant.
    pub fn of_toml(file: &str, text: &str, error: &toml::de::Error) -> Self {
        let message = error.message().trim().replace('\n', "; ");
        let place = error.span().unwrap_or(0..0);
        let advice = unknown_field(&message)
            .and_then(|(found, known)| did_you_mean(&found, known.iter().map(String::as_str)))
            .unwrap_or_else(|| "docs/job.md lists every key with an example".to_owned());
        Self::new(file, text, place, message, advice)
    }
}

/// The words in back quotes of "unknown field `a`, expected one of `b`, `c`".
fn unknown_field(message: &str) -> Option<(String, Vec<String>)> {
    let rest =
        message.strip_prefix("unknown field ").or(message.strip_prefix("unknown variant "))?;
    let mut words = rest.split('`').skip(1).step_by(2).map(str::to_owned);
    Some((words.next()?, words.collect()))
}

/// "did you mean …?", if one of the known names is much like the one found.
pub fn did_you_mean<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let found = found.to_lowercase();
    let likeness = |name: &str| strsim::jaro_winkler(&found, &name.to_lowercase());
    let mut best: Option<(f64, &str)> = None;
    for name in known {
        let alike = likeness(name);
        if alike > best.map_or(ALIKE, |(alike, _)| alike) {
            best = Some((alike, name));
        }
    }
    best.map(|(_, name)| format!("did you mean \"{name}\"?"))
}

/// "did you mean …?", or the whole list if it is short.
pub fn suggestion(found: &str, known: &[&str], what: &str) -> String {
    if let Some(guess) = did_you_mean(found, known.iter().copied()) {
        return guess;
    }
    match known.len() {
        0 => format!("there are no {what}"),
        1..=20 => format!("the {what} are {}", known.join(", ")),
        more => format!("there are {more} {what}, the first: {}", known[..20].join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let known = ["industry", "region", "size"];
        assert_eq!(did_you_mean("regoin", known), Some("did you mean \"region\"?".to_owned()));
        assert_eq!(did_you_mean("INDUSTRY", known), Some("did you mean \"industry\"?".to_owned()));
        assert_eq!(did_you_mean("xyz", known), None);
        assert_eq!(
            suggestion("xyz", &known, "variables"),
            "the variables are industry, region, size"
        );
    }

    #[test]
    fn unknown_keys_are_found_in_the_message() {
        let message = "unknown field `dimensoin`, expected one of `title`, `dimension`";
        let (found, known) = unknown_field(message).unwrap();
        assert_eq!(found, "dimensoin");
        assert_eq!(known, ["title", "dimension"]);
    }
}
