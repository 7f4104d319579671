//! Which results of a function are one Python object: `t = x[1:]; return t, t`.
//!
//! In: a function as it was lowered, before equal views become one value, so that a value is an object. Out: array leaves of the result that are
//! an earlier leaf's object on every path; where the path decides, the leaves between which it does, and for each the number of its object
//! ([`crate::exports::object_numbers`]). Which of an argument and a view a leaf is, is found out when running.

use std::collections::{BTreeSet, HashMap};

use numptx_ir::array::{Function, Op, OpKind, Region, Type, ValueId};
use numptx_ir::signature::ResultType;

use crate::exports::object_numbers::number_objects;

/// The most leaves that can be named as an earlier one: the binary interface has a byte for them, two of whose values mean something else.
const MAX_NAMED: usize = 254;

/// States in the signature which leaves are one object, and returns their objects' numbers where the path decides.
pub fn tell_objects(function: &mut Function) {
    let Some(returned) = function.body.ops.last().filter(|op| op.kind == OpKind::Return) else { return };
    let leaves = returned.operands.clone();
    let (same, numbered, reached) = {
        let mut kinds = Vec::new();
        collect_leaves(&function.signature.result, &mut kinds);
        let objects = Objects::of(function);
        let is_array = |leaf: &usize| matches!(function.ty(leaves[*leaf]), Type::Array(_));
        let is_alike = |leaf: usize, earlier: usize| is_array(&leaf) && kinds.get(leaf) == kinds.get(earlier);
        let (mut same, mut numbered) = (Vec::new(), BTreeSet::new());
        for leaf in 1..leaves.len() {
            let mut alike = (0..leaf).filter(|earlier| is_alike(leaf, *earlier));
            let is_one = |earlier: &usize| objects.are_one(leaves[leaf], leaves[*earlier], &mut Vec::new());
            if let Some(earlier) = alike.clone().find(is_one).filter(|earlier| *earlier < MAX_NAMED) {
                same.push((leaf, earlier));
                continue;
            }
            let reached = objects.reached(leaves[leaf]);
            let Some(_) = alike.find(|e| !reached.is_disjoint(&objects.reached(leaves[*e]))) else { continue };
            let may_be = (0..leaf).filter(|e| is_alike(leaf, *e) && !same.iter().any(|(named, _)| named == e));
            let may_be = may_be.filter(|e| !reached.is_disjoint(&objects.reached(leaves[*e])));
            numbered.extend(may_be.chain([leaf]));
        }
        let reached: BTreeSet<ValueId> = numbered.iter().flat_map(|leaf| objects.reached(leaves[*leaf])).collect();
        (same, numbered.into_iter().collect::<Vec<usize>>(), reached)
    };
    function.signature.same = same;
    if !numbered.is_empty() {
        let values: Vec<ValueId> = numbered.iter().map(|leaf| leaves[*leaf]).collect();
        number_objects(function, &values, &reached);
        function.signature.numbered = numbered;
    }
}

fn collect_leaves<'t>(ty: &'t ResultType, found: &mut Vec<&'t ResultType>) {
    match ty {
        ResultType::None => {}
        ResultType::OneOf(members) => {
            // The tag.
            found.push(ty);
            members.iter().for_each(|m| collect_leaves(m, found));
        }
        ResultType::Tuple(members) | ResultType::List(members) | ResultType::Record(_, members) => {
            members.iter().for_each(|m| collect_leaves(m, found))
        }
        leaf => found.push(leaf),
    }
}

struct Objects<'f> {
    /// Results of ops with regions: the op, and which result.
    definitions: HashMap<ValueId, (&'f Op, usize)>,
    /// What loops carry: the loop, and which of its values.
    carried: HashMap<ValueId, (&'f Op, usize)>,
}

impl<'f> Objects<'f> {
    fn of(function: &'f Function) -> Self {
        let mut objects = Objects { definitions: HashMap::new(), carried: HashMap::new() };
        objects.collect(&function.body);
        objects
    }

    fn collect(&mut self, region: &'f Region) {
        for op in region.ops.iter().filter(|op| !op.regions.is_empty()) {
            self.definitions.extend(op.results.iter().enumerate().map(|(n, v)| (*v, (op, n))));
            if matches!(op.kind, OpKind::For | OpKind::While) {
                for inner in &op.regions {
                    let first = inner.parameters.len() - op.results.len().min(inner.parameters.len());
                    let parameters = inner.parameters[first..].iter().enumerate();
                    self.carried.extend(parameters.map(|(n, v)| (*v, (op, n))));
                }
            }
            op.regions.iter().for_each(|inner| self.collect(inner));
        }
    }

    /// The objects that a value may be: what branches and loops carry.
    fn reached(&self, value: ValueId) -> BTreeSet<ValueId> {
        let (mut reached, mut open) = (BTreeSet::new(), vec![value]);
        while let Some(value) = open.pop() {
            if reached.insert(value)
                && let Some((op, n)) = self.definitions.get(&value).or_else(|| self.carried.get(&value))
            {
                open.extend(handed_on(op).into_iter().map(|values| values[*n]));
            }
        }
        reached
    }

    /// Whether two values are one object wherever both are known. `assumed`: pairs that loops carry, one object until shown otherwise.
    fn are_one(&self, a: ValueId, b: ValueId, assumed: &mut Vec<(ValueId, ValueId)>) -> bool {
        if a == b || assumed.contains(&(a, b)) {
            return true;
        }
        let joined = |of: &HashMap<ValueId, (&'f Op, usize)>| match (of.get(&a), of.get(&b)) {
            (Some((op, n)), Some((other, m))) if std::ptr::eq(*op, *other) => Some((*op, *n, *m)),
            _ => None,
        };
        let Some((op, n, m)) = joined(&self.definitions).or_else(|| joined(&self.carried)) else { return false };
        assumed.push((a, b));
        handed_on(op).into_iter().all(|values| self.are_one(values[n], values[m], assumed))
    }
}

/// What the results of a branch or a loop may be: in turn what each region yields, and what a loop begins with.
fn handed_on(op: &Op) -> Vec<&[ValueId]> {
    let n_results = op.results.len();
    let last = |values: &'_ [ValueId]| values.len().checked_sub(n_results);
    let begins = if op.kind == OpKind::If { None } else { last(&op.operands).map(|first| &op.operands[first..]) };
    // The region of a loop's condition yields no value of an array.
    let regions = if op.kind == OpKind::While { &op.regions[1..] } else { &op.regions[..] };
    let yields = regions.iter().filter_map(|region| region.ops.last());
    let yielded = yields.filter_map(|op| last(&op.operands).map(|first| &op.operands[first..]));
    begins.into_iter().chain(yielded).collect()
}
