//! Routines of calls that are captured into a graph, on the mock device.

use numptx_abi::routine;
use numptx_abi::{Argument, Graph, InvokeOptions, Stream, Value};
use numptx_runtime::{Complex, Device, DeviceArray, Error, no_error};

use crate::program::{alone, call, counts, on, table};
use crate::routines::{asked, run};
use crate::strided::{Random, Strided};

/// A stream, and what it is captured into. Both are given up when dropped.
struct Capture {
    stream: *mut Stream,
    graph: *mut Graph,
}

impl Capture {
    fn begin() -> Capture {
        const OF_THE_THREAD: u32 = 1;
        let mut capture = Capture { stream: std::ptr::null_mut(), graph: std::ptr::null_mut() };
        // SAFETY: both write to a local.
        unsafe {
            assert_eq!((table().stream_new)(0, 0, &mut capture.stream, &mut no_error()), 0);
            assert_eq!((table().graph_begin)(capture.stream, OF_THE_THREAD, &mut capture.graph, &mut no_error()), 0);
        }
        capture
    }

    fn call(&self, code: u32, flags: u32, arrays: &[Argument]) -> Result<Vec<Value>, Error> {
        let (overload, arguments) = asked(code, flags, arrays);
        call(&overload, &arguments, &InvokeOptions { stream: self.stream, ..on(0) })
    }

    fn end(&self) {
        // SAFETY: the capture was begun, and not ended.
        assert_eq!(unsafe { (table().graph_end)(self.graph, 1, &mut no_error()) }, 0);
    }

    fn launch(&self) {
        // SAFETY: both are alive.
        unsafe {
            assert_eq!((table().graph_launch)(self.graph, self.stream, &mut no_error()), 0);
            assert_eq!((table().stream_synchronize)(self.stream, 0, &mut no_error()), 0);
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        // SAFETY: both are this one's.
        unsafe {
            (table().graph_release)(self.graph);
            (table().stream_release)(self.stream);
        }
    }
}

fn on_device<T: numptx_runtime::Element>(shape: &[usize], values: &[T]) -> DeviceArray<T> {
    DeviceArray::from_slice(Device::Cuda(0), shape, values).expect("memory is there")
}

/// Matrices of an array in C order, by columns.
fn turned(argument: Argument) -> Argument {
    let mut turned = argument;
    let rank = turned.array.rank as usize;
    turned.array.shape.swap(rank - 1, rank - 2);
    turned.array.strides.swap(rank - 1, rank - 2);
    turned
}

#[test]
fn a_captured_transform_keeps_its_plan() {
    let _turn = alone();
    let before = counts().violations;
    let x = on_device(&[2, 4], &[1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0].map(|re| Complex::new(re, 0.0)));
    let y = on_device(&[2, 4], &[Complex::new(0.0, 0.0); 8]);
    let capture = Capture::begin();
    for _ in 0..2 {
        capture.call(routine::FFT, 1 << 8, &[y.argument(), x.argument()]).expect("it is captured");
    }
    capture.end();
    // As many other plans as are kept, and more.
    let mut random = Random(3);
    for length in 2..40 {
        let nothing = |_| Complex::new(random.below(9) as f64, 0.0);
        let mut other = Strided::contiguous(&[length], nothing);
        let (mut result, code) = (other.clone(), numptx_abi::dtype::COMPLEX128);
        let arrays = [&mut result, &mut other].map(|array| crate::program::array_argument(array, code));
        run(routine::FFT, 1 << 8, &arrays);
    }
    assert_eq!(y.to_vec().expect("memory is there")[0].re, 0.0, "nothing is computed yet");
    capture.launch();
    let found = y.to_vec().expect("memory is there");
    assert_eq!(
        (found[0], found[1], found[5]),
        (Complex::new(10.0, 0.0), Complex::new(-2.0, 2.0), Complex::new(2.0, -2.0))
    );
    drop(capture);
    assert_eq!(counts().violations, before);
}

#[test]
fn small_equations_are_captured_and_larger_decompositions_refused() {
    let _turn = alone();
    let before = counts().violations;
    let a = on_device(&[2, 2, 2], &[2.0f64, 0.0, 0.0, 4.0, 1.0, 0.0, 1.0, 1.0]);
    let b = on_device(&[2, 1, 2], &[2.0f64, 8.0, 3.0, 1.0]);
    let values = on_device(&[2, 2], &[0.0f64; 4]);
    let capture = Capture::begin();
    let error = capture.call(routine::EIGH, 0, &[turned(a.argument()), values.argument()]).expect_err("it is refused");
    assert!(error.message().starts_with("`eigh` during the capture of a graph: cuSOLVER"), "{error}");
    capture.call(routine::SOLVE, 0, &[turned(a.argument()), turned(b.argument())]).expect("it is captured");
    capture.end();
    capture.launch();
    assert_eq!(b.to_vec().expect("memory is there"), [1.0, 2.0, 2.0, 1.0]);
    drop(capture);
    assert_eq!(counts().violations, before);
}
