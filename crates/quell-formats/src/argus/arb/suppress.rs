//! The argument of `<SUPPRESS>`.

use super::read::flag;
use super::{Command, Method};
use crate::Error;
use crate::argus::tokens::{Token, Tokens};
use crate::suggest::advise;

const METHODS: [&str; 7] = ["GH", "MOD", "OPT", "NET", "RND", "CTA", "CKM"];

pub(super) fn read(line: &mut Tokens<'_>) -> Result<Command, Error> {
    let advice = "the command reads: method(table,…)";
    let name = line.need("a method", advice)?;
    let upper = name.text.to_uppercase();
    let form = match upper.as_str() {
        "GH" => "GH(table,bound,size,singleton 0/1)",
        "MOD" => "MOD(table,minutes,0/1,0/1,0/1,cost,lower,upper)",
        "OPT" => "OPT(table,minutes)",
        "NET" => "NET(table)",
        "RND" => "RND(table,base,steps,minutes,partitions 0/1,stop 1/2/3,unit cost 0/1)",
        "CTA" => "CTA(table)",
        "CKM" => "CKM(table) \"file\"|\"file\"|number",
        other => {
            let advice = advise(other, &METHODS);
            return Err(line.mistake(name.place, "a method of suppression", advice));
        }
    };
    let mut arguments = Arguments::read(line, form)?;
    let first = arguments.next();
    let expected = "the number of a table, or 0 for linked tables";
    let Some(first) = first else {
        let place = line.here();
        return Err(line.mistake(place, expected, format!("the command reads {form}")));
    };
    let table: usize = line.number(&first, expected, form)?;
    let method = match upper.as_str() {
        "GH" => Method::Hypercube {
            bound: arguments.number(line)?,
            size: arguments.number(line)?,
            singleton: arguments.flag(line)?,
        },
        "MOD" => Method::Modular {
            minutes: arguments.number(line)?,
            singleton_singleton: arguments.flag(line)?,
            singleton_multiple: arguments.flag(line)?,
            minimum_frequency: arguments.flag(line)?,
            scaling_cost: arguments.number(line)?,
            lower_margin: arguments.number(line)?,
            upper_margin: arguments.number(line)?,
        },
        "OPT" => Method::Optimal { minutes: arguments.number(line)? },
        "NET" => {
            // τ-ARGUS takes its options from the window's last state, whatever stands here.
            arguments.pieces.clear();
            Method::Network
        }
        "RND" => rounding(&mut arguments, line, &name)?,
        "CTA" => Method::Adjustment,
        _ => cell_key(line, form)?,
    };
    if let Some(more) = arguments.next() {
        return Err(line.mistake(more.place, "no more arguments", format!("it reads {form}")));
    }
    let linked = matches!(method, Method::Hypercube { .. } | Method::Modular { .. });
    if table == 0 && !linked {
        let advice = "only GH and MOD protect linked tables, table 0";
        return Err(line.mistake(first.place, "the number of a table, from 1", advice));
    }
    Ok(Command::Suppress { table: (table > 0).then_some(table), method })
}

/// What stands in the brackets; arguments may be left out between commas.
struct Arguments<'a> {
    /// In reverse.
    pieces: Vec<Option<Token<'a>>>,
    form: &'static str,
}

impl<'a> Arguments<'a> {
    fn read(line: &mut Tokens<'a>, form: &'static str) -> Result<Self, Error> {
        let advice = format!("the command reads {form}");
        line.need_sign("(", &advice)?;
        let mut pieces = Vec::new();
        loop {
            let left_out = line.peek()?.is_some_and(|piece| piece.is(",") || piece.is(")"));
            let piece = if left_out { None } else { Some(line.need("an argument", &advice)?) };
            pieces.push(piece);
            if line.skip(")")? {
                break;
            }
            line.need_sign(",", &advice)?;
        }
        pieces.reverse();
        Ok(Self { pieces, form })
    }

    fn next(&mut self) -> Option<Token<'a>> {
        self.pieces.pop().flatten()
    }

    fn number<T: std::str::FromStr + PartialOrd + Default>(
        &mut self,
        line: &Tokens<'_>,
    ) -> Result<Option<T>, Error> {
        let Some(piece) = self.next() else { return Ok(None) };
        let number: T = line.number(&piece, "a number", self.form)?;
        if number < T::default() {
            return Err(line.mistake(piece.place, "a number of at least 0", self.form));
        }
        Ok(Some(number))
    }

    fn flag(&mut self, line: &Tokens<'_>) -> Result<Option<bool>, Error> {
        self.next().map(|piece| flag(&piece, line, self.form)).transpose()
    }
}

fn rounding(
    arguments: &mut Arguments<'_>,
    line: &Tokens<'_>,
    name: &Token<'_>,
) -> Result<Method, Error> {
    let form = arguments.form;
    let base = arguments.number(line)?.filter(|&base: &u64| base > 0);
    let base = base.ok_or_else(|| line.mistake(name.place.clone(), "a rounding base", form))?;
    let (steps, minutes) = (arguments.number(line)?, arguments.number(line)?);
    let partitions = arguments.flag(line)?;
    let stop = arguments.next();
    let stop = stop
        .map(|piece| match piece.text.as_ref() {
            "1" => Ok(1),
            "2" => Ok(2),
            "3" => Ok(3),
            _ => Err(line.mistake(piece.place, "a stop rule 1, 2 or 3", form)),
        })
        .transpose()?;
    let unit_cost = arguments.flag(line)?;
    Ok(Method::Rounding { base, steps, minutes, partitions, stop, unit_cost })
}

fn cell_key(line: &mut Tokens<'_>, form: &str) -> Result<Method, Error> {
    let file = |line: &mut Tokens<'_>| -> Result<Option<String>, Error> {
        if line.peek()?.is_none_or(|piece| piece.is("|")) {
            return Ok(None);
        }
        Ok(line.piece()?.map(|piece| piece.text.into_owned()).filter(|file| !file.is_empty()))
    };
    let table = file(line)?;
    let separate = if line.skip("|")? { file(line)? } else { None };
    let mu_c = if line.skip("|")? && !line.at_end() {
        Some(line.need_number("a number", form)?)
    } else {
        None
    };
    Ok(Method::CellKey { table, separate, mu_c })
}
