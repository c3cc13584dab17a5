//! Behaviour of the attackers against the truth.

mod oracle;
mod paper;
mod random_systems;
