//! Which command may follow which.

use super::Command;

/// How far a batch is.
#[derive(Default)]
pub(super) struct Order {
    stage: Stage,
    /// Whether the data opened last are a table.
    tabular: bool,
    /// Tables specified since the start or `<CLEAR>`.
    tables: usize,
    /// Of these, how many are read.
    read: usize,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing is open.
    #[default]
    Start,
    /// Data are named.
    Data,
    /// Their metadata, too.
    Metadata,
    /// A table is specified and has no rules yet.
    Table,
    /// All tables have rules.
    Rules,
}

/// A command out of order.
pub(super) struct OutOfOrder {
    pub expected: String,
    pub advice: &'static str,
}

impl Order {
    /// Takes the next command.
    pub fn check(&mut self, command: &Command) -> Result<(), OutOfOrder> {
        use Stage::{Data, Metadata, Rules, Start, Table};
        match command {
            Command::OpenMicrodata(_) => {
                self.at(&[Start], "no data open", "put <CLEAR> before other data")?;
                (self.stage, self.tabular) = (Data, false);
            }
            Command::OpenTableData(_) => {
                let advice = "give the table before it its <SAFETYRULE>, or put <CLEAR> here";
                self.at(&[Start, Rules], "no data half open", advice)?;
                (self.stage, self.tabular) = (Data, true);
            }
            Command::OpenMetadata(_) => {
                let advice = "<OPENMICRODATA> or <OPENTABLEDATA> comes first";
                self.at(&[Data], "data to be opened before it", advice)?;
                self.stage = Metadata;
            }
            Command::SpecifyTable(_) => {
                let advice = "<OPENMETADATA> comes first, and a <SAFETYRULE> between two tables";
                let stages: &[Stage] =
                    if self.tabular { &[Metadata, Table, Rules] } else { &[Metadata, Rules] };
                self.at(stages, "metadata and complete tables before it", advice)?;
                self.stage = Table;
                self.tables += 1;
            }
            Command::SafetyRule(_) => {
                self.at(&[Table], "a table before it", "<SPECIFYTABLE> comes first")?;
                self.stage = Rules;
            }
            Command::ReadMicrodata => {
                let advice = "<SPECIFYTABLE> and <SAFETYRULE> come first";
                self.at(&[Rules], "a table with rules before it", advice)?;
                if self.tabular {
                    let expected = "<READTABLE>, as the data are tables".to_owned();
                    return Err(OutOfOrder { expected, advice: "use <READTABLE>" });
                }
                self.read = self.tables;
            }
            Command::ReadTable { .. } => {
                // Without rules the statuses in the file count.
                self.at(&[Table, Rules], "a table before it", "<SPECIFYTABLE> comes first")?;
                if !self.tabular {
                    let expected = "<READMICRODATA>, as the data are microdata".to_owned();
                    return Err(OutOfOrder { expected, advice: "use <READMICRODATA>" });
                }
                self.stage = Rules;
                self.read = self.tables;
            }
            Command::Apriori(file) => self.needs_table(file.table)?,
            Command::Recode { table, .. } => {
                if self.tabular {
                    let expected = "microdata: tables cannot be recoded".to_owned();
                    return Err(OutOfOrder { expected, advice: "recode before tabulating" });
                }
                self.needs_table(*table)?;
            }
            Command::Suppress { table, .. } => self.needs_table(table.unwrap_or(1))?,
            Command::WriteTable { table, .. } => self.needs_table(*table)?,
            Command::Cover => self.needs_table_specified()?,
            Command::Clear => *self = Self::default(),
            Command::Solver { .. }
            | Command::Logbook(_)
            | Command::VersionInfo(_)
            | Command::GoInteractive
            | Command::Silent
            | Command::Anco => {}
        }
        Ok(())
    }

    fn at(&self, stages: &[Stage], expected: &str, advice: &'static str) -> Result<(), OutOfOrder> {
        if stages.contains(&self.stage) {
            return Ok(());
        }
        Err(OutOfOrder { expected: expected.to_owned(), advice })
    }

    fn needs_table(&self, table: usize) -> Result<(), OutOfOrder> {
        if table <= self.read {
            return Ok(());
        }
        if table <= self.tables {
            let advice = "<READMICRODATA> or <READTABLE> comes first";
            return Err(OutOfOrder { expected: format!("table {table} read before it"), advice });
        }
        let expected = match self.tables {
            0 => "a table specified before it".to_owned(),
            1 => "table 1, the only one specified before it".to_owned(),
            tables => format!("one of the {tables} tables specified before it"),
        };
        Err(OutOfOrder { expected, advice: "each <SPECIFYTABLE> makes one more table" })
    }

    fn needs_table_specified(&self) -> Result<(), OutOfOrder> {
        if self.tables > 0 {
            return Ok(());
        }
        let expected = "a table specified before it".to_owned();
        Err(OutOfOrder { expected, advice: "<SPECIFYTABLE> comes first" })
    }
}
