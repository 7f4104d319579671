//! All elements of an array, and all indices of a shape, in C order: `x.flat`, `np.ndindex`, `np.ndenumerate`; functions for single elements: `np.vectorize`.
//!
//! In: an array, or extents. Out: something to iterate; elements of `x.flat` read and written.

use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::functions::Family;
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};
use numptx_syntax::ast::{BinaryOp, Expr, Index};

use crate::indexing::places::{IndexArray, Item, Place};
use crate::lowerer::Lowerer;
use crate::values::call::{Call, single};
use crate::values::iterable::Iterable;
use crate::values::value::Value;

/// The array whose elements `x.flat` goes through.
pub(crate) fn array_of_flat(value: &Value) -> Option<ValueId> {
    match value {
        Value::Iterable(iterable) => match **iterable {
            Iterable::Elements(array) => Some(array),
            _ => None,
        },
        _ => None,
    }
}

/// An index array as an argument: the array, or the list of its elements.
fn array_of_index(index: &IndexArray) -> Value {
    match index.value {
        Some(value) => Value::array(value),
        None => Value::List(index.leaves.iter().map(|leaf| Value::python(*leaf)).collect()),
    }
}

impl Lowerer<'_> {
    /// `np.ndindex(shape)`, `np.ndindex(n, m)`, `np.ndenumerate(x)`
    pub fn indices_call(&mut self, name: &'static str, call: &Call) -> Value {
        if let Some((keyword, _, span)) = call.keywords.first() {
            let message = format!("`{name}` takes no keyword `{keyword}`");
            return self.refuse(code::UNKNOWN_KEYWORD, *span, message, "pass arguments by position");
        }
        if name == "numpy.ndenumerate" {
            let array = match call.positional.as_slice() {
                [value @ (Value::Typed(_) | Value::List(_) | Value::Tuple(_))] => {
                    self.call_on("numpy.asarray", std::slice::from_ref(value), call.span, &call.places)
                }
                _ => {
                    let message = "`numpy.ndenumerate` takes one array";
                    return self.refuse(code::BAD_ARGUMENT, call.span, message, "write `np.ndenumerate(x)`");
                }
            };
            let Some(array) = array.typed() else { return Value::Poison };
            let extents = self.extents(array.value);
            let both = vec![Iterable::Indices(extents), Iterable::Elements(array.value)];
            return Value::Iterable(Box::new(Iterable::Zip(both)));
        }
        let given = match call.positional.as_slice() {
            [Value::Tuple(items) | Value::List(items)] => items.clone(),
            items => items.to_vec(),
        };
        let mut extents = Vec::with_capacity(given.len());
        for value in given {
            let Some(extent) = self.integer(&value) else {
                let message = format!("`numpy.ndindex` takes ints, this is {}", value.describe(&self.builder));
                return self.refuse(code::BAD_ARGUMENT, call.span, message, "write `np.ndindex(x.shape)`");
            };
            if self.fact(extent).low < 0 {
                let zero = self.builder.i64(0);
                let fits = self.builder.scalar(ScalarOp::Le, &[zero, extent]);
                self.check(fits, ErrorKind::Value, "negative dimensions are not allowed", &[]);
            }
            extents.push(extent);
        }
        Value::Iterable(Box::new(Iterable::Indices(extents)))
    }

    /// The extents that `np.ndindex` is called with, or those of the array of `np.ndenumerate` and the array.
    pub fn axes_call(&mut self, is_enumerated: bool, call: &Call) -> Value {
        let name = if is_enumerated { "numpy.ndenumerate" } else { "numpy.ndindex" };
        let iterated = self.indices_call(name, call);
        let extents = |extents: &[ValueId]| Value::Tuple(extents.iter().copied().map(Value::python).collect());
        let Value::Iterable(iterable) = iterated else { return Value::Poison };
        match *iterable {
            Iterable::Indices(of) => Value::Tuple(vec![extents(&of)]),
            Iterable::Zip(both) => match both.as_slice() {
                [Iterable::Indices(of), Iterable::Elements(array)] => {
                    Value::Tuple(vec![extents(of), Value::array(*array)])
                }
                _ => Value::Poison,
            },
            _ => Value::Poison,
        }
    }

    /// The elements of an array in C order, as a new vector.
    pub fn flat_copy(&mut self, array: ValueId, span: Span) -> Value {
        let flat = self.call_on("numpy.ravel", &[Value::array(array)], span, &[span]);
        self.call_on("numpy.copy", &[flat], span, &[span])
    }

    /// The element that a single index of `x.flat` names.
    fn flat_element(&mut self, array: ValueId, index: ValueId) -> ValueId {
        let extents = self.extents(array);
        let size = self.size_of_all(&extents);
        let position = self.wrapped(index, size, "index {} is out of bounds for size {}", &[index, size]);
        self.element_at(array, position)
    }

    /// `x.flat[index]`: an element, or a new vector of elements.
    pub fn flat_item(&mut self, array: ValueId, indices: &[Index], span: Span) -> Value {
        let Some(items) = self.index_items(indices) else { return Value::Poison };
        if let [Item::At(index, _)] = items.as_slice() {
            let element = self.flat_element(array, *index);
            return self.load(element);
        }
        if let [Item::Array(index)] = items.as_slice() {
            let index = array_of_index(index);
            return self.call_own("read_flat_at", "numpy.flatiter", vec![Value::array(array), index], span);
        }
        let flat = self.flat_copy(array, span);
        let Some(flat) = flat.typed() else { return Value::Poison };
        match self.place_at(flat.value, items, span) {
            Some(Place::View(view)) => Value::array(view),
            Some(Place::Element(view)) => self.load(view),
            Some(Place::Masked { array, mask }) => self.chosen(array, mask, span),
            Some(Place::Selected(selection)) => self.gather(&selection),
            None => Value::Poison,
        }
    }

    /// `x.flat[index] = value`: values again and again, as often as there are elements.
    pub fn set_flat_item(&mut self, array: ValueId, indices: &[Index], value: Value, span: Span) {
        let Some(items) = self.index_items(indices) else { return };
        if let [Item::At(index, _)] = items.as_slice() {
            let element = self.flat_element(array, *index);
            return self.set_item(Place::Element(element), value, span);
        }
        if let [Item::Array(index)] = items.as_slice() {
            let index = array_of_index(index);
            self.call_own("write_flat_at", "numpy.flatiter", vec![Value::array(array), index, value], span);
            return;
        }
        let extents = self.extents(array);
        let size = self.size_of_all(&extents);
        let all = self.call_on("numpy.arange", &[Value::python(size)], span, &[span]);
        let Some(all) = all.typed() else { return };
        let places = match self.place_at(all.value, items, span) {
            Some(Place::View(view)) => Value::array(view),
            Some(Place::Element(view)) => self.load(view),
            Some(Place::Masked { array, mask }) => self.chosen(array, mask, span),
            Some(Place::Selected(selection)) => self.gather(&selection),
            None => return,
        };
        self.call_own("write_flat", "numpy.flatiter", vec![Value::array(array), places, value], span);
    }

    /// `x.flat[index] op= value`
    pub fn augmented_flat(
        &mut self,
        array: ValueId,
        (target, indices): (Span, &[Index]),
        op: BinaryOp,
        value: &Expr,
        span: Span,
    ) {
        let current = self.flat_item(array, indices, target);
        let operand = self.expression(value);
        let result = match current.typed() {
            Some(elements) if elements.family == Family::Array => {
                self.in_place_result(elements.value, op, operand, span, value.span).map(Value::array)
            }
            Some(_) => Some(self.binary(op, current, operand, span, [target, value.span])),
            None => None,
        };
        if let Some(result) = result.filter(|result| !result.is_poison()) {
            self.set_flat_item(array, indices, result, target);
        }
    }

    /// `x.flat = value`
    pub fn set_flat(&mut self, array: ValueId, value: Value, span: Span) {
        let extents = self.extents(array);
        let size = self.size_of_all(&extents);
        let all = self.call_on("numpy.arange", &[Value::python(size)], span, &[span]);
        self.call_own("write_flat", "numpy.flatiter", vec![Value::array(array), all, value], span);
    }

    /// `np.repeat` of each element as often as an array says; `None` of other calls.
    pub fn repeated_each(&mut self, name: &str, owner: Option<&Value>, call: &Call) -> Option<Value> {
        if !matches!(name, "numpy.repeat" | "ndarray.repeat") {
            return None;
        }
        let mut positional = owner.into_iter().chain(&call.positional).cloned();
        let (mut array, mut repeats, mut axis) = (positional.next(), positional.next(), positional.next());
        for (keyword, value, _) in &call.keywords {
            match keyword.as_str() {
                "a" => array = Some(value.clone()),
                "repeats" => repeats = Some(value.clone()),
                "axis" => axis = Some(value.clone()),
                _ => return None,
            }
        }
        let (array, repeats) = (array?, repeats?);
        let is_array = match &repeats {
            Value::Typed(typed) => self.builder.rank(typed.value) == 1,
            Value::List(_) | Value::Tuple(_) | Value::Filled(_) | Value::Container(_) => true,
            _ => false,
        };
        if !is_array {
            return None;
        }
        let repeats = match repeats {
            Value::Typed(_) => repeats,
            list => self.table_call("numpy.array", None, single(list, call.span)),
        };
        let array = match array {
            Value::Typed(typed) if typed.family == Family::Array => Value::Typed(typed),
            other => self.table_call("numpy.asarray", None, single(other, call.span)),
        };
        let axis = axis.unwrap_or(Value::None);
        if repeats.is_poison() || array.is_poison() {
            return Some(Value::Poison);
        }
        Some(self.call_own("repeated_each", "numpy.repeat", vec![array, repeats, axis], call.span))
    }

    /// `np.vectorize(function, otypes=…)`
    pub fn vectorize_call(&mut self, call: &Call) -> Value {
        let (mut function, mut otypes) = (None, Value::None);
        for (n, value) in call.positional.iter().enumerate() {
            match n {
                0 => function = Some(value.clone()),
                1 => otypes = value.clone(),
                _ => return self.refuse_vectorize(call.places[n]),
            }
        }
        for (name, value, span) in &call.keywords {
            match name.as_str() {
                "pyfunc" if function.is_none() => function = Some(value.clone()),
                "otypes" => otypes = value.clone(),
                "doc" | "cache" => {}
                _ if *value == Value::None => {}
                _ => return self.refuse_vectorize(*span),
            }
        }
        let otypes = match otypes {
            Value::None => Some(Vec::new()),
            Value::List(items) | Value::Tuple(items) => items.iter().map(Value::as_dtype).collect(),
            single => single.as_dtype().map(|dtype| vec![dtype]),
        };
        let is_function = |v: &Value| {
            matches!(
                v,
                Value::UserFunction(_)
                    | Value::Closure(_)
                    | Value::TableFunction(_)
                    | Value::Builtin(_)
                    | Value::DType(_)
            )
        };
        match (function.filter(is_function), otypes) {
            (Some(function), Some(otypes)) => {
                let dtypes = otypes.into_iter().map(Value::DType).collect();
                Value::Elementwise(Box::new(function), dtypes)
            }
            _ => self.refuse_vectorize(call.span),
        }
    }

    fn refuse_vectorize(&mut self, span: Span) -> Value {
        let message = "`numpy.vectorize` takes a function, and `otypes` as a list of dtypes";
        let help = "hold other arguments in a `lambda`: `np.vectorize(lambda v: f(v, n))(x)`";
        self.refuse(code::BAD_ARGUMENT, span, message, help)
    }

    /// A call of what `np.vectorize` gave.
    pub fn call_elementwise(&mut self, function: &Value, dtypes: &[Value], call: Call) -> Value {
        if let Some((_, _, span)) = call.keywords.first() {
            let message = "a function of `numpy.vectorize` takes no keywords here";
            return self.refuse(code::UNKNOWN_KEYWORD, *span, message, "pass arguments by position");
        }
        if call.positional.is_empty() {
            let message = "a function of `numpy.vectorize` needs arguments";
            return self.refuse(code::MISSING_ARGUMENT, call.span, message, "pass an array: `f(x)`");
        }
        let mut positional = vec![function.clone(), Value::Tuple(dtypes.to_vec())];
        positional.extend(call.positional);
        let mut places = vec![call.span; 2];
        places.extend(call.places);
        self.call_own_with(
            "vectorized",
            "numpy.vectorize",
            Call { positional, keywords: Vec::new(), places, span: call.span },
        )
    }
}
