//! Whether a system of linear equations and inequalities has a solution in integers: never, or perhaps.
//!
//! In: rows over columns that stand for integers. Out: `Never` only where there is none; `Perhaps` otherwise, with bounds of one column. Does not know loops.
//!
//! Equations go first, exactly: one with a coefficient 1 is solved for that column; others are brought to one by Euclid's algorithm on their columns, which
//! also is the test by greatest common divisors. A row that is not 0 is above it or below: where it can be neither, there is no solution. Inequalities are
//! tightened to integers, opposite ones that meet become equations, and columns are eliminated by Fourier and Motzkin's method. That may keep a solution in
//! fractions, so `Perhaps` is no proof. It is also the answer where numbers overflow or the work is used up.

use std::collections::BTreeMap;

use crate::loops::dependence::affine::greatest_common_divisor;
use crate::loops::dependence::answers::{Answers, Solved};
use crate::loops::dependence::found::{Bounds, Solutions};
use crate::loops::dependence::nest::Nest;

/// `constant + Σ coefficient · column`; columns that are not there have coefficient 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) constant: i64,
    pub(crate) coefficients: Vec<i64>,
}

impl Row {
    pub(crate) fn constant(constant: i64) -> Self {
        Self { constant, coefficients: Vec::new() }
    }

    pub(crate) fn column(column: usize) -> Self {
        let mut coefficients = vec![0; column + 1];
        coefficients[column] = 1;
        Self { constant: 0, coefficients }
    }

    fn at(&self, column: usize) -> i64 {
        self.coefficients.get(column).copied().unwrap_or(0)
    }

    /// `self + factor · other`, unless it overflows.
    pub(crate) fn plus(&self, factor: i64, other: &Self) -> Option<Self> {
        let constant = self.constant.checked_add(factor.checked_mul(other.constant)?)?;
        let n = self.coefficients.len().max(other.coefficients.len());
        let mut coefficients = self.coefficients.clone();
        coefficients.resize(n, 0);
        for (sum, &c) in coefficients.iter_mut().zip(&other.coefficients) {
            *sum = sum.checked_add(factor.checked_mul(c)?)?;
        }
        Some(Self { constant, coefficients })
    }

    pub(crate) fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(-1, other)
    }

    fn times(&self, factor: i64) -> Option<Self> {
        Self::default().plus(factor, self)
    }

    /// The greatest common divisor of the coefficients, 0 if all are 0.
    fn divisor(&self) -> u64 {
        self.coefficients.iter().fold(0, |divisor, &c| greatest_common_divisor(divisor, c.unsigned_abs()))
    }

    /// The column is another row's value.
    fn replace(&mut self, column: usize, value: &Self) -> Option<()> {
        let factor = self.at(column);
        if factor != 0 {
            self.coefficients[column] = 0;
            *self = self.plus(factor, value)?;
        }
        Some(())
    }
}

/// How much may still be computed, and what was before.
#[derive(Debug)]
pub(crate) struct Work {
    rows: Rows,
    answers: Answers,
}

/// How much may still be computed, in rows.
#[derive(Clone, Copy, Debug)]
struct Rows(u64);

/// Limit: rows that one system may use.
const SYSTEM_ROWS: u64 = 6_000;
/// Limit: rows that one system uses at least.
const LEAST_ROWS: u64 = 20;
/// Limit: more inequalities than these are not compared.
const MANY_ROWS: usize = 240;

impl Work {
    /// At most about a second of work for a question about a nest.
    pub(crate) fn of(nest: &Nest) -> Self {
        Self { rows: Rows(300_000), answers: nest.answers().clone() }
    }

    /// A step of a search takes as much as a row; `None` if no system can be solved any more.
    pub(crate) fn step(&mut self) -> Option<()> {
        if self.is_spent() { None } else { self.rows.take(1) }
    }

    /// Whether no system can be solved any more.
    pub(crate) fn is_spent(&self) -> bool {
        self.rows.0 < LEAST_ROWS
    }
}

impl Rows {
    fn take(&mut self, rows: u64) -> Option<()> {
        self.0 = self.0.checked_sub(rows)?;
        Some(())
    }
}

/// Equations and inequalities.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    pub(crate) n_columns: usize,
    /// Each is 0.
    pub(crate) equations: Vec<Row>,
    /// Each is at least 0.
    pub(crate) inequalities: Vec<Row>,
    /// None is 0.
    distinct: Vec<Row>,
    /// What the caller wants to know, and its column, which is eliminated last.
    pub(crate) objective: Option<(usize, Row)>,
    /// Those of the objective, once they are known.
    bounds: Bounds,
}

/// Why the elimination ends early.
enum End {
    Never,
    Unknown,
}

/// Nothing, where numbers overflow or work ends.
fn known<T>(value: Option<T>) -> Result<T, End> {
    value.ok_or(End::Unknown)
}

impl System {
    /// One more integer.
    pub(crate) fn add_column(&mut self) -> usize {
        self.n_columns += 1;
        self.n_columns - 1
    }

    /// States that a row is 0.
    pub(crate) fn add_equation(&mut self, row: Row) {
        self.equations.push(row);
    }

    /// States that a row is at least 0.
    pub(crate) fn add_inequality(&mut self, row: Row) {
        self.inequalities.push(row);
    }

    /// States that a row is not 0.
    pub(crate) fn add_distinct(&mut self, row: Row) {
        self.distinct.push(row);
    }

    /// The column whose value [`Solutions::Perhaps`] tells.
    pub(crate) fn ask_for(&mut self, column: usize) {
        self.objective = Some((column, Row::column(column)));
    }

    /// Whether there are solutions.
    pub(crate) fn solve(mut self, work: &mut Work) -> Solutions {
        let distinct = std::mem::take(&mut self.distinct);
        let mut is_never_but_0 = |row: &Row| {
            [1, -1].into_iter().all(|sign| {
                let Some(beyond) = Row::constant(-1).plus(sign, row) else { return false };
                let mut side = self.clone();
                side.add_inequality(beyond);
                side.solve_without_distinct(work) == Solutions::Never
            })
        };
        if distinct.iter().any(&mut is_never_but_0) { Solutions::Never } else { self.solve_without_distinct(work) }
    }

    /// The work is taken whether the answer is known or not, so that answers do not depend on what was asked before.
    fn solve_without_distinct(self, work: &mut Work) -> Solutions {
        let limit = SYSTEM_ROWS.min(work.rows.0);
        let answers = work.answers.clone();
        let solved = answers.solved(key_of(&self), limit, || self.solve_within(limit));
        work.rows.0 -= solved.rows;
        solved.solutions
    }

    fn solve_within(mut self, limit: u64) -> Solved {
        let mut left = Rows(limit);
        let end = left.take(LEAST_ROWS).ok_or(End::Unknown).and_then(|()| self.eliminate(&mut left));
        let is_settled = !matches!(end, Err(End::Unknown));
        let solutions = match end {
            Err(End::Never) => Solutions::Never,
            Err(End::Unknown) => Solutions::Perhaps(Bounds::default()),
            Ok(()) => Solutions::Perhaps(self.bounds),
        };
        Solved { solutions, rows: limit - left.0, limit, is_settled }
    }

    fn eliminate(&mut self, work: &mut Rows) -> Result<(), End> {
        loop {
            while let Some(row) = self.equations.pop() {
                known(work.take(1))?;
                self.use_equation(row)?;
            }
            self.tighten()?;
            if self.equations.is_empty() {
                self.bound_objective();
                let Some(column) = self.cheapest_column() else { return Ok(()) };
                self.combine(column, work)?;
            }
        }
    }

    /// Reads the objective's bounds where nothing else stands beside it.
    fn bound_objective(&mut self) {
        let Some((column, objective)) = &self.objective else { return };
        if objective.divisor() == 0 {
            self.bounds = Bounds { least: Some(objective.constant), most: Some(objective.constant) };
        } else if *objective == Row::column(*column) {
            let alone = |row: &&Row| (0..row.coefficients.len()).all(|c| (row.at(c) != 0) == (c == *column));
            for row in self.inequalities.iter().filter(alone) {
                // Its divisor is out, so the coefficient is 1 or -1.
                if row.at(*column) > 0 {
                    self.bounds.least = self.bounds.least.max(row.constant.checked_neg());
                } else {
                    self.bounds.most = Some(self.bounds.most.map_or(row.constant, |most| most.min(row.constant)));
                }
            }
        }
    }

    /// Solves an equation for a column, or brings it nearer to that.
    fn use_equation(&mut self, mut row: Row) -> Result<(), End> {
        let Ok(divisor) = i64::try_from(row.divisor()) else { return Err(End::Unknown) };
        if divisor == 0 {
            return if row.constant == 0 { Ok(()) } else { Err(End::Never) };
        }
        if row.constant % divisor != 0 {
            return Err(End::Never);
        }
        row.constant /= divisor;
        row.coefficients.iter_mut().for_each(|c| *c /= divisor);
        let last = self.objective.as_ref().map(|(column, _)| *column);
        let present = (0..row.coefficients.len()).filter(|&c| row.at(c) != 0);
        let column = present
            .min_by_key(|&c| (row.at(c).unsigned_abs(), Some(c) == last))
            .expect("a row with a divisor has a coefficient");
        let factor = row.at(column);
        if factor.unsigned_abs() == 1 {
            row.coefficients[column] = 0;
            let value = known(row.times(-factor))?;
            return known(self.replace(column, &value));
        }
        // The column counts what is left of the others: `column := column - Σ quotient · other` is a bijection of integers.
        let mut value = Row::column(column);
        value.coefficients.resize(row.coefficients.len().max(column + 1), 0);
        for other in (0..row.coefficients.len()).filter(|&c| c != column) {
            let quotient = known(row.at(other).checked_div_euclid(factor))?;
            value.coefficients[other] = known(quotient.checked_neg())?;
        }
        known(row.replace(column, &value))?;
        known(self.replace(column, &value))?;
        self.equations.push(row);
        Ok(())
    }

    fn replace(&mut self, column: usize, value: &Row) -> Option<()> {
        let objective = self.objective.iter_mut().map(|(_, row)| row);
        let mut rows = self.equations.iter_mut().chain(&mut self.inequalities).chain(objective);
        rows.try_for_each(|row| row.replace(column, value))
    }

    /// Divides inequalities by their divisors, keeps the stronger of two alike, and turns opposite ones that leave one value into an equation.
    fn tighten(&mut self) -> Result<(), End> {
        let mut least: BTreeMap<Vec<i64>, i64> = BTreeMap::new();
        for row in std::mem::take(&mut self.inequalities) {
            let Ok(divisor) = i64::try_from(row.divisor()) else { return Err(End::Unknown) };
            if divisor == 0 {
                if row.constant < 0 {
                    return Err(End::Never);
                }
                continue;
            }
            let mut coefficients: Vec<i64> = row.coefficients.iter().map(|c| c / divisor).collect();
            coefficients.resize(self.n_columns, 0);
            let constant = row.constant.div_euclid(divisor);
            least.entry(coefficients).and_modify(|c| *c = constant.min(*c)).or_insert(constant);
        }
        for (coefficients, &constant) in &least {
            let row = Row { constant, coefficients: coefficients.clone() };
            let opposite = known(row.times(-1))?;
            match least.get(&opposite.coefficients).map(|other| constant.checked_add(*other)) {
                Some(None) => return Err(End::Unknown),
                Some(Some(room)) if room < 0 => return Err(End::Never),
                Some(Some(0)) if *coefficients > opposite.coefficients => self.equations.push(row),
                _ => {}
            }
        }
        self.inequalities = least.into_iter().map(|(coefficients, constant)| Row { constant, coefficients }).collect();
        Ok(())
    }

    /// The column whose elimination leaves the fewest rows, the asked one only for its own bounds.
    fn cheapest_column(&self) -> Option<usize> {
        let last = self.objective.as_ref().map(|(column, _)| *column);
        let cost = |&column: &usize| {
            let below = self.inequalities.iter().filter(|row| row.at(column) > 0).count();
            let above = self.inequalities.iter().filter(|row| row.at(column) < 0).count();
            (Some(column) == last, (below * above).cast_signed() - (below + above).cast_signed())
        };
        let used = (0..self.n_columns).filter(|&c| self.inequalities.iter().any(|row| row.at(c) != 0));
        used.min_by_key(cost)
    }

    /// Every lower bound of a column is at most every upper bound.
    fn combine(&mut self, column: usize, work: &mut Rows) -> Result<(), End> {
        let (bounds, mut rest): (Vec<Row>, Vec<Row>) =
            std::mem::take(&mut self.inequalities).into_iter().partition(|row| row.at(column) != 0);
        let (below, above): (Vec<Row>, Vec<Row>) = bounds.into_iter().partition(|row| row.at(column) > 0);
        let n_new = below.len() * above.len();
        known(work.take((n_new + rest.len()) as u64))?;
        if rest.len() + n_new > MANY_ROWS {
            return Err(End::Unknown);
        }
        for lower in &below {
            for upper in &above {
                let scaled = known(lower.times(known(upper.at(column).checked_neg())?))?;
                rest.push(known(scaled.plus(lower.at(column), upper))?);
            }
        }
        self.inequalities = rest;
        Ok(())
    }
}

/// All that a system's answer depends on, short: most coefficients are 0.
fn key_of(system: &System) -> Box<[u8]> {
    let mut key = Vec::with_capacity(256);
    push(&mut key, system.n_columns as i64);
    // No column is -1.
    push(&mut key, system.objective.as_ref().map_or(-1, |(column, _)| *column as i64));
    for rows in [&system.equations, &system.inequalities] {
        push(&mut key, rows.len() as i64);
        rows.iter().for_each(|row| push_row(&mut key, row));
    }
    key.into()
}

fn push_row(key: &mut Vec<u8>, row: &Row) {
    push(key, row.constant);
    push(key, row.coefficients.len() as i64);
    for (column, coefficient) in row.coefficients.iter().enumerate().filter(|(_, c)| **c != 0) {
        push(key, column as i64);
        push(key, *coefficient);
    }
    push(key, -1);
}

/// A number in as few bytes as it needs, of which none is the beginning of another's.
fn push(key: &mut Vec<u8>, number: i64) {
    let mut rest = ((number << 1) ^ (number >> 63)).cast_unsigned();
    while rest > 0x7f {
        key.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    key.push(rest as u8);
}
