//! Shadow memory: who wrote and who read each byte while a kernel runs.

use std::collections::BTreeMap;

use crate::array::interpret::View;
use crate::kernel::Operand;

/// One entry a byte of each buffer that the kernel touched.
#[derive(Default)]
pub(super) struct Shadow {
    bytes: BTreeMap<usize, Vec<Byte>>,
}

/// What happened to a byte. Points are numbered from 1 in C order; 0 is none.
#[derive(Clone, Default)]
pub(super) struct Byte {
    pub writer: u64,
    pub reader: u64,
    /// Another point than `reader` read it too.
    pub read_by_many: bool,
    /// How many barriers were before `writer` and `reader`.
    epoch: u64,
    /// The operands through which it was written.
    pub writes: Seen,
    /// The `noalias` operands through which it was met.
    promised: Seen,
}

/// The first of some operands, and another one.
#[derive(Clone, Default)]
pub(super) struct Seen {
    first: Option<usize>,
    other: Option<usize>,
}

impl Seen {
    pub fn note(&mut self, operand: usize) {
        match self.first {
            None => self.first = Some(operand),
            Some(first) if first != operand => self.other = Some(operand),
            _ => {}
        }
    }

    /// Whether an operand other than this one is among them.
    pub fn is_other_than(&self, operand: usize) -> bool {
        self.first.is_some_and(|first| first != operand) || self.other.is_some()
    }
}

impl Byte {
    /// Forgets who met the byte before the last of so many barriers.
    pub fn enter(&mut self, epoch: u64) {
        if self.epoch != epoch {
            (self.epoch, self.writer, self.reader, self.read_by_many) = (epoch, 0, 0, false);
        }
    }

    /// Notes that the byte was met through an operand.
    pub fn promise(&mut self, operand: usize, declared: &Operand) {
        if declared.noalias {
            self.promised.note(operand);
        }
    }

    /// The operand whose promise is broken: the byte was written through another one, too.
    fn broken(&self) -> Option<usize> {
        let promised = [self.promised.first, self.promised.other];
        promised.into_iter().flatten().find(|operand| self.writes.is_other_than(*operand))
    }
}

impl Shadow {
    /// The shadow of an element's bytes.
    pub fn of(&mut self, view: &View, offset: i64) -> Result<&mut [Byte], String> {
        let range = view.buffer.range(offset, view.dtype.itemsize())?;
        let size = view.buffer.size();
        Ok(&mut self.bytes.entry(view.buffer.identity()).or_insert_with(|| vec![Byte::default(); size])[range])
    }

    /// What is met through a `noalias` operand no other operand writes, not even at the same point.
    pub fn check_promises(&self) -> Result<(), String> {
        match self.bytes.values().flatten().find_map(Byte::broken) {
            Some(operand) => Err(format!("operand {operand} is `noalias` and shares memory with a written one")),
            None => Ok(()),
        }
    }
}
