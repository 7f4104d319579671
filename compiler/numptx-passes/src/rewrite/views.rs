//! Brings chains of views into one form, so that equal views are equal values: slices and indices next to the base, lower axes first,
//! slices of a slice as one slice, permutations of a permutation as one.
//!
//! In: a view op with resolved operands. Out: the value that it is. Moves no data and depends on no memory.

use numptx_ir::DType;
use numptx_ir::array::{OpKind, ValueId};
use numptx_ir::scalar::Constant;

use crate::rewrite::emit::{Definition, Emitter};

impl Emitter {
    /// A view, in its one form. `reuse`: result ids, should it stay an op.
    pub fn view(&mut self, kind: OpKind, operands: Vec<ValueId>, reuse: Option<Vec<ValueId>>) -> ValueId {
        if matches!(kind, OpKind::ReadOnly) && self.is_never_writable(operands[0])
            || matches!(kind, OpKind::Writable) && self.array(operands[0]).is_some_and(|a| a.writable)
        {
            return operands[0];
        }
        let base = self.definition(operands[0]);
        let moved = base.and_then(|base| match &kind {
            OpKind::Slice { axis } => self.slice_of(*axis, &operands, &base),
            OpKind::Index { axis } => self.index_of(*axis, &operands, &base),
            OpKind::Permute { permutation } => self.permute_of(permutation, &base),
            OpKind::Broadcast => self.broadcast_of(&operands, &base),
            OpKind::DropAxis { axis } => match base.kind {
                OpKind::NewAxis { axis: new } if new == *axis => Some(self.whole(base.operands[0])),
                _ => None,
            },
            _ => None,
        });
        moved.unwrap_or_else(|| self.number(kind, operands, DType::Bool, reuse)[0])
    }

    /// Whether an array may be written, as what its views were made of may be.
    pub fn is_writable(&mut self, array: ValueId, reuse: Option<Vec<ValueId>>) -> ValueId {
        if self.array(array).is_some_and(|a| a.writable) {
            return self.constant(Constant::Bool(true), DType::Bool);
        }
        if self.is_never_writable(array) {
            return self.constant(Constant::Bool(false), DType::Bool);
        }
        let root = self.root(array);
        self.number(OpKind::IsWritable, vec![root], DType::Bool, reuse)[0]
    }

    /// What an array was before it was made writable.
    pub fn unwritten(&mut self, array: ValueId) -> ValueId {
        let array = self.same_elements(array);
        match self.definition(array) {
            Some(view) if view.kind == OpKind::Writable => self.same_elements(view.operands[0]),
            _ => array,
        }
    }

    /// An array that is read where `destination` is written: the destination itself if it is a view of all of the array.
    pub fn as_written(&self, destination: ValueId, read: ValueId) -> ValueId {
        match self.definition(destination) {
            Some(view) if view.kind == OpKind::Writable && view.operands[0] == read => destination,
            _ => read,
        }
    }

    /// Whether an array is read-only on every path. Its type does not say so: what branches and loops carry may be written if it is so on one path only.
    fn is_never_writable(&self, value: ValueId) -> bool {
        let mut value = value;
        loop {
            let Some(definition) = self.definition(value) else { return false };
            match &definition.kind {
                OpKind::ReadOnly | OpKind::Broadcast | OpKind::Windows { .. } => return true,
                OpKind::Writable => return false,
                kind if kind.is_view() => value = definition.operands[0],
                _ => return false,
            }
        }
    }

    /// The array with the same elements at the same points that a chain of identity views was made of.
    pub fn same_elements(&mut self, value: ValueId) -> ValueId {
        let mut value = value;
        while let Some(definition) = self.definition(value) {
            if !self.is_identity(&definition) {
                break;
            }
            value = definition.operands[0];
        }
        value
    }

    fn is_identity(&mut self, view: &Definition) -> bool {
        match &view.kind {
            OpKind::ReadOnly => true,
            OpKind::Slice { axis } => {
                self.i64_of(view.operands[1]) == Some(0)
                    && self.i64_of(view.operands[3]) == Some(1)
                    && self.dim(view.operands[0], *axis) == view.operands[2]
            }
            OpKind::Permute { permutation } => permutation.iter().enumerate().all(|(i, p)| i == *p),
            OpKind::Broadcast => self.shape(view.operands[0]) == view.operands[1..],
            _ => false,
        }
    }

    fn slice_of(&mut self, axis: usize, operands: &[ValueId], base: &Definition) -> Option<ValueId> {
        let [_, start, length, step] = *operands else { return None };
        match &base.kind {
            OpKind::Slice { axis: inner } if *inner == axis => {
                let [array, inner_start, _, inner_step] = base.operands[..] else { return None };
                let offset = self.mul(start, inner_step);
                let start = self.add(inner_start, offset);
                let step = self.mul(step, inner_step);
                Some(self.view(OpKind::Slice { axis }, vec![array, start, length, step], None))
            }
            OpKind::Slice { axis: inner } if *inner > axis => {
                let below = self.view(OpKind::Slice { axis }, vec![base.operands[0], start, length, step], None);
                let operands = [&[below], &base.operands[1..]].concat();
                Some(self.view(OpKind::Slice { axis: *inner }, operands, None))
            }
            OpKind::Permute { permutation } => {
                let kind = OpKind::Slice { axis: permutation[axis] };
                let below = self.view(kind, vec![base.operands[0], start, length, step], None);
                Some(self.view(base.kind.clone(), vec![below], None))
            }
            _ => None,
        }
    }

    fn index_of(&mut self, axis: usize, operands: &[ValueId], base: &Definition) -> Option<ValueId> {
        let index = operands[1];
        match &base.kind {
            OpKind::Slice { axis: inner } if *inner == axis => {
                let [array, start, _, step] = base.operands[..] else { return None };
                let offset = self.mul(index, step);
                let index = self.add(start, offset);
                Some(self.view(OpKind::Index { axis }, vec![array, index], None))
            }
            OpKind::Slice { axis: inner } => {
                let below = self.view(OpKind::Index { axis }, vec![base.operands[0], index], None);
                let outer = OpKind::Slice { axis: if *inner > axis { inner - 1 } else { *inner } };
                let operands = [&[below], &base.operands[1..]].concat();
                Some(self.view(outer, operands, None))
            }
            OpKind::Index { axis: inner } if axis < *inner => {
                let below = self.view(OpKind::Index { axis }, vec![base.operands[0], index], None);
                Some(self.view(OpKind::Index { axis: inner - 1 }, vec![below, base.operands[1]], None))
            }
            OpKind::NewAxis { axis: new } if *new == axis => Some(self.whole(base.operands[0])),
            OpKind::Permute { permutation } => {
                let dropped = permutation[axis];
                let below = self.view(OpKind::Index { axis: dropped }, vec![base.operands[0], index], None);
                let kept = permutation.iter().filter(|p| **p != dropped);
                let permutation: Vec<usize> = kept.map(|p| if *p > dropped { p - 1 } else { *p }).collect();
                Some(self.permuted(below, permutation))
            }
            _ => None,
        }
    }

    fn permuted(&mut self, array: ValueId, permutation: Vec<usize>) -> ValueId {
        if permutation.iter().enumerate().all(|(i, p)| i == *p) {
            return self.whole(array);
        }
        self.view(OpKind::Permute { permutation }, vec![array], None)
    }

    /// A view of a whole array. Never a parameter itself: a function that returns `x[None][0]` does not return the object `x`.
    fn whole(&mut self, array: ValueId) -> ValueId {
        if self.definition(array).is_some() {
            return array;
        }
        let permutation = (0..self.array(array).map_or(0, |a| a.rank)).collect();
        self.number(OpKind::Permute { permutation }, vec![array], DType::Bool, None)[0]
    }

    fn permute_of(&mut self, outer: &[usize], base: &Definition) -> Option<ValueId> {
        let OpKind::Permute { permutation } = &base.kind else { return None };
        let permutation = outer.iter().map(|p| permutation[*p]).collect();
        Some(self.permuted(base.operands[0], permutation))
    }

    fn broadcast_of(&mut self, operands: &[ValueId], base: &Definition) -> Option<ValueId> {
        if !matches!(base.kind, OpKind::Broadcast) {
            return None;
        }
        let operands = [&base.operands[..1], &operands[1..]].concat();
        Some(self.view(OpKind::Broadcast, operands, None))
    }
}
