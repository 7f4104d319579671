//! View ops of a loop.
//!
//! In: an op. Out: the elements that its result shows, by index.

use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::loops::dependence::Affine;
use crate::loops::nest::elements::{Index, View};
use crate::loops::nest::program::Refusal;
use crate::loops::nest::scope::Binding;
use crate::loops::nest::translator::Translator;

impl Translator<'_> {
    pub(crate) fn view(&mut self, op: &Op) -> Result<(), Refusal> {
        let view = match self.binding(op.operands[0])? {
            Binding::View(view) => view,
            Binding::Cell(val) => {
                let val = match op.kind {
                    OpKind::Part { imaginary: true } => self.code.op(ScalarOp::Imag, &[val]),
                    OpKind::Part { imaginary: false } => self.code.op(ScalarOp::Real, &[val]),
                    _ => val,
                };
                self.bind(op.results[0], Binding::Cell(val));
                return Ok(());
            }
            Binding::Scalar(_) => return Err(Refusal("a scalar where an array is")),
        };
        let view = match &op.kind {
            OpKind::Index { axis } => self.indexed(view, *axis, op.operands[1])?,
            OpKind::Slice { axis } => self.sliced(view, *axis, op.operands[1], op.operands[3])?,
            OpKind::NewAxis { axis } => view.with_new(*axis),
            OpKind::DropAxis { axis } => view.without(*axis),
            OpKind::Permute { permutation } => view.permuted(permutation),
            OpKind::Broadcast => {
                // Extents that are not 1 are those of the result: a check says so, or whoever made it.
                let is_settled = self.broadcasts.contains(&op.results[0]);
                if !is_settled && !view.is_one.iter().all(|is_one| *is_one) {
                    return Err(Refusal("an array that may be broadcast or not"));
                }
                let rank = op.operands.len() - 1;
                let n = rank - view.is_one.len();
                view.broadcast(n)
            }
            OpKind::Diagonal { axes } => view.diagonal(*axes),
            OpKind::Windows { axis } => view.windows(*axis),
            OpKind::ReadOnly => view,
            OpKind::Writable => return Err(Refusal("an array that some path makes read-only")),
            _ => return Err(Refusal("a view of parts of elements")),
        };
        self.bind(op.results[0], Binding::View(View { span: Some(op.span), ..view }));
        Ok(())
    }

    fn indexed(&mut self, mut view: View, axis: usize, at: ValueId) -> Result<View, Refusal> {
        let at = self.index(at)?;
        for n in 0..view.places.len() {
            let steps: Vec<Option<Index>> =
                view.places[n].along.iter().filter(|(a, _)| *a == axis).map(|(_, step)| step.clone()).collect();
            for step in steps {
                let moved = self.scaled(&at, step.as_ref());
                view.places[n].start = Some(self.plus(view.places[n].start.take(), moved));
            }
        }
        Ok(view.without(axis))
    }

    fn sliced(&mut self, mut view: View, axis: usize, start: ValueId, step: ValueId) -> Result<View, Refusal> {
        let (start, by) = (self.index(start)?, self.index(step)?);
        for n in 0..view.places.len() {
            for m in 0..view.places[n].along.len() {
                let (a, step) = view.places[n].along[m].clone();
                if a == axis {
                    let moved = self.scaled(&start, step.as_ref());
                    view.places[n].start = Some(self.plus(view.places[n].start.take(), moved));
                    view.places[n].along[m].1 = Some(self.scaled(&by, step.as_ref()));
                }
            }
        }
        view.is_one[axis] = false;
        Ok(view)
    }

    pub(crate) fn scaled(&mut self, index: &Index, by: Option<&Index>) -> Index {
        let Some(by) = by else { return index.clone() };
        let known = |i: &Index| i.affine.as_ref().and_then(Affine::as_constant);
        let affine = match (known(index), known(by)) {
            (_, Some(1)) => return index.clone(),
            (_, Some(n)) => index.affine.as_ref().and_then(|a| a.times(n)),
            (Some(n), _) => by.affine.as_ref().and_then(|a| a.times(n)),
            _ => None,
        };
        Index { val: self.code.op(ScalarOp::Mul, &[index.val, by.val]), affine }
    }

    pub(crate) fn plus(&mut self, a: Option<Index>, b: Index) -> Index {
        let Some(a) = a else { return b };
        let affine = a.affine.as_ref().zip(b.affine.as_ref()).and_then(|(a, b)| a.plus(b));
        Index { val: self.code.op(ScalarOp::Add, &[a.val, b.val]), affine }
    }
}
