//! Metadata, `.rda`: the variables of a data file and where they stand.
//!
//! Two flavours. **Microdata** ([`parse_micro`]): one line per variable with its place,
//! length and missing codes, then its options; the first line may say that the file is
//! free format (`<SEPARATOR>`) or SPSS (`<SPSS>`). **Tables** ([`parse_table`]): no
//! places, the order of the variables is that of the columns; the letters of statuses may
//! be renamed. µ-ARGUS' options of households and identification are known, too.

mod options;
mod read;
mod write;

pub use read::{parse_micro, parse_table};
pub use write::print;

/// A `.rda` file.
#[derive(Debug, Clone, PartialEq)]
pub struct Metadata {
    /// How records are laid out.
    pub layout: Layout,
    /// The letters of statuses; only tables have them.
    pub letters: StatusLetters,
    /// The variables, in order.
    pub variables: Vec<Variable>,
}

/// How the records of a data file are laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// Microdata with every variable at its place.
    Fixed,
    /// Microdata with a separator between fields.
    Free(String),
    /// An SPSS system file; places say which bytes of its records are meant.
    Spss,
    /// A table with a separator between fields.
    Table(String),
}

impl Layout {
    /// Whether variables have places.
    pub fn has_places(&self) -> bool {
        matches!(self, Self::Fixed | Self::Spss)
    }
}

/// The words for statuses in a table file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusLetters {
    /// Safe.
    pub safe: String,
    /// Unsafe.
    pub unsafe_: String,
    /// Protected: may not be suppressed.
    pub protect: String,
}

impl Default for StatusLetters {
    fn default() -> Self {
        Self { safe: "S".to_owned(), unsafe_: "U".to_owned(), protect: "P".to_owned() }
    }
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Variable {
    /// Its name; look-up by name ignores case.
    pub name: String,
    /// The line of the file that declares it, from 1.
    pub line: usize,
    /// Its first column in a fixed-width file, from 1.
    pub start: Option<usize>,
    /// Its number of columns; tables have none.
    pub length: Option<usize>,
    /// Up to two codes for missing, as written; see [`Variable::pad`].
    pub missing: Vec<String>,
    /// `<RECODEABLE>`: a spanning variable.
    pub categorical: bool,
    /// `<NUMERIC>`: a response unless its role says otherwise. May be categorical, too.
    pub numeric: bool,
    /// What it is for, if it is no plain response or spanning variable.
    pub role: Option<Role>,
    /// `<TOTCODE>`; see [`Variable::total`].
    pub total_code: Option<String>,
    /// `<CODELIST>`: a `.cdl` file of labels.
    pub code_list: Option<FileName>,
    /// Where sub-totals come from, if it is hierarchical.
    pub hierarchy: Option<HierarchySource>,
    /// `<DISTANCE>`: costs by distance from an unsafe cell.
    pub distances: Option<[u32; 5]>,
    /// `<DECIMALS>`.
    pub decimals: u8,
    /// `<TRUNCABLE>`: last digits may be cut off.
    pub truncable: bool,
    /// Perturbation tables of the cell key method, on the record key.
    pub perturbation: PerturbationTables,
    /// How the cell key method treats a response.
    pub cell_key: Option<CellKey>,
    /// `<IDLEVEL>` of µ-ARGUS, 0 for none.
    pub identification: u32,
    /// `<SUPPRESSWEIGHT>` or `<SUPPRESSPRIORITY>` of µ-ARGUS.
    pub suppression: Option<u32>,
}

/// What a variable is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// The sampling weight.
    Weight,
    /// The holding a respondent belongs to.
    Holding,
    /// Who asked for protection: up to two codes say yes.
    Request(Vec<String>),
    /// The random key of a record.
    RecordKey,
    /// The variable that rules look at instead of the response.
    Shadow,
    /// What suppressing a cell costs.
    Cost,
    /// The lower protection level.
    LowerLevel,
    /// The upper protection level.
    UpperLevel,
    /// The number of contributors.
    Frequency,
    /// One of the largest contributions, in order.
    Top,
    /// The status of a cell.
    Status,
    /// The household of a person (µ-ARGUS).
    HouseholdId,
    /// The same for all members of a household (µ-ARGUS).
    Household,
}

/// A file named in another, with the line that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName {
    /// As written; see [`crate::argus::locate`].
    pub name: String,
    /// The line, from 1.
    pub line: usize,
}

/// Where the sub-totals of a hierarchical variable come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HierarchySource {
    /// `<HIERLEVELS>`: digits of the code that each level adds, none of them 0.
    Digits(Vec<usize>),
    /// `<HIERCODELIST>`: a `.hrc` file, and the string that leads its lines once a level.
    File {
        /// The file.
        file: FileName,
        /// `<HIERLEADSTRING>`.
        lead: String,
    },
}

/// Files of the cell key method.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PerturbationTables {
    /// `<PFILE>` or `<PFILE_FREQ>`: for counts.
    pub frequency: Option<FileName>,
    /// `<PFILE_CONT>`: for magnitudes.
    pub magnitude: Option<FileName>,
    /// `<PFILE_SEP>`: for small magnitudes.
    pub separate: Option<FileName>,
}

/// How the cell key method treats a response.
#[derive(Debug, Clone, PartialEq)]
pub struct CellKey {
    /// What the noise is a multiple of.
    pub kind: CellKeyKind,
    /// `<INCLUDEZEROS>`.
    pub include_zeros: bool,
    /// `<PARITY>`: even and odd numbers of contributors differ.
    pub parity: bool,
    /// `<SEPARATION>`: small values have their own table.
    pub separation: bool,
    /// `<SCALING>`.
    pub scaling: Option<Scaling>,
}

/// What the noise of the cell key method is a multiple of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKeyKind {
    /// `N`: the method may not be used.
    None,
    /// `M`: the mean contribution.
    Mean,
    /// `D`: the difference of the largest and the smallest.
    Difference,
    /// `V`: the value of the cell.
    Value,
    /// `T(k)`: the k largest contributions.
    Top(u32),
}

/// How far the cell key method moves a magnitude.
#[derive(Debug, Clone, PartialEq)]
pub enum Scaling {
    /// `N(s1[,eps…])`.
    Plain {
        /// σ₁.
        sigma1: f64,
        /// ε₂ and on, one a further contribution.
        epsilons: Vec<f64>,
    },
    /// `F(s0,s1,x*,q[,eps…])`.
    Flex {
        /// σ₀.
        sigma0: f64,
        /// σ₁.
        sigma1: f64,
        /// x*.
        x_star: f64,
        /// q.
        q: f64,
        /// ε₂ and on, one a further contribution.
        epsilons: Vec<f64>,
    },
}

/// Where a field stands in a fixed-width record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldPlace<'a> {
    /// The variable.
    pub name: &'a str,
    /// Its first column, from 0.
    pub start: usize,
    /// Its number of columns.
    pub length: usize,
}

impl Metadata {
    /// The variable of a name, in either case.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.position(name).map(|position| &self.variables[position])
    }

    /// The position of a variable: in free format and in tables, its column.
    pub fn position(&self, name: &str) -> Option<usize> {
        let name = name.to_lowercase();
        self.variables.iter().position(|variable| variable.name.to_lowercase() == name)
    }

    /// The first variable with a role; `Request` matches whatever its codes.
    pub fn with_role(&self, role: &Role) -> Option<&Variable> {
        let kind = std::mem::discriminant(role);
        self.variables
            .iter()
            .find(|variable| variable.role.as_ref().map(std::mem::discriminant) == Some(kind))
    }

    /// Where the fields of a record stand; none without places.
    pub fn fields(&self) -> Vec<FieldPlace<'_>> {
        let place = |variable: &'_ Variable| Some((variable.start?, variable.length?));
        self.variables
            .iter()
            .filter_map(|variable| {
                let (start, length) = place(variable)?;
                Some(FieldPlace { name: &variable.name, start: start - 1, length })
            })
            .collect()
    }
}

impl Variable {
    /// Whether it is a plain response.
    pub fn is_response(&self) -> bool {
        self.numeric && self.role.is_none()
    }

    /// The code of the total: `Total` unless it is given.
    pub fn total(&self) -> &str {
        self.total_code.as_deref().filter(|code| !code.is_empty()).unwrap_or("Total")
    }

    /// A code as τ-ARGUS keeps it: with blanks to the left up to the variable's length.
    pub fn pad(&self, code: &str) -> String {
        format!("{code:>width$}", width = self.length.unwrap_or(0))
    }
}
