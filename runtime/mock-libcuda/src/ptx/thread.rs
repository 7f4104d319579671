//! A thread: its registers, its local memory, and what an instruction does to them.

use super::copies::{Copies, Copy};
use super::instruction::{Arithmetic, Atomic, Kind, Op, Type};
use super::memory::{Memory, SHARED};
use super::numbers::{compare, compute, convert, field, funnel, logic, multiply_add, permute, read, shift};
use super::parse::{Entry, Instruction, Operand, Special};

/// Threads of a warp.
pub(super) const WARP: usize = 32;

/// Where a thread stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Runs,
    /// At an instruction that the lanes of its warp do together.
    MeetsWarp,
    /// At a barrier of its block: its number, and how many threads come to it; 0: all.
    MeetsBlock(u64, u64),
    Ended,
}

/// The place of a thread in the grid, along x, y and z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) thread: [u64; 3],
    pub(super) threads: [u64; 3],
    pub(super) block: [u64; 3],
    pub(super) blocks: [u64; 3],
}

impl Place {
    /// The thread's number in its warp.
    pub(super) fn lane(&self) -> u64 {
        (self.thread[0] + self.threads[0] * self.thread[1]) % WARP as u64
    }
}

/// See the file's header.
pub(super) struct Thread {
    pub(super) place: Place,
    pub(super) registers: Vec<u64>,
    local: Vec<u8>,
    copies: Copies,
    /// What the last sum left that leaves a carry.
    carry: u64,
    /// The next instruction.
    pub(super) next: usize,
    pub(super) standing: Standing,
}

impl Thread {
    pub(super) fn new(entry: &Entry, place: Place) -> Thread {
        // What nobody has written is anything.
        let (registers, local) = (vec![0xCBCB_CBCB; entry.n_registers], vec![0xCB; entry.local_bytes]);
        Thread { place, registers, local, copies: Copies::default(), carry: 0, next: 0, standing: Standing::Runs }
    }

    /// Runs until the thread has to meet others, ends, or has done so many instructions; how many it did.
    pub(super) fn run(
        &mut self,
        entry: &Entry,
        memory: &mut Memory<'_>,
        shared: &mut [u8],
        most: u64,
    ) -> Result<u64, String> {
        let mut done = 0;
        while self.standing == Standing::Runs && done < most {
            let Some(instruction) = entry.instructions.get(self.next) else {
                self.standing = Standing::Ended;
                break;
            };
            done += 1;
            self.next += 1;
            if let Some((predicate, is_negated)) = instruction.guard
                && (self.registers[predicate] != 0) == is_negated
            {
                continue;
            }
            self.step(instruction, memory, shared).map_err(|text| format!("{text} ({instruction:?})"))?;
        }
        Ok(done)
    }

    fn step(&mut self, instruction: &Instruction, memory: &mut Memory<'_>, shared: &mut [u8]) -> Result<(), String> {
        match instruction.op {
            Op::Exit => self.standing = Standing::Ended,
            Op::Branch => self.next = instruction.target,
            Op::Fence => {}
            Op::Barrier => {
                let operand = |n: usize| instruction.from.get(n).map_or(0, |operand| self.value(*operand, memory));
                self.standing = Standing::MeetsBlock(operand(0), operand(1));
            }
            op if op.is_joint() => {
                self.standing = Standing::MeetsWarp;
                self.next -= 1;
            }
            Op::Load(ty) => self.load(instruction, ty, memory, shared)?,
            Op::Store(ty) => {
                let first = self.address(instruction, memory)?;
                for (n, operand) in instruction.from.iter().enumerate() {
                    let value = self.value(*operand, memory);
                    memory.write(first + (n * ty.bytes()) as u64, ty.bytes(), value, shared, &mut self.local)?;
                }
            }
            Op::Atomic(op, ty) => self.atomic(instruction, (op, ty), memory, shared)?,
            Op::Copy => {
                let to = self.address(instruction, memory)?;
                let [from, places, read] = [0, 1, 2].map(|n| instruction.from.get(n).copied());
                let of = |operand: Option<Operand>| operand.map(|operand| self.value(operand, memory));
                let (Some(from), Some(places)) = (of(from), of(places)) else { return Err("no source".to_string()) };
                let copy = Copy { to, from, places, read: of(read).map_or(places, |read| u64::from(read as u32)) };
                self.copies.begin(copy, memory, shared)?;
            }
            Op::Group => self.copies.group(),
            Op::Arrive => {
                let left = instruction.from.first().map_or(0, |operand| self.value(*operand, memory));
                self.copies.arrive(left as usize, memory, shared)?;
            }
            Op::Unpack(bits) => {
                let value = self.value(instruction.from[0], memory);
                for (n, to) in instruction.to.iter().enumerate() {
                    self.set(*to, value.checked_shr(bits * n as u32).unwrap_or(0));
                }
            }
            Op::Pack(bits) => {
                let parts = instruction.from.iter().rev().map(|operand| self.value(*operand, memory));
                let value = parts.fold(0, |value: u64, part| value << bits | (part << (64 - bits) >> (64 - bits)));
                self.set(instruction.to[0], value);
            }
            Op::AddCarried { takes, leaves, ty } => {
                let [a, b] = [0, 1].map(|n| instruction.from.get(n).map_or(0, |operand| self.value(*operand, memory)));
                let unsigned = Type { kind: Kind::Unsigned, ..ty };
                let sum = [read(a, unsigned), read(b, unsigned), if takes { self.carry } else { 0 }];
                let sum: u128 = sum.into_iter().map(u128::from).sum();
                if leaves {
                    self.carry = (sum >> ty.bits) as u64;
                }
                self.set(instruction.to[0], read(sum as u64, unsigned));
            }
            op => {
                let value = self.pure(op, instruction, memory)?;
                self.set(instruction.to[0], value);
            }
        }
        Ok(())
    }

    /// What an instruction gives that looks at registers alone.
    fn pure(&self, op: Op, instruction: &Instruction, memory: &Memory<'_>) -> Result<u64, String> {
        let from = |n: usize| {
            let operand = instruction.from.get(n).copied().unwrap_or(Operand::Number(0));
            self.value(operand, memory)
        };
        let value = match op {
            Op::Move => Some(from(0)),
            Op::Compute(Arithmetic::ShiftLeft, ty) => Some(shift(true, ty, from(0), from(1))),
            Op::Compute(Arithmetic::ShiftRight, ty) => Some(shift(false, ty, from(0), from(1))),
            Op::Compute(op, ty) => compute(op, ty, from(0), from(1)),
            Op::MulAdd(op, ty) => multiply_add(op, ty, from(0), from(1), from(2)),
            Op::Compare(relation, ty) => Some(u64::from(compare(relation, ty, from(0), from(1)))),
            Op::Select => Some(if from(2) != 0 { from(0) } else { from(1) }),
            Op::Convert { to, from: ty, rounding } => Some(convert(to, ty, rounding, from(0))),
            Op::Permute => Some(permute(from(0), from(1), from(2))),
            Op::Logic => Some(logic([from(0), from(1), from(2)], from(3))),
            Op::Funnel { left, wraps } => Some(funnel(left, wraps, from(0), from(1), from(2))),
            Op::Field(ty) => Some(field(ty, from(0), from(1), from(2))),
            _ => None,
        };
        value.ok_or_else(|| "the mock does not know it".to_string())
    }

    fn set(&mut self, to: Option<usize>, value: u64) {
        if let Some(to) = to {
            self.registers[to] = value;
        }
    }

    /// What an operand holds.
    pub(super) fn value(&self, operand: Operand, memory: &Memory<'_>) -> u64 {
        match operand {
            Operand::Register(n) => self.registers[n],
            Operand::Number(value) => value,
            Operand::Parameter(at) => {
                let bytes = &memory.parameters[at..(at + 8).min(memory.parameters.len())];
                bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
            }
            Operand::Special(special) => match special {
                Special::Thread(axis) => self.place.thread[axis],
                Special::Threads(axis) => self.place.threads[axis],
                Special::Block(axis) => self.place.block[axis],
                Special::Blocks(axis) => self.place.blocks[axis],
                Special::Lane => self.place.lane(),
                Special::LanesBefore => (1 << self.place.lane()) - 1,
            },
        }
    }

    fn address(&self, instruction: &Instruction, memory: &Memory<'_>) -> Result<u64, String> {
        let address = instruction.address.ok_or("no address")?;
        let found = self.value(address.base, memory).wrapping_add(address.offset);
        Ok(if address.is_shared { SHARED | found } else { found })
    }

    fn load(
        &mut self,
        instruction: &Instruction,
        ty: Type,
        memory: &mut Memory<'_>,
        shared: &[u8],
    ) -> Result<(), String> {
        if let Some(Operand::Parameter(_)) = instruction.address.map(|address| address.base) {
            let value = self.value(instruction.address.map_or(Operand::Number(0), |a| a.base), memory);
            self.set(instruction.to[0], read(value, ty));
            return Ok(());
        }
        let first = self.address(instruction, memory)?;
        for (n, to) in instruction.to.iter().enumerate() {
            let bits = memory.read(first + (n * ty.bytes()) as u64, ty.bytes(), shared, &self.local)?;
            self.set(*to, read(bits, ty));
        }
        Ok(())
    }

    fn atomic(
        &mut self,
        instruction: &Instruction,
        (op, ty): (Atomic, Type),
        memory: &mut Memory<'_>,
        shared: &mut [u8],
    ) -> Result<(), String> {
        let address = self.address(instruction, memory)?;
        let before = memory.read(address, ty.bytes(), shared, &self.local)?;
        let operand = |n: usize| instruction.from.get(n).map_or(0, |operand| self.value(*operand, memory));
        let after = match op {
            Atomic::Exchange => operand(0),
            Atomic::CompareAndSwap if read(operand(0), ty) == read(before, ty) => operand(1),
            Atomic::CompareAndSwap => before,
            Atomic::Combine(op) => compute(op, ty, before, operand(0)).ok_or("the mock does not know it")?,
        };
        memory.write(address, ty.bytes(), after, shared, &mut self.local)?;
        if let Some(to) = instruction.to.first() {
            self.set(*to, read(before, ty));
        }
        Ok(())
    }
}
