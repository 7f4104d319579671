//! Passes over a function as lowered: computations are simplified, fused and placed.

pub mod bound_indices;
pub mod computations;
pub mod direct_stores;
pub mod eliminate_checks;
pub mod epilogues;
pub mod fuse_maps;
pub mod fuse_reductions;
pub mod hazards;
pub mod inline;
pub mod narrow_calls;
pub mod place_stores;
pub mod reduce_masked;
pub mod remove_dead;
pub mod share_counts;
pub mod siblings;
pub mod simplify;
pub mod split_aliasing;
pub mod unwrap_loops;
