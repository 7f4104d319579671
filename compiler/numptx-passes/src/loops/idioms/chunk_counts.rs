//! In how many chunks a loop combines values with elements.
//!
//! In: a loop that is a histogram, and the arrays that it updates. Out: host scalars that follow from extents and from the place alone, so that results
//! never change from run to run. On the host there are many iterations for each element of a chunk's arrays, which its caches have to hold.
//! A device has more chunks: iterations of one follow each other, and its memory makes and combines many elements while one of them runs.
//!
//! With `t` rounds in all and `e` elements, `c` chunks take `t / c` rounds one after the other, and elements that take as long as `c · e / E` rounds:
//!
//! ```text
//! c = sqrt(t · E / e)        takes least time
//! ```

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::Span;

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::dependence::{LoopId, Step, Subscript, Variable};
use crate::loops::idioms::updates::Combination;
use crate::loops::nest::iterations::{Iterations, iterations};
use crate::loops::schedule::cost::{
    CHUNK_ELEMENTS_OF_DEVICE, CHUNK_ELEMENTS_OF_HOST, CHUNK_ITERATIONS, CHUNK_ITERATIONS_AN_ELEMENT, CHUNK_ROUNDS,
    ELEMENTS_A_ROUND, FEW_ELEMENTS, MOST_CHUNKS, ROUND_OF_LANES, ROUND_OF_OWNERS,
};
use crate::loops::schedule::plan::Plan;

/// Limit: more elements of arrays count as so many, so that sums do not wrap.
const MOST_ELEMENTS: i64 = 1 << 48;

/// A loop that updates elements.
pub struct Stores<'o> {
    pub op: &'o Op,
    /// The arrays.
    pub updated: &'o [(ValueId, Combination)],
    /// Whether work items of loops in it are threads of their own.
    pub are_inside: bool,
}

/// The chunks of a loop.
pub struct Chunks {
    /// How many.
    pub number: ValueId,
    /// Iterations of each.
    pub length: ValueId,
    /// Iterations of all.
    pub n: ValueId,
    /// Whether a device runs them.
    pub on_device: ValueId,
    /// Whether the lanes of a device's warp share a chunk.
    pub are_shared: bool,
    /// A loop in it whose iterations do not count.
    pub uncounted: Option<Span>,
}

impl Chunks {
    /// How many chunks a loop has; none if its step is not known.
    pub fn of(host: &mut HostProgram, plan: &Plan, stores: &Stores) -> Option<Self> {
        let op = stores.op;
        let id = plan.whole.loops.get(&op.regions[0].parameters[0])?;
        let Step::Known(step) = plan.whole.nest.loop_of(*id).step else { return None };
        let n = host.count((op.operands[0], op.operands[1]), step)?;
        let work = iterations(host, plan, op, n)?;
        let size = host.size(stores.updated)?;
        let of_host = host.chunks_of_host(&work, size);
        let are_shared = !stores.are_inside && work.uncounted.is_none() && stores.are_shared() && chooses(*id, plan);
        let all = if stores.are_inside { n } else { work.of_all.unwrap_or(work.of_boxes) };
        let at_once = host.number(if are_shared { ROUND_OF_LANES } else { ROUND_OF_OWNERS });
        let rounds = host.rounded_up(all, at_once);
        let of_device = host.chunks_of_device(rounds, size);
        let (zero, one) = (host.number(0), host.number(1));
        let on_device = host.scalar(OpKind::OneLaunch, vec![one, one, zero], DType::Bool);
        let more = host.integer(ScalarOp::Max, of_host, of_device);
        let mut number = host.scalar(OpKind::Scalar(ScalarOp::Select), vec![on_device, more, of_host], DType::I64);
        let most = host.number(MOST_CHUNKS);
        number = host.integer(ScalarOp::Min, number, most);
        number = host.integer(ScalarOp::Min, number, n);
        number = host.integer(ScalarOp::Max, number, one);
        let length = host.rounded_up(n, number);
        let length = host.integer(ScalarOp::Max, length, one);
        // Without those that would be empty.
        let number = host.rounded_up(n, length);
        Some(Chunks { number, length, n, on_device, are_shared, uncounted: work.uncounted })
    }
}

impl Stores<'_> {
    /// Whether the lanes of a warp may share a chunk: each array is updated in one place.
    fn are_shared(&self) -> bool {
        let mut roots = HashSet::new();
        stored_in(self.op).into_iter().all(|(_, root)| roots.insert(root))
    }
}

impl HostProgram<'_> {
    /// How many elements arrays have, and one.
    fn size(&mut self, arrays: &[(ValueId, Combination)]) -> Option<ValueId> {
        let mut size = self.number(1);
        for (array, _) in arrays {
            let mut elements = self.number(1);
            for axis in 0..self.array(*array)?.rank {
                let extent = self.scalar(OpKind::Dim(axis), vec![*array], DType::I64);
                elements = self.product(elements, extent);
            }
            let most = self.number(MOST_ELEMENTS);
            elements = self.integer(ScalarOp::Min, elements, most);
            size = self.integer(ScalarOp::Add, size, elements);
        }
        Some(size)
    }

    /// Chunks whose arrays, with so many elements each, are little work beside the iterations.
    fn chunks_of_host(&mut self, work: &Iterations, size: ValueId) -> ValueId {
        let least = self.number(CHUNK_ITERATIONS);
        let mut by = self.multiple(size, CHUNK_ITERATIONS_AN_ELEMENT);
        by = self.integer(ScalarOp::Max, by, least);
        let chunks = self.integer(ScalarOp::FloorDiv, work.of_boxes, by);
        let Some(all) = work.of_all else { return chunks };
        let most = self.number(CHUNK_ELEMENTS_OF_HOST);
        let room = self.integer(ScalarOp::FloorDiv, most, size);
        let room = self.integer(ScalarOp::Max, room, chunks);
        let chunks = self.integer(ScalarOp::FloorDiv, all, by);
        self.integer(ScalarOp::Min, chunks, room)
    }

    /// Chunks of loops with so many rounds that take least time on a device, as far as there is memory for them.
    fn chunks_of_device(&mut self, rounds: ValueId, size: ValueId) -> ValueId {
        let few = self.number(FEW_ELEMENTS);
        let elements = self.integer(ScalarOp::Max, size, few);
        let [rounds_of, elements] = [rounds, elements].map(|v| self.float(ScalarOp::Cast, vec![v]));
        let by = self.scalar(OpKind::Constant(Constant::Float(ELEMENTS_A_ROUND as f64)), Vec::new(), DType::F64);
        let work = self.float(ScalarOp::Mul, vec![rounds_of, by]);
        let ratio = self.float(ScalarOp::Div, vec![work, elements]);
        let root = self.float(ScalarOp::Sqrt, vec![ratio]);
        let best = self.scalar(OpKind::Scalar(ScalarOp::Cast), vec![root], DType::I64);
        let (least, most) = (self.number(CHUNK_ROUNDS), self.number(CHUNK_ELEMENTS_OF_DEVICE));
        let long = self.integer(ScalarOp::FloorDiv, rounds, least);
        let room = self.integer(ScalarOp::FloorDiv, most, size);
        let best = self.integer(ScalarOp::Min, best, long);
        self.integer(ScalarOp::Min, best, room)
    }

    fn float(&mut self, op: ScalarOp, operands: Vec<ValueId>) -> ValueId {
        self.scalar(OpKind::Scalar(op), operands, DType::F64)
    }
}

/// Whether data that change in a loop tell which elements are updated in it.
pub fn chooses(id: LoopId, plan: &Plan) -> bool {
    let nest = &plan.whole.nest;
    let changes = |variable: &Variable| match variable {
        Variable::Symbol(symbol) => nest.varies_in(*symbol).is_some(),
        Variable::Index(_) => false,
    };
    let is_chosen = |subscript: &Subscript| match subscript {
        Subscript::Index(at) => at.terms().iter().any(|(variable, _)| changes(variable)),
        Subscript::Interval { .. } => false,
        Subscript::Unknown => true,
    };
    let mut updates = nest.access_ids().filter(|a| nest.is_within(*a, id)).map(|a| nest.access(a));
    updates.any(|access| access.group.is_some() && access.subscripts.iter().any(is_chosen))
}

/// The views that the stores in a loop write, in order, and the arrays that they are views of.
pub fn stored_in(op: &Op) -> Vec<(ValueId, ValueId)> {
    let (mut views, mut found) = (HashMap::new(), Vec::new());
    let mut visit = |op: &Op| {
        if op.kind.is_view() {
            views.insert(op.results[0], op.operands[0]);
        }
        let OpKind::Store(store) = &op.kind else { return };
        for view in &op.operands[store.rank..][..store.body.outputs.len()] {
            let mut root = *view;
            while let Some(of) = views.get(&root) {
                root = *of;
            }
            found.push((*view, root));
        }
    };
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    found
}
