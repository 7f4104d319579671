//! Factors in place: Cholesky's, and those of QR.
//!
//! In: matrices by columns; Hermitian ones also by rows, whose transpose has the factor's transpose above its diagonal. Out: factors where the matrices were.
//! Small matrices of a batch are done at once, of Cholesky by cuSOLVER, of QR by cuBLAS; Q itself is made one by one.

use std::ffi::{c_int, c_void};

use super::infos::Infos;
use super::matrices::{Matrices, Vectors};
use super::pointers::Pointers;
use super::solving::refuse;
use super::{Task, parts};
use crate::error::Result;
use crate::libraries::{cublas, cusolver};

/// Triangles as the libraries name them.
const LOWER: c_int = 0;
const UPPER: c_int = 1;

/// [`numptx_abi::routine::CHOLESKY`].
pub(super) fn cholesky(task: &Task<'_>) -> Result<Option<i64>> {
    let lower = Matrices::by_columns(&task.operands[0]).map(|a| (a, LOWER));
    let found = lower.or_else(|| Matrices::by_rows(&task.operands[0]).map(|a| (a, UPPER)));
    let Some((a, triangle)) = found else { return Ok(None) };
    let (count, (n, _, lead)) = (a.count(), a.extents());
    if count == 0 || n == 0 {
        return Ok(Some(0));
    }
    cusolver::session(task.call, task.device, (task.name(), task.dtype()), |session| {
        let (functions, with, infos) = (session.functions, session.with, Infos::new(task, count)?);
        if task.is_batched(count, [a.rows, a.columns]) {
            let pointers = Pointers::of(task, a.places())?;
            for (begin, number) in parts(count) {
                let (from, info, number) = (pointers.from(begin), infos.at(begin), number as c_int);
                // SAFETY: the matrices are the routine's.
                unsafe { functions.potrf_batched(with, triangle, n, from, lead, info, number) }?;
            }
            return infos.answer(task);
        }
        let mut size = 0;
        // SAFETY: only a size is computed.
        unsafe { functions.potrf_size(with, triangle, n, a.at(0), lead, &mut size) }?;
        let work = task.scratch(i64::from(size) * a.itemsize())?;
        for index in 0..count {
            let (a, info) = (a.at(index), infos.at(index));
            // SAFETY: the matrix is the routine's, and the working memory has the size that was asked for.
            unsafe { functions.potrf(with, triangle, n, a, lead, work.first(), size, info) }?;
        }
        infos.answer(task)
    })
}

/// [`numptx_abi::routine::QR`].
pub(super) fn qr(task: &Task<'_>) -> Result<Option<i64>> {
    let (Some(a), Some(tau)) = (Matrices::by_columns(&task.operands[0]), Vectors::of(&task.operands[1])) else {
        return Ok(None);
    };
    let (count, (rows, columns, lead)) = (a.count(), a.extents());
    if count == 0 || rows.min(columns) == 0 {
        return Ok(Some(0));
    }
    if task.is_batched(count, [a.rows, a.columns]) {
        let done = cublas::solving::session(task.call, task.device, task.dtype(), |session| {
            let of_a = Pointers::of(task, a.places())?;
            let of_tau = Pointers::of(task, tau.places())?;
            parts(count).try_for_each(|(begin, n)| {
                let (from, to, mut refused) = (of_a.from(begin), of_tau.from(begin), 0);
                let (functions, with) = (session.functions, session.with);
                // SAFETY: the matrices and vectors are the routine's.
                unsafe { functions.geqrf(with, rows, columns, from, lead, to, &mut refused, n as c_int) }?;
                refuse(task, refused)
            })
        })?;
        if done.is_some() {
            return Ok(Some(0));
        }
    }
    cusolver::session(task.call, task.device, (task.name(), task.dtype()), |session| {
        let (functions, with, infos) = (session.functions, session.with, Infos::new(task, 0)?);
        let mut size = 0;
        // SAFETY: only a size is computed.
        unsafe { functions.geqrf_size(with, rows, columns, a.at(0), lead, &mut size) }?;
        let work = task.scratch(i64::from(size) * a.itemsize())?;
        for index in 0..count {
            let (a, tau, info) = (a.at(index), tau.at(index), infos.ignored());
            // SAFETY: the matrix and the vector are the routine's, and the working memory has the size that was asked for.
            unsafe { functions.geqrf(with, rows, columns, a, lead, tau, work.first(), size, info) }?;
        }
        Ok(0)
    })
}

/// [`numptx_abi::routine::Q`].
pub(super) fn q(task: &Task<'_>) -> Result<Option<i64>> {
    let (Some(q), Some(tau)) = (Matrices::by_columns(&task.operands[0]), Vectors::of(&task.operands[1])) else {
        return Ok(None);
    };
    let (count, (rows, columns, lead)) = (q.count(), q.extents());
    if count == 0 || rows.min(columns) == 0 {
        return Ok(Some(0));
    }
    // LAPACK's documentation of `orgqr`; of no vectors libraries disagree.
    let vectors = c_int::try_from(tau.length).unwrap_or(0);
    if !(1..=columns).contains(&vectors) || columns > rows {
        return Ok(None);
    }
    cusolver::session(task.call, task.device, (task.name(), task.dtype()), |session| {
        let (functions, with, infos) = (session.functions, session.with, Infos::new(task, 0)?);
        let mut size = 0;
        let (first, of_first): (*const c_void, *const c_void) = (q.at(0), tau.at(0));
        // SAFETY: only a size is computed.
        unsafe { functions.orgqr_size(with, rows, columns, vectors, first, lead, of_first, &mut size) }?;
        let work = task.scratch(i64::from(size) * q.itemsize())?;
        for index in 0..count {
            let (q, tau, info) = (q.at(index), tau.at(index).cast_const(), infos.ignored());
            // SAFETY: the matrix and the vector are the routine's, and the working memory has the size that was asked for.
            unsafe { functions.orgqr(with, rows, columns, vectors, q, lead, tau, work.first(), size, info) }?;
        }
        Ok(0)
    })
}
