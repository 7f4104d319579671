//! Which of several inequalities others imply.
//!
//! In: affine functions of integers, each at least 0. Out: whether another one is, too; never wrongly. Variables stand for integers of any size.

use std::collections::{BTreeMap, BTreeSet};

use crate::loops::dependence::affine::{Affine, Variable};
use crate::loops::dependence::found::Solutions;
use crate::loops::dependence::system::{Row, System, Work};

/// Whether a function is at least 0 wherever all of these are.
pub(crate) fn follows(function: &Affine, from: &[&Affine], work: &mut Work) -> bool {
    if function.as_constant().is_some_and(|n| n >= 0) {
        return true;
    }
    let is_weaker = |by: &&&Affine| by.terms() == function.terms() && by.constant_part() <= function.constant_part();
    if from.iter().any(|by| is_weaker(&by)) {
        return true;
    }
    let below = function.times(-1).and_then(|minus| minus.plus_constant(-1));
    below.is_some_and(|below| is_never(&below, from, work))
}

/// Whether a function is negative wherever all of these are at least 0.
pub(crate) fn is_never(function: &Affine, given: &[&Affine], work: &mut Work) -> bool {
    let mut variables: BTreeSet<Variable> = variables_of(function).collect();
    let mut rest: Vec<&Affine> = given.to_vec();
    let mut related: Vec<&Affine> = vec![function];
    // What has no variable in common with others cannot bound them.
    loop {
        let (found, others): (Vec<&Affine>, Vec<&Affine>) =
            rest.into_iter().partition(|f| variables_of(f).any(|v| variables.contains(&v)));
        if found.is_empty() {
            break;
        }
        variables.extend(found.iter().flat_map(|f| variables_of(f)));
        related.extend(found);
        rest = others;
    }
    let mut system = System::default();
    let columns: BTreeMap<Variable, usize> = variables.into_iter().map(|v| (v, system.add_column())).collect();
    for of in related {
        let row = of.terms().iter().try_fold(Row::constant(of.constant_part()), |sum, (variable, factor)| {
            sum.plus(*factor, &Row::column(columns[variable]))
        });
        // A row less says less.
        row.into_iter().for_each(|row| system.add_inequality(row));
    }
    system.solve(work) == Solutions::Never
}

fn variables_of(function: &Affine) -> impl Iterator<Item = Variable> {
    function.terms().iter().map(|(variable, _)| *variable)
}
