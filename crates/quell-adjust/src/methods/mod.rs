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
pub use bcd::BlockCoordinateDescent;
pub use exact::Exact;
pub use hybrid::Hybrid;
pub use learning::Learning;
pub use ordering::Ordering;
pub use random::RandomDirections;
pub use scatter::Scatter;
