//! Breaks each rule of the passes in turn: some small program has to be refused by the verifier then, or to run differently, leak or use
//! what was released.

use numptx_ir::DType;
use numptx_ir::array::Module;
use numptx_ir::array::interpret::{Value, View, interpret};
use numptx_ir::array::parse::parse;
use numptx_ir::scalar::Constant;

use crate::host::rules::{Rule, breaking};
use crate::small_programs::programs::{Block, Statement};
use crate::small_programs::{PASSES, build, check, for_each_program, peaks};
use crate::{Limit, Unobserved};

const RULES: &[Rule] = &[
    Rule::ViewsUseTheirRoot,
    Rule::RegionsUse,
    Rule::RetainWhatIsConsumed,
    Rule::RetainsPrecedeReleases,
    Rule::ReleaseAfterLastUse,
    Rule::ReleaseUnused,
    Rule::ReleaseAtTheEnd,
    Rule::BranchesRelease,
    Rule::ReleaseAtBranchHead,
    Rule::LoopsKeepWhatTheyUse,
    Rule::OwnParameters,
    Rule::OwnResults,
    Rule::ElideOneRoot,
    Rule::ElideBesideTheOpThatConsumes,
    Rule::ElidePairs,
    Rule::ReuseAfterTheLastUse,
    Rule::ReuseMeetsNoOtherView,
    Rule::HoistWhatStays,
    Rule::HoistWhatIsInvariant,
    Rule::HoistForLoopsThatRun,
    Rule::HoistChecksInOrder,
];

/// Programs that show what smaller ones do not.
fn known() -> Vec<Module> {
    use Statement::{Fresh, Store};
    let block = |statements: &[Statement], yielded| Block { statements: statements.to_vec(), yielded };
    // What each iteration makes is its own: the one before is written after it was carried.
    let handed_on = [Statement::For(0, block(&[Fresh(0), Store(1)], 2))];
    // The first array ends at the head of the branch that does not use it, or at its last use in one, before another is made.
    let at_head = [Fresh(0), Fresh(0), Statement::If(block(&[Fresh(1)], 3), block(&[], 2))];
    let in_branch = [Fresh(0), Statement::If(block(&[Store(1), Fresh(0)], 2), block(&[], 1))];
    vec![build::module(&handed_on, &[1]), build::module(&at_head, &[3]), build::module(&in_branch, &[2])]
}

/// Whether a program shows that a rule is broken: it is refused, gives something else, or holds memory longer.
fn shows(module: &Module, rule: Rule) -> Option<String> {
    if let Err(error) = breaking(rule, || check(module, PASSES, false)) {
        return Some(error);
    }
    let (kept, broken) = (peaks(module), breaking(rule, || peaks(module)));
    (kept != broken).then(|| format!("peaks of {kept:?} become {broken:?}"))
}

/// Whether any program of up to two statements, or one of some of three, shows that a rule is broken.
fn is_noticed(rule: Rule) -> Option<String> {
    let mut noticed = known().iter().find_map(|module| shows(module, rule));
    if noticed.is_some() {
        return noticed;
    }
    for (size, stride) in [(1, 1), (2, 1), (3, 211)] {
        for_each_program(size, stride, |_, module, text| {
            if noticed.is_none()
                && let Some(how) = shows(module, rule)
            {
                noticed = Some(format!("{text}: {how}"));
            }
        });
        if noticed.is_some() {
            return noticed;
        }
    }
    None
}

#[test]
fn every_broken_rule_is_noticed() {
    let survivors: Vec<&Rule> = RULES.iter().filter(|rule| is_noticed(**rule).is_none()).collect();
    assert!(survivors.is_empty(), "nothing shows that these rules are needed: {survivors:?}");
}

/// A sum in the memory order of its second operand.
const ORDERED: &str = r#"
module "m"

func @f.0 noalias host (%0 "p": f64[2] any mut, %1 "q": f64[2] any mut) {
  export "f" "f" ("p": f64[:, :], "q": f64[:, :]) -> f64[2]
  %2 = dim<0> %0 : i64
  %3 = dim<1> %0 : i64
  %4 = alloc<f64, K(0)> %2, %3, %0 : f64[2] any mut
  launch<0> %2, %3, %4, %0, %0
  %5 = alloc<f64, K(0)> %2, %3, %1 : f64[2] any mut
  launch<0> %2, %3, %5, %4, %1
  return %5
}

kernel @add rank 2 reduced 0 block 256 vector 1 {
  operand write f64[:, :] noalias
  operand read f64[:, :] noalias
  operand read f64[:, :] noalias
  phase {
    load 1
    load 2
    body { $0 = input 0 : f64; $1 = input 1 : f64; $2 = add $0, $1 : f64; yield $2 }
    store 0 to 0
  }
}
"#;

/// The strides of the result where the first operand has C order and the second F order.
fn strides(module: &Module) -> Vec<i64> {
    let elements: Vec<Constant> = (0..6).map(|n| Constant::Float(f64::from(n))).collect();
    let p = View::new(DType::F64, &[2, 3], &elements);
    let mut q = View::new(DType::F64, &[3, 2], &elements);
    q.shape.reverse();
    q.strides.reverse();
    let results = interpret(module, "f.0", &[Value::Array(p), Value::Array(q)]);
    match results.as_deref() {
        Ok([Value::Array(view)]) => view.strides.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn memory_of_other_strides_is_not_taken() {
    let original = parse(ORDERED).expect("the module is well-formed");
    let after = |module: &Module| {
        let mut module = module.clone();
        crate::run(&mut module, PASSES, Limit::None, &mut Unobserved).expect("the passes keep the invariants");
        strides(&module)
    };
    assert_eq!((strides(&original), after(&original)), (vec![8, 16], vec![8, 16]));
    assert_ne!(breaking(Rule::ReuseFits, || after(&original)), vec![8, 16]);
}

/// An array plus itself in another order, which the kernel reads as it likes.
const INDEXED: &str = r#"
module "m"

func @f.0 noalias host (%0 "p": f64[1] any mut) {
  export "f" "f" ("p": f64[:]) -> f64[1]
  %1 = dim<0> %0 : i64
  %2 = constant<8> : i64
  %3 = alloc<f64, C> %1 : f64[1] C mut
  launch<0> %1, %3, %0
  %4 = alloc<f64, C> %1 : f64[1] C mut
  launch<1> %1, %4, %3, %3, %2, %1
  return %4
}

kernel @copy rank 1 reduced 0 block 256 vector 1 {
  operand write f64[:] noalias
  operand read f64[:] noalias
  phase {
    load 1
    body { $0 = input 0 : f64; yield $0 }
    store 0 to 0
  }
}

kernel @add_reversed rank 1 reduced 0 block 256 vector 1 {
  operand write f64[:] noalias
  operand read f64[:] noalias
  operand read f64[0] noalias
  scalar i64
  scalar i64
  table 2 [0]
  phase {
    load 1
    scalar 1
    body {
      $0 = input 0 : f64
      $1 = input 1 : i64
      $2 = index 0 : i64
      $3 = sub $1, $2 : i64
      $4 = constant 1 : i64
      $5 = sub $3, $4 : i64
      $6 = element 0 at $5 : f64
      $7 = add $0, $6 : f64
      yield $7
    }
    store 0 to 0
  }
}
"#;

#[test]
fn memory_that_a_kernel_indexes_is_not_taken() {
    let original = parse(INDEXED).expect("the module is well-formed");
    let after = |rule: Option<Rule>| {
        let mut module = original.clone();
        let run = |module: &mut Module| crate::run(module, PASSES, Limit::None, &mut Unobserved);
        let refused = match rule {
            Some(rule) => breaking(rule, || run(&mut module)),
            None => run(&mut module),
        };
        let elements: Vec<Constant> = (0..6).map(|n| Constant::Float(f64::from(n))).collect();
        let p = Value::Array(View::new(DType::F64, &[6], &elements));
        let results = interpret(&module, "f.0", &[p]).map_err(|e| format!("{e:?}"));
        refused.map_err(|e| e.to_string()).and(results)
    };
    assert!(after(None).is_ok(), "{:?}", after(None));
    assert!(after(Some(Rule::ReuseReadsItsOwnElement)).is_err());
}
