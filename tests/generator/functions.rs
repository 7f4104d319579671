//! Functions: helpers that return views, parameters and new arrays; the exported function around its body.

use crate::arguments;
use crate::dtype;
use crate::value::{Form, Value};
use crate::writer::Writer;

impl Writer {
    /// A call of a new helper function, its results bound.
    pub fn call(&mut self) -> Vec<String> {
        let n_arguments = 1 + self.numbers.below(2);
        let given: Vec<Value> = (0..n_arguments)
            .map(|_| {
                let of = self.array_variable();
                if self.once_in(3) { self.view(&of) } else { of }
            })
            .collect();
        let name = format!("h{}_{}", self.number, self.helpers.iter().filter(|l| l.starts_with("def ")).count() + 1);
        let results = self.helper(&name, &given);
        let call = format!("{name}({})", texts(&given));
        let bound: Vec<Value> = results.iter().map(|r| r.named(self.fresh_name("t"))).collect();
        for value in &bound {
            self.bind(&value.text.clone(), value);
        }
        if bound.is_empty() {
            return vec![call];
        }
        vec![format!("{} = {call}", texts(&bound))]
    }

    /// Writes a helper function; what it gives for the arguments.
    fn helper(&mut self, name: &str, given: &[Value]) -> Vec<Value> {
        let parameters: Vec<Value> = given.iter().zip(["p", "q"]).map(|(value, name)| value.named(name)).collect();
        let outer = std::mem::replace(&mut self.scope, parameters.clone());
        let (n_loops, depth) = (self.n_loops, self.depth);
        (self.is_helper, self.n_loops, self.depth) = (true, 1, 0);
        let mut lines = self.statements(0, 3);
        let results = self.results(2);
        if results.is_empty() {
            lines.push("return None".to_string());
        } else {
            lines.extend(self.early_return(&results));
            lines.push(format!("return {}", texts(&results)));
        }
        (self.is_helper, self.n_loops, self.depth) = (false, n_loops, depth);
        self.scope = outer;
        self.helpers.push(format!("def {name}({}):", texts(&parameters)));
        self.helpers.extend(crate::statements::indented(lines));
        self.helpers.extend([String::new(), String::new()]);
        results
    }

    /// What a function returns: names, views of them, and computed values.
    fn results(&mut self, most: i64) -> Vec<Value> {
        if self.once_in(10) {
            return Vec::new();
        }
        let n = self.between(1, most);
        (0..n)
            .map(|_| match self.numbers.below(10) {
                0 => self.expression(2),
                1 | 2 => {
                    let of = self.array_variable();
                    self.view(&of)
                }
                3 => self.int(),
                _ => self.array_variable(),
            })
            .collect()
    }

    /// A way out before the last `return`, with results of the same types.
    fn early_return(&mut self, results: &[Value]) -> Vec<String> {
        if !self.once_in(6) {
            return Vec::new();
        }
        let others: Vec<Value> = results.iter().map(|r| self.of_type(r)).collect();
        let mut lines = vec![format!("if {}:", self.condition()), format!("    return {}", texts(&others))];
        lines.extend(self.statements(0, 1));
        lines
    }

    /// The whole program: run lines, helper functions and the exported one.
    pub fn program(mut self) -> String {
        self.parameters = self.new_parameters();
        self.scope = self.parameters.clone();
        let mut lines = self.statements(1, 7);
        // What calls of a library give is seen if it is returned.
        let most = if self.calls > 0 { 7 } else { 3 };
        let results = self.results(most);
        if results.is_empty() {
            lines.push("return None".to_string());
        } else {
            lines.extend(self.early_return(&results));
            lines.push(format!("return {}", self.nested(&results)));
        }
        let name = format!("f{}", self.number);
        let types: Vec<String> = self.parameters.iter().map(type_text).collect();
        let runs = arguments::runs(&mut self.numbers, &name, &self.parameters);
        let mut text: Vec<String> = std::mem::take(&mut self.helpers);
        text.push(format!("#numptx export {name}({})", types.join(", ")));
        text.extend(runs);
        text.push(format!("def {name}({}):", texts(&self.parameters)));
        text.extend(crate::statements::indented(lines));
        text.join("\n") + "\n"
    }

    /// Results as Python writes them; three of them now and then as a tuple in a tuple.
    fn nested(&mut self, results: &[Value]) -> String {
        if results.len() == 3 && self.once_in(4) {
            return format!("{}, ({}, {})", results[0].text, results[1].text, results[2].text);
        }
        texts(results)
    }

    /// Arrays whose extents agree often, and a few numbers.
    fn new_parameters(&mut self) -> Vec<Value> {
        let extents = [self.between(1, 6), self.between(1, 5), self.between(2, 4)];
        let n_arrays = 1 + self.numbers.below(3);
        let mut parameters = Vec::new();
        for name in ["x", "y", "z"].iter().take(n_arrays) {
            let rank = self.numbers.pick(&[1, 1, 1, 2, 2, 2, 2, 3]);
            let mut shape: Vec<i64> = extents[..rank].to_vec();
            if rank == 2 && self.once_in(3) {
                shape[1] = shape[0];
            }
            if self.once_in(6) {
                shape.reverse();
            }
            let dtype = self.numbers.pick(&self.dtypes.clone());
            parameters.push(Value::array(*name, dtype, shape));
        }
        if self.once_in(2) {
            let sample = self.between(0, 3);
            parameters.push(Value::int("k", sample));
        }
        if self.once_in(3) {
            parameters.push(Value::flag("flag"));
        }
        if self.once_in(6) {
            parameters.push(Value::float("a"));
        }
        if self.once_in(8) {
            let dtype = self.numbers.pick(dtype::USUAL);
            parameters.push(Value::scalar("s", dtype));
        }
        parameters
    }
}

/// Texts with commas between them.
fn texts(values: &[Value]) -> String {
    values.iter().map(|v| v.text.as_str()).collect::<Vec<_>>().join(", ")
}

/// A type as an export line has it.
fn type_text(value: &Value) -> String {
    match value.form {
        Form::Array => format!("{}[{}]", value.dtype.name(), vec![":"; value.rank()].join(",")),
        Form::Scalar => value.dtype.name().to_string(),
        Form::Int => "int".to_string(),
        Form::Float => "float".to_string(),
        Form::Flag => "bool".to_string(),
    }
}
