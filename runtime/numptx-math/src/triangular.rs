//! Solves of triangular systems.

use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place_with_conj as lower, solve_unit_lower_triangular_in_place_with_conj as unit_lower,
    solve_unit_upper_triangular_in_place_with_conj as unit_upper, solve_upper_triangular_in_place_with_conj as upper,
};
use faer::traits::ext::ComplexFieldExt;
use faer::{Conj, MatMut, MatRef, Par};
use numptx_abi::{Status, routine};

use crate::element::Element;
use crate::operand::{Answer, by_columns};

/// What of a matrix counts, and how.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// The lower triangle.
    pub lower: bool,
    /// The matrix is taken transposed.
    pub transposed: bool,
    /// And conjugated.
    pub conjugated: bool,
    /// The diagonal counts as ones.
    pub unit: bool,
}

impl Form {
    /// What flags of a routine say.
    pub fn of(flags: u32) -> Form {
        let has = |flag: u32| flags & flag != 0;
        Form {
            lower: has(routine::LOWER),
            transposed: has(routine::TRANSPOSED),
            conjugated: has(routine::CONJUGATED),
            unit: has(routine::UNIT),
        }
    }
}

/// [`numptx_abi::routine::TRIANGULAR`].
pub(crate) fn solve<T: Element>(b: MatMut<'_, T>, a: MatRef<'_, T>, form: Form) -> Answer {
    if !form.unit
        && let Some(row) = (0..a.nrows()).find(|&row| a[(row, row)] == T::zero())
    {
        return Ok(row as i64 + 1);
    }
    solve_any(a, form, b)?;
    Ok(0)
}

/// `b` becomes x of op(a) x = b, whatever the diagonal.
pub(crate) fn solve_any<T: Element>(a: MatRef<'_, T>, form: Form, b: MatMut<'_, T>) -> Result<(), Status> {
    by_columns(b, |b| {
        let conjugated = if form.conjugated { Conj::Yes } else { Conj::No };
        let a = if form.transposed { a.transpose() } else { a };
        match (form.lower != form.transposed, form.unit) {
            (true, false) => lower(a, conjugated, b, Par::Seq),
            (true, true) => unit_lower(a, conjugated, b, Par::Seq),
            (false, false) => upper(a, conjugated, b, Par::Seq),
            (false, true) => unit_upper(a, conjugated, b, Par::Seq),
        }
    })
}
