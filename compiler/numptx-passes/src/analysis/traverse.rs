//! Walks over a function's ops, and the substitution and renumbering of its values. No analysis, no change of meaning.

use numptx_ir::array::{Function, Op, OpKind, Region, Type, ValueData, ValueId};

/// Calls `visit` on every op, outer ones before the ops nested in them, in program order.
pub fn for_each_op<'a>(region: &'a Region, visit: &mut dyn FnMut(&'a Op)) {
    for op in &region.ops {
        visit(op);
        for nested in &op.regions {
            for_each_op(nested, visit);
        }
    }
}

/// Gives every op of a function, those nested in it before itself, to `rewrite`, which adds to a list what stands in its place.
pub fn rewrite_ops(function: &mut Function, rewrite: fn(&mut Function, Op, &mut Vec<Op>)) {
    let mut body = std::mem::take(&mut function.body);
    rewrite_region(function, &mut body, rewrite);
    function.body = body;
}

fn rewrite_region(function: &mut Function, region: &mut Region, rewrite: fn(&mut Function, Op, &mut Vec<Op>)) {
    let mut ops = Vec::with_capacity(region.ops.len());
    for mut op in std::mem::take(&mut region.ops) {
        op.regions.iter_mut().for_each(|nested| rewrite_region(function, nested, rewrite));
        rewrite(function, op, &mut ops);
    }
    region.ops = ops;
}

/// The operands of a region's terminator; none if it has no terminator.
pub fn terminator_operands(region: &Region) -> &[ValueId] {
    region.ops.last().filter(|op| op.kind.is_terminator()).map_or(&[], |op| &op.operands)
}

/// How often each value is used as an operand, terminators included.
pub fn count_uses(function: &Function) -> Vec<usize> {
    let mut uses = vec![0; function.values.len()];
    for_each_op(&function.body, &mut |op| op.operands.iter().for_each(|v| uses[v.0 as usize] += 1));
    uses
}

/// Whether an op, or one nested in it, takes, gives or carries a list, a dictionary, a set or a string.
pub fn uses_objects(function: &Function, op: &Op) -> bool {
    let is_object = |v: &ValueId| function.ty(*v) == Type::Object;
    let in_region = |region: &Region| {
        region.parameters.iter().any(is_object) || region.ops.iter().any(|nested| uses_objects(function, nested))
    };
    op.operands.iter().chain(&op.results).any(is_object)
        || matches!(op.kind, OpKind::Object(_))
        || op.regions.iter().any(in_region)
}

/// Values to be replaced by others.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    by_value: Vec<Option<ValueId>>,
}

impl Substitution {
    /// From now on `value` reads as `by`.
    pub fn replace(&mut self, value: ValueId, by: ValueId) {
        if value == by {
            return;
        }
        let position = value.0 as usize;
        if self.by_value.len() <= position {
            self.by_value.resize(position + 1, None);
        }
        self.by_value[position] = Some(by);
    }

    /// What stands for a value; itself if nothing does.
    pub fn resolve(&self, value: ValueId) -> ValueId {
        let mut value = value;
        while let Some(Some(next)) = self.by_value.get(value.0 as usize) {
            value = *next;
        }
        value
    }
}

/// Replaces every operand in a region by what stands for it.
pub fn substitute(region: &mut Region, by: &Substitution) {
    for op in &mut region.ops {
        op.operands.iter_mut().for_each(|v| *v = by.resolve(*v));
        op.regions.iter_mut().for_each(|nested| substitute(nested, by));
    }
}

/// Numbers values in the order in which the text form shows their definitions and drops the data of undefined ones.
pub fn renumber(function: &mut Function) {
    let mut order: Vec<ValueId> = function.parameters.clone();
    collect_definitions(&function.body, &mut order);
    let mut new_ids: Vec<Option<ValueId>> = vec![None; function.values.len()];
    let mut values: Vec<ValueData> = Vec::with_capacity(order.len());
    for value in order {
        let slot = &mut new_ids[value.0 as usize];
        if slot.is_none() {
            *slot = Some(ValueId(values.len() as u32));
            values.push(function.values[value.0 as usize].clone());
        }
    }
    // An operand that nothing defines keeps an id beyond the last one, for the verifier to find.
    let undefined = ValueId(values.len() as u32);
    let rename = |value: &mut ValueId| *value = new_ids.get(value.0 as usize).copied().flatten().unwrap_or(undefined);
    function.parameters.iter_mut().for_each(rename);
    rename_region(&mut function.body, &rename);
    function.values = values;
}

fn collect_definitions(region: &Region, order: &mut Vec<ValueId>) {
    order.extend(&region.parameters);
    for op in &region.ops {
        order.extend(&op.results);
        op.regions.iter().for_each(|nested| collect_definitions(nested, order));
    }
}

fn rename_region(region: &mut Region, rename: &dyn Fn(&mut ValueId)) {
    region.parameters.iter_mut().for_each(rename);
    for op in &mut region.ops {
        op.operands.iter_mut().for_each(rename);
        op.results.iter_mut().for_each(rename);
        op.regions.iter_mut().for_each(|nested| rename_region(nested, rename));
    }
}
