//! The methods of the measurements by name: those of the command, and the variants of
//! `hybrid` that serpell-2011 compares in its Table 4.

use quell_suppress::{Error, Grouping, Hybrid, HybridSettings, Method, Preselection};

/// The variants of `hybrid` in the order of the columns of Table 4; the last is what the
/// paper recommends.
pub const VARIANTS: [(&str, Grouping, Preselection); 5] = [
    ("hybrid-rising", Grouping::RisingLevel, Preselection::None),
    ("hybrid-rising-margins", Grouping::RisingLevel, Preselection::Margins),
    ("hybrid-rising-large", Grouping::RisingLevel, Preselection::MarginsAndLarge),
    ("hybrid-lines-margins", Grouping::Lines, Preselection::Margins),
    ("hybrid-lines-large", Grouping::Lines, Preselection::MarginsAndLarge),
];

/// The method of a name.
///
/// # Errors
/// If there is none of that name.
pub fn method(name: &str) -> Result<Box<dyn Method>, Error> {
    let variant = VARIANTS.into_iter().find(|(variant, ..)| *variant == name);
    match variant {
        Some((_, grouping, preselection)) => {
            let large = HybridSettings::for_cells(usize::MAX);
            let settings = HybridSettings { grouping, preselection, ..large };
            Ok(Box::new(Hybrid { settings: Some(settings) }))
        }
        None => quell_suppress::method(name),
    }
}
