//! Loads and stores of elements, and what the dependence analysis is told of them.
//!
//! In: a view and an index along each of its axes. Out: a step of the program, and an access of the nest with the memory that it may be of, its indices as far
//! as they are affine, and the statement that makes it.

use numptx_ir::array::ValueId;
use numptx_ir::scalar::Val;

use crate::loops::dependence::{Access, AccessKind, Affine, ArrayId, Subscript};
use crate::loops::nest::elements::{Index, View};
use crate::loops::nest::program::Refusal;
use crate::loops::nest::scope::{Binding, Scalar};
use crate::loops::nest::translator::Translator;

impl Translator<'_> {
    /// The element of an array of the loop at indices.
    pub(crate) fn element(&mut self, array: ValueId, at: &[Index]) -> Result<Val, Refusal> {
        match self.binding(array)? {
            Binding::Cell(val) => Ok(val),
            Binding::View(view) => {
                self.reading = Some(array);
                Ok(self.load(&view, at))
            }
            Binding::Scalar(scalar) => Ok(scalar.val),
        }
    }

    pub(crate) fn load(&mut self, view: &View, at: &[Index]) -> Val {
        let indices = self.indices(view, at);
        self.access(view, AccessKind::Read, &indices);
        let dtype = self.function.ty(self.captured.arrays[view.table as usize]).dtype();
        let vals: Vec<Val> = indices.iter().map(|i| i.val).collect();
        let val = self.code.load(view.table, &vals, dtype);
        self.note_element(view.table, &indices, val);
        val
    }

    pub(crate) fn store(&mut self, view: &View, at: &[Index], val: Val) {
        let indices = self.indices(view, at);
        self.access(view, AccessKind::Write, &indices);
        let vals: Vec<Val> = indices.iter().map(|i| i.val).collect();
        if self.shares.is_none() || self.is_alone {
            return self.code.store(view.table, &vals, val);
        }
        self.code.open_block(&[]);
        self.code.store(view.table, &vals, val);
        let body = self.code.close_block(&[]);
        self.code.parallel(&[], body);
    }

    /// Indices of the table for indices of the view.
    fn indices(&mut self, view: &View, at: &[Index]) -> Vec<Index> {
        let mut indices = Vec::with_capacity(view.places.len());
        for place in &view.places {
            let mut index = place.start.clone();
            for (axis, step) in &place.along {
                let moved = self.scaled(&at[*axis], step.as_ref());
                index = Some(self.plus(index, moved));
            }
            indices.push(match index {
                Some(index) => index,
                None => Index { val: self.code.integer(0), affine: Some(Affine::constant(0)) },
            });
        }
        indices
    }

    fn access(&mut self, view: &View, kind: AccessKind, indices: &[Index]) {
        let (array, is_apart) = self.memory(view.table);
        let subscript = |index: &Index| match &index.affine {
            Some(affine) if is_apart => Subscript::Index(affine.clone()),
            _ => Subscript::Unknown,
        };
        let mut subscripts = self.iterations(view.table);
        subscripts.extend(indices.iter().map(subscript));
        let access = self.nest.add_access(Access {
            array,
            kind,
            subscripts,
            within: self.within,
            position: self.position,
            guards: self.guards.clone(),
            distinct: self.distinct.clone(),
            group: self.group,
        });
        // A view that is read and written is one op, which stands where it was first: what is written is the statement's.
        let place = if kind == AccessKind::Write { self.span } else { view.span.unwrap_or(self.span) };
        self.places.insert(access, place);
        if let Some(array) = self.reading.take() {
            self.reads.insert(access, (self.position, array));
        }
    }

    /// For a temporary, the iteration whose own it is: indices of the loops around it.
    fn iterations(&self, table: u32) -> Vec<Subscript> {
        let around = self.temporaries.get(&self.captured.arrays[table as usize]);
        let index = |index: &ValueId| match self.scope.get(index) {
            Some(Binding::Scalar(Scalar { affine: Some(affine), .. })) => Subscript::Index(affine.clone()),
            _ => Subscript::Unknown,
        };
        around.into_iter().flatten().map(index).collect()
    }

    /// The memory that a table may share with others, and whether it shares it with none.
    fn memory(&self, table: u32) -> (ArrayId, bool) {
        let array = self.captured.arrays[table as usize];
        let shares = |other: &ValueId| !self.apart.are(array, *other, self.points_to);
        let first = self.captured.arrays.iter().position(shares).unwrap_or(table as usize);
        let n = self.captured.arrays.iter().filter(|other| shares(other)).count();
        (ArrayId(first as u32), n == 1)
    }
}

impl Translator<'_> {
    /// What is handed to a loop or out of a branch: scalars, and elements that stand for themselves.
    pub(crate) fn vals(&mut self, values: &[ValueId]) -> Result<Vec<Val>, Refusal> {
        values.iter().map(|value| self.handed(*value)).collect()
    }

    pub(crate) fn handed(&mut self, value: ValueId) -> Result<Val, Refusal> {
        match self.binding(value)? {
            Binding::Scalar(Scalar { val, .. }) | Binding::Cell(val) => Ok(val),
            Binding::View(view) if view.is_one.is_empty() => {
                self.unwritten.push(view.table);
                Ok(self.load(&view, &[]))
            }
            Binding::View(_) => Err(Refusal("arrays are carried from iteration to iteration")),
        }
    }
}
