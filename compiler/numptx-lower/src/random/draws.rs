//! Draws of random numbers: from what a method was given to operations of [`numptx_ir::object`].
//!
//! A scalar is one operation. So is an array of the table's methods, whose numbers a device draws itself where it can. Ints of ranges, orders and vectors
//! are drawn into a list that becomes the array, on the device where the call computes there. Parameters that are arrays are lists for that, broadcast to the
//! shape of the result.

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, ErrorKind, Layout, Type, ValueId};
use numptx_ir::functions::Family;
use numptx_ir::object::{
    self, RANDOM_DRAW_ARRAY, RANDOM_DRAW_COUNT, RANDOM_DRAW_FLOAT, RANDOM_DRAW_INTEGER, RANDOM_DRAW_INTEGERS,
    RANDOM_DRAW_ORDER, RANDOM_DRAW_SAMPLE, RANDOM_DRAW_SEVERAL, RANDOM_IS_CLOSED, RANDOM_IS_LEGACY, RANDOM_IS_UNSIGNED,
    RANDOM_OF_ARRAYS,
};
use numptx_ir::random::{METHODS, Method, Number, method_named};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::Span;

use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::random::Random;
use crate::values::value::Value;

/// The shape of a result: its extents as ints of Python, and their product.
struct Shape {
    extents: Vec<Value>,
    count: ValueId,
}

impl Lowerer<'_> {
    /// `random_draw("normal", rng, size, loc, scale)`: what a method of the table draws. Parameters of a method fewer are given than it has where they
    /// are not needed.
    pub fn random_draw(&mut self, call: &Call) -> Value {
        let [Value::Str(name), generator, size, parameters @ ..] = call.positional.as_slice() else {
            return Value::Poison;
        };
        let Some((random, lists)) = self.words_in(generator) else { return Value::Poison };
        let Some(number) = method_named(name) else { return Value::Poison };
        let method = &METHODS[number];
        let code = number as i64 | if random == Random::Legacy { RANDOM_IS_LEGACY } else { 0 };
        let gauss = lists.get(1).copied().unwrap_or(lists[0]);
        let span = self.caller_span(call.span);
        let is_of_arrays = parameters.iter().any(|parameter| self.has_axes(parameter) || self.is_sequence(parameter));
        let parameters = match (name.as_str(), parameters) {
            ("uniform", [low, high]) => match self.range_of_uniform(low, high, span) {
                Some(range) => vec![low.clone(), range],
                None => return Value::Poison,
            },
            _ => parameters.to_vec(),
        };
        if *size == Value::None && !is_of_arrays {
            return self.one_draw(method, [lists[0], gauss], code, &parameters).unwrap_or(Value::Poison);
        }
        self.many_draws(method, [lists[0], gauss], code, (size, &parameters), span).unwrap_or(Value::Poison)
    }

    /// How far both ends are apart, as floats where they are scalars.
    fn range_of_uniform(&mut self, low: &Value, high: &Value, span: Span) -> Option<Value> {
        let mut ends = Vec::new();
        for end in [high, low] {
            let end = self.array_parameter_of_draws(Number::Double, end, span)?;
            ends.push(match self.has_axes(&end) {
                true => self.cast_array(&end, DType::F64, span),
                false => Value::python(self.scalar_parameter(Number::Double, &end)?),
            });
        }
        let range = self.call_on("numpy.subtract", &ends, span, &[span; 2]);
        (!range.is_poison()).then_some(range)
    }

    /// Where a report about a call of the library belongs.
    pub fn caller_span(&self, own: Span) -> Span {
        self.library.call_site().unwrap_or(own)
    }

    fn is_sequence(&self, value: &Value) -> bool {
        matches!(value, Value::Tuple(_) | Value::List(_) | Value::Container(_) | Value::Filled(_))
    }

    fn one_draw(
        &mut self,
        method: &Method,
        [words, gauss]: [ValueId; 2],
        code: i64,
        parameters: &[Value],
    ) -> Option<Value> {
        let mut values = Vec::new();
        for (parameter, value) in method.parameters.iter().zip(parameters) {
            values.push((parameter.number, self.scalar_parameter(parameter.number, value)?));
        }
        let code = self.builder.i64(code);
        let mut floats: Vec<ValueId> = values.iter().filter(|(n, _)| *n != Number::Int).map(|(_, v)| *v).collect();
        let mut ints: Vec<ValueId> = values.iter().filter(|(n, _)| *n == Number::Int).map(|(_, v)| *v).collect();
        let zero = self.builder.constant(Constant::Float(0.0), DType::F64);
        if method.result != Number::Int {
            floats.resize(3, zero);
            let operands = [vec![words, gauss, code], floats].concat();
            return Some(Value::python(self.object_value(RANDOM_DRAW_FLOAT, operands, Type::Scalar(DType::F64))));
        }
        let none = self.builder.i64(0);
        ints.resize(3, none);
        floats.resize(2, zero);
        let operands = [vec![words, gauss, code], ints, floats].concat();
        Some(Value::python(self.object_value(RANDOM_DRAW_COUNT, operands, Type::Scalar(DType::I64))))
    }

    /// A number that a method is given, on the host; `None` after a report.
    fn scalar_parameter(&mut self, number: Number, value: &Value) -> Option<ValueId> {
        let typed = value.typed().filter(|typed| self.builder.rank(typed.value) == 0);
        let host = typed.and_then(|typed| self.host(typed));
        let dtype = host.map(|host| self.builder.dtype(host));
        match (host, dtype) {
            (Some(host), Some(dtype)) if number == Number::Int && (dtype.is_integer() || dtype == DType::Bool) => {
                if dtype == DType::U64 {
                    return self.integer(value);
                }
                Some(self.convert(host, DType::I64))
            }
            (Some(host), Some(dtype)) if number != Number::Int && !dtype.is_complex() => {
                Some(self.convert(host, DType::F64))
            }
            _ => self.refuse_parameter(number, value),
        }
    }

    fn refuse_parameter<T>(&mut self, number: Number, value: &Value) -> Option<T> {
        let what = value.describe(&self.builder);
        let (message, help) = match number {
            Number::Int => (format!("{what} where an int is drawn with"), "pass an int, or an array of ints: `int(n)`"),
            _ => (format!("{what} where numbers are drawn with"), "pass a float, or an array of floats"),
        };
        if !value.is_poison() {
            self.refuse_draw(message, help);
        }
        None
    }

    fn many_draws(
        &mut self,
        method: &Method,
        [words, gauss]: [ValueId; 2],
        mut code: i64,
        (size, parameters): (&Value, &[Value]),
        span: Span,
    ) -> Option<Value> {
        let mut arrays = Vec::new();
        for (parameter, value) in method.parameters.iter().zip(parameters) {
            arrays.push(self.array_parameter_of_draws(parameter.number, value, span)?);
        }
        let is_of_arrays = arrays.iter().any(|value| self.has_axes(value));
        let shape = match size {
            Value::None => self.broadcast_shape(&arrays, span)?,
            size => self.shape_of_size(size)?,
        };
        if is_of_arrays {
            code |= RANDOM_OF_ARRAYS;
        }
        if method.name == "raw" {
            code |= RANDOM_IS_UNSIGNED;
        }
        let mut lists = Vec::new();
        for (parameter, value) in method.parameters.iter().zip(&arrays) {
            lists.push(self.list_parameter(parameter.number, value, &shape, span)?);
        }
        lists.resize(3, words);
        let code_value = self.builder.i64(code);
        let operands = [vec![words, gauss, code_value], lists, vec![shape.count]].concat();
        let dtype = match method.result {
            Number::Double => DType::F64,
            Number::Single => DType::F32,
            Number::Int if method.name == "raw" => DType::U64,
            Number::Int => DType::I64,
        };
        let ty = Type::Array(ArrayType { dtype, rank: 1, layout: Layout::C, writable: true });
        let array = self.object_value(RANDOM_DRAW_ARRAY, operands, ty);
        Some(self.shaped(array, &shape, span))
    }

    /// A parameter as a scalar or an array: NumPy makes arrays of lists.
    fn array_parameter_of_draws(&mut self, number: Number, value: &Value, span: Span) -> Option<Value> {
        let value = match self.is_sequence(value) {
            true => self.array_from(value, span)?,
            false => value.clone(),
        };
        if !self.has_axes(&value) {
            return Some(value);
        }
        let dtype = self.builder.dtype(value.typed()?.value);
        let fits = if number == Number::Int { dtype.is_integer() || dtype == DType::Bool } else { !dtype.is_complex() };
        if fits { Some(value) } else { self.refuse_parameter(number, &value) }
    }

    fn array_from(&mut self, value: &Value, span: Span) -> Option<Value> {
        let call = Call { positional: vec![value.clone()], keywords: Vec::new(), places: vec![span], span };
        let array = self.table_call("numpy.asarray", None, call);
        (!array.is_poison()).then_some(array)
    }

    /// The parameter as the list of one number, or of one for each draw.
    fn list_parameter(&mut self, number: Number, value: &Value, shape: &Shape, span: Span) -> Option<ValueId> {
        let dtype = if number == Number::Int { DType::I64 } else { DType::F64 };
        if !self.has_axes(value) {
            let scalar = self.scalar_parameter(number, value)?;
            return Some(self.list_of_one(scalar, dtype));
        }
        let wide =
            self.call_on("numpy.broadcast_to", &[value.clone(), Value::Tuple(shape.extents.clone())], span, &[span; 2]);
        let flat = self.call_on("numpy.ravel", &[wide], span, &[span]);
        let flat = self.cast_array(&flat, dtype, span);
        Some(self.list_of_words(flat.typed()?.value))
    }

    /// A list of one number.
    pub fn list_of_one(&mut self, scalar: ValueId, dtype: DType) -> ValueId {
        self.object(object::LIST_NEW, vec![dtype.code() | object::NUMPY], vec![scalar], vec![Type::Object])[0]
    }

    /// The list of a vector's elements, for an operation.
    pub fn list_of_words(&mut self, array: ValueId) -> ValueId {
        let layout = vec![self.builder.dtype(array).code() | object::NUMPY];
        self.object(object::LIST_FROM_ARRAY, layout, vec![array], vec![Type::Object])[0]
    }

    /// The vector of a list's numbers, of an operation.
    pub fn array_of_words(&mut self, list: ValueId, dtype: DType) -> ValueId {
        let ty = Type::Array(ArrayType { dtype, rank: 1, layout: Layout::C, writable: true });
        self.object_value(object::LIST_TO_ARRAY, vec![list], ty)
    }

    fn cast_array(&mut self, array: &Value, dtype: DType, span: Span) -> Value {
        let call = Call { positional: vec![Value::DType(dtype)], keywords: Vec::new(), places: vec![span], span };
        self.table_call("ndarray.astype", Some(array), call)
    }

    fn broadcast_shape(&mut self, arrays: &[Value], span: Span) -> Option<Shape> {
        let places = vec![span; arrays.len()];
        let all = self.call_on("numpy.broadcast_arrays", arrays, span, &places);
        let Value::Tuple(all) = all else { return None };
        let extents = self.extents(all.first()?.typed()?.value);
        Some(self.shape_of(extents))
    }

    fn shape_of(&mut self, extents: Vec<ValueId>) -> Shape {
        let one = self.builder.i64(1);
        let count = extents.iter().fold(one, |all, extent| self.builder.scalar(ScalarOp::Mul, &[all, *extent]));
        Shape { extents: extents.into_iter().map(Value::python).collect(), count }
    }

    /// What `size=` says; `None` after a report.
    fn shape_of_size(&mut self, size: &Value) -> Option<Shape> {
        let extents: Option<Vec<ValueId>> = match size {
            Value::Tuple(items) | Value::List(items) => items.iter().map(|item| self.integer(item)).collect(),
            size => self.integer(size).map(|extent| vec![extent]),
        };
        let Some(extents) = extents else {
            let message = format!("the size is {}", size.describe(&self.builder));
            self.refuse_draw(message, "pass an int or a tuple of ints: `size=(n, 3)`");
            return None;
        };
        for extent in &extents {
            let zero = self.builder.i64(0);
            let is_size = self.builder.scalar(ScalarOp::Ge, &[*extent, zero]);
            self.check(is_size, ErrorKind::Value, "negative dimensions are not allowed", &[]);
        }
        Some(self.shape_of(extents))
    }

    fn shaped(&mut self, array: ValueId, shape: &Shape, span: Span) -> Value {
        let shape = Value::Tuple(shape.extents.clone());
        self.call_on("numpy.reshape", &[Value::array(array), shape], span, &[span; 2])
    }

    /// `random_range(rng, low, high, size, dtype, endpoint)`: ints of a range.
    pub fn random_range(&mut self, call: &Call) -> Value {
        let [generator, low, high, size, dtype, endpoint] = call.positional.as_slice() else { return Value::Poison };
        self.range_of_draws(generator, [low, high], size, (dtype, endpoint), call).unwrap_or(Value::Poison)
    }

    fn range_of_draws(
        &mut self,
        generator: &Value,
        ends: [&Value; 2],
        size: &Value,
        (given, endpoint): (&Value, &Value),
        call: &Call,
    ) -> Option<Value> {
        let span = self.caller_span(call.span);
        let (random, lists) = self.words_in(generator)?;
        let words = lists[0];
        let dtype = given.as_dtype().filter(|dtype| dtype.is_integer() || *dtype == DType::Bool);
        let Some(dtype) = dtype else {
            let message = format!("ints are drawn as {}", given.describe(&self.builder));
            self.refuse_draw(message, "name a dtype of ints or bools: `dtype=np.int32`");
            return None;
        };
        let is_closed = self.known_truth(endpoint)?;
        let mut code = i64::from(dtype.code());
        code |= if random == Random::Legacy { RANDOM_IS_LEGACY } else { 0 };
        code |= if is_closed { RANDOM_IS_CLOSED } else { 0 };
        let mut arrays = Vec::new();
        for end in ends {
            arrays.push(self.array_parameter_of_draws(Number::Int, end, span)?);
        }
        let is_of_arrays = arrays.iter().any(|value| self.has_axes(value));
        if *size == Value::None && !is_of_arrays {
            let (low, high) = (self.end_of_range(&arrays[0])?, self.end_of_range(&arrays[1])?);
            let code = self.builder.i64(code);
            let drawn = self.object_value(RANDOM_DRAW_INTEGER, vec![words, code, low, high], Type::Scalar(DType::I64));
            let scalar = self.convert(drawn, dtype);
            let is_python = matches!(given, Value::Builtin(_));
            return Some(if is_python { Value::python(scalar) } else { Value::numpy(scalar) });
        }
        let shape = match size {
            Value::None => self.broadcast_shape(&arrays, span)?,
            size => self.shape_of_size(size)?,
        };
        let mut columns = Vec::new();
        for end in &arrays {
            columns.push(match self.has_axes(end) {
                false => {
                    let end = self.end_of_range(end)?;
                    self.list_of_one(end, DType::I64)
                }
                true => self.list_parameter(Number::Int, end, &shape, span)?,
            });
        }
        let code = self.builder.i64(code);
        let operands = vec![words, code, columns[0], columns[1], shape.count];
        let drawn = self.object_value(RANDOM_DRAW_INTEGERS, operands, Type::Object);
        let array = self.array_of_words(drawn, dtype);
        Some(self.shaped(array, &shape, span))
    }

    fn end_of_range(&mut self, end: &Value) -> Option<ValueId> {
        if matches!(end, Value::LargeInt(_)) {
            let message = "an end of the range does not fit in 64 bits";
            self.refuse_draw(message, "draw the upper end, too: `rng.integers(0, 2**63 - 1, endpoint=True)`");
            return None;
        }
        self.scalar_parameter(Number::Int, end)
    }

    /// A truth that is known when compiling; `None` after a report.
    fn known_truth(&mut self, value: &Value) -> Option<bool> {
        let known = self.int_of(value);
        if known.is_none() {
            let message =
                format!("{} decides how is drawn, and is not known when compiling", value.describe(&self.builder));
            self.refuse_draw(message, "write `True` or `False`");
        }
        known.map(|n| n != 0)
    }

    /// `random_order(rng, n, count)`: so many permutations, one behind the other. `random_sample(rng, population, n, shuffle)`.
    pub fn random_order(&mut self, name: &str, call: &Call) -> Value {
        let [generator, first, second, rest @ ..] = call.positional.as_slice() else { return Value::Poison };
        let Some((_, lists)) = self.words_in(generator) else { return Value::Poison };
        let (Some(first), Some(second)) = (self.integer(first), self.integer(second)) else {
            return self.refuse_draw("numbers of draws are ints", "pass an int: `rng.permutation(n)`");
        };
        let drawn = match (name, rest.first()) {
            ("random_sample", Some(shuffle)) => {
                let shuffle = self.truth(shuffle, call.span);
                let operands = vec![lists[0], first, second, shuffle];
                self.object_value(RANDOM_DRAW_SAMPLE, operands, Type::Object)
            }
            _ => self.object_value(RANDOM_DRAW_ORDER, vec![lists[0], first, second], Type::Object),
        };
        Value::array(self.array_of_words(drawn, DType::I64))
    }

    /// `random_several(method, rng, n, parameters, times)`: draws of vectors, one behind the other.
    pub fn random_several(&mut self, call: &Call) -> Value {
        let [method, generator, n, Value::Typed(parameters), times] = call.positional.as_slice() else {
            return Value::Poison;
        };
        let (Some(method), Some((random, lists))) = (self.int_of(method), self.words_in(generator)) else {
            return Value::Poison;
        };
        let (Some(n), Some(times)) = (self.integer(n), self.integer(times)) else {
            return self.refuse_draw("numbers of draws are ints", "pass an int: `rng.multinomial(20, p, size=n)`");
        };
        let code = self.builder.i64(method | if random == Random::Legacy { RANDOM_IS_LEGACY } else { 0 });
        let gauss = lists.get(1).copied().unwrap_or(lists[0]);
        let list = self.list_of_words(parameters.value);
        let operands = vec![lists[0], gauss, code, n, list, times];
        let drawn = self.object_value(RANDOM_DRAW_SEVERAL, operands, Type::Object);
        let dtype = if method == 3 { DType::F64 } else { DType::I64 };
        Value::Typed(numptx_ir::functions::Typed { value: self.array_of_words(drawn, dtype), family: Family::Array })
    }

    /// What a value of a class of `np.random` holds; `None` of other values.
    pub fn words_in(&self, value: &Value) -> Option<(Random, Vec<ValueId>)> {
        let Value::Record(class, fields) = value else { return None };
        let random = Random::of(class)?;
        let word = |field: &Value| if let Value::Container(list) = field { Some(list.value) } else { None };
        Some((random, fields.iter().map(word).collect::<Option<_>>()?))
    }
}
