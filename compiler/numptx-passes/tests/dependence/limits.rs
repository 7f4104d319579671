//! Nests that no program has: the answer is a dependence, and it comes.

use numptx_passes::dependence::{
    Access, AccessKind, Affine, ArrayId, Class, Loop, Nest, Step, Subscript, Variable, classify, dependences,
};

use crate::text::assert_classes;

fn write(nest: &mut Nest, subscripts: Vec<Subscript>, kind: AccessKind) {
    let within = nest.loop_ids().last();
    let array = ArrayId(0);
    nest.add_access(Access {
        array,
        kind,
        subscripts,
        within,
        position: 0,
        guards: Vec::new(),
        distinct: Vec::new(),
        group: None,
    });
}

fn deep(n_loops: usize, lower: &Affine) -> Nest {
    let mut nest = Nest::new();
    let size = nest.add_symbol(None);
    let mut parent = None;
    for _ in 0..n_loops {
        let upper = vec![Affine::from(size)];
        parent = Some(nest.add_loop(Loop {
            parent,
            lower: lower.clone(),
            lower_of: Vec::new(),
            upper,
            step: Step::Known(1),
        }));
    }
    nest
}

#[test]
fn numbers_that_overflow_are_dependences() {
    for far in [i64::MAX, i64::MIN, i64::MIN + 1] {
        let mut nest = deep(1, &Affine::constant(far));
        let index = nest.loop_ids().next().map(Variable::Index).expect("a loop");
        let steep = Affine::sum(far, &[(index, far)]).expect("it fits");
        assert_eq!(steep.times(2), None);
        write(&mut nest, vec![Subscript::Index(steep)], AccessKind::Write);
        let of = nest.loop_ids().next().expect("a loop");
        assert!(matches!(classify(&nest, of), Class::Parallel | Class::Sequential(_)));
        let interval = Subscript::Interval { start: index.into(), length: Affine::constant(far), step: far };
        write(&mut nest, vec![interval], AccessKind::Read);
        assert!(matches!(classify(&nest, of), Class::Sequential(_)));
    }
}

#[test]
fn many_accesses_use_up_the_work() {
    let mut nest = deep(3, &Affine::constant(0));
    let indices: Vec<Affine> = nest.loop_ids().map(Affine::from).collect();
    for n in 0..300 {
        let subscripts = indices.iter().map(|i| Subscript::Index(i.plus_constant(n).expect("it fits"))).collect();
        write(&mut nest, subscripts, if n % 2 == 0 { AccessKind::Write } else { AccessKind::Read });
    }
    let found: Vec<usize> = nest.loop_ids().map(|l| dependences(&nest, l).len()).collect();
    assert!(found.iter().all(|&n| n > 300), "{found:?}");
}

#[test]
fn deep_nests_with_dense_subscripts_end() {
    let mut nest = deep(12, &Affine::constant(0));
    for axis in 0..6 {
        let terms: Vec<_> = nest
            .loop_ids()
            .enumerate()
            .map(|(n, l)| (Variable::Index(l), (n as i64 * 7 + axis * 5) % 11 - 4))
            .collect();
        let start = Affine::sum(axis, &terms).expect("it fits");
        let length = Affine::sum(3, &terms[..4]).expect("it fits");
        let subscripts = vec![Subscript::Interval { start, length, step: 3 }; 3];
        write(&mut nest, subscripts, AccessKind::Write);
    }
    for of in nest.loop_ids() {
        assert!(matches!(classify(&nest, of), Class::Sequential(_)));
    }
}

#[test]
fn unknown_steps_and_subscripts() {
    assert_classes(
        "
        for i in 0, n, ?
          A[i] = A[i]
        for i in 0, n, +
          A[i] = A[i] A[i + 1]
        for i in 0, n, ?
          A[i] = A[i + 1]
        for i in 0, n
          A[?] = x[i]",
        &["i: parallel", "i: snapshot A[i + 1]", "i: flow A[i] -> A[i + 1] 1+", "i: output A[?] -> A[?] 1+"],
    );
}

#[test]
fn integers_that_change_with_a_loop() {
    assert_classes(
        "
        for i in 0, n
          for j in 0, n
            A[m@i, j] = x[i, j]
          for j in m@i, n
            A[i, j] = A[i, m@i - 1]",
        &["i: flow A[m@i, j] -> A[i, m@i - 1] 1+", "j: parallel", "j: parallel"],
    );
}

#[test]
fn facts_decide() {
    let stride = |fact: &str| format!("\n        {fact}\n        for i in 0, n\n          A[i] = A[i + n + m]");
    assert_classes(&stride("fact m"), &["i: parallel"]);
    assert_classes(&stride("fact m + 1"), &["i: snapshot A[i + n + m]"]);
    assert_classes(&stride("fact m + n + n"), &["i: flow A[i] -> A[i + n + m] 1+"]);
}

#[test]
fn steps_and_coefficients_by_their_divisors() {
    assert_classes(
        "
        for i in 0, n
          A[2*i] = A[2*i + 1]
        for i in 0, n, 4
          A[i] = A[i + 2] A[i + 5]
        for i in 0, n
          A[4*i + 2*k] = A[6*i + 1]
        for i in n, 0, -2
          A[i] = A[i + 6]",
        &["i: parallel", "i: parallel", "i: parallel", "i: flow A[i] -> A[i + 6] 3"],
    );
}

#[test]
fn intervals_that_tile() {
    assert_classes(
        "
        for i in 0, n, 32
          for j in i, i + 32 min n
            A[j] = A[j]
        for i in 0, n
          A[4*i:4*i + 4] = A[4*i:4*i + 4]
        for i in 0, n
          A[4*i:4*i + 5] = x[i]",
        &["i: parallel", "j: parallel", "i: parallel", "i: output A[4*i:4*i + 5] -> A[4*i:4*i + 5] 1"],
    );
}

#[test]
fn indices_that_differ() {
    assert_classes(
        "
        for i in 0, n
          if not 0: i - k
            for j in 0, m
              a[i, j] = a[i, j] a[k, j]
        for i in 0, n
          if not 0: i - k
            for j in 0, m
              b[i, j] = b[i, j] b[k + 1, j]",
        &["i: parallel", "j: parallel", "i: flow b[i, j] -> b[k + 1, j] 1+", "j: parallel"],
    );
}
