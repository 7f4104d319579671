//! `values[i]`: members of tuples and lists.
//!
//! A position that is known when compiling gives the member, of whatever type. One of run time chooses among numbers of one type, or tuples
//! of such; lists of run-time length are arrays, and are read as these.

use numptx_ir::array::{Type, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};
use numptx_syntax::ast::Index;

use crate::lowerer::Lowerer;
use crate::values::forms::Form;
use crate::values::iterable::Filled;
use crate::values::value::Value;

/// Members among which a position of run time may choose: each is a comparison.
const MAX_CHOSEN: usize = 64;

impl Lowerer<'_> {
    /// A member of a tuple or a list, or some of them.
    pub fn member(&mut self, owner: &Value, items: &[Value], indices: &[Index], span: Span) -> Value {
        let help = "index tuples with constants: `x.shape[0]`, `pair[-1]`";
        match indices {
            [Index::Expr(expr)] => {
                let index = self.expression(expr);
                let Some(n) = self.int_of(&index).filter(|_| self.is_python(&index)) else {
                    return self.member_at(owner, items, &index, expr.span);
                };
                let position = if n < 0 { n + items.len() as i64 } else { n };
                match usize::try_from(position).ok().and_then(|p| items.get(p)) {
                    Some(item) => item.clone(),
                    None => {
                        let message = format!("index {n} is out of range for {} members", items.len());
                        self.refuse(code::INDEX_OUT_OF_RANGE, expr.span, message, help)
                    }
                }
            }
            [Index::Slice { lower, upper, step, .. }] => {
                let mut bounds = [None; 3];
                for (bound, expr) in bounds.iter_mut().zip([lower, upper, step]) {
                    let Some(expr) = expr else { continue };
                    let value = self.expression(expr);
                    *bound = self.int_of(&value);
                    if bound.is_none() && value != Value::None {
                        let message = "a slice of a tuple needs constant bounds";
                        return self.refuse(code::UNSUPPORTED_INDEX, expr.span, message, help);
                    }
                }
                let picked = slice_members(items, bounds);
                if matches!(owner, Value::Tuple(_)) { Value::Tuple(picked) } else { Value::List(picked) }
            }
            _ => self.refuse(code::UNSUPPORTED_INDEX, span, "a tuple has one axis", help),
        }
    }

    /// The member at a position of run time.
    fn member_at(&mut self, owner: &Value, items: &[Value], index: &Value, span: Span) -> Value {
        if index.is_poison() || items.iter().any(Value::is_poison) {
            return Value::Poison;
        }
        let what = if matches!(owner, Value::Tuple(_)) { "tuple" } else { "list" };
        let Some(position) = self.integer(index) else {
            let message = format!("a {what} is indexed by {}", index.describe(&self.builder));
            let help = "index it with ints: `pair[-1]`; an array of it, `np.array(values)`, takes arrays";
            return self.refuse(code::UNSUPPORTED_INDEX, span, message, help);
        };
        let Some(form) = self.form_of_all(items) else {
            let message =
                format!("which member of {} this is, is not known when compiling", owner.describe(&self.builder));
            let help = "give numbers one type, `[1.0, 0.5]` and not `[1, 0.5]`; stack arrays before: `np.stack(values)[i]`; or use constants: `x.shape[0]`, `pair[-1]`";
            return self.refuse(code::UNSUPPORTED_INDEX, span, message, help);
        };
        let extent = self.builder.i64(items.len() as i64);
        let position = self.wrapped(position, extent, &format!("{what} index out of range"), &[]);
        let mut chosen = Vec::new();
        for (n, item) in items.iter().enumerate().rev() {
            let values = self.flatten(item, &form);
            if chosen.is_empty() {
                chosen = values;
                continue;
            }
            let number = self.builder.i64(n as i64);
            let is_it = self.builder.scalar(ScalarOp::Eq, &[position, number]);
            let pairs: Vec<(ValueId, ValueId)> = values.into_iter().zip(chosen).collect();
            let choose = |(a, b)| if a == b { a } else { self.builder.scalar(ScalarOp::Select, &[is_it, a, b]) };
            chosen = pairs.into_iter().map(choose).collect();
        }
        form.rebuild(&mut chosen.into_iter())
    }

    /// What members that are numbers, or tuples of such, have in common; `None` if there are none, too many, or others.
    fn form_of_all(&mut self, items: &[Value]) -> Option<Form> {
        let mut forms = items.iter().map(|item| self.form(item).widened());
        let first = forms.next().filter(|_| items.len() <= MAX_CHOSEN)?;
        let form = forms.try_fold(first, |form, other| form.join(&other))?;
        let types = form.types();
        (!types.is_empty() && types.iter().all(|ty| matches!(ty, Type::Scalar(_)))).then_some(form)
    }

    /// `list[i]` of a list of run-time length.
    pub fn filled_member(&mut self, list: Filled, indices: &[Index], span: Span) -> Value {
        if let [Index::Slice { lower, upper, step, .. }] = indices {
            let length = self.extents(list.array)[0];
            let Some([start, count, step]) = self.slice_of(length, [lower, upper, step]) else { return Value::Poison };
            // Nobody changes either list.
            let array = self.builder.slice(list.array, 0, start, count, step);
            drop(self.extents(array));
            return Value::Filled(Filled { array, ..list });
        }
        let index = match indices {
            [Index::Expr(expr)] => self.expression(expr),
            _ => Value::Ellipsis,
        };
        if index.is_poison() {
            return Value::Poison;
        }
        let Some(index) = self.integer(&index) else {
            let help = "take members by ints, `values[i]`, or make an array of it: `np.array(values)`";
            let message = "a list of run-time length is indexed by an int";
            return self.refuse(code::UNSUPPORTED_INDEX, span, message, help);
        };
        let extent = self.extents(list.array)[0];
        let position = self.wrapped(index, extent, "list index out of range", &[]);
        self.list_member(list, position)
    }
}

/// Python's slice of a tuple.
fn slice_members(items: &[Value], [lower, upper, step]: [Option<i64>; 3]) -> Vec<Value> {
    let (n, step) = (items.len() as i128, i128::from(step.unwrap_or(1)));
    if step == 0 {
        return Vec::new();
    }
    let (first, last) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let clamp = |bound: Option<i64>, default: i128| match bound.map(i128::from) {
        Some(b) => (if b < 0 { b + n } else { b }).clamp(first, last),
        None => default,
    };
    let (start, stop) =
        if step > 0 { (clamp(lower, 0), clamp(upper, n)) } else { (clamp(lower, n - 1), clamp(upper, -1)) };
    let mut picked = Vec::new();
    let mut position = start;
    while (step > 0 && position < stop) || (step < 0 && position > stop) {
        picked.extend(usize::try_from(position).ok().and_then(|p| items.get(p)).cloned());
        position += step;
    }
    picked
}
