//! Eigenvalues of matrices of any kind.

use std::ffi::c_int;

use numptx_abi::dtype;

use super::many::eigen;
use super::{INVALID_VALUE, are_parameters, check_work, submit};
use crate::mathematics::{Operand, is_complex, itemsize, write_numbers};
use crate::state::{Code, State};
use crate::work::pointer;

/// The dtype of a matrix and the code of its complex values.
fn known(own: c_int, of_values: c_int) -> Option<u8> {
    let (code, complex) = match own {
        0 => (dtype::FLOAT32, 4),
        1 => (dtype::FLOAT64, 5),
        4 => (dtype::COMPLEX64, 4),
        5 => (dtype::COMPLEX128, 5),
        _ => return None,
    };
    (of_values == complex).then_some(code)
}

/// A matrix and where its values and vectors go; 0: no vectors are wanted.
#[derive(Clone, Copy)]
struct General {
    code: u8,
    n: i64,
    a: u64,
    lead: i64,
    values: u64,
    vectors: u64,
    lead_of_vectors: i64,
}

impl General {
    fn sizes(&self) -> (usize, usize) {
        ((self.n * itemsize(self.code) * 3) as usize, (self.n * 40) as usize)
    }

    /// Bytes of a complex number.
    fn complex_bytes(&self) -> i64 {
        if is_complex(self.code) { itemsize(self.code) } else { 2 * itemsize(self.code) }
    }

    fn run(&self, state: &mut State) -> Result<i64, Code> {
        const WHAT: &str = "cusolverDnXgeev";
        let (n, complex) = (self.n as usize, self.complex_bytes() as usize);
        let a = Operand::matrix(self.a, (self.n, self.n), self.lead, self.code);
        state.check_device_range(self.values, n * complex, WHAT)?;
        let abi = a.checked(state, WHAT)?;
        if self.vectors == 0 {
            return Ok(eigen(state, self.code, abi, pointer(self.values), None));
        }
        let vectors = Operand::matrix(self.vectors, (self.n, self.n), self.lead_of_vectors, self.code);
        vectors.checked(state, WHAT)?;
        let mut found = vec![0u128; (n * n * complex).div_ceil(16)];
        let found = found.as_mut_ptr().cast::<u8>();
        let answer = eigen(state, self.code, abi, pointer(self.values), Some(found));
        let (own, part) = (itemsize(self.code) as usize, complex / 2);
        let mut is_second = false;
        for column in 0..n {
            // SAFETY: the values were just written.
            let imaginary =
                unsafe { std::slice::from_raw_parts(pointer(self.values).add(column * complex + part), part) };
            let is_paired = !is_complex(self.code) && imaginary.iter().any(|byte| *byte & 0x7f != 0);
            for row in 0..n {
                let to = pointer(vectors.first).wrapping_add((column * vectors.lead as usize + row) * own);
                // Of the second vector of a pair come the first one's imaginary parts.
                let from = (if is_second { column - 1 } else { column } * n + row) * complex;
                let from = from + if is_second { part } else { 0 };
                // SAFETY: the element is in live memory, and in what was computed.
                unsafe { std::ptr::copy_nonoverlapping(found.add(from), to, own) };
            }
            is_second = is_paired && !is_second;
        }
        Ok(answer)
    }
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn cusolverDnXgeev_bufferSize(
    _: usize,
    parameters: usize,
    of_left: c_int,
    of_right: c_int,
    n: i64,
    own: c_int,
    a: u64,
    lead: i64,
    of_values: c_int,
    values: u64,
    own_of_left: c_int,
    _: u64,
    _: i64,
    own_of_right: c_int,
    vectors: u64,
    lead_of_vectors: i64,
    own_of_work: c_int,
    bytes: *mut usize,
    bytes_of_host: *mut usize,
) -> c_int {
    let is_alike = [own_of_left, own_of_right, own_of_work].iter().all(|code| *code == own);
    let Some(code) = known(own, of_values).filter(|_| is_alike && of_left == 0 && (0..=1).contains(&of_right)) else {
        return INVALID_VALUE;
    };
    if !are_parameters(parameters, "cusolverDnCreateParams") || lead < n.max(1) {
        return INVALID_VALUE;
    }
    let sizes = General { code, n, a, lead, values, vectors, lead_of_vectors }.sizes();
    // SAFETY: numbers of the caller's.
    unsafe {
        bytes.write(sizes.0);
        bytes_of_host.write(sizes.1);
    }
    0
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn cusolverDnXgeev(
    handle: usize,
    parameters: usize,
    of_left: c_int,
    of_right: c_int,
    n: i64,
    own: c_int,
    a: u64,
    lead: i64,
    of_values: c_int,
    values: u64,
    own_of_left: c_int,
    _: u64,
    _: i64,
    own_of_right: c_int,
    vectors: u64,
    lead_of_vectors: i64,
    own_of_work: c_int,
    work: u64,
    bytes: usize,
    host: *mut u8,
    bytes_of_host: usize,
    info: u64,
) -> c_int {
    let is_alike = [own_of_left, own_of_right, own_of_work].iter().all(|code| *code == own);
    let Some(code) = known(own, of_values).filter(|_| is_alike && of_left == 0) else { return INVALID_VALUE };
    let vectors = if of_right == 1 { vectors } else { 0 };
    let what = General { code, n, a, lead, values, vectors, lead_of_vectors };
    let (least, least_of_host) = what.sizes();
    if !are_parameters(parameters, "cusolverDnCreateParams")
        || lead < n.max(1)
        || bytes < least
        || bytes_of_host < least_of_host
        || (of_right == 1) != (vectors != 0)
    {
        return INVALID_VALUE;
    }
    // SAFETY: as the caller promises: so many bytes of the host.
    unsafe { host.write_bytes(0xee, least_of_host) };
    submit("cusolverDnXgeev", handle, move |state| {
        check_work(state, "cusolverDnXgeev", work, least as i64)?;
        let answer = what.run(state)?;
        write_numbers(state, "cusolverDnXgeev (info)", info, &[answer as i32])
    })
}
