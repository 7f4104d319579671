//! Passes over the array IR and over kernels: IR in, IR out, one pass a file, and the runner that verifies and times each.
//!
//! A pass states in its header what it **Does**, what it **Requires**, what it **Ensures**, what it **Keeps**, and an **Example**.
//! Every optional pass may be skipped: the output is then slower, never different. Required passes change the phase of a function
//! (see [`numptx_ir::array::Phase`]). Pass lists are the driver's; this crate has no order of its own.
//!
//! The passes are what is exported below, each in the file of its name (`inline`, `epilogues`, `siblings`, `computations` and `work` are parts of the
//! fusing ones). They stand on two grounds: analyses of a function as it is (`ages`, `apart`, `compactions`, `footprint`, `memory`, `points_to`, `readers`, `roots`,
//! `traverse`, `upper_bounds`), and its rebuilding op by op (`function` drives, `emit` numbers values, `scalars`, `extents`, `slices`, `views` and `order` bring
//! them into one form). The ownership passes at the end stand on `roots`, `variants` (kernels whose operands share memory) and `rules`, by which
//! tests break them. [`dependence`] knows no IR: it tells which loops of a nest may run in parallel; `loops` asks it about those of a function, for
//! `form_nests`.

mod ages;
mod apart;
mod bound_indices;
mod choices;
mod compactions;
mod computations;
pub mod dependence;
mod direct_stores;
mod drop_checks;
mod elide_ownership;
mod emit;
mod epilogues;
mod extents;
mod footprint;
mod form_kernels;
mod form_nests;
mod form_substitutions;
mod function;
mod fuse_maps;
mod fuse_reductions;
mod hazards;
mod hoist_allocations;
mod hoist_products;
mod inline;
mod insert_ownership;
mod join_moves;
mod join_stores;
mod join_waits;
mod loops;
mod memory;
mod narrow_calls;
mod order;
mod place_stores;
mod points_to;
mod products;
mod readers;
mod reduce_chosen;
mod remove_dead;
mod reuse_buffers;
mod roots;
mod rotate_buffers;
mod rules;
mod run;
mod scalars;
mod share_counts;
mod share_sums;
mod short_loops;
mod siblings;
mod simplify;
mod simplify_bodies;
mod slices;
mod slow_loops;
#[cfg(test)]
mod small_programs;
mod split_aliasing;
mod tile_time;
mod traverse;
mod types;
mod upper_bounds;
mod variants;
mod views;
mod work;

pub use bound_indices::BOUND_INDICES;
pub use drop_checks::DROP_CHECKS;
pub use elide_ownership::ELIDE_OWNERSHIP;
pub use form_kernels::FORM_KERNELS;
pub use form_nests::{FORM_NESTS, MAKES_CHECKS, Rounding, forming_nests, forming_nests_within};
pub use form_substitutions::FORM_SUBSTITUTIONS;
pub use fuse_maps::FUSE_MAPS;
pub use fuse_reductions::FUSE_REDUCTIONS;
pub use hoist_allocations::HOIST_ALLOCATIONS;
pub use hoist_products::HOIST_PRODUCTS;
pub use insert_ownership::INSERT_OWNERSHIP;
pub use join_moves::JOIN_MOVES;
pub use join_stores::JOIN_STORES;
pub use join_waits::JOIN_WAITS;
pub use loops::chunk_of;
pub use narrow_calls::NARROW_CALLS;
pub use place_stores::{PLACE_STORES, Placing, placing};
pub use reduce_chosen::REDUCE_CHOSEN;
pub use remove_dead::REMOVE_DEAD;
pub use reuse_buffers::REUSE_BUFFERS;
pub use rotate_buffers::ROTATE_BUFFERS;
pub use run::{Limit, Observer, Pass, Unobserved, run};
pub use share_counts::SHARE_COUNTS;
pub use share_sums::SHARE_SUMS;
pub use short_loops::has_long_loop;
pub use simplify::SIMPLIFY;
pub use simplify_bodies::SIMPLIFY_BODIES;
pub use slow_loops::{Slowness, judged, slow_loops};
pub use split_aliasing::{ASSUME_ALIASING, SPLIT_ALIASING};
pub use tile_time::TILE_TIME;
pub use traverse::for_each_op;
