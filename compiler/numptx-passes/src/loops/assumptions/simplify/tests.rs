//! Conjunctions without what others imply, in words; and random ones as guards that run.

use std::collections::HashMap;

use numptx_ir::array::parse::parse;
use numptx_ir::array::{Function, Module, Op, OpKind, ValueId};
use numptx_ir::scalar::{Constant, eval};

use super::{Conjunction, Given, Test, sides};
use crate::loops::assumptions::guards::{HostProgram, SMALL_INT};
use crate::loops::assumptions::kinds::{Assumption, Kind, Predicate};
use crate::loops::dependence::{Affine, Nest, Variable};
use crate::loops::facts::ValueFacts;

/// `p` and `q` are extents, `n` and `k` are any ints, `less` is `p - 2`, `bit` is 0 or 1, and `far` is `n + k`.
const TEXT: &str = "module \"m\"
func @f.0 noalias placed (%0 \"x\": f64[2] any mut, %1 \"n\": i64, %2 \"k\": i64, %3 \"b\": bool) {
  export \"f\" \"f\" (\"x\": f64[:, :], \"n\": py i64, \"k\": py i64, \"b\": py bool) -> none
  %4 = dim<0> %0 : i64
  %5 = dim<1> %0 : i64
  %6 = constant<-2> : i64
  %7 = add %4, %6 : i64
  %8 = cast %3 : i64
  %9 = constant<true> : bool
  %10 = add %1, %2 : i64
  %11 = le %1, %5 : bool
  %12 = eq %4, %5 : bool
  %13 = constant<1> : i64
  %14 = eq %5, %13 : bool
  %15 = or %12, %14 : bool
  %16 = gt %2, %13 : bool
  %17 = and %11, %16 : bool
  %18 = lt %2, %1 : bool
  %19 = sub %1, %5 : i64
  %20 = lt %19, %13 : bool
  %21 = min %1, %5 : i64
  %22 = gt %21, %13 : bool
  %23 = max %1, %2 : i64
  %24 = lt %23, %13 : bool
  return
}
";

/// The ints that a loop of the function captures, by the names that tests have for them.
const CAPTURED: [(&str, u32); 7] = [("p", 4), ("q", 5), ("n", 1), ("k", 2), ("less", 7), ("bit", 8), ("far", 10)];

/// A number, and names with factors.
type Sum<'s> = (i64, &'s [(&'s str, i64)]);
/// Of each one has to be at least 0.
type Clauses<'c> = &'c [&'c [Sum<'c>]];

struct Program {
    module: Module,
    nest: Nest,
    symbols: HashMap<Variable, ValueId>,
    facts: ValueFacts,
}

impl Program {
    fn new() -> Self {
        let module = parse(TEXT).unwrap_or_else(|error| panic!("{error:?}"));
        let (mut nest, facts) = (Nest::new(), ValueFacts::of(&module.functions[0]));
        let symbols = CAPTURED.map(|(_, value)| (Variable::Symbol(nest.add_symbol(None)), ValueId(value)));
        Program { module, nest, symbols: symbols.into(), facts }
    }

    fn variable(&self, name: &str) -> Variable {
        let value = CAPTURED.iter().find(|(own, _)| *own == name).map(|(_, value)| ValueId(*value));
        let found = self.symbols.iter().find(|(_, own)| Some(**own) == value);
        found.map(|(variable, _)| *variable).unwrap_or_else(|| panic!("{name}"))
    }

    /// `3 + 2 * n - p` is `(3, [("n", 2), ("p", -1)])`.
    fn function(&self, (constant, terms): Sum<'_>) -> Affine {
        let terms: Vec<(Variable, i64)> = terms.iter().map(|(name, n)| (self.variable(name), *n)).collect();
        Affine::sum(constant, &terms).unwrap_or_default()
    }

    fn given(&self) -> Given<'_> {
        let ValueFacts { constants, sums, ranges, truths, .. } = &self.facts;
        Given { nest: &self.nest, symbols: &self.symbols, constants, sums, ranges, truths }
    }

    fn shown(&self, side: &Affine) -> String {
        let name = |variable: &Variable| {
            let value = self.symbols[variable].0;
            CAPTURED.iter().find(|(_, own)| *own == value).map_or("?", |(name, _)| *name)
        };
        let mut parts: Vec<String> = side.terms().iter().map(|(v, n)| format!("{n}{}", name(v))).collect();
        if side.constant_part() != 0 || parts.is_empty() {
            parts.push(side.constant_part().to_string());
        }
        parts.join("+").replace("1p", "p").replace("1q", "q").replace("1n", "n").replace("1k", "k")
    }

    /// A conjunction in words; last the ints of which is asked whether they are small, with `~` where they may be negative.
    fn text(&self, of: &Conjunction) -> String {
        let comparison = |f: &Affine| {
            let (left, op, right) = sides(f).unwrap_or_else(|| panic!("{f}"));
            format!("{} {} {}", self.shown(&left), op.name(), self.shown(&right))
        };
        let clause = |test: &Test| match test {
            Test::Truth(value, _) => format!("%{}", value.0),
            Test::Any(any) => any.iter().map(comparison).collect::<Vec<_>>().join(" or "),
        };
        let mut parts: Vec<String> = of.clauses.iter().map(|of| clause(&of.test)).collect();
        let small = of.small.iter().map(|(value, is_never_negative)| {
            let name = CAPTURED.iter().find(|(_, own)| *own == value.0).map_or("?", |(name, _)| *name);
            format!("{}{name}", if *is_never_negative { "" } else { "~" })
        });
        parts.push(format!("small {}", small.collect::<Vec<_>>().join(" ")));
        parts.join("; ")
    }

    /// What is left of functions of which one of each has to be at least 0.
    fn left_of(&self, clauses: Clauses<'_>) -> String {
        let assumption = |any: &&[Sum<'_>]| {
            let any = any.iter().map(|of| self.function(*of)).collect();
            let predicate = Predicate::AtLeastZero { any, within: None, guards: Vec::new(), n_conditions: 0 };
            Assumption { kind: Kind::InBounds, predicate }
        };
        self.left(&clauses.iter().map(assumption).collect::<Vec<_>>())
    }

    fn left(&self, assumptions: &[Assumption]) -> String {
        Conjunction::of(assumptions, &self.given()).map_or("never".to_owned(), |left| self.text(&left))
    }
}

#[test]
fn of_comparisons_the_strongest_is_left() {
    let program = Program::new();
    let of = |clauses: Clauses<'_>| program.left_of(clauses);
    // Elimination in a matrix: rows and columns before the diagonal, and up to it.
    let lu = of(&[
        &[(1, &[("q", 1), ("p", -1)])],
        &[(2, &[("q", 1), ("p", -1)]), (4, &[("q", 2), ("p", -2)])],
        &[(0, &[("q", 1), ("p", -1)])],
        &[(1, &[("q", 1), ("p", -1)]), (2, &[("q", 2), ("p", -2)])],
    ]);
    assert_eq!(lu, "q ge p; small ~n ~k q");
    // In lowest terms.
    assert_eq!(of(&[&[(1, &[("q", 2), ("p", -2)])]]), "q ge p; small ~n ~k q");
    // Of what others imply together nothing is asked.
    let chain = of(&[&[(0, &[("n", 1), ("p", -1)])], &[(0, &[("q", 1), ("p", -1)])], &[(0, &[("q", 1), ("n", -1)])]]);
    assert_eq!(chain, "n ge p; q ge n; small ~k q");
    // Neither of what lies in a range, nor of what cannot be told.
    assert_eq!(of(&[&[(0, &[("p", 1)])], &[(1, &[("bit", -1)])], &[(2, &[("less", 1)])]]), "small ~n ~k p q");
    assert_eq!(of(&[&[(-1, &[])]]), "never");
}

#[test]
fn alternatives_that_decide_nothing_are_left_out() {
    let program = Program::new();
    let of = |clauses: Clauses<'_>| program.left_of(clauses);
    let small = "small ~n ~k p q";
    // The weaker of two; what never holds; all, where one holds always.
    assert_eq!(of(&[&[(-1, &[("n", 1)]), (-3, &[("n", 2)])]]), "n gt 0; small n ~k p q");
    assert_eq!(of(&[&[(-2, &[("p", -1)]), (-1, &[("q", 1)])]]), format!("q gt 0; {small}"));
    assert_eq!(of(&[&[(-2, &[("q", 1)]), (5, &[("p", 1)])]]), small);
    // Of what another comparison implies, one is enough; two that hold apart are both needed.
    let implied = of(&[&[(-2, &[("q", 1)])], &[(-1, &[("q", 1)]), (-1, &[("n", 1)])]]);
    assert_eq!(implied, format!("q ge 2; {small}"));
    let both = of(&[&[(-1, &[("q", 1)]), (-1, &[("p", 1)])]]);
    assert_eq!(both, format!("p gt 0 or q gt 0; {small}"));
}

#[test]
fn whether_an_int_is_small_follows_from_exact_comparisons_alone() {
    let program = Program::new();
    let of = |clauses: Clauses<'_>| program.left_of(clauses);
    // An index in an axis; `p - 2` is small where `p` is, and truth values always are.
    assert_eq!(of(&[]), "small ~n ~k p q");
    let index = of(&[&[(0, &[("n", 1)])], &[(-1, &[("q", 1), ("n", -1)])]]);
    assert_eq!(index, "n ge 0; q gt n; small ~k p q");
    // Half of it is not enough, but it is known then that it is not negative.
    assert_eq!(of(&[&[(0, &[("n", 1)])]]), "n ge 0; small n ~k p q");
    // `q - 3` does not wrap, as `n - 3` may.
    let far = of(&[&[(0, &[("n", 1)])], &[(-3, &[("q", 1), ("n", -1)])]]);
    assert_eq!(far, "n ge 0; q+-3 ge n; small ~k p q");
    let wraps = of(&[&[(0, &[("k", 1)])], &[(-3, &[("n", 1), ("k", -1)])]]);
    assert_eq!(wraps, "k ge 0; n+-3 ge k; small ~n k p q");
}

#[test]
fn truth_values_say_what_they_are_made_of() {
    let program = Program::new();
    let holds = |n: u32| Assumption::holds(Kind::NoError, ValueId(n));
    let is = |of: Sum<'_>| Assumption::at_least_zero(Kind::InBounds, program.function(of));
    let small = "small ~n ~k p q";
    // What is true, and what is asked twice; both of an `and`.
    assert_eq!(program.left(&[holds(3), holds(3), holds(9)]), format!("%3; {small}"));
    assert_eq!(program.left(&[holds(17)]), "%11; %16; small ~n k p q");
    // `p == q` says more than `p >= q`, and one of two is enough.
    assert_eq!(program.left(&[holds(12), is((0, &[("p", 1), ("q", -1)])), holds(15)]), "%12; small ~n ~k q");
    assert_eq!(program.left(&[holds(15), is((1, &[("k", 1)]))]), "%15; k ge -1; small ~n ~k p q");
    // `k < n`, where `k > n` is not asked, of a truth value and of a function.
    assert_eq!(program.left(&[holds(18), is((-1, &[("n", 1), ("k", -1)]))]), format!("%18; {small}"));
    // `n - q < 1` compares what may wrap: where ints are small it follows from `n <= q`, which does not follow from it.
    assert_eq!(program.left(&[holds(20), holds(11)]), format!("%11; {small}"));
    // Where the least of two ints is above 1, both are; where the largest is below 1, both are.
    let above = |name| is((-2, &[(name, 1)]));
    assert_eq!(program.left(&[holds(22), above("q"), above("n")]), "%22; small n ~k p q");
    assert_eq!(program.left(&[holds(24), is((0, &[("k", -1)])), above("q")]), "%24; q ge 2; small ~n ~k p q");
}

#[test]
fn sums_are_small_where_what_they_are_of_is() {
    let program = Program::new();
    let of = |clauses: Clauses<'_>| program.left_of(clauses);
    // `far` is never asked for, and is `n + k` in all that is not asked before ints are known to be small.
    let sum = of(&[&[(0, &[("far", 2), ("k", -1)])], &[(0, &[("n", 2), ("k", 1)])]]);
    assert_eq!(sum, "2far ge k; small ~n ~k p q");
    let early = of(&[&[(0, &[("far", 1)])], &[(5, &[("n", 1), ("k", 1)])]]);
    assert_eq!(early, "1far ge 0; small ~n ~k p q");
}

/// SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn around(&mut self, most: i64) -> i64 {
        self.below(2 * most.unsigned_abs() + 1).cast_signed() - most
    }

    /// An int, near 0 as a rule, and else where something ends.
    fn int(&mut self) -> i64 {
        const ENDS: [i64; 8] = [SMALL_INT, -SMALL_INT, SMALL_INT / 2, i64::MAX, i64::MIN, 1 << 62, SMALL_INT << 10, 0];
        match self.below(3) {
            0 => ENDS[self.below(8) as usize].saturating_add(self.around(3)),
            _ => self.around(5),
        }
    }
}

/// The values of what ops compute, those of ints and truth values given.
fn run(ops: &[Op], function: &Function, values: &mut HashMap<ValueId, Constant>) {
    for op in ops {
        let value = match op.kind {
            OpKind::Constant(constant) => constant,
            OpKind::Scalar(scalar) => {
                let operands: Vec<_> = op.operands.iter().map(|v| (values[v], function.ty(*v).dtype())).collect();
                eval(scalar, &operands, function.ty(op.results[0]).dtype())
            }
            _ => continue,
        };
        values.insert(op.results[0], value);
    }
}

/// Random ints and truth values, and what the function computes of them.
fn values(function: &Function, numbers: &mut Numbers) -> HashMap<ValueId, Constant> {
    let mut values: HashMap<ValueId, Constant> = HashMap::from([(ValueId(3), Constant::Bool(numbers.below(2) > 0))]);
    for (value, least) in [(4, 0), (5, 0), (1, i64::MIN), (2, i64::MIN)] {
        values.insert(ValueId(value), Constant::Int(numbers.int().max(least)));
    }
    run(&function.body.ops, function, &mut values);
    values
}

/// Random assumptions; of functions of which one is to be at least 0, these.
fn assumptions(program: &Program, numbers: &mut Numbers) -> Vec<Assumption> {
    let mut assumptions = Vec::new();
    for _ in 0..1 + numbers.below(6) {
        if numbers.below(4) == 0 {
            let value = [3, 9, 11, 12, 15, 17, 18, 20, 22, 24][numbers.below(10) as usize];
            assumptions.push(Assumption::holds(Kind::NoError, ValueId(value)));
            continue;
        }
        let n_ways = 1 + numbers.below(2) / (1 + numbers.below(2));
        let any = (0..n_ways).map(|_| {
            let mut terms = Vec::new();
            for _ in 0..1 + numbers.below(2) + numbers.below(2) * numbers.below(2) {
                let name = CAPTURED[numbers.below(7) as usize].0;
                let most = if numbers.below(4) == 0 { 2 } else { 1 };
                terms.push((name, numbers.around(most)));
            }
            program.function((numbers.around(3), &terms))
        });
        let predicate =
            Predicate::AtLeastZero { any: any.collect(), within: None, guards: Vec::new(), n_conditions: 0 };
        assumptions.push(Assumption { kind: Kind::InBounds, predicate });
    }
    assumptions
}

/// A guard holds just where all that it was made of does, in numbers of any size, and all ints are small that are not sums of others.
#[test]
fn guards_hold_where_all_assumptions_do() {
    let mut numbers = Numbers(27);
    let (mut n_held, mut n_left_out) = (0, 0);
    for _ in 0..3000 {
        let program = Program::new();
        let assumptions = assumptions(&program, &mut numbers);
        let Some(conjunction) = Conjunction::of(&assumptions, &program.given()) else { continue };
        n_left_out += usize::from(conjunction.clauses.len() < assumptions.len());
        let mut module = program.module.clone();
        let mut host = HostProgram::new(&mut module.functions[0], Default::default());
        let guard = host.guard(&conjunction, &program.given()).unwrap_or_else(|| panic!("{conjunction:?}"));
        let (ops, function) = (std::mem::take(&mut host.ops), &module.functions[0]);
        for _ in 0..60 {
            let mut values = values(function, &mut numbers);
            run(&ops, function, &mut values);
            let int = |v: ValueId| i128::from(values[&v].as_int().unwrap_or_default());
            let is_held = |assumption: &Assumption| match &assumption.predicate {
                Predicate::Holds(value) => values[value] == Constant::Bool(true),
                Predicate::AtLeastZero { any, .. } => any.iter().any(|f| {
                    let terms = f.terms().iter().map(|(v, factor)| int(program.symbols[v]) * i128::from(*factor));
                    terms.sum::<i128>() + i128::from(f.constant_part()) >= 0
                }),
            };
            let range = i128::from(-SMALL_INT)..i128::from(SMALL_INT);
            let is_small = [1, 2, 4, 5].iter().all(|n| range.contains(&int(ValueId(*n))));
            let expected = is_small && assumptions.iter().all(is_held);
            let found = values[&guard] == Constant::Bool(true);
            assert_eq!(found, expected, "{assumptions:?} of {values:?}: {}", program.text(&conjunction));
            n_held += usize::from(found);
        }
    }
    assert!(n_held > 1000 && n_left_out > 300, "{n_held} {n_left_out}");
}
