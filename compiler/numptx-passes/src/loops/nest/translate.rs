//! A loop as a program, and as a question to the dependence analysis.
//!
//! In: a `for` of the placed phase. Out: [`Translation`], or why there is none. Loops that are made axes of a nest become indices of the work item.
//! Checks that can be made before the loop are left out: what they need is handed over as [`Assumption`]s. Others set a fault: see `faults`.

use numptx_ir::array::{Op, OpKind, ValueId};

use crate::loops::assumptions::assumed::{Assumed, Known};
use crate::loops::emit::store_to_load_forwarding::{forward, used_inputs};
use crate::loops::nest::program::{Program, Refusal, Refused, Surroundings, Translation};
use crate::loops::nest::scope::{Binding, Captured};
use crate::loops::nest::translator::Translator;
use crate::loops::schedule::cooperative::shares::Shares;

/// Translates ops.
///
/// # Errors
/// Why the ops are no program.
pub fn translate<'p>(around: &'p Surroundings, program: &Program<'p>) -> Result<Translation, Refused> {
    let Program { ops, axes, results, wavefront, shares, is_as_written } = *program;
    let mut more: Vec<ValueId> = results.iter().map(|(_, array)| *array).collect();
    more.extend(axes.iter().flat_map(|axis| [axis.origin.shared(), axis.from]).flatten());
    more.extend(shares.into_iter().flat_map(Shares::scalars));
    more.push(around.checks.fault);
    more.extend(around.checks.payload);
    more.extend(around.assumed.into_iter().flat_map(Assumed::scalars));
    if let Some(wavefront) = wavefront {
        more.extend(wavefront.times.iter().chain(wavefront.values.values()));
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
    (translator.wavefront, translator.shares) = (wavefront, shares);
    if let Err(why) = translator.translate_block(ops) {
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
    pub(crate) fn translate_block(&mut self, ops: &[Op]) -> Result<(), Refusal> {
        ops.iter().filter(|op| !op.kind.is_terminator()).try_for_each(|op| self.translate_op(op))
    }

    pub(crate) fn translate_op(&mut self, op: &Op) -> Result<(), Refusal> {
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

impl Translator<'_> {
    pub(crate) fn finish(mut self, is_as_written: bool) -> Translation {
        self.state_requirements();
        let is_own: Vec<bool> = self.captured.arrays.iter().map(|array| self.is_own(array)).collect();
        let mut code = self.code.finish();
        if !is_as_written {
            forward(&mut code, &is_own);
        }
        let inputs = used_inputs(&mut code);
        let n = self.captured.arrays.len() as u32;
        let used = |table: &u32| code.loads(*table as usize) || code.stores(*table as usize);
        let mut order: Vec<u32> = (0..n).filter(used).collect();
        order.sort_by_key(|table| !code.stores(*table as usize));
        let mut names: Vec<u32> = (0..n).collect();
        order.iter().enumerate().for_each(|(new, old)| names[*old as usize] = new as u32);
        code.rename_tables(&names);
        let array = |table: u32| self.captured.arrays[table as usize];
        let elements = self.elements.iter().map(|((table, _), variable)| (*variable, array(*table)));
        Translation {
            tables: order.iter().map(|table| self.captured.arrays[*table as usize]).collect(),
            scalars: inputs.iter().map(|n| self.captured.scalars[*n as usize]).collect(),
            code,
            nest: self.nest,
            loops: self.loops,
            symbols: self.symbols,
            assumptions: self.assumptions,
            places: self.places,
            reads: self.reads,
            at_work_items: self.at_work_items,
            raised: self.raised,
            elements: elements.collect(),
            element_names: self.element_names,
        }
    }

    /// Whether an array is made and used in one iteration of a loop of the program.
    pub(crate) fn is_own(&self, array: &ValueId) -> bool {
        let around = self.temporaries.get(array).and_then(|around| around.last());
        around.is_some_and(|index| self.loops.contains_key(index))
    }
}
