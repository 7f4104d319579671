//! The calls that are being lowered.

use numptx_ir::array::ValueId;
use numptx_source::Span;

use crate::lowerer::routines::Routines;
use crate::values::scope::{Frame, State};

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
    /// The number of a call that begins.
    pub fn next(&mut self) -> usize {
        self.n_calls += 1;
        self.n_calls
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
}
