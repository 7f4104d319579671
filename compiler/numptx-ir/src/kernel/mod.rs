//! Kernel IR: datatypes only. A kernel is what one launch does.
//!
//! A kernel has an iteration space of `rank` axes: kept ones first, then `n_reduced` reduced ones; extents are given at the launch.
//! The axis of a scan is its one reduced axis.
//! Of a kernel of rows, which has several phases, each kept point goes through all phases, one after the other.
//! Its memory operands are addressed by a base and one stride an axis, given at the launch. Its body is a sequence of nodes, run in order.
//!
//! A kernel is emitted twice, for the device and for the host, and interpreted in random thread order with shadow memory to find races.

pub mod interpret;
mod nest;
pub mod parse;
pub mod print;
pub mod verify;

use crate::DType;
use crate::scalar::{Body, Code, Reducer, Val};

/// A kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// A PTX identifier, unique in the module.
    pub name: String,
    /// Axes of the iteration space.
    pub rank: usize,
    /// Trailing axes that are reduced.
    pub n_reduced: usize,
    /// Memory operands, in the order of the launch's arrays.
    pub operands: Vec<Operand>,
    /// Scalar operands, in the order of the launch's scalars.
    pub scalars: Vec<DType>,
    /// Operands that the bodies index themselves.
    pub tables: Vec<Table>,
    /// What is done.
    pub body: Vec<Node>,
    /// How it is spread over threads.
    pub schedule: Schedule,
}

/// What a kernel does with an operand's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Access {
    Read,
    Write,
    ReadWrite,
}

/// A memory operand: element at point (i₀, …) is `base + Σ iₖ · strideₖ`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Element type.
    pub dtype: DType,
    /// Read, written or both. A written operand is injective on the kept axes; of a scan, and of a map in a kernel of rows, on all axes.
    pub access: Access,
    /// One entry an axis: whether the stride is 0 at every launch (a broadcast; every reduced axis of an operand that a
    /// reduction writes).
    pub fixed: Vec<bool>,
    /// Whether no written operand of this kernel may share memory with it.
    pub noalias: bool,
}

/// An operand of which the bodies say themselves which element they mean: the one at indices (i₀, …) is `base + Σ iₖ · strideₖ`, in bytes.
/// It stands still along every axis of the iteration space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its operand, which is no other table's and neither loaded nor stored at points.
    pub operand: usize,
    /// The scalar operands (`int64`) that hold its strides, one an axis.
    pub strides: Vec<usize>,
}

impl Operand {
    /// Whether its strides are 0 along all axes at every launch.
    pub fn is_scalar(&self) -> bool {
        self.fixed.iter().all(|f| *f)
    }
}

/// One step of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A parallel phase over the whole iteration space. Several make a kernel of rows: reductions, of which later phases read what they gave, then at most
    /// one map.
    Phase(Phase),
    /// A structured program, run at every point of the iteration space; the kernel's only node. Input `n` is scalar operand `n`, table `n` the
    /// kernel's. Points are independent: no point touches a byte that another one writes.
    Code(Code),
}

/// At every point of the iteration space: loads, then the body, then stores; with reductions, the body feeds the reducers, the epilogue
/// follows once per kept point, and the stores write its outputs. In a scan the epilogue and the stores follow at every index, with the
/// reducers' values of this and all earlier indices along the reduced axis.
///
/// Points (kept points, with reductions; every index, in a scan) are independent: no point reads what another writes. With scatters that are not apart they run
/// in C order instead, and the tables that are scattered to may be read, too.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// What input `n` of the body is.
    pub inputs: Vec<Input>,
    /// The scalar computation.
    pub body: Body,
    /// The reducers, one an output of the body; empty for a map. A scan whose only one is `add` may have one more output, the factor: the total is
    /// the one before times the factor, plus the first output.
    pub reducers: Vec<Reducer>,
    /// Whether the reducers' running values are given at every index, instead of their last ones.
    pub is_scan: bool,
    /// With reducers: computed from the reduced values (input `k` is reducer `k`'s result). `None`: the reduced values themselves.
    pub epilogue: Option<Body>,
    /// What is written.
    pub stores: Vec<StoreTo>,
    /// What is written to elements that the body computes; without reducers only.
    pub scatters: Vec<ScatterTo>,
    /// Whether tiles of points are counted or moved; without reducers and stores only.
    pub tiles: Option<Tiles>,
}

/// What is done with the points at which a condition holds, the body's last output. Tile `t` has the points from `t · TILE` on in C order,
/// [`TILE`](crate::array::TILE) at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tiles {
    /// Element `t` of a table of one axis (`int64`) becomes how many there are in tile `t`.
    Count(usize),
    /// Element `t` of a table of one axis (`int64`) is how many there are in the tiles up to `t`. The scatters write the points' outputs next to each other
    /// in C order, to tables of one axis, and name no indices.
    Move(usize),
}

impl Tiles {
    /// The table that has an element for each tile.
    pub fn table(self) -> usize {
        match self {
            Tiles::Count(table) | Tiles::Move(table) => table,
        }
    }
}

/// What an input of a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// The element of memory operand `n` at this point.
    Load(usize),
    /// Scalar operand `n`.
    Scalar(usize),
    /// What earlier phases gave at this kept point: of all that their epilogues give, or their reducers where they have none, number `n`.
    Row(usize),
    /// What the bodies of earlier phases gave at this point: of all their outputs, number `n`.
    Held(usize),
}

/// A store: output `output` of the body (map) or of the epilogue (or the reducers) to an operand's element at this point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoreTo {
    /// The memory operand.
    pub operand: usize,
    /// Which output.
    pub output: usize,
}

/// A scatter: output `output` of the body to the element of a table at other outputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ScatterTo {
    /// The table.
    pub table: usize,
    /// Which output.
    pub output: usize,
    /// The outputs that are the indices, one an axis of the table, each in range where the point writes.
    pub at: Vec<usize>,
    /// The output that says whether the point writes; `None`: it does.
    pub when: Option<usize>,
    /// Whether no two points write one element and none reads one.
    pub is_apart: bool,
}

/// How a kernel is spread over a device's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Threads of a block.
    pub block: u32,
    /// Elements that one thread of the flat variant handles, or holds of a row; a power of two.
    pub vector: u32,
}

impl Phase {
    /// Whether the body has a factor, which totals are multiplied by.
    pub fn has_factor(&self) -> bool {
        self.is_scan && self.body.outputs.len() > self.reducers.len()
    }
}

impl Kernel {
    /// The value that a store writes, when the phase has no reducers.
    pub fn stored(phase: &Phase, store: &StoreTo) -> Val {
        phase.body.outputs[store.output]
    }

    /// The phases, in order.
    pub fn phases(&self) -> impl Iterator<Item = &Phase> {
        self.body.iter().filter_map(|node| if let Node::Phase(phase) = node { Some(phase) } else { None })
    }

    /// As [`Kernel::phases`], to be changed.
    pub fn phases_mut(&mut self) -> impl Iterator<Item = &mut Phase> {
        self.body.iter_mut().filter_map(|node| if let Node::Phase(phase) = node { Some(phase) } else { None })
    }

    /// The structured program, if it is one.
    pub fn code(&self) -> Option<&Code> {
        self.body.iter().find_map(|node| if let Node::Code(code) = node { Some(code) } else { None })
    }

    /// Whether the body reads an index, so that axes must be launched as given.
    pub fn is_indexed(&self) -> bool {
        self.code().is_some() || self.phases().any(|phase| phase.body.uses_index())
    }

    /// The table that an operand is, if it is one.
    pub fn table_of(&self, operand: usize) -> Option<&Table> {
        self.tables.iter().find(|table| table.operand == operand)
    }

    /// Whether several phases follow each other at each kept point.
    pub fn is_rows(&self) -> bool {
        self.body.len() > 1
    }

    /// Whether a map of a kernel of rows stores an operand, at all its points.
    pub fn is_mapped(&self, operand: usize) -> bool {
        let maps = |phase: &Phase| phase.reducers.is_empty() && phase.stores.iter().any(|s| s.operand == operand);
        self.is_rows() && self.phases().any(maps)
    }

    /// Whether it is a scan.
    pub fn is_scan(&self) -> bool {
        self.phases().any(|phase| phase.is_scan)
    }

    /// Whether tiles of points are counted or moved.
    pub fn is_tiled(&self) -> bool {
        self.phases().any(|phase| phase.tiles.is_some())
    }

    /// Whether points depend on each other's writes, so that they run in C order, or as if.
    pub fn is_sequential(&self) -> bool {
        self.phases().any(|phase| phase.scatters.iter().any(|s| !s.is_apart))
    }

    /// The memory operands whose elements a sum multiplies, where the kernel is that sum and nothing else: others may compute it as a product of matrices.
    pub fn factors(&self) -> Option<[usize; 2]> {
        let [Node::Phase(phase)] = self.body.as_slice() else { return None };
        let [StoreTo { operand, output: 0 }] = phase.stores.as_slice() else { return None };
        let inputs = phase.body.factors().or_else(|| phase.body.integer_factors())?;
        let factors = inputs.map(|input| match phase.inputs.get(input as usize) {
            Some(Input::Load(operand)) => Some(*operand),
            _ => None,
        });
        let is_sum = phase.reducers == [Reducer::Add] && !phase.is_scan && phase.epilogue.is_none();
        let dtype = self.operands.get(*operand)?.dtype;
        let is_stored = phase.body.outputs.iter().all(|output| phase.body.dtype(*output) == dtype);
        match factors {
            [Some(a), Some(b)] if is_sum && is_stored && self.scalars.is_empty() && self.tables.is_empty() => {
                Some([a, b])
            }
            _ => None,
        }
    }

    /// Whether a reducer depends on the order of elements.
    pub fn is_ordered(&self) -> bool {
        self.phases().any(|phase| phase.reducers.iter().any(|r| r.is_positional()))
    }
}
