//! quell-formats
