//! Eigenvalues and vectors of Hermitian matrices.
//!
//! In: matrices by columns, of which the lower triangle is read. Out: the vectors in their place, if they are wanted. Up to [`TINY`] rows, and where matrices
//! follow each other, a whole batch is done at once by Jacobi's method, others one by one.

use std::ffi::c_int;

use numptx_abi::routine;

use super::infos::Infos;
use super::matrices::{Matrices, Vectors};
use super::{Task, parts};
use crate::error::Result;
use crate::libraries::cusolver::{self, Session};

/// Rows and columns of matrices that cuSOLVER's methods of Jacobi take many at once.
pub(super) const TINY: i64 = 32;
/// The lower triangle, as the library names it.
const LOWER: c_int = 0;

/// [`routine::EIGH`] and [`routine::EIGVALSH`].
pub(super) fn eigen(task: &Task<'_>) -> Result<Option<i64>> {
    let (Some(a), Some(values)) = (Matrices::by_columns(&task.operands[0]), Vectors::of(&task.operands[1])) else {
        return Ok(None);
    };
    if a.count() == 0 || a.rows == 0 {
        return Ok(Some(0));
    }
    cusolver::session(task.call, task.device, (task.name(), task.dtype()), |session| {
        let is_batched = a.count() > 1 && a.rows <= TINY && a.are_packed() && values.are_packed();
        if is_batched { batched(task, session, &a, &values) } else { one_by_one(task, session, &a, &values) }
    })
}

fn batched(task: &Task<'_>, session: &Session, a: &Matrices, values: &Vectors) -> Result<i64> {
    let vectors = c_int::from(task.code == routine::EIGH);
    let (count, (n, _, lead), infos) = (a.count(), a.extents(), Infos::new(task, a.count())?);
    let (functions, with, parameters) = (session.functions, session.with, session.syevj);
    for (begin, number) in parts(count) {
        let (a_here, values, number, mut size) = (a.at(begin), values.at(begin), number as c_int, 0);
        // SAFETY: only a size is computed.
        unsafe {
            functions.syevj_batched_size(with, vectors, LOWER, n, a_here, lead, values, &mut size, parameters, number)
        }?;
        let work = task.scratch(i64::from(size) * a.itemsize())?;
        let (work, info) = (work.first(), infos.at(begin));
        // SAFETY: the matrices and vectors are the routine's, and follow each other; the working memory has the size that was asked for, and is given
        // back in the stream's order.
        unsafe {
            functions.syevj_batched(with, vectors, LOWER, n, a_here, lead, values, work, size, info, parameters, number)
        }?;
    }
    infos.answer(task)
}

fn one_by_one(task: &Task<'_>, session: &Session, a: &Matrices, values: &Vectors) -> Result<i64> {
    let vectors = c_int::from(task.code == routine::EIGH);
    let (count, (n, _, lead), infos) = (a.count(), a.extents(), Infos::new(task, a.count())?);
    let (functions, with) = (session.functions, session.with);
    let mut size = 0;
    // SAFETY: only a size is computed.
    unsafe { functions.syevd_size(with, vectors, LOWER, n, a.at(0), lead, values.at(0), &mut size) }?;
    let work = task.scratch(i64::from(size) * a.itemsize())?;
    for index in 0..count {
        let (a, values, info) = (a.at(index), values.at(index), infos.at(index));
        // SAFETY: the matrix and the vector are the routine's, and the working memory has the size that was asked for.
        unsafe { functions.syevd(with, vectors, LOWER, n, a, lead, values, work.first(), size, info) }?;
        task.call.poll_in_time()?;
    }
    infos.answer(task)
}
