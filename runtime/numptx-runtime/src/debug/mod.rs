//! The debug mode of memory, `NUMPTX_DEBUG_MEMORY=1`: every buffer has a record, and what contradicts it is refused and reported.
//!
//! In: births, retains, releases, uses and deaths of buffers. Out: whether they may go on. Found are: a release too many, a retain, release or
//! use of a freed buffer or of something that is no buffer, a call's argument touched by another thread, writes before, after and into freed
//! host memory. The wrong step is left undone, so that nothing is corrupted; its report goes to standard error and is the error of the call
//! that runs on the thread. Nothing aborts. What a call keeps is found by its accounts ([`crate::results`]), which the mode switches on.

mod quarantine;
mod report;

use std::cell::{Cell, UnsafeCell};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};
use std::thread::ThreadId;

use crate::buffer::{Buffer, HEADER};
use crate::error::{Error, Result};
use crate::lock::{Guard, lock};
use crate::process;
use quarantine::Quarantine;
pub(crate) use report::enter_call;
use report::{Site, violation};

/// What fresh memory holds, what freed memory holds, and what stands before and after the elements of host memory.
pub(crate) const FRESH: u8 = 0xcb;
pub(crate) const FREED: u8 = 0xdd;
const CANARY: u8 = 0xfa;

/// Bytes after the elements of host memory that nobody may write.
const TAIL: usize = 64;
/// Where the bytes before the elements begin that nobody may write: the buffer itself lies before them.
const HEAD: usize = size_of::<Buffer>();

/// Whether the mode is on; the environment is read once.
#[inline]
pub(crate) fn is_on() -> bool {
    static ON: OnceLock<bool> = OnceLock::new();
    *ON.get_or_init(|| std::env::var_os("NUMPTX_DEBUG_MEMORY").is_some_and(|value| value == "1"))
}

/// Room after the elements of a host buffer.
pub(crate) fn tail_bytes() -> usize {
    if is_on() { TAIL } else { 0 }
}

/// What is known of one buffer.
struct Record {
    /// Counts buffers, for reports.
    number: u64,
    bytes: i64,
    device: i32,
    /// `true`: host memory of ours, with canaries.
    guarded: bool,
    /// The thread that alone may touch it: arguments of a call.
    thread: Option<ThreadId>,
    references: i64,
    born: Site,
    freed: Option<Site>,
}

impl Record {
    fn describe(&self) -> String {
        let place = crate::call::place_name(self.device);
        let kind = if self.thread.is_some() { "the argument" } else { "buffer" };
        let mut text = format!("{kind} {} ({} bytes on {place}, made {}", self.number, self.bytes, self.born);
        if let Some(freed) = &self.freed {
            text += &format!(", freed {freed}");
        }
        text + ")"
    }
}

/// All records, by the buffer's address, and the memory that was freed last.
#[derive(Default)]
struct Books {
    records: HashMap<usize, Record>,
    n_made: u64,
    quarantine: Quarantine,
}

static BOOKS: OnceLock<Mutex<Books>> = OnceLock::new();

fn books() -> Guard<'static, Books> {
    let fresh = || {
        process::watch_forks();
        Mutex::default()
    };
    lock(BOOKS.get_or_init(fresh))
}

/// The books while a thread forks: they are whole in the child, and nobody has them there.
struct ForkGuard(UnsafeCell<Option<Guard<'static, Books>>>);
// SAFETY: touched only by the thread that has the books.
unsafe impl Sync for ForkGuard {}
static FORK_GUARD: ForkGuard = ForkGuard(UnsafeCell::new(None));
thread_local! {
    /// Whether this thread holds the books because it forks.
    static FORKS: Cell<bool> = const { Cell::new(false) };
}

/// Waits for the books, on the thread that is going to fork.
pub(crate) fn hold_across_fork() {
    if let Some(books) = BOOKS.get() {
        let held = lock(books);
        // SAFETY: this thread has the books.
        unsafe { *FORK_GUARD.0.get() = Some(held) };
        FORKS.set(true);
    }
}

/// Gives the books back, in the parent and in the child: on the thread that forked, or its image.
pub(crate) fn let_go_after_fork() {
    if FORKS.replace(false) {
        // SAFETY: this thread has the books.
        let held = unsafe { (*FORK_GUARD.0.get()).take() };
        drop(held);
    }
}

/// A buffer was made, with one reference. Fresh host memory of ours is filled.
///
/// # Safety
/// The buffer is complete; `guarded` ones lie in an allocation with `HEADER` bytes before and [`TAIL`] bytes after the elements.
pub(crate) unsafe fn made(buffer: *mut Buffer, guarded: bool) {
    // SAFETY: as the caller promises.
    let (data, bytes, device) = unsafe { ((*buffer).data, (*buffer).bytes, (*buffer).device) };
    if guarded {
        let size = usize::try_from(bytes).unwrap_or(0);
        // SAFETY: as the caller promises; the buffer itself ends before the canary.
        unsafe {
            data.sub(HEADER - HEAD).write_bytes(CANARY, HEADER - HEAD);
            data.write_bytes(FRESH, size);
            data.add(size).write_bytes(CANARY, TAIL);
        }
    }
    enter(buffer, bytes, device, guarded, None);
}

/// The buffer of an argument, on the stack of a call.
fn bound(buffer: *mut Buffer) {
    // SAFETY: the call's slots are filled.
    let (bytes, device) = unsafe { ((*buffer).bytes, (*buffer).device) };
    enter(buffer, bytes, device, false, Some(std::thread::current().id()));
}

fn enter(buffer: *mut Buffer, bytes: i64, device: i32, guarded: bool, thread: Option<ThreadId>) {
    let mut books = books();
    books.n_made += 1;
    let (number, born) = (books.n_made, Site::here());
    books
        .records
        .insert(buffer.addr(), Record { number, bytes, device, guarded, thread, references: 1, born, freed: None });
}

/// The call is over: the argument's buffer is no more.
fn unbound(buffer: *mut Buffer) {
    books().records.remove(&buffer.addr());
}

/// Whether a reference may be added.
pub(crate) fn may_retain(buffer: *mut Buffer) -> bool {
    may("retain", buffer, 1)
}

/// Whether a reference may be dropped.
pub(crate) fn may_release(buffer: *mut Buffer) -> bool {
    may("release", buffer, -1)
}

/// Refuses a kernel or a copy that would use a buffer that it may not.
#[inline]
pub(crate) fn check_use(buffer: *mut Buffer) -> Result<()> {
    if !is_on() || may("use", buffer, 0) {
        return Ok(());
    }
    Err(Error::runtime("a kernel or a copy met a buffer that is not there; this is a bug of numptx"))
}

fn may(what: &str, buffer: *mut Buffer, step: i64) -> bool {
    let mut books = books();
    let refusal = match books.records.get_mut(&buffer.addr()) {
        None => (-1, format!("{what} of {buffer:p}, which is no buffer")),
        Some(record) if record.freed.is_some() => {
            (record.device, format!("{what} of a buffer that is free: {}", record.describe()))
        }
        Some(record) if record.thread.is_some_and(|thread| thread != std::thread::current().id()) => {
            (record.device, format!("{what} on another thread than the call's: {}", record.describe()))
        }
        Some(record) if record.thread.is_some() && record.references + step < 1 => {
            (record.device, format!("{what} of what belongs to the caller: {}", record.describe()))
        }
        Some(record) => {
            record.references += step;
            if record.references == 0 {
                record.freed = Some(Site::here());
            }
            return true;
        }
    };
    drop(books);
    violation(refusal.0, &refusal.1);
    false
}

/// Whether the bytes around a host buffer's elements are as they were; a report if not.
///
/// # Safety
/// The buffer is alive, or its memory is still there.
pub(crate) unsafe fn check_canaries(buffer: *mut Buffer) {
    let description = match books().records.get(&buffer.addr()) {
        Some(record) if record.guarded => record.describe(),
        _ => return,
    };
    // SAFETY: guarded buffers lie in an allocation with both canaries.
    unsafe { check_edges(buffer, &description) };
}

/// # Safety
/// As [`check_canaries`], for a guarded buffer.
unsafe fn check_edges(buffer: *mut Buffer, description: &str) {
    // SAFETY: as the caller promises.
    let edges = unsafe {
        let (data, size) = ((*buffer).data, usize::try_from((*buffer).bytes).unwrap_or(0));
        [("before", data.sub(HEADER - HEAD), HEADER - HEAD), ("after", data.add(size), TAIL)]
    };
    for (side, first, n) in edges {
        // SAFETY: as above; nobody else looks at a canary meanwhile.
        let bytes = unsafe { std::slice::from_raw_parts_mut(first, n) };
        if let Some(at) = bytes.iter().position(|byte| *byte != CANARY) {
            let distance = if side == "before" { n - at } else { at + 1 };
            violation(-1, &format!("written {distance} bytes {side} the elements of {description}"));
            // It is told once.
            bytes.fill(CANARY);
        }
    }
}

/// Takes the memory of a freed host buffer, fills it, and keeps it for a while.
///
/// # Safety
/// Nobody has a reference; the block was allocated with this layout, and the caller gives it up.
pub(crate) unsafe fn bury_host(buffer: *mut Buffer, layout: std::alloc::Layout) {
    // SAFETY: as the caller promises.
    unsafe {
        check_canaries(buffer);
        books().quarantine.take_host(buffer, layout);
    }
    settle();
}

/// Keeps the head of a buffer whose memory is elsewhere.
pub(crate) fn bury_head(head: Box<Buffer>) {
    books().quarantine.take_head(head);
    settle();
}

/// Gives back what was kept for long enough.
fn settle() {
    let (gone, spoilt) = {
        let mut books = books();
        let gone = books.quarantine.settle();
        let mut spoilt = Vec::new();
        for one in &gone {
            let record = books.records.remove(&one.address());
            if let (Some(at), Some(record)) = (one.written_at(), record) {
                spoilt.push(format!("written after it was freed, at byte {at}: {}", record.describe()));
            }
        }
        (gone, spoilt)
    };
    spoilt.iter().for_each(|text| violation(-1, text));
    drop(gone);
}

/// Looks at everything that is kept or alive, at the process's end.
pub(crate) fn audit() {
    if !is_on() {
        return;
    }
    let (alive, spoilt) = {
        let books = books();
        let is_alive = |record: &Record| record.guarded && record.freed.is_none();
        let alive: Vec<(usize, String)> =
            books.records.iter().filter(|(_, r)| is_alive(r)).map(|(at, r)| (*at, r.describe())).collect();
        let spoilt: Vec<String> = books
            .quarantine
            .kept()
            .filter_map(|one| Some((one.written_at()?, books.records.get(&one.address())?)))
            .map(|(at, record)| format!("written after it was freed, at byte {at}: {}", record.describe()))
            .collect();
        (alive, spoilt)
    };
    spoilt.iter().for_each(|text| violation(-1, text));
    for (address, description) in alive {
        // SAFETY: alive by its record; the process is at its end, and nobody frees it meanwhile.
        unsafe { check_edges(std::ptr::with_exposed_provenance_mut(address), &description) };
    }
}
