//! Checks scalar bodies: what both IRs demand of them.

mod code;

use super::{Body, InstrKind, ScalarOp, is_canonical};
use crate::DType;

/// What is wrong with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// The body contradicts itself or uses what does not exist.
    Body(String),
    /// An input has another dtype than what is fed to it.
    Input(String),
}

impl Body {
    /// Checks order, dtypes, inputs and outputs. `inputs`: the dtypes of what is fed in; `rank`: axes of the iteration space.
    pub fn check(&self, inputs: &[DType], rank: usize) -> Result<(), BodyError> {
        self.check_with(inputs, &[], rank)
    }

    /// As [`Body::check`], for a body that reads tables of these dtypes and ranks.
    pub fn check_with(&self, inputs: &[DType], tables: &[(DType, usize)], rank: usize) -> Result<(), BodyError> {
        let wrong = |message: String| Err(BodyError::Body(message));
        for (n, instr) in self.instrs.iter().enumerate() {
            match &instr.kind {
                InstrKind::Input(input) => match inputs.get(*input as usize) {
                    None => return wrong(format!("${n} reads input {input} of {}", inputs.len())),
                    Some(found) if *found != instr.dtype => {
                        let message = format!("${n} reads input {input} as `{}`, which is `{found}`", instr.dtype);
                        return Err(BodyError::Input(message));
                    }
                    Some(_) => {}
                },
                InstrKind::Index(axis) if *axis as usize >= rank || instr.dtype != DType::I64 => {
                    return wrong(format!("${n} is no `int64` index of {rank} axes"));
                }
                InstrKind::Index(_) => {}
                InstrKind::Element(table, at) => {
                    let is_index = |v: &super::Val| (v.0 as usize) < n && self.dtype(*v) == DType::I64;
                    if !at.iter().all(is_index) {
                        return wrong(format!("${n} is no element at earlier `int64` values"));
                    }
                    match tables.get(*table as usize) {
                        None => return wrong(format!("${n} reads table {table} of {}", tables.len())),
                        Some(found) if *found != (instr.dtype, at.len()) => {
                            let message = format!("${n} reads `{}` at {} indices of {found:?}", instr.dtype, at.len());
                            return Err(BodyError::Input(message));
                        }
                        Some(_) => {}
                    }
                }
                InstrKind::Constant(constant) if !is_canonical(*constant, instr.dtype) => {
                    return wrong(format!("${n} is no constant of `{}`: {constant:?}", instr.dtype));
                }
                InstrKind::Constant(_) => {}
                InstrKind::Op(op, operands) => {
                    if operands.iter().any(|v| v.0 as usize >= n) {
                        return wrong(format!("${n} uses a value that does not come before it"));
                    }
                    let dtypes: Vec<DType> = operands.iter().map(|v| self.dtype(*v)).collect();
                    let cast = *op == ScalarOp::Cast && dtypes.len() == 1;
                    if !cast && op.result(&dtypes) != Some(instr.dtype) {
                        return wrong(format!("${n}: `{}` of {dtypes:?} is not `{}`", op.name(), instr.dtype));
                    }
                }
            }
        }
        match self.outputs.iter().find(|v| v.0 as usize >= self.instrs.len()) {
            Some(output) => wrong(format!("output ${} does not exist", output.0)),
            None => Ok(()),
        }
    }

    /// The dtypes of the outputs of a checked body.
    pub fn output_dtypes(&self) -> Vec<DType> {
        self.outputs.iter().map(|v| self.dtype(*v)).collect()
    }
}
