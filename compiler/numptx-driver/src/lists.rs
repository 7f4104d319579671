//! The passes in the order in which they run. It names nothing of the other stages, so that what links no LLVM can take it as it is.

use numptx_ir::array::Phase;
use numptx_passes::Pass;

/// Passes over modules fresh from lowering: the computations are simplified, fused, and placed.
pub const SOURCE_PASSES: &[Pass] = &[
    numptx_passes::NARROW_CALLS,
    numptx_passes::UNWRAP_LOOPS,
    numptx_passes::SIMPLIFY,
    numptx_passes::REMOVE_DEAD,
    numptx_passes::SPLIT_ALIASING,
    numptx_passes::BOUND_INDICES,
    numptx_passes::SHARE_COUNTS,
    numptx_passes::REDUCE_MASKED,
    numptx_passes::FUSE_MAPS,
    numptx_passes::FUSE_REDUCTIONS,
    numptx_passes::ELIMINATE_CHECKS,
    numptx_passes::REMOVE_DEAD,
    numptx_passes::PLACE_STORES,
];

/// Kernels are formed, and what is left around them becomes the host program.
pub const PLACED_PASSES: &[Pass] = &[
    numptx_passes::LAST_VALUES,
    numptx_passes::REMATERIALISE_VIEWS,
    numptx_passes::DISTRIBUTE_LOOPS,
    numptx_passes::FORM_NESTS,
    numptx_passes::TILE_TIME,
    numptx_passes::FORM_TRIANGULAR_SOLVES,
    numptx_passes::SHARE_SUMS,
    numptx_passes::HOIST_PRODUCTS,
    numptx_passes::JOIN_STORES,
    numptx_passes::JOIN_MOVES,
    numptx_passes::COMPACT_BY_TILES,
    numptx_passes::JOIN_WAITS,
    numptx_passes::FORM_KERNELS,
];

/// The host program is made to own what it uses.
pub const HOST_PASSES: &[Pass] = &[
    numptx_passes::SIMPLIFY_BODIES,
    numptx_passes::REUSE_BUFFERS,
    numptx_passes::HOIST_ALLOCATIONS,
    numptx_passes::ROTATE_BUFFERS,
    numptx_passes::INSERT_OWNERSHIP,
    numptx_passes::ELIDE_OWNERSHIP,
];

/// All pass lists in order, with the phase that each starts from.
pub const ARRAY_PASSES: &[(Phase, &[Pass])] =
    &[(Phase::Source, SOURCE_PASSES), (Phase::Placed, PLACED_PASSES), (Phase::Host, HOST_PASSES)];
