//! Elements of arrays that lie between two ints which are known before a loop, as numbers of the dependence analysis.
//!
//! In: what is loaded, and from where; the least and the largest elements of arrays that the loop only reads. Out: a symbol for each element, with its range
//! and with the indices at which it lies: elements at equal indices are equal.

use numptx_ir::array::ValueId;
use numptx_ir::scalar::Val;

use crate::loops::assumptions::assumed::Known;
use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::dependence::{Affine, ArrayId, LoopId, Variable};
use crate::loops::nest::elements::Index;
use crate::loops::nest::scope::Scalar;
use crate::loops::nest::translator::Translator;

impl Translator<'_> {
    /// Notes an element of an array whose elements lie in a range.
    pub(crate) fn note_element(&mut self, table: u32, at: &[Index], val: Val) {
        let array = self.captured.arrays[table as usize];
        let Some(ends) = self.assumed.and_then(|assumed| assumed.ends.get(&array)) else { return };
        let Some(at) = at.iter().map(|index| index.affine.clone()).collect::<Option<Vec<Affine>>>() else { return };
        let [Ok(Scalar { affine: Some(low), .. }), Ok(Scalar { affine: Some(high), .. })] =
            ends.map(|end| self.scalar(end))
        else {
            return;
        };
        let variable = match self.elements.get(&(table, at.clone())) {
            Some(variable) => *variable,
            None => {
                let symbol = self.nest.add_symbol(self.varies_in(&at));
                if self.assumed.is_some_and(|assumed| !assumed.has_offsets) {
                    self.nest.add_fact(low.clone());
                    self.assumptions.push(Assumption::at_least_zero(Kind::RangeOfElements, low.clone()));
                }
                self.nest.add_range(symbol, [low, high]);
                self.nest.add_element(symbol, ArrayId(table), at.clone());
                self.elements.insert((table, at), Variable::Symbol(symbol));
                Variable::Symbol(symbol)
            }
        };
        self.known.insert(val, Known { affine: Some(Affine::from(variable)), condition: None });
    }

    /// Notes what an element is called.
    pub(crate) fn name_element(&mut self, value: ValueId, val: Val) {
        let Some(function) = self.known.get(&val).and_then(|known| known.affine.as_ref()) else { return };
        if let ([(variable, 1)], 0) = (function.terms(), function.constant_part())
            && let Some(name) = &self.function.values[value.0 as usize].name
        {
            self.element_names.entry(*variable).or_insert_with(|| name.clone());
        }
    }

    /// The innermost loop that functions change with.
    fn varies_in(&self, functions: &[Affine]) -> Option<LoopId> {
        let variables = functions.iter().flat_map(Affine::terms).filter_map(|(variable, _)| match variable {
            Variable::Index(id) => Some(*id),
            Variable::Symbol(symbol) => self.nest.varies_in(*symbol),
        });
        variables.max_by_key(|id| self.nest.chain(Some(*id)).len())
    }
}
