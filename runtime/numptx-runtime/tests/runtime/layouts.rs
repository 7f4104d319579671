//! Memory order of fresh results, and reshaping, against what NumPy did (`data/layouts.py`).

use numptx_abi::{Array, Call, MAX_RANK, Status, Value, dtype};

use crate::program::{
    DEVICES, array_argument, beside_others, call, elements, give_array, on, overload, release, table, values,
};
use crate::strided::{Random, Strided};

fn numbers(text: &str) -> Vec<i64> {
    if text == "-" { Vec::new() } else { text.split(',').map(|n| n.parse().expect("the data holds numbers")).collect() }
}

fn rows(data: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    data.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').collect())
}

/// Strides compared where they are ever used to move.
fn moving(shape: &[i64], strides: &[i64]) -> Vec<i64> {
    shape.iter().zip(strides).filter(|(e, _)| **e > 1).map(|(_, s)| *s).collect()
}

#[test]
fn fresh_results_lie_as_numpy_s_do() {
    for row in rows(include_str!("../data/order.txt")) {
        let [extents, inputs, want] = row[..] else { panic!("a row has three fields: {row:?}") };
        let (extents, want) = (numbers(extents), numbers(want));
        let inputs: Vec<Vec<i64>> = inputs.split('/').map(numbers).collect();
        let all = inputs.concat();
        let mut out = vec![0; extents.len()];
        // SAFETY: as many extents and strides as the call says.
        unsafe {
            (table().order_strides)(
                extents.len() as u32,
                8,
                extents.as_ptr(),
                inputs.len() as u32,
                all.as_ptr(),
                out.as_mut_ptr(),
            );
        }
        assert_eq!(moving(&extents, &out), moving(&extents, &want), "{row:?}");
    }
}

/// `x.reshape(shape)`: the new shape is the scalar arguments after `x`.
unsafe extern "C" fn reshape(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    let arguments = values(arguments, 6);
    let rank = arguments[1].bits[0] as u32;
    let shape: Vec<i64> = arguments[2..].iter().map(|v| v.bits[0].cast_signed()).collect();
    let mut out: Array = arguments[0].array;
    // SAFETY: a compiled entry's calls.
    unsafe {
        let status = (table().reshape)(call, &arguments[0].array, rank, shape.as_ptr(), &mut out, 0);
        if status == 0 {
            give_array(results, out);
        }
        status
    }
}

fn number(value: i64) -> numptx_abi::Argument {
    let mut given = crate::program::float_argument(0.0);
    given.dtype = u32::from(dtype::INT64);
    given.bits[0] = value.cast_unsigned();
    given
}

fn reshape_arguments(x: &mut Strided<f64>, shape: &[i64]) -> Vec<numptx_abi::Argument> {
    let mut all = vec![array_argument(x, dtype::FLOAT64), number(shape.len() as i64)];
    all.extend((0..4).map(|axis| number(shape.get(axis).copied().unwrap_or(1))));
    all
}

/// An array of these strides in bytes, whatever their signs.
fn array_of(shape: &[i64], strides: &[i64]) -> Strided<f64> {
    let reach = |sign: i64| -> i64 { shape.iter().zip(strides).map(|(e, s)| (s / 8 * (e - 1) * sign).max(0)).sum() };
    let (below, above) = (reach(-1), reach(1));
    let storage = (0..=below + above).map(|i| i as f64).collect();
    Strided { storage, offset: below, shape: shape.to_vec(), strides: strides.iter().map(|s| s / 8).collect() }
}

#[test]
fn reshape_views_where_numpy_does() {
    let _turn = beside_others();
    let function = overload(reshape, 6, 1, 0);
    for row in rows(include_str!("../data/reshape.txt")) {
        let [shape, strides, new_shape, outcome] = row[..] else { panic!("a row has four fields: {row:?}") };
        let (shape, strides, new_shape) = (numbers(shape), numbers(strides), numbers(new_shape));
        let mut x = array_of(&shape, &strides);
        let want: Vec<f64> = Strided::<f64>::indices(&shape).map(|i| x.at(&i)).collect();
        for device in DEVICES {
            let results =
                call(&function, &reshape_arguments(&mut x, &new_shape), &on(device)).expect("the sizes are equal");
            let result = &results[0];
            let rank = result.array.rank as usize;
            assert_eq!(result.array.shape[..rank], new_shape, "{row:?}");
            assert_eq!(elements::<f64>(result), want, "{row:?}, device {device}");
            assert_eq!(result.parameter == 0, outcome != "copy", "{row:?}, device {device}");
            if outcome == "copy" {
                release(result);
            } else {
                assert_eq!(moving(&new_shape, &result.array.strides), moving(&new_shape, &numbers(outcome)), "{row:?}");
            }
        }
    }
}

#[test]
fn reshape_finds_the_unknown_extent_and_refuses_other_sizes() {
    let _turn = beside_others();
    let function = overload(reshape, 6, 1, 0);
    let mut x = Strided::random(&[4, 6], &mut Random(5), |i| i as f64);
    let results = call(&function, &reshape_arguments(&mut x, &[3, -1, 2]), &on(-1)).expect("24 = 3 * 4 * 2");
    assert_eq!(results[0].array.shape[..3], [3, 4, 2]);
    if results[0].parameter < 0 {
        release(&results[0]);
    }
    for (shape, text) in [
        (&[5, 5][..], "cannot reshape array of size 24 into shape (5,5)"),
        (&[-1, -1], "can only specify one unknown dimension"),
        (&[-1, 5], "cannot reshape array of size 24 into shape (-1,5)"),
        (&[7], "cannot reshape array of size 24 into shape (7,)"),
        (&[-1, 0], "cannot reshape array of size 24 into shape (-1,0)"),
    ] {
        let error = call(&function, &reshape_arguments(&mut x, shape), &on(-1)).expect_err("the sizes differ");
        assert_eq!((error.kind(), error.message()), (numptx_abi::error_kind::VALUE, text));
    }
}

#[test]
fn array_copy_between_any_layouts_and_devices() {
    let _turn = beside_others();
    let mut random = Random(99);
    for round in 0..200 {
        let shape: Vec<usize> = (0..round % 4).map(|_| random.below(4) as usize).collect();
        let extents: Vec<i64> = shape.iter().map(|e| *e as i64).collect();
        let n: usize = shape.iter().product();
        let elements: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let place = |k: u64| if k == 0 { numptx_runtime::Device::Cpu } else { numptx_runtime::Device::Cuda(0) };
        let source = numptx_runtime::DeviceArray::from_slice(place(random.below(2)), &shape, &elements)
            .expect("memory is there");
        assert_eq!(source.to_vec().expect("memory is there"), elements);
        // A destination with gaps and a random order of axes.
        let layout = Strided::random(&extents, &mut random, |_| -1.0f64);
        let room =
            numptx_runtime::DeviceArray::from_slice(place(random.below(2)), &[layout.storage.len()], &layout.storage)
                .expect("memory is there");
        let mut to = room.argument().array;
        to.rank = extents.len() as u32;
        to.offset = layout.offset * 8;
        to.shape = [0; MAX_RANK];
        to.shape[..extents.len()].copy_from_slice(&extents);
        for (a, b) in to.strides.iter_mut().zip(&layout.strides) {
            *a = b * 8;
        }
        let mut error = numptx_runtime::no_error();
        // SAFETY: both arrays are alive.
        let status =
            unsafe { (table().array_copy)(&to, &source.argument().array, std::ptr::null_mut(), 0, &mut error) };
        assert_eq!(status, 0, "{}", numptx_runtime::Error::from_abi(status, &error));
        let mut want = layout.clone();
        for (index, value) in Strided::<f64>::indices(&extents).zip(&elements) {
            let position = want.position(&index);
            want.storage[position] = *value;
        }
        assert_eq!(room.to_vec().expect("memory is there"), want.storage, "{extents:?}");
    }
}
