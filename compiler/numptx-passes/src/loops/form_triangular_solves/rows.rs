//! Loops that are triangular solves.
//!
//! In: a `for` of a cooperative program. Out: what it stores, what each iteration sums up, and what has to hold where it runs, if every iteration stores one
//! element, another one each, and sums up what all iterations before stored.
//!
//! An iteration is meant by its number, from 0 on. In sums of this file the loop's index stands for it.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::scalar::{CodeBuilder, Footprints, Reducer, ScalarOp, Stmt, StmtKind, Sum, Val, defined_in};

/// Limit: an iteration has at most so many statements: each is there for both rows of a lane.
const STEPS: usize = 96;
/// Limit: so many ways to read an index are tried.
const READINGS: usize = 16;
/// Limit: an element, a factor and a sum have at most so many bytes.
const BYTES: usize = 8;

/// A loop.
#[derive(Debug)]
pub struct Rows<'c> {
    pub index: Val,
    /// Lower and upper bound.
    pub bounds: [Val; 2],
    /// What is added to the index: 1 or -1.
    pub stride: i64,
    /// Values of the loop.
    pub own: HashSet<Val>,
    /// What is stored to.
    pub table: u32,
    /// Where, by axis.
    pub at: &'c [Val],
    /// What is stored at the end of an iteration.
    pub stored: Val,
    /// What loads of the table give: a value that the iteration has stored before; `None`: what was there.
    pub loads: HashMap<Val, Option<Val>>,
    pub reducer: Reducer,
    /// What an iteration sums up.
    pub sum: &'c Stmt,
    /// In it, what another iteration stored.
    pub given: Val,
    /// In it, what is not made of that and goes into what is; none where nothing does.
    pub factor: Option<Val>,
    /// Whether sums begin with the iteration right before.
    pub is_reversed: bool,
    /// Pairs of which the first is no larger than the second in all iterations.
    pub needs: Vec<[Sum; 2]>,
}

impl<'c> Rows<'c> {
    pub fn of(
        stmt: &'c Stmt,
        sums: &Footprints<'c>,
        made: &HashMap<Val, &'c Stmt>,
        dtypes: &CodeBuilder,
    ) -> Option<Self> {
        let (StmtKind::For, [lower, upper, stride], [body]) = (stmt.kind, &stmt.operands[..], &stmt.blocks[..]) else {
            return None;
        };
        let [index] = body.parameters[..] else { return None };
        let stride = sums.sum_of(*stride)?.as_number().filter(|n| n.abs() == 1)?;
        let own = defined_in(stmt);
        let found = Stored::of(stmt)?;
        let (StmtKind::Reduce(reducer), [extent], [inner]) =
            (found.sum.kind, &found.sum.operands[..], &found.sum.blocks[..])
        else {
            return None;
        };
        let [position] = inner.parameters[..] else { return None };
        let (given, factor) = parts(found.sum, found.table, &own, made)?;
        let (StmtKind::Load(_), read) = (made.get(&given)?.kind, &made.get(&given)?.operands[..]) else { return None };
        let result = *found.sum.results.first()?;
        let sizes = [Some(found.stored), Some(result), factor];
        if sizes.iter().flatten().any(|val| dtypes.dtype(*val).itemsize() > BYTES) {
            return None;
        }
        let lower_bound = sums.sum_of(*lower)?;
        let reading = Reading { sums, made, own: &own, index, position, lower: lower_bound, stride };
        let (is_reversed, needs) = reading.before(found.at, read, *extent)?;
        Some(Rows {
            index,
            bounds: [*lower, *upper],
            stride,
            table: found.table,
            at: found.at,
            stored: found.stored,
            loads: reading.loads(&found, given)?,
            reducer,
            sum: found.sum,
            given,
            factor,
            is_reversed,
            needs,
            own,
        })
    }
}

/// What a loop stores and sums up.
struct Stored<'c> {
    table: u32,
    at: &'c [Val],
    stored: Val,
    sum: &'c Stmt,
    /// Loads and stores in order, without those of the sum.
    accesses: Vec<&'c Stmt>,
}

impl<'c> Stored<'c> {
    fn of(stmt: &'c Stmt) -> Option<Self> {
        let (mut sum, mut accesses, mut n_steps) = (None, Vec::new(), 0);
        for stmt in &stmt.blocks.first()?.stmts {
            n_steps += 1;
            match stmt.kind {
                StmtKind::Constant(_) | StmtKind::Op(_) => {}
                StmtKind::Load(_) => accesses.push(stmt),
                StmtKind::Reduce(_) if sum.is_none() => sum = Some(stmt),
                StmtKind::Parallel if stmt.operands.is_empty() => {
                    for inner in &stmt.blocks.first()?.stmts {
                        n_steps += 1;
                        match inner.kind {
                            StmtKind::Constant(_) | StmtKind::Op(_) => {}
                            StmtKind::Load(_) | StmtKind::Store(_) => accesses.push(inner),
                            _ => return None,
                        }
                    }
                }
                _ => return None,
            }
        }
        let last = accesses.iter().rfind(|stmt| matches!(stmt.kind, StmtKind::Store(_)))?;
        let (StmtKind::Store(table), [stored, at @ ..]) = (last.kind, &last.operands[..]) else { return None };
        let is_other = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Store(other) if other != table);
        if n_steps > STEPS || accesses.iter().any(is_other) {
            return None;
        }
        Some(Stored { table, at, stored: *stored, sum: sum?, accesses })
    }
}

/// What a sum loads of a table, and what else goes into what is made of that, if that is one value at most.
fn parts(sum: &Stmt, table: u32, own: &HashSet<Val>, made: &HashMap<Val, &Stmt>) -> Option<(Val, Option<Val>)> {
    let body = sum.blocks.first()?;
    let is_of = |stmt: &&Stmt| stmt.kind == StmtKind::Load(table);
    let mut loads = body.stmts.iter().filter(is_of);
    let given = *loads.next()?.results.first()?;
    if loads.next().is_some() {
        return None;
    }
    let (mut late, mut factor): (HashSet<Val>, Option<Val>) = (HashSet::from([given]), None);
    for stmt in &body.stmts {
        if !matches!(stmt.kind, StmtKind::Constant(_) | StmtKind::Op(_) | StmtKind::Load(_)) {
            return None;
        }
        if !stmt.operands.iter().any(|val| late.contains(val)) {
            continue;
        }
        late.extend(&stmt.results);
        if matches!(stmt.kind, StmtKind::Load(_)) {
            return None;
        }
        for val in stmt.operands.iter().filter(|val| !late.contains(val) && own.contains(val)) {
            let is_constant = made.get(val).is_some_and(|stmt| matches!(stmt.kind, StmtKind::Constant(_)));
            if !is_constant && *factor.get_or_insert(*val) != *val {
                return None;
            }
        }
    }
    late.contains(body.yields.first()?).then_some((given, factor))
}

/// A loop that is being read.
struct Reading<'r, 'c> {
    sums: &'r Footprints<'c>,
    made: &'r HashMap<Val, &'c Stmt>,
    own: &'r HashSet<Val>,
    index: Val,
    /// The index of the sum.
    position: Val,
    lower: Sum,
    stride: i64,
}

/// A sum that a value may be, and what has to hold for that.
type Read = (Sum, Vec<[Sum; 2]>);

impl Reading<'_, '_> {
    /// Whether sums go backwards, and what has to hold, if they are over what all iterations before stored.
    fn before(&self, at: &[Val], read: &[Val], extent: Val) -> Option<(bool, Vec<[Sum; 2]>)> {
        let (mut axes, mut needs) = (Vec::new(), Vec::new());
        for (stored, read) in at.iter().zip(read) {
            let stored = self.by_iteration(&self.sums.sum_of(*stored)?)?;
            if self.stays(&stored) {
                let place = self.by_iteration(&self.sums.sum_of(*read)?)?;
                needs.extend(self.equal(&place, &stored)?);
            } else {
                axes.push((stored, *read));
            }
        }
        let [(stored, read)] = &axes[..] else { return None };
        let by = factor_of(stored, self.index);
        let first = stored.clone().plus(&Sum::value(self.index), -by)?;
        if by == 0 || !self.stays(&first) {
            return None;
        }
        let forwards = first.plus(&Sum::value(self.position), by)?;
        let right_before = stored.clone().plus(&Sum::number(by), -1)?;
        let backwards = right_before.plus(&Sum::value(self.position), -by)?;
        let (is_reversed, reading) = [(false, forwards), (true, backwards)]
            .iter()
            .find_map(|(is_reversed, place)| Some((*is_reversed, self.reads(*read, place)?)))?;
        needs.extend(reading);
        needs.extend(self.reads(extent, &Sum::value(self.index))?);
        needs.sort_unstable();
        needs.dedup();
        Some((is_reversed, needs))
    }

    /// What has to hold for a value to be a sum by the number of the iteration.
    fn reads(&self, val: Val, wanted: &Sum) -> Option<Vec<[Sum; 2]>> {
        let readings = self.readings(val)?;
        let equal = readings.into_iter().filter_map(|(found, needs)| {
            let more = self.equal(&found, wanted)?;
            Some([needs, more].concat())
        });
        equal.min_by_key(Vec::len)
    }

    /// What has to hold for two sums to be equal in every iteration, if that may be.
    fn equal(&self, a: &Sum, b: &Sum) -> Option<Vec<[Sum; 2]>> {
        let distance = a.clone().plus(b, -1)?;
        match distance.as_number() {
            Some(0) => Some(Vec::new()),
            Some(_) => None,
            None => {
                let none = Sum::number(0);
                self.stays(&distance).then(|| vec![[distance.clone(), none.clone()], [none, distance]])
            }
        }
    }

    /// What loads of the table outside of the sum give, if they are of the iteration's own element, where all its stores are.
    fn loads(&self, found: &Stored<'_>, given: Val) -> Option<HashMap<Val, Option<Val>>> {
        let place = |at: &[Val]| at.iter().map(|val| self.sums.sum_of(*val)).collect::<Option<Vec<Sum>>>();
        let own = place(found.at)?;
        let (mut loads, mut stored) = (HashMap::new(), None);
        for stmt in &found.accesses {
            match (stmt.kind, &stmt.operands[..]) {
                (StmtKind::Load(table), at) if table == found.table => {
                    (place(at)? == own).then_some(())?;
                    loads.insert(*stmt.results.first()?, stored);
                }
                (StmtKind::Store(_), [value, at @ ..]) => {
                    (place(at)? == own).then_some(())?;
                    stored = Some(*value);
                }
                _ => {}
            }
        }
        (!loads.contains_key(&given)).then_some(loads)
    }

    /// Whether a sum is the same in all iterations.
    fn stays(&self, sum: &Sum) -> bool {
        sum.terms().all(|(val, _)| !self.own.contains(&val))
    }

    /// A sum by the number of the iteration.
    fn by_iteration(&self, sum: &Sum) -> Option<Sum> {
        let by = factor_of(sum, self.index);
        let begin = sum.clone().plus(&Sum::value(self.index), -by)?.plus(&self.lower, by)?;
        begin.plus(&Sum::value(self.index), by.checked_mul(self.stride)?)
    }

    /// What a value may be, by the number of the iteration, where one of two is the smaller or the larger one.
    fn readings(&self, val: Val) -> Option<Vec<Read>> {
        let (mut open, mut readings) = (vec![(self.sums.sum_of(val)?, Vec::new())], Vec::new());
        while let Some((sum, needs)) = open.pop() {
            let choice = sum.terms().find_map(|(val, factor)| Some((val, factor, self.choice(val)?)));
            let Some((val, factor, (op, sides))) = choice else {
                if let Some(reading) = self.reading(&sum, &needs) {
                    readings.push(reading);
                }
                continue;
            };
            if open.len() + readings.len() > READINGS {
                return None;
            }
            for n in [1, 0] {
                let (chosen, other) = (&sides[n], &sides[1 - n]);
                let sum = sum.clone().plus(&Sum::value(val), -factor)?.plus(chosen, factor)?;
                let need = match op {
                    ScalarOp::Min => [chosen.clone(), other.clone()],
                    _ => [other.clone(), chosen.clone()],
                };
                open.push((sum, [&needs[..], &[need]].concat()));
            }
        }
        Some(readings)
    }

    /// The two sides of a choice of the loop.
    fn choice(&self, val: Val) -> Option<(ScalarOp, [Sum; 2])> {
        let stmt = self.made.get(&val).filter(|_| self.own.contains(&val))?;
        let (StmtKind::Op(op @ (ScalarOp::Min | ScalarOp::Max)), [a, b]) = (stmt.kind, &stmt.operands[..]) else {
            return None;
        };
        Some((op, [self.sums.sum_of(*a)?, self.sums.sum_of(*b)?]))
    }

    fn reading(&self, sum: &Sum, needs: &[[Sum; 2]]) -> Option<Read> {
        let is_known = |sum: &Sum| {
            sum.terms().all(|(val, _)| val == self.index || val == self.position || !self.own.contains(&val))
        };
        let mut by_iteration = Vec::new();
        for [less, more] in needs {
            let pair = [self.by_iteration(less)?, self.by_iteration(more)?];
            let same = |sum: &Sum| is_known(sum) && factor_of(sum, self.position) == 0;
            pair.iter().all(same).then_some(())?;
            // What holds whatever values are need not be asked.
            let distance = pair[1].clone().plus(&pair[0], -1)?;
            match distance.as_number() {
                Some(0..) => {}
                Some(_) => return None,
                None => by_iteration.push(pair),
            }
        }
        Some((self.by_iteration(sum).filter(is_known)?, by_iteration))
    }
}

fn factor_of(sum: &Sum, of: Val) -> i64 {
    sum.terms().find(|(val, _)| *val == of).map_or(0, |(_, factor)| factor)
}

/// The dtype of a factor where there is none.
pub const NO_FACTOR: DType = DType::I64;
