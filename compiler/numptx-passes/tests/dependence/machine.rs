//! Runs a program, in the order of the text or another one, and records which elements are touched.
//!
//! In: a program, values of its run-time integers, an order. Out: memory afterwards, and every touch of an element. Memory has elements at any
//! integers, negative ones too, whose values before the run are made up.

use std::collections::BTreeMap;

use numptx_passes::dependence::{AccessId, AccessKind, Affine, LoopId, Subscript, Symbol, Variable};

use crate::program::{Item, Numbers, Program};

/// An array and indices.
pub type Element = (u32, Vec<i64>);
/// What was written.
pub type Memory = BTreeMap<Element, i64>;

/// One iteration of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    pub of: LoopId,
    /// Iterations before it.
    pub count: i64,
    pub index: i64,
}

/// One access to one element.
#[derive(Clone, Debug)]
pub struct Touch {
    pub access: AccessId,
    pub element: Element,
    pub iterations: Vec<Iteration>,
}

/// In what order iterations run.
#[derive(Clone, Debug)]
pub enum Order {
    Text,
    /// One loop in random order; some reads look at the memory as it was before it.
    Shuffled(LoopId, Vec<AccessId>),
    /// In each execution of the first loop, each of these indices of the other loops runs it alone.
    Threads(LoopId, Vec<LoopId>, Vec<i64>),
}

/// More touches than these are not worth the time.
const MANY_TOUCHES: usize = 500;

/// A run.
pub struct Machine<'p> {
    program: &'p Program,
    values: &'p [(Symbol, i64)],
    order: Order,
    numbers: Numbers,
    iterations: Vec<Iteration>,
    before: Memory,
    thread: Option<i64>,
    pub memory: Memory,
    pub touches: Vec<Touch>,
}

/// Every statement by its write.
fn collect<'i>(items: &'i [Item], into: &mut BTreeMap<AccessId, (&'i [AccessId], bool)>) {
    for item in items {
        match item {
            Item::Loop { body, .. } => collect(body, into),
            Item::Statement { reads, write, accumulates } => _ = into.insert(*write, (reads, *accumulates)),
        }
    }
}

fn mixed(parts: impl IntoIterator<Item = i64>) -> u64 {
    parts.into_iter().fold(17, |mix, part| Numbers::new(mix ^ part.cast_unsigned().rotate_left(32)).next())
}

impl<'p> Machine<'p> {
    /// Runs; `None` if that takes too long.
    pub fn run(program: &'p Program, values: &'p [(Symbol, i64)], order: Order, seed: u64) -> Option<Self> {
        let (iterations, before, memory, touches) = (Vec::new(), Memory::new(), Memory::new(), Vec::new());
        let numbers = Numbers::new(seed);
        let mut new = Self { program, values, order, numbers, iterations, before, thread: None, memory, touches };
        new.all(&program.body)?;
        Some(new)
    }

    /// Runs single accesses' statements, each with the iterations around it, in any order.
    pub fn replay(
        program: &'p Program,
        values: &'p [(Symbol, i64)],
        statements: &[(AccessId, Vec<Iteration>)],
    ) -> Memory {
        let (before, memory, touches) = (Memory::new(), Memory::new(), Vec::new());
        let (order, numbers, iterations) = (Order::Text, Numbers::new(0), Vec::new());
        let mut new = Self { program, values, order, numbers, iterations, before, thread: None, memory, touches };
        let mut known = BTreeMap::new();
        collect(&program.body, &mut known);
        for (write, iterations) in statements {
            new.iterations.clone_from(iterations);
            let (reads, accumulates) = known[write];
            let _too_many = new.statement(reads, *write, accumulates);
        }
        new.memory
    }

    fn all(&mut self, items: &[Item]) -> Option<()> {
        items.iter().try_for_each(|item| match item {
            Item::Loop { id, step, body } => self.a_loop(*id, *step, body),
            Item::Statement { reads, write, accumulates } => self.statement(reads, *write, *accumulates),
        })
    }

    fn a_loop(&mut self, id: LoopId, step: i64, body: &[Item]) -> Option<()> {
        let header = self.program.nest.loop_of(id);
        let lower = self.value(&header.lower);
        let upper: Vec<i64> = header.upper.iter().map(|u| self.value(u)).collect();
        let inside = |&(_, index): &(i64, i64)| upper.iter().all(|&u| if step > 0 { index < u } else { index > u });
        let mut rounds: Vec<(i64, i64)> = (0..).map(|n| (n, lower + step * n)).take_while(inside).collect();
        match self.order.clone() {
            Order::Shuffled(of, _) if of == id => {
                self.before = self.memory.clone();
                self.numbers.shuffle(&mut rounds);
            }
            Order::Threads(outer, _, mut indices) if outer == id => {
                self.numbers.shuffle(&mut indices);
                for index in indices {
                    self.thread = Some(index);
                    self.iterate(id, &rounds, body)?;
                }
                self.thread = None;
                return Some(());
            }
            Order::Threads(_, inner, _) if inner.contains(&id) => {
                rounds.retain(|r| self.thread.is_none_or(|t| t == r.1))
            }
            _ => {}
        }
        self.iterate(id, &rounds, body)
    }

    fn iterate(&mut self, of: LoopId, rounds: &[(i64, i64)], body: &[Item]) -> Option<()> {
        for &(count, index) in rounds {
            self.iterations.push(Iteration { of, count, index });
            self.all(body)?;
            self.iterations.pop();
        }
        Some(())
    }

    fn statement(&mut self, reads: &[AccessId], write: AccessId, accumulates: bool) -> Option<()> {
        let nest = &self.program.nest;
        let write_of = nest.access(write);
        if write_of.guards.iter().any(|g| self.value(g) < 0) || write_of.distinct.iter().any(|d| self.value(d) == 0) {
            return Some(());
        }
        let place = self.iterations.iter().map(|i| i.count);
        let mut value = (mixed(place) % 1000).cast_signed();
        for (n, &read) in reads.iter().enumerate() {
            let before = matches!(&self.order, Order::Shuffled(_, reads) if reads.contains(&read));
            for (m, element) in self.elements(read).into_iter().enumerate() {
                let memory = if before { &self.before } else { &self.memory };
                let weight = 2 * (n + 3 * m).cast_signed() as i64 + 3;
                value = value.wrapping_add(content(memory, &element).wrapping_mul(weight));
                self.touch(read, element)?;
            }
        }
        let targets = self.elements(write);
        // The accumulation's own read is the access before the statement's reads.
        let old = nest.access_ids().find(|&a| {
            let (a, w) = (nest.access(a), nest.access(write));
            accumulates && a.kind == AccessKind::Read && a.group == w.group && a.position == w.position
        });
        for element in old.iter().flat_map(|_| targets.clone()) {
            self.touch(old?, element)?;
        }
        for (n, element) in targets.into_iter().enumerate() {
            let old = if accumulates { content(&self.memory, &element) } else { 0 };
            let new = old.wrapping_add(value.wrapping_mul(2 * n.cast_signed() as i64 + 1));
            self.memory.insert(element.clone(), new);
            self.touch(write, element)?;
        }
        Some(())
    }

    fn touch(&mut self, access: AccessId, element: Element) -> Option<()> {
        self.touches.push(Touch { access, element, iterations: self.iterations.clone() });
        (self.touches.len() < MANY_TOUCHES).then_some(())
    }

    fn value(&self, function: &Affine) -> i64 {
        function.terms().iter().fold(function.constant_part(), |sum, (v, c)| sum + c * self.variable(*v))
    }

    fn variable(&self, variable: Variable) -> i64 {
        match variable {
            Variable::Index(of) => self.iterations.iter().find(|i| i.of == of).expect("a loop that runs").index,
            Variable::Symbol(symbol) => match self.values.iter().find(|(s, _)| *s == symbol) {
                Some((_, value)) => *value,
                None => self.varying(symbol),
            },
        }
    }

    /// Something that depends on the iterations of one loop and those around it.
    fn varying(&self, symbol: Symbol) -> i64 {
        if let Some([of, by]) = self.program.nest.remainder(symbol) {
            return self.value(of).rem_euclid(self.value(by));
        }
        if let Some((array, at)) = self.program.nest.element(symbol) {
            let place = at.iter().map(|index| self.value(index)).chain([i64::from(array.0)]);
            return (mixed(place) % 4).cast_signed();
        }
        let scope = self.program.nest.varies_in(symbol).expect("the others have values");
        let last = self.iterations.iter().position(|i| i.of == scope).expect("a loop that runs");
        (mixed(self.iterations[..=last].iter().map(|i| i.count)) % 4).cast_signed()
    }

    /// The elements of an access, in order.
    fn elements(&self, access: AccessId) -> Vec<Element> {
        let a = self.program.nest.access(access);
        let mut elements = vec![Vec::new()];
        for (axis, subscript) in a.subscripts.iter().enumerate() {
            let along: Vec<i64> = match subscript {
                Subscript::Index(point) => vec![self.value(point)],
                Subscript::Interval { start, length, step } => {
                    (0..self.value(length)).map(|n| self.value(start) + step * n).collect()
                }
                Subscript::Unknown => {
                    let place = self.iterations.iter().map(|i| i.count);
                    vec![(mixed(place.chain([axis.cast_signed() as i64, i64::from(a.position)])) % 5).cast_signed()]
                }
            };
            elements = elements.iter().flat_map(|e| along.iter().map(|&i| [e.as_slice(), &[i]].concat())).collect();
        }
        elements.into_iter().map(|indices| (a.array.0, indices)).collect()
    }
}

fn content(memory: &Memory, element: &Element) -> i64 {
    let fresh = || (mixed(element.1.iter().copied().chain([i64::from(element.0)])) % 1000).cast_signed();
    memory.get(element).copied().unwrap_or_else(fresh)
}
