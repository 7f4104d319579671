//! `np.nditer`: the elements of several arrays together, in the order in which they lie in memory, read only.
//!
//! In: a call. Out: something to iterate, and in the loop over it the place of the element, `it.multi_index`. An array without gaps in NumPy's K order of
//! all operands tells where each element stands: nothing but its strides is looked at. Axes along which all operands lie backwards are turned around.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Layout, OpKind, Order, OrderTerm, Type, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};

use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::iterable::{Iterable, Ordered};
use crate::values::value::Value;

const FORM: &str = "write `for v in np.nditer(x):`, or `it = np.nditer(x, flags=[\"multi_index\"])`, `for v in it:` and there `it.multi_index`";
const WRITE: &str =
    "write by indices: `for i, j in np.ndindex(x.shape): x[i, j] = f(x[i, j])`, or whole arrays: `x[...] = f(x)`";

/// What a call asks for.
struct Wish {
    tracked: &'static str,
    takes_nothing: bool,
    order: char,
}

impl Lowerer<'_> {
    /// `np.nditer(x)`, `np.nditer([x, y], flags=[…], order=…)`
    pub fn nditer_call(&mut self, call: &Call) -> Value {
        let Some(wish) = self.nditer_wish(call) else { return Value::Poison };
        let (given, is_single) = match call.positional.first() {
            Some(Value::Tuple(items) | Value::List(items)) => (items.clone(), false),
            Some(value) => (vec![value.clone()], true),
            None => return self.refuse(code::MISSING_ARGUMENT, call.span, "`numpy.nditer` takes arrays", FORM),
        };
        let mut arrays = Vec::with_capacity(given.len());
        for value in &given {
            let array = self.call_on("numpy.asarray", std::slice::from_ref(value), call.span, &[call.span]);
            let Some(array) = array.typed() else { return Value::Poison };
            arrays.push(Value::array(array.value));
        }
        if arrays.len() > 1 {
            arrays = match self.call_on("numpy.broadcast_arrays", &arrays, call.span, &[call.span]) {
                Value::Tuple(items) | Value::List(items) => items,
                _ => return Value::Poison,
            };
        }
        let arrays: Vec<ValueId> = arrays.iter().filter_map(Value::typed).map(|typed| typed.value).collect();
        let Some(first) = arrays.first() else {
            return self.refuse(code::MISSING_ARGUMENT, call.span, "`numpy.nditer` takes arrays", FORM);
        };
        let extents = self.extents(*first);
        if !wish.takes_nothing {
            let (size, zero) = (self.size_of_all(&extents), self.builder.i64(0));
            let fits = self.builder.scalar(ScalarOp::Gt, &[size, zero]);
            self.check(fits, ErrorKind::Value, "Iteration of zero-sized operands is not enabled", &[]);
        }
        let (strides, backwards) = match wish.order {
            'C' => (self.packed(&extents, false), Vec::new()),
            'F' => (self.packed(&extents, true), Vec::new()),
            _ => self.order_of_memory(&arrays, &extents),
        };
        let arrays = arrays.into_iter().map(|array| self.builder.read_only(array)).collect();
        self.loops.iterators.n_made += 1;
        let (number, depth) = (self.loops.iterators.n_made, self.builder.region_depth());
        let ordered = Ordered { arrays, extents, strides, backwards, is_single, tracked: wish.tracked, number, depth };
        Value::Iterable(Box::new(Iterable::Ordered(Box::new(ordered))))
    }

    /// `None` after a report.
    fn nditer_wish(&mut self, call: &Call) -> Option<Wish> {
        const PARAMETERS: &[&str] = &["op", "flags", "op_flags", "op_dtypes", "order", "casting", "op_axes"];
        let mut wish = Wish { tracked: "", takes_nothing: false, order: 'K' };
        let by_position = call.positional.iter().zip(PARAMETERS).zip(&call.places).skip(1);
        let by_position = by_position.map(|((value, name), span)| ((*name).to_string(), value.clone(), *span));
        let given: Vec<(String, Value, Span)> = by_position.chain(call.keywords.iter().cloned()).collect();
        for (name, value, span) in given {
            match (name.as_str(), &value) {
                (_, Value::None) => {}
                ("flags", Value::List(flags) | Value::Tuple(flags)) => {
                    for flag in flags {
                        match text_of(flag) {
                            "multi_index" => wish.tracked = "multi_index",
                            "c_index" => wish.tracked = "c_index",
                            "f_index" => wish.tracked = "f_index",
                            "zerosize_ok" => wish.takes_nothing = true,
                            "refs_ok" => {}
                            other => {
                                let message = format!("the flag `{other}` of `numpy.nditer` is not compiled");
                                self.refuse(code::BAD_ARGUMENT, span, message, FORM);
                                return None;
                            }
                        }
                    }
                }
                ("op_flags", value) if only_reads(value) => {}
                ("op_flags", _) => {
                    self.refuse(code::BAD_ARGUMENT, span, "`numpy.nditer` is compiled to read, not to write", WRITE);
                    return None;
                }
                ("order", Value::Str(order)) if matches!(order.as_str(), "C" | "F" | "K") => {
                    wish.order = order.chars().next().unwrap_or('K');
                }
                _ => {
                    let message = format!("`{name}` of `numpy.nditer` is not compiled with this value");
                    self.refuse(code::BAD_ARGUMENT, span, message, FORM);
                    return None;
                }
            }
        }
        Some(wish)
    }

    /// Elements before the next one along each axis, in C or F order.
    fn packed(&mut self, extents: &[ValueId], first_fastest: bool) -> Vec<ValueId> {
        let mut strides = vec![self.builder.i64(1); extents.len()];
        let mut axes: Vec<usize> = (0..extents.len()).collect();
        if !first_fastest {
            axes.reverse();
        }
        for pair in axes.windows(2) {
            strides[pair[1]] = self.builder.scalar(ScalarOp::Mul, &[strides[pair[0]], extents[pair[0]]]);
        }
        strides
    }

    fn order_of_memory(&mut self, arrays: &[ValueId], extents: &[ValueId]) -> (Vec<ValueId>, Vec<ValueId>) {
        let layout = |s: &Self, v: &ValueId| match s.builder.ty(*v) {
            Type::Array(array) if array.rank > 0 => array.layout,
            _ => Layout::C,
        };
        for known in [Layout::C, Layout::F] {
            if arrays.iter().all(|v| layout(self, v) == known) {
                return (self.packed(extents, known == Layout::F), Vec::new());
            }
        }
        let strides = match extents.len() {
            0 | 1 => self.packed(extents, false),
            rank => {
                let order = Order::K((0..arrays.len()).map(OrderTerm::Input).collect());
                let kind = OpKind::Alloc { dtype: DType::U8, order };
                let like = self.builder.emit(kind, [extents, arrays].concat())[0];
                (0..rank).map(|axis| self.builder.stride(like, axis)).collect()
            }
        };
        let backwards = (0..extents.len()).map(|axis| self.lies_backwards(arrays, axis)).collect();
        (strides, backwards)
    }

    /// Whether no operand goes forwards along an axis, and one goes backwards.
    fn lies_backwards(&mut self, arrays: &[ValueId], axis: usize) -> ValueId {
        let zero = self.builder.i64(0);
        let (mut none, mut some) = (self.bool_id(true), self.bool_id(false));
        for array in arrays {
            let stride = self.builder.stride(*array, axis);
            let is_not_up = self.builder.scalar(ScalarOp::Le, &[stride, zero]);
            let is_down = self.builder.scalar(ScalarOp::Lt, &[stride, zero]);
            none = self.builder.scalar(ScalarOp::BitAnd, &[none, is_not_up]);
            some = self.builder.scalar(ScalarOp::BitOr, &[some, is_down]);
        }
        self.builder.scalar(ScalarOp::BitAnd, &[none, some])
    }

    /// The element at a position, an array of rank 0, or a tuple of one for each operand.
    pub fn ordered_element(&mut self, ordered: &Ordered, position: ValueId) -> Value {
        if self.loops.iterators.named.contains(&ordered.number)
            && !self.loops.iterators.finished.contains(&ordered.number)
        {
            let span = self.builder.span();
            let message = "an iterator of `numpy.nditer` that has a name is gone through by a `for` statement";
            return self.refuse(code::UNSUPPORTED_ITERATION, span, message, FORM);
        }
        let indices = self.ordered_indices(ordered, position);
        let view = |s: &mut Self, array: &ValueId| {
            Value::array(indices.iter().fold(*array, |view, index| s.builder.index(view, 0, *index)))
        };
        let mut elements: Vec<Value> = ordered.arrays.iter().map(|array| view(self, array)).collect();
        self.loops.iterators.present.retain(|(number, _)| *number != ordered.number);
        self.loops.iterators.present.push((ordered.number, indices));
        if ordered.is_single { elements.pop().unwrap_or(Value::Poison) } else { Value::Tuple(elements) }
    }

    fn ordered_indices(&mut self, ordered: &Ordered, position: ValueId) -> Vec<ValueId> {
        let zero = self.builder.i64(0);
        let one = self.builder.i64(1);
        if ordered.extents.len() == 1 && ordered.backwards.is_empty() {
            return vec![position];
        }
        let mut indices = Vec::with_capacity(ordered.extents.len());
        for (axis, extent) in ordered.extents.iter().enumerate() {
            let stride = self.builder.scalar(ScalarOp::Max, &[ordered.strides[axis], one]);
            let rows = self.builder.scalar(ScalarOp::FloorDiv, &[position, stride]);
            let mut index = self.builder.scalar(ScalarOp::Mod, &[rows, *extent]);
            if let Some(backwards) = ordered.backwards.get(axis) {
                let last = self.builder.scalar(ScalarOp::Sub, &[*extent, one]);
                let other = self.builder.scalar(ScalarOp::Sub, &[last, index]);
                index = self.builder.scalar(ScalarOp::Select, &[*backwards, other, index]);
            }
            if self.builder.as_i64(index).is_none() {
                let fact = self.numbers.facts.counter(&self.builder, zero, *extent);
                self.numbers.facts.set(index, fact);
            }
            indices.push(index);
        }
        indices
    }

    /// Marks an iterator as gone through; refused where that is the second time. `false` after a report.
    pub fn enter_nditer(&mut self, ordered: &Ordered, span: Span) -> bool {
        let is_again = self.loops.iterators.finished.contains(&ordered.number);
        if is_again || self.builder.region_depth() != ordered.depth {
            let message = "an iterator of `numpy.nditer` is gone through once, where it is made";
            self.refuse(code::UNSUPPORTED_ITERATION, span, message, FORM);
            return false;
        }
        self.loops.iterators.finished.push(ordered.number);
        true
    }

    /// `it.multi_index`, `it.index`, `it.itersize`, and with `multi_index` `it.shape` and `it.ndim`.
    pub fn nditer_attribute(&mut self, ordered: &Ordered, name: &str, span: Span) -> Value {
        let is_several = ordered.tracked == "multi_index";
        let is_over = self.loops.iterators.finished.contains(&ordered.number)
            && !self.loops.iterators.present.iter().any(|(number, _)| *number == ordered.number);
        let present = self.loops.iterators.present.iter().find(|(number, _)| *number == ordered.number);
        let present = present.map(|(_, indices)| indices.clone());
        let ints = |values: &[ValueId]| Value::Tuple(values.iter().copied().map(Value::python).collect());
        match (name, present) {
            ("multi_index", Some(indices)) if is_several => ints(&indices),
            ("index", Some(indices)) if !is_several && !ordered.tracked.is_empty() => {
                let strides = self.packed(&ordered.extents, ordered.tracked == "f_index");
                let mut place = self.builder.i64(0);
                for (index, stride) in indices.iter().zip(&strides) {
                    let along = self.builder.scalar(ScalarOp::Mul, &[*index, *stride]);
                    place = self.builder.scalar(ScalarOp::Add, &[place, along]);
                }
                Value::python(place)
            }
            ("itersize", _) => Value::python(self.size_of_all(&ordered.extents)),
            ("nop", _) => self.int(ordered.arrays.len() as i64),
            ("shape", _) if is_several && !is_over => ints(&ordered.extents),
            ("ndim", _) if is_several => self.int(ordered.extents.len() as i64),
            _ => {
                let message = format!("`{name}` of `numpy.nditer` is not compiled here");
                self.refuse(code::UNKNOWN_ATTRIBUTE, span, message, FORM)
            }
        }
    }
}

/// What an iterator of `np.nditer` goes through.
pub(crate) fn ordered_of(value: &Value) -> Option<Ordered> {
    match value {
        Value::Iterable(iterable) => match &**iterable {
            Iterable::Ordered(ordered) => Some((**ordered).clone()),
            _ => None,
        },
        _ => None,
    }
}

fn text_of(value: &Value) -> &str {
    if let Value::Str(text) = value { text } else { "" }
}

/// Whether flags of operands, or lists of them, say no more than that they are read.
fn only_reads(value: &Value) -> bool {
    match value {
        Value::Str(text) => text == "readonly",
        Value::List(items) | Value::Tuple(items) => items.iter().all(only_reads),
        _ => false,
    }
}
