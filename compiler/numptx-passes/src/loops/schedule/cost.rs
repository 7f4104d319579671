//! What is worth it: the one model by which forms are compared, and every number by which a pass decides between forms.
//!
//! In: launches of a version of a loop. Out: the microseconds that it is expected to take beside its accesses to memory, which all versions have.
//! Passes read their thresholds here. Each tells what it decides, its unit and where it was measured; "not measured" means that no measurement of it is
//! on record. All measurements are of an H200, and `results` is `bench/results/README.md`. A constant elsewhere is the limit of an analysis.
//! Between a block, a cluster and a grid of threads `numptx-runtime/src/launch/cooperative.rs` chooses, by extents that only it knows.

use crate::loops::schedule::launches::Launch;

// What a schedule takes.

/// A loop whose bounds are not known is taken to be so long.
/// Unit: iterations. Not measured.
pub const UNKNOWN_ITERATIONS: f64 = 1000.0;
/// The host starts a kernel.
/// Unit: µs. Measured: a raw launch with four parameters takes 3.385 (results, 2026-11-22).
pub const LAUNCH: f64 = 3.4;
/// All threads of a cooperative kernel wait for each other.
/// Unit: µs. Measured: 1.39 and 1.36 with the work between, 50,000 and 100,000 work items of a grid (results, 2026-11-26).
pub const BARRIER: f64 = 1.5;
/// An iteration of one thread reads what the one before it wrote, or memory that is in no cache.
/// Unit: µs. Measured: a byte of crc16 takes 0.11 in its one thread (results, 2026-11-23, dd663c1 to 86a0ea8).
pub const ITERATION: f64 = 0.1;
/// The host waits for what a kernel found out.
/// Unit: µs. Measured: a launch and a read of the eight bytes that it wrote take 12.95, by a program of its own.
pub const WAIT: f64 = 13.0;

// One thread, a kernel for each iteration, or all at once.

/// From so many iterations of a parallel loop on, in a loop that makes checks, the host starts a kernel for it; below, one thread runs both.
/// Unit: iterations. Not measured.
pub const CHECKED_ITERATIONS: i64 = 2048;
/// A loop without elements is a reduction, or is distributed, from so many iterations on; the host runs a shorter one.
/// Unit: iterations. Not measured.
pub const MANY_ITERATIONS: i64 = 1 << 16;
/// A loop that is known to be shorter stays in order: no copy of what it overwrites makes it parallel.
/// Unit: iterations. Not measured.
pub const COPY_ITERATIONS: i64 = 16;
/// All threads may do alike what one does, and no warning is due, where a loop is known to have at most so many iterations.
/// Unit: iterations. Not measured.
pub const SHORT_LOOP_ITERATIONS: i64 = 1024;
/// A loop of independent reductions becomes reductions with an axis more if an iteration has at most so many computations: each is a launch.
/// Unit: launches. Not measured.
pub const BATCHED_COMPUTATIONS: usize = 6;
/// So many iterations of a time loop become one phase, the first number that is possible. More save less each, and copies grow with the square.
/// Unit: iterations. Measured: floyd_warshall takes 10.6 µs an iteration by one and 4.3 by four (results, 2026-11-22, e9890f9).
/// A variant of it takes 6.5 by four and 4.8 by eight.
pub const TILED_ITERATIONS: [usize; 2] = [4, 2];

// Work items, and the threads that there is work for.

/// A nest in the place of a cooperative kernel needs at least so many work items, else most of a device is idle.
/// Unit: work items. Not measured: only that symm takes 126 ms with a thread for each column, and 8.96 as one kernel (results, 2026-11-23, 098d043).
pub const NARROW_WORK_ITEMS: i64 = 1 << 14;
/// A loop that stores and accumulates stays whole in a loop with independent iterations, unless these are known to be fewer.
/// Unit: iterations. Not measured.
pub const FEW_ITERATIONS: i64 = 32;
/// Partial results are a thread's for each row from so many rows on; below, threads share rows.
/// Unit: work items. Not measured.
pub const MANY_ROWS: i64 = 1 << 10;
/// A work item that sums up has work for so many threads: a warp, and what it waits for while another one works.
/// Unit: threads. Not measured.
pub const THREADS_OF_SUM: i64 = 64;
/// A row of a triangular system has work for so many threads: of the 64 elements of a tile's row a thread sums up eight.
/// Unit: threads. Not measured.
pub const SOLVE_THREADS: i64 = 8;
/// Such a row has work for one thread more for each so many elements: a tile's sums should not take longer than its rows.
/// Unit: elements. Measured: 8,000 rows take 0.746 ms in a cluster and 0.362 in a grid, 4,000 take 0.262 and 0.190, 2,400 take 0.134 and 0.118.
pub const SOLVE_ELEMENTS: i64 = 80;
/// Work items sum up rows alone where a row has at most so many elements for each iteration. Else each iteration is a kernel from the host.
/// Unit: elements. Not measured.
pub const ROW_ELEMENTS: i64 = 256;
/// No kernel from the host is worth its launch where the largest operation of an iteration has at most so many elements.
/// Unit: elements. Not measured.
pub const SMALL_OPERATION: i64 = 512;
/// Work items have arrays of their own where the largest operation of an iteration has at most so many elements for each of them.
/// Unit: elements. Not measured.
pub const OWN_ELEMENTS: i64 = 512;

// Memory.

/// Arrays of all work items of a launch take at most so much; more work items come in several launches.
/// Unit: bytes. Not measured.
pub const OWN_BYTES: i64 = 1 << 29;
/// The same on the host, where memory that is in no cache is slow.
/// Unit: bytes. Not measured.
pub const OWN_BYTES_OF_HOST: i64 = 1 << 25;
/// So many work items a launch has on the host, however much memory they take: enough for its threads.
/// Unit: work items. Not measured.
pub const OWN_WORK_ITEMS_OF_HOST: i64 = 1 << 10;
/// A loop that takes no memory is distributed where the arrays between both parts take at most so much.
/// Unit: bytes. Not measured.
pub const BYTES_BETWEEN: i64 = 1 << 31;

// Chunks of iterations that combine values with elements.

/// A chunk has at least so many iterations, so that it takes longer than combining its arrays with those of the other chunks.
/// Unit: iterations. Not measured.
pub const CHUNK_ITERATIONS: i64 = 256;
/// On the host a chunk has at least so many iterations for each of its elements: making and combining these is little work then.
/// Unit: iterations. Not measured.
pub const CHUNK_ITERATIONS_AN_ELEMENT: i64 = 4;
/// A loop has at most so many chunks.
/// Unit: chunks. Not measured.
pub const MOST_CHUNKS: i64 = 1 << 14;
/// On the host the arrays of all chunks have at most so many elements, where loops with changing ranges ask for more. These need no memory themselves.
/// Unit: elements. Not measured.
pub const CHUNK_ELEMENTS_OF_HOST: i64 = 1 << 25;
/// On a device the arrays of all chunks have at most so many elements.
/// Unit: elements. Follows from [`OWN_BYTES`], as doubles.
pub const CHUNK_ELEMENTS_OF_DEVICE: i64 = OWN_BYTES / 8;
/// A device makes, combines and reads again so many elements of chunks in the time of a chunk's round, which waits for memory.
/// Unit: elements. Measured: in the 2.75 µs of a round about 2¹⁸, not these 2¹⁶, which were an estimate (results, 2026-11-26).
pub const ELEMENTS_A_ROUND: i64 = 1 << 16;
/// Fewer elements of a chunk take as long to combine as so many: they go through chunks one after the other.
/// Unit: elements. Not measured.
pub const FEW_ELEMENTS: i64 = 1 << 13;
/// A round has so many iterations of a chunk where the lanes of a warp share it.
/// Unit: iterations. Measured: such a round takes 2.75 µs (results, 2026-11-26).
pub const ROUND_OF_LANES: i64 = 64;
/// The same where threads own elements of a chunk, and each goes through all of its iterations.
/// Unit: iterations. Measured: one with two updates takes 0.30 µs (results, 2026-11-26).
pub const ROUND_OF_OWNERS: i64 = 16;
/// On a device a chunk has at least so many rounds: starting kernels takes as long.
/// Unit: rounds. Not measured.
pub const CHUNK_ROUNDS: i64 = 8;
/// Where threads own elements, a launch has about so many work items. A power of two.
/// Unit: work items. Not measured.
pub const OWNER_WORK_ITEMS: i64 = 1 << 17;
/// A chunk has at most so many owners. A power of two.
/// Unit: threads. Not measured.
pub const MOST_OWNERS: i64 = 1 << 9;

// Computing again, or storing: in units of one addition, which is the work of an operation that is not named here.

/// An element of an array is read at an index that is computed.
/// Unit: additions. Not measured.
pub const WORK_OF_ELEMENT: usize = 4;
/// An array is read along its axes.
/// Unit: additions. Not measured.
pub const WORK_OF_ARRAY: usize = 2;
/// A quotient, a remainder or a square root.
/// Unit: additions. Not measured.
pub const WORK_OF_DIVISION: usize = 6;
/// A mathematical function, a power or a floating-point remainder.
/// Unit: additions. Not measured.
pub const WORK_OF_FUNCTION: usize = 24;
/// A greatest common divisor.
/// Unit: additions. Not measured.
pub const WORK_OF_GCD: usize = 100;
/// A map without arrays of at most so much work is computed wherever it is used.
/// Unit: additions. Not measured.
pub const LITTLE_WORK: usize = 4;
/// A map may be computed again by several readers, to save its array, for at most so much work of all but one.
/// Unit: additions. Not measured.
pub const REPEATED_WORK: usize = 96;
/// A map of more work is not computed again along an axis along which its array is repeated.
/// Unit: additions. Not measured.
pub const STRETCHED_WORK: usize = 12;
/// What is put back where a mask is true is computed at every element for at most so much work. More is done for the selected ones alone.
/// Unit: additions. Not measured.
pub const MASKED_WORK: usize = 48;
/// An array that a mask selects is reduced where it lies by at most so many reductions: each goes through all elements again.
/// Unit: reductions. Not measured.
pub const MASKED_REDUCTIONS: usize = 8;
/// The iterations of an inner loop read again what is read before it for at most so much work.
/// Unit: operations. Not measured.
pub const READ_AGAIN: usize = 24;
/// A function in what is read again, which is no operation of the processor.
/// Unit: operations. Not measured.
pub const FUNCTION_READ_AGAIN: usize = 8;
/// A loop that accumulates computes again what one that stores has found for at most so many operations; more is left in an array.
/// Unit: operations. Not measured.
pub const RECOMPUTED_OPERATIONS: usize = 4;

// Kernels: what one does at most, and how.

/// Computations are put together up to so large a body.
/// Unit: instructions. Not measured.
pub const BODY_OPERATIONS: usize = 256;
/// Computations over common arrays are put together up to so many results.
/// Unit: arrays. Not measured.
pub const COMMON_RESULTS: usize = 8;
/// Computations that follow each other are one kernel if it writes at most so many arrays.
/// Unit: arrays. Not measured.
pub const WRITTEN_ARRAYS: usize = 8;
/// The host waits once for several lengths if at most so many arrays are made, and elements read, before the wait.
/// Unit: arrays and elements. Not measured.
pub const WAIT_ARRAYS: usize = 8;
/// Sums of products in a nest are a product of matrices before it if that multiplies at least so often. It is an array and a launch more.
/// Unit: multiplications. Not measured.
pub const PRODUCT_MULTIPLICATIONS: i64 = 1 << 18;
/// The same if the product has at most so many elements for each work item of the nest: of triangles a work item has two.
/// Unit: elements. Not measured.
pub const PRODUCT_ELEMENTS: i64 = 4;
/// A block of a kernel over elements has so many threads.
/// Unit: threads. Not measured.
pub const BLOCK_THREADS: u32 = 256;
/// A thread loads so much of the largest elements at once: the widest load that a GPU has.
/// Unit: bytes. Not measured.
pub const VECTOR_BYTES: u32 = 16;
/// What a thread of a kernel of rows holds of the arrays that it reads at most.
/// Unit: bytes. Measured: 32 values of 8 bytes give 103 % of a copy (results, 2026-12-01, designs).
pub const HELD_BYTES: u32 = 256;
/// How many elements of a row a thread holds at most.
/// Unit: elements. Measured: see [`HELD_BYTES`].
pub const HELD_ELEMENTS: u32 = 32;
/// A body that computes more, or calls a function, is long.
/// Unit: operations. Not measured.
pub const SHORT_BODY: usize = 12;
/// A thread computes at most so many elements by a long body, of which each has its copy.
/// Unit: elements. Not measured.
pub const LONG_BODY_ELEMENTS: u32 = 4;

/// The microseconds that launches take.
pub fn cost(launches: &[Launch]) -> f64 {
    let of = |launch: &Launch| match launch {
        Launch::Kernel { iterations, barriers, .. } => LAUNCH + barriers * BARRIER + iterations * ITERATION,
        Launch::Loop { iterations, body, .. } => iterations * cost(body),
    };
    launches.iter().map(of).sum()
}
