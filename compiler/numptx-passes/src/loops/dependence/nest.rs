//! What the analysis is asked about: loops, the accesses in them, and what is known of run-time integers.
//!
//! In: loops from the outside in, then accesses. Out: a nest whose loops form a forest. Does not know array IR; who fills it answers for these:
//!
//! - Accesses of two [`ArrayId`]s never touch the same memory, unless both only read.
//! - A subscript is an index of the array's own axis, and lies in it: negative indices are made positive before.
//! - Every access that an iteration may make is there. That an access may not happen is no matter.
//! - A loop's bounds are evaluated when it is entered, and its body does not change them.

use std::collections::BTreeMap;

use crate::loops::dependence::affine::{Affine, LoopId, Symbol, Variable};
use crate::loops::dependence::answers::Answers;

/// Memory that is told apart from other memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayId(pub u32);

/// The number of an access in its nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccessId(pub(crate) u32);

/// Accumulations with one operator, whose order the caller is free to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReductionGroup(pub u32);

/// By what an index grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A number, not 0.
    Known(i64),
    /// Something positive.
    Positive,
    /// Something that is not 0.
    Unknown,
}

/// `for index in range(lower, upper, step)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loop {
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// The first index. A symbol where it is not affine.
    pub lower: Affine,
    /// No index is less than any of these (greater if the step is negative), as `range(max(a, b), …)` has it. May be empty.
    pub lower_of: Vec<Affine>,
    /// Each bounds the index: it is less (greater if the step is negative), as `range(lower, min(a, b))` has it. May be empty.
    pub upper: Vec<Affine>,
    /// By what the index grows.
    pub step: Step,
}

/// What an access touches along one axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subscript {
    /// One index.
    Index(Affine),
    /// `start, start + step, …`, `length` of them; none if that is negative.
    Interval {
        /// The first index.
        start: Affine,
        /// How many.
        length: Affine,
        /// From an index to the next.
        step: i64,
    },
    /// Any index.
    Unknown,
}

/// Whether an access changes memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// It does not.
    Read,
    /// It does.
    Write,
}

/// One place of the program that reads or writes elements of an array, each time the loops around it come there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// What is accessed.
    pub array: ArrayId,
    /// Whether it is changed.
    pub kind: AccessKind,
    /// One an axis. A scalar variable has none. Accesses of one array with different numbers of them may touch the same elements.
    pub subscripts: Vec<Subscript>,
    /// The innermost loop around it.
    pub within: Option<LoopId>,
    /// Statements in the order of the text. In one statement all that is read is read before anything is written.
    pub position: u32,
    /// Each is at least 0 whenever the access happens, as conditions around it have it.
    pub guards: Vec<Affine>,
    /// None of these is 0 when the access happens.
    pub distinct: Vec<Affine>,
    /// The accumulation that it belongs to. Both the read and the write of `acc op= e` do, what `e` reads does not.
    pub group: Option<ReductionGroup>,
}

/// Loops, their accesses, and facts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Nest {
    loops: Vec<Loop>,
    /// The loop each changes with.
    symbols: Vec<Option<LoopId>>,
    facts: Vec<Affine>,
    /// By what the indices of loops grow whose step is something positive, where it is known as a function.
    strides: BTreeMap<LoopId, Affine>,
    /// The last indices of loops, where they are known before all loops and not one less than the end.
    lasts: BTreeMap<LoopId, Symbol>,
    /// Of symbols, between which functions they lie.
    ranges: BTreeMap<Symbol, [Affine; 2]>,
    /// Of symbols, what they are the remainder of, and by what it was divided.
    remainders: BTreeMap<Symbol, [Affine; 2]>,
    /// Of symbols, of what array they are elements, and at which indices.
    elements: BTreeMap<Symbol, (ArrayId, Vec<Affine>)>,
    accesses: Vec<Access>,
    answers: Answers,
}

impl Nest {
    /// No loops.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No loops; what is asked about it is kept with these answers.
    #[must_use]
    pub fn asking(answers: &Answers) -> Self {
        Self { answers: answers.clone(), ..Self::default() }
    }

    /// What was asked before.
    pub(crate) fn answers(&self) -> &Answers {
        &self.answers
    }

    /// A copy that keeps no answers.
    pub(crate) fn without_answers(&self) -> Self {
        Self { answers: Answers::default(), ..self.clone() }
    }

    /// A run-time integer. It is the same as long as the iteration of `varies_in` is, and of the loops around that; everywhere, if `None`.
    pub fn add_symbol(&mut self, varies_in: Option<LoopId>) -> Symbol {
        let id = number(self.symbols.len());
        self.symbols.push(varies_in.filter(|l| (l.0 as usize) < self.loops.len()));
        Symbol(id)
    }

    /// A run-time integer that is not of the nest: the n-th of such.
    pub fn other_symbol(&self, n: usize) -> Symbol {
        Symbol(number(self.symbols.len() + n))
    }

    /// A loop; its bounds are functions of the indices around it and of symbols. A step of 0 is taken for an unknown one.
    pub fn add_loop(&mut self, mut new: Loop) -> LoopId {
        let id = number(self.loops.len());
        new.parent = new.parent.filter(|l| l.0 < id);
        if new.step == Step::Known(0) {
            new.step = Step::Unknown;
        }
        self.loops.push(new);
        LoopId(id)
    }

    /// Gives a loop the range of another one in the same loop, for the caller sees to it that they are equal.
    pub fn make_alike(&mut self, of: LoopId, like: LoopId) {
        self.loops[of.0 as usize] = self.loops[like.0 as usize].clone();
        self.strides.extend(self.strides.get(&like).cloned().map(|stride| (of, stride)));
    }

    /// States by what the index of a loop grows, a function of what is the same in all of its iterations; it is positive.
    pub fn set_stride(&mut self, of: LoopId, stride: Affine) {
        self.strides.insert(of, stride);
    }

    /// By what the index of a loop grows, if that is no number and was stated.
    #[must_use]
    pub fn stride_of(&self, of: LoopId) -> Option<&Affine> {
        self.strides.get(&of)
    }

    /// A symbol for the last index of a loop, if that is the same whenever it runs, and its range tells it: there is one end, and steps are
    /// longer than 1. What it stands for, [`Nest::lasts`] asks for.
    pub fn name_last(&mut self, of: LoopId) {
        let header = self.loop_of(of);
        let is_long = match header.step {
            Step::Known(step) => step.unsigned_abs() > 1,
            Step::Positive => self.strides.contains_key(&of),
            Step::Unknown => false,
        };
        let is_fixed = |(variable, _): &(Variable, i64)| match variable {
            Variable::Symbol(symbol) => self.varies_in(*symbol).is_none(),
            Variable::Index(_) => false,
        };
        let functions = [&header.lower].into_iter().chain(&header.upper).chain(self.strides.get(&of));
        let is_told = header.lower_of.is_empty() && header.upper.len() == 1;
        if is_long && is_told && functions.into_iter().all(|function| function.terms().iter().all(is_fixed)) {
            let symbol = self.add_symbol(None);
            self.lasts.insert(of, symbol);
        }
    }

    /// The last index of a loop, if it has a symbol.
    #[must_use]
    pub fn last_of(&self, of: LoopId) -> Option<Symbol> {
        self.lasts.get(&of).copied()
    }

    /// Symbols for the last indices of loops.
    pub fn lasts(&self) -> impl Iterator<Item = (LoopId, Symbol)> + '_ {
        self.lasts.iter().map(|(of, symbol)| (*of, *symbol))
    }

    /// States that a function is at least 0 in every iteration of the loops whose indices, and in which symbols of which, it is of.
    pub fn add_fact(&mut self, at_least_zero: Affine) {
        self.facts.push(at_least_zero);
    }

    /// States that a symbol is the remainder of a function, divided by another one, which is positive: at least 0 and less than that.
    pub fn add_remainder(&mut self, symbol: Symbol, of: Affine, by: Affine) {
        self.remainders.insert(symbol, [of, by]);
    }

    /// What a symbol is the remainder of, and by what it was divided.
    #[must_use]
    pub fn remainder(&self, symbol: Symbol) -> Option<&[Affine; 2]> {
        self.remainders.get(&symbol)
    }

    /// States that a symbol is the element of an array at these indices, which are of what the symbol changes with. Nothing writes the array, so that
    /// elements at equal indices are equal.
    pub fn add_element(&mut self, symbol: Symbol, of: ArrayId, at: Vec<Affine>) {
        self.elements.insert(symbol, (of, at));
    }

    /// Of what array a symbol is an element, and at which indices.
    #[must_use]
    pub fn element(&self, symbol: Symbol) -> Option<&(ArrayId, Vec<Affine>)> {
        self.elements.get(&symbol)
    }

    /// States between which functions of symbols that are the same everywhere a symbol lies, both included.
    pub fn add_range(&mut self, symbol: Symbol, range: [Affine; 2]) {
        let [low, high] = range.each_ref().map(|end| Affine::from(symbol).minus(end));
        self.facts.extend(low);
        self.facts.extend(high.and_then(|high| high.times(-1)));
        self.ranges.insert(symbol, range);
    }

    /// Between what a symbol lies, if that was stated.
    #[must_use]
    pub fn range_of(&self, symbol: Symbol) -> Option<&[Affine; 2]> {
        self.ranges.get(&symbol)
    }

    /// An access.
    pub fn add_access(&mut self, access: Access) -> AccessId {
        let id = number(self.accesses.len());
        self.accesses.push(access);
        AccessId(id)
    }

    /// Every loop, outer ones before inner ones.
    pub fn loop_ids(&self) -> impl Iterator<Item = LoopId> + use<> {
        (0..number(self.loops.len())).map(LoopId)
    }

    /// A loop of this nest.
    #[must_use]
    pub fn loop_of(&self, id: LoopId) -> &Loop {
        &self.loops[id.0 as usize]
    }

    /// Every access.
    pub fn access_ids(&self) -> impl Iterator<Item = AccessId> + use<> {
        (0..number(self.accesses.len())).map(AccessId)
    }

    /// An access of this nest.
    #[must_use]
    pub fn access(&self, id: AccessId) -> &Access {
        &self.accesses[id.0 as usize]
    }

    /// What is known to be at least 0.
    #[must_use]
    pub fn facts(&self) -> &[Affine] {
        &self.facts
    }

    /// The loop that a symbol changes with.
    #[must_use]
    pub fn varies_in(&self, symbol: Symbol) -> Option<LoopId> {
        self.symbols[symbol.0 as usize]
    }

    /// The loop and those around it, from the outside in.
    #[must_use]
    pub fn chain(&self, innermost: Option<LoopId>) -> Vec<LoopId> {
        let mut chain: Vec<LoopId> = std::iter::successors(innermost, |&l| self.loop_of(l).parent).collect();
        chain.reverse();
        chain
    }

    /// Whether an access happens in iterations of a loop.
    #[must_use]
    pub fn is_within(&self, access: AccessId, around: LoopId) -> bool {
        std::iter::successors(self.access(access).within, |&l| self.loop_of(l).parent).any(|l| l == around)
    }

    /// The accesses in a loop.
    pub(crate) fn accesses_within(&self, around: LoopId) -> Vec<AccessId> {
        self.access_ids().filter(|&a| self.is_within(a, around)).collect()
    }
}

/// Programs with 2³² of anything are not read.
fn number(n: usize) -> u32 {
    u32::try_from(n).expect("a nest has less than 2³² loops, symbols and accesses")
}
