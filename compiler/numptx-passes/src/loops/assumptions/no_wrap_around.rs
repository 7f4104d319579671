//! Writes at remainders of which it is not known whether they go round more than once: `y[(i + k) % n] = x[i]` in `range(m)`.
//!
//! In: a loop that is slow as it is, as the dependence analysis sees it. Out: assumptions that its innermost loops have no more iterations than there
//! are remainders. Rings, whose elements are read again, go round for good: nothing is required of them.

use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::canonical::wrapped::room;
use crate::loops::dependence::{Access, AccessKind, Affine, ArrayId, Step, Subscript, Variable};
use crate::loops::nest::translator::Translator;

impl Translator<'_> {
    /// Requires that loops which write at remainders alone have no more iterations than there are remainders, where that is not known and can be.
    /// Nothing is required of loops that have work items as they are, and no arrays whose elements are added to indices.
    pub(crate) fn require_no_wrap_around(&mut self) {
        if self.assumed.is_some_and(|assumed| assumed.has_offsets && assumed.scalars().is_empty()) {
            return;
        }
        let accesses: Vec<&Access> = self.nest.access_ids().map(|id| self.nest.access(id)).collect();
        let is_read =
            |array: ArrayId| accesses.iter().any(|other| other.array == array && other.kind == AccessKind::Read);
        let writes = accesses.iter().filter(|access| access.kind == AccessKind::Write && !is_read(access.array));
        let turns: Vec<Affine> = writes.flat_map(|w| &w.subscripts).filter_map(|at| self.no_wrap_around(at)).collect();
        for turn in turns {
            let assumption = Assumption::at_least_zero(Kind::NoWrapAround, turn);
            if assumption.is_decidable(&self.nest, &self.symbols) {
                self.assumptions.push(assumption);
            }
        }
    }

    /// What is at least 0 where an index that is a remainder by a run-time integer differs from iteration to iteration of the innermost loop it changes with.
    fn no_wrap_around(&self, at: &Subscript) -> Option<Affine> {
        let Subscript::Index(at) = at else { return None };
        let [(Variable::Symbol(symbol), 1)] = at.terms() else { return None };
        let [of, by] = self.nest.remainder(*symbol).filter(|[_, by]| by.as_constant().is_none())?;
        let depth = |(variable, _): &(Variable, i64)| {
            let changes_in = match variable {
                Variable::Symbol(symbol) => self.nest.varies_in(*symbol),
                Variable::Index(id) => Some(*id),
            };
            self.nest.chain(changes_in).len()
        };
        let (innermost, factor) = of.terms().iter().max_by_key(|term| depth(term))?;
        let Variable::Index(id) = innermost else { return None };
        let deepest = depth(&(*innermost, *factor));
        if of.terms().iter().any(|term| term.0 != *innermost && depth(term) == deepest) {
            return None;
        }
        let header = self.nest.loop_of(*id);
        let ([upper], Step::Known(step)) = (header.upper.as_slice(), header.step) else { return None };
        let length = if step > 0 { upper.minus(&header.lower) } else { header.lower.minus(upper) };
        room(&length?.plus_constant(-1)?.times(factor.checked_abs()?)?, by)
    }
}
