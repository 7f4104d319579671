//! Numbers that are floats here from the start, and in Python still ints until the first float is added.
//!
//! `s = 0` before `s += 0.5 * x[i]`: paths join on which a name is an int constant, and a float. What follows computes with the float of the
//! same value, as if `s = 0.0` stood there: sums, products, comparisons and stores are the same. Such numbers are remembered, and so is what
//! is computed of them and ints alone. Where it would show that they may be ints, the program is refused: in messages, in tests of types, and
//! in calls whose dtype follows from them. What a function returns is the float.
//!
//! NumPy's small ints that are Python's on some path, as `max(x[i], 10)` and `if v > 100: v = 100` leave them, are remembered in the same way: they
//! are of the array's dtype here, which wraps where Python's do not. They are compared, stored and computed with beside numbers of NumPy that
//! decide on the dtype; where another one would come of a Python int, the program is refused.

use numptx_ir::DType;
use numptx_ir::array::ValueId;
use numptx_ir::functions::{Arguments, Family, Function, PyValue, Typed, call};
use numptx_ir::scalar::Constant;
use numptx_source::{Span, code};
use numptx_syntax::ast::BinaryOp;

use crate::lowerer::Lowerer;
use crate::values::container_types::python_name;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Remembers of what is computed of two Python numbers that it may be narrower in Python.
    pub fn note_narrower(&mut self, op: BinaryOp, operands: [ValueId; 2], result: &Value) {
        if operands.iter().all(|v| !self.numbers.narrower.contains_key(v)) {
            return;
        }
        let in_python = operands.map(|v| self.numbers.narrower.get(&v).copied().unwrap_or(self.builder.dtype(v)));
        let of_ints = if op == BinaryOp::Div { DType::F64 } else { DType::I64 };
        let narrow = in_python[0].max(in_python[1]).max(of_ints);
        if let Some(typed) = result.typed().filter(|t| narrow < self.builder.dtype(t.value)) {
            self.numbers.narrower.insert(typed.value, narrow);
        }
    }

    /// Refuses to tell of a number whether it is a float yet.
    pub fn refuse_narrower(&mut self, value: &Value, what: &str, span: Span) -> Value {
        let (Some(narrow), Some(typed)) = (self.numbers.narrower_of(value), value.typed()) else {
            return Value::Poison;
        };
        let wide = self.builder.dtype(typed.value);
        if typed.family == Family::Numpy {
            let message = format!("{what} depends on whether a number is a Python int, or a NumPy `{wide}` scalar");
            let help = format!(
                "make the Python int one of NumPy where it comes in, `np.{wide}(…)`, or all of them ints: `int(x[i])`"
            );
            return self.refuse(code::REBOUND_TO_OTHER_TYPE, span, message, help);
        }
        let message = format!(
            "{what} depends on whether a number is still the {} that it began as, or a {}",
            python_name(narrow),
            python_name(wide)
        );
        let zero = if wide.is_complex() { "0j" } else { "0.0" };
        let help = format!("begin with a {}: `s = {zero}` instead of `s = 0`", python_name(wide));
        self.refuse(code::REBOUND_TO_OTHER_TYPE, span, message, help)
    }

    /// Refuses calls that would give another dtype if a number were still an int; gives whether it did.
    pub fn refuse_narrower_call(&mut self, function: &'static Function, arguments: &Arguments, span: Span) -> bool {
        if self.numbers.narrower.is_empty() {
            return false;
        }
        let mut found = None;
        let point = self.point();
        let narrowed = Arguments {
            positional: arguments.positional.iter().map(|v| self.narrowed(v, &mut found)).collect(),
            keywords: arguments.keywords.iter().map(|(n, v)| (n.clone(), self.narrowed(v, &mut found))).collect(),
            form: arguments.form,
        };
        let Some((number, family)) = found else { return false };
        let narrow = call(&mut self.builder, function, &narrowed).ok().map(|v| self.dtypes(&v));
        self.rollback(point);
        let point = self.point();
        let wide = call(&mut self.builder, function, arguments).ok().map(|v| self.dtypes(&v));
        self.rollback(point);
        if wide.is_none() || narrow == wide {
            return false;
        }
        self.refuse_narrower(&Value::Typed(Typed { value: number, family }), "the dtype of this", span);
        true
    }

    /// An argument with its numbers as the narrower types that they may have.
    fn narrowed(&mut self, value: &PyValue, found: &mut Option<(ValueId, Family)>) -> PyValue {
        match value {
            PyValue::Typed(Typed { value, family }) if self.numbers.narrower.contains_key(value) => {
                *found = Some((*value, *family));
                let is_int = self.numbers.narrower.get(value) == Some(&DType::I64);
                let one = if is_int { Constant::Int(1) } else { Constant::Float(1.0) };
                let dtype = if is_int { DType::I64 } else { DType::F64 };
                PyValue::Typed(Typed { value: self.builder.constant(one, dtype), family: Family::Python })
            }
            PyValue::Tuple(items) => PyValue::Tuple(items.iter().map(|v| self.narrowed(v, found)).collect()),
            PyValue::List(items) => PyValue::List(items.iter().map(|v| self.narrowed(v, found)).collect()),
            other => other.clone(),
        }
    }

    fn dtypes(&self, value: &PyValue) -> Vec<DType> {
        match value {
            PyValue::Typed(typed) => vec![self.builder.dtype(typed.value)],
            PyValue::Tuple(items) | PyValue::List(items) => items.iter().flat_map(|v| self.dtypes(v)).collect(),
            _ => Vec::new(),
        }
    }
}
