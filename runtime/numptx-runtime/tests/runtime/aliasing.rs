//! Which version of a function runs when arguments overlap, and that overlapping host arguments overlap on the device too.

use numptx_abi::{Call, Status, Value, dtype};

use crate::kernels::{axpy, kernel, module_of};
use crate::program::{
    DEVICES, array_argument, assign_axpy, beside_others, call, float_argument, kernel_argument, on, overload,
    two_versions,
};
use crate::strided::Strided;

unsafe extern "C" fn noalias(_call: *mut Call, _arguments: *const Value, results: *mut Value) -> Status {
    // SAFETY: there is one result.
    unsafe { (*results).kind = Value::SCALAR };
    0
}

unsafe extern "C" fn mayalias(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    // SAFETY: there is one result.
    unsafe {
        noalias(call, arguments, results);
        (*results).bits[0] = 1;
    }
    0
}

/// A part of an array.
fn part(of: &mut Strided<f64>, first: i64, extent: i64, step: i64) -> numptx_abi::Argument {
    let mut view = array_argument(of, dtype::FLOAT64);
    view.array.shape[0] = extent;
    view.array.strides[0] = 8 * step;
    view.data = of.first().wrapping_offset(first as isize).cast();
    view
}

#[test]
fn overlap_with_a_written_array_picks_the_careful_version() {
    let _turn = beside_others();
    let mut x = Strided::contiguous(&[10], |i| i as f64);
    let mut runs = |written: u64, a: (i64, i64, i64), b: (i64, i64, i64)| {
        let function = two_versions(noalias, mayalias, 2, 1, written);
        let arguments = [part(&mut x, a.0, a.1, a.2), part(&mut x, b.0, b.1, b.2)];
        call(&function, &arguments, &on(-1)).expect("nothing can fail")[0].bits[0]
    };
    assert_eq!(runs(0b01, (0, 5, 1), (5, 5, 1)), 0, "neighbours");
    assert_eq!(runs(0b01, (0, 6, 1), (5, 5, 1)), 1, "one element shared");
    assert_eq!(runs(0b10, (0, 6, 1), (5, 5, 1)), 1, "the second is written");
    assert_eq!(runs(0b00, (0, 6, 1), (5, 5, 1)), 0, "nothing is written");
    assert_eq!(runs(0b01, (9, 5, -1), (4, 5, -1)), 0, "neighbours, downwards");
    assert_eq!(runs(0b01, (9, 6, -1), (4, 5, -1)), 1, "one element shared, downwards");
    assert_eq!(runs(0b11, (3, 0, 1), (0, 10, 1)), 0, "an empty array shares nothing");
}

#[test]
fn overlapping_arguments_share_their_copy_on_the_device() {
    let _turn = beside_others();
    let module = module_of("7.0", vec![axpy(1)]);
    let function = overload(assign_axpy, 5, 0, 1 << 3);
    for device in DEVICES {
        // In place: `a = 2 a + a`, through three arguments over the same memory.
        let mut a = Strided::contiguous(&[6], |i| i as f64);
        let arguments = [
            kernel_argument(kernel(module, 0)),
            part(&mut a, 0, 4, 1),
            part(&mut a, 0, 4, 1),
            part(&mut a, 0, 4, 1),
            float_argument(2.0),
        ];
        call(&function, &arguments, &on(device)).expect("the call is right");
        assert_eq!(a.storage, [0.0, 3.0, 6.0, 9.0, 4.0, 5.0], "device {device}");
        // Reads the odd elements, writes the even ones.
        let arguments = [
            kernel_argument(kernel(module, 0)),
            part(&mut a, 1, 3, 2),
            part(&mut a, 1, 3, 2),
            part(&mut a, 0, 3, 2),
            float_argument(1.0),
        ];
        call(&function, &arguments, &on(device)).expect("the call is right");
        assert_eq!(a.storage, [6.0, 3.0, 18.0, 9.0, 10.0, 5.0], "device {device}");
    }
}

#[test]
fn interleaved_arrays_take_the_fast_version() {
    let _turn = beside_others();
    let mut x = Strided::contiguous(&[40], |i| i as f64);
    let function = two_versions(noalias, mayalias, 2, 1, 0b01);
    let mut runs = |a: (i64, i64, i64), b: (i64, i64, i64)| {
        let arguments = [part(&mut x, a.0, a.1, a.2), part(&mut x, b.0, b.1, b.2)];
        call(&function, &arguments, &on(-1)).expect("nothing can fail")[0].bits[0]
    };
    assert_eq!(runs((0, 10, 2), (1, 10, 2)), 0, "even and odd elements");
    assert_eq!(runs((0, 10, 2), (2, 10, 2)), 1, "even elements both");
    assert_eq!(runs((0, 10, 2), (19, 10, -2)), 0, "odd elements backwards");
    assert_eq!(runs((0, 10, 3), (1, 10, 3)), 0, "thirds");
    assert_eq!(runs((0, 10, 3), (1, 10, 2)), 1, "every third and every second");
    assert_eq!(runs((0, 2, 20), (1, 19, 1)), 0, "around");
}

/// [`assign_axpy`], and meanwhile somebody else writes elements 1, 3 and 5 at the address that comes last.
unsafe extern "C" fn disturbed_axpy(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    // SAFETY: there are six arguments, the last one an address of at least six numbers.
    unsafe {
        let address = (*arguments.add(5)).bits[0] as usize;
        let status = assign_axpy(call, arguments, results);
        let memory = std::ptr::with_exposed_provenance_mut::<f64>(address);
        for i in [1, 3, 5] {
            memory.add(i).write(100.0);
        }
        status
    }
}

fn address_argument(of: &mut Strided<f64>) -> numptx_abi::Argument {
    let address = of.storage.as_mut_ptr().expose_provenance() as u64;
    float_argument(f64::from_bits(address))
}

/// Even elements are written from odd ones (`out = 1 · x + x`) while somebody else changes some of these; `written` names the arguments that could be written.
fn gaps_stay(written: u64) {
    let module = module_of("7.0", vec![axpy(1)]);
    let function = overload(disturbed_axpy, 6, 0, written);
    for device in DEVICES {
        let mut a = Strided::contiguous(&[10], |i| i as f64);
        let place = address_argument(&mut a);
        let arguments = [
            kernel_argument(kernel(module, 0)),
            part(&mut a, 1, 5, 2),
            part(&mut a, 1, 5, 2),
            part(&mut a, 0, 5, 2),
            float_argument(1.0),
            place,
        ];
        call(&function, &arguments, &on(device)).expect("the call is right");
        let expected = [2.0, 100.0, 6.0, 100.0, 10.0, 100.0, 14.0, 7.0, 18.0, 9.0];
        assert_eq!(a.storage, expected, "device {device}, written {written:b}");
    }
}

#[test]
fn bytes_between_the_elements_of_a_written_argument_stay_the_callers() {
    let _turn = beside_others();
    gaps_stay(1 << 3);
}

#[test]
fn an_argument_that_was_not_written_is_not_written_back() {
    let _turn = beside_others();
    gaps_stay(1 << 3 | 1 << 1 | 1 << 2);
}

#[test]
fn a_written_argument_whose_elements_overlap_is_refused() {
    let _turn = beside_others();
    let mut x = Strided::contiguous(&[12], |i| i as f64);
    let mut windows = part(&mut x, 0, 4, 1);
    windows.array.rank = 2;
    windows.array.shape[1] = 3;
    windows.array.strides[1] = 8;
    let mut y = Strided::contiguous(&[3], |i| i as f64);
    for device in DEVICES {
        let arguments = [windows, part(&mut y, 0, 3, 1)];
        let refused = call(&two_versions(noalias, mayalias, 2, 1, 0b11), &arguments, &on(device));
        let error = refused.map(|_| ()).expect_err("it is refused");
        assert!(error.message().contains("elements of argument 1 share memory"), "{error}");
        assert_eq!(error.kind(), numptx_abi::error_kind::VALUE);
        call(&two_versions(noalias, mayalias, 2, 1, 0b10), &arguments, &on(device)).expect("it is only read");
    }
}
