//! A panic is our mistake, not the user's: a short message and exit code 3. The stack is
//! unwound first, so that no temporary file stays behind. One that only says that the system has
//! no room for another thread is neither's.

use std::any::Any;
use std::panic::{AssertUnwindSafe, PanicHookInfo};

use crate::exit::Exit;
use crate::output;

/// What is wrong where a thread cannot be made, and what to do.
pub const NO_ROOM: &str = "there is no room for another thread: allow more memory or more \
                           processes (ulimit -v, ulimit -u), or fewer threads (--threads)";

/// Runs work; a panic becomes a message and [`Exit::Internal`].
pub fn guarded(work: impl FnOnce() -> Exit) -> Exit {
    // Developers who ask for a backtrace get the usual one.
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|panic| output::aside(message(panic))));
    }
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        if is_about_threads(&text(payload.as_ref())) { Exit::WrongInput } else { Exit::Internal }
    })
}

fn text(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_default()
}

/// What the standard library, rayon and tokio say where a thread cannot be made.
fn is_about_threads(text: &str) -> bool {
    ["failed to spawn thread", "global thread pool has not been initialized", "spawn worker thread"]
        .into_iter()
        .any(|words| text.contains(words))
}

fn message(panic: &PanicHookInfo<'_>) -> String {
    let text = match panic.payload().downcast_ref::<String>() {
        Some(text) => text.clone(),
        None => panic.payload().downcast_ref::<&str>().copied().unwrap_or_default().to_owned(),
    };
    if is_about_threads(&text) {
        return format!("quell: {NO_ROOM}");
    }
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
        assert_eq!(guarded(|| panic!("failed to spawn thread: x")), Exit::WrongInput);
    }
}
