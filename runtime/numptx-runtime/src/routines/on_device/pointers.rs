//! Arrays of pointers in the device's memory, for functions that do many matrices at once.
//!
//! In: where matrices lie. Out: their addresses in the device's memory, in the order of the call's stream: a kernel writes them where each is as far from the
//! one before it, else the host does; of a call that is captured, at each replay.

use std::ffi::c_void;

use super::matrices::Places;
use super::{Scratch, Task};
use crate::device::MAX_DEVICES;
use crate::error::Result;
use crate::own_kernel::{self, OwnKernel};
use crate::pinned::Block;

pub(super) struct Pointers(Scratch);

impl Pointers {
    pub(super) fn of(task: &Task<'_>, places: Places<'_>) -> Result<Pointers> {
        let there = task.scratch(8 * places.count())?;
        if !is_written_there(task, places, &there)? {
            write(task, places, &there)?;
        }
        Ok(Pointers(there))
    }

    /// From an index on.
    pub(super) fn from(&self, index: i64) -> *const *mut c_void {
        self.0.at(8 * index).cast_const().cast()
    }
}

/// Writes addresses from the host.
fn write(task: &Task<'_>, places: Places<'_>, there: &Scratch) -> Result<()> {
    let addresses = (0..places.count()).map(|index| places.at(index).expose_provenance() as u64);
    let bytes: Vec<u8> = addresses.flat_map(u64::to_ne_bytes).collect();
    let Some(recording) = &task.call.recording else {
        return task.call.upload(task.device, there.first().cast(), &bytes);
    };
    let block = Block::new(task.device, bytes.len())?;
    // SAFETY: the block has as many bytes; the node reads them as long as the graph, which keeps it, is there.
    let recorded = unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), block.first(), bytes.len());
        let source = block.first().cast_const().cast();
        task.device.driver.upload(there.0.address(), source, bytes.len(), task.call.stream.handle())
    };
    recording.keep_block(block);
    Ok(recorded?)
}

/// Of each device.
static ADDRESSES: [OwnKernel; MAX_DEVICES] = [const { OwnKernel::new() }; MAX_DEVICES];
/// Threads of a block.
const THREADS: u32 = 256;
const ENTRY: &str = "addresses";
/// `to[i] = first + i * step`.
const TEXT: &str = "\
.version 6.3
.target sm_75
.address_size 64

.visible .entry addresses(
    .param .u64 to,
    .param .u64 first,
    .param .u64 step,
    .param .u64 count
)
{
    .reg .pred %p1;
    .reg .b32 %r<5>;
    .reg .b64 %d<9>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    cvt.u64.u32 %d1, %r4;
    ld.param.u64 %d2, [count];
    setp.ge.u64 %p1, %d1, %d2;
    @%p1 bra $END;
    ld.param.u64 %d3, [to];
    ld.param.u64 %d4, [first];
    ld.param.u64 %d5, [step];
    mad.lo.s64 %d6, %d1, %d5, %d4;
    shl.b64 %d7, %d1, 3;
    add.s64 %d8, %d3, %d7;
    st.global.u64 [%d8], %d6;
$END:
    ret;
}
";

/// Writes addresses in steps by a kernel; `false`: they are not in steps, or the driver cannot load it.
fn is_written_there(task: &Task<'_>, places: Places<'_>, there: &Scratch) -> Result<bool> {
    let (device, count) = (task.device, places.count());
    let (Some(step), Ok(blocks)) = (places.step(), u32::try_from(count.cast_unsigned().div_ceil(u64::from(THREADS))))
    else {
        return Ok(false);
    };
    let kernel = &ADDRESSES[device.ordinal as usize];
    let Some(function) = kernel.function(|| own_kernel::load(device, TEXT.to_owned(), ENTRY))? else {
        return Ok(false);
    };
    let first = places.at(0).expose_provenance() as u64;
    let mut values = [there.0.address(), first, step.cast_unsigned(), count.cast_unsigned()];
    let mut pointers = values.each_mut().map(|value| std::ptr::from_mut(value).cast::<c_void>());
    let (parameters, extra, stream) = (pointers.as_mut_ptr(), std::ptr::null_mut(), task.call.stream.handle());
    // SAFETY: the parameters are the kernel's, in its order, which the driver copies; the scratch has room for as many addresses.
    unsafe { device.driver.launch(function, blocks, 1, 1, THREADS, 1, 1, 0, stream, parameters, extra) }?;
    Ok(true)
}
