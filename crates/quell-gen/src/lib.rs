//! quell-gen
