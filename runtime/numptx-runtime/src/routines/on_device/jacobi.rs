//! Singular values and vectors of many tiny matrices at once, by Jacobi's method.
//!
//! In: matrices that follow each other. Out: as of all others. The library gives all left vectors, of which the wanted are copied, and the right ones
//! themselves, whose adjoint is wanted: cuBLAS multiplies it with an identity.

use std::ffi::c_int;

use super::infos::Infos;
use super::matrices::Matrices;
use super::singular::Tall;
use super::{Scratch, Task, parts};
use crate::error::Result;
use crate::libraries::cublas::solving::{self, Squares};
use crate::libraries::cusolver::{self, Session};
use crate::rows::{self, Side};

/// The answer. `None`: the matrices do not follow each other, or a library is not to be had; then nothing is done.
pub(super) fn singular(task: &Task<'_>, tall: &Tall) -> Result<Option<i64>> {
    let is_even = |(left, right): &(Matrices, Matrices)| left.each().is_some() && right.each().is_some();
    if !tall.a.are_packed() || !tall.values.are_packed() || !tall.vectors.as_ref().is_none_or(is_even) {
        return Ok(None);
    }
    let (call, device, what) = (task.call, task.device, (task.name(), task.dtype()));
    match &tall.vectors {
        None => cusolver::session(call, device, what, |session| {
            let infos = Infos::new(task, tall.a.count())?;
            let room = Room::of(task, tall)?;
            for part in parts(tall.a.count()) {
                decompose(task, session, tall, part, &room, &infos)?;
            }
            infos.answer(task)
        }),
        Some(vectors) => {
            let done = solving::session(call, device, task.dtype(), |products| {
                cusolver::session(call, device, what, |session| with_vectors(task, session, products, tall, vectors))
            })?;
            Ok(done.flatten())
        }
    }
}

fn with_vectors(
    task: &Task<'_>,
    session: &Session,
    products: &solving::Session,
    tall: &Tall,
    (left, right): &(Matrices, Matrices),
) -> Result<i64> {
    let (count, rows, columns, itemsize) = (tall.a.count(), tall.a.rows, tall.a.columns, tall.a.itemsize());
    let infos = Infos::new(task, count)?;
    let identity = identity(task, columns, itemsize)?;
    let room = Room::of(task, tall)?;
    for (begin, n) in parts(count) {
        decompose(task, session, tall, (begin, n), &room, &infos)?;
        copy_left(task, (left, &room.left), (begin, n), rows)?;
        let from = Squares { first: room.right.first(), lead: columns, each: columns * columns };
        let to = Squares { first: right.at(begin), lead: right.lead, each: right.each().unwrap_or(0) };
        // SAFETY: there is room for so many right vectors, and the results are the routine's.
        unsafe { products.adjoint(columns, n, from, identity.first(), to) }?;
    }
    infos.answer(task)
}

/// Room for all vectors of a part of the batch. Where only values are wanted the library wants it, too: it writes there.
struct Room {
    left: Scratch,
    right: Scratch,
}

impl Room {
    fn of(task: &Task<'_>, tall: &Tall) -> Result<Room> {
        let most = parts(tall.a.count()).map(|(_, n)| n).max().unwrap_or(0) * tall.a.itemsize();
        let square = |n: i64| task.scratch(n * n * most);
        Ok(Room { left: square(tall.a.rows)?, right: square(tall.a.columns)? })
    }
}

/// Queues the decomposition of a part of the batch.
fn decompose(
    task: &Task<'_>,
    session: &Session,
    tall: &Tall,
    (begin, n): (i64, i64),
    room: &Room,
    infos: &Infos,
) -> Result<()> {
    let ((rows, columns, lead), number) = (tall.a.extents(), n as c_int);
    let (u, v) = (room.left.first(), room.right.first());
    let (functions, with, parameters) = (session.functions, session.with, session.gesvdj);
    let (a, values, info, mut size) = (tall.a.at(begin), tall.values.at(begin), infos.at(begin), 0);
    // SAFETY: only a size is computed.
    unsafe {
        functions.gesvdj_batched_size(
            with, 1, rows, columns, a, lead, values, u, rows, v, columns, &mut size, parameters, number,
        )
    }?;
    let work = task.scratch(i64::from(size) * tall.a.itemsize())?;
    let work = work.first();
    // SAFETY: the matrices and values are the routine's, and follow each other; there is room for all vectors; the working memory has the size that was asked
    // for, and is given back in the stream's order.
    unsafe {
        functions.gesvdj_batched(
            with, 1, rows, columns, a, lead, values, u, rows, v, columns, work, size, info, parameters, number,
        )
    }
}

/// Copies the wanted ones of all left vectors.
fn copy_left(task: &Task<'_>, (left, all): (&Matrices, &Scratch), (begin, n): (i64, i64), rows: i64) -> Result<()> {
    let itemsize = left.itemsize();
    let shape = [n, left.columns, rows];
    let to = [left.each().unwrap_or(0), left.lead, 1].map(|step| step * itemsize);
    let from = [rows * rows, rows, 1].map(|step| step * itemsize);
    let to = Side { first: left.at(begin).expose_provenance() as u64, strides: &to };
    let from = Side { first: all.0.address(), strides: &from };
    // SAFETY: both hold these elements, and are apart.
    unsafe { rows::copy_elements(task.device, (&to, &from), &shape, itemsize, &task.call.stream) }
}

/// An identity matrix on the device.
fn identity(task: &Task<'_>, n: i64, itemsize: i64) -> Result<Scratch> {
    let one: &[u8] = match itemsize / if is_complex(task.dtype()) { 2 } else { 1 } {
        4 => &1f32.to_ne_bytes(),
        _ => &1f64.to_ne_bytes(),
    };
    let mut bytes = vec![0u8; (n * n * itemsize) as usize];
    for diagonal in bytes.chunks_exact_mut(((n + 1) * itemsize) as usize) {
        diagonal[..one.len()].copy_from_slice(one);
    }
    // The last element of the diagonal has nothing behind it.
    let last = bytes.len() - itemsize as usize;
    bytes[last..last + one.len()].copy_from_slice(one);
    let there = task.scratch(bytes.len() as i64)?;
    task.call.upload(task.device, there.first().cast(), &bytes)?;
    Ok(there)
}

fn is_complex(code: u8) -> bool {
    matches!(code, numptx_abi::dtype::COMPLEX64 | numptx_abi::dtype::COMPLEX128)
}
