//! A specification with its names resolved to columns.

use quell_data::arrow::array::RecordBatch;
use quell_data::suggest::nearest;
use quell_data::{Missing, Variable};
use quell_model::{Decimals, NodeId};
use rustc_hash::FxHashMap;

use super::numbers::needed_decimals;
use super::scan::Scan;
use crate::{CodeMatch, Error, Response, Spec};

/// Beyond this many decimals of weights the rules' arithmetic could overflow.
const MOST_WEIGHT_DECIMALS: u8 = 6;

/// What to read and what to make of it. Columns are positions in `columns`.
pub(super) struct Plan {
    /// The columns of the file that are needed.
    pub(super) columns: Vec<usize>,
    pub(super) axes: Vec<AxisPlan>,
    pub(super) numbers: Vec<NumberPlan>,
    /// Position in `numbers` of the weights.
    pub(super) weight: Option<usize>,
    pub(super) respondent: Option<usize>,
    pub(super) holding: Option<NamePlan>,
    pub(super) request: Option<RequestPlan>,
    pub(super) waiver: Option<NamePlan>,
    pub(super) tables: Vec<TablePlan>,
}

/// A dimension and its column.
pub(super) struct AxisPlan {
    pub(super) column: usize,
    pub(super) variable: String,
    pub(super) dimension: String,
    pub(super) matching: CodeMatch,
    /// The leaf of every code.
    pub(super) leaves: FxHashMap<String, NodeId>,
    /// Codes that are totals, to say so.
    pub(super) totals: Vec<String>,
    /// The codes that mean "not known".
    pub(super) missing: Vec<NodeId>,
}

/// A numeric variable and its column.
pub(super) struct NumberPlan {
    pub(super) column: usize,
    pub(super) name: String,
    pub(super) decimals: Decimals,
    declared: bool,
    /// Whether its texts have decimal commas.
    pub(super) decimal_comma: bool,
    pub(super) missing: Missing,
}

/// A column and the codes in it that count.
pub(super) struct NamePlan {
    pub(super) column: usize,
    pub(super) codes: Vec<String>,
}

/// The request variable.
pub(super) struct RequestPlan {
    pub(super) column: usize,
    pub(super) first: String,
    pub(super) second: Option<String>,
}

/// A table: positions in `axes` and `numbers`.
pub(super) struct TablePlan {
    pub(super) axes: Vec<usize>,
    /// What one step in each dimension means in the number of a cell.
    pub(super) strides: Vec<u64>,
    /// `None` counts records.
    pub(super) response: Option<usize>,
    pub(super) shadow: Option<usize>,
    pub(super) cost: Option<usize>,
    /// Whether it shows weighted values.
    pub(super) weighted: bool,
    /// For how many contributors lists of the largest stand, before weights.
    pub(super) top: usize,
}

/// Collects columns, each once.
struct Columns<'a> {
    scan: &'a Scan,
    columns: Vec<usize>,
    numbers: Vec<NumberPlan>,
}

impl Columns<'_> {
    fn column(&mut self, name: &str) -> Result<usize, Error> {
        let column = self.scan.column(name)?;
        let known = self.columns.iter().position(|&other| other == column);
        Ok(known.unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        }))
    }

    /// The variable in one of the columns.
    fn variable(&self, column: usize) -> &Variable {
        &self.scan.records.variables()[self.columns[column]]
    }

    fn number(&mut self, name: &str) -> Result<usize, Error> {
        let column = self.column(name)?;
        if let Some(known) = self.numbers.iter().position(|number| number.column == column) {
            return Ok(known);
        }
        let variable = self.variable(column);
        let declared = variable.decimals;
        if let Some(decimals) = declared.filter(|decimals| decimals.0 > Decimals::MOST) {
            return Err(Error::TooManyDecimals {
                variable: name.to_owned(),
                decimals: decimals.0,
                most: Decimals::MOST,
            });
        }
        let number = NumberPlan {
            column,
            name: name.to_owned(),
            decimals: declared.unwrap_or_default(),
            declared: declared.is_some(),
            decimal_comma: variable.decimal_comma,
            missing: trimmed(&variable.missing),
        };
        self.numbers.push(number);
        Ok(self.numbers.len() - 1)
    }
}

impl Plan {
    /// Resolves the names of a specification.
    pub(super) fn new(spec: &Spec, scan: &Scan) -> Result<Self, Error> {
        let mut columns = Columns { scan, columns: Vec::new(), numbers: Vec::new() };
        let mut axes: Vec<AxisPlan> = Vec::new();
        let mut positions: Vec<Option<usize>> = vec![None; spec.axes.len()];
        let mut tables = Vec::with_capacity(spec.tables.len());
        for table in &spec.tables {
            let mut own = Vec::with_capacity(table.dimensions.len());
            for name in &table.dimensions {
                let declared = || spec.axes.iter().map(|axis| axis.dimension.name.as_str());
                let position = declared().position(|other| other == name).ok_or_else(|| {
                    let (table, name) = (table.name.clone(), name.clone());
                    let suggestion = nearest(&name, declared()).map(str::to_owned);
                    Error::UnknownDimension { table, name, suggestion }
                })?;
                let axis = match positions[position] {
                    Some(known) => known,
                    None => {
                        axes.push(AxisPlan::new(&spec.axes[position], &mut columns)?);
                        axes.len() - 1
                    }
                };
                positions[position] = Some(axis);
                if own.contains(&axis) {
                    let (table, name) = (table.name.clone(), name.clone());
                    return Err(Error::RepeatedDimension { table, name });
                }
                own.push(axis);
            }
            if table.weighted && spec.weight.is_none() {
                return Err(Error::NoWeights { table: table.name.clone() });
            }
            let response = match &table.response {
                Response::Frequency => None,
                Response::Variable(name) => Some(columns.number(name)?),
            };
            let shadow = table.shadow.as_ref().map(|name| columns.number(name)).transpose()?;
            tables.push(TablePlan {
                strides: strides(spec, &table.dimensions, &table.name)?,
                axes: own,
                response,
                shadow: shadow.or(response),
                cost: table.cost.as_ref().map(|name| columns.number(name)).transpose()?,
                weighted: table.weighted,
                top: table.top,
            });
        }
        let weight = spec.weight.as_ref().map(|name| columns.number(name)).transpose()?;
        if let Some(weight) = weight.map(|weight| &columns.numbers[weight])
            && weight.decimals.0 > MOST_WEIGHT_DECIMALS
        {
            return Err(Error::TooManyDecimals {
                variable: weight.name.clone(),
                decimals: weight.decimals.0,
                most: MOST_WEIGHT_DECIMALS,
            });
        }
        let respondent = spec.respondent.as_ref().map(|name| columns.column(name)).transpose()?;
        let holding = match &spec.holding {
            Some(name) => {
                let column = columns.column(name)?;
                Some(NamePlan { column, codes: trimmed(&columns.variable(column).missing).codes })
            }
            None => None,
        };
        let request = match &spec.request {
            Some(request) => Some(RequestPlan {
                column: columns.column(&request.variable)?,
                first: request.first.trim().to_owned(),
                second: request.second.as_ref().map(|code| code.trim().to_owned()),
            }),
            None => None,
        };
        let waiver = match &spec.waiver {
            Some(waiver) => {
                let column = columns.column(&waiver.variable)?;
                Some(NamePlan { column, codes: vec![waiver.code.trim().to_owned()] })
            }
            None => None,
        };
        let Columns { columns, numbers, .. } = columns;
        Ok(Self { columns, axes, numbers, weight, respondent, holding, request, waiver, tables })
    }

    /// Finds the decimals of numbers that declare none. Gives what there is to tell.
    pub(super) async fn detect_decimals(&mut self, scan: &Scan) -> Result<Vec<String>, Error> {
        let unknown: Vec<usize> =
            (0..self.numbers.len()).filter(|&number| !self.numbers[number].declared).collect();
        if unknown.is_empty() {
            return Ok(Vec::new());
        }
        let columns: Vec<usize> =
            unknown.iter().map(|&number| self.columns[self.numbers[number].column]).collect();
        let commas: Vec<bool> =
            unknown.iter().map(|&number| self.numbers[number].decimal_comma).collect();
        let count = unknown.len();
        let step = move |found: &mut Vec<u8>, batch: &RecordBatch| {
            for ((found, column), &comma) in found.iter_mut().zip(batch.columns()).zip(&commas) {
                *found = needed_decimals(column, *found, comma);
            }
            Ok::<(), Error>(())
        };
        let parts = scan.each(&columns, || vec![0_u8; count], step).await?;
        let mut notes = Vec::new();
        for (position, &number) in unknown.iter().enumerate() {
            let needed = parts.iter().map(|part| part[position]).max().unwrap_or(0);
            let number = &mut self.numbers[number];
            number.decimals = Decimals(needed).min(Variable::MOST_DETECTED);
            if number.decimals.0 < needed {
                notes.push(format!(
                    "{} has numbers with {needed} decimals; they are rounded to {} (declare decimals to choose)",
                    number.name, number.decimals.0
                ));
            }
        }
        Ok(notes)
    }

    /// The decimals of the weights.
    pub(super) fn weight_decimals(&self) -> Decimals {
        self.weight.map_or_else(Decimals::default, |weight| self.numbers[weight].decimals)
    }

    /// The decimals of a variable, or of a count.
    pub(super) fn decimals(&self, number: Option<usize>) -> Decimals {
        number.map_or_else(Decimals::default, |number| self.numbers[number].decimals)
    }
}

impl AxisPlan {
    fn new(axis: &crate::Axis, columns: &mut Columns<'_>) -> Result<Self, Error> {
        let column = columns.column(&axis.variable)?;
        let hierarchy = &axis.dimension.hierarchy;
        let key = |code: &str| match axis.codes {
            CodeMatch::Trimmed => code.trim().to_owned(),
            _ => code.to_owned(),
        };
        let codes = hierarchy.codes().iter().enumerate();
        let (leaves, totals): (Vec<_>, Vec<_>) = codes
            .map(|(node, code)| (key(code), node as NodeId))
            .partition(|&(_, node)| hierarchy.total_of(node).is_empty());
        let missing = &columns.variable(column).missing;
        let missing = leaves.iter().filter(|(code, _)| missing.has(code));
        Ok(Self {
            column,
            variable: axis.variable.clone(),
            dimension: axis.dimension.name.clone(),
            matching: axis.codes,
            missing: missing.map(|&(_, node)| node).collect(),
            totals: totals.into_iter().map(|(code, _)| code).collect(),
            leaves: leaves.into_iter().collect(),
        })
    }
}

/// How cells of a table are numbered: as [`quell_model::Cube`] does, first dimension slowest.
fn strides(spec: &Spec, dimensions: &[String], table: &str) -> Result<Vec<u64>, Error> {
    let mut strides = vec![1_u64; dimensions.len()];
    let mut size = 1_u64;
    for (stride, name) in strides.iter_mut().zip(dimensions).rev() {
        let axis = spec.axes.iter().find(|axis| axis.dimension.name == *name);
        *stride = size;
        let codes = axis.map_or(1, |axis| axis.dimension.hierarchy.len().max(1)) as u64;
        size = size.checked_mul(codes).ok_or_else(|| Error::Cube {
            table: table.to_owned(),
            source: quell_model::CubeError::TooManyCells,
        })?;
    }
    Ok(strides)
}

/// Missing codes without the blanks around them.
fn trimmed(missing: &Missing) -> Missing {
    let codes = missing.codes.iter().map(|code| code.trim().to_owned());
    Missing { codes: codes.collect(), range: missing.range }
}
