//! The options of a variable.

use std::ops::Range;

use super::read::Flavour;
use super::{CellKey, CellKeyKind, FileName, HierarchySource, Role, Scaling, Variable};
use crate::Error;
use crate::argus::tokens::{Token, Tokens};
use crate::suggest::advise;
use crate::text::Text;

/// All options, of both flavours and of µ-ARGUS.
pub(super) const KEYWORDS: [&str; 38] = [
    "<RECODEABLE>",
    "<RECODABLE>",
    "<TOTCODE>",
    "<CODELIST>",
    "<HIERARCHICAL>",
    "<HIERLEVELS>",
    "<HIERCODELIST>",
    "<HIERLEADSTRING>",
    "<DISTANCE>",
    "<NUMERIC>",
    "<DECIMALS>",
    "<WEIGHT>",
    "<HOLDING>",
    "<REQUEST>",
    "<TRUNCABLE>",
    "<RECORDKEY>",
    "<PFILE>",
    "<PFILE_FREQ>",
    "<PFILE_CONT>",
    "<PFILE_SEP>",
    "<CKM>",
    "<INCLUDEZEROS>",
    "<PARITY>",
    "<SEPARATION>",
    "<SCALING>",
    "<SHADOW>",
    "<COST>",
    "<COSTVAR>",
    "<LOWERPL>",
    "<UPPERPL>",
    "<FREQUENCY>",
    "<MAXSCORE>",
    "<STATUS>",
    "<IDLEVEL>",
    "<SUPPRESSWEIGHT>",
    "<SUPPRESSPRIORITY>",
    "<HOUSE_ID>",
    "<HOUSEHOLD>",
];

/// A variable whose options are being read; those that only make sense together wait.
pub(super) struct Pending {
    variable: Variable,
    /// The place of the name.
    place: Range<usize>,
    hierarchical: bool,
    digits: Option<(Vec<usize>, Range<usize>)>,
    file: Option<FileName>,
    lead: Option<String>,
}

impl Pending {
    pub fn new(variable: Variable, place: Range<usize>) -> Self {
        Self { variable, place, hierarchical: false, digits: None, file: None, lead: None }
    }

    /// The variable once all its options are known.
    pub fn finish(mut self, text: &Text, flavour: Flavour) -> Result<Variable, Error> {
        if let Some((digits, place)) = self.digits {
            let sum: usize = digits.iter().sum();
            let length = self.variable.length.filter(|_| flavour == Flavour::Micro);
            if sum == 0 || length.is_some_and(|length| length != sum) {
                let expected = match length {
                    Some(length) => format!("digits that add up to the length, {length}"),
                    None => "digits of levels".to_owned(),
                };
                let advice = "each number says how many digits of the code a level adds";
                return Err(text.mistake(place, expected, advice));
            }
            let levels = digits.into_iter().filter(|&digits| digits > 0).collect();
            self.variable.hierarchy = Some(HierarchySource::Digits(levels));
        } else if self.hierarchical {
            let Some(file) = self.file else {
                let advice = "add <HIERCODELIST> with a file or <HIERLEVELS> with digits";
                let found = format!("{} without a hierarchy", self.variable.name);
                let expected = "the hierarchy of a <HIERARCHICAL> variable";
                return Err(text.mistake_found(self.place, found, expected, advice));
            };
            // τ-ARGUS' own default, rarely what files use.
            let lead = self.lead.unwrap_or_else(|| ".".to_owned());
            self.variable.hierarchy = Some(HierarchySource::File { file, lead });
        }
        Ok(self.variable)
    }
}

/// The mistake of a keyword that nobody knows.
pub(super) fn unknown(
    keyword: &str,
    token: &Token<'_>,
    line: &Tokens<'_>,
    known: &[&str],
) -> Error {
    line.mistake(token.place.clone(), "a keyword of metadata", advise(keyword, known))
}

/// Reads a line of options.
pub(super) fn read(
    first: &Token<'_>,
    line: &mut Tokens<'_>,
    pending: &mut Pending,
    flavour: Flavour,
) -> Result<(), Error> {
    let mut keyword = first.clone();
    loop {
        option(&keyword, line, pending, flavour)?;
        match line.word()? {
            None => return Ok(()),
            Some(next) if next.is_keyword() => keyword = next,
            Some(more) => {
                let advice = format!("{} needs nothing more", keyword.text);
                return Err(line.mistake(more.place, "the end of the line", advice));
            }
        }
    }
}

fn option(
    keyword: &Token<'_>,
    line: &mut Tokens<'_>,
    pending: &mut Pending,
    flavour: Flavour,
) -> Result<(), Error> {
    let variable = &mut pending.variable;
    let only = |wanted: Flavour| {
        if flavour == wanted {
            return Ok(());
        }
        let (expected, advice) = match wanted {
            Flavour::Micro => ("an option of table metadata", "only microdata have this"),
            Flavour::Table => ("an option of microdata metadata", "only tables have this"),
        };
        Err(line.mistake(keyword.place.clone(), expected, advice))
    };
    match keyword.text.as_ref() {
        "<RECODEABLE>" | "<RECODABLE>" => variable.categorical = true,
        "<NUMERIC>" => variable.numeric = true,
        "<TRUNCABLE>" => variable.truncable = true,
        "<HIERARCHICAL>" => pending.hierarchical = true,
        "<WEIGHT>" => only(Flavour::Micro).map(|()| variable.role = Some(Role::Weight))?,
        "<HOLDING>" => only(Flavour::Micro).map(|()| variable.role = Some(Role::Holding))?,
        "<RECORDKEY>" => only(Flavour::Micro).map(|()| variable.role = Some(Role::RecordKey))?,
        "<HOUSE_ID>" => only(Flavour::Micro).map(|()| variable.role = Some(Role::HouseholdId))?,
        "<HOUSEHOLD>" => only(Flavour::Micro).map(|()| variable.role = Some(Role::Household))?,
        "<SHADOW>" => only(Flavour::Table).map(|()| variable.role = Some(Role::Shadow))?,
        "<COST>" | "<COSTVAR>" => {
            only(Flavour::Table).map(|()| variable.role = Some(Role::Cost))?;
        }
        "<LOWERPL>" => only(Flavour::Table).map(|()| variable.role = Some(Role::LowerLevel))?,
        "<UPPERPL>" => only(Flavour::Table).map(|()| variable.role = Some(Role::UpperLevel))?,
        "<FREQUENCY>" => only(Flavour::Table).map(|()| variable.role = Some(Role::Frequency))?,
        "<MAXSCORE>" => only(Flavour::Table).map(|()| variable.role = Some(Role::Top))?,
        "<STATUS>" => only(Flavour::Table).map(|()| variable.role = Some(Role::Status))?,
        "<REQUEST>" => {
            only(Flavour::Micro)?;
            variable.role = Some(Role::Request(request_codes(line)?));
        }
        "<TOTCODE>" => variable.total_code = Some(word(line, "the code of the total")?),
        "<CODELIST>" => variable.code_list = Some(file(line)?),
        "<HIERCODELIST>" => pending.file = Some(file(line)?),
        "<HIERLEADSTRING>" => pending.lead = Some(word(line, "the leading string")?),
        "<HIERLEVELS>" => {
            let start = line.here().start;
            let digits = numbers(line, 10, "a number of digits")?;
            let end = line.here().end;
            pending.digits = Some((digits, start..end));
        }
        "<DISTANCE>" => {
            let given: Vec<u32> = numbers(line, 5, "a distance, a whole number")?;
            let mut last = 1;
            let mut given = given.into_iter();
            variable.distances = Some(std::array::from_fn(|_| {
                last = given.next().unwrap_or(last);
                last
            }));
        }
        "<DECIMALS>" => {
            variable.decimals = number(line, "a number of decimals up to 15", |n: &u8| *n <= 15)?;
        }
        "<IDLEVEL>" => variable.identification = number(line, "a level", |_| true)?,
        "<SUPPRESSWEIGHT>" | "<SUPPRESSPRIORITY>" => {
            variable.suppression = Some(number(line, "a weight of suppression", |_| true)?);
        }
        "<PFILE>" | "<PFILE_FREQ>" => variable.perturbation.frequency = Some(file(line)?),
        "<PFILE_CONT>" => variable.perturbation.magnitude = Some(file(line)?),
        "<PFILE_SEP>" => variable.perturbation.separate = Some(file(line)?),
        "<CKM>" => {
            variable.cell_key = Some(CellKey {
                kind: cell_key_kind(line)?,
                include_zeros: false,
                parity: false,
                separation: false,
                scaling: None,
            });
        }
        "<INCLUDEZEROS>" | "<PARITY>" | "<SEPARATION>" | "<SCALING>" => {
            let Some(cell_key) = &mut variable.cell_key else {
                let advice = "put <CKM> on a line above";
                return Err(line.mistake(keyword.place.clone(), "<CKM> before it", advice));
            };
            match keyword.text.as_ref() {
                "<INCLUDEZEROS>" => cell_key.include_zeros = yes_or_no(line)?,
                "<PARITY>" => cell_key.parity = yes_or_no(line)?,
                "<SEPARATION>" => cell_key.separation = yes_or_no(line)?,
                _ => cell_key.scaling = Some(scaling(line)?),
            }
        }
        other => return Err(unknown(other, keyword, line, &KEYWORDS)),
    }
    Ok(())
}

fn word(line: &mut Tokens<'_>, expected: &str) -> Result<String, Error> {
    match line.word()? {
        Some(word) if !word.text.is_empty() => Ok(word.text.into_owned()),
        Some(word) => Err(line.mistake(word.place, expected, "write it behind the keyword")),
        None => {
            let place = line.here();
            Err(line.mistake(place, expected, "write it behind the keyword"))
        }
    }
}

fn file(line: &mut Tokens<'_>) -> Result<FileName, Error> {
    Ok(FileName { name: word(line, "the name of a file")?, line: line.line })
}

fn number<T: std::str::FromStr>(
    line: &mut Tokens<'_>,
    expected: &str,
    fits: impl Fn(&T) -> bool,
) -> Result<T, Error> {
    let advice = "write it behind the keyword";
    let piece = line.need(expected, advice)?;
    let number: T = line.number(&piece, expected, advice)?;
    if fits(&number) { Ok(number) } else { Err(line.mistake(piece.place, expected, advice)) }
}

fn numbers<T: std::str::FromStr>(
    line: &mut Tokens<'_>,
    most: usize,
    expected: &str,
) -> Result<Vec<T>, Error> {
    let mut numbers = Vec::new();
    while let Some(word) = line.peek()? {
        if word.is_keyword() {
            break;
        }
        let advice = format!("up to {most} numbers stand behind the keyword");
        if numbers.len() == most {
            return Err(line.mistake(word.place, "the end of the line", advice));
        }
        let piece = line.need(expected, &advice)?;
        // Sums of such numbers must not overflow.
        let small = piece.text.len() <= 6;
        if !small {
            return Err(line.mistake(piece.place, expected, advice));
        }
        numbers.push(line.number(&piece, expected, &advice)?);
    }
    Ok(numbers)
}

fn request_codes(line: &mut Tokens<'_>) -> Result<Vec<String>, Error> {
    let mut codes = Vec::new();
    while let Some(word) = line.word()? {
        if codes.len() == 2 {
            let advice = "at most two codes mean a request";
            return Err(line.mistake(word.place, "the end of the line", advice));
        }
        if !word.text.is_empty() {
            codes.push(word.text.into_owned());
        }
    }
    if codes.is_empty() {
        let place = line.here();
        let advice = "write the codes in quotes behind the keyword";
        return Err(line.mistake(place, "a code that means a request", advice));
    }
    Ok(codes)
}

fn yes_or_no(line: &mut Tokens<'_>) -> Result<bool, Error> {
    let (expected, advice) = ("Y or N", "write Y or N behind the keyword");
    let piece = line.need(expected, advice)?;
    match piece.text.to_uppercase().as_str() {
        "Y" => Ok(true),
        "N" => Ok(false),
        _ => Err(line.mistake(piece.place, expected, advice)),
    }
}

fn cell_key_kind(line: &mut Tokens<'_>) -> Result<CellKeyKind, Error> {
    let (expected, advice) = ("N, M, D, V or T(k)", "see the description of the cell key method");
    let piece = line.need(expected, advice)?;
    Ok(match piece.text.to_uppercase().as_str() {
        "N" => CellKeyKind::None,
        "M" => CellKeyKind::Mean,
        "D" => CellKeyKind::Difference,
        "V" => CellKeyKind::Value,
        "T" => {
            line.need_sign("(", advice)?;
            let most = line.need_number("a number of contributions", advice)?;
            line.need_sign(")", advice)?;
            CellKeyKind::Top(most)
        }
        _ => return Err(line.mistake(piece.place, expected, advice)),
    })
}

fn scaling(line: &mut Tokens<'_>) -> Result<Scaling, Error> {
    let expected = "N(s1,…) or F(s0,s1,x,q,…)";
    let advice = "the parameters stand in brackets, separated by commas";
    let kind = line.need(expected, advice)?;
    line.need_sign("(", advice)?;
    let mut numbers: Vec<f64> = Vec::new();
    loop {
        numbers.push(line.need_number("a number", advice)?);
        if !line.skip(",")? {
            break;
        }
    }
    line.need_sign(")", advice)?;
    match (kind.text.to_uppercase().as_str(), numbers.as_slice()) {
        ("N", &[sigma1, ref epsilons @ ..]) => {
            Ok(Scaling::Plain { sigma1, epsilons: epsilons.to_vec() })
        }
        ("F", &[sigma0, sigma1, x_star, q, ref epsilons @ ..]) => {
            Ok(Scaling::Flex { sigma0, sigma1, x_star, q, epsilons: epsilons.to_vec() })
        }
        _ => Err(line.mistake(kind.place, expected, advice)),
    }
}
