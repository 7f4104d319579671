//! A block: its threads take turns, meet in their warps and at barriers.

use super::instruction::{Op, Shuffle, Vote};
use super::matrices::multiply;
use super::memory::Memory;
use super::numbers::read;
use super::parse::{Entry, Instruction};
use super::thread::{Place, Standing, Thread, WARP};

/// Instructions that a thread does before another one's turn.
const TURN: u64 = 10_000;

/// See the file's header.
pub(super) struct Block {
    threads: Vec<Thread>,
    shared: Vec<u8>,
}

impl Block {
    /// A block of a grid; `threads` and `blocks` along x, y and z; bytes of shared memory beside the entry's own.
    pub(super) fn new(
        entry: &Entry,
        number: [u64; 3],
        threads: [u64; 3],
        blocks: [u64; 3],
        shared_bytes: usize,
    ) -> Block {
        let place = |n: u64| Place { thread: [n % threads[0], n / threads[0], 0], threads, block: number, blocks };
        let all = threads.iter().product();
        Block {
            threads: (0..all).map(|n| Thread::new(entry, place(n))).collect(),
            shared: vec![0xCB; entry.shared_bytes + shared_bytes],
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.threads.iter().all(|thread| thread.standing == Standing::Ended)
    }

    /// Each thread's turn, and what they do together then; how many instructions were done.
    pub(super) fn turn(&mut self, entry: &Entry, memory: &mut Memory<'_>) -> Result<u64, String> {
        let mut done = 0;
        for warp in self.threads.chunks_mut(WARP) {
            loop {
                for thread in &mut *warp {
                    done += thread.run(entry, memory, &mut self.shared, TURN)?;
                }
                let met = meet_warp(entry, memory, warp)?;
                done += met;
                if met == 0 {
                    break;
                }
            }
        }
        done += self.meet_block();
        if done == 0 && !self.has_ended() {
            return Err("threads wait for each other for ever".to_string());
        }
        Ok(done)
    }

    /// Lets threads go on from barriers to which as many came as were to.
    fn meet_block(&mut self) -> u64 {
        if !self.threads.iter().any(|thread| matches!(thread.standing, Standing::MeetsBlock(..))) {
            return 0;
        }
        let all = self.threads.iter().filter(|thread| thread.standing != Standing::Ended).count() as u64;
        let mut gone_on = 0;
        for number in 0..16 {
            let is_here = |thread: &Thread| matches!(thread.standing, Standing::MeetsBlock(n, _) if n == number);
            let waiting = self.threads.iter().filter(|thread| is_here(thread)).count() as u64;
            let wanted = self.threads.iter().find_map(|thread| match thread.standing {
                Standing::MeetsBlock(n, wanted) if n == number => Some(if wanted == 0 { all } else { wanted }),
                _ => None,
            });
            if wanted.is_some_and(|wanted| waiting >= wanted) {
                self.threads.iter_mut().filter(|thread| is_here(thread)).for_each(|t| t.standing = Standing::Runs);
                gone_on += waiting;
            }
        }
        gone_on
    }
}

/// Does what lanes of a warp do together, if all that their mask names, and that have not ended, have come to it.
fn meet_warp(entry: &Entry, memory: &Memory<'_>, warp: &mut [Thread]) -> Result<u64, String> {
    let mut done = 0;
    for first in 0..warp.len() {
        if warp[first].standing != Standing::MeetsWarp {
            continue;
        }
        let instruction = &entry.instructions[warp[first].next];
        let mask = mask(instruction, memory, &warp[first]);
        let is_named = |n: &usize| mask >> n & 1 == 1 && warp[*n].standing != Standing::Ended;
        let places: Vec<usize> = (0..warp.len()).filter(is_named).collect();
        if !places.contains(&first) {
            return Err(format!("a lane meets others without itself ({instruction:?})"));
        }
        if places.iter().any(|n| warp[*n].standing != Standing::MeetsWarp) {
            continue;
        }
        let is_same = |n: &usize| {
            let other = &entry.instructions[warp[*n].next];
            let is_there =
                warp[*n].next == warp[first].next || other.op == Op::WarpBarrier && instruction.op == Op::WarpBarrier;
            is_there && self::mask(other, memory, &warp[*n]) == mask
        };
        if !places.iter().all(is_same) {
            return Err(format!("lanes of a warp meet at different instructions ({instruction:?})"));
        }
        done += places.len() as u64;
        if let Op::Multiply(rows, summed) = instruction.op {
            multiply((rows, summed), instruction, memory, warp)?;
            continue;
        }
        let found: Vec<u64> = places.iter().map(|n| together(instruction, memory, warp, &places, *n)).collect();
        for (n, value) in places.iter().zip(found) {
            let thread = &mut warp[*n];
            if let Some(Some(to)) = instruction.to.first() {
                thread.registers[*to] = value;
            }
            thread.next += 1;
            thread.standing = Standing::Runs;
        }
    }
    Ok(done)
}

/// The lanes that a lane meets: the last operand names them; all of a warp multiply.
fn mask(instruction: &Instruction, memory: &Memory<'_>, thread: &Thread) -> u32 {
    match (instruction.op, instruction.from.last()) {
        (Op::Multiply(..), _) | (_, None) => u32::MAX,
        (_, Some(operand)) => thread.value(*operand, memory) as u32,
    }
}

/// What lane `lane` gets of an instruction that `lanes` do together.
fn together(instruction: &Instruction, memory: &Memory<'_>, warp: &[Thread], lanes: &[usize], lane: usize) -> u64 {
    let of = |lane: usize, n: usize| instruction.from.get(n).map_or(0, |operand| warp[lane].value(*operand, memory));
    match instruction.op {
        Op::Shuffle(way) => {
            let (by, bound) = (of(lane, 1) as usize & 31, of(lane, 2) as usize & 31);
            let (other, is_there) = match way {
                Shuffle::Up => (lane.wrapping_sub(by), lane >= by + bound),
                Shuffle::Down => (lane + by, lane + by <= bound),
                Shuffle::Across => (lane ^ by, lane ^ by <= bound),
                Shuffle::Of => (by, by <= bound),
            };
            of(if is_there && lanes.contains(&other) { other } else { lane }, 0)
        }
        Op::Vote(Vote::Match, ty) => {
            let own = read(of(lane, 0), ty);
            lanes.iter().filter(|other| read(of(**other, 0), ty) == own).fold(0, |mask, other| mask | 1 << other)
        }
        Op::Vote(Vote::Ballot, _) => lanes.iter().filter(|n| of(**n, 0) != 0).fold(0, |mask, n| mask | 1 << n),
        Op::Vote(Vote::All, _) => u64::from(lanes.iter().all(|n| of(*n, 0) != 0)),
        Op::Vote(Vote::Any, _) => u64::from(lanes.iter().any(|n| of(*n, 0) != 0)),
        _ => 0,
    }
}
