//! What a tree tells before anything is lowered, and functions rewritten as trees.

pub mod flow;
pub mod generators;
pub mod index_loops;
pub mod liveness;
pub mod maker;
pub mod reach;
pub mod string_choices;
pub mod tail_calls;
