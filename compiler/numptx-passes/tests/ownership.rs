//! Ownership, exhaustively: every program of up to three statements out of ten, with every choice of what is returned and of the branches
//! taken, releases each buffer exactly when its last reference goes, and computes what it computed before.

use numptx_ir::DType;
use numptx_ir::array::interpret::{Value, View, interpret};
use numptx_ir::array::{ArrayType, Builder, Function, Layout, Module, OpKind, Type, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, ScalarOp};
use numptx_ir::signature::{Parameter, ParameterType, ResultType, Signature};
use numptx_passes::{
    ELIDE_OWNERSHIP, FORM_KERNELS, INSERT_OWNERSHIP, Limit, PLACE_STORES, Pass, SPLIT_ALIASING, Unobserved, run,
};

const LOWER: &[Pass] = &[SPLIT_ALIASING, PLACE_STORES, FORM_KERNELS, INSERT_OWNERSHIP];
const N_STATEMENTS: usize = 10;
const VECTOR: Type = Type::Array(ArrayType { dtype: DType::I64, rank: 1, layout: Layout::Any, writable: true });

struct Program {
    builder: Builder,
    parameter: ValueId,
    condition: ValueId,
    /// The two arrays that statements work on: the one before, and the last.
    before: ValueId,
    last: ValueId,
}

fn doubled() -> Body {
    let mut body = BodyBuilder::new();
    let x = body.input(0, DType::I64);
    let sum = body.op(ScalarOp::Add, &[x, x]);
    body.finish(vec![sum])
}

impl Program {
    fn fresh(&mut self, of: ValueId) -> ValueId {
        let extents = self.builder.shape(of);
        self.builder.map(&extents, &[of], doubled())[0]
    }

    fn view(&mut self, of: ValueId) -> ValueId {
        let (zero, step) = (self.builder.i64(0), self.builder.i64(2));
        let extent = self.builder.dim(of, 0);
        let one = self.builder.i64(1);
        let rounded = self.builder.scalar(ScalarOp::Add, &[extent, one]);
        let length = self.builder.scalar(ScalarOp::FloorDiv, &[rounded, step]);
        self.builder.slice(of, 0, zero, length, step)
    }

    fn branch(
        &mut self,
        then: impl Fn(&mut Self) -> Vec<ValueId>,
        otherwise: impl Fn(&mut Self) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        self.builder.open_region(&[]);
        let yielded = then(self);
        let types = vec![VECTOR; yielded.len()];
        self.builder.emit(OpKind::Yield, yielded);
        let first = self.builder.close_region();
        self.builder.open_region(&[]);
        let yielded = otherwise(self);
        self.builder.emit(OpKind::Yield, yielded);
        let second = self.builder.close_region();
        self.builder.emit_typed(OpKind::If, vec![self.condition], types, vec![first, second])
    }

    /// Two iterations.
    fn repeat(&mut self, initial: &[ValueId], body: impl Fn(&mut Self, &[ValueId]) -> Vec<ValueId>) -> Vec<ValueId> {
        let bounds = [0, 2, 1].map(|n| self.builder.i64(n));
        let types = vec![VECTOR; initial.len()];
        let parameters = self.builder.open_region(&[&[Type::Scalar(DType::I64)], &types[..]].concat());
        let yielded = body(self, &parameters[1..]);
        self.builder.emit(OpKind::Yield, yielded);
        let region = self.builder.close_region();
        self.builder.emit_typed(OpKind::For, [&bounds[..], initial].concat(), types, vec![region])
    }

    /// While the array has more than one element.
    fn halve(&mut self, initial: ValueId) -> ValueId {
        let carried = self.builder.open_region(&[VECTOR]);
        let (extent, one) = (self.builder.dim(carried[0], 0), self.builder.i64(1));
        let condition = self.builder.scalar(ScalarOp::Lt, &[one, extent]);
        self.builder.emit(OpKind::Yield, vec![condition]);
        let test = self.builder.close_region();
        let carried = self.builder.open_region(&[VECTOR]);
        let half = self.view(carried[0]);
        self.builder.emit(OpKind::Yield, vec![half]);
        let body = self.builder.close_region();
        self.builder.emit_typed(OpKind::While, vec![initial], vec![VECTOR], vec![test, body])[0]
    }

    fn statement(&mut self, number: usize) {
        let (before, last, parameter) = (self.before, self.last, self.parameter);
        let next = match number {
            0 => self.fresh(last),
            1 => self.view(last),
            2 => parameter,
            3 => self.branch(|p| vec![p.fresh(last)], |_| vec![last])[0],
            4 => self.branch(|p| vec![p.view(last)], |_| vec![before])[0],
            5 => self.repeat(&[last], |p, carried| vec![p.view(carried[0])])[0],
            6 => self.repeat(&[last], |p, carried| {
                let fresh = p.fresh(before);
                p.builder.assign(fresh, fresh);
                p.branch(|_| vec![fresh], |_| vec![carried[0]])
            })[0],
            7 => {
                let swapped = self.repeat(&[before, last], |_, carried| vec![carried[1], carried[0]]);
                self.before = swapped[0];
                self.last = swapped[1];
                return;
            }
            8 => self.halve(last),
            _ => {
                let extent = self.builder.dim(last, 0);
                let reshaped = self.builder.reshape(last, &[extent]);
                let unused = |p: &mut Self| {
                    p.fresh(before);
                    Vec::new()
                };
                self.branch(unused, |_| Vec::new());
                reshaped
            }
        };
        self.before = last;
        self.last = next;
    }
}

fn signature(n_results: usize) -> Signature {
    let parameter = |name: &str, ty: ParameterType| Parameter { name: name.into(), ty, by_name: false };
    let array = ParameterType::Array { dtype: DType::I64, extents: vec![None], order: None };
    let flag = ParameterType::Scalar { dtype: DType::Bool, python: true };
    Signature {
        function: "f".into(),
        text: "f".into(),
        parameters: vec![parameter("a", array), parameter("c", flag)],
        result: ResultType::Tuple(vec![ResultType::Array { dtype: DType::I64, rank: 1 }; n_results]),
        same: Vec::new(),
        numbered: Vec::new(),
        defaults: Vec::new(),
        docstring: None,
    }
}

fn program(statements: &[usize], returned: usize) -> Function {
    let mut builder = Builder::new("f.0");
    let parameter = builder.parameter(VECTOR, "a");
    let condition = builder.parameter(Type::Scalar(DType::Bool), "c");
    let mut program = Program { builder, parameter, condition, before: parameter, last: parameter };
    statements.iter().for_each(|number| program.statement(*number));
    let results = match returned {
        0 => vec![program.last],
        1 => vec![program.view(program.last), program.before, program.last],
        _ => Vec::new(),
    };
    let n_results = results.len();
    program.builder.emit(OpKind::Return, results);
    program.builder.finish(signature(n_results))
}

/// Elements of the results.
fn outcome(module: &Module, condition: bool) -> Result<Vec<Vec<Constant>>, String> {
    let elements: Vec<Constant> = (1..6).map(Constant::Int).collect();
    let array = Value::Array(View::new(DType::I64, &[5], &elements));
    let arguments = [array, Value::Scalar(Constant::Bool(condition))];
    let results = interpret(module, "f.0", &arguments).map_err(|e| format!("{e:?}"))?;
    let elements = results.iter().map(|result| match result {
        Value::Array(view) => view.elements().map_err(|e| format!("{e:?}")),
        Value::Scalar(constant) => Ok(vec![*constant]),
        Value::Object(_) => Err("an object".to_string()),
    });
    elements.collect()
}

fn check(statements: &[usize], returned: usize) {
    let original = Module { name: "m".into(), functions: vec![program(statements, returned)], ..Module::default() };
    let mut module = original.clone();
    for passes in [LOWER, &[ELIDE_OWNERSHIP]] {
        if let Err(error) = run(&mut module, passes, Limit::None, &mut Unobserved) {
            panic!("{statements:?}, returned {returned}: {error}\n{original}");
        }
        for condition in [false, true] {
            let (expected, found) = (outcome(&original, condition), outcome(&module, condition));
            assert_eq!(expected, found, "{statements:?}, returned {returned}, {condition}\n{original}\n{module}");
            assert!(found.is_ok(), "{found:?}");
        }
    }
}

#[test]
fn every_small_program_is_balanced() {
    for returned in 0..3 {
        check(&[], returned);
        for first in 0..N_STATEMENTS {
            check(&[first], returned);
            for second in 0..N_STATEMENTS {
                check(&[first, second], returned);
                for third in (0..N_STATEMENTS).filter(|_| returned == 1) {
                    check(&[first, second, third], returned);
                }
            }
        }
    }
}
