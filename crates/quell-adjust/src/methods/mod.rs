//! The methods, one file each.

mod auto;
mod bcd;
mod exact;
mod hybrid;
mod learning;
mod ordering;
mod random;
mod scatter;

pub use auto::Auto;
pub(crate) use auto::{Effort, search, walked};
pub use bcd::BlockCoordinateDescent;
pub use exact::Exact;
pub use hybrid::Hybrid;
pub use learning::Learning;
pub use ordering::Ordering;
pub(crate) use ordering::alternate;
pub use random::RandomWays;
pub use scatter::Scatter;
