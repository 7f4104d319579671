//! A device's memory: from its current pool and back in stream order, what streams keep of it, and what is done where there is none left.
//!
//! In: sizes, and the streams that memory is used on. Out: memory of the source that the program chose ([`crate::allocator`]), else of the device's pool,
//! else, where it has none, the driver's plain memory, whose free waits for nobody ([`crate::pending_free`]).

use std::ffi::{c_int, c_void};

use cudarc::driver::sys;
use numptx_abi::error_kind;

use super::{Device, mebibytes};
use crate::deferred::{self, DeferredWork};
use crate::driver::{Failure, opened};
use crate::error::{Error, Result};
use crate::event::{Event, Mark, mark_outside};
use crate::pending_free::{self, Memory};
use crate::reserve;
use crate::stream::{Stream, StreamUse};
use crate::uses::may_free;
use crate::{allocator, clean_up, debug, limit, replay, staging, stats};

impl Device {
    /// The stream of what has to be done at once while another stream is being captured. The context is current.
    pub(crate) fn side(&'static self) -> Result<&'static Stream> {
        if self.side.get().is_none() {
            let _ = self.side.set(Stream::new(self, 0)?);
        }
        self.side.get().ok_or_else(|| Error::runtime("the device has no stream"))
    }

    /// Memory that any stream may use at once.
    pub(crate) fn alloc_aside(&'static self, bytes: usize) -> Result<u64> {
        let side = self.side()?;
        let pointer = self.alloc(bytes, side.handle())?;
        if bytes != 0
            && let Err(error) = self.wait(side.handle())
        {
            self.free(pointer, side, Vec::new());
            return Err(error);
        }
        Ok(pointer)
    }

    /// Memory of the device, in stream order. The context is current. 0 bytes are at address 0.
    pub(crate) fn alloc(&'static self, bytes: usize, stream: sys::CUstream) -> Result<u64> {
        if bytes == 0 {
            return Ok(0);
        }
        // Frees that wait for the device come first, then memory that the pool keeps, then the binding's garbage.
        let mut lacking = match self.attempt(bytes, stream)? {
            Ok(pointer) => return Ok(pointer),
            Err(lacking) => lacking,
        };
        for again in 0..2 {
            if again == 1 && !limit::reclaim() {
                break;
            }
            self.recover();
            lacking = match self.attempt(bytes, stream)? {
                Ok(pointer) => return Ok(pointer),
                Err(lacking) => lacking,
            };
        }
        Err(lacking.unwrap_or_else(|| self.out_of_memory(bytes)))
    }

    /// Memory, or that there is none, in the words of the allocator that the program chose. Other failures are the outer error.
    fn attempt(&'static self, bytes: usize, stream: sys::CUstream) -> Result<std::result::Result<u64, Option<Error>>> {
        if limit::forbids(self.ordinal, bytes) {
            return Ok(Err(None));
        }
        if let Some(given) = allocator::alloc(self.ordinal, bytes, stream) {
            return match given {
                Ok(pointer) => Ok(Ok(pointer)),
                Err(error) if error.kind() == error_kind::MEMORY => Ok(Err(Some(error))),
                Err(error) => Err(error),
            };
        }
        let mut pointer: sys::CUdeviceptr = 0;
        let taken = if self.pool.is_null() {
            pending_free::free_done();
            // SAFETY: writes to a local.
            unsafe { self.driver.alloc_plain(&mut pointer, bytes) }
        } else {
            // SAFETY: writes to a local; the pool is the device's.
            unsafe { self.driver.alloc(&mut pointer, bytes, self.pool, stream) }
        };
        match taken {
            Ok(()) => Ok(Ok(pointer)),
            Err(failure) if failure.code == Failure::OUT_OF_MEMORY => Ok(Err(None)),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Memory for small blocks that were freed in the order of the same stream, which is not being captured, without asking the driver.
    pub(crate) fn alloc_again(&'static self, bytes: usize, stream: &Stream) -> Option<u64> {
        if bytes == 0 || debug::is_on() || limit::forbids(self.ordinal, bytes) {
            return None;
        }
        replay::freed(self, bytes, stream).or_else(|| stream.reserve(self)?.take(bytes))
    }

    /// Keeps a block that `home` alone has work with for the next one, or frees it.
    pub(crate) fn keep(&'static self, pointer: u64, bytes: i64, home: &Stream) {
        // In a forked child another thread of the parent may be at the reserve for ever.
        if opened().is_none() {
            return;
        }
        let is_aside = self.side.get().is_some_and(|side| side.is(home));
        let block = usize::try_from(bytes).ok().map(|bytes| reserve::Block { pointer, bytes });
        if let Some(block) = block.filter(|_| pointer != 0 && !debug::is_on())
            && replay::take_freed(self, block, home)
        {
            return;
        }
        let is_for_nobody = pointer == 0 || is_aside || debug::is_on() || !allocator::is_from_here(pointer);
        let kept = if is_for_nobody { None } else { home.reserve(self) };
        match (kept, block) {
            (Some(kept), Some(block)) => {
                if let Some(other) = kept.keep(block) {
                    self.free(other.pointer, home, Vec::new());
                }
            }
            _ => self.free(pointer, home, Vec::new()),
        }
    }

    /// Frees what a reserve kept.
    pub(crate) fn free_all(&'static self, blocks: Vec<reserve::Block>, home: &Stream) {
        for block in blocks {
            self.free(block.pointer, home, Vec::new());
        }
    }

    /// Frees what all streams' reserves keep.
    pub(crate) fn free_reserves(&'static self) {
        for stream in Stream::all(self) {
            if let Some(reserve) = stream.reserve(self) {
                self.free_all(reserve.give_back(), &stream);
            }
        }
    }

    /// Makes memory free that nobody uses. What cannot be done, during a capture for one, is left.
    fn recover(&'static self) {
        replay::release_before("");
        self.free_reserves();
        deferred::catch_up();
        let _ = self.synchronize();
        let _ = self.trim_source();
    }

    /// Gives back what is free to where it came from: plain memory, and what the pool keeps. The context is current.
    fn trim_source(&'static self) -> Result<()> {
        pending_free::free_done();
        if self.pool.is_null() {
            return Ok(());
        }
        // SAFETY: the pool is the device's.
        Ok(unsafe { self.driver.pool_trim(self.pool, 0) }?)
    }

    /// Waits, then gives what the pool keeps back to the driver, and the staging that copies keep.
    pub(crate) fn trim(&'static self) -> Result<()> {
        drop(self.landing.try_lock().ok().and_then(|mut block| block.take()));
        self.free_reserves();
        self.synchronize()?;
        let _context = self.enter()?;
        staging::give_back(self);
        self.trim_source()
    }

    fn out_of_memory(&self, bytes: usize) -> Error {
        let (mut free, mut total) = (0usize, 0usize);
        let mut used = stats::memory_stats_at(self.ordinal).live_bytes.unsigned_abs();
        let used_now = sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_USED_MEM_CURRENT as c_int;
        // SAFETY: all calls write to locals; the attribute is a 64-bit integer.
        unsafe {
            let _ = self.driver.memory_info(&mut free, &mut total);
            if !self.pool.is_null() {
                let _ = self.driver.pool_get(self.pool, used_now, (&raw mut used).cast::<c_void>());
            }
        }
        if let Some(limit) = limit::of(self.ordinal) {
            return Error::memory(format!(
                "CUDA device {} is out of memory: {} wanted; the limit of numptx.set_memory_limit is {}, of which live arrays hold {}; free arrays, raise the limit, or compute in pieces",
                self.ordinal,
                mebibytes(bytes as u64),
                mebibytes(limit),
                mebibytes(stats::memory_stats_at(self.ordinal).live_bytes.unsigned_abs()),
            ));
        }
        Error::memory(format!(
            "CUDA device {} is out of memory: {} wanted; {} of {} are free, live arrays hold {}; free arrays, or compute in pieces",
            self.ordinal,
            mebibytes(bytes as u64),
            mebibytes(free as u64),
            mebibytes(total as u64),
            mebibytes(used),
        ))
    }

    /// Fills memory in stream order, for the debug mode. Failures are left alone: the fill only makes wrong reads visible.
    pub(crate) fn fill(&'static self, pointer: u64, value: u8, bytes: i64, stream: &Stream) {
        let size = usize::try_from(bytes).unwrap_or(0);
        if pointer == 0 || size == 0 || opened().is_none() {
            return;
        }
        if let Ok(_context) = self.enter()
            && may_free(self, stream, &[])
        {
            // SAFETY: the memory is this device's, and ours until it is freed after this in the same order.
            let _ = unsafe { self.driver.fill(pointer, value, size, stream.handle()) };
        }
    }

    /// Gives memory back in the order of `home`, after what other streams do with it; later, if one of them is being captured.
    /// After another failure it stays allocated: who asks for failed clean-ups is told.
    pub(crate) fn free(&'static self, pointer: u64, home: &Stream, others: Vec<StreamUse>) {
        if pointer == 0 || opened().is_none() {
            return;
        }
        let _context = match self.enter() {
            Ok(context) => context,
            Err(error) => return clean_up::failed(&error),
        };
        let later = |others| {
            deferred::expect_work();
            deferred::put_off(DeferredWork::Free { device: self, pointer, home: home.clone(), others });
        };
        if !others.is_empty() && !may_free(self, home, &others) {
            return later(others);
        }
        let marks = match others.iter().map(|other| mark_outside(self, other)).collect::<Result<Option<Vec<Mark>>>>() {
            Ok(Some(marks)) => marks,
            // Captures that began meanwhile.
            Ok(None) => return later(others),
            Err(error) => return clean_up::failed(&error),
        };
        // Nobody begins a capture between the question whether there is one and the free, which would become a part of it.
        let before = home.before_capture();
        if !may_free(self, home, &[]) {
            drop(before);
            return later(others);
        }
        if let Err(error) = marks.iter().try_for_each(|mark| mark.come_before(self, home)) {
            return clean_up::failed(&error);
        }
        if allocator::gave(pointer) {
            // It may want the interpreter's lock, and is asked without one of ours.
            drop(before);
            allocator::free(self.ordinal, pointer, home.handle());
        } else {
            self.give_back_to_driver(pointer, home.handle());
        }
    }

    /// Gives memory back to where it came from, once, in the order of a stream that is alive and not captured. The context is current.
    pub(crate) fn give_back(&'static self, pointer: u64, home: sys::CUstream) {
        if !allocator::free(self.ordinal, pointer, home) {
            self.give_back_to_driver(pointer, home);
        }
    }

    fn give_back_to_driver(&'static self, pointer: u64, home: sys::CUstream) {
        if !self.pool.is_null() {
            // SAFETY: the pointer came from this device's pool and is freed once.
            let _ = unsafe { self.driver.free(pointer, home) };
            return;
        }
        if let Ok(done) = Event::after(self, home) {
            pending_free::free_after(Memory::Plain { device: self, pointer }, vec![done]);
        }
    }
}
