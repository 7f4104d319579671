//! What a `for` can run over, as a length and an element at each position; the few members of it that are known when compiling.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::functions::Family;
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Span, code};
use numptx_syntax::ast::Expr;

use crate::lowerer::Lowerer;
use crate::values::facts::Fact;
use crate::values::iterable::{Filled, Iterable};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// What a value iterates over; `None` for values that are not iterated at run time (tuples, lists) or not at all.
    pub fn iterable(&self, value: &Value) -> Option<Iterable> {
        match value {
            Value::Iterable(iterable) => Some((**iterable).clone()),
            Value::Filled(list) => Some(Iterable::Members(*list)),
            Value::Container(container) => Some(Iterable::Container(*container)),
            Value::Text(text) => Some(Iterable::Text(*text)),
            Value::Typed(typed) if self.builder.rank(typed.value) > 0 => Some(Iterable::Rows(typed.value)),
            _ => None,
        }
    }

    /// Number of elements.
    pub fn length(&mut self, iterable: &Iterable) -> ValueId {
        if let Some(length) = self.object_length(iterable) {
            return length;
        }
        match iterable {
            Iterable::Range { lower, upper, step } => self.range_length(*lower, *upper, *step),
            Iterable::Rows(array) | Iterable::Members(Filled { array, .. }) => self.extents(*array)[0],
            Iterable::Elements(array) => {
                let extents = self.extents(*array);
                self.size_of_all(&extents)
            }
            Iterable::Indices(extents) => self.size_of_all(extents),
            Iterable::Ordered(ordered) => self.size_of_all(&ordered.extents),
            Iterable::Enumerate(inner, _) | Iterable::Reversed(inner) => self.length(inner),
            Iterable::Zip(all) => {
                let lengths: Vec<ValueId> = all.iter().map(|i| self.length(i)).collect();
                let shortest = lengths.into_iter().reduce(|a, b| self.smaller(a, b));
                shortest.unwrap_or_else(|| self.builder.i64(0))
            }
            // Their length is above.
            Iterable::Container(_)
            | Iterable::Backwards(..)
            | Iterable::Entries(..)
            | Iterable::Walk(_)
            | Iterable::Text(_) => self.builder.i64(0),
        }
    }

    fn range_length(&mut self, lower: ValueId, upper: ValueId, step: ValueId) -> ValueId {
        match self.far_count(lower, upper, step) {
            // No loop goes on as long as that.
            Some(count) => {
                let most = self.builder.constant(Constant::Int(i64::MAX), DType::U64);
                let count = self.builder.scalar(ScalarOp::Min, &[count, most]);
                let count = self.builder.cast_scalar(count, DType::I64);
                self.numbers.facts.set(count, Fact { low: 0, ..Fact::ANY });
                count
            }
            None => self.near_count(lower, upper, step),
        }
    }

    /// The length of a range, as `len` gives it: with Python's error where it does not fit.
    pub fn checked_length(&mut self, lower: ValueId, upper: ValueId, step: ValueId) -> ValueId {
        let (length, fits) = self.wrapping_length(lower, upper, step);
        if let Some(fits) = fits {
            self.check(fits, ErrorKind::Overflow, "Python int too large to convert to C ssize_t", &[]);
        }
        length
    }

    /// The number of elements of a `range` modulo 2⁶⁴, and whether an int holds it, where that is not known.
    pub fn wrapping_length(&mut self, lower: ValueId, upper: ValueId, step: ValueId) -> (ValueId, Option<ValueId>) {
        match self.far_count(lower, upper, step) {
            Some(count) => {
                let most = self.builder.constant(Constant::Int(i64::MAX), DType::U64);
                let fits = self.builder.scalar(ScalarOp::Le, &[count, most]);
                (self.builder.cast_scalar(count, DType::I64), Some(fits))
            }
            None => (self.near_count(lower, upper, step), None),
        }
    }

    /// The number of elements of a `range` as an `uint64`, where its bounds may be too far apart for an int. There are less than 2⁶⁴.
    fn far_count(&mut self, lower: ValueId, upper: ValueId, step: ValueId) -> Option<ValueId> {
        let (zero, one) = (self.builder.i64(0), self.builder.constant(Constant::Int(1), DType::U64));
        let goes_up = self.builder.as_i64(step).map(|n| n > 0);
        let is_near = |s: &mut Self, low: ValueId, high: ValueId| {
            let (a, b) = (s.numbers.facts.exact(&s.builder, high), s.numbers.facts.exact(&s.builder, low));
            let (x, y) = (s.fact(low), s.fact(high));
            a.base == b.base || i128::from(y.high) - i128::from(x.low) <= i128::from(i64::MAX)
        };
        let near = match goes_up {
            Some(true) => is_near(self, lower, upper),
            Some(false) => is_near(self, upper, lower),
            None => is_near(self, lower, upper) && is_near(self, upper, lower) && self.fact(step).low > i64::MIN,
        };
        if near && self.builder.as_i64(step) != Some(i64::MIN) {
            return None;
        }
        let forwards = match goes_up {
            Some(known) => self.bool_id(known),
            None => self.builder.scalar(ScalarOp::Gt, &[step, zero]),
        };
        let [from, to] = [[lower, upper], [upper, lower]].map(|[a, b]| self.chosen_int(forwards, a, b));
        let back = self.builder.scalar(ScalarOp::Sub, &[zero, step]);
        let stride = self.chosen_int(forwards, step, back);
        let [low, high, stride] = [from, to, stride].map(|v| self.builder.cast_scalar(v, DType::U64));
        // Of a step of 0, which raises.
        let stride = self.builder.scalar(ScalarOp::Max, &[stride, one]);
        let span = self.builder.scalar(ScalarOp::Sub, &[high, low]);
        let before = self.builder.scalar(ScalarOp::Sub, &[span, one]);
        let full = self.builder.scalar(ScalarOp::FloorDiv, &[before, stride]);
        let count = self.builder.scalar(ScalarOp::Add, &[full, one]);
        let some = self.builder.scalar(ScalarOp::Gt, &[to, from]);
        let none = self.builder.constant(Constant::Int(0), DType::U64);
        Some(self.builder.scalar(ScalarOp::Select, &[some, count, none]))
    }

    fn chosen_int(&mut self, condition: ValueId, a: ValueId, b: ValueId) -> ValueId {
        match self.known_bool(condition) {
            Some(true) => a,
            Some(false) => b,
            None => self.builder.scalar(ScalarOp::Select, &[condition, a, b]),
        }
    }

    /// Of bounds that are less than 2⁶³ apart.
    fn near_count(&mut self, lower: ValueId, upper: ValueId, step: ValueId) -> ValueId {
        let zero = self.builder.i64(0);
        let one = self.builder.i64(1);
        match self.builder.as_i64(step) {
            Some(1) => {
                let count = self.span_of(lower, upper);
                self.at_least_zero(count)
            }
            Some(n) if n > 0 => {
                let span = self.span_of(lower, upper);
                self.steps(span, step)
            }
            Some(_) => {
                let span = self.span_of(upper, lower);
                let backwards = self.builder.scalar(ScalarOp::Sub, &[zero, step]);
                self.steps(span, backwards)
            }
            None => {
                let (up, down) = (self.difference_of(upper, lower), self.difference_of(lower, upper));
                let forwards = self.builder.scalar(ScalarOp::Gt, &[step, zero]);
                let backwards = self.builder.scalar(ScalarOp::Sub, &[zero, step]);
                let span = self.builder.scalar(ScalarOp::Select, &[forwards, up, down]);
                let stride = self.builder.scalar(ScalarOp::Select, &[forwards, step, backwards]);
                let stride = self.builder.scalar(ScalarOp::Max, &[stride, one]);
                self.steps(span, stride)
            }
        }
    }

    /// `upper - lower`. Far apart bounds of unknown sign would wrap: the upper one is raised to the lower one first.
    fn span_of(&mut self, lower: ValueId, upper: ValueId) -> ValueId {
        let near = self.fact(upper).low >= -(1 << 61) && self.fact(lower).high <= 1 << 61;
        let upper = if near { upper } else { self.builder.scalar(ScalarOp::Max, &[upper, lower]) };
        self.difference_of(upper, lower)
    }

    /// Number of steps of `stride` that lie in `span`: rounded up, at least 0.
    fn steps(&mut self, span: ValueId, stride: ValueId) -> ValueId {
        let rounded = match (self.builder.as_i64(span), self.builder.as_i64(stride)) {
            (Some(a), Some(b)) if b > 0 => {
                self.builder.i64((i128::from(a) + i128::from(b) - 1).div_euclid(i128::from(b)) as i64)
            }
            _ => {
                let one = self.builder.i64(1);
                let before = self.builder.scalar(ScalarOp::Sub, &[span, one]);
                let full = self.builder.scalar(ScalarOp::FloorDiv, &[before, stride]);
                self.builder.scalar(ScalarOp::Add, &[full, one])
            }
        };
        self.at_least_zero(rounded)
    }

    /// The element at a position that is in range.
    pub fn element(&mut self, iterable: &Iterable, position: ValueId) -> Value {
        match iterable {
            Iterable::Container(_)
            | Iterable::Backwards(..)
            | Iterable::Entries(..)
            | Iterable::Walk(_)
            | Iterable::Text(_) => {
                let span = self.builder.span();
                self.object_element(iterable, position, span).unwrap_or(Value::Poison)
            }
            Iterable::Range { lower, upper, step } => {
                Value::python(self.range_element(*lower, *upper, *step, position))
            }
            Iterable::Rows(array) => {
                let row = self.builder.index(*array, 0, position);
                if self.builder.rank(row) == 0 { self.load(row) } else { Value::array(row) }
            }
            Iterable::Elements(array) => {
                let element = self.element_at(*array, position);
                self.load(element)
            }
            Iterable::Indices(extents) => {
                Value::Tuple(self.indices_at(extents, position).into_iter().map(Value::python).collect())
            }
            Iterable::Ordered(ordered) => self.ordered_element(ordered, position),
            Iterable::Members(list) => self.list_member(*list, position),
            Iterable::Enumerate(inner, start) => {
                let number = self.add_ints(position, *start);
                Value::Tuple(vec![Value::python(number), self.element(inner, position)])
            }
            Iterable::Zip(all) => Value::Tuple(all.iter().map(|i| self.element(i, position)).collect()),
            Iterable::Reversed(inner) => {
                let length = match **inner {
                    Iterable::Range { lower, upper, step } => self.wrapping_length(lower, upper, step).0,
                    _ => self.length(inner),
                };
                let last = self.shift(length, -1);
                let position = self.builder.scalar(ScalarOp::Sub, &[last, position]);
                let last = self.numbers.facts.shifted(&self.builder, last, 0);
                // It is the last one or before that.
                self.numbers.facts.set(position, Fact { low: 0, exact: None, at_least: None, ..last });
                self.element(inner, position)
            }
        }
    }

    /// The member of a list of run-time length at a position that is in range.
    pub fn list_member(&mut self, list: Filled, position: ValueId) -> Value {
        let member = self.builder.index(list.array, 0, position);
        match (self.builder.rank(member), list.family) {
            _ if list.depth > 1 => Value::Filled(Filled { array: member, depth: list.depth - 1, ..list }),
            (0, Family::Python) => Value::python(self.builder.item(member)),
            (0, _) => self.load(member),
            _ => Value::array(member),
        }
    }

    fn range_element(&mut self, lower: ValueId, upper: ValueId, step: ValueId, position: ValueId) -> ValueId {
        let scaled = self.builder.scalar(ScalarOp::Mul, &[position, step]);
        let element = self.builder.scalar(ScalarOp::Add, &[lower, scaled]);
        if element != position && self.builder.as_i64(element).is_none() {
            let fact = match self.builder.as_i64(step) {
                Some(n) if n > 0 => self.numbers.facts.counter(&self.builder, lower, upper),
                Some(_) => self.numbers.facts.countdown(&self.builder, lower, upper),
                None => Fact::ANY,
            };
            self.numbers.facts.set(element, fact);
        }
        element
    }

    /// Reports a loop over something that is not iterated.
    pub fn refuse_iteration(&mut self, value: &Value, span: Span) {
        if value.is_poison() {
            return;
        }
        let message = format!("{} cannot be iterated", value.describe(&self.builder));
        let help = match value.as_structure() {
            Some(_) => "take its elements by their numbers: `for i in range(len(a)): r = a[i]`",
            None => "iterate `range(n)`, an array, a tuple, `enumerate(…)`, `zip(…)` or `reversed(…)`",
        };
        self.refuse(code::UNSUPPORTED_ITERATION, span, message, help);
    }

    /// The members of a tuple or list, or of something else of a small length that is known when compiling.
    pub fn few_members(&mut self, iterated: &Value) -> Option<Vec<Value>> {
        if let Value::Tuple(items) | Value::List(items) = iterated {
            return Some(items.clone());
        }
        let iterable = self.iterable(iterated)?;
        let length = self.length(&iterable);
        let length = self.builder.as_i64(length).filter(|n| *n <= MAX_LISTED)?;
        let mut items = Vec::new();
        for n in 0..length {
            let position = self.builder.i64(n);
            items.push(self.element(&iterable, position));
        }
        Some(items)
    }

    /// What a loop runs over.
    pub fn iterated_value(&mut self, iterated: &Expr) -> Value {
        let value = self.any_of(iterated);
        match self.present_alone(value, "'NoneType' object is not iterable", iterated.span) {
            Value::OtherStr => {
                self.containers.want_texts();
                Value::Poison
            }
            Value::Str(text) => Value::Tuple(text.chars().map(|c| Value::Str(c.into())).collect()),
            value => value.plain(),
        }
    }

    /// The members of a value that is taken apart; erroneous values if it does not have that many.
    pub fn unpack(&mut self, value: &Value, n: usize, span: Span) -> Vec<Value> {
        match value {
            Value::Record(class, fields) if class.is_tuple() => {
                return self.unpack(&Value::Tuple(fields.clone()), n, span);
            }
            Value::Tuple(items) | Value::List(items) if items.len() == n => return items.clone(),
            Value::Tuple(items) | Value::List(items) => {
                let message = format!("{} values for {n} targets", items.len());
                self.refuse(code::TYPE_MISMATCH, span, message, "give each target one value: `a, b = b, a`");
            }
            Value::Typed(typed) if self.builder.rank(typed.value) > 0 => {
                return self.unpack_elements(&Iterable::Rows(typed.value), n);
            }
            Value::Iterable(iterable) => {
                let iterable = self.settled_iterable((**iterable).clone(), span);
                return self.unpack_elements(&iterable, n);
            }
            Value::Container(_) | Value::Text(_) => {
                if let Some(iterable) = self.iterable(value) {
                    let iterable = self.settled_iterable(iterable, span);
                    return self.unpack_elements(&iterable, n);
                }
            }
            Value::Poison => {}
            other => {
                let message = format!("{} cannot be taken apart", other.describe(&self.builder));
                self.refuse(
                    code::TYPE_MISMATCH,
                    span,
                    message,
                    "the right side is a tuple or an array: `n, m = x.shape`",
                );
            }
        }
        vec![Value::Poison; n]
    }

    pub fn unpack_elements(&mut self, iterable: &Iterable, n: usize) -> Vec<Value> {
        let extent = self.length(iterable);
        let expected = self.builder.i64(n as i64);
        let enough = self.builder.scalar(ScalarOp::Le, &[expected, extent]);
        let message = format!("not enough values to unpack (expected {n}, got {{}})");
        self.check(enough, ErrorKind::Value, &message, &[extent]);
        let not_more = self.builder.scalar(ScalarOp::Le, &[extent, expected]);
        self.check(not_more, ErrorKind::Value, &format!("too many values to unpack (expected {n})"), &[]);
        (0..n)
            .map(|k| {
                let position = self.builder.i64(k as i64);
                self.element(iterable, position)
            })
            .collect()
    }

    /// Whether there is a member at a position, where there was one at each before it; `length` is that from before the iteration.
    pub fn has_member_at(&mut self, iterable: &Iterable, position: ValueId, length: Option<ValueId>) -> ValueId {
        match iterable {
            Iterable::Enumerate(inner, _) => self.has_member_at(inner, position, length),
            Iterable::Zip(all) if iterable.may_change() => {
                let tests: Vec<ValueId> = all.iter().map(|inner| self.has_member_at(inner, position, None)).collect();
                let all = tests.into_iter().reduce(|a, b| self.builder.scalar(ScalarOp::BitAnd, &[a, b]));
                all.unwrap_or_else(|| self.bool_id(false))
            }
            Iterable::Backwards(list, size) => {
                let in_time = self.builder.scalar(ScalarOp::Lt, &[position, *size]);
                let (place, now) = (self.place_from_end(*size, position), self.container_length(*list));
                let is_there = self.builder.scalar(ScalarOp::Lt, &[place, now]);
                self.builder.scalar(ScalarOp::BitAnd, &[in_time, is_there])
            }
            _ => {
                let length = match length.filter(|_| !iterable.may_change()) {
                    Some(length) => length,
                    None => self.length(iterable),
                };
                self.builder.scalar(ScalarOp::Lt, &[position, length])
            }
        }
    }
}

/// Comprehensions over ranges and rows of at most so many members, known when compiling, are lists of static length.
const MAX_LISTED: i64 = 32;
