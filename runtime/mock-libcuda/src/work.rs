//! What a stream does: copies, fills, launches, frees, waits for other streams. Done at once, or when somebody waits; kept as the nodes
//! of a graph.

use std::alloc::{Layout, dealloc};
use std::sync::Arc;

use crate::cublas::Product;
use crate::launch::{CodeLaunch, KernelLaunch};
use crate::mathematics::LibraryWork;
use crate::memory::ALIGN;
use crate::state::{Code, INVALID_VALUE, State};

/// Where a copy's bytes come from.
#[derive(Clone)]
pub(crate) enum Source {
    /// Device memory.
    Device(u64),
    /// Host memory, read when the copy runs.
    Host(usize),
    /// Host memory as it was when the copy was asked for: of pageable memory the driver makes a copy first.
    Bytes(Arc<Vec<u8>>),
}

/// One piece of work.
#[derive(Clone)]
pub(crate) enum Op {
    ToDevice {
        to: u64,
        from: Source,
        bytes: usize,
    },
    ToHost {
        to: usize,
        from: u64,
        bytes: usize,
    },
    Fill {
        to: u64,
        value: u8,
        bytes: usize,
    },
    Launch(Arc<KernelLaunch>),
    /// Of a kernel that has no descriptor.
    Code(Arc<CodeLaunch>),
    /// By the stand-in of cuBLAS.
    Multiply(Arc<Product>),
    /// By the stand-ins of libraries that compute more.
    Library(Arc<LibraryWork>),
    Free(u64),
    /// Goes on when a stream has done what it was given until then.
    Wait {
        stream: usize,
        until: u64,
    },
    /// Notes the time in an event.
    Stamp(usize),
    /// A launch of an executable graph is over.
    EndOfGraph(usize),
}

impl State {
    /// Does one piece of work. Wrong addresses are violations.
    pub(crate) fn perform(&mut self, op: Op) -> Result<(), Code> {
        match op {
            Op::ToDevice { to, from, bytes } => self.copy_in(to, &from, bytes),
            Op::ToHost { to, from, bytes } => {
                self.check_device_range(from, bytes, "copy from the device")?;
                // SAFETY: the source was checked; the destination is the caller's.
                unsafe { std::ptr::copy(pointer(from), std::ptr::with_exposed_provenance_mut(to), bytes) };
                Ok(())
            }
            Op::Fill { to, value, bytes } => {
                self.check_device_range(to, bytes, "fill")?;
                // SAFETY: the range was checked.
                unsafe { pointer(to).write_bytes(value, bytes) };
                Ok(())
            }
            Op::Launch(prepared) => prepared.run(self),
            Op::Code(prepared) => prepared.run(self),
            Op::Multiply(product) => product.run(self),
            Op::Library(work) => work(self),
            Op::Free(address) => self.give_up(address),
            Op::Wait { stream, until } => self.run_stream(stream, until),
            Op::Stamp(event) => {
                if let Some(event) = self.events.get_mut(&event) {
                    event.stamp = Some(std::time::Instant::now());
                }
                Ok(())
            }
            Op::EndOfGraph(exec) => {
                self.launch_ended(exec);
                Ok(())
            }
        }
    }

    fn copy_in(&mut self, to: u64, from: &Source, bytes: usize) -> Result<(), Code> {
        self.check_device_range(to, bytes, "copy to the device")?;
        let from = match from {
            Source::Device(from) => {
                self.check_device_range(*from, bytes, "copy on the device (source)")?;
                pointer(*from).cast_const()
            }
            Source::Host(from) => std::ptr::with_exposed_provenance(*from),
            Source::Bytes(copy) => copy.as_ptr(),
        };
        // SAFETY: the destination was checked; the source was, or is the caller's.
        unsafe { std::ptr::copy(from, pointer(to), bytes) };
        Ok(())
    }

    pub(crate) fn check_device_range(&mut self, address: u64, bytes: usize, what: &str) -> Result<(), Code> {
        if bytes == 0 || self.holds(address, bytes) {
            return Ok(());
        }
        self.violation(&format!("{what}: {bytes} bytes at {address:#x} are not in one live allocation"));
        Err(INVALID_VALUE)
    }

    /// Gives memory back to the host. Used after this it is somebody's bug, made visible.
    pub(crate) fn give_up(&mut self, address: u64) -> Result<(), Code> {
        let Some(found) = self.allocations.remove(&address) else {
            self.violation(&format!("free of {address:#x}, which is no live allocation"));
            return Err(INVALID_VALUE);
        };
        let bytes = found.bytes;
        self.used_bytes -= bytes;
        self.counts.live_allocations -= 1;
        self.counts.live_bytes -= bytes as i64;
        if let Ok(layout) = Layout::from_size_align(bytes, ALIGN) {
            // SAFETY: allocated with this layout.
            unsafe {
                pointer(address).write_bytes(0xDD, bytes);
                dealloc(pointer(address), layout);
            }
        }
        Ok(())
    }
}

pub(crate) fn pointer(address: u64) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(address as usize)
}
