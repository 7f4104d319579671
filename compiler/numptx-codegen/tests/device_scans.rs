//! Scans of every reducer on every dtype on a device go through `ptxas` for three architectures.

mod harness;

use harness::assembler::{architectures, assemble, ptx};
use harness::{affine_kernel, scan_kernel};
use numptx_ir::DType;
use numptx_ir::scalar::Reducer;

#[test]
fn scans_assemble() {
    let mut kernels = Vec::new();
    for dtype in DType::ALL {
        for reducer in Reducer::ALL.into_iter().filter(|r| !r.is_positional() && r.result(dtype).is_some()) {
            let rank = 1 + kernels.len() % 3;
            kernels.push(scan_kernel(&format!("{}_{}", reducer.name(), dtype.short_name()), rank, dtype, reducer));
        }
        if Reducer::Add.result(dtype).is_some() {
            kernels.push(affine_kernel(&format!("affine_{}", dtype.short_name()), 1 + kernels.len() % 3, dtype));
        }
    }
    for &sm in architectures() {
        assemble(&ptx(&kernels, sm, None), sm);
    }
}
