//! The debug mode of memory: planted faults are refused, reported and counted, each in a process of its own settings; right calls are not.

use std::ffi::c_void;

use numptx_abi::{Buffer, BufferInfo, Call, Entry, Status, Value, dtype, error_kind};
use numptx_runtime::memory_stats;

use crate::kernels::{axpy, kernel, module_of};
use crate::program::{
    DEVICES, alone, array_argument, call, counts, float_argument, fresh_axpy, is_apart, kernel_argument, on, overload,
    release, table, values,
};
use crate::strided::Strided;

const ON: &[(&str, &str)] = &[("NUMPTX_DEBUG_MEMORY", "1")];

/// A fresh buffer of the call.
///
/// # Safety
/// As the table's `alloc`.
unsafe fn fresh(call: *mut Call) -> *mut Buffer {
    let mut buffer = std::ptr::null_mut();
    // SAFETY: a compiled entry's call.
    assert_eq!(unsafe { (table().alloc)(call, 64, &mut buffer) }, 0);
    buffer
}

fn address(buffer: *mut Buffer) -> *mut u8 {
    let mut info =
        BufferInfo { data: std::ptr::null_mut::<c_void>(), bytes: 0, device: 0, read_only: 0, references: 0 };
    // SAFETY: the buffer is alive.
    unsafe { (table().buffer_info)(buffer, &mut info) };
    info.data.cast()
}

unsafe extern "C" fn releases_twice(call: *mut Call, _: *const Value, _: *mut Value) -> Status {
    // SAFETY: a fault on purpose, which is refused.
    unsafe {
        let buffer = fresh(call);
        (table().release)(buffer);
        (table().release)(buffer);
    }
    0
}

unsafe extern "C" fn retains_the_freed(call: *mut Call, _: *const Value, _: *mut Value) -> Status {
    // SAFETY: as above.
    unsafe {
        let buffer = fresh(call);
        (table().release)(buffer);
        (table().retain)(buffer);
    }
    0
}

unsafe extern "C" fn reads_the_freed(call: *mut Call, _: *const Value, _: *mut Value) -> Status {
    let mut bits = [0; 2];
    // SAFETY: as above.
    unsafe {
        let buffer = fresh(call);
        (table().release)(buffer);
        (table().item)(call, buffer, 0, u32::from(dtype::FLOAT64), &mut bits)
    }
}

unsafe extern "C" fn releases_its_argument(_: *mut Call, arguments: *const Value, _: *mut Value) -> Status {
    // SAFETY: as above.
    unsafe { (table().release)(values(arguments, 1)[0].array.buffer) };
    0
}

unsafe extern "C" fn retains_what_is_no_buffer(_: *mut Call, _: *const Value, _: *mut Value) -> Status {
    // SAFETY: as above: the address is not looked at.
    unsafe { (table().retain)(std::ptr::without_provenance_mut(0x1000)) };
    0
}

unsafe extern "C" fn retains_on_another_thread(_: *mut Call, arguments: *const Value, _: *mut Value) -> Status {
    let buffer = values(arguments, 1)[0].array.buffer.expose_provenance();
    let work = move || {
        // SAFETY: as above.
        unsafe { (table().retain)(std::ptr::with_exposed_provenance_mut(buffer)) };
    };
    std::thread::spawn(work).join().map_or(error_kind::RUNTIME, |()| 0)
}

unsafe extern "C" fn keeps_its_argument(_: *mut Call, arguments: *const Value, _: *mut Value) -> Status {
    // SAFETY: as above.
    unsafe { (table().retain)(values(arguments, 1)[0].array.buffer) };
    0
}

unsafe extern "C" fn writes_past_the_end(call: *mut Call, _: *const Value, _: *mut Value) -> Status {
    // SAFETY: as above: what is written is the canary's.
    unsafe {
        let buffer = fresh(call);
        address(buffer).add(64).write(0);
        (table().release)(buffer);
    }
    0
}

unsafe extern "C" fn writes_before_the_start(call: *mut Call, _: *const Value, _: *mut Value) -> Status {
    // SAFETY: as above.
    unsafe {
        let buffer = fresh(call);
        address(buffer).sub(1).write(0);
        (table().release)(buffer);
    }
    0
}

/// The report of a call that has a fault; nothing is left alive by it.
fn report(entry: Entry, device: i32) -> String {
    let mut x = Strided::contiguous(&[8], |i| i as f64);
    let before = memory_stats(None);
    let error = call(&overload(entry, 1, 0, 0), &[array_argument(&mut x, dtype::FLOAT64)], &on(device));
    let error = error.expect_err("a fault was planted");
    let after = memory_stats(None);
    assert_eq!((error.kind(), after.live_buffers), (error_kind::RUNTIME, before.live_buffers), "{error}");
    error.message().to_string()
}

#[test]
fn planted_faults_are_refused_and_reported() {
    if !is_apart("debug::planted_faults_are_refused_and_reported", ON) {
        return;
    }
    let _turn = alone();
    let everywhere: &[(Entry, &str)] = &[
        (releases_twice, "release of a buffer that is free: buffer"),
        (retains_the_freed, "retain of a buffer that is free: buffer"),
        (reads_the_freed, "use of a buffer that is free: buffer"),
        (releases_its_argument, "release of what belongs to the caller: the argument"),
        (retains_what_is_no_buffer, "retain of 0x1000, which is no buffer"),
        (keeps_its_argument, "did not balance its references: 1 buffers"),
    ];
    for (entry, words) in everywhere {
        for device in DEVICES {
            let text = report(*entry, device);
            assert!(text.contains(words), "{text}");
        }
    }
    let text = report(releases_twice, -1);
    assert!(text.contains("(64 bytes on the CPU, made in call") && text.contains(", freed in call"), "{text}");
    for (entry, words) in [
        (writes_past_the_end as Entry, "written 1 bytes after the elements of buffer"),
        (writes_before_the_start, "written 1 bytes before the elements of buffer"),
    ] {
        let text = report(entry, -1);
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(counts().violations, 0);
    assert_eq!(memory_stats(None).violations, 2 * 5 + 1 + 2);
}

#[test]
fn what_another_thread_does_to_an_argument_is_refused() {
    if !is_apart("debug::what_another_thread_does_to_an_argument_is_refused", ON) {
        return;
    }
    let _turn = alone();
    let mut x = Strided::contiguous(&[8], |i| i as f64);
    // The other thread has the report; the call itself did nothing wrong.
    let function = overload(retains_on_another_thread, 1, 0, 0);
    assert!(call(&function, &[array_argument(&mut x, dtype::FLOAT64)], &on(-1)).is_ok());
    assert_eq!(memory_stats(None).violations, 1);
}

#[test]
fn a_write_after_the_free_is_found_at_the_end() {
    if !is_apart("debug::a_write_after_the_free_is_found_at_the_end", ON) {
        return;
    }
    let _turn = alone();
    let (mut buffer, mut error) = (std::ptr::null_mut(), numptx_runtime::no_error());
    // SAFETY: what is freed is kept for a while, so that the write is the process's own memory.
    unsafe {
        assert_eq!((table().buffer_new)(-1, 32, std::ptr::null_mut(), &mut buffer, &mut error), 0);
        let elements = address(buffer);
        assert_eq!(elements.read(), 0xcb, "fresh memory is filled");
        (table().release)(buffer);
        assert_eq!(elements.read(), 0xdd, "freed memory is filled");
        elements.add(3).write(1);
        assert_eq!(memory_stats(None).violations, 0);
        (table().shutdown)(None, std::ptr::null_mut());
    }
    assert_eq!(memory_stats(None).violations, 1);
}

#[test]
fn right_calls_are_right_in_the_debug_mode() {
    if !is_apart("debug::right_calls_are_right_in_the_debug_mode", ON) {
        return;
    }
    let _turn = alone();
    let module = module_of("7.0", vec![axpy(2)]);
    let function = overload(fresh_axpy, 4, 1, 0);
    let mut x = Strided::contiguous(&[40, 50], |i| i as f64);
    let mut y = x.clone();
    let arguments = [
        kernel_argument(kernel(module, 0)),
        array_argument(&mut x, dtype::FLOAT64),
        array_argument(&mut y, dtype::FLOAT64),
        float_argument(1.0),
    ];
    for device in DEVICES {
        for _ in 0..20 {
            let results = call(&function, &arguments, &on(device)).expect("the call is right");
            assert_eq!(crate::program::elements::<f64>(&results[0])[7], 14.0);
            release(&results[0]);
        }
    }
    let stats = memory_stats(None);
    assert_eq!((stats.violations, stats.live_buffers, counts().violations), (0, 0, 0));
}
