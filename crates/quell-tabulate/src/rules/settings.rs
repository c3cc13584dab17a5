//! What holds for all rules of a table.

use super::rule::Parameter;

/// A setting that holds for all rules of a table; a field of [`Rules`](super::Rules).
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name in job files.
    pub key: &'static str,
    /// What it means, for people.
    pub meaning: &'static str,
    /// How `.arb` files write it, if they can.
    pub argus: Option<&'static str>,
}

/// The protection levels of cells made unsafe by hand.
pub static MANUAL_MARGIN: Parameter = Parameter::margin(
    "manual-margin",
    "protection levels of cells made unsafe by hand, in percent of the value; 20 if not given",
);

/// The least protection level.
pub static MINIMUM_LEVEL: Parameter = Parameter::amount(
    "minimum-level",
    "no protection level of a value that is not zero is below this amount",
    5.0,
);

/// All settings.
pub static SETTINGS: &[Setting] = &[
    Setting { key: MANUAL_MARGIN.name, meaning: MANUAL_MARGIN.meaning, argus: Some("MAN(margin)") },
    Setting { key: MINIMUM_LEVEL.name, meaning: MINIMUM_LEVEL.meaning, argus: None },
    Setting {
        key: "weighted",
        meaning: "whether rules look at weighted figures; if not given, they do if the table does",
        argus: Some("WGT(0) or WGT(1)"),
    },
    Setting {
        key: "missing-is-safe",
        meaning: "whether cells with a code that means \"not known\" are left alone",
        argus: Some("MIS(0) or MIS(1)"),
    },
    Setting {
        key: "sides",
        meaning: "where protection is needed: both sides of the value, upper, or sliding",
        argus: None,
    },
];
