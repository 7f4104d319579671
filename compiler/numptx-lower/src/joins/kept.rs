//! What an exception leaves names as: the body of a `try` may be left anywhere, so names that it binds and that are read afterwards are kept in memory.
//!
//! Such a name has a cell, a list of one member on the host: binding the name writes it, and where the exception arrives it is read. In the body itself
//! the name is a value as everywhere. What a cell holds is found as for loops: the body is lowered until nothing changes.

use std::collections::BTreeMap;

use numptx_ir::array::{Type, ValueId};
use numptx_ir::object;
use numptx_source::Span;

use crate::lowerer::Lowerer;
use crate::syntax::flow::Exits;
use crate::syntax::liveness::Names;
use crate::values::kept::{Cell, Content, Kept};
use crate::values::scope::Binding;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Runs a block in which something may raise, and keeps names that it binds. `live`: names read after it. Gives whether it ended, in which ways, and
    /// what [`Lowerer::recall`] binds after an exception; the state is that after the block's end.
    pub fn tried_keeping(
        &mut self,
        names: &Names,
        live: &Names,
        lower: impl Fn(&mut Self) -> Exits,
    ) -> (ValueId, Exits, Kept) {
        let mut contents: BTreeMap<String, Content> =
            names.iter().map(|name| (name.clone(), self.content_before(name))).collect();
        loop {
            let point = self.point();
            let cells = contents.iter().map(|(name, content)| (name.clone(), self.cell(name, content))).collect();
            self.calls.frame().around.kept.push(Kept(cells));
            let (ended, exits) = self.tried(live, &lower);
            let kept = self.calls.frame().around.kept.pop().unwrap_or_default();
            let next: BTreeMap<_, _> = kept.0.iter().map(|(name, cell)| (name.clone(), cell.next.clone())).collect();
            if next == contents {
                return (ended, exits, kept);
            }
            self.rollback(point);
            contents = next;
        }
    }

    fn content_before(&mut self, name: &str) -> Content {
        match self.calls.frame().state.names.get(name).cloned() {
            None => Content::Nothing,
            Some(Binding::Bound(Value::IfRan(value, _), span)) => {
                Content::Held { form: self.form(&value).held(), span, may_be_unset: true }
            }
            Some(Binding::Bound(value, span)) => {
                Content::Held { form: self.form(&value).held(), span, may_be_unset: false }
            }
            Some(other) => {
                self.want(name, &other);
                Content::Unusable(other)
            }
        }
    }

    /// A cell that holds what the name is before the block.
    fn cell(&mut self, name: &str, content: &Content) -> Cell {
        let mut cell = Cell { content: content.clone(), memory: None, next: content.clone() };
        let Some(form) = content.form().filter(|form| !form.types().is_empty()) else { return cell };
        let leaves = match self.calls.frame().state.names.get(name).cloned() {
            Some(Binding::Bound(value, _)) => self.flatten(&value, &form),
            _ => self.dummies(&form),
        };
        let layout = form.types().into_iter().map(code_of);
        let layout = [object::OPEN].into_iter().chain(layout).chain([object::CLOSE]).collect();
        cell.memory = self.object(object::LIST_NEW, layout, leaves, vec![Type::Object]).first().copied();
        cell
    }

    /// Writes what a name of the present call is bound to from now on into its cells; `None`: it has no value any more.
    pub fn keep(&mut self, name: &str, value: Option<(&Value, Span)>) {
        if self.calls.frame().around.kept.iter().all(|kept| !kept.0.contains_key(name)) {
            return;
        }
        if let Some((Value::Growing(_), _)) = value {
            // Its members are nowhere yet while the loops around it run.
            self.want_list_named(name);
            return;
        }
        let mut all = std::mem::take(&mut self.calls.frame().around.kept);
        for cell in all.iter_mut().filter_map(|kept| kept.0.get_mut(name)) {
            match value {
                Some((value, span)) => self.keep_value(name, cell, value, span),
                None => self.keep_nothing(cell),
            }
        }
        self.calls.frame().around.kept = all;
    }

    fn keep_value(&mut self, name: &str, cell: &mut Cell, value: &Value, span: Span) {
        let new = self.form(value).held();
        let next = match &cell.next {
            Content::Unusable(_) => return,
            Content::Nothing => {
                // In a loop it may have a value of an earlier iteration, which only a remembered name has there.
                self.want(name, &Binding::MaybeUndefined(span));
                Content::Held { form: new, span, may_be_unset: true }
            }
            Content::Held { form, span: first, may_be_unset } => {
                match form.join_in_loop(&new).or_else(|| form.either(&new)) {
                    Some(joined) => {
                        self.unite_forms(form, &new);
                        Content::Held { form: joined.held(), span: *first, may_be_unset: *may_be_unset }
                    }
                    None => {
                        let found = form.describe(&self.builder);
                        let mut binding = self.difference((value, *first), (value, span));
                        if let Binding::Different(difference) = &mut binding {
                            difference.first.1 = found;
                        }
                        Content::Unusable(binding)
                    }
                }
            }
        };
        cell.next = next;
        if let (Some(memory), Some(form)) = (cell.memory, cell.content.form().filter(|_| cell.next == cell.content)) {
            let leaves = self.flatten(value, &form);
            self.store_kept(memory, leaves);
        }
    }

    fn keep_nothing(&mut self, cell: &mut Cell) {
        if let Content::Held { may_be_unset, .. } = &mut cell.next {
            *may_be_unset = true;
        }
        if let (Some(memory), Some(form)) = (cell.memory, cell.content.form().filter(|_| cell.next == cell.content)) {
            let leaves = self.dummies(&form);
            self.store_kept(memory, leaves);
        }
    }

    fn store_kept(&mut self, memory: ValueId, leaves: Vec<ValueId>) {
        let zero = self.builder.i64(0);
        self.object_effect(object::LIST_SET, [vec![memory, zero], leaves].concat());
    }

    /// Binds kept names to what the exception left them as.
    pub fn recall(&mut self, kept: &Kept) {
        for (name, cell) in &kept.0 {
            let binding = match &cell.content {
                Content::Nothing => continue,
                Content::Unusable(binding) => binding.clone(),
                Content::Held { span, .. } => {
                    let Some(form) = cell.content.form() else { continue };
                    let leaves = match cell.memory {
                        Some(memory) => {
                            let zero = self.builder.i64(0);
                            self.object(object::LIST_GET, Vec::new(), vec![memory, zero], form.types())
                        }
                        None => Vec::new(),
                    };
                    let value = form.rebuild(&mut leaves.into_iter());
                    self.assume(&form, &value);
                    Binding::Bound(value, *span)
                }
            };
            self.calls.frame().state.names.insert(name.clone(), binding);
        }
    }

    /// Notes that a name of this call is read where some paths bind it. Of names of functions around, Python says something else.
    pub fn want(&mut self, name: &str, binding: &Binding) {
        if matches!(binding, Binding::MaybeUndefined(_)) && self.calls.frame().locals.contains(name) {
            self.paths.wanted.insert(name.to_owned());
        }
    }
}

/// The code of a leaf in a cell's layout.
fn code_of(ty: Type) -> u8 {
    match ty {
        Type::Scalar(dtype) => dtype.code(),
        Type::Array(_) => object::ARRAY,
        Type::Object => object::OBJECT,
    }
}
