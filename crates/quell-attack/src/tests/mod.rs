//! Behaviour of the attackers against the truth.

mod oracle;
mod random_systems;
