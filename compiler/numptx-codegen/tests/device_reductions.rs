//! Reductions of every reducer on every dtype on a device go through `ptxas` for three architectures.

mod harness;

use harness::assembler::{architectures, assemble, ptx};
use harness::reduce_kernel;
use numptx_ir::DType;
use numptx_ir::scalar::{BodyBuilder, Reducer};

#[test]
fn reductions_assemble() {
    let mut kernels = Vec::new();
    for dtype in DType::ALL {
        for (n, reducer) in Reducer::ALL.iter().enumerate() {
            if reducer.result(dtype).is_some() {
                let mut b = BodyBuilder::new();
                let input = b.input(0, dtype);
                let body = b.finish(vec![input]);
                let name = format!("reduce{n}_{}", dtype.short_name());
                kernels.push(reduce_kernel(&name, 3, 1 + n % 2, body, &[dtype], vec![*reducer]));
            }
        }
    }
    for &sm in architectures() {
        assemble(&ptx(&kernels, sm, None), sm);
    }
}
