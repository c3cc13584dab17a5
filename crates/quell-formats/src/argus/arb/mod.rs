//! Batches, `.arb`: one command per line.
//!
//! Commands come typed and with their line. What is wrong with their order is found
//! here, too: a table must be specified before it can be read, and read before it can be
//! suppressed or written.

mod order;
mod read;
mod rule_form;
mod rules;
mod suppress;
mod write_table;

pub use read::parse;
pub use rule_form::{ArgumentLimit, RuleForm};
pub use rules::{SafetyRules, WrittenRule};

/// A command with its line.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The line, from 1.
    pub line: usize,
    /// The command.
    pub command: Command,
}

/// A command. File names are as written; see [`crate::argus::locate`]. Tables are
/// numbered from 1 in the order of `<SPECIFYTABLE>`, and start anew after `<CLEAR>`.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// `<OPENMICRODATA> "file"`
    OpenMicrodata(String),
    /// `<OPENTABLEDATA> "file"`
    OpenTableData(String),
    /// `<OPENMETADATA> "file"`: of the data opened last.
    OpenMetadata(String),
    /// `<SPECIFYTABLE> "E1""E2"…|"Resp"|"Shadow"|"Cost",lambda`
    SpecifyTable(TableSpec),
    /// `<SAFETYRULE> rule|rule…`: of the table specified last.
    SafetyRule(SafetyRules),
    /// `<READMICRODATA>`
    ReadMicrodata,
    /// `<READTABLE> [0|1|2][T|F]`
    ReadTable {
        /// What to do about totals.
        totals: Totals,
        /// `T`: keep the statuses of totals that are computed anew.
        keep_status: bool,
    },
    /// `<APRIORI> "file",table,"separator"[,ignore][,expand]`
    Apriori(AprioriFile),
    /// `<RECODE> table, variable, "file"` or a level
    Recode {
        /// Which table.
        table: usize,
        /// Which of its variables.
        variable: String,
        /// How.
        by: RecodeBy,
    },
    /// `<SUPPRESS> method(table,…)`
    Suppress {
        /// Which table; none (0 in the file) for all of them linked.
        table: Option<usize>,
        /// How.
        method: Method,
    },
    /// `<WRITETABLE> (table,type,options,"file")`
    WriteTable {
        /// Which table.
        table: usize,
        /// In which format.
        format: OutputFormat,
        /// With which options.
        options: WriteOptions,
        /// Where to.
        file: String,
    },
    /// `<SOLVER> name[,"licence"]`
    Solver {
        /// FREE, CPLEX or XPRESS.
        name: String,
        /// A licence file.
        licence: Option<String>,
    },
    /// `<LOGBOOK> "file"`
    Logbook(String),
    /// `<VERSIONINFO> "file"`
    VersionInfo(String),
    /// `<CLEAR>`: forget data and tables.
    Clear,
    /// `<GOINTERACTIVE>`: the batch ends here.
    GoInteractive,
    /// `<COVER>`: the table may be non-additive. For τ-ARGUS' own use.
    Cover,
    /// `<SILENT>`: no window of progress.
    Silent,
    /// `<ANCO>`: τ-ARGUS shows more.
    Anco,
}

/// A table to make.
#[derive(Debug, Clone, PartialEq)]
pub struct TableSpec {
    /// The spanning variables.
    pub explanatory: Vec<String>,
    /// The response; none (`<FREQ>` in the file) for a frequency table.
    pub response: Option<String>,
    /// The variable that rules look at instead of the response.
    pub shadow: Option<String>,
    /// What suppressing a cell costs.
    pub cost: Cost,
    /// The power of costs; 1 unless given.
    pub lambda: f64,
}

/// What suppressing a cell costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cost {
    /// Not said: its response.
    Response,
    /// A variable.
    Variable(String),
    /// `-1`: its number of contributors.
    Frequency,
    /// `-2`: 1.
    Unity,
    /// `-3`: less, the nearer it is to an unsafe cell.
    Distance,
}

/// What to do about the totals in a table file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Totals {
    /// 0: they must add up.
    Check,
    /// 1: compute them.
    Recompute,
    /// 2: they need not add up.
    NotRequired,
}

/// `<APRIORI>`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AprioriFile {
    /// A `.hst` file.
    pub file: String,
    /// Of which table.
    pub table: usize,
    /// What separates its fields.
    pub separator: String,
    /// Whether to skip lines that cannot be applied; yes unless given.
    pub ignore_errors: bool,
    /// Whether a line counts for all codes of a chain of single children.
    pub expand_trivial: bool,
}

/// How to recode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecodeBy {
    /// A `.grc` file.
    File(String),
    /// All below this level of the hierarchy is folded.
    Level(usize),
}

/// How to protect a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// `GH(t[,bound[,size[,singleton]]])`: the hypercube.
    Hypercube {
        /// What the attacker knows of each value, in percent of it.
        bound: Option<f64>,
        /// 0 normal, 1 large.
        size: Option<u32>,
        /// Whether singletons get more protection.
        singleton: Option<bool>,
    },
    /// `MOD(t[,minutes[,ss,sm,mf[,cost[,lower[,upper]]]]])`: modular, HiTaS.
    Modular {
        /// Per sub-table.
        minutes: Option<u32>,
        /// Singleton with singleton.
        singleton_singleton: Option<bool>,
        /// Singleton with multiple.
        singleton_multiple: Option<bool>,
        /// Minimum frequency.
        minimum_frequency: Option<bool>,
        /// The largest cost after scaling.
        scaling_cost: Option<f64>,
        /// Margin of intermediate totals downwards.
        lower_margin: Option<f64>,
        /// Margin of intermediate totals upwards.
        upper_margin: Option<f64>,
    },
    /// `OPT(t[,minutes])`: optimal.
    Optimal {
        /// At most.
        minutes: Option<u32>,
    },
    /// `NET(t[,…])`: network flows.
    Network,
    /// `RND(t,base[,steps[,minutes[,partitions[,stop[,unit cost]]]]])`: controlled
    /// rounding.
    Rounding {
        /// Values become multiples of this.
        base: u64,
        /// How many steps away a value may be rounded.
        steps: Option<u32>,
        /// At most.
        minutes: Option<u32>,
        /// Whether to cut the table into parts.
        partitions: Option<bool>,
        /// 1 first feasible, 2 optimal, 3 first rapid.
        stop: Option<u32>,
        /// Whether all cells cost the same.
        unit_cost: Option<bool>,
    },
    /// `CTA(t)`: controlled tabular adjustment.
    Adjustment,
    /// `CKM(t) ["file"]` or `CKM(t) ["cont"]|["sep"]|[muC]`: the cell key method.
    CellKey {
        /// The perturbation table, for counts or for magnitudes.
        table: Option<String>,
        /// That of small magnitudes.
        separate: Option<String>,
        /// Further noise on sensitive cells.
        mu_c: Option<f64>,
    },
}

/// The formats of `<WRITETABLE>`, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// 1: a matrix.
    Csv,
    /// 2: one line per cell with a header.
    Pivot,
    /// 3: one line per cell.
    CodeValue,
    /// 4: for structural business statistics.
    Sbs,
    /// 5: as τ-ARGUS reads it.
    Intermediate,
    /// 6: as solvers read it.
    Jj,
    /// 7: with perturbed values.
    CellKey,
}

/// The options of `<WRITETABLE>`. What does not apply to a format is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// `AS`: the status beside the value, and the value of suppressed cells.
    pub status: bool,
    /// `FL`: names of variables on the first line; always in a pivot file.
    pub first_line: bool,
    /// `QU`: codes in quotes; yes unless given.
    pub quotes: bool,
    /// `SE`: empty cells are left out.
    pub suppress_empty: bool,
    /// `HL`: levels of codes in an SBS file.
    pub levels: bool,
    /// `AR`: what an attacker can learn, in an intermediate file.
    pub audit: bool,
    /// `HI`: frequencies and tops of holdings in an intermediate file.
    pub holding: bool,
    /// `SO`: no shadow and no tops in an intermediate file.
    pub status_only: bool,
    /// `TR`: no trivial levels in a JJ file.
    pub remove_trivial: bool,
    /// `AO`: original values beside perturbed ones.
    pub original: bool,
    /// `AD`: what perturbation changed.
    pub difference: bool,
    /// `AC`: cell keys.
    pub cell_keys: bool,
}

impl WriteOptions {
    /// The options of a format unless others are given.
    pub fn of(format: OutputFormat) -> Self {
        Self {
            status: false,
            first_line: format == OutputFormat::Pivot,
            quotes: true,
            suppress_empty: false,
            levels: false,
            audit: false,
            holding: false,
            status_only: false,
            remove_trivial: false,
            original: false,
            difference: false,
            cell_keys: false,
        }
    }
}
