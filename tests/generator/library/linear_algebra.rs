//! Systems, factors, spectra, norms and powers.

use crate::dtype::{DType, Kind, promote};
use crate::library::{in_c_order, inexact, inexact_of};
use crate::value::Value;
use crate::writer::Writer;

/// A square matrix, or a stack of them, far from singular.
struct Matrix {
    value: Value,
    /// Whether it is Hermitian and positive definite.
    is_positive: bool,
}

impl Writer {
    /// A matrix, a call on it or a view of it, and what becomes of the matrix.
    pub fn linear_algebra(&mut self, lines: &mut Vec<String>) -> Option<()> {
        let made = self.matrix(lines)?;
        let of = if self.once_in(2) { made.value.clone() } else { self.principal(&made.value) };
        match self.numbers.below(18) {
            0..=2 => self.solved(lines, &of),
            3 | 4 => self.inverted(lines, &made.value, &of),
            5 => self.determinant(lines, &of),
            6 | 7 if made.is_positive => {
                let call = self.form(&["np.linalg.cholesky({})", "np.linalg.cholesky({}, upper=True)"], &[&of.text]);
                self.given(lines, &in_c_order(like(&of, call)));
            }
            6..=8 => self.orthogonal(lines, &of),
            9 | 10 => self.singular_values(lines, &of),
            11 | 12 => self.eigenvalues(lines, &of),
            13 => self.least_squares(lines, &of)?,
            14 => {
                let part = self.rectangle(&of, true);
                let mut shape = part.shape.clone();
                let rank = shape.len();
                shape.swap(rank - 1, rank - 2);
                // Of no elements NumPy's keeps the dtype of integers.
                let is_integer = inexact(of.dtype) != of.dtype;
                let text = format!("np.linalg.pinv({}{})", if is_integer { "1.0 * " } else { "" }, part.text);
                self.given(lines, &in_c_order(Value::array(text, inexact(of.dtype), shape)));
            }
            15 => self.power(lines, &of),
            16 => {
                let call = ["np.linalg.cond({})", "np.linalg.cond({}, 1)", "np.linalg.cond({}, \"fro\")"];
                let call = self.form(&call, &[&of.text]);
                let shape = of.shape[..of.rank() - 2].to_vec();
                self.given(lines, &Value::computed(call, inexact(of.dtype).real(), shape));
            }
            _ => self.chain(lines, &of),
        }
        if made.value.text.starts_with('m') {
            self.left(lines, &made.value);
        }
        Some(())
    }

    /// A matrix under a new name, or an argument that is made one.
    fn matrix(&mut self, lines: &mut Vec<String>) -> Option<Matrix> {
        match self.numbers.below(7) {
            0..=2 => {
                let of = self.numeric(2)?;
                let bounded = self.bounded(&of);
                let b = self.made(lines, "b", &bounded);
                let adjoint = if of.dtype.is_complex() { ".mT.conj()" } else { ".mT" };
                let unit = unit(&format!("{}.shape[-2]", b.text), of.dtype);
                let n = of.shape[of.rank() - 2];
                let mut shape = of.shape[..of.rank() - 1].to_vec();
                shape.push(n);
                let text = format!("{} @ {}{adjoint} + 2 * {unit}", b.text, b.text);
                let value = self.made(lines, "m", &Value::array(text, of.dtype, shape));
                Some(Matrix { value, is_positive: true })
            }
            3 | 4 => {
                let of = self.numeric(2)?;
                let square = self.square(lines, &of);
                let bounded = self.bounded(&square);
                let extent = format!("{}.shape[-1]", square.text);
                let unit = unit(&extent, of.dtype);
                let text = format!("{} + (2 * {extent} + 1) * {unit}", bounded.text);
                let value = self.made(lines, "m", &bounded.named(text));
                Some(Matrix { value, is_positive: false })
            }
            5 => {
                let of = self.variable(|v| v.is_array() && v.rank() == 1 && v.dtype != DType::Bool)?;
                let bounded = self.bounded(&of);
                let b = self.made(lines, "b", &bounded);
                let adjoint = if of.dtype.is_complex() { ".conj()" } else { "" };
                let unit = unit(&format!("len({})", b.text), of.dtype);
                let text = format!("np.outer({}, {}{adjoint}) + 2 * {unit}", b.text, b.text);
                let n = of.shape[0];
                let value = self.made(lines, "m", &Value::array(text, of.dtype, vec![n, n]));
                Some(Matrix { value, is_positive: true })
            }
            _ => {
                let fits = |v: &Value| {
                    v.is_array() && v.rank() == 2 && v.writeable && v.dtype != DType::Bool && !v.dtype.is_complex()
                };
                let of = self.variable(fits)?;
                let least = if of.dtype.kind() == Kind::Unsigned { 0 } else { -2 };
                if of.dtype.is_float() {
                    lines.push(format!("{}[...] = np.nan_to_num({})", of.text, of.text));
                }
                lines.push(format!("np.clip({}, {least}, 2, out={})", of.text, of.text));
                lines.push(format!("np.fill_diagonal({}, 2 * len({}) + 3)", of.text, of.text));
                let value = self.square(lines, &of);
                Some(Matrix { value, is_positive: false })
            }
        }
    }

    /// The largest square part that begins at the first element.
    fn square(&mut self, lines: &mut Vec<String>, of: &Value) -> Value {
        let extent = self.fresh_name("n");
        let (n, m) = (of.shape[of.rank() - 2], of.shape[of.rank() - 1]);
        lines.push(format!("{extent} = min({}.shape[-2], {}.shape[-1])", of.text, of.text));
        let mut shape = of.shape[..of.rank() - 2].to_vec();
        shape.extend([n.min(m), n.min(m)]);
        self.bind(&extent, &Value::int(&extent, n.min(m)));
        Value { text: format!("{}[..., :{extent}, :{extent}]", of.text), shape, ..of.clone() }
    }

    /// A view of a matrix that has the same properties.
    fn principal(&mut self, of: &Value) -> Value {
        let t = of.text.as_str();
        let n = of.shape[of.rank() - 1];
        let (text, extent) = match self.numbers.below(8) {
            0 | 1 => (self.form(&["{}.mT", "{}.swapaxes(-1, -2)"], &[t]), n),
            2 => (format!("{t}[..., ::-1, ::-1]"), n),
            3 => (format!("{t}[..., ::2, ::2]"), (n + 1) / 2),
            4 => (format!("{t}[..., 1:, 1:]"), (n - 1).max(0)),
            5 => (format!("{t}[..., :-1, :-1].mT"), (n - 1).max(0)),
            6 if of.rank() == 2 => {
                let text = format!("np.broadcast_to({t}, (2, *{t}.shape))");
                return Value { writeable: false, ..Value::array(text, of.dtype, vec![2, n, n]) };
            }
            6 => {
                let text = format!("{t}[::-1]");
                return of.named(text);
            }
            _ if of.rank() == 2 => {
                let text = format!("np.stack(({t}, {t}.T))");
                return Value::array(text, of.dtype, vec![2, n, n]);
            }
            _ => (format!("{t}[..., ::-2, ::-2]"), (n + 1) / 2),
        };
        let mut shape = of.shape[..of.rank() - 2].to_vec();
        shape.extend([extent, extent]);
        Value { text, shape, ..of.clone() }
    }

    /// Some of the columns, or of the rows, too.
    fn rectangle(&mut self, of: &Value, may_be_wide: bool) -> Value {
        let (t, rank) = (of.text.as_str(), of.rank());
        let mut shape = of.shape.clone();
        let less = (shape[rank - 1] - 1).max(0);
        let text = match self.numbers.below(if may_be_wide { 6 } else { 4 }) {
            0 => {
                shape[rank - 1] = less;
                format!("{t}[..., 1:]")
            }
            1 => {
                shape[rank - 1] = (shape[rank - 1] + 1) / 2;
                format!("{t}[..., ::-2]")
            }
            4 => {
                shape[rank - 2] = less;
                format!("{t}[..., :-1, :]")
            }
            _ => return of.clone(),
        };
        Value { text, shape, ..of.clone() }
    }

    /// A right side, also of the matrix's own memory.
    fn right_side(&mut self, of: &Value) -> Value {
        let (t, n) = (of.text.as_str(), of.shape[of.rank() - 1]);
        match self.numbers.below(8) {
            0 => Value::array(format!("(np.arange({t}.shape[-1]) + 1)"), DType::I64, vec![n]),
            1 => {
                let first = "0, ".repeat(of.rank() - 2);
                Value { text: format!("{t}[{first}:, 0]"), shape: vec![n], ..of.clone() }
            }
            2 => of.named(format!("{t}.mT")),
            3 => {
                let mut shape = of.shape.clone();
                shape[of.rank() - 1] = n.min(2);
                Value { text: format!("{t}[..., :2]"), shape, ..of.clone() }
            }
            4 | 5 => self.of_shape(&[n, 2], &format!("{t}.shape[-1], 2")),
            _ => self.of_shape(&[n], &format!("{t}.shape[-1],")),
        }
    }

    fn solved(&mut self, lines: &mut Vec<String>, of: &Value) {
        let mut side = self.right_side(of);
        let is_named = self.once_in(2) && side.is_array();
        if is_named {
            side = self.made(lines, "r", &side);
        }
        let mut shape = of.shape[..of.rank() - 2].to_vec();
        shape.extend(&side.shape[side.rank().saturating_sub(2)..]);
        let text = format!("np.linalg.solve({}, {})", of.text, side.text);
        self.given(lines, &in_c_order(Value::array(text, inexact_of(of.dtype, side.dtype), shape)));
        if is_named && side.writeable {
            self.left(lines, &side);
        }
    }

    /// Also into the matrix itself, and under its name.
    fn inverted(&mut self, lines: &mut Vec<String>, whole: &Value, of: &Value) {
        let call = format!("np.linalg.inv({})", of.text);
        let is_same = whole.shape == of.shape && inexact(of.dtype) == of.dtype;
        match self.numbers.below(4) {
            0 if is_same && whole.text.starts_with('m') => lines.push(format!("{} = {call}", whole.text)),
            1 if is_same => lines.push(format!("{}[...] = {call}", whole.text)),
            _ => self.given(lines, &in_c_order(like(of, call))),
        }
    }

    fn determinant(&mut self, lines: &mut Vec<String>, of: &Value) {
        let (dtype, shape) = (inexact(of.dtype), of.shape[..of.rank() - 2].to_vec());
        if self.once_in(2) {
            self.given(lines, &Value::computed(format!("np.linalg.det({})", of.text), dtype, shape));
            return;
        }
        let (sign, logarithm) = (self.fresh_name("t"), self.fresh_name("t"));
        lines.push(format!("{sign}, {logarithm} = np.linalg.slogdet({})", of.text));
        self.bind(&sign, &Value::computed("", dtype, shape.clone()));
        self.bind(&logarithm, &Value::computed("", dtype.real(), shape));
    }

    /// Factors of `qr`: their product, magnitudes, or both with a positive diagonal.
    fn orthogonal(&mut self, lines: &mut Vec<String>, of: &Value) {
        let part = self.rectangle(of, false);
        let dtype = inexact(of.dtype);
        let rank = part.rank();
        let (n, k) = (part.shape[rank - 2], part.shape[rank - 1]);
        let mut shape = part.shape[..rank - 2].to_vec();
        shape.extend([k, k]);
        if self.once_in(4) {
            let text = format!("np.abs(np.linalg.qr({}, mode=\"r\"))", part.text);
            self.given(lines, &in_c_order(Value::array(text, dtype.real(), shape)));
            return;
        }
        let (q, r) = (self.fresh_name("q"), self.fresh_name("r"));
        if rank == 2 {
            lines.push(format!("{q}, {r} = np.linalg.qr({})", part.text));
        } else {
            lines.push(format!("{q}, {r} = np.linalg.qr(np.ascontiguousarray({}))", part.text));
        }
        if self.once_in(3) {
            let text = format!("{q} @ {r}");
            self.given(lines, &Value::array(text, dtype, part.shape));
            return;
        }
        let diagonal = format!("np.diagonal({r}, axis1=-2, axis2=-1)");
        let sign = Value::array(format!("{diagonal} / np.abs({diagonal})"), dtype, Vec::new());
        let sign = self.made(lines, "d", &sign).text;
        let conjugate = if dtype.is_complex() { ".conj()" } else { "" };
        lines.push(format!("{q} *= {sign}[..., None, :]"));
        lines.push(format!("{r} *= {sign}{conjugate}[..., None]"));
        let mut of_q = shape.clone();
        of_q[rank - 2] = n;
        self.bind(&q, &Value::array("", dtype, of_q));
        self.bind(&r, &Value::array("", dtype, shape));
    }

    fn singular_values(&mut self, lines: &mut Vec<String>, of: &Value) {
        let part = self.rectangle(of, true);
        let (dtype, rank) = (inexact(of.dtype), part.rank());
        let mut shape = part.shape[..rank - 2].to_vec();
        shape.push(part.shape[rank - 1].min(part.shape[rank - 2]));
        let values = Value::array("", dtype.real(), shape);
        if self.once_in(2) {
            let call = self.form(&["np.linalg.svdvals({})", "np.linalg.svd({}, compute_uv=False)"], &[&part.text]);
            self.given(lines, &in_c_order(values.named(call)));
            return;
        }
        let (u, s, v) = (self.fresh_name("u"), self.fresh_name("s"), self.fresh_name("v"));
        let source = in_c_order(part.clone()).text;
        lines.push(format!("{u}, {s}, {v} = np.linalg.svd({source}, full_matrices=False)"));
        self.given(lines, &Value::array(format!("({u} * {s}[..., None, :]) @ {v}"), dtype, part.shape));
        self.bind(&s, &values);
    }

    fn eigenvalues(&mut self, lines: &mut Vec<String>, of: &Value) {
        let (dtype, rank) = (inexact(of.dtype), of.rank());
        let values = Value::array("", dtype.real(), of.shape[..rank - 1].to_vec());
        let triangle = self.numbers.pick(&["", ", \"U\"", ", UPLO=\"L\""]);
        match self.numbers.below(3) {
            0 => {
                let call = format!("np.linalg.eigvalsh({}{triangle})", of.text);
                self.given(lines, &in_c_order(values.named(call)));
            }
            1 => {
                let call = format!("np.linalg.eigh({}{triangle})[0]", of.text);
                self.given(lines, &in_c_order(values.named(call)));
            }
            _ => {
                let (w, v) = (self.fresh_name("w"), self.fresh_name("v"));
                let source = in_c_order(of.clone()).text;
                lines.push(format!("{w}, {v} = np.linalg.eigh({source}{triangle})"));
                let adjoint = if dtype.is_complex() { ".mT.conj()" } else { ".mT" };
                let text = format!("({v} * {w}[..., None, :]) @ {v}{adjoint}");
                self.given(lines, &Value::array(text, dtype, of.shape.clone()));
                self.bind(&w, &values);
            }
        }
    }

    /// Of more equations than unknowns, whose columns are independent.
    fn least_squares(&mut self, lines: &mut Vec<String>, of: &Value) -> Option<()> {
        if of.rank() != 2 || of.size() == 0 {
            return None;
        }
        let n = of.shape[0];
        let text = format!("np.concatenate(({}, {}[:1] + 1))", of.text, of.text);
        let tall = self.made(lines, "m", &Value::array(text, of.dtype, vec![n + 1, n]));
        let side = match self.numbers.below(3) {
            0 => Value { text: format!("{}[:, 0]", tall.text), shape: vec![n + 1], ..tall.clone() },
            1 => self.of_shape(&[n + 1, 2], &format!("len({}), 2", tall.text)),
            _ => self.of_shape(&[n + 1], &format!("len({}),", tall.text)),
        };
        let dtype = inexact_of(of.dtype, side.dtype);
        let mut shape = side.shape.clone();
        shape[0] = n;
        let (x, s) = (self.fresh_name("t"), self.fresh_name("t"));
        let rest = self.fresh_name("rest");
        lines.push(format!("{x}, {rest}, {rest}, {s} = np.linalg.lstsq({}, {})", tall.text, side.text));
        self.bind(&x, &Value::array("", dtype, shape));
        self.bind(&s, &Value::array("", dtype.real(), vec![n]));
        self.left(lines, &tall);
        Some(())
    }

    fn power(&mut self, lines: &mut Vec<String>, of: &Value) {
        let exponent = self.numbers.pick(&[-2, -1, 0, 1, 2, 3]);
        let dtype = if exponent < 0 { inexact(of.dtype) } else { of.dtype };
        let text = format!("np.linalg.matrix_power({}, {exponent})", of.text);
        let value = Value::array(text, dtype, of.shape.clone());
        // To 1 it is the argument itself.
        self.given(lines, &if exponent == 1 { Value { writeable: of.writeable, ..value } } else { in_c_order(value) });
    }

    fn chain(&mut self, lines: &mut Vec<String>, of: &Value) {
        if of.rank() != 2 {
            let text = self.form(&["np.linalg.trace({})", "np.linalg.det({})"], &[&of.text]);
            let dtype = if text.contains("det") { inexact(of.dtype) } else { of.dtype.accumulated() };
            self.given(lines, &Value::array(text, dtype, of.shape[..1].to_vec()));
            return;
        }
        let side = self.right_side(of);
        let factors =
            self.form(&["[{}, {}.T, {}]", "[{}.T, {}, {}]", "({}, {}, {})"], &[&of.text, &of.text, &side.text]);
        let text = format!("np.linalg.multi_dot({factors})");
        self.given(lines, &Value::array(text, promote(of.dtype, side.dtype), side.shape));
    }

    /// Norms and traces of any array.
    pub fn norm(&mut self, lines: &mut Vec<String>) -> Option<()> {
        let of = self.numeric(1)?;
        let (t, rank) = (of.text.as_str(), of.rank());
        let dtype = inexact(of.dtype).real();
        let mut shape = of.shape.clone();
        let value = match self.numbers.below(6) {
            0 => Value::computed(format!("np.linalg.norm({t})"), dtype, Vec::new()),
            1 | 2 => {
                let axis = self.numbers.below(rank);
                let order = self.numbers.pick(&["", "ord=1, ", "ord=np.inf, ", "ord=-np.inf, ", "ord=3, "]);
                let keeps = self.once_in(3);
                if keeps {
                    shape[axis] = 1;
                } else {
                    shape.remove(axis);
                }
                let keepdims = if keeps { ", keepdims=True" } else { "" };
                Value::computed(format!("np.linalg.norm({t}, {order}axis={axis}{keepdims})"), dtype, shape)
            }
            3 if rank >= 2 => {
                let order = self.numbers.pick(&["\"fro\"", "\"nuc\"", "1", "-1", "2", "np.inf"]);
                let axes = self.numbers.pick(&["-2, -1", "-1, -2"]);
                shape.truncate(rank - 2);
                Value::computed(format!("np.linalg.norm({t}, {order}, axis=({axes}))"), dtype, shape)
            }
            4 if rank >= 2 => {
                let offset = self.between(-1, 1);
                let call = ["np.trace({}, {})", "{}.trace({})"];
                let text = self.form(&call, &[t, &offset.to_string()]);
                Value::computed(text, of.dtype.accumulated(), shape[2..].to_vec())
            }
            _ => Value::computed(format!("np.linalg.vector_norm({t})"), dtype, Vec::new()),
        };
        self.given(lines, &in_c_order(value));
        Some(())
    }
}

/// What a call on a matrix gives, of its shape.
fn like(of: &Value, call: String) -> Value {
    Value::array(call, inexact(of.dtype), of.shape.clone())
}

/// The unit matrix of an extent, in the dtype of what it is added to.
fn unit(extent: &str, dtype: DType) -> String {
    format!("np.eye({extent}, dtype={})", dtype.in_numpy())
}
