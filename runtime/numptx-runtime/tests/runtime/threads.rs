//! Many threads at once over the same arrays, each with streams of its own: what `make test-races` shows to ThreadSanitizer.

use numptx_abi::{Argument, Buffer, MemoryStats, Module, Value, dtype};
use numptx_runtime::no_error;

use crate::kernels::{axpy, kernel, module_of};
use crate::program::{alone, call, counts, float_argument, fresh_axpy, kernel_argument, on, overload, release, table};

const ELEMENTS: i64 = 16;

/// A vector on the device, of undefined elements.
fn fresh_buffer() -> *mut Buffer {
    let mut buffer = std::ptr::null_mut();
    // SAFETY: places for results.
    let status = unsafe { (table().buffer_new)(0, 8 * ELEMENTS, std::ptr::null_mut(), &mut buffer, &mut no_error()) };
    assert_eq!(status, 0);
    buffer
}

fn vector(buffer: *mut Buffer) -> Argument {
    let mut given = Argument { kind: Value::ARRAY, dtype: u32::from(dtype::FLOAT64), ..float_argument(0.0) };
    (given.array.buffer, given.array.rank, given.array.dtype) = (buffer, 1, u32::from(dtype::FLOAT64));
    (given.array.shape[0], given.array.strides[0]) = (ELEMENTS, 8);
    given
}

/// A call on a stream that goes right after it.
fn compute(module: &'static Module, x: *mut Buffer, y: *mut Buffer) {
    let mut stream = std::ptr::null_mut();
    // SAFETY: places for results; the stream is given up once.
    unsafe {
        assert_eq!((table().stream_new)(0, 0, &mut stream, &mut no_error()), 0);
        let arguments = [kernel_argument(kernel(module, 0)), vector(x), vector(y), float_argument(3.0)];
        let options = numptx_abi::InvokeOptions { stream, ..on(0) };
        let results = call(&overload(fresh_axpy, 4, 1, 0), &arguments, &options).expect("the call succeeds");
        (table().stream_release)(stream);
        release(&results[0]);
    }
}

#[test]
fn threads_share_arrays_and_let_streams_go() {
    let _turn = alone();
    let module = module_of("7.0", vec![axpy(1)]);
    let (before, address) = (counts(), std::ptr::from_ref(module).expose_provenance());
    let (x, y) = (fresh_buffer(), fresh_buffer());
    let shared = [x.expose_provenance(), y.expose_provenance()];
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                // SAFETY: descriptors are shared by all threads of a program.
                let module = unsafe { &*std::ptr::with_exposed_provenance::<Module>(address) };
                let [x, y] = shared.map(std::ptr::with_exposed_provenance_mut::<Buffer>);
                for _ in 0..20 {
                    compute(module, x, y);
                    // SAFETY: the buffers live until the threads have ended; a place for the result.
                    unsafe {
                        (table().retain)(x);
                        (table().release)(x);
                        let mut stats = MemoryStats::default();
                        (table().memory_stats)(0, &mut stats);
                    }
                }
            });
        }
    });
    // SAFETY: the references that `fresh_buffer` gave.
    unsafe {
        (table().release)(x);
        (table().release)(y);
    }
    let after = counts();
    assert_eq!((after.live_allocations, after.violations), (before.live_allocations, 0));
    assert_eq!(after.launches - before.launches, 160);
}
