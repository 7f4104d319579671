//! Which loops run where: axes of a launch, phases of a cooperative kernel, wavefronts, loops of one thread.

pub mod aligned;
pub mod alone;
pub mod attempt;
pub mod axes;
pub mod choose;
pub mod cooperative;
pub mod cost;
pub mod distances;
pub mod front_steps;
pub mod fronts;
pub mod inner_axes;
pub mod launches;
pub mod least;
pub mod long_loops;
pub mod once;
pub mod one_launch;
pub mod place;
pub mod remarks;
pub mod strategies;
pub mod tree;
pub mod wavefronts;
pub mod widths;
