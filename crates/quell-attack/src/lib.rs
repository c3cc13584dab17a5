//! quell-attack
