//! Passes over the array IR and over kernels: IR in, IR out, one pass a file, and the runner that verifies and times each.
//!
//! A pass states in its header what it **Does**, what it **Requires**, what it **Ensures**, what it **Keeps**, and an **Example**.
//! Every optional pass may be skipped: the output is then slower, never different. Required passes change the phase of a function
//! (see [`numptx_ir::array::Phase`]). Pass lists are the driver's; this crate has no order of its own.
//!
//! Folders: `source` has the passes over a function as lowered; `loops` makes kernels of loops; `kernels` works on kernels and on what
//! becomes one; `host` on the program around them. They stand on `analysis`, which tells what holds of a function, and on `rewrite`, which
//! rebuilds one op by op. [`dependence`] knows no IR: it tells which loops of a nest may run in parallel.
//! `host/rules.rs` has the rules of ownership, by which tests break them.

mod analysis;
mod host;
mod kernels;
mod loops;
mod rewrite;
mod run;
#[cfg(test)]
mod small_programs;
mod source;

pub use analysis::short_loops::has_long_loop;
pub use analysis::traverse::{for_each_op, terminator_operands};
pub use analysis::upper_bounds::UpperBounds;
pub use host::elide_ownership::ELIDE_OWNERSHIP;
pub use host::hoist_allocations::HOIST_ALLOCATIONS;
pub use host::insert_ownership::INSERT_OWNERSHIP;
pub use host::join_moves::JOIN_MOVES;
pub use host::join_stores::JOIN_STORES;
pub use host::join_waits::JOIN_WAITS;
pub use host::reuse_buffers::REUSE_BUFFERS;
pub use host::rotate_buffers::ROTATE_BUFFERS;
pub use kernels::compact_by_tiles::COMPACT_BY_TILES;
pub use kernels::form_kernels::FORM_KERNELS;
pub use kernels::hoist_products::HOIST_PRODUCTS;
pub use kernels::share_sums::SHARE_SUMS;
pub use kernels::simplify_bodies::SIMPLIFY_BODIES;
pub use loops::canonical::distribute_loops::DISTRIBUTE_LOOPS;
pub use loops::canonical::last_values::LAST_VALUES;
pub use loops::canonical::rematerialise_views::REMATERIALISE_VIEWS;
pub use loops::dependence;
pub use loops::form_nests::{FORM_NESTS, MAKES_CHECKS, forming_nests, forming_nests_by, forming_nests_within};
pub use loops::form_triangular_solves::FORM_TRIANGULAR_SOLVES;
pub use loops::function::Rounding;
pub use loops::schedule::cost::SHORT_LOOP_ITERATIONS;
pub use loops::schedule::strategies::names as strategies;
pub use loops::storage::chunks::chunk_of;
pub use loops::tile_time::TILE_TIME;
pub use run::{Limit, Observer, Pass, Unobserved, run};
pub use source::bound_indices::BOUND_INDICES;
pub use source::eliminate_checks::ELIMINATE_CHECKS;
pub use source::fuse_maps::FUSE_MAPS;
pub use source::fuse_reductions::FUSE_REDUCTIONS;
pub use source::narrow_calls::NARROW_CALLS;
pub use source::place_stores::{PLACE_STORES, Placing, placing};
pub use source::reduce_masked::REDUCE_MASKED;
pub use source::remove_dead::REMOVE_DEAD;
pub use source::share_counts::SHARE_COUNTS;
pub use source::simplify::SIMPLIFY;
pub use source::split_aliasing::{ASSUME_ALIASING, SPLIT_ALIASING};
pub use source::unwrap_loops::UNWRAP_LOOPS;

/// What strategies do to loops, as passes that tests run alone: no compilation does.
pub const OF_STRATEGIES: &[Pass] = &[
    loops::canonical::double_buffers::DOUBLE_BUFFERS,
    loops::canonical::carried_arrays::CARRIED_ARRAYS,
    loops::nest::rows::expand::ROWS_TO_LOOPS,
    loops::canonical::distribute::sink_guards::SINK_GUARDS,
    loops::canonical::distribute::scalar_expansion::EXPAND_SCALARS,
    loops::canonical::index_set_splitting::SPLIT_INDEX_SETS,
];
