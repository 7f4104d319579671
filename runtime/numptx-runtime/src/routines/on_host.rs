//! Routines on the CPU: matrices of a batch, and rows of transforms, are shared among threads, and `libnumptx_math.so` computes each.
//!
//! In: arrays in the host's memory. Out: results in place, and the answer of the batch's first index whose answer is not 0. Bits do not depend on threads:
//! each matrix, and each row, is one thread's.

use std::sync::Mutex;

use numptx_abi::{MathTable, Matrix, MatrixOperand, Rows, Transform, routine};

use super::is_transform;
use super::operand::{Axis, Operand, elements_before};
use crate::call::CallState;
use crate::error::{Error, Result};
use crate::launch::host::spread;
use crate::libraries::math::math;
use crate::lock::lock;

/// Operations with two numbers that a thread does in a nanosecond.
const PER_NS: f64 = 4.0;
/// Elements of rows that are handed to the library at a time, about.
const CHUNK: i64 = 1 << 14;

/// A routine and its arrays.
pub(super) struct Task {
    pub(super) code: u32,
    pub(super) flags: u32,
    pub(super) operands: Vec<Operand>,
}

impl Task {
    /// # Errors
    /// Where the library is missing, or fails.
    pub(super) fn run(&self, call: &CallState) -> Result<i64> {
        let Some(math) = math() else {
            return Err(Error::runtime(
                "linear algebra on the CPU needs libnumptx_math.so, which is not beside the runtime library: install numptx-runtime again",
            ));
        };
        if is_transform(self.code) { self.transform(call, math).map(|()| 0) } else { self.decompose(call, math) }
    }

    /// Axes that are no part of a batch, of an operand: two of a matrix, one of a vector.
    fn own_axes(&self, n: usize) -> usize {
        let is_vector = match self.code {
            routine::LU | routine::QR | routine::Q | routine::EIGH | routine::EIGVALSH => n == 1,
            routine::SVD | routine::SVDVALS | routine::EIG | routine::EIGVALS => n == 1,
            routine::LU_SOLVE => n == 2,
            _ => false,
        };
        if is_vector { 1 } else { 2 }
    }

    fn decompose(&self, call: &CallState, math: &MathTable) -> Result<i64> {
        let batch_of = |n: usize, operand: &Operand| operand.axes.len() - self.own_axes(n);
        let batch = &self.operands[0].axes[..batch_of(0, &self.operands[0])];
        let count = batch.iter().map(|axis| axis.extent).product::<i64>();
        let largest =
            self.operands.iter().map(|o| o.axes.iter().map(|a| a.extent).max().unwrap_or(1)).max().unwrap_or(1);
        let found: Mutex<Option<(i64, i64)>> = Mutex::new(None);
        let dtype = self.operands[0].dtype;
        let ns = (largest as f64).powi(3) / PER_NS + 100.0;
        spread(call, count, 1, ns, &|begin, end| {
            for index in begin..end {
                let one = |n: usize| self.one(n, batch_of(n, &self.operands[n]), index);
                let mut operands = [one(0); 4];
                (1..self.operands.len()).for_each(|n| operands[n] = one(n));
                // SAFETY: the operands are as the routine has them, by the contract of generated code; matrices of a batch are apart.
                let answer = unsafe {
                    (math.routine)(self.code, self.flags, dtype, operands.as_ptr(), self.operands.len() as u32)
                };
                if answer != 0 {
                    let mut found = lock(&found);
                    if found.is_none_or(|(first, _)| index < first) {
                        *found = Some((index, answer));
                    }
                }
            }
        })?;
        match found.into_inner().unwrap_or_default() {
            None => Ok(0),
            Some((_, answer)) if answer > 0 => Ok(answer),
            Some(_) => Err(Error::runtime("the library of linear algebra failed; this is a bug of numptx")),
        }
    }

    /// An operand of one index of the batch.
    fn one(&self, n: usize, n_batch: usize, index: i64) -> MatrixOperand {
        let operand = &self.operands[n];
        let (batch, own) = operand.axes.split_at(n_batch);
        let rows = own.first().copied().unwrap_or(Axis { extent: 1, step: 1 });
        let columns = own.get(1).copied().unwrap_or(Axis { extent: 1, step: rows.extent.max(1) });
        let matrix = Matrix { first: operand.at(elements_before(batch, index)), row: rows.step, column: columns.step };
        MatrixOperand { matrix, rows: rows.extent, columns: columns.extent }
    }

    /// Axis by axis: the first one from the input, further ones in place.
    fn transform(&self, call: &CallState, math: &MathTable) -> Result<()> {
        let [output, input] = &self.operands[..] else { return Ok(()) };
        let rank = output.axes.len();
        let n_axes = (routine::axes(self.flags) as usize).clamp(1, rank);
        for (n, axis) in (rank - n_axes..rank).rev().enumerate() {
            let input = if n == 0 { input } else { output };
            along(call, math, (self.code, self.flags & routine::INVERSE), axis, (input, output))?;
        }
        Ok(())
    }
}

/// Transforms along one axis.
fn along(
    call: &CallState,
    math: &MathTable,
    (code, flags): (u32, u32),
    axis: usize,
    (input, output): (&Operand, &Operand),
) -> Result<()> {
    let others = |operand: &Operand| -> Vec<Axis> {
        let is_other = |(n, _): &(usize, &Axis)| *n != axis;
        operand.axes.iter().enumerate().filter(is_other).map(|(_, axis)| *axis).collect()
    };
    let (mut from, mut to) = (others(input), others(output));
    // Rows side by side are handed over together: those along the longest other axis.
    let longest = (0..to.len()).max_by_key(|n| to[*n].extent);
    let none = Axis { extent: 1, step: 0 };
    let (inner_from, inner_to) = longest.map_or((none, none), |n| (from.remove(n), to.remove(n)));
    let length = if code == routine::RFFT { input.axes[axis].extent } else { output.axes[axis].extent };
    let outer = to.iter().map(|axis| axis.extent).product::<i64>();
    let chunk = (CHUNK / length.max(1)).clamp(1, inner_to.extent.max(1));
    let chunks = (inner_to.extent + chunk - 1) / chunk;
    let dtype = if code == routine::IRFFT { input.dtype } else { output.dtype };
    let ns = (chunk * length) as f64 * ((length + 1) as f64).log2().max(1.0) / PER_NS;
    let failed = std::sync::atomic::AtomicBool::new(false);
    spread(call, outer * chunks, 1, ns, &|begin, end| {
        for unit in begin..end {
            let (index, first) = (unit / chunks, unit % chunks * chunk);
            let rows = |operand: &Operand, outer: &[Axis], inner: Axis| Rows {
                first: operand.at(elements_before(outer, index) + first * inner.step),
                step: operand.axes[axis].step,
                each: inner.step,
            };
            let transform = Transform {
                routine: code,
                flags,
                dtype,
                length,
                count: chunk.min(inner_to.extent - first),
                input: rows(input, &from, inner_from),
                output: rows(output, &to, inner_to),
            };
            // SAFETY: the rows are those of the arrays, by the contract of generated code; units are apart.
            if unsafe { (math.transform)(&transform) } != 0 {
                failed.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        }
    })?;
    match failed.into_inner() {
        false => Ok(()),
        true => Err(Error::runtime("the library of transforms failed; this is a bug of numptx")),
    }
}
