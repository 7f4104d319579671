//! Expressions: elementwise arithmetic of all dtypes, reductions, new arrays.

use crate::dtype::{DType, Kind, beside_float, beside_int, promote, quotient};
use crate::value::{Form, Value, broadcast};
use crate::views::tuple;
use crate::writer::Writer;

impl Writer {
    /// An array or a NumPy scalar.
    pub fn expression(&mut self, depth: usize) -> Value {
        if depth == 0 {
            return self.leaf();
        }
        match self.numbers.below(20) {
            0..=8 => {
                let left = self.expression(depth - 1);
                self.binary(&left, depth)
            }
            9..=11 => {
                let of = self.expression(depth - 1);
                self.unary(&of)
            }
            12 | 13 => self.reduction(depth),
            14 => self.choice(depth),
            15 => self.created(),
            16 => self.cast(depth),
            17 => self.joined(),
            18 => self.newer_value().unwrap_or_else(|| self.leaf()),
            _ => self.leaf(),
        }
    }

    fn leaf(&mut self) -> Value {
        let of = self.array_variable();
        match self.numbers.below(10) {
            0..=3 => of,
            4 => self.element(&of).unwrap_or(of),
            _ => self.view(&of),
        }
    }

    /// An operand that is broadcast with an array of a shape.
    pub fn operand(&mut self, other: &Value, depth: usize) -> Value {
        match self.numbers.below(12) {
            0 => self.python_number(other.dtype),
            1 => {
                let of = self.array_variable();
                self.element(&of).unwrap_or_else(|| self.python_number(other.dtype))
            }
            2 if depth > 1 => {
                let inner = self.matching(&other.shape);
                self.unary(&inner)
            }
            3 if depth > 1 => {
                let inner = self.matching(&other.shape);
                self.binary(&inner, depth - 1)
            }
            _ => self.matching(&other.shape),
        }
    }

    /// An array that is broadcast to a shape as it is: a view of one in scope, or a new one.
    pub fn matching(&mut self, shape: &[i64]) -> Value {
        for _ in 0..4 {
            let of = self.array_variable();
            let of = if self.once_in(4) { self.view(&of) } else { of };
            if let Some(view) = self.fitted(&of, shape) {
                return view;
            }
        }
        let dtype = self.numbers.pick(&self.dtypes.clone());
        let text = match self.numbers.below(2) {
            0 => format!("np.ones(({}), dtype={})", tuple(shape), dtype.in_numpy()),
            _ => format!("np.full(({}), 3, dtype={})", tuple(shape), dtype.in_numpy()),
        };
        if shape.is_empty() { self.python_number(dtype) } else { Value::array(text, dtype, shape.to_vec()) }
    }

    /// A Python number that a dtype takes without overflow.
    pub fn python_number(&mut self, beside: DType) -> Value {
        let low = if beside.kind() == Kind::Unsigned { 0 } else { -3 };
        match self.numbers.below(6) {
            0 => self.variable(|v| v.form == Form::Int).unwrap_or_else(|| Value::int("2", 2)),
            1 if !beside.is_integer() && beside != DType::Bool => {
                self.variable(|v| v.form == Form::Float).unwrap_or_else(|| Value::float("0.5"))
            }
            2 if beside.is_float() || self.once_in(4) => Value::float(self.form(&["0.5", "2.0", "1.5", "0.25"], &[])),
            3 => Value::flag("True"),
            _ => {
                let literal = self.between(low, 5);
                let text = if literal < 0 { format!("({literal})") } else { literal.to_string() };
                Value::int(text, literal)
            }
        }
    }

    /// An operator or function of two operands.
    pub fn binary(&mut self, left: &Value, depth: usize) -> Value {
        for _ in 0..12 {
            let right = self.operand(left, depth);
            let Some(shape) = broadcast(&left.shape, &right.shape) else { continue };
            let swapped = self.once_in(3);
            let (a, b) = if swapped { (&right, left) } else { (left, &right) };
            if let Some((text, dtype)) = self.operator(a, b) {
                return Value::computed(text, dtype, shape);
            }
        }
        left.clone()
    }

    /// The text and dtype of an operation; `None` where the dtypes have none.
    fn operator(&mut self, a: &Value, b: &Value) -> Option<(String, DType)> {
        let common = common(a, b)?;
        let parts = [a.text.as_str(), b.text.as_str()];
        let kind = common.kind();
        match self.numbers.below(24) {
            0..=5 => Some((self.form(&["({} + {})", "({} + {})", "np.add({}, {})"], &parts), common)),
            6..=9 if kind != Kind::Bool => {
                Some((self.form(&["({} - {})", "({} - {})", "np.subtract({}, {})"], &parts), common))
            }
            6..=12 => Some((self.form(&["({} * {})", "({} * {})", "np.multiply({}, {})"], &parts), common)),
            13 | 14 if kind != Kind::Complex => {
                Some((self.form(&["np.maximum({}, {})", "np.minimum({}, {})"], &parts), common))
            }
            15 | 16 if kind < Kind::Float => {
                Some((self.form(&["({} & {})", "({} | {})", "({} ^ {})", "np.bitwise_xor({}, {})"], &parts), common))
            }
            17 | 18 if kind != Kind::Complex && self.is_exact => {
                let dtype = if kind == Kind::Bool { DType::I8 } else { common };
                Some((self.form(&["({} // {})", "({} % {})", "np.fmod({}, {})"], &parts), dtype))
            }
            19 | 20 if self.is_exact => {
                let ordered = ["({} < {})", "({} >= {})", "({} == {})", "({} != {})", "np.less_equal({}, {})"];
                let any = ["({} == {})", "({} != {})", "np.logical_and({}, {})", "np.logical_or({}, {})"];
                let of: &[&str] = if kind == Kind::Complex { &any } else { &ordered };
                Some((self.form(of, &parts), DType::Bool))
            }
            21 if kind == Kind::Float && !self.is_exact => {
                Some((self.form(&["np.hypot({}, {})", "np.arctan2({}, {})"], &parts), common))
            }
            22 if !self.is_exact => Some((self.form(&["({} / {})"], &parts), quotient(common, common))),
            23 if kind == Kind::Float => {
                Some((self.form(&["np.copysign({}, {})", "np.fmax({}, {})", "np.fmin({}, {})"], &parts), common))
            }
            _ => None,
        }
    }

    /// An operator or function of one operand.
    pub fn unary(&mut self, of: &Value) -> Value {
        let kind = of.dtype.kind();
        let part = [of.text.as_str()];
        let like = |text: String, dtype: DType| Value::computed(text, dtype, of.shape.clone());
        if !of.is_array() && of.form != Form::Scalar {
            return of.clone();
        }
        if !self.is_exact && kind == Kind::Float && self.once_in(2) {
            let rounded =
                ["np.sqrt(np.abs({}))", "np.sin({})", "np.exp(-np.abs({}))", "np.tanh({})", "np.log1p(np.abs({}))"];
            return like(self.form(&rounded, &part), of.dtype);
        }
        match self.numbers.below(10) {
            0..=2 if kind != Kind::Bool => like(self.form(&["(-{})", "np.negative({})", "(+{})"], &part), of.dtype),
            3 | 4 if kind != Kind::Complex => like(self.form(&["np.abs({})", "abs({})"], &part), of.dtype),
            5 if kind < Kind::Float => like(self.form(&["(~{})", "np.invert({})"], &part), of.dtype),
            6 if kind != Kind::Bool => like(self.form(&["np.square({})"], &part), of.dtype),
            7 if self.is_exact && kind != Kind::Complex => {
                let of_numbers = ["np.sign({})", "np.floor({})", "np.rint({})"];
                match kind {
                    Kind::Bool => like(self.form(&["np.logical_not({})"], &part), DType::Bool),
                    Kind::Float => like(self.form(&of_numbers, &part), of.dtype),
                    _ => like(self.form(&of_numbers[..2], &part), of.dtype),
                }
            }
            8 => like(self.form(&["np.logical_not({})"], &part), DType::Bool),
            9 if kind == Kind::Complex => like(self.form(&["np.conj({})", "{}.conj()"], &part), of.dtype),
            _ => like(self.form(&["np.copy({})", "(1 * {})", "({} + 1)"], &part), beside_int(of.dtype)).copied(of),
        }
    }

    /// `np.where`, `np.clip`, and a conditional expression.
    fn choice(&mut self, depth: usize) -> Value {
        let of = self.expression(depth - 1);
        let other = self.matching(&of.shape);
        if !self.is_exact || of.dtype.is_complex() || other.dtype.is_complex() {
            return of;
        }
        let Some(shape) = broadcast(&of.shape, &other.shape) else { return of };
        match self.numbers.below(3) {
            0 if of.dtype != DType::Bool => {
                Value::computed(format!("np.clip({}, 1, 4)", of.text), of.dtype, of.shape.clone())
            }
            _ => {
                let text = format!("np.where({} > {}, {}, {})", of.text, other.text, other.text, of.text);
                Value::array(text, promote(of.dtype, other.dtype), shape)
            }
        }
    }

    /// A reduction, over all axes or one.
    pub fn reduction(&mut self, depth: usize) -> Value {
        let of = self.expression(depth - 1);
        if !of.is_array() || of.rank() == 0 {
            return of;
        }
        let kind = of.dtype.kind();
        let (mut names, mut dtype): (Vec<&str>, DType) = match self.numbers.below(8) {
            0..=3 => (vec!["sum", "sum", "prod"], of.dtype.accumulated()),
            4 | 5 if kind != Kind::Complex => (vec!["max", "min"], of.dtype),
            6 => (vec!["any", "all"], DType::Bool),
            7 if self.is_exact && kind != Kind::Complex => (vec!["argmax", "argmin"], DType::I64),
            _ => (vec!["sum"], of.dtype.accumulated()),
        };
        if !self.is_exact && self.once_in(3) {
            (names, dtype) =
                (vec!["mean"], if of.dtype.is_integer() || kind == Kind::Bool { DType::F64 } else { of.dtype });
        }
        let name = self.numbers.pick(&names);
        let (mut arguments, shape) = self.axes_of(&of, name.starts_with("arg"));
        if self.once_in(4) {
            arguments = self.counted(&of, name, arguments);
        }
        let text = if self.once_in(3) {
            format!("{}.{name}({arguments})", of.text)
        } else {
            let arguments = if arguments.is_empty() { String::new() } else { format!(", {arguments}") };
            format!("np.{name}({}{arguments})", of.text)
        };
        Value::computed(text, dtype, shape)
    }

    /// `where=` and `initial=` after other arguments of a reduction.
    fn counted(&mut self, of: &Value, name: &str, arguments: String) -> String {
        let mut all: Vec<String> = if arguments.is_empty() { Vec::new() } else { vec![arguments] };
        let has_initial = matches!(name, "sum" | "prod" | "max" | "min");
        let mask = if name.starts_with("arg") { None } else { self.mask(&of.shape) };
        if has_initial && (mask.is_some() || self.once_in(2)) {
            all.push(format!("initial={}", self.numbers.pick(&["0", "1", "3", "True"])));
        }
        all.extend(mask.map(|mask| format!("where={mask}")));
        all.join(", ")
    }

    /// A bool for each element of an array of a shape; `None` where no variable gives one.
    pub fn mask(&mut self, shape: &[i64]) -> Option<String> {
        let of = self.matching(shape);
        let fits = of.is_array() && broadcast(&of.shape, shape).as_deref() == Some(shape);
        fits.then(|| format!("({} != {})", of.text, self.numbers.pick(&["0", "1", "3"])))
    }

    /// The arguments that choose axes, and what they leave of the shape.
    fn axes_of(&mut self, of: &Value, is_one_only: bool) -> (String, Vec<i64>) {
        let rank = of.rank();
        let axis = self.numbers.below(rank);
        let written = if self.once_in(2) { axis as i64 } else { axis as i64 - rank as i64 };
        let mut shape = of.shape.clone();
        match self.numbers.below(6) {
            0 | 1 => (String::new(), Vec::new()),
            2 => {
                shape[axis] = 1;
                (format!("axis={written}, keepdims=True"), shape)
            }
            3 if rank > 2 && !is_one_only => {
                let other = (axis + 1) % rank;
                let kept = (0..rank).filter(|a| *a != axis && *a != other).map(|a| shape[a]).collect();
                (format!("axis=({written}, {other})"), kept)
            }
            _ => {
                shape.remove(axis);
                (format!("axis={written}"), shape)
            }
        }
    }

    /// A new array.
    pub fn created(&mut self) -> Value {
        let of = self.sequence_variable();
        let dtype = self.numbers.pick(&self.dtypes.clone());
        let n = of.shape[0];
        match self.numbers.below(7) {
            0 => Value::array(self.form(&["np.zeros_like({})", "np.ones_like({})"], &[&of.text]), of.dtype, of.shape),
            1 if dtype != DType::Bool => {
                Value::array(format!("np.arange(len({}), dtype={})", of.text, dtype.in_numpy()), dtype, vec![n])
            }
            2 => Value::array(
                format!("np.zeros({}.shape, dtype={})", of.text, dtype.in_numpy()),
                dtype,
                of.shape.clone(),
            ),
            3 => {
                Value::array(self.form(&["{}.copy()", "np.copy({})", "np.array({})"], &[&of.text]), of.dtype, of.shape)
            }
            4 => Value::array(format!("np.full_like({}, 2)", of.text), of.dtype, of.shape),
            5 => Value::array(format!("np.empty(({n}, 0), dtype={})", dtype.in_numpy()), dtype, vec![n, 0]),
            _ => {
                let shape: Vec<i64> = (0..1 + self.numbers.below(2)).map(|_| self.numbers.pick(&[1, 2, 3])).collect();
                Value::array(format!("np.ones(({}), dtype={})", tuple(&shape), dtype.in_numpy()), dtype, shape)
            }
        }
    }

    fn cast(&mut self, depth: usize) -> Value {
        let of = self.expression(depth - 1);
        let to = self.numbers.pick(crate::dtype::USUAL);
        let is_free =
            of.dtype.kind() <= to.kind() && (of.dtype.kind() != Kind::Float || to != DType::F32 || self.is_exact);
        let is_wrap = of.dtype.is_integer() && to.is_integer();
        if !(is_free || is_wrap || to == DType::Bool) || !of.is_array() {
            return of;
        }
        Value::computed(format!("{}.astype({})", of.text, to.in_numpy()), to, of.shape.clone()).kept_array(&of)
    }

    /// Arrays one after the other.
    fn joined(&mut self) -> Value {
        let a = self.sequence_variable();
        let b = self.view_of_same_rank(&a);
        let mut shape = a.shape.clone();
        if a.shape[1..] == b.shape[1..] {
            shape[0] += b.shape[0];
            return Value::array(format!("np.concatenate(({}, {}))", a.text, b.text), a.dtype, shape);
        }
        shape.insert(0, 2);
        Value::array(format!("np.stack(({}, {}))", a.text, a.text), a.dtype, shape)
    }

    /// An array of a dtype and rank: of this name where there is one.
    pub fn of_type(&mut self, wanted: &Value) -> Value {
        for _ in 0..8 {
            let found = self.variable(|v| v.is_array() && v.dtype == wanted.dtype);
            let Some(found) = found else { break };
            let value = match self.numbers.below(3) {
                0 => found,
                1 => self.view(&found),
                _ => {
                    let left = self.view_of_same_rank(&found);
                    self.binary(&left, 1)
                }
            };
            if value.has_type_of(wanted) {
                return value;
            }
        }
        let dtype = wanted.dtype;
        let shape = wanted.shape.clone();
        match wanted.form {
            Form::Array if wanted.writeable => {
                Value::array(format!("np.zeros(({}), dtype={})", tuple(&shape), dtype.in_numpy()), dtype, shape)
            }
            Form::Array => {
                let text = format!("np.broadcast_to({}(0), ({}))", dtype.in_numpy(), tuple(&shape));
                Value { writeable: false, ..Value::array(text, dtype, shape) }
            }
            Form::Scalar => Value::scalar(format!("{}(1)", dtype.in_numpy()), dtype),
            Form::Int => Value::int("3", 3),
            Form::Float => Value::float("1.5"),
            Form::Flag => Value::flag("True"),
        }
    }
}

impl Value {
    /// `np.copy` keeps dtype and arrays of rank 0, which arithmetic does not.
    fn copied(self, of: &Value) -> Value {
        if !self.text.starts_with("np.copy") {
            return self;
        }
        Value { form: Form::Array, dtype: of.dtype, writeable: true, ..self }
    }

    /// `astype` leaves arrays of rank 0 what they are.
    fn kept_array(self, of: &Value) -> Value {
        if of.is_array() { Value { form: Form::Array, writeable: true, ..self } } else { self }
    }
}

/// The dtype in which an operator computes.
fn common(a: &Value, b: &Value) -> Option<DType> {
    let is_weak = |v: &Value| matches!(v.form, Form::Int | Form::Float);
    match (is_weak(a), is_weak(b)) {
        (false, false) => Some(promote(a.dtype, b.dtype)),
        (true, true) => None,
        (weak, _) => {
            let (number, other) = if weak { (a, b) } else { (b, a) };
            let overflows = other.dtype.kind() == Kind::Unsigned && number.sample < 0;
            match number.form {
                Form::Int if overflows => None,
                Form::Int => Some(beside_int(other.dtype)),
                _ => Some(beside_float(other.dtype)),
            }
        }
    }
}
