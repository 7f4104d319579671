//! Loops that combine what they carry in loops in their iterations, with a partial result of each iteration.
//!
//! In: a loop that carries scalars, each of which an iteration only combines with values of its own, in any of the loops and branches in it. Out: the same
//! loop, whose iterations begin with identities, and combine what they come to with what is carried at their end. Floats are rounded in another order, as by
//! reductions.
//!
//! ```text
//! for i: for p in range(a[i], b[i]): s = s + e        for i: (t = 0; for p in range(a[i], b[i]): t = t + e); s = s + t
//! ```

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Map, Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{Instr, InstrKind, Reducer, ScalarOp, Val};

use crate::analysis::traverse::{Substitution, for_each_op, substitute, terminator_operands};
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::canonical::distribute::accumulators::stores;
use crate::loops::function::FormNests;
use crate::loops::idioms::updates::Combination;

/// Limit: what an int that is checked grows by at once: it has 64 bits, and nobody waits for so many iterations.
const MOST_AT_ONCE: u64 = 16;
/// Limit: what it is at first.
const MOST_AT_FIRST: u64 = 1 << 61;
/// Limit: what its size is checked to be, at least.
const LEAST_BOUND: u64 = 1 << 62;

/// What a value is of a carried one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    /// That itself.
    Carried(usize),
    /// That, combined with values of the iteration.
    Combined(usize, Reducer),
    /// Whether a value of the iteration beats it: that is on the left.
    Beats(usize, ScalarOp, ValueId),
    /// A comparison of what it is combined to.
    Tested(usize, ValueId),
    /// The last value of the iteration that beats it, else itself.
    Best(usize, ScalarOp),
}

impl FormNests<'_> {
    /// The loop with partial results; `None` where what it carries is not combined alone.
    pub fn in_two_levels(&mut self, op: &Op) -> Option<Op> {
        if op.kind != OpKind::For || op.results.is_empty() {
            return None;
        }
        let carried = &op.regions[0].parameters[1..];
        let dtypes = carried.iter().map(|v| match self.function.ty(*v) {
            Type::Scalar(dtype) => Some(dtype),
            Type::Array(_) | Type::Object => None,
        });
        let dtypes: Vec<DType> = dtypes.collect::<Option<_>>()?;
        let mut flows = Flows {
            pass: self,
            of: HashMap::new(),
            roots: HashMap::new(),
            checked: HashSet::new(),
            is_counted: vec![true; carried.len()],
            tests: HashSet::new(),
            stores: stores(op),
        };
        carried.iter().enumerate().for_each(|(k, v)| _ = flows.of.insert(*v, Flow::Carried(k)));
        flows.region(&op.regions[0])?;
        let yields = terminator_operands(&op.regions[0]);
        let becomes = yields.iter().map(|v| flows.of.get(v).copied()).collect::<Option<Vec<Flow>>>()?;
        let Flows { checked, is_counted, tests, .. } = flows;
        let is_small = |v: ValueId, most: u64| self.known.constant(v).is_some_and(|n| n.unsigned_abs() <= most);
        if checked.iter().any(|k| !is_counted[*k] || !is_small(op.operands[3 + k], MOST_AT_FIRST)) {
            return None;
        }
        let mut partial = op.clone();
        drop_checks(&mut partial.regions[0], &tests);
        self.combine_at_end(&mut partial, &becomes, &dtypes)?;
        Some(partial)
    }

    /// Begins the body with identities, and combines what it comes to with what is carried.
    fn combine_at_end(&mut self, op: &mut Op, becomes: &[Flow], dtypes: &[DType]) -> Option<()> {
        let region = &mut op.regions[0];
        let carried = region.parameters[1..].to_vec();
        let yields = terminator_operands(region).to_vec();
        let mut host = HostProgram::new(self.function, op.span);
        let mut names = Substitution::default();
        let mut results = Vec::with_capacity(carried.len());
        let mut end = Vec::new();
        for (k, (flow, dtype)) in becomes.iter().zip(dtypes).enumerate() {
            let (reducer, test) = match *flow {
                Flow::Carried(of) if of == k => {
                    results.push(carried[k]);
                    continue;
                }
                Flow::Combined(of, reducer) if of == k => (reducer, None),
                Flow::Best(of, test @ (ScalarOp::Lt | ScalarOp::Le)) if of == k => (Reducer::Min, Some(test)),
                Flow::Best(of, test) if of == k => (Reducer::Max, Some(test)),
                _ => return None,
            };
            reducer.result(*dtype).filter(|result| result == dtype)?;
            let identity =
                host.scalar(OpKind::Constant(Combination::Reducer(reducer).identity(*dtype)), Vec::new(), *dtype);
            names.replace(carried[k], identity);
            let begin = std::mem::take(&mut host.ops);
            let (old, own) = (carried[k], yields[k]);
            results.push(match test {
                Some(test) => {
                    let beats = host.scalar(OpKind::Scalar(test), vec![own, old], DType::Bool);
                    host.scalar(OpKind::Scalar(ScalarOp::Select), vec![beats, own, old], *dtype)
                }
                None => host.scalar(OpKind::Scalar(reducer.operation()?), vec![old, own], *dtype),
            });
            end.append(&mut host.ops);
            host.ops = begin;
        }
        substitute(region, &names);
        let last = region.ops.pop()?;
        region.ops.splice(0..0, std::mem::take(&mut host.ops));
        region.ops.append(&mut end);
        region.ops.push(Op { operands: results, ..last });
        Some(())
    }
}

/// Whether an op results in what it is given, with another type.
fn is_same(kind: &OpKind) -> bool {
    match kind {
        OpKind::Item => true,
        OpKind::Map(map) => map.rank == 0 && matches!(map.body.instrs[..], [Instr { kind: InstrKind::Input(0), .. }]),
        _ => false,
    }
}

/// The flow of one of two values, of the first one where a condition holds. `first`: what that is called.
fn chosen(condition: Option<Flow>, flows: [Option<Flow>; 2], first: Option<ValueId>) -> Option<Flow> {
    let is_of = |flow: Flow, k: usize| matches!(flow, Flow::Combined(of, _) | Flow::Best(of, _) if of == k);
    match (condition, flows) {
        (None, [Some(a), Some(b)]) if a == b => Some(a),
        (None, [Some(flow), Some(Flow::Carried(k))] | [Some(Flow::Carried(k)), Some(flow)]) if is_of(flow, k) => {
            Some(flow)
        }
        (Some(Flow::Beats(k, op, value)), [None, Some(Flow::Carried(same))]) if k == same && first == Some(value) => {
            Some(Flow::Best(k, op))
        }
        _ => None,
    }
}

/// Leaves out checks of ints that do not become too large.
fn drop_checks(region: &mut Region, tests: &HashSet<ValueId>) {
    region.ops.retain(|op| !(matches!(op.kind, OpKind::Check { .. }) && tests.contains(&op.operands[0])));
    region.ops.iter_mut().for_each(|op| op.regions.iter_mut().for_each(|nested| drop_checks(nested, tests)));
}

struct Flows<'p, 'f> {
    pass: &'p FormNests<'f>,
    of: HashMap<ValueId, Flow>,
    /// What values are elements of, or the same as.
    roots: HashMap<ValueId, ValueId>,
    /// Carried ints that are checked.
    checked: HashSet<usize>,
    /// Of each carried value, whether it only grows by small numbers.
    is_counted: Vec<bool>,
    /// What these checks test.
    tests: HashSet<ValueId>,
    /// Whether the loop stores, so that an element may be another one where it is read again.
    stores: bool,
}

impl Flows<'_, '_> {
    fn of(&self, v: ValueId) -> Option<Flow> {
        self.of.get(&v).copied()
    }

    /// Follows carried values through ops; `None` where something else is made of them.
    fn region(&mut self, region: &Region) -> Option<()> {
        region.ops.iter().filter(|op| !op.kind.is_terminator()).try_for_each(|op| self.op(op))
    }

    fn op(&mut self, op: &Op) -> Option<()> {
        if let ([of], [result]) = (&op.operands[..], &op.results[..])
            && !self.stores
            && is_same(&op.kind)
        {
            self.roots.insert(*result, self.root(*of));
        }
        let is_plain = op.operands.iter().all(|v| self.of(*v).is_none());
        match &op.kind {
            OpKind::If => return self.branches(op),
            OpKind::For => return self.counted(op),
            _ if is_plain && !self.is_used_in(op) => return Some(()),
            OpKind::Item => {
                for (v, result) in op.operands.iter().zip(&op.results) {
                    if let Some(flow) = self.of(*v) {
                        self.of.insert(*result, flow);
                    }
                }
            }
            OpKind::Check { .. } => {
                let Some(Flow::Beats(k, _, bound) | Flow::Tested(k, bound)) = self.of(op.operands[0]) else {
                    return None;
                };
                // Another one than of a size may fail.
                self.pass.known.constant(bound).filter(|n| n.unsigned_abs() >= LEAST_BOUND)?;
                self.checked.insert(k);
                self.tests.insert(op.operands[0]);
            }
            OpKind::Scalar(kind) => {
                let flows: Vec<Option<Flow>> = op.operands.iter().map(|v| self.of(*v)).collect();
                let names: Vec<Option<ValueId>> = op.operands.iter().map(|v| Some(self.root(*v))).collect();
                let flow = self.scalar(*kind, &flows, &names)?;
                self.of.insert(op.results[0], flow);
            }
            OpKind::Map(map) if map.rank == 0 => {
                for (flow, result) in self.map(map, &op.operands)?.into_iter().zip(&op.results) {
                    flow.into_iter().for_each(|flow| _ = self.of.insert(*result, flow));
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether ops in an op use what is made of carried values.
    fn is_used_in(&self, op: &Op) -> bool {
        let mut is_used = false;
        let mut visit = |nested: &Op| is_used |= nested.operands.iter().any(|v| self.of(*v).is_some());
        op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        is_used
    }

    /// What a value is the element of, or the same as.
    fn root(&self, v: ValueId) -> ValueId {
        self.roots.get(&v).copied().unwrap_or(v)
    }

    /// The flow of an operation, of which an operand has one. `names`: those of operands, as far as they have any.
    fn scalar(&mut self, op: ScalarOp, flows: &[Option<Flow>], names: &[Option<ValueId>]) -> Option<Flow> {
        if let (ScalarOp::Select, [condition, then, otherwise]) = (op, flows) {
            return chosen(*condition, [*then, *otherwise], names[1]);
        }
        let (flow, other) = match *flows {
            [Some(flow), None] => (flow, 1),
            [None, Some(flow)] => (flow, 0),
            _ => return None,
        };
        if let Some(turned) = op.turned() {
            return match flow {
                Flow::Carried(k) => Some(Flow::Beats(k, if other == 0 { op } else { turned }, names[other]?)),
                Flow::Combined(k, _) => Some(Flow::Tested(k, names[other]?)),
                _ => None,
            };
        }
        let reducer = if op == ScalarOp::Sub && other == 1 { Reducer::Add } else { Reducer::of(op)? };
        let k = match flow {
            Flow::Carried(k) => k,
            Flow::Combined(k, same) if same == reducer => k,
            _ => return None,
        };
        let grows = names[other].and_then(|v| self.pass.known.constant(v));
        self.is_counted[k] &= reducer == Reducer::Add && grows.is_some_and(|n| n.unsigned_abs() <= MOST_AT_ONCE);
        Some(Flow::Combined(k, reducer))
    }

    /// The flows of what a computation without axes results in.
    fn map(&mut self, map: &Map, operands: &[ValueId]) -> Option<Vec<Option<Flow>>> {
        let mut flows: Vec<Option<Flow>> = Vec::with_capacity(map.body.instrs.len());
        for instr in &map.body.instrs {
            let flow = match &instr.kind {
                InstrKind::Input(n) => self.of(operands[*n as usize]),
                InstrKind::Op(op, of) => {
                    let name = |v: &Val| match map.body.instrs[v.0 as usize].kind {
                        InstrKind::Input(n) => Some(self.root(operands[n as usize])),
                        _ => None,
                    };
                    let names: Vec<Option<ValueId>> = of.iter().map(name).collect();
                    let of: Vec<Option<Flow>> = of.iter().map(|v| flows[v.0 as usize]).collect();
                    if of.iter().all(Option::is_none) { None } else { Some(self.scalar(*op, &of, &names)?) }
                }
                InstrKind::Constant(_) => None,
                _ => return None,
            };
            flows.push(flow);
        }
        Some(map.body.outputs.iter().map(|output| flows[output.0 as usize]).collect())
    }

    fn branches(&mut self, op: &Op) -> Option<()> {
        let condition = self.of(op.operands[0]);
        // What is done where something is better than all before it is not done where it is better than all in the iteration.
        let is_free = |op: &Op| match &op.kind {
            OpKind::Item => true,
            OpKind::Map(map) => map.rank == 0,
            kind => kind.is_pure_scalar_or_view() || kind.is_terminator(),
        };
        if condition.is_some() && !op.regions.iter().flat_map(|region| &region.ops).all(is_free) {
            return None;
        }
        op.regions.iter().try_for_each(|region| self.region(region))?;
        let [then, otherwise] = [0, 1].map(|n: usize| terminator_operands(&op.regions[n]).to_vec());
        for (n, result) in op.results.iter().enumerate() {
            let flows = [then[n], otherwise[n]].map(|v| self.of(v));
            if condition.is_none() && flows == [None, None] {
                continue;
            }
            let flow = chosen(condition, flows, Some(self.root(then[n])))?;
            self.of.insert(*result, flow);
        }
        (condition.is_none() || !op.results.is_empty()).then_some(())
    }

    fn counted(&mut self, op: &Op) -> Option<()> {
        if op.operands[..3].iter().any(|v| self.of(*v).is_some()) {
            return None;
        }
        let initial: Vec<Option<Flow>> = op.operands[3..].iter().map(|v| self.of(*v)).collect();
        for (flow, parameter) in initial.iter().zip(&op.regions[0].parameters[1..]) {
            match flow {
                Some(flow @ (Flow::Carried(_) | Flow::Combined(..))) => _ = self.of.insert(*parameter, *flow),
                Some(_) => return None,
                None => {}
            }
        }
        self.region(&op.regions[0])?;
        let yields = terminator_operands(&op.regions[0]).to_vec();
        for ((flow, yielded), result) in initial.iter().zip(yields).zip(&op.results) {
            match (flow, self.of(yielded)) {
                (None, None) => {}
                (Some(flow @ Flow::Combined(..)), Some(own)) if *flow == own => _ = self.of.insert(*result, own),
                (
                    Some(Flow::Carried(k)),
                    Some(own @ (Flow::Carried(of) | Flow::Combined(of, _) | Flow::Best(of, _))),
                ) if *k == of => _ = self.of.insert(*result, own),
                _ => return None,
            }
        }
        Some(())
    }
}
