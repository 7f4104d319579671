//! What a version of a loop assumes: one type for all that guards ask.
//!
//! In: what has to hold, and why. Out: whether it can be computed before the loop, and what suffices for it in all iterations. An assumption is
//! bounded over all iterations, so that it may be false although no check would fail. `simplify` drops what others imply, and `emit` makes the guard.

use std::collections::HashMap;

use numptx_ir::array::{ErrorKind, OpKind, ValueId};

use crate::loops::assumptions::guards::is_small;
use crate::loops::dependence::{Affine, LoopId, Nest, Step, Variable};
use crate::loops::schedule::least::{all_least, is_certain, keep_weakest, ways};

/// What an assumption is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// No index is out of range.
    InBounds,
    /// No other check of the program fails.
    NoError,
    /// Slices, extents and the axes of flattened arrays are as the version has them.
    AsWritten,
    /// Indices do not count from the end.
    FromTheStart,
    /// Loops by run-time steps rise.
    PositiveStep,
    /// Remainders are of positive divisors.
    PositiveDivisor,
    /// An index at a remainder goes round once.
    NoWrapAround,
    /// Ints of fewer than 64 bits do not wrap.
    NoOverflow,
    /// Elements that places depend on lie in a range.
    RangeOfElements,
    /// Ints are so small that nothing overflows where the version computes with them.
    SmallInts,
    /// There are enough iterations for the version to be worth it.
    EnoughWork,
    /// There are iterations for which memory is taken, and there is enough of it.
    Memory,
}

impl Kind {
    /// In words, as dumps and reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::InBounds => "in bounds",
            Kind::NoError => "no error",
            Kind::AsWritten => "as written",
            Kind::FromTheStart => "from the start",
            Kind::PositiveStep => "positive step",
            Kind::PositiveDivisor => "positive divisor",
            Kind::NoWrapAround => "no wrap-around",
            Kind::NoOverflow => "no overflow",
            Kind::RangeOfElements => "range of elements",
            Kind::SmallInts => "small ints",
            Kind::EnoughWork => "enough work",
            Kind::Memory => "memory",
        }
    }

    /// Of a check of the loop. Those without a message are of versions, and never raised.
    pub fn of_check(kind: &OpKind) -> Self {
        match kind {
            OpKind::Check { message, .. } if message.is_empty() => Kind::AsWritten,
            OpKind::Check { kind: ErrorKind::Index, .. } => Kind::InBounds,
            _ => Kind::NoError,
        }
    }
}

/// What has to hold.
#[derive(Clone, Debug)]
pub enum Predicate {
    /// A captured truth value.
    Holds(ValueId),
    /// In every iteration one of these functions is at least 0, always the same one.
    AtLeastZero {
        /// The functions.
        any: Vec<Affine>,
        /// The innermost loop around.
        within: Option<LoopId>,
        /// What is at least 0 then: first what conditions around say.
        guards: Vec<Affine>,
        /// How many of these the conditions say.
        n_conditions: usize,
    },
}

/// Something that a version of a loop assumes.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// What for.
    pub kind: Kind,
    /// What.
    pub predicate: Predicate,
}

impl Assumption {
    /// A truth value that is known before the loop.
    pub fn holds(kind: Kind, value: ValueId) -> Self {
        Assumption { kind, predicate: Predicate::Holds(value) }
    }

    /// A function of what is the same in all iterations is at least 0.
    pub fn at_least_zero(kind: Kind, function: Affine) -> Self {
        let (any, guards) = (vec![function], Vec::new());
        Assumption { kind, predicate: Predicate::AtLeastZero { any, within: None, guards, n_conditions: 0 } }
    }

    /// The same whatever the conditions around are.
    pub fn unconditional(&self) -> Self {
        let mut unconditional = self.clone();
        if let Predicate::AtLeastZero { guards, n_conditions, .. } = &mut unconditional.predicate {
            guards.drain(..std::mem::take(n_conditions));
        }
        unconditional
    }

    /// What suffices for it to hold in all iterations, whatever the conditions around are; `None` if it holds certainly or that is not known before.
    pub fn sufficient(&self, nest: &Nest, symbols: &HashMap<Variable, ValueId>) -> Option<Affine> {
        let Predicate::AtLeastZero { any, within, guards, .. } = &self.predicate else { return None };
        let [function] = any.as_slice() else { return None };
        if ways(nest, function, *within, guards).iter().any(is_certain) {
            return None;
        }
        let mut bounds = all_least(nest, function, &nest.chain(*within));
        keep_weakest(nest, &mut bounds);
        bounds.retain(|least| is_known(nest, symbols, least) && least.as_constant().is_none());
        bounds.into_iter().max_by_key(Affine::constant_part)
    }

    /// Whether it holds in all iterations, whatever symbols are.
    pub fn is_certain(&self, nest: &Nest) -> bool {
        self.ways(nest).iter().any(is_certain)
    }

    /// Whether it can be computed before the loop, as far as this can be seen, and may be true.
    pub fn is_decidable(&self, nest: &Nest, symbols: &HashMap<Variable, ValueId>) -> bool {
        let may_hold = |way: &Affine| way.as_constant().is_none() && is_known(nest, symbols, way);
        !matches!(self.predicate, Predicate::AtLeastZero { .. })
            || self.ways(nest).iter().any(|way| is_certain(way) || may_hold(way))
    }

    /// Functions of which each suffices where it is at least 0.
    pub(crate) fn ways(&self, nest: &Nest) -> Vec<Affine> {
        match &self.predicate {
            Predicate::AtLeastZero { any, within, guards, .. } => {
                any.iter().flat_map(|function| ways(nest, function, *within, guards)).collect()
            }
            Predicate::Holds(_) => Vec::new(),
        }
    }
}

/// Whether a function can be computed before the loop.
pub(crate) fn is_known(nest: &Nest, symbols: &HashMap<Variable, ValueId>, function: &Affine) -> bool {
    let is_of_symbols = |of: &Affine| is_small(of) && of.terms().iter().all(|(v, _)| symbols.contains_key(v));
    let is_last = |variable: &Variable| {
        let of = nest.lasts().find(|(_, last)| *variable == Variable::Symbol(*last)).map(|(of, _)| of);
        of.is_some_and(|of| {
            let header = nest.loop_of(of);
            let stride = if let Step::Known(_) = header.step { None } else { nest.stride_of(of) };
            [&header.lower].into_iter().chain(&header.upper).chain(stride).all(is_of_symbols)
        })
    };
    is_small(function) && function.terms().iter().all(|(v, _)| symbols.contains_key(v) || is_last(v))
}
