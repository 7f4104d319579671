//! Ownership: mutants of sound functions are refused by the verifier, or run as the original does, without leak or use after release.

mod sample;

use numptx_ir::array::interpret::{Contents, Failure, Object, Options, Value, interpret_with};
use numptx_ir::array::verify::verify;
use numptx_ir::array::{Module, OpKind, Phase, Region};
use numptx_ir::scalar::Constant;

#[derive(Clone, Copy, Debug)]
enum Mutation {
    Drop,
    Duplicate,
    SwapWithNext,
}

fn is_ownership(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Retain | OpKind::Release)
}

/// Mutates the `n`-th retain, release or op after one, counted through nested regions; `None` if there are fewer.
fn mutate(region: &mut Region, n: &mut usize, mutation: Mutation) -> bool {
    for position in 0..region.ops.len() {
        if is_ownership(&region.ops[position].kind) {
            if *n == 0 {
                match mutation {
                    Mutation::Drop => drop(region.ops.remove(position)),
                    Mutation::Duplicate => region.ops.insert(position, region.ops[position].clone()),
                    Mutation::SwapWithNext => region.ops.swap(position, position + 1),
                }
                return true;
            }
            *n -= 1;
        }
        for nested in &mut region.ops[position].regions {
            if mutate(nested, n, mutation) {
                return true;
            }
        }
    }
    false
}

/// The numbers in an object, and how many members each object in it has.
fn numbers(object: &Object) -> Vec<Constant> {
    let Contents::Members { count, leaves, .. } = object.contents() else { return Vec::new() };
    let leaf = |leaf: &Value| match leaf {
        Value::Scalar(constant) => vec![*constant],
        Value::Array(view) => view.elements().unwrap_or_default(),
        Value::Object(object) => numbers(object),
    };
    let all: Vec<Constant> = leaves.iter().flat_map(leaf).collect();
    [vec![Constant::Int(count as i64)], all].concat()
}

fn run(module: &Module, function: usize, n: i64) -> Result<Vec<Vec<Constant>>, Failure> {
    let function = &module.functions[function];
    let options = Options { is_verified: true, fuel: 100_000, ..Options::default() };
    let results = interpret_with(module, &function.name, &sample::arguments(function, n), options)?;
    let elements = |value: &Value| match value {
        Value::Array(view) => view.elements(),
        Value::Scalar(constant) => Ok(vec![*constant]),
        Value::Object(object) => Ok(numbers(object)),
    };
    results.iter().map(elements).collect()
}

#[test]
fn mutants_are_killed_or_equivalent() {
    let (mut rejected, mut caught_by_running, mut equivalent) = (0, 0, 0);
    for module in sample::modules() {
        for index in (0..module.functions.len()).filter(|n| module.functions[*n].phase == Phase::Owned) {
            let name = module.functions[index].name.clone();
            let expected: Vec<_> = (0..4).map(|n| run(&module, index, n)).collect();
            assert!(expected.iter().all(Result::is_ok), "{name}: {expected:?}");
            for mutation in [Mutation::Drop, Mutation::Duplicate, Mutation::SwapWithNext] {
                for position in 0.. {
                    let mut mutant = module.clone();
                    if !mutate(&mut mutant.functions[index].body, &mut position.clone(), mutation) {
                        break;
                    }
                    let text = mutant.functions[index].to_string();
                    let errors = verify(&mutant).err().unwrap_or_default();
                    let is_structural = errors.iter().any(|error| error.invariant < "A20");
                    if is_structural {
                        rejected += 1;
                        continue;
                    }
                    let found: Vec<_> = (0..4).map(|n| run(&mutant, index, n)).collect();
                    caught_by_running += usize::from(found.iter().any(Result::is_err));
                    if errors.is_empty() {
                        assert_eq!(found, expected, "{mutation:?} {position} is accepted, but differs:\n{text}");
                        equivalent += 1;
                    } else {
                        rejected += 1;
                    }
                }
            }
        }
    }
    assert!(rejected >= 20 && caught_by_running >= 20, "{rejected} rejected, {caught_by_running} caught by running");
    assert!(equivalent <= 10, "{equivalent} equivalent");
}

#[test]
fn results_keep_their_buffers() {
    for module in sample::modules().iter().filter(|m| m.name == "owned_views") {
        let arguments = sample::arguments(&module.functions[0], 0);
        let Value::Array(x) = &arguments[0] else { panic!("an array") };
        let results = interpret_with(module, "slice.0", &arguments, Options::default()).unwrap();
        let counts: Vec<i64> = results
            .iter()
            .filter_map(|v| if let Value::Array(v) = v { Some(v.buffer.references()) } else { None })
            .collect();
        assert_eq!((counts, x.buffer.references()), (vec![2, 2, 2], 2));
    }
}
