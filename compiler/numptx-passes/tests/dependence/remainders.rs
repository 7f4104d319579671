//! Indices that are remainders: nests as text, and single loops against all values that their integers take.

use std::collections::BTreeSet;

use numptx_passes::dependence::{
    Access, AccessKind, Affine, ArrayId, Class, Loop, Nest, Step, Subscript, Variable, classify,
};

use crate::text::assert_classes;

#[test]
fn remainders_by_numbers() {
    assert_classes(
        "
        for i in 1, n
          for j in 1, m
            remainder r@j of i + j by 2
            if r@j - colour
              if colour - r@j
                u[i, j] = u[i - 1, j] u[i + 1, j] u[i, j - 1] u[i, j + 1]
        for i in 1, n
          remainder s@i of i + colour by 2
          for j in 1 + s@i, m, 2
            u[i, j] = u[i - 1, j] u[i + 1, j] u[i, j - 1] u[i, j + 1]",
        &["i: parallel", "j: parallel", "i: parallel", "j: parallel"],
    );
    assert_classes(
        "
        for i in 1, n
          for j in 1, m
            remainder r@j of i + j by 2
            if r@j - colour
              if colour - r@j
                u[i, j] = u[i - 1, j - 1]
        for i in 1, n
          for j in 1, m
            remainder s@j of i + j by 3
            if s@j - colour
              if colour - s@j
                u[i, j] = u[i - 1, j + 1]",
        &["i: flow u[i, j] -> u[i - 1, j - 1] 1", "j: parallel", "i: flow u[i, j] -> u[i - 1, j + 1] 1", "j: parallel"],
    );
}

#[test]
fn remainders_by_integers() {
    assert_classes(
        "
        for i in 0, n
          remainder r@i of i + k by n
          y[r@i] = x[i]
        for i in 0, n
          remainder s@i of k - i by n
          y[s@i] = x[i]",
        &["i: parallel", "i: parallel"],
    );
    assert_classes(
        "
        for i in 0, n + 1
          remainder r@i of i + k by n
          y[r@i] = x[i]
        for i in 0, n
          remainder s@i of 2*i + k by n
          y[s@i] = x[i]
        for i in 0, n
          remainder t@i of i + k by n
          y[t@i] = y[i]
        for i in 0, n
          remainder u@i of i + k by m
          y[u@i] = x[i]",
        &[
            "i: output y[r@i] -> y[r@i] 1+",
            "i: output y[s@i] -> y[s@i] 1+",
            "i: flow y[t@i] -> y[i] 1+",
            "i: output y[u@i] -> y[u@i] 1+",
        ],
    );
}

#[test]
fn remainders_of_elements() {
    assert_classes(
        "
        for i in 0, n
          for k in 0, q
            element c@k of t at k
            remainder r@k of i + c@k by n
            g[k, r@k] = f[k, i]
        for k in 0, q
          element d@k of t at k
          for i in 0, n
            remainder s@i of i + d@k by n
            g[k, s@i] = f[k, i]",
        &["i: parallel", "k: parallel", "k: parallel", "i: parallel"],
    );
    assert_classes(
        "
        for i in 0, n
          for k in 0, q
            element c@k of t at i + k
            remainder r@k of i + c@k by n
            g[k, r@k] = f[k, i]
        for i in 0, n
          for k in 0, q
            element d@k of t at k
            remainder s@k of i + d@k by n
            g[0, s@k] = f[k, i]",
        &[
            "i: output g[k, r@k] -> g[k, r@k] 1+",
            "k: parallel",
            "i: output g[0, s@k] -> g[0, s@k] 1+",
            "k: output g[0, s@k] -> g[0, s@k] 1+",
        ],
    );
}

/// `for i in range(lower, …, step): y[(factor·i + c) % n] = …`, whose end is `n` and a number, or a number alone.
#[derive(Clone, Copy, Debug)]
struct Written {
    first: i64,
    /// Beside `n`, where it has that.
    end: i64,
    ends_at_n: bool,
    step: i64,
    factor: i64,
    /// By what is divided, if that is a number.
    by: Option<i64>,
}

impl Written {
    fn indices(self, n: i64) -> Vec<i64> {
        let end = self.end + if self.ends_at_n { n } else { 0 };
        // A falling loop goes through the same range from the other side.
        let (from, to) = if self.step > 0 { (self.first, end) } else { (end - 1, self.first - 1) };
        (0..).map(|count| from + self.step * count).take_while(|i| (to - i) * self.step.signum() > 0).collect()
    }

    fn class(self) -> Class {
        let mut nest = Nest::new();
        let [n, c] = [(); 2].map(|()| nest.add_symbol(None));
        nest.add_fact(Affine::from(n).plus_constant(-1).expect("small"));
        let end = if self.ends_at_n { Affine::from(n) } else { Affine::default() };
        let end = end.plus_constant(self.end).expect("small");
        let before = |of: Affine| of.plus_constant(-1).expect("small");
        let (lower, upper) = match self.step > 0 {
            true => (Affine::constant(self.first), end),
            false => (before(end), before(Affine::constant(self.first))),
        };
        let (upper, lower_of, step) = (vec![upper], Vec::new(), Step::Known(self.step));
        let id = nest.add_loop(Loop { parent: None, lower, lower_of, upper, step });
        let remainder = nest.add_symbol(Some(id));
        let of = Affine::sum(0, &[(Variable::Index(id), self.factor), (Variable::Symbol(c), 1)]).expect("small");
        nest.add_remainder(remainder, of, self.by.map_or(Affine::from(n), Affine::constant));
        nest.add_access(Access {
            array: ArrayId(0),
            kind: AccessKind::Write,
            subscripts: vec![Subscript::Index(Affine::from(remainder))],
            within: Some(id),
            position: 0,
            guards: Vec::new(),
            distinct: Vec::new(),
            group: None,
        });
        classify(&nest, id)
    }

    /// Whether no index comes twice, whatever the integers are.
    fn is_apart(self) -> bool {
        (1..=6).all(|n| {
            let indices = self.indices(n);
            let all = |c: i64| -> BTreeSet<i64> {
                indices.iter().map(|i| (self.factor * i + c).rem_euclid(self.by.unwrap_or(n))).collect()
            };
            (-7..=7).all(|c| all(c).len() == indices.len())
        })
    }
}

fn all_written() -> Vec<Written> {
    let mut all = Vec::new();
    for by in [None, Some(1), Some(2), Some(3), Some(4), Some(6)] {
        for ends_at_n in [false, true].into_iter().filter(|ends_at_n| by.is_none() || !ends_at_n) {
            for (first, end) in (-2..=2).flat_map(|first| (-2..=6).map(move |end| (first, end))) {
                for (step, factor) in [1, -1, 2, -2, 3].into_iter().flat_map(|s| [1, -1, 2, 3].map(|f| (s, f))) {
                    all.push(Written { first, end, ends_at_n, step, factor, by });
                }
            }
        }
    }
    all
}

#[test]
fn what_is_parallel_is_apart_whatever_is_added() {
    let mut n_parallel = 0;
    for written in all_written() {
        let is_parallel = written.class() == Class::Parallel;
        n_parallel += usize::from(is_parallel);
        assert!(!is_parallel || written.is_apart(), "{written:?}");
    }
    assert!(n_parallel > 100, "{n_parallel}");
}

#[test]
fn as_many_as_there_are_remainders_are_parallel() {
    let is_plain = |written: &Written| written.factor.abs() == 1 && written.step.abs() == 1;
    for written in all_written().into_iter().filter(is_plain) {
        let is_parallel = written.class() == Class::Parallel;
        assert_eq!(is_parallel, written.is_apart(), "{written:?}");
    }
}
