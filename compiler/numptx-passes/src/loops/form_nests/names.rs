//! New names for copies of loops.
//!
//! In: ops. Out: the same ops with new values for all that they define, of which all is known that was known of the old ones.

use numptx_ir::array::{Op, ValueId};

use crate::analysis::traverse::{Substitution, substitute};
use crate::loops::function::FormNests;

impl FormNests<'_> {
    /// Gives new names to all that ops define.
    pub fn rename(&mut self, ops: &mut [Op]) -> Substitution {
        let mut names = Substitution::default();
        for op in ops.iter_mut() {
            self.rename_op(op, &mut names);
        }
        names
    }

    fn rename_op(&mut self, op: &mut Op, names: &mut Substitution) {
        op.operands.iter_mut().for_each(|v| *v = names.resolve(*v));
        for region in &mut op.regions {
            for parameter in &mut region.parameters {
                *parameter = self.renamed(*parameter, names);
            }
            substitute(region, names);
            region.ops.iter_mut().for_each(|nested| self.rename_op(nested, names));
        }
        for result in &mut op.results {
            *result = self.renamed(*result, names);
        }
    }

    fn renamed(&mut self, value: ValueId, names: &mut Substitution) -> ValueId {
        let data = self.function.values[value.0 as usize].clone();
        self.function.values.push(data);
        let new = ValueId(self.function.values.len() as u32 - 1);
        if let Some(constant) = self.known.constants.get(&value) {
            self.known.constants.insert(new, *constant);
        }
        self.known.ranges.rename(value, new);
        if self.draft.at_work_items.contains(&value) {
            self.draft.at_work_items.insert(new);
        }
        if self.draft.of_digits.contains(&value) {
            self.draft.of_digits.insert(new);
        }
        if self.draft.broadcasts.contains(&value) {
            self.draft.broadcasts.insert(new);
        }
        if let Some(reducer) = self.draft.reductions.get(&value) {
            self.draft.reductions.insert(new, *reducer);
        }
        self.known.points_to.add_alias(new, value);
        names.replace(value, new);
        new
    }
}
