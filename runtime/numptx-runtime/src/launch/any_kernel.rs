//! A kernel's descriptor for tests, which change what they are about.

use std::sync::atomic::AtomicPtr;

use numptx_abi::Kernel;

/// A map of rank 2 with one operand.
pub(super) fn any_kernel() -> Kernel {
    Kernel {
        name: c"any".as_ptr(),
        module: std::ptr::null(),
        kind: Kernel::MAP,
        rank: 2,
        n_reduced: 0,
        vector: 1,
        block: 256,
        flags: 0,
        n_operands: 1,
        n_scalars: 0,
        operands: std::ptr::null(),
        scalars: std::ptr::null(),
        accumulator_bytes: 0,
        work: 1,
        claim_axes: 0,
        destination: 0,
        factors: 0,
        entries: 0,
        host_flat: None,
        host_strided: None,
        host_reduce: None,
        host_finish: None,
        host_scan: None,
        plan: AtomicPtr::new(std::ptr::null_mut()),
    }
}
