//! Sums of products over axes: `np.einsum`, and products of matrices and tensors, also into outputs.

use crate::dtype::promote;
use crate::library::in_c_order;
use crate::value::Value;
use crate::views::tuple;
use crate::writer::Writer;

/// A letter of `np.einsum`, and the extent of its axes.
struct Letter {
    name: char,
    extent: i64,
    /// Where an expression gives its extent.
    text: String,
}

impl Writer {
    /// `np.einsum` of one to three operands; a view where nothing is summed or multiplied.
    pub fn named_axes(&mut self, lines: &mut Vec<String>) -> Option<()> {
        let n = self.numbers.pick(&[1, 1, 2, 2, 2, 3]);
        let mut operands = Vec::new();
        for _ in 0..n {
            operands.push(self.numeric(1)?);
        }
        let mut letters: Vec<Letter> = Vec::new();
        let mut inputs: Vec<String> = Vec::new();
        for of in &operands {
            let mut input = String::new();
            for (axis, extent) in of.shape.iter().enumerate() {
                let known: Vec<char> = letters.iter().filter(|l| l.extent == *extent).map(|l| l.name).collect();
                let is_full = letters.len() >= 6;
                if !known.is_empty() && (is_full || self.percent(70)) {
                    input.push(self.numbers.pick(&known));
                } else if is_full {
                    return None;
                } else {
                    let name = self.letter(&letters);
                    letters.push(Letter { name, extent: *extent, text: format!("{}.shape[{axis}]", of.text) });
                    input.push(name);
                }
            }
            inputs.push(input);
        }
        let (output, is_written) = self.output_letters(&letters, &inputs.concat());
        let of_output = |name: char| letters.iter().find(|l| l.name == name);
        let shape: Vec<i64> = output.chars().filter_map(of_output).map(|l| l.extent).collect();
        let dtype = operands.iter().skip(1).fold(operands[0].dtype, |dtype, of| promote(dtype, of.dtype));
        let arrow = if is_written { format!("->{output}") } else { String::new() };
        let texts: Vec<&str> = operands.iter().map(|of| of.text.as_str()).collect();
        let mut call = format!("np.einsum(\"{}{arrow}\", {}", inputs.join(","), texts.join(", "));
        if n == 3 && self.once_in(2) {
            call.push_str(", optimize=True");
        }
        let is_view = n == 1 && letters.iter().all(|l| output.contains(l.name));
        let value = Value::computed(format!("{call})"), dtype, shape);
        if is_view {
            self.given(lines, &Value { writeable: operands[0].writeable, ..value });
        } else if value.is_array() && self.once_in(4) {
            let extents: Vec<String> = output.chars().filter_map(of_output).map(|l| l.text.clone()).collect();
            let out = self.output(lines, &extents, &value);
            self.give_output(lines, &call, &out);
        } else {
            self.given(lines, &in_c_order(value));
        }
        Some(())
    }

    fn letter(&mut self, known: &[Letter]) -> char {
        let free: Vec<char> = "abijkxyA".chars().filter(|c| known.iter().all(|l| l.name != *c)).collect();
        self.numbers.pick(&free)
    }

    /// The letters of the result, and whether they are written.
    fn output_letters(&mut self, letters: &[Letter], all: &str) -> (String, bool) {
        if self.once_in(4) {
            let mut once: Vec<char> =
                letters.iter().map(|l| l.name).filter(|name| all.matches(*name).count() == 1).collect();
            once.sort_unstable();
            return (once.into_iter().collect(), false);
        }
        let mut left: Vec<char> = letters.iter().map(|l| l.name).collect();
        let wanted = self.numbers.below(left.len().min(3) + 1);
        let mut output = String::new();
        for _ in 0..wanted {
            let at = self.numbers.below(left.len());
            output.push(left.remove(at));
        }
        (output, true)
    }

    /// A product of two arrays.
    pub fn contraction(&mut self, lines: &mut Vec<String>) -> Option<()> {
        let a = self.numeric(1)?;
        let b = self.numeric(1)?;
        let dtype = promote(a.dtype, b.dtype);
        let pair = format!("{}, {}", a.text, b.text);
        let value = match self.numbers.below(12) {
            0..=3 => return self.product_with_output(lines),
            4 | 5 => return self.stacked_product(lines),
            6 => Value::array(format!("np.kron({pair})"), dtype, kron(&a.shape, &b.shape)),
            7 => Value::array(format!("np.outer({pair})"), dtype, vec![a.size(), b.size()]),
            8 => {
                let b = self.variable(|v| v.is_array() && v.size() == a.size() && v.dtype != crate::dtype::DType::Bool);
                let b = b.unwrap_or_else(|| a.clone());
                Value::scalar(format!("np.vdot({}, {})", a.text, b.text), promote(a.dtype, b.dtype))
            }
            9 => {
                let b = if a.shape.last() == b.shape.last() { b } else { a.clone() };
                let mut shape = a.shape[..a.rank() - 1].to_vec();
                shape.extend(&b.shape[..b.rank() - 1]);
                let text = format!("np.inner({}, {})", a.text, b.text);
                Value::computed(text, promote(a.dtype, b.dtype), shape)
            }
            _ => self.tensordot(&a, &b),
        };
        self.given(lines, &in_c_order(value));
        Some(())
    }

    fn tensordot(&mut self, a: &Value, b: &Value) -> Value {
        let pairs: Vec<(usize, usize)> = (0..a.rank())
            .flat_map(|i| (0..b.rank()).map(move |j| (i, j)))
            .filter(|(i, j)| a.shape[*i] == b.shape[*j])
            .collect();
        let dtype = promote(a.dtype, b.dtype);
        if pairs.is_empty() || a.rank() + b.rank() > 5 {
            let text = format!("np.tensordot({}, {}, axes={})", a.text, a.text, a.rank());
            // All axes: an array without axes.
            return Value { shape: Vec::new(), ..Value::array(text, a.dtype, Vec::new()) };
        }
        let (i, j) = self.numbers.pick(&pairs);
        let mut shape = a.shape.clone();
        shape.remove(i);
        shape.extend(b.shape.iter().enumerate().filter(|(axis, _)| *axis != j).map(|(_, extent)| *extent));
        let axes = self.form(&["([{}], [{}])", "({}, {})"], &[&i.to_string(), &j.to_string()]);
        Value::array(format!("np.tensordot({}, {}, axes={axes})", a.text, b.text), dtype, shape)
    }

    /// A matrix and one that it can be multiplied with.
    fn factors(&mut self) -> Option<(Value, Value)> {
        let a = self.numeric(2).filter(|a| a.rank() == 2)?;
        let b = self.numeric(2).filter(|b| b.rank() == 2 && b.shape[0] == a.shape[1]);
        let transposed = Value { text: format!("{}.T", a.text), shape: vec![a.shape[1], a.shape[0]], ..a.clone() };
        Some((a, b.unwrap_or(transposed)))
    }

    /// A product of matrices into an output: a new one, or a factor itself.
    fn product_with_output(&mut self, lines: &mut Vec<String>) -> Option<()> {
        let (a, b) = self.factors()?;
        let like = Value::array("", promote(a.dtype, b.dtype), vec![a.shape[0], b.shape[1]]);
        if self.once_in(3) {
            let of = self.variable(|v| {
                v.is_array()
                    && v.writeable
                    && v.rank() == 2
                    && v.shape[0] == v.shape[1]
                    && v.dtype.kind() > crate::dtype::Kind::Bool
            })?;
            let t = of.text.as_str();
            let call =
                ["np.matmul({}, {}", "np.matmul({}, {}.T", "np.matmul({}[::-1], {}", "np.matmul({}.T, {}[:, ::-1]"];
            let call = self.form(&call, &[t, t]);
            match self.numbers.below(4) {
                0 => lines.push(format!("{t} @= {t}[::-1]")),
                1 => lines.push(format!("{t}[...] = {call})")),
                2 => self.give_output(lines, &call, &of.named(format!("{t}.T"))),
                _ => self.give_output(lines, &call, &of),
            }
            return Some(());
        }
        let extents = [format!("{}.shape[0]", a.text), format!("{}.shape[1]", b.text)];
        let name = self.numbers.pick(&["matmul", "matmul", "matmul", "dot"]);
        let call = format!("np.{name}({}, {}", a.text, b.text);
        let out = match name {
            "dot" => {
                let text = format!("np.empty(({}), dtype={})", extents.join(", "), like.dtype.in_numpy());
                self.made(lines, "o", &like.named(text))
            }
            _ => self.output(lines, &extents, &like),
        };
        self.give_output(lines, &call, &out);
        Some(())
    }

    /// `a @ b` of a stack of matrices and a matrix, a stack or a vector.
    fn stacked_product(&mut self, lines: &mut Vec<String>) -> Option<()> {
        let a = self.numeric(2)?;
        let stack = if a.rank() == 3 {
            a
        } else {
            let text = format!("np.broadcast_to({}, (2, *{}.shape))", a.text, a.text);
            let shape = vec![2, a.shape[0], a.shape[1]];
            Value { text, shape, writeable: false, ..a }
        };
        let (n, m) = (stack.shape[1], stack.shape[2]);
        let fits =
            |v: &Value| v.is_array() && v.rank() == 2 && v.shape[0] == m && v.dtype.kind() > crate::dtype::Kind::Bool;
        let (text, dtype, shape) = match (self.numbers.below(3), self.variable(fits)) {
            (0 | 1, Some(b)) => {
                let shape = vec![stack.shape[0], n, b.shape[1]];
                (format!("{} @ {}", stack.text, b.text), promote(stack.dtype, b.dtype), shape)
            }
            (0, None) => {
                let one = format!("np.ones({}, dtype={})", tuple(&[m]).trim_end_matches(','), stack.dtype.in_numpy());
                (format!("{} @ {one}", stack.text), stack.dtype, vec![stack.shape[0], n])
            }
            _ => {
                let text = self.form(&["{} @ {}.mT", "np.matmul({}, {}.mT)"], &[&stack.text, &stack.text]);
                (text, stack.dtype, vec![stack.shape[0], n, n])
            }
        };
        self.given(lines, &in_c_order(Value::array(text, dtype, shape)));
        Some(())
    }
}

/// The shape of Kronecker's product: axes at the end meet, and extents are multiplied.
fn kron(a: &[i64], b: &[i64]) -> Vec<i64> {
    let rank = a.len().max(b.len());
    let extent = |of: &[i64], axis: usize| if axis + of.len() < rank { 1 } else { of[axis + of.len() - rank] };
    (0..rank).map(|axis| extent(a, axis) * extent(b, axis)).collect()
}
