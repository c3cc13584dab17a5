//! Writing metadata.

use std::fmt::Write;

use super::{
    CellKeyKind, HierarchySource, Layout, Metadata, Role, Scaling, StatusLetters, Variable,
};

/// The metadata as a file, with τ-ARGUS' indents and order of options. Words with a quote
/// inside have none in the file: the format has no way to write it.
pub fn print(metadata: &Metadata) -> String {
    let mut out = String::new();
    match &metadata.layout {
        Layout::Fixed => {}
        Layout::Spss => line(&mut out, format_args!("   <SPSS>")),
        Layout::Free(separator) | Layout::Table(separator) => {
            line(&mut out, format_args!("   <SEPARATOR> {}", quoted(separator)));
        }
    }
    if metadata.letters != StatusLetters::default() {
        let letters = &metadata.letters;
        line(&mut out, format_args!("   <SAFE> {}", quoted(&letters.safe)));
        line(&mut out, format_args!("   <UNSAFE> {}", quoted(&letters.unsafe_)));
        line(&mut out, format_args!("   <PROTECT> {}", quoted(&letters.protect)));
    }
    for variable in &metadata.variables {
        print_variable(&mut out, variable);
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
    out.push_str("\r\n");
}

fn option(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.push_str("    ");
    line(out, text);
}

/// A word in quotes.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "'"))
}

/// A name without quotes where that reads back as itself.
fn name(word: &str) -> String {
    let first = word.chars().next().unwrap_or(' ');
    let plain = !word.contains(|letter: char| letter.is_whitespace())
        && !word.starts_with("//")
        && !"<\",|()".contains(first);
    if plain && !word.is_empty() { word.to_owned() } else { quoted(word) }
}

fn print_variable(out: &mut String, variable: &Variable) {
    out.push_str(&name(&variable.name));
    for number in [variable.start, variable.length].into_iter().flatten() {
        let _ = write!(out, " {number}");
    }
    for code in &variable.missing {
        let _ = write!(out, " {}", quoted(code));
    }
    out.push_str("\r\n");
    if variable.categorical {
        option(out, format_args!("<RECODEABLE>"));
    }
    if let Some(total) = &variable.total_code {
        option(out, format_args!("<TOTCODE> {}", quoted(total)));
    }
    if let Some([a, b, c, d, e]) = variable.distances {
        option(out, format_args!("<DISTANCE> {a} {b} {c} {d} {e}"));
    }
    if let Some(file) = &variable.code_list {
        option(out, format_args!("<CODELIST> {}", quoted(&file.name)));
    }
    match &variable.hierarchy {
        None => {}
        Some(HierarchySource::Digits(digits)) => {
            option(out, format_args!("<HIERARCHICAL>"));
            let digits: Vec<String> = digits.iter().map(usize::to_string).collect();
            option(out, format_args!("<HIERLEVELS> {}", digits.join(" ")));
        }
        Some(HierarchySource::File { file, lead }) => {
            option(out, format_args!("<HIERARCHICAL>"));
            option(out, format_args!("<HIERCODELIST> {}", quoted(&file.name)));
            option(out, format_args!("<HIERLEADSTRING> {}", quoted(lead)));
        }
    }
    print_role(out, variable);
    print_cell_key(out, variable);
    if variable.decimals > 0 {
        option(out, format_args!("<DECIMALS> {}", variable.decimals));
    }
    if variable.truncable {
        option(out, format_args!("<TRUNCABLE>"));
    }
    if variable.identification > 0 {
        option(out, format_args!("<IDLEVEL> {}", variable.identification));
    }
    if let Some(weight) = variable.suppression {
        option(out, format_args!("<SUPPRESSWEIGHT> {weight}"));
    }
}

fn print_role(out: &mut String, variable: &Variable) {
    let keyword = match &variable.role {
        None => "",
        Some(Role::Weight) => "<WEIGHT>",
        Some(Role::Holding) => "<HOLDING>",
        Some(Role::RecordKey) => "<RECORDKEY>",
        Some(Role::Shadow) => "<SHADOW>",
        Some(Role::Cost) => "<COSTVAR>",
        Some(Role::LowerLevel) => "<LOWERPL>",
        Some(Role::UpperLevel) => "<UPPERPL>",
        Some(Role::Frequency) => "<FREQUENCY>",
        Some(Role::Top) => "<MAXSCORE>",
        Some(Role::Status) => "<STATUS>",
        Some(Role::HouseholdId) => "<HOUSE_ID>",
        Some(Role::Household) => "<HOUSEHOLD>",
        Some(Role::Request(codes)) => {
            let codes: Vec<String> = codes.iter().map(|code| quoted(code)).collect();
            option(out, format_args!("<REQUEST> {}", codes.join(" ")));
            ""
        }
    };
    match (variable.numeric, keyword) {
        (false, "") => {}
        (true, "") => option(out, format_args!("<NUMERIC>")),
        (true, _) => option(out, format_args!("<NUMERIC> {keyword}")),
        (false, _) => option(out, format_args!("{keyword}")),
    }
}

fn print_cell_key(out: &mut String, variable: &Variable) {
    let tables = &variable.perturbation;
    let files = [
        ("<PFILE_FREQ>", &tables.frequency),
        ("<PFILE_CONT>", &tables.magnitude),
        ("<PFILE_SEP>", &tables.separate),
    ];
    for (keyword, file) in files {
        if let Some(file) = file {
            option(out, format_args!("{keyword} {}", quoted(&file.name)));
        }
    }
    let Some(cell_key) = &variable.cell_key else { return };
    match cell_key.kind {
        CellKeyKind::None => option(out, format_args!("<CKM> N")),
        CellKeyKind::Mean => option(out, format_args!("<CKM> M")),
        CellKeyKind::Difference => option(out, format_args!("<CKM> D")),
        CellKeyKind::Value => option(out, format_args!("<CKM> V")),
        CellKeyKind::Top(most) => option(out, format_args!("<CKM> T({most})")),
    }
    let letter = |yes: bool| if yes { "Y" } else { "N" };
    option(out, format_args!("<INCLUDEZEROS> {}", letter(cell_key.include_zeros)));
    option(out, format_args!("<PARITY> {}", letter(cell_key.parity)));
    option(out, format_args!("<SEPARATION> {}", letter(cell_key.separation)));
    let (kind, numbers, epsilons) = match &cell_key.scaling {
        None => return,
        Some(Scaling::Plain { sigma1, epsilons }) => ("N", vec![*sigma1], epsilons),
        Some(Scaling::Flex { sigma0, sigma1, x_star, q, epsilons }) => {
            ("F", vec![*sigma0, *sigma1, *x_star, *q], epsilons)
        }
    };
    let numbers: Vec<String> = numbers.iter().chain(epsilons).map(f64::to_string).collect();
    option(out, format_args!("<SCALING> {kind}({})", numbers.join(",")));
}
