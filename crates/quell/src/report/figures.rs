//! Numbers and bars.

use maud::{Markup, html};

use super::Audience;

/// A count with thin spaces between thousands.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A count with the thing counted: 1 cell, 2 cells.
pub fn counted(number: usize, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", count(number))
}

/// A share in percent, with a digit where it matters.
pub fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let share = 100.0 * part as f64 / whole as f64;
    match share {
        _ if part == 0 => "0 %".to_owned(),
        _ if share < 0.1 => "under 0.1 %".to_owned(),
        _ if share < 10.0 => format!("{share:.1} %"),
        _ => format!("{share:.0} %"),
    }
}

/// Cells counted by what happened to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Published.
    pub published: usize,
    /// Hidden because they are sensitive.
    pub primary: usize,
    /// Hidden to protect others.
    pub secondary: usize,
}

impl Tally {
    /// All cells.
    pub fn all(self) -> usize {
        self.published + self.primary + self.secondary
    }

    /// The hidden ones.
    pub fn hidden(self) -> usize {
        self.primary + self.secondary
    }

    /// The tally as a bar, as long as its share of `widest`. Everyone is told what is hidden, the
    /// office also why.
    pub fn bar(self, widest: usize, audience: Audience) -> Markup {
        let width =
            |part: usize| format!("width:{:.2}%", 100.0 * part as f64 / widest.max(1) as f64);
        let parts: &[(&str, usize)] = match audience {
            Audience::Office => &[
                ("primary", self.primary),
                ("secondary", self.secondary),
                ("published", self.published),
            ],
            Audience::Public => &[("hidden", self.hidden()), ("published", self.published)],
        };
        let words: Vec<String> =
            parts.iter().rev().map(|(class, number)| format!("{number} {class}")).collect();
        html! {
            div.bar role="img" aria-label=(words.join(", ")) {
                @for (class, number) in parts.iter().filter(|(_, number)| *number > 0) {
                    i class=(class) style=(width(*number)) {}
                }
            }
        }
    }
}

/// A plain bar.
pub fn bar(part: usize, widest: usize) -> Markup {
    let width = format!("width:{:.2}%", 100.0 * part as f64 / widest.max(1) as f64);
    html! { div.bar { @if part > 0 { i.accent style=(width) {} } } }
}

/// What the colours mean.
pub fn legend(audience: Audience) -> Markup {
    html! {
        div.legend {
            @match audience {
                Audience::Office => {
                    span { i.primary {} "primary: sensitive" }
                    span { i.secondary {} "secondary: hidden to protect others" }
                }
                Audience::Public => { span { i.hidden {} "hidden" } }
            }
            span { i.published {} "published" }
            span { i.empty {} "empty: no such cell" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(count(7), "7");
        assert_eq!(count(1234), "1\u{202f}234");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
    }

    #[test]
    fn one_is_not_several() {
        assert_eq!([counted(0, "cell"), counted(1, "cell")], ["0 cells", "1 cell"]);
        assert_eq!(counted(1234, "cell"), "1\u{202f}234 cells");
    }

    #[test]
    fn everyone_is_told_only_what_is_hidden() {
        let tally = Tally { published: 3, primary: 1, secondary: 2 };
        let bar = tally.bar(6, Audience::Public).into_string();
        assert!(bar.contains("3 published, 3 hidden") && !bar.contains("primary"), "{bar}");
        assert!(tally.bar(6, Audience::Office).into_string().contains("2 secondary, 1 primary"));
    }

    #[test]
    fn shares_have_a_digit_where_it_matters() {
        assert_eq!(percent(0, 10), "0 %");
        assert_eq!(percent(1, 3), "33 %");
        assert_eq!(percent(1, 30), "3.3 %");
        assert_eq!(percent(1, 30_000), "under 0.1 %");
        assert_eq!(percent(1, 0), "–");
    }
}
