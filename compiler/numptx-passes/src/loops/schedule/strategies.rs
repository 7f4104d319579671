//! The strategies in the order in which they are tried, and the loop over them.
//!
//! In: an op of a region. Out: the ops that take its place, and its schedule. A strategy proposes kernels for a loop or says why there are none; the
//! first proposal is taken, and a loop without one stays on the host, with what is in it scheduled alone.

use numptx_ir::array::{Op, OpKind};

use crate::analysis::traverse::uses_objects;
use crate::loops::form_nests::contents::{checks_alone, touches_elements};
use crate::loops::function::{FormNests, Settings};
use crate::loops::nest::program::{Refusal, Refused};
use crate::loops::schedule::launches::Threads;

/// The kernels of a loop, or what prevents them, as far as that is of interest.
pub(crate) type Proposal = Result<Vec<Op>, Option<Refused>>;

/// A way to run a loop.
pub struct Strategy {
    /// Its name, by which it may be forced.
    pub name: &'static str,
    /// Kinds of nests among which it chooses: each of them may be forced, and not all of them by its name.
    pub kinds: &'static [&'static str],
    /// What it makes of a loop. It adds the loop to the schedule.
    pub propose: fn(&mut FormNests, &Op) -> Proposal,
}

impl Strategy {
    pub const fn new(name: &'static str, propose: fn(&mut FormNests, &Op) -> Proposal) -> Self {
        Strategy { name, kinds: &[], propose }
    }

    fn may(&self, settings: &Settings) -> bool {
        settings.may(self.name) || settings.chosen.is_some_and(|chosen| self.kinds.contains(&chosen))
    }
}

/// The first one that proposes something is taken.
pub const STRATEGIES: &[Strategy] = &[
    Strategy::new("search", |pass, op| pass.as_reduction(op, |pass| pass.searched(op))),
    Strategy::new("reduction", |pass, op| pass.as_reduction(op, |pass| pass.reduced(op))),
    Strategy::new("position", |pass, op| pass.as_reduction(op, |pass| pass.positioned(op))),
    Strategy::new("reduction", |pass, op| pass.as_reduction(op, |pass| pass.reduced_delinearised(op))),
    Strategy::new("scan", |pass, op| pass.as_scan(op)),
    Strategy {
        name: "nests",
        kinds: &["parallel", "histogram", "interchange", "wavefront", "phases", "serial"],
        propose: |pass, op| pass.as_nests(op),
    },
];

/// What a test may force: strategies, kinds of nests, and the host's loop as it is written.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for strategy in STRATEGIES {
        let of = if strategy.kinds.is_empty() { std::slice::from_ref(&strategy.name) } else { strategy.kinds };
        names.extend(of.iter().filter(|name| !names.contains(*name)).copied().collect::<Vec<_>>());
    }
    names.push("host");
    names
}

impl FormNests<'_> {
    /// Adds what takes the place of an op.
    pub fn scheduled(&mut self, mut op: Op, ops: &mut Vec<Op>) {
        let (mut rounded, mut refusal) = (None, self.prevents_any(&op));
        if refusal.is_none() {
            for strategy in STRATEGIES {
                if !strategy.may(&self.settings) {
                    continue;
                }
                let tried = self.tried(|pass| (strategy.propose)(pass, &op));
                rounded = rounded.or(tried.found.rounded);
                if let Err(refused) = tried.value {
                    refusal = refused.or(refusal);
                    continue;
                }
                self.is_changed = true;
                ops.extend(self.keep(tried).unwrap_or_default());
                return self.decide_rounded(op.span, rounded);
            }
        }
        let inner = self.tried(|pass| pass.regions_on_host(&mut op));
        if matches!(op.kind, OpKind::For | OpKind::While) {
            self.decide_host(&op, refusal.filter(|_| may_be_nests(self, &op)));
            self.decide_rounded(op.span, rounded);
        }
        self.keep(inner);
        ops.push(op);
    }

    /// What prevents kernels of any kind.
    fn prevents_any(&self, op: &Op) -> Option<Refused> {
        // Lists, dictionaries and strings are the host's; loops in such a loop may be nests.
        if !op.regions.is_empty() && uses_objects(self.function, op) {
            return Some(Refusal("lists, dictionaries, sets and strings are the host's").into());
        }
        let is_apart = self.facts.seen.is_apart_from(op, self.function, &self.known.points_to);
        (!is_apart).then(|| Refusal("it carries an array that others see").into())
    }

    fn as_reduction(&mut self, op: &Op, form: impl FnOnce(&mut Self) -> Option<Vec<Op>>) -> Proposal {
        let ops = self.tried(form).value.ok_or(None)?;
        self.note_kernel(Threads::Elements, &[], &|_| true);
        self.decide_reduction(op);
        Ok(ops)
    }

    fn as_scan(&mut self, op: &Op) -> Proposal {
        let mut tried = self.tried(|pass| pass.scanned(op));
        self.found.add(std::mem::take(&mut tried.found));
        let (ops, of) = tried.value.ok_or(None)?;
        self.note_kernel(Threads::Elements, &[], &|_| true);
        self.decide_scan(op, of);
        Ok(ops)
    }

    fn as_nests(&mut self, op: &Op) -> Proposal {
        if !may_be_nests(self, op) {
            return Err(None);
        }
        let mut best = self.tried(|pass| pass.best_delinearised(op));
        if let Ok(formed) = &mut best.value {
            self.around_kernels(formed, Some(&mut best.schedule));
        }
        self.keep(best).map_err(Some)
    }
}

/// Whether nests could do what a loop does.
fn may_be_nests(pass: &FormNests, op: &Op) -> bool {
    let carries_arrays = op.results.iter().any(|v| pass.function.array(*v).is_some_and(|array| array.rank > 0));
    matches!(op.kind, OpKind::For | OpKind::While) && (carries_arrays || touches_elements(op) || checks_alone(op))
}
