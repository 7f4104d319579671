//! The memory order of fresh results: NumPy's K order.
//!
//! In: extents and the strides of the inputs. Out: strides of a fresh array whose axes lie in memory as the inputs' axes do. Axes are
//! compared by the size of their strides; strides of 0 have no opinion; where two inputs disagree, C order wins. Source: NumPy's `nditer`.

use numptx_abi::MAX_RANK;

/// Strides in bytes of a fresh array; `inputs[n]` holds one stride an axis. Axes of extent 1 have no opinion.
pub(crate) fn order_strides(extents: &[i64], itemsize: i64, inputs: &[&[i64]], out: &mut [i64]) {
    let rank = extents.len();
    if extents.contains(&0) {
        out.fill(0);
        return;
    }
    // Innermost first; the insertion sort is stable, so that axes without an opinion stay in C order.
    let mut order = [0usize; MAX_RANK];
    for (i, slot) in order[..rank].iter_mut().enumerate() {
        *slot = rank - 1 - i;
    }
    for end in 1..rank {
        let axis = order[end];
        let mut at = end;
        for before in (0..end).rev() {
            match is_inner(axis, order[before], extents, inputs) {
                Some(true) => at = before,
                Some(false) => break,
                None => {}
            }
        }
        order.copy_within(at..end, at + 1);
        order[at] = axis;
    }
    let mut step = itemsize;
    for axis in &order[..rank] {
        out[*axis] = step;
        step = step.saturating_mul(extents[*axis]);
    }
}

/// Whether `axis` belongs inside of `other`, which follows it in C order; `None` if no input tells.
fn is_inner(axis: usize, other: usize, extents: &[i64], inputs: &[&[i64]]) -> Option<bool> {
    if extents[axis] == 1 || extents[other] == 1 {
        return None;
    }
    let mut opinion = None;
    for strides in inputs {
        let (a, b) = (strides[axis].unsigned_abs(), strides[other].unsigned_abs());
        if a != 0 && b != 0 {
            if b <= a {
                opinion = Some(false);
            } else if opinion.is_none() {
                opinion = Some(true);
            }
        }
    }
    opinion
}
