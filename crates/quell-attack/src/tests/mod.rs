//! Behaviour of the attackers against the truth.

mod odd_systems;
mod oracle;
mod random_systems;
