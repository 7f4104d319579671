//! **Does**: makes one iteration of some of a time loop in a cooperative program: what they copy is copied at once, and each element is loaded and stored once
//! for all of them. What a later of these iterations copies is computed of what the earlier ones copy.
//! **Requires**: phase Placed; a loop whose iterations copy rows, columns or elements of an array, which loop-invariant extents bound, and then update
//! that array in place, at each work item of the copies and of the element alone.
//! **Ensures**: threads wait for each other twice in so many iterations, and memory is gone through once. Iterations that are left run as they did,
//! and all of them where something is copied that is not updated.
//! **Keeps**: every value, to the last bit: each operation has the operands that it had. What a loop copies is the program's own, and seen by nobody else.
//! **Example**: `for k { parallel i { c[i] = p[i, k] }; parallel i, j { p[i, j] = f(p[i, j], c[i]) } }` becomes
//! `for k by 2 { parallel i { c[0, i] = p[i, k]; c[1, i] = f(p[i, k + 1], p[i, k]) }; parallel i, j { p[i, j] = f(f(p[i, j], c[0, i]), c[1, i]) } }; for k …`.

mod tiled;
mod time_loop;
mod unrolled;

use numptx_ir::DType;
use numptx_ir::array::{
    ArrayType, Function, Layout, Module, Nest, Op, OpKind, Order, Region, Remark, RemarkKind, Type, ValueId,
};
use numptx_ir::scalar::Constant;
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::traverse::count_uses;
use crate::loops::schedule::cost::TILED_ITERATIONS;
use tiled::{Tiled, tiled};

/// See the file's header.
pub const TILE_TIME: Pass =
    Pass::optional("tile-time", "run several iterations of time loops between two barriers", tile_time);

fn tile_time(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let uses = count_uses(function);
        let mut body = std::mem::take(&mut function.body);
        TileTime { function, uses, rounds: Vec::new() }.region(&mut body);
        function.body = body;
    }
    Ok(())
}

struct TileTime<'f> {
    /// The function, without its body.
    function: &'f mut Function,
    uses: Vec<usize>,
    /// Of the loops that were tiled in the op that is looked at, how many iterations became one.
    rounds: Vec<usize>,
}

impl TileTime<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut ops: Vec<Op> = Vec::with_capacity(region.ops.len());
        for mut op in std::mem::take(&mut region.ops) {
            let n_told = self.rounds.len();
            op.regions.iter_mut().for_each(|nested| self.region(nested));
            if let [rounds] = self.rounds[n_told..] {
                self.tell(&op, rounds, &mut ops);
            }
            self.rounds.truncate(n_told);
            if let OpKind::Nest(nest) = &op.kind
                && nest.code.is_cooperative()
                && let Some(tiled) = self.tiled(nest, &op, &ops)
            {
                self.replace(&mut op, tiled, &mut ops);
            }
            ops.push(op);
        }
        region.ops = ops;
    }

    fn tiled(&self, nest: &Nest, op: &Op, before: &[Op]) -> Option<(usize, Tiled)> {
        let is_own = |table: u32| {
            let array = op.operands[nest.rank + table as usize];
            self.uses.get(array.0 as usize) == Some(&1) && made_by(array, before).is_some()
        };
        TILED_ITERATIONS.iter().find_map(|n| Some((*n, tiled(&nest.code, *n, &is_own)?)))
    }

    /// Puts the new program in the place of an op's, and makes tables with another axis for it.
    fn replace(&mut self, op: &mut Op, (n_rounds, tiled): (usize, Tiled), before: &mut Vec<Op>) {
        let OpKind::Nest(nest) = &mut op.kind else { return };
        let rank = nest.rank;
        nest.code = tiled.code;
        for table in tiled.tables {
            let operand = &mut op.operands[rank + table as usize];
            let Some(at) = made_by(*operand, before) else { continue };
            let alloc = before.remove(at);
            let [number, alloc] = self.with_rounds(alloc, n_rounds);
            *operand = alloc.results[0];
            before.splice(at..at, [number, alloc]);
        }
        if tiled.is_outermost {
            self.function.remark(Remark { span: op.span, kind: RemarkKind::Tiled });
            self.rounds.push(n_rounds);
        }
    }

    /// The allocation of an array for so many iterations.
    fn with_rounds(&mut self, alloc: Op, n_rounds: usize) -> [Op; 2] {
        let span = alloc.span;
        let number = self.function.add_value(Type::Scalar(DType::I64));
        let kind = OpKind::Constant(Constant::Int(n_rounds as i64));
        let constant = Op { kind, operands: Vec::new(), results: vec![number], regions: Vec::new(), span };
        let dtype = self.function.ty(alloc.results[0]).dtype();
        let operands = [&[number], &alloc.operands[..]].concat();
        let ty = ArrayType { dtype, rank: operands.len(), layout: Layout::C, writable: true };
        let results = vec![self.function.add_value(Type::Array(ty))];
        [constant, Op { operands, results, ..alloc }]
    }

    /// Tells the question on whose answer a choice depends how many iterations a step stands for.
    fn tell(&mut self, choice: &Op, rounds: usize, before: &mut Vec<Op>) {
        let Some(guard) = choice.operands.first().filter(|_| choice.kind == OpKind::If) else { return };
        let made = |value: &ValueId| before.iter().position(|op| op.results.contains(value));
        let parts = made(guard).map_or(Vec::new(), |at| [&before[at].operands[..], &[*guard]].concat());
        let asks = |at: &usize| before[*at].kind == OpKind::OneLaunch;
        let Some(at) = parts.iter().filter_map(made).find(asks) else { return };
        let number = self.function.add_value(Type::Scalar(DType::I64));
        let kind = OpKind::Constant(Constant::Int(rounds as i64));
        let span = choice.span;
        before[at].operands[2] = number;
        before.insert(at, Op { kind, operands: Vec::new(), results: vec![number], regions: Vec::new(), span });
    }
}

/// The allocation of an array in C order.
fn made_by(array: ValueId, ops: &[Op]) -> Option<usize> {
    let is_it = |op: &Op| op.results == [array] && matches!(op.kind, OpKind::Alloc { order: Order::C, .. });
    ops.iter().rposition(is_it)
}
