//! A small program as a function in the host phase.
//!
//! In: statements, and what is returned. Out: a module with the function and its kernels. Extents are values that arrays of one size share.

use numptx_ir::DType;
use numptx_ir::array::parse::parse;
use numptx_ir::array::{
    Aliasing, ArrayType, ErrorKind, Function, KernelId, Layout, Module, Op, OpKind, Order, Phase, Reading, Region,
    Type, ValueData, ValueId,
};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_ir::signature::{Parameter, ParameterType, ResultType, Signature};
use numptx_source::Span;

use crate::small_programs::programs::{Block, Statement};

/// Leaves of the function: the array, the flag, and for each of two depths a condition and a number of iterations.
pub const N_DEPTHS: usize = 2;

const KERNELS: &str = r#"
module "m"

kernel @double rank 1 reduced 0 block 256 vector 1 {
  operand write i64[:] noalias
  operand read i64[:] noalias
  phase {
    load 1
    body { $0 = input 0 : i64; $1 = add $0, $0 : i64; yield $1 }
    store 0 to 0
  }
}

kernel @mirror rank 1 reduced 0 block 256 vector 1 {
  operand write i64[:] noalias
  operand read i64[:] noalias
  operand read i64[:] noalias
  phase {
    load 1
    load 2
    body { $0 = input 0 : i64; $1 = input 1 : i64; $2 = add $0, $1 : i64; yield $2 }
    store 0 to 0
  }
}

kernel @increase rank 1 reduced 0 block 256 vector 1 {
  operand readwrite i64[:] noalias
  phase {
    load 0
    body { $0 = input 0 : i64; $1 = constant 1 : i64; $2 = add $0, $1 : i64; yield $2 }
    store 0 to 0
  }
}
"#;

fn vector(layout: Layout) -> Type {
    Type::Array(ArrayType { dtype: DType::I64, rank: 1, layout, writable: true })
}

/// The module of one program that returns the visible arrays at these positions.
pub fn module(statements: &[Statement], returned: &[usize]) -> Module {
    let mut build = Build { values: Vec::new(), regions: vec![Vec::new()], extents: Vec::new(), depth: 0 };
    let array = build.value(vector(Layout::Any));
    let flag = build.value(Type::Scalar(DType::Bool));
    let mut parameters = vec![array, flag];
    for _ in 0..N_DEPTHS {
        parameters.extend([build.value(Type::Scalar(DType::Bool)), build.value(Type::Scalar(DType::I64))]);
    }
    let mut visible = vec![array];
    build.statements(statements, &mut visible, &parameters);
    let results: Vec<ValueId> = returned.iter().map(|n| visible[*n]).collect();
    build.op(OpKind::Return, results.clone(), &[]);
    let function = Function {
        name: "f.0".into(),
        signature: signature(results.len()),
        aliasing: Aliasing::NoAlias,
        phase: Phase::Host,
        parameters,
        values: build.values,
        body: Region { parameters: Vec::new(), ops: build.regions.pop().unwrap_or_default() },
        is_routine: false,
        independent: Vec::new(),
        remarks: Vec::new(),
    };
    let kernels = parse(KERNELS).expect("the kernels are well-formed").kernels;
    Module { name: "m".into(), functions: vec![function], kernels, ..Module::default() }
}

fn signature(n_results: usize) -> Signature {
    let parameter = |name: &str, ty: ParameterType| Parameter { name: name.into(), ty, by_name: false };
    let scalar = |dtype: DType| ParameterType::Scalar { dtype, python: true };
    let array = ParameterType::Array { dtype: DType::I64, extents: vec![None], order: None };
    let mut parameters = vec![parameter("a", array), parameter("flag", scalar(DType::Bool))];
    for depth in 0..N_DEPTHS {
        parameters.push(parameter(&format!("c{depth}"), scalar(DType::Bool)));
        parameters.push(parameter(&format!("n{depth}"), scalar(DType::I64)));
    }
    Signature {
        function: "f".into(),
        text: "f".into(),
        parameters,
        result: ResultType::Tuple(vec![ResultType::Array { dtype: DType::I64, rank: 1 }; n_results]),
        same: Vec::new(),
        numbered: Vec::new(),
        defaults: Vec::new(),
        docstring: None,
    }
}

struct Build {
    values: Vec<ValueData>,
    /// Ops of the open regions.
    regions: Vec<Vec<Op>>,
    /// Arrays whose extent is a known value.
    extents: Vec<(ValueId, ValueId)>,
    depth: usize,
}

impl Build {
    fn value(&mut self, ty: Type) -> ValueId {
        self.values.push(ValueData { ty, name: None });
        ValueId(self.values.len() as u32 - 1)
    }

    fn op(&mut self, kind: OpKind, operands: Vec<ValueId>, types: &[Type]) -> Vec<ValueId> {
        self.nest(kind, operands, types, Vec::new())
    }

    fn nest(&mut self, kind: OpKind, operands: Vec<ValueId>, types: &[Type], regions: Vec<Region>) -> Vec<ValueId> {
        let results: Vec<ValueId> = types.iter().map(|ty| self.value(*ty)).collect();
        let op = Op { kind, operands, results: results.clone(), regions, span: Span::default() };
        self.regions.last_mut().expect("a region is open").push(op);
        results
    }

    fn int(&mut self, kind: OpKind, operands: Vec<ValueId>) -> ValueId {
        self.op(kind, operands, &[Type::Scalar(DType::I64)])[0]
    }

    fn constant(&mut self, n: i64) -> ValueId {
        self.int(OpKind::Constant(Constant::Int(n)), Vec::new())
    }

    fn extent(&mut self, array: ValueId) -> ValueId {
        match self.extents.iter().find(|(v, _)| *v == array) {
            Some((_, extent)) => *extent,
            None => self.int(OpKind::Dim(0), vec![array]),
        }
    }

    fn alloc(&mut self, extent: ValueId) -> ValueId {
        let kind = OpKind::Alloc { dtype: DType::I64, order: Order::C };
        let array = self.op(kind, vec![extent], &[vector(Layout::C)])[0];
        self.extents.push((array, extent));
        array
    }

    fn launch(&mut self, kernel: u32, extent: ValueId, arrays: &[ValueId]) {
        self.op(OpKind::Launch(KernelId(kernel)), [&[extent], arrays].concat(), &[]);
    }

    fn slice(&mut self, array: ValueId, bounds: [ValueId; 3]) -> ValueId {
        self.op(OpKind::Slice { axis: 0 }, [&[array], &bounds[..]].concat(), &[vector(Layout::Any)])[0]
    }

    fn statements(&mut self, statements: &[Statement], visible: &mut Vec<ValueId>, parameters: &[ValueId]) {
        for statement in statements {
            let defined = self.statement(statement, visible, parameters);
            visible.extend(defined);
        }
    }

    fn statement(&mut self, statement: &Statement, visible: &[ValueId], parameters: &[ValueId]) -> Option<ValueId> {
        let extent_of = |build: &mut Build, v: &usize| (visible[*v], build.extent(visible[*v]));
        Some(match statement {
            Statement::Fresh(v) => {
                let (array, extent) = extent_of(self, v);
                let fresh = self.alloc(extent);
                self.launch(0, extent, &[fresh, array]);
                fresh
            }
            Statement::Mirror(v) => {
                let (array, extent) = extent_of(self, v);
                let minus = self.constant(-1);
                let last = self.int(OpKind::Scalar(ScalarOp::Add), vec![extent, minus]);
                let mirrored = self.slice(array, [last, extent, minus]);
                let fresh = self.alloc(extent);
                self.launch(1, extent, &[fresh, array, mirrored]);
                fresh
            }
            Statement::View(v) => {
                let (array, extent) = extent_of(self, v);
                let (zero, one, minus) = (self.constant(0), self.constant(1), self.constant(-1));
                let rest = self.int(OpKind::Scalar(ScalarOp::Add), vec![extent, minus]);
                let rest = self.int(OpKind::Scalar(ScalarOp::Max), vec![rest, zero]);
                let view = self.slice(array, [one, rest, one]);
                self.extents.push((view, rest));
                view
            }
            Statement::Reshape(v) => {
                let (array, extent) = extent_of(self, v);
                let is_c = self.values[array.0 as usize].ty == vector(Layout::C);
                let ty = vector(if is_c { Layout::C } else { Layout::Any });
                self.op(OpKind::Reshape(Reading::C), vec![array, extent], &[ty])[0]
            }
            Statement::Store(v) => {
                let (array, extent) = extent_of(self, v);
                self.launch(2, extent, &[array]);
                return None;
            }
            Statement::Check => {
                let kind = OpKind::Check { kind: ErrorKind::Value, message: "unset".into() };
                self.op(kind, vec![parameters[1]], &[]);
                return None;
            }
            Statement::If(then, otherwise) => self.branch(then, otherwise, visible, parameters),
            Statement::For(initial, body) => self.count(visible[*initial], body, visible, parameters),
            Statement::While(initial, body) => self.repeat(visible[*initial], body, visible, parameters),
        })
    }

    /// The condition and the number of iterations of this depth.
    fn choices(&self, parameters: &[ValueId]) -> (ValueId, ValueId) {
        let at = 2 + 2 * (self.depth % N_DEPTHS);
        (parameters[at], parameters[at + 1])
    }

    /// A region of a block, ended by a yield of `first` and the block's array.
    fn block(
        &mut self,
        block: &Block,
        mut visible: Vec<ValueId>,
        parameters: &[ValueId],
        first: impl FnOnce(&mut Build) -> Vec<ValueId>,
    ) -> Vec<Op> {
        self.regions.push(Vec::new());
        self.depth += 1;
        let n_known = self.extents.len();
        self.statements(&block.statements, &mut visible, parameters);
        let first = first(self);
        self.op(OpKind::Yield, [&first[..], &[visible[block.yielded]]].concat(), &[]);
        self.extents.truncate(n_known);
        self.depth -= 1;
        self.regions.pop().expect("opened above")
    }

    fn branch(&mut self, then: &Block, otherwise: &Block, visible: &[ValueId], parameters: &[ValueId]) -> ValueId {
        let (condition, _) = self.choices(parameters);
        let regions = [then, otherwise].map(|block| Region {
            parameters: Vec::new(),
            ops: self.block(block, visible.to_vec(), parameters, |_| Vec::new()),
        });
        self.nest(OpKind::If, vec![condition], &[vector(Layout::Any)], regions.into())[0]
    }

    fn count(&mut self, initial: ValueId, body: &Block, visible: &[ValueId], parameters: &[ValueId]) -> ValueId {
        let (_, n) = self.choices(parameters);
        let (zero, one) = (self.constant(0), self.constant(1));
        let index = self.value(Type::Scalar(DType::I64));
        let carried = self.value(vector(Layout::Any));
        let ops = self.block(body, [visible, &[carried]].concat(), parameters, |_| Vec::new());
        let region = Region { parameters: vec![index, carried], ops };
        self.nest(OpKind::For, vec![zero, n, one, initial], &[vector(Layout::Any)], vec![region])[0]
    }

    fn repeat(&mut self, initial: ValueId, body: &Block, visible: &[ValueId], parameters: &[ValueId]) -> ValueId {
        let (_, n) = self.choices(parameters);
        let types = [Type::Scalar(DType::I64), vector(Layout::Any)];
        let zero = self.constant(0);
        let tested = types.map(|ty| self.value(ty)).to_vec();
        self.regions.push(Vec::new());
        let more = self.op(OpKind::Scalar(ScalarOp::Lt), vec![tested[0], n], &[Type::Scalar(DType::Bool)]);
        self.op(OpKind::Yield, more, &[]);
        let test = Region { parameters: tested, ops: self.regions.pop().expect("opened above") };
        let carried = types.map(|ty| self.value(ty)).to_vec();
        let count = carried[0];
        let ops = self.block(body, [visible, &carried[1..]].concat(), parameters, |build| {
            let one = build.constant(1);
            vec![build.int(OpKind::Scalar(ScalarOp::Add), vec![count, one])]
        });
        let body = Region { parameters: carried, ops };
        self.nest(OpKind::While, vec![zero, initial], &types, vec![test, body])[1]
    }
}
