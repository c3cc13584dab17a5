//! What the sub-commands of `quell micro` have in common.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use quell_micro::{
    Combinations, Error, KeySet, Layout, Meaning, Metadata, Microdata, Result, Selection,
    Threshold, Variable, read,
};
use serde::Deserialize;

/// Where the data is and which variables identify.
#[derive(Debug, Args)]
pub struct DataArguments {
    /// The microdata: a CSV file with a header, .parquet, .dta, .sav, or whatever --rda describes
    #[arg(value_name = "DATA")]
    pub data: PathBuf,

    /// Description of the file (µ-ARGUS): places, missing codes, weight, household, levels
    #[arg(long, value_name = "FILE")]
    pub rda: Option<PathBuf>,

    /// What stands between the fields of a CSV file; found out if not given
    #[arg(long, value_name = "CHAR")]
    pub separator: Option<char>,

    /// The identifying variables, separated by commas; with --rda those of a level by default
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub keys: Vec<String>,

    /// Codes that mean "missing": for all variables (99) or for one (age=99)
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub missing: Vec<String>,

    /// The sampling weight
    #[arg(long, value_name = "NAME")]
    pub weight: Option<String>,

    /// The variable that names the household
    #[arg(long, value_name = "NAME")]
    pub household: Option<String>,
}

/// A file that was read, and where its fields are.
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// Where its fields are.
    pub layout: Layout,
    /// Its description, if there is one.
    pub metadata: Option<Metadata>,
    /// What was read.
    pub data: Microdata,
    /// Missing codes by identifying variable.
    pub missing: Vec<Vec<String>>,
}

impl DataArguments {
    /// Reads the data, with other variables if asked for.
    ///
    /// # Errors
    /// If a file cannot be read or a variable is unknown.
    pub fn read(&self, others: &[String]) -> Result<Source> {
        let metadata = self.rda.as_deref().map(Metadata::read).transpose()?;
        let (layout, mut selection) = match &metadata {
            Some(metadata) => {
                let names: Vec<&str> = self.keys.iter().map(String::as_str).collect();
                (metadata.layout(), metadata.selection(&names))
            }
            None => {
                let keys = self.keys.iter().map(|name| Variable::named(name)).collect();
                (
                    Layout::of_file(&self.data, self.separator_byte()?)?,
                    Selection { keys, ..Selection::default() },
                )
            }
        };
        if selection.keys.is_empty() {
            return Err(Error::Request(
                "name the identifying variables with --keys, separated by commas".into(),
            ));
        }
        self.add_missing(&mut selection)?;
        selection.weight = self.weight.clone().or(selection.weight);
        selection.household = self.household.clone().or(selection.household);
        selection.others = others.iter().map(|name| Variable::named(name)).collect();
        let data = read(&self.data, &layout, &selection)?;
        let missing = selection.keys.iter().map(|key| key.missing.clone()).collect();
        Ok(Source { path: self.data.clone(), layout, metadata, data, missing })
    }

    /// Where the fields of the file are.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn layout(&self) -> Result<Layout> {
        match &self.rda {
            Some(rda) => Ok(Metadata::read(rda)?.layout()),
            None => Layout::of_file(&self.data, self.separator_byte()?),
        }
    }

    fn separator_byte(&self) -> Result<Option<u8>> {
        let byte = |separator: char| {
            u8::try_from(separator).ok().filter(u8::is_ascii).ok_or_else(|| {
                Error::Request(format!(
                    "'{separator}' cannot stand between fields: use one of ASCII"
                ))
            })
        };
        self.separator.map(byte).transpose()
    }

    /// Reads another file of the same form.
    pub fn read_again(&self, path: &Path, source: &Source) -> Result<Microdata> {
        let layout = match &source.layout {
            Layout::Delimited { separator, header: true, .. } => {
                Layout::of_file(path, Some(*separator))?
            }
            Layout::Columns { .. } => Layout::of_file(path, None)?,
            other => other.clone(),
        };
        let keys = source.data.keys().iter().zip(&source.missing);
        let selection = Selection {
            keys: keys
                .map(|(column, missing)| Variable {
                    name: column.name().to_owned(),
                    missing: missing.clone(),
                })
                .collect(),
            ..Selection::default()
        };
        read(path, &layout, &selection)
    }

    fn add_missing(&self, selection: &mut Selection) -> Result<()> {
        for code in &self.missing {
            match code.split_once('=') {
                Some((name, code)) => {
                    let key = selection
                        .keys
                        .iter_mut()
                        .find(|key| key.name.eq_ignore_ascii_case(name.trim()))
                        .ok_or_else(|| {
                            Error::Request(format!(
                                "--missing names \"{name}\", which is not among the keys"
                            ))
                        })?;
                    key.missing.push(code.trim().to_owned());
                }
                None => {
                    for key in &mut selection.keys {
                        key.missing.push(code.trim().to_owned());
                    }
                }
            }
        }
        Ok(())
    }
}

/// What "safe" means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeaningName {
    /// What is left must be frequent in the original file (µ-ARGUS)
    Static,
    /// A missing value matches every value (sdcMicro)
    Wildcard,
    /// A missing value is one more category (ARX)
    Identical,
}

impl MeaningName {
    /// The meaning.
    pub fn meaning(self) -> Meaning {
        match self {
            Self::Static => Meaning::Static,
            Self::Wildcard => Meaning::Wildcard,
            Self::Identical => Meaning::IdenticalTuple,
        }
    }
}

/// Which combinations of variables are checked, and how often is enough.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is checked")]
pub struct CheckArguments {
    /// All combinations of up to this many variables
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub max_dim: usize,

    /// Unsafe if it occurs FEWER THAN this often; one number, or one for each dimension
    #[arg(long, value_name = "N", value_delimiter = ',', conflicts_with = "at_most")]
    pub threshold: Vec<u32>,

    /// Unsafe if it occurs AT MOST this often (as in µ-ARGUS); one number, or one a dimension
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub at_most: Vec<u32>,

    /// Only these combinations, such as age*sex*town,age*job
    #[arg(long, value_name = "LIST", conflicts_with_all = ["levels", "all_together"])]
    pub combinations: Option<String>,

    /// With --combinations or --all-together: check all parts of the combinations too
    #[arg(long)]
    pub parts: bool,

    /// The combinations that the identification levels of the --rda file make
    #[arg(long, requires = "rda", conflicts_with = "all_together")]
    pub levels: bool,

    /// Only all variables together: k-anonymity
    #[arg(long)]
    pub all_together: bool,

    /// What "safe" means
    #[arg(long, value_enum, default_value_t = MeaningName::Static)]
    pub meaning: MeaningName,
}

impl CheckArguments {
    fn thresholds(&self, dimensions: usize) -> Result<Vec<Threshold>> {
        let (numbers, make): (&[u32], fn(u32) -> Threshold) = if self.at_most.is_empty() {
            (&self.threshold, Threshold::FewerThan)
        } else {
            (&self.at_most, Threshold::AtMost)
        };
        match numbers {
            [] => Ok(vec![Threshold::FewerThan(3); dimensions]),
            [one] => Ok(vec![make(*one); dimensions]),
            several if several.len() >= dimensions => {
                Ok(several[..dimensions].iter().map(|&number| make(number)).collect())
            }
            several => Err(Error::Request(format!(
                "{} thresholds are given, and combinations of up to {dimensions} variables are \
                 checked: give one, or one for each dimension",
                several.len()
            ))),
        }
    }

    /// The combinations.
    pub fn combinations(&self, source: &Source) -> Result<Combinations> {
        let keys = source.data.keys().len();
        if self.levels {
            let level = |name: &str| {
                source.metadata.as_ref().and_then(|all| all.variable(name)).map_or(0, |v| v.level)
            };
            let levels: Vec<u32> =
                source.data.keys().iter().map(|column| level(column.name())).collect();
            let deepest = levels.iter().copied().max().unwrap_or(0) as usize;
            return Combinations::identification_levels(&levels, &self.thresholds(deepest)?);
        }
        let listed = if self.all_together {
            Combinations::all_together(keys, self.thresholds(1)?[0])?
        } else if let Some(list) = &self.combinations {
            Combinations::named(&source.data, list, self.thresholds(1)?[0])?
        } else {
            let dimensions = self.max_dim.min(keys);
            return Combinations::by_dimension(keys, &self.thresholds(dimensions)?);
        };
        if self.parts { listed.with_parts() } else { Ok(listed) }
    }
}

/// A set of variables by name.
pub fn key_set(data: &Microdata, names: &[String]) -> Result<KeySet> {
    names.iter().try_fold(KeySet::EMPTY, |set, name| Ok(set.with(data.key(name.trim())?)))
}

/// `NAME=VALUE`.
pub fn assignment(text: &str) -> Result<(&str, &str)> {
    text.split_once('=')
        .map(|(name, value)| (name.trim(), value.trim()))
        .ok_or_else(|| Error::Request(format!("\"{text}\" does not read NAME=VALUE")))
}

/// `NAME=NUMBER`; a name may have an equals sign in it.
pub fn number(text: &str) -> Result<(&str, f64)> {
    let (name, value) = text
        .rsplit_once('=')
        .ok_or_else(|| Error::Request(format!("\"{text}\" does not read NAME=VALUE")))?;
    let (name, value) = (name.trim(), value.trim());
    let number = value.parse();
    Ok((name, number.map_err(|_| Error::Request(format!("\"{value}\" is not a number")))?))
}

/// Runs work on the given number of threads.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        // Without threads of our own the common ones do.
        Err(_) => work(),
    }
}
