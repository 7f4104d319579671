//! Random stores whose operands overlap what is written, with points in random order over shadow memory: as if every operand had been copied
//! first. The same with the rule switched off must be wrong, or these tests would prove nothing.

mod pipeline;
#[path = "stores/program.rs"]
mod program;

use numptx_ir::array::interpret::{Failure, Options, Value, View, interpret_with};
use numptx_ir::array::parse::parse;
use numptx_ir::array::{Module, Op, OpKind, Region};
use numptx_ir::scalar::Constant;
use numptx_passes::{Limit, PLACE_STORES, Pass, Placing, Unobserved, placing, run};
use pipeline::PASSES;
use program::{Numbers, Program};

const PROGRAMS: u64 = 1200;

fn n_programs() -> u64 {
    variable("NUMPTX_PROGRAMS").unwrap_or(PROGRAMS)
}

/// The numbers of the programs of the `n`th part of as many as are asked for.
fn numbers(part: u64) -> std::ops::Range<u64> {
    let first = variable("NUMPTX_FIRST").unwrap_or(0);
    first..first + n_programs() / part
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|n| n.parse().ok())
}

fn compiled(program: &Program, way: Placing) -> (Module, Module) {
    let original = parse(&program.text).unwrap_or_else(|e| panic!("{e:?}\n{}", program.text));
    let mut module = original.clone();
    let place = placing(way);
    let chosen = |pass: &Pass| if pass.name == PLACE_STORES.name { place } else { *pass };
    let passes: Vec<Pass> = PASSES.iter().map(chosen).collect();
    run(&mut module, &passes, Limit::None, &mut Unobserved).unwrap_or_else(|e| panic!("{e}\n{}", program.text));
    (original, module)
}

/// The memory after a run, or what is wrong with it.
fn memory_after(module: &Module, function: &str, program: &Program, order: u64) -> Result<Vec<Constant>, String> {
    let (memory, arguments) = program.arguments();
    let options = Options { seed: order, ..Options::default() };
    match interpret_with(module, function, &arguments, options) {
        Ok(_) => memory.elements().map_err(|e| format!("{e:?}")),
        Err(Failure::Raised { message, .. } | Failure::Invalid(message)) => Err(message),
    }
}

/// Whether a program gives what it should, in three orders of its points.
fn check(program: &Program, original: &Module, module: &Module) -> Result<(), String> {
    let expected = memory_after(original, "f.0", program, 1)?;
    let is_split = module.functions.iter().any(|f| f.name == "f.0.mayalias");
    let version = if is_split && program.do_arguments_overlap() { "f.0.mayalias" } else { "f.0" };
    for order in 1..4 {
        let found = memory_after(module, version, program, order)?;
        if found != expected {
            return Err(format!("expected {expected:?}\nfound {found:?}"));
        }
    }
    Ok(())
}

#[test]
fn stores_act_as_if_their_operands_had_been_copied_first() {
    let mut found = Remarks::default();
    for seed in numbers(1) {
        let program = Program::random(seed);
        let (original, module) = compiled(&program, Placing::Usual);
        if let Err(problem) = check(&program, &original, &module) {
            panic!("seed {seed}: {problem}\n{}\n{module}", program.text);
        }
        found.count(&module);
    }
    // Each way to decide was taken often.
    assert!(
        found.late > n_programs() / 20 && found.copies > n_programs() / 20 && found.direct > n_programs() / 20,
        "{found:?}"
    );
}

#[test]
fn forced_ways_to_place_stores_give_the_same() {
    for way in [Placing::Snapshots, Placing::Late, Placing::Apart, Placing::LateApart, Placing::SnapshotsApart] {
        for seed in numbers(8) {
            let program = Program::random(seed);
            let (original, module) = compiled(&program, way);
            if let Err(problem) = check(&program, &original, &module) {
                panic!("{way:?}, seed {seed}: {problem}\n{}\n{module}", program.text);
            }
        }
    }
}

/// How many programs are wrong when something is broken on purpose.
fn wrong_programs(way: Placing, break_it: impl Fn(&mut Module)) -> u64 {
    let is_wrong = |seed: &u64| {
        let program = Program::random(*seed);
        let (original, mut module) = compiled(&program, way);
        break_it(&mut module);
        check(&program, &original, &module).is_err()
    };
    numbers(4).filter(is_wrong).count() as u64
}

#[test]
fn without_the_rule_many_stores_are_wrong() {
    let wrong = wrong_programs(Placing::Careless, |_| {});
    assert!(wrong > n_programs() / 4 / 20, "only {wrong} programs show that the rule is needed");
}

#[test]
fn a_question_that_is_always_denied_is_noticed() {
    let deny = |module: &mut Module| {
        for function in &mut module.functions {
            answer(&mut function.body, false);
        }
    };
    let wrong = wrong_programs(Placing::Usual, deny);
    assert!(wrong > n_programs() / 4 / 50, "only {wrong} programs show that the question is needed");
    let wrong = wrong_programs(Placing::Late, deny);
    assert!(wrong > n_programs() / 4 / 20, "only {wrong} programs show that the question is needed");
}

#[test]
fn a_question_that_is_always_affirmed_is_harmless() {
    let affirm = |module: &mut Module| {
        for function in &mut module.functions {
            answer(&mut function.body, true);
        }
    };
    assert_eq!(wrong_programs(Placing::Late, affirm), 0);
}

/// Gives every question in a region this answer.
fn answer(region: &mut Region, is_overlap: bool) {
    for op in &mut region.ops {
        if op.kind == OpKind::Overlap {
            let constant = OpKind::Constant(Constant::Bool(is_overlap));
            *op = Op { kind: constant, operands: Vec::new(), ..op.clone() };
        }
        op.regions.iter_mut().for_each(|nested| answer(nested, is_overlap));
    }
}

/// How stores were placed.
#[derive(Debug, Default)]
struct Remarks {
    /// Functions that ask when running.
    late: u64,
    /// Functions that always copy.
    copies: u64,
    /// Functions that never do.
    direct: u64,
}

impl Remarks {
    fn count(&mut self, module: &Module) {
        for function in &module.functions {
            let has = |wanted: fn(&OpKind) -> bool| function.body.ops.iter().any(|op| wanted(&op.kind));
            if has(|kind| *kind == OpKind::Overlap) {
                self.late += 1;
            } else if has(|kind| matches!(kind, OpKind::Alloc { .. })) {
                self.copies += 1;
            } else {
                self.direct += 1;
            }
        }
    }
}

#[test]
fn programs_are_of_every_kind() {
    let programs: Vec<Program> = (0..300).map(Program::random).collect();
    assert!(programs.iter().any(|p| p.text.contains("broadcast")));
    assert!(programs.iter().any(|p| p.text.contains("permute")));
    assert!(programs.iter().any(|p| p.text.contains("index")));
    assert!(programs.iter().any(|p| p.do_arguments_overlap()));
    assert!(programs.iter().any(|p| !p.do_arguments_overlap()));
    let mut numbers = Numbers(1);
    assert_ne!(numbers.below(1 << 30), numbers.below(1 << 30));
    let (_, arguments) = programs[0].arguments();
    assert!(matches!(&arguments[0], Value::Array(View { .. })));
}
