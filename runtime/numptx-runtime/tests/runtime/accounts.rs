//! What calls keep: nothing. The check is shown to work by entries that keep something.

use numptx_abi::{Call, MemoryStats, Status, Value, dtype, error_kind};
use numptx_runtime::{Device, memory_stats};

use crate::kernels::{axpy, kernel, module_of};
use crate::program::{
    DEVICES, alone, array_argument, call, float_argument, fresh_axpy, give_array, kernel_argument, on, overload,
    release, table, trimmed, values,
};
use crate::strided::Strided;

/// Allocates and forgets.
unsafe extern "C" fn forgets(call: *mut Call, _arguments: *const Value, _results: *mut Value) -> Status {
    let mut buffer = std::ptr::null_mut();
    // SAFETY: a compiled entry's call.
    unsafe { (table().alloc)(call, 64, &mut buffer) }
}

/// Keeps a reference to its argument.
unsafe extern "C" fn keeps_argument(_call: *mut Call, arguments: *const Value, _results: *mut Value) -> Status {
    // SAFETY: a compiled entry's call.
    unsafe { (table().retain)(values(arguments, 1)[0].array.buffer) };
    0
}

/// Raises after allocating; releases nothing.
unsafe extern "C" fn raises_and_forgets(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    // SAFETY: a compiled entry's calls.
    unsafe {
        forgets(call, arguments, results);
        (table().raise)(call, error_kind::VALUE, c"no".as_ptr(), std::ptr::null(), 0)
    }
}

#[test]
fn planted_leaks_are_found() {
    let _turn = alone();
    let mut x = Strided::contiguous(&[4], |i| i as f64);
    for device in DEVICES {
        for function in
            [overload(forgets, 1, 0, 0), overload(keeps_argument, 1, 0, 0), overload(raises_and_forgets, 1, 0, 0)]
        {
            let error =
                call(&function, &[array_argument(&mut x, dtype::FLOAT64)], &on(device)).expect_err("it keeps a buffer");
            assert_eq!(error.kind(), error_kind::RUNTIME);
            assert!(error.message().contains("did not balance its references: 1 buffers"), "{error}");
        }
    }
}

#[test]
fn calls_give_everything_back() {
    let _turn = alone();
    let module = module_of("7.0", vec![axpy(2)]);
    let function = overload(fresh_axpy, 4, 1, 0);
    let mut x = Strided::contiguous(&[40, 50], |i| i as f64);
    let mut y = Strided::contiguous(&[40, 50], |i| i as f64);
    let arguments = [
        kernel_argument(kernel(module, 0)),
        array_argument(&mut x, dtype::FLOAT64),
        array_argument(&mut y, dtype::FLOAT64),
        float_argument(1.0),
    ];
    for device in DEVICES {
        let (before, mock_before) = ((memory_stats(Some(Device::Cpu)), memory_stats(Some(Device::Cuda(0)))), trimmed());
        for _ in 0..20 {
            release(&call(&function, &arguments, &on(device)).expect("the call is right")[0]);
        }
        let (after, mock_after) = ((memory_stats(Some(Device::Cpu)), memory_stats(Some(Device::Cuda(0)))), trimmed());
        assert_eq!((after.0.live_buffers, after.0.live_bytes), (before.0.live_buffers, before.0.live_bytes));
        assert_eq!((after.1.live_buffers, after.1.live_bytes), (before.1.live_buffers, before.1.live_bytes));
        assert_eq!(mock_after.live_allocations, mock_before.live_allocations);
        let there = |both: &(MemoryStats, MemoryStats)| if device < 0 { both.0 } else { both.1 };
        assert_eq!(there(&after).launches - there(&before).launches, 20);
        assert_eq!(there(&after).frees - there(&before).frees, there(&after).allocations - there(&before).allocations);
        assert_eq!(mock_after.launches - mock_before.launches, if device < 0 { 0 } else { 20 });
        assert_eq!(mock_after.violations, 0);
    }
}

/// `return x, x[1:]` of a fresh array: two results of one buffer.
unsafe extern "C" fn two_views(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    // SAFETY: a compiled entry's calls.
    unsafe {
        let status = fresh_axpy(call, arguments, results);
        if status == 0 {
            let mut tail = (*results).array;
            (table().retain)(tail.buffer);
            tail.offset += 8;
            tail.shape[0] -= 1;
            give_array(results.add(1), tail);
        }
        status
    }
}

#[test]
fn results_that_share_a_buffer_share_it_on_the_host() {
    let _turn = alone();
    let module = module_of("7.0", vec![axpy(1)]);
    let function = overload(two_views, 4, 2, 0);
    let mut x = Strided::contiguous(&[5], |i| i as f64);
    let mut y = x.clone();
    for device in DEVICES {
        let arguments = [
            kernel_argument(kernel(module, 0)),
            array_argument(&mut x, dtype::FLOAT64),
            array_argument(&mut y, dtype::FLOAT64),
            float_argument(1.0),
        ];
        let results = call(&function, &arguments, &on(device)).expect("the call is right");
        assert_eq!(results[0].array.buffer, results[1].array.buffer);
        assert_eq!(results[1].data.addr() - results[0].data.addr(), 8);
        assert_eq!(crate::program::elements::<f64>(&results[1]), [2.0, 4.0, 6.0, 8.0]);
        results.iter().for_each(release);
    }
}

/// `return x[1:]`.
unsafe extern "C" fn tail(_call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    let mut array = values(arguments, 1)[0].array;
    array.offset += array.strides[0];
    array.shape[0] -= 1;
    // SAFETY: a compiled entry's calls.
    unsafe {
        (table().retain)(array.buffer);
        give_array(results, array);
    }
    0
}

#[test]
fn a_view_of_an_argument_names_it() {
    let _turn = alone();
    let function = overload(tail, 1, 1, 0);
    let mut x = Strided::contiguous(&[5], |i| i as f64);
    x.offset = 4;
    x.strides[0] = -1;
    for device in DEVICES {
        let results =
            call(&function, &[array_argument(&mut x, dtype::FLOAT64)], &on(device)).expect("the call is right");
        let result = &results[0];
        assert!(result.array.buffer.is_null());
        assert_eq!((result.parameter, result.device, result.array.strides[0]), (0, -1, -8));
        assert_eq!(result.data, x.storage.as_mut_ptr().wrapping_add(3).cast());
    }
}

#[test]
fn a_view_of_a_runtime_buffer_carries_it() {
    let _turn = alone();
    let function = overload(tail, 1, 1, 0);
    for place in [numptx_runtime::Device::Cpu, numptx_runtime::Device::Cuda(0)] {
        let array = numptx_runtime::DeviceArray::from_slice(place, &[3], &[1.0f64, 2.0, 3.0]).expect("memory is there");
        for device in [place.ordinal(), 0] {
            let results = call(&function, &[array.argument()], &on(device)).expect("the call is right");
            assert_eq!(results[0].array.buffer, array.argument().array.buffer);
            assert_eq!((results[0].data, results[0].device), (array.data().wrapping_add(8).cast(), place.ordinal()));
            release(&results[0]);
        }
    }
}
