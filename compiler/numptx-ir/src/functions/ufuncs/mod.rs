//! Rows of elementwise functions, by chapter of NumPy's reference.

pub mod arithmetic;
pub mod bitwise;
pub mod comparison;
pub mod exponential;
pub mod floating;
pub mod trigonometric;
