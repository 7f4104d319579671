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
