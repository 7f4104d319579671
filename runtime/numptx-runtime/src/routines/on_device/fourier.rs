//! Fourier transforms by cuFFT.
//!
//! In: arrays in any steps. Out: their transforms. Where plans go in the arrays' steps, the library reads and writes them as they lie, all axes at once or one
//! after another; else there are copies between. What is turned into real numbers is always a copy: the library may lose it.
//! Source: NVIDIA, «cuFFT», chapters 2.4 and 2.6.

use numptx_abi::{dtype, routine};

use super::layout::{Line, Uses, firsts, uses};
use super::{Scratch, Task};
use crate::copy::{contiguous_strides, packed_bytes};
use crate::error::{Error, Result};
use crate::libraries::cufft::{self, Kind, Transforms};
use crate::routines::operand::{Axis, Operand};
use crate::rows::{self, Side, dense_like};

/// [`routine::FFT`], [`routine::RFFT`] and [`routine::IRFFT`].
pub(super) fn transform(task: &Task<'_>) -> Result<Option<i64>> {
    let [y, x] = task.operands else { return Ok(None) };
    if y.is_empty() || x.is_empty() {
        return Ok(Some(0));
    }
    let Some(library) = cufft::transforms(task.call, task.device) else { return Ok(None) };
    // Its launches are not ours to repeat.
    task.call.replay.give_up();
    let is_double = matches!(x.dtype, dtype::FLOAT64 | dtype::COMPLEX128);
    let fourier = Fourier { task, library, is_double };
    match task.code {
        routine::FFT => fourier.turn(y, x)?,
        routine::RFFT => fourier.to_complex(y, x)?,
        _ => fourier.to_real(y, x)?,
    }
    Ok(Some(0))
}

struct Fourier<'a> {
    task: &'a Task<'a>,
    library: Transforms<'a>,
    is_double: bool,
}

/// A plan that does a part of a transform, and whether it reads the result of the one before it.
struct Step {
    uses: Uses,
    is_in_place: bool,
}

impl Fourier<'_> {
    /// Complex numbers to complex ones.
    fn turn(&self, y: &Operand, x: &Operand) -> Result<()> {
        if let Some(steps) = self.steps(y, x) {
            if steps.is_empty() {
                return self.copy(y, x);
            }
            return self.run(&steps, y, x);
        }
        if let Some(steps) = self.steps(y, y) {
            self.copy(y, x)?;
            return self.run(&steps, y, y);
        }
        let (_memory, dense) = self.dense(y, 1)?;
        self.copy(&dense, x)?;
        let steps = self.steps(&dense, &dense).ok_or_else(unplanned)?;
        self.run(&steps, &dense, &dense)?;
        self.copy(y, &dense)
    }

    /// How the last axes are transformed: all at once, or one after another. `None`: not in the steps of these arrays.
    fn steps(&self, y: &Operand, x: &Operand) -> Option<Vec<Step>> {
        let rank = y.axes.len();
        let n_axes = (routine::axes(self.task.flags) as usize).clamp(1, rank);
        let lines = lines(y, x);
        let along: Vec<usize> = (rank - n_axes..rank).filter(|axis| lines[*axis].extent > 1).collect();
        let step = |axes: &[usize], from: &Operand, lines: &[Line]| {
            let (along, others): (Vec<_>, Vec<_>) = (0..rank).partition(|axis| axes.contains(axis));
            let pick = |axes: Vec<usize>| axes.into_iter().map(|axis| lines[axis]).collect::<Vec<Line>>();
            let found = uses(Kind::Complex, self.is_double, &pick(along), &pick(others))?;
            let is_aligned = [from, y].iter().enumerate().all(|(n, side)| is_aligned(side, &found, n, side.itemsize));
            is_aligned.then_some(found)
        };
        if along.is_empty() {
            return Some(Vec::new());
        }
        if let Some(uses) = step(&along, x, &lines) {
            return Some(vec![Step { uses, is_in_place: false }]);
        }
        let in_place = self::lines(y, y);
        let one = |(n, axis): (usize, &usize)| {
            let (from, lines) = if n == 0 { (x, &lines) } else { (y, &in_place) };
            step(&[*axis], from, lines).map(|uses| Step { uses, is_in_place: n > 0 })
        };
        along.iter().rev().enumerate().map(one).collect()
    }

    fn run(&self, steps: &[Step], y: &Operand, x: &Operand) -> Result<()> {
        steps.iter().try_for_each(|step| self.queue(&step.uses, y, if step.is_in_place { y } else { x }))
    }

    fn queue(&self, uses: &Uses, y: &Operand, x: &Operand) -> Result<()> {
        let is_inverse = self.task.flags & routine::INVERSE != 0;
        let firsts = firsts(uses).map(|[input, output]| [x.at(input).cast(), y.at(output).cast()]);
        // SAFETY: the arrays are the routine's, or working memory; plans read and write their elements alone.
        unsafe { self.library.queue(&uses.key, is_inverse, firsts) }
    }

    /// Real numbers to the first half of complex ones, along the last axis.
    fn to_complex(&self, y: &Operand, x: &Operand) -> Result<()> {
        if last(x).extent == 1 {
            return self.widen(y, x);
        }
        if let Some(uses) = self.change(Kind::RealToComplex, y, x) {
            return self.queue(&uses, y, x);
        }
        let (_memory, even) = self.dense(x, 2)?;
        self.copy(&even, x)?;
        if let Some(uses) = self.change(Kind::RealToComplex, y, &even) {
            return self.queue(&uses, y, &even);
        }
        let (_room, dense) = self.dense(y, 1)?;
        let uses = self.change(Kind::RealToComplex, &dense, &even).ok_or_else(unplanned)?;
        self.queue(&uses, &dense, &even)?;
        self.copy(y, &dense)
    }

    /// Half of complex numbers to real ones, along the last axis.
    fn to_real(&self, y: &Operand, x: &Operand) -> Result<()> {
        let length = last(y).extent;
        let (_memory, half) = self.like(x)?;
        self.copy(&half, x)?;
        if length == 1 {
            return self.copy(y, &parts(&half, 0));
        }
        self.clear_imaginary(&half, 0)?;
        if length % 2 == 0 {
            self.clear_imaginary(&half, length / 2)?;
        }
        if let Some(uses) = self.change(Kind::ComplexToReal, y, &half) {
            return self.queue(&uses, y, &half);
        }
        let (_room, even) = self.dense(y, 2)?;
        // What lies in other orders than the result has steps all the same.
        let uses = self.change(Kind::ComplexToReal, &even, &half).ok_or_else(unplanned)?;
        self.queue(&uses, &even, &half)?;
        self.copy(y, &even)
    }

    /// Along the last axis between real and complex numbers. `None`: not in the steps of these arrays. The library reads and writes real ones in pairs.
    fn change(&self, kind: Kind, y: &Operand, x: &Operand) -> Option<Uses> {
        let mut lines = lines(y, x);
        let along = lines.pop()?;
        let (real, at) = if kind == Kind::RealToComplex { (x, 0) } else { (y, 1) };
        let along = Line { extent: last(real).extent, ..along };
        let found = uses(kind, self.is_double, &[along], &lines)?;
        let complex = if at == 0 { y } else { x };
        let is_aligned =
            is_aligned(real, &found, at, 2 * real.itemsize) && is_aligned(complex, &found, 1 - at, complex.itemsize);
        is_aligned.then_some(found)
    }

    /// Real numbers as complex ones.
    fn widen(&self, y: &Operand, x: &Operand) -> Result<()> {
        self.copy(&parts(y, 0), x)?;
        self.clear(&parts(y, 1))
    }

    /// Sets the imaginary parts to 0 at an index of the last axis: the library may read them.
    fn clear_imaginary(&self, complex: &Operand, index: i64) -> Result<()> {
        let mut imaginary = parts(complex, 1);
        let Some(along) = imaginary.axes.pop() else { return Ok(()) };
        imaginary.first = imaginary.at(index * along.step);
        self.clear(&imaginary)
    }

    /// Sets elements to 0.
    fn clear(&self, to: &Operand) -> Result<()> {
        let (memory, zeros) = self.like(to)?;
        let (driver, stream) = (self.task.device.driver, self.task.call.stream.handle());
        // SAFETY: the memory is ours, and has as many bytes.
        unsafe { driver.fill(memory.0.address(), 0, memory.0.bytes as usize, stream) }?;
        self.copy(to, &zeros)
    }

    /// Copies elements, which are apart.
    fn copy(&self, to: &Operand, from: &Operand) -> Result<()> {
        let shape = shape(from);
        let (strides_to, strides_from) = (strides(to), strides(from));
        let address = |operand: &Operand| operand.first.expose_provenance() as u64;
        let to_side = Side { first: address(to), strides: &strides_to };
        let from_side = Side { first: address(from), strides: &strides_from };
        let Task { call, device, .. } = self.task;
        // SAFETY: both are the routine's or working memory, of one shape, and apart.
        unsafe { rows::copy_elements(device, (&to_side, &from_side), &shape, from.itemsize, &call.stream) }
    }

    /// Working memory for an array of the same shape, in C order, rows of which begin at multiples of so many elements.
    fn dense(&self, array: &Operand, multiple: i64) -> Result<(Scratch, Operand)> {
        let mut shape = shape(array);
        if let Some(row) = shape.last_mut() {
            *row = (*row + multiple - 1) / multiple * multiple;
        }
        let strides = contiguous_strides(&shape, array.itemsize);
        self.of_strides(array, packed_bytes(&shape, array.itemsize)?, &strides)
    }

    /// The same, in which elements lie in the order of the array's, upwards.
    fn like(&self, array: &Operand) -> Result<(Scratch, Operand)> {
        if array.axes.iter().any(|axis| axis.step < 0) {
            return self.dense(array, 1);
        }
        let shape = shape(array);
        let (strides, _) = dense_like(&shape, &strides(array), array.itemsize);
        self.of_strides(array, packed_bytes(&shape, array.itemsize)?, &strides)
    }

    fn of_strides(&self, array: &Operand, bytes: i64, strides: &[i64]) -> Result<(Scratch, Operand)> {
        let memory = self.task.scratch(bytes)?;
        let axis = |(axis, stride): (&Axis, &i64)| Axis { extent: axis.extent, step: stride / array.itemsize };
        let axes = array.axes.iter().zip(strides).map(axis).collect();
        let dense = Operand { first: memory.first().cast(), axes, ..*array };
        Ok((memory, dense))
    }
}

fn unplanned() -> Error {
    Error::runtime("no plan of cuFFT fits dense arrays; this is a bug of numptx")
}

fn last(array: &Operand) -> Axis {
    array.axes.last().copied().unwrap_or(Axis { extent: 1, step: 1 })
}

fn shape(array: &Operand) -> Vec<i64> {
    array.axes.iter().map(|axis| axis.extent).collect()
}

/// In bytes.
fn strides(array: &Operand) -> Vec<i64> {
    array.axes.iter().map(|axis| axis.step * array.itemsize).collect()
}

/// The axes of both arrays; extents are the output's.
fn lines(y: &Operand, x: &Operand) -> Vec<Line> {
    x.axes.iter().zip(&y.axes).map(|(x, y)| Line { extent: y.extent, steps: [x.step, y.step] }).collect()
}

/// The real or the imaginary parts of complex numbers.
fn parts(complex: &Operand, which: i64) -> Operand {
    let itemsize = complex.itemsize / 2;
    let axes = complex.axes.iter().map(|axis| Axis { step: 2 * axis.step, ..*axis }).collect();
    Operand { first: complex.first.wrapping_offset((which * itemsize) as isize), itemsize, axes, ..*complex }
}

/// Whether each use begins at a multiple of so many bytes. `side`: 0 the input's, 1 the output's.
fn is_aligned(array: &Operand, uses: &Uses, side: usize, bytes: i64) -> bool {
    let is_multiple = |elements: i64| (elements * array.itemsize) % bytes == 0;
    let first = array.at(uses.first[side]).addr();
    first.is_multiple_of(usize::try_from(bytes).unwrap_or(1))
        && uses.outer.iter().all(|line| is_multiple(line.steps[side]))
}
