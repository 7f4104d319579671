//! Subscripts: which view of an array `a[…]` is, and what it gives when it is read.
//!
//! Integers and slices make views without moving data. A subscript that fixes every axis is read as a copy of the element, a NumPy
//! scalar; with `...` it stays a view of rank 0. Arrays of integers select elements: see `selections`.

use std::borrow::Cow;

use numptx_ir::array::{READ_ONLY_DESTINATION, ValueId};
use numptx_ir::functions::Family;
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, ExprKind, Index};

use crate::indexing::elements::array_of_flat;
use crate::indexing::places::{Item, Place};
use crate::lowerer::Lowerer;
use crate::values::container_types::Sort;
use crate::values::iterable::is_range;
use crate::values::value::Value;

/// Indices of all but dictionaries: `x[(k,)]` is `x[k]`.
fn without_tuple(indices: &[Index]) -> Cow<'_, [Index]> {
    match indices {
        [Index::Expr(Expr { kind: ExprKind::Tuple(items), .. })] if items.len() == 1 => {
            Cow::Owned(vec![Index::Expr(items[0].clone())])
        }
        _ => Cow::Borrowed(indices),
    }
}

impl Lowerer<'_> {
    /// `owner[indices]`, read.
    pub fn subscript(&mut self, owner: Value, owner_span: Span, indices: &[Index], span: Span) -> Value {
        let owner = owner.plain();
        let is_dictionary = matches!(&owner, Value::Container(container) if container.sort != Sort::List);
        let indices = match &owner {
            _ if is_dictionary => Cow::Borrowed(indices),
            Value::Builtin("numpy.s_") => Cow::Borrowed(indices),
            _ => without_tuple(indices),
        };
        let indices = indices.as_ref();
        match &owner {
            Value::Tuple(items) | Value::List(items) => self.member(&owner, items, indices, span),
            Value::Record(class, fields) if class.is_structure() => self.structure_item(class, fields, indices, span),
            Value::Filled(list) => self.filled_member(*list, indices, span),
            Value::Container(container) => self.container_item(*container, indices, span),
            Value::Text(text) => self.text_item(*text, indices, span),
            Value::OtherStr => {
                self.containers.want_texts();
                Value::Poison
            }
            Value::Str(text) => {
                let text = self.text_constant(text);
                self.text_item(text, indices, span)
            }
            Value::Flags(array) => self.flag_item(array, indices, span),
            Value::Builtin("numpy.s_") => self.index_as_value(indices),
            Value::Builtin(name @ ("numpy.mgrid" | "numpy.ogrid")) => self.grid(name, indices, span),
            Value::Builtin(name @ ("numpy.r_" | "numpy.c_")) => self.joined_by_index(name, indices, span),
            range if is_range(range) => self.range_item(range, indices, span),
            flat if array_of_flat(flat).is_some() => match array_of_flat(flat) {
                Some(array) => self.flat_item(array, indices, span),
                None => Value::Poison,
            },
            _ => match self.place(&owner, owner_span, indices, span) {
                Some(Place::View(view)) => Value::array(self.another_view(&owner, view)),
                Some(Place::Element(view)) => self.load(view),
                Some(Place::Masked { array, mask }) => self.chosen(array, mask, span),
                Some(Place::Selected(selection)) => self.gather(&selection),
                None => Value::Poison,
            },
        }
    }

    /// Slices that keep everything give a view of the whole, which is not the array itself.
    fn another_view(&mut self, owner: &Value, view: ValueId) -> ValueId {
        if *owner != Value::array(view) {
            return view;
        }
        self.builder.whole(view)
    }

    /// What `owner[indices]` names; `None` after a report.
    pub fn place(&mut self, owner: &Value, owner_span: Span, indices: &[Index], span: Span) -> Option<Place> {
        let (array, items) = self.subscripted(owner, owner_span, indices)?;
        self.place_at(array, items, span)
    }

    /// The same, to be written. As in NumPy, whether it may be is looked at before the indices are.
    pub fn place_to_write(&mut self, owner: &Value, owner_span: Span, indices: &[Index], span: Span) -> Option<Place> {
        let (array, items) = self.subscripted(owner, owner_span, indices)?;
        self.builder.set_span(span);
        if self.may_write(array, span, READ_ONLY_DESTINATION) { self.place_at(array, items, span) } else { None }
    }

    fn subscripted(&mut self, owner: &Value, owner_span: Span, indices: &[Index]) -> Option<(ValueId, Vec<Item>)> {
        let indices = without_tuple(indices);
        let indices = indices.as_ref();
        let array = match owner {
            Value::Typed(typed) if typed.family == Family::Array => typed.value,
            Value::Poison => {
                // A key: what was refused may be a dictionary.
                if !matches!(indices, [Index::Expr(Expr { kind: ExprKind::Str(_), .. })]) {
                    self.index_items(indices);
                }
                return None;
            }
            other => {
                let what = other.describe(&self.builder);
                let (message, help) = match other {
                    Value::List(_) | Value::Tuple(_) | Value::Filled(_) => (
                        format!("the members of {what} cannot be assigned"),
                        "write to an array: `t = np.array([1, 2, 3])`",
                    ),
                    Value::Str(_) => {
                        (format!("{what} is not indexed here"), "strings can be compared: `mode == \"sum\"`")
                    }
                    _ => (format!("{what} has no elements"), "subscripts take arrays and tuples"),
                };
                self.refuse(code::UNSUPPORTED_INDEX, owner_span, message, help);
                return None;
            }
        };
        Some((array, self.index_items(indices)?))
    }
}
