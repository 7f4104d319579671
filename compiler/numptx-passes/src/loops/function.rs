//! A function while its loops are formed: what is known of it, what is tried, and what was found.
//!
//! In: a module, and what changes the body of a function. Out: the module with the bodies changed, and the remarks of their schedules.

use std::collections::HashSet;

use numptx_ir::array::{Function, Module, Region, ValueId};

use crate::loops::dependence::Answers;
use crate::loops::facts::{Facts, ValueFacts};
use crate::loops::schedule::attempt::{Attempt, Draft, Found};
use crate::loops::schedule::tree::Schedule;
use crate::loops::storage::privatised_arrays::MOST_BYTES;
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
        Settings { rounding, most_bytes: MOST_BYTES, chosen: None, answers: Answers::default() }
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
