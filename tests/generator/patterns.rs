//! Programs of patterns that loops over elements come in: stated to be parallel, histograms, positions of extremes, accumulations of one thread, loops
//! that read what later iterations write over, loops that end by themselves in each element, rows of changing length, sweeps one after the other, reductions
//! of what masks choose, and loops over a plane in one over its diagonal.
//!
//! A statement that iterations are independent is true by construction: an iteration writes elements of its own alone, and reads these and arrays
//! that the loop does not write. So such a program is called with arrays that lie apart. Elements are whole numbers, and sums are exact in any order.

mod ahead;
mod combined;
mod in_order;
mod masked;
mod meeting;
mod rows;
mod stated;
mod sweeps;

use crate::arguments::{runs, runs_apart};
use crate::dtype::DType;
use crate::elements::parameters;
use crate::numbers::Numbers;

/// What one element may be.
const DTYPES: &[DType] =
    &[DType::I64, DType::F64, DType::I64, DType::F64, DType::I32, DType::F32, DType::U8, DType::I16];

/// The program of a number.
pub fn program(number: u64) -> String {
    let mut numbers = Numbers(number.wrapping_mul(0x9e37_79b9).wrapping_add(53));
    let dtype = numbers.pick(DTYPES);
    let mut of =
        Patterns { numbers, dtype, lines: Vec::new(), n_names: 0, results: Vec::new(), is_stated: false, depth: 0 };
    of.body();
    let name = format!("f{number}");
    let (parameters, export) = parameters(&mut of.numbers, &name, dtype);
    let mut lines = vec![export];
    let runs_of = if of.is_stated { runs_apart } else { runs };
    lines.extend(runs_of(&mut of.numbers, &name, &parameters));
    lines.push(format!("def {name}(x, y, z, idx, k):"));
    lines.extend(of.lines.iter().map(|line| format!("    {line}")));
    lines.join("\n")
}

struct Patterns {
    numbers: Numbers,
    dtype: DType,
    lines: Vec<String>,
    n_names: usize,
    /// Scalars and arrays that are bound before the first loop.
    results: Vec<String>,
    /// Whether a loop is stated to be parallel.
    is_stated: bool,
    depth: usize,
}

impl Patterns {
    fn once_in(&mut self, n: usize) -> bool {
        self.numbers.below(n) == 0
    }

    fn line(&mut self, more: usize, text: &str) {
        self.lines.push(format!("{:1$}{text}", "", (self.depth + more) * 4));
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        self.numbers.pick(of)
    }

    fn name(&mut self, stem: &str) -> String {
        self.n_names += 1;
        format!("{stem}{}", self.n_names)
    }

    /// A scalar that is bound before all loops, and returned.
    fn carried(&mut self, stem: &str, first: &str) -> String {
        let name = self.name(stem);
        self.lines.insert(0, format!("{name} = {first}"));
        self.results.push(name.clone());
        name
    }

    fn number(&mut self, below: usize) -> String {
        format!("{}({})", self.dtype.in_numpy(), self.numbers.below(below))
    }

    fn body(&mut self) {
        for _ in 0..self.numbers.pick(&[1, 2, 2, 3]) {
            if self.once_in(4) {
                let times = self.pick(&["k", "3", "min(k, 2)"]);
                let t = self.name("t");
                self.line(0, &format!("for {t} in range({times}):"));
                self.depth += 1;
                (0..self.numbers.pick(&[1, 2])).for_each(|_| self.pattern());
                self.depth -= 1;
            } else {
                self.pattern();
            }
        }
        self.results.push("k".to_string());
        let results = self.results.join(", ");
        self.line(0, &format!("return {results}"));
    }

    fn pattern(&mut self) {
        match self.numbers.below(24) {
            0..=3 => self.stated(),
            4 | 5 => self.histogram(),
            6 | 7 => self.extreme(),
            8 | 9 => self.accumulation(),
            10 | 11 => self.ahead(),
            12 | 13 => self.ended(),
            14..=16 => self.rows(),
            17..=19 => self.masked(),
            20 | 21 => self.meeting(),
            _ => self.sweeps(),
        }
    }

    // Expressions.

    /// An element of an array that is not written, near an index; most of them exist.
    fn element(&mut self, index: &str, written: &str) -> String {
        let arrays: Vec<&str> = ["x", "y", "z"].into_iter().filter(|a| *a != written).collect();
        let array = self.numbers.pick(&arrays);
        let at = match self.numbers.below(12) {
            0 => format!("{index} - 1"),
            1 => format!("-1 - {index}"),
            2 => format!("{index} // 2"),
            3 => format!("({index} + k) % len({array})"),
            4 => "0".to_string(),
            5 => format!("{index} + 1"),
            6 => format!("idx[{index}] % len({array})"),
            _ => index.to_string(),
        };
        match array {
            "z" => format!("z[{at}, {}]", self.pick(&["0", "-1", "1", "2"])),
            _ => format!("{array}[{at}]"),
        }
    }

    fn value(&mut self, index: &str, own: &str, written: &str, depth: usize) -> String {
        if depth == 0 || self.once_in(3) {
            return match self.numbers.below(7) {
                0 => self.number(4),
                1 | 2 if !own.is_empty() => own.to_string(),
                _ => self.element(index, written),
            };
        }
        let a = self.value(index, own, written, depth - 1);
        match self.numbers.below(8) {
            0..=2 => format!("({a} + {})", self.value(index, own, written, depth - 1)),
            3 => format!("({a} - {})", self.value(index, own, written, depth - 1)),
            4 => format!("min({a}, {})", self.element(index, written)),
            5 => format!("abs({a})"),
            6 => {
                let condition = self.condition(index, written);
                format!("({a} if {condition} else {})", self.element(index, written))
            }
            _ => a,
        }
    }

    fn condition(&mut self, index: &str, written: &str) -> String {
        match self.numbers.below(6) {
            0 => format!("{index} % 2 == 0"),
            1 => format!("{index} > k"),
            2 => format!("idx[{index}] > 0"),
            _ => {
                let than = self.pick(&["<", ">", "!=", "<="]);
                format!("{} {than} {}", self.element(index, written), self.numbers.below(4))
            }
        }
    }
}
