//! Linear algebra and transforms on the CPU for the runtime, which opens this library when it is wanted first.
//!
//! In: matrices in the caller's memory, by any strides. Out: results in the caller's memory. Everything runs on the calling thread: the runtime cuts work into
//! pieces for its own threads, so that there is one set of threads in a process, and results do not depend on their number.

mod balance;
mod bidiagonal;
mod cholesky;
mod columns;
mod element;
mod general;
mod lu;
mod operand;
mod orthogonal;
mod plans;
mod processor;
mod product;
mod qr;
mod range;
mod reflectors;
mod routine;
mod rows;
mod scratch;
mod svd;
mod symmetric;
#[cfg(test)]
mod tests;
mod transform;
mod triangular;
mod tridiagonal;

use numptx_abi::{ABI_VERSION, MathTable};

static TABLE: MathTable = MathTable {
    abi_version: ABI_VERSION,
    struct_bytes: size_of::<MathTable>() as u32,
    product: product::product,
    routine: routine::routine,
    transform: transform::transform,
};

/// The library's table.
#[unsafe(no_mangle)]
pub extern "C" fn numptx_math_table() -> *const MathTable {
    &TABLE
}
