//! Results for people and programs: text, CSV and JSON, as strings or values that serde writes.
//! Nothing here prints.
//!
//! - [`AuditReport`]: an audit;
//! - [`UnpickReport`]: what equations give away one at a time;
//! - [`ExposureReport`]: which primaries need protecting;
//! - [`counted`]: one cell, two cells.

mod audit_report;
mod counted;
mod exposure_report;
mod unpick_report;

pub use audit_report::AuditReport;
pub use counted::counted;
pub use exposure_report::ExposureReport;
pub use unpick_report::UnpickReport;
