//! Memory order of fresh arrays: NumPy's K order of computations, that of copies, and that of arrays put together.
//!
//! Sources: `npyiter_find_best_axis_ordering` in NumPy's `nditer_constr.c`, `PyArray_CreateSortedStridePerm` and
//! `PyArray_CreateMultiSortedStridePerm` in its `shape.c`.

use super::memory::contiguous;
use crate::DType;
use crate::array::{Order, OrderTerm};

/// Extents and strides of an array, of which memory order is judged.
pub type Axes = (Vec<i64>, Vec<i64>);

/// Strides in bytes of a fresh array. `inputs`: the op's inputs by position, `None` for scalars.
pub fn fresh_strides(order: &Order, shape: &[i64], dtype: DType, inputs: &[Option<Axes>]) -> Vec<i64> {
    let rank = shape.len();
    match order {
        Order::C => contiguous(shape, dtype, 0..rank),
        Order::F => contiguous(shape, dtype, (0..rank).rev()),
        Order::K(terms) if terms.iter().any(|t| matches!(t, OrderTerm::Joined(_))) => {
            contiguous(shape, dtype, joined_order(&all_strides(terms, shape, shape, inputs), rank).into_iter())
        }
        Order::K(terms) => {
            contiguous(shape, dtype, k_order(&all_strides(terms, shape, shape, inputs), rank).into_iter())
        }
    }
}

/// The axes from the outermost to the innermost: by descending |stride|, zero strides abstaining, C order where terms disagree.
fn k_order(strides: &[Vec<u64>], rank: usize) -> Vec<usize> {
    k_order_of((0..rank).collect(), strides)
}

/// As [`k_order`], of an array that has the axes in this order.
fn k_order_of(axes: Vec<usize>, strides: &[Vec<u64>]) -> Vec<usize> {
    // From the innermost, as the insertion sort of the source goes.
    let mut axes = sorted(axes.into_iter().rev().collect(), |axis, other| is_inside(axis, other, strides));
    axes.reverse();
    axes
}

/// As [`k_order`], but sorted from the outermost, as the source does it. It tells where preferences make a circle.
fn joined_order(strides: &[Vec<u64>], rank: usize) -> Vec<usize> {
    sorted((0..rank).collect(), |axis, other| is_inside(other, axis, strides))
}

/// An insertion sort that looks past axes of which nothing is known. `comes_first`: whether an axis goes before one that stands before it.
fn sorted(mut axes: Vec<usize>, comes_first: impl Fn(usize, usize) -> Option<bool>) -> Vec<usize> {
    for position in 1..axes.len() {
        let axis = axes[position];
        let mut target = position;
        for before in (0..position).rev() {
            match comes_first(axis, axes[before]) {
                None => {}
                Some(true) => target = before,
                Some(false) => break,
            }
        }
        axes[target..=position].rotate_right(1);
    }
    axes
}

/// Whether `axis` belongs inside `other`, which C order has inside it; `None` where no term says anything.
fn is_inside(axis: usize, other: usize, strides: &[Vec<u64>]) -> Option<bool> {
    let mut verdict = None;
    for term in strides.iter().filter(|term| term[axis] != 0 && term[other] != 0) {
        if term[other] <= term[axis] {
            verdict = Some(false);
        } else if verdict.is_none() {
            verdict = Some(true);
        }
    }
    verdict
}

/// The axes of a copy, from the outermost to the innermost: by descending |stride|, of equal ones the first.
fn axes_of_copy(strides: &[i64], rank: usize) -> Vec<usize> {
    let mut axes: Vec<usize> = (0..rank).collect();
    axes.sort_by_key(|axis| std::cmp::Reverse(strides.get(*axis).map_or(0, |s| s.unsigned_abs())));
    axes
}

fn all_strides(terms: &[OrderTerm], own: &[i64], shape: &[i64], inputs: &[Option<Axes>]) -> Vec<Vec<u64>> {
    terms.iter().filter_map(|term| term_strides(term, own, shape, inputs)).collect()
}

/// Strides of an input, 0 along axes of extent 1, which abstain.
fn judged((extents, strides): &Axes) -> Vec<i64> {
    extents.iter().zip(strides).map(|(extent, stride)| if *extent == 1 { 0 } else { *stride }).collect()
}

/// |strides| of a term, zero along axes of extent 1. `own`: the extents of the array that is made in the order of such terms, 1 along axes
/// that it got later; `shape`: those of the result.
fn term_strides(term: &OrderTerm, own: &[i64], shape: &[i64], inputs: &[Option<Axes>]) -> Option<Vec<u64>> {
    let rank = shape.len();
    let mut own = own.to_vec();
    let strides = match term {
        OrderTerm::Input(n) => judged(inputs.get(*n)?.as_ref()?),
        OrderTerm::Copy(n) => {
            let axes = axes_of_copy(&judged(inputs.get(*n)?.as_ref()?), rank);
            contiguous(shape, DType::U8, axes.into_iter())
        }
        OrderTerm::Joined(n) => {
            let (extents, strides) = inputs.get(*n)?.as_ref()?;
            // One more than they are: 0 has a preference too.
            let preferred = |(extent, stride): (&i64, &i64)| {
                if *extent == 1 { 0 } else { stride.saturating_abs().saturating_add(1) }
            };
            extents.iter().zip(strides).map(preferred).collect()
        }
        OrderTerm::Fresh { like, axes, terms } => {
            if let Some(n) = like {
                let (extents, _) = inputs.get(*n)?.as_ref()?;
                own.iter_mut().zip(extents).filter(|(_, extent)| **extent == 1).for_each(|(own, _)| *own = 1);
            }
            let axes = if axes.is_empty() { (0..rank).collect() } else { axes.clone() };
            contiguous(shape, DType::U8, k_order_of(axes, &all_strides(terms, &own, shape, inputs)).into_iter())
        }
    };
    let abstains = |axis: usize| shape[axis] == 1 || own[axis] == 1;
    let stride = |axis: usize| if abstains(axis) { 0 } else { strides.get(axis).map_or(0, |s| s.unsigned_abs()) };
    Some((0..rank).map(stride).collect())
}
