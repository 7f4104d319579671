//! What launches are expected to take: one model, in microseconds.
//!
//! In: launches of a version of a loop. Out: the microseconds that it is expected to take beside its accesses to memory, which all versions have. Sources:
//! an H200, measured as `numptx-runtime/src/launch/team.rs` tells; sizes that nothing tells are taken as [`UNKNOWN_ITERATIONS`].

use crate::loops::schedule::launches::Launch;

/// How long a loop is expected to be whose bounds are not known.
pub const UNKNOWN_ITERATIONS: f64 = 1000.0;
/// A kernel from the host, µs.
pub const LAUNCH: f64 = 3.4;
/// Threads of a grid that wait for each other, µs.
pub const BARRIER: f64 = 1.5;
/// An iteration of one thread that reads what the one before it wrote or reads memory that is not in a cache, µs.
pub const ITERATION: f64 = 0.1;
/// The host waits for what a kernel found out, µs.
pub const WAIT: f64 = 13.0;

/// Bytes of all arrays of a launch's work items together, at most.
pub const OWN_BYTES: i64 = 1 << 29;
/// Iterations of a chunk at least, so that it takes longer than combining its arrays with those of the other chunks.
pub const CHUNK_ITERATIONS: i64 = 256;

/// The microseconds that launches take.
pub fn cost(launches: &[Launch]) -> f64 {
    let of = |launch: &Launch| match launch {
        Launch::Kernel { iterations, barriers, .. } => LAUNCH + barriers * BARRIER + iterations * ITERATION,
        Launch::Loop { iterations, body, .. } => iterations * cost(body),
    };
    launches.iter().map(of).sum()
}
