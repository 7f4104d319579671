//! Whose memory results are in.

use ndarray::Array1;
use numptx_runtime::memory_stats;
use rust_build_example::kernels;

/// Alone in this program: it looks at the memory of the whole process.
#[test]
fn a_fresh_result_becomes_an_array_without_a_copy() {
    let n = 1_000_000;
    let x = Array1::<f32>::ones(n);
    let before = memory_stats(None);
    let z: Array1<f32> = kernels::saxpy(2.0, x.view(), x.view()).unwrap();
    let after = memory_stats(None);
    // One array was made: the result, which is the caller's now and the runtime's no more.
    assert_eq!(after.allocations - before.allocations, 1);
    assert_eq!((after.live_buffers, after.live_bytes), (before.live_buffers, before.live_bytes));
    assert_eq!(z.sum(), 3.0 * n as f32);
    // It is a vector like any other: it may grow.
    let (mut elements, _) = z.into_raw_vec_and_offset();
    elements.push(1.0);
    elements.shrink_to_fit();
    assert_eq!(elements.len(), n + 1);
}
