//! How large a number of the host may be, as far as its definition and the conditions around it tell.
//!
//! In: a function, and conditions as they come to hold. Out: for extents and counts the most that they may be, for a warning: nothing depends
//! on there being one. Changes nothing.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Function, Op, OpKind, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::traverse::{for_each_op, terminator_operands};
use crate::rewrite::extents::{Extent, extent_of};

/// Limit: definitions in one another that are followed.
const DEPTH: usize = 32;
/// Limit: definitions that are looked at for one number: those that share operands may be reached in many ways.
const VISITS: usize = 512;

/// What is known of numbers where a search is.
pub struct UpperBounds<'f> {
    function: &'f Function,
    /// The op that defines a value, and which of its results it is.
    definitions: HashMap<ValueId, (&'f Op, usize)>,
    /// What conditions around say that numbers are at most.
    assumed: Vec<(ValueId, i64)>,
    /// What loops carry: the value before the first iteration, and the one after each.
    handed_on: HashMap<ValueId, [ValueId; 2]>,
    /// Extents of such arrays that are not more than this if an iteration leaves them so.
    supposed: RefCell<Vec<((ValueId, usize), i64)>>,
}

impl<'f> UpperBounds<'f> {
    /// What is known before any condition.
    pub fn of(function: &'f Function) -> Self {
        let (mut definitions, mut handed_on) = (HashMap::new(), HashMap::new());
        for_each_op(&function.body, &mut |op| {
            definitions.extend(op.results.iter().enumerate().map(|(n, v)| (*v, (op, n))));
            if let (OpKind::For, [body]) = (&op.kind, op.regions.as_slice()) {
                let values = op.operands[3..].iter().zip(terminator_operands(body));
                handed_on.extend(body.parameters[1..].iter().copied().zip(values.map(|(first, next)| [*first, *next])));
            }
        });
        UpperBounds { function, definitions, assumed: Vec::new(), handed_on, supposed: RefCell::default() }
    }

    /// Where the search is, for [`UpperBounds::back_to`].
    pub fn place(&self) -> usize {
        self.assumed.len()
    }

    /// Forgets what was assumed since a place.
    pub fn back_to(&mut self, place: usize) {
        self.assumed.truncate(place);
    }

    /// A condition holds from here on. What one part of it says tells more of others.
    pub fn assume(&mut self, condition: ValueId) {
        let conjuncts = self.conjuncts(condition);
        self.assume_all(&conjuncts);
    }

    /// Extents are the number that a condition says, if that is not 1: else they are 1, or an error is raised.
    pub fn assume_numbers(&mut self, condition: ValueId) {
        let mut conjuncts = self.conjuncts(condition);
        conjuncts.retain(|v| {
            let of = self.definitions.get(v).filter(|(op, _)| op.kind == OpKind::Scalar(ScalarOp::Eq));
            of.is_some_and(|(op, _)| op.operands.iter().any(|v| self.number(*v).is_some_and(|n| n > 1)))
        });
        self.assume_all(&conjuncts);
    }

    fn assume_all(&mut self, conjuncts: &[ValueId]) {
        for condition in conjuncts.iter().chain(conjuncts) {
            let Some((op, _)) = self.definitions.get(condition) else { continue };
            let (op, [a, b]) = match (&op.kind, op.operands.as_slice()) {
                (OpKind::Scalar(op), [a, b]) => (*op, [*a, *b]),
                _ => continue,
            };
            if matches!(op, ScalarOp::Eq | ScalarOp::Le | ScalarOp::Lt) {
                self.assumed.extend(self.most(b).map(|most| (a, most)));
            }
            if matches!(op, ScalarOp::Eq | ScalarOp::Ge | ScalarOp::Gt) {
                self.assumed.extend(self.most(a).map(|most| (b, most)));
            }
        }
    }

    /// The conditions that hold where one does.
    pub fn conjuncts(&self, condition: ValueId) -> Vec<ValueId> {
        let (mut found, mut open, mut seen) = (Vec::new(), vec![condition], HashSet::new());
        while let Some(condition) = open.pop() {
            if !seen.insert(condition) {
                continue;
            }
            match self.definitions.get(&condition) {
                Some((op, _)) if op.kind == OpKind::Scalar(ScalarOp::BitAnd) => open.extend(&op.operands),
                _ => found.push(condition),
            }
        }
        found
    }

    /// Whether a condition asks for a loop to be one launch.
    pub fn is_one_launch(&self, condition: ValueId) -> bool {
        let is_asked = |v: &ValueId| self.definitions.get(v).is_some_and(|(op, _)| op.kind == OpKind::OneLaunch);
        self.conjuncts(condition).iter().any(is_asked)
    }

    /// The most that a number may be.
    pub fn most(&self, value: ValueId) -> Option<i64> {
        self.most_within(value, (DEPTH, &mut { VISITS }))
    }

    /// The most that a product of extents may be.
    pub fn most_work_items(&self, extents: &[ValueId]) -> Option<i64> {
        let factors = extents.iter().map(|extent| self.most(*extent).map(|most| most.max(0)));
        factors.into_iter().try_fold(1_i64, |all, factor| all.checked_mul(factor?))
    }

    /// The most iterations of a counted loop.
    pub fn most_iterations(&self, op: &Op) -> Option<i64> {
        let [lower, step] = [op.operands[0], op.operands[2]].map(|v| self.number(v));
        match step? {
            step @ 1.. => {
                let distance = match self.above(op.operands[1], op.operands[0]) {
                    Some(distance) => distance,
                    None => self.most(op.operands[1])?.checked_sub(lower?)?,
                };
                Some(distance.max(0).checked_add(step - 1)? / step)
            }
            step => {
                let distance = self.most(op.operands[0])?.checked_sub(self.number(op.operands[1])?)?;
                (distance.max(0) / step.checked_neg().filter(|step| *step > 0)?).checked_add(1)
            }
        }
    }

    /// `depth`, `left`: how many definitions in one another, and in all, may still be followed.
    fn most_within(&self, value: ValueId, (depth, left): (usize, &mut usize)) -> Option<i64> {
        *left = left.checked_sub(1)?;
        let assumed = self.assumed.iter().filter(|(of, _)| *of == value).map(|(_, most)| *most).min();
        let defined = self.definitions.get(&value).filter(|_| depth > 0);
        let defined = defined.and_then(|(op, n)| self.most_of(op, *n, (depth - 1, left)));
        [assumed, defined].into_iter().flatten().min()
    }

    /// The most that a result of an op may be.
    fn most_of(&self, op: &Op, n: usize, (depth, left): (usize, &mut usize)) -> Option<i64> {
        let mut most = |n: usize| self.most_within(op.operands[n], (depth, &mut *left));
        match &op.kind {
            OpKind::Constant(constant) => constant.as_int(),
            OpKind::Scalar(ScalarOp::Max) | OpKind::BroadcastExtent => Some(most(0)?.max(most(1)?)),
            OpKind::Scalar(ScalarOp::Min) => [most(0), most(1)].into_iter().flatten().min(),
            OpKind::Scalar(ScalarOp::Add) => most(0)?.checked_add(most(1)?),
            OpKind::Scalar(ScalarOp::Sub) => most(0)?.checked_sub(self.number(op.operands[1])?),
            // Factors are extents and counts.
            OpKind::Scalar(ScalarOp::Mul) => most(0)?.max(0).checked_mul(most(1)?.max(0)),
            OpKind::Scalar(ScalarOp::Select) => Some(most(1)?.max(most(2)?)),
            OpKind::Scalar(ScalarOp::Cast) => most(0),
            OpKind::SliceBounds { lower, upper: true } if n == 1 => self.most_length(op, *lower, (depth, left)),
            OpKind::Dim(axis) => self.most_extent(op.operands[0], *axis, (depth, left)),
            _ => None,
        }
    }

    /// The most elements of a slice that has an end.
    fn most_length(&self, op: &Op, has_lower: bool, limits: (usize, &mut usize)) -> Option<i64> {
        let ends = usize::from(has_lower) + 1;
        self.number(op.operands[ends]).filter(|step| *step > 0)?;
        match has_lower {
            true => self.above(op.operands[1], op.operands[0]).map(|length| length.max(0)),
            // One that is negative counts from the end.
            false => self.number(op.operands[0]).or(self.most_within(op.operands[0], limits)).filter(|end| *end >= 0),
        }
    }

    /// The most that an extent may be, which is what it was made with.
    fn most_extent(&self, mut array: ValueId, mut axis: usize, (depth, left): (usize, &mut usize)) -> Option<i64> {
        for _ in 0..depth {
            let Some((op, _)) = self.definitions.get(&array) else {
                return self.most_handed_on(array, axis, (depth.checked_sub(1)?, left));
            };
            let rank = self.function.array(array)?.rank;
            match extent_of(&op.kind, &op.operands, axis, rank) {
                Extent::Value(value) => return self.most_within(value, (depth.checked_sub(1)?, left)),
                Extent::One => return Some(1),
                Extent::OfBase(of_base) => (array, axis) = (op.operands[0], of_base),
                Extent::Unknown => return None,
            }
        }
        None
    }

    /// The most that an extent of an array may be that a loop carries: what it is at first, if no iteration makes it more.
    fn most_handed_on(&self, array: ValueId, axis: usize, (depth, left): (usize, &mut usize)) -> Option<i64> {
        let key = (array, axis);
        if let Some((_, most)) = self.supposed.borrow().iter().find(|(of, _)| *of == key) {
            return Some(*most);
        }
        let [first, next] = *self.handed_on.get(&array)?;
        let most = self.most_extent(first, axis, (depth, &mut *left))?;
        self.supposed.borrow_mut().push((key, most));
        let after = self.most_extent(next, axis, (depth, left));
        self.supposed.borrow_mut().retain(|(of, _)| *of != key);
        (after? <= most).then_some(most)
    }

    /// By how much a number is more than another one, if that is always the same.
    fn above(&self, value: ValueId, other: ValueId) -> Option<i64> {
        let ((of, more), (of_other, more_of_other)) = (self.sum(value), self.sum(other));
        (of == of_other).then(|| more.checked_sub(more_of_other)).flatten()
    }

    /// A number as another one, if there is one, and a constant.
    fn sum(&self, mut value: ValueId) -> (Option<ValueId>, i64) {
        let mut more = 0_i64;
        for _ in 0..DEPTH {
            if let Some(number) = self.number(value) {
                return (None, more.wrapping_add(number));
            }
            let Some((op, _)) = self.definitions.get(&value) else { break };
            let (is_difference, [a, b]) = match (&op.kind, op.operands.as_slice()) {
                (OpKind::Scalar(ScalarOp::Add), [a, b]) => (false, [*a, *b]),
                (OpKind::Scalar(ScalarOp::Sub), [a, b]) => (true, [*a, *b]),
                _ => break,
            };
            match (self.number(a), self.number(b)) {
                (_, Some(n)) => {
                    (value, more) = (a, more.wrapping_add(if is_difference { n.wrapping_neg() } else { n }))
                }
                (Some(n), None) if !is_difference => (value, more) = (b, more.wrapping_add(n)),
                _ => break,
            }
        }
        (Some(value), more)
    }

    /// The number that a value is.
    fn number(&self, value: ValueId) -> Option<i64> {
        match &self.definitions.get(&value)?.0.kind {
            OpKind::Constant(constant) => constant.as_int(),
            _ => None,
        }
    }
}
