//! Calls of the table: what is emitted verifies, what is refused is refused with words, and nothing panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use numptx_ir::DType;
use numptx_ir::array::verify::verify;
use numptx_ir::array::{ArrayType, Builder, Layout, Module, OpKind, Type, ValueId};
use numptx_ir::functions::parameters::parameters;
use numptx_ir::functions::{Arguments, Class, Family, Function, FunctionError, PyValue, Typed, all, call, lookup};
use numptx_ir::scalar::Constant;
use numptx_ir::signature::{Parameter, ParameterType, ResultType, Signature};

/// A small generator of numbers that look random.
pub struct Random(u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A function whose parameters are made as arguments are.
pub struct Program {
    pub builder: Builder,
    parameters: Vec<Parameter>,
}

impl Program {
    pub fn new() -> Self {
        Program { builder: Builder::new("f"), parameters: Vec::new() }
    }

    pub fn array(&mut self, dtype: DType, rank: usize, layout: Layout) -> Typed {
        let layout = if rank == 0 { Layout::C } else { layout };
        let ty = Type::Array(ArrayType { dtype, rank, layout, writable: true });
        let parameter = ParameterType::Array { dtype, extents: vec![None; rank], order: None };
        Typed { value: self.parameter(ty, parameter), family: Family::Array }
    }

    pub fn scalar(&mut self, dtype: DType, family: Family) -> Typed {
        let python = family == Family::Python;
        let parameter = ParameterType::Scalar { dtype, python };
        Typed { value: self.parameter(Type::Scalar(dtype), parameter), family }
    }

    fn parameter(&mut self, ty: Type, parameter: ParameterType) -> ValueId {
        let name = format!("p{}", self.parameters.len());
        self.parameters.push(Parameter { name: name.clone(), ty: parameter, by_name: false });
        self.builder.parameter(ty, &name)
    }

    pub fn int(&mut self, value: i64) -> PyValue {
        PyValue::Typed(Typed { value: self.builder.i64(value), family: Family::Python })
    }

    pub fn float(&mut self, value: f64) -> PyValue {
        let value = self.builder.constant(Constant::Float(value), DType::F64);
        PyValue::Typed(Typed { value, family: Family::Python })
    }

    /// The module with this function, returning the leaves of a value.
    pub fn returning(mut self, value: &PyValue) -> Module {
        let mut leaves = Vec::new();
        let result = self.result(value, &mut leaves);
        self.builder.emit(OpKind::Return, leaves);
        let text = "f()".to_string();
        let signature = Signature {
            function: "f".into(),
            text,
            parameters: self.parameters,
            result,
            same: Vec::new(),
            numbered: Vec::new(),
            defaults: Vec::new(),
            docstring: None,
        };
        Module { name: "m".into(), functions: vec![self.builder.finish(signature)], ..Module::default() }
    }

    fn result(&self, value: &PyValue, leaves: &mut Vec<ValueId>) -> ResultType {
        match value {
            PyValue::Typed(typed) => {
                leaves.push(typed.value);
                let dtype = self.builder.dtype(typed.value);
                match (self.builder.ty(typed.value), typed.family) {
                    (Type::Scalar(_), Family::Python) => ResultType::PythonScalar(dtype),
                    (Type::Scalar(_), _) => ResultType::NumpyScalar(dtype),
                    (Type::Array(_), Family::Numpy) => ResultType::DeviceScalar(dtype),
                    (Type::Array(array), _) => ResultType::Array { dtype, rank: array.rank },
                    (Type::Object, _) => panic!("an object"),
                }
            }
            PyValue::Tuple(items) => ResultType::Tuple(items.iter().map(|v| self.result(v, leaves)).collect()),
            PyValue::List(items) => ResultType::List(items.iter().map(|v| self.result(v, leaves)).collect()),
            _ => ResultType::None,
        }
    }
}

pub fn apply(program: &mut Program, name: &str, positional: &[PyValue]) -> Result<PyValue, FunctionError> {
    let arguments = Arguments { positional: positional.to_vec(), ..Arguments::default() };
    call(&mut program.builder, lookup(name).unwrap_or_else(|| panic!("{name}")), &arguments)
}

/// Any value that an argument may be.
fn any_value(program: &mut Program, random: &mut Random, depth: usize) -> PyValue {
    let dtype = DType::ALL[random.below(DType::ALL.len())];
    match random.below(if depth > 1 { 10 } else { 15 }) {
        0..=3 => {
            let layout = [Layout::C, Layout::F, Layout::Any][random.below(3)];
            let rank = random.below(4);
            PyValue::Typed(program.array(dtype, rank, layout))
        }
        4 => PyValue::Typed(program.scalar(dtype, Family::Numpy)),
        5 => {
            let dtype = [DType::Bool, DType::I64, DType::F64, DType::C128][random.below(4)];
            PyValue::Typed(program.scalar(dtype, Family::Python))
        }
        6..=8 => program.int([-300, -1, 0, 0, 1, 1, 2, 3, 300, i64::MAX][random.below(10)]),
        9 => program.float([0.5, -1.0, 2.0, f64::NAN, 1e300][random.below(5)]),
        10 | 11 => {
            let items = (0..random.below(4)).map(|_| any_value(program, random, depth + 1)).collect();
            if random.below(2) == 0 { PyValue::Tuple(items) } else { PyValue::List(items) }
        }
        12 => PyValue::None,
        13 => PyValue::Str(
            ["C", "F", "K", "A", "float32", "?", "", "i", "ij->j", "i,i", "...,j"][random.below(11)].to_string(),
        ),
        _ => [PyValue::DType(dtype), PyValue::Ellipsis][random.below(2)].clone(),
    }
}

fn any_call(program: &mut Program, random: &mut Random, row: &'static Function) -> Result<PyValue, FunctionError> {
    let list = parameters(row.parameters);
    let needed = list.iter().filter(|p| !p.optional).count();
    let n_positional = needed + random.below(2).min(list.len() - needed);
    let more = if row.parameters.starts_with('*') { random.below(3) } else { 0 };
    let mut arguments = Arguments::default();
    for _ in 0..n_positional + more {
        arguments.positional.push(any_value(program, random, 0));
    }
    for parameter in list.iter().skip(n_positional) {
        if random.below(3) == 0 {
            arguments.keywords.push((parameter.name.to_string(), any_value(program, random, 0)));
        }
    }
    call(&mut program.builder, row, &arguments)
}

/// Methods of ufuncs, of each sort one or two.
const METHODS: [&str; 10] = [
    "numpy.subtract.outer",
    "numpy.divmod.outer",
    "numpy.power.at",
    "numpy.gcd.at",
    "numpy.add.reduce",
    "numpy.maximum.reduce",
    "numpy.fmin.reduce",
    "numpy.logical_and.reduce",
    "numpy.logical_xor.reduce",
    "numpy.bitwise_or.reduce",
];

#[test]
fn any_arguments_give_valid_ir_or_a_refusal() {
    let mut accepted = std::collections::BTreeMap::new();
    // Lowering inlines what is written in Python.
    let methods = || METHODS.iter().map(|name| lookup(name).unwrap());
    let emitted = || all().chain(methods()).filter(|row| !matches!(row.class, Class::Library));
    for row in emitted() {
        for seed in 0..20_000 {
            // Rows that refuse nearly everything are called until one call is accepted.
            if seed >= 600 && accepted.contains_key(row.name) {
                break;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let (mut program, mut random) = (Program::new(), Random(seed * 7919 + 17));
                let result = any_call(&mut program, &mut random, row);
                result.map(|value| program.returning(&value))
            }));
            let Ok(outcome) = outcome else { panic!("`{}` panics with seed {seed}", row.name) };
            match outcome {
                Ok(module) => {
                    *accepted.entry(row.name).or_insert(0) += 1;
                    let errors = verify(&module).err().unwrap_or_default();
                    let text = numptx_ir::array::print::op_line;
                    let ops: Vec<String> =
                        module.functions[0].body.ops.iter().map(|op| text(&module.functions[0], op)).collect();
                    assert!(errors.is_empty(), "`{}`, seed {seed}: {}\n{}", row.name, errors[0], ops.join("\n"));
                }
                Err(error) => {
                    let known = numptx_source::CODES.iter().any(|c| c.code == error.code);
                    assert!(known && !error.message.is_empty() && !error.message.ends_with('.'), "{error:?}");
                }
            }
        }
    }
    for row in emitted() {
        assert!(accepted.get(row.name).is_some_and(|n| *n > 0), "no call of `{}` was accepted", row.name);
    }
}
