//! The JJ reader: one pass over the bytes, no word is copied.

use std::ops::Range;

use quell_model::{
    Budget, Cell, CellId, Decimals, Fault, Problem, Protection, Reason, Status, System,
    SystemBuilder,
};

use crate::cursor::Cursor;
use crate::mistake::quote;
use crate::number::{Column, Exact, NumberFault, coefficient, weight};
use crate::pace::Pace;
use crate::{Error, Mistake};

/// The fields of a cell's line.
const FIELDS: [&str; 9] = [
    "the cell's number",
    "its value",
    "its cost",
    "its status",
    "its lower bound",
    "its upper bound",
    "its lower protection level",
    "its upper protection level",
    "its sliding protection level",
];

/// The shortest line of a cell, `0 0 0 s 0 0 0 0 0` and its end. A file cannot announce
/// more cells than fit in it, so nobody can make us reserve more memory than that.
const SHORTEST_CELL: usize = 18;

/// Reads a JJ text; `file` is its name in messages.
///
/// # Errors
/// A [`Mistake`] with its place.
pub fn parse(file: &str, text: &[u8]) -> Result<Problem, Error> {
    parse_within(file, text, &Budget::default())
}

/// Reads a JJ text as long as the budget allows; `file` is its name in messages.
///
/// # Errors
/// A [`Mistake`] with its place, or [`Error::Stopped`].
pub fn parse_within(file: &str, text: &[u8], budget: &Budget) -> Result<Problem, Error> {
    let mut reader = Reader { file, cursor: Cursor::new(text), pace: Pace::new(budget) };
    reader.header()?;
    let cell_count = reader.count("cells")?;
    if cell_count == 0 {
        return Err(reader.wrong_before("at least one cell", "a table without cells is no table"));
    }
    let cells = reader.cells(cell_count)?;
    let equation_count = reader.count("equations")?;
    let equations = reader.equations(equation_count, cell_count)?;
    reader.end(equation_count)?;
    assemble(&reader, cells, equations)
}

/// What is wrong with the table of a text, as a mistake at its place in the text.
///
/// `problem` must come from `text`. Looks for the line anew, so it takes a moment in
/// large files: ask for the few faults that are shown.
pub fn mistake_of(file: &str, text: &[u8], problem: &Problem, fault: &Fault) -> Mistake {
    let cells = problem.cell_count();
    let of_cell = |cell: CellId, field| field_of_line(text, 2 + cell.index(), field);
    let level_field = |cell: CellId| {
        let levels = problem.protection(cell);
        let (down, up) = (problem.room_down(cell), problem.room_up(cell));
        match () {
            () if levels.lower < 0 || levels.lower > down => 6,
            () if levels.upper < 0 || levels.upper > up => 7,
            () => 8,
        }
    };
    let (place, expected, advice) = match *fault {
        Fault::NotAdditive { equation, .. } => (
            field_of_line(text, 3 + cells + equation.index(), 0),
            "an equation that adds up",
            "correct the value of one of its cells, or its coefficients",
        ),
        Fault::OutsideBounds { cell, .. } => (
            of_cell(cell, 1),
            "a value inside its bounds",
            "the true value must lie between what the attacker knows, fields 5 and 6",
        ),
        Fault::NegativeLevel { cell } => (
            of_cell(cell, level_field(cell)),
            "a protection level of at least 0",
            "levels are distances from the value, not values",
        ),
        Fault::BeyondBounds { cell } => (
            of_cell(cell, level_field(cell)),
            "a protection level inside the bounds",
            "levels are distances from the value; widen the bounds or lower the level",
        ),
        Fault::BadWeight { cell, .. } => {
            (of_cell(cell, 2), "a cost of at least 0", "a cost is what suppressing the cell loses")
        }
        Fault::EmptyEquation { equation } => (
            field_of_line(text, 3 + cells + equation.index(), 1),
            "an equation with cells",
            "remove the line and lower the number of equations",
        ),
    };
    Mistake::at(file, text, place, fault.describe(problem), expected, advice)
}

/// The bytes of a field of a line, both counted from 0, empty lines left out.
fn field_of_line(text: &[u8], line: usize, field: usize) -> Range<usize> {
    let mut cursor = Cursor::new(text);
    for _ in 0..line {
        cursor.find_line();
        cursor.skip_line();
    }
    cursor.find_line();
    for _ in 0..field {
        cursor.word_until(|byte| byte == b':');
        cursor.skip_blanks();
    }
    cursor.word_until(|byte| byte == b':')
}

/// The cells as read, number columns not yet in units.
struct Cells {
    values: Column,
    weights: Vec<f64>,
    statuses: Vec<Status>,
    lower_bounds: Column,
    upper_bounds: Column,
    levels: [Column; 3],
}

/// The equations as read.
struct Equations {
    starts: Vec<usize>,
    cells: Vec<CellId>,
    coefficients: Vec<i32>,
    constants: Column,
}

struct Reader<'a> {
    file: &'a str,
    cursor: Cursor<'a>,
    pace: Pace<'a>,
}

impl Reader<'_> {
    fn mistake(
        &self,
        place: Range<usize>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> Error {
        let text = self.cursor.text;
        let found = match text.get(place.start) {
            None => "the end of the file".to_owned(),
            Some(b'\n' | b'\r') => "the end of the line".to_owned(),
            Some(_) if place.is_empty() => quote(&text[place.start..=place.start]),
            Some(_) => quote(&text[place.clone()]),
        };
        Mistake::at(self.file, text, place, found, expected, advice).into()
    }

    /// A mistake at the word that was just read.
    fn wrong_before(&self, expected: &str, advice: &str) -> Error {
        let end = self.cursor.at;
        let before = &self.cursor.text[..end];
        let start = before.iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
        self.mistake(start..end, expected, advice)
    }

    /// The next word of the line.
    fn word(&mut self, expected: &str, advice: &str) -> Result<Range<usize>, Error> {
        if self.cursor.at_line_end() {
            let at = self.cursor.at;
            return Err(self.mistake(at..at, expected, advice));
        }
        Ok(self.cursor.word())
    }

    fn line_end(&mut self, of: &str) -> Result<(), Error> {
        if self.cursor.at_line_end() {
            self.cursor.at += 1;
            return Ok(());
        }
        let place = self.cursor.word();
        Err(self.mistake(
            place,
            format!("the end of the line after {of}"),
            "remove what is too much",
        ))
    }

    fn header(&mut self) -> Result<(), Error> {
        let advice = "a JJ file starts with a line that holds a single 0";
        self.cursor.find_line();
        let place = self.word("0", advice)?;
        let zero = Exact::read(&self.cursor.text[place.clone()]);
        if zero != Ok(Exact { digits: 0, decimals: 0 }) {
            return Err(self.mistake(place, "0", advice));
        }
        self.line_end("0")
    }

    /// A line with a number of things.
    fn count(&mut self, what: &str) -> Result<usize, Error> {
        let expected = format!("the number of {what}");
        let advice = format!("a line of its own says how many {what} follow");
        self.cursor.find_line();
        let place = self.word(&expected, &advice)?;
        let count = whole(&self.cursor.text[place.clone()]);
        let Some(count) = count else {
            return Err(self.mistake(place, expected, advice));
        };
        if !self.cursor.at_line_end() {
            let place = self.cursor.word();
            let expected = format!("the end of the line after the number of {what}");
            return Err(self.mistake(place, expected, advice));
        }
        Ok(count)
    }

    fn cells(&mut self, count: usize) -> Result<Cells, Error> {
        let capacity = count.min(self.cursor.text.len() / SHORTEST_CELL);
        let column = || Column::with_capacity(capacity);
        let mut cells = Cells {
            values: column(),
            weights: Vec::with_capacity(capacity),
            statuses: Vec::with_capacity(capacity),
            lower_bounds: column(),
            upper_bounds: column(),
            levels: [column(), column(), column()],
        };
        for index in 0..count {
            self.pace.line()?;
            self.cell(index, count, &mut cells)?;
        }
        Ok(cells)
    }

    fn cell(&mut self, index: usize, count: usize, cells: &mut Cells) -> Result<(), Error> {
        if !self.cursor.find_line() {
            let at = self.cursor.text.len();
            let expected = format!("cell {index} of {count}");
            let advice = "the file is cut off, or its number of cells (line 2) is too large";
            return Err(self.mistake(at..at, expected, advice));
        }
        let place = self.cursor.word();
        let found = whole(&self.cursor.text[place.clone()]);
        if found != Some(index) {
            let advice = match found {
                Some(earlier) if earlier < index => {
                    format!("cells are numbered in order; cell {earlier} stands above already")
                }
                Some(_) => format!("cells are numbered in order; cell {index} is missing"),
                None => format!("the file announces {count} cells, numbered from 0 in order"),
            };
            return Err(self.mistake(place, format!("cell number {index}"), advice));
        }
        let value = self.number(1)?;
        cells.values.push(value);
        let place = self.field(2)?;
        let cost = weight(&self.cursor.text[place.clone()]);
        cells
            .weights
            .push(cost.ok_or_else(|| self.not_a_number(place, NumberFault::NotANumber, 2))?);
        let place = self.field(3)?;
        let status = status(&self.cursor.text[place.clone()]);
        cells.statuses.push(status.ok_or_else(|| {
            let expected = "a status: u, s, z or m";
            let advice = "u is primary, s safe, z protected (never suppressed), m secondary";
            self.mistake(place, expected, advice)
        })?);
        self.bound(4, &mut cells.lower_bounds)?;
        self.bound(5, &mut cells.upper_bounds)?;
        for (field, level) in (6..9).zip(&mut cells.levels) {
            level.push(self.number(field)?);
        }
        self.line_end("the nine fields of a cell")
    }

    fn field(&mut self, field: usize) -> Result<Range<usize>, Error> {
        self.word(FIELDS[field], "a cell has: number value cost status lb ub LPL UPL SPL")
    }

    fn number(&mut self, field: usize) -> Result<Exact, Error> {
        let place = self.field(field)?;
        Exact::read(&self.cursor.text[place.clone()])
            .map_err(|fault| self.not_a_number(place, fault, field))
    }

    fn bound(&mut self, field: usize, column: &mut Column) -> Result<(), Error> {
        let place = self.field(field)?;
        match Exact::read(&self.cursor.text[place.clone()]) {
            Ok(number) => column.push(number),
            Err(NumberFault::TooLarge { negative }) => column.push_unbounded(negative),
            Err(fault) => return Err(self.not_a_number(place, fault, field)),
        }
        Ok(())
    }

    fn not_a_number(&self, place: Range<usize>, fault: NumberFault, field: usize) -> Error {
        let (expected, advice) = fault.explain();
        self.mistake(place, format!("{}, {expected}", FIELDS[field]), advice)
    }

    fn equations(&mut self, count: usize, cell_count: usize) -> Result<Equations, Error> {
        let left = self.cursor.text.len() - self.cursor.at.min(self.cursor.text.len());
        let mut equations = Equations {
            starts: vec![0],
            // At least "0 (1) " each.
            cells: Vec::with_capacity(left / 6),
            coefficients: Vec::with_capacity(left / 6),
            constants: Column::default(),
        };
        // The equation in which a cell was last seen, plus one.
        let mut seen = vec![0_usize; cell_count];
        for index in 0..count {
            self.pace.line()?;
            if !self.cursor.find_line() {
                let at = self.cursor.text.len();
                let expected = format!("equation {} of {count}", index + 1);
                let advice = "the file is cut off, or its number of equations is too large";
                return Err(self.mistake(at..at, expected, advice));
            }
            self.equation(index, &mut seen, &mut equations)?;
            equations.starts.push(equations.cells.len());
        }
        Ok(equations)
    }

    fn equation(
        &mut self,
        index: usize,
        seen: &mut [usize],
        equations: &mut Equations,
    ) -> Result<(), Error> {
        const SHAPE: &str = "an equation reads: constant k : cell (coefficient) … k times";
        let is_symbol = |byte| matches!(byte, b':' | b'(' | b')');
        let place = self.cursor.word_until(is_symbol);
        let constant = Exact::read(&self.cursor.text[place.clone()]).map_err(|fault| {
            let (expected, _) = fault.explain();
            self.mistake(place, format!("the equation's constant, {expected}"), SHAPE)
        })?;
        equations.constants.push(constant);
        self.cursor.skip_blanks();
        let place = self.cursor.word_until(is_symbol);
        let Some(wanted) = whole(&self.cursor.text[place.clone()]) else {
            return Err(self.mistake(place, "the number of cells in the equation", SHAPE));
        };
        self.symbol(b':', "a colon", SHAPE)?;
        for position in 0..wanted {
            if self.cursor.at_line_end() {
                let at = self.cursor.at;
                let expected = format!("cell {} of {wanted} of the equation", position + 1);
                let advice = format!("the line announces {wanted} cells, but has {position}");
                return Err(self.mistake(at..at, expected, advice));
            }
            let place = self.cursor.word_until(is_symbol);
            let cell = whole(&self.cursor.text[place.clone()]);
            let Some(cell) = cell.filter(|&cell| cell < seen.len()) else {
                let expected = format!("a cell number between 0 and {}", seen.len() - 1);
                let advice = match cell {
                    Some(cell) => format!("the file has no cell {cell}"),
                    None => SHAPE.to_owned(),
                };
                return Err(self.mistake(place, expected, advice));
            };
            if seen[cell] == index + 1 {
                let expected = "a cell that the equation does not have yet";
                let advice = format!("cell {cell} stands twice in this line: remove one of them");
                return Err(self.mistake(place, expected, advice));
            }
            seen[cell] = index + 1;
            self.symbol(b'(', "an opening parenthesis", SHAPE)?;
            self.cursor.skip_blanks();
            let place = self.cursor.word_until(is_symbol);
            let coefficient = coefficient(&self.cursor.text[place.clone()]);
            let Some(coefficient) = coefficient else {
                let expected = "a coefficient: a whole number other than 0";
                return Err(self.mistake(
                    place,
                    expected,
                    "usually -1 for the total and 1 for parts",
                ));
            };
            self.symbol(b')', "a closing parenthesis", SHAPE)?;
            equations.cells.push(CellId::from_index(cell));
            equations.coefficients.push(coefficient);
        }
        self.line_end(&format!("the {wanted} cells that the line announces"))
    }

    fn symbol(&mut self, symbol: u8, expected: &str, advice: &str) -> Result<(), Error> {
        self.cursor.skip_blanks();
        if self.cursor.peek() == Some(symbol) {
            self.cursor.at += 1;
            return Ok(());
        }
        let start = self.cursor.at;
        let word = self.cursor.word_until(|byte| matches!(byte, b':' | b'(' | b')'));
        let place = if word.is_empty() && self.cursor.peek().is_some_and(|byte| byte != b'\n') {
            start..start + 1
        } else {
            word
        };
        Err(self.mistake(place, expected, advice))
    }

    fn end(&mut self, count: usize) -> Result<(), Error> {
        if !self.cursor.find_line() {
            return Ok(());
        }
        let place = self.cursor.word();
        let expected = format!("the end of the file after {count} equations");
        let advice = "raise the number of equations, or remove what follows the last";
        Err(self.mistake(place, expected, advice))
    }
}

fn assemble(reader: &Reader<'_>, cells: Cells, equations: Equations) -> Result<Problem, Error> {
    let count = cells.weights.len();
    let columns = [&cells.values, &cells.lower_bounds, &cells.upper_bounds, &equations.constants];
    let decimals =
        columns.into_iter().chain(&cells.levels).map(Column::decimals).max().unwrap_or_default();
    let units = |column: &Column, first_line: usize, field: usize| {
        column.units(decimals).map_err(|position| {
            too_large(
                reader,
                decimals,
                field_of_line(reader.cursor.text, first_line + position, field),
            )
        })
    };
    let values = units(&cells.values, 2, 1)?;
    let lower_bounds = cells.lower_bounds.bounds(decimals);
    let upper_bounds = cells.upper_bounds.bounds(decimals);
    let [lower, upper, sliding] = &cells.levels;
    let (lower, upper, sliding) = (units(lower, 2, 6)?, units(upper, 2, 7)?, units(sliding, 2, 8)?);
    let constants = units(&equations.constants, 3 + count, 0)?;
    let all = (0..count).map(|index| Cell {
        value: values[index],
        weight: cells.weights[index],
        status: cells.statuses[index],
        lower_bound: lower_bounds[index],
        upper_bound: upper_bounds[index],
        protection: Protection {
            lower: lower[index],
            upper: upper[index],
            sliding: sliding[index],
        },
    });
    Ok(Problem::new(system(count, &equations, &constants), decimals, all))
}

fn system(cell_count: usize, equations: &Equations, constants: &[i64]) -> System {
    let mut builder = SystemBuilder::new(cell_count);
    for (bounds, &constant) in equations.starts.windows(2).zip(constants) {
        let range = bounds[0]..bounds[1];
        let cells = equations.cells[range.clone()].iter().copied();
        builder.equation(cells.zip(equations.coefficients[range].iter().copied()), constant);
    }
    builder.build()
}

fn too_large(reader: &Reader<'_>, decimals: Decimals, place: Range<usize>) -> Error {
    let expected = format!("a number that exact arithmetic can hold with {} decimals", decimals.0);
    let advice = "some number of this file has so many decimals: round it, or use a larger unit";
    reader.mistake(place, expected, advice)
}

/// A whole number of at most 2³², digits only.
fn whole(word: &[u8]) -> Option<usize> {
    if word.is_empty() || word.len() > 10 {
        return None;
    }
    let mut number = 0_u64;
    for &byte in word {
        if !byte.is_ascii_digit() {
            return None;
        }
        number = number * 10 + u64::from(byte - b'0');
    }
    (number <= u64::from(u32::MAX)).then_some(number as usize)
}

fn status(word: &[u8]) -> Option<Status> {
    match word {
        b"s" | b"S" => Some(Status::Safe),
        b"u" | b"U" => Some(Status::Primary(Reason::Given)),
        b"z" | b"Z" => Some(Status::Protected),
        b"m" | b"M" => Some(Status::Secondary),
        _ => None,
    }
}
