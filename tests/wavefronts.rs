//! Random nests of two loops whose iterations depend on each other, some within a third one: run as loops and as wavefronts, element by element the same.
//!
//! Each program fills tables with constant distances between what it reads and writes, along rows, columns, diagonals or triangles, some with a sum
//! over what was filled before. `NUMPTX_PROGRAMS=40000` takes that many. Points of a time run in random order, and what meets in memory is an error.

use std::fmt::Write as _;

use numptx_driver::ARRAY_PASSES;
use numptx_driver::ir::array::{LoopStrategy, Module, RemarkKind};
use numptx_passes::{Limit, Unobserved, run};
use numptx_source::Source;
use numptx_tests::arguments::Arguments;
use numptx_tests::numbers::Numbers;
use numptx_tests::outcome::outcome;

const PROGRAMS: u64 = 200;

/// What a run may take, in ops and elements.
const FUEL: u64 = 4_000_000;

/// The writer of one program.
struct Writer {
    numbers: Numbers,
    text: String,
    /// Rows and columns at the edges that no index of a loop takes.
    edge: i64,
    /// Whether tables have as many rows as columns.
    is_square: bool,
    /// How deep the loop over rows stands.
    depth: usize,
}

impl Writer {
    fn program(seed: u64) -> (String, bool) {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let is_square = numbers.below(2) == 0;
        let edge = numbers.pick(&[1, 1, 2]);
        let mut writer = Writer { numbers, text: String::new(), edge, is_square, depth: 1 };
        writer.function();
        (writer.text, is_square)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.numbers.below(n) == 0
    }

    fn line(&mut self, depth: usize, line: &str) {
        let _always_works = writeln!(self.text, "{:1$}{line}", "", depth * 4);
    }

    fn function(&mut self) {
        self.line(0, "#numptx export f(int64[:,:], int64[:,:], int64[:])");
        self.line(0, "def f(a, b, c):");
        let columns = if self.is_square { "n" } else { "a.shape[1]" };
        self.line(1, "n = a.shape[0]");
        self.line(1, &format!("m = {columns}"));
        if self.one_in(3) {
            let header =
                self.numbers.pick(&["for t in range(3):", "for t in range(n - 4):", "for t in range(2, 0, -1):"]);
            self.line(1, header);
            self.depth = 2;
        }
        let header = self.header("i", "n", None);
        self.line(self.depth, &header);
        let n_parts = self.numbers.pick(&[1, 1, 2]);
        for _ in 0..n_parts {
            if self.one_in(5) {
                self.row_statement();
            }
            self.inner();
        }
        if self.one_in(6) {
            self.row_statement();
        }
    }

    /// A loop within the edges, some from or to the index of the loop around it.
    fn header(&mut self, index: &str, extent: &str, around: Option<&str>) -> String {
        let edge = self.edge;
        let (mut first, mut end) = (edge.to_string(), format!("{extent} - {edge}"));
        if let Some(around) = around
            && self.is_square
        {
            match self.numbers.below(6) {
                0 => first = around.to_string(),
                1 => first = format!("{around} + 1"),
                2 => end = around.to_string(),
                3 => end = format!("{around} + 1"),
                _ => {}
            }
        }
        match self.numbers.below(4) {
            0 => format!("for {index} in range({end} - 1, {first} - 1, -1):"),
            1 if self.one_in(6) => format!("for {index} in range({first}, {end}, 2):"),
            _ => format!("for {index} in range({first}, {end}):"),
        }
    }

    fn inner(&mut self) {
        let header = self.header("j", "m", Some("i"));
        self.line(self.depth + 1, &header);
        let n_statements = self.numbers.pick(&[1, 1, 1, 2]);
        for _ in 0..n_statements {
            let within = self.depth + 2;
            let depth = if self.one_in(6) {
                let condition = self.numbers.pick(&["b[i, j] > 0", "j > i", "i > 1", "a[i, j] < b[i, j]"]);
                self.line(within, &format!("if {condition}:"));
                within + 1
            } else {
                within
            };
            if self.is_square && self.one_in(5) {
                self.total(depth);
            } else {
                self.statement(depth);
            }
        }
    }

    fn statement(&mut self, depth: usize) {
        let target = if self.one_in(4) { self.cell("a") } else { "a[i, j]".to_string() };
        let n_terms = self.numbers.pick(&[1, 2, 2, 3, 4]);
        let mut terms = Vec::new();
        for _ in 0..n_terms {
            let factor = self.numbers.pick(&["", "", "2 * ", "3 * "]);
            terms.push(format!("{factor}{}", self.term()));
        }
        let operation = self.numbers.pick(&["=", "=", "=", "+=", "-="]);
        let joined = self.numbers.pick(&[" + ", " - ", " ^ "]);
        let sum = terms.join(joined);
        self.line(depth, &format!("{target} {operation} {sum}"));
    }

    /// A sum of products over what may have been filled before.
    fn total(&mut self, depth: usize) {
        let edge = self.edge;
        let (first, end) = self.numbers.pick(&[("0", "i"), ("0", "j"), ("i + 1", "j"), ("j + 1", "i"), ("e", "i")]);
        let first = first.replace('e', &edge.to_string());
        let (x, y) = self.numbers.pick(&[("i, k", "k, j"), ("i, k", "j, k"), ("i, k", "k + 1, j"), ("k, i", "k, j")]);
        self.line(depth, "s = a[i, j]");
        self.line(depth, &format!("for k in range({first}, {end}):"));
        self.line(depth + 1, &format!("s += a[{x}] * a[{y}]"));
        self.line(depth, "a[i, j] = s");
    }

    fn row_statement(&mut self) {
        let edge = self.edge;
        let shift = self.numbers.pick(&[-1, 0, 1]).clamp(-edge, edge);
        let statement = match self.numbers.below(4) {
            0 => format!("c[i] = c[i - 1] + a[i, {edge}]"),
            1 => "c[i] += b[i, 0]".to_string(),
            2 if self.is_square => "a[i, i] += c[i]".to_string(),
            _ => format!("a[i, 0] = a[i + {shift}, 1] - c[i]"),
        };
        self.line(self.depth + 1, &statement);
    }

    fn term(&mut self) -> String {
        match self.numbers.below(12) {
            0 => self.cell("b"),
            1 => "c[i]".to_string(),
            2 if self.is_square => "c[j - 1]".to_string(),
            3 if self.is_square => "a[j, i]".to_string(),
            4 if self.is_square => "a[i, i]".to_string(),
            5 => self.numbers.pick(&["a[i, 0]", "a[0, j]"]).to_string(),
            _ => self.cell("a"),
        }
    }

    /// An element at a constant distance.
    fn cell(&mut self, array: &str) -> String {
        let edge = self.edge.cast_unsigned() as usize;
        let mut at = |index: &str| match self.numbers.below(2 * edge + 1).cast_signed() as i64 - self.edge {
            0 => index.to_string(),
            n if n > 0 => format!("{index} + {n}"),
            n => format!("{index} - {}", -n),
        };
        let (row, column) = (at("i"), at("j"));
        format!("{array}[{row}, {column}]")
    }
}

fn lowered(text: &str) -> Module {
    let source = Source::new("wavefronts.py".to_string(), text.to_string());
    let (syntax, mut reports) = numptx_syntax::parse(&source);
    let (module, found) = numptx_lower::lower(&syntax, "wavefronts");
    reports.extend(found);
    assert!(!reports.has_errors(), "{}\n{text}", numptx_tests::plain(&source, &reports));
    module
}

/// Whether loops became a wavefront; and whether three or more did.
fn check(seed: u64) -> [bool; 2] {
    let (text, is_square) = Writer::program(seed);
    let original = lowered(&text);
    let mut module = original.clone();
    let passes = ARRAY_PASSES.iter().flat_map(|(_, passes)| *passes);
    run(&mut module, passes, Limit::None, &mut Unobserved).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    let function = module.functions.iter().find(|f| f.name == "f.0").expect("it is exported");
    let is_wavefront = |kind: &RemarkKind| matches!(kind, RemarkKind::Loop { strategy: LoopStrategy::Wavefront, .. });
    let n_wavefronts = function.remarks.iter().filter(|remark| is_wavefront(&remark.kind)).count();
    let has_rounds = text.contains("for t in");
    let extents = if is_square { [[7, 7], [3, 3], [1, 1]] } else { [[6, 9], [8, 5], [0, 4]] };
    for [n, m] in extents {
        let arrays: [&[i64]; 3] = [&[n, m], &[n, m], &[n.max(m)]];
        let arguments = || Arguments::of_extents(function, seed, &arrays);
        let expected = outcome(&original, "f.0", &arguments(), seed, FUEL);
        let found = outcome(&module, "f.0", &arguments(), seed, FUEL);
        match (expected, found) {
            (Ok(expected), Ok(found)) => assert_eq!(expected, found, "seed {seed}, extents {n}, {m}\n{text}\n{module}"),
            (expected, found) => panic!("seed {seed}: {expected:?} {found:?}\n{text}\n{module}"),
        }
    }
    let asks = module.to_string().contains("one_launch");
    [n_wavefronts > 0, has_rounds && n_wavefronts > 2 && asks]
}

/// Programs of many statements, of whose times there are more choices than can be tried.
#[test]
fn searches_for_times_end() {
    for seed in [6719, 6949] {
        check(seed);
    }
}

#[test]
fn wavefronts_give_what_the_loop_gives() {
    let n = std::env::var("NUMPTX_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(PROGRAMS);
    let first = std::env::var("NUMPTX_FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let found: Vec<[bool; 2]> = (first..first + n).map(check).collect();
    let [wavefronts, deep] = [0, 1].map(|kind| found.iter().filter(|found| found[kind]).count() as u64);
    assert!(wavefronts > n / 6, "only {wavefronts} of {n} programs have wavefronts");
    assert!(deep > n / 50, "only {deep} of {n} programs have wavefronts of three loops");
}
