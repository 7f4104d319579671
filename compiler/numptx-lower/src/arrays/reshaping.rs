//! `x.shape = shape`: an array object gets another shape, and its elements stay where they are.
//!
//! In NumPy all names of the object see that. Here they are bound to a view of the new shape, where all of them are known: the object was made in
//! this call of the function, outside of branches and loops that hand it on, in the body of the loop that is open,
//! and only names of this call hold it: no tuple, no function, no value that waits to be assigned. Everything else is refused.

use numptx_ir::array::{ErrorKind, Layout, Type, ValueId};
use numptx_ir::functions::{Family, Typed};
use numptx_source::{Span, code};

use crate::lowerer::Lowerer;
use crate::values::closure::Enclosing;
use crate::values::scope::{Binding, Frame};
use crate::values::value::Value;

/// NumPy's message where another shape takes a copy.
const NEEDS_COPY: &str =
    "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the desired shape.";

impl Lowerer<'_> {
    /// Gives the array that a name stands for another shape; false if it stands for no array, which is not reported.
    pub fn assign_shape(&mut self, name: &str, owner: &Value, shape: &Value, span: Span) -> bool {
        let Some(Typed { value: array, family: Family::Array }) = owner.typed() else { return false };
        if let Some(who) = self.other_holder(array) {
            let message = format!("the shape of `{name}` is assigned here, and {who}");
            // A name of the function around this one cannot be bound anew here.
            let view = if self.calls.frame().locals.contains(name) { name } else { "view" };
            let help = format!("make a view with the new shape: `{view} = {name}.reshape(shape)`");
            let poison = self.refuse(code::UNSUPPORTED_STATEMENT, span, message, help);
            self.keep(name, Some((&poison, span)));
            self.calls.frame().state.names.insert(name.to_string(), Binding::Bound(poison, span));
            return true;
        }
        let reshaped = self.call_on("numpy.reshape", &[owner.clone(), shape.clone()], span, &[span, span]);
        if let Some(Typed { value: view, .. }) = reshaped.typed()
            && !matches!(self.builder.ty(array), Type::Array(ty) if ty.layout == Layout::C)
        {
            let is_view = self.builder.same_buffer(array, view);
            self.check(is_view, ErrorKind::Attribute, NEEDS_COPY, &[]);
        }
        let is_it =
            |binding: &Binding| matches!(binding, Binding::Bound(Value::Typed(bound), _) if bound.value == array);
        let all = &self.calls.frame().state.names;
        let names: Vec<String> = all.iter().filter(|(_, b)| is_it(b)).map(|(name, _)| name.clone()).collect();
        for name in names {
            self.keep(&name, Some((&reshaped, span)));
            self.calls.frame().state.names.insert(name, Binding::Bound(reshaped.clone(), span));
        }
        true
    }

    /// Who else may hold an array object than names of the present call; `None` if nobody does.
    fn other_holder(&self, array: ValueId) -> Option<&'static str> {
        if self.builder.is_parameter(array) {
            return Some("its caller has the array, too");
        }
        if !self.builder.is_own_object(array) {
            return Some("the array may have other names: it comes out of a branch or a loop, or goes into one");
        }
        let (present, others) = self.calls.frames.split_last()?;
        if present.around.loop_depths.last().is_some_and(|depth| !self.builder.is_made_inside(array, *depth)) {
            return Some("the array was made before the loop: only names that the loop assigns are carried by it");
        }
        if self.calls.frames.iter().flat_map(|frame| &frame.waiting).any(|value| mentions(value, array)) {
            return Some("a value that this statement, or a loop around it, assigns next holds the array, too");
        }
        let keeps = |frame: &Frame| matches!(&frame.enclosing, Enclosing::Kept(names) if names.values().any(|v| mentions(v, array)));
        if self.calls.frames.iter().any(keeps) {
            return Some("a function that outlived the call that defined it holds the array, too");
        }
        let holds = |binding: &Binding| matches!(binding, Binding::Bound(value, _) if mentions(value, array));
        let is_name = |binding: &Binding| matches!(binding, Binding::Bound(Value::Typed(_), _));
        let mut own = present.state.names.values().chain(&present.state.returned);
        if own.any(|binding| holds(binding) && !is_name(binding)) {
            return Some("a tuple, a list or a function holds the array, too");
        }
        let is_held = others.iter().any(|frame| frame.state.names.values().any(holds))
            || self.constants.values.values().any(|value| mentions(value, array));
        is_held.then_some("the function that calls this one has a name for the array, too")
    }
}

/// Whether an array is a value, or in it.
fn mentions(value: &Value, array: ValueId) -> bool {
    match value {
        Value::Typed(typed) => typed.value == array,
        Value::Tuple(items) | Value::List(items) => items.iter().any(|item| mentions(item, array)),
        other => other.parts().iter().any(|part| mentions(part, array)),
    }
}
