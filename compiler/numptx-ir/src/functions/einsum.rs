//! `einsum`: a sum of products whose axes have names.
//!
//! In: a text that names each operand's axes, known when compiling, and the operands. Out: views for repeated names, sums over names that one operand alone
//! has, and contractions of two operands at a time, those first that leave the fewest axes.

use numptx_source::code;

use super::binding::Call;
use super::elementwise::{self, check_same_extent};
use super::linear::{Named, contract_named};
use super::output;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{Class, Function, convert, creation};
use crate::DType;
use crate::array::ValueId;
use crate::promotion::Casting;
use crate::scalar::{Body, Reducer};

/// The rows.
pub const TABLE: &[Function] =
    &[Function::new("numpy.einsum", "*operands, out=None, optimize=False, **kwargs", Class::Contract(einsum))
        .ulp(16)
        .doc("sums of products over axes that a text names; in C order")
        .example("np.einsum('ij,kj->ik', y, y)")];

/// An axis: a letter, or a number from 1 on for those that `...` stands for, counted from the last.
type Name = char;

fn wrong(message: impl Into<String>) -> FunctionError {
    FunctionError::new(code::BAD_ARGUMENT, message).help("name each axis by a letter: `np.einsum('ij,jk->ik', a, b)`")
}

/// What the text says.
struct Subscripts {
    operands: Vec<Vec<Name>>,
    result: Vec<Name>,
}

impl Subscripts {
    fn of(text: &str, ranks: &[usize]) -> Result<Subscripts, FunctionError> {
        let text: String = text.chars().filter(|c| *c != ' ').collect();
        let (given, result) = match text.split_once("->") {
            Some((given, result)) => (given, Some(result)),
            None => (text.as_str(), None),
        };
        let given: Vec<&str> = given.split(',').collect();
        if given.len() != ranks.len() {
            let message =
                format!("`numpy.einsum`: `{text}` names {} operands, and there are {}", given.len(), ranks.len());
            return Err(wrong(message));
        }
        let mut operands = Vec::new();
        for (text, rank) in given.iter().zip(ranks) {
            let (before, after) = letters(text)?;
            let n_letters = before.len() + after.as_ref().map_or(0, Vec::len);
            let others = rank.checked_sub(n_letters).filter(|others| *others == 0 || after.is_some());
            let Some(others) = others else {
                let message = format!("`numpy.einsum`: `{text}` names {n_letters} axes of an operand that has {rank}");
                return Err(wrong(message));
            };
            operands.push([before, others_from_last(others), after.unwrap_or_default()].concat());
        }
        let most = operands.iter().map(|names| names.iter().filter(|n| !n.is_ascii_alphabetic()).count()).max();
        let others = others_from_last(most.unwrap_or(0));
        let result = match result {
            Some(text) => {
                let (before, after) = letters(text)?;
                let has_others = after.is_some();
                if !has_others && !others.is_empty() {
                    return Err(wrong(format!("`numpy.einsum`: `...` stands for axes that `{text}` has no place for")));
                }
                [before, if has_others { others } else { Vec::new() }, after.unwrap_or_default()].concat()
            }
            None => {
                let all: Vec<Name> = operands.concat();
                let is_single = |name: &Name| all.iter().filter(|n| *n == name).count() == 1;
                let mut single: Vec<Name> =
                    all.iter().copied().filter(|n| n.is_ascii_alphabetic() && is_single(n)).collect();
                single.sort_unstable();
                [others, single].concat()
            }
        };
        for (position, name) in result.iter().enumerate() {
            if result[..position].contains(name) {
                return Err(wrong(format!("`numpy.einsum`: the result has axis `{name}` twice")));
            }
            if !operands.iter().any(|names| names.contains(name)) {
                return Err(wrong(format!("`numpy.einsum`: no operand has axis `{name}` of the result")));
            }
        }
        Ok(Subscripts { operands, result })
    }
}

/// Letters before and behind `...`; no second list where there is none.
fn letters(text: &str) -> Result<(Vec<Name>, Option<Vec<Name>>), FunctionError> {
    let checked = |part: &str| match part.chars().find(|c| !c.is_ascii_alphabetic()) {
        Some(other) => Err(wrong(format!("`numpy.einsum`: `{other}` in `{text}` is no letter"))),
        None => Ok(part.chars().collect::<Vec<Name>>()),
    };
    match text.split_once("...") {
        Some((before, after)) => Ok((checked(before)?, Some(checked(after)?))),
        None => Ok((checked(text)?, None)),
    }
}

fn others_from_last(n: usize) -> Vec<Name> {
    (1..=n as u8).rev().map(char::from).collect()
}

fn einsum(call: &mut Call) -> Result<PyValue, FunctionError> {
    let given = match call.get("operands") {
        Some(PyValue::Tuple(given)) => given,
        _ => Vec::new(),
    };
    let Some((PyValue::Str(text), given)) = given.split_first() else {
        return Err(wrong("`numpy.einsum` takes a constant text that names the axes first"));
    };
    let mut operands = Vec::new();
    for value in given {
        let typed = match value {
            PyValue::Typed(typed) => *typed,
            PyValue::List(_) | PyValue::Tuple(_) => convert::array_of_display(call.builder, value, None)?,
            _ => return Err(wrong("`numpy.einsum` takes arrays behind its text")),
        };
        operands.push(convert::to_array(call.builder, typed));
    }
    let ranks: Vec<usize> = operands.iter().map(|operand| call.builder.rank(operand.value)).collect();
    let Subscripts { operands: names, result } = Subscripts::of(text, &ranks)?;
    // An output takes part in the dtype that is computed in.
    let out = call.output("out")?;
    let dtype = creation::common(call, &operands.iter().copied().chain(out).collect::<Vec<_>>());
    let mut terms = Vec::new();
    for (operand, names) in operands.iter().zip(names) {
        terms.push(without_repeats(call, Named { value: operand.value, names })?);
    }
    let is_view = terms.len() == 1 && terms[0].names.len() == result.len();
    if !is_view {
        check_extents(call, &terms)?;
    }
    while terms.len() > 1 {
        let (first, second) = next_pair(&terms, &result);
        let b = terms.remove(second);
        let a = terms.remove(first);
        let is_wanted = |name: &Name| result.contains(name) || terms.iter().any(|term| term.names.contains(name));
        let a = summed(call, a, dtype, &|name| is_wanted(name) || b.names.contains(name));
        let b = summed(call, b, dtype, &|name| is_wanted(name) || a.names.contains(name));
        let names = match terms.is_empty() {
            true => result.clone(),
            false => union(&a.names, &b.names).into_iter().filter(is_wanted).collect(),
        };
        let value = contract_named(call, &a, &b, &names, dtype, false)?;
        terms.insert(first, Named { value, names });
    }
    let Some(term) = terms.pop() else { return Err(wrong("`numpy.einsum` takes at least one array")) };
    let term = summed(call, term, dtype, &|name| result.contains(name));
    let order: Vec<usize> = result.iter().filter_map(|name| term.names.iter().position(|n| n == name)).collect();
    let is_in_order = order.iter().enumerate().all(|(n, axis)| n == *axis);
    let is_operand = operands.iter().any(|operand| operand.value == term.value);
    let value = match (is_in_order, is_operand) {
        // A view, which is another object than the operand.
        (true, true) => call.builder.whole(term.value),
        (true, false) => term.value,
        (false, _) => call.builder.permute(term.value, &order),
    };
    let family = if call.builder.rank(value) == 0 { Family::Numpy } else { Family::Array };
    let found = Typed { value, family };
    let Some(out) = out else { return Ok(PyValue::Typed(found)) };
    let value = output::cast(call, found, out, Casting::Safe)?;
    let extents = call.builder.shape(value);
    call.check_output(out, &extents, "`numpy.einsum`: `out` has another shape than the result")?;
    call.builder.assign(out.value, value);
    Ok(PyValue::Typed(out))
}

/// The diagonal where a name stands twice.
fn without_repeats(call: &mut Call, mut term: Named) -> Result<Named, FunctionError> {
    let repeated = |names: &[Name]| {
        let twice =
            |(n, name): (usize, &Name)| names[..n].iter().position(|other| other == name).map(|first| [first, n]);
        names.iter().enumerate().find_map(twice)
    };
    while let Some(axes) = repeated(&term.names) {
        let [a, b] = axes.map(|axis| call.builder.dim(term.value, axis));
        let name = term.names[axes[0]];
        let message = format!("dimensions in operand for collapsing index '{name}' don't match");
        check_same_extent(call.builder, a, b, &message)?;
        term.value = call.builder.diagonal(term.value, axes);
        term.names.remove(axes[1]);
        term.names.remove(axes[0]);
        term.names.push(name);
    }
    Ok(term)
}

/// Each axis has one extent wherever it stands, or 1.
fn check_extents(call: &mut Call, terms: &[Named]) -> Result<(), FunctionError> {
    let names = terms.iter().fold(Vec::new(), |names, term| union(&names, &term.names));
    for name in names {
        let mut extents = Vec::new();
        for term in terms {
            if let Some(axis) = term.names.iter().position(|n| *n == name) {
                extents.push(vec![call.builder.dim(term.value, axis)]);
            }
        }
        elementwise::broadcast(call.builder, &extents)?;
    }
    Ok(())
}

/// The pair of terms whose contraction has the fewest axes; of equals the one that sums most.
fn next_pair(terms: &[Named], result: &[Name]) -> (usize, usize) {
    let pairs = (1..terms.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    let cost = |(first, second): &(usize, usize)| {
        let others = terms.iter().enumerate().filter(|(n, _)| n != first && n != second);
        let others: Vec<Name> = others.flat_map(|(_, term)| term.names.iter().copied()).collect();
        let all = union(&terms[*first].names, &terms[*second].names);
        let left = all.iter().filter(|name| result.contains(name) || others.contains(name)).count();
        (left, std::cmp::Reverse(all.len() - left), *second, *first)
    };
    pairs.min_by_key(cost).unwrap_or((0, 1))
}

fn union(a: &[Name], b: &[Name]) -> Vec<Name> {
    a.iter().copied().chain(b.iter().copied().filter(|name| !a.contains(name))).collect()
}

/// A term without the axes that nobody wants: sums over them.
fn summed(call: &mut Call, term: Named, dtype: DType, is_wanted: &dyn Fn(&Name) -> bool) -> Named {
    let (kept, unwanted): (Vec<usize>, Vec<usize>) = (0..term.names.len()).partition(|n| is_wanted(&term.names[*n]));
    if unwanted.is_empty() {
        return term;
    }
    let names = kept.iter().map(|n| term.names[*n]).collect();
    let value = convert::cast_array(call.builder, term.value, dtype);
    let value = call.builder.permute(value, &[kept, unwanted.clone()].concat());
    let extents = call.builder.shape(value);
    let reducer = if dtype == DType::Bool { Reducer::Or } else { Reducer::Add };
    let body = Body::identity(dtype);
    let value = call.builder.reduce(&extents, unwanted.len(), &[value], body, &[reducer], None)[0];
    Named { value, names }
}

/// For [`contract_named`].
pub(super) fn extent_of(call: &mut Call, a: &Named, b: &Named, name: Name) -> Result<ValueId, FunctionError> {
    let mut extents = Vec::new();
    for term in [a, b] {
        if let Some(axis) = term.names.iter().position(|n| *n == name) {
            extents.push(vec![call.builder.dim(term.value, axis)]);
        }
    }
    let found = elementwise::broadcast(call.builder, &extents)?;
    found.first().copied().ok_or_else(|| wrong(format!("`numpy.einsum`: no operand has axis `{name}`")))
}
