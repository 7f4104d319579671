//! A loop as a program: what is translated, what is known around it, and what a translation gives.
//!
//! `translate` makes a [`Translation`] of a [`Program`], or says in a [`Refused`] why there is none.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, ValueId};
use numptx_ir::scalar::{Code, Constant};
use numptx_source::Span;

use crate::analysis::apart::Apart;
use crate::analysis::points_to::PointsTo;
use crate::loops::assumptions::assumed::Assumed;
use crate::loops::assumptions::kinds::Assumption;
use crate::loops::dependence::{AccessId, Answers, LoopId, Nest, Variable};
use crate::loops::idioms::updates::Updates;
use crate::loops::nest::rows::broadcasts::Extents;
use crate::loops::nest::rows::originals::Reductions;
use crate::loops::nest::scope::Sums;
use crate::loops::schedule::cooperative::shares::Shares;
use crate::loops::schedule::wavefronts::groups::WavefrontProgram;
use crate::loops::storage::expanded_arrays::ExpandedArrays;

/// Why a loop cannot be a program: in words, lower case, no full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal(pub &'static str);

impl Refusal {
    /// Rows are not in order, as far as is known.
    pub const ROWS_IN_DISORDER: Self = Refusal("rows that it writes are read by elements that come later");
    /// Two arrays, of which it writes one.
    pub const MAY_OVERLAP: Self = Refusal("arrays that it writes may share memory with others");
    /// Two views of one array, of which it writes one, and of which not all is known.
    pub const VIEWS_MAY_OVERLAP: Self = Refusal("views of one array, which it writes, may overlap");
}

/// A refusal, and what is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Why.
    pub why: Refusal,
    /// The place; `None`: the loop itself.
    pub at: Option<Span>,
}

impl From<Refusal> for Refused {
    fn from(why: Refusal) -> Self {
        Refused { why, at: None }
    }
}

/// A loop that becomes an axis of the nest.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The loop's index.
    pub index: ValueId,
    /// The axis. Several loops, none of them in another, may be on one.
    pub number: u32,
    /// Where its indices begin.
    pub origin: Origin,
    /// Where a launch has a part of the work items: the number of its first one.
    pub from: Option<ValueId>,
}

/// Where the indices of an axis begin.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// At the loop's own lower bound; there are as many work items as iterations.
    Own,
    /// There, and there may be more work items than iterations: a work item looks whether it comes before the end.
    OwnWithin,
    /// At this number for all work items: each looks whether it is in the loop's range.
    Shared(ValueId),
}

impl Origin {
    /// The number where all begin.
    pub fn shared(self) -> Option<ValueId> {
        match self {
            Origin::Shared(value) => Some(value),
            Origin::Own | Origin::OwnWithin => None,
        }
    }
}

/// A loop as a program.
#[derive(Debug)]
pub struct Translation {
    /// The program.
    pub code: Code,
    /// Its tables, written ones first.
    pub tables: Vec<ValueId>,
    /// Its inputs.
    pub scalars: Vec<ValueId>,
    /// Loops and accesses.
    pub nest: Nest,
    /// The loop of an index.
    pub loops: HashMap<ValueId, LoopId>,
    /// What every symbol of the nest that is the same everywhere stands for.
    pub symbols: HashMap<Variable, ValueId>,
    /// What has to hold for no check to fail but those that work items make.
    pub assumptions: Vec<Assumption>,
    /// The expression or statement of each access.
    pub places: HashMap<AccessId, Span>,
    /// Of each load of an element, which op makes it, counted from 1 in the order of the text, and through which view.
    pub reads: HashMap<AccessId, (u32, ValueId)>,
    /// The conditions of the checks that work items make.
    pub at_work_items: HashSet<ValueId>,
    /// The checks that work items make, in their order; if it was asked for which one fails, a work item writes its number to the fault, from 1 on.
    pub raised: Vec<Raised>,
    /// The arrays of symbols that stand for their elements.
    pub elements: HashMap<Variable, ValueId>,
    /// What these are called in the program, as far as they have names.
    pub element_names: HashMap<Variable, String>,
}

/// What is known of a function before its loops are taken apart.
pub struct Surroundings<'f> {
    /// The function, perhaps without its body.
    pub function: &'f Function,
    /// Which memory arrays may refer to.
    pub points_to: &'f PointsTo,
    /// Which arrays share no memory in spite of that.
    pub apart: &'f Apart,
    /// Where extents come from.
    pub extents: &'f Extents,
    /// Arrays of which each iteration has its own, as far as values go.
    pub temporaries: &'f ExpandedArrays,
    /// Its constants.
    pub constants: &'f HashMap<ValueId, Constant>,
    /// Which of the stores update.
    pub updates: &'f Updates,
    /// Which loops combine what may be combined in any order.
    pub reductions: &'f Reductions,
    /// How checks are made.
    pub checks: Checks<'f>,
    /// Broadcasts of arrays that have those extents already, but for axes of extent 1.
    pub broadcasts: &'f HashSet<ValueId>,
    /// What may be required for the sake of the order of iterations.
    pub assumed: Option<&'f Assumed>,
    /// What scalars are sums of; looked at where something is assumed.
    pub sums: &'f Sums,
    /// What the dependence analysis was asked before.
    pub answers: &'f Answers,
}

/// What is to be translated.
#[derive(Clone, Copy, Debug)]
pub struct Program<'p> {
    /// Ops, loops among them.
    pub ops: &'p [Op],
    /// The loops that work items stand for.
    pub axes: &'p [Axis],
    /// Scalars that the ops define, and arrays of rank 0 that they go to.
    pub results: &'p [(ValueId, ValueId)],
    /// A loop that all threads share, as wavefronts.
    pub wavefront: Option<&'p WavefrontProgram>,
    /// Of a cooperative program: the loops that its threads share, each for itself.
    pub shares: Option<&'p Shares>,
    /// Whether each access has a step of its own, though several may load one element.
    pub is_as_written: bool,
}

impl<'p> Program<'p> {
    /// Ops as they stand.
    pub fn of(ops: &'p [Op]) -> Self {
        Program { ops, axes: &[], results: &[], wavefront: None, shares: None, is_as_written: false }
    }
}

/// How a program makes its checks.
#[derive(Clone, Copy, Debug)]
pub struct Checks<'f> {
    /// An `i64` array of rank 0 that work items set.
    pub fault: ValueId,
    /// The conditions of the checks that work items make; those of others are required. `None`: that is to be decided.
    pub at_work_items: Option<&'f HashSet<ValueId>>,
    /// An `i64` array of rank 1, for what the message of a check that fails mentions: the work item is alone, and tells which one it was.
    pub payload: Option<ValueId>,
}

impl Checks<'_> {
    /// Whether it is known which checks work items make.
    pub fn is_decided(&self) -> bool {
        self.at_work_items.is_some()
    }
}

/// A check that a work item made.
#[derive(Clone, Debug)]
pub struct Raised {
    /// The check.
    pub kind: OpKind,
    /// Dtypes of what its message mentions, where that is told.
    pub payload: Vec<DType>,
    /// Where it stands.
    pub span: Span,
}

/// Of loops that are no counted ones: `while`, and those with `break` or `return`.
pub const ENDS_ITSELF: &str = "each iteration decides whether there is another one";
