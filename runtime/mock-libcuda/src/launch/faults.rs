//! What is wrong with a launch: operands outside of live allocations, a grid that is not what the kernel needs.

use numptx_abi::Kernel;

use super::parameters::LaunchFrame;
use super::places::places_fault;
use super::{Grid, Work};
use crate::state::State;

impl LaunchFrame<'_> {
    /// Whether every element that the launch touches lies in live memory that its device reaches.
    fn is_inside(&self, state: &State) -> bool {
        let rank = self.extents.len();
        // What a nest meets of its tables nobody can tell from here; of an empty one nothing.
        if self.extents.contains(&0) || self.kernel.flags & Kernel::NEST != 0 {
            return true;
        }
        self.infos.iter().enumerate().all(|(operand, info)| {
            let (mut low, mut high) = (0i64, i64::from(info.itemsize));
            for (extent, stride) in self.extents.iter().zip(&self.strides[operand * rank..(operand + 1) * rank]) {
                let reach = stride * (extent - 1);
                (low, high) = (low + reach.min(0), high + reach.max(0));
            }
            let first = (self.pointers[operand].addr() as u64).wrapping_add_signed(low);
            // A nest chooses its elements itself, perhaps none, and so do tiles: an empty array has no first one.
            let is_chosen = self.kernel.flags & (Kernel::NEST | Kernel::TILES) != 0;
            is_chosen || state.reaches(self.context, first, (high - low) as usize)
        })
    }

    /// Whether the variant's indices reach all elements.
    fn has_indices(&self, work: &Work) -> bool {
        let is_narrow = match work {
            Work::Flat { n } => return *n <= self.kernel.flat_limit(),
            Work::Rows { team } => team.is_some(),
            Work::Strided { is_wide } | Work::Tiles { is_wide } | Work::Fold { is_wide, .. } => !is_wide,
            Work::Scan { is_wide, .. } | Work::Running { is_wide, .. } => !is_wide,
            _ => false,
        };
        let limit = self.kernel.index_limit();
        let points = self.extents.iter().fold(1i64, |n, extent| n.saturating_mul(*extent));
        let rank = self.extents.len();
        let reach = |operand: usize| {
            let strides = &self.strides[operand * rank..(operand + 1) * rank];
            self.extents.iter().zip(strides).map(|(extent, stride)| stride.abs() * (extent - 1).max(0)).sum::<i64>()
        };
        let are_near = || self.infos.iter().enumerate().all(|(n, info)| reach(n) / i64::from(info.itemsize) < limit);
        !is_narrow || (points < limit && are_near())
    }

    /// Whether there are threads for all work items of a row: a warp for each where lanes take turns in few.
    fn is_covered(&self, grid: Grid) -> bool {
        let last = self.extents.last().copied().unwrap_or(1);
        let takes_turns = self.kernel.flags & Kernel::TURNS != 0 && last <= Kernel::TURNS_POINTS;
        let lanes = if takes_turns { 32 } else { 1 };
        grid.x * grid.z * grid.threads.0 >= lanes * last && grid.threads.0 % lanes == 0
    }
}

/// Whether a kernel runs in blocks of this shape.
fn is_shaped(kernel: &Kernel, work: &Work, grid: Grid) -> bool {
    let threads = grid.x * grid.threads.0;
    match work {
        Work::Flat { .. } => grid.threads == (i64::from(kernel.block), 1),
        Work::Tiles { .. } => grid.threads == (i64::from(kernel.block), 1) && grid.y == 1,
        Work::Strided { .. } => {
            grid.threads.0 * grid.threads.1 <= i64::from(kernel.block) && (kernel.rank > 1 || grid.threads.1 == 1)
        }
        Work::Ragged { shift } => {
            let is_size = (0..=5).contains(shift) || *shift == Kernel::BLOCK_SHIFT;
            grid.threads == (i64::from(kernel.block), 1) && grid.y == 1 && is_size
        }
        Work::Sequential { .. } => grid.threads.1 == 1 && grid.y == 1 && threads & (threads - 1) == 0,
        Work::Block | Work::Cluster | Work::Grid { .. } => {
            let (x, y) = grid.threads;
            let is_alone = grid.y == 1 && (grid.x == 1 || !matches!(work, Work::Block));
            y == 1 && x % 32 == 0 && x <= i64::from(kernel.block) && is_alone
        }
        Work::Combine | Work::Claim { .. } | Work::Settle { .. } | Work::Places { .. } => {
            grid.threads == (i64::from(kernel.block), 1) && grid.y == 1
        }
        Work::Scan { across: 0 | 1, .. } => grid.threads == (i64::from(kernel.block), 1),
        Work::Scan { .. } => false,
        Work::Rows { .. } => grid.threads == (i64::from(kernel.block), 1) && grid.y == 1,
        Work::Running { flat: 0 | 1, .. } => grid.threads == (i64::from(kernel.block), 1) && grid.y == 1,
        Work::Running { .. } => false,
        Work::Fold { across: 1, .. } => grid.has_columns(kernel),
        Work::Fold { across: 0, .. } | Work::Finish { .. } => grid.has_rows(kernel),
        Work::Fold { .. } => false,
    }
}

/// Whether there are threads for all work items.
fn covers(rebuilt: &LaunchFrame<'_>, work: &Work, grid: Grid) -> bool {
    let (kernel, threads) = (rebuilt.kernel, grid.x * grid.threads.0);
    match work {
        Work::Flat { n } => threads * i64::from(kernel.vector) >= *n,
        Work::Strided { .. } => rebuilt.is_covered(grid),
        Work::Tiles { .. } => true,
        Work::Ragged { shift } => {
            let groups = (grid.threads.0 >> shift).max(1);
            grid.x * grid.z * groups >= rebuilt.extents.iter().product()
        }
        Work::Finish { .. } | Work::Block | Work::Cluster | Work::Grid { .. } => true,
        Work::Sequential { .. } | Work::Combine | Work::Claim { .. } | Work::Settle { .. } | Work::Places { .. } => {
            true
        }
        Work::Rows { team: None } => rebuilt.reduced() > 0,
        Work::Rows { team: Some(team) } => {
            let is_few = *team > 0 && *team <= 32;
            let (team, held) = (if *team == 0 { 32 } else { *team }, i64::from(kernel.vector));
            let holds = team * if is_few { held.min(4) } else { held } >= rebuilt.reduced();
            let is_whole = team & (team - 1) == 0;
            holds && is_whole && threads >= team * rebuilt.kept() && rebuilt.reduced() > 0
        }
        Work::Fold { chunk, n_chunks, .. } | Work::Scan { chunk, n_chunks, .. } => {
            grid.y == *n_chunks && chunk * n_chunks >= rebuilt.reduced()
        }
        Work::Running { tiles, .. } => {
            let tile = i64::from(kernel.block) * i64::from(kernel.vector);
            *tiles == (rebuilt.reduced() + tile - 1) / tile && grid.x <= rebuilt.kept() * tiles
        }
    }
}

/// What is wrong with memory that a launch asks for beside its operands, if anything.
fn memory_fault(state: &State, rebuilt: &LaunchFrame<'_>, work: &Work, grid: Grid) -> Option<&'static str> {
    let size = i64::from(rebuilt.kernel.accumulator_bytes);
    let needed = match work {
        Work::Fold { partials, n_chunks, .. } if *n_chunks > 1 => Some((partials, n_chunks)),
        Work::Scan { totals, n_chunks, mode, .. } if *n_chunks > 1 || *mode == Kernel::TOTALS => {
            Some((totals, n_chunks))
        }
        Work::Finish { partials, n_chunks } => Some((partials, n_chunks)),
        _ => None,
    };
    if let Work::Grid { scratch } = work {
        let bytes = Kernel::GRID_COUNTER_BYTES + Kernel::GRID_BLOCK_BYTES * grid.x;
        if !state.reaches(rebuilt.context, scratch.addr() as u64, bytes as usize) {
            return Some("a grid's scratch memory is not live device memory");
        }
        // SAFETY: live device memory, which is host memory here.
        let counter = unsafe { std::slice::from_raw_parts(scratch.cast_const(), Kernel::GRID_COUNTER_BYTES as usize) };
        if counter.iter().any(|byte| *byte != 0) {
            return Some("a grid's counter is not 0 before the launch");
        }
    }
    if let Some((partials, n_chunks)) = needed
        && !state.reaches(rebuilt.context, partials.addr() as u64, (rebuilt.kept() * n_chunks * size) as usize)
    {
        return Some("the accumulators are not in live device memory");
    }
    if let Work::Claim { claims, capacity } | Work::Settle { claims, capacity } = work
        && let Some(text) = claims_fault(state, rebuilt, (*claims, *capacity), matches!(work, Work::Claim { .. }))
    {
        return Some(text);
    }
    if let Work::Running { memory, tiles, flat, .. } = work
        && let Some(text) = tiles_fault(state, rebuilt, (memory.addr() as u64, *tiles), *flat != 0)
    {
        return Some(text);
    }
    if let Work::Places { part, range: (begin, end), .. } = work
        && part.has_range()
        && !(0 <= *begin && begin < end && end - begin <= Kernel::SUMMANDS)
    {
        return Some("there are more work items than have exact sums, or none");
    }
    if let Work::Places { part, memory, places, first, .. } = work
        && let Some(text) = places_fault(state, rebuilt, (*memory, *places, *first), *part)
    {
        return Some(text);
    }
    None
}

/// What is wrong with a launch, if anything.
pub(super) fn fault(state: &State, rebuilt: &LaunchFrame<'_>, work: &Work, grid: Grid) -> Option<&'static str> {
    let kernel = rebuilt.kernel;
    if rebuilt.extents.iter().any(|e| *e < 0) {
        return Some("negative extents: the parameters are not in the documented order");
    }
    // A 64-bit map goes on along z, nothing else.
    if grid.z > 1 && !matches!(work, Work::Strided { is_wide: true } | Work::Ragged { .. }) {
        return Some("the kernel does not go on along z");
    }
    if !rebuilt.has_indices(work) {
        return Some("a 32-bit variant has more points, or elements farther apart, than its indices reach");
    }
    if !is_shaped(kernel, work, grid) {
        return Some("the kernel does not run in blocks of this shape");
    }
    if !covers(rebuilt, work, grid) {
        return Some("the grid does not cover the iteration space");
    }
    if let Some(text) = memory_fault(state, rebuilt, work, grid) {
        return Some(text);
    }
    if matches!(work, Work::Flat { .. }) {
        let aligned = rebuilt.infos.iter().zip(&rebuilt.pointers).all(|(i, p)| i.scalar != 0 || p.addr() % 16 == 0);
        if !aligned {
            return Some("a flat launch needs pointers aligned to 16 bytes");
        }
    }
    if rebuilt.is_inside(state) { None } else { Some("a kernel reaches outside of live device memory") }
}

/// What is wrong with the memory of tiles, or with what the launch says of its rows.
fn tiles_fault(
    state: &State,
    rebuilt: &LaunchFrame<'_>,
    (memory, tiles): (u64, i64),
    is_flat: bool,
) -> Option<&'static str> {
    let kernel = rebuilt.kernel;
    let places = rebuilt.kept() * (tiles + (tiles + Kernel::ANCHOR_TILES - 1) / Kernel::ANCHOR_TILES);
    let bytes = (Kernel::TICKET_BYTES + 2 * i64::from(kernel.accumulator_bytes) * places) as usize;
    if rebuilt.kept() * tiles >= i64::from(i32::MAX) || !state.reaches(rebuilt.context, memory, bytes) {
        return Some("there are too many tiles, or what they publish does not lie in live device memory");
    }
    let first = std::ptr::with_exposed_provenance::<u64>(memory as usize);
    // SAFETY: live device memory, which is host memory here, holds as many bytes, a multiple of 16; allocations are aligned.
    if !(0..bytes / 8).all(|n| unsafe { first.add(n).read() } == 0) {
        return Some("the memory of tiles is not filled with zeros");
    }
    let rank = rebuilt.extents.len();
    let is_aligned = |operand: usize| {
        let strides = &rebuilt.strides[operand * rank..(operand + 1) * rank];
        let (last, rows) = strides.split_last().map_or((0, strides), |(last, rows)| (*last, rows));
        last == i64::from(rebuilt.infos[operand].itemsize)
            && rebuilt.pointers[operand].addr().is_multiple_of(16)
            && rows.iter().all(|stride| stride % 16 == 0)
    };
    let mut arrays = (0..rebuilt.infos.len()).filter(|operand| rebuilt.infos[*operand].scalar == 0);
    (is_flat && !arrays.all(is_aligned)).then_some("rows that are said to be flat are not")
}

/// What is wrong with the memory of claims, if anything.
fn claims_fault(
    state: &State,
    rebuilt: &LaunchFrame<'_>,
    (claims, capacity): (u64, i64),
    is_fresh: bool,
) -> Option<&'static str> {
    let kernel = rebuilt.kernel;
    let extents = rebuilt.extents.iter().enumerate();
    let n: i64 = extents.filter(|(axis, _)| kernel.claim_axes >> axis & 1 != 0).map(|(_, extent)| extent).product();
    let chains = if kernel.flags & Kernel::CHAINS != 0 { n } else { 0 };
    if n >= i64::from(i32::MAX) || capacity < 2 * n {
        return Some("there are too many claims, or too little room for them");
    }
    let words = (1 + capacity + chains) as usize;
    if !state.reaches(rebuilt.context, claims, 4 * words) {
        return Some("the claims are not in live device memory");
    }
    let first = std::ptr::with_exposed_provenance::<u32>(claims as usize);
    // SAFETY: live device memory, which is host memory here, holds as many words; allocations are aligned.
    let is_filled = (0..words).all(|n| unsafe { first.add(n).read() } == u32::MAX);
    (is_fresh && !is_filled).then_some("the claims are not filled with ones")
}
