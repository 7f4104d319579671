//! Computations over arrays: what is done at each point of an iteration space, and how results lie in memory.
//!
//! These are the parts of [`OpKind`](super::OpKind)'s computations; each says what its operands are.

use crate::DType;
use crate::scalar::{Body, Code, Reducer};

/// The memory order of a fresh array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Row-major.
    C,
    /// Column-major.
    F,
    /// NumPy's K order of these terms: axes sorted by descending |stride|, zero strides abstaining, C order where terms disagree. Of one term
    /// [`OrderTerm::Copy`]: that copy's own order.
    K(Vec<OrderTerm>),
}

/// In which order the elements of an existing array are taken: NumPy's `order=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The last index runs fastest.
    C,
    /// The first index runs fastest.
    F,
    /// `F` of an array that lies in F order and not in C order, else `C`.
    A,
    /// As they lie in memory; along axes of negative strides backwards.
    K,
}

/// One input of the K-order rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OrderTerm {
    /// Array input `n` of the op (counted among its inputs, extents not counted).
    Input(usize),
    /// A fresh array that fusion removed, itself in K order of its terms. It had no stride 0, so it abstains along axes of extent 1 only.
    Fresh {
        /// Array input that has the extents of the removed array, with an axis of extent 1 for each that it got later; `None` if these are the
        /// result's, or those of the removed array whose term this is.
        like: Option<usize>,
        /// The result's axes in the order in which the removed array had them: its C order, where its terms disagree or abstain. Empty: as the
        /// result has them.
        axes: Vec<usize>,
        /// What the removed array was computed from.
        terms: Vec<OrderTerm>,
    },
    /// A copy of array input `n`, without gaps: the axes by descending |stride|, of equal ones the first outermost. It abstains nowhere: axes
    /// along which the input repeats elements lie innermost. Source: `PyArray_NewLikeArray`.
    Copy(usize),
    /// Array input `n`, put beside others as `concatenate` does: it abstains along axes where its own extent is 1, though not along those where
    /// it repeats elements, which lie innermost. Source: `PyArray_CreateMultiSortedStridePerm`.
    Joined(usize),
}

/// An elementwise computation. Operands: `rank` extents, then inputs, then the tables that the body reads elements of.
///
/// An array input has exactly these extents (broadcasts are explicit views); a scalar input is the same at every point. A table is an array of
/// any shape: the body says which of its elements it reads.
/// One result per output of the body, each fresh, of the same extents. Pure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    /// Axes of the iteration space.
    pub rank: usize,
    /// What is computed at each point.
    pub body: Body,
    /// Memory order of the results.
    pub order: Order,
}

/// A reduction. Operands: `rank` extents (kept axes, then `n_reduced` reduced ones), then inputs as in [`Map`].
///
/// One fresh result per reducer, over the kept axes, in `order` of the inputs' kept axes. Pure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduce {
    /// Axes of the iteration space.
    pub rank: usize,
    /// Trailing axes that are reduced; they keep NumPy's C iteration order.
    pub n_reduced: usize,
    /// What is computed at each point; output `k` feeds reducer `k`.
    pub body: Body,
    /// The reducers.
    pub reducers: Vec<Reducer>,
    /// Computed from the reduced values (input `k` is reducer `k`'s result); its outputs are the op's results.
    /// `None`: the reduced values themselves.
    pub epilogue: Option<Body>,
    /// Memory order of the results.
    pub order: Order,
}

/// Running totals along one axis. Operands: `rank` extents, then inputs as in [`Map`].
///
/// One fresh result of these extents: at each index the reducer's value of the body's outputs at all indices along `axis` up to and including
/// this one. With a factor (`add` only) it is an affine recurrence: the total is the one before times the factor, plus the first output; the
/// factor at index 0 multiplies nothing. Pure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scan {
    /// Axes of the iteration space.
    pub rank: usize,
    /// The axis that is run along.
    pub axis: usize,
    /// What is computed at each point: one output, and one more where there is a factor.
    pub body: Body,
    /// How outputs are combined; not positional.
    pub reducer: Reducer,
    /// Computed from each running total; its one output is the result. `None`: the total itself.
    pub epilogue: Option<Body>,
    /// Memory order of the result.
    pub order: Order,
}

/// An elementwise computation written to existing views. Operands: `rank` extents, one destination per output, then inputs.
///
/// Destinations have exactly these extents and are injective. Hazard-free: see [`Phase::Placed`]. Writes its destinations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    /// Axes of the iteration space.
    pub rank: usize,
    /// What is computed at each point; output `k` goes to destination `k`.
    pub body: Body,
}

/// An elementwise computation written to elements that it computes itself. Operands: `rank` extents, the destinations, inputs, tables.
///
/// The body's outputs are a value for each destination, then one index an axis of them, then, if there is one more, a bool: whether the point writes at
/// all. Indices of points that write are in range. As if the points ran one after the other in C order: the last one that writes an element wins.
/// What it reads is as if it had been copied before, but for the first table of one that accumulates. Writes its destination.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scatter {
    /// Axes of the iteration space.
    pub rank: usize,
    /// What is computed at each point.
    pub body: Body,
    /// How points that write one element meet.
    pub meeting: Meeting,
    /// Number of destinations, all written at the same indices; one of points that accumulate.
    pub n_destinations: usize,
}

/// What the points of a scatter that write one element know of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meeting {
    /// Nothing: the last one wins.
    LastWins,
    /// There are no two such points, so that points run in any order.
    Apart,
    /// The first table is the destination itself, as the points before left it.
    Accumulating,
}

/// The points at which a condition holds, counted or moved by tiles: tile `t` has the points from `t · TILE` on in C order, [`TILE`] at most. Operands:
/// `rank` extents, what is written, inputs, tables.
///
/// Without destinations it writes one vector of `int64`, which has an element for each tile: how many of its points the condition holds at. The body's one
/// output is the condition.
/// Else it writes the destinations, which are vectors, and the operand behind them is the running sum of such counts of the same condition. The body's
/// outputs are a value for each destination, then the condition. The values of the points where it holds are written next to each other in C order.
/// What is read is not written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Compact {
    /// Axes of the iteration space.
    pub rank: usize,
    /// What is computed at each point.
    pub body: Body,
    /// Number of destinations; 0: points are counted.
    pub n_destinations: usize,
}

/// Points of a tile of [`Compact`].
pub const TILE: i64 = numptx_abi::Kernel::TILE;

/// A structured program run at every index of an iteration space. Operands: `rank` extents, the tables that the code stores to, the tables that
/// it only loads from, its scalar operands.
///
/// Tables are arrays of any shape. Points run in any order or at once: no point stores to an element that another one loads or stores. An element
/// that is stored to is met through one table only; tables that are only loaded from may overlap, or be one array. Indices are in range. Without
/// axes there is one point: a sequential program. Writes the tables that the code stores to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Nest {
    /// Axes of the iteration space.
    pub rank: usize,
    /// What is run at each point.
    pub code: Code,
}

impl Compact {
    /// Number of arrays that are written.
    pub fn n_written(&self) -> usize {
        self.n_destinations.max(1)
    }

    /// Number of operands behind the extents that are no inputs: what is written, and the counts that say where to.
    pub fn n_fixed(&self) -> usize {
        self.n_written() + usize::from(self.n_destinations > 0)
    }
}

impl Reduce {
    /// Number of results.
    pub fn n_results(&self) -> usize {
        self.epilogue.as_ref().map_or(self.reducers.len(), |epilogue| epilogue.outputs.len())
    }

    /// Dtypes of the results; `None` where a reducer is not defined on its element.
    pub fn result_dtypes(&self) -> Option<Vec<DType>> {
        let elements = self.body.outputs.iter().map(|v| self.body.dtype(*v));
        let reduced: Option<Vec<DType>> = self.reducers.iter().zip(elements).map(|(r, d)| r.result(d)).collect();
        Some(match &self.epilogue {
            Some(epilogue) => epilogue.output_dtypes(),
            None => reduced?,
        })
    }
}

impl Scan {
    /// Dtype of the result; `None` where the reducer is not defined on the element, or a body has no output.
    pub fn result_dtype(&self) -> Option<DType> {
        let element = self.body.outputs.first().map(|v| self.body.dtype(*v))?;
        let total = self.reducer.result(element)?;
        match &self.epilogue {
            Some(epilogue) => epilogue.outputs.first().map(|v| epilogue.dtype(*v)),
            None => Some(total),
        }
    }
}
