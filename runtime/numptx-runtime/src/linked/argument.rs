//! Arguments of calls from Rust, which borrow what they show.

use std::marker::PhantomData;

use numptx_abi::{Argument, Array, MAX_RANK, Value};

use crate::array::{DeviceArray, DeviceArrayRef, Element};
use crate::error::{Error, Result};

/// An argument of a call. What it shows is borrowed for `'b`, and for `'v` if results may be views of it.
pub struct CallArgument<'v, 'b> {
    argument: Argument,
    is_kept: bool,
    borrowed: PhantomData<(&'v (), &'b ())>,
}

impl<'v, 'b> CallArgument<'v, 'b> {
    fn new(argument: Argument) -> CallArgument<'v, 'b> {
        CallArgument { argument, is_kept: false, borrowed: PhantomData }
    }

    /// A scalar.
    pub fn scalar<T: Element>(value: T) -> CallArgument<'v, 'b> {
        let none = Argument {
            kind: Value::SCALAR,
            dtype: u32::from(T::DTYPE),
            bits: value.words(),
            array: NO_ARRAY,
            data: std::ptr::null_mut(),
            device: -1,
            read_only: 0,
            stream: std::ptr::null_mut(),
            owner: std::ptr::null_mut(),
            owner_table: std::ptr::null(),
        };
        CallArgument::new(none)
    }

    /// An array of the runtime, which the function reads.
    pub fn array<T: Element>(array: &'b DeviceArrayRef<T>) -> CallArgument<'v, 'b> {
        CallArgument::new(Argument { read_only: 1, ..array.argument() })
    }

    /// An array of the runtime, which the function may write.
    pub fn written_array<T: Element>(array: &'b mut DeviceArray<T>) -> CallArgument<'v, 'b> {
        CallArgument::new(array.argument())
    }

    /// An array in host memory. Strides count elements.
    ///
    /// # Safety
    /// Element `[0, …, 0]` lies at `data`, and the others where the strides say. For `'b` they may be read; if `is_written`, they are nobody else's
    /// for as long.
    pub unsafe fn host<T: Element>(
        data: *const T,
        (shape, strides): (&[usize], &[isize]),
        is_written: bool,
    ) -> Result<CallArgument<'v, 'b>> {
        if shape.len() > MAX_RANK || shape.len() != strides.len() {
            return Err(Error::value(format!("at most {MAX_RANK} axes are supported")));
        }
        let mut array = Array { rank: shape.len() as u32, dtype: u32::from(T::DTYPE), ..NO_ARRAY };
        for (axis, (extent, stride)) in shape.iter().zip(strides).enumerate() {
            array.shape[axis] = *extent as i64;
            array.strides[axis] = (*stride as i64).wrapping_mul(size_of::<T>() as i64);
        }
        Ok(CallArgument::new(Argument {
            kind: Value::ARRAY,
            dtype: u32::from(T::DTYPE),
            bits: [0; 2],
            array,
            data: data.cast_mut().cast(),
            device: -1,
            read_only: u32::from(!is_written),
            stream: std::ptr::null_mut(),
            owner: std::ptr::null_mut(),
            owner_table: std::ptr::null(),
        }))
    }

    pub(super) fn is_kept(&self) -> bool {
        self.is_kept
    }

    pub(super) fn into_abi(self) -> Argument {
        self.argument
    }
}

impl<'a> CallArgument<'a, 'a> {
    /// The same argument, which results may be views of, and borrow. Of other arguments a result is a copy.
    pub fn kept(self) -> CallArgument<'a, 'a> {
        CallArgument { is_kept: true, ..self }
    }
}

/// Where there is no array.
const NO_ARRAY: Array =
    Array { buffer: std::ptr::null_mut(), offset: 0, rank: 0, dtype: 0, shape: [0; MAX_RANK], strides: [0; MAX_RANK] };

/// A result before a call.
pub(super) const NO_VALUE: Value = Value {
    kind: Value::NONE,
    dtype: 0,
    parameter: -1,
    identity: 0,
    bits: [0; 2],
    array: NO_ARRAY,
    data: std::ptr::null_mut(),
    device: -1,
    read_only: 0,
};
