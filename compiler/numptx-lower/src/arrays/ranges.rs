//! Ranges, and lists of run-time length, where NumPy makes arrays of them: arguments, indices, operands beside arrays, and values that are stored;
//! and `range(…)[…]`.
//!
//! In: such a value. Out: the list or array of its members. What other iterators are, `zip(…)` for example, is no array of numbers.

use numptx_ir::DType;
use numptx_ir::functions::{PyValue, lookup};
use numptx_ir::promotion::{Casting, can_cast};
use numptx_source::{Span, code};
use numptx_syntax::ast::Index;

use crate::lowerer::Lowerer;
use crate::values::iterable::{Iterable, is_range};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// The list of what a range gives: a display where it is short and known, else of run-time length. `None` of other values.
    pub fn list_of_range(&mut self, value: &Value, span: Span) -> Option<Value> {
        if !is_range(value) {
            return None;
        }
        Some(match self.few_members(value) {
            Some(items) => Value::List(items),
            None => self.listed_at_run_time(value, span),
        })
    }

    /// A range or a list of run-time length as an array of a dtype, each member converted as NumPy converts Python's numbers; other values as
    /// they are.
    pub fn converted_members(&mut self, value: Value, dtype: DType, span: Span) -> Value {
        match value {
            Value::Filled(list) if self.builder.dtype(list.array) == dtype => Value::array(list.array),
            value if self.is_list_of_numbers(&value) => self.array_of_members(&value, dtype, span),
            Value::Filled(list) if can_cast(self.builder.dtype(list.array), dtype, Casting::Safe) => {
                Value::array(list.array)
            }
            other => other,
        }
    }

    /// The same of the argument of a function that makes arrays; `None` of other calls, which convert the whole.
    pub fn converted_argument(&mut self, name: &str, value: &Value, dtype: DType, span: Span) -> Option<PyValue> {
        if !self.is_list_of_numbers(value) || !lookup(name).is_some_and(|row| row.lowering.converts_members) {
            return None;
        }
        self.converted_members(value.clone(), dtype, span).to_table()
    }

    fn is_list_of_numbers(&self, value: &Value) -> bool {
        match value {
            Value::Filled(list) => list.depth == 1 && self.builder.rank(list.array) == 1,
            other => is_range(other),
        }
    }

    /// `range(…)[indices]`: an int, or a range again.
    pub fn range_item(&mut self, range: &Value, indices: &[Index], span: Span) -> Value {
        let Value::Iterable(iterable) = range else { return Value::Poison };
        let Iterable::Range { lower, upper, step } = **iterable else { return Value::Poison };
        let length = self.checked_length(lower, upper, step);
        match indices {
            [Index::Expr(expr)] => {
                let Some(position) = self.list_position(expr) else { return Value::Poison };
                let position = self.wrapped(position, length, "range object index out of range", &[]);
                self.element(iterable, position)
            }
            [Index::Slice { lower: from, upper: to, step: by, .. }] => {
                let Some([start, count, by]) = self.slice_of(length, [from, to, by]) else {
                    return Value::Poison;
                };
                let before = self.mul_ints(start, step);
                let lower = self.add_ints(lower, before);
                let step = self.mul_ints(step, by);
                let whole = self.mul_ints(count, step);
                let upper = self.add_ints(lower, whole);
                Value::Iterable(Box::new(Iterable::Range { lower, upper, step }))
            }
            _ => {
                let help = "write `r[i]` or `r[1:n]`";
                self.refuse(code::UNSUPPORTED_INDEX, span, "a range is not indexed so", help)
            }
        }
    }
}
