//! Singular values of real bidiagonal matrices, without vectors.
//!
//! In: absolute values of the diagonal, and of the elements beside it. Out: singular values, descending, in the diagonal's place, to high relative accuracy.
//! This is the differential quotient-difference method with shifts (Fernando and Parlett, Accurate Singular Values and Differential qd Algorithms, 1994),
//! which keeps squares: q of the diagonal, e of what is beside it. It finds the smallest value, at the end, and goes on with the rest.

use faer::traits::RealField;
use faer::traits::ext::{ComplexFieldExt, RealFieldExt};

/// Steps for each value before it does not converge.
const STEPS: usize = 100;

/// Squares, and room for the next ones.
struct Squares<'a, R> {
    q: &'a mut [R],
    e: &'a mut [R],
    next_q: &'a mut [R],
    next_e: &'a mut [R],
}

/// What has been subtracted of all squared values, and what rounding took from that.
#[derive(Clone, Copy)]
struct Shifted<R> {
    sum: R,
    lost: R,
}

/// Whether it converged. `room` has twice as many elements as the diagonal. Squares of all elements must be finite.
pub(crate) fn singular_values<R: RealField + Copy>(diagonal: &mut [R], beside: &mut [R], room: &mut [R]) -> bool {
    let n = diagonal.len();
    for element in diagonal.iter_mut().chain(beside.iter_mut()) {
        let square = *element * *element;
        // What is smaller is slow, and nothing beside the others.
        *element = if square < R::min_positive_impl() { R::zero_impl() } else { square };
    }
    let (next_q, next_e) = room.split_at_mut(n);
    let squares = Squares { q: diagonal, e: beside, next_q, next_e };
    let none = Shifted { sum: R::zero_impl(), lost: R::zero_impl() };
    if !of_block(squares, none, &mut (STEPS * n)) {
        return false;
    }
    diagonal.iter_mut().for_each(|value| *value = value.sqrt());
    diagonal.sort_unstable_by(|a, b| b.partial_cmp(a).unwrap_or(std::cmp::Ordering::Equal));
    true
}

/// What is less than this part of something adds nothing to its square root.
fn negligible<R: RealField + Copy>() -> R {
    let bound = R::epsilon_impl() * R::from_f64_impl(32.0);
    bound * bound
}

/// Squared values take q's place.
fn of_block<R: RealField + Copy>(squares: Squares<'_, R>, shifted: Shifted<R>, steps: &mut usize) -> bool {
    let Squares { q, e, next_q, next_e } = squares;
    let (mut shifted, mut n, bound) = (shifted, q.len(), negligible::<R>());
    while n > 0 {
        let last = n - 1;
        if n == 1 || e[last - 1] <= bound * (shifted.sum + q[last]) {
            q[last] += shifted.sum;
            n -= 1;
        } else if n == 2 || e[last - 2] <= bound * shifted.sum {
            let (small, large) = of_two(q[last - 1], e[last - 1], q[last]);
            (q[last], q[last - 1]) = (small + shifted.sum, large + shifted.sum);
            n -= 2;
        } else if let Some(split) = (0..last).rev().find(|&i| e[i] <= bound * q[i].fmax(shifted.sum)) {
            let from = split + 1;
            let right = Squares {
                q: &mut q[from..n],
                e: &mut e[from..last],
                next_q: &mut next_q[from..n],
                next_e: &mut next_e[from..last],
            };
            if !of_block(right, shifted, steps) {
                return false;
            }
            n = from;
        } else {
            // The smallest value is found at the end.
            if q[last] > R::from_f64_impl(1.5) * q[0] {
                q[..n].reverse();
                e[..last].reverse();
            }
            let block = Squares { q: &mut q[..n], e: &mut e[..last], next_q, next_e };
            let Some(shift) = step(block, steps) else {
                return false;
            };
            shifted = shifted.and(shift);
        }
    }
    true
}

impl<R: RealField + Copy> Shifted<R> {
    fn and(self, shift: R) -> Shifted<R> {
        let shift = shift + self.lost;
        let sum = self.sum + shift;
        Shifted { sum, lost: shift - (sum - self.sum) }
    }
}

/// Both squared values of two rows, the smaller one first.
fn of_two<R: RealField + Copy>(q: R, e: R, last: R) -> (R, R) {
    let (half, sum) = (R::from_f64_impl(0.5), q + e + last);
    let difference = q + e - last;
    let root = (difference * difference + R::from_f64_impl(4.0) * last * e).sqrt();
    let large = half * (sum + root);
    if large == R::zero_impl() {
        return (large, large);
    }
    (last * (q / large), large)
}

/// One transformation, and by what it shifted: the smaller value of the last two rows, or less where that is too much.
fn step<R: RealField + Copy>(squares: Squares<'_, R>, steps: &mut usize) -> Option<R> {
    let Squares { q, e, next_q, next_e } = squares;
    let mut shift = guess(q, e);
    let mut failed = 0;
    loop {
        *steps = steps.checked_sub(1)?;
        match transform(q, e, next_q, next_e, shift) {
            Ok(()) => break,
            // As little as the last one is below zero is what was too much (Rutishauser).
            Err((last, rest)) if last && failed == 0 => {
                shift = (shift + rest) * (R::one_impl() - R::epsilon_impl() * R::from_f64_impl(2.0));
            }
            Err(_) if failed < 2 => shift *= R::from_f64_impl(0.25),
            Err(_) => shift = R::zero_impl(),
        }
        shift = shift.fmax(R::zero_impl());
        failed += 1;
    }
    q.copy_from_slice(&next_q[..q.len()]);
    e.copy_from_slice(&next_e[..e.len()]);
    Some(shift)
}

fn guess<R: RealField + Copy>(q: &[R], e: &[R]) -> R {
    let last = q.len() - 1;
    let (q, e, end, before) = (q[last - 1], e[last - 1], q[last], e[last - 2]);
    let (a, c) = (q + before, end + e);
    let half_difference = (a - c) * R::from_f64_impl(0.5);
    let root = (half_difference * half_difference + q * e).sqrt();
    let larger = (a + c) * R::from_f64_impl(0.5) + root;
    (q * end + before * end + before * e) / larger
}

/// The next squares; or the first pivot below zero, and whether it is the last one.
fn transform<R: RealField + Copy>(
    q: &[R],
    e: &[R],
    next_q: &mut [R],
    next_e: &mut [R],
    shift: R,
) -> Result<(), (bool, R)> {
    let last = q.len() - 1;
    let mut pivot = q[0] - shift;
    for i in 0..last {
        if pivot < R::zero_impl() {
            return Err((false, pivot));
        }
        let sum = pivot + e[i];
        let ratio = q[i + 1] / sum;
        next_q[i] = sum;
        next_e[i] = e[i] * ratio;
        pivot = pivot * ratio - shift;
    }
    if pivot < R::zero_impl() {
        return Err((true, pivot));
    }
    next_q[last] = pivot;
    Ok(())
}
