//! Chooses among the forms of a loop, and tells what they were.
//!
//! In: two forms of a loop that were tried. Out: the one that is taken, with a remark about each of them, and the other one as its fallback, if it is one.
//! [`super::cost`] has the model; who compares says under which further conditions the second one is taken.

use numptx_ir::array::{Candidate, Op, Remark, RemarkKind};
use numptx_source::Span;

use crate::loops::assumptions::versions::Versions;
use crate::loops::nest::program::Refused;
use crate::loops::schedule::attempt::Tried;
use crate::loops::schedule::cost::{LAUNCH, WAIT, cost};
use crate::loops::schedule::launches::text;

/// What a form assumes whose work items make checks: where one fails, the loop runs as it is written.
const CHECKED: &str = "no check of a work item fails";

/// A loop as kernels, or what prevents that.
pub type Formed = Result<Versions, Refused>;

/// A form of a loop, by name.
pub type Form = (&'static str, Tried<Formed>);

impl<T> Tried<Result<T, Refused>> {
    /// Whether one thread runs a loop, or the host waits for checks between launches.
    pub fn is_late(&self) -> bool {
        self.schedule.has_serial_kernel() || !self.draft.at_work_items.is_empty() && self.schedule.has_slow_launches()
    }

    /// Whether another form may take less: one thread runs a loop, the host starts kernels in one, or iterations check something or combine in arrays of
    /// their own.
    pub fn may_be_better(&self, op: &Op) -> bool {
        self.value.is_err()
            || self.is_late()
            || self.schedule.has_slow_launches()
            || !self.draft.at_work_items.is_empty()
            || self.schedule.is_combined(op)
    }

    /// The microseconds that it is expected to take beside its accesses to memory; without end where there is no such form.
    pub fn cost(&self) -> f64 {
        if self.value.is_err() {
            return f64::INFINITY;
        }
        let checks = if self.draft.at_work_items.is_empty() { 0.0 } else { WAIT };
        let extremes = self.draft.assumed.as_ref().map_or(0, |assumed| assumed.ends.len());
        cost(&self.schedule.launches) + checks + extremes as f64 * (LAUNCH + WAIT)
    }

    /// What is to be told of it.
    pub fn remark(&self, span: Span, form: &'static str, is_chosen: bool) -> Remark {
        let cost = self.cost();
        let mut assumptions = if self.value.is_ok() { self.schedule.assumptions_of(span) } else { Vec::new() };
        if self.value.is_ok() && !self.draft.at_work_items.is_empty() {
            assumptions.push(CHECKED.to_owned());
        }
        let candidate = Candidate {
            form,
            launches: text(&self.schedule.launches),
            microseconds: cost.is_finite().then_some(cost as u64),
            assumptions,
            prevents: self.value.as_ref().err().map(|refused| refused.why.0.to_owned()),
            is_chosen,
        };
        Remark { span, kind: RemarkKind::Candidate(candidate) }
    }
}

/// Which of two forms is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The first one.
    First,
    /// The second one.
    Second,
    /// The second one, and the first one where that is not right.
    SecondElseFirst,
}

/// One of two forms of a loop, with a remark about each.
pub fn chosen(span: Span, [first, second]: [Form; 2], taken: Taken) -> Tried<Formed> {
    let is_first = taken == Taken::First;
    let remarks = [first.1.remark(span, first.0, is_first), second.1.remark(span, second.0, !is_first)];
    let ((_, first), (_, second)) = (first, second);
    let mut form = match taken {
        Taken::First => first,
        Taken::Second => second,
        Taken::SecondElseFirst => Tried { value: second.value.map(|versions| versions.or_any(first.value)), ..second },
    };
    remarks.into_iter().for_each(|remark| form.schedule.note(remark));
    form
}

/// The cheaper one of two forms, the first of equals. The first one is the second one's fallback.
pub fn cheaper(span: Span, forms: [Form; 2]) -> Tried<Formed> {
    let is_second = forms[1].1.cost() < forms[0].1.cost();
    chosen(span, forms, if is_second { Taken::SecondElseFirst } else { Taken::First })
}
