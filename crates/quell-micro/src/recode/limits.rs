//! Top and bottom coding: the rare ends of a scale in one category each.

use super::Recoding;
use crate::{Column, Error, Result};

/// Joins all numbers at or above `top`, and all at or below `bottom`.
///
/// # Errors
/// If a category is not a number, or the ends meet.
pub fn top_and_bottom(column: &Column, bottom: Option<f64>, top: Option<f64>) -> Result<Recoding> {
    if let (Some(bottom), Some(top)) = (bottom, top)
        && bottom >= top
    {
        return Err(Error::Request(format!("bottom {bottom} is not below top {top}")));
    }
    Recoding::by(column, |label| {
        let value: f64 = label.trim().parse().map_err(|_| {
            Error::Request(format!(
                "variable \"{}\" has the code \"{label}\", which is not a number",
                column.name()
            ))
        })?;
        Ok(Some(match (bottom, top) {
            (Some(bottom), _) if value <= bottom => format!("<={bottom}"),
            (_, Some(top)) if value >= top => format!(">={top}"),
            _ => label.to_owned(),
        }))
    })
}

/// The ends that leave at least `minimum` records at or beyond each: the largest bottom
/// and smallest top that need no joining beyond what is rare.
pub fn rare_ends(column: &Column, minimum: u64) -> Result<(Option<f64>, Option<f64>)> {
    let frequencies = column.frequencies();
    let mut values = Vec::new();
    for (code, label) in column.labels().iter().enumerate() {
        if !column.is_missing(code as u32) {
            let value: f64 = label.trim().parse().map_err(|_| {
                Error::Request(format!(
                    "variable \"{}\" has the code \"{label}\", which is not a number",
                    column.name()
                ))
            })?;
            values.push((value, frequencies[code]));
        }
    }
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let end = |values: &mut dyn Iterator<Item = (f64, u64)>| {
        let mut sum = 0;
        let mut joined = 0;
        for (value, count) in values {
            sum += count;
            joined += 1;
            if sum >= minimum {
                // One category that is frequent by itself needs no joining.
                return (joined > 1).then_some(value);
            }
        }
        None
    };
    Ok((end(&mut values.iter().copied()), end(&mut values.iter().rev().copied())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_joined() {
        let column = Column::from_labels("age", ["1", "2", "50", "99", "120"], &["99"]);
        let recoding = top_and_bottom(&column, Some(2.0), Some(100.0)).unwrap();
        let recoded = recoding.apply(&column, "").unwrap();
        let labels: Vec<&str> = (0..5).map(|record| recoded.label(record)).collect();
        assert_eq!(labels, ["<=2", "<=2", "50", "99", ">=100"]);
        assert!(top_and_bottom(&column, Some(5.0), Some(5.0)).is_err());
    }

    #[test]
    fn rare_ends_are_found() {
        let labels = ["1", "2", "3", "3", "3", "4", "4", "4", "4"];
        let column = Column::from_labels("v", labels, &[]);
        assert_eq!(rare_ends(&column, 3).unwrap(), (Some(3.0), None));
        assert_eq!(rare_ends(&column, 2).unwrap(), (Some(2.0), None));
        assert_eq!(rare_ends(&column, 5).unwrap(), (Some(3.0), Some(3.0)));
    }
}
