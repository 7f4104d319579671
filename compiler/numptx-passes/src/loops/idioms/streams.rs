//! Elements that a loop reads one after the other, as views with an axis a loop.
//!
//! In: an access of a program, and the loops around it. Out: whether each loop moves along one axis at most, and the view. Decides nothing.

use numptx_ir::array::{OpKind, ValueId};

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::dependence::{AccessId, Affine, LoopId, Step, Subscript, Variable};
use crate::loops::nest::program::Translation;

/// Where elements of one access lie along an axis.
pub(crate) struct Along {
    /// The first one's index.
    pub start: Affine,
    /// The loop that moves along the axis, by its position, and how far each of its iterations.
    pub moves: Option<(usize, i64)>,
}

/// One an axis, if each loop moves along one axis at most, and some do.
pub(crate) fn stream(whole: &Translation, access: AccessId, ids: &[LoopId]) -> Option<Vec<Along>> {
    let mut axes = Vec::new();
    let mut moved = vec![false; ids.len()];
    for subscript in &whole.nest.access(access).subscripts {
        let Subscript::Index(affine) = subscript else { return None };
        let mut along = Along { start: affine.clone(), moves: None };
        for (n, id) in ids.iter().enumerate() {
            let index = Variable::Index(*id);
            let Some((_, factor)) = affine.terms().iter().find(|(v, _)| *v == index) else { continue };
            let of = whole.nest.loop_of(*id);
            let Step::Known(step) = of.step else { return None };
            if along.moves.is_some() || std::mem::replace(&mut moved[n], true) {
                return None;
            }
            along.moves = Some((n, step.checked_mul(*factor)?));
            along.start = along.start.with(index, &of.lower)?;
        }
        if along.start.terms().iter().any(|(v, _)| !whole.symbols.contains_key(v)) {
            return None;
        }
        axes.push(along);
    }
    moved.contains(&true).then_some(axes)
}

/// The first access of the same elements as an access that reads one after the other; `None` of others.
pub(crate) fn first_like(whole: &Translation, accesses: &[AccessId], ids: &[LoopId], number: usize) -> Option<usize> {
    let id = *accesses.get(number)?;
    stream(whole, id, ids)?;
    let (access, table) = (whole.nest.access(id), table_of(whole, number));
    accesses[..number]
        .iter()
        .enumerate()
        .position(|(n, other)| {
            let other = whole.nest.access(*other);
            other.subscripts == access.subscripts && other.within == access.within && table_of(whole, n) == table
        })
        .or(Some(number))
}

impl HostProgram<'_> {
    /// The elements that an access reads, as a view with one axis a loop.
    pub(crate) fn streamed(&mut self, placed: &Placed, number: usize, extents: &[ValueId]) -> Option<ValueId> {
        let whole = placed.whole;
        let id = *placed.accesses.get(number)?;
        let array = table_of(whole, number)?;
        let mut view = whole.tables[array as usize];
        let mut order = Vec::new();
        for along in stream(whole, id, placed.ids)? {
            let (start, axis) = (self.value(&along.start, &whole.symbols)?, order.len());
            let Some((n, step)) = along.moves else {
                view = *self.derived(OpKind::Index { axis }, vec![view, start])?.first()?;
                continue;
            };
            let step = self.number(step);
            view = *self.derived(OpKind::Slice { axis }, vec![view, start, extents[n], step])?.first()?;
            order.push(n);
        }
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted != order {
            let permutation = sorted.iter().filter_map(|n| order.iter().position(|m| m == n)).collect();
            view = *self.derived(OpKind::Permute { permutation }, vec![view])?.first()?;
        }
        if sorted.len() < extents.len() {
            for axis in (0..extents.len()).filter(|n| !sorted.contains(n)) {
                view = *self.derived(OpKind::NewAxis { axis }, vec![view])?.first()?;
            }
            view = *self.derived(OpKind::Broadcast, [&[view], extents].concat())?.first()?;
        }
        Some(view)
    }
}

/// The table of an access.
pub(crate) fn table_of(whole: &Translation, number: usize) -> Option<u32> {
    let mut tables = Vec::new();
    whole.code.block.for_each_stmt(&mut |stmt| match stmt.kind {
        numptx_ir::scalar::StmtKind::Load(table) | numptx_ir::scalar::StmtKind::Store(table) => tables.push(table),
        _ => {}
    });
    tables.get(number).copied()
}

/// A loop as it was analysed.
pub(crate) struct Placed<'w> {
    pub whole: &'w Translation,
    pub ids: &'w [LoopId],
    pub accesses: &'w [AccessId],
}
