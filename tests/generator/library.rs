//! Calls of linear algebra, Fourier transforms and contractions, between the statements that all programs have.
//!
//! In: a writer with names in scope. Out: lines that make operands, call one of these functions, bind its results, and change afterwards what was
//! passed: whatever shares memory, or died and was overwritten, shows. Results are well determined, so that one bound holds for all of them: matrices
//! of systems are far from singular by construction, and what has no unique sign is used in a form that has. Arrays whose order of memory may be
//! another than NumPy's are brought into C order at once.

mod contractions;
mod fourier;
mod linear_algebra;

use crate::dtype::{DType, Kind};
use crate::value::{Value, broadcast};
use crate::writer::Writer;

/// What the arrays of such programs hold.
const DTYPES: &[DType] = &[
    DType::F64,
    DType::F64,
    DType::F64,
    DType::F32,
    DType::F32,
    DType::C128,
    DType::C64,
    DType::I64,
    DType::I32,
    DType::U8,
    DType::I8,
];
/// Of a hundred statements of such a program, so many are calls.
const CALLS: usize = 45;

/// The program of a number.
pub fn program(number: u64) -> String {
    let mut of = Writer::new(number);
    let (first, second) = (of.numbers.pick(DTYPES), of.numbers.pick(DTYPES));
    of.dtypes = vec![first, first, second];
    of.is_exact = false;
    of.calls = CALLS;
    of.program()
}

impl Writer {
    /// Lines around one call.
    pub fn library(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let written = match self.numbers.below(20) {
            0..=7 => self.linear_algebra(&mut lines),
            8 | 9 => self.norm(&mut lines),
            10..=13 => self.transform(&mut lines),
            14..=16 => self.named_axes(&mut lines),
            _ => self.contraction(&mut lines),
        };
        if written.is_none() {
            lines.push(self.store());
        }
        lines
    }

    /// An array of numbers with at least so many axes, or a view of one.
    fn numeric(&mut self, least_rank: usize) -> Option<Value> {
        let of = self.variable(|v| v.is_array() && (least_rank..4).contains(&v.rank()) && v.dtype != DType::Bool)?;
        Some(if self.once_in(2) { of } else { self.view_of_same_rank(&of) })
    }

    /// The same shape, with elements between -2 and 2. None is nan, of which LAPACKs make nans or errors.
    fn bounded(&mut self, of: &Value) -> Value {
        let numbers = format!("np.nan_to_num({})", of.text);
        let t = if inexact(of.dtype) == of.dtype { numbers.as_str() } else { of.text.as_str() };
        let text = match of.dtype.kind() {
            Kind::Complex => format!("{t} / (1 + np.abs({t}))"),
            Kind::Float => self.form(&["np.clip({}, -2, 2)", "np.tanh({})", "np.sin({})"], &[t]),
            Kind::Unsigned => format!("np.clip({t}, 0, 2)"),
            Kind::Signed | Kind::Bool => format!("np.clip({t}, -2, 2)"),
        };
        Value { text, writeable: true, ..of.clone() }
    }

    /// A line that binds a new name, which is not in scope yet.
    fn made(&mut self, lines: &mut Vec<String>, stem: &str, value: &Value) -> Value {
        let name = self.fresh_name(stem);
        lines.push(format!("{name} = {}", value.text));
        value.named(name)
    }

    /// What a call gives: bound to a new name, or stored where it fits.
    fn given(&mut self, lines: &mut Vec<String>, call: &Value) {
        if call.is_array()
            && self.once_in(4)
            && let Some(place) = self.place_for(call)
        {
            lines.push(format!("{place} {} {}", self.numbers.pick(&["=", "=", "+="]), call.text));
            return;
        }
        let bound = self.made(lines, "t", call);
        self.bind(&bound.text, &bound);
    }

    /// A view that takes all elements of a value, in their dtype or a wider one.
    fn place_for(&mut self, value: &Value) -> Option<String> {
        let dtype = value.dtype;
        let of =
            self.variable(|v| v.is_array() && v.writeable && v.rank() >= value.rank() && dtype.casts_to(v.dtype))?;
        let place = self.fitted(&of, &value.shape).filter(|p| p.shape == value.shape)?;
        Some(if place.text.ends_with(']') { place.text } else { format!("{}[...]", place.text) })
    }

    /// An operand after a call: it dies, stays in scope, or is changed before.
    fn left(&mut self, lines: &mut Vec<String>, operand: &Value) {
        match self.numbers.below(4) {
            0 | 1 => {}
            2 => self.bind(&operand.text, operand),
            _ => {
                let change = ["{}[...] = 1", "{} += 1", "{} *= 2", "{}[...] = {}[::-1]", "{}[:1] = 0"];
                let change = self.form(&change, &[&operand.text, &operand.text]);
                lines.push(change);
                self.bind(&operand.text, operand);
            }
        }
    }

    /// A new array for results of a shape, whose extents are these expressions; also one with steps, or transposed.
    fn output(&mut self, lines: &mut Vec<String>, extents: &[String], like: &Value) -> Value {
        let zeros =
            |extents: &[String]| format!("np.zeros(({},), dtype={})", extents.join(", "), like.dtype.in_numpy());
        let text = match self.numbers.below(6) {
            0 => {
                let mut longer = extents.to_vec();
                longer[0] = format!("2 * {}", longer[0]);
                format!("{}[::2]", zeros(&longer))
            }
            1 => {
                let reversed: Vec<String> = extents.iter().rev().cloned().collect();
                format!("{}.T", zeros(&reversed))
            }
            2 => format!("{}[::-1]", zeros(extents)),
            _ => zeros(extents),
        };
        self.made(lines, "o", &Value::array(text, like.dtype, like.shape.clone()))
    }

    /// A call with `out=`: as a statement, or with a second name for what it gives.
    fn give_output(&mut self, lines: &mut Vec<String>, call: &str, out: &Value) {
        let text = format!("{call}, out={})", out.text);
        if self.once_in(2) {
            lines.push(text);
        } else {
            let bound = self.made(lines, "t", &out.named(text));
            self.bind(&bound.text, &bound);
        }
        let is_name = out.text.chars().all(char::is_alphanumeric);
        if is_name {
            self.bind(&out.text, out);
        }
    }

    /// A vector or matrix of exactly this shape: of an array in scope, repeated where that is smaller.
    fn of_shape(&mut self, shape: &[i64], extents: &str) -> Value {
        let found = self.matching(shape);
        if found.is_array() && found.shape == shape {
            return found;
        }
        let fits = found.is_array() && broadcast(&found.shape, shape).as_deref() == Some(shape);
        let one = if fits { found } else { Value::scalar("np.float64(2.5)", DType::F64) };
        let text = format!("np.broadcast_to({}, ({extents}))", one.text);
        Value { writeable: false, ..Value::array(text, one.dtype, shape.to_vec()) }
    }
}

/// The dtype that linear algebra and transforms compute in.
fn inexact(dtype: DType) -> DType {
    if dtype.is_float() || dtype.is_complex() { dtype } else { DType::F64 }
}

/// The dtype of linear algebra of two arrays: single where both are.
fn inexact_of(a: DType, b: DType) -> DType {
    crate::dtype::promote(inexact(a), inexact(b))
}

/// The complex dtype of the same precision.
fn complex(dtype: DType) -> DType {
    match inexact(dtype) {
        DType::F32 | DType::C64 => DType::C64,
        _ => DType::C128,
    }
}

/// In C order: results of stacks follow NumPy's operands.
fn in_c_order(value: Value) -> Value {
    if value.rank() < 2 {
        return value;
    }
    Value { text: format!("np.ascontiguousarray({})", value.text), ..value }
}
