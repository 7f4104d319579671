//! Elements of arrays, as tables and indices.
//!
//! In: view ops of the array IR. Out: for an array value, the array outside of the loop that it shows, and along each axis of that the index at
//! which an element of the view lies. No data, no code: see `translate`.

use numptx_ir::scalar::Val;
use numptx_source::Span;

use crate::loops::dependence::Affine;

/// A value of the program, and what is known of it as a function of the loops.
#[derive(Clone, Debug)]
pub struct Index {
    /// The value, `i64`.
    pub val: Val,
    /// The function, if it is affine.
    pub affine: Option<Affine>,
}

/// Where a view's elements lie along one axis of its table: at `start + Σ index · step`.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// 0 where it is `None`.
    pub start: Option<Index>,
    /// Axes of the view that run along this one, with their steps; a step that is not given is 1.
    pub along: Vec<(usize, Option<Index>)>,
}

/// A view of a table.
#[derive(Clone, Debug)]
pub struct View {
    /// The table.
    pub table: u32,
    /// One an axis of the table.
    pub places: Vec<Place>,
    /// Of each axis of the view, whether its extent is 1 always.
    pub is_one: Vec<bool>,
    /// The expression that the view stands for; `None` for a table itself.
    pub span: Option<Span>,
}

impl View {
    /// All of a table.
    pub fn whole(table: u32, is_one: Vec<bool>) -> Self {
        let places = (0..is_one.len()).map(|axis| Place { start: None, along: vec![(axis, None)] }).collect();
        View { table, places, is_one, span: None }
    }

    /// The view without an axis; `None` for axes that go nowhere.
    fn renumbered(mut self, axes: &dyn Fn(usize) -> Option<usize>) -> Self {
        for place in &mut self.places {
            place.along = place.along.drain(..).filter_map(|(axis, step)| Some((axes(axis)?, step))).collect();
        }
        self
    }

    /// Without an axis along which the index is 0.
    pub fn without(mut self, axis: usize) -> Self {
        self.is_one.remove(axis);
        self.renumbered(&|a| (a != axis).then_some(a - usize::from(a > axis)))
    }

    /// With an axis of extent 1 more.
    pub fn with_new(mut self, axis: usize) -> Self {
        self.is_one.insert(axis, true);
        self.renumbered(&|a| Some(a + usize::from(a >= axis)))
    }

    /// Axis `k` is `permutation[k]`.
    pub fn permuted(mut self, permutation: &[usize]) -> Self {
        self.is_one = permutation.iter().map(|axis| self.is_one[*axis]).collect();
        self.renumbered(&|a| permutation.iter().position(|p| *p == a))
    }

    /// With `n` new axes before the others, along which elements repeat, as they do along axes of extent 1.
    pub fn broadcast(mut self, n: usize) -> Self {
        let fixed: Vec<usize> = (0..self.is_one.len()).filter(|a| self.is_one[*a]).collect();
        self.is_one.splice(0..0, vec![false; n]);
        self.renumbered(&|a| (!fixed.contains(&a)).then_some(a + n))
    }

    /// The diagonal of two axes, last.
    pub fn diagonal(mut self, axes: [usize; 2]) -> Self {
        let [low, high] = [axes[0].min(axes[1]), axes[0].max(axes[1])];
        let last = self.is_one.len() - 2;
        let is_one = self.is_one[axes[0]];
        self.is_one.remove(high);
        self.is_one.remove(low);
        self.is_one.push(is_one);
        self.renumbered(&|a| match a {
            a if a == low || a == high => Some(last),
            a => Some(a - usize::from(a > low) - usize::from(a > high)),
        })
    }

    /// Windows that slide along an axis; they run along a new last axis.
    pub fn windows(mut self, axis: usize) -> Self {
        let last = self.is_one.len();
        self.is_one.push(false);
        for place in &mut self.places {
            if let Some((_, step)) = place.along.iter().find(|(a, _)| *a == axis).cloned() {
                place.along.push((last, step));
            }
        }
        self
    }
}
