//! Functions that write to an argument, and those with two results: `np.put`, methods `at` of ufuncs, `sort`, `np.fill_diagonal`, `divmod`, `np.modf`.

use crate::dtype::{DType, Kind, promote};
use crate::value::{Value, broadcast};
use crate::writer::Writer;

impl Writer {
    /// A line that calls one of them.
    pub fn written_by_function(&mut self) -> String {
        let line = match self.numbers.below(10) {
            0..=2 => self.put(),
            3..=5 => self.at(),
            6 => self.sorted(),
            7 => self.filled_diagonal(),
            _ => self.two_results(),
        };
        line.unwrap_or_else(|| self.store())
    }

    fn written(&mut self, least_rank: usize) -> Option<Value> {
        let of = self.variable(|v| v.is_array() && v.writeable && v.rank() >= least_rank)?;
        let view = if self.once_in(3) { self.view_of_same_rank(&of) } else { of.clone() };
        Some(if view.writeable && view.is_array() && view.rank() == of.rank() { view } else { of })
    }

    /// `np.put(x, positions, values)`, also of an array into itself.
    fn put(&mut self) -> Option<String> {
        let of = self.written(1)?;
        let (positions, n) = self.positions(of.size());
        let value = match self.numbers.below(5) {
            0 => self.python_number(of.dtype),
            1 => of.clone(),
            _ => self.matching(&[n]),
        };
        let value = if value.dtype.casts_to(of.dtype) { value.text } else { of.text.clone() };
        let mode = self.numbers.pick(&["", "", "", ", mode=\"wrap\"", ", mode=\"clip\""]);
        Some(match self.once_in(3) {
            true => format!("{}.put({positions}, {value}{mode})", of.text),
            false => format!("np.put({}, {positions}, {value}{mode})", of.text),
        })
    }

    /// `np.add.at(x, positions, values)`
    fn at(&mut self) -> Option<String> {
        let of = self.written(1)?;
        let (positions, n) = self.positions(of.shape[0]);
        let mut names = vec!["add", "add", "multiply"];
        if of.dtype != DType::Bool {
            names.push("subtract");
        }
        if !of.dtype.is_complex() {
            names.extend(["maximum", "minimum"]);
        }
        let name = self.numbers.pick(&names);
        let mut shape = of.shape.clone();
        shape[0] = n;
        let value = self.matching(&shape);
        let fits = broadcast(&value.shape, &shape).as_ref() == Some(&shape);
        let is_kept = value.is_array() && promote(value.dtype, of.dtype) == of.dtype;
        let value = match fits && is_kept && !self.once_in(4) {
            true => value.text,
            false if of.dtype == DType::Bool => "True".to_string(),
            false => "1".to_string(),
        };
        Some(format!("np.{name}.at({}, {positions}, {value})", of.text))
    }

    fn sorted(&mut self) -> Option<String> {
        let of = self.written(1).filter(|v| !v.dtype.is_complex())?;
        let axis = self.numbers.below(of.rank());
        match self.numbers.below(3) {
            0 => Some(format!("{}.sort()", of.text)),
            1 => Some(format!("{}.sort(axis={axis})", of.text)),
            _ => {
                let t = self.fresh_name("t");
                self.bind(&t, &Value { writeable: true, ..of.clone() });
                Some(format!("{t} = np.sort({}, axis={axis})", of.text))
            }
        }
    }

    fn filled_diagonal(&mut self) -> Option<String> {
        let of = self.written(2).filter(|v| v.rank() == 2)?;
        let value = self.python_number(of.dtype);
        let value = if value.dtype.casts_to(of.dtype) { value.text } else { "1".to_string() };
        Some(format!("np.fill_diagonal({}, {value})", of.text))
    }

    /// `q, r = np.divmod(x, y)`, `f, i = np.modf(x)`
    fn two_results(&mut self) -> Option<String> {
        let of = self.variable(|v| v.is_array() && !v.dtype.is_complex() && v.dtype != DType::Bool)?;
        let (first, second) = (self.fresh_name("t"), self.fresh_name("t"));
        let is_modf = of.dtype.kind() == Kind::Float && self.once_in(2);
        let other = self.matching(&of.shape);
        let (call, value) = match broadcast(&of.shape, &other.shape) {
            _ if is_modf => (format!("np.modf({})", of.text), Value::computed("", of.dtype, of.shape)),
            Some(shape) if self.is_exact && other.is_array() && !other.dtype.is_complex() => {
                let call = self.form(&["np.divmod({}, {})", "divmod({}, {})"], &[&of.text, &other.text]);
                (call, Value::computed("", promote(of.dtype, other.dtype), shape))
            }
            _ => return None,
        };
        self.bind(&first, &value);
        self.bind(&second, &value);
        Some(format!("{first}, {second} = {call}"))
    }
}
