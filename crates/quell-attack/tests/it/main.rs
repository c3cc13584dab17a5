#![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

//! Attackers and the audit on the tables that the papers print.

mod paper;
