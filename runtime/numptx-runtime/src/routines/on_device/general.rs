//! Eigenvalues and vectors of matrices of any kind.
//!
//! In: matrices by columns. Out: complex values and vectors, where cuSOLVER has them (from CUDA 12.6 on). Of a real matrix it gives the parts of vectors in
//! LAPACK's form, from which the host makes complex ones.

use std::ffi::c_void;

use numptx_abi::dtype;

use super::infos::Infos;
use super::matrices::{Matrices, Vectors};
use super::{Scratch, Task};
use crate::error::{Error, Result};
use crate::libraries::cusolver::{self, Eigen, Session};
use crate::{room, staging, stats};

/// [`numptx_abi::routine::EIG`] and [`numptx_abi::routine::EIGVALS`].
pub(super) fn general(task: &Task<'_>) -> Result<Option<i64>> {
    let [a, values, vectors @ ..] = task.operands else { return Ok(None) };
    let (Some(a), Some(values)) = (Matrices::by_columns(a), Vectors::of(values)) else { return Ok(None) };
    let vectors = match vectors {
        [] => None,
        [vectors, ..] => match Matrices::by_columns(vectors) {
            None => return Ok(None),
            known => known,
        },
    };
    if a.count() == 0 || a.rows == 0 {
        return Ok(Some(0));
    }
    let done = cusolver::session(task.call, task.device, (task.name(), task.dtype()), |session| {
        if !session.has_general() {
            return Ok(None);
        }
        one_by_one(task, session, &a, &values, vectors.as_ref()).map(Some)
    })?;
    Ok(done.flatten())
}

fn one_by_one(
    task: &Task<'_>,
    session: &Session,
    a: &Matrices,
    values: &Vectors,
    vectors: Option<&Matrices>,
) -> Result<i64> {
    let is_real = matches!(task.dtype(), dtype::FLOAT32 | dtype::FLOAT64);
    let parts = match vectors {
        Some(_) if is_real => Some(task.scratch(a.rows * a.rows * a.itemsize())?),
        _ => None,
    };
    let what = |index: i64| {
        let (vectors, lead_of_vectors) = match (&parts, vectors) {
            (Some(parts), _) => (parts.first(), a.rows),
            (None, Some(vectors)) => (vectors.at(index), vectors.lead),
            (None, None) => (std::ptr::null_mut(), a.rows),
        };
        Eigen { n: a.rows, a: a.at(index), lead: a.lead, values: values.at(index), vectors, lead_of_vectors }
    };
    let (bytes, bytes_of_host) = session.general_size(&what(0))?;
    let work = task.scratch(bytes as i64)?;
    let mut host: Vec<u128> = room::reserved(bytes_of_host.div_ceil(size_of::<u128>()))?;
    let host = (host.spare_capacity_mut().as_mut_ptr().cast::<c_void>(), bytes_of_host);
    for index in 0..a.count() {
        let info = Infos::new(task, 1)?;
        // SAFETY: the matrices and vectors are the routine's, and the working memory has the sizes that were asked for; the device is waited for before the
        // host's is used again.
        unsafe { session.general(&what(index), (work.first(), bytes), host, info.at(0)) }?;
        let answer = info.answer(task)?;
        if answer != 0 {
            return Ok(answer);
        }
        if let (Some(parts), Some(vectors)) = (&parts, vectors) {
            let (values, vectors) = (values.at(index), (vectors, index));
            match task.dtype() {
                dtype::FLOAT32 => put_together::<f32>(task, a.rows, values, parts, vectors)?,
                _ => put_together::<f64>(task, a.rows, values, parts, vectors)?,
            }
        }
        task.call.poll_in_time()?;
    }
    Ok(0)
}

/// A float whose bytes are all values.
trait Float: Copy + PartialEq + Default + std::ops::Neg<Output = Self> {
    const BYTES: usize;
    fn read(bytes: &[u8]) -> Self;
    fn append(self, to: &mut Vec<u8>);
}

macro_rules! floats {
    ($($float:ty),*) => {$(
        impl Float for $float {
            const BYTES: usize = size_of::<$float>();

            fn read(bytes: &[u8]) -> $float {
                <$float>::from_ne_bytes(std::array::from_fn(|n| bytes[n]))
            }

            fn append(self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_ne_bytes());
            }
        }
    )*};
}

floats!(f32, f64);

/// Makes the vectors of a real matrix of their parts, and writes them where they go.
fn put_together<F: Float>(
    task: &Task<'_>,
    n: i64,
    values: *mut c_void,
    parts: &Scratch,
    (vectors, index): (&Matrices, i64),
) -> Result<()> {
    let rows = usize::try_from(n).unwrap_or(0);
    let values = fetched(task, values.expose_provenance() as u64, 2 * rows * F::BYTES)?;
    let parts = fetched(task, parts.0.address(), rows * rows * F::BYTES)?;
    let is_paired = |column: usize| F::read(&values[(2 * column + 1) * F::BYTES..]) != F::default();
    let whole = complex_columns::<F>(rows, &parts, is_paired)?;
    let to = vectors.at(index).cast::<u8>();
    if vectors.lead == n {
        return task.call.upload(task.device, to, &whole);
    }
    let column_bytes = 2 * rows * F::BYTES;
    whole.chunks_exact(column_bytes).enumerate().try_for_each(|(column, bytes)| {
        let first = to.wrapping_offset(column as isize * (vectors.lead * vectors.itemsize()) as isize);
        task.call.upload(task.device, first, bytes)
    })
}

/// Bytes from the device, for which it is waited for.
fn fetched(task: &Task<'_>, from: u64, bytes: usize) -> Result<Vec<u8>> {
    let mut found = room::zeroed(bytes)?;
    // SAFETY: both have as many bytes; they are here when the stream was waited for, which comes next.
    unsafe { staging::to_host(task.device, found.as_mut_ptr(), from, bytes, &task.call.stream) }?;
    task.device.wait(task.call.stream.handle())?;
    stats::transferred(task.device.ordinal, bytes);
    Ok(found)
}

/// Complex vectors by columns of their parts: where two values are conjugate, the first column has the real parts of the first vector, the second one the
/// imaginary parts, and the second vector is conjugate.
fn complex_columns<F: Float>(rows: usize, parts: &[u8], is_paired: impl Fn(usize) -> bool) -> Result<Vec<u8>> {
    let at = |row: usize, column: usize| F::read(&parts[(column * rows + row) * F::BYTES..]);
    let mut whole: Vec<u8> = room::reserved(2 * parts.len())?;
    let mut column = 0;
    while column < rows {
        if !is_paired(column) {
            (0..rows).for_each(|row| {
                at(row, column).append(&mut whole);
                F::default().append(&mut whole);
            });
            column += 1;
            continue;
        }
        if column + 1 == rows {
            return Err(Error::runtime("cuSOLVER: an eigenvalue of a real matrix lacks its conjugate"));
        }
        for sign in [false, true] {
            (0..rows).for_each(|row| {
                at(row, column).append(&mut whole);
                let imaginary = at(row, column + 1);
                (if sign { -imaginary } else { imaginary }).append(&mut whole);
            });
        }
        column += 2;
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjugate_pairs_are_made_of_two_columns() {
        let parts: Vec<u8> =
            [1f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0].iter().flat_map(|x| x.to_ne_bytes()).collect();
        let whole = complex_columns::<f32>(3, &parts, |column| column > 0).expect("whole");
        let found: Vec<f32> = whole.chunks_exact(4).map(f32::read).collect();
        let expected =
            [[1.0, 0.0, 2.0, 0.0, 3.0, 0.0], [4.0, 7.0, 5.0, 8.0, 6.0, 9.0], [4.0, -7.0, 5.0, -8.0, 6.0, -9.0]];
        assert_eq!(found, expected.concat());
        assert!(complex_columns::<f32>(3, &parts, |column| column == 2).is_err());
    }
}
