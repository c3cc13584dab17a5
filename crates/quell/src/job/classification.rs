//! The classification of a dimension, from whatever describes it.

use std::collections::BTreeMap;
use std::path::Path;

use quell_formats::argus::cdl::CodeList;
use quell_formats::hierarchy::{self, CodeTree};
use quell_formats::{Error as FileError, Text, argus};
use quell_model::Hierarchy;

use super::Job;
use super::file::DimensionPart;
use crate::Error;

/// Reads the hierarchy of a dimension. `codes` are those of the data; they make flat and
/// digit hierarchies, and tell padding from codes.
///
/// # Errors
/// If a file cannot be read or is no hierarchy.
pub fn hierarchy(job: &Job, part: &DimensionPart, codes: &[String]) -> Result<Hierarchy, Error> {
    let trimmed: Vec<&str> = codes
        .iter()
        .map(|code| if part.exact_codes { code.as_str() } else { code.trim() })
        .collect();
    if let Some(digits) = &part.digits {
        if part.hierarchy.is_some() {
            let message = "a dimension has a hierarchy or digits, not both";
            return Err(job.mistake(digits.span(), message, "remove one of them"));
        }
        let levels = digits.get_ref();
        if levels.is_empty() || levels.contains(&0) {
            let advice = "give the digits that each level adds, such as [1, 2, 1]";
            return Err(job.mistake(digits.span(), "levels without digits", advice));
        }
        let tree = hierarchy::digits(trimmed.iter().copied(), levels);
        return Ok(tree.to_hierarchy(&part.total)?);
    }
    let Some(files) = &part.hierarchy else {
        return flat(job, part, &trimmed);
    };
    let known = |code: &str| codes.iter().any(|one| one == code);
    let mut trees = Vec::new();
    for file in &files.get_ref().0 {
        let path = job.locate(file);
        trees.push(read_tree(&path, &part.lead)?.without_padding(known));
    }
    match trees.as_slice() {
        [] => flat(job, part, &trimmed),
        [only] => Ok(only.to_hierarchy(&part.total)?),
        several => Ok(hierarchy::merge(several, &part.total)?),
    }
}

/// The codes of the data directly below the total.
fn flat(job: &Job, part: &DimensionPart, codes: &[&str]) -> Result<Hierarchy, Error> {
    let mut all = vec![part.total.as_str()];
    all.extend(codes.iter().copied().filter(|code| !code.is_empty()));
    // Numbers in their order, so that "10-49" comes before "250+" and after "1-9".
    all[1..].sort_by_key(|code| (leading_number(code), *code));
    let parents: Vec<Option<u32>> = (0..all.len()).map(|node| (node > 0).then_some(0)).collect();
    let all = all.into_iter().map(str::to_owned).collect();
    Hierarchy::from_parents(all, &parents).map_err(|error| {
        let advice = "give the total a code that the data do not have: total = \"…\"";
        job.mistake(part.name.span(), error.to_string(), advice)
    })
}

/// The number that a code begins with; those without one come last.
fn leading_number(code: &str) -> u64 {
    let digits = code.len() - code.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    code[..digits].parse().unwrap_or(u64::MAX)
}

/// Reads a hierarchy by the ending of its name: `.hrc`, `.json`, or a CSV file that says
/// by its first line what it is.
///
/// # Errors
/// If it cannot be read or is no hierarchy.
pub fn read_tree(path: &Path, lead: &str) -> Result<CodeTree, Error> {
    let text = Text::read(path)?;
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let tree = match ending.as_deref() {
        Some("json") => hierarchy::json(&text),
        Some("csv" | "txt" | "tsv") => csv_tree(&text),
        _ => argus::hrc::parse(&text, lead),
    };
    Ok(tree?)
}

/// `level;name` is a list with depths, `parent` and `child` (or `from` and `to`) are a
/// list of parents, anything else is one column per level.
fn csv_tree(text: &Text) -> Result<CodeTree, FileError> {
    let header = text.as_str().lines().next().unwrap_or_default().to_lowercase();
    let names: Vec<&str> =
        header.split([',', ';', '\t']).map(|name| name.trim().trim_matches('"')).collect();
    let has = |name: &str| names.contains(&name);
    if names.len() == 2 && (has("level") || has("levels")) {
        hierarchy::level_names(text)
    } else if has("parent") || (has("from") && has("to")) {
        hierarchy::parents(text)
    } else {
        hierarchy::level_columns(text, None)
    }
}

/// Reads labels: `code,label` a line.
///
/// # Errors
/// If the file cannot be read.
pub fn labels(path: &Path) -> Result<BTreeMap<String, String>, Error> {
    let list = CodeList::parse(&Text::read(path)?);
    Ok(list.labels.into_iter().map(|label| (label.code.trim().to_owned(), label.label)).collect())
}
