//! Figures 1 to 3 and Table 1 of serpell-2013.
