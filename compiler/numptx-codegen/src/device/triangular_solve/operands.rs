//! What a row of a tile takes from shared memory, in registers before the row before it is found.
//!
//! In: values that were loaded. Out: the same from one turn of a loop to the next, in slots.

use inkwell::values::{BasicValueEnum, PointerValue};

use super::ahead::is_constant;
use crate::code::Ready;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

#[derive(Clone)]
pub(super) struct Operands<'ctx> {
    /// What the row has ready, where that is kept.
    pub ready: Option<Ready<'ctx>>,
    /// Factors for the row's value: of the row after it, of the rows of a lane, and of its rows of the next tile.
    pub of_next: Scalar<'ctx>,
    pub of_lanes: Vec<Scalar<'ctx>>,
    pub beside: Vec<Scalar<'ctx>>,
}

impl<'ctx> Operands<'ctx> {
    /// Slots that hold these.
    pub fn slots(&self, e: &Emitter<'ctx, '_>) -> Emit<Vec<PointerValue<'ctx>>> {
        let mut slots = Vec::new();
        self.each(&mut |value| {
            slots.push(e.slot_with(value, "operand")?);
            Ok(value)
        })?;
        Ok(slots)
    }

    pub fn write(&self, e: &Emitter<'ctx, '_>, slots: &[PointerValue<'ctx>]) -> Emit<()> {
        let mut slots = slots.iter();
        self.each(&mut |value| {
            e.write(*slots.next().ok_or_else(|| bug("few slots of operands"))?, value)?;
            Ok(value)
        })
        .map(drop)
    }

    /// Those in slots, which are like these.
    pub fn read(&self, e: &Emitter<'ctx, '_>, slots: &[PointerValue<'ctx>]) -> Emit<Self> {
        let mut slots = slots.iter();
        self.each(&mut |value| {
            let slot = slots.next().ok_or_else(|| bug("few slots of operands"))?;
            Ok(e.builder.build_load(value.get_type(), *slot, "")?)
        })
    }

    /// The same with other numbers, but for constants.
    fn each(&self, number: &mut dyn FnMut(BasicValueEnum<'ctx>) -> Emit<BasicValueEnum<'ctx>>) -> Emit<Self> {
        let mut other = self.clone();
        let ready = other.ready.iter_mut().flatten().map(|(_, value)| value);
        let factors = std::iter::once(&mut other.of_next).chain(&mut other.of_lanes).chain(&mut other.beside);
        for value in ready.chain(factors) {
            let mut of = |value: BasicValueEnum<'ctx>| if is_constant(value) { Ok(value) } else { number(value) };
            *value = match *value {
                Scalar::Int(value) => Scalar::Int(of(value.into())?.into_int_value()),
                Scalar::Float(value) => Scalar::Float(of(value.into())?.into_float_value()),
                Scalar::Complex(re, im) => {
                    let re = of(re.into())?.into_float_value();
                    Scalar::Complex(re, of(im.into())?.into_float_value())
                }
            };
        }
        Ok(other)
    }
}
