//! What recoding and suppression cost in information.
//!
//! Every measure gives the loss of a variable's coding over the whole file, and the
//! *further* loss of suppressing one recoded value. A coarser coding never loses less,
//! and suppressing a value of a coarser coding never loses more: the search for the best
//! codings rests on both.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::tree::Ladder;
use crate::{Column, Error, Microdata, Result};

/// Losses of coarser codings are sums in another order, which may come out lower by no more
/// than this.
const SUM_NOISE: f64 = 1e-9;

/// A measure of information loss by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeasureName {
    /// Bits that the joined values no longer tell.
    #[default]
    Entropy,
    /// Levels of the ladder that were climbed.
    Precision,
}

impl MeasureName {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Entropy, Self::Precision];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entropy => "entropy",
            Self::Precision => "precision",
        }
    }
}

impl std::str::FromStr for MeasureName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        crate::error::named(text, "measure of loss", &Self::ALL, |measure| measure.name())
    }
}

impl From<MeasureName> for Measure {
    fn from(name: MeasureName) -> Self {
        match name {
            MeasureName::Entropy => Self::Entropy,
            MeasureName::Precision => Self::Precision,
        }
    }
}

/// A measure of information loss.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// Sweeney's precision: a value at level l of a ladder of L loses l/L, a suppressed
    /// one everything, 1.
    Precision,
    /// Non-uniform entropy (Gionis and Tassa), in bits: a value that n records have,
    /// joined into a category of m, loses log₂(m/n); suppressed, log₂(N/n) of all N.
    Entropy,
    /// The user's own: `levels[variable][level]` for a coding, and
    /// `suppression[variable]` for each suppressed value.
    Own {
        /// Loss of each coding of each variable.
        levels: Vec<Vec<f64>>,
        /// Loss of a suppressed value, by variable.
        suppression: Vec<f64>,
    },
}

/// The losses of one variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Losses {
    /// By level: loss of the coding over the whole file.
    pub coding: Vec<f64>,
    /// By level and recoded code: further loss of suppressing one value.
    pub suppression: Vec<Vec<f64>>,
}

impl Measure {
    /// The user's losses from a file with one line per variable: its name, the loss of each
    /// suppressed value, then the loss of each coarser coding of the whole file.
    ///
    /// # Errors
    /// If the file cannot be read, a variable has no line, or a loss is not a number.
    pub fn read(path: &Path, separator: u8, data: &Microdata) -> Result<Self> {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_path(path)
            .map_err(|source| Error::csv(path, source))?;
        let mut own: Vec<Option<(f64, Vec<f64>)>> = vec![None; data.keys().len()];
        for record in reader.records() {
            let record = record.map_err(|source| Error::csv(path, source))?;
            let line = record.position().map_or(0, csv::Position::line);
            let losses = record.iter().skip(1).map(|text| {
                let loss = text.parse().ok().filter(|loss: &f64| *loss >= 0.0 && loss.is_finite());
                loss.ok_or_else(|| Error::line(path, line, format!("\"{text}\" is no loss")))
            });
            let losses = losses.collect::<Result<Vec<f64>>>()?;
            let Some((&suppressed, coarser)) = losses.split_first() else {
                return Err(Error::line(path, line, "a variable, then its losses, is expected"));
            };
            let levels = [&[0.0], coarser].concat();
            own[data.key(&record[0])?] = Some((suppressed, levels));
        }
        let (mut levels, mut suppression) = (Vec::new(), Vec::new());
        for (column, own) in data.keys().iter().zip(own) {
            let (single, codings) = own.ok_or_else(|| {
                let (file, name) = (path.display(), column.name());
                Error::Request(format!("{file} has no line for variable \"{name}\""))
            })?;
            levels.push(codings);
            suppression.push(single);
        }
        Ok(Self::Own { levels, suppression })
    }

    /// The losses of a variable's ladder, times its importance.
    ///
    /// # Errors
    /// If the user's losses do not fit, or fall with coarser codings.
    pub fn losses(
        &self,
        key: usize,
        column: &Column,
        ladder: &Ladder,
        importance: f64,
    ) -> Result<Losses> {
        let frequencies = column.frequencies();
        let counted: f64 =
            frequencies[..column.categories() as usize].iter().map(|&count| count as f64).sum();
        let levels = ladder.levels();
        let mut losses = Losses { coding: Vec::new(), suppression: Vec::new() };
        for level in 0..levels {
            let recoded = ladder.level(level).apply(column, "")?;
            let sizes: Vec<f64> = recoded.frequencies().iter().map(|&count| count as f64).collect();
            let (coding, suppression): (f64, Vec<f64>) = match self {
                Self::Precision => {
                    let share = level as f64 / levels as f64;
                    (counted * share, vec![1.0 - share; sizes.len()])
                }
                Self::Entropy => {
                    let bits = |count: f64| if count > 0.0 { count * count.log2() } else { 0.0 };
                    let own = &frequencies[..column.categories() as usize];
                    let joined = &sizes[..recoded.categories() as usize];
                    let coding: f64 = joined.iter().map(|&size| bits(size)).sum::<f64>()
                        - own.iter().map(|&count| bits(count as f64)).sum::<f64>();
                    // The difference of large sums may fall below nothing.
                    (
                        coding.max(0.0),
                        sizes.iter().map(|&size| (counted / size.max(1.0)).log2()).collect(),
                    )
                }
                Self::Own { levels: own, suppression } => {
                    let coding = own.get(key).and_then(|own| own.get(level));
                    let single = suppression.get(key);
                    match (coding, single) {
                        (Some(&coding), Some(&single)) => (coding, vec![single; sizes.len()]),
                        _ => {
                            return Err(Error::Request(format!(
                                "no loss is given for level {level} of variable \"{}\"",
                                column.name()
                            )));
                        }
                    }
                }
            };
            if losses.coding.last().is_some_and(|&last| coding * importance < last - SUM_NOISE) {
                return Err(Error::Request(format!(
                    "the loss of variable \"{}\" falls from level {} to {level}",
                    column.name(),
                    level - 1
                )));
            }
            losses.coding.push(coding * importance);
            losses
                .suppression
                .push(suppression.into_iter().map(|loss| loss * importance).collect());
        }
        Ok(losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recode::Recoding;

    fn ladder() -> (Column, Ladder) {
        let column = Column::from_labels("v", ["a", "a", "b", "b", "c", "c", "c", "c"], &[]);
        let join = Recoding::by(&column, |label| {
            Ok(Some(if label == "c" { "c".into() } else { "ab".to_owned() }))
        })
        .unwrap();
        let ladder = Ladder::new(&column, vec![join]).unwrap();
        (column, ladder)
    }

    #[test]
    fn entropy_counts_the_bits_that_are_lost() {
        let (column, ladder) = ladder();
        let losses = Measure::Entropy.losses(0, &column, &ladder, 1.0).unwrap();
        // Four values lose one bit each: a or b?
        assert!((losses.coding[1] - 4.0).abs() < 1e-12);
        assert_eq!(losses.coding[0], 0.0);
        // a is 2 of 8: two bits; ab is 4 of 8: one bit.
        assert_eq!(losses.suppression[0], [2.0, 2.0, 1.0]);
        assert_eq!(losses.suppression[1], [1.0, 1.0]);
    }

    #[test]
    fn precision_counts_levels() {
        let (column, ladder) = ladder();
        let losses = Measure::Precision.losses(0, &column, &ladder, 2.0).unwrap();
        assert_eq!(losses.coding, [0.0, 8.0]);
        assert_eq!(losses.suppression, [vec![2.0; 3], vec![1.0; 2]]);
    }

    #[test]
    fn own_losses_must_not_fall() {
        let (column, ladder) = ladder();
        let own = |levels: Vec<f64>| Measure::Own { levels: vec![levels], suppression: vec![3.0] };
        assert!(own(vec![0.0, 5.0]).losses(0, &column, &ladder, 1.0).is_ok());
        assert!(own(vec![5.0, 0.0]).losses(0, &column, &ladder, 1.0).is_err());
        assert!(own(vec![5.0]).losses(0, &column, &ladder, 1.0).is_err());
    }
}
