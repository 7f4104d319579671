//! QR in LAPACK's form, as `geqrf`: vectors below R, and tau; the diagonal of R is real.

use faer::traits::RealField;
use faer::traits::ext::ComplexFieldExt;
use faer::{ColMut, MatMut};
use numptx_abi::Status;

use crate::columns::Columns;
use crate::element::{Element, add_multiple, dot, norm};
use crate::operand::{Answer, by_columns};
use crate::processor::for_processor;
use crate::reflectors::{self, BLOCK, Reflectors};
use crate::scratch;

/// [`numptx_abi::routine::QR`].
pub(crate) fn factor<T: Element>(a: MatMut<'_, T>, tau: ColMut<'_, T>) -> Answer {
    by_columns(a, |a| factor_columns(a, tau))??;
    Ok(0)
}

/// The same of a matrix by columns.
pub(crate) fn factor_columns<T: Element>(a: MatMut<'_, T>, tau: ColMut<'_, T>) -> Result<(), Status> {
    let (mut a, mut tau) = (a, tau);
    let (rows, columns) = a.shape();
    let n = rows.min(columns);
    let mut of_panel = [T::zero(); BLOCK];
    if columns <= BLOCK {
        factor_panel(Columns::of(a), &mut of_panel);
        (0..n).for_each(|j| tau[j] = of_panel[j]);
        return Ok(());
    }
    scratch::with(reflectors::required::<T>(rows, columns), |stack| {
        for from in (0..n).step_by(BLOCK) {
            let width = BLOCK.min(n - from);
            let rest = a.as_mut().submatrix_mut(from, from, rows - from, columns - from);
            let (mut panel, right) = rest.split_at_col_mut(width);
            factor_panel(Columns::of(panel.as_mut()), &mut of_panel);
            (0..width).for_each(|j| tau[from + j] = of_panel[j]);
            if right.ncols() > 0 {
                let (block, stack) = Reflectors::of(panel.as_ref(), &of_panel[..width], stack);
                block.apply_adjoint(right, stack);
            }
        }
    })
}

for_processor! {
    fn factor_panel<T>(a: Columns<'_, T>, tau: &mut [T; BLOCK]) -> () = factor_by_elements
}

#[inline(always)]
fn factor_by_elements<T: Element>(a: Columns<'_, T>, tau: &mut [T; BLOCK]) {
    let mut a = a;
    for j in 0..a.rows().min(a.columns()) {
        tau[j] = reflect(&mut a.get_mut(j)[j..]);
        let factor = tau[j].conj();
        if factor == T::zero() {
            continue;
        }
        for next in j + 1..a.columns() {
            let (v, column) = a.pair(j, next);
            let (v, column) = (&v[j + 1..], &mut column[j..]);
            let (head, column) = column.split_first_mut().expect("a row is left");
            let along = factor * (*head + dot(v, column));
            *head -= along;
            add_multiple(column, -along, v);
        }
    }
}

/// The column becomes what it is reflected to, and below it the vector; answers tau: LAPACK's `larfg`.
#[inline(always)]
fn reflect<T: Element>(column: &mut [T]) -> T {
    let (head, rest) = column.split_first_mut().expect("a row is left");
    let (zero, one) = (T::Float::zero(), T::Float::one());
    let mut below = norm(rest);
    if below == zero && head.imag() == zero {
        return T::zero();
    }
    let least = T::Float::min_positive_impl() / T::Float::epsilon_impl();
    let mut length = hypotenuse(*head, below);
    let mut unscaled = one;
    // What is too small for its reciprocal is enlarged first.
    while length < least && unscaled > least * least.sqrt() {
        let factor = one / least;
        rest.iter_mut().for_each(|element| *element = element.mul_real(factor));
        *head = head.mul_real(factor);
        below *= factor;
        unscaled *= least;
        length = hypotenuse(*head, below);
    }
    let target = if head.real() >= zero { -length } else { length };
    let tau = (T::of(target) - *head).mul_real(one / target);
    let factor = (*head - T::of(target)).recip();
    rest.iter_mut().for_each(|element| *element *= factor);
    *head = T::of(target * unscaled);
    tau
}

#[inline(always)]
fn hypotenuse<T: Element>(head: T, below: T::Float) -> T::Float {
    norm(&[T::of(head.real()), T::of(head.imag()), T::of(below)])
}
