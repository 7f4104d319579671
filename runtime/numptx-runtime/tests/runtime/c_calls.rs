//! What C passes is compared with the overload's parameters; what does not fit is a status with the argument's name.

use std::ptr::{null, null_mut};
use std::sync::atomic::AtomicPtr;

use numptx_abi::{Argument, Call, Function, Module, Overload, Parameter, ResultNode, Status, Value, dtype, error_kind};
use numptx_runtime::{Error, no_error, numptx_call};

use crate::program::{array_argument, beside_others, float_argument, overload, values};
use crate::strided::Strided;

/// Gives the first extent of `x`, which is the third argument.
unsafe extern "C" fn third(_call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    let x = &values(arguments, 3)[2];
    // SAFETY: the runtime passes room for a result.
    unsafe {
        (*results).kind = Value::SCALAR;
        (*results).bits = [x.array.shape[0] as u64, 0];
    }
    0
}

fn node(name: *const std::ffi::c_char, kind: u8, dtype: u8, rank: u8) -> Parameter {
    let (extents, text) = (null(), null());
    Parameter { name, kind, dtype, weak: 0, rank, order: 0, by_name: 0, reserved: [0; 2], extents, text }
}

/// A module with one function, `f((float64, int32[:]), float64[:, 3] order(C))`.
fn module() -> &'static Module {
    let nodes = vec![
        node(c"pair".as_ptr(), Parameter::TUPLE, 0, 2),
        node(null(), Parameter::SCALAR, dtype::FLOAT64, 0),
        node(null(), Parameter::ARRAY, dtype::INT32, 1),
        node(c"nothing".as_ptr(), Parameter::NONE, 0, 0),
        Parameter {
            order: 1,
            extents: vec![-1, 3].leak().as_ptr(),
            ..node(c"x".as_ptr(), Parameter::ARRAY, dtype::FLOAT64, 2)
        },
    ];
    let n_parameter_nodes = nodes.len() as u32;
    let result = ResultNode::new(ResultNode::PYTHON_SCALAR, dtype::INT64, 0);
    let overload = Overload {
        n_parameters: 3,
        n_parameter_nodes,
        n_result_nodes: 1,
        parameters: nodes.leak().as_ptr(),
        results: Box::leak(Box::new(result)),
        ..overload(third, 3, 1, 0)
    };
    let function = Function {
        name: c"f".as_ptr(),
        docstring: c"".as_ptr(),
        module: null(),
        n_overloads: 1,
        reserved: 0,
        overloads: Box::leak(Box::new(overload)),
        trampoline: null(),
        python: AtomicPtr::new(null_mut()),
    };
    Box::leak(Box::new(Module {
        abi_version: numptx_abi::ABI_VERSION,
        struct_bytes: size_of::<Module>() as u32,
        name: c"kernels".as_ptr(),
        compiler: c"a test".as_ptr(),
        docstring: null(),
        n_functions: 1,
        n_kernels: 0,
        n_images: 0,
        n_globals: 0,
        functions: Box::leak(Box::new(function)),
        kernels: null(),
        images: null(),
        global_names: null(),
        global_values: null(),
        table: AtomicPtr::new(null_mut()),
        runtime: AtomicPtr::new(null_mut()),
        python: AtomicPtr::new(null_mut()),
        source: null(),
        host: null(),
    }))
}

fn call(module: *const Module, at: (u32, u32), arguments: &[Argument]) -> Result<u64, Error> {
    let mut error = no_error();
    let mut result = std::mem::MaybeUninit::<Value>::zeroed();
    let n = arguments.len() as u32;
    // SAFETY: the descriptor is whole; there is a result, which any bits are one of.
    let status = unsafe {
        numptx_call(module, at.0, at.1, arguments.as_ptr(), n, result.as_mut_ptr(), 1, null(), &raw mut error)
    };
    // SAFETY: as above.
    if status == 0 { Ok(unsafe { result.assume_init() }.bits[0]) } else { Err(Error::from_abi(status, &error)) }
}

#[test]
fn what_fits_is_called() {
    let _turn = beside_others();
    let (mut n, mut x) = (Strided::contiguous(&[2], |i| i as i32), Strided::contiguous(&[4, 3], |i| i as f64));
    let arguments = [float_argument(0.5), array_argument(&mut n, dtype::INT32), array_argument(&mut x, dtype::FLOAT64)];
    assert_eq!(call(module(), (0, 0), &arguments), Ok(4));
}

#[test]
fn what_does_not_fit_is_named() {
    let _turn = beside_others();
    let (mut n, mut x) = (Strided::contiguous(&[2], |i| i as i32), Strided::contiguous(&[4, 3], |i| i as f64));
    let (scale, n) = (float_argument(0.5), array_argument(&mut n, dtype::INT32));
    let x = array_argument(&mut x, dtype::FLOAT64);
    let with_array = |change: &dyn Fn(&mut Argument)| {
        let mut changed = x;
        change(&mut changed);
        [scale, n, changed]
    };
    let cases: [([Argument; 3], Status, &str); 16] = [
        ([n, n, x], error_kind::TYPE, "argument 1 `pair[0]`: expected float64, got an array of int32"),
        ([scale, scale, x], error_kind::TYPE, "argument 2 `pair[1]`: expected int32[:], got a number of float64"),
        ([scale, x, x], error_kind::TYPE, "argument 2 `pair[1]`: expected int32[:], got float64[4, 3]"),
        ([scale, n, n], error_kind::TYPE, "argument 3 `x`: expected float64[:, 3] order(C), got int32[2]"),
        (with_array(&|x| x.dtype = 9), error_kind::TYPE, "expected float64[:, 3] order(C), got float32[4, 3]"),
        (with_array(&|x| x.array.shape[1] = 4), error_kind::TYPE, "order(C), got float64[4, 4]"),
        (
            with_array(&|x| x.array.strides[0] = 48),
            error_kind::TYPE,
            "order(C), got float64[4, 3] with strides of [48, 8] bytes",
        ),
        (with_array(&|x| x.kind = 0), error_kind::TYPE, "got nothing: the argument was not set"),
        (with_array(&|x| x.array.rank = 17), error_kind::VALUE, "argument 3 `x`: 17 axes, and arrays have at most 16"),
        (with_array(&|x| x.array.rank = u32::MAX), error_kind::VALUE, "its shape is NULL"),
        (with_array(&|x| x.array.shape[0] = -1), error_kind::VALUE, "axis 0 has a negative extent, -1"),
        (
            with_array(&|x| x.array.shape[0] = i64::MAX / 8),
            error_kind::VALUE,
            "shape (1152921504606846975, 3) takes more bytes than there are addresses",
        ),
        (
            with_array(&|x| x.device = -10),
            error_kind::VALUE,
            "argument 3 `x`: there is no device -10, and the host is -1",
        ),
        (with_array(&|x| x.dtype = 14), error_kind::VALUE, "no dtype has the code 14"),
        (with_array(&|x| x.data = null_mut()), error_kind::VALUE, "its elements are at NULL"),
        (with_array(&|x| x.data = x.data.wrapping_byte_add(4)), error_kind::VALUE, "are not aligned to 8 bytes"),
    ];
    for (arguments, kind, message) in cases {
        let error = call(module(), (0, 0), &arguments).expect_err(message);
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(message), "{error}");
    }
    // Nothing lies anywhere.
    let empty = with_array(&|x| (x.array.shape[0], x.data) = (0, null_mut()));
    assert_eq!(call(module(), (0, 0), &empty), Ok(0));
}

#[test]
fn a_header_of_another_compilation_is_told() {
    let _turn = beside_others();
    for (at, n) in [((1, 0), 3), ((0, 1), 3), ((0, 0), 2)] {
        let error = call(module(), at, &[float_argument(1.0); 3][..n]).expect_err("there is no such function");
        assert_eq!(error.message(), "the header and the library were not made by the same compilation");
    }
    let mut older = no_error();
    // Version 3, aligned as descriptors are.
    let old = [3u64, 0];
    // SAFETY: of a descriptor of another version only these two fields are read.
    let status = unsafe { numptx_call(old.as_ptr().cast(), 0, 0, null(), 0, null_mut(), 0, null(), &raw mut older) };
    assert_eq!(status, error_kind::RUNTIME);
    assert!(Error::from_abi(status, &older).message().contains("was compiled for numptx ABI 3 "));
}

#[test]
fn null_is_taken_where_it_means_something() {
    let _turn = beside_others();
    // SAFETY: nothing is read; there is no place for an error.
    let status = unsafe { numptx_call(null(), 0, 0, null(), 0, null_mut(), 0, null(), null_mut()) };
    assert_eq!(status, error_kind::VALUE);
    let arguments = [float_argument(1.0); 3];
    let mut error = no_error();
    // SAFETY: three arguments, and no room for results, which is refused.
    let status = unsafe { numptx_call(module(), 0, 0, arguments.as_ptr(), 3, null_mut(), 1, null(), &raw mut error) };
    assert_eq!(Error::from_abi(status, &error).message(), "`results` is NULL, and the function has 1");
}
