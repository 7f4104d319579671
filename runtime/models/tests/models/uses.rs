//! Threads that use one buffer on streams of their own, and drop it.

use shuttle::sync::atomic::{AtomicUsize, Ordering};
use shuttle::sync::{Arc, Mutex};
use shuttle::thread;

use crate::orders;
use crate::uses::shared::SharedUses;
use crate::uses::state::{StreamKey, UseState};

const STREAMS: usize = 4;

/// A stream, and the calls that are under way on it.
#[derive(Clone)]
struct Numbered(usize, Arc<AtomicUsize>);

impl StreamKey for Numbered {
    fn key(&self) -> usize {
        self.0 << 3
    }

    fn is_quiet(&self) -> bool {
        self.1.load(Ordering::SeqCst) == 0
    }
}

/// What a driver knows: which work each stream comes after. Its calls come one after another, in any order.
#[derive(Default)]
struct Device {
    seen: [[u64; STREAMS]; STREAMS],
    /// Stream, number, whether it wrote.
    done: Vec<(usize, u64, bool)>,
    waits: usize,
}

impl Device {
    fn wait(&mut self, stream: usize, other: usize) {
        self.waits += 1;
        for of in 0..STREAMS {
            self.seen[stream][of] = self.seen[stream][of].max(self.seen[other][of]);
        }
    }

    fn launch(&mut self, stream: usize, write: bool) {
        self.seen[stream][stream] += 1;
        self.done.push((stream, self.seen[stream][stream], write));
    }
}

struct Buffer {
    streams: [Numbered; STREAMS],
    uses: SharedUses<Numbered>,
    device: Mutex<Device>,
}

impl Buffer {
    fn new() -> Arc<Buffer> {
        let streams = std::array::from_fn(|k| Numbered(k, Arc::default()));
        let uses = SharedUses::new(UseState::written_on(Numbered::clone(&streams[0])));
        let buffer = Buffer { streams, uses, device: Mutex::default() };
        buffer.device().launch(0, true);
        Arc::new(buffer)
    }

    fn device(&self) -> shuttle::sync::MutexGuard<'_, Device> {
        self.device.lock().expect("no model panics under the lock")
    }

    /// What a call does: order, then launch. Two steps of the driver.
    fn call(&self, stream: usize, write: bool) {
        let own = &self.streams[stream];
        own.1.fetch_add(1, Ordering::SeqCst);
        if !self.uses.is_of(own.key(), write) {
            let wait = |other: &Numbered| {
                self.device().wait(stream, other.0);
                Ok::<_, ()>(())
            };
            self.uses.enter(Some(own.key()), own.clone(), write, wait).expect("the waits do not fail");
        }
        let mut device = self.device();
        // What was written before the threads began, each of them sees.
        assert!(device.seen[stream][0] >= 1, "stream {stream} does not come after the first write");
        device.launch(stream, write);
        drop(device);
        own.1.fetch_sub(1, Ordering::SeqCst);
    }

    /// What the last reference does: everything that was launched comes before the free.
    fn free(&self) {
        let streams = if self.uses.is_alone(self.streams[0].key()) { Vec::new() } else { self.uses.streams() };
        let mut device = self.device();
        streams.iter().filter(|stream| stream.0 != 0).for_each(|stream| device.wait(0, stream.0));
        for (stream, number, _) in &device.done {
            assert!(device.seen[0][*stream] >= *number, "the memory is freed before stream {stream} is done with it");
        }
    }
}

/// Each thread makes its calls on its own stream; then the buffer goes.
fn run(calls: &'static [&'static [bool]]) -> impl Fn() + Send + Sync + 'static {
    move || {
        let buffer = Buffer::new();
        let threads: Vec<_> = (0..calls.len())
            .map(|k| {
                let buffer = buffer.clone();
                thread::spawn(move || calls[k].iter().for_each(|write| buffer.call(k + 1, *write)))
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().expect("the thread does not panic"));
        buffer.free();
    }
}

#[test]
fn readers_on_three_streams_are_all_waited_for() {
    shuttle::check_pct(run(&[&[false, false], &[false], &[false]]), orders(10_000), 3);
}

#[test]
fn a_writer_among_readers_hides_nobody_from_the_free() {
    shuttle::check_dfs(run(&[&[true], &[false]]), Some(orders(20_000)));
    shuttle::check_pct(run(&[&[true], &[false, false], &[true]]), orders(10_000), 3);
}

#[test]
fn writers_that_race_are_both_waited_for() {
    shuttle::check_pct(run(&[&[true, false], &[true, true], &[true]]), orders(10_000), 3);
}

#[test]
fn what_comes_after_calls_that_raced_sees_all_of_them() {
    let model = |last: [bool; 2]| {
        move || {
            let buffer = Buffer::new();
            let writers = [1, 2].map(|stream| {
                let buffer = buffer.clone();
                thread::spawn(move || last.iter().for_each(|write| buffer.call(stream, *write)))
            });
            writers.into_iter().for_each(|writer| writer.join().expect("the thread does not panic"));
            buffer.call(3, false);
            let device = buffer.device();
            for (stream, number, wrote) in &device.done {
                assert!(
                    !wrote || device.seen[3][*stream] >= *number,
                    "a reader misses write {number} of stream {stream}"
                );
            }
        }
    };
    shuttle::check_pct(model([true, true]), orders(10_000), 3);
    shuttle::check_pct(model([true, false]), orders(10_000), 3);
    shuttle::check_dfs(model([true, true]), Some(orders(20_000)));
}

#[test]
fn what_comes_after_a_use_that_was_waited_for_sees_it() {
    let model = || {
        let buffer = Buffer::new();
        let writer = {
            let buffer = buffer.clone();
            thread::spawn(move || buffer.call(1, true))
        };
        let reader = {
            let buffer = buffer.clone();
            thread::spawn(move || buffer.call(2, false))
        };
        writer.join().expect("the thread does not panic");
        // The writer's call returned: this one comes after it, whatever the other thread does meanwhile.
        buffer.call(3, false);
        assert!(buffer.device().seen[3][1] >= 1, "the reader does not come after the write");
        reader.join().expect("the thread does not panic");
        buffer.free();
    };
    shuttle::check_pct(model, orders(10_000), 3);
}
