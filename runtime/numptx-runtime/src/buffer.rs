//! Buffers: the only reference-counted object.
//!
//! In: sizes and owners. Out: memory on the host or on a device, freed with the last reference. Views never come here.

mod host;

use std::alloc::Layout;
use std::cell::Cell;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI64, Ordering, fence};

use numptx_abi::{BufferInfo, ListHead, OwnerTable};
use numptx_objects::Object;

use crate::device::Device;
use crate::error::{Error, Result};
use crate::mirror::Region;
use crate::objects::{Held, ObjectCell};
use crate::pinned::PinnedMemory;
use crate::stream::Stream;
use crate::uses::Uses;
use crate::{debug, recycle, stats};

use host::free_host;
pub(crate) use host::{new_host, new_vector};

/// A buffer. [`numptx_abi::Buffer`] is its opaque name outside.
// Generated code knows where the first member lies.
#[repr(C)]
pub(crate) struct Buffer {
    /// Of a list, a dictionary, a set or a string: what generated code reads and changes of it. Else null.
    list: *mut ListHead,
    references: AtomicI64,
    /// First byte, in host or device memory.
    pub(crate) data: *mut u8,
    pub(crate) bytes: i64,
    /// -1: host.
    pub(crate) device: i32,
    pub(crate) read_only: bool,
    /// The call that allocated it, 0 outside calls.
    born: u64,
    pub(crate) storage: Storage,
}

/// Who owns a buffer's memory.
pub(crate) enum Storage {
    /// The allocation that also holds the buffer itself, `shift` bytes after its first one.
    Host { layout: Layout, shift: usize },
    /// An allocation of the elements alone, as a `Vec` of them has it: its size is a multiple of every element's.
    Vector { layout: Layout },
    /// A device's pool; freed in the order of `stream`, after all uses.
    Device { device: &'static Device, stream: Stream, uses: Uses },
    /// Page-locked memory of the host.
    Pinned(PinnedMemory),
    /// Another library.
    Foreign { owner: *mut c_void, release: unsafe extern "C" fn(*mut c_void), uses: Uses },
    /// A list, a dictionary, a set or a string: there are no bytes of elements.
    Object(Box<ObjectCell>),
    /// The caller's, for the time of a call. Lives on that call's stack.
    Parameter {
        /// The memory's copy on the device, in a call on a device.
        region: *const Region,
        /// The runtime buffer that this stands for, or null.
        stands_for: *mut Buffer,
        /// Whether a launch wrote to the copy through this argument.
        written: Cell<bool>,
    },
}

/// What the fresh host memory of a call is made as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostMemory {
    /// For buffers alone.
    Buffers,
    /// So that results can become vectors of elements with this alignment.
    Vectors { align: usize },
}

impl HostMemory {
    /// A fresh host buffer. In the debug mode all have canaries, which vectors have no room for.
    pub(crate) fn alloc(self, bytes: i64) -> Result<BufferRef> {
        match self {
            HostMemory::Vectors { align } if !debug::is_on() => new_vector(bytes, align),
            _ => new_host(bytes),
        }
    }
}

/// What a host allocation is aligned to, and the room before its elements where the buffer itself lies, and after it the debug mode's canary.
const ALIGN: usize = 64;
pub(crate) const HEADER: usize = 192;
const _: () = assert!(size_of::<Buffer>() + ALIGN <= HEADER && HEADER.is_multiple_of(ALIGN));
/// Blocks below this are asked for with the allocator's own alignment, and more: it keeps such ones at hand for each thread, aligned ones it does not.
const SMALL: usize = 64 << 10;
/// The alignment that every block has.
const OWN_ALIGN: usize = 16;

thread_local! {
    /// The running call and the balance of buffers that it allocated and let go.
    static LEDGER: Cell<(u64, i64)> = const { Cell::new((0, 0)) };
}

/// Starts a call's account; returns the one to restore at its end.
pub(crate) fn open_ledger(call: u64) -> (u64, i64) {
    LEDGER.replace((call, 0))
}

/// Ends a call's account: how many of its buffers are alive.
pub(crate) fn close_ledger(outer: (u64, i64)) -> i64 {
    LEDGER.replace(outer).1
}

fn note_birth() -> u64 {
    let (call, alive) = LEDGER.get();
    if call != 0 {
        LEDGER.set((call, alive + 1));
    }
    call
}

fn note_death(born: u64) {
    let (call, alive) = LEDGER.get();
    if born != 0 && born == call {
        LEDGER.set((call, alive - 1));
    }
}

fn checked_size(bytes: i64) -> Result<usize> {
    usize::try_from(bytes)
        .ok()
        .filter(|b| *b <= isize::MAX as usize - 2 * HEADER)
        .ok_or_else(|| Error::memory(format!("an array of {bytes} bytes cannot exist; its extents are too large")))
}

/// A fresh device buffer from the device's pool, for use on a stream that is not being captured. The device's context is current.
pub(crate) fn new_device(device: &'static Device, bytes: i64, stream: &Stream) -> Result<BufferRef> {
    let size = checked_size(bytes)?;
    let pointer = match device.alloc_again(size, stream) {
        Some(kept) => kept,
        None => device.alloc(size, stream.handle())?,
    };
    Ok(of_device(device, pointer, bytes, stream.home()))
}

/// The same for use on any stream at once, captured ones included.
pub(crate) fn new_aside(device: &'static Device, bytes: i64) -> Result<BufferRef> {
    let pointer = device.alloc_aside(checked_size(bytes)?)?;
    Ok(of_device(device, pointer, bytes, device.side()?.clone()))
}

fn of_device(device: &'static Device, pointer: u64, bytes: i64, stream: Stream) -> BufferRef {
    let uses = Uses::on(&stream);
    stats::allocated(device.ordinal, bytes);
    let born = note_birth();
    boxed(|| Buffer {
        list: std::ptr::null_mut(),
        references: AtomicI64::new(1),
        data: std::ptr::with_exposed_provenance_mut(pointer as usize),
        bytes,
        device: device.ordinal,
        read_only: false,
        born,
        storage: Storage::Device { device, stream, uses },
    })
}

/// A fresh buffer in page-locked memory of the host. The device's context is current.
pub(crate) fn new_pinned(device: &'static Device, bytes: i64) -> Result<BufferRef> {
    let pinned = PinnedMemory::new(device, checked_size(bytes)?)?;
    stats::allocated(-1, bytes);
    let (data, born) = (pinned.first(), note_birth());
    let storage = Storage::Pinned(pinned);
    let list = std::ptr::null_mut();
    Ok(boxed(|| Buffer {
        list,
        references: AtomicI64::new(1),
        data,
        bytes,
        device: -1,
        read_only: false,
        born,
        storage,
    }))
}

/// A buffer over another library's memory.
///
/// # Safety
/// `owner` is valid for the table's functions; the memory lives as long as the owner.
pub(crate) unsafe fn new_foreign(
    data: *mut c_void,
    bytes: i64,
    device: i32,
    read_only: bool,
    (owner, table): (*mut c_void, &OwnerTable),
    uses: Uses,
) -> BufferRef {
    // SAFETY: as the caller promises.
    unsafe { (table.retain)(owner) };
    stats::adopted(device);
    boxed(|| Buffer {
        list: std::ptr::null_mut(),
        references: AtomicI64::new(1),
        data: data.cast(),
        bytes,
        device,
        read_only,
        born: 0,
        storage: Storage::Foreign { owner, release: table.release, uses },
    })
}

/// A fresh object.
pub(crate) fn new_object(object: Object<Held>) -> BufferRef {
    let storage = Storage::Object(Box::new(ObjectCell::new(object)));
    let (list, data, born) = (std::ptr::null_mut(), std::ptr::null_mut(), note_birth());
    let references = AtomicI64::new(1);
    let made = boxed(|| Buffer { list, references, data, bytes: 0, device: -1, read_only: false, born, storage });
    let head = made.object().map_or(std::ptr::null_mut(), ObjectCell::head);
    // SAFETY: nobody else has the buffer yet. The head stays where it is now.
    unsafe { (*made.as_ptr()).list = head };
    made
}

/// Room for one buffer that a thread has let go: a loop that makes and drops results asks the allocator for nothing.
struct Spare(Cell<*mut MaybeUninit<Buffer>>);

impl Drop for Spare {
    fn drop(&mut self) {
        let room = self.0.replace(std::ptr::null_mut());
        if !room.is_null() {
            // SAFETY: boxed by `boxed`, and nobody else has it.
            drop(unsafe { Box::from_raw(room) });
        }
    }
}

thread_local! {
    static SPARE: Spare = const { Spare(Cell::new(std::ptr::null_mut())) };
}

/// A buffer whose memory is elsewhere, made in its place.
#[inline(always)]
fn boxed(make: impl FnOnce() -> Buffer) -> BufferRef {
    let mut room = SPARE.try_with(|spare| spare.0.replace(std::ptr::null_mut())).unwrap_or(std::ptr::null_mut());
    if room.is_null() {
        room = Box::into_raw(Box::new(MaybeUninit::uninit()));
    }
    let buffer = room.cast::<Buffer>();
    // SAFETY: room for a buffer, and nobody else's.
    unsafe { buffer.write(make()) };
    if debug::is_on() {
        // SAFETY: complete.
        unsafe { debug::made(buffer, false) };
    }
    // SAFETY: complete, and its one reference is nobody else's.
    unsafe { BufferRef::from_raw(buffer) }
}

/// # Safety
/// Made by [`boxed`]; nobody has a reference.
unsafe fn unbox(buffer: *mut Buffer) {
    if debug::is_on() {
        // SAFETY: as the caller promises.
        return debug::bury_head(unsafe { Box::from_raw(buffer) });
    }
    // SAFETY: as above. Dropping the streams may run a library's code, which may make and drop buffers.
    unsafe { std::ptr::drop_in_place(buffer) };
    let room = buffer.cast::<MaybeUninit<Buffer>>();
    let kept = SPARE.try_with(|spare| spare.0.get().is_null() && spare.0.replace(room).is_null());
    if !kept.unwrap_or(false) {
        // SAFETY: boxed by `boxed`, and nobody has it any more.
        drop(unsafe { Box::from_raw(room) });
    }
}

impl Buffer {
    /// The buffer of an argument, for the time of a call.
    pub(crate) fn parameter(data: *mut u8, bytes: i64, device: i32, stands_for: *mut Buffer) -> Buffer {
        Buffer {
            list: std::ptr::null_mut(),
            references: AtomicI64::new(1),
            data,
            bytes,
            device,
            read_only: false,
            born: 0,
            storage: Storage::Parameter { region: std::ptr::null(), stands_for, written: Cell::new(false) },
        }
    }

    /// Whether it is an argument's, on the stack of the one thread that makes the call and counts its references: an addition that all
    /// processors agree on takes as long as a tenth of a short call.
    #[inline]
    fn is_parameter(&self) -> bool {
        matches!(self.storage, Storage::Parameter { .. })
    }

    /// Whether it is a host argument of a call on a device that no launch has written.
    pub(crate) fn is_unwritten_argument(&self) -> bool {
        match &self.storage {
            // SAFETY: regions live as long as the call.
            Storage::Parameter { region, .. } => unsafe { region.as_ref() }.is_some_and(|r| !r.is_written()),
            _ => false,
        }
    }

    /// Whether another library owns the memory.
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self.storage, Storage::Foreign { .. })
    }

    /// Page-locked memory of ours.
    pub(crate) fn pinned(&self) -> Option<&PinnedMemory> {
        match &self.storage {
            Storage::Pinned(pinned) => Some(pinned),
            _ => None,
        }
    }

    /// The uses of memory on a device, of our own or another library's.
    pub(crate) fn uses(&self) -> Option<&Uses> {
        match &self.storage {
            Storage::Device { uses, .. } => Some(uses),
            Storage::Foreign { uses, .. } if self.device >= 0 => Some(uses),
            _ => None,
        }
    }

    /// References held now.
    pub(crate) fn references(&self) -> i64 {
        self.references.load(Ordering::Relaxed)
    }

    /// Whether the call with this number allocated it.
    pub(crate) fn was_born_in(&self, call: u64) -> bool {
        self.born == call
    }

    /// What bindings may know.
    pub(crate) fn describe(&self) -> BufferInfo {
        BufferInfo {
            data: self.data.cast(),
            bytes: self.bytes,
            device: self.device,
            read_only: u32::from(self.read_only),
            references: self.references(),
        }
    }
}

/// A reference to a buffer, given up when it is dropped.
pub(crate) struct BufferRef(NonNull<Buffer>);

// SAFETY: references to all buffers but arguments' are counted atomically; [`BufferRef::to`] asks that those stay on their thread.
unsafe impl Send for BufferRef {}

// A panic elsewhere leaves counts and memory as they were.
impl std::panic::UnwindSafe for BufferRef {}
impl std::panic::RefUnwindSafe for BufferRef {}

impl BufferRef {
    /// Takes over a reference.
    ///
    /// # Safety
    /// The caller holds a reference to `buffer`, and gives it up. If it is an argument's, this one stays on the call's thread.
    pub(crate) unsafe fn from_raw(buffer: *mut Buffer) -> BufferRef {
        // SAFETY: a buffer that somebody has a reference to is not null.
        BufferRef(unsafe { NonNull::new_unchecked(buffer) })
    }

    /// One more reference.
    ///
    /// # Safety
    /// `buffer` is alive. If it is an argument's, the reference stays on the call's thread.
    pub(crate) unsafe fn to(buffer: *mut Buffer) -> BufferRef {
        // SAFETY: as the caller promises; the reference just made is this one's.
        unsafe {
            retain(buffer);
            BufferRef::from_raw(buffer)
        }
    }

    /// The reference is the caller's to give up now.
    pub(crate) fn into_raw(self) -> *mut Buffer {
        std::mem::ManuallyDrop::new(self).as_ptr()
    }

    pub(crate) fn as_ptr(&self) -> *mut Buffer {
        self.0.as_ptr()
    }

    /// Whether this is the only reference: what others did through theirs has happened before.
    pub(crate) fn is_only(&self) -> bool {
        self.references.load(Ordering::Acquire) == 1
    }

    /// First byte and size of an allocation with this alignment, which is the caller's from now on; the reference itself, where the buffer is none
    /// that a `Vec` can have, or not this reference's alone.
    pub(crate) fn into_vector(self, align: usize) -> std::result::Result<(*mut u8, usize), BufferRef> {
        let found = match &self.storage {
            Storage::Vector { layout } if layout.align() == align && self.is_only() => Some(*layout),
            _ => None,
        };
        let Some(layout) = found else { return Err(self) };
        if debug::is_on() && !debug::may_release(self.as_ptr()) {
            return Err(self);
        }
        let (data, bytes, device, born) = (self.data, self.bytes, self.device, self.born);
        stats::freed(device, bytes);
        note_death(born);
        // SAFETY: boxed by `new_vector`; this was the last reference. The elements are not the box's.
        unsafe { unbox(self.into_raw()) };
        Ok((data, layout.size()))
    }

    /// The first byte as an address on its device.
    pub(crate) fn address(&self) -> u64 {
        self.data.expose_provenance() as u64
    }
}

impl std::ops::Deref for BufferRef {
    type Target = Buffer;

    fn deref(&self) -> &Buffer {
        // SAFETY: alive as long as there is a reference.
        unsafe { self.0.as_ref() }
    }
}

impl Clone for BufferRef {
    fn clone(&self) -> BufferRef {
        // SAFETY: alive, because of this reference.
        unsafe { BufferRef::to(self.as_ptr()) }
    }
}

impl Drop for BufferRef {
    fn drop(&mut self) {
        // SAFETY: this reference's.
        unsafe { release(self.as_ptr()) };
    }
}

/// Adds a reference.
///
/// # Safety
/// `buffer` is alive.
pub(crate) unsafe fn retain(buffer: *mut Buffer) {
    if debug::is_on() && !debug::may_retain(buffer) {
        return;
    }
    // SAFETY: alive, as the caller promises.
    let held = unsafe { &*buffer };
    if held.is_parameter() {
        held.references.store(held.references() + 1, Ordering::Relaxed);
    } else {
        held.references.fetch_add(1, Ordering::Relaxed);
    }
}

/// Drops a reference; the last one frees.
///
/// # Safety
/// The caller holds a reference, and gives it up.
pub(crate) unsafe fn release(buffer: *mut Buffer) {
    if debug::is_on() && !debug::may_release(buffer) {
        return;
    }
    // SAFETY: alive, because the caller holds a reference.
    let held = unsafe { &*buffer };
    if held.is_parameter() {
        held.references.store(held.references() - 1, Ordering::Relaxed);
    } else if held.references.load(Ordering::Acquire) == 1 {
        // Nobody else has a reference that others could be made of: no addition that all processors agree on is needed.
        held.references.store(0, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { destroy(buffer) };
    } else if held.references.fetch_sub(1, Ordering::Release) == 1 {
        fence(Ordering::Acquire);
        // SAFETY: nobody else has a reference.
        unsafe { destroy(buffer) };
    }
}

/// # Safety
/// The last reference was dropped.
unsafe fn destroy(buffer: *mut Buffer) {
    // SAFETY: alive until freed below.
    let (storage, device, bytes, born, data) = unsafe {
        let b = &*buffer;
        (&b.storage, b.device, b.bytes, b.born, b.data)
    };
    match storage {
        Storage::Host { layout, shift } => {
            stats::freed(device, bytes);
            note_death(born);
            // SAFETY: made by `new_host`; nobody has a reference.
            unsafe { free_host(buffer, *layout, *shift) };
        }
        Storage::Vector { layout } => {
            stats::freed(device, bytes);
            note_death(born);
            // SAFETY: allocated with this layout and boxed by `new_vector`; nobody has a reference.
            unsafe {
                recycle::give(data, *layout);
                unbox(buffer);
            }
        }
        Storage::Device { device: owner, stream, uses } => {
            stats::freed(device, bytes);
            note_death(born);
            let pointer = data.expose_provenance() as u64;
            if uses.is_only(stream) {
                if debug::is_on() {
                    owner.fill(pointer, debug::FREED, bytes, stream);
                }
                owner.keep(pointer, bytes, stream);
            } else {
                owner.free(pointer, stream, uses.others(stream));
            }
            // SAFETY: boxed by `of_device`.
            unsafe { unbox(buffer) };
        }
        Storage::Pinned(_) => {
            stats::freed(device, bytes);
            note_death(born);
            let nothing = Storage::Parameter {
                region: std::ptr::null(),
                stands_for: std::ptr::null_mut(),
                written: Cell::new(false),
            };
            // The memory goes now, also where the debug mode keeps the buffer.
            // SAFETY: nobody has a reference; boxed by `new_pinned`.
            unsafe {
                drop(std::mem::replace(&mut (*buffer).storage, nothing));
                unbox(buffer);
            }
        }
        Storage::Object(_) => {
            note_death(born);
            let nothing = Storage::Parameter {
                region: std::ptr::null(),
                stands_for: std::ptr::null_mut(),
                written: Cell::new(false),
            };
            // What it holds goes now, also where the debug mode keeps the buffer.
            // SAFETY: nobody has a reference; boxed by `new_object`.
            unsafe {
                drop(std::mem::replace(&mut (*buffer).storage, nothing));
                unbox(buffer);
            }
        }
        Storage::Foreign { owner, release, .. } => {
            stats::abandoned(device);
            // SAFETY: retained by `new_foreign`; may run on any thread.
            unsafe { release(*owner) };
            // SAFETY: boxed by `new_foreign`.
            unsafe { unbox(buffer) };
        }
        // On a call's stack: that call sees the missing reference when it balances its accounts.
        Storage::Parameter { .. } => {}
    }
}
