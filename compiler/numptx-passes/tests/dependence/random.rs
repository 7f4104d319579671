//! Random nests: what the analysis claims against what really happens when they run. `NUMPTX_PROGRAMS=40000` takes that many,
//! `NUMPTX_FIRST` says which one comes first.
//!
//! A run in the order of the text records every touch of an element; each pair of touches of one element is a true dependence. Every claim has to
//! leave room for all of them, and what may run in any order is run in random orders and has to give the same memory.

use std::collections::{BTreeMap, BTreeSet};

use numptx_passes::dependence::{
    AccessId, AccessKind, Answers, Class, Dependence, DependenceKind, Interchange, LoopId, MAX_AROUND, Nest, Part,
    Symbol, Time, Wavefront, are_alike, classify, dependences, interchange, wavefront,
};

use crate::machine::{Iteration, Machine, Order, Touch};
use crate::program::{Numbers, Program};

const PROGRAMS: u64 = 250;

/// The programs of the `n`th part of as many as are asked for.
fn trials(part: u64) -> impl Iterator<Item = Trial> {
    let variable = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let first = variable("NUMPTX_FIRST").unwrap_or(0);
    let n = variable("NUMPTX_PROGRAMS").unwrap_or(PROGRAMS) / part;
    (first..first + n).filter_map(Trial::new)
}

/// What was true in a run, of all loops.
#[derive(Default)]
struct Truth {
    /// Source, sink and distance of what each loop carried.
    carried: BTreeMap<LoopId, BTreeSet<(AccessId, AccessId, i64)>>,
    /// Reads of what the same iteration of the loop had written.
    written_before: BTreeSet<(LoopId, AccessId)>,
}

fn kind(nest: &Nest, source: AccessId, sink: AccessId) -> Option<DependenceKind> {
    match (nest.access(source).kind, nest.access(sink).kind) {
        (AccessKind::Read, AccessKind::Read) => None,
        (AccessKind::Write, AccessKind::Read) => Some(DependenceKind::Flow),
        (AccessKind::Write, AccessKind::Write) => Some(DependenceKind::Output),
        (AccessKind::Read, AccessKind::Write) => Some(DependenceKind::Anti),
    }
}

fn grouped(nest: &Nest, a: AccessId, b: AccessId) -> bool {
    nest.access(a).group.is_some() && nest.access(a).group == nest.access(b).group
}

/// All pairs of touches of one element one of which writes, in order.
fn conflicts<'t>(nest: &Nest, touches: &'t [Touch]) -> Vec<(&'t Touch, &'t Touch)> {
    let mut of: BTreeMap<_, Vec<&Touch>> = BTreeMap::new();
    for touch in touches {
        of.entry(&touch.element).or_default().push(touch);
    }
    let pairs = of.values().flat_map(|t| (0..t.len()).flat_map(move |n| t[n + 1..].iter().map(move |b| (t[n], *b))));
    pairs.filter(|(a, b)| kind(nest, a.access, b.access).is_some()).collect()
}

impl Truth {
    fn learn(&mut self, nest: &Nest, touches: &[Touch]) {
        for (a, b) in conflicts(nest, touches) {
            for (i, j) in a.iterations.iter().zip(&b.iterations) {
                if i.of != j.of {
                    break;
                }
                if i.count != j.count {
                    self.carried.entry(i.of).or_default().insert((a.access, b.access, j.count - i.count));
                    break;
                }
                if kind(nest, a.access, b.access) == Some(DependenceKind::Flow) {
                    self.written_before.insert((i.of, b.access));
                }
            }
        }
    }

    /// Whether a loop may run as that class, and what it says of the reads and groups is true.
    fn allows(&self, nest: &Nest, of: LoopId, class: &Class) -> bool {
        let none = Vec::new();
        let (groups, snapshots) = match class {
            Class::Sequential(_) => return true,
            Class::Parallel => (&Vec::new(), &none),
            Class::ParallelWithSnapshot(reads) => (&Vec::new(), reads),
            Class::Reduction { groups, snapshots } => (groups, snapshots),
        };
        let looks_back = |read: &AccessId| snapshots.contains(read) && !self.written_before.contains(&(of, *read));
        self.carried.get(&of).into_iter().flatten().all(|(source, sink, _)| {
            let group = nest.access(*source).group.filter(|_| grouped(nest, *source, *sink));
            let anti = kind(nest, *source, *sink) == Some(DependenceKind::Anti);
            group.is_some_and(|g| groups.contains(&g)) || (anti && looks_back(source))
        })
    }

    /// The weakest class that is true: 0 parallel, 1 snapshot, 2 reduction, 3 sequential.
    fn class(&self, nest: &Nest, of: LoopId) -> usize {
        let mut class = 0;
        for (source, sink, _) in self.carried.get(&of).into_iter().flatten() {
            let anti = kind(nest, *source, *sink) == Some(DependenceKind::Anti);
            let free = nest.access(*source).group.is_none() && !self.written_before.contains(&(of, *source));
            let flow = |(_, read, _): &(AccessId, AccessId, i64)| {
                read == source && nest.access(*read).kind == AccessKind::Read
            };
            let this = match (grouped(nest, *source, *sink), anti) {
                (true, _) => 2,
                (false, true) if free && !self.carried[&of].iter().any(flow) => 1,
                _ => 3,
            };
            class = class.max(this);
        }
        class
    }

    /// Whether every true dependence of a loop is among those found, with a distance that is right.
    fn found_all(&self, of: LoopId, found: &[Dependence]) -> bool {
        self.carried.get(&of).into_iter().flatten().all(|&(source, sink, distance)| {
            let said = found.iter().find(|d| (d.source, d.sink) == (source, sink));
            said.is_some_and(|d| d.distance.is_none_or(|n| n == distance) && d.least <= distance)
        })
    }
}

fn number(class: &Class) -> usize {
    match class {
        Class::Parallel => 0,
        Class::ParallelWithSnapshot(_) => 1,
        Class::Reduction { .. } => 2,
        Class::Sequential(_) => 3,
    }
}

type Values = Vec<(Symbol, i64)>;

/// A program, run as the text has it with a few values of its run-time integers.
struct Trial {
    program: Program,
    runs: Vec<(Values, Vec<Touch>)>,
    truth: Truth,
}

impl Trial {
    fn new(seed: u64) -> Option<Self> {
        let program = Program::new(seed);
        let mut numbers = Numbers::new(!seed);
        let mut trial = Self { program, runs: Vec::new(), truth: Truth::default() };
        let n_runs = if trial.program.symbols.is_empty() { 1 } else { 3 };
        for _ in 0..n_runs {
            let values = trial.program.values(&mut numbers);
            let touches = Machine::run(&trial.program, &values, Order::Text, 0)?.touches;
            trial.truth.learn(&trial.program.nest, &touches);
            trial.runs.push((values, touches));
        }
        Some(trial)
    }

    fn same_in(&self, order: &Order) -> bool {
        self.runs.iter().all(|(values, _)| {
            let text = Machine::run(&self.program, values, Order::Text, 0).map(|m| m.memory);
            (1..3).all(|seed| Machine::run(&self.program, values, order.clone(), seed).map(|m| m.memory) == text)
        })
    }

    fn order(of: LoopId, class: &Class) -> Option<Order> {
        let snapshots = match class {
            Class::Sequential(_) => return None,
            Class::Parallel => Vec::new(),
            Class::ParallelWithSnapshot(reads) | Class::Reduction { snapshots: reads, .. } => reads.clone(),
        };
        Some(Order::Shuffled(of, snapshots))
    }

    /// Whether no two touches of one element in one execution of a loop are by different indices of inner loops.
    fn is_aligned(&self, outer: LoopId, inner: &[LoopId], groups: bool) -> bool {
        let nest = &self.program.nest;
        let thread = |t: &Touch| t.iterations.iter().find(|i| inner.contains(&i.of)).map(|i| i.index);
        let execution = |t: &Touch| t.iterations.iter().position(|i| i.of == outer).map(|n| t.iterations[..n].to_vec());
        self.runs.iter().flat_map(|(_, touches)| conflicts(nest, touches)).all(|(a, b)| {
            let together = execution(a).is_some() && execution(a) == execution(b);
            let ignored = groups && grouped(nest, a.access, b.access);
            !together || ignored || (thread(a).is_some() && thread(a) == thread(b))
        })
    }

    /// The statements of the whole run as a schedule has those in loops: time, phase, then threads in random order.
    fn scheduled(
        &self,
        touches: &[Touch],
        around: &[LoopId],
        schedule: &Wavefront,
        seed: u64,
    ) -> Vec<(AccessId, Vec<Iteration>)> {
        let nest = &self.program.nest;
        let writes = touches.iter().filter(|t| nest.access(t.access).kind == AccessKind::Write);
        let mut statements: Vec<_> = writes.map(|t| (t.access, t.iterations.clone())).collect();
        statements.dedup();
        let place = |(access, iterations): &(AccessId, Vec<Iteration>)| {
            let at = iterations.iter().position(|i| i.of == around[0])?;
            let own = &iterations[at..at + around.len()];
            let inner = iterations.get(at + around.len());
            let part = inner.map_or(Part::Statement(nest.access(*access).position), |i| Part::Loop(i.of));
            let time = schedule[&part];
            let index =
                inner.filter(|_| time.spread).map(|i| (first_alike(nest, (schedule, around), i.of, time), i.index));
            let sum: i64 = own.iter().zip(time.around).map(|(i, by)| by * i.index).sum();
            let when = sum + time.inner * index.map_or(0, |i| i.1);
            let indices: Vec<i64> = own.iter().map(|i| i.index).collect();
            let thread = Numbers::new(seed ^ thread_number(&indices, index)).next();
            Some((when, time.phase, thread))
        };
        // Only what is in one execution of the loops changes places.
        let execution = |s: &(AccessId, Vec<Iteration>)| {
            s.1.iter().position(|i| i.of == around[0]).map(|at| s.1[..at].iter().map(|i| i.count).collect::<Vec<_>>())
        };
        let mut result = Vec::new();
        for run in statements.chunk_by_mut(|a, b| execution(a).is_some() && execution(a) == execution(b)) {
            run.sort_by_key(place);
            result.extend_from_slice(run);
        }
        result
    }

    fn same_by(&self, around: &[LoopId], schedule: &Wavefront) -> bool {
        self.runs.iter().all(|(values, touches)| {
            let text = Machine::run(&self.program, values, Order::Text, 0).map(|m| m.memory);
            (1..3).all(|seed| {
                let order = self.scheduled(touches, around, schedule, seed);
                text == Some(Machine::replay(&self.program, values, &order))
            })
        })
    }

    fn threads(&self, outer: LoopId, inner: &[LoopId]) -> Order {
        let iterations = self.runs.iter().flat_map(|(_, touches)| touches).flat_map(|t| &t.iterations);
        let indices: BTreeSet<i64> = iterations.filter(|i| inner.contains(&i.of)).map(|i| i.index).collect();
        Order::Threads(outer, inner.to_vec(), indices.into_iter().collect())
    }
}

#[derive(Default, Debug)]
struct Counts {
    programs: u64,
    /// Claimed class, true class, for the values that were drawn.
    classes: [[u64; 4]; 4],
    /// The same of programs in which nothing is unknown.
    known: [[u64; 4]; 4],
    /// Of one loop around parts: found, not found; of several: found.
    wavefronts: [u64; 3],
    /// Aligned and so in truth; refused; refused although aligned in truth.
    interchanges: [u64; 3],
}

impl Counts {
    fn loops(&mut self, trial: &Trial) {
        let nest = &trial.program.nest;
        for of in nest.loop_ids() {
            let class = classify(nest, of);
            let (seed, program) = (trial.program.seed, &trial.program);
            let is_true = trial.truth.class(nest, of);
            self.classes[number(&class)][is_true] += 1;
            self.known[number(&class)][is_true] += u64::from(program.is_known());
            assert!(trial.truth.allows(nest, of, &class), "{seed}: {of:?} is not {class:?}\n{program:#?}");
            assert!(
                trial.truth.found_all(of, &dependences(nest, of)),
                "{seed}: more dependences of {of:?}\n{program:#?}"
            );
            let order = Trial::order(of, &class);
            assert!(order.is_none_or(|o| trial.same_in(&o)), "{seed}: {of:?} as {class:?} differs\n{program:#?}");
        }
    }

    fn interchanges(&mut self, trial: &Trial) {
        let nest = &trial.program.nest;
        for outer in nest.loop_ids() {
            let inside: Vec<LoopId> =
                nest.loop_ids().filter(|&l| l != outer && nest.chain(Some(l)).contains(&outer)).collect();
            let children: Vec<LoopId> =
                inside.iter().copied().filter(|&l| nest.loop_of(l).parent == Some(outer)).collect();
            let mut choices: Vec<Vec<LoopId>> = inside.iter().map(|&l| vec![l]).collect();
            choices.extend((children.len() > 1).then_some(children));
            for inner in choices {
                let answer = interchange(nest, outer, &inner);
                let (seed, program) = (trial.program.seed, &trial.program);
                match answer {
                    Interchange::Aligned(ref groups) => {
                        self.interchanges[0] += 1;
                        let true_claim = trial.is_aligned(outer, &inner, !groups.is_empty());
                        assert!(true_claim, "{seed}: {outer:?} {inner:?} is not {answer:?}\n{program:#?}");
                        let order = trial.threads(outer, &inner);
                        assert!(trial.same_in(&order), "{seed}: {outer:?} in {inner:?} differs\n{program:#?}");
                    }
                    Interchange::Crosses(..) if trial.is_aligned(outer, &inner, true) => self.interchanges[2] += 1,
                    _ => self.interchanges[1] += 1,
                }
            }
        }
    }
}

impl Counts {
    fn wavefronts(&mut self, trial: &Trial) {
        let nest = &trial.program.nest;
        let is_outer = |&l: &LoopId| nest.loop_ids().any(|inner| nest.loop_of(inner).parent == Some(l));
        let is_sequential = |&l: &LoopId| matches!(classify(nest, l), Class::Sequential(_));
        for outer in nest.loop_ids().filter(is_outer).filter(is_sequential) {
            let mut around = vec![outer];
            while around.len() <= MAX_AROUND {
                let found = wavefront(nest, &around);
                match (&found, around.len()) {
                    (Some(_), 1) => self.wavefronts[0] += 1,
                    (None, 1) => self.wavefronts[1] += 1,
                    (Some(_), _) => self.wavefronts[2] += 1,
                    (None, _) => {}
                }
                let program = &trial.program;
                let is_same = found.as_ref().is_none_or(|found| trial.same_by(&around, found));
                assert!(is_same, "{}: {around:?} by {found:?} differs\n{program:#?}", program.seed);
                let last = around.last().copied();
                let mut inner = nest.loop_ids().filter(|&l| nest.loop_of(l).parent == last);
                let is_all = |l: LoopId| nest.access_ids().all(|a| !nest.is_within(a, outer) || nest.is_within(a, l));
                match (inner.next(), inner.next()) {
                    (Some(only), None) if is_all(only) && is_outer(&only) => around.push(only),
                    _ => break,
                }
            }
        }
    }
}

/// Of the loops that share threads with one, the first.
fn first_alike(nest: &Nest, (schedule, around): (&Wavefront, &[LoopId]), of: LoopId, time: Time) -> LoopId {
    if around.len() == 1 {
        return of;
    }
    let shares = |(part, other): (&Part, &Time)| match part {
        Part::Loop(id) if *id == of || (*other == time && are_alike(nest, *id, of)) => Some(*id),
        _ => None,
    };
    schedule.iter().find_map(shares).unwrap_or(of)
}

fn thread_number(around: &[i64], inner: Option<(LoopId, i64)>) -> u64 {
    let inner = inner.map_or(0, |(of, index)| Numbers::new(index.cast_unsigned() ^ place(of)).next());
    around.iter().fold(inner, |sum, index| Numbers::new(sum ^ index.cast_unsigned()).next())
}

/// A number of a loop's own.
fn place(of: LoopId) -> u64 {
    format!("{of:?}").bytes().fold(0, |sum, byte| sum * 31 + u64::from(byte)) << 20
}

#[test]
fn every_claim_about_random_nests_is_true() {
    let mut counts = Counts::default();
    for trial in trials(1) {
        counts.programs += 1;
        counts.loops(&trial);
        counts.interchanges(&trial);
    }
    println!("{counts:?}");
    let claimed = |class: usize| counts.classes[class].iter().sum::<u64>();
    assert!(claimed(0) * 20 > counts.programs && claimed(1) > 0 && claimed(2) > 0 && counts.interchanges[0] > 0);
    // Where nothing is unknown, what is said to be sequential is, but for solutions in fractions.
    assert!(counts.known[3][..3].iter().sum::<u64>() * 20 <= counts.known[3][3], "{counts:?}");
    // Elsewhere values that were not drawn may make it so.
    assert!(counts.classes[3][..3].iter().sum::<u64>() * 4 < claimed(3), "{counts:?}");
}

#[test]
fn every_schedule_of_random_nests_holds() {
    let mut counts = Counts::default();
    for trial in trials(2) {
        counts.wavefronts(&trial);
    }
    println!("{:?}", counts.wavefronts);
    assert!(counts.wavefronts[..2].iter().all(|&n| n > 10) && counts.wavefronts[2] > 0, "{counts:?}");
}

#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    // All programs share these answers, and every one is asked again when they hold those to all others.
    let answers = Answers::default();
    for seed in (0..120).chain(0..120) {
        let (alone, sharing) = (Program::new(seed).nest, Program::asking(seed, &answers).nest);
        let loops: Vec<LoopId> = alone.loop_ids().collect();
        for &of in &loops {
            assert_eq!(classify(&sharing, of), classify(&alone, of), "program {seed}");
            assert_eq!(dependences(&sharing, of), dependences(&alone, of), "program {seed}");
            assert_eq!(wavefront(&sharing, &[of]), wavefront(&alone, &[of]), "program {seed}");
            let inside: Vec<LoopId> = loops.iter().copied().filter(|&l| alone.loop_of(l).parent == Some(of)).collect();
            assert_eq!(interchange(&sharing, of, &inside), interchange(&alone, of, &inside), "program {seed}");
        }
    }
}

#[test]
fn false_claims_are_found_out() {
    let mut found = [0; 4];
    for trial in (0..60).filter_map(Trial::new) {
        let nest = &trial.program.nest;
        for of in nest.loop_ids().filter(|&l| matches!(classify(nest, l), Class::Sequential(_))) {
            let is_true = trial.truth.class(nest, of) < 3;
            found[0] += usize::from(!trial.truth.allows(nest, of, &Class::Parallel));
            found[1] += usize::from(!trial.same_in(&Order::Shuffled(of, Vec::new())));
            found[2] += usize::from(!is_true && !trial.truth.found_all(of, &[]));
            found[3] += usize::from(!trial.same_by(&[of], &at_once(nest, of)));
        }
    }
    assert!(found.iter().all(|&n| n > 15), "{found:?}");
}

/// A thread for everything, and no order.
fn at_once(nest: &Nest, outer: LoopId) -> Wavefront {
    let loops = nest.loop_ids().filter(|&l| nest.loop_of(l).parent == Some(outer)).map(Part::Loop);
    let own = nest.access_ids().map(|a| nest.access(a)).filter(|a| a.within == Some(outer));
    let spread = |part: &Part| matches!(part, Part::Loop(_));
    let time = |part: Part| (part, Time { around: [0; MAX_AROUND], inner: 0, phase: 0, spread: spread(&part) });
    loops.chain(own.map(|a| Part::Statement(a.position))).map(time).collect()
}
