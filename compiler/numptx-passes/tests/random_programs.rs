//! Random programs give the same results, and leave the same in their arguments, before and after every pass; with any passes left out;
//! and with arguments that overlap.

#[path = "random/compare.rs"]
mod compare;
#[path = "random/generate.rs"]
mod generate;
mod pipeline;

use compare::{Arguments, check_same, outcome};
use generate::generate;
use numptx_ir::array::{Module, Phase};
use numptx_passes::{FUSE_MAPS, LAST_VALUES, Limit, OF_STRATEGIES, PLACE_STORES, Pass, SIMPLIFY, Unobserved, run};
use pipeline::PASSES;

/// The pipeline, simplified again where a pass leaves something to simplify.
fn passes() -> Vec<Pass> {
    let again = |pass: &Pass| [FUSE_MAPS.name, PLACE_STORES.name].contains(&pass.name).then_some(SIMPLIFY);
    PASSES.iter().flat_map(|pass| [Some(*pass), again(pass)]).flatten().collect()
}

fn module_of(seed: u64) -> Module {
    Module { name: "m".into(), functions: vec![generate(seed)], ..Module::default() }
}

/// Checks one module against the outcomes of the program that it was made of.
fn check(seed: u64, original: &Module, module: &Module, after: &str) {
    for variant in 0..4 {
        let is_overlapping = variant >= 2;
        let name = match module.functions.iter().any(|f| f.name == "f.0.mayalias") {
            true if is_overlapping => "f.0.mayalias",
            _ => "f.0",
        };
        // A function that was not split writes at most one array: overlap is harmless, or it has not been decided yet.
        let arguments = Arguments::new(seed, variant, is_overlapping);
        let expected = outcome(original, "f.0", &arguments);
        let arguments = Arguments::new(seed, variant, is_overlapping);
        let found = outcome(module, name, &arguments);
        if let Err(difference) = check_same(&expected, &found) {
            panic!("seed {seed}, arguments {variant}, after {after}: {difference}\n{original}\n{module}");
        }
    }
}

#[test]
fn every_pass_keeps_what_a_program_does() {
    for seed in compare::numbers(100) {
        let original = module_of(seed);
        let mut module = original.clone();
        for pass in passes() {
            if let Err(error) = run(&mut module, [&pass], Limit::None, &mut Unobserved) {
                panic!("seed {seed}: {error}\n{original}");
            }
            check(seed, &original, &module, pass.name);
        }
    }
}

#[test]
fn optional_passes_may_be_left_out() {
    for seed in compare::numbers(30) {
        let original = module_of(seed);
        for limit in [0, 1, 2, 3, 5] {
            let mut module = original.clone();
            if let Err(error) = run(&mut module, &passes(), Limit::Optional(limit), &mut Unobserved) {
                panic!("seed {seed}, limit {limit}: {error}\n{original}");
            }
            assert!(module.functions.iter().all(|f| f.phase == Phase::Owned));
            check(seed, &original, &module, "all required passes");
        }
    }
}

/// What strategies do to loops, each alone and one after the other, where the loops are those that strategies see. These programs have carried arrays,
/// rows and branches; no arrays that change names, which stage tests show.
#[test]
fn what_strategies_do_keeps_what_a_program_does() {
    let before: Vec<Pass> = passes().into_iter().take_while(|pass| pass.name != LAST_VALUES.name).collect();
    let mut n_changed = 0;
    for seed in compare::numbers(200) {
        let original = module_of(seed);
        let mut placed = original.clone();
        let mut together = match run(&mut placed, &before, Limit::None, &mut Unobserved) {
            Ok(()) => placed.clone(),
            Err(error) => panic!("seed {seed}: {error}"),
        };
        for pass in OF_STRATEGIES {
            let mut alone = placed.clone();
            for module in [&mut alone, &mut together] {
                if let Err(error) = run(module, [pass], Limit::None, &mut Unobserved) {
                    panic!("seed {seed}: {error}\n{placed}");
                }
                check(seed, &original, module, pass.name);
            }
            n_changed += usize::from(alone.to_string() != placed.to_string());
        }
    }
    assert!(n_changed > 10, "{n_changed}");
}

/// Each op that can fail fails in turn, in a version of the program in which every buffer is counted: what is left then is balanced.
#[test]
fn failures_leak_nothing() {
    let mut n_failures = 0;
    for seed in compare::numbers(40) {
        let mut module = module_of(seed);
        if let Err(error) = run(&mut module, &passes(), Limit::None, &mut Unobserved) {
            panic!("seed {seed}: {error}");
        }
        for fails_at in 1.. {
            match compare::outcome_of_failing(&module, "f.0", &Arguments::new(seed, 0, false), fails_at) {
                Ok(true) => n_failures += 1,
                Ok(false) => break,
                Err(error) => panic!("seed {seed}, failing at {fails_at}: {error}\n{module}"),
            }
        }
    }
    assert!(n_failures > 100, "{n_failures} failures");
}

#[test]
fn passes_are_deterministic() {
    for seed in compare::numbers(30) {
        let text = || {
            let mut module = module_of(seed);
            run(&mut module, &passes(), Limit::None, &mut Unobserved).map(|()| module.to_string())
        };
        assert_eq!(text(), text(), "seed {seed}");
    }
}
