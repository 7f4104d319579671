//! Truth, comparisons, `and`, `or`, `not`, and conditional expressions.
//!
//! What may raise on the right of `and`, `or` and in a conditional expression is lowered into a region of its own, so that it is
//! evaluated only where Python evaluates it; what cannot is evaluated on both sides and selected.

use numptx_ir::DType;
use numptx_ir::array::{OpKind, Type, ValueId};
use numptx_ir::functions::Family;
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Report, Span, code};
use numptx_syntax::ast::{CompareOp, Expr, ExprKind, LogicalOp};

use crate::lowerer::Lowerer;
use crate::values::iterable::Iterable;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Lowers an expression to its truth, a host bool. After a report it is a bool of no known value.
    pub fn condition(&mut self, expr: &Expr) -> ValueId {
        if let ExprKind::Logical { op, operands } = &expr.kind {
            return self.logical_condition(*op, operands);
        }
        let value = self.any_of(expr);
        self.builder.set_span(expr.span);
        self.truth(&value, expr.span)
    }

    /// `and` and `or` where only the truth of the result matters: the operands may be of different types.
    fn logical_condition(&mut self, op: LogicalOp, operands: &[Expr]) -> ValueId {
        let Some((first, rest)) = operands.split_first() else { return self.unknown_bool() };
        let truth = self.condition(first);
        if rest.is_empty() {
            return truth;
        }
        let stops = op == LogicalOp::Or;
        if let Some(known) = self.known_bool(truth) {
            return if known == stops { truth } else { self.logical_condition(op, rest) };
        }
        let later = |s: &mut Self| {
            let rest = |s: &mut Self| Value::python(s.logical_condition(op, rest));
            s.knowing(first, !stops, rest)
        };
        let same = |_: &mut Self| Value::python(truth);
        let value = match op {
            LogicalOp::And => self.choose(truth, later, same, first.span),
            LogicalOp::Or => self.choose(truth, same, later, first.span),
        };
        value.typed().map_or(truth, |t| t.value)
    }

    /// The truth of a value.
    pub fn truth(&mut self, value: &Value, span: Span) -> ValueId {
        match value {
            Value::Typed(typed) => match self.host(*typed) {
                Some(scalar) => self.scalar_truth(scalar),
                None => self.refuse_array_condition(value, span),
            },
            Value::None => self.bool_id(false),
            Value::OneOf(one) => {
                let truth = self.with_each(one, span, &mut |s, member| Value::python(s.truth(member, span)));
                truth.typed().map_or_else(|| self.unknown_bool(), |t| t.value)
            }
            Value::Tuple(items) | Value::List(items) => self.bool_id(!items.is_empty()),
            // A class of records has fields.
            Value::Record(class, _) if !class.is_structure() => self.bool_id(true),
            Value::Str(text) => self.bool_id(!text.is_empty()),
            Value::Container(container) => {
                let (length, zero) = (self.container_length(*container), self.builder.i64(0));
                self.builder.scalar(ScalarOp::Lt, &[zero, length])
            }
            Value::Text(text) => {
                self.object_value(numptx_ir::object::STR_TRUTH, vec![*text], Type::Scalar(DType::Bool))
            }
            Value::Filled(list) => {
                let (length, zero) = (self.extents(list.array)[0], self.builder.i64(0));
                self.builder.scalar(ScalarOp::Lt, &[zero, length])
            }
            Value::Iterable(iterable) if matches!(**iterable, Iterable::Range { .. } | Iterable::Entries(..)) => {
                let (length, zero) = (self.length(iterable), self.builder.i64(0));
                self.builder.scalar(ScalarOp::Lt, &[zero, length])
            }
            Value::OtherStr => {
                self.containers.want_texts();
                self.unknown_bool()
            }
            Value::Poison => {
                self.containers.is_untested |= !self.paths.diverged;
                self.unknown_bool()
            }
            _ => self.bool_id(true),
        }
    }

    /// A bool that is not constant, so that both sides of a branch on it are lowered and checked.
    fn unknown_bool(&mut self) -> ValueId {
        let one = self.bool_id(true);
        self.builder.emit(OpKind::Scalar(ScalarOp::BitNot), vec![one])[0]
    }

    fn refuse_array_condition(&mut self, value: &Value, span: Span) -> ValueId {
        let message = format!("the condition is {}", value.describe(&self.builder));
        let report = Report::error(code::CONDITION_NOT_SCALAR, span, message)
            .label("has no single truth value")
            .help("say which elements decide: `if np.any(x > 0):` or `if np.all(x > 0):`; elementwise: `np.where(x > 0, a, b)`");
        self.report(report);
        self.unknown_bool()
    }

    fn scalar_truth(&mut self, scalar: ValueId) -> ValueId {
        let dtype = self.builder.dtype(scalar);
        match self.builder.as_constant(scalar) {
            Some(Constant::Bool(_)) => return scalar,
            Some(Constant::Int(n)) => return self.bool_id(n != 0),
            Some(Constant::Float(x)) => return self.bool_id(x != 0.0),
            Some(Constant::Complex(re, im)) => return self.bool_id(re != 0.0 || im != 0.0),
            None if dtype == DType::Bool => return scalar,
            None => {}
        }
        self.builder.cast_scalar(scalar, DType::Bool)
    }

    /// `a and b and c`, `a or b or c`.
    pub fn logical(&mut self, op: LogicalOp, operands: &[Expr]) -> Value {
        let Some((first, rest)) = operands.split_first() else { return Value::Poison };
        let value = self.any_of(first);
        if rest.is_empty() || value.is_poison() {
            return value;
        }
        if self.has_axes(&value) {
            return self.refuse_logical(op, &value, first.span);
        }
        let truth = self.truth(&value, first.span);
        let stops = op == LogicalOp::Or;
        if let Some(known) = self.known_bool(truth) {
            return if known == stops { value } else { self.logical(op, rest) };
        }
        let span = first.span.join(rest[rest.len() - 1].span);
        // What is true is not `None`.
        let same = |s: &mut Self| match &value {
            Value::OneOf(one) if stops => one.other().cloned().unwrap_or_else(|| s.refuse_one_of(&value, first.span)),
            _ => value.clone(),
        };
        let later = |s: &mut Self| s.knowing(first, !stops, |s| s.logical(op, rest));
        match op {
            LogicalOp::And => self.choose(truth, later, same, span),
            LogicalOp::Or => self.choose(truth, same, later, span),
        }
    }

    fn refuse_logical(&mut self, op: LogicalOp, value: &Value, span: Span) -> Value {
        let (word, symbol) = if op == LogicalOp::And { ("and", "&") } else { ("or", "|") };
        let message = format!("`{word}` needs a single truth value, this is {}", value.describe(&self.builder));
        let help = format!("elementwise: `(x > 0) {symbol} (y > 0)`, or `np.logical_{word}(x, y)`");
        self.refuse(code::CONDITION_NOT_SCALAR, span, message, help)
    }

    /// `body if test else orelse`
    pub fn conditional(&mut self, test: &Expr, body: &Expr, orelse: &Expr, span: Span) -> Value {
        let condition = self.condition(test);
        match self.known_bool(condition) {
            Some(true) => self.any_of(body),
            Some(false) => self.any_of(orelse),
            None => {
                let is_list = |v: &Value| matches!(v, Value::List(_) | Value::Filled(_) | Value::Container(_));
                let differ = |s: &mut Self, first: &Value, second: &Value| {
                    // Lists of two lengths are lists of run time.
                    let wants = is_list(first) && is_list(second) && (s.want_list(body) | s.want_list(orelse));
                    if wants { Value::Poison } else { s.refuse_join(first, second, span) }
                };
                let then = |s: &mut Self| s.knowing(test, true, |s| s.any_of(body));
                let otherwise = |s: &mut Self| s.knowing(test, false, |s| s.any_of(orelse));
                self.choose_or(condition, then, otherwise, differ)
            }
        }
    }

    /// `a < b <= c`: each operand is evaluated once, and the later ones only while the comparison holds.
    pub fn compare_chain(&mut self, operands: &[Expr], ops: &[CompareOp], span: Span) -> Value {
        let Some(first) = operands.first() else { return Value::Poison };
        let left = self.constant_expression(first);
        self.compare_from(left, operands, ops, span)
    }

    fn compare_from(&mut self, left: Value, operands: &[Expr], ops: &[CompareOp], span: Span) -> Value {
        let (Some((op, later_ops)), [first, second, ..]) = (ops.split_first(), operands) else { return left };
        let right = self.constant_expression(second);
        let of_types = self.compare_types(*op, [&left, &right], [first, second].map(is_dtype_of), span);
        let result = of_types.unwrap_or_else(|| self.compare(*op, &left, &right, span, [first.span, second.span]));
        if later_ops.is_empty() || result.is_poison() {
            return result;
        }
        if self.has_axes(&result) {
            return self.refuse_logical(LogicalOp::And, &result, span);
        }
        let truth = self.truth(&result, span);
        match self.known_bool(truth) {
            Some(false) => result,
            Some(true) => self.compare_from(right, &operands[1..], later_ops, span),
            None => {
                let same = |_: &mut Self| result.clone();
                self.choose(truth, |s| s.compare_from(right, &operands[1..], later_ops, span), same, span)
            }
        }
    }

    /// `left op right`
    pub fn compare(&mut self, op: CompareOp, left: &Value, right: &Value, span: Span, places: [Span; 2]) -> Value {
        if left.is_poison() || right.is_poison() {
            return Value::Poison;
        }
        self.builder.set_span(span);
        if let Some(of_types) = self.compare_types(op, [left, right], [false; 2], span) {
            return of_types;
        }
        if let Some(result) = self.compare_one_of(op, left, right, span, places) {
            return result;
        }
        if let (Value::OneOf(_), _) | (_, Value::OneOf(_)) = (left, right)
            && !matches!(op, CompareOp::In | CompareOp::NotIn)
        {
            let one = self.present(left.clone(), (op.symbol(), true), right, places[0]);
            let other = self.present(right.clone(), (op.symbol(), false), &one, places[1]);
            return self.compare(op, &one, &other, span, places);
        }
        match op {
            CompareOp::Is | CompareOp::IsNot => {
                let same = matches!((left, right), (Value::None, Value::None));
                return self.bool(same == (op == CompareOp::Is));
            }
            CompareOp::In | CompareOp::NotIn => {
                let (left, right) = (self.settled(left.clone(), places[0]), self.settled(right.clone(), places[1]));
                if left.is_poison() || right.is_poison() {
                    return Value::Poison;
                }
                return self.contains(op, &left, &right, span, places);
            }
            _ => {}
        }
        let (left, right) = &self.lists_beside_arrays(left.clone(), right.clone(), places);
        if left.is_poison() || right.is_poison() {
            return Value::Poison;
        }
        if [left, right].iter().any(|value| matches!(value, Value::Record(..))) {
            return self.compare_records(op, [left, right], span, places);
        }
        if let Some(value) = self.compare_objects(op, left, right, span) {
            return value;
        }
        match (left, right) {
            (Value::LargeInt(_), _) | (_, Value::LargeInt(_)) => self.large_compare(op, left, right, span, places),
            (Value::Typed(a), Value::Typed(b)) if a.family == Family::Python && b.family == Family::Python => {
                self.python_compare(op, a.value, b.value, span)
            }
            (Value::Typed(_), Value::Typed(_)) => {
                self.call_operator(op.symbol(), comparison_of(op), &[left.clone(), right.clone()], span, &places)
            }
            (Value::Typed(a), Value::Tuple(_) | Value::List(_))
            | (Value::Tuple(_) | Value::List(_), Value::Typed(a))
                if a.family != Family::Python =>
            {
                self.call_operator(op.symbol(), comparison_of(op), &[left.clone(), right.clone()], span, &places)
            }
            _ => self.compare_static(op, left, right, span, places),
        }
    }

    /// Equality of what is known when compiling: tuples member by member, strings, dtypes, `None`.
    fn compare_static(&mut self, op: CompareOp, left: &Value, right: &Value, span: Span, places: [Span; 2]) -> Value {
        let equal = match op {
            CompareOp::Equal => true,
            CompareOp::NotEqual => false,
            _ => {
                return match (left, right) {
                    (Value::Tuple(a), Value::Tuple(b)) => self.ordered_tuples(op, a, b, span, places),
                    _ => self.bad_operands(op.symbol(), left, right, span),
                };
            }
        };
        let is_dtype = |v: &Value| matches!(v, Value::DType(_));
        match (left, right) {
            (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) => {
                if a.len() != b.len() {
                    return self.bool(!equal);
                }
                let mut all = self.bool_id(true);
                for (a, b) in a.iter().zip(b) {
                    let same = self.compare(CompareOp::Equal, a, b, span, places);
                    let same = self.truth(&same, span);
                    all = self.both(ScalarOp::BitAnd, all, same);
                }
                let result = if equal { all } else { self.not(all) };
                Value::python(result)
            }
            (Value::Typed(a), Value::None) | (Value::None, Value::Typed(a)) if a.family == Family::Numpy => {
                self.bool(!equal)
            }
            (Value::Typed(a), other) | (other, Value::Typed(a))
                if a.family != Family::Python && !matches!(other, Value::Tuple(_) | Value::List(_)) =>
            {
                self.bad_operands(op.symbol(), left, right, span)
            }
            _ if is_dtype(left) || is_dtype(right) => {
                let same = left.as_dtype().is_some() && left.as_dtype() == right.as_dtype();
                self.bool(same == equal)
            }
            (Value::Str(a), Value::Str(b)) => self.bool((a == b) == equal),
            (Value::OtherStr, Value::OtherStr) => {
                self.containers.want_texts();
                Value::Poison
            }
            (Value::OtherStr, _) | (_, Value::OtherStr) => self.bool(!equal),
            (Value::None, _) | (_, Value::None) => self.bool((left == right) == equal),
            (Value::Str(_), _) | (_, Value::Str(_)) => self.bool(!equal),
            _ => self.bad_operands(op.symbol(), left, right, span),
        }
    }

    /// `left < right` of tuples: that of the first members that are not equal, or of the lengths.
    fn ordered_tuples(
        &mut self,
        op: CompareOp,
        left: &[Value],
        right: &[Value],
        span: Span,
        places: [Span; 2],
    ) -> Value {
        let (Some((a, left)), Some((b, right))) = (left.split_first(), right.split_first()) else {
            let (n, m) = (self.int(left.len() as i64), self.int(right.len() as i64));
            return self.compare(op, &n, &m, span, places);
        };
        let same = self.compare(CompareOp::Equal, a, b, span, places);
        let same = self.truth(&same, span);
        let rest = |s: &mut Self| s.ordered_tuples(op, left, right, span, places);
        let here = |s: &mut Self| {
            let truth = s.compare(op, a, b, span, places);
            Value::python(s.truth(&truth, span))
        };
        match self.known_bool(same) {
            Some(true) => rest(self),
            Some(false) => here(self),
            None => self.choose(same, rest, here, span),
        }
    }

    /// Whether an array, or an ascending range of a known step, has this member; `None` for other values.
    fn found_at_run_time(&mut self, left: &Value, right: &Value, span: Span, places: [Span; 2]) -> Option<Value> {
        if self.is_array(right) && self.has_axes(right) {
            let same = self.compare(CompareOp::Equal, right, left, span, [places[1], places[0]]);
            return Some(self.call_on("numpy.any", &[same], span, &[span]));
        }
        let Value::Iterable(iterable) = right else { return None };
        let Iterable::Range { lower, upper, step } = **iterable else { return None };
        let (n, step) = (self.integer(left)?, self.builder.as_i64(step).filter(|n| *n > 0)?);
        let not_before = self.builder.scalar(ScalarOp::Ge, &[n, lower]);
        let before_end = self.builder.scalar(ScalarOp::Lt, &[n, upper]);
        let mut found = self.both(ScalarOp::BitAnd, not_before, before_end);
        if step > 1 {
            // The distance may be more than an int holds, but no more than an unsigned one does.
            let distance = self.builder.scalar(ScalarOp::Sub, &[n, lower]);
            let distance = self.builder.cast_scalar(distance, DType::U64);
            let step = self.builder.constant(Constant::Int(step), DType::U64);
            let rest = self.builder.scalar(ScalarOp::Mod, &[distance, step]);
            let zero = self.builder.constant(Constant::Int(0), DType::U64);
            let hits = self.builder.scalar(ScalarOp::Eq, &[rest, zero]);
            found = self.both(ScalarOp::BitAnd, found, hits);
        }
        Some(Value::python(found))
    }

    fn contains(&mut self, op: CompareOp, left: &Value, right: &Value, span: Span, places: [Span; 2]) -> Value {
        if let Some(value) = self.contains_object(op, left, right, span) {
            return value;
        }
        if let (Value::Str(part), Value::Str(text)) = (left, right) {
            return self.bool(text.contains(part.as_str()) == (op == CompareOp::In));
        }
        let (Value::Tuple(items) | Value::List(items)) = right else {
            let Some(found) = self.found_at_run_time(left, right, span, places) else {
                let message =
                    format!("`in` looks into tuples, arrays and ranges, this is {}", right.describe(&self.builder));
                let help = "write `x in (1, 2, 3)`, or compare: `0 <= x < n`";
                return self.refuse(code::UNSUPPORTED_EXPRESSION, places[1], message, help);
            };
            let found = self.truth(&found, span);
            let result = if op == CompareOp::In { found } else { self.not(found) };
            return Value::python(result);
        };
        let mut any = self.bool_id(false);
        for item in items.clone() {
            let same = self.compare(CompareOp::Equal, left, &item, span, places);
            let same = self.truth(&same, span);
            any = self.both(ScalarOp::BitOr, any, same);
        }
        let result = if op == CompareOp::In { any } else { self.not(any) };
        Value::python(result)
    }
}

/// Whether an expression is written as the dtype of an array, `x.dtype`, or as a call, as `np.dtype("f4")`.
fn is_dtype_of(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Attribute { name, .. } => name == "dtype",
        ExprKind::Call { function, .. } => !matches!(&function.kind, ExprKind::Name(name) if name == "type"),
        _ => false,
    }
}

fn comparison_of(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "numpy.equal",
        CompareOp::NotEqual => "numpy.not_equal",
        CompareOp::Less => "numpy.less",
        CompareOp::LessEqual => "numpy.less_equal",
        CompareOp::Greater => "numpy.greater",
        _ => "numpy.greater_equal",
    }
}
