//! Index types. A cell index and an equation index are both small integers, and
//! mixing them up is the classic silent bug of table code: they get types of their own.

use std::fmt;

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident, $word:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of position `index`.
            ///
            /// # Panics
            /// Beyond 2³² entries, far above any table that fits in memory.
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 entries"))
            }

            /// The position in arrays.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($word, " {}"), self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self, f)
            }
        }
    };
}

index_type!(
    /// A cell of the system.
    CellId,
    "cell"
);
index_type!(
    /// An additive equation of the system.
    EquationId,
    "equation"
);
