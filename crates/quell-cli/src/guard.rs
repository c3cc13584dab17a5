//! A panic is our mistake, not the user's: a short message and exit code 3. The stack is
//! unwound first, so that no temporary file stays behind.

use std::panic::{AssertUnwindSafe, PanicHookInfo};

use crate::exit::Exit;

/// Runs work; a panic becomes a message and [`Exit::Internal`].
pub fn guarded(work: impl FnOnce() -> Exit) -> Exit {
    // Developers who ask for a backtrace get the usual one.
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|panic| eprintln!("{}", message(panic))));
    }
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(Exit::Internal)
}

fn message(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    let place = panic.location().map(|place| format!(" ({place})")).unwrap_or_default();
    format!(
        "quell: internal error: {text}{place}\n\
         This is a mistake in quell, not in your data. Please report it with the command you ran; \
         RUST_BACKTRACE=1 shows more."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_as_an_internal_error() {
        assert_eq!(guarded(|| panic!("on purpose")), Exit::Internal);
        assert_eq!(guarded(|| Exit::NotSafe), Exit::NotSafe);
    }
}
