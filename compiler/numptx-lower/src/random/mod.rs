//! `np.random`: generators as values, seeds, draws.

pub mod draws;
pub mod generators;
pub mod once;
pub mod seeds;
