//! Scalar values in LLVM: how each dtype is held in registers and in memory.
//!
//! | dtype | register | memory |
//! | --- | --- | --- |
//! | bool | `i1` | `i8`, 0 or 1 |
//! | integers | `iN` | `iN` |
//! | float16 | `float` | `i16`, its bits |
//! | float32, float64 | `float`, `double` | the same |
//! | complex | two floats | real part, imaginary part |

use inkwell::values::{FloatValue, IntValue};

use crate::error::{Emit, bug};

/// A value of any dtype.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar<'ctx> {
    /// bool (`i1`) and integers.
    Int(IntValue<'ctx>),
    /// float16, a `float` that is one of its numbers, float32 and float64.
    Float(FloatValue<'ctx>),
    /// Real part, imaginary part.
    Complex(FloatValue<'ctx>, FloatValue<'ctx>),
}

impl<'ctx> Scalar<'ctx> {
    /// The integer or bool.
    pub fn int(self) -> Emit<IntValue<'ctx>> {
        match self {
            Scalar::Int(value) => Ok(value),
            _ => Err(bug("an integer was expected")),
        }
    }

    /// The real float.
    pub fn float(self) -> Emit<FloatValue<'ctx>> {
        match self {
            Scalar::Float(value) => Ok(value),
            _ => Err(bug("a float was expected")),
        }
    }

    /// The parts of a complex number.
    pub fn complex(self) -> Emit<(FloatValue<'ctx>, FloatValue<'ctx>)> {
        match self {
            Scalar::Complex(re, im) => Ok((re, im)),
            _ => Err(bug("a complex number was expected")),
        }
    }
}
