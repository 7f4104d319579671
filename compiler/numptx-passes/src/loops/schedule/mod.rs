//! Which loops run where: axes of a launch, phases of a cooperative kernel, wavefronts, loops of one thread.

pub mod aligned;
pub mod attempt;
pub mod choose;
pub mod cooperative;
pub mod cost;
pub mod distances;
pub mod launches;
pub mod least;
pub mod long_loops;
pub mod nests;
pub mod noted_launches;
pub mod plan;
pub mod remarks;
pub mod strategies;
pub mod tree;
pub mod wavefronts;
