//! Calls: errors, interruption, placement, device arrays, streams of producers.

use std::ffi::c_void;

use numptx_abi::{Call, InvokeOptions, Status, Value, dtype, error_kind};
use numptx_runtime::{Device, DeviceArray};

use crate::kernels::{axpy, kernel, module_of};
use crate::program::{
    DEVICES, alone, array_argument, beside_others, call, counts, float_argument, fresh_axpy, kernel_argument,
    mock_symbol, on, overload, table, values,
};
use crate::strided::Strided;

unsafe extern "C" fn raises(call: *mut Call, _arguments: *const Value, _results: *mut Value) -> Status {
    let numbers = [3i64, -7];
    // SAFETY: a compiled entry's call.
    unsafe {
        (table().raise)(call, error_kind::INDEX, c"index {} is out of {} bounds {}".as_ptr(), numbers.as_ptr(), 2)
    }
}

#[test]
fn raised_errors_reach_the_caller() {
    let _turn = beside_others();
    for device in DEVICES {
        let error = call(&overload(raises, 0, 0, 0), &[], &on(device)).expect_err("it raises");
        assert_eq!((error.kind(), error.message()), (error_kind::INDEX, "index 3 is out of -7 bounds {}"));
    }
}

/// Stores element 1 of its argument as a scalar.
unsafe extern "C" fn second(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    let array = &values(arguments, 1)[0].array;
    // SAFETY: a compiled entry's call.
    unsafe {
        (*results).kind = Value::SCALAR;
        (table().item)(call, array.buffer, array.offset + array.strides[0], array.dtype, &mut (*results).bits)
    }
}

#[test]
fn an_item_is_read_where_the_array_is() {
    let _turn = beside_others();
    let mut x = Strided::contiguous(&[3], |i| -(i as i32) - 1);
    for device in DEVICES {
        let results = call(&overload(second, 1, 1, 0), &[array_argument(&mut x, dtype::INT32)], &on(device))
            .expect("the call is right");
        assert_eq!(results[0].bits[0].cast_signed(), -2);
    }
}

unsafe extern "C" fn always(asked: *mut c_void) -> i32 {
    // SAFETY: the test passes a counter.
    unsafe { *asked.cast::<i32>() += 1 };
    1
}

/// A host loop that ends only when it is interrupted.
unsafe extern "C" fn endless(call: *mut Call, _arguments: *const Value, _results: *mut Value) -> Status {
    loop {
        // SAFETY: a compiled entry's call.
        let status = unsafe { (table().poll)(call) };
        if status != 0 {
            return status;
        }
    }
}

#[test]
fn interruption_ends_loops_and_long_kernels() {
    let _turn = beside_others();
    let mut asked = 0i32;
    let options =
        InvokeOptions { interrupt: Some(always), interrupt_data: (&raw mut asked).cast(), ..on(InvokeOptions::CPU) };
    let error = call(&overload(endless, 0, 0, 0), &[], &options).expect_err("it is interrupted");
    assert_eq!((error.kind(), asked), (error_kind::INTERRUPTED, 1));
    let module = module_of("7.0", vec![axpy(1)]);
    let mut x = Strided::contiguous(&[1 << 26], |i| i as f64);
    let mut y = Strided { storage: vec![1.0], offset: 0, shape: vec![1], strides: vec![0] };
    let arguments = [
        kernel_argument(kernel(module, 0)),
        array_argument(&mut x, dtype::FLOAT64),
        array_argument(&mut y, dtype::FLOAT64),
        float_argument(1.0),
    ];
    let error = call(&overload(fresh_axpy, 4, 1, 0), &arguments, &options).expect_err("it is interrupted");
    assert_eq!((error.kind(), asked), (error_kind::INTERRUPTED, 2));
}

#[test]
fn written_arguments_must_be_writable() {
    let _turn = beside_others();
    let mut x = Strided::contiguous(&[3], |i| i as f64);
    let mut given = array_argument(&mut x, dtype::FLOAT64);
    given.read_only = 1;
    let error = call(&overload(second, 1, 1, 1), &[given], &on(-1)).expect_err("it is read-only");
    assert_eq!(error.kind(), error_kind::VALUE);
    assert!(error.message().starts_with("assignment destination is read-only"), "{error}");
}

#[test]
fn device_arrays_compute_where_they_live_without_copies_or_waits() {
    let _turn = alone();
    let module = module_of("7.0", vec![axpy(1)]);
    let function = overload(fresh_axpy, 4, 1, 0);
    let x = DeviceArray::from_slice(Device::Cuda(0), &[4], &[1.0f64, 2.0, 3.0, 4.0]).expect("memory is there");
    let mut other = x.argument();
    other.stream = another_stream();
    let arguments = [kernel_argument(kernel(module, 0)), x.argument(), other, float_argument(1.0)];
    let before = counts();
    let results = call(&function, &arguments, &on(InvokeOptions::AUTO)).expect("the call is right");
    let after = counts();
    assert_eq!(numptx_last_device(), 0);
    assert_eq!(results[0].device, 0);
    assert_eq!((after.uploads, after.downloads, after.waits), (before.uploads, before.downloads, before.waits));
    assert_eq!(after.violations, 0);
    // SAFETY: the result's reference is taken over once.
    let result = unsafe { DeviceArray::<f64>::from_value(&results[0]) }.expect("it is an array of float64");
    assert_eq!(result.to_vec().expect("memory is there"), [2.0, 4.0, 6.0, 8.0]);
    let error = call(&function, &arguments, &on(InvokeOptions::CPU)).expect_err("device arrays are not for the CPU");
    assert!(error.message().contains("is to compute on the CPU, but an array lives on CUDA device 0"), "{error}");
    let error = call(&function, &arguments, &on(7)).expect_err("another device");
    assert!(error.message().contains("CUDA device 7, but an array lives on CUDA device 0"), "{error}");
}

/// A stream of another library on device 0.
fn another_stream() -> *mut std::ffi::c_void {
    let (mut context, mut stream) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: the mock driver's functions have these types.
    unsafe {
        type Retain = unsafe extern "C" fn(*mut *mut std::ffi::c_void, i32) -> i32;
        type Set = unsafe extern "C" fn(*mut std::ffi::c_void) -> i32;
        type Create = unsafe extern "C" fn(*mut *mut std::ffi::c_void, u32) -> i32;
        let retain: Retain = std::mem::transmute(mock_symbol(c"cuDevicePrimaryCtxRetain"));
        let set: Set = std::mem::transmute(mock_symbol(c"cuCtxSetCurrent"));
        let create: Create = std::mem::transmute(mock_symbol(c"cuStreamCreate"));
        assert_eq!((retain(&mut context, 0), set(context), create(&mut stream, 0)), (0, 0, 0));
        assert_eq!(set(std::ptr::null_mut()), 0);
    }
    stream
}

fn numptx_last_device() -> i32 {
    // SAFETY: no arguments.
    unsafe { (table().last_device)() }
}

#[test]
fn host_arrays_stay_on_the_cpu_when_nothing_else_is_said() {
    let _turn = beside_others();
    let mut x = Strided::contiguous(&[3], |i| i as i32);
    let function = overload(second, 1, 1, 0);
    call(&function, &[array_argument(&mut x, dtype::INT32)], &on(InvokeOptions::AUTO)).expect("the call is right");
    assert_eq!(numptx_last_device(), -1);
    let error = call(&function, &[array_argument(&mut x, dtype::INT32)], &on(3)).expect_err("there are two devices");
    assert_eq!(error.message(), "there is no CUDA device 3; this process sees 2");
}

#[test]
fn results_may_stay_on_the_device() {
    let _turn = beside_others();
    let module = module_of("7.0", vec![axpy(1)]);
    let mut x = Strided::contiguous(&[3], |i| i as f64);
    let mut y = x.clone();
    let arguments = [
        kernel_argument(kernel(module, 0)),
        array_argument(&mut x, dtype::FLOAT64),
        array_argument(&mut y, dtype::FLOAT64),
        float_argument(1.0),
    ];
    let options = InvokeOptions { results_on_device: 1, ..on(0) };
    let results = call(&overload(fresh_axpy, 4, 1, 0), &arguments, &options).expect("the call is right");
    assert_eq!(results[0].device, 0);
    // SAFETY: the result's reference is taken over once.
    let result = unsafe { DeviceArray::<f64>::from_value(&results[0]) }.expect("it is an array of float64");
    assert_eq!(result.to_vec().expect("memory is there"), [0.0, 2.0, 4.0]);
}

#[test]
fn devices_describe_themselves() {
    let _turn = beside_others();
    // SAFETY: null asks for the size; the buffer has it.
    let text = unsafe {
        let needed = (table().device_text)(0, std::ptr::null_mut(), 0);
        let mut bytes = vec![0u8; needed];
        (table().device_text)(0, bytes.as_mut_ptr().cast(), needed);
        String::from_utf8_lossy(&bytes[..needed - 1]).into_owned()
    };
    assert_eq!(text, "Mock GPU, sm_90, 16384.0 MiB, driver for CUDA 12.0");
    assert_eq!(Device::cuda_count(), 2);
}
