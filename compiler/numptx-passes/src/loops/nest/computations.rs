//! Computations of single elements.
//!
//! In: `map` and `store` of rank 0. Out: their bodies as statements of the program. A fresh array of rank 0 is the value itself; larger ones are refused.

use numptx_ir::DType;
use numptx_ir::array::{Map, Op, Store, ValueId};
use numptx_ir::scalar::{Body, Constant, InstrKind, StmtKind, Val};

use crate::loops::dependence::Affine;
use crate::loops::idioms::updates::Updates;
use crate::loops::nest::elements::Index;
use crate::loops::nest::program::Refusal;
use crate::loops::nest::scope::Binding;
use crate::loops::nest::translator::Translator;

impl Translator<'_> {
    pub(crate) fn map(&mut self, op: &Op, map: &Map) -> Result<(), Refusal> {
        if map.rank != 0 {
            return Err(Refusal("an array is made in every iteration"));
        }
        let outputs = self.body(&map.body, &op.operands, &Updates::default())?;
        for (value, val) in op.results.iter().zip(outputs) {
            self.name_element(*value, val);
            self.bind(*value, Binding::Cell(val));
        }
        Ok(())
    }

    pub(crate) fn store_op(&mut self, op: &Op, store: &Store) -> Result<(), Refusal> {
        if store.rank != 0 {
            return Err(Refusal("an array is written as a whole"));
        }
        let (destinations, inputs) = op.operands.split_at(store.body.outputs.len());
        let outputs = self.body(&store.body, inputs, self.updates)?;
        for (destination, val) in destinations.iter().zip(outputs) {
            match self.binding(*destination)? {
                Binding::View(view) => {
                    self.group = self.updates.group(*destination);
                    self.store(&view, &[], val);
                    self.group = None;
                }
                _ => return Err(Refusal("an array of an iteration is written")),
            }
        }
        Ok(())
    }

    /// A body over single elements and scalars, of which those are parts of updates whose views are among these.
    fn body(&mut self, body: &Body, operands: &[ValueId], updates: &Updates) -> Result<Vec<Val>, Refusal> {
        let (inputs, tables) = body.split_tables(operands).ok_or(Refusal("a table is missing"))?;
        let mut loaded: Vec<Option<Index>> = vec![None; inputs.len()];
        let mut vals: Vec<Index> = Vec::with_capacity(body.instrs.len());
        for instr in &body.instrs {
            let used: Vec<Index> = instr.kind.operands().iter().map(|v| vals[v.0 as usize].clone()).collect();
            let val = match &instr.kind {
                InstrKind::Input(n) => {
                    let n = *n as usize;
                    let index = match loaded[n].take() {
                        Some(index) => index,
                        None => {
                            self.group = updates.group(inputs[n]);
                            let input = self.input(inputs[n])?;
                            self.group = None;
                            input
                        }
                    };
                    loaded[n] = Some(index.clone());
                    index
                }
                InstrKind::Element(n, _) => Index { val: self.element(tables[*n as usize], &used)?, affine: None },
                InstrKind::Index(_) => return Err(Refusal("an index of nothing")),
                InstrKind::Constant(constant) => {
                    let affine = match (constant, instr.dtype) {
                        (Constant::Int(n), DType::I64) => Some(Affine::constant(*n)),
                        _ => None,
                    };
                    let val = self.code.constant(*constant, instr.dtype);
                    self.note_constant(*constant, instr.dtype, val);
                    Index { val, affine }
                }
                InstrKind::Op(op, _) => {
                    let vals: Vec<Val> = used.iter().map(|i| i.val).collect();
                    let val = self.code.push(StmtKind::Op(*op), &vals, &[instr.dtype], Vec::new())[0];
                    self.note_computed(*op, instr.dtype, &used, val);
                    Index { val, affine: None }
                }
            };
            vals.push(val);
        }
        Ok(body.outputs.iter().map(|v| vals[v.0 as usize].val).collect())
    }

    /// An element, or a scalar with what is known of it.
    fn input(&mut self, value: ValueId) -> Result<Index, Refusal> {
        match self.binding(value)? {
            Binding::Scalar(scalar) => Ok(Index { val: scalar.val, affine: scalar.affine }),
            _ => Ok(Index { val: self.element(value, &[])?, affine: None }),
        }
    }
}
