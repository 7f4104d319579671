//! Text of the array IR. Reading it back and printing again gives the same text; spans are not printed.
//!
//! The form is described in `docs/array-ir.md`.

use std::fmt::{self, Display, Formatter};

use super::{
    Aliasing, ArrayType, ErrorKind, Function, Layout, Meeting, Module, ObjectOp, Op, OpKind, Order, OrderTerm, Phase,
    Reading, Region, Type, ValueId,
};
use crate::signature::{ElementType, MemoryOrder, ObjectType, ParameterType, RecordType, ResultType, Signature};
use crate::text::{commas, quote, symbol, write_body, write_code, write_constant};
use numptx_abi::object::{LayoutUse, layout_text};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "module {}", quote(&self.name))?;
        if let Some(docstring) = &self.docstring {
            writeln!(f, "doc {}", quote(docstring))?;
        }
        for global in &self.globals {
            let value = write_constant(global.value);
            writeln!(f, "global {} = {value} : {}", quote(&global.name), global.dtype.short_name())?;
        }
        for function in &self.functions {
            write!(f, "\n{function}")?;
        }
        for kernel in &self.kernels {
            write!(f, "\n{kernel}")?;
        }
        Ok(())
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let parameters = commas(self.parameters.iter().map(|v| definition(self, *v)));
        let (aliasing, phase) = (aliasing_name(self.aliasing), phase_name(self.phase));
        let routine = if self.is_routine { "routine " } else { "" };
        writeln!(f, "func {} {aliasing} {phase} {routine}({parameters}) {{", symbol(&self.name))?;
        write_signature(f, &self.signature)?;
        for op in &self.body.ops {
            write_op(f, self, op, 2)?;
        }
        writeln!(f, "}}")
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(dtype) => f.write_str(dtype.short_name()),
            Type::Array(array) => array.fmt(f),
            Type::Object => f.write_str("object"),
        }
    }
}

impl Display for ArrayType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let layout = match self.layout {
            Layout::C => "C",
            Layout::F => "F",
            Layout::Any => "any",
        };
        let writable = if self.writable { " mut" } else { "" };
        write!(f, "{}[{}] {layout}{writable}", self.dtype.short_name(), self.rank)
    }
}

impl Display for ValueId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl ErrorKind {
    /// All of them with their names in the text form: Python's, `NumPy`'s or `Python`'s exception.
    pub const NAMES: [(ErrorKind, &'static str); 18] = [
        (ErrorKind::Value, "ValueError"),
        (ErrorKind::Index, "IndexError"),
        (ErrorKind::ZeroDivision, "ZeroDivisionError"),
        (ErrorKind::Overflow, "OverflowError"),
        (ErrorKind::Type, "TypeError"),
        (ErrorKind::Memory, "MemoryError"),
        (ErrorKind::Runtime, "RuntimeError"),
        (ErrorKind::Assertion, "AssertionError"),
        (ErrorKind::Arithmetic, "ArithmeticError"),
        (ErrorKind::FloatingPoint, "FloatingPointError"),
        (ErrorKind::Key, "KeyError"),
        (ErrorKind::NotImplemented, "NotImplementedError"),
        (ErrorKind::Exception, "Exception"),
        (ErrorKind::LinAlg, "LinAlgError"),
        (ErrorKind::Recursion, "RecursionError"),
        (ErrorKind::Attribute, "AttributeError"),
        (ErrorKind::UnboundLocal, "UnboundLocalError"),
        (ErrorKind::KeyRepr, "KeyRepr"),
    ];

    /// The exception's name.
    pub fn name(self) -> &'static str {
        ErrorKind::NAMES.iter().find(|(kind, _)| *kind == self).map_or("Exception", |(_, name)| name)
    }
}

/// An op's first line, without its regions and bodies: what errors show.
pub fn op_line(function: &Function, op: &Op) -> String {
    let mut text = String::new();
    write_head(&mut text, function, op);
    text
}

pub(super) fn aliasing_name(aliasing: Aliasing) -> &'static str {
    match aliasing {
        Aliasing::NoAlias => "noalias",
        Aliasing::MayAlias => "mayalias",
    }
}

pub(super) fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Source => "source",
        Phase::Placed => "placed",
        Phase::Host => "host",
        Phase::Owned => "owned",
    }
}

/// `%1 "x": f64[1] C mut`; ids out of range show as such.
fn definition(function: &Function, value: ValueId) -> String {
    let Some(data) = function.values.get(value.0 as usize) else { return format!("{value}: ?") };
    format!("{}: {}", reference(function, value), data.ty)
}

/// `%1 "x"`
fn reference(function: &Function, value: ValueId) -> String {
    match function.values.get(value.0 as usize).and_then(|data| data.name.as_ref()) {
        Some(name) => format!("{value} {}", quote(name)),
        None => value.to_string(),
    }
}

fn write_signature(f: &mut Formatter<'_>, signature: &Signature) -> fmt::Result {
    let parameters = signature.parameters.iter().map(|p| {
        let how = if p.by_name { "named " } else { "" };
        format!("{how}{}: {}", quote(&p.name), parameter_type(&p.ty))
    });
    let (function, text) = (quote(&signature.function), quote(&signature.text));
    write!(f, "  export {function} {text} ({}) -> {}", commas(parameters), result_type(&signature.result))?;
    if !signature.same.is_empty() {
        let same = signature.same.iter().map(|(leaf, earlier)| format!("{leaf} is {earlier}"));
        write!(f, " same ({})", commas(same))?;
    }
    if !signature.numbered.is_empty() {
        write!(f, " numbered ({})", commas(signature.numbered.iter().map(usize::to_string)))?;
    }
    if !signature.defaults.is_empty() {
        write!(f, " defaults ({})", commas(signature.defaults.iter().map(|text| quote(text))))?;
    }
    writeln!(f)?;
    match &signature.docstring {
        Some(docstring) => writeln!(f, "  doc {}", quote(docstring)),
        None => Ok(()),
    }
}

fn parameter_type(ty: &ParameterType) -> String {
    match ty {
        ParameterType::Scalar { dtype, python: true } => format!("py {}", dtype.short_name()),
        ParameterType::Scalar { dtype, python: false } => dtype.short_name().to_string(),
        ParameterType::Array { dtype, extents, order } => {
            let extents = commas(extents.iter().map(|e| e.map_or(":".to_string(), |n| n.to_string())));
            let order = match order {
                Some(MemoryOrder::C) => " C",
                Some(MemoryOrder::F) => " F",
                None => "",
            };
            format!("{}[{extents}]{order}", dtype.short_name())
        }
        ParameterType::Tuple(members) => format!("({})", commas(members.iter().map(parameter_type))),
        ParameterType::None => "none".to_string(),
        ParameterType::Str(None) => "str".to_string(),
        ParameterType::Str(Some(text)) => format!("str {}", quote(text)),
        ParameterType::Object(object) => object_type(object),
        ParameterType::Record(record, fields) => record_type(record, fields.iter().map(parameter_type)),
    }
}

fn result_type(ty: &ResultType) -> String {
    match ty {
        ResultType::None => "none".to_string(),
        ResultType::PythonScalar(dtype) => format!("py {}", dtype.short_name()),
        ResultType::NumpyScalar(dtype) => dtype.short_name().to_string(),
        ResultType::DeviceScalar(dtype) => format!("device {}", dtype.short_name()),
        ResultType::Array { dtype, rank } => format!("{}[{rank}]", dtype.short_name()),
        ResultType::Tuple(members) => format!("({})", commas(members.iter().map(result_type))),
        ResultType::List(members) => format!("[{}]", commas(members.iter().map(result_type))),
        ResultType::Object(object) => object_type(object),
        ResultType::OneOf(members) => format!("oneof({})", commas(members.iter().map(result_type))),
        ResultType::Record(record, fields) => record_type(record, fields.iter().map(result_type)),
    }
}

/// `record "P" members ("x": py f64)`
fn record_type(record: &RecordType, fields: impl Iterator<Item = String>) -> String {
    let fields = record.fields.iter().zip(fields).map(|(name, ty)| format!("{}: {ty}", quote(name)));
    format!("record {} {} ({})", quote(&record.name), record.access.word(), commas(fields))
}

fn object_type(ty: &ObjectType) -> String {
    match ty {
        ObjectType::List(member) => format!("list({})", element_type(member)),
        ObjectType::Dictionary(key, value) => format!("dict({}, {})", element_type(key), element_type(value)),
        ObjectType::Set(member) => format!("set({})", element_type(member)),
        ObjectType::Text => "text".to_string(),
        ObjectType::Generator => "generator".to_string(),
        ObjectType::RandomState => "random_state".to_string(),
        ObjectType::GlobalRandom => "random_global".to_string(),
        ObjectType::Tuple(member) => format!("tuple({})", element_type(member)),
        ObjectType::Deque(member) => format!("deque({})", element_type(member)),
        ObjectType::Counter(key, value) => format!("counter({}, {})", element_type(key), element_type(value)),
        ObjectType::Default(makes, key, value) => {
            format!("default({}, {}, {})", quote(makes), element_type(key), element_type(value))
        }
    }
}

fn element_type(ty: &ElementType) -> String {
    match ty {
        ElementType::Scalar { dtype, python: true } => format!("py {}", dtype.short_name()),
        ElementType::Scalar { dtype, python: false } => dtype.short_name().to_string(),
        ElementType::None => "none".to_string(),
        ElementType::Array { dtype, rank } => format!("{}[{rank}]", dtype.short_name()),
        ElementType::Tuple(members) => format!("({})", commas(members.iter().map(element_type))),
        ElementType::Record(record, fields) => record_type(record, fields.iter().map(element_type)),
        ElementType::Object(object) => object_type(object),
    }
}

fn write_op(f: &mut Formatter<'_>, function: &Function, op: &Op, indent: usize) -> fmt::Result {
    let mut head = String::new();
    let types = write_head(&mut head, function, op);
    write!(f, "{}{head}", " ".repeat(indent))?;
    for body in bodies(&op.kind) {
        write!(f, " {}", write_body(body, indent))?;
    }
    if let OpKind::Nest(nest) = &op.kind {
        write!(f, " {}", write_code(&nest.code, indent))?;
    }
    for (n, region) in op.regions.iter().enumerate() {
        if n > 0 {
            f.write_str(if op.kind == OpKind::If { " else" } else { " do" })?;
        }
        write_region(f, function, region, indent)?;
    }
    writeln!(f, "{types}")
}

fn write_region(f: &mut Formatter<'_>, function: &Function, region: &Region, indent: usize) -> fmt::Result {
    if !region.parameters.is_empty() {
        write!(f, " ({})", commas(region.parameters.iter().map(|v| definition(function, *v))))?;
    }
    writeln!(f, " {{")?;
    for op in &region.ops {
        write_op(f, function, op, indent + 2)?;
    }
    write!(f, "{}}}", " ".repeat(indent))
}

/// Writes results, name, attributes and operands; gives what follows the bodies and regions: the result types.
fn write_head(text: &mut String, function: &Function, op: &Op) -> String {
    if !op.results.is_empty() {
        text.push_str(&commas(op.results.iter().map(|v| reference(function, *v))));
        text.push_str(" = ");
    }
    text.push_str(op_name(&op.kind));
    let attributes = attributes(&op.kind);
    if !attributes.is_empty() {
        text.push_str(&format!("<{attributes}>"));
    }
    if !op.operands.is_empty() {
        text.push_str(&format!(" {}", commas(&op.operands)));
    }
    let type_of = |v: &ValueId| function.values.get(v.0 as usize).map_or("?".to_string(), |data| data.ty.to_string());
    if op.results.is_empty() { String::new() } else { format!(" : {}", commas(op.results.iter().map(type_of))) }
}

fn bodies(kind: &OpKind) -> Vec<&crate::scalar::Body> {
    match kind {
        OpKind::Map(map) => vec![&map.body],
        OpKind::Store(store) => vec![&store.body],
        OpKind::Scatter(scatter) => vec![&scatter.body],
        OpKind::Compact(compact) => vec![&compact.body],
        OpKind::Reduce(reduce) | OpKind::StoreReduce(reduce) => {
            std::iter::once(&reduce.body).chain(&reduce.epilogue).collect()
        }
        OpKind::Scan(scan) | OpKind::StoreScan(scan) => std::iter::once(&scan.body).chain(&scan.epilogue).collect(),
        _ => Vec::new(),
    }
}

/// The op's word; for scalar operations their own.
pub fn op_name(kind: &OpKind) -> &'static str {
    match kind {
        OpKind::Constant(_) => "constant",
        OpKind::Scalar(op) => op.name(),
        OpKind::Dim(_) => "dim",
        OpKind::Stride(_) => "stride",
        OpKind::SliceBounds { .. } => "slice_bounds",
        OpKind::BroadcastExtent => "broadcast_extent",
        OpKind::Overlap => "overlap",
        OpKind::IsWritable => "is_writable",
        OpKind::SameBuffer => "same_buffer",
        OpKind::OneLaunch => "one_launch",
        OpKind::OneRead => "one_read",
        OpKind::Check { .. } => "check",
        OpKind::Slice { .. } => "slice",
        OpKind::Index { .. } => "index",
        OpKind::NewAxis { .. } => "new_axis",
        OpKind::DropAxis { .. } => "drop_axis",
        OpKind::Permute { .. } => "permute",
        OpKind::Broadcast => "broadcast",
        OpKind::Part { .. } => "part",
        OpKind::Diagonal { .. } => "diagonal",
        OpKind::Windows { .. } => "windows",
        OpKind::Split { .. } => "split",
        OpKind::ReadOnly => "read_only",
        OpKind::Writable => "writable",
        OpKind::Reshape(_) => "reshape",
        OpKind::Ravel(_) => "ravel",
        OpKind::Contiguous(_) => "contiguous",
        OpKind::Strided { .. } => "strided",
        OpKind::Alloc { .. } => "alloc",
        OpKind::Reuse { .. } => "reuse",
        OpKind::Map(_) => "map",
        OpKind::Reduce(_) => "reduce",
        OpKind::Scan(_) => "scan",
        OpKind::Assign => "assign",
        OpKind::Store(_) => "store",
        OpKind::Scatter(_) => "scatter",
        OpKind::Compact(_) => "compact",
        OpKind::Nest(_) => "nest",
        OpKind::StoreReduce(_) => "store_reduce",
        OpKind::StoreScan(_) => "store_scan",
        OpKind::Item => "item",
        OpKind::Sort(_) => "sort",
        OpKind::External(_) => "external",
        OpKind::Object(_) => "object",
        OpKind::If => "if",
        OpKind::For => "for",
        OpKind::While => "while",
        OpKind::Try => "try",
        OpKind::Yield => "yield",
        OpKind::Return => "return",
        OpKind::Call { .. } => "call",
        OpKind::Launch(_) => "launch",
        OpKind::Retain => "retain",
        OpKind::Release => "release",
    }
}

fn attributes(kind: &OpKind) -> String {
    match kind {
        OpKind::Constant(constant) => write_constant(*constant),
        OpKind::Stride(axis)
        | OpKind::Dim(axis)
        | OpKind::Slice { axis }
        | OpKind::Index { axis }
        | OpKind::NewAxis { axis }
        | OpKind::DropAxis { axis }
        | OpKind::Windows { axis }
        | OpKind::Split { axis } => axis.to_string(),
        OpKind::Diagonal { axes } => commas(axes),
        OpKind::SliceBounds { lower, upper } => {
            let given = [(*lower, "lower"), (*upper, "upper")];
            commas(given.into_iter().filter(|(given, _)| *given).map(|(_, name)| name))
        }
        OpKind::Check { kind, message } => format!("{}, {}", kind.name(), quote(message)),
        OpKind::Permute { permutation } => commas(permutation),
        OpKind::Part { imaginary } => if *imaginary { "imaginary" } else { "real" }.to_string(),
        OpKind::Alloc { dtype, order } | OpKind::Reuse { dtype, order } => {
            format!("{}, {}", dtype.short_name(), write_order(order))
        }
        OpKind::Map(map) => format!("{}, {}", map.rank, write_order(&map.order)),
        OpKind::Scan(scan) | OpKind::StoreScan(scan) => {
            format!("{}, {}, {}, {}", scan.rank, scan.axis, scan.reducer.name(), write_order(&scan.order))
        }
        OpKind::Reduce(reduce) | OpKind::StoreReduce(reduce) => {
            let reducers = commas(reduce.reducers.iter().map(|r| r.name()));
            format!("{}, {}, [{reducers}], {}", reduce.rank, reduce.n_reduced, write_order(&reduce.order))
        }
        OpKind::Contiguous(reading) => format!("{reading:?}"),
        OpKind::Strided { dtype } => dtype.short_name().to_string(),
        OpKind::Reshape(reading) | OpKind::Ravel(reading) if *reading != Reading::C => format!("{reading:?}"),
        OpKind::Store(store) => store.rank.to_string(),
        OpKind::Scatter(scatter) => match scatter.meeting {
            Meeting::LastWins if scatter.n_destinations > 1 => {
                format!("{}, last, {}", scatter.rank, scatter.n_destinations)
            }
            Meeting::LastWins => scatter.rank.to_string(),
            Meeting::Apart if scatter.n_destinations > 1 => {
                format!("{}, apart, {}", scatter.rank, scatter.n_destinations)
            }
            Meeting::Apart => format!("{}, apart", scatter.rank),
            Meeting::Accumulating => format!("{}, accumulating", scatter.rank),
        },
        OpKind::Compact(compact) => format!("{}, {}", compact.rank, compact.n_destinations),
        OpKind::Nest(nest) => nest.rank.to_string(),
        OpKind::Call { routine, written, viewed } => {
            let operands = written.iter().map(usize::to_string).chain(viewed.iter().map(|n| format!("view {n}")));
            commas(std::iter::once(quote(routine)).chain(operands))
        }
        OpKind::Launch(kernel) => kernel.0.to_string(),
        OpKind::Sort(sorting) => sorting.name().to_string(),
        OpKind::External(external) => format!("{}, {}", external.name(), external.flags),
        OpKind::Object(object) => write_object(object),
        OpKind::Scalar(_)
        | OpKind::BroadcastExtent
        | OpKind::Overlap
        | OpKind::IsWritable
        | OpKind::SameBuffer
        | OpKind::OneLaunch
        | OpKind::OneRead
        | OpKind::Broadcast
        | OpKind::ReadOnly
        | OpKind::Writable
        | OpKind::Reshape(_)
        | OpKind::Ravel(_)
        | OpKind::Assign
        | OpKind::Item
        | OpKind::If
        | OpKind::For
        | OpKind::While
        | OpKind::Try
        | OpKind::Yield
        | OpKind::Return
        | OpKind::Retain
        | OpKind::Release => String::new(),
    }
}

fn write_object(object: &ObjectOp) -> String {
    let name = object.row().name;
    match object.row().layout {
        LayoutUse::Nothing => name.to_string(),
        LayoutUse::Literal => format!("{name}, {}", quote(&String::from_utf8_lossy(&object.layout))),
        _ => format!("{name}, {}", quote(&layout_text(&object.layout).unwrap_or_default())),
    }
}

fn write_order(order: &Order) -> String {
    match order {
        Order::C => "C".to_string(),
        Order::F => "F".to_string(),
        Order::K(terms) => format!("K({})", commas(terms.iter().map(write_term))),
    }
}

fn write_term(term: &OrderTerm) -> String {
    match term {
        OrderTerm::Input(n) => n.to_string(),
        OrderTerm::Copy(n) => format!("copy({n})"),
        OrderTerm::Joined(n) => format!("joined({n})"),
        OrderTerm::Fresh { like, axes, terms } => {
            let like = like.map_or(String::new(), |n| format!("<{n}>"));
            let axes = if axes.is_empty() { String::new() } else { format!("[{}]", commas(axes)) };
            format!("fresh{like}{axes}({})", commas(terms.iter().map(write_term)))
        }
    }
}
