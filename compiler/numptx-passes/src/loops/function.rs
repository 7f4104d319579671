//! A function while its loops are formed: what is known of it, what is tried, and what was found.
//!
//! In: a module, and what changes the body of a function. Out: the module with the bodies changed, and the remarks of their schedules.

use std::collections::HashSet;

use numptx_ir::array::{Function, Module, Region, ValueId};

use crate::loops::dependence::Answers;
use crate::loops::facts::{Facts, ValueFacts};
use crate::loops::schedule::attempt::{Attempt, Draft, Found, Tried};
use crate::loops::schedule::cost::OWN_BYTES;
use crate::loops::schedule::tree::Schedule;
use crate::source::remove_dead::remove_dead_ops;

/// How a loop over floats may round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// As its iterations do, one after the other.
    AsWritten,
    /// As if sums and products could be taken in any order, and numbers taken out of brackets: what is exact stays so, else inf and nan may come earlier.
    Free,
}

/// What nests are formed under.
#[derive(Clone)]
pub(crate) struct Settings {
    /// How sums that loops carry may be rounded.
    pub rounding: Rounding,
    /// Bytes that the arrays that a launch's work items have of their own take at most.
    pub most_bytes: i64,
    /// The strategy that is forced, if one is.
    pub chosen: Option<&'static str>,
    /// What the dependence analysis was asked before: versions of a function, and functions that call the same ones, have the same loops.
    pub answers: Answers,
}

impl Settings {
    pub fn new(rounding: Rounding) -> Self {
        Settings { rounding, most_bytes: OWN_BYTES, chosen: None, answers: Answers::default() }
    }
}

/// A form of a loop in the making. Its state is its own: what it changes beside that are names, which are new, and what is known of these.
pub(crate) struct FormNests<'f> {
    /// The function, without its body.
    pub function: &'f mut Function,
    /// What is known of its values.
    pub known: &'f mut ValueFacts,
    /// What holds of it as it was.
    pub facts: &'f Facts,
    pub settings: &'f Settings,
    pub attempt: Attempt,
    pub draft: Draft,
    pub found: Found,
    /// How the loops of what is formed now run.
    pub schedule: Schedule,
    /// Arrays that ops before made, in the region that is looked at.
    pub made: HashSet<ValueId>,
    pub is_changed: bool,
}

/// Changes the bodies of functions by what is known of them.
pub(crate) fn over_bodies(module: &mut Module, settings: &Settings, change: impl Fn(&mut FormNests, &mut Region)) {
    for function in &mut module.functions {
        let mut known = ValueFacts::of(function);
        let facts = Facts::of(function, &known.points_to);
        let mut body = std::mem::take(&mut function.body);
        let mut pass = FormNests {
            function,
            known: &mut known,
            facts: &facts,
            settings,
            attempt: Attempt::default(),
            draft: Draft::new(),
            found: Found::default(),
            schedule: Schedule::default(),
            made: HashSet::new(),
            is_changed: false,
        };
        change(&mut pass, &mut body);
        let (is_changed, schedule) = (pass.is_changed, pass.schedule);
        function.body = body;
        function.remarks.extend(schedule.into_remarks());
        if is_changed {
            remove_dead_ops(function);
        }
    }
}

impl FormNests<'_> {
    /// A form with a state of its own. It knows the arrays and the draft of this one; nothing is scheduled or found yet.
    pub fn another(&mut self, attempt: Attempt) -> FormNests<'_> {
        FormNests {
            function: self.function,
            known: self.known,
            facts: self.facts,
            settings: self.settings,
            attempt,
            draft: self.draft.clone(),
            found: Found::default(),
            schedule: Schedule::default(),
            made: self.made.clone(),
            is_changed: false,
        }
    }

    /// What a form is in the end.
    pub fn into_tried<T>(self, value: T) -> Tried<T> {
        let FormNests { schedule, found, draft, is_changed, .. } = self;
        Tried { value, schedule, found, draft, is_changed }
    }

    /// Tries something in a state of its own, of which only what is kept is known here.
    pub fn tried<T>(&mut self, form: impl FnOnce(&mut FormNests) -> T) -> Tried<T> {
        self.tried_with(self.attempt, form)
    }

    /// The same, made with something else.
    pub fn tried_with<T>(&mut self, attempt: Attempt, form: impl FnOnce(&mut FormNests) -> T) -> Tried<T> {
        let mut another = self.another(attempt);
        let value = form(&mut another);
        another.into_tried(value)
    }

    /// Tries something whose fallback may be what was tried before: it may assume no more, and all of that has to be known.
    pub fn tried_after<T, U>(
        &mut self,
        fallback: &Tried<U>,
        attempt: Attempt,
        form: impl FnOnce(&mut FormNests) -> T,
    ) -> Tried<T> {
        let assumed = fallback.draft.assumed.clone();
        let mut tried = self.tried_with(attempt, |pass| {
            pass.draft.assumed.clone_from(&assumed);
            form(pass)
        });
        tried.draft.assumed = assumed;
        tried
    }

    /// Takes what was tried as the fallback of another version, whose schedule is the one that is told.
    pub fn keep_as_fallback<T>(&mut self, tried: Tried<T>) -> T {
        self.found.add(tried.found);
        self.draft.own.add(tried.draft.own);
        tried.value
    }

    /// Takes what was tried, but not its draft.
    pub fn keep_inside<T>(&mut self, tried: Tried<T>) -> T {
        let Tried { value, schedule, found, draft: _, is_changed } = tried;
        self.schedule.extend(schedule);
        self.found.add(found);
        self.is_changed |= is_changed;
        value
    }

    /// Takes what was tried.
    pub fn keep<T>(&mut self, mut tried: Tried<T>) -> T {
        let draft = std::mem::replace(&mut tried.draft, Draft::new());
        let before = std::mem::replace(&mut self.draft, draft).own;
        self.draft.own.add(before);
        self.keep_inside(tried)
    }
}

impl Settings {
    /// Whether a strategy may be taken: any, unless another one is forced.
    pub fn may(&self, name: &str) -> bool {
        self.chosen.is_none_or(|chosen| chosen == name)
    }
}
