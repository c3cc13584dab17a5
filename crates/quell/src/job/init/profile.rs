//! What the columns of a file look like.

use std::collections::BTreeSet;
use std::path::Path;

use quell_data::{Origin, Records as Data, Watch};
use quell_model::Decimals;

use crate::Error;

/// The most records looked at.
const RECORDS: usize = 200_000;

/// The most different texts of a column that are kept.
const DISTINCT: usize = 20_000;

/// What offices call a total.
const TOTALS: [&str; 8] =
    ["total", "totaal", "totale", "ensemble", "insgesamt", "all", "_t", "totalt"];

/// Parts of the names of variables that hold codes.
const CODES: [&str; 16] = [
    "region", "code", "nuts", "nace", "naf", "isco", "isic", "district", "municip", "commune",
    "kreis", "postal", "zip", "depart", "county", "province",
];

/// The most codes of a dimension.
const MOST_CODES: usize = 2_000;

/// What a column seems to be for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guess {
    /// Who a record is from.
    Respondent,
    /// To which holding they belong.
    Holding,
    /// The sampling weight.
    Weight,
    /// A classification; the digits of its levels, if its codes seem to have some.
    Dimension(Option<Vec<usize>>),
    /// Something to add up.
    Response,
    /// None of these.
    Unknown,
}

/// A column.
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its different texts, as many as were kept.
    pub distinct: BTreeSet<String>,
    /// Whether all texts but empty ones are numbers.
    pub numeric: bool,
    /// Whether one of them is negative.
    pub negative: bool,
    /// Records without a text.
    pub empty: usize,
    /// What it seems to be for.
    pub guess: Guess,
}

/// A file.
#[derive(Debug)]
pub struct Profile {
    /// What separates its fields.
    pub separator: u8,
    /// Whether it is a finished table: one row for each combination of codes, totals among them.
    pub is_table: bool,
    /// Records looked at.
    pub records: usize,
    /// Its columns.
    pub columns: Vec<Column>,
}

impl Profile {
    /// Looks at a file.
    ///
    /// # Errors
    /// If it cannot be read or has no records.
    pub fn of(path: &Path) -> Result<Self, Error> {
        let data = Data::open(path)?;
        let separator = match data.origin() {
            Origin::Delimited(dialect) => dialect.separator,
            _ => b',',
        };
        let mut columns: Vec<Column> = data.names().map(Column::named).collect();
        let commas: Vec<bool> =
            data.variables().iter().map(|variable| variable.decimal_comma).collect();
        let all: Vec<usize> = (0..columns.len()).collect();
        let mut records = 0;
        let read = data.each_row(&all, &Watch::default(), |row| {
            if records == RECORDS {
                return Err(Seen::Enough);
            }
            records += 1;
            for (position, column) in columns.iter_mut().enumerate() {
                let text = row.text(position).unwrap_or_default();
                match commas[position] {
                    true => column.see(text.trim().replace(',', ".").as_str()),
                    false => column.see(text.trim()),
                }
            }
            Ok(())
        });
        if let Err(Seen::Mistake(error)) = read {
            return Err(error.into());
        }
        if records == 0 {
            return Err(Error::arguments(
                format!("{} has no records", path.display()),
                "give a CSV file with a header and one line per record",
            ));
        }
        for column in &mut columns {
            column.guess = column.guess(records);
        }
        if let Origin::Delimited(dialect) = data.origin()
            && dialect.header
            && columns.iter().any(Column::has_an_amount_for_a_name)
        {
            return Err(Error::arguments(
                format!("{} has no header: its first line is a record", path.display()),
                "put the names of the variables on the first line, or write a job with names = [\"…\"] in [data]",
            ));
        }
        let is_table = is_table(&data, &columns)?;
        if is_table {
            columns.iter_mut().for_each(Column::become_one_of_a_table);
        }
        Ok(Self { separator, is_table, records, columns })
    }

    /// The columns of a guess.
    pub fn of_guess(&self, guess: &Guess) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(move |column| column.guess == *guess)
    }

    /// The columns that seem to be classifications, with the digits of their levels.
    pub fn dimensions(&self) -> impl Iterator<Item = (&Column, Option<&[usize]>)> {
        self.columns.iter().filter_map(|column| match &column.guess {
            Guess::Dimension(digits) => Some((column, digits.as_deref())),
            _ => None,
        })
    }
}

/// Why no more records are looked at.
enum Seen {
    Enough,
    Mistake(quell_data::Error),
}

impl From<quell_data::Error> for Seen {
    fn from(error: quell_data::Error) -> Self {
        Self::Mistake(error)
    }
}

impl Column {
    fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            distinct: BTreeSet::new(),
            numeric: true,
            negative: false,
            empty: 0,
            guess: Guess::Unknown,
        }
    }

    /// Whether its first line is another of its numbers rather than a name; years are names.
    fn has_an_amount_for_a_name(&self) -> bool {
        let is_year = self.name.parse::<u32>().is_ok_and(|year| (1900..=2100).contains(&year));
        self.numeric
            && !self.distinct.is_empty()
            && !is_year
            && Decimals::needed(&self.name).is_some()
    }

    fn see(&mut self, text: &str) {
        if text.is_empty() {
            self.empty += 1;
            return;
        }
        self.numeric &= Decimals::needed(text).is_some();
        self.negative |= self.numeric && text.starts_with('-');
        if self.distinct.len() < DISTINCT && !self.distinct.contains(text) {
            self.distinct.insert(text.to_owned());
        }
    }

    /// The code of a total, if it has one.
    pub fn total(&self) -> Option<&str> {
        let is_total = |code: &&String| TOTALS.contains(&code.trim().to_lowercase().as_str());
        self.distinct.iter().find(is_total).map(String::as_str)
    }

    /// In a finished table every classification has a total, and what else is a number is an amount.
    fn become_one_of_a_table(&mut self) {
        if matches!(self.guess, Guess::Dimension(_)) && self.numeric {
            self.guess = Guess::Response;
        }
    }

    /// Whether no text has decimals.
    fn is_whole(&self) -> bool {
        self.distinct.iter().all(|text| !text.contains(['.', ',']))
    }

    fn guess(&self, records: usize) -> Guess {
        let name = self.name.to_lowercase();
        let named = |words: &[&str]| words.iter().any(|word| name.contains(word));
        let distinct = self.distinct.len();
        let full = records - self.empty;
        if distinct == 0 {
            return Guess::Unknown;
        }
        if self.numeric && named(&["weight", "wgt", "poids", "gewicht", "peso"]) {
            return Guess::Weight;
        }
        if named(&["holding", "group_id", "enterprise_group"]) {
            return Guess::Holding;
        }
        let many = distinct == DISTINCT || 20 * distinct > 19 * full;
        if full > 20 && many && (!self.numeric || named(&["id", "number", "nr"])) {
            return Guess::Respondent;
        }
        // Numbers that name places or kinds are no amounts, however long they are.
        if named(&CODES) && distinct <= MOST_CODES && !self.negative && self.is_whole() {
            return Guess::Dimension(digits(&self.distinct));
        }
        let few = distinct <= MOST_CODES && 3 * distinct <= full.max(3);
        let code_like = self.is_whole();
        // Amounts differ in length; codes of one classification often do not.
        let mut lengths = self.distinct.iter().map(|text| text.chars().count());
        let length = lengths.next();
        let padded = length > Some(1) && lengths.all(|other| Some(other) == length);
        // A hundred short numbers are ages, branches or districts rather than amounts.
        let short = distinct <= 120 && self.distinct.iter().all(|text| text.chars().count() <= 3);
        let like_codes = code_like && !self.negative && (distinct <= 40 || padded || short);
        if few && (!self.numeric || like_codes) {
            return Guess::Dimension(digits(&self.distinct));
        }
        if self.numeric { Guess::Response } else { Guess::Unknown }
    }
}

/// Whether one row for each combination of codes is there, totals among them.
fn is_table(data: &Data, columns: &[Column]) -> Result<bool, Error> {
    let is_code = |column: &Column| !column.numeric || column.total().is_some();
    let dimensions: Vec<usize> = (0..columns.len())
        .filter(|&position| matches!(columns[position].guess, Guess::Dimension(_)))
        .filter(|&position| is_code(&columns[position]))
        .collect();
    if !dimensions.iter().any(|&position| columns[position].total().is_some()) {
        return Ok(false);
    }
    let mut seen: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut rows = 0;
    let read = data.each_row(&dimensions, &Watch::default(), |row| {
        let code = |place| row.text(place).unwrap_or_default().trim().to_owned();
        rows += 1;
        if rows > RECORDS || !seen.insert((0..dimensions.len()).map(code).collect()) {
            return Err(Seen::Enough);
        }
        Ok(())
    });
    match read {
        Ok(()) => Ok(true),
        Err(Seen::Enough) => Ok(rows > RECORDS && seen.len() == RECORDS),
        Err(Seen::Mistake(error)) => Err(error.into()),
    }
}

/// The digits that each level adds, if codes of one length branch like a tree.
fn digits(codes: &BTreeSet<String>) -> Option<Vec<usize>> {
    let length = codes.first()?.chars().count();
    let plain =
        |code: &String| code.chars().count() == length && code.chars().all(char::is_alphanumeric);
    if !(2..=10).contains(&length) || codes.len() < 6 || !codes.iter().all(plain) {
        return None;
    }
    let prefixes = |length: usize| {
        let cut = |code: &String| code.chars().take(length).collect::<String>();
        codes.iter().map(cut).collect::<BTreeSet<_>>().len()
    };
    let (mut levels, mut above, mut branches) = (Vec::new(), 0, 1);
    for end in 1..length {
        let here = prefixes(end);
        // A level is worth having if it branches and is branched.
        if 2 * here >= 3 * branches && 2 * codes.len() >= 3 * here {
            levels.push(end - above);
            (above, branches) = (end, here);
        }
    }
    levels.push(length - above);
    (levels.len() > 1).then_some(levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(list: &[&str]) -> BTreeSet<String> {
        list.iter().map(|&code| code.to_owned()).collect()
    }

    #[test]
    fn digits_are_found_where_codes_branch() {
        let nuts = codes(&["Q111", "Q112", "Q121", "Q122", "Q211", "Q212", "Q311", "Q312"]);
        assert_eq!(digits(&nuts), Some(vec![2, 2]));
        assert_eq!(digits(&codes(&["a", "b"])), None);
        assert_eq!(digits(&codes(&["1-9", "10-49", "50+"])), None);
    }
}
