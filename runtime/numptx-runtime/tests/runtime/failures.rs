//! Every allocation, copy, launch and wait of a call fails in turn: the error says what failed, and nothing is kept.

use numptx_abi::{Kernel, Overload, dtype, error_kind};
use numptx_runtime::Error;

use crate::kernels::{axpy, folding, kernel, module_of};
use crate::program::{
    alone, array_argument, assign_axpy, call, fail_allocations, fail_work, float_argument, fresh_axpy, fresh_fold,
    kernel_argument, on, overload, release, trimmed,
};
use crate::strided::Strided;

/// A call on the device with three allocations: two arguments and a result.
fn compute(kernel: &'static Kernel) -> Result<(), Error> {
    let mut x = Strided::contiguous(&[4], |i| i as f64);
    let mut y = x.clone();
    let arguments = [
        kernel_argument(kernel),
        array_argument(&mut x, dtype::FLOAT64),
        array_argument(&mut y, dtype::FLOAT64),
        float_argument(3.0),
    ];
    call(&overload(fresh_axpy, 4, 1, 0), &arguments, &on(0)).map(|results| release(&results[0]))
}

#[test]
fn out_of_memory_is_an_error_with_numbers_and_passes() {
    let _turn = alone();
    let kernel = kernel(module_of("7.0", vec![axpy(1)]), 0);
    assert_eq!(compute(kernel), Ok(()));
    let before = trimmed().live_allocations;
    for passed in 0..3 {
        trimmed();
        fail_allocations(passed, 1);
        assert_eq!(compute(kernel), Ok(()), "one failure is mended by draining and trimming");
        trimmed();
        fail_allocations(passed, 2);
        let error = compute(kernel).expect_err("there is no memory");
        assert_eq!(error.kind(), error_kind::MEMORY);
        for part in ["CUDA device 0 is out of memory", "wanted", "are free"] {
            assert!(error.message().contains(part), "{part} in {error}");
        }
        assert_eq!(trimmed().live_allocations, before);
    }
    fail_allocations(0, 0);
    assert_eq!(compute(kernel), Ok(()));
    assert_eq!(trimmed().live_allocations, before);
}

/// Fails each step of a call in turn until it comes through; how many steps there were.
fn fail_each_step(function: &Overload, arguments: &[numptx_abi::Argument]) -> i64 {
    let before = (numptx_runtime::memory_stats(None), trimmed());
    for passed in 0.. {
        fail_work(passed);
        let outcome = call(function, arguments, &on(0));
        let left = fail_work(-1);
        let after = (numptx_runtime::memory_stats(None), trimmed());
        let failed = outcome.is_err();
        match outcome {
            Ok(results) => results.iter().for_each(release),
            Err(error) => {
                assert_eq!(error.kind(), error_kind::CUDA, "{error}");
                assert!(error.message().contains("error 9999, which this driver does not name"), "{error}");
                assert_eq!(after.1.live_allocations, before.1.live_allocations, "step {passed}");
                assert_eq!(after.0.live_buffers, before.0.live_buffers, "step {passed}");
                assert_eq!(after.0.live_bytes, before.0.live_bytes, "step {passed}");
            }
        }
        if left >= 0 {
            assert!(!failed);
            return passed;
        }
        assert!(failed, "step {passed} failed, and the call did not notice");
    }
    0
}

#[test]
fn every_step_of_a_call_may_fail() {
    let _turn = alone();
    let module = module_of("7.0", vec![axpy(1), folding(1, 1)]);
    let mut x = Strided::contiguous(&[8], |i| i as f64);
    let mut y = x.clone();
    let mut out = Strided { storage: vec![0.0; 16], offset: 0, shape: vec![8], strides: vec![2] };
    let mut long = Strided::contiguous(&[200_000], |i| i as u64);
    let [x, y, out] = [&mut x, &mut y, &mut out].map(|a| array_argument(a, dtype::FLOAT64));
    let axpy = kernel_argument(kernel(module, 0));
    let fold = [kernel_argument(kernel(module, 1)), array_argument(&mut long, dtype::UINT64)];
    // Two uploads, a launch, a download, a wait.
    assert_eq!(fail_each_step(&overload(fresh_axpy, 4, 1, 0), &[axpy, x, y, float_argument(1.0)]), 5);
    // Three uploads, a launch, a download, a wait.
    assert_eq!(fail_each_step(&overload(assign_axpy, 5, 0, 1 << 3), &[axpy, x, y, out, float_argument(1.0)]), 6);
    // Four pieces of an upload, the last two after a wait for their blocks, two launches, a download, a wait.
    assert_eq!(fail_each_step(&overload(fresh_fold, 2, 1, 0), &fold), 10);
}
