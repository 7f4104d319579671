//! Which elements of tables the statements of a cooperative program may meet.
//!
//! In: a statement. Out: its accesses, each with the least and the greatest index along each axis, as sums of values that all threads have alike. Where
//! that is not known an access may meet every element.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{Block, Code, Constant, ScalarOp, Stmt, StmtKind, Val};

/// Arrays of equal extents side by side in one that are told apart.
const MULTIPLES: i64 = 4;
/// Additions in additions that are followed.
const DEPTH: usize = 12;

/// A sum of values times numbers, and a number: an `i64`, which wraps as that does.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sum {
    terms: BTreeMap<Val, i64>,
    constant: i64,
}

impl Sum {
    /// A number.
    pub fn number(constant: i64) -> Sum {
        Sum { terms: BTreeMap::new(), constant }
    }

    /// A value.
    pub fn value(val: Val) -> Sum {
        Sum { terms: BTreeMap::from([(val, 1)]), constant: 0 }
    }

    /// The values in it, each with the number, which is not 0, that it is multiplied by.
    pub fn terms(&self) -> impl Iterator<Item = (Val, i64)> + '_ {
        self.terms.iter().map(|(val, factor)| (*val, *factor))
    }

    /// The number in it.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// `self + factor * other`; `None` where numbers are too large.
    pub fn plus(mut self, other: &Sum, factor: i64) -> Option<Sum> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (val, n) in &other.terms {
            let sum = self.terms.get(val).copied().unwrap_or(0).checked_add(n.checked_mul(factor)?)?;
            match sum {
                0 => drop(self.terms.remove(val)),
                _ => drop(self.terms.insert(*val, sum)),
            }
        }
        Some(self)
    }

    /// The sum with other names for values.
    pub fn renamed(&self, names: &HashMap<Val, Val>) -> Sum {
        let mut sum = Sum::number(self.constant);
        for (val, factor) in &self.terms {
            *sum.terms.entry(names.get(val).copied().unwrap_or(*val)).or_insert(0) += factor;
        }
        sum
    }

    /// The number that it is, whatever values are.
    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }
}

/// The least and the greatest index along an axis.
type Range = (Sum, Sum);

/// What is loaded or stored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Access {
    table: u32,
    is_store: bool,
    /// By axis; `None`: any index.
    ranges: Vec<Option<Range>>,
    /// Extents of the points that it is of: where there is a point they are at least 1.
    extents: Vec<Sum>,
}

impl Access {
    /// Whether one of them has to wait for the other: both may meet an element, and one of them stores.
    pub fn conflicts(&self, other: &Access) -> bool {
        let is_below = |a: &Range, b: &Range| {
            let Some(distance) = a.1.clone().plus(&b.0, -1) else { return false };
            let extents = self.extents.iter().chain(&other.extents);
            distance.as_number().is_some_and(|distance| distance < 0)
                || extents.into_iter().any(|n| is_less(&distance, n))
        };
        let are_apart = |(a, b): (&Option<Range>, &Option<Range>)| match (a, b) {
            (Some(a), Some(b)) => is_below(a, b) || is_below(b, a),
            _ => false,
        };
        self.table == other.table
            && (self.is_store || other.is_store)
            && !self.ranges.iter().zip(&other.ranges).any(are_apart)
    }

    /// Whether it is a store.
    pub fn is_store(&self) -> bool {
        self.is_store
    }

    /// The access after some values have become others: nothing is known of indices that they make.
    fn forget(mut self, vals: &HashSet<Val>) -> Access {
        let names = |sum: &Sum| sum.terms.keys().any(|val| vals.contains(val));
        self.extents.retain(|extent| !names(extent));
        for range in &mut self.ranges {
            if range.as_ref().is_some_and(|(least, greatest)| names(least) || names(greatest)) {
                *range = None;
            }
        }
        self
    }
}

/// Whether a sum is less than 0 for all values of an extent that are at least 1.
fn is_less(sum: &Sum, extent: &Sum) -> bool {
    (1..=MULTIPLES).any(|n| {
        let rest = sum.clone().plus(extent, n).and_then(|rest| rest.as_number());
        rest.is_some_and(|rest| rest < n)
    })
}

/// Accesses, each once.
pub(super) type Accesses = BTreeSet<Access>;

/// Accesses after some values have become others.
pub(super) fn forget(accesses: Accesses, vals: &HashSet<Val>) -> Accesses {
    accesses.into_iter().map(|access| access.forget(vals)).collect()
}

/// All values that a statement and what is nested in it define.
pub fn defined_in(stmt: &Stmt) -> HashSet<Val> {
    let mut defined: HashSet<Val> = stmt.results.iter().copied().collect();
    for block in &stmt.blocks {
        defined.extend(&block.parameters);
        block.for_each_stmt(&mut |nested| {
            defined.extend(&nested.results);
            nested.blocks.iter().for_each(|block| defined.extend(&block.parameters));
        });
    }
    defined
}

/// How the values of a program are made.
pub struct Footprints<'c> {
    made: HashMap<Val, &'c Stmt>,
    /// Indices of shared steps, and their extents.
    points: HashMap<Val, Val>,
}

impl<'c> Footprints<'c> {
    /// Those of a program.
    pub fn of(code: &'c Code) -> Self {
        let (mut made, mut points) = (HashMap::new(), HashMap::new());
        code.block.for_each_stmt(&mut |stmt| {
            made.extend(stmt.results.iter().map(|val| (*val, stmt)));
            if let (true, [Block { parameters, .. }]) = (stmt.kind.is_shared(), &stmt.blocks[..]) {
                points.extend(parameters.iter().copied().zip(stmt.operands.iter().copied()));
            }
        });
        Footprints { made, points }
    }

    /// What a statement and all in it does.
    pub(super) fn of_step(&self, stmt: &Stmt) -> Accesses {
        let own = if stmt.kind.is_shared() { defined_in(stmt) } else { HashSet::new() };
        let mut accesses = Accesses::new();
        let extents = self.extents(stmt);
        let mut note = |stmt: &Stmt| {
            if let (StmtKind::Solve(_, table), [element, ..]) = (stmt.kind, &stmt.blocks[..]) {
                let (ranges, extents) = (vec![None; element.yields.len()], Vec::new());
                accesses.insert(Access { table, is_store: true, ranges, extents });
            }
            accesses.extend(self.access(stmt, &own).map(|access| Access { extents: extents.clone(), ..access }));
        };
        note(stmt);
        stmt.blocks.iter().for_each(|block| block.for_each_stmt(&mut note));
        accesses
    }

    /// What a load or a store does; `own`: values that threads do not have alike.
    pub(super) fn access(&self, stmt: &Stmt, own: &HashSet<Val>) -> Option<Access> {
        let (table, is_store, at) = match stmt.kind {
            StmtKind::Load(table) => (table, false, &stmt.operands[..]),
            StmtKind::Store(table) => (table, true, stmt.operands.get(1..).unwrap_or_default()),
            _ => return None,
        };
        let ranges = at.iter().map(|val| self.range(*val, own)).collect();
        Some(Access { table, is_store, ranges, extents: Vec::new() })
    }

    /// Those of a statement that threads share.
    fn extents(&self, stmt: &Stmt) -> Vec<Sum> {
        let extents = stmt.operands.iter().filter(|_| stmt.kind.is_shared());
        extents.filter_map(|extent| self.sum(*extent, DEPTH)).collect()
    }

    /// The least and the greatest value of an index; `own`: values that threads do not have alike.
    fn range(&self, val: Val, own: &HashSet<Val>) -> Option<Range> {
        let sum = self.sum_of(val)?;
        let (mut least, mut greatest) = (Sum::number(sum.constant), Sum::number(sum.constant));
        for (val, factor) in &sum.terms {
            let Some(extent) = self.points.get(val) else {
                if own.contains(val) {
                    return None;
                }
                (least, greatest) =
                    (least.plus(&Sum::value(*val), *factor)?, greatest.plus(&Sum::value(*val), *factor)?);
                continue;
            };
            let last = self.sum(*extent, DEPTH)?.plus(&Sum::number(1), -1)?;
            // How long a sum in a point is may be the point's own.
            if last.terms.keys().any(|val| own.contains(val)) {
                return None;
            }
            match *factor > 0 {
                true => greatest = greatest.plus(&last, *factor)?,
                false => least = least.plus(&last, *factor)?,
            }
        }
        Some((least, greatest))
    }

    /// An `i64` value as a sum of those that are none.
    pub fn sum_of(&self, val: Val) -> Option<Sum> {
        self.sum(val, DEPTH)
    }

    fn sum(&self, val: Val, depth: usize) -> Option<Sum> {
        let Some(stmt) = self.made.get(&val).filter(|_| depth > 0) else { return Some(Sum::value(val)) };
        let part = |val: &Val| self.sum(*val, depth - 1);
        match (stmt.kind, &stmt.operands[..]) {
            (StmtKind::Constant(Constant::Int(n)), _) => Some(Sum::number(n)),
            (StmtKind::Op(ScalarOp::Add), [a, b]) => part(a)?.plus(&part(b)?, 1),
            (StmtKind::Op(ScalarOp::Sub), [a, b]) => part(a)?.plus(&part(b)?, -1),
            (StmtKind::Op(ScalarOp::Neg), [a]) => Sum::default().plus(&part(a)?, -1),
            (StmtKind::Op(ScalarOp::Mul), [a, b]) => {
                let (a, b) = (part(a)?, part(b)?);
                match (a.as_number(), b.as_number()) {
                    (Some(factor), _) => Sum::default().plus(&b, factor),
                    (_, Some(factor)) => Sum::default().plus(&a, factor),
                    _ => Some(Sum::value(val)),
                }
            }
            _ => Some(Sum::value(val)),
        }
    }
}
