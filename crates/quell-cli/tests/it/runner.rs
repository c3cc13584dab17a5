//! Runs the command in a folder of its own.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A folder to run the command in.
pub struct Folder {
    folder: tempfile::TempDir,
}

/// What came out.
#[derive(Debug)]
pub struct Outcome {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Outcome {
    /// What was complained about, without line breaks and borders.
    pub fn words(&self) -> String {
        self.err.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
    }
}

impl Folder {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file in a temporary folder");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a temporary folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Runs the command with words separated by blanks.
    pub fn quell(&self, arguments: &str) -> Outcome {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quell"));
        command.args(arguments.split_whitespace());
        self.run(command)
    }

    /// Runs a shell script that finds the command as `$QUELL`.
    pub fn shell(&self, script: &str) -> Outcome {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).env("QUELL", env!("CARGO_BIN_EXE_quell"));
        self.run(shell)
    }

    fn run(&self, mut command: Command) -> Outcome {
        let output = command
            .current_dir(self.folder.path())
            .env_remove("RUST_BACKTRACE")
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .output()
            .expect("the command can be started");
        Outcome {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Runs the command and expects it to do its work without a word of complaint.
    pub fn done(&self, arguments: &str) -> String {
        let outcome = self.quell(arguments);
        assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "quell {arguments}");
        outcome.out
    }
}
