//! Loop distribution: a loop as several, each with a part of its body.

pub mod accumulators;
pub mod fission;
pub mod rematerialisation;
pub mod scalar_expansion;
pub mod sink_guards;
pub mod two_level_reductions;
pub mod worth;
