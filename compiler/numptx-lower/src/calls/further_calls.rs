//! Calls of NumPy's functions with arguments that their rows do not take, and that functions of the library do: slices, lists of run time, arrays
//! instead of numbers, and methods of ufuncs of one operand.
//!
//! In: a call of a function of the table. Out: its value, or nothing where the row takes the arguments, or refuses them.

use numptx_ir::functions::lowering::Splitting;
use numptx_ir::functions::parameters::parameters;
use numptx_ir::functions::{Class, Family, lookup};
use numptx_source::Span;
use numptx_syntax::ast::Index;

use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::container_types::{Member, Sort};
use crate::values::iterable::is_range;
use crate::values::value::Value;

/// Functions that join arrays.
const JOINING: &[&str] = &[
    "numpy.concatenate",
    "numpy.concat",
    "numpy.stack",
    "numpy.vstack",
    "numpy.hstack",
    "numpy.dstack",
    "numpy.column_stack",
];

/// So many parts, if that is known when compiling, are a list of static length.
const MAX_KNOWN_PARTS: i64 = 1024;

/// Whether a function joins arrays, whose lengths may differ.
pub(crate) fn is_joining(name: &str) -> bool {
    JOINING.contains(&name)
}

/// How a function takes an array apart between positions, if it does.
pub(crate) fn splitting(name: &str) -> Option<Splitting> {
    lookup(name)?.lowering.splitting
}

/// An argument by the name of its parameter.
type Given = (String, Value, Span);

impl Lowerer<'_> {
    /// The value of such a call.
    pub fn further_call(&mut self, name: &str, call: &Call) -> Option<Value> {
        if let Some(owner) = name.strip_suffix(".at") {
            return self.at_of_one_operand(owner, name, call);
        }
        if let Some(splitting) = splitting(name) {
            return self.split_at_run_time(name, splitting, call);
        }
        if !is_joining(name)
            && !matches!(name, "numpy.linspace" | "numpy.fill_diagonal" | "numpy.delete" | "numpy.insert")
        {
            return None;
        }
        let row = lookup(name)?;
        let given = given(row.parameters, call)?;
        let value_of = |wanted: &str| given.iter().find(|(own, ..)| own == wanted).map(|(_, value, _)| value);
        let function = match name {
            "numpy.linspace" => {
                let bounds = ["start", "stop"].map(|name| value_of(name).is_some_and(|v| self.is_several(v)));
                (bounds[0] || bounds[1]).then_some("spaced_between")
            }
            "numpy.fill_diagonal" => {
                let is_matrix = value_of("a").and_then(Value::typed).is_some_and(|a| self.builder.rank(a.value) == 2);
                let is_number = !value_of("val").is_some_and(|v| self.is_several(v));
                (!is_matrix || !is_number || value_of("wrap").is_some()).then_some("filled_along_diagonal")
            }
            "numpy.delete" if matches!(value_of("obj"), Some(Value::Slice(_))) => Some("without_slice"),
            "numpy.insert" if matches!(value_of("obj"), Some(Value::Slice(_))) => Some("with_slice_inserted"),
            _ if is_joining(name) => {
                let is_several = match call.positional.first() {
                    Some(Value::Container(list)) => list.sort == Sort::List,
                    Some(Value::Filled(_)) => true,
                    Some(Value::Typed(array)) => self.builder.rank(array.value) > 1,
                    _ => false,
                };
                is_several.then_some(if name == "numpy.stack" { "stacked_along" } else { "joined_members" })
            }
            _ => None,
        }?;
        let mut keywords = given;
        if is_joining(name) {
            if keywords.iter().any(|(own, ..)| !matches!(own.as_str(), "arrays" | "tup" | "axis")) {
                return None;
            }
            keywords[0].0 = "members".to_owned();
            if function == "joined_members" {
                let way = name.trim_start_matches("numpy.").to_owned();
                keywords.push(("way".to_owned(), Value::Str(way), call.span));
            }
        }
        let call = Call { positional: Vec::new(), keywords, places: Vec::new(), span: call.span };
        Some(self.call_own_with(function, row.name, call))
    }

    /// `np.split(x, positions)` and its like, where the positions, or the number of parts, are known at run time: a list of run time.
    fn split_at_run_time(&mut self, name: &str, splitting: Splitting, call: &Call) -> Option<Value> {
        let row = lookup(name)?;
        let given = given(row.parameters, call)?;
        let value_of = |wanted: &str| given.iter().find(|(own, ..)| own == wanted).map(|(_, value, _)| value.clone());
        let array = value_of("ary")?.typed()?;
        let rank = self.builder.rank(array.value);
        let axis = match (splitting.axis, value_of("axis")) {
            (Some(axis), _) => axis.min(rank as i64 - 1),
            (None, None) => 0,
            (None, Some(axis)) => self.int_of(&axis)?,
        };
        if rank < splitting.least || rank == 0 || !(-(rank as i64)..rank as i64).contains(&axis) {
            return None;
        }
        let axis = self.int(axis.rem_euclid(rank as i64));
        let array = Value::Typed(array);
        let parts = value_of("indices_or_sections")?;
        let (function, mut arguments) = match &parts {
            Value::Typed(typed) if self.builder.rank(typed.value) == 0 => {
                let is_integer = self.builder.dtype(typed.value).is_integer();
                if !is_integer || self.int_of(&parts).is_some_and(|n| n <= MAX_KNOWN_PARTS) {
                    return None;
                }
                let parts = Value::python(self.integer(&parts)?);
                ("parts_of_number", vec![array, parts, axis])
            }
            positions if self.is_of_positions(positions) => ("parts_between", vec![array, parts, axis]),
            _ => return None,
        };
        if function == "parts_of_number" {
            arguments.push(self.bool(splitting.is_equal));
        }
        Some(self.call_own(function, row.name, arguments, call.span))
    }

    /// Whether a value is a list of run time, or an array of one axis, of integers.
    fn is_of_positions(&self, value: &Value) -> bool {
        let is_vector = |array| self.builder.rank(array) == 1 && self.builder.dtype(array).is_integer();
        match value {
            Value::Typed(typed) => is_vector(typed.value),
            Value::Filled(list) => is_vector(list.array),
            Value::Container(list) if matches!(list.sort, Sort::List | Sort::Tuple) => {
                match self.containers.member(list.ty) {
                    Member::Scalar { dtype, .. } => dtype.is_integer(),
                    member => member == Member::Unknown,
                }
            }
            other => is_range(other),
        }
    }

    /// Whether a value is an array with axes, or a list.
    fn is_several(&self, value: &Value) -> bool {
        match value {
            Value::Typed(typed) => self.builder.rank(typed.value) > 0,
            Value::List(_) | Value::Tuple(_) | Value::Filled(_) | Value::Container(_) => true,
            _ => false,
        }
    }

    /// `np.negative.at(x, k)`: elements replaced by what the function makes of them, once for each time that an index names them.
    fn at_of_one_operand(&mut self, owner: &str, name: &str, call: &Call) -> Option<Value> {
        let Class::Map(row) = &lookup(owner)?.class else { return None };
        let [array, indices] = call.positional.as_slice() else { return None };
        let is_array = array.typed().is_some_and(|a| a.family == Family::Array);
        if row.n_inputs != 1 || !is_array || !call.keywords.is_empty() {
            return None;
        }
        let shown = lookup(name)?.name;
        let arguments = vec![Value::TableFunction(owner.to_owned()), array.clone(), indices.clone()];
        Some(self.call_own("applied_at", shown, arguments, call.span))
    }

    /// `slice(lower, upper, step)`
    pub fn slice_call(&mut self, call: &Call) -> Value {
        let value = match call.positional.as_slice() {
            [upper] => [Value::None, upper.clone(), Value::None],
            [lower, upper] => [lower.clone(), upper.clone(), Value::None],
            [lower, upper, step] => [lower.clone(), upper.clone(), step.clone()],
            _ => return self.refuse_count("slice", "slice(1, n)", call),
        };
        Value::Slice(Box::new(value))
    }

    /// `np.s_[indices]`: what stands in the brackets, as a value.
    pub fn index_as_value(&mut self, indices: &[Index]) -> Value {
        let mut members = Vec::with_capacity(indices.len());
        for index in indices {
            members.push(match index {
                Index::Expr(expr) => self.expression(expr),
                Index::Slice { lower, upper, step, .. } => {
                    let bounds = [lower, upper, step];
                    let bounds = bounds.map(|bound| bound.as_ref().map_or(Value::None, |expr| self.expression(expr)));
                    Value::Slice(Box::new(bounds))
                }
                Index::NewAxis(_) => Value::None,
                Index::Ellipsis(_) => Value::Ellipsis,
            });
        }
        if members.iter().any(Value::is_poison) {
            return Value::Poison;
        }
        if members.len() == 1 { members.remove(0) } else { Value::Tuple(members) }
    }
}

/// The arguments by the names of a row's parameters; nothing where they do not fit.
fn given(text: &'static str, call: &Call) -> Option<Vec<Given>> {
    let list = parameters(text);
    if call.positional.len() > list.len() {
        return None;
    }
    let places = call.places.iter().copied().chain(std::iter::repeat(call.span));
    let positional = list.iter().zip(&call.positional).zip(places);
    let mut given: Vec<Given> = positional.map(|((p, value), span)| (p.name.to_owned(), value.clone(), span)).collect();
    for (name, value, span) in &call.keywords {
        let is_new = list.iter().any(|p| p.name == name) && given.iter().all(|(own, ..)| own != name);
        if !is_new {
            return None;
        }
        given.push((name.clone(), value.clone(), *span));
    }
    Some(given)
}
