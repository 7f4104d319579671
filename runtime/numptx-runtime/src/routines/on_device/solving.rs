//! Equations: LU factors, and what is solved with them; triangular equations.
//!
//! In: square matrices, but for LU, and right sides, by columns. Out: solutions in place of the right sides. Small matrices of a batch are done at once by
//! cuBLAS, others one after another by cuSOLVER. cuBLAS does not say whether a triangular matrix has an inverse: its diagonal is read before.

use std::ffi::c_int;

use numptx_abi::{dtype, routine};

use super::infos::Infos;
use super::matrices::{Matrices, Vectors};
use super::pointers::Pointers;
use super::{Task, parts};
use crate::copy::contiguous_strides;
use crate::error::{Error, Result};
use crate::libraries::{cublas, cusolver};
use crate::room;
use crate::rows::{self, Side};
use crate::{staging, stats};

/// What a matrix is taken as: as it is, transposed, transposed and conjugated.
fn turn(flags: u32) -> c_int {
    match (flags & routine::TRANSPOSED != 0, flags & routine::CONJUGATED != 0) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    }
}

/// [`routine::LU`].
pub(super) fn lu(task: &Task<'_>) -> Result<Option<i64>> {
    let (Some(a), Some(pivots)) = (Matrices::by_columns(&task.operands[0]), Vectors::of(&task.operands[1])) else {
        return Ok(None);
    };
    let (count, (rows, columns, lead)) = (a.count(), a.extents());
    if count == 0 || rows.min(columns) == 0 {
        return Ok(Some(0));
    }
    if rows == columns && task.is_batched(count, [a.rows, a.columns]) && pivots.are_packed() {
        let done = cublas::solving::session(task.call, task.device, task.dtype(), |session| {
            let infos = Infos::new(task, count)?;
            let pointers = Pointers::of(task, a.places())?;
            parts(count).try_for_each(|(begin, n)| {
                let (from, to, info) = (pointers.from(begin), pivots.at(begin).cast(), infos.at(begin));
                // SAFETY: the matrices and the pivots are the routine's.
                unsafe { session.functions.getrf(session.with, columns, from, lead, to, info, n as c_int) }
            })
        })?;
        if done.is_some() {
            return Ok(Some(0));
        }
    }
    cusolver::session(task.call, task.device, (task.name(), task.dtype()), |session| {
        let infos = Infos::new(task, 0)?;
        let mut size = 0;
        // SAFETY: only a size is computed.
        unsafe { session.functions.getrf_size(session.with, rows, columns, a.at(0), lead, &mut size) }?;
        let work = task.scratch(i64::from(size) * a.itemsize())?;
        (0..count).try_for_each(|index| {
            let (a, pivots, info) = (a.at(index), pivots.at(index).cast(), infos.ignored());
            // SAFETY: the matrix and the pivots are the routine's, and the working memory has the size that was asked for.
            unsafe { session.functions.getrf(session.with, rows, columns, a, lead, work.first(), pivots, info) }
        })?;
        Ok(0)
    })
}

/// [`routine::SOLVE`].
pub(super) fn solve(task: &Task<'_>) -> Result<Option<i64>> {
    let (Some(a), Some(b)) = (Matrices::by_columns(&task.operands[0]), Matrices::by_columns(&task.operands[1])) else {
        return Ok(None);
    };
    if a.count() == 0 || a.rows == 0 {
        return Ok(Some(0));
    }
    if task.is_batched(a.count(), [a.rows, b.columns]) {
        let done = cublas::solving::session(task.call, task.device, task.dtype(), |session| {
            solve_batched(task, session, &a, &b)
        })?;
        if done.is_some() {
            return Ok(done);
        }
    }
    cusolver::session(task.call, task.device, (task.name(), task.dtype()), |session| {
        let (count, (n, _, lead), (_, columns, lead_of_b)) = (a.count(), a.extents(), b.extents());
        let infos = Infos::new(task, count)?;
        let pivots = task.scratch(4 * a.rows)?;
        let (functions, with, pivots) = (session.functions, session.with, pivots.first().cast::<c_int>());
        let mut size = 0;
        // SAFETY: only a size is computed.
        unsafe { functions.getrf_size(with, n, n, a.at(0), lead, &mut size) }?;
        let work = task.scratch(i64::from(size) * a.itemsize())?;
        for index in 0..count {
            let (a, b) = (a.at(index), b.at(index));
            // SAFETY: the matrices are the routine's, and the working memory has the size that was asked for.
            unsafe {
                functions.getrf(with, n, n, a, lead, work.first(), pivots, infos.at(index))?;
                if columns > 0 {
                    functions.getrs(with, 0, n, columns, a, lead, pivots, b, lead_of_b, infos.ignored())?;
                }
            }
        }
        infos.answer(task)
    })
}

fn solve_batched(task: &Task<'_>, session: &cublas::solving::Session, a: &Matrices, b: &Matrices) -> Result<i64> {
    let (count, (n, _, lead), (_, columns, lead_of_b)) = (a.count(), a.extents(), b.extents());
    let infos = Infos::new(task, count)?;
    let pivots = task.scratch(4 * a.rows * count)?;
    let of_a = Pointers::of(task, a.places())?;
    let of_b = Pointers::of(task, b.places())?;
    for (begin, number) in parts(count) {
        let (number, pivots) = (number as c_int, pivots.at(4 * a.rows * begin).cast::<c_int>());
        let (from, to, mut refused) = (of_a.from(begin), of_b.from(begin), 0);
        // SAFETY: the matrices are the routine's; there is a pivot for each of their rows.
        unsafe {
            session.functions.getrf(session.with, n, from, lead, pivots, infos.at(begin), number)?;
            if columns > 0 {
                session.functions.getrs(
                    session.with,
                    0,
                    n,
                    columns,
                    from,
                    lead,
                    pivots,
                    to,
                    lead_of_b,
                    &mut refused,
                    number,
                )?;
            }
        }
        refuse(task, refused)?;
    }
    infos.answer(task)
}

/// What cuBLAS says on the host of the arguments of a function.
pub(super) fn refuse(task: &Task<'_>, argument: c_int) -> Result<()> {
    match argument {
        0 => Ok(()),
        _ => Err(Error::runtime(format!(
            "`{}`: cuBLAS refuses its argument {}; this is a bug of numptx",
            task.name(),
            -i64::from(argument)
        ))),
    }
}

/// [`routine::LU_SOLVE`].
pub(super) fn solve_factored(task: &Task<'_>) -> Result<Option<i64>> {
    let [b, lu, pivots] = task.operands else { return Ok(None) };
    let (Some(b), Some(lu), Some(pivots)) = (Matrices::by_columns(b), Matrices::by_columns(lu), Vectors::of(pivots))
    else {
        return Ok(None);
    };
    let (count, turn) = (b.count(), turn(task.flags));
    let ((n, columns, lead), (_, _, lead_of_lu)) = (b.extents(), lu.extents());
    if count == 0 || n == 0 || columns == 0 {
        return Ok(Some(0));
    }
    if task.is_batched(count, [lu.rows, b.columns]) && pivots.are_packed() {
        let done = cublas::solving::session(task.call, task.device, task.dtype(), |session| {
            let of_lu = Pointers::of(task, lu.places())?;
            let of_b = Pointers::of(task, b.places())?;
            parts(count).try_for_each(|(begin, number)| {
                let (from, to, number) = (of_lu.from(begin), of_b.from(begin), number as c_int);
                let (pivots, mut refused) = (pivots.at(begin).cast::<c_int>().cast_const(), 0);
                let (functions, with) = (session.functions, session.with);
                // SAFETY: the matrices and the pivots are the routine's.
                unsafe {
                    functions.getrs(with, turn, n, columns, from, lead_of_lu, pivots, to, lead, &mut refused, number)
                }?;
                refuse(task, refused)
            })
        })?;
        if done.is_some() {
            return Ok(Some(0));
        }
    }
    cusolver::session(task.call, task.device, (task.name(), task.dtype()), |session| {
        let infos = Infos::new(task, 0)?;
        (0..count).try_for_each(|index| {
            let (lu, pivots, b) = (lu.at(index).cast_const(), pivots.at(index).cast::<c_int>(), b.at(index));
            let (functions, with) = (session.functions, session.with);
            // SAFETY: the matrices and the pivots are the routine's.
            unsafe { functions.getrs(with, turn, n, columns, lu, lead_of_lu, pivots, b, lead, infos.ignored()) }
        })?;
        Ok(0)
    })
}

/// [`routine::TRIANGULAR`].
pub(super) fn triangular(task: &Task<'_>) -> Result<Option<i64>> {
    let (Some(b), Some(a)) = (Matrices::by_columns(&task.operands[0]), Matrices::by_columns(&task.operands[1])) else {
        return Ok(None);
    };
    let count = b.count();
    if count == 0 || a.rows == 0 {
        return Ok(Some(0));
    }
    let is_unit = task.flags & routine::UNIT != 0;
    cublas::solving::session(task.call, task.device, task.dtype(), |session| {
        if !is_unit && task.call.recording.is_none() {
            let zero = first_zero(task, &a)?;
            if zero != 0 {
                return Ok(zero);
            }
        }
        if b.columns > 0 {
            divide(task, session, &a, &b)?;
        }
        Ok(0)
    })
}

/// Queues the solution of triangular equations.
fn divide(task: &Task<'_>, session: &cublas::solving::Session, a: &Matrices, b: &Matrices) -> Result<()> {
    let (triangle, turn) = (c_int::from(task.flags & routine::LOWER == 0), turn(task.flags));
    let diagonal = c_int::from(task.flags & routine::UNIT != 0);
    let (functions, with, count) = (session.functions, session.with, b.count());
    let (rows, columns, lead, lead_of_b) = (b.rows, b.columns, a.lead, b.lead);
    session.with_one(|one| {
        if count > 1 && task.is_batched(count, [a.rows, b.columns]) {
            let of_a = Pointers::of(task, a.places())?;
            let of_b = Pointers::of(task, b.places())?;
            return parts(count).try_for_each(|(begin, n)| {
                let (from, to) = (of_a.from(begin), of_b.from(begin));
                // SAFETY: the matrices are the routine's.
                unsafe {
                    functions.trsm_batched(
                        with, 0, triangle, turn, diagonal, rows, columns, one, from, lead, to, lead_of_b, n,
                    )
                }
            });
        }
        (0..count).try_for_each(|index| {
            let (a, b) = (a.at(index).cast_const(), b.at(index));
            // SAFETY: the matrices are the routine's.
            unsafe { functions.trsm(with, 0, triangle, turn, diagonal, rows, columns, one, a, lead, b, lead_of_b) }
        })
    })
}

/// The first element of the diagonal, from 1, that is zero, of the first matrix that has such; 0: none has. Waits for the device.
fn first_zero(task: &Task<'_>, a: &Matrices) -> Result<i64> {
    // Matrices that stand for others are looked at once.
    let different = a.batch().iter().filter(|axis| axis.step != 0);
    let (mut shape, mut steps): (Vec<i64>, Vec<i64>) = different.map(|axis| (axis.extent, axis.step)).unzip();
    shape.push(a.rows);
    steps.push(a.lead + 1);
    let (itemsize, stream) = (a.itemsize(), &task.call.stream);
    let strides: Vec<i64> = steps.iter().map(|step| step * itemsize).collect();
    let bytes = crate::copy::packed_bytes(&shape, itemsize)?;
    let diagonals = task.scratch(bytes)?;
    let dense = contiguous_strides(&shape, itemsize);
    let to = Side { first: diagonals.0.address(), strides: &dense[..shape.len()] };
    let from = Side { first: a.at(0).expose_provenance() as u64, strides: &strides };
    let mut found = room::zeroed(usize::try_from(bytes).unwrap_or(0))?;
    // SAFETY: the diagonals lie in the matrices, and the scratch and the host have room for them; they are here when the stream was waited for.
    unsafe {
        rows::copy_elements(task.device, (&to, &from), &shape, itemsize, stream)?;
        staging::to_host(task.device, found.as_mut_ptr(), to.first, found.len(), stream)?;
    }
    task.device.wait(stream.handle())?;
    stats::transferred(task.device.ordinal, found.len());
    let zero = found.chunks_exact(itemsize as usize).position(|element| is_zero(element, task.dtype()));
    Ok(zero.map_or(0, |position| position as i64 % a.rows + 1))
}

/// Whether an element is zero, of whatever sign.
fn is_zero(element: &[u8], code: u8) -> bool {
    let part = if matches!(code, dtype::FLOAT32 | dtype::COMPLEX64) { 4 } else { 8 };
    element.chunks_exact(part).all(|part| {
        let (last, others) = part.split_last().map_or((0, &[][..]), |(last, others)| (*last, others));
        last & 0x7f == 0 && others.iter().all(|byte| *byte == 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_two_signs_and_complex_numbers_two_parts() {
        assert!(is_zero(&0f32.to_le_bytes(), dtype::FLOAT32) && is_zero(&(-0f64).to_le_bytes(), dtype::FLOAT64));
        assert!(!is_zero(&f32::MIN_POSITIVE.to_le_bytes(), dtype::FLOAT32));
        let complex = |parts: [f32; 2]| parts.map(f32::to_le_bytes).concat();
        assert!(is_zero(&complex([0.0, -0.0]), dtype::COMPLEX64) && !is_zero(&complex([0.0, 1.0]), dtype::COMPLEX64));
    }

    #[test]
    fn flags_say_how_a_matrix_is_taken() {
        assert_eq!((turn(routine::LOWER), turn(routine::TRANSPOSED)), (0, 1));
        assert_eq!(turn(routine::TRANSPOSED | routine::CONJUGATED), 2);
    }
}
