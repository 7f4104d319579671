//! What Python adds around expressions: functions inside functions, lambdas, comprehensions, starred targets, `:=`, `else` of loops.

use crate::statements::indented;
use crate::value::Value;
use crate::writer::Writer;

impl Writer {
    /// Lines that use one of these, if it fits here.
    pub fn language(&mut self) -> Vec<String> {
        match self.numbers.below(12) {
            0..=2 => self.local_function(),
            3 | 4 => self.lambda(),
            5 | 6 => self.unpacked_comprehension(),
            7 => self.filled(),
            8 => self.folded(),
            9 => self.starred(),
            10 => self.assigned_in_condition(),
            _ => self.reported(),
        }
    }

    /// An expression of a name that stands for another value of the same type.
    fn of_parameter(&mut self, name: &str, like: &Value) -> Value {
        let before = self.scope.clone();
        self.bind(name, like);
        let value = match self.numbers.below(4) {
            0 => self.view(&like.named(name)),
            1 => self.binary(&like.named(name), 1),
            2 => self.unary(&like.named(name)),
            _ => self.expression(2),
        };
        self.scope = before;
        value
    }

    /// `def f(v): return …`, which reads names around it, and a call after a store.
    fn local_function(&mut self) -> Vec<String> {
        let (f, v) = (self.fresh_name("f"), self.fresh_name("v"));
        let like = self.array_variable();
        let value = self.of_parameter(&v, &like);
        let mut lines = vec![format!("def {f}({v}):")];
        if self.once_in(3) {
            lines.push(format!("    if {}:", self.condition()));
            lines.push(format!("        return {}", value.text));
        }
        lines.push(format!("    return {}", value.text));
        if self.once_in(2) {
            lines.push(self.store());
        }
        let t = self.fresh_name("t");
        let call = self.form(&["{} = {}({})", "{} = {}(\0={})"], &[&t, &f, &like.text]).replace('\0', &v);
        lines.push(call);
        self.bind(&t, &value);
        lines
    }

    /// `(lambda v, w=…: …)(x)`
    fn lambda(&mut self) -> Vec<String> {
        let v = self.fresh_name("v");
        let like = self.array_variable();
        let value = self.of_parameter(&v, &like);
        let t = self.fresh_name("t");
        let line = if self.once_in(2) {
            format!("{t} = (lambda {v}: {})({})", value.text, like.text)
        } else {
            format!("{t} = (lambda {v}={}: {})()", like.text, value.text)
        };
        self.bind(&t, &value);
        vec![line]
    }

    /// `a, b = [… for v in (x, y)]`
    fn unpacked_comprehension(&mut self) -> Vec<String> {
        let one = self.array_variable();
        let same = |v: &Value| v.is_array() && v.dtype == one.dtype && v.shape == one.shape;
        let other = self.variable(same).unwrap_or_else(|| one.clone());
        let v = self.fresh_name("v");
        let both = Value { writeable: one.writeable && other.writeable, ..one.clone() };
        let value = self.of_parameter(&v, &both);
        let (a, b) = (self.fresh_name("t"), self.fresh_name("t"));
        let members = self.form(&["({}, {})", "[{}, {}]", "reversed(({}, {}))"], &[&one.text, &other.text]);
        let line = format!("{a}, {b} = [{} for {v} in {members}]", value.text);
        self.bind(&a, &value);
        self.bind(&b, &value);
        vec![line]
    }

    fn vector(&mut self) -> Option<Value> {
        self.variable(|v| v.is_array() && v.rank() == 1 && v.shape[0] < 12)
    }

    /// `np.array([… for v in x], dtype=…)`
    fn filled(&mut self) -> Vec<String> {
        let Some(of) = self.vector() else { return self.starred() };
        let (t, v) = (self.fresh_name("t"), self.fresh_name("v"));
        let member = self.form(&["{}", "{} + {}", "{} * {}", "({} if {} != 0 else {})"], &[&v, &v, &v]);
        let line = format!("{t} = np.array([{member} for {v} in {}], dtype={})", of.text, of.dtype.in_numpy());
        self.bind(&t, &Value::array(&t, of.dtype, of.shape.clone()));
        vec![line]
    }

    /// `any`, `all`, `sum` of a generator expression.
    fn folded(&mut self) -> Vec<String> {
        let Some(of) = self.vector() else { return self.lambda() };
        let (t, v) = (self.fresh_name("t"), self.fresh_name("v"));
        let (line, value) = match self.numbers.below(3) {
            0 => (format!("{t} = any({v} == 1 for {v} in {})", of.text), Value::flag(&t)),
            1 => (format!("{t} = all({v} != 0 for {v} in {} if {v} == {v})", of.text), Value::flag(&t)),
            _ => {
                let n = of.shape[0];
                let line = format!("{t} = sum({v} * {v} for {v} in range(len({})))", of.text);
                (line, Value::int(&t, (0..n).map(|k| k * k).sum()))
            }
        };
        self.bind(&t, &value);
        vec![line]
    }

    /// `a, *b = …`
    fn starred(&mut self) -> Vec<String> {
        let (one, other, third) = (self.array_variable(), self.array_variable(), self.array_variable());
        let (a, b, c) = (self.fresh_name("t"), self.fresh_name("r"), self.fresh_name("t"));
        let lines =
            vec![format!("{a}, *{b} = ({}, {}, {})", one.text, other.text, third.text), format!("{c} = {b}[-1]")];
        self.bind(&a, &one);
        self.bind(&c, &third);
        lines
    }

    /// `if (n := …) > 1:`
    fn assigned_in_condition(&mut self) -> Vec<String> {
        let (n, value) = (self.fresh_name("n"), self.int());
        let mut lines = vec![format!("if ({n} := {}) > 1:", value.text)];
        self.bind(&n, &Value::int(&n, value.sample));
        lines.extend(indented(vec![self.store()]));
        lines
    }

    /// An exception whose message shows values.
    fn reported(&mut self) -> Vec<String> {
        let (condition, k, of) = (self.condition(), self.int().text, self.array_variable().text);
        let message = match self.once_in(2) {
            true => format!("{{{k}}} {{{of}.shape}} {{{of}.dtype}}"),
            false => format!("{{{of}.ndim}}: {{{{}}}}"),
        };
        let line = match self.once_in(2) {
            true => format!("assert {condition}, f\"{message}\""),
            false => format!("    raise ValueError(f\"{message}\")"),
        };
        match line.starts_with(' ') {
            true => vec![format!("if {condition} and not ({}):", self.condition()), line],
            false => vec![line],
        }
    }

    /// `else` behind a loop's lines, now and then.
    pub fn with_else(&mut self, mut lines: Vec<String>) -> Vec<String> {
        if !self.once_in(5) {
            return lines;
        }
        let before = self.scope.clone();
        lines.push("else:".to_string());
        lines.extend(self.block(1, 2));
        let after = std::mem::replace(&mut self.scope, before);
        self.join(&after);
        lines
    }
}
