//! The table's entries for streams, events and graphs.

use std::ffi::c_void;

use numptx_abi::{Buffer as AbiBuffer, Error as AbiError, OwnerTable, Status, StreamInfo};

use super::{caught, guarded};
use crate::buffer::Buffer;
use crate::device::{device, device_of_stream};
use crate::event::{Event, order_after};
use crate::graph::Graph;
use crate::stream::{self, Stream, capture_of};
use crate::{debug, deferred};

type AbiStream = numptx_abi::Stream;
type AbiEvent = numptx_abi::Event;
type AbiGraph = numptx_abi::Graph;

pub(super) unsafe extern "C" fn stream_new(
    ordinal: i32,
    priority: i32,
    out: *mut *mut AbiStream,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        let made = Stream::new(device(ordinal)?, priority)?;
        // SAFETY: the binding passes a place for the result.
        unsafe { *out = made.into_abi() };
        Ok(())
    })
}

pub(super) unsafe extern "C" fn stream_foreign(
    ordinal: i32,
    handle: *mut c_void,
    owner: *mut c_void,
    owner_table: *const OwnerTable,
    out: *mut *mut AbiStream,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes a stream that is alive.
        let device = if ordinal < 0 { unsafe { device_of_stream(handle.cast()) }? } else { device(ordinal)? };
        // SAFETY: the binding passes another library's stream with its owner, the owner's functions or null, and a place for the result.
        unsafe {
            let owner = owner_table.as_ref().map(|table| (owner, table));
            *out = Stream::foreign(device, handle.cast(), owner).into_abi();
        }
        Ok(())
    })
}

pub(super) unsafe extern "C" fn stream_release(stream: *mut AbiStream) {
    // SAFETY: the binding gives up its reference.
    let _ = caught(|| unsafe { drop(Stream::from_abi(stream)) });
}

pub(super) unsafe extern "C" fn stream_references(stream: *const AbiStream) -> i64 {
    // SAFETY: the binding passes a live stream or null.
    caught(|| unsafe { Stream::references(stream) }).unwrap_or(0)
}

pub(super) unsafe extern "C" fn stream_info(
    stream: *mut AbiStream,
    out: *mut StreamInfo,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes a live stream or null, and a place for the result.
        unsafe { *out = stream::describe(&Stream::of_abi(stream))? };
        Ok(())
    })
}

pub(super) unsafe extern "C" fn stream_synchronize(
    stream: *mut AbiStream,
    ordinal: i32,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        deferred::catch_up();
        // SAFETY: the binding passes a live stream or null.
        let stream = unsafe { Stream::of_abi(stream) };
        stream::synchronize(&stream, ordinal)
    })
}

pub(super) unsafe extern "C" fn stream_query(
    stream: *mut AbiStream,
    ordinal: i32,
    done: *mut u32,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes a live stream or null, and a place for the result.
        unsafe { *done = u32::from(stream::is_done(&Stream::of_abi(stream), ordinal)?) };
        Ok(())
    })
}

pub(super) unsafe extern "C" fn event_new(
    ordinal: i32,
    timing: u32,
    out: *mut *mut AbiEvent,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        let made = Box::new(Event::new(ordinal, timing != 0)?);
        // SAFETY: the binding passes a place for the result.
        unsafe { *out = Box::into_raw(made).cast() };
        Ok(())
    })
}

pub(super) unsafe extern "C" fn event_release(event: *mut AbiEvent) {
    // SAFETY: the binding gives the event up.
    let _ = caught(|| unsafe { drop(Box::from_raw(event.cast::<Event>())) });
}

pub(super) unsafe extern "C" fn event_record(
    event: *mut AbiEvent,
    stream: *mut AbiStream,
    ordinal: i32,
    error: *mut AbiError,
) -> Status {
    // SAFETY: the binding passes a live event, and a live stream or null.
    guarded(error, || unsafe { (*event.cast::<Event>()).record(&Stream::of_abi(stream), ordinal) })
}

pub(super) unsafe extern "C" fn event_wait(
    event: *mut AbiEvent,
    stream: *mut AbiStream,
    ordinal: i32,
    error: *mut AbiError,
) -> Status {
    // SAFETY: as above.
    guarded(error, || unsafe { (*event.cast::<Event>()).wait_on(&Stream::of_abi(stream), ordinal) })
}

pub(super) unsafe extern "C" fn event_synchronize(event: *mut AbiEvent, error: *mut AbiError) -> Status {
    // SAFETY: the binding passes a live event.
    guarded(error, || unsafe { (*event.cast::<Event>()).synchronize() })
}

pub(super) unsafe extern "C" fn event_query(event: *mut AbiEvent, done: *mut u32, error: *mut AbiError) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes a live event and a place for the result.
        unsafe { *done = u32::from((*event.cast::<Event>()).is_done()?) };
        Ok(())
    })
}

pub(super) unsafe extern "C" fn event_elapsed(
    first: *mut AbiEvent,
    last: *mut AbiEvent,
    out: *mut f32,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes live events and a place for the result.
        unsafe { *out = (*first.cast::<Event>()).milliseconds_to(&*last.cast::<Event>())? };
        Ok(())
    })
}

pub(super) unsafe extern "C" fn graph_begin(
    stream: *mut AbiStream,
    mode: u32,
    out: *mut *mut AbiGraph,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        deferred::catch_up();
        // SAFETY: the binding passes a live stream or null, and a place for the result.
        unsafe { *out = Box::into_raw(Box::new(Graph::begin(Stream::of_abi(stream), mode)?)).cast() };
        Ok(())
    })
}

pub(super) unsafe extern "C" fn graph_end(graph: *mut AbiGraph, keep: u32, error: *mut AbiError) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes a live graph.
        let graph = unsafe { &*graph.cast::<Graph>() };
        let ended = if keep != 0 {
            graph.end()
        } else {
            graph.abandon();
            Ok(())
        };
        deferred::catch_up();
        ended
    })
}

pub(super) unsafe extern "C" fn graph_update(graph: *mut AbiGraph, error: *mut AbiError) -> Status {
    guarded(error, || {
        deferred::catch_up();
        // SAFETY: the binding passes a live graph.
        unsafe { &*graph.cast::<Graph>() }.begin_update()
    })
}

pub(super) unsafe extern "C" fn graph_updated(graph: *mut AbiGraph, keep: u32, error: *mut AbiError) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes a live graph.
        let graph = unsafe { &*graph.cast::<Graph>() };
        let ended = if keep != 0 {
            graph.end_update()
        } else {
            graph.abandon_update();
            Ok(())
        };
        deferred::catch_up();
        ended
    })
}

pub(super) unsafe extern "C" fn graph_launch(
    graph: *mut AbiGraph,
    stream: *mut AbiStream,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        deferred::catch_up();
        // SAFETY: the binding passes a live graph, and a live stream or null.
        unsafe { (*graph.cast::<Graph>()).launch(&Stream::of_abi(stream)) }
    })
}

pub(super) unsafe extern "C" fn graph_release(graph: *mut AbiGraph) {
    // What it kept through the driver is let go by a thread of the runtime's: that may wait, and who is here need not.
    // SAFETY: the binding gives the graph up.
    let _ = caught(|| drop(unsafe { Box::from_raw(graph.cast::<Graph>()) }));
}

pub(super) unsafe extern "C" fn graph_nodes(graph: *const AbiGraph) -> u64 {
    // SAFETY: the binding passes a live graph.
    caught(|| unsafe { (*graph.cast::<Graph>()).nodes() }).map_or(0, |n| n as u64)
}

pub(super) unsafe extern "C" fn buffer_share(
    buffer: *mut AbiBuffer,
    consumer: *mut c_void,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        debug::check_use(buffer.cast())?;
        // SAFETY: the binding passes a live buffer.
        let buffer = unsafe { &*buffer.cast::<Buffer>() };
        let Some(uses) = buffer.uses() else { return Ok(()) };
        let used_on = uses.all();
        let device = device(buffer.device)?;
        // The memory is freed after what the consumer does with it.
        if let Some(stream) = Stream::with_handle(device, consumer.cast()) {
            uses.give_to(&stream);
        }
        // What stays on its stream is in order.
        if !used_on.is_empty() && used_on.iter().all(|s| s.handle() == consumer.cast() && !s.is_of_thread()) {
            return Ok(());
        }
        let _context = device.enter()?;
        // A consumer that is captured waits on the host; one that cannot be asked about is refused by the driver.
        capture_of(device.driver, consumer.cast())?;
        for stream in used_on {
            order_after(device, consumer.cast(), &stream)?;
        }
        Ok(())
    })
}
