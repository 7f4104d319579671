//! Loop distribution: a loop as several, each with a part of its body.

pub mod accumulators;
pub mod branches;
pub mod columns;
pub mod partial_sums;
pub mod parts;
pub mod reading_again;
pub mod worth;
