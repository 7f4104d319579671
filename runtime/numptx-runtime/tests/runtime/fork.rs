//! A forked child: the CPU computes there, with a thread pool of its own; the parent's driver is left alone.

use numptx_abi::{InvokeOptions, dtype, error_kind};
use numptx_runtime::{Device, DeviceArray, SharedDeviceArray};

use crate::kernels::{axpy, kernel, module_of};
use crate::program::{
    array_argument, beside_others, call, counts, elements, float_argument, fresh_axpy, is_apart, kernel_argument, on,
    overload, release,
};
use crate::strided::Strided;

/// What the child of a fork does; its result is the child's exit status.
fn child(array: SharedDeviceArray<f64>, module: &'static numptx_abi::Module) -> i32 {
    let function = overload(fresh_axpy, 4, 1, 0);
    let mut x = Strided::contiguous(&[300_000], |i| i as f64);
    let mut y = Strided::contiguous(&[300_000], |i| i as f64);
    let arguments = [
        kernel_argument(kernel(module, 0)),
        array_argument(&mut x, dtype::FLOAT64),
        array_argument(&mut y, dtype::FLOAT64),
        float_argument(1.0),
    ];
    for device in [InvokeOptions::CPU, InvokeOptions::AUTO] {
        let Ok(results) = call(&function, &arguments, &on(device)) else { return 10 };
        if elements::<f64>(&results[0])[299_999] != 599_998.0 {
            return 11;
        }
        release(&results[0]);
    }
    match call(&function, &arguments, &on(0)) {
        Err(error) if error.kind() == error_kind::RUNTIME && error.message().contains("before fork()") => {}
        _ => return 12,
    }
    drop(array);
    if counts().calls_in_child != 0 { 13 } else { 0 }
}

/// Runs in a process of its own, which has no other tests' threads when it forks.
#[test]
fn forks() {
    if !is_apart("fork::forks", &[("NUMPTX_NUM_THREADS", "3")]) {
        return;
    }
    let _turn = beside_others();
    let module = module_of("7.0", vec![axpy(1)]);
    let array = DeviceArray::from_slice(Device::Cuda(0), &[2], &[1.0f64, 2.0]).expect("memory is there").share();
    let mut x = Strided::contiguous(&[300_000], |i| i as f64);
    let mut y = x.clone();
    let arguments = [
        kernel_argument(kernel(module, 0)),
        array_argument(&mut x, dtype::FLOAT64),
        array_argument(&mut y, dtype::FLOAT64),
        float_argument(1.0),
    ];
    // The parent has used the pool and the driver.
    for device in [-1, 0] {
        release(&call(&overload(fresh_axpy, 4, 1, 0), &arguments, &on(device)).expect("the call is right")[0]);
    }
    // SAFETY: the child computes and leaves with `_exit`.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let status = std::panic::catch_unwind(|| child(array.clone(), module)).unwrap_or(99);
        // SAFETY: ends the child without running the parent's exit handlers.
        unsafe { libc::_exit(status) };
    }
    let mut status = 0;
    // SAFETY: waits for our own child.
    unsafe { libc::waitpid(pid, &mut status, 0) };
    assert!(libc::WIFEXITED(status), "the child was killed: {status}");
    assert_eq!(libc::WEXITSTATUS(status), 0);
    assert_eq!(array.to_vec().expect("the parent goes on"), [1.0, 2.0]);
}
