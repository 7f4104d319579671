//! The library's descriptors as LLVM constants: what `numptx-abi` lays out in C.

use inkwell::AddressSpace;
use inkwell::module::{Linkage, Module};
use inkwell::types::{IntType, PointerType};
use inkwell::values::{BasicValueEnum, GlobalValue, IntValue, PointerValue, StructValue};
use numptx_ir::kernel::{Access, Kernel, Node};
use numptx_ir::scalar::{Code, Constant};
use numptx_ir::signature::{FieldAccess, MemoryOrder, Parameter, ParameterType, ResultType, Signature};

use crate::CodegenOptions;
use crate::claims::Together;
use crate::code::{Ragged, takes_turns, with_groups};

/// Makes constants in one module.
pub struct Descriptors<'a, 'ctx> {
    /// The module.
    pub module: &'a Module<'ctx>,
    ptr: PointerType<'ctx>,
}

impl<'a, 'ctx> Descriptors<'a, 'ctx> {
    /// For one module.
    pub fn new(module: &'a Module<'ctx>) -> Self {
        Descriptors { module, ptr: module.get_context().ptr_type(AddressSpace::default()) }
    }

    fn int(&self, bits: u32) -> IntType<'ctx> {
        let context = self.module.get_context();
        match bits {
            8 => context.i8_type(),
            16 => context.i16_type(),
            32 => context.i32_type(),
            _ => context.i64_type(),
        }
    }

    fn u8(&self, value: u8) -> BasicValueEnum<'ctx> {
        self.int(8).const_int(value as u64, false).into()
    }

    fn u16(&self, value: u16) -> BasicValueEnum<'ctx> {
        self.int(16).const_int(value as u64, false).into()
    }

    /// An `i32` constant.
    pub fn u32(&self, value: u32) -> BasicValueEnum<'ctx> {
        self.int(32).const_int(value as u64, false).into()
    }

    /// An `i64` constant.
    pub fn u64(&self, value: u64) -> BasicValueEnum<'ctx> {
        self.int(64).const_int(value, false).into()
    }

    /// A null pointer.
    pub fn null(&self) -> BasicValueEnum<'ctx> {
        self.ptr.const_null().into()
    }

    /// A struct constant in C layout: every member stands at its natural alignment, so none needs padding.
    pub fn record(&self, members: &[BasicValueEnum<'ctx>]) -> StructValue<'ctx> {
        self.module.get_context().const_struct(members, false)
    }

    /// An internal global that holds bytes and a final null.
    pub fn text(&self, text: &str) -> PointerValue<'ctx> {
        let value = self.module.get_context().const_string(text.as_bytes(), true);
        self.constant(value.into(), "text")
    }

    /// An internal global that holds bytes; null where there are none.
    pub fn bytes(&self, bytes: &[u8]) -> PointerValue<'ctx> {
        match bytes {
            [] => self.ptr.const_null(),
            bytes => self.constant(self.module.get_context().const_string(bytes, false).into(), "bytes"),
        }
    }

    /// An internal constant.
    pub fn constant(&self, value: BasicValueEnum<'ctx>, name: &str) -> PointerValue<'ctx> {
        let global = self.module.add_global(value.get_type(), None, name);
        global.set_linkage(Linkage::Private);
        global.set_constant(true);
        global.set_initializer(&value);
        global.as_pointer_value()
    }

    /// A constant array of records, or null if it is empty.
    pub fn table(&self, records: &[StructValue<'ctx>], name: &str) -> PointerValue<'ctx> {
        match records.first() {
            None => self.ptr.const_null(),
            Some(first) => self.constant(first.get_type().const_array(records).into(), name),
        }
    }

    fn ints(&self, values: &[i64], name: &str) -> PointerValue<'ctx> {
        let ints: Vec<IntValue<'ctx>> = values.iter().map(|v| self.int(64).const_int(*v as u64, true)).collect();
        self.constant(self.int(64).const_array(&ints).into(), name)
    }

    // Kernels.

    /// A kernel's descriptor ([`numptx_abi::Kernel`]); the last six members are filled when the library is bound and used.
    pub fn kernel(&self, kernel: &Kernel, module: PointerValue<'ctx>, options: &CodegenOptions) -> StructValue<'ctx> {
        let operands: Vec<StructValue<'ctx>> =
            kernel.operands.iter().enumerate().map(|o| self.operand(kernel, o)).collect();
        let scalars: Vec<u8> = kernel.scalars.iter().map(|d| d.code()).collect();
        let scalars = self.module.get_context().const_string(&scalars, false);
        let kind = match kernel.n_reduced {
            0 => numptx_abi::Kernel::MAP,
            _ if kernel.is_rows() => numptx_abi::Kernel::ROWS,
            _ if kernel.is_scan() => numptx_abi::Kernel::SCAN,
            _ => numptx_abi::Kernel::REDUCE,
        };
        let flag = |set: bool, bit: u16| if set { bit } else { 0 };
        let (ragged, with_groups) = (Ragged::of(kernel), with_groups(kernel));
        let block = with_groups.as_ref().unwrap_or(kernel).schedule.block;
        let is_sequential = kernel.is_sequential();
        let (together, destination) = match kernel.body.as_slice() {
            [Node::Phase(phase)] if is_sequential => {
                let together = Together::of(kernel, phase, options);
                let destination = together.destination(kernel, phase);
                (together, destination)
            }
            _ => (Together::Nothing, None),
        };
        let flags = flag(kernel.is_indexed() || is_sequential, numptx_abi::Kernel::INDEXED)
            | flag(is_sequential, numptx_abi::Kernel::SEQUENTIAL)
            | flag(kernel.code().is_some(), numptx_abi::Kernel::NEST)
            | flag(kernel.code().is_some_and(Code::is_cooperative), numptx_abi::Kernel::COOPERATIVE)
            | flag(kernel.is_ordered(), numptx_abi::Kernel::ORDERED)
            | flag(crate::lies_apart(kernel), numptx_abi::Kernel::APART)
            | flag(takes_turns(kernel), numptx_abi::Kernel::TURNS)
            | flag(ragged.is_some(), numptx_abi::Kernel::RAGGED)
            | flag(options.narrow, numptx_abi::Kernel::NARROW)
            | flag(kernel.is_tiled(), numptx_abi::Kernel::TILES)
            | together.flags();
        self.record(&[
            self.text(&kernel.name).into(),
            module.into(),
            self.u8(kind),
            self.u8(kernel.rank as u8),
            self.u8(kernel.n_reduced as u8),
            self.u8(crate::side_by_side(kernel)),
            self.u16(block as u16),
            self.u16(flags),
            self.u32(kernel.operands.len() as u32),
            self.u32(kernel.scalars.len() as u32),
            self.table(&operands, "operands").into(),
            self.constant(scalars.into(), "scalars").into(),
            self.u32(crate::accumulator_bytes(kernel)),
            self.u32(crate::work_estimate(kernel)),
            self.u16(together.claim_axes()),
            self.u16(destination.map_or(0, |operand| operand as u16 + 1)),
            self.u32(kernel.factors().map_or(0, |[a, b]| numptx_abi::Kernel::factors_of(a, b))),
            self.u32(ragged.and_then(|ragged| ragged.entries).map_or(0, |n| n + 1)),
            self.null(),
            self.null(),
            self.null(),
            self.null(),
            self.null(),
            self.null(),
        ])
    }

    fn operand(&self, kernel: &Kernel, (n, operand): (usize, &numptx_ir::kernel::Operand)) -> StructValue<'ctx> {
        use numptx_abi::OperandInfo;
        let access = match operand.access {
            Access::Read => OperandInfo::READ,
            Access::Write => OperandInfo::WRITE,
            Access::ReadWrite => OperandInfo::READ | OperandInfo::WRITE,
        };
        let is_kept = kernel.is_rows() && operand.access != Access::Read && !kernel.is_mapped(n);
        self.record(&[
            self.u8(operand.dtype.code()),
            self.u8(operand.dtype.itemsize() as u8),
            self.u8(access | if is_kept { OperandInfo::KEPT } else { 0 }),
            self.u8(operand.is_scalar() as u8),
        ])
    }

    // Signatures.

    /// All parameter nodes in pre-order ([`numptx_abi::Parameter`]).
    pub fn parameters(&self, parameters: &[Parameter]) -> Vec<StructValue<'ctx>> {
        let mut nodes = Vec::new();
        for parameter in parameters {
            let top = (self.text(&parameter.name).into(), parameter.by_name);
            self.parameter(top, &parameter.ty, &mut nodes);
        }
        nodes
    }

    /// `top`: the name of a top-level parameter, null of a member, and whether it is given by name only.
    fn parameter(&self, top: (BasicValueEnum<'ctx>, bool), ty: &ParameterType, nodes: &mut Vec<StructValue<'ctx>>) {
        use numptx_abi::Parameter as Node;
        let null = self.null();
        let mut node = |kind: u8, dtype: u8, weak: u8, rank: usize, order: u8, extents, text| {
            let reserved = self.int(8).const_array(&[self.int(8).const_zero(); 2]);
            let (name, by_name) = (top.0, self.u8(top.1 as u8));
            let (kind, dtype, weak) = (self.u8(kind), self.u8(dtype), self.u8(weak));
            let (rank, order) = (self.u8(rank as u8), self.u8(order));
            nodes.push(self.record(&[name, kind, dtype, weak, rank, order, by_name, reserved.into(), extents, text]));
        };
        match ty {
            ParameterType::Scalar { dtype, python } => {
                node(Node::SCALAR, dtype.code(), *python as u8, 0, 0, null, null)
            }
            ParameterType::Array { dtype, extents, order } => {
                let order = order.map_or(0, |o| if o == MemoryOrder::C { 1 } else { 2 });
                let fixed = match extents.iter().any(Option::is_some) {
                    true => self.ints(&extents.iter().map(|e| e.unwrap_or(-1)).collect::<Vec<_>>(), "extents").into(),
                    false => null,
                };
                node(Node::ARRAY, dtype.code(), 0, extents.len(), order, fixed, null);
            }
            ParameterType::Tuple(members) => {
                node(Node::TUPLE, 0, 0, members.len(), 0, null, null);
                members.iter().for_each(|m| self.parameter((self.null(), false), m, nodes));
            }
            ParameterType::None => node(Node::NONE, 0, 0, 0, 0, null, null),
            ParameterType::Str(text) => {
                let text = text.as_ref().map_or(null, |t| self.text(t).into());
                node(Node::STR, 0, 0, 0, 0, null, text);
            }
            ParameterType::Record(record, members) => {
                let names = self.text(&record.fields.join(" ")).into();
                match record.access {
                    FieldAccess::Members => node(Node::TUPLE, 0, 0, members.len(), 0, null, null),
                    FieldAccess::Attributes | FieldAccess::Names => {
                        node(Node::RECORD, 0, 0, members.len(), 0, null, names)
                    }
                    FieldAccess::Items => node(Node::RECORD, 0, 1, members.len(), 0, null, names),
                }
                members.iter().for_each(|m| self.parameter((self.null(), false), m, nodes));
            }
            ParameterType::Object(object) => {
                let described = self.bytes(&object.description());
                node(Node::OBJECT, 0, 0, 0, 0, null, described.into());
            }
        }
    }

    /// All result nodes in pre-order ([`numptx_abi::ResultNode`]), and how many they are; what describes some of them lies behind.
    pub fn results(&self, signature: &Signature) -> (PointerValue<'ctx>, usize) {
        let mut results =
            Results { leaves: Leaves { signature, next: 0 }, nodes: Vec::new(), descriptions: Vec::new() };
        self.result(&signature.result, &mut results);
        let Results { nodes, descriptions, .. } = results;
        if descriptions.is_empty() {
            return (self.table(&nodes, "results"), nodes.len());
        }
        let (first, n_nodes) = (nodes[0], nodes.len());
        let nodes = first.get_type().const_array(&nodes);
        let descriptions = self.module.get_context().const_string(&descriptions, false);
        (self.constant(self.record(&[nodes.into(), descriptions.into()]).into(), "results"), n_nodes)
    }

    fn result(&self, result: &ResultType, results: &mut Results<'_, 'ctx>) {
        use numptx_abi::ResultNode as Node;
        let mut node = |kind: u8, dtype: u8, rank: usize| {
            let is_group = matches!(kind, Node::NONE | Node::TUPLE | Node::LIST | Node::RECORD);
            let same = if is_group { 0 } else { results.leaves.next() };
            let node = [kind, dtype, rank as u8, same].map(|byte| self.u8(byte));
            results.nodes.push(self.record(&node));
        };
        match result {
            ResultType::None => node(Node::NONE, 0, 0),
            ResultType::PythonScalar(dtype) => node(Node::PYTHON_SCALAR, dtype.code(), 0),
            ResultType::NumpyScalar(dtype) => node(Node::NUMPY_SCALAR, dtype.code(), 0),
            ResultType::DeviceScalar(dtype) => node(Node::DEVICE_SCALAR, dtype.code(), 0),
            ResultType::Array { dtype, rank } => node(Node::ARRAY, dtype.code(), *rank),
            ResultType::Object(object) => {
                node(Node::OBJECT, 0, usize::from(!object.is_plain()));
                if !object.is_plain() {
                    results.descriptions.extend(object.description());
                }
            }
            ResultType::OneOf(members) => {
                node(Node::ONE_OF, numptx_ir::DType::I64.code(), members.len());
                members.iter().for_each(|m| self.result(m, results));
            }
            ResultType::Tuple(members) => {
                node(Node::TUPLE, 0, members.len());
                members.iter().for_each(|m| self.result(m, results));
            }
            ResultType::Record(record, members) => {
                node(Node::RECORD, 0, members.len());
                results.descriptions.extend(record.made().bytes().chain([0]));
                members.iter().for_each(|m| self.result(m, results));
            }
            ResultType::List(members) => {
                node(Node::LIST, 0, members.len());
                members.iter().for_each(|m| self.result(m, results));
            }
        }
    }

    /// An exported global's value ([`numptx_abi::Value`]).
    pub fn value(&self, constant: Constant, dtype: numptx_ir::DType) -> StructValue<'ctx> {
        let bits = |x: f64| match dtype.real() {
            numptx_ir::DType::F16 => u64::from(numptx_abi::half::from_f64(x)),
            numptx_ir::DType::F32 => (x as f32).to_bits() as u64,
            _ => x.to_bits(),
        };
        let (low, high) = match constant {
            Constant::Bool(b) => (b as u64, 0),
            Constant::Int(n) => (n as u64, 0),
            Constant::Float(x) => (bits(x), 0),
            Constant::Complex(re, im) => (bits(re), bits(im)),
        };
        let words = numptx_abi_words() - 4;
        let padding = self.int(64).array_type(words as u32).const_zero();
        self.record(&[
            self.u32(numptx_abi::Value::SCALAR),
            self.u32(dtype.code() as u32),
            self.u32(u32::MAX),
            self.u32(0),
            self.u64(low),
            self.u64(high),
            padding.into(),
        ])
    }
}

/// 64-bit words of an ABI value.
fn numptx_abi_words() -> usize {
    size_of::<numptx_abi::Value>() / 8
}

/// Leaves of a parameter list: those that are passed to the entry.
pub fn parameter_leaves(signature: &Signature) -> usize {
    fn leaves(ty: &ParameterType) -> usize {
        match ty {
            ParameterType::Scalar { .. } | ParameterType::Array { .. } | ParameterType::Object(_) => 1,
            ParameterType::Tuple(members) | ParameterType::Record(_, members) => members.iter().map(leaves).sum(),
            ParameterType::None | ParameterType::Str(_) => 0,
        }
    }
    signature.parameters.iter().map(|p| leaves(&p.ty)).sum()
}

/// The nodes of a result so far, and what describes some of them.
struct Results<'s, 'ctx> {
    leaves: Leaves<'s>,
    nodes: Vec<StructValue<'ctx>>,
    descriptions: Vec<u8>,
}

/// The leaves of a result one after the other.
struct Leaves<'s> {
    signature: &'s Signature,
    next: usize,
}

impl Leaves<'_> {
    /// What stands in the node of the next leaf ([`numptx_abi::ResultNode::same`]).
    fn next(&mut self) -> u8 {
        let leaf = self.next;
        self.next += 1;
        if self.signature.numbered.contains(&leaf) {
            return numptx_abi::ResultNode::NUMBERED;
        }
        let found = self.signature.same.iter().find(|(later, _)| *later == leaf);
        found.and_then(|(_, earlier)| u8::try_from(earlier + 1).ok()).unwrap_or(0)
    }
}

/// Leaves of a result: those that the entry returns.
pub fn result_leaves(result: &ResultType) -> usize {
    match result {
        ResultType::None => 0,
        ResultType::Tuple(members) | ResultType::List(members) | ResultType::Record(_, members) => {
            members.iter().map(result_leaves).sum()
        }
        ResultType::OneOf(members) => 1 + members.iter().map(result_leaves).sum::<usize>(),
        _ => 1,
    }
}

/// Gives a declared global its contents.
pub fn define<'ctx>(global: GlobalValue<'ctx>, value: BasicValueEnum<'ctx>) {
    global.set_initializer(&value);
    global.set_linkage(Linkage::Internal);
}
