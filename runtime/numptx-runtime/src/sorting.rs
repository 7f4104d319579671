//! Sorting: rows of arrays, in NumPy's order.
//!
//! In: an array whose rows, along its last axis, are sorted, put into order by indices, or only as far as their middle elements need it. Out: the rows in
//! place, or their indices: on the host on all threads, on a device in its stream. Nans are last, and complex numbers go by their real parts first; these
//! are not sorted on a device. Equal elements keep their order, as -0 and 0 are, and so do nans.

mod keys;
pub mod on_device;
mod parallel;
mod rows;

use numptx_abi::{Array, dtype, sorting};

use crate::buffer::Buffer;
use crate::call::CallState;
use crate::debug;
use crate::error::{Error, Result};
use keys::{Complex, Half, Real};
use rows::{Rows, each_row};

/// [`numptx_abi::RuntimeTable::sort`]: whether it was done.
///
/// # Safety
/// The arrays are alive, and the caller may write what `what` says that is written.
pub(crate) unsafe fn sort(call: &CallState, what: u32, values: &Array, order: Option<&Array>) -> Result<bool> {
    // SAFETY: as the caller promises.
    let (values_at, order_at) = unsafe { (first(call, values)?, order.map(|o| first(call, o)).transpose()?) };
    if let Some(device) = call.device {
        // SAFETY: as the caller promises; a call that computes on a device has made its context current.
        return unsafe { on_device::sort(call, device, what, (values, values_at), order.zip(order_at)) };
    }
    let rows = Rows::new(values, values_at, order.zip(order_at));
    match u8::try_from(values.dtype).unwrap_or(u8::MAX) {
        dtype::BOOL | dtype::UINT8 => real::<u8>(call, what, &rows),
        dtype::INT8 => real::<i8>(call, what, &rows),
        dtype::INT16 => real::<i16>(call, what, &rows),
        dtype::INT32 => real::<i32>(call, what, &rows),
        dtype::INT64 => real::<i64>(call, what, &rows),
        dtype::UINT16 => real::<u16>(call, what, &rows),
        dtype::UINT32 => real::<u32>(call, what, &rows),
        dtype::UINT64 => real::<u64>(call, what, &rows),
        dtype::FLOAT16 => real::<Half>(call, what, &rows),
        dtype::FLOAT32 => real::<f32>(call, what, &rows),
        dtype::FLOAT64 => real::<f64>(call, what, &rows),
        dtype::COMPLEX64 => complex::<[f32; 2]>(call, what, &rows),
        dtype::COMPLEX128 => complex::<[f64; 2]>(call, what, &rows),
        code => Err(Error::runtime(format!("elements of dtype {code} are not sorted"))),
    }?;
    Ok(true)
}

/// Where an array's first element lies.
///
/// # Safety
/// The array is alive.
unsafe fn first(call: &CallState, array: &Array) -> Result<*mut u8> {
    debug::check_use(array.buffer.cast())?;
    // SAFETY: as the caller promises.
    let data = call.address(unsafe { &*array.buffer.cast::<Buffer>() }, true)?;
    Ok(data.wrapping_offset(array.offset as isize))
}

fn real<E: Real>(call: &CallState, what: u32, rows: &Rows) -> Result<()> {
    match what {
        sorting::VALUES => each_row(call, rows, &keys::sorted::<E>),
        sorting::MIDDLE => each_row(call, rows, &keys::selected::<E>),
        _ => each_row(call, rows, &keys::argsorted::<E>),
    }
}

fn complex<E: Complex>(call: &CallState, what: u32, rows: &Rows) -> Result<()> {
    match what {
        sorting::INDICES => each_row(call, rows, &keys::complex_argsorted::<E>),
        _ => each_row(call, rows, &keys::complex_sorted::<E>),
    }
}
