//! What is known of extents in a loop: which are equal, which are 1, and what is broadcast to them.
//!
//! In: the ops of a loop, in order. Out: checks that ask for one of several possibilities, broadcasts of arrays that have the extents already, or new axes
//! in their place.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Op, OpKind, Type, ValueId, typing};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::traverse::Substitution;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::nest::rows::broadcasts::Along;
use crate::loops::storage::scratch::{Extent, Settle, Source};

impl Settle<'_, '_> {
    pub(crate) fn extents_of(&self, array: ValueId) -> Vec<Extent> {
        let rank = self.pass.function.array(array).map_or(0, |array| array.rank);
        let known = |array, axis| self.pass.known.extents.get(&(array, axis)).map(|extent| Extent::Is(*extent));
        let from_before = |axis| match self.pass.known.shapes.along(array, axis) {
            Along::One => Extent::One,
            Along::Value(extent) => Extent::Is(extent),
            Along::Dim(array, axis) => known(array, axis).unwrap_or(Extent::Unknown),
        };
        let named = |axis| known(array, axis).unwrap_or_else(|| from_before(axis));
        self.extents.get(&array).cloned().unwrap_or_else(|| (0..rank).map(named).collect())
    }

    pub(crate) fn narrowed(&self, array: ValueId, axis: usize, extent: ValueId) -> Vec<Extent> {
        let mut extents = self.extents_of(array);
        extents[axis] = Extent::Is(extent);
        extents
    }

    /// What two extents are broadcast to, if one of them is that; a check may be added that says so.
    pub(crate) fn broadcast_extent(&mut self, a: ValueId, b: ValueId, op: &Op, ops: &mut Vec<Op>) -> Option<ValueId> {
        let is_or_one = |a: ValueId, b: ValueId| self.either.contains(&(self.equal.resolve(a), self.equal.resolve(b)));
        if self.is_same(a, b) || self.is_known_one(b) || is_or_one(b, a) {
            return Some(a);
        }
        if self.is_known_one(a) || is_or_one(a, b) {
            return Some(b);
        }
        if [a, b].iter().any(|v| self.inside.contains(v)) {
            return None;
        }
        let one = if self.may_be_one(a) > self.may_be_one(b) { a } else { b };
        self.may_be_one(one)?;
        let other = if one == a { b } else { a };
        let mut host = HostProgram::new(self.pass.function, op.span);
        let number = host.number(1);
        ops.append(&mut host.ops);
        let is_same = self.condition(ScalarOp::Eq, [one, other], op, ops);
        let is_one = self.condition(ScalarOp::Eq, [one, number], op, ops);
        let is_either = self.condition(ScalarOp::BitOr, [is_same, is_one], op, ops);
        let kind = OpKind::Check { kind: ErrorKind::Value, message: String::new() };
        ops.push(Op { kind, operands: vec![is_either], results: Vec::new(), regions: Vec::new(), span: op.span });
        self.either.insert((self.equal.resolve(one), self.equal.resolve(other)));
        Some(other)
    }

    fn is_same(&self, a: ValueId, b: ValueId) -> bool {
        self.equal.resolve(a) == self.equal.resolve(b)
    }

    fn is_known_one(&self, extent: ValueId) -> bool {
        self.constant(self.equal.resolve(extent)) == Some(1)
    }

    /// Brings an array that is broadcast to the extents that it is broadcast to: axes of one element are taken for new ones, and along axes of before the
    /// loop that may have one element each index shows that.
    pub(crate) fn brought_to_extents(&mut self, op: &mut Op, ops: &mut Vec<Op>) -> Option<()> {
        let OpKind::Broadcast = op.kind else { return Some(()) };
        let of = self.extents_of(op.operands[0]);
        let targets = op.operands[op.operands.len() - of.len()..].to_vec();
        let is_written = self.pass.known.points_to.locations(op.operands[0]).iter().any(|l| self.written.contains(l));
        for (axis, (extent, target)) in of.into_iter().zip(targets).enumerate() {
            let Extent::Is(extent) = extent else { continue };
            let is_one = self.is_known_one(extent);
            let is_settled = self.is_same(extent, target) || self.inside.contains(&extent) || is_written;
            let mut host = HostProgram::new(self.pass.function, op.span);
            let zero = host.number(0);
            if is_one {
                ops.append(&mut host.ops);
                for (kind, at) in [(OpKind::Index { axis }, vec![zero]), (OpKind::NewAxis { axis }, vec![])] {
                    op.operands[0] = self.view(kind, [vec![op.operands[0]], at].concat(), op, ops)?;
                }
            } else if !is_settled {
                let one = host.number(1);
                let is_more = host.scalar(OpKind::Scalar(ScalarOp::Ne), vec![extent, one], DType::Bool);
                let step = host.scalar(OpKind::Scalar(ScalarOp::Cast), vec![is_more], DType::I64);
                ops.append(&mut host.ops);
                let operands = vec![op.operands[0], zero, target, step];
                op.operands[0] = self.view(OpKind::Slice { axis }, operands, op, ops)?;
            }
        }
        Some(())
    }

    fn view(&mut self, kind: OpKind, operands: Vec<ValueId>, of: &Op, ops: &mut Vec<Op>) -> Option<ValueId> {
        let types: Vec<Type> = operands.iter().map(|v| self.pass.function.ty(*v)).collect();
        let ty = typing::result_types(&kind, &types).ok().flatten()?.pop()?;
        let view = self.pass.function.add_value(ty);
        let op = Op { kind, operands, results: vec![view], regions: Vec::new(), span: of.span };
        self.broadcast(&op);
        ops.push(op);
        Some(view)
    }

    /// The most that a value can be, as far as numbers tell.
    fn most(&self, value: ValueId, depth: usize) -> Option<i64> {
        if let Some(n) = self.constant(value) {
            return Some(n);
        }
        let Some(Source::Op(op)) = self.definitions.get(&value).filter(|_| depth < 16) else { return None };
        let [a, b] = op.operands[..] else { return None };
        let (a, b) = (self.most(a, depth + 1), self.most(b, depth + 1));
        match (&op.kind, a, b) {
            (OpKind::Scalar(ScalarOp::Min), Some(a), Some(b)) => Some(a.min(b)),
            (OpKind::Scalar(ScalarOp::Min), a, b) => a.or(b),
            (OpKind::Scalar(ScalarOp::Max), Some(a), Some(b)) => Some(a.max(b)),
            (OpKind::Scalar(ScalarOp::Add), Some(a), Some(b)) => a.checked_add(b),
            _ => None,
        }
    }

    /// Of a condition that says of some extents that they are 1: what says so of one that this may be.
    fn says_one(&self, condition: ValueId, may_be: &dyn Fn(&Self, ValueId) -> bool, depth: usize) -> Option<ValueId> {
        let Some(Source::Op(op)) = self.definitions.get(&condition).filter(|_| depth < 16) else { return None };
        let [a, b] = op.operands[..] else { return None };
        match op.kind {
            OpKind::Scalar(ScalarOp::BitOr) => {
                self.says_one(a, may_be, depth + 1).or_else(|| self.says_one(b, may_be, depth + 1))
            }
            OpKind::Scalar(ScalarOp::Eq) => {
                let is_one = self.constant(b) == Some(1) && self.constant(a).is_none();
                (is_one && may_be(self, a)).then_some(condition)
            }
            _ => None,
        }
    }

    /// A condition that is no weaker: that extents are equal, for that they are or one is 1; or that one is which cannot be more.
    pub(crate) fn strengthened(&mut self, condition: ValueId, ops: &mut Vec<Op>, depth: usize) -> ValueId {
        let Some(Source::Op(op)) = self.definitions.get(&condition).cloned() else { return condition };
        let [a, b] = op.operands[..] else { return condition };
        match op.kind {
            OpKind::Scalar(ScalarOp::BitOr) if self.is_equality(a) && self.is_one(b, 0) => self.chosen(a, b, ops),
            OpKind::Scalar(ScalarOp::BitOr) if self.is_equality(b) && self.is_one(a, 0) => self.chosen(b, a, ops),
            OpKind::Scalar(ScalarOp::BitAnd) if depth < 16 => {
                let [a, b] = [a, b].map(|v| self.strengthened(v, ops, depth + 1));
                if op.operands == [a, b] {
                    return condition;
                }
                self.condition(ScalarOp::BitAnd, [a, b], &op, ops)
            }
            _ => condition,
        }
    }

    /// What of a condition is asked: that extents are equal, or what says of them that they are 1.
    fn chosen(&mut self, equality: ValueId, ones: ValueId, ops: &mut Vec<Op>) -> ValueId {
        if let Some(one) = self.says_one(ones, &|settle, extent| settle.most(extent, 0) == Some(1), 0) {
            return one;
        }
        let Some(Source::Op(equal)) = self.definitions.get(&equality).cloned() else { return equality };
        let [a, b] = [equal.operands[0], equal.operands[1]];
        if self.is_same(a, b) || [a, b].iter().any(|v| self.inside.contains(v)) {
            return equality;
        }
        let likelier = self.may_be_one(a).max(self.may_be_one(b));
        let may_be = |settle: &Self, extent: ValueId| likelier.is_some() && settle.may_be_one(extent) == likelier;
        let Some(one) = self.says_one(ones, &may_be, 0) else { return equality };
        let Some(Source::Op(is_one)) = self.definitions.get(&one).cloned() else { return equality };
        let [extent, other] = if is_one.operands[0] == a { [a, b] } else { [b, a] };
        self.either.insert((self.equal.resolve(extent), self.equal.resolve(other)));
        self.condition(ScalarOp::BitOr, [equality, one], &equal, ops)
    }

    fn condition(&mut self, op: ScalarOp, operands: [ValueId; 2], like: &Op, ops: &mut Vec<Op>) -> ValueId {
        let result = self.pass.function.add_value(Type::Scalar(DType::Bool));
        let (kind, operands, results) = (OpKind::Scalar(op), operands.to_vec(), vec![result]);
        let op = Op { kind, operands, results, regions: Vec::new(), span: like.span };
        self.definitions.insert(result, Source::Op(op.clone()));
        self.inside.insert(result);
        ops.push(op);
        result
    }

    /// Whether it is the extent of a parameter with several axes that the loop does not write, and so may be 1 where others are not: how likely that is.
    /// What was taken for 1 once is so again; and there are more columns than rows.
    fn may_be_one(&self, extent: ValueId) -> Option<(bool, usize)> {
        let axes = self.pass.function.parameters.iter().flat_map(|array| {
            let rank = self.pass.function.array(*array).map_or(0, |array| array.rank);
            let is_written = self.pass.known.points_to.locations(*array).iter().any(|l| self.written.contains(l));
            let is_extent = move |axis: &usize| {
                let known = self.pass.known.extents.get(&(*array, *axis));
                rank > 1 && !is_written && known == Some(&extent)
            };
            (0..rank).filter(is_extent)
        });
        let axis = axes.max()?;
        Some((self.either.iter().any(|(one, _)| *one == self.equal.resolve(extent)), axis))
    }

    fn is_equality(&self, value: ValueId) -> bool {
        matches!(self.definitions.get(&value), Some(Source::Op(op)) if op.kind == OpKind::Scalar(ScalarOp::Eq))
    }

    /// Whether a condition says that an extent is 1, or another one.
    fn is_one(&self, value: ValueId, depth: usize) -> bool {
        let Some(Source::Op(op)) = self.definitions.get(&value) else { return false };
        if op.kind == OpKind::Scalar(ScalarOp::BitOr) && depth < 16 {
            return op.operands.iter().all(|v| self.is_one(*v, depth + 1));
        }
        op.kind == OpKind::Scalar(ScalarOp::Eq) && op.operands.iter().any(|v| self.constant(*v) == Some(1))
    }

    /// Notes which extents a condition says are equal.
    pub(crate) fn note_equal(&mut self, condition: ValueId, names: &mut Substitution, depth: usize) {
        let Some(Source::Op(condition)) = self.definitions.get(&condition).cloned() else { return };
        if condition.kind == OpKind::Scalar(ScalarOp::BitAnd) && depth < 16 {
            condition.operands.iter().for_each(|v| self.note_equal(*v, names, depth + 1));
        }
        if condition.kind == OpKind::Scalar(ScalarOp::Eq) {
            let [a, b] = [condition.operands[0], condition.operands[1]].map(|v| names.resolve(v));
            self.equal.replace(self.equal.resolve(a), self.equal.resolve(b));
            // From here on the one that is computed is the other one.
            let is_computed = |v: ValueId| matches!(self.definitions.get(&v), Some(Source::Op(_)));
            match (is_computed(a), is_computed(b)) {
                (true, _) => names.replace(a, b),
                (_, true) => names.replace(b, a),
                _ => {}
            }
        }
    }

    /// Notes extents of views, and broadcasts to extents that arrays have.
    pub(crate) fn broadcast(&mut self, op: &Op) {
        let Some(result) = op.results.first() else { return };
        let of = op.operands.first().map_or(Vec::new(), |v| self.extents_of(*v));
        let extents = match &op.kind {
            OpKind::Slice { axis } => self.narrowed(op.operands[0], *axis, op.operands[2]),
            OpKind::Index { axis } | OpKind::DropAxis { axis } => {
                let mut of = of;
                of.remove(*axis);
                of
            }
            OpKind::NewAxis { axis } => {
                let mut of = of;
                of.insert(*axis, Extent::One);
                of
            }
            OpKind::Permute { permutation } => permutation.iter().map(|axis| of[*axis]).collect(),
            OpKind::ReadOnly | OpKind::Writable => of,
            OpKind::Broadcast => {
                let to = &op.operands[1..];
                let same = |(extent, to): (&Extent, &ValueId)| match extent {
                    Extent::One => true,
                    Extent::Is(extent) => self.is_same(*extent, *to),
                    Extent::Unknown => false,
                };
                if of.iter().zip(&to[to.len() - of.len()..]).all(same) {
                    self.scratch.broadcasts.insert(*result);
                }
                to.iter().map(|extent| Extent::Is(*extent)).collect()
            }
            _ => return,
        };
        self.extents.insert(*result, extents);
    }
}
