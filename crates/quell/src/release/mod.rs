//! Releases: protected tables as files.

mod protected;

pub use protected::{Protected, ProtectedTable};
