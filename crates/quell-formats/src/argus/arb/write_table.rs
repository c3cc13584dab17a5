//! The argument of `<WRITETABLE>`.

use super::read::table;
use super::{Command, OutputFormat, WriteOptions};
use crate::Error;
use crate::argus::tokens::{Token, Tokens};

const FORM: &str = "the command reads: (table,type 1 to 7,options like AS+QU-,\"file\")";

const LETTERS: [&str; 12] =
    ["AS", "FL", "QU", "SE", "HL", "AR", "HI", "SO", "TR", "AO", "AD", "AC"];

pub(super) fn read(line: &mut Tokens<'_>) -> Result<Command, Error> {
    line.need_sign("(", FORM)?;
    let table = table(line, FORM)?;
    line.need_sign(",", FORM)?;
    let kind = line.need("a type of output, 1 to 7", FORM)?;
    let format = match kind.text.as_ref() {
        "1" => OutputFormat::Csv,
        "2" => OutputFormat::Pivot,
        "3" => OutputFormat::CodeValue,
        "4" => OutputFormat::Sbs,
        "5" => OutputFormat::Intermediate,
        "6" => OutputFormat::Jj,
        "7" => OutputFormat::CellKey,
        _ => return Err(line.mistake(kind.place, "a type of output, 1 to 7", FORM)),
    };
    line.need_sign(",", FORM)?;
    let mut options = WriteOptions::of(format);
    // Options may be written apart, as in "AS+ FL+".
    loop {
        let piece = line.need("options or a comma", FORM)?;
        if piece.is(",") {
            break;
        }
        set(&piece, line, format, &mut options)?;
    }
    let file = line.need("the name of a file", FORM)?;
    if file.text.trim().is_empty()
        || (!file.quoted && matches!(file.text.as_ref(), "," | "(" | ")"))
    {
        return Err(line.mistake(file.place, "the name of a file", FORM));
    }
    line.need_sign(")", FORM)?;
    Ok(Command::WriteTable { table, format, options, file: file.text.into_owned() })
}

fn set(
    piece: &Token<'_>,
    line: &Tokens<'_>,
    format: OutputFormat,
    options: &mut WriteOptions,
) -> Result<(), Error> {
    let text = piece.text.to_uppercase();
    if let Ok(number) = text.parse::<u8>() {
        old_style(number, format, options);
        return Ok(());
    }
    let wrong = || {
        let advice = format!("options are {}, each followed by + or -", LETTERS.join(" "));
        line.mistake(piece.place.clone(), "options like AS+QU-", advice)
    };
    let mut rest: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    while !rest.is_empty() {
        let &[first, second, sign, ..] = rest.as_slice() else { return Err(wrong()) };
        let on = match sign {
            '+' => true,
            '-' => false,
            _ => return Err(wrong()),
        };
        let option = match [first, second] {
            ['A', 'S'] => &mut options.status,
            ['F', 'L'] => &mut options.first_line,
            ['Q', 'U'] => &mut options.quotes,
            ['S', 'E'] => &mut options.suppress_empty,
            ['H', 'L'] => &mut options.levels,
            ['A', 'R'] => &mut options.audit,
            ['H', 'I'] => &mut options.holding,
            ['S', 'O'] => &mut options.status_only,
            ['T', 'R'] => &mut options.remove_trivial,
            ['A', 'O'] => &mut options.original,
            ['A', 'D'] => &mut options.difference,
            ['A', 'C'] => &mut options.cell_keys,
            _ => return Err(wrong()),
        };
        *option = on;
        rest.drain(..3);
    }
    Ok(())
}

/// The number that scripts before version 4 have for options.
fn old_style(number: u8, format: OutputFormat, options: &mut WriteOptions) {
    match format {
        OutputFormat::Pivot | OutputFormat::CodeValue => {
            options.status = number & 1 != 0;
            options.suppress_empty = number & 2 != 0;
        }
        OutputFormat::Sbs => options.levels = number & 1 != 0,
        OutputFormat::Intermediate => options.status_only = number == 0,
        OutputFormat::Csv | OutputFormat::Jj | OutputFormat::CellKey => {}
    }
}
