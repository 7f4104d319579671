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

/// A function whose loops are taken apart.
pub(crate) struct FormNests<'f> {
    /// The function, without its body.
    pub function: &'f mut Function,
    /// What holds of it as it was.
    pub facts: &'f Facts,
    /// What is known of its values.
    pub known: ValueFacts,
    pub settings: Settings,
    pub attempt: Attempt,
    pub draft: Draft,
    pub found: Found,
    /// Conditions under which one thread runs a loop that stays on the host otherwise.
    pub narrow: HashSet<ValueId>,
    /// How the loops of what is formed now run.
    pub schedule: Schedule,
    /// Arrays that ops before made, in the region that is looked at.
    pub made: HashSet<ValueId>,
    pub is_changed: bool,
}

impl<'f> FormNests<'f> {
    fn new(function: &'f mut Function, (facts, known): (&'f Facts, ValueFacts), settings: &Settings) -> Self {
        FormNests {
            function,
            facts,
            known,
            settings: settings.clone(),
            attempt: Attempt::default(),
            draft: Draft::new(),
            found: Found::default(),
            narrow: HashSet::new(),
            schedule: Schedule::default(),
            made: HashSet::new(),
            is_changed: false,
        }
    }
}

/// Changes the bodies of functions by what is known of them.
pub(crate) fn over_bodies(module: &mut Module, settings: &Settings, change: impl Fn(&mut FormNests, &mut Region)) {
    for function in &mut module.functions {
        let known = ValueFacts::of(function);
        let facts = Facts::of(function, &known.points_to);
        let mut body = std::mem::take(&mut function.body);
        let mut pass = FormNests::new(function, (&facts, known), settings);
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
    /// Tries something: nothing that it finds out stays, unless it is kept.
    pub fn tried<T>(&mut self, form: impl FnOnce(&mut Self) -> T) -> Tried<T> {
        let (schedule, found) = (std::mem::take(&mut self.schedule), std::mem::take(&mut self.found));
        let (at_work_items, assumed) = (self.draft.at_work_items.clone(), self.attempt.assumed.clone());
        let value = form(self);
        Tried {
            value,
            schedule: std::mem::replace(&mut self.schedule, schedule),
            found: std::mem::replace(&mut self.found, found),
            at_work_items: std::mem::replace(&mut self.draft.at_work_items, at_work_items),
            assumed: std::mem::replace(&mut self.attempt.assumed, assumed),
        }
    }

    /// Tries something whose fallback may be what was tried before: it may assume no more, and all of that has to be known.
    pub fn tried_after<T, U>(&mut self, fallback: &Tried<U>, form: impl FnOnce(&mut Self) -> T) -> Tried<T> {
        let assumed = std::mem::replace(&mut self.attempt.assumed, fallback.assumed.clone());
        let tried = self.tried(form);
        self.attempt.assumed = assumed;
        Tried { assumed: fallback.assumed.clone(), ..tried }
    }

    /// Takes what was tried as the fallback of another version, whose schedule is the one that is told.
    pub fn keep_as_fallback<T>(&mut self, tried: Tried<T>) -> T {
        self.found.add(tried.found);
        tried.value
    }

    /// Takes what was tried.
    pub fn keep<T>(&mut self, tried: Tried<T>) -> T {
        let Tried { value, schedule, found, at_work_items, assumed } = tried;
        self.schedule.extend(schedule);
        self.found.add(found);
        (self.draft.at_work_items, self.attempt.assumed) = (at_work_items, assumed);
        value
    }
}

impl Settings {
    /// Whether a strategy may be taken: any, unless another one is forced.
    pub fn may(&self, name: &str) -> bool {
        self.chosen.is_none_or(|chosen| chosen == name)
    }
}
