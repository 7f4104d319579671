//! Copies between strided arrays of a device: what kernel is taken, and all elements, run by the mock driver.

use numptx_runtime::strided_copy::{ENTRY, Element, Form, Kernel, Plan, THREADS};

use crate::own_kernels::{Grid, allocate, enter, free, launch};
use crate::program::alone;

/// One side of a copy: where element `[0, …, 0]` lies in its memory, and strides in bytes.
struct Side {
    first: i64,
    strides: Vec<i64>,
}

/// Copies by the mock driver, by another kernel than is planned if `change` says so; the bytes of the destination's memory, which begins as ones, beside
/// those that it should have, and the plan.
fn copied(to: &Side, from: &Side, shape: &[i64], itemsize: i64, change: impl Fn(&mut Kernel)) -> ([Vec<u8>; 2], Plan) {
    enter();
    let bytes = |side: &Side| {
        let reach = |(stride, extent): (&i64, &i64)| (stride * (extent - 1)).max(0);
        (side.first + side.strides.iter().zip(shape).map(reach).sum::<i64>() + itemsize) as usize
    };
    let (n_to, n_from) = (bytes(to), bytes(from));
    let (target, source) = (allocate(n_to + 16), allocate(n_from + 16));
    let given: Vec<u8> = (0..n_from).map(|n| (n.wrapping_mul(2_654_435_761) >> 7) as u8).collect();
    let mut expected = vec![1u8; n_to];
    let count: i64 = shape.iter().product();
    for n in 0..count {
        let (mut rest, mut at) = (n, [to.first, from.first]);
        for axis in (0..shape.len()).rev() {
            let index = rest % shape[axis];
            rest /= shape[axis];
            at = [at[0] + index * to.strides[axis], at[1] + index * from.strides[axis]];
        }
        let [to, from] = at.map(|at| at as usize);
        expected[to..to + itemsize as usize].copy_from_slice(&given[from..from + itemsize as usize]);
    }
    let firsts = [(target, to.first), (source, from.first)].map(|(memory, first)| memory.addr() as u64 + first as u64);
    let plan = Plan::new(firsts, [&to.strides, &from.strides], shape, itemsize);
    let mut plan = plan.expect("there are elements");
    change(&mut plan.kernel);
    let mut found = vec![1u8; n_to];
    // SAFETY: the mock device's memory is the host's, as long as both blocks.
    unsafe {
        target.copy_from(found.as_ptr(), n_to);
        source.copy_from(given.as_ptr(), n_from);
    }
    let grid = Grid { blocks: (plan.blocks as u32, 1), threads: THREADS, bytes: 0 };
    assert_eq!(launch(plan.kernel.text(), ENTRY, &grid, &mut plan.values.clone()), 0, "{plan:?}");
    // SAFETY: as above.
    unsafe { target.copy_to(found.as_mut_ptr(), n_to) };
    free(target);
    free(source);
    ([found, expected], plan)
}

/// Strides of an array without gaps, by the order of its axes in memory, the closest last.
fn dense(shape: &[i64], order: &[usize], itemsize: i64) -> Side {
    let (mut strides, mut step) = (vec![0; shape.len()], itemsize);
    for axis in order.iter().rev() {
        strides[*axis] = step;
        step *= shape[*axis];
    }
    Side { first: 0, strides }
}

#[test]
fn transposed_elements_go_through_tiles_and_others_in_rows() {
    let _turn = alone();
    let rows = Form::Rows { is_wide: false };
    for (shape, order, itemsize, form, element) in [
        (&[70, 45][..], &[1, 0][..], 8, Form::Tiles, (8, 1)),
        (&[70, 131], &[1, 0], 4, Form::Tiles, (4, 1)),
        (&[70, 131], &[1, 0], 2, Form::Tiles, (2, 1)),
        (&[70, 131], &[1, 0], 1, Form::Tiles, (1, 1)),
        (&[40, 33], &[1, 0], 16, Form::Tiles, (8, 2)),
        (&[3, 5, 40], &[2, 0, 1], 4, rows, (4, 1)),
        (&[17, 3, 40], &[2, 0, 1], 4, Form::Tiles, (4, 1)),
        (&[33, 3, 20], &[1, 2, 0], 8, Form::Tiles, (8, 1)),
        (&[20, 33, 3], &[1, 0, 2], 1, Form::Tiles, (1, 3)),
        (&[2, 20, 3, 18], &[3, 2, 1, 0], 8, Form::Tiles, (8, 1)),
        (&[100, 3], &[1, 0], 8, rows, (8, 1)),
        (&[3, 100], &[1, 0], 8, rows, (8, 1)),
        (&[5, 3000], &[0, 1], 4, rows, (4, 1)),
    ] {
        let c: Vec<usize> = (0..shape.len()).collect();
        let ([found, expected], plan) =
            copied(&dense(shape, &c, itemsize), &dense(shape, order, itemsize), shape, itemsize, |_| ());
        assert!(found == expected, "{shape:?} {order:?}");
        let (unit, parts) = element;
        assert_eq!((plan.kernel.form, plan.kernel.element), (form, Element { unit, parts }), "{shape:?} {order:?}");
    }
}

#[test]
fn elements_are_copied_wherever_they_lie() {
    let _turn = alone();
    let side = |first: i64, strides: &[i64]| Side { first, strides: strides.to_vec() };
    for (to, from, shape, itemsize) in [
        // Of no axis, and of one element.
        (side(0, &[]), side(8, &[]), &[][..], 8),
        (side(0, &[8, 8]), side(16, &[-8, 3]), &[1, 1], 8),
        // Reversed, with gaps on both sides, and repeated.
        (side(0, &[40, 8]), side(32 * 19, &[-32, 8]), &[20, 4], 8),
        (side(8, &[320, 16]), side(0, &[8, 640]), &[20, 18], 8),
        (side(20 * 17 * 8 - 8, &[-8, -160]), side(0, &[136, 8]), &[20, 17], 8),
        (side(0, &[160, 8]), side(0, &[8, 0]), &[17, 20], 8),
        (side(0, &[160, 8]), side(0, &[0, 8]), &[17, 20], 8),
        (side(0, &[160, 8]), side(24, &[0, 0]), &[17, 20], 8),
        // Nothing lies at a multiple of its size.
        (side(1, &[160, 8]), side(3, &[8, 136]), &[17, 20], 8),
        (side(2, &[80, 4]), side(4, &[4, 68]), &[17, 20], 4),
        // Halves of complex numbers.
        (side(8, &[640, 32]), side(0, &[16, 272]), &[17, 20], 16),
        // Many axes.
        (side(0, &[480, 96, 48, 16, 8]), side(0, &[8, 16, 80, 160, 480]), &[3, 5, 2, 3, 2], 8),
    ] {
        let ([found, expected], plan) = copied(&to, &from, shape, itemsize, |_| ());
        assert!(found == expected, "{shape:?} {:?} {:?} {plan:?}", to.strides, from.strides);
    }
}

#[test]
fn no_elements_are_no_launch() {
    assert!(Plan::new([0, 0], [&[8, 8], &[8, 8]], &[0, 3], 8).is_none());
}

#[test]
fn many_rows_are_numbered_in_64_bits() {
    let _turn = alone();
    let plan = |rows: i64| Plan::new([0, 0], [&[64, 8], &[80, 8]], &[rows, 5], 8).expect("there are elements");
    let most = i64::from(u32::MAX);
    assert_eq!(plan(most).kernel.form, Form::Rows { is_wide: false });
    assert_eq!(plan(most + 1).kernel.form, Form::Rows { is_wide: true });
    let (shape, to) = ([3, 4, 5, 6], Side { first: 0, strides: vec![960, 240, 48, 8] });
    let from = Side { first: 0, strides: vec![48, 144, 576, 8] };
    for is_wide in [false, true] {
        let ([found, expected], plan) = copied(&to, &from, &shape, 8, |kernel| kernel.form = Form::Rows { is_wide });
        assert!(found == expected && plan.kernel.outer == 3, "{plan:?}");
    }
}
