//! Host memory of buffers: one block holds the buffer and its elements.

use std::alloc::{Layout, alloc, dealloc};
use std::sync::atomic::AtomicI64;

use super::{ALIGN, Buffer, BufferRef, HEADER, OWN_ALIGN, SMALL, Storage, boxed, checked_size, note_birth};
use crate::device::mebibytes;
use crate::error::{Error, Result};
use crate::{debug, recycle, stats};

/// A fresh host buffer. Contents undefined; large ones cost nothing until touched.
pub(crate) fn new_host(bytes: i64) -> Result<BufferRef> {
    let size = checked_size(bytes)?;
    let out_of_memory = || out_of_memory(size);
    let layout = host_layout(size + debug::tail_bytes()).ok_or_else(out_of_memory)?;
    let (block, storage) = host_block(layout);
    if block.is_null() {
        return Err(out_of_memory());
    }
    // SAFETY: the block holds HEADER bytes before the elements and is aligned for a buffer.
    let data = unsafe { block.add(HEADER) };
    let buffer = block.cast::<Buffer>();
    let value = Buffer {
        list: std::ptr::null_mut(),
        references: AtomicI64::new(1),
        data,
        bytes,
        device: -1,
        read_only: false,
        born: note_birth(),
        storage,
    };
    // SAFETY: as above.
    unsafe {
        buffer.write(value);
        if debug::is_on() {
            debug::made(buffer, true);
        }
    }
    stats::allocated(-1, bytes);
    // SAFETY: complete, and its one reference is nobody else's.
    Ok(unsafe { BufferRef::from_raw(buffer) })
}

/// A fresh host buffer whose elements a `Vec` can take over: they alone lie in an allocation, with the alignment `align` of their type.
pub(crate) fn new_vector(bytes: i64, align: usize) -> Result<BufferRef> {
    /// A multiple of all elements' sizes.
    const UNIT: usize = 16;
    let size = checked_size(bytes)?;
    let layout = Layout::from_size_align(size.max(1).next_multiple_of(UNIT), align).map_err(|_| out_of_memory(size))?;
    let (data, layout) = match recycle::take(layout) {
        // SAFETY: the kept block was allocated with that size and this alignment.
        Some((block, size)) => (block, unsafe { Layout::from_size_align_unchecked(size, align) }),
        None => {
            let block = alloc_again(layout);
            if block.is_null() {
                return Err(out_of_memory(size));
            }
            prefer_huge_pages(block, layout.size());
            (block, layout)
        }
    };
    stats::allocated(-1, bytes);
    let born = note_birth();
    let storage = Storage::Vector { layout };
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

fn out_of_memory(size: usize) -> Error {
    Error::memory(format!("out of host memory: {} wanted", mebibytes(size as u64)))
}

/// Aligned room, used before or new, and how it was allocated; null if there is no memory.
fn host_block(layout: Layout) -> (*mut u8, Storage) {
    if layout.size() < SMALL
        && !debug::is_on()
        && let Ok(layout) = Layout::from_size_align(layout.size() + ALIGN - OWN_ALIGN, OWN_ALIGN)
    {
        let first = alloc_again(layout);
        let shift = first.align_offset(ALIGN);
        // No memory stays null.
        return (if first.is_null() { first } else { first.wrapping_add(shift) }, Storage::Host { layout, shift });
    }
    if let Some((block, size)) = recycle::take(layout) {
        // SAFETY: the kept block was allocated with that size and this alignment.
        let layout = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        return (block, Storage::Host { layout, shift: 0 });
    }
    let block = alloc_again(layout);
    if !block.is_null() {
        prefer_huge_pages(block, layout.size());
    }
    (block, Storage::Host { layout, shift: 0 })
}

/// Fresh memory; where there is none, after kept blocks were given back.
fn alloc_again(layout: Layout) -> *mut u8 {
    // SAFETY: the layout is not empty.
    let block = unsafe { alloc(layout) };
    if block.is_null() && recycle::give_back() {
        // SAFETY: as above.
        return unsafe { alloc(layout) };
    }
    block
}

/// # Safety
/// A host buffer that nobody refers to, allocated as its storage says.
pub(super) unsafe fn free_host(buffer: *mut Buffer, layout: Layout, shift: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        if debug::is_on() {
            debug::bury_host(buffer, layout);
        } else if layout.align() == OWN_ALIGN {
            dealloc(buffer.cast::<u8>().sub(shift), layout);
        } else {
            recycle::give(buffer.cast(), layout);
        }
    }
}

fn host_layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEADER)?, ALIGN).ok()
}

/// Large arrays are touched from end to end: fewer page faults.
fn prefer_huge_pages(block: *mut u8, bytes: usize) {
    const LARGE: usize = 4 << 20;
    const PAGE: usize = 4096;
    if bytes >= LARGE {
        let first = block.addr().next_multiple_of(PAGE);
        let length = (block.addr() + bytes - first) & !(PAGE - 1);
        // SAFETY: whole pages inside our allocation; the advice changes no contents.
        unsafe { libc::madvise(block.with_addr(first).cast(), length, libc::MADV_HUGEPAGE) };
    }
}
