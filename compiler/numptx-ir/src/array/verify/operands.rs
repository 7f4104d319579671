//! `A07` to `A09`, `A15` to `A18`: what ops take and give.

use super::Checker;
use super::structure::is_assignable;
use crate::DType;
use crate::array::typing::result_types;
use crate::array::{ArrayType, Op, OpKind, Phase, Sorting, Type, ValueId};
use crate::kernel::{Access, Kernel};

/// The most axes that an array has.
pub(super) const RANK_LIMIT: usize = 16;

/// The operands that a kind of op takes, from left to right.
enum Slot {
    /// One array.
    Array,
    /// One array or object.
    Reference,
    /// One scalar of this dtype; `A09`.
    Scalar(DType),
    /// So many scalars of this dtype; `A09`.
    Scalars(usize, DType),
    /// Any number of scalars of this dtype up to the first array; `A09`.
    ScalarsUntilArray(DType),
    /// So many scalars of any dtype.
    AnyScalars(usize),
    /// So many arrays.
    Arrays(usize),
    /// Any number of arrays.
    ArraysToTheEnd,
    /// Any number of scalars of any dtype.
    ScalarsToTheEnd,
    /// Whatever follows.
    Rest,
}

impl Checker<'_> {
    pub(super) fn check_op(&mut self, op: &Op) {
        let before = self.errors.len();
        self.check_phase(op);
        self.check_operands(op);
        if self.errors.len() == before {
            self.check_attributes(op);
        }
        if self.errors.len() == before {
            self.check_results(op);
            self.check_writes(op);
        }
    }

    /// `A17`.
    fn check_phase(&mut self, op: &Op) {
        use OpKind::*;
        let phase = self.function.phase;
        let allowed = match op.kind {
            Assign => phase == Phase::Source,
            Store(_) | StoreReduce(_) | StoreScan(_) | Compact(_) => phase == Phase::Placed,
            Scatter(_) | Nest(_) => phase <= Phase::Placed,
            Map(_) | Reduce(_) | Scan(_) => phase <= Phase::Placed,
            Launch(_) | Reuse { .. } => phase >= Phase::Host,
            Retain | Release => phase == Phase::Owned,
            _ => true,
        };
        if !allowed {
            self.fail("A17", format!("not allowed in phase {phase:?}"), Some(op));
        }
    }

    /// `A07` and `A09`.
    fn check_operands(&mut self, op: &Op) {
        let types = self.types(&op.operands);
        let Some(slots) = self.slots(op) else {
            return self.fail("A18", "the kernel does not exist", Some(op));
        };
        let mut rest = types.as_slice();
        for slot in slots {
            match take(slot, rest) {
                Ok(after) => rest = after,
                Err((invariant, message)) => return self.fail(invariant, message, Some(op)),
            }
        }
        if !rest.is_empty() {
            return self.fail("A07", format!("{} operands too many", rest.len()), Some(op));
        }
        let ranks = types.iter().chain(&self.types(&op.results)).filter_map(|t| array_of(*t)).map(|a| a.rank).max();
        if ranks.is_some_and(|rank| rank > RANK_LIMIT) {
            self.fail("A07", format!("an array has more than {RANK_LIMIT} axes"), Some(op));
        }
    }

    /// `None` for a launch of no kernel.
    fn slots(&self, op: &Op) -> Option<Vec<Slot>> {
        use OpKind::*;
        use Slot::*;
        const I64: DType = DType::I64;
        Some(match &op.kind {
            OpKind::Constant(_) => vec![],
            OpKind::Scalar(op) => vec![AnyScalars(op.arity())],
            Dim(_)
            | Stride(_)
            | NewAxis { .. }
            | DropAxis { .. }
            | Permute { .. }
            | Part { .. }
            | Diagonal { .. }
            | ReadOnly
            | Writable
            | IsWritable
            | Contiguous(_) => vec![Array],
            Retain | Release => vec![Reference],
            SliceBounds { lower, upper } => vec![Scalars(2 + usize::from(*lower) + usize::from(*upper), I64)],
            BroadcastExtent => vec![Scalars(2, I64)],
            Overlap | SameBuffer => vec![Arrays(2)],
            OneLaunch | OneRead => vec![Scalars(3, I64)],
            Item => vec![Array, ArraysToTheEnd],
            Sort(Sorting::Indices) => vec![Array, Array],
            Sort(_) => vec![Array],
            External(external) => vec![Arrays(external.n_operands())],
            OpKind::Object(_) => vec![Rest],
            Check { .. } => vec![Slot::Scalar(DType::Bool), AnyScalars(op.operands.len().saturating_sub(1))],
            Slice { .. } => vec![Array, Scalars(3, I64)],
            Index { .. } => vec![Array, Slot::Scalar(I64)],
            Windows { .. } | Split { .. } => vec![Array, Scalars(2, I64)],
            Broadcast | Reshape(_) => vec![Array, ScalarsUntilArray(I64)],
            Strided { .. } => vec![Array, Scalars(op.operands.len().saturating_sub(1) / 2 * 2, I64)],
            Ravel(_) => vec![Array, Slot::Scalar(I64)],
            Alloc { .. } => vec![ScalarsUntilArray(I64), ArraysToTheEnd],
            Reuse { .. } => vec![Array, ScalarsUntilArray(I64), ArraysToTheEnd],
            Map(map) => vec![Scalars(map.rank, I64), Rest],
            Reduce(reduce) => vec![Scalars(reduce.rank, I64), Rest],
            Scan(scan) => vec![Scalars(scan.rank, I64), Rest],
            Store(store) => vec![Scalars(store.rank, I64), Arrays(store.body.outputs.len()), Rest],
            Scatter(scatter) => vec![Scalars(scatter.rank, I64), Arrays(scatter.n_destinations), Rest],
            Compact(compact) => vec![Scalars(compact.rank, I64), Arrays(compact.n_fixed()), Rest],
            Nest(nest) => vec![Scalars(nest.rank, I64), Arrays(nest.code.n_tables()), ScalarsToTheEnd],
            StoreReduce(reduce) => vec![Scalars(reduce.rank, I64), Arrays(reduce.n_results()), Rest],
            StoreScan(scan) => vec![Scalars(scan.rank, I64), Arrays(1), Rest],
            Assign => vec![Array, Array],
            Try => vec![],
            If => vec![Slot::Scalar(DType::Bool)],
            For => vec![Scalars(3, I64), Rest],
            While | Yield | Return | Call { .. } => vec![Rest],
            Launch(id) => {
                let kernel = self.module.kernels.get(id.0 as usize)?;
                vec![Scalars(kernel.rank, I64), Arrays(kernel.operands.len()), AnyScalars(kernel.scalars.len())]
            }
        })
    }

    /// `A08`; the ops that declare their results have the right number of them.
    fn check_results(&mut self, op: &Op) {
        let found = self.types(&op.results);
        let expected = match result_types(&op.kind, &self.types(&op.operands)) {
            Err(message) => return self.fail("A07", message, Some(op)),
            Ok(Some(expected)) => expected,
            Ok(None) => match &op.kind {
                OpKind::Constant(_) | OpKind::Scalar(_) => {
                    vec![Type::Scalar(found.first().map_or(DType::Bool, |t| t.dtype()))]
                }
                _ => return,
            },
        };
        if found != expected {
            let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
            self.fail("A08", format!("results are ({}), expected ({})", list(&found), list(&expected)), Some(op));
        }
    }

    /// `A15`, `A16` and `A18`.
    fn check_writes(&mut self, op: &Op) {
        let arrays: Vec<ArrayType> = self.types(&op.operands).into_iter().filter_map(array_of).collect();
        let written: &[ArrayType] = match &op.kind {
            OpKind::Assign => {
                if (arrays[0].dtype, arrays[0].rank) != (arrays[1].dtype, arrays[1].rank) {
                    self.fail("A15", "both sides must have one rank and dtype", Some(op));
                }
                &arrays[..1]
            }
            kind @ (OpKind::Store(_)
            | OpKind::StoreReduce(_)
            | OpKind::StoreScan(_)
            | OpKind::Scatter(_)
            | OpKind::Compact(_)
            | OpKind::Nest(_)) => &arrays[..kind.destinations().map_or(0, |range| range.len())],
            OpKind::External(external) => &arrays[..external.n_written().min(arrays.len())],
            OpKind::Sort(sorting) => &arrays[usize::from(*sorting == Sorting::Indices)..],
            OpKind::Launch(id) => {
                let kernel = &self.module.kernels[id.0 as usize];
                return self.check_launch(op, kernel, &arrays);
            }
            OpKind::Call { routine, written, viewed } => return self.check_call(op, routine, written, viewed),
            _ => &[],
        };
        if written.iter().any(|array| !array.writable) {
            self.fail("A16", "a destination is not writable", Some(op));
        }
    }

    /// `A28`.
    fn check_call(&mut self, op: &Op, routine: &str, written: &[usize], viewed: &[usize]) {
        let Some(callee) = self.module.functions.iter().find(|f| f.is_routine && f.name == routine) else {
            return self.fail("A28", format!("there is no routine `{routine}`"), Some(op));
        };
        let types = |values: &[ValueId]| values.iter().map(|v| callee.ty(*v)).collect::<Vec<_>>();
        let (parameters, found) = (types(&callee.parameters), self.types(&op.operands));
        let fits = parameters.len() == found.len() && found.iter().zip(&parameters).all(|(f, p)| is_assignable(*f, *p));
        if !fits {
            self.fail("A28", "the operands are not the routine's parameters", Some(op));
        }
        let returned = callee.body.ops.last().map_or(Vec::new(), |last| types(&last.operands));
        let results = self.types(&op.results);
        if results.len() != returned.len() || !returned.iter().zip(&results).all(|(r, p)| is_assignable(*r, *p)) {
            self.fail("A28", "the results are not what the routine returns", Some(op));
        }
        let array = |n: &usize| found.get(*n).copied().and_then(array_of);
        if !written.iter().all(|n| array(n).is_some_and(|array| array.writable)) {
            self.fail("A28", "an operand that is written is no writable array", Some(op));
        }
        if viewed.iter().any(|n| array(n).is_none()) {
            self.fail("A28", "an operand that results may view is no array", Some(op));
        }
    }

    fn check_launch(&mut self, op: &Op, kernel: &Kernel, arrays: &[ArrayType]) {
        let kept = kernel.rank.saturating_sub(kernel.n_reduced);
        for (n, (operand, array)) in kernel.operands.iter().zip(arrays).enumerate() {
            let over_kept = array.rank == kept && operand.fixed.iter().skip(kept).all(|fixed| *fixed);
            let has_rank = match kernel.table_of(n) {
                Some(table) => array.rank == table.strides.len(),
                None => array.rank == kernel.rank || over_kept,
            };
            if array.dtype != operand.dtype || !has_rank {
                let found = Type::Array(*array);
                self.fail("A18", format!("array {n} is {found}, the kernel's is {operand}"), Some(op));
            }
            if operand.access != Access::Read && !array.writable {
                self.fail("A18", format!("array {n} is written but not writable"), Some(op));
            }
        }
        let scalars = self.types(&op.operands).into_iter().skip(kernel.rank + kernel.operands.len());
        if !scalars.map(|t| t.dtype()).eq(kernel.scalars.iter().copied()) {
            self.fail("A18", format!("the kernel's scalars are {:?}", kernel.scalars), Some(op));
        }
    }
}

pub(super) fn array_of(ty: Type) -> Option<ArrayType> {
    if let Type::Array(array) = ty { Some(array) } else { None }
}

/// What is left after a slot, or the violated invariant.
fn take(slot: Slot, types: &[Type]) -> Result<&[Type], (&'static str, String)> {
    let is_scalar = |ty: &Type| matches!(ty, Type::Scalar(_));
    let prefix = |n: usize| types.get(..n).ok_or(("A07", format!("{n} more operands are needed")));
    let scalars = |n: usize, dtype: Option<DType>| {
        let found = prefix(n)?;
        if !found.iter().all(is_scalar) {
            return Err(("A07", "an array or an object stands where a scalar belongs".to_string()));
        }
        match dtype {
            Some(dtype) if found.iter().any(|ty| ty.dtype() != dtype) => {
                Err(("A09", format!("scalars must be `{}`", dtype.short_name())))
            }
            _ => Ok(&types[n..]),
        }
    };
    let arrays = |n: usize| match prefix(n)?.iter().all(|ty| matches!(ty, Type::Array(_))) {
        true => Ok(&types[n..]),
        false => Err(("A07", "a scalar or an object stands where an array belongs".to_string())),
    };
    let reference = || match prefix(1)?[0].is_reference() {
        true => Ok(&types[1..]),
        false => Err(("A07", "a scalar stands where an array or an object belongs".to_string())),
    };
    match slot {
        Slot::Array => arrays(1),
        Slot::Reference => reference(),
        Slot::Arrays(n) => arrays(n),
        Slot::ArraysToTheEnd => arrays(types.len()),
        Slot::Scalar(dtype) => scalars(1, Some(dtype)),
        Slot::Scalars(n, dtype) => scalars(n, Some(dtype)),
        Slot::ScalarsUntilArray(dtype) => scalars(types.iter().take_while(|ty| is_scalar(ty)).count(), Some(dtype)),
        Slot::AnyScalars(n) => scalars(n, None),
        Slot::ScalarsToTheEnd => scalars(types.len(), None),
        Slot::Rest => Ok(&[]),
    }
}
