//! Loops and branches of a program while they are translated: their indices, bounds, results and cases.
//!
//! In: an op with regions. Out: its index as a variable of the nest; its results, bound to values of the program.

use numptx_ir::array::{Region, Type, ValueId};
use numptx_ir::scalar::Val;

use crate::analysis::traverse::terminator_operands;
use crate::loops::dependence::{Affine, Loop, LoopId, Step, Variable};
use crate::loops::nest::elements::Index;
use crate::loops::nest::program::Refusal;
use crate::loops::nest::scope::Binding;
use crate::loops::nest::translator::Translator;

impl Translator<'_> {
    /// Notes what an integer is chosen from.
    pub(crate) fn chosen(&mut self, variable: Variable, cases: Vec<(Affine, Vec<Affine>)>) {
        self.sized(variable, cases.iter().map(|(value, _)| value));
        self.cases.insert(variable, cases);
    }

    pub(crate) fn bind_results(&mut self, values: &[ValueId], vals: &[Val]) {
        for (value, val) in values.iter().zip(vals) {
            match self.function.ty(*value) {
                Type::Scalar(_) => self.bind_scalar(*value, *val, None, None),
                Type::Array(_) | Type::Object => self.bind(*value, Binding::Cell(*val)),
            }
        }
    }

    /// What a region yields.
    pub(crate) fn yields(&mut self, region: &Region) -> Result<Vec<Val>, Refusal> {
        self.vals(terminator_operands(region))
    }

    /// Describes a loop to the analysis. Its bounds are symbols where they are not affine.
    pub(crate) fn open_loop(
        &mut self,
        index: ValueId,
        bounds: &[ValueId],
    ) -> Result<(LoopId, Option<Affine>), Refusal> {
        let (lower, upper, step) = (self.index(bounds[0])?, self.index(bounds[1])?, self.index(bounds[2])?);
        let is_affine = lower.affine.is_some() && upper.affine.is_some();
        let mut bound = |index: Index| match index.affine {
            Some(affine) => affine,
            None => Affine::from(self.nest.add_symbol(self.within)),
        };
        let (lower, upper) = (bound(lower), bound(upper));
        let (step, stride) = match step.affine {
            Some(affine) => match affine.as_constant() {
                Some(n) if n != 0 => (Step::Known(n), None),
                None if self.rises(&affine) => (Step::Positive, Some(affine)),
                _ => (Step::Unknown, None),
            },
            None => (Step::Unknown, None),
        };
        let ends = [lower.clone(), upper.clone()];
        let [lower_of, upper] = self.bounds_of(&lower, upper, step);
        let id = self.nest.add_loop(Loop { parent: self.within, lower, lower_of, upper, step });
        self.loops.insert(index, id);
        if let Some(stride) = stride {
            self.nest.set_stride(id, stride);
        }
        self.nest.name_last(id);
        self.sized(Variable::Index(id), ends.iter());
        // An index between numbers that nobody knows may be of any size: nothing is said of it.
        Ok((id, is_affine.then(|| Affine::from(id))))
    }
}
