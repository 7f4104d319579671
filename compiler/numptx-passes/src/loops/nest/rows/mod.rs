//! Computations over rows in a loop: the loops over elements that they become.

pub mod broadcasts;
pub mod expand;
pub mod originals;
