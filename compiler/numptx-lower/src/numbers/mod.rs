//! Python's numbers: constants, ints of 64 bits and beyond, floats, complex numbers, and conversions.

pub mod casts;
pub mod folding;
pub mod ints;
pub mod large_ints;
pub mod narrower;
pub mod rounding;
pub mod scalars;
