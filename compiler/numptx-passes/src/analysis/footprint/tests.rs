//! What is proven disjoint shares no byte, for any extents and any bounds that come as arguments.

use numptx_ir::DType;
use numptx_ir::array::interpret::{Options, Value, View, for_each_point, interpret_with};
use numptx_ir::array::parse::parse;
use numptx_ir::array::{Module, Op, ValueId};
use numptx_ir::scalar::Constant;

use crate::analysis::traverse::terminator_operands;
use crate::rewrite::emit::Emitter;
use crate::rewrite::function::{Place, Rewrite, rebuild};
use crate::{Limit, SIMPLIFY, Unobserved, run};

/// SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// Writes two views of a matrix, `%0`, with bounds made of constants, of `%1`, and of the extents.
struct Writer {
    numbers: Numbers,
    ops: String,
    next: usize,
}

impl Writer {
    fn value(&mut self, op: &str, ty: &str) -> String {
        self.next += 1;
        self.ops += &format!("  %{} = {op} : {ty}\n", self.next);
        format!("%{}", self.next)
    }

    fn constant(&mut self, number: i64) -> String {
        self.value(&format!("constant<{number}>"), "i64")
    }

    /// A bound: small, counted from the end, or some way from the argument.
    fn bound(&mut self) -> String {
        if self.numbers.below(3) > 0 {
            let number = self.numbers.below(9) as i64 - 4;
            return self.constant(number);
        }
        let distance = self.numbers.below(3) as i64;
        let distance = self.constant(distance);
        self.value(&format!("add %1, {distance}"), "i64")
    }

    fn slice(&mut self, of: &str, axis: usize, rank: usize) -> String {
        let extent = self.value(&format!("dim<{axis}> {of}"), "i64");
        let given = [self.numbers.below(3) > 0, self.numbers.below(3) > 0];
        let mut operands = Vec::new();
        for _ in given.iter().filter(|given| **given) {
            operands.push(self.bound());
        }
        let step = [1, 1, 1, 2, 2, 3, -1, -2][self.numbers.below(8)];
        let step = self.constant(step);
        operands.extend([step.clone(), extent]);
        let names = ["lower", "upper"].iter().zip(given).filter(|(_, given)| *given).map(|(name, _)| *name);
        let names = names.collect::<Vec<_>>().join(", ");
        let names = if names.is_empty() { String::new() } else { format!("<{names}>") };
        let (start, length) = (self.next + 1, self.next + 2);
        self.next += 2;
        self.ops += &format!("  %{start}, %{length} = slice_bounds{names} {} : i64, i64\n", operands.join(", "));
        self.value(&format!("slice<{axis}> {of}, %{start}, %{length}, {step}"), &format!("f64[{rank}] any mut"))
    }

    /// A view, and its rank.
    fn view(&mut self) -> (String, usize) {
        let mut view = self.slice("%0", 0, 2);
        match self.numbers.below(5) {
            0 | 1 => view = self.slice(&view, 1, 2),
            2 => {
                let index = self.numbers.below(2) as i64;
                let index = self.constant(index);
                return (self.value(&format!("index<1> {view}, {index}"), "f64[1] any mut"), 1);
            }
            3 => view = self.slice(&view, 0, 2),
            _ => {}
        }
        if self.numbers.below(4) == 0 {
            view = self.value(&format!("permute<1, 0> {view}"), "f64[2] any mut");
            view = self.slice(&view, 1, 2);
        }
        (view, 2)
    }

    fn program(mut self) -> String {
        let ((a, a_rank), (b, b_rank)) = (self.view(), self.view());
        format!(
            "module \"m\"\n\nfunc @f noalias source (%0 \"x\": f64[2] any mut, %1 \"i\": i64) {{\n  \
             export \"f\" \"f\" (\"x\": f64[:, :], \"i\": i64) -> (f64[{a_rank}], f64[{b_rank}])\n{}  return {a}, {b}\n}}\n",
            self.ops
        )
    }
}

/// Rebuilds a function and asks about two of its values.
struct Asks {
    views: [ValueId; 2],
    are_disjoint: bool,
}

impl Rewrite for Asks {
    fn emit(&mut self, emitter: &mut Emitter, op: Op, _place: Place) {
        emitter.emit(op);
        let [a, b] = self.views.map(|v| emitter.resolve(v));
        self.are_disjoint = emitter.are_disjoint(a, b);
    }
}

fn is_proven_disjoint(module: &Module) -> bool {
    let mut module = module.clone();
    run(&mut module, &[SIMPLIFY], Limit::None, &mut Unobserved).expect("the pass works");
    let function = &mut module.functions[0];
    let &[a, b] = terminator_operands(&function.body) else { panic!("two views are returned") };
    let mut asks = Asks { views: [a, b], are_disjoint: false };
    rebuild(function, &mut asks);
    asks.are_disjoint
}

fn bytes(view: &View) -> Vec<i64> {
    let mut bytes = Vec::new();
    let visited: Result<(), ()> = for_each_point(&view.shape, |point| {
        bytes.push(view.offset + view.at(point));
        Ok(())
    });
    assert!(visited.is_ok());
    bytes
}

/// Whether the two views share an element for these extents and this argument; `None` where there are no such views.
fn do_share(module: &Module, extents: [i64; 2], argument: i64) -> Option<bool> {
    let x = View::new(DType::F64, &extents, &[]);
    let options = Options { is_verified: true, ..Options::default() };
    let arguments = [Value::Array(x), Value::Scalar(Constant::Int(argument))];
    let results = interpret_with(module, "f", &arguments, options).ok()?;
    let [Value::Array(a), Value::Array(b)] = &results[..] else { panic!("two views are returned") };
    let in_a = bytes(a);
    Some(bytes(b).iter().any(|byte| in_a.contains(byte)))
}

#[test]
fn what_is_proven_disjoint_shares_nothing() {
    let (mut n_proven, mut n_runs) = (0, 0);
    for seed in 0..3000 {
        let text = Writer { numbers: Numbers(seed), ops: String::new(), next: 1 }.program();
        let module = parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        if !is_proven_disjoint(&module) {
            continue;
        }
        n_proven += 1;
        for rows in 0..8 {
            for argument in -4..5 {
                let shared = do_share(&module, [rows, 3], argument);
                assert_ne!(shared, Some(true), "seed {seed}: {rows} x 3, {argument}\n{text}");
                n_runs += i32::from(shared.is_some());
            }
        }
    }
    assert!(n_proven > 150 && n_runs > 7_500, "only {n_proven} pairs were proven, {n_runs} runs");
}
