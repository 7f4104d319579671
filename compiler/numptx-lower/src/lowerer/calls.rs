//! The calls that are being lowered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use numptx_ir::array::ValueId;
use numptx_source::Span;

use crate::lowerer::routines::Routines;
use crate::syntax::liveness::{Liveness, Names};
use crate::values::closure::{Closure, Enclosing};
use crate::values::container_types::Site;
use crate::values::scope::{Around, Binding, Callee, Frame, State};
use crate::values::value::Value;

/// Calls that are being inlined, and functions that are called.
#[derive(Default)]
pub(crate) struct Calls {
    /// The exported function's first.
    pub frames: Vec<Frame>,
    /// Where the calls stand that lead to the present one.
    pub path: Vec<Span>,
    /// Functions that call themselves, as the host calls them.
    pub routines: Routines,
    /// How deep the routine is that is being lowered, at run time.
    pub depth: Option<ValueId>,
    /// The expression whose members the present assignment gives names, one each.
    pub taken_apart: Option<Span>,
    n_calls: usize,
}

impl Calls {
    /// Begins a call: `locals` are all names that it assigns, `arguments` the values that some have.
    pub fn begin(
        &mut self,
        callee: Callee,
        enclosing: Enclosing,
        arguments: BTreeMap<String, Binding>,
        locals: BTreeSet<String>,
        liveness: Liveness,
    ) {
        self.n_calls += 1;
        self.frames.push(Frame {
            callee,
            number: self.n_calls,
            path_length: self.path.len(),
            enclosing,
            state: State { names: arguments.clone(), ..State::default() },
            arguments,
            locals,
            liveness,
            waiting: Vec::new(),
            around: Around::default(),
        });
    }

    /// The innermost call.
    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("statements are lowered inside a call")
    }

    /// The names of the innermost call as they are now; empty outside of calls.
    pub fn state(&self) -> State {
        self.frames.last().map(|f| f.state.clone()).unwrap_or_default()
    }

    /// Replaces the names of the innermost call.
    pub fn set_state(&mut self, state: State) {
        if let Some(frame) = self.frames.last_mut() {
            frame.state = state;
        }
    }

    /// The present call, as what encloses functions defined in it.
    pub fn here(&self) -> Enclosing {
        self.frames.last().map_or(Enclosing::Module, |f| Enclosing::Call(f.number))
    }

    /// The binding of a name in the present call or around it. The outer `None`: no call has such a name; the inner: it has no value yet.
    pub fn find(&self, name: &str) -> Option<Option<Binding>> {
        self.find_from(self.frames.last()?, name)
    }

    /// As [`Calls::find`], from a call on that may be another than the present one.
    pub fn find_from<'f>(&'f self, mut frame: &'f Frame, name: &str) -> Option<Option<Binding>> {
        loop {
            if frame.locals.contains(name) {
                return Some(frame.state.names.get(name).cloned());
            }
            match &frame.enclosing {
                Enclosing::Module => return None,
                Enclosing::Call(number) => frame = self.frames.iter().find(|f| f.number == *number)?,
                Enclosing::Kept(names) => {
                    let kept = names.get(name).map(|value| itself(frame, value).unwrap_or_else(|| value.clone()));
                    return kept.map(|value| Some(Binding::Bound(value, Span::default())));
                }
            }
        }
    }

    /// Where an expression of the present call stands.
    pub fn site(&self, span: Span) -> Site {
        (self.path.clone(), span)
    }

    /// Names that are read after `break` and `continue`, and after `return`.
    pub fn read_elsewhere(&mut self) -> (Names, Names) {
        let frame = self.frame();
        (
            frame.around.loops.last().cloned().unwrap_or_default(),
            frame.around.finally.iter().flatten().cloned().collect(),
        )
    }
}

/// A function that stands among the names that it keeps itself, with these.
fn itself(frame: &Frame, value: &Value) -> Option<Value> {
    let (Callee::Local(function), Value::Closure(closure)) = (&frame.callee, value) else { return None };
    let is_itself = Arc::ptr_eq(function, &closure.function) && closure.enclosing == Enclosing::Module;
    is_itself.then(|| Value::Closure(Box::new(Closure { enclosing: frame.enclosing.clone(), ..(**closure).clone() })))
}
