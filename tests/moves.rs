//! How many references a compiled function makes and drops: where a value can be handed on, none.

use numptx_driver::ir::array::{Module, OpKind, Region};
use numptx_driver::{Forced, Halves, Observer, Options, PassObserver, Stage, compile};
use numptx_source::Source;

/// Retains, releases, and arrays allocated, `reuse` included, in the first version of the first function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counts {
    retains: usize,
    releases: usize,
    allocated: usize,
}

fn count(region: &Region, counts: &mut Counts) {
    for op in &region.ops {
        match op.kind {
            OpKind::Retain => counts.retains += 1,
            OpKind::Release => counts.releases += 1,
            OpKind::Alloc { .. } | OpKind::Reuse { .. } => counts.allocated += 1,
            _ => {}
        }
        op.regions.iter().for_each(|nested| count(nested, counts));
    }
}

#[derive(Default)]
struct Last(Counts);

impl PassObserver for Last {
    fn reached_pass(&mut self, _name: &str, module: &Module, _seconds: f64) {
        self.0 = Counts::default();
        if let Some(function) = module.functions.first() {
            count(&function.body, &mut self.0);
        }
    }
}

impl Observer for Last {
    fn reached_stage(&mut self, _stage: Stage, _text: &dyn Fn() -> String) {}
    fn timed(&mut self, _stage: &str, _seconds: f64) {}
}

/// What is left of a function with this signature and body, compiled without some passes.
fn counts(parameters: &str, body: &str, without: &[&str]) -> Counts {
    let (names, types): (Vec<&str>, Vec<&str>) = parameters.split(", ").filter_map(|p| p.split_once(": ")).unzip();
    let body = body.replace('\n', "\n    ");
    let text = format!(
        "import numpy as np\n\n#numptx export f({})\ndef f({}):\n    {body}\n",
        types.join(", "),
        names.join(", ")
    );
    let mut last = Last::default();
    let without = without.iter().map(|name| (*name).to_owned()).collect();
    let forced = Forced { without, ..Forced::default() };
    let options = Options { halves: Halves::DeviceOnly, forced, ..Options::new("f") };
    let outcome = compile(&Source::new("f.py", text.as_str()), &options, &mut last);
    assert!(matches!(outcome, Ok(numptx_driver::Outcome::Compiled { .. })), "{text}\n{outcome:?}");
    last.0
}

fn check(parameters: &str, body: &str, retains: usize, releases: usize, allocated: usize) {
    assert_eq!(counts(parameters, body, &[]), Counts { retains, releases, allocated }, "{body}");
}

/// The same of loops as the host runs them.
fn check_on_host(parameters: &str, body: &str, retains: usize, releases: usize, allocated: usize) {
    assert_eq!(counts(parameters, body, &["form-nests"]), Counts { retains, releases, allocated }, "{body}");
}

#[test]
fn a_fresh_array_moves_to_the_caller() {
    check("a: float64[:]", "return a + 1.0", 0, 0, 1);
    check("a: float64[:]", "b = a + 1.0\nreturn b[1:]", 0, 0, 1);
    check("a: float64[:]", "b = a + 1.0\nb[0] = 2.0\nreturn b[::-1][1:]", 0, 0, 1);
}

#[test]
fn each_further_result_is_one_reference_more() {
    check("a: float64[:]", "b = a + 1.0\nreturn b, b[1:]", 1, 0, 1);
    check("a: float64[:]", "b = a + 1.0\nreturn b[:1], b[1:], b", 2, 0, 1);
    check("a: float64[:]", "return a, a[1:]", 2, 0, 0);
}

#[test]
fn a_temporary_is_released_once() {
    check("a: float64[:,:]", "return a - a.mean(axis=0)", 0, 1, 2);
    check("a: float64[:]", "b = a + 1.0\nb[0] = 0.0\nreturn b.sum()", 0, 1, 2);
}

#[test]
fn a_chain_in_place_needs_no_references() {
    let chain = "b = a * 2.0\nb[0] = 1.0\nc = b + 1.0\nc[1:] = 2.0\nd = c * c\nd[0] = 3.0\nreturn d";
    check("a: float64[:]", chain, 0, 0, 1);
}

#[test]
fn branches_hand_on_what_they_make() {
    check("a: float64[:], n: int", "if n > 0:\n    b = a + 1.0\nelse:\n    b = a * 2.0\nreturn b", 0, 0, 2);
    check("a: float64[:], n: int", "b = a + 1.0\nb[0] = 0.0\nif n > 0:\n    b = b[1:]\nreturn b", 0, 0, 1);
}

#[test]
fn variables_that_change_places_in_a_loop_only_move() {
    let swap = "u = a + 1.0\nv = a * 2.0\nfor _ in range(n):\n    u, v = v, u\nreturn u";
    check("a: float64[:], n: int", swap, 0, 1, 2);
}

#[test]
fn a_time_loop_makes_no_array_in_its_steps() {
    // The reference that the loop starts from, and in each step one on memory that may be free.
    let step = "for _ in range(n):\n    a = a * 0.5\nreturn a";
    check_on_host("a: float64[:], n: int", step, 1, 1, 1);
    check("a: float64[:], n: int", step, 1, 2, 3);
    let stencil = "for _ in range(n):\n    a = a[::-1] * 0.5\nreturn a";
    check_on_host("a: float64[:], n: int", stencil, 2, 2, 1);
    // One launch has the argument's copy and what a step makes, each of them once.
    check("a: float64[:], n: int", stencil, 2, 3, 3);
}
