//! Shapes and memory orders given as arguments.

use numptx_source::code;

use super::binding::Call;
use super::error::{bad_argument, too_many_axes};
use super::value::{FunctionError, PyValue, Typed};
use crate::DType;
use crate::array::{Builder, ErrorKind, Layout, Order, OrderTerm, Reading, Type, ValueId};
use crate::scalar::{Constant, ScalarOp};

/// An extent as it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A host `int64`.
    Value(ValueId),
    /// The constant -1: to be inferred.
    Inferred,
}

/// The items of a shape argument: an integer, or a tuple or list of integers. A variadic one may hold a single tuple.
pub fn items(call: &Call, name: &str) -> Result<Vec<PyValue>, FunctionError> {
    let value = call.get(name).unwrap_or(PyValue::None);
    let items = match value {
        PyValue::Tuple(items) | PyValue::List(items) => items,
        single @ PyValue::Typed(_) => vec![single],
        _ => return Err(call.refuse(name, "an integer or a tuple of integers")),
    };
    Ok(match &items[..] {
        [PyValue::Tuple(inner) | PyValue::List(inner)] => inner.clone(),
        _ => items,
    })
}

/// A shape argument; -1 is kept apart. Other negative extents raise `ValueError`, constants when compiling.
pub fn extents_or_inferred(call: &mut Call, name: &str) -> Result<Vec<Extent>, FunctionError> {
    let items = items(call, name)?;
    if items.len() > super::error::MAX_RANK {
        return Err(too_many_axes(items.len()).at(call.position(name)));
    }
    let mut extents = Vec::new();
    for item in &items {
        let Some(extent) = call.integer_of(item) else {
            let found = call.describe(item);
            let message = format!("a shape of `{}` is made of integers, found {found}", call.function.name);
            return Err(bad_argument(message).at(call.position(name)));
        };
        match call.builder.as_i64(extent) {
            Some(-1) => extents.push(Extent::Inferred),
            Some(n) if n < 0 => {
                let message = format!("negative dimensions are not allowed, found {n}");
                return Err(FunctionError::new(code::BAD_SHAPE, message).at(call.position(name)));
            }
            Some(_) => extents.push(Extent::Value(extent)),
            None => {
                check_not_negative(call.builder, extent);
                extents.push(Extent::Value(extent));
            }
        }
    }
    Ok(extents)
}

fn check_not_negative(builder: &mut Builder, extent: ValueId) {
    let zero = builder.i64(0);
    let fine = builder.scalar(ScalarOp::Ge, &[extent, zero]);
    builder.check(fine, ErrorKind::Value, "negative dimensions are not allowed", &[]);
}

/// A shape argument.
pub fn extents(call: &mut Call, name: &str) -> Result<Vec<ValueId>, FunctionError> {
    let refuse = |call: &Call| {
        FunctionError::new(code::BAD_SHAPE, "negative dimensions are not allowed, found -1").at(call.position(name))
    };
    let extents = extents_or_inferred(call, name)?;
    let value = |e: Extent| if let Extent::Value(value) = e { Some(value) } else { None };
    extents.into_iter().map(value).collect::<Option<Vec<ValueId>>>().ok_or_else(|| refuse(call))
}

/// NumPy's error where a fresh array of several axes would have more bytes than an address reaches, be there an array or not. An axis alone is counted
/// by whoever runs along it.
pub fn check_bytes(builder: &mut Builder, extents: &[ValueId], dtype: DType) {
    let message = "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.";
    check_product(builder, extents, dtype.itemsize() as i64, message);
}

/// NumPy's error where a view of several axes would have more elements than can be counted.
pub fn check_elements(builder: &mut Builder, extents: &[ValueId]) {
    check_product(builder, extents, 1, "iterator is too large");
}

/// That a product of extents and a unit fits an `int64`: extents that are not constants are multiplied as floats, which do not wrap.
fn check_product(builder: &mut Builder, extents: &[ValueId], unit: i64, message: &str) {
    let constants = extents.iter().filter_map(|e| builder.as_i64(*e)).collect::<Vec<_>>();
    if extents.len() < 2 || constants.contains(&0) {
        return;
    }
    let known = constants.iter().try_fold(unit, |n, extent| n.checked_mul(*extent));
    let most = known.map_or(0, |known| i64::MAX / known.max(1));
    let variable: Vec<ValueId> = extents.iter().copied().filter(|e| builder.as_i64(*e).is_none()).collect();
    let fits = match variable[..] {
        [] => builder.constant(Constant::Bool(most > 0), DType::Bool),
        [extent] => {
            let most = builder.i64(most);
            builder.scalar(ScalarOp::Le, &[extent, most])
        }
        _ => {
            let factors: Vec<ValueId> = variable.iter().map(|e| builder.cast_scalar(*e, DType::F64)).collect();
            let product = factors[1..].iter().fold(factors[0], |a, b| builder.scalar(ScalarOp::Mul, &[a, *b]));
            let most = builder.constant(Constant::Float(most as f64), DType::F64);
            builder.scalar(ScalarOp::Lt, &[product, most])
        }
    };
    builder.check(fits, ErrorKind::Value, message, &[]);
}

/// The memory order that `order=` asks for, for a copy of `source` (its first term).
pub fn order(call: &Call, default: char, source: Option<ValueId>) -> Result<Order, FunctionError> {
    let letter = match call.given("order") {
        None => default,
        Some(PyValue::Str(text)) if text.len() == 1 => text.to_ascii_uppercase().chars().next().unwrap_or(default),
        Some(_) => return Err(call.refuse("order", "one of 'C', 'F', 'A' and 'K'")),
    };
    let layout = source.map_or(Layout::C, |v| layout(call.builder, v));
    let letter = match letter {
        'A' if layout == Layout::F => 'F',
        'A' if layout == Layout::C => 'C',
        'A' => return Err(call.refuse("order", "'C', 'F' or 'K' where the array's own order is not known")),
        letter => letter,
    };
    match letter {
        'C' => Ok(Order::C),
        'F' => Ok(Order::F),
        'K' if source.is_none() || layout == Layout::C => Ok(Order::C),
        'K' => Ok(Order::K(vec![OrderTerm::Copy(0)])),
        _ => Err(call.refuse("order", "one of 'C', 'F', 'A' and 'K'")),
    }
}

/// In which order `order=` asks to take an array's elements; `A` and `K` only where that is not known when compiling.
pub fn reading(call: &Call, array: ValueId) -> Result<Reading, FunctionError> {
    let letter = match call.given("order") {
        None => "C".to_string(),
        Some(PyValue::Str(text)) => text.to_ascii_uppercase(),
        Some(_) => return Err(call.refuse("order", "one of 'C', 'F', 'A' and 'K'")),
    };
    let is_vector = call.builder.rank(array) < 2;
    match (letter.as_str(), layout(call.builder, array)) {
        ("C", _) | ("A" | "K", Layout::C) => Ok(Reading::C),
        ("F", _) | ("A" | "K", Layout::F) => Ok(Reading::F),
        // A vector is read from its first element to its last, whatever its stride.
        ("A" | "K", _) if is_vector => Ok(Reading::C),
        ("A", _) => Ok(Reading::A),
        ("K", _) => Ok(Reading::K),
        _ => Err(call.refuse("order", "one of 'C', 'F', 'A' and 'K'")),
    }
}

/// What a copy of an array is made of, and in which memory order, as `order=` asks.
pub fn order_of_copy(call: &mut Call, default: char, source: Typed) -> Result<(Typed, Order), FunctionError> {
    let asks_for_a = matches!(call.given("order"), Some(PyValue::Str(text)) if text.eq_ignore_ascii_case("a"));
    if !asks_for_a || layout(call.builder, source.value) != Layout::Any {
        return Ok((source, order(call, default, Some(source.value))?));
    }
    if call.builder.rank(source.value) < 2 {
        return Ok((source, Order::C));
    }
    let value = call.builder.contiguous(source.value, Reading::A);
    Ok((Typed { value, ..source }, Order::K(vec![OrderTerm::Copy(0)])))
}

/// A shape in a message as NumPy writes it, `{}` for each extent: `({},)`, `({},{})`.
pub fn shape_text(rank: usize) -> String {
    match rank {
        1 => "({},)".to_string(),
        _ => format!("({})", vec!["{}"; rank].join(",")),
    }
}

/// What is known of an array's strides; scalars are C.
pub fn layout(builder: &Builder, value: ValueId) -> Layout {
    match builder.ty(value) {
        Type::Array(array) => array.layout,
        Type::Scalar(_) | Type::Object => Layout::C,
    }
}

/// The larger of two host integers.
pub fn maximum(builder: &mut Builder, a: ValueId, b: ValueId) -> ValueId {
    match (builder.as_i64(a), builder.as_i64(b)) {
        (Some(x), Some(y)) => builder.i64(x.max(y)),
        _ => builder.scalar(ScalarOp::Max, &[a, b]),
    }
}
