//! Random nests that can be run: what the analysis is told, and the values of what it is not told.
//!
//! In: a seed. Out: a [`Nest`], its statements as a tree, the true steps, and values of the run-time integers that satisfy the facts.

use numptx_passes::dependence::{
    Access, AccessId, AccessKind, Affine, Answers, ArrayId, Loop, LoopId, Nest, ReductionGroup, Step, Subscript,
    Symbol, Variable,
};

/// Numbers from a seed.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66_D1CE_4E5B)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From `least` to `most`.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + (self.next() % (most - least + 1).cast_unsigned()).cast_signed()
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }

    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[(self.next() % choices.len() as u64) as usize]
    }

    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for n in (1..values.len()).rev() {
            values.swap(n, (self.next() % (n as u64 + 1)) as usize);
        }
    }
}

/// What runs.
#[derive(Debug)]
pub enum Item {
    /// A loop, with its true step.
    Loop { id: LoopId, step: i64, body: Vec<Item> },
    /// Reads, then one write; `accumulates` adds to what is there.
    Statement { reads: Vec<AccessId>, write: AccessId, accumulates: bool },
}

/// A nest that can be run.
#[derive(Debug)]
pub struct Program {
    pub nest: Nest,
    pub body: Vec<Item>,
    /// Run-time integers that are the same everywhere.
    pub symbols: Vec<Symbol>,
    /// How many others there are.
    pub n_varying: usize,
    pub seed: u64,
}

struct Writer {
    numbers: Numbers,
    nest: Nest,
    symbols: Vec<Symbol>,
    /// Those that change with a loop.
    varying: Vec<(LoopId, Symbol)>,
    ranks: [usize; 2],
    n_statements: u32,
    /// Whether the analysis is told everything.
    known: bool,
    /// How often subscripts are other than an index and a constant.
    plainness: u64,
}

impl Program {
    pub fn new(seed: u64) -> Self {
        Self::asking(seed, &Answers::default())
    }

    /// The same, whose nest keeps what is asked about it with these answers.
    pub fn asking(seed: u64, answers: &Answers) -> Self {
        let mut numbers = Numbers::new(seed);
        let ranks = [1, 2].map(|_| numbers.between(1, 2).unsigned_abs() as usize);
        let plainness = numbers.of(&[2, 4, 8, 8]);
        let known = numbers.one_in(2);
        let nest = Nest::asking(answers);
        let (symbols, varying) = (Vec::new(), Vec::new());
        let mut writer = Writer { numbers, nest, symbols, varying, ranks, n_statements: 0, known, plainness };
        writer.state_symbols();
        let body = vec![writer.a_loop(&[])];
        Self { nest: writer.nest, body, symbols: writer.symbols, n_varying: writer.varying.len(), seed }
    }

    /// Whether the analysis is told all that decides which elements are touched.
    pub fn is_known(&self) -> bool {
        let nest = &self.nest;
        let affine = |s: &Subscript| !matches!(s, Subscript::Unknown);
        self.n_varying == 0
            && self.symbols.is_empty()
            && nest.loop_ids().all(|l| matches!(nest.loop_of(l).step, Step::Known(_)))
            && nest.access_ids().all(|a| nest.access(a).subscripts.iter().all(affine))
    }

    /// Values of [`Self::symbols`] that satisfy the facts about them alone.
    pub fn values(&self, numbers: &mut Numbers) -> Vec<(Symbol, i64)> {
        loop {
            let values: Vec<(Symbol, i64)> = self.symbols.iter().map(|&s| (s, numbers.between(0, 5))).collect();
            let value = |f: &Affine| {
                let of =
                    |v: &Variable| values.iter().find(|(s, _)| *v == Variable::Symbol(*s)).map(|(_, value)| *value);
                f.terms().iter().try_fold(f.constant_part(), |sum, (v, c)| Some(sum + c * of(v)?))
            };
            if self.nest.facts().iter().all(|f| value(f).is_none_or(|v| v >= 0)) {
                return values;
            }
        }
    }
}

impl Writer {
    fn state_symbols(&mut self) {
        for _ in 0..if self.known { 0 } else { self.numbers.between(0, 2) } {
            let symbol = self.nest.add_symbol(None);
            if self.numbers.one_in(2) {
                let least = self.numbers.between(0, 2);
                self.nest.add_fact(Affine::sum(-least, &[(Variable::Symbol(symbol), 1)]).expect("small"));
            }
            if let Some(&other) = self.symbols.first()
                && self.numbers.one_in(2)
            {
                let terms = [(Variable::Symbol(symbol), 1), (Variable::Symbol(other), -1)];
                self.nest.add_fact(Affine::sum(0, &terms).expect("small"));
            }
            self.symbols.push(symbol);
        }
    }

    /// Names the number by which a loop's index grows.
    fn a_stride(&mut self, of: LoopId, step: i64) {
        let symbol = self.nest.add_symbol(None);
        for sign in [1, -1] {
            self.nest.add_fact(Affine::sum(-sign * step, &[(Variable::Symbol(symbol), sign)]).expect("small"));
        }
        self.symbols.push(symbol);
        self.nest.set_stride(of, Affine::from(symbol));
    }

    fn a_loop(&mut self, around: &[LoopId]) -> Item {
        let step = self.numbers.of(&[1, 1, 1, 1, -1, 2, -2, 3]);
        let first = self.bound(around, 0);
        let last = self.bound(around, 3);
        let (lower, upper) = if step > 0 { (first, last) } else { (last, first) };
        let mut upper = vec![upper];
        // A constant bound besides keeps loops short; the analysis may not know it.
        let far = if step > 0 { 6 } else { -3 };
        upper.push(Affine::constant(far));
        if self.numbers.one_in(6) {
            upper.push(self.bound(around, 4));
        }
        let told = match self.numbers.between(0, 19) {
            0 if !self.known => Step::Unknown,
            1 if step > 0 && !self.known => Step::Positive,
            _ => Step::Known(step),
        };
        let id =
            self.nest.add_loop(Loop { parent: around.last().copied(), lower, lower_of: Vec::new(), upper, step: told });
        if told == Step::Positive && self.numbers.one_in(2) {
            self.a_stride(id, step);
        }
        if !self.known && self.numbers.one_in(6) {
            self.a_varying(id, &[around, &[id]].concat());
        }
        let around = [around, &[id]].concat();
        let mut body = Vec::new();
        for _ in 0..self.numbers.of(&[1, 1, 2, 2, 3]) {
            let deeper = around.len() < 3 && self.n_statements < 4 && self.numbers.one_in(2);
            body.push(if deeper { self.a_loop(&around) } else { self.statement(&around) });
        }
        Item::Loop { id, step, body }
    }

    /// A symbol that changes with the innermost of these loops: of which more is known, or not.
    fn a_varying(&mut self, id: LoopId, around: &[LoopId]) {
        let symbol = self.nest.add_symbol(Some(id));
        match self.numbers.between(0, 5) {
            0 | 1 => self.a_remainder(symbol, around),
            2 => self.nest.add_fact(Affine::from(symbol)),
            3 | 4 => {
                let at = self.index(around);
                self.nest.add_element(symbol, ArrayId(9), vec![at]);
                if self.numbers.one_in(2) {
                    self.varying.push((id, symbol));
                    let moved = self.nest.add_symbol(Some(id));
                    self.a_remainder(moved, around);
                    self.varying.push((id, moved));
                    return;
                }
            }
            _ => {}
        }
        self.varying.push((id, symbol));
    }

    /// A symbol as the remainder by a number, or by a run-time integer.
    fn a_remainder(&mut self, symbol: Symbol, around: &[LoopId]) {
        let of = self.index(around);
        let by = match self.symbols.first() {
            Some(by) if self.numbers.one_in(2) => {
                self.nest.add_fact(Affine::from(*by).plus_constant(-1).expect("small"));
                Affine::from(*by)
            }
            _ => self.a_constant(1, 4),
        };
        self.nest.add_remainder(symbol, of, by);
    }

    fn bound(&mut self, around: &[LoopId], start: i64) -> Affine {
        let constant = start + self.numbers.between(-1, 1);
        let variable = match self.numbers.between(0, 5) {
            0 | 1 if !around.is_empty() => Some(Variable::Index(self.numbers.of(around))),
            2 if start > 0 && !self.symbols.is_empty() => {
                Some(Variable::Symbol(self.numbers.of(&self.symbols.clone())))
            }
            _ => None,
        };
        let factor = if self.numbers.one_in(6) { -1 } else { 1 };
        let terms: Vec<_> = variable.map(|v| (v, factor)).into_iter().collect();
        Affine::sum(if terms.is_empty() { constant } else { constant - start / 2 }, &terms).expect("small")
    }

    fn statement(&mut self, around: &[LoopId]) -> Item {
        let position = self.n_statements;
        self.n_statements += 1;
        let accumulates = self.numbers.one_in(4);
        let guards = if self.numbers.one_in(5) { vec![self.index(around)] } else { Vec::new() };
        let distinct = if self.numbers.one_in(5) { vec![self.difference(around)] } else { Vec::new() };
        let conditions = (&guards[..], &distinct[..]);
        let n_reads = self.numbers.of(&[0, 1, 1, 2]);
        let reads =
            (0..n_reads).map(|_| self.access(around, AccessKind::Read, position, conditions)).collect::<Vec<_>>();
        let mut write = self.access(around, AccessKind::Write, position, conditions);
        if accumulates {
            write.group = Some(ReductionGroup(if self.numbers.one_in(2) { 100 } else { position }));
            let old = Access { kind: AccessKind::Read, ..write.clone() };
            self.nest.add_access(old);
        }
        let reads = reads.into_iter().map(|r| self.nest.add_access(r)).collect();
        Item::Statement { reads, write: self.nest.add_access(write), accumulates }
    }

    /// What is 0 where an index is another one, or a symbol.
    fn difference(&mut self, around: &[LoopId]) -> Affine {
        let (a, b) = (self.index(around), self.index(around));
        a.minus(&b).expect("small")
    }

    fn access(
        &mut self,
        around: &[LoopId],
        kind: AccessKind,
        position: u32,
        (guards, distinct): (&[Affine], &[Affine]),
    ) -> Access {
        let array = self.numbers.of(&[0, 0, 1]);
        let subscripts = (0..self.ranks[array]).map(|_| self.subscript(around)).collect();
        let array = ArrayId(u32::try_from(array).expect("few arrays"));
        Access {
            array,
            kind,
            subscripts,
            within: around.last().copied(),
            position,
            guards: guards.to_vec(),
            distinct: distinct.to_vec(),
            group: None,
        }
    }

    fn subscript(&mut self, around: &[LoopId]) -> Subscript {
        match self.numbers.between(0, 23) {
            0 if !self.known => Subscript::Unknown,
            1..=4 => {
                let start = self.index(around);
                let length = if self.numbers.one_in(3) { self.index(around) } else { self.a_constant(1, 3) };
                Subscript::Interval { start, length, step: self.numbers.of(&[1, 1, 1, 2, -1]) }
            }
            _ => Subscript::Index(self.index(around)),
        }
    }

    fn a_constant(&mut self, least: i64, most: i64) -> Affine {
        Affine::constant(self.numbers.between(least, most))
    }

    fn index(&mut self, around: &[LoopId]) -> Affine {
        let mut terms = vec![(Variable::Index(self.numbers.of(around)), 1)];
        if self.numbers.one_in(self.plainness) {
            terms[0].1 = self.numbers.of(&[0, -1, 2, -2, 3]);
        }
        if self.numbers.one_in(self.plainness) {
            terms.push((Variable::Index(self.numbers.of(around)), self.numbers.of(&[1, 1, -1, 2])));
        }
        if let Some(symbol) = self.symbols.last()
            && self.numbers.one_in(2 * self.plainness)
        {
            terms.push((Variable::Symbol(*symbol), self.numbers.of(&[1, 1, -1])));
        }
        let near = self.varying.iter().rev().find(|(l, _)| around.contains(l)).copied();
        if let Some((_, symbol)) = near
            && self.numbers.one_in(4)
        {
            terms.push((Variable::Symbol(symbol), 1));
        }
        Affine::sum(self.numbers.of(&[0, 0, 0, 1, -1, 2]), &terms).expect("small")
    }
}
