//! The `quell` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    quell::run(std::env::args_os()).into()
}
