//! Arrays whose axes are flattened: loops that write `y[i * m + j]`, as if there were two.
//!
//! In: a loop. Out: the same, where `y` is a view with rows of `m` elements and the index is `i` and `j`, with checks that `j` lies in a row and `i` is
//! one: for the version of a loop that runs where all of its checks hold. There indices are in range and do not count from the end, so that nothing else is
//! asked of them; and what they are computed from is required to be so small that nothing overflows. Each of the checks that are left out is thus made
//! where it stood, as what it follows from.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Op, OpKind, Region, Type, ValueId, typing};
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::flat_checks::{Need, Truths};
use crate::loops::assumptions::guards::{HostProgram, SMALL_INT};
use crate::loops::canonical::polynomials::{Made, Polynomial};
use crate::loops::canonical::radices::{Digit, Radices, rest};
use crate::loops::emit::hoist::define;
use crate::loops::function::FormNests;
use crate::loops::nest::indexed::{Accesses, MOST_AXES, plain_index};
use crate::loops::nest::rows::broadcasts::Along;

/// Limit: how far from 0 ints may be that are terms of an index, and how long an axis.
pub(crate) const FAR: i64 = SMALL_INT / 4 * 3;

/// An axis of an array that is there before the loop.
pub(crate) type Axis = (ValueId, usize);

/// An axis that is taken for several.
pub(crate) struct Flat {
    pub radices: Radices,
    /// Its extent.
    pub extent: ValueId,
    /// By the index, its digits, from the right to the left.
    pub digits: HashMap<ValueId, Vec<Digit>>,
    /// What each digit lies below, from the right to the left, as far as it is the same in all iterations: products of ints, the last one how many rows there
    /// are.
    pub ends: Vec<Option<ValueId>>,
    /// How many there are of each digit but the rightmost one, whatever is on its left.
    pub rows: Vec<ValueId>,
}

impl Flat {
    /// The digit, from the right to the left, that is not the rightmost one, of which there are as many, or more, as products of these ints are large: with
    /// an int in it, unless it is multiplied by all of them. And by what number it is multiplied.
    pub(crate) fn digit_of(&self, factors: &[ValueId]) -> Option<(usize, Option<ValueId>, i64)> {
        self.radices.weights.iter().enumerate().find_map(|(n, weight)| {
            let is_in = |value: ValueId| {
                let mut terms = self.digits.values().flat_map(|digits| &digits[n + 1].terms);
                terms.any(|(term, _)| *term == value)
            };
            match rest(factors, &weight.factors).as_slice() {
                [] => Some((n, None, weight.number)),
                [value] if is_in(*value) => Some((n, Some(*value), weight.number)),
                _ => None,
            }
        })
    }

    /// Whether an int is one of its indices.
    pub(crate) fn has(&self, index: ValueId) -> bool {
        self.digits.contains_key(&index)
    }
}

/// The axes of an array that its views in a loop still have.
pub(crate) type Views = HashMap<ValueId, (ValueId, Vec<usize>)>;

impl FormNests<'_> {
    /// Takes the indices of a loop apart where they are sums of products. `before`: what stands before it, which the views are added to.
    pub fn take_indices_apart(&mut self, op: &mut Op, before: &mut Vec<Op>) -> Option<()> {
        let made = self.made_in(op, before);
        let mut accesses =
            Accesses { made: &made, views: HashMap::new(), indices: HashMap::new(), whole: HashSet::new() };
        op.regions.iter().for_each(|region| accesses.region(region));
        let Accesses { indices, whole, .. } = accesses;
        let mut axes: Vec<(Axis, Vec<ValueId>)> =
            indices.into_iter().filter(|(axis, _)| !whole.contains(axis)).collect();
        axes.sort_unstable();
        let mut flat = HashMap::new();
        for (axis, indices) in axes {
            if let Some((radices, digits)) = digits_of(&made, &indices)
                && let Some(extent) = self.extent_before(axis, op, before)
            {
                flat.insert(axis, Flat { radices, extent, digits, ends: Vec::new(), rows: Vec::new() });
            }
        }
        if flat.is_empty() {
            return None;
        }
        let splits = self.split(&mut flat, op, before)?;
        let truths = Truths { made: &made, flat: &flat };
        let mut taking = TakingApart { pass: self, truths, splits: &splits, views: HashMap::new(), made: Vec::new() };
        op.regions.iter_mut().try_for_each(|region| taking.region(region))
    }

    /// How the ints of a loop are made, and what stands before it.
    fn made_in(&self, op: &Op, before: &[Op]) -> Made {
        let mut made = Made { ops: HashMap::new(), numbers: HashMap::new(), inside: HashSet::new() };
        define(op, &mut made.inside);
        let mut note = |op: &Op| made.note(&op.kind, &op.operands, &op.results);
        before.iter().for_each(&mut note);
        op.regions.iter().for_each(|region| for_each_op(region, &mut note));
        made.numbers.extend(self.known.constants.iter().filter_map(|(value, n)| Some((*value, n.as_int()?))));
        made
    }

    /// The extent of an axis as a value before a loop.
    fn extent_before(&mut self, (array, axis): Axis, op: &Op, before: &mut Vec<Op>) -> Option<ValueId> {
        match self.known.shapes.along(array, axis) {
            Along::Value(extent) => Some(extent),
            Along::One => None,
            Along::Dim(array, axis) => {
                let mut host = HostProgram::new(self.function, op.span);
                let extent = host.scalar(OpKind::Dim(axis), vec![array], DType::I64);
                before.append(&mut host.ops);
                Some(extent)
            }
        }
    }

    /// Makes views in which axes are several.
    fn split(
        &mut self,
        flat: &mut HashMap<Axis, Flat>,
        op: &Op,
        before: &mut Vec<Op>,
    ) -> Option<HashMap<ValueId, ValueId>> {
        let mut splits: HashMap<ValueId, ValueId> = HashMap::new();
        let mut axes: Vec<Axis> = flat.keys().copied().collect();
        // Those on the left keep their places while those on their right become several.
        axes.sort_unstable_by_key(|axis| std::cmp::Reverse(*axis));
        for (array, axis) in axes {
            let of = flat.get_mut(&(array, axis))?;
            let mut host = HostProgram::new(self.function, op.span);
            let (mut view, mut rows) = (splits.get(&array).copied().unwrap_or(array), of.extent);
            for radix in &of.radices.radices {
                let (length, end) = host.radix(radix);
                rows = host.scalar(OpKind::Scalar(ScalarOp::FloorDiv), vec![rows, length], DType::I64);
                view = host.derived(OpKind::Split { axis }, vec![view, rows, length])?[0];
                of.ends.push(end);
                of.rows.push(rows);
            }
            of.ends.push(Some(rows));
            before.append(&mut host.ops);
            splits.insert(array, view);
        }
        for (array, view) in &splits {
            self.known.points_to.add_alias(*view, *array);
        }
        Some(splits)
    }
}

/// The digits of all indices of an axis, if they are sums of products.
fn digits_of(made: &Made, indices: &[ValueId]) -> Option<(Radices, HashMap<ValueId, Vec<Digit>>)> {
    let polynomials = indices.iter().map(|v| made.polynomial(*v)).collect::<Option<Vec<Polynomial>>>()?;
    let radices = Radices::of(&polynomials, &|value| !made.inside.contains(&value))?;
    let digits = indices.iter().zip(&polynomials).map(|(index, sum)| Some((*index, radices.digits(sum)?)));
    let digits = digits.collect::<Option<HashMap<_, _>>>()?;
    Some((radices, digits))
}

struct TakingApart<'t, 'f> {
    pass: &'t mut FormNests<'f>,
    truths: Truths<'t>,
    splits: &'t HashMap<ValueId, ValueId>,
    views: Views,
    /// What was required where this is.
    made: Vec<(Need, Vec<ValueId>)>,
}

impl TakingApart<'_, '_> {
    fn region(&mut self, region: &mut Region) -> Option<()> {
        let mut ops = Vec::with_capacity(region.ops.len());
        for mut op in std::mem::take(&mut region.ops) {
            let n_made = self.made.len();
            for nested in &mut op.regions {
                self.region(nested)?;
                self.made.truncate(n_made);
            }
            match op.kind {
                OpKind::Index { axis } => self.index(op, axis, &mut ops)?,
                OpKind::Check { kind: ErrorKind::Index | ErrorKind::Overflow, .. } => self.check(op, &mut ops)?,
                _ => ops.push(op),
            }
        }
        region.ops = ops;
        Some(())
    }

    /// In the place of a check what it follows from, if that is known.
    fn check(&mut self, op: Op, ops: &mut Vec<Op>) -> Option<()> {
        let mut needs = Vec::new();
        if !self.truths.holds(op.operands[0], &mut needs) {
            ops.push(op);
            return Some(());
        }
        needs.into_iter().try_for_each(|need| self.need(need, op.span, ops).map(drop))
    }

    /// Requires what something follows from, unless that was required before; the digits of an index, if it is one.
    fn need(&mut self, need: Need, span: Span, ops: &mut Vec<Op>) -> Option<Vec<ValueId>> {
        if let Some((_, digits)) = self.made.iter().find(|(known, _)| *known == need) {
            return Some(digits.clone());
        }
        let mut host = HostProgram::new(self.pass.function, span);
        let conditions = &mut self.pass.draft.of_digits;
        let mut digits = Vec::new();
        match need {
            Need::Small(value) => {
                let (low, high) = (host.number(-FAR), host.number(FAR));
                host.required(ScalarOp::Ge, [value, low], conditions);
                host.required(ScalarOp::Le, [value, high], conditions);
            }
            Need::Product(axis, digit, value) => {
                host.bounded(self.truths.flat.get(&axis)?, digit, value, conditions);
            }
            Need::Digits(axis, index) => digits = host.digits(self.truths.flat.get(&axis)?, index, conditions)?,
        }
        ops.append(&mut host.ops);
        self.made.push((need, digits.clone()));
        Some(digits)
    }

    /// The digits of an index, one after the other.
    fn index(&mut self, op: Op, axis: usize, ops: &mut Vec<Op>) -> Option<()> {
        let [array, index] = *op.operands.first_chunk()?;
        let known = self.views.get(&array).cloned();
        let root = || self.splits.contains_key(&array).then(|| (array, (0..MOST_AXES).collect()));
        let Some((root, mut axes)) = known.or_else(root) else {
            ops.push(op);
            return Some(());
        };
        let n_digits = |axis: &usize| self.truths.flat.get(&(root, *axis)).map_or(1, |flat| flat.ends.len());
        let place: usize = axes[..axis].iter().map(n_digits).sum();
        let at = axes.remove(axis);
        let digits = match self.truths.flat.contains_key(&(root, at)) {
            true => self.need(Need::Digits((root, at), plain_index(self.truths.made, index)), op.span, ops)?,
            false => vec![index],
        };
        let mut host = HostProgram::new(self.pass.function, op.span);
        let mut view = self.splits.get(&array).copied().unwrap_or(array);
        let kind = OpKind::Index { axis: place };
        let (last, others) = digits.split_first()?;
        for digit in others.iter().rev() {
            view = host.derived(kind.clone(), vec![view, *digit])?[0];
        }
        let types = [view, *last].map(|v| host.ty(v));
        let [ty] = typing::result_types(&kind, &types).ok()??[..] else { return None };
        host.push(kind, vec![view, *last], op.results.clone());
        for view in host.ops.iter().filter(|op| op.kind.is_view()) {
            self.pass.known.points_to.add_alias(view.results[0], root);
        }
        ops.append(&mut host.ops);
        self.retype(op.results[0], ty)?;
        self.views.insert(op.results[0], (root, axes));
        Some(())
    }

    /// Views of rows are what they were; only elements, and what is indexed further, may have another type.
    fn retype(&mut self, value: ValueId, ty: Type) -> Option<()> {
        let old = &mut self.pass.function.values[value.0 as usize].ty;
        let ranks = |ty: &Type| match ty {
            Type::Array(array) => array.rank,
            Type::Scalar(_) | Type::Object => 0,
        };
        let is_same = *old == ty || ranks(&ty) == 0 || ranks(&ty) != ranks(old);
        *old = ty;
        is_same.then_some(())
    }
}
