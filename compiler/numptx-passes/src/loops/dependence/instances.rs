//! Two accesses, each in an iteration of its own, as one system of equations and inequalities: when do they touch the same element?
//!
//! In: a nest, two of its accesses, which of the loops around both are in the same iteration. Out: a system to which the caller adds in what
//! order or place the iterations are. What is not affine adds nothing, so the system has all true solutions and maybe others.
//!
//! Remainders by a number are what they are of without a multiple of it. Those by a run-time integer that are equal are of equal numbers, where these
//! always differ by less (`remainders`). Elements of an array that nothing writes are equal where their indices are.
//!
//! A loop with a known step counts: `index = lower + step · count`. So the steps of both sides and their lower bounds need no test of their own.

use std::collections::BTreeMap;

use crate::loops::dependence::affine::{Affine, LoopId, Symbol, Variable};
use crate::loops::dependence::nest::{Access, Nest, Step, Subscript};
use crate::loops::dependence::system::{Row, System, Work};

/// Which of two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    First,
    Second,
}

/// A column's meaning: of one side, or of both.
pub(crate) type Key = (Option<Side>, Variable);

/// Two accesses in iterations of the loops around them.
pub(crate) struct Instances<'n> {
    pub(crate) nest: &'n Nest,
    accesses: [&'n Access; 2],
    /// The loops that are in the same iteration, from the outside in.
    pub(crate) same: Vec<LoopId>,
    pub(crate) system: System,
    pub(crate) columns: BTreeMap<Key, usize>,
    /// What each index is.
    indices: BTreeMap<(Option<Side>, LoopId), Row>,
}

impl<'n> Instances<'n> {
    /// Iterations in which both accesses may touch the same element; those of the loops `same` are equal. `None` if numbers overflow.
    pub(crate) fn meeting(
        nest: &'n Nest,
        [first, second]: [&'n Access; 2],
        same: &[LoopId],
        work: &mut Work,
    ) -> Option<Self> {
        let (columns, indices) = (BTreeMap::new(), BTreeMap::new());
        let same = same.to_vec();
        let mut new = Self { nest, accesses: [first, second], same, system: System::default(), columns, indices };
        for side in [Side::First, Side::Second] {
            new.bound_indices(side)?;
            new.state_guards(side)?;
        }
        new.state_facts()?;
        if first.subscripts.len() == second.subscripts.len() {
            for (a, b) in first.subscripts.iter().zip(&second.subscripts) {
                let a = new.element(Side::First, a)?;
                let b = new.element(Side::Second, b)?;
                if let (Some(a), Some(b)) = (a, b) {
                    new.system.add_equation(a.minus(&b)?);
                }
            }
        }
        new.state_remainders()?;
        if first.subscripts.len() == second.subscripts.len() {
            for pair in first.subscripts.iter().zip(&second.subscripts) {
                new.state_equal_elements(pair, work)?;
                new.state_equal_remainders(pair, work)?;
            }
        }
        Some(new)
    }

    /// How many iterations lie from the first access to the second, where the loop counts.
    pub(crate) fn counted(&self, around: LoopId) -> Option<[usize; 2]> {
        let count = |side| self.columns.get(&(self.owner(side, Some(around)), Variable::Index(around))).copied();
        let counts = matches!(self.nest.loop_of(around).step, Step::Known(_));
        if counts { Some([count(Side::First)?, count(Side::Second)?]) } else { None }
    }

    /// The index of a loop around an access.
    pub(crate) fn index(&self, side: Side, of: LoopId) -> Option<&Row> {
        self.indices.get(&(self.owner(side, Some(of)), of))
    }

    pub(crate) fn access(&self, side: Side) -> &'n Access {
        self.accesses[side as usize]
    }

    /// Whose column it is that changes with a loop's iteration.
    pub(crate) fn owner(&self, side: Side, varies_in: Option<LoopId>) -> Option<Side> {
        varies_in.is_some_and(|l| !self.same.contains(&l)).then_some(side)
    }

    fn column(&mut self, key: Key) -> usize {
        *self.columns.entry(key).or_insert_with(|| self.system.add_column())
    }

    pub(crate) fn symbol(&mut self, side: Side, symbol: Symbol) -> Row {
        let owner = self.owner(side, self.nest.varies_in(symbol));
        Row::column(self.column((owner, Variable::Symbol(symbol))))
    }

    /// A function of the indices around one side's access; an index that is not around it may be anything.
    pub(crate) fn row(&mut self, side: Side, function: &Affine) -> Option<Row> {
        let mut row = Row::constant(function.constant_part());
        for &(variable, factor) in function.terms() {
            let value = match variable {
                Variable::Symbol(symbol) => self.symbol(side, symbol),
                Variable::Index(of) => match self.index(side, of) {
                    Some(index) => index.clone(),
                    None => Row::column(self.system.add_column()),
                },
            };
            row = row.plus(factor, &value)?;
        }
        Some(row)
    }

    fn bound_indices(&mut self, side: Side) -> Option<()> {
        for of in self.nest.chain(self.access(side).within) {
            let owner = self.owner(side, Some(of));
            if self.indices.contains_key(&(owner, of)) {
                continue;
            }
            let header = self.nest.loop_of(of);
            let lower = self.row(side, &header.lower)?;
            let upper = header.upper.iter().map(|upper| self.row(side, upper)).collect::<Option<Vec<_>>>()?;
            let column = Row::column(self.column((owner, Variable::Index(of))));
            let (index, descends) = match header.step {
                Step::Known(step) => {
                    self.system.add_inequality(column.clone());
                    (lower.plus(step, &column)?, step < 0)
                }
                Step::Positive => {
                    self.system.add_inequality(column.minus(&lower)?);
                    (column, false)
                }
                Step::Unknown => {
                    self.indices.insert((owner, of), column);
                    continue;
                }
            };
            for bound in &header.lower_of {
                let bound = self.row(side, bound)?;
                self.system.add_inequality(if descends { bound.minus(&index)? } else { index.minus(&bound)? });
            }
            for bound in upper {
                let room = if descends { index.minus(&bound)? } else { bound.minus(&index)? };
                self.system.add_inequality(room.plus(-1, &Row::constant(1))?);
            }
            self.indices.insert((owner, of), index);
        }
        Some(())
    }

    fn state_guards(&mut self, side: Side) -> Option<()> {
        for guard in &self.access(side).guards {
            let row = self.row(side, guard)?;
            self.system.add_inequality(row);
        }
        for distinct in &self.access(side).distinct {
            let row = self.row(side, distinct)?;
            self.system.add_distinct(row);
        }
        Some(())
    }

    /// Facts hold where all their loops are around the access.
    fn state_facts(&mut self) -> Option<()> {
        for side in [Side::First, Side::Second] {
            let around = self.nest.chain(self.access(side).within);
            for fact in self.nest.facts() {
                let mut loops = fact.terms().iter().filter_map(|&(variable, _)| match variable {
                    Variable::Index(of) => Some(of),
                    Variable::Symbol(symbol) => self.nest.varies_in(symbol),
                });
                if loops.all(|l| around.contains(&l)) {
                    let row = self.row(side, fact)?;
                    self.system.add_inequality(row);
                }
            }
        }
        Some(())
    }

    /// An element that a subscript names; `None` inside where it may be any.
    #[expect(clippy::option_option, reason = "outside it is an overflow")]
    fn element(&mut self, side: Side, subscript: &Subscript) -> Option<Option<Row>> {
        match subscript {
            Subscript::Unknown => Some(None),
            Subscript::Index(work_item) => Some(Some(self.row(side, work_item)?)),
            Subscript::Interval { start, length, step } => {
                let (start, length) = (self.row(side, start)?, self.row(side, length)?);
                let count = Row::column(self.system.add_column());
                self.system.add_inequality(count.clone());
                self.system.add_inequality(length.minus(&count)?.plus(-1, &Row::constant(1))?);
                Some(Some(start.plus(*step, &count)?))
            }
        }
    }
}
