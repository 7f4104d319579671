//! What a loop carries from one iteration to the next, and how an attempt at its body corrects it.

use std::collections::BTreeMap;

use numptx_ir::array::ValueId;
use numptx_source::Span;

use crate::joins::branches::{Slot, Target};
use crate::lowerer::Lowerer;
use crate::syntax::flow::Exits;
use crate::syntax::liveness::Names;
use crate::values::scope::{Binding, State};
use crate::values::value::Value;

/// What an attempt at a loop assumes.
#[derive(Clone, PartialEq)]
pub(crate) struct Plan {
    /// What is carried, in order.
    pub carried: Vec<Carried>,
    /// Names that have no usable value at the head and afterwards.
    pub dropped: BTreeMap<String, Binding>,
    /// Names that only the body binds, and that have a value afterwards if it ran: whether it did is remembered.
    pub guarded: Names,
}

/// A carried place.
#[derive(Clone, PartialEq)]
pub(crate) struct Carried {
    /// Where it goes, and what it looks like.
    pub slot: Slot,
    /// It has a value before the loop; otherwise none until the body gives it one.
    pub defined: bool,
    /// An iteration leaves a NumPy number there which is one in Python, too, whatever the loop began with.
    pub is_settled: bool,
}

impl Lowerer<'_> {
    /// The plan of the first attempt: names that have a value before the loop are carried as they look there.
    pub fn first_plan(&self, before: &State, names: &Names, guarded: Names) -> Plan {
        let carried = names.iter().filter_map(|name| match before.names.get(name) {
            Some(Binding::Bound(value, span)) => {
                let slot = Slot { target: Target::Name(name.clone()), form: self.form(value), span: *span };
                Some(Carried { slot, defined: true, is_settled: true })
            }
            _ => None,
        });
        Plan { carried: carried.collect(), dropped: BTreeMap::new(), guarded }
    }

    /// Values with which the loop starts.
    pub fn initial(&mut self, plan: &Plan) -> Vec<ValueId> {
        let before = self.calls.state();
        let mut values = Vec::new();
        for carried in &plan.carried {
            let exits = if carried.defined { Exits::FALL } else { Exits::NEVER };
            values.extend(self.slot_values(&carried.slot, exits, &before));
        }
        values
    }

    /// The state at the head of an iteration, or after the loop if `finished`.
    pub fn bind_carried(&mut self, plan: &Plan, values: &[ValueId], finished: bool) {
        let mut state = State { exit: None, ..self.calls.state() };
        state.names.extend(plan.dropped.clone());
        let mut values = values.iter().copied();
        for carried in &plan.carried {
            if finished && carried.is_settled {
                let slot = Slot { form: carried.slot.form.settled(), ..carried.slot.clone() };
                self.fill(&mut state, &slot, &mut values);
            } else if carried.defined || finished {
                self.fill(&mut state, &carried.slot, &mut values);
            } else {
                carried.slot.form.types().iter().for_each(|_| {
                    values.next();
                });
            }
        }
        self.calls.set_state(state);
    }

    /// Of names that only the body of a loop binds: those that are read afterwards, whether an iteration ran or not. Names that an iteration of a
    /// loop around hands to the next are not among them: they may have a value of an earlier one.
    pub fn guarded(&mut self, before: &State, names: &Names, after: &Names) -> Names {
        let around = std::mem::take(&mut self.calls.frame().around.loops);
        let is_new = |n: &&String| {
            after.contains(*n) && !before.names.contains_key(*n) && !around.iter().any(|names| names.contains(*n))
        };
        let guarded = names.iter().filter(is_new).cloned().collect();
        self.calls.frame().around.loops = around;
        guarded
    }

    /// Notes after a loop that guarded names have a value only if it ran.
    pub fn guard(&mut self, plan: &Plan, ran: Option<ValueId>) {
        let Some(ran) = ran else { return };
        for name in &plan.guarded {
            if let Some(Binding::Bound(value, _)) = self.calls.frame().state.names.get_mut(name)
                && !matches!(value, Value::IfRan(..))
            {
                let bound = std::mem::replace(value, Value::Poison);
                *value = Value::IfRan(Box::new(bound), ran);
            }
        }
    }

    /// What the next attempt has to assume after a body that ended in these ways: the same plan if this one was right. `runs`: what the
    /// body binds has a value afterwards, for at least one iteration is known to run, or what follows knows whether one did.
    pub fn next_plan(&mut self, plan: &Plan, names: &Names, exits: Exits, runs: bool, state: &State) -> Plan {
        let mut next = Plan { carried: Vec::new(), ..plan.clone() };
        // Of names that are read after a `return` alone, there are none but those that `finally` blocks read.
        let local = exits.has(Exits::LOCAL) || exits.has(Exits::RETURN) && !self.calls.read_elsewhere().1.is_empty();
        for carried in &plan.carried {
            let binding = match &carried.slot.target {
                Target::Name(name) if local => state.names.get(name),
                Target::Return if exits.has(Exits::RETURN) => state.returned.as_ref(),
                _ => None,
            };
            match binding {
                Some(Binding::Bound(value, span)) => self.widen(carried, value, *span, &mut next),
                Some(other) => {
                    if let Target::Name(name) = &carried.slot.target {
                        next.dropped.insert(name.clone(), other.clone());
                    }
                }
                None => match &carried.slot.target {
                    // The body ends without it, by `del`.
                    Target::Name(name) if local && self.paths.remembered.contains(name) => {
                        let form = carried.slot.form.clone().if_assigned();
                        next.carried.push(Carried { slot: Slot { form, ..carried.slot.clone() }, ..*carried });
                    }
                    Target::Name(name) if local => {
                        next.dropped.insert(name.clone(), Binding::MaybeUndefined(carried.slot.span));
                    }
                    _ => next.carried.push(carried.clone()),
                },
            }
        }
        let known = |target: &Target| plan.carried.iter().any(|c| c.slot.target == *target);
        let mut add = |target: Target, binding: Option<&Binding>, has_flag: bool| {
            if let (false, Some(Binding::Bound(value, span))) = (known(&target), binding) {
                let form = if has_flag { self.form(value).if_assigned() } else { self.form(value) };
                let slot = Slot { target, form, span: *span };
                next.carried.push(Carried { slot, defined: has_flag, is_settled: true });
            }
        };
        if exits.has(Exits::RETURN) {
            add(Target::Return, state.returned.as_ref(), false);
        }
        let differs = |n: &&String| matches!(state.names.get(*n), Some(Binding::Different(_)));
        for name in names.iter().filter(|n| local && self.paths.remembered.contains(*n)).filter(differs) {
            next.dropped.extend(state.names.get(name).map(|binding| (name.clone(), binding.clone())));
        }
        for name in names.iter().filter(|n| local && !plan.dropped.contains_key(*n)) {
            // What may have a value of an earlier iteration has a flag, from before the loop on.
            let has_flag = self.paths.remembered.contains(name);
            if has_flag || runs || plan.guarded.contains(name) {
                add(Target::Name(name.clone()), state.names.get(name), has_flag);
            }
        }
        next
    }

    /// Carries what a place looked like and what it looks like now, or drops it.
    fn widen(&mut self, carried: &Carried, value: &Value, span: Span, next: &mut Plan) {
        let old = &carried.slot;
        let new = self.form(value);
        let joined = self.guessed(&old.form, &new).or_else(|| old.form.join_in_loop(&new));
        if let Some(form) = joined.or_else(|| old.form.either(&new)) {
            self.unite_forms(&old.form, &new);
            let slot = Slot { form, ..old.clone() };
            next.carried.push(Carried { slot, defined: carried.defined, is_settled: !new.may_be_int() });
            return;
        }
        let found = old.form.describe(&self.builder);
        let Binding::Different(mut difference) = self.difference((value, old.span), (value, span)) else { return };
        difference.first.1 = found;
        let binding = Binding::Different(difference);
        match &old.target {
            Target::Name(name) => drop(next.dropped.insert(name.clone(), binding)),
            _ => {
                if let Some(Binding::Bound(value, _)) = self.returned_binding(Some(binding)) {
                    let form = self.form(&value);
                    next.carried.push(Carried { slot: Slot { form, ..old.clone() }, defined: false, is_settled: true });
                }
            }
        }
    }
}
