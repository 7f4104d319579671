//! Descriptors in memory, each list exactly as long as its count says.

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};
use std::sync::atomic::AtomicPtr;

use arbitrary::{Arbitrary, Result, Unstructured};
use numptx_abi::{ABI_VERSION, Function, Module, Overload, Parameter, ResultNode};

use crate::entry::{self, Behaviour};
use numptx_fuzz_targets::odd::{Number, Odd, few};

#[derive(Debug, Arbitrary)]
pub struct HeaderFacts {
    version: Odd<u32>,
    bytes: Odd<u32>,
    has_docstring: bool,
}

#[derive(Debug)]
pub struct FunctionFacts {
    pub overloads: Vec<OverloadFacts>,
    has_module: bool,
}

#[derive(Debug)]
pub struct OverloadFacts {
    parameters: Vec<NodeFacts>,
    results: Vec<ResultFacts>,
    has_signature: bool,
    n_parameters: Odd<u32>,
    n_arguments: Odd<u8>,
    n_results: Odd<u8>,
    work: u32,
    written: u64,
    pub behaviour: Behaviour,
}

#[derive(Debug)]
struct NodeFacts {
    is_named: bool,
    kind: Odd<u8>,
    shape: u8,
    dtype: Odd<u8>,
    weak: u8,
    rank: Odd<u8>,
    order: u8,
    by_name: u8,
    reserved: u8,
    extents: Option<Vec<Number>>,
    has_text: bool,
}

#[derive(Debug, Arbitrary)]
struct ResultFacts {
    kind: Odd<u8>,
    choice: u8,
    dtype: Odd<u8>,
    rank: Odd<u8>,
    same: Odd<u8>,
}

impl<'a> Arbitrary<'a> for FunctionFacts {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(FunctionFacts { overloads: few(u, 2)?, has_module: u.arbitrary()? })
    }
}

impl<'a> Arbitrary<'a> for OverloadFacts {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(OverloadFacts {
            parameters: few(u, 6)?,
            results: few(u, 4)?,
            has_signature: u.arbitrary()?,
            n_parameters: u.arbitrary()?,
            n_arguments: u.arbitrary()?,
            n_results: u.arbitrary()?,
            work: u.arbitrary()?,
            written: u.arbitrary()?,
            behaviour: u.arbitrary()?,
        })
    }
}

impl<'a> Arbitrary<'a> for NodeFacts {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(NodeFacts {
            is_named: u.arbitrary()?,
            kind: u.arbitrary()?,
            shape: u.arbitrary()?,
            dtype: u.arbitrary()?,
            weak: u.arbitrary()?,
            rank: u.arbitrary()?,
            order: u.arbitrary()?,
            by_name: u.arbitrary()?,
            reserved: u.arbitrary()?,
            extents: if u.arbitrary()? { Some(few(u, 4)?) } else { None },
            has_text: u.arbitrary()?,
        })
    }
}

/// A descriptor, and the lists that it names. They live until this is dropped: nothing of this process binds it later.
pub struct Library {
    module: Box<Module>,
    pub functions: Vec<FunctionParts>,
    _functions: Box<[Function]>,
}

/// What a function's part of the descriptor holds.
pub struct FunctionParts {
    pub overloads: Vec<OverloadParts>,
    list: Box<[Overload]>,
}

pub struct OverloadParts {
    pub parameters: Box<[Parameter]>,
    pub results: Box<[ResultNode]>,
    pub n_arguments: u32,
    pub n_results: u32,
    pub written: u64,
    pub behaviour: Behaviour,
    _extents: Vec<Box<[i64]>>,
}

fn text(is_there: bool, text: &'static CStr) -> *const c_char {
    if is_there { text.as_ptr() } else { null() }
}

impl Library {
    pub fn new(header: &HeaderFacts, facts: &[FunctionFacts]) -> Library {
        let mut module = Box::new(Module {
            abi_version: header.version.or(ABI_VERSION),
            struct_bytes: header.bytes.or(size_of::<Module>() as u32),
            name: c"fuzzed".as_ptr(),
            compiler: c"by hand".as_ptr(),
            docstring: text(header.has_docstring, c"A module."),
            n_functions: facts.len() as u32,
            n_kernels: 0,
            n_images: 0,
            n_globals: 0,
            functions: null(),
            kernels: null(),
            images: null(),
            global_names: null(),
            global_values: null(),
            table: AtomicPtr::new(null_mut()),
            runtime: AtomicPtr::new(null_mut()),
            python: AtomicPtr::new(null_mut()),
            source: null(),
            host: null(),
        });
        let address: *const Module = &*module;
        let parts: Vec<FunctionParts> = facts.iter().map(|f| FunctionParts::new(f, address)).collect();
        let functions = facts.iter().zip(&parts).map(|(facts, parts)| Function {
            name: c"f".as_ptr(),
            docstring: c"f($module)\n--\n\n".as_ptr(),
            module: if facts.has_module { address } else { null() },
            n_overloads: parts.list.len() as u32,
            reserved: 0,
            overloads: parts.list.as_ptr(),
            trampoline: null(),
            python: AtomicPtr::new(null_mut()),
        });
        let functions: Box<[Function]> = functions.collect();
        module.functions = functions.as_ptr();
        Library { module, functions: parts, _functions: functions }
    }

    pub fn descriptor(&self) -> *const Module {
        &*self.module
    }

    /// Whether its version is the runtime's.
    pub fn is_right(&self) -> bool {
        (self.module.abi_version, self.module.struct_bytes) == (ABI_VERSION, size_of::<Module>() as u32)
    }
}

impl FunctionParts {
    fn new(facts: &FunctionFacts, module: *const Module) -> FunctionParts {
        let parts: Vec<OverloadParts> = facts.overloads.iter().map(OverloadParts::new).collect();
        let overloads = facts.overloads.iter().zip(&parts).map(|(facts, parts)| Overload {
            signature: text(facts.has_signature, c"f(…)"),
            n_parameters: facts.n_parameters.or(trees(&parts.parameters)),
            n_parameter_nodes: parts.parameters.len() as u32,
            n_result_nodes: parts.results.len() as u32,
            n_arguments: parts.n_arguments,
            n_results: parts.n_results,
            work: facts.work,
            parameters: parts.parameters.as_ptr(),
            results: parts.results.as_ptr(),
            written: parts.written,
            libraries: 0,
            noalias: entry::noalias,
            mayalias: entry::mayalias,
            module,
        });
        let overloads: Box<[Overload]> = overloads.collect();
        FunctionParts { overloads: parts, list: overloads }
    }
}

impl OverloadParts {
    fn new(facts: &OverloadFacts) -> OverloadParts {
        let mut lists = Vec::new();
        let n = facts.parameters.len();
        let parameters: Box<[Parameter]> =
            facts.parameters.iter().enumerate().map(|(k, node)| node.parameter(n - k - 1, &mut lists)).collect();
        let results = result_tree(&facts.results);
        let leaves = parameters.iter().filter(|node| is_leaf(node)).count() as u8;
        let n_results = results.iter().filter(|node| is_result_leaf(node)).count() as u8;
        OverloadParts {
            parameters,
            results,
            n_arguments: u32::from(facts.n_arguments.or(leaves)),
            n_results: u32::from(facts.n_results.or(n_results)),
            written: facts.written,
            behaviour: facts.behaviour.clone(),
            _extents: lists,
        }
    }

    /// The nodes that an argument is passed for.
    pub fn leaves(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|node| is_leaf(node))
    }

    /// The nodes that an entry returns a leaf for.
    pub fn result_leaves(&self) -> impl Iterator<Item = &ResultNode> {
        self.results.iter().filter(|node| is_result_leaf(node))
    }
}

fn is_leaf(node: &Parameter) -> bool {
    matches!(node.kind, Parameter::SCALAR | Parameter::ARRAY)
}

fn is_result_leaf(node: &ResultNode) -> bool {
    use ResultNode as Node;
    matches!(node.kind, Node::PYTHON_SCALAR | Node::NUMPY_SCALAR | Node::DEVICE_SCALAR | Node::ARRAY)
}

/// How many trees the nodes are, as far as they go.
fn trees(nodes: &[Parameter]) -> u32 {
    let (mut trees, mut left) = (0, 0usize);
    for node in nodes {
        match left {
            0 => trees += 1,
            _ => left -= 1,
        }
        left += if node.kind == Parameter::TUPLE { usize::from(node.rank) } else { 0 };
    }
    trees
}

/// One result, or a tuple of several.
fn result_tree(facts: &[ResultFacts]) -> Box<[ResultNode]> {
    let n = facts.len();
    let nodes = facts.iter().enumerate().map(|(k, node)| node.node(n - k - 1));
    if n < 2 {
        return nodes.collect();
    }
    let mut all: Vec<ResultNode> = nodes.collect();
    // Those that are not members of others.
    let (mut roots, mut left) = (0, 0usize);
    for node in &all {
        match left {
            0 => roots += 1,
            _ => left -= 1,
        }
        left += if matches!(node.kind, ResultNode::TUPLE | ResultNode::LIST) { usize::from(node.rank) } else { 0 };
    }
    all.insert(0, ResultNode::new(ResultNode::TUPLE, 0, roots));
    all.into()
}

impl NodeFacts {
    /// With so many nodes behind it.
    fn parameter(&self, behind: usize, lists: &mut Vec<Box<[i64]>>) -> Parameter {
        const KINDS: [u8; 8] = [1, 1, 1, 0, 0, 2, 3, 4];
        let kind = self.kind.or(KINDS[usize::from(self.shape / 5) % KINDS.len()]);
        let most = if kind == Parameter::TUPLE { behind.min(4) as u8 } else { 4 };
        let rank = self.rank.or(self.shape % (most + 1));
        let extents = match &self.extents {
            None => null(),
            Some(found) => {
                let mut all = found.iter().map(|extent| extent.value());
                lists.push((0..rank).map(|_| all.next().unwrap_or(-1)).collect());
                lists.last().map_or(null(), |list| list.as_ptr())
            }
        };
        Parameter {
            name: text(self.is_named, c"x"),
            kind,
            dtype: self.dtype.or(self.shape % 14),
            weak: self.weak,
            rank,
            order: self.order % 6,
            by_name: self.by_name,
            reserved: [self.reserved; 2],
            extents,
            text: text(self.has_text, c"mode"),
        }
    }
}

impl ResultFacts {
    /// With so many nodes behind it.
    fn node(&self, behind: usize) -> ResultNode {
        let kind = self.kind.or(self.choice % 7);
        let has_members = matches!(kind, ResultNode::TUPLE | ResultNode::LIST);
        let most = if has_members { behind.min(3) as u8 } else { 3 };
        ResultNode {
            kind,
            dtype: self.dtype.or(self.choice % 14),
            rank: self.rank.or(self.choice / 7 % (most + 1)),
            same: self.same.or(0),
        }
    }
}
