//! A computation of one work item as two: what it computes of carried values, and what that needs of others.
//!
//! In: a map of rank 0 some of whose operands are carried. Out: a map for the loop that stores, with a result for each value that the other one needs,
//! and that one.

use numptx_ir::array::{ArrayType, Layout, Map, Op, OpKind, Type, ValueId};
use numptx_ir::scalar::{BodyBuilder, InstrKind, Val};

use crate::loops::canonical::distribute::accumulators::Division;
use crate::rewrite::bodies::without_unused;

impl Division<'_, '_> {
    pub(crate) fn map(&mut self, op: &Op, map: &Map, both: (&mut Vec<Op>, &mut Vec<Op>)) -> Option<()> {
        let of = self.marks.instructions(op, map)?;
        let is_of = |val: &Val| of[val.0 as usize];
        let (inputs, _) = map.body.split_tables(&op.operands)?;
        let mut outputs = self.plain_outputs(op, map);
        // What the other one needs.
        let mut cells: Vec<(Val, ValueId)> = Vec::new();
        let accumulated = map.body.outputs.iter().zip(&op.results).filter(|(_, v)| self.marks.accumulated.contains(v));
        let accumulated: Vec<(Val, ValueId)> = accumulated.map(|(val, v)| (*val, *v)).collect();
        let used = map.body.instrs.iter().enumerate().filter(|(n, _)| of[*n]).flat_map(|(_, i)| i.kind.operands());
        let wanted: Vec<Val> = used.copied().chain(accumulated.iter().map(|(val, _)| *val)).collect();
        let mut needed: Vec<Val> = Vec::new();
        for val in wanted.into_iter().filter(|val| !is_of(val)) {
            match map.body.instrs[val.0 as usize].kind {
                InstrKind::Constant(_) => {}
                InstrKind::Input(n) => {
                    let operand = inputs[n as usize];
                    if self.pass.function.array(operand).is_some() {
                        self.leave(operand, (&mut *both.0, &mut *both.1))?;
                    }
                }
                _ if needed.contains(&val) => {}
                _ => needed.push(val),
            }
        }
        for val in needed {
            let dtype = map.body.dtype(val);
            let ty = ArrayType { dtype, rank: 0, layout: Layout::C, writable: true };
            let cell = self.pass.function.add_value(Type::Array(ty));
            cells.push((val, cell));
        }
        outputs.extend(&cells);
        if !outputs.is_empty() {
            both.0.push(self.plain_map(op, map, &of, &outputs)?);
        }
        for (_, cell) in &cells {
            self.cross(*cell, (&mut *both.0, &mut *both.1))?;
        }
        both.1.push(self.accumulating_map(op, map, (&of, &cells), &accumulated)?);
        Some(())
    }

    /// The results that are made of nothing that is carried.
    fn plain_outputs(&self, op: &Op, map: &Map) -> Vec<(Val, ValueId)> {
        let outputs = map.body.outputs.iter().zip(&op.results);
        outputs.filter(|(_, v)| !self.marks.accumulated.contains(v)).map(|(val, v)| (*val, *v)).collect()
    }

    fn plain_map(&self, op: &Op, map: &Map, of: &[bool], outputs: &[(Val, ValueId)]) -> Option<Op> {
        let mut body = BodyBuilder::new();
        let mut vals: Vec<Val> = Vec::with_capacity(of.len());
        for (instr, is_of) in map.body.instrs.iter().zip(of) {
            let here = |v: &Val| vals[v.0 as usize];
            let kind = match &instr.kind {
                InstrKind::Op(operation, operands) => InstrKind::Op(*operation, operands.iter().map(here).collect()),
                InstrKind::Element(table, at) => InstrKind::Element(*table, at.iter().map(here).collect()),
                kind => kind.clone(),
            };
            // Nothing that stays uses what is left out.
            vals.push(if *is_of { Val(0) } else { body.push(kind, instr.dtype) });
        }
        let body = body.finish(outputs.iter().map(|(val, _)| vals[val.0 as usize]).collect());
        let (inputs, _) = map.body.split_tables(&op.operands)?;
        let (body, operands) = without_unused(body, op.operands.clone(), 0, inputs.len());
        let kind = OpKind::Map(Box::new(Map { body, ..map.clone() }));
        Some(Op { kind, operands, results: outputs.iter().map(|(_, v)| *v).collect(), ..op.clone() })
    }

    fn accumulating_map(
        &self,
        op: &Op,
        map: &Map,
        (of, cells): (&[bool], &[(Val, ValueId)]),
        outputs: &[(Val, ValueId)],
    ) -> Option<Op> {
        let mut body = BodyBuilder::new();
        let mut operands: Vec<ValueId> = Vec::new();
        let mut vals: Vec<Val> = Vec::with_capacity(of.len());
        for (n, instr) in map.body.instrs.iter().enumerate() {
            let here = |v: &Val| vals[v.0 as usize];
            let cell = cells.iter().find(|(val, _)| val.0 as usize == n).map(|(_, cell)| *cell);
            let input = match instr.kind {
                InstrKind::Input(number) => op.operands.get(number as usize).copied(),
                _ => cell,
            };
            let val = match (&instr.kind, input) {
                (_, Some(operand)) => {
                    operands.push(self.name(operand));
                    body.input(operands.len() as u32 - 1, instr.dtype)
                }
                (InstrKind::Op(operation, of_these), None) if of[n] => {
                    body.push(InstrKind::Op(*operation, of_these.iter().map(here).collect()), instr.dtype)
                }
                (InstrKind::Constant(constant), None) => body.push(InstrKind::Constant(*constant), instr.dtype),
                // Nothing here uses it.
                _ => Val(0),
            };
            vals.push(val);
        }
        let body = body.finish(outputs.iter().map(|(val, _)| vals[val.0 as usize]).collect());
        let n_inputs = operands.len();
        let (body, operands) = without_unused(body, operands, 0, n_inputs);
        let kind = OpKind::Map(Box::new(Map { body, ..map.clone() }));
        Some(Op { kind, operands, results: outputs.iter().map(|(_, v)| *v).collect(), ..op.clone() })
    }
}
