//! How rows of transforms lie, as cuFFT's plans have it.
//!
//! In: the axes that are transformed, and the others, with steps in both arrays. Out: a plan's key, and where each of its uses begins; `None`: plans do not
//! go in such steps. One of the other axes is the plan's, the longest that has steps upwards in both; the rest are uses.

use crate::axes::Axes;
use crate::libraries::cufft::{Key, Kind, Side};

/// An axis: its extent, of the real array where one is real, and elements from one index to the next of the input and of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) extent: i64,
    pub(super) steps: [i64; 2],
}

/// A plan and its uses.
#[derive(Debug)]
pub(super) struct Uses {
    pub(super) key: Key,
    /// Elements from the first one of input and output to where the first use begins.
    pub(super) first: [i64; 2],
    /// Axes of the uses.
    pub(super) outer: Vec<Line>,
}

/// `along`: one to three axes, of which those that are transformed wholly may be in any order; all have more than one index.
pub(super) fn uses(kind: Kind, is_double: bool, along: &[Line], others: &[Line]) -> Option<Uses> {
    let mut along = along.to_vec();
    if kind == Kind::Complex {
        along.sort_by_key(|line| std::cmp::Reverse(line.steps[1]));
    }
    let [mut input, mut output] = [side(kind, &along, 0)?, side(kind, &along, 1)?];
    let mut lengths = [1; 3];
    lengths.iter_mut().zip(&along).for_each(|(length, line)| *length = line.extent);
    let (mut outer, first) = merged(others);
    let is_upwards = |line: &Line| line.steps.iter().all(|step| *step > 0);
    let chosen = (0..outer.len()).filter(|n| is_upwards(&outer[*n])).max_by_key(|n| outer[*n].extent);
    let batch = chosen.map_or(Line { extent: 1, steps: [whole(&input), whole(&output)] }, |n| outer.remove(n));
    (input.each, output.each) = (batch.steps[0], batch.steps[1]);
    let key = Key { kind, is_double, rank: along.len(), lengths, input, output, count: batch.extent };
    Some(Uses { key, first, outer })
}

/// One side of the axes that are transformed.
fn side(kind: Kind, along: &[Line], at: usize) -> Option<Side> {
    let is_half = matches!((kind, at), (Kind::RealToComplex, 1) | (Kind::ComplexToReal, 0));
    let last = along.len().checked_sub(1)?;
    let extent = |n: usize| if is_half && n == last { along[n].extent / 2 + 1 } else { along[n].extent };
    let step = |n: usize| along[n].steps[at];
    let mut embedded = [1; 3];
    embedded[0] = extent(0);
    for (n, room) in embedded.iter_mut().enumerate().take(last + 1).skip(1) {
        if step(n) <= 0 || step(n - 1) % step(n) != 0 || step(n - 1) / step(n) < extent(n) {
            return None;
        }
        *room = step(n - 1) / step(n);
    }
    (step(last) > 0).then(|| Side { embedded, step: step(last), each: 0 })
}

/// Elements of one transform and what lies between them.
fn whole(side: &Side) -> i64 {
    side.embedded.iter().product::<i64>() * side.step
}

/// The same indices in fewer axes, and how far the first elements are moved for it.
fn merged(lines: &[Line]) -> (Vec<Line>, [i64; 2]) {
    let extents: Vec<i64> = lines.iter().map(|line| line.extent).collect();
    let steps = [1, 0].map(|at| lines.iter().map(|line| line.steps[at]).collect::<Vec<i64>>());
    let mut axes = Axes::dropping_ones(&extents, &[&steps[0], &steps[1]], 0, extents.len());
    let mut first = [0, 0];
    axes.sort(&[0, 1]);
    axes.flip(&mut first);
    axes.merge();
    let line = |n: usize| Line { extent: axes.extents[n], steps: [axes.strides[1][n], axes.strides[0][n]] };
    ((0..axes.rank).map(line).collect(), [first[1], first[0]])
}

/// Where each use begins, in elements of the input and of the output.
pub(super) fn firsts(uses: &Uses) -> impl Iterator<Item = [i64; 2]> {
    let count = uses.outer.iter().map(|line| line.extent).product::<i64>();
    (0..count).map(|mut index| {
        let mut first = uses.first;
        for line in uses.outer.iter().rev() {
            let here = index % line.extent;
            index /= line.extent;
            first = [0, 1].map(|at| first[at] + here * line.steps[at]);
        }
        first
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(extents: &[i64], of_input: &[i64], of_output: &[i64]) -> Vec<Line> {
        let steps = of_input.iter().zip(of_output).map(|(input, output)| [*input, *output]);
        extents.iter().zip(steps).map(|(extent, steps)| Line { extent: *extent, steps }).collect()
    }

    #[test]
    fn dense_arrays_are_one_use_of_one_plan() {
        let (along, others) = (lines(&[4, 6], &[6, 1], &[6, 1]), lines(&[2, 3], &[72, 24], &[72, 24]));
        let found = uses(Kind::Complex, true, &along, &others).expect("a plan has it");
        let side = Side { embedded: [4, 6, 1], step: 1, each: 24 };
        let key = found.key;
        assert_eq!((key.rank, key.lengths, key.input, key.output, key.count), (2, [4, 6, 1], side, side, 6));
        assert_eq!(firsts(&found).collect::<Vec<_>>(), [[0, 0]]);
    }

    #[test]
    fn complex_axes_are_transformed_in_the_order_in_which_they_lie() {
        let along = lines(&[4, 6], &[1, 4], &[1, 4]);
        let found = uses(Kind::Complex, false, &along, &[]).expect("a plan has it");
        assert_eq!((found.key.lengths, found.key.input.embedded), ([6, 4, 1], [6, 4, 1]));
        assert!(uses(Kind::Complex, false, &lines(&[4, 6], &[6, 1], &[1, 4]), &[]).is_none(), "two orders");
    }

    #[test]
    fn a_first_axis_has_steps_and_the_last_one_is_its_batch() {
        let found =
            uses(Kind::Complex, true, &lines(&[4], &[6], &[6]), &lines(&[6], &[1], &[1])).expect("a plan has it");
        let side = Side { embedded: [4, 1, 1], step: 6, each: 1 };
        assert_eq!((found.key.input, found.key.count), (side, 6));
    }

    #[test]
    fn a_middle_axis_is_used_once_for_each_index_of_the_shorter_other_one() {
        let found = uses(Kind::Complex, true, &lines(&[4], &[6], &[6]), &lines(&[2, 6], &[24, 1], &[24, 1]));
        let found = found.expect("a plan has it");
        assert_eq!((found.key.count, found.key.input.each), (6, 1));
        assert_eq!(firsts(&found).collect::<Vec<_>>(), [[0, 0], [24, 24]]);
    }

    #[test]
    fn of_real_rows_half_is_complex() {
        let found = uses(Kind::RealToComplex, true, &lines(&[9], &[1], &[1]), &lines(&[3], &[9], &[5]));
        let found = found.expect("a plan has it").key;
        assert_eq!((found.lengths, found.input.embedded, found.output.embedded), ([9, 1, 1], [9, 1, 1], [5, 1, 1]));
        assert_eq!((found.input.each, found.output.each), (9, 5));
    }

    #[test]
    fn steps_downwards_are_turned_where_both_arrays_have_them() {
        assert!(uses(Kind::Complex, true, &lines(&[4], &[-1], &[1]), &[]).is_none());
        assert!(uses(Kind::Complex, true, &lines(&[4], &[0], &[1]), &[]).is_none());
        let found = uses(Kind::Complex, true, &lines(&[4], &[1], &[1]), &lines(&[3], &[-4], &[-4])).expect("turned");
        assert_eq!((found.first, found.key.count), ([-8, -8], 3));
        let found = uses(Kind::Complex, true, &lines(&[4], &[1], &[1]), &lines(&[3], &[-4], &[4])).expect("uses");
        assert_eq!((found.key.count, firsts(&found).collect::<Vec<_>>()), (1, vec![[0, 0], [-4, 4], [-8, 8]]));
    }

    #[test]
    fn rows_that_overlap_are_no_plan_s() {
        assert!(uses(Kind::Complex, true, &lines(&[4, 6], &[5, 1], &[6, 1]), &[]).is_none());
        assert!(uses(Kind::Complex, true, &lines(&[4, 6], &[13, 2], &[6, 1]), &[]).is_none(), "no whole steps");
        assert!(uses(Kind::Complex, true, &lines(&[4, 6], &[14, 2], &[6, 1]), &[]).is_some());
    }
}
