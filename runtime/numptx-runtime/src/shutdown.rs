//! The wait at a program's end, while its binding is still whole.
//!
//! In: a question that is asked while work is waited for. Out: what streams were given by now is done, or the question was answered with an end.
//! Nothing blocks: marks in the streams are asked whether they are reached, so that a program can be ended beside a kernel that does not end. What
//! other threads give the streams meanwhile is not waited for.

use std::time::Duration;

use crate::device::Device;
use crate::error::Result;
use crate::event::{Mark, mark_outside};
use crate::stream::Stream;
use crate::{deferred, device, driver, stats};

/// Naps between two questions to a mark, at first and at most.
const SHORT: Duration = Duration::from_micros(20);
const LONG: Duration = Duration::from_millis(1);

/// Waits for all streams but those that are captured or fail; `false`: `ends` said so before.
pub(crate) fn wait(ends: &dyn Fn() -> bool) -> bool {
    if driver::opened().is_none() {
        return true;
    }
    deferred::catch_up();
    let marks: Vec<Mark> = device::used().flat_map(|device| marks_on(device).unwrap_or_default()).collect();
    marks.iter().all(|mark| wait_for(mark, ends))
}

/// Marks what each stream of a device was given so far.
fn marks_on(device: &'static Device) -> Result<Vec<Mark>> {
    let _context = device.enter()?;
    stats::waited(device.ordinal);
    let mut marks = Vec::new();
    for stream in Stream::all(device) {
        // Of one that is captured by others nothing can be told.
        if let Ok(Some(mark)) = mark_outside(device, &stream.noted()) {
            marks.push(mark);
        }
    }
    Ok(marks)
}

fn wait_for(mark: &Mark, ends: &dyn Fn() -> bool) -> bool {
    let mut nap = SHORT;
    while matches!(mark.is_done(), Ok(false)) {
        if ends() {
            return false;
        }
        std::thread::sleep(nap);
        nap = LONG.min(nap * 2);
    }
    true
}
