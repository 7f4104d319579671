//! The reference interpreter of the array IR: slow, obvious, and strict.
//!
//! Goes in: a module, a function's name, arguments. Arguments may be views of one buffer, so that overlaps can be expressed; what is
//! written to them stays. Comes out: the results, the exception that the program raises, or what is wrong with the IR.
//!
//! Works for every phase. Beyond computing it demands what the verifier cannot see: extents that agree, indices in range, layouts as
//! typed, stores without hazards, kernels without races, and in [`Phase::Owned`](super::Phase) that every buffer and every object is
//! released exactly when its last reference goes. Contents of `alloc` are a fixed pattern. What is printed is kept.

mod calls;
mod compact;
mod control;
mod elementwise;
mod external;
mod memory;
mod nest;
mod objects;
mod order;
mod references;
mod running;
mod scatter;
mod views;

pub use memory::{Buffer, View, for_each_point};
pub use objects::{Contents, Object};
pub use order::{Axes, fresh_strides};

use super::message::{Piece, pieces, shown};
use super::verify::verify;
use super::{ErrorKind, Function, KernelId, Module, Op, OpKind, Phase, Region, Type, ValueId};
use crate::kernel;
use crate::scalar::{Constant, eval};
use references::{Reached, References};

/// A value at run time.
#[derive(Clone, Debug)]
pub enum Value {
    /// A scalar, canonical for its dtype.
    Scalar(Constant),
    /// An array.
    Array(View),
    /// A list, a dictionary, a set or a string.
    Object(Object),
}

impl Value {
    /// What counts the references to it, if it is an array or an object.
    pub(crate) fn buffer(&self) -> Option<&Buffer> {
        match self {
            Value::Scalar(_) => None,
            Value::Array(view) => Some(&view.buffer),
            Value::Object(object) => Some(&object.buffer),
        }
    }
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The program raises an exception.
    Raised {
        /// Its type.
        kind: ErrorKind,
        /// Its message.
        message: String,
    },
    /// The IR breaks its own rules, or the run takes too long.
    Invalid(String),
}

type Outcome<T> = Result<T, Failure>;

/// How a function is run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Ops, points and elements that a run may take before it is given up.
    pub fuel: u64,
    /// The order in which kernels visit their points.
    pub seed: u64,
    /// The caller knows that the module keeps all invariants, except perhaps those of ownership.
    pub is_verified: bool,
    /// Which of the ops that can fail (allocations, launches, checks, …) raises `MemoryError`, counted from 1 as they run.
    pub fails_at: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options { fuel: 200_000_000, seed: 1, is_verified: false, fails_at: None }
    }
}

/// Runs a function. `arguments`: one a parameter. The signature's leaves are not checked.
pub fn interpret(module: &Module, function: &str, arguments: &[Value]) -> Result<Vec<Value>, Failure> {
    interpret_with(module, function, arguments, Options::default())
}

/// As [`interpret`], with options.
pub fn interpret_with(
    module: &Module,
    function: &str,
    arguments: &[Value],
    options: Options,
) -> Result<Vec<Value>, Failure> {
    interpret_measured(module, function, arguments, options).map(|(results, _)| results)
}

/// What a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// Buffers allocated, copies of `reshape` included.
    pub n_allocated: u64,
    /// The most bytes of them alive at once. Only the owned phase releases any.
    pub peak_bytes: u64,
}

/// As [`interpret_with`]; gives what the run took, too.
pub fn interpret_measured(
    module: &Module,
    function: &str,
    arguments: &[Value],
    options: Options,
) -> Result<(Vec<Value>, Measures), Failure> {
    interpret_printing(module, function, arguments, options, &mut String::new())
}

/// As [`interpret_measured`]; what the run prints is added to `printed`, also where it fails.
pub fn interpret_printing(
    module: &Module,
    function: &str,
    arguments: &[Value],
    options: Options,
    printed: &mut String,
) -> Result<(Vec<Value>, Measures), Failure> {
    let errors = if options.is_verified { Vec::new() } else { verify(module).err().unwrap_or_default() };
    if let Some(error) = errors.iter().find(|error| error.invariant != "A06") {
        return invalid(error.to_string());
    }
    let Some(function) = module.functions.iter().find(|f| f.name == function) else {
        return invalid(format!("there is no function `{function}`"));
    };
    if arguments.len() != function.parameters.len() {
        return invalid(format!("{} arguments for {} parameters", arguments.len(), function.parameters.len()));
    }
    let mut interpreter = Interpreter {
        module,
        function,
        values: vec![None; function.values.len()],
        buffers: Vec::new(),
        references: References::new(function, options.fails_at),
        measures: Measures::default(),
        printed: String::new(),
        raised: None,
        fuel: options.fuel,
        seed: options.seed,
        n_calls: 0,
    };
    interpreter.borrow_arguments(arguments);
    let outcome = interpreter.call(arguments);
    printed.push_str(&interpreter.printed);
    Ok((outcome?, interpreter.measures))
}

fn invalid<T>(message: impl Into<String>) -> Outcome<T> {
    Err(Failure::Invalid(message.into()))
}

struct Interpreter<'a> {
    module: &'a Module,
    function: &'a Function,
    values: Vec<Option<Value>>,
    /// Every buffer seen, with the references that the caller holds.
    buffers: Vec<(Buffer, i64)>,
    references: References,
    measures: Measures,
    printed: String,
    /// What the last `try` raised that nobody has caught so far.
    raised: Option<(ErrorKind, String)>,
    fuel: u64,
    seed: u64,
    /// Calls of routines that this one is inside of.
    n_calls: usize,
}

impl Interpreter<'_> {
    fn spend(&mut self, amount: usize) -> Outcome<()> {
        match self.fuel.checked_sub(amount as u64) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => invalid("the run takes too long"),
        }
    }

    fn call(&mut self, arguments: &[Value]) -> Outcome<Vec<Value>> {
        let function = self.function;
        self.bind(&function.parameters, arguments)?;
        let outcome = self.run_region(&function.body);
        if let (Err(Failure::Raised { .. }), Phase::Owned) = (&outcome, function.phase) {
            self.unwind()?;
            self.check_references(&[])?;
        }
        let results = outcome?;
        if function.phase == Phase::Owned {
            self.check_references(&results)?;
        }
        Ok(results)
    }

    /// The caller holds one reference to each argument's buffer, besides those that objects among the arguments hold. Nothing else refers to an object
    /// that they hold.
    fn borrow_arguments(&mut self, arguments: &[Value]) {
        let reached = Reached::new(arguments.iter().filter_map(Value::buffer));
        for buffer in reached.buffers.iter().filter(|buffer| buffer.object().is_some()) {
            buffer.set_references(reached.held(buffer));
        }
        for given in arguments.iter().filter_map(Value::buffer) {
            given.set_references(1 + reached.held(given));
        }
        self.buffers = reached.outside();
    }

    /// Each buffer has the caller's references, one for each result over it, and one for each place in an object.
    fn check_references(&self, results: &[Value]) -> Outcome<()> {
        let reached = Reached::new(self.buffers.iter().map(|(buffer, _)| buffer));
        for (number, (buffer, callers)) in self.buffers.iter().enumerate() {
            let over = |value: &&Value| value.buffer() == Some(buffer);
            let expected = callers + results.iter().filter(over).count() as i64 + reached.held(buffer);
            if buffer.references() != expected {
                let found = buffer.references();
                return invalid(format!("buffer {number} ends with {found} references, expected {expected}"));
            }
        }
        Ok(())
    }

    fn bind(&mut self, names: &[ValueId], values: &[Value]) -> Outcome<()> {
        for (name, value) in names.iter().zip(values) {
            self.check_type(*name, value)?;
            self.values[name.0 as usize] = Some(value.clone());
        }
        Ok(())
    }

    /// A value is of its type, layout included.
    fn check_type(&self, name: ValueId, value: &Value) -> Outcome<()> {
        let fits = match (self.function.ty(name), value) {
            (Type::Scalar(dtype), Value::Scalar(constant)) => crate::scalar::is_canonical(*constant, dtype),
            (Type::Array(ty), Value::Array(view)) => {
                view.dtype == ty.dtype && view.shape.len() == ty.rank && view.has_layout(ty.layout)
            }
            (Type::Object, Value::Object(_)) => true,
            _ => false,
        };
        if fits { Ok(()) } else { invalid(format!("{name}: {} is {value:?}", self.function.ty(name))) }
    }

    fn value(&self, name: ValueId) -> Outcome<&Value> {
        match &self.values[name.0 as usize] {
            Some(value) => Ok(value),
            None => invalid(format!("{name} has no value")),
        }
    }

    fn scalar(&self, name: ValueId) -> Outcome<Constant> {
        match self.value(name)? {
            Value::Scalar(constant) => Ok(*constant),
            _ => invalid(format!("{name} is no scalar")),
        }
    }

    fn int(&self, name: ValueId) -> Outcome<i64> {
        match self.scalar(name)? {
            Constant::Int(value) => Ok(value),
            _ => invalid(format!("{name} is no integer")),
        }
    }

    fn ints(&self, names: &[ValueId]) -> Outcome<Vec<i64>> {
        names.iter().map(|name| self.int(*name)).collect()
    }

    /// Extents: not negative.
    fn extents(&self, names: &[ValueId]) -> Outcome<Vec<i64>> {
        let extents = self.ints(names)?;
        if extents.iter().any(|extent| *extent < 0) {
            return invalid(format!("a negative extent in {extents:?}"));
        }
        Ok(extents)
    }

    fn array(&self, name: ValueId) -> Outcome<View> {
        match self.value(name)? {
            Value::Array(view) => Ok(view.clone()),
            _ => invalid(format!("{name} is no array")),
        }
    }

    /// What counts the references to an array or an object.
    fn counted(&self, name: ValueId) -> Outcome<&Buffer> {
        match self.value(name)?.buffer() {
            Some(buffer) => Ok(buffer),
            None => invalid(format!("{name} is a scalar")),
        }
    }

    fn all(&self, names: &[ValueId]) -> Outcome<Vec<Value>> {
        names.iter().map(|name| self.value(*name).cloned()).collect()
    }

    /// Runs a region; gives the operands of its terminator.
    fn run_region(&mut self, region: &Region) -> Outcome<Vec<Value>> {
        for op in &region.ops {
            self.spend(1)?;
            if op.kind.is_terminator() {
                self.consume(&op.operands);
                return self.all(&op.operands);
            }
            self.may_fail(op)?;
            let results = self.run_op(op).map_err(|failure| self.locate(failure, op))?;
            if results.len() != op.results.len() {
                return invalid(format!("`{}` gives {} results", super::print::op_name(&op.kind), results.len()));
            }
            self.bind(&op.results, &results)?;
            self.account(op, &results);
        }
        invalid("a region without a terminator")
    }

    fn locate(&self, failure: Failure, op: &Op) -> Failure {
        match failure {
            Failure::Invalid(message) if !message.contains("\n  at ") => {
                Failure::Invalid(format!("{message}\n  at {}", super::print::op_line(self.function, op)))
            }
            other => other,
        }
    }

    fn run_op(&mut self, op: &Op) -> Outcome<Vec<Value>> {
        let operands = &op.operands;
        let none = Ok(Vec::new());
        match &op.kind {
            OpKind::Constant(constant) => Ok(vec![Value::Scalar(*constant)]),
            OpKind::Scalar(scalar_op) => {
                let dtype = |name: &ValueId| self.function.ty(*name).dtype();
                let operands =
                    operands.iter().map(|v| Ok((self.scalar(*v)?, dtype(v)))).collect::<Outcome<Vec<_>>>()?;
                Ok(vec![Value::Scalar(eval(*scalar_op, &operands, dtype(&op.results[0])))])
            }
            OpKind::Dim(axis) => Ok(vec![int_value(self.array(operands[0])?.shape[*axis])]),
            OpKind::Stride(axis) => Ok(vec![int_value(self.array(operands[0])?.strides[*axis])]),
            OpKind::SliceBounds { lower, upper } => self.slice_bounds(operands, *lower, *upper),
            OpKind::BroadcastExtent => self.broadcast_extent(operands),
            OpKind::Overlap => self.overlap(operands),
            OpKind::IsWritable => Ok(vec![Value::Scalar(Constant::Bool(!self.array(operands[0])?.read_only))]),
            OpKind::SameBuffer => {
                let is_one = self.array(operands[0])?.buffer == self.array(operands[1])?.buffer;
                Ok(vec![Value::Scalar(Constant::Bool(is_one))])
            }
            // What the program does itself is what is looked at here.
            OpKind::Sort(_) => Ok(vec![Value::Scalar(Constant::Bool(false))]),
            OpKind::External(external) => self.external(operands, *external),
            OpKind::OneRead => {
                let width = self.int(operands[1])?;
                Ok(vec![Value::Scalar(Constant::Bool(width > 0))])
            }
            OpKind::OneLaunch => Ok(vec![Value::Scalar(Constant::Bool(self.int(operands[2])? >= 0))]),
            OpKind::Check { kind, message } => self.check(operands, *kind, message).and(none),
            kind if kind.is_view() => Ok(vec![Value::Array(self.view(op)?)]),
            OpKind::Reshape(reading) => Ok(vec![Value::Array(self.reshape(*reading, operands)?)]),
            OpKind::Ravel(reading) => Ok(vec![Value::Array(self.ravel(*reading, operands)?)]),
            OpKind::Contiguous(reading) => Ok(vec![Value::Array(self.contiguous(*reading, operands[0])?)]),
            OpKind::Strided { dtype } => Ok(vec![Value::Array(self.strided(*dtype, operands)?)]),
            OpKind::Alloc { dtype, order } => self.alloc(operands, *dtype, order),
            OpKind::Reuse { dtype, order } => self.reuse(operands, *dtype, order),
            OpKind::Map(map) => self.map(operands, map),
            OpKind::Reduce(reduce) => self.reduce(operands, reduce),
            OpKind::Scan(scan) => self.scan(operands, scan),
            OpKind::Assign => self.assign(operands).and(none),
            OpKind::Store(store) => self.store(operands, store).and(none),
            OpKind::Scatter(scatter) => self.scatter(operands, scatter).and(none),
            OpKind::Compact(compact) => self.compact(operands, compact).and(none),
            OpKind::Nest(nest) => self.nest(operands, nest).and(none),
            OpKind::StoreReduce(reduce) => self.store_reduce(operands, reduce).and(none),
            OpKind::StoreScan(scan) => self.store_scan(operands, scan).and(none),
            OpKind::Item => operands.iter().map(|v| Ok(Value::Scalar(self.array(*v)?.read(0)?))).collect(),
            OpKind::If | OpKind::For | OpKind::While | OpKind::Try => self.control(op),
            OpKind::Call { routine, .. } => self.call_routine(routine, operands),
            OpKind::Launch(kernel) => self.launch(operands, *kernel).and(none),
            OpKind::Retain => self.counted(operands[0])?.retain().map_err(Failure::Invalid).and(none),
            OpKind::Object(object) => self.object(op, object),
            OpKind::Release => self.counted(operands[0])?.release().map_err(Failure::Invalid).and(none),
            other => invalid(format!("{other:?} is not run")),
        }
    }

    fn check(&self, operands: &[ValueId], kind: ErrorKind, message: &str) -> Outcome<()> {
        if self.scalar(operands[0])? == Constant::Bool(true) {
            return Ok(());
        }
        let (mut text, mut payload) = (String::new(), operands[1..].iter());
        for piece in pieces(message) {
            match piece {
                Piece::Text(piece) => text.push_str(&piece),
                Piece::Payload(format) => {
                    let Some(name) = payload.next() else { return invalid("a placeholder without a payload") };
                    text.push_str(&shown(self.scalar(*name)?, self.function.ty(*name).dtype(), format));
                }
            }
        }
        Err(Failure::Raised { kind, message: text })
    }

    fn launch(&mut self, operands: &[ValueId], id: KernelId) -> Outcome<()> {
        let kernel = &self.module.kernels[id.0 as usize];
        let (extents, rest) = operands.split_at(kernel.rank);
        let (arrays, scalars) = rest.split_at(kernel.operands.len());
        let extents = self.extents(extents)?;
        let arrays = arrays.iter().map(|v| self.array(*v)).collect::<Outcome<Vec<_>>>()?;
        let scalars = scalars.iter().map(|v| self.scalar(*v)).collect::<Outcome<Vec<_>>>()?;
        self.spend(memory::size(&extents).unwrap_or(usize::MAX))?;
        kernel::interpret::run_with(kernel, &extents, &arrays, &scalars, self.seed, &mut self.fuel)
            .map_err(Failure::Invalid)
    }
}

fn int_value(value: i64) -> Value {
    Value::Scalar(Constant::Int(value))
}
