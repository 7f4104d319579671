//! Singular values and vectors.
//!
//! In: matrices by columns where they have as many rows as columns, or more, else by rows. Out: values, and vectors as the matrices lie. cuSOLVER takes the
//! former alone; of a matrix by rows it gets the transpose, whose left vectors are the right ones, and the other way round, as they lie.
//!
//! See Note [Transposed decompositions].

use std::ffi::{c_char, c_void};

use super::Task;
use super::eigen::TINY;
use super::infos::Infos;
use super::jacobi;
use super::matrices::{Matrices, Vectors};
use crate::error::Result;
use crate::libraries::cusolver::{self, Session};

/// A batch of matrices of at least as many rows as columns, by columns, and what becomes of them.
pub(super) struct Tall {
    pub(super) a: Matrices,
    pub(super) values: Vectors,
    /// The left vectors, by columns, and the right ones' adjoint.
    pub(super) vectors: Option<(Matrices, Matrices)>,
}

impl Tall {
    fn of(task: &Task<'_>) -> Option<Tall> {
        let [a, values, vectors @ ..] = task.operands else { return None };
        let (_, own) = a.axes.split_last_chunk::<2>()?;
        let is_turned = own[0].extent < own[1].extent;
        let matrices = if is_turned { Matrices::by_rows } else { Matrices::by_columns };
        let vectors = match vectors {
            [] => None,
            [u, v] if is_turned => Some((matrices(v)?, matrices(u)?)),
            [u, v] => Some((matrices(u)?, matrices(v)?)),
            _ => return None,
        };
        Some(Tall { a: matrices(a)?, values: Vectors::of(values)?, vectors })
    }
}

/// [`numptx_abi::routine::SVD`] and [`numptx_abi::routine::SVDVALS`].
pub(super) fn singular(task: &Task<'_>) -> Result<Option<i64>> {
    let Some(tall) = Tall::of(task) else { return Ok(None) };
    let a = &tall.a;
    if a.count() == 0 {
        return Ok(Some(0));
    }
    if a.columns == 0 {
        // Vectors of nothing are an identity's, which the library does not write.
        return Ok(tall.vectors.is_none().then_some(0));
    }
    if a.count() > 1
        && a.rows <= TINY
        && let Some(answer) = jacobi::singular(task, &tall)?
    {
        return Ok(Some(answer));
    }
    cusolver::session(task.call, task.device, (task.name(), task.dtype()), |session| one_by_one(task, session, &tall))
}

fn one_by_one(task: &Task<'_>, session: &Session, tall: &Tall) -> Result<i64> {
    let Tall { a, values, vectors } = tall;
    let (count, (rows, columns, lead), infos) = (a.count(), a.extents(), Infos::new(task, a.count())?);
    let (functions, with) = (session.functions, session.with);
    let mut size = 0;
    // SAFETY: only a size is computed.
    unsafe { functions.gesvd_size(with, rows, columns, &mut size) }?;
    let work = task.scratch(i64::from(size) * a.itemsize())?;
    let real_work = task.scratch(8 * a.columns)?;
    let job = match vectors {
        None => b'N',
        Some((left, _)) if left.columns == a.rows => b'A',
        Some(_) => b'S',
    } as c_char;
    let null = std::ptr::null_mut::<c_void>();
    for index in 0..count {
        let ((u, lead_of_u), (v, lead_of_v)) = match vectors {
            None => ((null, rows), (null, columns)),
            Some((left, right)) => ((left.at(index), left.extents().2), (right.at(index), right.extents().2)),
        };
        let (a, values, info) = (a.at(index), values.at(index), infos.at(index));
        // SAFETY: the matrices and the vector are the routine's, and the working memory has the size that was asked for, and a number a column.
        unsafe {
            functions.gesvd(
                with,
                job,
                job,
                rows,
                columns,
                a,
                lead,
                values,
                u,
                lead_of_u,
                v,
                lead_of_v,
                work.first(),
                size,
                real_work.first(),
                info,
            )
        }?;
        task.call.poll_in_time()?;
    }
    infos.answer(task)
}

// Note [Transposed decompositions]
//
// Let A have m < n. By rows it is, read by columns, its transpose Aᵀ = U' S V'ᴴ, of n × m. So A = (V'ᴴ)ᵀ S U'ᵀ: u is (V'ᴴ)ᵀ, which lies by rows as V'ᴴ does
// by columns, and v is U'ᵀ, which lies by rows as U' does by columns. What the library writes as the left vectors is v, and the adjoint of the right ones
// is u, without a copy or a conjugation. Of Cholesky's factor the same holds: Aᵀ = U'ᴴ U' with U' = Lᵀ.
