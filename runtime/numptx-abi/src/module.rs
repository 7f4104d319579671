//! What a generated library describes of itself. All strings are UTF-8 and null-terminated.

use core::ffi::{c_char, c_void};
use core::sync::atomic::AtomicPtr;

use crate::{Call, Frame, HostCode, RuntimeTable, Status, Value};

/// A compiled function: one overload, one aliasing version.
///
/// `arguments` and `results` are the leaves of the overload's parameters and results, in order.
/// On failure nothing is owned by the results and the call's error is set.
pub type Entry = unsafe extern "C" fn(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status;

/// A map kernel on the host. Flat: elements `begin..end` of contiguous operands. Strided: `begin..end` counts the linear
/// index over all axes but the last, and each step runs the whole last axis. Rank 0 has one step.
pub type HostMap = unsafe extern "C" fn(frame: *const Frame, begin: i64, end: i64);

/// A reduction kernel on the host: for each output `begin..end` (linear index over the kept axes) reduces the elements
/// `first..last` (linear index over the reduced axes). With `partials` null the results are finished and stored;
/// otherwise accumulator `output - begin` is written at `partials + (output - begin) * partial_stride`.
pub type HostReduce = unsafe extern "C" fn(
    frame: *const Frame,
    begin: i64,
    end: i64,
    first: i64,
    last: i64,
    partials: *mut u8,
    partial_stride: i64,
);

/// Combines, for each output `begin..end`, `n_chunks` accumulators in order and stores the finished result.
/// Accumulator `chunk` of output `o` lies at `partials + ((o - begin) * n_chunks + chunk) * accumulator_bytes`.
pub type HostReduceFinish =
    unsafe extern "C" fn(frame: *const Frame, begin: i64, end: i64, n_chunks: i64, partials: *const u8);

/// A scan on the host: for each row `begin..end` (linear index over the kept axes) runs along the elements `first..last` of the last axis.
/// Accumulator `k` of row `r` lies at `carries + ((r - begin) * n_chunks + k) * accumulator_bytes`; the row goes on from accumulators
/// `0..index`, combined in order. `mode`: [`Kernel::STORES`], [`Kernel::TOTALS`], or both.
pub type HostScan = unsafe extern "C" fn(
    frame: *const Frame,
    begin: i64,
    end: i64,
    first: i64,
    last: i64,
    carries: *mut u8,
    index: i64,
    n_chunks: i64,
    mode: i64,
);

/// What a kernel does with one operand.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OperandInfo {
    /// A code of [`crate::dtype`].
    pub dtype: u8,
    /// Bytes of an element.
    pub itemsize: u8,
    /// [`OperandInfo::READ`] and [`OperandInfo::WRITE`].
    pub access: u8,
    /// 1: every stride is 0 whatever the shapes (a rank-0 operand); such operands pass no strides to device kernels.
    pub scalar: u8,
}

impl OperandInfo {
    /// The kernel reads it.
    pub const READ: u8 = 1;
    /// The kernel writes it.
    pub const WRITE: u8 = 2;
    /// With [`Kernel::ROWS`], of an operand that is written: it has the kept axes only.
    pub const KEPT: u8 = 4;
}

/// A kernel: its iteration space, its operands, its host functions, and the names of its device variants.
///
/// The iteration space has `rank` axes: the kept ones first, then `n_reduced` reduced ones. Outputs have stride 0 along reduced axes.
///
/// Device variants are `<name>__<variant>`. Parameters, in order: one pointer an operand (at element `[0, …, 0]`); the scalars
/// (complex ones as two); then for
/// * `flat32` (map): `n: u32`. Every operand is contiguous in the same order, or `scalar`; 16-byte aligned. One thread handles
///   `vector` consecutive elements; the grid is `ceil(n / (block * vector))`.
/// * `strided32` (map, where [`Kernel::has_strided32`] says so), `strided64` (map, but one of rank 0 whose operands are all `scalar`): extents, then strides in
///   *elements* by operand and axis (operands with `scalar` pass none), as i32 or i64. The last axis runs along x, the linear index over the other axes along
///   y. Blocks have up to `block` threads in any shape; below rank 2 they have no y. The grid covers x. Of `strided64` it goes on along z where a grid has no
///   more blocks along x, with less than 2³² in all. Along y kernels go on with the next rows by themselves. With [`Kernel::TURNS`] and few work items it
///   covers 32 times as much, in blocks of whole warps.
/// * `ragged64` (with [`Kernel::RAGGED`], which has none of the variants above): extents and strides as `strided64`, then `shift: i32`. Groups of `1 << shift`
///   lanes take a work item each, with `shift` up to 5, or whole blocks, with [`Kernel::BLOCK_SHIFT`]. The grid has a group a work item along x, and goes on
///   along z as `strided64`. Blocks have `block` threads.
/// * `sequential64` (map with [`Kernel::SEQUENTIAL`], which has none of the variants above): extents and strides as `strided64`, then `claims: ptr`,
///   `capacity: i64`. The number of threads is a power of two; there is no y. With `claims` null it does all, else what `settle64` left, if anything.
/// * `combine64` (with [`Kernel::COMBINES`]): extents and strides as `strided64`; does all. A thread a work item along x, or fewer.
/// * The *places* of a kernel with a `destination` are that operand's buffer, cut from its first byte on into components of its elements. Variants by
///   places take extents and strides as `strided64`, then `memory: ptr`, `places: i64` and `first: i64`, the bytes from the buffer's first one to the operand.
///   Blocks have `block` threads along x, and any number of them does.
/// * `bins64` (with [`Kernel::COMBINES`]): does all, for up to [`Kernel::BINS`] places. `memory` is null.
/// * `own64`, `gather64` (with [`Kernel::CLAIMS`] and without [`Kernel::CHAINS`]): at `memory` lies a 32-bit word a place, all 0 before `own64`. There are
///   fewer than 2³¹ work items.
/// * `exponent64`, `sum64`, `round64` (with [`Kernel::CHAINS`]): `begin: i64` and `end: i64` follow, the range of work items that they do, up to
///   [`Kernel::SUMMANDS`]. At `memory` lie zeros before `exponent64`: a float64 a place, a second one where elements are float64, and a 32-bit word a place.
/// * `claim64`, `settle64` (with [`Kernel::CLAIMS`]): parameters as `sequential64`. The *claims* are the work items of the axes `claim_axes`, fewer than 2³¹.
///   At `claims` lie 32-bit words that are all ones before `claim64`: one, `capacity` (at least twice as many as claims, below 2³²) and, with
///   [`Kernel::CHAINS`], one a claim. `claim64` has a thread a claim along x, or fewer, `settle64` after it a thread a work item. With [`Kernel::CHAINS`]
///   `sequential64` follows.
/// * `block64` (map with [`Kernel::COOPERATIVE`]): the extent as i64. One block of up to `block` threads along x, a multiple of 32.
/// * `cluster64` (the same, in images for devices that have clusters): the extent as i64. Blocks along x of
///   [`Kernel::CLUSTER_THREADS`] threads, or another power of two below, which are one cluster.
/// * `grid64` (the same, launched cooperatively): the extent as i64, then `scratch: ptr`: [`Kernel::GRID_COUNTER_BYTES`] zeros, then
///   [`Kernel::GRID_BLOCK_BYTES`] a block. Two blocks along x or more, each as `block64`'s.
/// * `tiles32`, `tiles64` (map with [`Kernel::TILES`]): extents and strides as above. Blocks have `block` threads, and each of their warps takes a tile.
///   Grid x: tiles over those of a block, or fewer; kernels go on with the next ones by themselves.
/// * `fold32`, `fold64` (reduce): extents and strides as above, then `partials: ptr`, `chunk: i64`, `n_chunks: i32`, `across: i32`. Blocks have
///   `block` threads. With `across` 0 the threads of a block along x share an output and there is an output along y for each: `blockDim.x` is a power
///   of two up to 32, or `block`. With `across` 1 outputs run along x, and the threads along y share one: `blockDim.y` is a power of two, and 1 where
///   `block * accumulator_bytes` is beyond [`Kernel::SHARED_BYTES`]. Grid x: outputs over those of a block, or fewer; kernels go on with the next
///   ones by themselves. Grid y = chunks; a block reduces elements `chunk * blockIdx.y ..` of the reduced axes. With `n_chunks` 1 it stores finished
///   results, otherwise accumulators `partials + (output * n_chunks + blockIdx.y) * accumulator_bytes`.
/// * `finish64` (reduce): parameters, blocks and grid x as `fold` with `across` 0: the threads that share an output combine its
///   accumulators and store.
/// * `fold32`, `fold64` (scan): as of a reduction over the last axis, but every chunk's accumulator is stored, of one chunk too.
/// * `few32`, `warp32`, `team32`, `streamed64` (rows): extents and strides as above; of `few32`, then `size: i32`. Blocks have `block` threads. A team of
///   threads takes a row and goes through all phases: `size` lanes, a power of two up to 32, which hold 4 elements each, or `vector` if that is less; a warp or
///   a block, whose threads hold `vector`; or a block that reads rows again. There is a team for each row along x, or of `streamed64` fewer. Rows have an
///   element at least, and all that are held. Where one axis is reduced, what moves along it has neighbours next to each other.
/// * `clustered32` (the same, in images for devices that have clusters): as `team32`, but a cluster of blocks of [`Kernel::CLUSTER_THREADS`] takes a row.
/// * `scan32`, `scan64` (scan): parameters as `fold`. Blocks have `block` threads along x. With `across` 0 a block runs along a row, with `across` 1
///   a thread does. Grid x: rows over those of a block, or fewer; grid y = chunks. A chunk goes on from its row's accumulators before it.
/// * `running32`, `running64` (scan, where `vector` is not 0): extents and strides as above, then `memory: ptr`, `tiles: i64`, `flat: i32`. A *tile* is
///   `block * vector` elements of a row, or what is left, of which there are `tiles` in a row, and less than 2³¹ in all. At `memory` lie zeros:
///   [`Kernel::TICKET_BYTES`], then `2 * accumulator_bytes` a tile, and as many for each [`Kernel::ANCHOR_TILES`] tiles of a row, or fewer. Blocks have
///   `block` threads along x. Grid x: all tiles, or fewer. With `flat` 1 rows of all operands but `scalar` ones are contiguous, and their begins aligned
///   to 16 bytes.
///
/// The 32-bit variants need every extent product and every |element offset| below 2³¹ ([`Kernel::index_limit`]), those of the threads of a last block,
/// which have no work item, included. One launch of `flat32` has up to [`Kernel::flat_limit`] elements.
#[repr(C)]
pub struct Kernel {
    /// The kernel's name; a PTX identifier.
    pub name: *const c_char,
    /// The module it belongs to.
    pub module: *const Module,
    /// [`Kernel::MAP`], [`Kernel::REDUCE`], [`Kernel::SCAN`] or [`Kernel::ROWS`].
    pub kind: u8,
    /// Axes of the iteration space.
    pub rank: u8,
    /// Trailing axes that are reduced.
    pub n_reduced: u8,
    /// Elements a thread of the flat variant handles, has of a tile of a scan, or holds of a row; with [`Kernel::NEST`] work items of a row that go to a host
    /// thread together.
    pub vector: u8,
    /// Threads of a block, at most.
    pub block: u16,
    /// [`Kernel::INDEXED`], [`Kernel::ORDERED`], [`Kernel::SEQUENTIAL`], [`Kernel::NEST`], [`Kernel::COOPERATIVE`],
    /// [`Kernel::APART`], [`Kernel::TURNS`], [`Kernel::NARROW`], [`Kernel::TILES`], [`Kernel::RAGGED`].
    pub flags: u16,
    /// Number of operands.
    pub n_operands: u32,
    /// Number of scalars.
    pub n_scalars: u32,
    /// The operands.
    pub operands: *const OperandInfo,
    /// The scalars' dtypes.
    pub scalars: *const u8,
    /// Bytes of one accumulator (a multiple of 16); 0 for maps.
    pub accumulator_bytes: u32,
    /// Estimated scalar operations an element, for cost models.
    pub work: u32,
    /// With [`Kernel::CLAIMS`], a bit for each axis: work items that differ along another one write different elements.
    pub claim_axes: u16,
    /// One more than the operand that variants by places write to; 0: there are none.
    pub destination: u16,
    /// Of a reduction that sums products of two operands' elements and does nothing else: which ones ([`Kernel::factors_of`]). 0: it is none.
    pub factors: u32,
    /// With [`Kernel::RAGGED`], 1 more than the number of the scalar that says about how many iterations the loops of all work items have; 0: none does.
    pub entries: u32,
    /// Map only. This and the next four are null until the library is bound, where its [`HostCode`] has them.
    pub host_flat: Option<HostMap>,
    /// Map only; null where there is a flat one and the rank is 0.
    pub host_strided: Option<HostMap>,
    /// Reduce only.
    pub host_reduce: Option<HostReduce>,
    /// Reduce only.
    pub host_finish: Option<HostReduceFinish>,
    /// Scan only.
    pub host_scan: Option<HostScan>,
    /// The runtime's launch plan for this kernel; null until first used.
    pub plan: AtomicPtr<c_void>,
}

impl Kernel {
    /// Whether a map with these flags has a variant `strided32`: others find elements by one product of 64 bits, or by strides of their code's own.
    #[inline]
    pub const fn has_strided32(rank: usize, flags: u16) -> bool {
        rank >= 2 && flags & (Kernel::NEST | Kernel::SEQUENTIAL | Kernel::TILES) == 0
    }

    /// Work items, and elements between them, of which 32-bit variants take fewer: their indices have a sign, and threads of a last block have no work item.
    #[inline]
    pub const fn index_limit(&self) -> i64 {
        if self.flags & Kernel::NARROW != 0 { i8::MAX as i64 - 32 } else { i32::MAX as i64 - 65536 }
    }

    /// Elements of a flat launch at most.
    #[inline]
    pub const fn flat_limit(&self) -> i64 {
        if self.flags & Kernel::NARROW != 0 { 1 << 6 } else { 1 << 30 }
    }

    /// What [`Kernel::factors`] holds for two operands: one more than the first, and 2¹⁶ times one more than the second.
    #[inline]
    pub const fn factors_of(a: usize, b: usize) -> u32 {
        (a as u32 + 1) | (b as u32 + 1) << 16
    }

    /// The operands that are multiplied, if it is a sum of products.
    #[inline]
    pub const fn factor_operands(&self) -> Option<[usize; 2]> {
        match (self.factors & 0xffff, self.factors >> 16) {
            (0, _) | (_, 0) => None,
            (a, b) => Some([a as usize - 1, b as usize - 1]),
        }
    }

    /// Shared memory that the accumulators of a block's threads may take.
    pub const SHARED_BYTES: u32 = 32 << 10;
    /// From this [`Kernel::work`] on, a structured program has loops: it is what one of an unknown length counts at least.
    pub const LOOP_WORK: u32 = 1000;
    /// Bytes before what the tiles of a scan publish.
    pub const TICKET_BYTES: i64 = 16;
    /// Tiles of a scan's row from an anchor to the next.
    pub const ANCHOR_TILES: i64 = 64;
    /// Elementwise.
    pub const MAP: u8 = 0;
    /// A reduction over the trailing `n_reduced` axes.
    pub const REDUCE: u8 = 1;
    /// Running values along the last axis, which is the one that is reduced; written operands move along it.
    pub const SCAN: u8 = 2;
    /// Reductions over the trailing `n_reduced` axes that follow each other, and elementwise what they give at last. Devices only.
    pub const ROWS: u8 = 3;
    /// Of what [`crate::RuntimeTable::one_read`] is told: an image has the variant `clustered32`.
    pub const HAS_CLUSTERS: i64 = 1 << 16;
    /// Of a [`HostScan`]: results are stored.
    pub const STORES: i64 = 1;
    /// Of a [`HostScan`]: each row's own elements are combined into accumulator `index`.
    pub const TOTALS: i64 = 2;
    /// The body reads the index of an axis: axes are launched as given, neither merged, permuted, flipped nor padded away.
    /// A flat variant is used for rank 1 only.
    pub const INDEXED: u16 = 1;
    /// A reducer depends on the order of the elements (argmin, argmax): reduced axes may be merged, not permuted or flipped.
    pub const ORDERED: u16 = 2;
    /// Map: work items depend on what earlier ones in C order wrote; on the host one thread runs them, on devices the variant `sequential64` and those
    /// that the next flags say.
    pub const SEQUENTIAL: u16 = 4;
    /// Map: a structured program is run for each work item. On the host `host_strided` takes ranges of work items in linear order, not of rows, because few
    /// work items may be much work.
    pub const NEST: u16 = 8;
    /// With [`Kernel::NEST`], of rank 1: the program is run once, by all threads of one launch, and the extent says for how many of them there is
    /// work. On the host `host_strided` runs it whole, for the range `0..1`; devices have the variants `block64`, `cluster64` and `grid64`.
    pub const COOPERATIVE: u16 = 16;
    /// Threads of a cluster's blocks at most: each has more registers than in larger blocks.
    pub const CLUSTER_THREADS: u16 = 512;
    /// Bytes of a grid's counters, of arrivals and of what substitutions count, before the accumulators of its blocks.
    pub const GRID_COUNTER_BYTES: i64 = 64;
    /// Bytes of scratch memory a block of a grid, beside the counters: two accumulators, and two sums of 8 bytes for each of 32 warps.
    pub const GRID_BLOCK_BYTES: i64 = 32 + 2 * 8 * 32;
    /// There are variants `claim64` and `settle64`.
    pub const CLAIMS: u16 = 32;
    /// A work item goes on from what earlier ones wrote to its element.
    pub const CHAINS: u16 = 64;
    /// There is a variant `combine64`.
    pub const COMBINES: u16 = 128;
    /// Places at most of `bins64`, whose blocks have all of them in shared memory.
    pub const BINS: i64 = 4096;
    /// Work items at most whose values are added to sums that have to be exact.
    pub const SUMMANDS: i64 = 1 << 25;
    /// With [`Kernel::COOPERATIVE`]: neighbouring work items of its steps meet elements that lie far apart.
    pub const APART: u16 = 256;
    /// With [`Kernel::NEST`], of rank 1 at most: the 32 threads of a warp run a work item together where there are no more than [`Kernel::TURNS_POINTS`].
    pub const TURNS: u16 = 512;
    /// Device variants compute with 8 bits where they else do with 32, in blocks of 32 threads. Tests ask for it: few elements are many then.
    pub const NARROW: u16 = 1024;
    /// With [`Kernel::NEST`], of rank 1: groups of lanes share loops in work items, whose length data decide.
    pub const RAGGED: u16 = 1 << 15;
    /// The size of a group that is a block.
    pub const BLOCK_SHIFT: i32 = 31;
    /// Work items at most that are a warp's each, with [`Kernel::TURNS`].
    pub const TURNS_POINTS: i64 = 1 << 14;
    /// Map: tiles of [`Kernel::TILE`] work items, neighbours in C order, are counted or moved together. Axes may be merged, not permuted or flipped. On the
    /// host `host_strided` takes ranges of tiles; devices have the variants `tiles32` and `tiles64`.
    pub const TILES: u16 = 2048;
    /// Work items of a tile; the last one may have fewer.
    pub const TILE: i64 = 512;
}

/// A device image.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Image {
    /// [`Image::PTX`] or [`Image::CUBIN`].
    pub kind: u32,
    /// Compute capability times ten: 75, 80, 90.
    pub architecture: u32,
    /// PTX text (null-terminated; `bytes` counts the null) or a cubin.
    pub data: *const u8,
    /// Size.
    pub bytes: u64,
}

impl Image {
    /// PTX text: runs on its architecture and later ones.
    pub const PTX: u32 = 0;
    /// Machine code for one architecture.
    pub const CUBIN: u32 = 1;
}

/// One node of an overload's parameters, in pre-order. Tuples are followed by their members; the others are leaves.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name for top-level parameters, null inside tuples.
    pub name: *const c_char,
    /// One of the constants below.
    pub kind: u8,
    /// A code of [`crate::dtype`].
    pub dtype: u8,
    /// 1: a Python scalar (`int`, `float`, `complex`, `bool`): any value that fits is accepted. `RECORD`: fields are items, not attributes.
    pub weak: u8,
    /// Axes of an array; members of a tuple or record.
    pub rank: u8,
    /// 0: any strides; 1: `order(C)`; 2: `order(F)`.
    pub order: u8,
    /// 1: a top-level parameter that is given by name only.
    pub by_name: u8,
    /// Zero.
    pub reserved: [u8; 2],
    /// Arrays: one entry an axis, -1 where any extent is accepted; null if all are.
    pub extents: *const i64,
    /// `STR`: the accepted constant, or null for any. `RECORD`: the names of its fields, with blanks between them.
    pub text: *const c_char,
}

impl Parameter {
    /// A scalar.
    pub const SCALAR: u8 = 0;
    /// An array.
    pub const ARRAY: u8 = 1;
    /// A tuple of the next `rank` nodes.
    pub const TUPLE: u8 = 2;
    /// `None`: passes no leaf.
    pub const NONE: u8 = 3;
    /// A string that selects an overload: passes no leaf.
    pub const STR: u8 = 4;
    /// A list, a dictionary, a set or a string of run time: `text` is its description, as [`crate::object`] has it.
    pub const OBJECT: u8 = 5;
    /// An object whose fields are the next `rank` nodes.
    pub const RECORD: u8 = 6;
}

/// One node of an overload's result, in pre-order.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ResultNode {
    /// One of the constants below.
    pub kind: u8,
    /// A code of [`crate::dtype`].
    pub dtype: u8,
    /// Axes of an array; members of a tuple, list or record; of an object 1 where it becomes no plain list, dictionary, set or string.
    pub rank: u8,
    /// Of a leaf: 0, or 1 and the number of the earlier leaf whose object it is, or [`ResultNode::NUMBERED`].
    pub same: u8,
}

impl ResultNode {
    /// A node whose object is no earlier one.
    pub const fn new(kind: u8, dtype: u8, rank: u8) -> ResultNode {
        ResultNode { kind, dtype, rank, same: 0 }
    }

    /// `None`: no leaf.
    pub const NONE: u8 = 0;
    /// A Python scalar (`int`, `float`, `complex`, `bool`): a scalar leaf.
    pub const PYTHON_SCALAR: u8 = 1;
    /// A NumPy scalar held by the host: a scalar leaf.
    pub const NUMPY_SCALAR: u8 = 2;
    /// A rank-0 result that NumPy gives as a scalar: an array leaf of rank 0.
    pub const DEVICE_SCALAR: u8 = 3;
    /// An array leaf.
    pub const ARRAY: u8 = 4;
    /// A tuple of the next `rank` nodes.
    pub const TUPLE: u8 = 5;
    /// A list of the next `rank` nodes.
    pub const LIST: u8 = 6;
    /// A list, a dictionary, a set or a string of run time: an object leaf, which knows what it holds.
    pub const OBJECT: u8 = 7;
    /// An instance of a class that takes the next `rank` nodes in order.
    pub const RECORD: u8 = 8;
    /// One of the next `rank` nodes: a scalar leaf, `int64`, that is the position of the one that it is. The leaves of the others stand for nothing.
    pub const ONE_OF: u8 = 9;
    /// [`ResultNode::same`]: the first word of the array's [`crate::Value::bits`] is its object's number; arrays with one number are one object.
    pub const NUMBERED: u8 = 255;
}

/// One accepted signature of a function.
#[repr(C)]
pub struct Overload {
    /// As the user reads it: `saxpy(float32, float32[:], float32[:])`.
    pub signature: *const c_char,
    /// Top-level parameters.
    pub n_parameters: u32,
    /// Nodes at `parameters`.
    pub n_parameter_nodes: u32,
    /// Nodes at `results`.
    pub n_result_nodes: u32,
    /// Leaves passed to the entry.
    pub n_arguments: u32,
    /// Leaves returned by the entry.
    pub n_results: u32,
    /// The largest [`Kernel::work`] among the kernels that the overload launches, at least 1; 0: not told.
    pub work: u32,
    /// Parameter nodes.
    pub parameters: *const Parameter,
    /// Result nodes. Behind the last one lies, in their order, what describes some of them. Of a [`ResultNode::RECORD`] that is a text with a final null:
    /// the name of the class in the module, then, with blanks between them, the names of the fields that it takes by name. Of a [`ResultNode::OBJECT`]
    /// whose `rank` is 1 it is a description, as [`crate::object`] has it.
    pub results: *const ResultNode,
    /// Bit `k`: argument leaf `k` may be written. At most 64 leaves.
    pub written: u64,
    /// Bit `k`: the overload asks for routine `k` of [`crate::routine`]; [`Overload::PRODUCTS`]: for products of matrices. So the cost model has it.
    pub libraries: u64,
    /// For calls where no written array overlaps another.
    pub noalias: Entry,
    /// For all calls. May be the same as `noalias`.
    pub mayalias: Entry,
    /// The module it belongs to.
    pub module: *const Module,
}

impl Overload {
    /// [`Overload::libraries`]: products of matrices.
    pub const PRODUCTS: u64 = 1 << 63;

    /// What lies behind the result nodes.
    pub const fn descriptions(&self) -> *const u8 {
        self.results.wrapping_add(self.n_result_nodes as usize).cast()
    }
}

/// An exported function.
#[repr(C)]
pub struct Function {
    /// Its name.
    pub name: *const c_char,
    /// `name($module, a, b)\n--\n\n` and the docstring with the supported signatures.
    pub docstring: *const c_char,
    /// The module it belongs to.
    pub module: *const Module,
    /// Number of overloads.
    pub n_overloads: u32,
    /// Zero.
    pub reserved: u32,
    /// The overloads, in the order of the exports.
    pub overloads: *const Overload,
    /// The Python trampoline, a `PyCFunctionFastWithKeywords`; null in static libraries, which Python does not import.
    pub trampoline: *const c_void,
    /// The Python package's own state; null until first used.
    pub python: AtomicPtr<c_void>,
}

/// A generated library. Its symbol holds the library's hash and is hidden, so that a library binds to its own. C programs ask the exported function
/// `numptx_module_<name>_<hash>` for it.
#[repr(C)]
pub struct Module {
    /// [`crate::ABI_VERSION`] of the compiler.
    pub abi_version: u32,
    /// `size_of::<Module>()`.
    pub struct_bytes: u32,
    /// The module's name.
    pub name: *const c_char,
    /// The compiler's version.
    pub compiler: *const c_char,
    /// The module's docstring, or null.
    pub docstring: *const c_char,
    /// Number of functions.
    pub n_functions: u32,
    /// Number of kernels.
    pub n_kernels: u32,
    /// Number of images.
    pub n_images: u32,
    /// Number of exported globals.
    pub n_globals: u32,
    /// The functions.
    pub functions: *const Function,
    /// The kernels. Not constant: plans are kept in them.
    pub kernels: *const Kernel,
    /// The images; none with `--host-only`.
    pub images: *const Image,
    /// Names of the exported globals.
    pub global_names: *const *const c_char,
    /// Values of the exported globals: scalars.
    pub global_values: *const Value,
    /// Filled when the module is bound.
    pub table: AtomicPtr<RuntimeTable>,
    /// The runtime's state for this module; null until first used.
    pub runtime: AtomicPtr<c_void>,
    /// The Python package's state for this module; null until first used.
    pub python: AtomicPtr<c_void>,
    /// What Python finds in the file beside the exports; null where no Python file was compiled.
    pub source: *const Source,
    /// What is chosen when the module is bound, or null.
    pub host: *const HostCode,
}

/// The Python file that a library was compiled from.
#[repr(C)]
pub struct Source {
    /// [`source_hash`] of its bytes.
    pub hash: u64,
    /// Its imports and constants as a Python program, a statement a line.
    pub constants: *const c_char,
    /// Its functions that are not exported, a line each: the name, then the parameters' names, with blanks between them.
    pub functions: *const c_char,
}

/// What tells a file from an edited one: FNV-1a of its bytes. Nobody is kept from making two files of one hash.
pub const fn source_hash(bytes: &[u8]) -> u64 {
    let (mut hash, mut n) = (0xcbf2_9ce4_8422_2325_u64, 0);
    while n < bytes.len() {
        hash = (hash ^ bytes[n] as u64).wrapping_mul(0x0100_0000_01b3);
        n += 1;
    }
    hash
}

const _: () = assert!(size_of::<OperandInfo>() == 4);
const _: () = assert!(size_of::<Kernel>() == 120);
const _: () = assert!(core::mem::offset_of!(Kernel, operands) == 32);
const _: () = assert!(core::mem::offset_of!(Kernel, host_flat) == 72);
const _: () = assert!(core::mem::offset_of!(Kernel, plan) == 112);
const _: () = assert!(size_of::<Image>() == 24);
const _: () = assert!(size_of::<Parameter>() == 32);
const _: () = assert!(size_of::<ResultNode>() == 4);
const _: () = assert!(size_of::<Overload>() == 88);
const _: () = assert!(size_of::<Function>() == 56);
const _: () = assert!(size_of::<Module>() == 128);
const _: () = assert!(size_of::<Source>() == 24);
const _: () = assert!(source_hash(b"a") == 0xaf63_dc4c_8601_ec8c);
