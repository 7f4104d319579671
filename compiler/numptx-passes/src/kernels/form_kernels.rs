//! **Does**: turns every `map`, `reduce`, `scan`, store, `scatter`, `compact` and `nest` into a kernel and its launch, and every fresh result into an `alloc`.
//! Reductions of the same rows that follow each other, and what is computed elementwise of what they give, are a kernel of rows, too, where the runtime wants
//! it.
//! **Requires**: phase Placed.
//! **Ensures**: phase Host; structurally equal kernels are one; operands that are the same array are one operand. What a kernel of rows would do is launched
//! by kernels of their own where it is not.
//! **Keeps**: the order of computations and writes, and the memory order of fresh arrays.
//! **Example**: `%y = map (%n; %a, %x) mul` becomes `%y = alloc %n f64; launch @f_k0 (%n; %y, %x; %a)`.

mod nest;
mod row_groups;
mod rows;

use std::collections::BTreeMap;

use numptx_ir::DType;
use numptx_ir::array::{
    Compact, Function, KernelId, Meeting, Module, Op, OpKind, Order, OrderTerm, Phase as FunctionPhase, Reduce, Region,
    Scan, ValueId,
};
use numptx_ir::kernel::{Access, Input, Kernel, Node, Operand, Phase, ScatterTo, Schedule, StoreTo, Table, Tiles};
use numptx_ir::scalar::{Body, Instr, InstrKind, Reducer, ScalarOp};
use numptx_source::{InternalError, Span};

use crate::Pass;
use crate::analysis::memory::Writes;
use crate::kernels::form_kernels::row_groups::RowGroups;
use crate::loops::schedule::cost::{BLOCK_THREADS, LONG_BODY_ELEMENTS, SHORT_BODY, VECTOR_BYTES};
use crate::rewrite::emit::Emitter;
use crate::rewrite::extents::diagonal_axis;
use crate::rewrite::function::{Place, Rewrite, rebuild};
use crate::source::computations::{compress, map_order};
use crate::source::remove_dead::remove_dead_ops;

/// See the file's header.
pub const FORM_KERNELS: Pass = Pass::required("form-kernels", "make a kernel of every computation", form_kernels);

fn form_kernels(module: &mut Module) -> Result<(), InternalError> {
    let mut kernels = Kernels { list: std::mem::take(&mut module.kernels), stem: String::new(), n_named: 0 };
    for function in &mut module.functions {
        kernels.begin(&function.name);
        form_function(function, &mut kernels);
    }
    module.kernels = kernels.list;
    Ok(())
}

fn form_function(function: &mut Function, kernels: &mut Kernels) {
    let groups = RowGroups::of(function);
    let mut pass = FormKernels { writes: Writes::of(function), kernels, groups, withheld: BTreeMap::new() };
    rebuild(function, &mut pass);
    function.phase = FunctionPhase::Host;
    remove_dead_ops(function);
}

/// The module's kernels.
struct Kernels {
    list: Vec<Kernel>,
    /// The current function's name as a PTX identifier.
    stem: String,
    n_named: usize,
}

impl Kernels {
    fn begin(&mut self, function: &str) {
        self.stem = function.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        self.n_named = 0;
    }

    /// The kernel that is equal but for its name, else this one under a new name.
    fn intern(&mut self, mut kernel: Kernel) -> KernelId {
        let is_equal = |other: &Kernel| {
            kernel.rank == other.rank
                && kernel.n_reduced == other.n_reduced
                && kernel.operands == other.operands
                && kernel.scalars == other.scalars
                && kernel.tables == other.tables
                && kernel.body == other.body
                && kernel.schedule == other.schedule
        };
        if let Some(position) = self.list.iter().position(is_equal) {
            return KernelId(position as u32);
        }
        loop {
            kernel.name = format!("{}_k{}", self.stem, self.n_named);
            self.n_named += 1;
            if self.list.iter().all(|k| k.name != kernel.name) {
                break;
            }
        }
        self.list.push(kernel);
        KernelId(self.list.len() as u32 - 1)
    }
}

struct FormKernels<'k> {
    writes: Writes,
    kernels: &'k mut Kernels,
    groups: RowGroups,
    /// By the place of a group's last member: the launches of those before it.
    withheld: BTreeMap<Place, Vec<Made>>,
}

/// A kernel, and the launch that runs it once.
struct Made {
    kernel: Kernel,
    extents: Vec<ValueId>,
    arrays: Vec<ValueId>,
    scalars: Vec<ValueId>,
    /// Whether what is written was allocated for this launch.
    is_fresh: bool,
    span: Span,
}

/// A computation about to become a kernel.
struct Launch {
    extents: Vec<ValueId>,
    n_reduced: usize,
    written: Vec<ValueId>,
    /// Whether what is written was allocated for this launch.
    is_fresh: bool,
    inputs: Vec<ValueId>,
    /// Arrays that the body indexes itself; with a scatter also its destination.
    tables: Vec<ValueId>,
    /// The tables that are scattered to, or that tiles are counted in.
    scattered: Vec<usize>,
    places: Places,
    body: Body,
    reducers: Vec<Reducer>,
    is_scan: bool,
    epilogue: Option<Body>,
}

/// Which elements work items scatter to.
enum Places {
    /// Any: they run in C order, or as if.
    Any,
    /// No two of them to one.
    Apart,
    /// To neighbouring ones where a condition holds; or they are counted.
    OfTiles(Tiles),
}

impl Places {
    fn tiles(&self) -> Option<Tiles> {
        if let Places::OfTiles(tiles) = self { Some(*tiles) } else { None }
    }
}

impl Rewrite for FormKernels<'_> {
    fn emit(&mut self, emitter: &mut Emitter, mut op: Op, place: Place) {
        let is_computation = matches!(op.kind, OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Scan(_));
        if !is_computation
            && (op.kind.destinations().is_none() || matches!(op.kind, OpKind::Sort(_) | OpKind::External(_)))
        {
            return emitter.emit(op);
        }
        op.operands.iter_mut().for_each(|v| *v = emitter.resolve(*v));
        if let OpKind::Nest(nest) = &op.kind {
            return self.nest(emitter, nest, &op);
        }
        let launch = match &op.kind {
            OpKind::Map(map) => {
                let (extents, inputs) = op.operands.split_at(map.rank);
                let written = allocate(emitter, &op, extents, inputs, &map.order);
                Launch::map(extents, written, true, inputs, &map.body)
            }
            OpKind::Reduce(reduce) => {
                let (extents, inputs) = op.operands.split_at(reduce.rank);
                let kept = &extents[..reduce.rank - reduce.n_reduced];
                let written = allocate(emitter, &op, kept, inputs, &reduce.order);
                Launch::map(extents, written, true, inputs, &reduce.body).reducing(reduce)
            }
            OpKind::StoreReduce(reduce) => {
                let (extents, rest) = op.operands.split_at(reduce.rank);
                let (written, inputs) = rest.split_at(reduce.n_results());
                Launch::map(extents, written.to_vec(), false, inputs, &reduce.body).reducing(reduce)
            }
            OpKind::Scan(scan) => {
                let (extents, inputs) = op.operands.split_at(scan.rank);
                let written = allocate(emitter, &op, extents, inputs, &scan.order);
                Launch::map(extents, written, true, inputs, &scan.body).scanning(emitter, scan)
            }
            OpKind::StoreScan(scan) => {
                let (extents, rest) = op.operands.split_at(scan.rank);
                Launch::map(extents, rest[..1].to_vec(), false, &rest[1..], &scan.body).scanning(emitter, scan)
            }
            OpKind::Store(store) => {
                let (extents, rest) = op.operands.split_at(store.rank);
                let (written, inputs) = rest.split_at(store.body.outputs.len());
                Launch::map(extents, written.to_vec(), false, inputs, &store.body)
            }
            OpKind::Scatter(scatter) => {
                let (extents, rest) = op.operands.split_at(scatter.rank);
                let (destinations, inputs) = rest.split_at(scatter.n_destinations);
                let mut launch = Launch::map(extents, Vec::new(), false, inputs, &scatter.body);
                for destination in destinations {
                    let table = launch.tables.iter().position(|v| v == destination).unwrap_or_else(|| {
                        launch.tables.push(*destination);
                        launch.tables.len() - 1
                    });
                    launch.scattered.push(table);
                }
                launch.places = if scatter.meeting == Meeting::Apart { Places::Apart } else { Places::Any };
                launch
            }
            OpKind::Compact(compact) => Launch::compacting(compact, &op.operands),
            _ => return,
        };
        let made = self.made(emitter, launch, &op);
        match self.groups.last_of(place) {
            None => self.launch(emitter, made),
            Some(last) => {
                let group = self.withheld.entry(last).or_default();
                group.push(made);
                if last == place {
                    let group = std::mem::take(group);
                    self.rows(emitter, group);
                }
            }
        }
    }
}

/// One `alloc` a result, over `extents`.
fn allocate(emitter: &mut Emitter, op: &Op, extents: &[ValueId], inputs: &[ValueId], order: &Order) -> Vec<ValueId> {
    let (order, terms) = alloc_order(emitter, extents.len(), inputs, order);
    let operands = [extents, &terms].concat();
    for result in &op.results {
        let kind = OpKind::Alloc { dtype: emitter.ty(*result).dtype(), order: order.clone() };
        let (operands, results) = (operands.clone(), vec![*result]);
        emitter.push(Op { kind, operands, results, regions: Vec::new(), span: op.span });
    }
    op.results.clone()
}

/// The order counted among the arrays that it names, and these arrays.
fn alloc_order(emitter: &mut Emitter, rank: usize, inputs: &[ValueId], order: &Order) -> (Order, Vec<ValueId>) {
    if rank <= 1 {
        return (Order::C, Vec::new());
    }
    let mut named: Vec<usize> = (0..inputs.len()).filter(|n| !emitter.is_scalar(inputs[*n])).collect();
    if let Order::K(terms) = order {
        named.retain(|n| terms.iter().any(|t| names(t, *n)));
    } else {
        named.clear();
    }
    let rename = |n: usize| named.iter().position(|m| *m == n);
    let order = map_order(order, &rename).unwrap_or(Order::C);
    // Of an array with reduced axes, which come last, the order looks at the kept ones only.
    (order, named.iter().map(|n| inputs[*n]).collect())
}

fn names(term: &OrderTerm, input: usize) -> bool {
    match term {
        OrderTerm::Input(n) | OrderTerm::Copy(n) | OrderTerm::Joined(n) => *n == input,
        OrderTerm::Fresh { like, terms, .. } => *like == Some(input) || terms.iter().any(|t| names(t, input)),
    }
}

impl Launch {
    fn map(extents: &[ValueId], written: Vec<ValueId>, is_fresh: bool, inputs: &[ValueId], body: &Body) -> Launch {
        let (inputs, tables) = body.split_tables(inputs).unwrap_or((inputs, &[]));
        // What only the order names is not read.
        let (body, inputs, _) = compress(body.clone(), inputs.to_vec(), Order::C);
        Launch {
            extents: extents.to_vec(),
            n_reduced: 0,
            written,
            is_fresh,
            inputs,
            tables: tables.to_vec(),
            scattered: Vec::new(),
            places: Places::Any,
            body,
            reducers: Vec::new(),
            is_scan: false,
            epilogue: None,
        }
    }

    fn reducing(self, reduce: &Reduce) -> Launch {
        let (reducers, epilogue) = (reduce.reducers.clone(), reduce.epilogue.clone());
        Launch { n_reduced: reduce.n_reduced, reducers, epilogue, ..self }
    }

    fn compacting(compact: &Compact, operands: &[ValueId]) -> Launch {
        let (extents, rest) = operands.split_at(compact.rank);
        let (fixed, inputs) = rest.split_at(compact.n_fixed());
        let mut launch = Launch::map(extents, Vec::new(), false, inputs, &compact.body);
        let first = launch.tables.len();
        launch.tables.extend(fixed);
        launch.scattered = (first..first + compact.n_written()).collect();
        let counts = launch.tables.len() - 1;
        let tiles = if compact.n_destinations == 0 { Tiles::Count(counts) } else { Tiles::Move(counts) };
        Launch { places: Places::OfTiles(tiles), ..launch }
    }

    /// Along the axis of a scan, which becomes the last one.
    fn scanning(self, emitter: &mut Emitter, scan: &Scan) -> Launch {
        let mut axes: Vec<usize> = (0..scan.rank).filter(|axis| *axis != scan.axis).collect();
        axes.push(scan.axis);
        let mut turned = |arrays: &[ValueId]| -> Vec<ValueId> {
            let mut turn = |v: &ValueId| match emitter.is_scalar(*v) {
                true => *v,
                false => {
                    let view = emitter.view(OpKind::Permute { permutation: axes.clone() }, vec![*v], None);
                    emitter.same_elements(view)
                }
            };
            arrays.iter().map(&mut turn).collect()
        };
        let (written, inputs) = (turned(&self.written), turned(&self.inputs));
        Launch {
            extents: axes.iter().map(|axis| self.extents[*axis]).collect(),
            n_reduced: 1,
            written,
            inputs,
            body: with_axes(&self.body, &axes),
            reducers: vec![scan.reducer],
            is_scan: true,
            epilogue: scan.epilogue.as_ref().map(|body| with_axes(body, &axes)),
            ..self
        }
    }
}

/// A body whose axis `axes[k]` is axis `k` now.
fn with_axes(body: &Body, axes: &[usize]) -> Body {
    let mut body = body.clone();
    for instr in &mut body.instrs {
        if let InstrKind::Index(axis) = &mut instr.kind
            && let Some(position) = axes.iter().position(|old| *old == *axis as usize)
        {
            *axis = position as u32;
        }
    }
    body
}

impl FormKernels<'_> {
    fn launch(&mut self, emitter: &mut Emitter, made: Made) {
        let Made { kernel, extents, arrays, scalars, span, .. } = made;
        let kind = OpKind::Launch(self.kernels.intern(kernel));
        let operands = [extents, arrays, scalars].concat();
        emitter.push(Op { kind, operands, results: Vec::new(), regions: Vec::<Region>::new(), span });
    }

    fn made(&mut self, emitter: &mut Emitter, launch: Launch, op: &Op) -> Made {
        let mut arrays = arrays_of(emitter, &launch);
        let mut scalars: Vec<ValueId> = launch.inputs.iter().copied().filter(|v| emitter.is_scalar(*v)).collect();
        let mut operands: Vec<Operand> = arrays.iter().map(|v| self.operand(emitter, &launch, *v)).collect();
        let vector = vector_of(&operands, &launch.body);
        let mut n_scalars = 0;
        let inputs = launch.inputs.iter().map(|v| match arrays.iter().position(|a| a == v) {
            Some(position) => Input::Load(position),
            None => {
                n_scalars += 1;
                Input::Scalar(n_scalars - 1)
            }
        });
        let inputs = inputs.collect();
        let mut tables = Vec::with_capacity(launch.tables.len());
        for (n, table) in launch.tables.iter().enumerate() {
            operands.push(self.table_operand(emitter, &launch, n));
            tables.push(Table { operand: arrays.len(), strides: strides_of(emitter, *table, &mut scalars) });
            arrays.push(*table);
        }
        let stores = (0..launch.written.len()).map(|output| StoreTo { operand: output, output });
        let phase = Phase {
            inputs,
            body: launch.body.clone(),
            reducers: launch.reducers.clone(),
            is_scan: launch.is_scan,
            epilogue: launch.epilogue.clone(),
            stores: stores.collect(),
            scatters: (0..launch.scattered.len()).filter_map(|n| scatter_of(emitter, &launch, n)).collect(),
            tiles: launch.places.tiles(),
        };
        let kernel = Kernel {
            name: String::new(),
            rank: launch.extents.len(),
            n_reduced: launch.n_reduced,
            operands,
            scalars: scalars.iter().map(|v| emitter.ty(*v).dtype()).collect(),
            tables,
            body: vec![Node::Phase(phase)],
            schedule: Schedule { block: BLOCK_THREADS, vector },
        };
        Made { kernel, extents: launch.extents, arrays, scalars, is_fresh: launch.is_fresh, span: op.span }
    }

    fn operand(&self, emitter: &mut Emitter, launch: &Launch, array: ValueId) -> Operand {
        let rank = launch.extents.len();
        let is_written = launch.written.contains(&array);
        let access = match (is_written, launch.inputs.contains(&array)) {
            (true, true) => Access::ReadWrite,
            (true, false) => Access::Write,
            (false, _) => Access::Read,
        };
        let n_kept = if launch.is_scan { rank } else { rank - launch.n_reduced };
        let fixed = (0..rank).map(|axis| if is_written { axis >= n_kept } else { emitter.is_fixed(array, axis) });
        let fixed = fixed.collect();
        let written = launch.written.iter().chain(launch.scattered.iter().map(|table| &launch.tables[*table]));
        let noalias = launch.is_fresh || written.into_iter().all(|w| self.is_apart(emitter, array, *w));
        Operand { dtype: emitter.ty(array).dtype(), access, fixed, noalias }
    }

    /// The operand of a table: it stands still, the body moves it.
    fn table_operand(&self, emitter: &mut Emitter, launch: &Launch, table: usize) -> Operand {
        let array = launch.tables[table];
        let is_read =
            launch.body.instrs.iter().any(|i| matches!(i.kind, InstrKind::Element(n, _) if n as usize == table));
        let access = match (launch.scattered.contains(&table), is_read) {
            (true, true) => Access::ReadWrite,
            (true, false) => Access::Write,
            (false, _) => Access::Read,
        };
        let scattered = launch.scattered.iter().map(|table| &launch.tables[*table]);
        let noalias =
            launch.is_fresh || launch.written.iter().chain(scattered).all(|w| self.is_apart(emitter, array, *w));
        Operand { dtype: emitter.ty(array).dtype(), access, fixed: vec![true; launch.extents.len()], noalias }
    }

    /// Whether an operand is a written one itself, or has no element in common with it.
    fn is_apart(&self, emitter: &mut Emitter, array: ValueId, written: ValueId) -> bool {
        array == written || !self.writes.may_share(emitter, array, written) || emitter.are_disjoint(array, written)
    }
}

/// The positions among the launch's scalars of a table's strides.
fn strides_of(emitter: &mut Emitter, table: ValueId, scalars: &mut Vec<ValueId>) -> Vec<usize> {
    let rank = emitter.array(table).map_or(0, |a| a.rank);
    let strides = (0..rank).map(|axis| {
        scalars.push(emitter.number(OpKind::Stride(axis), vec![table], DType::I64, None)[0]);
        scalars.len() - 1
    });
    strides.collect()
}

/// The body's first outputs go to the element of tables at the others, or where tiles say; one more says whether they do.
fn scatter_of(emitter: &Emitter, launch: &Launch, output: usize) -> Option<ScatterTo> {
    let (table, n) = (launch.scattered[output], launch.scattered.len());
    let n_at = match launch.places {
        Places::OfTiles(Tiles::Count(_)) => return None,
        Places::OfTiles(Tiles::Move(_)) => 0,
        _ => emitter.array(launch.tables[table]).map_or(0, |a| a.rank),
    };
    let when = (launch.body.outputs.len() > n_at + n).then_some(n_at + n);
    let is_apart = !matches!(launch.places, Places::Any);
    Some(ScatterTo { table, output, at: (n..n_at + n).collect(), when, is_apart })
}

/// Written arrays first, then the others that are read; each once.
fn arrays_of(emitter: &Emitter, launch: &Launch) -> Vec<ValueId> {
    let mut arrays = launch.written.clone();
    for input in &launch.inputs {
        if !emitter.is_scalar(*input) && !arrays.contains(input) {
            arrays.push(*input);
        }
    }
    arrays
}

/// How many elements a thread computes at once.
fn vector_of(operands: &[Operand], body: &Body) -> u32 {
    let computes = |instr: &Instr| matches!(instr.kind, InstrKind::Op(..));
    let calls =
        |instr: &Instr| matches!(instr.kind, InstrKind::Op(ScalarOp::Math(_) | ScalarOp::Pow | ScalarOp::Gcd, _));
    let is_short = body.instrs.iter().filter(|i| computes(i)).count() <= SHORT_BODY && !body.instrs.iter().any(calls);
    let largest = operands.iter().map(|o| o.dtype.itemsize()).max().unwrap_or(VECTOR_BYTES as usize);
    (VECTOR_BYTES / largest as u32).clamp(1, if is_short { VECTOR_BYTES } else { LONG_BODY_ELEMENTS })
}

impl Emitter {
    /// Whether an array's stride along an axis is 0 at every launch: it was broadcast along it, or its extent is always 1.
    pub fn is_fixed(&self, array: ValueId, axis: usize) -> bool {
        if self.is_one(array, axis) {
            return true;
        }
        let Some(definition) = self.definition(array) else { return false };
        let base = definition.operands.first().copied().unwrap_or(array);
        let is_last = self.array(array).is_some_and(|a| axis + 1 == a.rank);
        match &definition.kind {
            OpKind::Broadcast => {
                let n_new = definition.operands.len() - 1 - self.array(base).map_or(0, |a| a.rank);
                axis < n_new || self.is_fixed(base, axis - n_new)
            }
            OpKind::Slice { .. } | OpKind::Part { .. } | OpKind::ReadOnly | OpKind::Writable => {
                self.is_fixed(base, axis)
            }
            OpKind::Index { axis: dropped } | OpKind::DropAxis { axis: dropped } => {
                self.is_fixed(base, if axis >= *dropped { axis + 1 } else { axis })
            }
            OpKind::NewAxis { axis: new } => {
                axis == *new || self.is_fixed(base, if axis > *new { axis - 1 } else { axis })
            }
            OpKind::Permute { permutation } => self.is_fixed(base, permutation[axis]),
            OpKind::Diagonal { axes } if is_last => axes.iter().all(|axis| self.is_fixed(base, *axis)),
            OpKind::Diagonal { axes } => self.is_fixed(base, diagonal_axis(*axes, axis)),
            // Of windows without elements there may be two where there is one element.
            OpKind::Split { axis: split } => {
                axis != *split && axis != *split + 1 && self.is_fixed(base, if axis > *split { axis - 1 } else { axis })
            }
            OpKind::Windows { axis: sliding } => !is_last && axis != *sliding && self.is_fixed(base, axis),
            _ => false,
        }
    }
}
