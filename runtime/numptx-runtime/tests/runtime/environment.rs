//! What the environment and the machine decide: no driver, no GPU, `NUMPTX_DEVICE`, two devices, contexts of the caller.

use std::ffi::c_void;

use numptx_abi::{InvokeOptions, dtype, error_kind};
use numptx_runtime::{Device, DeviceArray, Error};

use crate::kernels::{axpy, kernel, module_of};
use crate::program::{
    alone, array_argument, assign_axpy, beside_others, call, elements, float_argument, fresh_axpy, is_apart,
    kernel_argument, mock_symbol, on, overload, release, table,
};
use crate::strided::Strided;

/// `2 x + x` of a host array; the result and where it was computed.
fn compute(device: i32) -> Result<(Vec<f64>, i32), Error> {
    let module = module_of("7.0", vec![axpy(1)]);
    let mut x = Strided::contiguous(&[3], |i| i as f64);
    let mut y = x.clone();
    let arguments = [
        kernel_argument(kernel(module, 0)),
        array_argument(&mut x, dtype::FLOAT64),
        array_argument(&mut y, dtype::FLOAT64),
        float_argument(2.0),
    ];
    let results = call(&overload(fresh_axpy, 4, 1, 0), &arguments, &on(device))?;
    let computed = elements(&results[0]);
    release(&results[0]);
    // SAFETY: no arguments.
    Ok((computed, unsafe { (table().last_device)() }))
}

const WANTED: [f64; 3] = [0.0, 3.0, 6.0];

#[test]
fn without_a_driver_the_cpu_computes() {
    if !is_apart("environment::without_a_driver_the_cpu_computes", &[("NUMPTX_LIBCUDA", "/nowhere/libcuda.so.1")]) {
        return;
    }
    let _turn = beside_others();
    for device in [InvokeOptions::AUTO, InvokeOptions::CPU] {
        assert_eq!(compute(device), Ok((WANTED.to_vec(), -1)));
    }
    assert_eq!(Device::cuda_count(), 0);
    let error = compute(0).expect_err("there is no driver");
    assert_eq!(error.kind(), error_kind::CUDA);
    assert!(error.message().starts_with("no CUDA driver: `/nowhere/libcuda.so.1` cannot be opened"), "{error}");
}

#[test]
fn a_library_without_the_functions_is_an_error() {
    let test = "environment::a_library_without_the_functions_is_an_error";
    if !is_apart(test, &[("NUMPTX_LIBCUDA", "libm.so.6")]) {
        return;
    }
    let _turn = beside_others();
    let error = compute(0).expect_err("libm is no driver");
    assert!(error.message().starts_with("cuInit: the driver in `libm.so.6` does not have it"), "{error}");
}

#[test]
fn numptx_device_takes_host_arrays_to_a_gpu() {
    if !is_apart("environment::numptx_device_takes_host_arrays_to_a_gpu", &[("NUMPTX_DEVICE", "cuda:1")]) {
        return;
    }
    let _turn = beside_others();
    assert_eq!(compute(InvokeOptions::AUTO), Ok((WANTED.to_vec(), 1)));
    assert_eq!(compute(InvokeOptions::CPU), Ok((WANTED.to_vec(), -1)));
}

#[test]
fn a_wrong_numptx_device_is_named() {
    if !is_apart("environment::a_wrong_numptx_device_is_named", &[("NUMPTX_DEVICE", "gpu")]) {
        return;
    }
    let _turn = beside_others();
    let error = compute(InvokeOptions::AUTO).expect_err("gpu is no device");
    assert_eq!(error.message(), "NUMPTX_DEVICE is `gpu`; it may be auto, cpu, cuda or cuda:N");
}

#[test]
fn a_wrong_numptx_cooperative_is_named() {
    if !is_apart("environment::a_wrong_numptx_cooperative_is_named", &[("NUMPTX_COOPERATIVE", "warp")]) {
        return;
    }
    let _turn = beside_others();
    let error = compute(InvokeOptions::CPU).expect_err("a warp is no such value");
    assert_eq!(error.message(), "NUMPTX_COOPERATIVE is `warp`; it may be block, cluster, grid, host or a number");
}

#[test]
fn nothing_opens_the_driver_on_the_cpu() {
    let test = "environment::nothing_opens_the_driver_on_the_cpu";
    if !is_apart(test, &[("NUMPTX_LIBCUDA", "/nowhere/libcuda.so.1")]) {
        return;
    }
    let _turn = beside_others();
    assert_eq!(compute(InvokeOptions::AUTO), Ok((WANTED.to_vec(), -1)));
    let array = DeviceArray::from_slice(Device::Cpu, &[2], &[1i8, 2]).expect("memory is there");
    drop(array);
    // A driver that is named only now is found: nothing has looked for one before.
    // SAFETY: this process has one thread.
    unsafe { std::env::set_var("NUMPTX_LIBCUDA", crate::program::mock_path()) };
    assert_eq!(compute(0), Ok((WANTED.to_vec(), 0)));
}

#[test]
fn arrays_on_two_devices_are_refused() {
    let _turn = beside_others();
    let on_device = |ordinal| DeviceArray::from_slice(Device::Cuda(ordinal), &[1], &[1.0f64]).expect("memory is there");
    let (x, y) = (on_device(0), on_device(1));
    let module = module_of("7.0", vec![axpy(1)]);
    let arguments = [kernel_argument(kernel(module, 0)), x.argument(), y.argument(), float_argument(1.0)];
    let error = call(&overload(fresh_axpy, 4, 1, 0), &arguments, &on(InvokeOptions::AUTO)).expect_err("two devices");
    assert_eq!(error.kind(), error_kind::VALUE);
    assert!(error.message().contains("argument 3 lives on CUDA device 1, another one on CUDA device 0"), "{error}");
    let moved = y.to_device(Device::Cuda(0)).expect("memory is there");
    assert_eq!((moved.to_vec(), moved.device()), (Ok(vec![1.0]), Device::Cuda(0)));
}

#[test]
fn the_caller_s_context_is_restored() {
    let _turn = alone();
    assert!(compute(1).is_ok());
    type Get = unsafe extern "C" fn(*mut *mut c_void) -> i32;
    type Set = unsafe extern "C" fn(*mut c_void) -> i32;
    type Retain = unsafe extern "C" fn(*mut *mut c_void, i32) -> i32;
    // SAFETY: the mock driver's functions have these types.
    unsafe {
        let get: Get = std::mem::transmute(mock_symbol(c"cuCtxGetCurrent"));
        let set: Set = std::mem::transmute(mock_symbol(c"cuCtxSetCurrent"));
        let retain: Retain = std::mem::transmute(mock_symbol(c"cuDevicePrimaryCtxRetain"));
        let (mut context, mut now) = (std::ptr::null_mut(), std::ptr::null_mut());
        assert_eq!(retain(&mut context, 1), 0);
        for current in [context, std::ptr::null_mut()] {
            assert_eq!(set(current), 0);
            assert_eq!(compute(0), Ok((WANTED.to_vec(), 0)));
            let array = DeviceArray::from_slice(Device::Cuda(0), &[1], &[1.0f64]).expect("memory is there");
            drop(array);
            assert_eq!(get(&mut now), 0);
            assert_eq!(now, current);
        }
    }
}

#[test]
fn parts_of_a_host_buffer_of_the_runtime_compute_on_a_device() {
    let _turn = beside_others();
    let module = module_of("7.0", vec![axpy(1)]);
    let numbers: Vec<f64> = (0..10).map(f64::from).collect();
    let array = DeviceArray::from_slice(Device::Cpu, &[10], &numbers).expect("memory is there");
    let part = |first: i64, n: i64, step: i64| {
        let mut argument = array.argument();
        argument.array.offset = first * 8;
        argument.array.shape[0] = n;
        argument.array.strides[0] = 8 * step;
        argument
    };
    for (device, factor) in [(-1, 2.0), (0, 2.0)] {
        let before = array.to_vec().expect("memory is there");
        let arguments =
            [kernel_argument(kernel(module, 0)), part(4, 3, 1), part(6, 3, -1), part(9, 3, -1), float_argument(factor)];
        call(&overload(assign_axpy, 5, 0, 1 << 3), &arguments, &on(device)).expect("the call is right");
        let mut want = before.clone();
        for i in 0..3 {
            want[9 - i] = factor * before[4 + i] + before[6 - i];
        }
        assert_eq!(array.to_vec().expect("memory is there"), want, "device {device}");
    }
}
