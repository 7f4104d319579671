//! Buffers: foreign owners, sizes that cannot be, frees on other threads.

use std::ffi::c_void;
use std::sync::atomic::{AtomicI64, Ordering};

use numptx_abi::{BufferInfo, OwnerTable, error_kind};
use numptx_runtime::{Device, DeviceArray, no_error};

use crate::program::{alone, beside_others, counts, table};

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
        let status = (table().buffer_foreign)(data, 32, -1, 1, who, &owners, &mut buffer, &mut no_error());
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
        let status = unsafe { (table().buffer_new)(device, bytes, &mut buffer, &mut error) };
        assert_eq!((status, error.kind), (error_kind::MEMORY, error_kind::MEMORY), "{bytes} on {device}");
    }
}

#[test]
fn device_memory_is_given_back_from_a_thread_without_a_context() {
    let _turn = alone();
    let before = counts();
    let array = DeviceArray::from_slice(Device::Cuda(0), &[1000], &[1.0f32; 1000]).expect("memory is there");
    assert_eq!(counts().live_allocations, before.live_allocations + 1);
    let shared = array.clone();
    std::thread::spawn(move || drop(array)).join().expect("the thread ends");
    assert_eq!(counts().live_allocations, before.live_allocations + 1);
    std::thread::spawn(move || drop(shared)).join().expect("the thread ends");
    assert_eq!(counts().live_allocations, before.live_allocations);
    assert_eq!(counts().violations, 0);
}
