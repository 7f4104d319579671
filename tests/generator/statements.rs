//! Statements: names bound, anew and exchanged; stores of all kinds; branches and loops; exceptions.

use crate::dtype::{DType, beside_int, promote};
use crate::value::{Form, Value, broadcast};
use crate::writer::Writer;

/// A name of each type at most this deep in branches and loops.
const MAX_DEPTH: usize = 3;

impl Writer {
    /// The lines of a few statements.
    pub fn statements(&mut self, least: i64, most: i64) -> Vec<String> {
        let n = self.between(least, most);
        let mut lines = Vec::new();
        for _ in 0..n {
            let more = self.statement();
            lines.extend(more);
        }
        lines
    }

    /// One statement.
    pub fn statement(&mut self) -> Vec<String> {
        let nests = self.depth < MAX_DEPTH && !(self.is_helper && self.depth > 0);
        if self.calls > 0 && self.percent(self.calls) {
            return self.library();
        }
        if self.percent(8) {
            return self.language();
        }
        match self.numbers.below(100) {
            0..=9 => vec![self.new_view()],
            10..=13 => vec![self.written_by_function()],
            14..=24 => vec![self.new_value()],
            25..=32 => vec![self.rebinding()],
            33..=36 => vec![self.exchange()],
            37..=51 => vec![self.store()],
            52..=57 => vec![self.overlapping_store()],
            58..=66 => vec![self.augmented()],
            67..=70 => vec![self.with_out()],
            71 => vec![self.tuple_of_views()],
            72..=75 if !self.is_helper => self.call(),
            76..=82 if nests => self.branch(),
            83..=87 if nests => self.counted_loop(),
            88 | 89 if nests => self.condition_loop(),
            90..=93 if nests => self.row_loop(),
            94 if nests => self.element_loop(),
            95 => self.failure(),
            96 => vec![self.item_store()],
            97 => vec![self.chained()],
            98 => vec![self.scatter().unwrap_or_else(|| self.store())],
            _ => vec![self.store()],
        }
    }

    /// Whether a name may take a value: names keep their types where paths join.
    fn may_hold(&self, name: &str, value: &Value) -> bool {
        let known = self.scope.iter().find(|v| v.text == name);
        known.is_none_or(|known| self.depth == 0 || known.has_type_of(value))
    }

    fn bound_to(&mut self, name: &str, value: Value) -> String {
        let old = self.scope.iter().find(|v| v.text == name).cloned();
        let line = format!("{name} = {}", value.text);
        let is_read_only = self.depth > 0 && old.is_some_and(|o| !o.writeable);
        self.bind(name, &Value { writeable: value.writeable && !is_read_only, ..value });
        line
    }

    fn new_view(&mut self) -> String {
        let of = self.array_variable();
        let view = self.view(&of);
        let name = self.fresh_name("t");
        self.bound_to(&name, view)
    }

    fn new_value(&mut self) -> String {
        let depth = 1 + self.numbers.below(2);
        let value = self.expression(depth);
        let name = self.fresh_name("t");
        self.bound_to(&name, value)
    }

    /// A name bound anew: to a view of itself, of another, or to a new array.
    fn rebinding(&mut self) -> String {
        let Some(old) = self.variable(|v| v.is_array()) else { return self.new_value() };
        let value = match self.numbers.below(6) {
            0 | 1 => self.view_of_same_rank(&old),
            2 => self.of_type(&old),
            3 => self.binary(&old, 1),
            4 => {
                let other = self.variable(|v| v.has_type_of(&old)).unwrap_or(old.clone());
                if self.once_in(2) { other } else { self.view_of_same_rank(&other) }
            }
            _ if self.depth == 0 => self.view(&old),
            _ => self.view_of_same_rank(&old),
        };
        if !self.may_hold(&old.text, &value) {
            return self.new_view();
        }
        self.bound_to(&old.text, value)
    }

    /// `a, b = b, a`, or three of a type in a round.
    fn exchange(&mut self) -> String {
        let Some(a) = self.variable(Value::is_array) else { return "pass".to_string() };
        let is_like = |v: &Value| v.has_type_of(&a) && v.text != a.text;
        let Some(b) = self.variable(is_like) else { return self.rebinding() };
        let is_third = |v: &Value| is_like(v) && v.text != b.text;
        let (old_a, old_b) = (a.clone(), b.clone());
        match self.variable(is_third) {
            Some(c) if self.once_in(2) => {
                self.bind(&a.text, &old_b);
                self.bind(&b.text, &c.clone());
                self.bind(&c.text, &old_a);
                format!("{}, {}, {} = {}, {}, {}", a.text, b.text, c.text, b.text, c.text, a.text)
            }
            _ => {
                self.bind(&a.text, &old_b);
                self.bind(&b.text, &old_a);
                format!("{}, {} = {}, {}", a.text, b.text, b.text, a.text)
            }
        }
    }

    /// A place to store to: a view of a writeable array.
    fn place(&mut self) -> Option<Value> {
        let of = self.writeable_variable()?;
        for _ in 0..6 {
            let view = if self.once_in(3) { self.view(&of) } else { self.indexed(&of) };
            // An element of the list that a function gives is no place in an array.
            let is_listed = view.text.starts_with("np.") && view.text.contains("split(");
            if view.writeable && view.is_array() && view.text.ends_with(']') && !is_listed {
                return Some(view);
            }
        }
        Some(Value { text: format!("{}[...]", of.text), ..of })
    }

    /// `view = value`
    pub fn store(&mut self) -> String {
        let Some(place) = self.place() else { return self.new_value() };
        for _ in 0..8 {
            let value = match self.numbers.below(6) {
                0 => self.python_number(place.dtype),
                1 | 2 => self.matching(&place.shape),
                _ => {
                    let left = self.matching(&place.shape);
                    self.binary(&left, 2)
                }
            };
            if stores(&value, place.dtype) && fits(&value, &place) {
                return format!("{} = {}", place.text, value.text);
            }
        }
        format!("{} = 1", place.text)
    }

    /// A store that reads what it writes.
    fn overlapping_store(&mut self) -> String {
        let Some(of) = self.variable(|v| v.is_array() && v.writeable && v.rank() > 0) else { return self.store() };
        let t = of.text.as_str();
        let is_square = of.rank() == 2 && of.shape[0] == of.shape[1];
        let source = match self.numbers.below(7) {
            0 => return format!("{t}[1:] = {t}[:-1]"),
            1 => return format!("{t}[:-1] = {t}[1:]"),
            2 if of.rank() > 1 => return format!("{t}[..., 1:] = {t}[..., :-1]"),
            3 if of.dtype != DType::Bool => return format!("{t}[1:-1] = {t}[:-2] + {t}[2:]"),
            4 if is_square => format!("{t}.T"),
            5 => format!("{t}[:1]"),
            _ => format!("{t}[::-1]"),
        };
        let place = self.form(&["{}[:]", "{}[...]"], &[t]);
        if self.once_in(3) && of.dtype != DType::Bool {
            return format!("{place} = {source} + {t}");
        }
        format!("{place} = {source}")
    }

    /// `name += value`, `view *= value`
    fn augmented(&mut self) -> String {
        let target = if self.once_in(2) { self.writeable_variable() } else { self.place() };
        let Some(target) = target else { return self.new_value() };
        let target_is_name = !target.text.ends_with(']');
        if target.rank() == 0 && target_is_name {
            return self.store();
        }
        let mut operators = vec!["+=", "+=", "*="];
        if target.dtype != DType::Bool {
            operators.push("-=");
        }
        if self.is_exact && target.dtype.is_integer() {
            operators.extend(["//=", "%="]);
        }
        if target.dtype.is_integer() || target.dtype == DType::Bool {
            operators.extend(["&=", "|=", "^="]);
        }
        let operator = self.numbers.pick(&operators);
        for _ in 0..8 {
            let value = match self.numbers.below(8) {
                0 => self.python_number(target.dtype),
                1 if target.rank() > 0 && target.shape[0] > 0 => {
                    target.named(format!("{}[0]", target.text)).without_first()
                }
                2 if target.rank() > 0 => target.named(format!("{}[::-1]", target.text)),
                _ => self.matching(&target.shape),
            };
            let common = match value.form {
                Form::Int => beside_int(target.dtype),
                Form::Float => crate::dtype::beside_float(target.dtype),
                _ => promote(value.dtype, target.dtype),
            };
            let is_bitwise = operator.starts_with(['&', '|', '^']);
            if common.casts_to(target.dtype) && fits(&value, &target) && !(is_bitwise && common.is_float()) {
                return format!("{} {operator} {}", target.text, value.text);
            }
        }
        format!("{} += {}", target.text, if target.dtype == DType::Bool { "True" } else { "1" })
    }

    /// `np.add(a, b, out=view)`
    fn with_out(&mut self) -> String {
        let Some(of) = self.variable(|v| v.is_array() && v.writeable && v.rank() > 0) else { return self.store() };
        let out = self.view_of_same_rank(&of);
        if !out.writeable {
            return self.store();
        }
        for _ in 0..8 {
            let (a, b) = (self.matching(&out.shape), self.matching(&out.shape));
            let fits_out = broadcast(&a.shape, &b.shape)
                .is_some_and(|shape| broadcast(&shape, &out.shape).as_ref() == Some(&out.shape));
            let common = promote(a.dtype, b.dtype);
            if a.is_array() && b.is_array() && fits_out && common.casts_to(out.dtype) {
                let name = self.numbers.pick(&["add", "multiply", "add", "maximum"]);
                let name = if common.is_complex() && name == "maximum" { "add" } else { name };
                let mask = if self.once_in(4) { self.mask(&out.shape) } else { None };
                let chosen = mask.map_or(String::new(), |mask| format!(", where={mask}"));
                let call = format!("np.{name}({}, {}, out={}{chosen})", a.text, b.text, out.text);
                if self.once_in(4) {
                    let bound = self.fresh_name("t");
                    self.bind(&bound, &out);
                    return format!("{bound} = {call}");
                }
                return call;
            }
        }
        format!("np.add({}, {}, out={})", out.text, out.text, out.text)
    }

    /// Views in a tuple, and taken out of it.
    fn tuple_of_views(&mut self) -> String {
        let (a, b) = (self.array_variable(), self.array_variable());
        let (a, b) = (self.view(&a), self.view(&b));
        let (first, second) = (self.fresh_name("t"), self.fresh_name("t"));
        let line = format!("{first}, {second} = ({}, {})", a.text, b.text);
        self.bind(&first, &a);
        self.bind(&second, &b);
        line
    }

    /// A store of one element.
    fn item_store(&mut self) -> String {
        let Some(of) = self.variable(|v| v.is_array() && v.writeable && v.rank() > 0 && v.size() > 0) else {
            return self.store();
        };
        let Some(place) = self.element(&of) else { return self.store() };
        let value = self.element(&of).map_or("1".to_string(), |v| v.text);
        format!("{} {} {value}", place.text, self.numbers.pick(&["=", "=", "+="]))
    }

    /// `a = b[1:] = value`
    fn chained(&mut self) -> String {
        let Some(place) = self.place() else { return self.new_value() };
        let value = self.matching(&place.shape);
        if !stores(&value, place.dtype) || !fits(&value, &place) {
            return self.store();
        }
        let name = self.fresh_name("t");
        let line = format!("{name} = {} = {}", place.text, value.text);
        self.bind(&name, &value);
        line
    }

    /// Lines of a block; what it defines is forgotten after it.
    pub fn block(&mut self, least: i64, most: i64) -> Vec<String> {
        self.depth += 1;
        let names: Vec<String> = self.scope.iter().map(|v| v.text.clone()).collect();
        let mut lines = self.statements(least, most);
        self.scope.retain(|v| names.contains(&v.text));
        self.depth -= 1;
        if lines.is_empty() {
            lines.push("pass".to_string());
        }
        indented(lines)
    }

    /// `if`, now and then with a name that both sides define.
    fn branch(&mut self) -> Vec<String> {
        let mut lines = vec![format!("if {}:", self.condition())];
        let before = self.scope.clone();
        let shared = if self.once_in(2) { Some((self.fresh_name("t"), self.expression(1))) } else { None };
        lines.extend(self.block(if shared.is_some() { 0 } else { 1 }, 3));
        if let Some((name, value)) = &shared {
            lines.push(format!("    {name} = {}", value.text));
        }
        let after = std::mem::replace(&mut self.scope, before);
        let mut shared_writeable = true;
        if shared.is_some() || self.once_in(2) {
            lines.push("else:".to_string());
            lines.extend(self.block(0, 3));
            if let Some((name, value)) = &shared {
                let other = self.of_type(value);
                shared_writeable = other.writeable;
                lines.push(format!("    {name} = {}", other.text));
            }
        }
        self.join(&after);
        if let Some((name, value)) = shared {
            self.bind(&name, &Value { writeable: value.writeable && shared_writeable, ..value });
        }
        lines
    }

    /// After a branch: read-only is what either side made read-only.
    pub fn join(&mut self, other: &[Value]) {
        for value in &mut self.scope {
            if let Some(there) = other.iter().find(|v| v.text == value.text) {
                value.writeable &= there.writeable;
            }
        }
    }

    fn body(&mut self, bound: &[Value]) -> Vec<String> {
        let before = self.scope.clone();
        for value in bound {
            self.bind(&value.text, value);
        }
        self.n_loops += 1;
        let mut lines = self.block(1, 3);
        if self.once_in(6) {
            let condition = self.condition();
            let at = self.numbers.below(2);
            let leave =
                [format!("    if {condition}:"), format!("        {}", self.numbers.pick(&["break", "continue"]))];
            let at = if at == 0 && lines.iter().all(|l| !l.starts_with("     ")) { 0 } else { lines.len() };
            for line in leave.into_iter().rev() {
                lines.insert(at, line);
            }
        }
        self.n_loops -= 1;
        let after = std::mem::replace(&mut self.scope, before);
        self.join(&after);
        lines
    }

    fn counted_loop(&mut self) -> Vec<String> {
        let name = self.fresh_name("i");
        let (space, sample) = match self.numbers.below(6) {
            0 => (self.numbers.pick(&["2", "3", "1"]).to_string(), 1),
            1 => ("3, 0, -1".to_string(), 2),
            2 => ("0".to_string(), 0),
            3 => ("1, 4, 2".to_string(), 1),
            _ if self.n_loops == 0 => {
                let of = self.sequence_variable();
                (format!("len({})", of.text), 0)
            }
            _ => ("2".to_string(), 1),
        };
        let mut lines = vec![format!("for {name} in range({space}):")];
        lines.extend(self.body(&[Value::int(name, sample)]));
        self.with_else(lines)
    }

    fn condition_loop(&mut self) -> Vec<String> {
        let name = self.fresh_name("n");
        let start = self.between(1, 3);
        let mut lines = vec![format!("{name} = {start}"), format!("while {name} > 0:")];
        let body = self.body(&[]);
        // First of all, so that `continue` cannot pass it by.
        lines.push(format!("    {name} -= 1"));
        lines.extend(body);
        let lines = self.with_else(lines);
        self.bind(&name, &Value::int(name.clone(), 0));
        lines
    }

    /// Over the rows of an array.
    fn row_loop(&mut self) -> Vec<String> {
        let Some(of) = self.variable(|v| v.is_array() && v.rank() > 1 && v.shape[0] < 12) else {
            return self.counted_loop();
        };
        let name = self.fresh_name("row");
        let row = of.named(&name).without_first();
        let same = |v: &Value| v.is_array() && v.rank() > 1 && v.shape[0] < 12;
        let (line, bound) = match self.numbers.below(6) {
            0 => {
                let i = self.fresh_name("i");
                (format!("for {i}, {name} in enumerate({}):", of.text), vec![Value::int(i, 0), row])
            }
            1 => match self.variable(same) {
                Some(other) => {
                    let second = self.fresh_name("row");
                    let other_row = other.named(&second).without_first();
                    (format!("for {name}, {second} in zip({}, {}):", of.text, other.text), vec![row, other_row])
                }
                None => (format!("for {name} in {}:", of.text), vec![row]),
            },
            2 => (format!("for {name} in reversed({}):", of.text), vec![row]),
            3 => (format!("for {name} in {}[::-1].T.T:", of.text), vec![row]),
            _ => (format!("for {name} in {}:", of.text), vec![row]),
        };
        let mut lines = vec![line];
        lines.extend(self.body(&bound));
        self.with_else(lines)
    }

    /// Element by element, each step reading what others wrote.
    fn element_loop(&mut self) -> Vec<String> {
        let Some(of) = self.variable(|v| v.is_array() && v.rank() == 1 && v.writeable && v.dtype != DType::Bool) else {
            return self.counted_loop();
        };
        let (t, i) = (of.text, self.fresh_name("i"));
        let step = self.form(&["{}[{}] = {}[{} - 1]", "{}[{}] += {}[{} - 1]", "{}[{}] = {}[-{}]"], &[&t, &i, &t, &i]);
        vec![format!("for {i} in range(1, len({t})):"), format!("    {step}")]
    }

    fn failure(&mut self) -> Vec<String> {
        let condition = self.condition();
        match self.numbers.below(4) {
            0 => vec![format!("assert {condition}, \"no\"")],
            1 => {
                let k = self.int();
                let of = self.sequence_variable();
                let name = self.fresh_name("t");
                let line = format!("{name} = {}[{}]", of.text, k.text);
                if of.rank() > 1 {
                    self.bind(&name, &of.named(&name).without_first());
                }
                vec![line]
            }
            _ => {
                let name = self.numbers.pick(&["ValueError", "IndexError", "RuntimeError", "TypeError"]);
                vec![format!("if {condition} and not ({}):", self.condition()), format!("    raise {name}(\"no\")")]
            }
        }
    }
}

impl Value {
    /// A row of it.
    pub fn without_first(self) -> Value {
        let shape: Vec<i64> = self.shape[1..].to_vec();
        let form = if shape.is_empty() { Form::Scalar } else { self.form };
        Value { writeable: self.writeable && form == Form::Array, form, shape, ..self }
    }
}

/// Lines of a block.
pub fn indented(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| format!("    {line}")).collect()
}

/// Whether an assignment of a value loses no more than width: what floats out of range become as integers depends on the machine.
fn stores(value: &Value, to: DType) -> bool {
    match value.form {
        Form::Int | Form::Flag => true,
        _ => value.dtype.casts_to(to) || (value.dtype.is_integer() && to.is_integer()) || to == DType::Bool,
    }
}

/// Whether a value is broadcast to a place as it is.
fn fits(value: &Value, place: &Value) -> bool {
    broadcast(&value.shape, &place.shape).as_ref() == Some(&place.shape)
}
