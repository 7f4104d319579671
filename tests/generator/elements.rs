//! Programs with loops over elements: ranges of all kinds, nests, carried values, branches, stores at shifted indices and at indices from data.
//!
//! Everything that is carried is bound before the first loop and returned, so that a loop may return early. Elements are whole numbers, and nothing
//! that is carried is multiplied: sums are exact in any order. The least and the largest are returned without the sign of a zero.

use crate::arguments::runs;
use crate::dtype::DType;
use crate::numbers::Numbers;
use crate::value::Value;

/// What one element may be.
const DTYPES: &[DType] =
    &[DType::I64, DType::F64, DType::I64, DType::F64, DType::I32, DType::F32, DType::U8, DType::I8];
const CARRIED: &str = "s, m + 0, at, found, c";

/// The program of a number.
pub fn program(number: u64) -> String {
    let mut numbers = Numbers(number.wrapping_mul(0x9e37_79b9).wrapping_add(91));
    let dtype = numbers.pick(DTYPES);
    let mut of = Elements { numbers, dtype, lines: Vec::new(), loops: Vec::new(), scalars: 0, is_guarded: false };
    of.body();
    let name = format!("f{number}");
    let (parameters, export) = parameters(&mut of.numbers, &name, dtype);
    let mut lines = vec![export];
    lines.extend(runs(&mut of.numbers, &name, &parameters));
    lines.push(format!("def {name}(x, y, z, idx, k):"));
    lines.extend(of.lines.iter().map(|line| format!("    {line}")));
    lines.join("\n")
}

/// What a function of loops over elements is given: two vectors, a matrix, indices and a number; and the line that exports it.
pub fn parameters(numbers: &mut Numbers, name: &str, dtype: DType) -> ([Value; 5], String) {
    let extents = [numbers.pick(&[6, 9, 12]), numbers.pick(&[5, 8])];
    let array = |text: &str, dtype, shape: &[i64]| Value::array(text, dtype, shape.to_vec());
    let parameters = [
        array("x", dtype, &extents[..1]),
        array("y", dtype, &extents[..1]),
        array("z", dtype, &extents),
        array("idx", DType::I64, &extents[..1]),
        Value::int("k", numbers.below(5) as i64),
    ];
    let t = dtype.name();
    (parameters, format!("#numptx export {name}({t}[:], {t}[:], {t}[:,:], int64[:], int)"))
}

/// A loop around the place that is written.
#[derive(Clone)]
struct Loop {
    /// Its index.
    index: String,
}

struct Elements {
    numbers: Numbers,
    dtype: DType,
    lines: Vec<String>,
    loops: Vec<Loop>,
    /// Scalars of the iteration that are bound.
    scalars: usize,
    /// Whether the place that is written is in a branch.
    is_guarded: bool,
}

impl Elements {
    fn once_in(&mut self, n: usize) -> bool {
        self.numbers.below(n) == 0
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.lines.push(format!("{:1$}{text}", "", depth * 4));
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        self.numbers.pick(of)
    }

    fn body(&mut self) {
        let t = self.dtype.in_numpy();
        let (sum, extreme) = (self.numbers.below(3), self.numbers.pick(&[0, 3, 100]));
        self.line(0, &format!("s, m = {t}({sum}), {t}({extreme})"));
        self.line(0, "at, found, c = -1, False, 0");
        for _ in 0..self.numbers.pick(&[1, 1, 2]) {
            self.a_loop(0);
        }
        self.line(0, &format!("return {CARRIED}"));
    }

    /// The names of the indices of loops around, innermost last.
    fn index(&mut self) -> String {
        let n = self.loops.len();
        let at = self.numbers.below(n).max(self.numbers.below(n));
        self.loops[at].index.clone()
    }

    fn bound(&mut self) -> String {
        let extent = self.pick(&["len(x)", "len(x)", "len(y)", "z.shape[0]", "z.shape[1]", "len(idx)", "k"]);
        match self.numbers.below(8) {
            0 => format!("{extent} - {}", self.numbers.pick(&[1, 1, 2, 3])),
            1 => format!("min({extent}, k)"),
            2 => format!("max({extent}, 3)"),
            3 => format!("min({extent}, len(y)) - 1"),
            4 => format!("{extent} // 2"),
            _ => extent.to_string(),
        }
    }

    fn range(&mut self) -> String {
        let mut first = self.pick(&["0", "0", "0", "1", "2", "k"]).to_string();
        let mut end = self.bound();
        if !self.loops.is_empty() && self.once_in(2) {
            let around = self.index();
            match self.numbers.below(5) {
                0 => first = around,
                1 => first = format!("{around} + 1"),
                2 => end = around,
                3 => end = format!("{around} + 1"),
                _ => first = format!("max({around} - 2, 0)"),
            }
        }
        match self.numbers.below(10) {
            0 | 1 => format!("range({end} - 1, {first} - 1, -1)"),
            2 => format!("range({first}, {end}, {})", self.numbers.pick(&[2, 3])),
            3 => format!("range({end} - 1, {first} - 1, -{})", self.numbers.pick(&[2, 3])),
            4 => format!("reversed(range({first}, {end}))"),
            _ if first == "0" => format!("range({end})"),
            _ => format!("range({first}, {end})"),
        }
    }

    fn a_loop(&mut self, depth: usize) {
        let index = ["i", "j", "h"][self.loops.len().min(2)].to_string();
        let n_scalars = self.scalars;
        if self.once_in(8) {
            self.line(depth, &format!("{index} = 0"));
            let condition = self.condition_of(&index);
            self.line(depth, &format!("while {index} < len(x) and {condition}:"));
            self.loops.push(Loop { index: index.clone() });
            let by = self.numbers.pick(&[1, 1, 2]);
            self.line(depth + 1, &format!("{index} += {by}"));
        } else {
            let range = self.range();
            let header = match self.numbers.below(10) {
                0 => format!("for {index}, v{index} in enumerate(x):"),
                1 => format!("for {index}, (v{index}, w{index}) in enumerate(zip(x, y)):"),
                _ => format!("for {index} in {range}:"),
            };
            self.line(depth, &header);
            self.loops.push(Loop { index });
        }
        let n_statements = self.numbers.pick(&[1, 2, 2, 3]);
        let has_break = self.statements(depth + 1, n_statements);
        self.loops.pop();
        self.scalars = n_scalars;
        if has_break && self.once_in(2) {
            self.line(depth, "else:");
            self.line(depth + 1, "c -= 7");
        }
    }

    /// Whether there was a `break`.
    fn statements(&mut self, depth: usize, n: usize) -> bool {
        let mut has_break = false;
        for _ in 0..n {
            match self.numbers.below(16) {
                0..=4 => self.store(depth),
                5..=7 => self.carry(depth),
                8 | 9 if self.loops.len() < 3 && depth < 5 => self.a_loop(depth),
                10 | 11 if depth < 5 => {
                    let condition = self.condition();
                    self.line(depth, &format!("if {condition}:"));
                    let (guarded, n_scalars) = (std::mem::replace(&mut self.is_guarded, true), self.scalars);
                    has_break |= self.statements(depth + 1, 1);
                    if self.once_in(3) {
                        self.line(depth, "else:");
                        self.scalars = n_scalars;
                        has_break |= self.statements(depth + 1, 1);
                    }
                    (self.is_guarded, self.scalars) = (guarded, n_scalars);
                }
                12 if !self.is_guarded => {
                    let condition = self.condition();
                    let way = self.numbers.below(6);
                    self.line(depth, &format!("if {condition}:"));
                    match way {
                        0 => self.line(depth + 1, &format!("return {CARRIED}")),
                        1 | 2 => {
                            has_break = true;
                            self.line(depth + 1, "found = True");
                            self.line(depth + 1, "break");
                        }
                        3 => {
                            has_break = true;
                            self.line(depth + 1, "break");
                        }
                        _ => self.line(depth + 1, "continue"),
                    }
                }
                13 if !self.is_guarded => {
                    let value = self.value(2);
                    self.scalars += 1;
                    self.line(depth, &format!("t{} = {value}", self.scalars));
                }
                _ => self.store(depth),
            }
        }
        has_break
    }

    fn carry(&mut self, depth: usize) {
        let value = self.value(1);
        let index = self.index();
        match self.numbers.below(10) {
            0..=2 => {
                let operation = self.pick(&["+=", "+=", "-="]);
                self.line(depth, &format!("s {operation} {value}"));
            }
            3..=5 => {
                let than = self.pick(&["<", ">", "<", "<=", ">="]);
                self.line(depth, &format!("if {value} {than} m:"));
                // Written twice, so that it is the same value.
                self.line(depth + 1, &format!("m = {value}"));
                if self.once_in(2) {
                    self.line(depth + 1, &format!("at = {index}"));
                }
            }
            6 => {
                let of = self.pick(&["min", "max"]);
                self.line(depth, &format!("m = {of}(m, {value})"));
            }
            7 => {
                let condition = self.condition();
                self.line(depth, &format!("if {condition}:"));
                self.line(depth + 1, "found = True");
            }
            8 => {
                let n = self.pick(&["1", "1", "2", "int(x[0])", "int(idx[0])"]);
                self.line(depth, &format!("c += {n}"));
            }
            _ => self.line(depth, &format!("c += {index}")),
        }
    }

    fn store(&mut self, depth: usize) {
        let value = self.value(2);
        let operation = self.pick(&["=", "=", "=", "+=", "-="]);
        match self.numbers.below(12) {
            0 | 1 => {
                let row = self.subscript();
                let column = self.subscript();
                self.line(depth, &format!("z[{row}, {column}] {operation} {value}"));
            }
            2 => {
                let index = self.index();
                self.line(depth, &format!("y[idx[{index}]] {operation} {value}"));
            }
            3 => {
                let index = self.index();
                self.line(depth, &format!("y[{index}] = y[{index} - 1] + {value}"));
            }
            4 => {
                let index = self.index();
                self.line(depth, &format!("y[{index}], x[{index}] = x[{index}], y[{index}]"));
            }
            5 => {
                let (i, j) = (self.index(), self.index());
                let around =
                    self.pick(&["z[{i} - 1, {j}]", "z[{i}, {j} - 1]", "z[{i} - 1, {j} - 1]", "z[{i} + 1, {j}]"]);
                let around = around.replace("{i}", &i).replace("{j}", &j);
                self.line(depth, &format!("z[{i}, {j}] = {around} + {value}"));
            }
            6 => {
                let index = self.index();
                let value = self.pick(&["c", "at", "s", "k"]);
                self.line(depth, &format!("y[{index}] = {value}"));
            }
            n => {
                let array = if n < 9 { "x" } else { "y" };
                let at = self.subscript();
                self.line(depth, &format!("{array}[{at}] {operation} {value}"));
            }
        }
    }

    fn subscript(&mut self) -> String {
        let index = self.index();
        match self.numbers.below(16) {
            0 => format!("{index} + 1"),
            1 => format!("{index} - 1"),
            2 => format!("{index} + {}", self.numbers.pick(&[2, 3])),
            3 => format!("-1 - {index}"),
            4 => format!("len(y) - 1 - {index}"),
            5 => format!("{index} // 2"),
            6 => format!("{index} % 4"),
            7 => format!("min({index}, 4)"),
            8 => format!("{index} - k"),
            9 => format!("idx[{index}]"),
            10 => self.pick(&["0", "-1", "k", "2"]).to_string(),
            _ => index,
        }
    }

    fn element(&mut self) -> String {
        let at = self.subscript();
        match self.numbers.below(6) {
            0 | 1 => format!("y[{at}]"),
            2 => {
                let column = self.subscript();
                format!("z[{at}, {column}]")
            }
            _ => format!("x[{at}]"),
        }
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.once_in(3) {
            return match self.numbers.below(8) {
                0 if self.scalars > 0 => format!("t{}", 1 + self.numbers.below(self.scalars)),
                1 => self.dtype_number(),
                _ => self.element(),
            };
        }
        let a = self.value(depth - 1);
        match self.numbers.below(9) {
            0..=2 => format!("({a} + {})", self.value(depth - 1)),
            3 => format!("({a} - {})", self.value(depth - 1)),
            4 => format!("({a} * {})", self.numbers.pick(&[2, 3])),
            5 => format!("min({a}, {})", self.element()),
            6 => format!("abs({a})"),
            7 => {
                let condition = self.condition();
                format!("({a} if {condition} else {})", self.element())
            }
            _ => a,
        }
    }

    fn dtype_number(&mut self) -> String {
        format!("{}({})", self.dtype.in_numpy(), self.numbers.below(4))
    }

    fn condition_of(&mut self, index: &str) -> String {
        let array = self.pick(&["x", "y"]);
        let than = self.pick(&["<", ">", "!=", "<="]);
        format!("{array}[{index}] {than} {}", self.numbers.below(4))
    }

    fn condition(&mut self) -> String {
        let index = self.index();
        let simple = match self.numbers.below(9) {
            0 => format!("{index} % 2 == 0"),
            1 => format!("{index} > k"),
            2 => format!("{index} < len(y) - 1"),
            3 => format!("{index} > 0"),
            4 => format!("0 <= idx[{index}] < len(y)"),
            5 => format!("x[{index}] > y[{index}]"),
            _ => self.condition_of(&index),
        };
        if !self.once_in(5) {
            return simple;
        }
        let word = self.pick(&["and", "or"]);
        let other = self.condition_of(&index);
        let not = self.pick(&["", "", "not "]);
        format!("{not}({simple} {word} {other})")
    }
}
