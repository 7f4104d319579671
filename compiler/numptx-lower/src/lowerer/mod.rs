//! What lowering of one exported overload carries along: the function that is built, and contexts of what is known.

pub mod budget;
pub mod calls;
pub mod constants;
pub mod elements;
pub mod library;
pub mod loops;
pub mod numbers;
pub mod objects;
pub mod paths;
pub mod random;
pub mod reports;
pub mod routines;
pub mod scalars;
pub mod table;

use numptx_ir::array::{Builder, Snapshot, ValueId};
use numptx_source::Report;
use numptx_syntax::ast;

use crate::lowerer::budget::Budget;
use crate::lowerer::calls::Calls;
use crate::lowerer::constants::Constants;
use crate::lowerer::library::Library;
use crate::lowerer::loops::Loops;
use crate::lowerer::numbers::Numbers;
use crate::lowerer::paths::Paths;
use crate::lowerer::random::RandomState;
use crate::values::container_types::{Containers, Mark};
use crate::values::scope::State;

/// An overload under construction.
pub(crate) struct Lowerer<'a> {
    /// The whole file.
    pub module: &'a ast::Module,
    /// The function that is built.
    pub builder: Builder,
    /// What the user is told.
    pub reports: Vec<Report>,
    /// How much it may still become.
    pub budget: Budget,
    /// Calls that are being inlined.
    pub calls: Calls,
    /// What is known of numbers.
    pub numbers: Numbers,
    /// Lists, dictionaries and sets of run time.
    pub containers: Containers,
    /// Module-level constants.
    pub constants: Constants,
    /// What holds on some paths only.
    pub paths: Paths,
    /// What loops are told and look for.
    pub loops: Loops,
    /// Functions of the library that are being lowered.
    pub library: Library,
    /// What there is of `np.random`.
    pub random: RandomState,
}

/// A point to which lowering can return.
pub(crate) struct Point {
    builder: Snapshot,
    state: Option<State>,
    n_held_back: usize,
    containers: Mark,
}

impl<'a> Lowerer<'a> {
    /// Nothing lowered yet.
    pub fn new(module: &'a ast::Module, name: String) -> Self {
        let loops = Loops { independent: module.independent.iter().copied().collect(), ..Loops::default() };
        Lowerer {
            module,
            builder: Builder::new(name),
            reports: Vec::new(),
            budget: Budget::default(),
            calls: Calls::default(),
            numbers: Numbers::default(),
            containers: Containers::default(),
            constants: Constants::default(),
            paths: Paths::default(),
            loops,
            library: Library::default(),
            random: RandomState::default(),
        }
    }

    /// The present point.
    pub fn point(&self) -> Point {
        let state = self.calls.frames.last().map(|f| f.state.clone());
        Point {
            builder: self.builder.snapshot(),
            state,
            n_held_back: self.paths.held_back.len(),
            containers: self.containers.mark(),
        }
    }

    /// Whether a value was defined before a point.
    pub fn was_before(&self, value: ValueId, point: &Point) -> bool {
        self.builder.is_before(value, point.builder)
    }

    /// Drops what was lowered since a point of the same call. What was reported stays: an attempt at a loop assumes what holds in its
    /// first iterations.
    pub fn rollback(&mut self, point: Point) {
        self.builder.rollback(point.builder);
        self.paths.held_back.truncate(point.n_held_back);
        self.containers.back_to(point.containers);
        self.numbers.truncate(|v| self.builder.is_before(v, point.builder));
        if let (Some(frame), Some(state)) = (self.calls.frames.last_mut(), point.state) {
            frame.state = state;
        }
    }
}
