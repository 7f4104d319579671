//! Nests as text, the way a test reads best, and classes as text.
//!
//! In: lines such as `for i in 0, n`, `if j - i - 1`, `A[i, 0:n] = A[i - 1, 0:n] B[?]`, `A[i] += B[j]`, `fact n - 1`,
//! `remainder r@i of i + k by n`, `element c@i of t at i + 1`; indented by two. A name that
//! no loop has is a run-time integer. Out: a nest, and the text of each access. An accumulation is a group of its own.

use numptx_passes::dependence::{
    Access, AccessId, AccessKind, Affine, ArrayId, Class, DependenceKind, Interchange, Loop, LoopId, Nest, Part,
    ReductionGroup, Step, Subscript, Symbol, Time, Variable, classify, holds, interchange, wavefront,
};

/// A nest and what its parts are called.
#[derive(Default)]
pub struct Text {
    pub nest: Nest,
    loops: Vec<(String, LoopId)>,
    symbols: Vec<(String, Symbol)>,
    arrays: Vec<String>,
    accesses: Vec<String>,
    position: u32,
}

/// What is around a line.
#[derive(Clone)]
enum Around {
    Loop(LoopId),
    Guard(Affine),
    /// What is not 0.
    Distinct(Affine),
}

impl Text {
    pub fn read(text: &str) -> Self {
        let mut new = Self::default();
        let mut around: Vec<Around> = Vec::new();
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        let margin = lines[0].len() - lines[0].trim_start().len();
        for line in lines {
            let depth = (line.len() - line.trim_start().len() - margin) / 2;
            around.truncate(depth);
            let scope: Vec<LoopId> =
                around.iter().filter_map(|a| if let Around::Loop(l) = a { Some(*l) } else { None }).collect();
            let line = line.trim();
            if let Some(header) = line.strip_prefix("for ") {
                around.push(Around::Loop(new.header(header, &scope)));
            } else if let Some(condition) = line.strip_prefix("if not 0: ") {
                around.push(Around::Distinct(new.affine(condition, &scope)));
            } else if let Some(condition) = line.strip_prefix("if ") {
                around.push(Around::Guard(new.affine(condition, &scope)));
            } else if let Some(fact) = line.strip_prefix("fact ") {
                let fact = new.affine(fact, &scope);
                new.nest.add_fact(fact);
            } else if let Some(remainder) = line.strip_prefix("remainder ") {
                new.remainder(remainder, &scope);
            } else if let Some(element) = line.strip_prefix("element ") {
                new.element(element, &scope);
            } else {
                new.statement(line, &scope, &around);
            }
        }
        new
    }

    fn header(&mut self, header: &str, scope: &[LoopId]) -> LoopId {
        let (name, range) = header.split_once(" in ").expect("for NAME in LOWER, UPPER, STEP");
        let mut parts = range.split(',');
        let lower = self.affine(parts.next().expect("a lower bound"), scope);
        let upper = parts.next().expect("an upper bound").split(" min ").map(|b| self.affine(b, scope)).collect();
        let step = match parts.next().map(str::trim) {
            None => Step::Known(1),
            Some("?") => Step::Unknown,
            Some("+") => Step::Positive,
            Some(step) => Step::Known(step.parse().expect("a step")),
        };
        let id = self.nest.add_loop(Loop { parent: scope.last().copied(), lower, lower_of: Vec::new(), upper, step });
        self.loops.push((name.to_owned(), id));
        id
    }

    fn affine(&mut self, text: &str, scope: &[LoopId]) -> Affine {
        let text = text.replace(' ', "").replace('-', "+-");
        let mut sum = Affine::constant(0);
        for term in text.split('+').filter(|t| !t.is_empty()) {
            let (sign, term) = term.strip_prefix('-').map_or((1, term), |rest| (-1, rest));
            let (factor, name) = term.split_once('*').unwrap_or(("1", term));
            let factor: i64 = factor.parse().expect("a coefficient");
            let value = name.parse().map(Affine::constant).unwrap_or_else(|_| self.variable(name, scope).into());
            sum = value.times(sign * factor).and_then(|v| sum.plus(&v)).expect("small numbers");
        }
        sum
    }

    fn variable(&mut self, name: &str, scope: &[LoopId]) -> Variable {
        if let Some((_, id)) = self.loops.iter().rev().find(|(n, id)| n == name && scope.contains(id)) {
            return Variable::Index(*id);
        }
        if let Some((_, symbol)) = self.symbols.iter().find(|(n, _)| n == name) {
            return Variable::Symbol(*symbol);
        }
        // `m@k` changes with the loop `k`.
        let varies_in = name.split_once('@').and_then(|(_, l)| self.loops.iter().rev().find(|(n, _)| n == l));
        let symbol = self.nest.add_symbol(varies_in.map(|(_, id)| *id));
        self.symbols.push((name.to_owned(), symbol));
        Variable::Symbol(symbol)
    }

    fn remainder(&mut self, text: &str, scope: &[LoopId]) {
        let (name, rest) = text.split_once(" of ").expect("NAME of FUNCTION by FUNCTION");
        let (of, by) = rest.split_once(" by ").expect("NAME of FUNCTION by FUNCTION");
        let (of, by) = (self.affine(of, scope), self.affine(by, scope));
        let Variable::Symbol(symbol) = self.variable(name, scope) else { panic!("{name} is a loop") };
        self.nest.add_remainder(symbol, of, by);
    }

    fn array(&mut self, name: &str) -> ArrayId {
        let known = self.arrays.iter().position(|a| a == name);
        let array = known.unwrap_or_else(|| {
            self.arrays.push(name.to_owned());
            self.arrays.len() - 1
        });
        ArrayId(u32::try_from(array).expect("few arrays"))
    }

    fn element(&mut self, text: &str, scope: &[LoopId]) {
        let (name, rest) = text.split_once(" of ").expect("NAME of ARRAY at FUNCTION");
        let (array, at) = rest.split_once(" at ").expect("NAME of ARRAY at FUNCTION");
        let (array, at) = (self.array(array), self.affine(at, scope));
        let Variable::Symbol(symbol) = self.variable(name, scope) else { panic!("{name} is a loop") };
        self.nest.add_element(symbol, array, vec![at]);
    }

    fn statement(&mut self, line: &str, scope: &[LoopId], around: &[Around]) {
        let (target, rest) = line.split_once(" = ").or_else(|| line.split_once(" += ")).expect("TARGET = READS");
        let group = line.contains(" += ").then_some(ReductionGroup(self.position));
        let mut accesses: Vec<(AccessKind, &str, Option<ReductionGroup>)> = Vec::new();
        accesses.extend(
            rest.split_inclusive(']').map(str::trim).filter(|r| !r.is_empty()).map(|r| (AccessKind::Read, r, None)),
        );
        if group.is_some() {
            accesses.push((AccessKind::Read, target, group));
        }
        accesses.push((AccessKind::Write, target, group));
        let guards: Vec<Affine> =
            around.iter().filter_map(|a| if let Around::Guard(g) = a { Some(g.clone()) } else { None }).collect();
        let distinct: Vec<Affine> =
            around.iter().filter_map(|a| if let Around::Distinct(d) = a { Some(d.clone()) } else { None }).collect();
        for (kind, text, group) in accesses {
            let (array, subscripts) = text.trim_end_matches(']').split_once('[').expect("ARRAY[SUBSCRIPTS]");
            let subscripts: Vec<Subscript> =
                subscripts.split(',').filter(|s| !s.is_empty()).map(|s| self.subscript(s.trim(), scope)).collect();
            let array = self.array(array);
            let (within, guards, distinct) = (scope.last().copied(), guards.clone(), distinct.clone());
            let position = self.position;
            self.nest.add_access(Access { array, kind, subscripts, within, position, guards, distinct, group });
            self.accesses.push(text.to_owned());
        }
        self.position += 1;
    }

    fn subscript(&mut self, text: &str, scope: &[LoopId]) -> Subscript {
        if text == "?" {
            return Subscript::Unknown;
        }
        let Some((start, end)) = text.split_once(':') else { return Subscript::Index(self.affine(text, scope)) };
        let (start, end) = (self.affine(start, scope), self.affine(end, scope));
        let length = end.minus(&start).expect("small numbers");
        Subscript::Interval { start, length, step: 1 }
    }

    fn name(&self, access: AccessId) -> &str {
        let at = self.nest.access_ids().position(|a| a == access).expect("an access of this nest");
        &self.accesses[at]
    }

    /// A class as `parallel`, `snapshot A[i]`, `reduction`, `flow A[i] -> A[i - 1] 1`; the distance `1+` is 1 or more.
    fn class(&self, of: LoopId) -> String {
        let names = |reads: &[AccessId]| reads.iter().map(|&r| self.name(r)).collect::<Vec<_>>().join(" ");
        match classify(&self.nest, of) {
            Class::Parallel => "parallel".to_owned(),
            Class::ParallelWithSnapshot(reads) => format!("snapshot {}", names(&reads)),
            Class::Reduction { snapshots, .. } if snapshots.is_empty() => "reduction".to_owned(),
            Class::Reduction { snapshots, .. } => format!("reduction, snapshot {}", names(&snapshots)),
            Class::Sequential(d) => {
                let kind = match d.kind {
                    DependenceKind::Flow => "flow",
                    DependenceKind::Output => "output",
                    DependenceKind::Anti => "anti",
                };
                let distance = d.distance.map_or(format!("{}+", d.least), |n| n.to_string());
                format!("{kind} {} -> {} {distance}", self.name(d.source), self.name(d.sink))
            }
        }
    }

    fn time(&self, around: &[&str], part: Part, time: Time) -> String {
        let name = match part {
            Part::Loop(of) => self.loops.iter().find(|(_, id)| *id == of).map_or("?", |(name, _)| name),
            Part::Statement(position) => {
                let writes = |&a: &AccessId| self.nest.access(a).kind == AccessKind::Write;
                let target = self.nest.access_ids().filter(writes).find(|&a| self.nest.access(a).position == position);
                self.name(target.expect("each statement writes"))
            }
        };
        let Time { around: factors, inner, phase, spread } = time;
        let terms: Vec<String> = around.iter().zip(factors).map(|(name, by)| format!("{by}*{name}")).collect();
        let terms = terms.join(" + ");
        if spread {
            format!("{name}: {terms} + {inner}*{name}, phase {phase}")
        } else {
            format!("[{name}]: {terms}, phase {phase}")
        }
    }

    /// The loops with that name, as the text has them.
    fn named(&self, name: &str) -> Vec<LoopId> {
        self.loops.iter().filter(|(n, _)| n == name).map(|(_, id)| *id).collect()
    }

    /// What [`interchange`] says of the outer loop and all inner ones with one name.
    pub fn interchange(&self, outer: &str, inner: &str) -> String {
        match interchange(&self.nest, self.named(outer)[0], &self.named(inner)) {
            Interchange::Aligned(groups) if groups.is_empty() => "aligned".to_owned(),
            Interchange::Aligned(groups) => format!("aligned with {} reductions", groups.len()),
            Interchange::Crosses(a, b) => format!("{} crosses {}", self.name(a), self.name(b)),
            Interchange::Outside(access) => format!("{} is outside", self.name(access)),
            Interchange::NotInside(_) => format!("{inner} is not inside {outer}"),
        }
    }
}

/// The schedule of the first loops with these names, each in the one before, part by part: `j: 2*i + 1*j, phase 0`; parts that are not spread are in
/// brackets.
#[track_caller]
pub fn assert_wavefront(text: &str, around: &str, expected: &[&str]) {
    let read = Text::read(text);
    let names: Vec<&str> = around.split(' ').collect();
    let around: Vec<LoopId> = names.iter().map(|name| read.named(name)[0]).collect();
    let found = wavefront(&read.nest, &around).unwrap_or_default();
    assert!(found.is_empty() || holds(&read.nest, &around, &found));
    let written: Vec<String> = found.iter().map(|(part, time)| read.time(&names, *part, *time)).collect();
    assert_eq!(written, expected, "{text}");
}

/// The class of each loop, in the order of the text, as `name: class`.
#[track_caller]
pub fn assert_classes(text: &str, expected: &[&str]) {
    let read = Text::read(text);
    let found: Vec<String> = read.loops.iter().map(|(name, id)| format!("{name}: {}", read.class(*id))).collect();
    assert_eq!(found, expected, "{text}");
}
