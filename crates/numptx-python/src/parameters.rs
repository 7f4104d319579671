//! The parameters of an overload as messages name them, and what they accept in the words of signatures.

use std::ffi::CStr;
use std::fmt;

use numptx_abi::{Overload, Parameter, dtype, object};

use crate::numpy::DTYPE_NAMES;

/// A parameter, or a member of one that is a tuple.
pub(crate) struct Place {
    /// Of the parameter, from 1 on.
    position: usize,
    /// `x`, or `x[0]`.
    pub expression: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "argument {} `{}`", self.position, self.expression)
    }
}

impl Place {
    /// A parameter, by its index among the overload's and its node.
    pub fn of(index: usize, node: &Parameter) -> Place {
        Place { position: index + 1, expression: name(node) }
    }

    /// A member of a tuple.
    pub fn member(&self, index: usize) -> Place {
        Place { position: self.position, expression: format!("{}[{index}]", self.expression) }
    }
}

impl Place {
    /// A field of a record, by its index.
    fn field(&self, node: &Parameter, index: usize) -> Place {
        let names = text(node.text);
        let name = names.split_ascii_whitespace().nth(index).unwrap_or_default();
        let expression = match node.weak {
            0 => format!("{}.{name}", self.expression),
            _ => format!("{}[{name:?}]", self.expression),
        };
        Place { position: self.position, expression }
    }
}

/// The nodes of an overload's parameters.
#[inline]
pub(crate) fn nodes(overload: &Overload) -> &[Parameter] {
    match overload.n_parameter_nodes {
        0 => &[],
        // SAFETY: the descriptor has that many nodes.
        n => unsafe { std::slice::from_raw_parts(overload.parameters, n as usize) },
    }
}

/// Whether the binding passes a parameter, and no caller.
pub(crate) fn is_hidden(node: &Parameter) -> bool {
    // SAFETY: the text of such a node is a description.
    node.kind == Parameter::OBJECT && unsafe { *node.text.cast::<u8>() } == object::RANDOM_GLOBAL
}

/// How many parameters a caller passes.
pub(crate) fn n_given(overload: &Overload) -> usize {
    let hidden = nodes(overload).last().is_some_and(is_hidden);
    overload.n_parameters as usize - usize::from(hidden)
}

/// The parameters that a caller passes, each with the index of its node.
pub(crate) fn top_level(overload: &Overload) -> Vec<(usize, &Parameter)> {
    let nodes = nodes(overload);
    let mut at = 0;
    let mut found = Vec::new();
    while let Some(node) = nodes.get(at).filter(|node| !is_hidden(node)) {
        found.push((at, node));
        at = after(nodes, at);
    }
    found
}

/// The index of the node after one and its members.
pub(crate) fn after(nodes: &[Parameter], at: usize) -> usize {
    let n_members = match nodes.get(at) {
        Some(node) if matches!(node.kind, Parameter::TUPLE | Parameter::RECORD) => node.rank,
        _ => 0,
    };
    (0..n_members).fold(at + 1, |next, _| after(nodes, next))
}

/// The place that an argument's leaf comes from.
pub(crate) fn place_of_leaf(overload: &Overload, leaf: usize) -> Option<Place> {
    let (nodes, mut left) = (nodes(overload), leaf);
    top_level(overload).iter().enumerate().find_map(|(index, (at, node))| {
        let mut at = *at;
        find(nodes, &mut at, &mut left, Place::of(index, node))
    })
}

/// Goes past a node and its members, as far as the leaf that `left` others come before.
fn find(nodes: &[Parameter], at: &mut usize, left: &mut usize, place: Place) -> Option<Place> {
    let node = nodes.get(*at)?;
    *at += 1;
    match node.kind {
        Parameter::TUPLE => (0..usize::from(node.rank)).find_map(|index| find(nodes, at, left, place.member(index))),
        Parameter::RECORD => {
            (0..usize::from(node.rank)).find_map(|index| find(nodes, at, left, place.field(node, index)))
        }
        Parameter::SCALAR | Parameter::ARRAY | Parameter::OBJECT if *left == 0 => Some(place),
        Parameter::SCALAR | Parameter::ARRAY | Parameter::OBJECT => {
            *left -= 1;
            None
        }
        _ => None,
    }
}

/// The name of a top-level parameter.
pub(crate) fn name(node: &Parameter) -> String {
    text(node.name)
}

/// A text of a descriptor; nothing for null.
pub(crate) fn text(raw: *const std::ffi::c_char) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: the descriptor's strings are null-terminated.
    unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned()
}

/// What a node accepts, as signatures say it.
pub(crate) fn accepted(nodes: &[Parameter], at: usize) -> String {
    let Some(node) = nodes.get(at) else { return String::new() };
    match node.kind {
        Parameter::SCALAR => scalar_name(node.dtype, node.weak != 0).to_string(),
        Parameter::ARRAY => accepted_array(node),
        Parameter::TUPLE => {
            let mut member = at + 1;
            let mut members = Vec::new();
            for _ in 0..node.rank {
                members.push(accepted(nodes, member));
                member = after(nodes, member);
            }
            format!("({})", members.join(", "))
        }
        Parameter::RECORD => {
            let (names, mut field) = (text(node.text), at + 1);
            let mut fields = Vec::new();
            for name in names.split_ascii_whitespace().take(usize::from(node.rank)) {
                fields.push(format!("{name}: {}", accepted(nodes, field)));
                field = after(nodes, field);
            }
            let what =
                if node.weak == 0 { "an object with the attributes" } else { "a structured array with the fields" };
            format!("{what} {}", fields.join(", "))
        }
        Parameter::NONE => "None".to_string(),
        // SAFETY: a descriptor's description.
        Parameter::OBJECT => unsafe { crate::objects::accepted(node.text.cast()) },
        _ if node.text.is_null() => "str".to_string(),
        _ => format!("{:?}", text(node.text)),
    }
}

fn accepted_array(node: &Parameter) -> String {
    let rank = usize::from(node.rank);
    // SAFETY: the descriptor has one extent an axis, or none.
    let fixed = (!node.extents.is_null()).then(|| unsafe { std::slice::from_raw_parts(node.extents, rank) });
    let extent = |axis: usize| fixed.map(|fixed| fixed[axis]).filter(|extent| *extent >= 0);
    let axes = (0..rank).map(|axis| extent(axis).map_or_else(|| ":".to_string(), |extent| extent.to_string()));
    let order = match node.order {
        1 => " order(C)",
        2 => " order(F)",
        _ => "",
    };
    format!("{}[{}]{order}", DTYPE_NAMES[usize::from(node.dtype)], axes.collect::<Vec<_>>().join(", "))
}

/// The name of a scalar's type.
pub(crate) fn scalar_name(code: u8, is_python: bool) -> &'static str {
    if is_python { python_name(code) } else { dtype_name(code) }
}

/// A dtype's name.
pub(crate) fn dtype_name(code: u8) -> &'static str {
    DTYPE_NAMES[usize::from(code)]
}

/// The type of Python's that a weak scalar is.
fn python_name(code: u8) -> &'static str {
    match code {
        dtype::BOOL => "bool",
        dtype::INT64 => "int",
        dtype::COMPLEX128 => "complex",
        _ => "float",
    }
}
