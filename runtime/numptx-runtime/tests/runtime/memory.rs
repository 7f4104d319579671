//! Buffers: foreign owners, sizes that cannot be, frees on other threads.

use std::ffi::c_void;
use std::sync::atomic::{AtomicI64, Ordering};

use numptx_abi::{Buffer, BufferInfo, Call, OwnerTable, Status, Value, dtype, error_kind};
use numptx_runtime::{Device, DeviceArray, no_error};

use crate::program::{
    DEVICES, alone, array_argument, beside_others, call, counts, on, overload, table, trimmed, values,
};
use crate::strided::Strided;

unsafe extern "C" fn retain(owner: *mut c_void) {
    // SAFETY: the test passes a counter.
    unsafe { &*owner.cast::<AtomicI64>() }.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn release(owner: *mut c_void) {
    // SAFETY: the test passes a counter.
    unsafe { &*owner.cast::<AtomicI64>() }.fetch_sub(1, Ordering::Relaxed);
}

#[test]
fn a_foreign_owner_is_held_as_long_as_the_buffer() {
    let _turn = beside_others();
    let owner = AtomicI64::new(0);
    let mut memory = [0u8; 32];
    let mut buffer = std::ptr::null_mut();
    let mut described = BufferInfo { data: std::ptr::null_mut(), bytes: 0, device: 0, read_only: 0, references: 0 };
    let owners = OwnerTable { retain, release };
    // SAFETY: the memory and its owner outlive the buffer.
    unsafe {
        let (data, who) = (memory.as_mut_ptr().cast(), std::ptr::from_ref(&owner).cast_mut().cast());
        let status = (table().buffer_foreign)(data, 32, -1, 1, 0, who, &owners, &mut buffer, &mut no_error());
        assert_eq!((status, owner.load(Ordering::Relaxed)), (0, 1));
        (table().buffer_info)(buffer, &mut described);
        assert_eq!((described.data, described.bytes, described.device, described.read_only), (data, 32, -1, 1));
        (table().retain)(buffer);
        (table().release)(buffer);
        assert_eq!(owner.load(Ordering::Relaxed), 1);
        (table().release)(buffer);
    }
    assert_eq!(owner.load(Ordering::Relaxed), 0);
}

#[test]
fn sizes_that_cannot_be_are_memory_errors() {
    let _turn = beside_others();
    for (device, bytes) in [(-1, -8), (-1, i64::MAX), (-1, 1 << 62), (0, -8), (0, 1 << 50)] {
        let mut buffer = std::ptr::null_mut();
        let mut error = no_error();
        // SAFETY: places for results.
        let status = unsafe { (table().buffer_new)(device, bytes, std::ptr::null_mut(), &mut buffer, &mut error) };
        assert_eq!((status, error.kind), (error_kind::MEMORY, error_kind::MEMORY), "{bytes} on {device}");
    }
}

#[test]
fn device_memory_is_given_back_from_a_thread_without_a_context() {
    let _turn = alone();
    let before = trimmed();
    let array = DeviceArray::from_slice(Device::Cuda(0), &[1000], &[1.0f32; 1000]).expect("memory is there").share();
    assert_eq!(counts().live_allocations, before.live_allocations + 1);
    let shared = array.clone();
    std::thread::spawn(move || drop(array)).join().expect("the thread ends");
    assert_eq!(counts().live_allocations, before.live_allocations + 1);
    std::thread::spawn(move || drop(shared)).join().expect("the thread ends");
    assert_eq!(trimmed().live_allocations, before.live_allocations);
    assert_eq!(counts().violations, 0);
}

/// Whose memory `reuse` gave: its argument's, or fresh memory.
unsafe fn reused(call: *mut Call, buffer: *mut Buffer, bytes: i64, fits: u32) -> Result<bool, Status> {
    let mut out = std::ptr::null_mut();
    // SAFETY: a compiled entry's calls.
    unsafe {
        let status = (table().reuse)(call, buffer, bytes, fits, &mut out);
        if status != 0 {
            return Err(status);
        }
        (table().release)(out);
    }
    Ok(out == buffer)
}

/// Takes memory that is free and fits, and none else. Argument: an array. Returns nothing.
unsafe extern "C" fn takes_what_is_free(call: *mut Call, arguments: *const Value, _results: *mut Value) -> Status {
    let mut buffer = std::ptr::null_mut();
    // SAFETY: a compiled entry's calls.
    let outcome = unsafe {
        let status = (table().alloc)(call, 64, &mut buffer);
        if status != 0 {
            return status;
        }
        let mut found = vec![reused(call, buffer, 64, 1), reused(call, buffer, 64, 0), reused(call, buffer, 32, 1)];
        found.extend([reused(call, buffer, 128, 1), reused(call, buffer, i64::MAX, 1)]);
        (table().retain)(buffer);
        found.push(reused(call, buffer, 64, 1));
        (table().release)(buffer);
        found.push(reused(call, buffer, 64, 1));
        (table().release)(buffer);
        let argument = &values(arguments, 1)[0].array;
        found.push(reused(call, argument.buffer, 64, 1));
        found
    };
    let (same, fresh) = (Ok(true), Ok(false));
    let memory = Err(error_kind::MEMORY);
    assert_eq!(outcome, [same, fresh, fresh, fresh, memory, fresh, same, fresh]);
    0
}

#[test]
fn only_memory_that_nobody_else_has_is_taken() {
    let _turn = alone();
    let function = overload(takes_what_is_free, 1, 0, 0);
    for device in DEVICES {
        let mut x = Strided::contiguous(&[8], |i| i as f64);
        let before = trimmed().live_allocations;
        let status = call(&function, &[array_argument(&mut x, dtype::FLOAT64)], &on(device)).map(|_| ());
        // The last failure was the wanted one: the entry goes on after it.
        assert_eq!(status, Ok(()));
        assert_eq!(trimmed().live_allocations, before);
    }
}
