//! Calls from Rust: what the descriptor says is checked, and results are owned or borrowed as their memory is.

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use numptx_abi::{
    Array, BufferInfo, Call, Entry, Function, Module, Overload, Parameter, ResultNode, Status, Value, dtype, error_kind,
};
use numptx_runtime::{
    CallArgument, Complex, Device, DeviceArray, Element, HostCow, LinkedModule, ResultPlace, Results,
    SharedDeviceArray, memory_stats,
};

use crate::program::{alone, beside_others, give_array, table, two_versions, values};

fn leak<T>(list: Vec<T>) -> *const T {
    Vec::leak(list).as_ptr()
}

fn array_of(code: u8, rank: u8) -> Parameter {
    Parameter {
        name: c"x".as_ptr(),
        kind: Parameter::ARRAY,
        dtype: code,
        weak: 0,
        rank,
        order: 0,
        by_name: 0,
        reserved: [0; 2],
        extents: std::ptr::null(),
        text: std::ptr::null(),
    }
}

fn scalar_of(code: u8) -> Parameter {
    Parameter { kind: Parameter::SCALAR, rank: 0, ..array_of(code, 0) }
}

fn result_of(code: u8) -> ResultNode {
    ResultNode::new(ResultNode::ARRAY, code, 1)
}

/// A library of one function. `written`: bits of its arguments.
fn library(entry: Entry, parameters: Vec<Parameter>, results: Vec<ResultNode>, written: u64) -> LinkedModule {
    changed(entry, parameters, results, written, |_| {})
}

/// The same with something else said of its function.
fn changed(
    entry: Entry,
    parameters: Vec<Parameter>,
    results: Vec<ResultNode>,
    written: u64,
    change: impl FnOnce(&mut Overload),
) -> LinkedModule {
    let module: *mut Module = Box::into_raw(Box::new(Module {
        abi_version: numptx_abi::ABI_VERSION,
        struct_bytes: size_of::<Module>() as u32,
        name: c"linked".as_ptr(),
        compiler: c"a test".as_ptr(),
        docstring: std::ptr::null(),
        n_functions: 1,
        n_kernels: 0,
        n_images: 0,
        n_globals: 0,
        functions: std::ptr::null(),
        kernels: std::ptr::null(),
        images: std::ptr::null(),
        global_names: std::ptr::null(),
        global_values: std::ptr::null(),
        table: AtomicPtr::new(std::ptr::null_mut()),
        runtime: AtomicPtr::new(std::ptr::null_mut()),
        python: AtomicPtr::new(std::ptr::null_mut()),
        source: std::ptr::null(),
        host: std::ptr::null(),
    }));
    let (n, n_results) = (parameters.len() as u32, results.len() as u32);
    // Several are the members of a tuple.
    let tuple = ResultNode::new(ResultNode::TUPLE, 0, n_results as u8);
    let nodes: Vec<ResultNode> = (n_results > 1).then_some(tuple).into_iter().chain(results).collect();
    let mut overload = Overload {
        n_parameter_nodes: n,
        n_result_nodes: nodes.len() as u32,
        parameters: leak(parameters),
        results: leak(nodes),
        module,
        ..two_versions(entry, entry, n, n_results, written)
    };
    change(&mut overload);
    let function = Function {
        name: c"f".as_ptr(),
        docstring: c"".as_ptr(),
        module,
        n_overloads: 1,
        reserved: 0,
        overloads: leak(vec![overload]),
        trampoline: std::ptr::null(),
        python: AtomicPtr::new(std::ptr::null_mut()),
    };
    // SAFETY: the module was boxed above, is complete then, and is never freed.
    unsafe {
        (*module).functions = leak(vec![function]);
        LinkedModule::new(module)
    }
}

fn place_of(buffer: *const numptx_abi::Buffer) -> *mut u8 {
    let mut info = BufferInfo { data: std::ptr::null_mut(), bytes: 0, device: 0, read_only: 0, references: 0 };
    // SAFETY: the buffer is alive.
    unsafe { (table().buffer_info)(buffer, &mut info) };
    info.data.cast()
}

/// A fresh array like `like`, whose elements of `T` count from 1 on.
unsafe fn counted<T: Copy>(call: *mut Call, like: &Array, code: u8, element: fn(i64) -> T) -> Result<Array, Status> {
    let n = like.shape[0];
    let size = size_of::<T>() as i64;
    let mut out = Array { offset: 0, dtype: u32::from(code), ..*like };
    out.strides[0] = size;
    // SAFETY: a compiled entry's calls, and writes to what was just allocated.
    unsafe {
        let status = (table().alloc)(call, n * size, &mut out.buffer);
        if status != 0 {
            return Err(status);
        }
        (0..n).for_each(|i| place_of(out.buffer).cast::<T>().add(i as usize).write(element(i + 1)));
    }
    Ok(out)
}

/// Where the last entry's first result was made.
static MADE_AT: AtomicUsize = AtomicUsize::new(0);

/// `result = 1, 2, …` of float64, as many as the argument has.
unsafe extern "C" fn count(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    // SAFETY: a compiled entry's calls; there is one result.
    unsafe {
        match counted(call, &values(arguments, 1)[0].array, dtype::FLOAT64, |i| i as f64) {
            Ok(array) => {
                MADE_AT.store(place_of(array.buffer).addr(), Ordering::Relaxed);
                give_array(results, array);
                0
            }
            Err(status) => status,
        }
    }
}

/// Two results of different alignment.
unsafe extern "C" fn count_twice(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    let like = &values(arguments, 1)[0].array;
    // SAFETY: a compiled entry's calls; there are two results.
    unsafe {
        let made = (
            counted(call, like, dtype::FLOAT64, |i| i as f64),
            counted(call, like, dtype::COMPLEX64, |i| Complex::new(i as f32, -1.0)),
        );
        let (Ok(first), Ok(second)) = made else { return error_kind::MEMORY };
        give_array(results, first);
        give_array(results.add(1), second);
    }
    0
}

/// Bools that nothing was written to but what is there.
unsafe extern "C" fn garbage(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    // SAFETY: a compiled entry's calls; there is one result.
    unsafe {
        let Ok(array) = counted(call, &values(arguments, 1)[0].array, dtype::BOOL, |i| i as u8) else {
            return error_kind::MEMORY;
        };
        give_array(results, array);
    }
    0
}

/// `result = x[1:]`.
unsafe extern "C" fn tail(_call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    let x = &values(arguments, 1)[0].array;
    let mut view = Array { offset: x.offset + x.strides[0], ..*x };
    view.shape[0] -= 1;
    // SAFETY: the argument's buffer is alive; there is one result.
    unsafe {
        (table().retain)(x.buffer);
        give_array(results, view);
    }
    0
}

/// Twice the same array.
unsafe extern "C" fn same_twice(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    // SAFETY: a compiled entry's calls; there are two results.
    unsafe {
        let Ok(array) = counted(call, &values(arguments, 1)[0].array, dtype::FLOAT64, |i| i as f64) else {
            return error_kind::MEMORY;
        };
        (table().retain)(array.buffer);
        give_array(results, array);
        give_array(results.add(1), array);
    }
    0
}

/// Nothing.
unsafe extern "C" fn nothing(_call: *mut Call, _arguments: *const Value, _results: *mut Value) -> Status {
    0
}

fn host<'v, 'b, T: Element>(elements: &'b [T]) -> CallArgument<'v, 'b> {
    // SAFETY: the slice is borrowed for `'b`, and only read.
    unsafe { CallArgument::host(elements.as_ptr(), (&[elements.len()], &[1]), false) }.expect("it has one axis")
}

fn call<'v, 'b, const N: usize, const R: usize>(
    library: LinkedModule,
    arguments: [CallArgument<'v, 'b>; N],
) -> Result<Results<'v, 'b, R>, numptx_runtime::Error> {
    library.call((0, 0), ResultPlace::Host, arguments)
}

#[test]
fn arguments_that_the_function_does_not_take_are_refused_before_it_runs() {
    let _turn = beside_others();
    let message = |outcome: Result<Results<'_, '_, 0>, numptx_runtime::Error>| match outcome {
        Ok(_) => panic!("it was accepted"),
        Err(error) => error.message().to_string(),
    };
    let doubles = || library(nothing, vec![array_of(dtype::FLOAT64, 1)], vec![], 0);
    let floats = [1.0f32, 2.0];
    assert_eq!(message(call(doubles(), [host(&floats)])), "`x` must be `float64[:]`, found an array of float32");
    let found = message(call(doubles(), [CallArgument::scalar(1.0f64)]));
    assert_eq!(found, "`x` must be `float64[:]`, found a scalar of float64");
    assert!(message(call(doubles(), [])).contains("another number of arguments"));
    assert!(message(call(doubles(), [host(&[1.0]), host(&[1.0])])).contains("another number of arguments"));

    let matrices = library(nothing, vec![array_of(dtype::FLOAT64, 2)], vec![], 0);
    assert_eq!(message(call(matrices, [host(&[1.0, 2.0])])), "`x` must be `float64[:, :]`, found shape [2]");
    let triple = Parameter { extents: leak(vec![3i64]), order: 1, ..array_of(dtype::FLOAT64, 1) };
    let triples = library(nothing, vec![triple], vec![], 0);
    assert!(call::<1, 0>(triples, [host(&[1.0, 2.0, 3.0])]).is_ok());
    let found = message(call(triples, [host(&[1.0, 2.0])]));
    assert_eq!(found, "`x` must be `float64[3] order(C)`, found shape [2] and strides of [8] bytes");

    let ints = library(nothing, vec![scalar_of(dtype::INT32)], vec![], 0);
    assert!(call::<1, 0>(ints, [CallArgument::scalar(1i32)]).is_ok());
    assert_eq!(message(call(ints, [CallArgument::scalar(1i64)])), "`x` must be `int32`, found a scalar of int64");
}

#[test]
fn what_may_only_be_read_is_not_written() {
    let _turn = beside_others();
    let writing = library(nothing, vec![array_of(dtype::FLOAT64, 1)], vec![], 1);
    let refused = "`x` must be `float64[:]`, found an array that may only be read";
    let error = call::<1, 0>(writing, [host(&[1.0])]).err().expect("a slice that is only borrowed");
    assert_eq!(error.message(), refused);
    let mut x = DeviceArray::from_slice(Device::Cpu, &[1], &[1.0]).expect("memory is there");
    assert!(call::<1, 0>(writing, [CallArgument::written_array(&mut x)]).is_ok());
    let error = call::<1, 0>(writing, [CallArgument::array(&x)]).err().expect("an array that is only borrowed");
    assert_eq!(error.message(), refused);
    let error = call::<1, 0>(writing, [CallArgument::array(&x.share())]).err().expect("a shared one");
    assert_eq!(error.message(), refused);
}

#[test]
fn functions_that_the_library_does_not_have_are_an_error() {
    let _turn = beside_others();
    let one = library(nothing, vec![], vec![], 0);
    for number in [(1, 0), (0, 1), (usize::MAX, 0)] {
        let error = one.call::<0, 0>(number, ResultPlace::Host, []).err().expect("there is no such function");
        assert_eq!(error.kind(), error_kind::RUNTIME);
    }
    assert!(one.call::<0, 2>((0, 0), ResultPlace::Host, []).is_err());
}

#[test]
fn a_library_that_contradicts_itself_is_refused_before_it_is_called() {
    let _turn = beside_others();
    let refused = |parameter: Parameter, result: ResultNode, change: fn(&mut Overload), words: &str| {
        let module = changed(count, vec![parameter], vec![result], 1, change);
        let error = call::<1, 1>(module, [host(&[0.0; 3])]).err().expect(words);
        assert_eq!(error.kind(), error_kind::RUNTIME);
        let message = error.message();
        assert!(
            message.starts_with("module `linked` contradicts itself: `f(…)` ") && message.contains(words),
            "{error}"
        );
        assert!(call::<1, 1>(module, [host(&[0.0; 3])]).is_err(), "the second time, too");
    };
    let (x, result) = (array_of(dtype::FLOAT64, 1), result_of(dtype::FLOAT64));
    let none = |kind| Parameter { kind, ..x };
    refused(x, result, |f| f.n_arguments = 48, "takes 48 arguments, and describes 1");
    refused(x, result, |f| f.n_arguments = 0, "takes 0 arguments, and describes 1");
    refused(x, result, |f| f.n_arguments = 65, "takes 65 arguments; at most 64");
    refused(x, result, |f| f.n_parameters = 2, "says that it has 2 parameters, and describes 1");
    refused(x, result, |f| f.n_results = 0, "returns 0 results, and describes 1");
    refused(none(Parameter::TUPLE), result, |_| {}, "lacks members");
    refused(none(7), result, |_| {}, "a parameter that is none");
    refused(array_of(14, 1), result, |_| {}, "a parameter of no dtype");
    refused(array_of(dtype::FLOAT64, 17), result, |_| {}, "of too many axes");
    refused(x, ResultNode { kind: 9, ..result }, |_| {}, "a result that is none");
    refused(x, ResultNode { dtype: 14, ..result }, |_| {}, "a result of no dtype");
    refused(x, ResultNode { rank: 17, ..result }, |_| {}, "of too many axes");
    refused(x, ResultNode { same: 1, ..result }, |_| {}, "that is a later one");
}

#[test]
fn a_fresh_result_becomes_a_vector_without_a_copy() {
    let _turn = alone();
    let counting = library(count, vec![array_of(dtype::FLOAT64, 1)], vec![result_of(dtype::FLOAT64)], 0);
    for n in [0usize, 1, 1000, 1 << 18] {
        let x = vec![0.0; n];
        let before = memory_stats(None);
        let mut results = call::<1, 1>(counting, [host(&x)]).expect("the call is right");
        let array = results.host_array::<f64>().expect("it is an array of float64");
        let after = memory_stats(None);
        assert_eq!((array.shape(), array.strides()), (&[n][..], &[isize::from(n > 1)][..]));
        let elements = array.into_elements();
        assert!(elements.iter().enumerate().all(|(i, element)| *element == (i + 1) as f64));
        assert_eq!(elements.len(), n);
        if n > 0 {
            assert_eq!(elements.as_ptr().addr(), MADE_AT.load(Ordering::Relaxed), "{n}");
        }
        assert_eq!((after.live_buffers, after.live_bytes), (before.live_buffers, before.live_bytes));
    }
}

#[test]
fn results_of_different_alignment_come_back_together() {
    let _turn = beside_others();
    let results = vec![result_of(dtype::FLOAT64), result_of(dtype::COMPLEX64)];
    let counting = library(count_twice, vec![array_of(dtype::FLOAT64, 1)], results, 0);
    let mut results = call::<1, 2>(counting, [host(&[0.0; 3])]).expect("the call is right");
    assert_eq!(results.host_array::<f64>().expect("an array of float64").into_elements(), [1.0, 2.0, 3.0]);
    let second = results.host_array::<Complex<f32>>().expect("an array of complex64").into_elements();
    assert_eq!(second, [1.0f32, 2.0, 3.0].map(|re| Complex::new(re, -1.0)));
    assert!(results.host_array::<f64>().is_err(), "there are two");
}

#[test]
fn results_of_another_type_than_is_asked_for_are_an_error_and_are_freed() {
    let _turn = alone();
    let counting = library(count, vec![array_of(dtype::FLOAT64, 1)], vec![result_of(dtype::FLOAT64)], 0);
    let before = memory_stats(None);
    assert!(call::<1, 1>(counting, [host(&[0.0; 3])]).expect("the call is right").host_array::<f32>().is_err());
    assert!(call::<1, 1>(counting, [host(&[0.0; 3])]).expect("the call is right").scalar::<f64>().is_err());
    drop(call::<1, 1>(counting, [host(&[0.0; 3])]).expect("the call is right"));
    assert_eq!(memory_stats(None).live_buffers, before.live_buffers);
}

#[test]
fn bools_are_bools_whatever_was_there() {
    let _turn = beside_others();
    let making = library(garbage, vec![array_of(dtype::FLOAT64, 1)], vec![result_of(dtype::BOOL)], 0);
    let mut results = call::<1, 1>(making, [host(&[0.0; 255])]).expect("the call is right");
    assert_eq!(results.host_array::<bool>().expect("an array of bool").into_elements(), [true; 255]);
}

#[test]
fn a_view_of_an_argument_that_is_kept_stays_one_and_of_others_it_is_a_copy() {
    let _turn = beside_others();
    let ending = library(tail, vec![array_of(dtype::FLOAT64, 1)], vec![result_of(dtype::FLOAT64)], 0);
    let x = [1.0, 2.0, 3.0];
    let mut results = call::<1, 1>(ending, [host(&x).kept()]).expect("the call is right");
    let HostCow::View(view) = results.host_cow::<f64>().expect("an array") else { panic!("it is a view") };
    assert_eq!((view.as_ptr(), view.shape(), view.strides()), (x[1..].as_ptr(), &[2usize][..], &[1isize][..]));
    let mut results = call::<1, 1>(ending, [host(&x)]).expect("the call is right");
    let HostCow::Owned(array) = results.host_cow::<f64>().expect("an array") else { panic!("nobody keeps it") };
    assert_eq!(array.into_elements(), [2.0, 3.0]);

    let x = DeviceArray::from_slice(Device::Cpu, &[3], &x).expect("memory is there");
    let mut results = call::<1, 1>(ending, [CallArgument::array(&x).kept()]).expect("the call is right");
    let view = results.device_cow::<f64>().expect("an array");
    assert!(view.is_view());
    assert_eq!(view.data(), x.data().wrapping_add(8));
    let mut results = call::<1, 1>(ending, [CallArgument::array(&x)]).expect("the call is right");
    let own = results.device_cow::<f64>().expect("an array");
    assert!(!own.is_view());
    assert_ne!(own.data(), x.data().wrapping_add(8));
    assert_eq!(own.to_vec().expect("memory is there"), [2.0, 3.0]);
}

#[test]
fn a_result_that_shares_memory_with_another_one_is_an_array_of_its_own() {
    let _turn = beside_others();
    let results = vec![result_of(dtype::FLOAT64), result_of(dtype::FLOAT64)];
    let making = library(same_twice, vec![array_of(dtype::FLOAT64, 1)], results, 0);
    let mut results = call::<1, 2>(making, [host(&[0.0; 3])]).expect("the call is right");
    let (a, b) = (results.host_array::<f64>(), results.host_array::<f64>());
    let (a, b) = (a.expect("an array").into_elements(), b.expect("an array").into_elements());
    assert_eq!((&a[..], &b[..]), (&[1.0, 2.0, 3.0][..], &[1.0, 2.0, 3.0][..]));
    assert_ne!(a.as_ptr(), b.as_ptr());
    let mut results = call::<1, 2>(making, [host(&[0.0; 3])]).expect("the call is right");
    let (a, b) = (results.device_array::<f64>(), results.device_array::<f64>());
    assert_ne!(a.expect("an array").data(), b.expect("an array").data());
}

/// Elements that are all equal, written by their only owner and read by many.
#[test]
fn an_array_is_to_be_had_for_writing_by_its_only_owner_alone() {
    const N: usize = 4096;
    let _turn = beside_others();
    let owner = |value: f64| DeviceArray::from_slice(Device::Cpu, &[N], &[value; N]).expect("memory is there");
    let mut shared: SharedDeviceArray<f64> = owner(0.0).share();
    for round in 1..200 {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                let x = shared.clone();
                std::thread::spawn(move || x.to_vec().expect("memory is there"))
            })
            .collect();
        let unique = loop {
            match shared.try_unique() {
                Ok(unique) => break unique,
                Err(still) => shared = still,
            }
            std::thread::yield_now();
        };
        // SAFETY: this is the only way to the elements.
        unsafe { std::slice::from_raw_parts_mut(unique.data().cast::<f64>(), N) }.fill(f64::from(round));
        for reader in readers {
            let seen = reader.join().expect("the thread ends");
            assert_eq!(seen, [f64::from(round - 1); N], "a reader saw what was written later");
        }
        shared = unique.share();
    }
}
