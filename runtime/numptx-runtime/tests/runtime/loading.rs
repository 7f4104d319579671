//! Device code: loaded once, at the first launch; failures that will not go away are kept with the compiler's log.

use std::sync::Barrier;

use numptx_abi::{Module, dtype, error_kind};

use crate::kernels::{axpy, kernel, module_of};
use crate::program::{
    alone, array_argument, call, counts, fail_call, float_argument, fresh_axpy, is_apart, kernel_argument, on,
    overload, release, table,
};
use crate::strided::Strided;

/// One call on a device; the element of the result.
fn compute(module: &'static Module, device: i32) -> Result<f64, numptx_runtime::Error> {
    let mut x = Strided::contiguous(&[1], |_| 2.0);
    let mut y = x.clone();
    let arguments = [
        kernel_argument(kernel(module, 0)),
        array_argument(&mut x, dtype::FLOAT64),
        array_argument(&mut y, dtype::FLOAT64),
        float_argument(3.0),
    ];
    let results = call(&overload(fresh_axpy, 4, 1, 0), &arguments, &on(device))?;
    let value = crate::program::elements::<f64>(&results[0])[0];
    release(&results[0]);
    Ok(value)
}

#[test]
fn eight_threads_load_once() {
    let _turn = alone();
    let module = module_of("7.0", vec![axpy(1)]);
    assert_eq!(compute(module, -1), Ok(8.0));
    let before = counts();
    let start = Barrier::new(8);
    let address = std::ptr::from_ref(module).expose_provenance();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                start.wait();
                // SAFETY: descriptors are shared by all threads of a program.
                let module = unsafe { &*std::ptr::with_exposed_provenance::<Module>(address) };
                assert_eq!(compute(module, 0), Ok(8.0));
            });
        }
    });
    let after = counts();
    assert_eq!((after.load_attempts - before.load_attempts, after.launches - before.launches), (1, 8));
}

#[test]
fn a_failure_is_kept_with_its_log() {
    let _turn = alone();
    let module = module_of("99.9", vec![axpy(1)]);
    let before = counts().load_attempts;
    for _ in 0..3 {
        let error = compute(module, 0).expect_err("the driver is too old");
        assert_eq!(error.kind(), error_kind::CUDA);
        for part in [
            "`kernels`",
            "PTX 99.9 for sm_75",
            "CUDA device 0 (sm_90, driver for CUDA 12.0)",
            "needs a driver for CUDA 103.9 or later",
            "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
            "update NVIDIA's driver",
            "Unsupported .version",
        ] {
            assert!(error.message().contains(part), "{part} in {error}");
        }
    }
    assert_eq!(counts().load_attempts - before, 1);
    assert_eq!(compute(module, -1), Ok(8.0), "the CPU computes all the same");
}

#[test]
fn what_may_pass_is_not_kept() {
    let _turn = alone();
    let module = module_of("7.0", vec![axpy(1)]);
    for (code, kind) in [(2, error_kind::MEMORY), (999, error_kind::CUDA), (304, error_kind::CUDA)] {
        fail_call(c"cuModuleLoadDataEx", 0, code);
        let error = compute(module, 0).expect_err("the driver refuses");
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains("loading module `kernels` (PTX 7.0 for sm_75)"), "{error}");
    }
    assert_eq!(compute(module, 0), Ok(8.0));
}

#[test]
fn preload_loads_and_bind_checks_the_version() {
    let _turn = alone();
    let module = module_of("7.0", vec![axpy(1)]);
    let mut error = numptx_runtime::no_error();
    let before = counts().load_attempts;
    // SAFETY: a module's descriptor.
    unsafe {
        assert_eq!((table().preload)(module, -1, &mut error), 0);
        assert_eq!(counts().load_attempts - before, 2, "one a device");
        assert_eq!((table().bind)(module, &mut error), 0);
        let other = Module { abi_version: 999, ..std::ptr::read(module) };
        assert_eq!((table().bind)(&other, &mut error), error_kind::RUNTIME);
    }
    assert_eq!((compute(module, 0), compute(module, 1)), (Ok(8.0), Ok(8.0)));
    assert_eq!(counts().load_attempts - before, 2);
    let text = numptx_runtime::Error::from_abi(error_kind::RUNTIME, &error);
    let wanted = format!("this runtime has ABI {} (", numptx_abi::ABI_VERSION);
    assert!(text.message().contains(&wanted), "{text}");
}

#[test]
fn a_module_is_bound_once() {
    if !is_apart("loading::a_module_is_bound_once", &[("NUMPTX_MODULE_LOADING", "eager")]) {
        return;
    }
    let _turn = alone();
    let module = module_of("7.0", vec![axpy(1)]);
    let mut error = numptx_runtime::no_error();
    // SAFETY: a module's descriptor.
    let mut bind = || assert_eq!(unsafe { (table().bind)(module, &mut error) }, 0);
    let attempts = counts().load_attempts;
    // Loading early is tried, and fails.
    fail_call(c"cuModuleLoadDataEx", 0, 2);
    bind();
    bind();
    assert_eq!(counts().load_attempts, attempts, "calls from C, which bind each time, look at nothing");
    assert_eq!(compute(module, 0), Ok(8.0));
}
