//! Which memory an array value may refer to.
//!
//! In: a function. Out: for each array and object, the set of its *locations*: a parameter, or the value that it was made as.
//! Arrays and objects are propagated along SSA edges to a fixpoint; at merges sets are united. Objects hold arrays and other objects: each
//! location of an object has *contents*, which all that is put into it joins and all that is taken from it may be (Andersen's analysis).
//! A location inside a loop stands for the arrays of all iterations. It says nothing of which elements of a location are meant.

use std::collections::{BTreeMap, BTreeSet};

use numptx_ir::array::{Aliasing, Function, Op, OpKind, Region, Type, ValueId};

use crate::analysis::traverse::{for_each_op, terminator_operands};

/// Locations by value.
pub struct PointsTo {
    /// Sorted; empty for scalars.
    locations: Vec<Vec<ValueId>>,
    /// What objects hold, by their location.
    contents: BTreeMap<ValueId, Vec<ValueId>>,
    is_reference: Vec<bool>,
    is_object: Vec<bool>,
}

impl PointsTo {
    /// Propagates locations through a function.
    pub fn of(function: &Function) -> Self {
        PointsTo::of_body(function, &function.body)
    }

    /// Propagates locations through a function whose body is elsewhere.
    pub fn of_body(function: &Function, body: &Region) -> Self {
        let n_values = function.values.len();
        let is_reference = (0..n_values).map(|v| function.is_reference(ValueId(v as u32))).collect();
        let is_object = function.values.iter().map(|value| value.ty == Type::Object).collect();
        let locations = vec![Vec::new(); n_values];
        let mut points_to = PointsTo { locations, contents: BTreeMap::new(), is_reference, is_object };
        points_to.seed_parameters(function);
        while points_to.propagate(body) {}
        points_to
    }

    /// Where two parameters may overlap, all are one location.
    fn seed_parameters(&mut self, function: &Function) {
        let given: Vec<ValueId> = function.parameters.iter().copied().filter(|v| function.is_reference(*v)).collect();
        let may_alias = function.aliasing == Aliasing::MayAlias;
        for value in &given {
            let location = if may_alias { given[0] } else { *value };
            self.locations[value.0 as usize] = vec![location];
            if function.ty(*value) == Type::Object {
                // What a parameter holds may be what any other one is: who passes it decides.
                self.contents.insert(location, given.iter().map(|v| if may_alias { given[0] } else { *v }).collect());
            }
        }
    }

    /// The locations of a value.
    pub fn locations(&self, value: ValueId) -> &[ValueId] {
        self.locations.get(value.0 as usize).map_or(&[], |l| l)
    }

    /// Whether two arrays may share a location.
    pub fn may_share(&self, a: ValueId, b: ValueId) -> bool {
        self.locations(a).iter().any(|l| self.locations(b).contains(l))
    }

    /// States that a value made since refers to what another one does.
    pub fn add_alias(&mut self, new: ValueId, of: ValueId) {
        let position = new.0 as usize;
        if self.locations.len() <= position {
            self.locations.resize(position + 1, Vec::new());
        }
        self.locations[position] = self.locations(of).to_vec();
    }

    /// States that a value made since is an array of its own.
    pub fn add_fresh(&mut self, new: ValueId) {
        let position = new.0 as usize;
        self.locations.resize(self.locations.len().max(position + 1), Vec::new());
        self.locations[position] = vec![new];
    }

    /// Unites `from` into `to`. Whether that added anything.
    fn flow(&mut self, from: ValueId, to: ValueId) -> bool {
        let added: Vec<ValueId> =
            self.locations(from).iter().copied().filter(|l| !self.locations(to).contains(l)).collect();
        let target = &mut self.locations[to.0 as usize];
        target.extend(&added);
        target.sort_unstable();
        !added.is_empty()
    }

    fn flow_all(&mut self, from: &[ValueId], to: &[ValueId]) -> bool {
        let mut changed = false;
        for (from, to) in from.iter().zip(to) {
            changed |= self.flow(*from, *to);
        }
        changed
    }

    fn seed(&mut self, value: ValueId) -> bool {
        self.seed_with(value, value)
    }

    fn seed_with(&mut self, value: ValueId, location: ValueId) -> bool {
        let target = &mut self.locations[value.0 as usize];
        let is_new = !target.contains(&location);
        if is_new {
            target.push(location);
            target.sort_unstable();
        }
        is_new
    }

    /// What a call returns may be views of its operands, and of one array that it makes.
    fn propagate_call(&mut self, op: &Op, viewed: &[usize]) -> bool {
        let results: Vec<ValueId> = op.results.iter().copied().filter(|v| self.is_reference[v.0 as usize]).collect();
        let mut changed = false;
        for result in &results {
            changed |= self.seed_with(*result, results[0]);
            changed = viewed.iter().fold(changed, |changed, n| self.flow(op.operands[*n], *result) | changed);
        }
        self.propagate_objects(op) | changed
    }

    /// What an operation on objects, or a routine that takes or gives some, may do: put any of its operands, and of what they hold, into any of them
    /// and into what it makes; give any of these.
    fn propagate_objects(&mut self, op: &Op) -> bool {
        let is_reference = |v: &&ValueId| self.is_reference[v.0 as usize];
        let operands: Vec<ValueId> = op.operands.iter().filter(is_reference).copied().collect();
        let results: Vec<ValueId> = op.results.iter().filter(is_reference).copied().collect();
        let is_object = |v: &ValueId| self.is_object[v.0 as usize];
        if !operands.iter().chain(&results).any(is_object) {
            return false;
        }
        let mut changed = results.iter().fold(false, |changed, v| self.seed(*v) | changed);
        if matches!(&op.kind, OpKind::Object(object) if object.copies()) {
            return changed;
        }
        let mut met: BTreeSet<ValueId> = operands.iter().flat_map(|v| self.locations(*v)).copied().collect();
        let held: Vec<ValueId> = met.iter().filter_map(|l| self.contents.get(l)).flatten().copied().collect();
        met.extend(held);
        met.extend(&results);
        for location in &met {
            let contents = self.contents.entry(*location).or_default();
            for held in &met {
                if !contents.contains(held) {
                    contents.push(*held);
                    changed = true;
                }
            }
        }
        for result in &results {
            changed = met.iter().fold(changed, |changed, l| self.seed_with(*result, *l) | changed);
        }
        changed
    }

    fn propagate(&mut self, region: &Region) -> bool {
        let mut changed = false;
        for op in &region.ops {
            for nested in &op.regions {
                changed |= self.propagate(nested);
            }
            changed |= self.propagate_op(op);
        }
        changed
    }

    fn propagate_op(&mut self, op: &Op) -> bool {
        match &op.kind {
            kind if kind.is_view() => self.flow(op.operands[0], op.results[0]),
            OpKind::Alloc { .. } | OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Scan(_) => {
                op.results.iter().fold(false, |changed, v| self.seed(*v) | changed)
            }
            kind if kind.is_view_or_copy() || matches!(kind, OpKind::Reuse { .. }) => {
                self.flow(op.operands[0], op.results[0]) | self.seed(op.results[0])
            }
            OpKind::Call { viewed, .. } => self.propagate_call(op, viewed),
            OpKind::Object(_) => self.propagate_objects(op),
            OpKind::If => op
                .regions
                .iter()
                .fold(false, |changed, region| self.flow_all(terminator_operands(region), &op.results) | changed),
            OpKind::Try => self.flow_all(terminator_operands(&op.regions[0]), &op.results[1..]),
            OpKind::For => {
                let (initial, carried) = (&op.operands[3..], &op.regions[0].parameters[1..]);
                let yielded = terminator_operands(&op.regions[0]);
                self.flow_all(initial, carried) | self.flow_all(yielded, carried) | self.flow_all(carried, &op.results)
            }
            OpKind::While => {
                let (tested, carried) = (&op.regions[0].parameters, &op.regions[1].parameters);
                let yielded = terminator_operands(&op.regions[1]);
                self.flow_all(&op.operands, tested)
                    | self.flow_all(yielded, tested)
                    | self.flow_all(tested, carried)
                    | self.flow_all(tested, &op.results)
            }
            _ => false,
        }
    }
}

/// Arrays that an op, or an op nested in it, writes: destinations of `assign`, of stores of any sort and of `scatter`.
pub fn written_arrays(op: &Op) -> Vec<ValueId> {
    let mut written = destinations(op);
    for region in &op.regions {
        for_each_op(region, &mut |nested| written.extend(destinations(nested)));
    }
    written
}

/// Whether an op, or an op nested in it, reads elements of arrays that fulfil something.
pub fn reads_any(op: &Op, fulfils: &dyn Fn(ValueId) -> bool) -> bool {
    let reads = |op: &Op| {
        let is_reader = !op.kind.is_view() && op.regions.is_empty() && !matches!(op.kind, OpKind::Dim(_));
        is_reader && sources(op).any(fulfils)
    };
    let mut reads_any = reads(op);
    for region in &op.regions {
        for_each_op(region, &mut |nested| reads_any |= reads(nested));
    }
    reads_any
}

/// What an op is given beside its destinations.
fn sources(op: &Op) -> impl Iterator<Item = ValueId> + '_ {
    let written = op.kind.destinations().unwrap_or(0..0);
    op.operands.iter().enumerate().filter(move |(n, _)| !written.contains(n)).map(|(_, v)| *v)
}

fn destinations(op: &Op) -> Vec<ValueId> {
    if let OpKind::Call { written, .. } = &op.kind {
        return written.iter().map(|n| op.operands[*n]).collect();
    }
    op.kind.destinations().map_or(Vec::new(), |range| op.operands[range].to_vec())
}
