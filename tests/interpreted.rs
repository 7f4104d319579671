//! The corpus through the interpreters, without LLVM: every pass keeps what a program does.
//!
//! Each exported overload runs as lowered, and again after every pass, on the same random arguments: extents of 0 and 1 among them,
//! strided, reversed and overlapping arrays. Once kernels are formed, their points run in random order over shadow memory, where a
//! race is an error; once ownership is explicit, so are leaks and uses after release.

use std::path::Path;

use numptx_driver::ARRAY_PASSES;
use numptx_driver::ir::array::interpret::{Failure, Options, interpret_with};
use numptx_driver::ir::array::{Function, Module, Op, OpKind, Phase, Region, RemarkKind};
use numptx_driver::ir::object;
use numptx_passes::{Limit, Unobserved, chunk_of, forming_nests_within, run};
use numptx_source::Source;
use numptx_tests::arguments::Arguments;
use numptx_tests::outcome::{Outcome, outcome};
use numptx_tests::{check_all, files, options, programs, read, root, stem};

/// Runs of each overload that return, arrays apart and overlapping; and runs that raise.
const RETURNING: usize = 8;
const RAISING: usize = 2;

/// Arguments that are tried to find them.
const TRIES: u64 = 4000;

/// What a run as lowered may take, in ops and elements. Later phases count differently.
const FUEL: u64 = 40_000;

/// One run as lowered.
struct Case {
    function: String,
    seed: u64,
    is_overlapping: bool,
    expected: Outcome,
}

impl Case {
    fn arguments(&self, function: &Function) -> Arguments {
        Arguments::new(function, self.seed, self.is_overlapping)
    }

    fn check(&self, module: &Module, after: &str) -> Result<(), String> {
        let may_alias = format!("{}.mayalias", self.function);
        let named = |name: &str| module.functions.iter().find(|f| f.name == name);
        let version = named(&may_alias).filter(|_| self.is_overlapping).or_else(|| named(&self.function));
        let Some(version) = version else { return Err(format!("after {after} there is no `{}`", self.function)) };
        let found = outcome(module, &version.name, &self.arguments(version), self.seed, FUEL * 100);
        let place = || format!("`{}` after {after}, seed {}", version.name, self.seed);
        match found {
            Err(problem) => Err(format!("{}: {problem}\n{version}", place())),
            Ok(found) if !self.expected.agrees(&found, version) => {
                let given = self.arguments(version).values;
                Err(format!("{}: given {given:?}\nexpected {:?}\nfound {found:?}\n{version}", place(), self.expected))
            }
            Ok(_) => Ok(()),
        }
    }
}

fn lowered(path: &Path) -> Result<Module, String> {
    let source = Source::new(path.display().to_string(), read(path));
    let (syntax, mut reports) = numptx_syntax::parse(&source);
    let (module, found) = numptx_lower::lower(&syntax, &stem(path));
    reports.extend(found);
    if reports.has_errors() { Err(numptx_tests::plain(&source, &reports)) } else { Ok(module) }
}

/// Arguments on which a function returns, and some on which it raises.
fn cases(module: &Module, function: &Function) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    // A function of constant strings alone does one thing, and may raise.
    let is_constant = function.parameters.is_empty();
    for is_overlapping in [false, true] {
        let (mut n_returning, mut n_raising) = (0, 0);
        for seed in 0..if is_constant { 1 } else { TRIES } {
            let arguments = Arguments::new(function, seed, is_overlapping);
            if is_overlapping && !arguments.share_a_base() {
                break;
            }
            let expected = match outcome(module, &function.name, &arguments, seed, FUEL) {
                Ok(expected) => expected,
                Err(problem) if problem.contains("takes too long") => continue,
                Err(problem) => {
                    return Err(format!("`{}` as lowered, seed {seed}: {problem}\n{function}", function.name));
                }
            };
            let (n, limit) = match expected.results {
                Ok(_) => (&mut n_returning, RETURNING),
                Err(_) => (&mut n_raising, RAISING),
            };
            if *n < limit {
                *n += 1;
                cases.push(Case { function: function.name.clone(), seed, is_overlapping, expected });
            }
            if n_returning == RETURNING {
                break;
            }
        }
        if n_returning == 0 && !is_overlapping && !is_constant {
            return Err(format!("`{}` returns on none of {TRIES} arguments", function.name));
        }
    }
    Ok(cases)
}

fn all_cases(module: &Module) -> Result<Vec<Case>, String> {
    let mut all = Vec::new();
    for function in module.functions.iter().filter(|f| !f.is_routine) {
        all.extend(cases(module, function)?);
    }
    Ok(all)
}

fn every_pass_keeps(path: &Path) -> Result<(), String> {
    let mut module = lowered(path)?;
    let cases = all_cases(&module)?;
    for pass in options(&read(path)).passes(Phase::Source) {
        run(&mut module, &[pass], Limit::None, &mut Unobserved).map_err(|e| e.to_string())?;
        cases.iter().try_for_each(|case| case.check(&module, pass.name))?;
    }
    Ok(())
}

fn required_passes_suffice(path: &Path) -> Result<(), String> {
    let mut module = lowered(path)?;
    let cases = all_cases(&module)?;
    let passes = ARRAY_PASSES.iter().flat_map(|(_, passes)| *passes);
    run(&mut module, passes, Limit::Optional(0), &mut Unobserved).map_err(|e| e.to_string())?;
    cases.iter().try_for_each(|case| case.check(&module, "the required passes"))
}

/// Those of the corpus that are wanted, in `loops/` or elsewhere.
fn check_wanted(are_loops: bool) {
    let wanted = std::env::var("NUMPTX_FILES").unwrap_or_default();
    let mut paths = programs();
    paths.retain(|path| wanted.split(',').any(|part| path.to_string_lossy().contains(part)));
    paths.retain(|path| path.parent().is_some_and(|folder| folder.ends_with("loops")) == are_loops);
    check_all(&paths, every_pass_keeps);
}

#[test]
fn every_pass_keeps_what_the_corpus_does() {
    check_wanted(false);
}

#[test]
fn every_pass_keeps_what_loops_of_the_corpus_do() {
    check_wanted(true);
}

/// Memory for points' own arrays of a few points, in bytes.
const LITTLE: i64 = 200;

/// With so little of it points come in chunks, which changes nothing.
fn little_memory_suffices(path: &Path) -> Result<(), String> {
    let mut module = lowered(path)?;
    let cases = all_cases(&module)?;
    let little = forming_nests_within::<LITTLE>();
    let mut n_chunked = 0;
    for pass in options(&read(path)).passes(Phase::Source) {
        let pass = if pass.name == little.name { &little } else { &pass };
        run(&mut module, [pass], Limit::None, &mut Unobserved).map_err(|e| e.to_string())?;
        n_chunked += module.functions.iter().map(|function| n_chunks(&function.body)).sum::<usize>();
        cases.iter().try_for_each(|case| case.check(&module, pass.name))?;
    }
    if n_chunked == 0 { Err("no points have arrays of their own".to_owned()) } else { Ok(()) }
}

fn n_chunks(region: &Region) -> usize {
    let nested = |op: &Op| op.regions.iter().map(n_chunks).sum::<usize>();
    region.ops.iter().map(|op| usize::from(chunk_of(op).is_some()) + nested(op)).sum()
}

#[test]
fn points_in_chunks_do_what_the_corpus_does() {
    let mut paths = files("tests/corpus/loops", "py");
    let names = ["own_arrays", "empty_arrays", "chunks_of_points", "reductions_at_once"];
    paths.retain(|path| names.contains(&stem(path).as_str()));
    check_all(&paths, little_memory_suffices);
}

#[test]
fn the_corpus_needs_no_optional_pass() {
    check_all(&programs(), required_passes_suffice);
}

/// Takes the first op of a kind out of a region; whether there was one.
fn take_out(region: &mut Region, is_wanted: fn(&OpKind) -> bool) -> bool {
    match region.ops.iter().position(|op| is_wanted(&op.kind)) {
        Some(index) => {
            region.ops.remove(index);
            true
        }
        None => region.ops.iter_mut().flat_map(|op| &mut op.regions).any(|nested| take_out(nested, is_wanted)),
    }
}

/// What the check says once the first op of a kind is gone from every function of the compiled program.
fn without(program: &str, is_wanted: fn(&OpKind) -> bool) -> String {
    let mut module = lowered(&root().join("tests/corpus").join(program)).expect("the corpus is accepted");
    let cases = all_cases(&module).expect("the corpus runs");
    let passes = ARRAY_PASSES.iter().flat_map(|(_, passes)| *passes);
    run(&mut module, passes, Limit::None, &mut Unobserved).expect("the passes work");
    let n_changed =
        module.functions.iter_mut().map(|f| take_out(&mut f.body, is_wanted)).filter(|taken| *taken).count();
    assert!(n_changed > 0, "{program} has no such op");
    let found: Vec<String> = cases.iter().filter_map(|case| case.check(&module, "a fault").err()).collect();
    found.join("\n")
}

#[test]
fn a_lost_release_and_a_lost_launch_are_found() {
    let found = without("control.py", |kind| matches!(kind, OpKind::Release));
    assert!(found.contains("references, expected"), "{found}");
    let found = without("masked_update.py", |kind| matches!(kind, OpKind::Launch(_)));
    assert!(found.contains("expected Outcome"), "{found}");
}

/// Operations that can fail in a run, which are made to.
const FAILING: u64 = 80;

/// Wherever a run ends, what it holds is released: objects, what they hold, and arrays.
fn ends_anywhere(path: &Path) -> Result<(), String> {
    let mut module = lowered(path)?;
    let cases = all_cases(&module)?;
    let passes = ARRAY_PASSES.iter().flat_map(|(_, passes)| *passes);
    run(&mut module, passes, Limit::None, &mut Unobserved).map_err(|e| e.to_string())?;
    for case in cases.iter().filter(|case| !case.is_overlapping) {
        let version = module.functions.iter().find(|f| f.name == case.function).ok_or("a function is gone")?;
        for n in 1..=FAILING {
            let options = Options { fails_at: Some(n), is_verified: true, ..Options::default() };
            let arguments = case.arguments(version);
            // A `try` may catch it.
            if let Err(Failure::Invalid(problem)) = interpret_with(&module, &version.name, &arguments.values, options) {
                return Err(format!("`{}` fails at {n}, seed {}: {problem}\n{version}", case.function, case.seed));
            }
        }
    }
    Ok(())
}

#[test]
fn runs_with_objects_may_end_anywhere() {
    check_all(&files("tests/corpus/objects", "py"), ends_anywhere);
}

#[test]
fn a_lost_release_and_lost_changes_of_objects_are_found() {
    fn is_one_of(kind: &OpKind, operations: &[u32]) -> bool {
        matches!(kind, OpKind::Object(op) if operations.contains(&op.operation))
    }
    let program = "objects/sliced_lists.py";
    let found = without(program, |kind| matches!(kind, OpKind::Release));
    assert!(found.contains("references, expected"), "{found}");
    for (program, is_lost) in [
        (program, (|kind| is_one_of(kind, &[object::LIST_REVERSE, object::LIST_SORT])) as fn(&OpKind) -> bool),
        ("objects/dictionaries.py", |kind| is_one_of(kind, &[object::DICT_SET, object::DICT_UPDATE])),
        ("objects/sets.py", |kind| is_one_of(kind, &[object::SET_UPDATE, object::SET_ADD])),
        ("objects/texts.py", |kind| is_one_of(kind, &[object::PRINT])),
    ] {
        let found = without(program, is_lost);
        assert!(found.contains("expected Outcome"), "{program}: {found}");
    }
}

/// Functions of `loops/time_tiles.py`, several iterations of which go together, and extents with which there are some, and some left.
const TIME_TILES: &[(&str, &[&[i64]])] = &[
    ("shortest_wide", &[&[6, 6]]),
    ("shortest_real", &[&[9, 9]]),
    ("shortest_real", &[&[5, 7]]),
    ("closure", &[&[7, 7]]),
    ("widest", &[&[5, 5]]),
    ("eliminated", &[&[6, 8]]),
    ("weighted", &[&[7, 7], &[7, 7], &[7]]),
    ("inner_from_0", &[&[8, 8]]),
    ("along", &[&[11], &[13]]),
    ("planes", &[&[6, 3, 4]]),
];

/// Functions of `loops/substitutions*.py` that are triangular solves, and extents.
const SUBSTITUTIONS: &[(&str, &[&[i64]])] =
    &[("forward", &[&[5, 5], &[5], &[5]]), ("backward", &[&[5, 5], &[5], &[5]])];
const SUBSTITUTIONS_IN_STEPS: &[(&str, &[&[i64]])] = &[("both", &[&[4, 4], &[4]]), ("wrapping", &[&[6, 6], &[6]])];
const SUBSTITUTIONS_OF_DTYPES: &[(&str, &[&[i64]])] = &[("in_place", &[&[5, 5], &[5]])];
const SUBSTITUTIONS_OF_PARTS: &[(&str, &[&[i64]])] =
    &[("without_factors", &[&[6]]), ("weighted", &[&[5, 5], &[5], &[5]])];
const SUBSTITUTIONS_OF_COLUMNS: &[(&str, &[&[i64]])] = &[("of_columns", &[&[9, 9], &[9, 9]])];

#[test]
fn time_tiles_do_not_meet_in_any_order() {
    tiled_phases_do_not_meet("time_tiles", TIME_TILES);
}

#[test]
fn rows_of_triangular_solves_do_not_meet_in_any_order() {
    tiled_phases_do_not_meet("substitutions", SUBSTITUTIONS);
    tiled_phases_do_not_meet("substitutions_in_steps", SUBSTITUTIONS_IN_STEPS);
    tiled_phases_do_not_meet("substitutions_of_dtypes", SUBSTITUTIONS_OF_DTYPES);
    tiled_phases_do_not_meet("substitutions_of_parts", SUBSTITUTIONS_OF_PARTS);
    tiled_phases_do_not_meet("substitutions_of_columns", SUBSTITUTIONS_OF_COLUMNS);
}

fn tiled_phases_do_not_meet(file: &str, functions: &[(&str, &[&[i64]])]) {
    let mut module = lowered(&root().join(format!("tests/corpus/loops/{file}.py"))).expect("the corpus is accepted");
    let run_of = |module: &Module, name: &str, extents: &[&[i64]], seed: u64| {
        let name = format!("{name}.0");
        let function = module.functions.iter().find(|f| f.name == name).expect("it is exported");
        let arguments = Arguments::of_extents(function, 5, extents);
        outcome(module, &name, &arguments, seed, FUEL * 1000).unwrap_or_else(|e| panic!("{name}: {e}\n{function}"))
    };
    let expected: Vec<Outcome> = functions.iter().map(|(name, extents)| run_of(&module, name, extents, 0)).collect();
    let passes = ARRAY_PASSES.iter().flat_map(|(_, passes)| *passes);
    run(&mut module, passes, Limit::None, &mut Unobserved).expect("the passes work");
    for ((name, extents), expected) in functions.iter().zip(&expected) {
        let function = module.functions.iter().find(|f| f.name == format!("{name}.0")).expect("it is exported");
        assert!(function.remarks.iter().any(|remark| remark.kind == RemarkKind::Tiled), "{name}");
        assert!(expected.results.is_ok(), "{name}: {:?}", expected.results);
        for seed in 0..4 {
            assert_eq!(run_of(&module, name, extents, seed), *expected, "{name}, seed {seed}");
        }
    }
}

/// Functions of `loops/histograms.py` and extents with which their iterations go in chunks.
const HISTOGRAMS: &[(&str, &[&[i64]])] = &[
    ("counted", &[&[8], &[600]]),
    ("weighed", &[&[8], &[600], &[600]]),
    ("drained", &[&[8], &[8], &[8], &[1600]]),
    ("largest", &[&[8], &[600], &[600]]),
    ("extremes", &[&[8], &[8], &[8], &[8], &[520], &[520]]),
    ("bits", &[&[8], &[8], &[8], &[520], &[520]]),
    ("of_image", &[&[8], &[20, 27]]),
    ("nearest", &[&[5], &[520, 2], &[5, 2]]),
    ("of_steps", &[&[2, 8], &[2, 520]]),
    ("backwards", &[&[8], &[1100], &[1100]]),
];

#[test]
fn chunks_of_histograms_do_not_meet_in_any_order() {
    let mut module = lowered(&root().join("tests/corpus/loops/histograms.py")).expect("the corpus is accepted");
    let run_of = |module: &Module, name: &str, extents: &[&[i64]], seed: u64| {
        let name = format!("{name}.0");
        let function = module.functions.iter().find(|f| f.name == name).expect("it is exported");
        let arguments = Arguments::of_extents(function, 3, extents);
        outcome(module, &name, &arguments, seed, FUEL * 1000).unwrap_or_else(|e| panic!("{name}: {e}\n{function}"))
    };
    let expected: Vec<Outcome> = HISTOGRAMS.iter().map(|(name, extents)| run_of(&module, name, extents, 0)).collect();
    let passes = ARRAY_PASSES.iter().flat_map(|(_, passes)| *passes);
    run(&mut module, passes, Limit::None, &mut Unobserved).expect("the passes work");
    for ((name, extents), expected) in HISTOGRAMS.iter().zip(&expected) {
        assert!(expected.results.is_ok(), "{name}: {:?}", expected.results);
        for seed in 0..2 {
            assert_eq!(run_of(&module, name, extents, seed), *expected, "{name}, seed {seed}");
        }
    }
}
