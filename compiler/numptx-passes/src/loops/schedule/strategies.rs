//! The strategies in the order in which they are tried, and the loop over them.
//!
//! In: an op of a region. Out: the ops that take its place, and its schedule. A strategy proposes kernels for a loop or says why there are none; the
//! first proposal is taken, and a loop without one stays on the host, with what is in it scheduled alone.

use numptx_ir::array::{Op, OpKind};

use crate::analysis::traverse::uses_objects;
use crate::loops::assumptions::versions::Versions;
use crate::loops::form_nests::contents::{checks_alone, touches_elements};
use crate::loops::function::{FormNests, Settings};
use crate::loops::nest::program::{Refusal, Refused};
use crate::loops::schedule::attempt::Tried;
use crate::loops::schedule::launches::Threads;

/// What a strategy makes of a loop: its kernels, or what prevents them, as far as that is of interest.
pub(crate) type Proposal = Tried<Result<Versions, Option<Refused>>>;

/// A way to run a loop.
pub struct Strategy {
    /// Its name, by which it may be forced.
    pub name: &'static str,
    /// Kinds of nests among which it chooses: each of them may be forced, and not all of them by its name.
    pub kinds: &'static [&'static str],
    /// What it makes of a loop, in a state of its own.
    pub propose: fn(FormNests, &Op) -> Proposal,
}

impl Strategy {
    pub const fn new(name: &'static str, propose: fn(FormNests, &Op) -> Proposal) -> Self {
        Strategy { name, kinds: &[], propose }
    }

    fn may(&self, settings: &Settings) -> bool {
        settings.may(self.name) || settings.chosen.is_some_and(|chosen| self.kinds.contains(&chosen))
    }
}

/// The first one that proposes something is taken.
pub const STRATEGIES: &[Strategy] = &[
    Strategy::new("search", |form, op| form.into_reduction(op, |form| form.searched(op))),
    Strategy::new("reduction", |form, op| form.into_reduction(op, |form| form.reduced(op))),
    Strategy::new("position", |form, op| form.into_reduction(op, |form| form.positioned(op))),
    Strategy::new("reduction", |form, op| form.into_reduction(op, |form| form.reduced_delinearised(op))),
    Strategy::new("scan", |form, op| form.into_scan(op)),
    Strategy {
        name: "nests",
        kinds: &["parallel", "histogram", "interchange", "wavefront", "phases", "serial"],
        propose: |form, op| form.into_nests(op),
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
        if refusal.is_none() && matches!(op.kind, OpKind::For | OpKind::While) {
            for strategy in STRATEGIES {
                if !strategy.may(self.settings) {
                    continue;
                }
                let proposal = (strategy.propose)(self.another(self.attempt), &op);
                rounded = rounded.or(proposal.found.rounded);
                if let Err(refused) = &proposal.value {
                    refusal = refused.or(refusal);
                } else if let Ok(versions) = self.keep_inside(proposal) {
                    self.is_changed = true;
                    ops.extend(self.ops_of(&op, versions));
                    return self.decide_rounded(op.span, rounded);
                }
            }
        }
        let inner = self.tried(|pass| pass.regions_on_host(&mut op));
        if matches!(op.kind, OpKind::For | OpKind::While) {
            self.decide_host(&op, refusal.filter(|_| may_be_nests(self, &op)));
            self.decide_rounded(op.span, rounded);
        }
        self.keep_inside(inner);
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

    /// A reduction; what its fallbacks are is not told.
    fn into_reduction(mut self, op: &Op, form: impl FnOnce(&mut FormNests) -> Option<Versions>) -> Proposal {
        let versions = self.tried(form).value;
        if versions.is_some() {
            self.note_kernel(Threads::Elements, &[], &|_| true);
            self.decide_reduction(op);
        }
        self.into_tried(versions.ok_or(None))
    }

    fn into_scan(mut self, op: &Op) -> Proposal {
        let tried = self.tried(|pass| pass.scanned(op));
        self.found.add(tried.found);
        let versions = tried.value.map(|(versions, of)| {
            self.note_kernel(Threads::Elements, &[], &|_| true);
            self.decide_scan(op, of);
            versions
        });
        self.into_tried(versions.ok_or(None))
    }

    fn into_nests(mut self, op: &Op) -> Proposal {
        if !may_be_nests(&self, op) {
            return self.into_tried(Err(None));
        }
        let mut best = self.tried(|pass| pass.best_delinearised(op));
        if let Ok(versions) = &mut best.value {
            for (n, version) in versions.all.iter_mut().enumerate() {
                for ops in [&mut version.before, &mut version.then] {
                    self.around_kernels(ops, Some(&mut best.schedule).filter(|_| n == 0));
                }
            }
        }
        let versions = self.keep(best).map_err(Some);
        self.into_tried(versions)
    }
}

/// Whether nests could do what a loop does.
fn may_be_nests(pass: &FormNests, op: &Op) -> bool {
    let carries_arrays = op.results.iter().any(|v| pass.function.array(*v).is_some_and(|array| array.rank > 0));
    matches!(op.kind, OpKind::For | OpKind::While) && (carries_arrays || touches_elements(op) || checks_alone(op))
}
