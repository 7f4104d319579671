//! Runs a small program on every path, and compares.
//!
//! In: a module. Out: for each choice of flag, conditions and numbers of iterations what it returned, raised and wrote.

use std::collections::BTreeSet;

use numptx_ir::DType;
use numptx_ir::array::interpret::{Failure, Measures, Options, Value, View, interpret_measured};
use numptx_ir::array::{Function, Module, ValueId};
use numptx_ir::scalar::Constant;

use crate::analysis::traverse::for_each_op;
use crate::small_programs::build::N_DEPTHS;

/// The flag, and for each depth a condition and a number of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    flag: bool,
    choices: [(bool, i64); N_DEPTHS],
}

/// What a run gave: results with elements, stride and where they lie, or what was raised; and the argument's elements afterwards.
#[derive(Clone, Debug)]
pub struct Outcome {
    results: Result<Vec<Shown>, String>,
    /// What the run took, if it returned.
    pub measures: Measures,
    argument: Vec<Constant>,
}

/// Whether runs gave the same; what they took may differ.
pub fn is_same(a: &Outcome, b: &Outcome) -> bool {
    (&a.results, &a.argument) == (&b.results, &b.argument)
}

#[derive(Clone, Debug, PartialEq)]
struct Shown {
    elements: Vec<Constant>,
    stride: Option<i64>,
    /// The earlier result (0: the argument) whose memory it is, and where in it.
    shares: Option<(usize, i64)>,
}

/// Every path that makes a difference: what the function does not look at stays as it is.
pub fn paths(function: &Function) -> Vec<Path> {
    let mut used: BTreeSet<ValueId> = BTreeSet::new();
    for_each_op(&function.body, &mut |op| used.extend(&op.operands));
    let is_used = |n: usize| used.contains(&function.parameters[n]);
    let bools = |n: usize| if is_used(n) { vec![false, true] } else { vec![true] };
    let counts = |n: usize| if is_used(n) { vec![0, 1, 2] } else { vec![1] };
    let mut paths: Vec<Path> = bools(1).into_iter().map(|flag| Path { flag, choices: [(true, 1); N_DEPTHS] }).collect();
    for depth in 0..N_DEPTHS {
        let at = 2 + 2 * depth;
        let all = |path: &Path| {
            let mut all = Vec::new();
            for condition in bools(at) {
                for count in counts(at + 1) {
                    let mut path = *path;
                    path.choices[depth] = (condition, count);
                    all.push(path);
                }
            }
            all
        };
        paths = paths.iter().flat_map(all).collect();
    }
    paths
}

fn arguments(path: &Path) -> Vec<Value> {
    let elements: Vec<Constant> = (1..=4).map(Constant::Int).collect();
    let mut arguments =
        vec![Value::Array(View::new(DType::I64, &[4], &elements)), Value::Scalar(Constant::Bool(path.flag))];
    for (condition, count) in path.choices {
        arguments.push(Value::Scalar(Constant::Bool(condition)));
        arguments.push(Value::Scalar(Constant::Int(count)));
    }
    arguments
}

/// Runs a verified module. An error says what is wrong with the IR: a leak, a use after release, a race, …
pub fn run(module: &Module, path: &Path, fails_at: Option<u64>) -> Result<Outcome, String> {
    let arguments = arguments(path);
    let Value::Array(argument) = &arguments[0] else { return Err("the first argument is an array".into()) };
    let options = Options { is_verified: true, fuel: 100_000, fails_at, ..Options::default() };
    let mut measures = Measures::default();
    let results = match interpret_measured(module, "f.0", &arguments, options) {
        Ok((values, taken)) => {
            measures = taken;
            Ok(shown(&values, argument)?)
        }
        Err(Failure::Raised { message, .. }) => Err(message),
        Err(Failure::Invalid(message)) => return Err(message),
    };
    let argument = argument.elements().map_err(|e| format!("{e:?}"))?;
    Ok(Outcome { results, measures, argument })
}

fn shown(values: &[Value], argument: &View) -> Result<Vec<Shown>, String> {
    let mut known = vec![argument];
    let mut all = Vec::new();
    for value in values {
        let Value::Array(view) = value else { continue };
        let shares = known.iter().position(|k| k.buffer == view.buffer);
        let is_empty = view.shape.contains(&0);
        all.push(Shown {
            elements: view.elements().map_err(|e| format!("{e:?}"))?,
            stride: (view.shape[0] > 1).then_some(view.strides[0]),
            shares: shares.map(|n| (n, if is_empty { 0 } else { view.offset })),
        });
        known.push(view);
    }
    Ok(all)
}

/// Fails each op that can fail in turn, until a run comes through: none may leak. How many there were.
pub fn fail_each(module: &Module, path: &Path, expected: &Outcome) -> Result<u64, String> {
    for n in 1.. {
        let outcome = run(module, path, Some(n)).map_err(|e| format!("with op {n} failing: {e}"))?;
        if is_same(&outcome, expected) {
            return Ok(n - 1);
        }
        match outcome.results {
            Err(message) if message.starts_with("fallible op") => {}
            other => return Err(format!("with op {n} failing: {other:?} instead of {:?}", expected.results)),
        }
    }
    Ok(0)
}
