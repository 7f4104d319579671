//! Maps over arrays of every layout, against a plain loop.

use numptx_abi::{InvokeOptions, Value, dtype};

use crate::kernels::{axpy, index, kernel, module_of, outer};
use crate::program::{
    DEVICES, array_argument, assign_axpy, beside_others, call, elements, float_argument, fresh_axpy, kernel_argument,
    on, overload, release,
};
use crate::strided::{Random, Strided};

fn random_shape(random: &mut Random, rank: usize) -> Vec<i64> {
    let choices = if random.below(4) == 0 { 6 } else { 5 };
    (0..rank).map(|_| [1, 2, 3, 5, 8, 0][random.below(choices) as usize]).collect()
}

/// The same shape with some axes 1.
fn narrowed(random: &mut Random, shape: &[i64]) -> Vec<i64> {
    shape.iter().map(|e| if random.below(4) == 0 { 1 } else { *e }).collect()
}

fn expected(x: &Strided<f64>, y: &Strided<f64>, a: f64, shape: &[i64]) -> Vec<f64> {
    Strided::<f64>::indices(shape).map(|i| a * x.at(&i) + y.at(&i)).collect()
}

fn broadcast(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(a, b)| if *a == 1 { *b } else { *a }).collect()
}

#[test]
fn fresh_results_of_any_layout() {
    let _turn = beside_others();
    let module = module_of("7.0", (0..5).map(axpy).collect());
    let function = overload(fresh_axpy, 4, 1, 0);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..600 {
        let rank = round % 5;
        let shape = random_shape(&mut random, rank);
        let (x_shape, y_shape) = (narrowed(&mut random, &shape), narrowed(&mut random, &shape));
        let mut x = Strided::random(&x_shape, &mut random, |i| i as f64 + 0.5);
        let mut y = Strided::random(&y_shape, &mut random, |i| 100.0 - i as f64);
        let shape = broadcast(&x_shape, &y_shape);
        let want = expected(&x, &y, 3.0, &shape);
        for device in DEVICES {
            let arguments = [
                kernel_argument(kernel(module, rank)),
                array_argument(&mut x, dtype::FLOAT64),
                array_argument(&mut y, dtype::FLOAT64),
                float_argument(3.0),
            ];
            let results = call(&function, &arguments, &on(device)).expect("the call is right");
            assert_eq!(elements::<f64>(&results[0]), want, "device {device}, x {x:?}, y {y:?}");
            release(&results[0]);
        }
    }
}

#[test]
fn assignment_writes_its_elements_and_nothing_else() {
    let _turn = beside_others();
    let module = module_of("7.0", (0..5).map(axpy).collect());
    let function = overload(assign_axpy, 5, 0, 1 << 3);
    let mut random = Random(77);
    for round in 0..400 {
        let rank = round % 5;
        let shape = random_shape(&mut random, rank);
        let mut x = Strided::random(&narrowed(&mut random, &shape), &mut random, |i| i as f64);
        let mut y = Strided::random(&narrowed(&mut random, &shape), &mut random, |i| i as f64 * 2.0);
        let before = Strided::random(&shape, &mut random, |i| -1.0 - i as f64);
        let mut want = before.clone();
        for i in Strided::<f64>::indices(&shape) {
            let position = want.position(&i);
            want.storage[position] = 0.5 * x.at(&i) + y.at(&i);
        }
        for device in DEVICES {
            let mut out = before.clone();
            let arguments = [
                kernel_argument(kernel(module, rank)),
                array_argument(&mut x, dtype::FLOAT64),
                array_argument(&mut y, dtype::FLOAT64),
                array_argument(&mut out, dtype::FLOAT64),
                float_argument(0.5),
            ];
            call(&function, &arguments, &on(device)).expect("the call is right");
            assert_eq!(out.storage, want.storage, "device {device}, {out:?}");
        }
    }
}

#[test]
fn long_arrays_are_computed_whole() {
    let _turn = beside_others();
    let module = module_of("7.0", vec![axpy(1), axpy(2)]);
    let function = overload(fresh_axpy, 4, 1, 0);
    for (rank, shape, swap) in [
        (1, vec![1_000_003], false),
        (2, vec![3, 200_001], false),
        (2, vec![2003, 301], true),
        (2, vec![70_001, 3], true),
    ] {
        let mut x = Strided::contiguous(&shape, |i| i as f64);
        let mut y = Strided::contiguous(&shape, |i| (i % 7) as f64);
        if swap {
            // A transposed operand: no common order, so that the strided variant runs.
            let backwards: Vec<i64> = shape.iter().rev().copied().collect();
            y = Strided::contiguous(&backwards, |i| (i % 7) as f64);
            y.shape.reverse();
            y.strides.reverse();
        }
        let want = expected(&x, &y, 2.0, &shape);
        for device in DEVICES {
            let arguments = [
                kernel_argument(kernel(module, rank - 1)),
                array_argument(&mut x, dtype::FLOAT64),
                array_argument(&mut y, dtype::FLOAT64),
                float_argument(2.0),
            ];
            let results = call(&function, &arguments, &on(device)).expect("the call is right");
            assert!(elements::<f64>(&results[0]) == want, "device {device}, shape {shape:?}");
            release(&results[0]);
        }
    }
}

/// `result[i, j] = 10 i + j` written to a transposed array: permuting axes would show.
unsafe extern "C" fn transposed_index(
    call: *mut numptx_abi::Call,
    arguments: *const Value,
    results: *mut Value,
) -> numptx_abi::Status {
    use crate::program::{give_array, table, values};
    let arguments = values(arguments, 1);
    let shape = [3i64, 4];
    // SAFETY: a compiled entry's calls.
    unsafe {
        let mut out = arguments[0].array;
        (out.rank, out.dtype, out.offset) = (2, u32::from(dtype::FLOAT64), 0);
        out.shape[..2].copy_from_slice(&shape);
        out.strides[..2].copy_from_slice(&[8, 24]);
        let status = (table().alloc)(call, 96, &mut out.buffer);
        assert_eq!(status, 0);
        let operand = numptx_abi::Operand { buffer: out.buffer, offset: 0, strides: out.strides.as_ptr() };
        let kernel = std::ptr::with_exposed_provenance(arguments[0].bits[0] as usize);
        let status = (table().launch)(call, kernel, shape.as_ptr(), &operand, std::ptr::null());
        give_array(results, out);
        status
    }
}

#[test]
fn a_kernel_that_reads_indices_gets_the_axes_as_given() {
    let _turn = beside_others();
    let module = module_of("7.0", vec![index()]);
    let function = overload(transposed_index, 1, 1, 0);
    for device in DEVICES {
        let results = call(&function, &[kernel_argument(kernel(module, 0))], &on(device)).expect("the call is right");
        let want: Vec<f64> = (0..12).map(|n| f64::from(10 * (n / 4) + n % 4)).collect();
        assert_eq!(elements::<f64>(&results[0]), want, "device {device}");
        release(&results[0]);
    }
}

#[test]
fn odd_strides_compute_on_the_cpu_and_are_refused_by_a_gpu() {
    let _turn = beside_others();
    let module = module_of("7.0", vec![axpy(1)]);
    let function = overload(fresh_axpy, 4, 1, 0);
    let mut bytes: Strided<u8> = Strided::contiguous(&[60], |_| 0);
    for i in 0..5 {
        bytes.storage[i * 12..i * 12 + 8].copy_from_slice(&(i as f64).to_le_bytes());
    }
    let mut y = Strided::contiguous(&[5], |i| i as f64);
    let mut x = array_argument(&mut bytes, dtype::FLOAT64);
    (x.array.shape[0], x.array.strides[0]) = (5, 12);
    let arguments =
        [kernel_argument(kernel(module, 0)), x, array_argument(&mut y, dtype::FLOAT64), float_argument(1.0)];
    let results = call(&function, &arguments, &on(InvokeOptions::CPU)).expect("the CPU reads any stride");
    assert_eq!(elements::<f64>(&results[0]), [0.0, 2.0, 4.0, 6.0, 8.0]);
    release(&results[0]);
    let refused = call(&function, &arguments, &on(0)).expect_err("a GPU cannot");
    assert!(refused.message().contains("argument 2 has elements that are not aligned"), "{refused}");
}

#[test]
fn broadcast_operands_stand_still_in_any_memory_order() {
    let _turn = beside_others();
    let module = module_of("7.0", vec![outer()]);
    let function = overload(assign_axpy, 5, 0, 1 << 3);
    for (n, m) in [(3, 4), (4, 1), (1, 4), (1, 1), (5, 5)] {
        let mut x = Strided::contiguous(&[n, 1], |i| i as f64);
        let mut y = Strided::contiguous(&[1, m], |i| i as f64);
        let plain = Strided::contiguous(&[n, m], |_| -1.0);
        let mut transposed = Strided::contiguous(&[m, n], |_| -1.0);
        transposed.shape.reverse();
        transposed.strides.reverse();
        let mut gaps = Strided::contiguous(&[n, 2 * m], |_| -1.0);
        gaps.shape[1] = m;
        gaps.strides[1] = 2;
        for before in [plain, transposed, gaps] {
            for device in DEVICES {
                let mut out = before.clone();
                let arguments = [
                    kernel_argument(kernel(module, 0)),
                    array_argument(&mut x, dtype::FLOAT64),
                    array_argument(&mut y, dtype::FLOAT64),
                    array_argument(&mut out, dtype::FLOAT64),
                    float_argument(1.0),
                ];
                call(&function, &arguments, &on(device)).expect("the call is right");
                for index in Strided::<f64>::indices(&[n, m]) {
                    assert_eq!(
                        out.at(&index),
                        (index[0] + 100 * index[1]) as f64,
                        "device {device}, {before:?}, {index:?}"
                    );
                }
            }
        }
    }
}
