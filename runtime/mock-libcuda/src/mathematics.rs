//! What the stand-ins of NVIDIA's libraries compute, by the CPU's library of linear algebra; and what all of them check of their operands.
//!
//! In: matrices by columns and vectors in the mock's memory. Out: results there, when a stream gets that far; operands that are not in live memory, or not
//! aligned, are violations.

use numptx_abi::{MathTable, Matrix, MatrixOperand, dtype};

use crate::state::{Code, ILLEGAL_ADDRESS, State};
use crate::work::pointer;

/// Work of a library that a stream was given.
pub(crate) type LibraryWork = dyn Fn(&mut State) -> Result<(), Code> + Send + Sync;

/// Dtypes of the functions of libraries, by the letter in their names: S, D, C, Z.
pub(crate) const DTYPES: [u8; 4] = [dtype::FLOAT32, dtype::FLOAT64, dtype::COMPLEX64, dtype::COMPLEX128];

/// A matrix by columns, or a vector, which has one column.
#[derive(Clone, Copy)]
pub(crate) struct Operand {
    pub(crate) first: u64,
    pub(crate) rows: i64,
    pub(crate) columns: i64,
    pub(crate) lead: i64,
    pub(crate) itemsize: i64,
    /// It is taken as the transpose of what lies there.
    pub(crate) is_turned: bool,
}

impl Operand {
    pub(crate) fn matrix(first: u64, (rows, columns): (i64, i64), lead: i64, code: u8) -> Operand {
        Operand { first, rows, columns, lead, itemsize: itemsize(code), is_turned: false }
    }

    pub(crate) fn vector(first: u64, length: i64, code: u8) -> Operand {
        Operand::matrix(first, (length, 1), length.max(1), code)
    }

    /// The same of an index of a batch in which each begins where the one before it ends.
    pub(crate) fn packed(self, index: i64) -> Operand {
        let bytes = index * self.lead * self.columns * self.itemsize;
        Operand { first: self.first.wrapping_add_signed(bytes), ..self }
    }

    fn check(&self, state: &mut State, what: &str) -> Result<(), Code> {
        if self.rows == 0 || self.columns == 0 {
            return Ok(());
        }
        if self.lead < self.rows || !self.first.is_multiple_of(self.itemsize as u64) {
            state.violation(&format!("{what}: columns overlap, or elements are not aligned"));
            return Err(ILLEGAL_ADDRESS);
        }
        let bytes = ((self.columns - 1) * self.lead + self.rows) * self.itemsize;
        state.check_device_range(self.first, bytes as usize, what)
    }

    /// As the CPU's library takes it, if it is in live memory.
    pub(crate) fn checked(&self, state: &mut State, what: &str) -> Result<MatrixOperand, Code> {
        self.check(state, what).map(|()| self.abi())
    }

    fn abi(&self) -> MatrixOperand {
        let (row, column) = if self.is_turned { (self.lead, 1) } else { (1, self.lead) };
        let (rows, columns) = if self.is_turned { (self.columns, self.rows) } else { (self.rows, self.columns) };
        MatrixOperand { matrix: Matrix { first: pointer(self.first), row, column }, rows, columns }
    }
}

pub(crate) fn itemsize(code: u8) -> i64 {
    i64::from(dtype::ITEMSIZE[usize::from(code)])
}

/// The float of the same width.
pub(crate) fn real(code: u8) -> u8 {
    if matches!(code, dtype::FLOAT32 | dtype::COMPLEX64) { dtype::FLOAT32 } else { dtype::FLOAT64 }
}

pub(crate) fn is_complex(code: u8) -> bool {
    matches!(code, dtype::COMPLEX64 | dtype::COMPLEX128)
}

pub(crate) fn table() -> &'static MathTable {
    // SAFETY: the table lives as long as the library.
    unsafe { &*numptx_math::numptx_math_table() }
}

/// Computes a routine of one matrix: what it answers.
pub(crate) fn compute(
    state: &mut State,
    what: &str,
    (routine, flags, code): (u32, u32, u8),
    operands: &[Operand],
) -> Result<i64, Code> {
    operands.iter().try_for_each(|operand| operand.check(state, what))?;
    Ok(compute_unchecked(state, what, (routine, flags, code), &operands.iter().map(Operand::abi).collect::<Vec<_>>()))
}

/// The same of operands wherever they lie, which live.
pub(crate) fn compute_unchecked(
    state: &mut State,
    what: &str,
    (routine, flags, code): (u32, u32, u8),
    operands: &[MatrixOperand],
) -> i64 {
    // SAFETY: the operands' elements are in live memory.
    let answer = unsafe { (table().routine)(routine, flags, code, operands.as_ptr(), operands.len() as u32) };
    if answer < 0 {
        state.violation(&format!("{what}: the CPU's library fails with {answer}"));
    }
    answer
}

/// Addresses that lie in the device's memory.
pub(crate) fn addresses(state: &mut State, what: &str, first: u64, count: i64) -> Result<Vec<u64>, Code> {
    state.check_device_range(first, 8 * count as usize, what)?;
    // SAFETY: checked.
    Ok((0..count as usize).map(|n| unsafe { pointer(first).cast::<u64>().add(n).read_unaligned() }).collect())
}

/// Writes numbers of 4 bytes to the device's memory.
pub(crate) fn write_numbers(state: &mut State, what: &str, first: u64, numbers: &[i32]) -> Result<(), Code> {
    state.check_device_range(first, 4 * numbers.len(), what)?;
    for (n, number) in numbers.iter().enumerate() {
        // SAFETY: checked.
        unsafe { pointer(first).cast::<i32>().add(n).write_unaligned(*number) };
    }
    Ok(())
}

/// The first element of a diagonal, from 1, that is zero, of a matrix that was checked; 0: none is.
pub(crate) fn first_zero(a: &Operand) -> i32 {
    let is_zero = |n: i64| {
        let at = pointer(a.first.wrapping_add_signed(n * (a.lead + 1) * a.itemsize));
        // SAFETY: the element is in live memory.
        let bytes = unsafe { std::slice::from_raw_parts(at, a.itemsize as usize) };
        bytes.iter().enumerate().all(|(n, byte)| *byte == 0 || (*byte == 0x80 && n % 4 == 3))
    };
    (0..a.rows.min(a.columns)).find(|n| is_zero(*n)).map_or(0, |n| n as i32 + 1)
}
