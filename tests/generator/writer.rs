//! The state of one program while it is written: names in scope and what they hold, helper functions, what the program may do.

use crate::dtype::{self, DType};
use crate::numbers::Numbers;
use crate::value::{Form, Value};

/// Writes one program.
pub struct Writer {
    /// Where all choices come from.
    pub numbers: Numbers,
    /// The program's number: part of the names of its functions.
    pub number: u64,
    /// Names that are bound.
    pub scope: Vec<Value>,
    /// Dtypes that the program's arrays have.
    pub dtypes: Vec<DType>,
    /// Whether only operations are used that every correct compiler rounds alike.
    pub is_exact: bool,
    /// How many of a hundred statements call linear algebra, transforms and contractions.
    pub calls: usize,
    /// Lines of functions that the program calls.
    pub helpers: Vec<String>,
    /// Loops around the place that is written.
    pub n_loops: usize,
    /// Branches and loops around the place that is written: names keep their types there.
    pub depth: usize,
    /// Whether the place that is written is in a helper function.
    pub is_helper: bool,
    /// What the exported function's parameters are on the sample arguments.
    pub parameters: Vec<Value>,
    n_names: usize,
}

impl Writer {
    /// The writer of the program of a number.
    pub fn new(seed: u64) -> Writer {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9).wrapping_add(17));
        numbers.draw();
        let first = numbers.pick(dtype::USUAL);
        let second = if numbers.below(3) == 0 { numbers.pick(dtype::USUAL) } else { first };
        let is_exact = numbers.below(5) > 0;
        Writer {
            numbers,
            number: seed,
            scope: Vec::new(),
            dtypes: vec![first, first, second],
            is_exact,
            calls: 0,
            helpers: Vec::new(),
            n_loops: 0,
            depth: 0,
            is_helper: false,
            parameters: Vec::new(),
            n_names: 0,
        }
    }

    /// True once in `n`.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.numbers.below(n) == 0
    }

    /// True in so many of a hundred.
    pub fn percent(&mut self, n: usize) -> bool {
        self.numbers.below(100) < n
    }

    /// A whole number from `low` up to and including `high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.numbers.below((high - low + 1).max(1) as usize) as i64
    }

    /// One of several texts, its `{}` filled in order.
    pub fn form(&mut self, of: &[&str], parts: &[&str]) -> String {
        let mut text = self.numbers.pick(of).to_string();
        for part in parts {
            text = text.replacen("{}", part, 1);
        }
        text
    }

    /// A name that is not bound.
    pub fn fresh_name(&mut self, stem: &str) -> String {
        self.n_names += 1;
        format!("{stem}{}", self.n_names)
    }

    /// Binds a name, anew if it is bound.
    pub fn bind(&mut self, name: &str, value: &Value) {
        let value = value.named(name);
        match self.scope.iter_mut().find(|v| v.text == name) {
            Some(known) => *known = value,
            None => self.scope.push(value),
        }
    }

    /// Values in scope that fit, or `None`.
    pub fn variable(&mut self, fits: impl Fn(&Value) -> bool) -> Option<Value> {
        let found: Vec<&Value> = self.scope.iter().filter(|v| fits(v)).collect();
        if found.is_empty() {
            return None;
        }
        // What was bound last is taken more often, so that chains of views grow.
        let n = found.len();
        let at = self.numbers.below(n).max(self.numbers.below(n));
        let at = if self.numbers.below(2) == 0 { at } else { self.numbers.below(n) };
        Some(found[at].clone())
    }

    /// An array in scope; a new one where there is none.
    pub fn array_variable(&mut self) -> Value {
        self.variable(Value::is_array).unwrap_or_else(|| {
            let dtype = self.numbers.pick(&self.dtypes.clone());
            Value::array(format!("np.ones((3, 2), dtype={})", dtype.in_numpy()), dtype, vec![3, 2])
        })
    }

    /// An array in scope of at least one axis.
    pub fn sequence_variable(&mut self) -> Value {
        match self.variable(|v| v.is_array() && v.rank() > 0) {
            Some(found) => found,
            None => {
                let dtype = self.numbers.pick(&self.dtypes.clone());
                Value::array(format!("np.zeros(4, dtype={})", dtype.in_numpy()), dtype, vec![4])
            }
        }
    }

    /// An array in scope that may be written to.
    pub fn writeable_variable(&mut self) -> Option<Value> {
        self.variable(|v| v.is_array() && v.writeable)
    }

    /// A Python `int` in scope or of one.
    pub fn int(&mut self) -> Value {
        match self.numbers.below(4) {
            0 => {
                let literal = self.between(-1, 4);
                Value::int(literal.to_string(), literal)
            }
            1 => {
                let of = self.sequence_variable();
                if self.once_in(2) {
                    return Value::int(format!("len({})", of.text), of.shape[0]);
                }
                let axis = self.numbers.below(of.rank());
                Value::int(format!("{}.shape[{axis}]", of.text), of.shape[axis])
            }
            _ => {
                let named = self.variable(|v| v.form == Form::Int);
                let named = named.unwrap_or_else(|| Value::int("2", 2));
                match self.numbers.below(4) {
                    0 => Value::int(format!("({} + 1)", named.text), named.sample + 1),
                    1 => Value::int(format!("({} - 1)", named.text), named.sample - 1),
                    _ => named,
                }
            }
        }
    }

    /// A condition.
    pub fn condition(&mut self) -> String {
        let (a, b) = (self.int().text, self.int().text);
        match self.numbers.below(8) {
            0 | 1 => self.variable(|v| v.form == Form::Flag).map_or("True".to_string(), |v| v.text),
            2 => format!("not {}", self.variable(|v| v.form == Form::Flag).map_or("False".to_string(), |v| v.text)),
            3 => {
                let of = self.array_variable();
                match of.dtype.is_complex() {
                    true => format!("{}.size > 6", of.text),
                    false => format!("np.sum({}) > 3", of.text),
                }
            }
            4 => format!("{a} % 2 == 0"),
            5 => format!("{a} > {b} and {b} < 4"),
            6 => format!("{a} != {b}"),
            _ => format!("{a} > 1"),
        }
    }
}
