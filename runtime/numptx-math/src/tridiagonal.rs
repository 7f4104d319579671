//! Eigenvalues of real symmetric tridiagonal matrices, without vectors.
//!
//! In: the diagonal, and the elements beside it. Out: eigenvalues, ascending, in the diagonal's place. This is the rational QL method of Pal, Walker and
//! Kahan, as LAPACK's `sterf`: squares of the elements beside the diagonal take the place of rotations, and of their square roots.

use faer::traits::RealField;
use faer::traits::ext::ComplexFieldExt;

/// Steps for each eigenvalue before it does not converge.
const STEPS: usize = 30;

/// Whether it converged. Squares of all elements must be finite.
pub(crate) fn eigenvalues<R: RealField + Copy>(diagonal: &mut [R], beside: &mut [R]) -> bool {
    let n = diagonal.len();
    let mut steps = STEPS * n;
    let mut from = 0;
    while from < n {
        let to = (from..n - 1).find(|&i| is_negligible(diagonal, beside, i)).unwrap_or(n - 1);
        let (block, squares) = (&mut diagonal[from..=to], &mut beside[from..to]);
        squares.iter_mut().for_each(|element| *element = *element * *element);
        // Small ones are found first.
        if block[block.len() - 1].abs() < block[0].abs() {
            block.reverse();
            squares.reverse();
        }
        if !of_block(block, squares, &mut steps) {
            return false;
        }
        from = to + 1;
    }
    diagonal.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    true
}

fn is_negligible<R: RealField + Copy>(diagonal: &[R], beside: &[R], i: usize) -> bool {
    beside[i].abs() <= diagonal[i].abs().sqrt() * diagonal[i + 1].abs().sqrt() * unit::<R>()
}

/// What rounding changes 1 by at most.
fn unit<R: RealField + Copy>() -> R {
    R::epsilon_impl() * R::from_f64_impl(0.5)
}

/// Eigenvalues of a block, of whose elements beside the diagonal the squares are given, take its diagonal's place.
fn of_block<R: RealField + Copy>(d: &mut [R], squares: &mut [R], steps: &mut usize) -> bool {
    let (last, bound) = (d.len() - 1, unit::<R>() * unit::<R>());
    let mut first = 0;
    while first <= last {
        let end = (first..last).find(|&i| squares[i] <= bound * (d[i] * d[i + 1]).abs()).unwrap_or(last);
        if end < last {
            squares[end] = R::zero_impl();
        }
        match end - first {
            0 => first += 1,
            1 => {
                (d[first], d[end]) = of_two(d[first], squares[first].sqrt(), d[end]);
                squares[first] = R::zero_impl();
                first += 2;
            }
            _ if *steps == 0 => return false,
            _ => {
                *steps -= 1;
                step(&mut d[first..=end], &mut squares[first..end]);
            }
        }
    }
    true
}

/// Eigenvalues of `[[a, b], [b, c]]`, the larger in absolute value first, as LAPACK's `lae2`.
fn of_two<R: RealField + Copy>(a: R, b: R, c: R) -> (R, R) {
    let half = R::from_f64_impl(0.5);
    let (sum, difference, twice) = (a + c, (a - c).abs(), (b + b).abs());
    let (larger, smaller) = if a.abs() > c.abs() { (a, c) } else { (c, a) };
    let root = hypotenuse(difference, twice);
    if sum == R::zero_impl() {
        return (half * root, -half * root);
    }
    let first = if sum < R::zero_impl() { half * (sum - root) } else { half * (sum + root) };
    (first, larger / first * smaller - b / first * b)
}

fn hypotenuse<R: RealField + Copy>(a: R, b: R) -> R {
    let (a, b) = (a.abs(), b.abs());
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    if large == R::zero_impl() {
        return large;
    }
    let ratio = small / large;
    large * (R::one_impl() + ratio * ratio).sqrt()
}

/// One implicit step, by a shift of Wilkinson's at the first element.
fn step<R: RealField + Copy>(d: &mut [R], squares: &mut [R]) {
    let (one, zero) = (R::one_impl(), R::zero_impl());
    let root = squares[0].sqrt();
    let slope = (d[1] - d[0]) / (root + root);
    let length = hypotenuse(slope, one);
    let shift = d[0] - root / (slope + if slope < zero { -length } else { length });
    let last = d.len() - 1;
    let (mut c, mut s, mut gamma) = (one, zero, d[last] - shift);
    let mut p = gamma * gamma;
    for i in (0..last).rev() {
        let square = squares[i];
        let r = p + square;
        if i + 1 != last {
            squares[i + 1] = s * r;
        }
        let (c_before, gamma_before, inverse) = (c, gamma, one / r);
        c = p * inverse;
        s = square * inverse;
        gamma = c * (d[i] - shift) - s * gamma_before;
        d[i + 1] = gamma_before + (d[i] - gamma);
        p = if c == zero { c_before * square } else { gamma * gamma / c };
    }
    squares[0] = s * p;
    d[0] = shift + gamma;
}
