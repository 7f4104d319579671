//! Offers of work: what a launch's caller lets workers take part in, and takes back.
//!
//! In: a job on the caller's stack, and how many workers may help. Out: who came has helped and left, and nobody else has seen the job.
//!
//! An offer lies in a slot of the pool, which is never freed. A slot's word holds the seats that are free, which the caller gives and takes back, and
//! how many workers are inside. A worker takes a seat before it looks at the job: one that wakes late finds none, and touches nothing of the caller's.
//! The caller waits for those inside alone. What nobody came for it has computed by then.

use std::any::Any;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use super::float::{self, Control};
use super::futex;
use super::units::Units;
use crate::lock::lock;

/// What helpers of a launch run, and what they leave for its caller.
pub(super) struct Job<'a> {
    help: &'a (dyn Fn() + Sync),
    units: &'a Units,
    control: Control,
    raised: AtomicU64,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<'a> Job<'a> {
    /// A job of the calling thread, whose floating-point state it has. `help` takes from the units until none is left.
    pub(super) fn new(help: &'a (dyn Fn() + Sync), units: &'a Units) -> Job<'a> {
        let control = Control::of_thread();
        Job { help, units, control, raised: AtomicU64::new(0), panic: Mutex::new(None) }
    }

    fn run(&self) {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.control.during(self.help)));
        match outcome {
            Ok(raised) => drop(self.raised.fetch_or(raised, Ordering::Relaxed)),
            Err(panic) => {
                self.units.end();
                *lock(&self.panic) = Some(panic);
            }
        }
    }

    /// On the caller's thread, after the offer is over: what helpers raised, and their panic, are the caller's.
    pub(super) fn finish(self) {
        float::raise(self.raised.into_inner());
        if let Some(panic) = self.panic.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            resume_unwind(panic);
        }
    }
}

/// Launches that may be shared at a time; a further one stays on its thread.
const SLOTS: usize = 32;
/// Workers that one thread wakes: those wake others, so that 64 are awake after three times as long as one takes, and a busy machine is left alone.
const WAKES: u32 = 4;
/// How often the caller looks whether the last workers have left before it sleeps: about as long as falling asleep and waking take.
const LOOKS: u32 = 1000;
/// How often a worker looks for another offer before it sleeps.
const YIELDS: u32 = 64;

const INSIDE: u32 = 0xffff;
const SEAT: u32 = 0x1_0000;
const SEATS: u32 = 0x7fff_0000;
/// The caller sleeps until the last worker has left.
const WAITED_FOR: u32 = 0x8000_0000;

/// A place for an offer, on a line of memory of its own.
#[repr(align(128))]
struct Slot {
    /// Free seats, workers inside, and [`WAITED_FOR`].
    word: AtomicU32,
    /// The thread whose offer it is, 0 for none.
    owner: AtomicUsize,
    /// Whoever is inside may read it.
    job: AtomicPtr<Job<'static>>,
}

impl Slot {
    const fn new() -> Slot {
        Slot { word: AtomicU32::new(0), owner: AtomicUsize::new(0), job: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// Takes a seat; whether there was one.
    fn enter(&self) -> bool {
        let mut word = self.word.load(Ordering::Relaxed);
        while word & SEATS != 0 {
            match self.word.compare_exchange_weak(word, word - SEAT + 1, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => word = now,
            }
        }
        false
    }

    /// The last thing that a worker does: the job may be gone then, the slot is not.
    fn leave(&self) {
        if self.word.fetch_sub(1, Ordering::Release) & (WAITED_FOR | INSIDE) == WAITED_FOR | 1 {
            futex::wake(&self.word, 1);
        }
    }

    /// Takes back the free seats, and waits for those inside.
    fn close(&self) {
        self.word.fetch_and(!SEATS, Ordering::Relaxed);
        for _ in 0..LOOKS {
            if self.word.load(Ordering::Acquire) & INSIDE == 0 {
                return;
            }
            std::hint::spin_loop();
        }
        loop {
            let word = self.word.fetch_or(WAITED_FOR, Ordering::Acquire) | WAITED_FOR;
            if word & INSIDE == 0 {
                break;
            }
            futex::wait(&self.word, word);
        }
        self.word.fetch_and(!WAITED_FOR, Ordering::Relaxed);
    }
}

/// Slots, and workers that sleep while all are empty.
pub(super) struct Pool {
    slots: [Slot; SLOTS],
    /// Counts what workers are woken for: one that has looked around sleeps only if nothing came since.
    calls: AtomicU32,
    sleeping: AtomicU32,
}

impl Pool {
    pub(super) const fn new() -> Pool {
        Pool { slots: [const { Slot::new() }; SLOTS], calls: AtomicU32::new(0), sleeping: AtomicU32::new(0) }
    }

    /// What a worker does as long as the process lives.
    pub(super) fn serve(&self) -> ! {
        loop {
            let seen = self.calls.load(Ordering::SeqCst);
            if !self.helps_soon() {
                self.sleeping.fetch_add(1, Ordering::SeqCst);
                futex::wait(&self.calls, seen);
                self.sleeping.fetch_sub(1, Ordering::SeqCst);
            }
        }
    }

    /// Looks for an offer for a while, and lets others have the processor between two looks: one launch often follows another.
    fn helps_soon(&self) -> bool {
        (0..YIELDS).any(|_| {
            let helped = self.help();
            if !helped {
                std::thread::yield_now();
            }
            helped
        })
    }

    /// Takes part in an offer; whether there was one.
    pub(super) fn help(&self) -> bool {
        self.slots.iter().any(|slot| self.help_in(slot))
    }

    fn help_in(&self, slot: &Slot) -> bool {
        if !slot.enter() {
            return false;
        }
        // SAFETY: the offer's job was set before its seats were given, and lives until all have left who took one.
        let job = unsafe { &*slot.job.load(Ordering::Relaxed) };
        let seats = (slot.word.load(Ordering::Relaxed) & SEATS) / SEAT;
        if job.units.left() > 0 {
            self.wake(seats.min(WAKES));
        }
        job.run();
        slot.leave();
        true
    }

    fn wake(&self, n: u32) {
        if n > 0 && self.sleeping.load(Ordering::SeqCst) > 0 {
            futex::wake(&self.calls, n);
        }
    }

    /// An offer without seats so far; `None` if there are very many.
    ///
    /// # Safety
    /// The offer is dropped, not forgotten, before the job goes.
    pub(super) unsafe fn offer<'a>(&'a self, job: &'a Job<'a>) -> Option<Offer<'a>> {
        let is_free =
            |slot: &&Slot| slot.owner.compare_exchange(0, this_thread(), Ordering::Acquire, Ordering::Relaxed).is_ok();
        let slot = self.slots.iter().find(is_free)?;
        slot.job.store(std::ptr::from_ref(job).cast_mut().cast(), Ordering::Relaxed);
        Some(Offer { pool: self, slot, job: PhantomData })
    }

    /// Before a fork by a thread that has launches under way: nobody is in the middle of a range then, so that the thread may go on with them in the
    /// child, too. What is under way is waited for.
    pub(super) fn pause(&self) {
        self.each_own(|slot, job| {
            job.units.pause();
            slot.close();
        });
    }

    /// After the fork, in the parent and in the child: the thread goes on alone.
    pub(super) fn go_on(&self) {
        self.each_own(|_, job| job.units.go_on());
    }

    /// The calling thread's offers.
    fn each_own(&self, visit: impl Fn(&Slot, &Job<'_>)) {
        let own = |slot: &&Slot| slot.owner.load(Ordering::Relaxed) == this_thread();
        for slot in self.slots.iter().filter(own) {
            // SAFETY: an own slot holds a job of this thread's, which is below on its stack.
            if let Some(job) = unsafe { slot.job.load(Ordering::Relaxed).as_ref() } {
                visit(slot, job);
            }
        }
    }
}

/// What tells the calling thread from all others that live.
fn this_thread() -> usize {
    thread_local! {
        static MARK: u8 = const { 0 };
    }
    MARK.with(|mark| std::ptr::from_ref(mark).addr())
}

/// Work of the calling thread that workers may take part in, until it is dropped.
pub(super) struct Offer<'a> {
    pool: &'a Pool,
    slot: &'a Slot,
    job: PhantomData<&'a Job<'a>>,
}

impl Offer<'_> {
    /// Lets `n` more workers in.
    pub(super) fn give_seats(&self, n: u32) {
        self.slot.word.fetch_add(n * SEAT, Ordering::Release);
        self.pool.calls.fetch_add(1, Ordering::SeqCst);
        self.pool.wake(n.min(WAKES));
    }
}

impl Drop for Offer<'_> {
    fn drop(&mut self) {
        // SAFETY: the job lives longer than its offer. After a panic of the caller units are left, which nobody is to begin any more.
        unsafe { (*self.slot.job.load(Ordering::Relaxed)).units.end() };
        self.slot.close();
        self.slot.job.store(std::ptr::null_mut(), Ordering::Relaxed);
        self.slot.owner.store(0, Ordering::Release);
    }
}
