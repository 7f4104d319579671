//! Routines of libraries: what stands in for them, as no library is called here.
//!
//! In: the op's arrays. Out: the written ones filled with numbers that follow from all that the routine reads, so that whatever a pass changes there shows. The
//! answer is that all went well. The numbers hardly depend on the order in which what is read was rounded.

use numptx_abi::routine;

use super::memory::{View, for_each_point, size};
use super::{Interpreter, Outcome, Value};
use crate::array::{External, ValueId};
use crate::dtype::Kind;
use crate::scalar::Constant;

impl Interpreter<'_> {
    pub(super) fn external(&mut self, operands: &[ValueId], external: External) -> Outcome<Vec<Value>> {
        let views = operands.iter().map(|operand| self.array(*operand)).collect::<Outcome<Vec<View>>>()?;
        let (mut sum, mut count) = (0.0, 1.0);
        for n in read(external.routine) {
            self.spend(size(&views[n].shape).unwrap_or(usize::MAX))?;
            for element in views[n].elements()? {
                sum += number(element);
                count += 1.0;
            }
        }
        for (n, view) in views.iter().enumerate().take(external.n_written()) {
            self.spend(size(&view.shape).unwrap_or(usize::MAX))?;
            let mut position = 0;
            for_each_point(&view.shape, |point| {
                position += 1;
                let value = sum / count + 0.5 * f64::from(position) + n as f64;
                view.write(view.at(point), of_kind(view.dtype.kind(), value, position))
            })?;
        }
        Ok(vec![Value::Scalar(Constant::Int(0))])
    }
}

/// Which operands have contents that count; what is left out is written only.
fn read(code: u32) -> std::ops::Range<usize> {
    match code {
        routine::Q | routine::FFT | routine::RFFT | routine::IRFFT => 1..2,
        routine::SOLVE | routine::TRIANGULAR => 0..2,
        routine::LU_SOLVE => 0..3,
        _ => 0..1,
    }
}

fn number(element: Constant) -> f64 {
    match element {
        Constant::Bool(value) => f64::from(value),
        Constant::Int(value) => value as f64,
        Constant::Float(value) => value,
        Constant::Complex(real, imaginary) => real - 0.5 * imaginary,
    }
}

fn of_kind(kind: Kind, value: f64, position: i32) -> Constant {
    match kind {
        Kind::Bool => Constant::Bool(true),
        Kind::Signed | Kind::Unsigned => Constant::Int(position.into()),
        Kind::Float => Constant::Float(value),
        Kind::Complex => Constant::Complex(value, 0.25 * value),
    }
}
