//! Figures 1 to 4 of cox-2005: percent error by size, method by method, with `auto` beside
//! the paper's methods. Which sizes and methods each shows; [`adjust`](crate::adjust)
//! measures and draws.

use clap::ValueEnum;

/// A figure of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Figure {
    /// Two-way tables: hybrid, ordering and random
    #[value(name = "1")]
    TwoWay,
    /// 10×10×N tables: the same
    #[value(name = "2")]
    Slabs,
    /// N×N×N tables: hybrid with swaps, scatter search
    #[value(name = "3")]
    Cubes,
    /// Two-way tables: the learning method
    #[value(name = "4")]
    Learning,
}

impl Figure {
    /// The name of its file in docs.
    pub fn name(self) -> &'static str {
        match self {
            Self::TwoWay => "adjust-figure-1",
            Self::Slabs => "adjust-figure-2",
            Self::Cubes => "adjust-figure-3",
            Self::Learning => "adjust-figure-4",
        }
    }

    /// What it shows.
    pub fn title(self) -> &'static str {
        match self {
            Self::TwoWay => "N×N: hybrid, ordering and random choices",
            Self::Slabs => "10×10×N: hybrid, ordering and random choices",
            Self::Cubes => "N×N×N: hybrid with swaps and scatter search",
            Self::Learning => "N×N: the learning method",
        }
    }

    /// The sizes of its tables.
    pub fn sizes(self) -> Vec<String> {
        match self {
            Self::TwoWay | Self::Learning => {
                [4, 6, 8, 10, 12, 15, 20, 25].map(|n| format!("{n}x{n}")).to_vec()
            }
            Self::Slabs => [3, 5, 8, 10, 15, 20].map(|n| format!("10x10x{n}")).to_vec(),
            Self::Cubes => [5, 6, 8, 10, 12, 15, 20].map(|n| format!("{n}x{n}x{n}")).to_vec(),
        }
    }

    /// Its methods, `auto` last.
    pub fn methods(self) -> Vec<String> {
        let names: &[&str] = match self {
            Self::TwoWay | Self::Slabs => {
                &["ordering", "random", "random-1000", "hybrid-16", "auto"]
            }
            Self::Cubes => &["hybrid-swaps", "scatter", "auto"],
            Self::Learning => &["hybrid-swaps", "scatter", "learning", "auto"],
        };
        names.iter().map(|&name| name.to_owned()).collect()
    }
}

/// Where a size lies on the horizontal axis: its last dimension.
pub fn place(size: &str) -> f64 {
    size.rsplit('x').next().and_then(|last| last.parse().ok()).unwrap_or(f64::NAN)
}
