//! A loop as a program, and as a question to the dependence analysis.
//!
//! In: a `for` of the placed phase. Out: [`Translation`], or why there is none. Loops that are made axes of a nest become indices of the work item.
//! Checks that can be made before the loop are left out: what they need is handed over as [`Assumption`]s. Others set a fault: see `faults`.

use numptx_ir::array::{Op, OpKind, ValueId};

use crate::loops::assumptions::assumed::{Assumed, Known};
use crate::loops::nest::program::{Program, Refusal, Refused, Surroundings, Translation};
use crate::loops::nest::scope::{Binding, Captured};
use crate::loops::nest::translator::Translator;
use crate::loops::schedule::shares::Shares;

/// Translates ops.
///
/// # Errors
/// Why the ops are no program.
pub fn translate<'p>(around: &'p Surroundings, program: &Program<'p>) -> Result<Translation, Refused> {
    let Program { ops, axes, results, team, shares, is_as_written } = *program;
    let mut more: Vec<ValueId> = results.iter().map(|(_, array)| *array).collect();
    more.extend(axes.iter().flat_map(|axis| [axis.origin.shared(), axis.from]).flatten());
    more.extend(shares.into_iter().flat_map(Shares::scalars));
    more.push(around.checks.fault);
    more.extend(around.checks.payload);
    more.extend(around.assumed.into_iter().flat_map(Assumed::scalars));
    if let Some(team) = team {
        more.extend(team.times.iter().chain(team.values.values()));
    }
    let mut captured = Captured::of(around.function, around.constants, ops, &more);
    if around.assumed.is_some() {
        let parts = crate::loops::assumptions::assumed::parts_of(&captured.scalars, around.sums, around.constants);
        if !parts.is_empty() {
            more.extend(parts);
            captured = Captured::of(around.function, around.constants, ops, &more);
        }
    }
    let mut translator = Translator::new(around, axes, captured);
    (translator.team, translator.shares) = (team, shares);
    if let Err(why) = translator.block(ops) {
        return Err(Refused { why, at: Some(translator.span) });
    }
    for (result, array) in results {
        let val = translator.handed(*result)?;
        let Binding::View(view) = translator.binding(*array)? else {
            return Err(Refusal("a result without an array").into());
        };
        translator.store(&view, &[], val);
    }
    let unwritten = std::mem::take(&mut translator.unwritten);
    let arrays = translator.captured.arrays.clone();
    let translation = translator.finish(is_as_written);
    let is_written = |table: &u32| {
        let position = translation.tables.iter().position(|array| *array == arrays[*table as usize]);
        position.is_some_and(|n| translation.code.stores(n))
    };
    if unwritten.iter().any(is_written) {
        return Err(Refusal("an element is carried and written").into());
    }
    Ok(translation)
}

impl Translator<'_> {
    pub(crate) fn block(&mut self, ops: &[Op]) -> Result<(), Refusal> {
        ops.iter().filter(|op| !op.kind.is_terminator()).try_for_each(|op| self.op(op))
    }

    pub(crate) fn op(&mut self, op: &Op) -> Result<(), Refusal> {
        self.position += 1;
        self.span = op.span;
        if self.shared(op)? {
            return Ok(());
        }
        match &op.kind {
            OpKind::Constant(constant) => self.constant(op.results[0], *constant),
            OpKind::Scalar(scalar) => self.scalar_op(op, *scalar)?,
            OpKind::SliceBounds { lower, upper } => self.slice_bounds(op, *lower, *upper)?,
            OpKind::Check { .. } => self.check(op)?,
            OpKind::Item => self.item(op)?,
            OpKind::If => self.if_(op)?,
            OpKind::For => self.for_(op)?,
            OpKind::While => self.while_(op)?,
            OpKind::Map(map) => self.map(op, map)?,
            // Nothing is in it, and nothing is written to it: it stands for an element that is given later.
            OpKind::Alloc { dtype, .. } if self.function.array(op.results[0]).is_some_and(|array| array.rank == 0) => {
                let nothing = self.code.constant(numptx_ir::scalar::zero(*dtype), *dtype);
                self.bind(op.results[0], Binding::Cell(nothing));
            }
            OpKind::Store(store) => self.store_op(op, store)?,
            kind if kind.is_view() => self.view(op)?,
            OpKind::Call { .. } => return Err(Refusal("it calls a function that calls itself, which the host does")),
            // What asks is left to stores that stay whole.
            OpKind::Overlap => {}
            _ => return Err(Refusal("this is not for one element of a kernel")),
        }
        Ok(())
    }

    pub(crate) fn item(&mut self, op: &Op) -> Result<(), Refusal> {
        let val = self.element(op.operands[0], &[])?;
        let Known { affine, condition } = self.known.get(&val).cloned().unwrap_or_default();
        self.bind_scalar(op.results[0], val, affine, condition);
        Ok(())
    }
}
