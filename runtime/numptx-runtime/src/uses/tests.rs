//! Random uses of one buffer by several streams, beside clocks that tell what each stream has seen.

use super::shared::SharedUses;
use super::state::{StreamKey, UseState};

const STREAMS: usize = 4;

/// A stream by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbered(usize);

impl StreamKey for Numbered {
    fn key(&self) -> usize {
        self.0 << 3
    }

    fn is_quiet(&self) -> bool {
        true
    }
}

/// How many uses of each stream come before what each stream does next.
struct Device {
    seen: [[u64; STREAMS]; STREAMS],
    done: Vec<(usize, u64, bool)>,
    waits: usize,
}

impl Device {
    fn new() -> Device {
        Device { seen: [[0; STREAMS]; STREAMS], done: Vec::new(), waits: 0 }
    }

    fn wait(&mut self, stream: usize, other: usize) {
        assert_ne!(stream, other, "a stream never waits for itself");
        self.waits += 1;
        for of in 0..STREAMS {
            self.seen[stream][of] = self.seen[stream][of].max(self.seen[other][of]);
        }
    }

    fn use_buffer(&mut self, stream: usize, write: bool) {
        for (other, number, wrote) in &self.done {
            let conflicts = write || *wrote;
            assert!(
                !conflicts || self.seen[stream][*other] >= *number,
                "stream {stream} does not see use {number} of {other}"
            );
        }
        self.seen[stream][stream] += 1;
        self.done.push((stream, self.seen[stream][stream], write));
    }

    /// What the free on `home` has to wait for.
    fn check_free(&mut self, home: usize, streams: &[Numbered]) {
        let before = self.seen;
        streams.iter().filter(|stream| stream.0 != home).for_each(|stream| self.wait(home, stream.0));
        for (stream, number, _) in &self.done {
            assert!(self.seen[home][*stream] >= *number, "the free does not wait for use {number} of {stream}");
        }
        self.seen = before;
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn enter(uses: &SharedUses<Numbered>, device: &mut Device, stream: usize, write: bool) {
    let stream = Numbered(stream);
    if !uses.is_of(stream.key(), write) {
        let wait = |other: &Numbered| {
            device.wait(stream.0, other.0);
            Ok::<_, ()>(())
        };
        uses.enter(Some(stream.key()), stream, write, wait).expect("the waits do not fail");
    }
    device.use_buffer(stream.0, write);
}

#[test]
fn every_use_sees_what_it_has_to_and_the_free_waits_for_all() {
    for seed in 1..3000 {
        let mut random = Random(seed);
        let mut device = Device::new();
        let uses = SharedUses::new(if seed % 2 == 0 { UseState::Nobody } else { UseState::written_on(Numbered(0)) });
        if seed % 2 == 1 {
            device.use_buffer(0, true);
        }
        for _ in 0..24 {
            let (stream, write) = (random.below(STREAMS as u64) as usize, random.below(3) == 0);
            enter(&uses, &mut device, stream, write);
            let home = random.below(STREAMS as u64) as usize;
            if uses.is_alone(Numbered(home).key()) {
                device.check_free(home, &[]);
            } else {
                device.check_free(home, &uses.streams());
            }
        }
    }
}

#[test]
fn a_buffer_that_stays_on_its_stream_is_not_noted_again() {
    let uses = SharedUses::new(UseState::written_on(Numbered(1)));
    assert!(uses.is_of(Numbered(1).key(), true) && uses.is_alone(Numbered(1).key()));
    assert!(!uses.is_of(Numbered(2).key(), false));
    // After it moved, the new stream alone has work with it.
    let mut device = Device::new();
    enter(&uses, &mut device, 2, true);
    assert_eq!(device.waits, 1);
    assert!(uses.is_of(Numbered(2).key(), true) && uses.is_alone(Numbered(2).key()));
    assert_eq!(uses.streams(), [Numbered(2)]);
}

#[test]
fn readers_do_not_wait_for_readers() {
    let uses = SharedUses::new(UseState::written_on(Numbered(0)));
    let mut device = Device::new();
    for stream in [1, 2, 3, 1, 2, 3] {
        enter(&uses, &mut device, stream, false);
    }
    assert_eq!(device.waits, 3, "each waits once for the writer");
    enter(&uses, &mut device, 0, true);
    assert_eq!(device.waits, 6, "the writer waits for each of them");
}

#[test]
fn a_first_write_by_the_only_reader_is_noted() {
    let uses = SharedUses::new(UseState::Nobody);
    let mut device = Device::new();
    enter(&uses, &mut device, 0, false);
    assert!(uses.is_of(Numbered(0).key(), false) && !uses.is_of(Numbered(0).key(), true));
    enter(&uses, &mut device, 0, true);
    enter(&uses, &mut device, 1, false);
    assert_eq!(device.waits, 1);
}

#[test]
fn a_use_whose_order_failed_stays_announced() {
    let uses = SharedUses::new(UseState::written_on(Numbered(0)));
    let failed = uses.enter(Some(Numbered(1).key()), Numbered(1), true, |_| Err(()));
    assert_eq!(failed, Err(()));
    // Whoever comes next waits for the old writer as well.
    assert_eq!(uses.before(Some(Numbered(2).key()), false), [Numbered(0), Numbered(1)]);
}

#[test]
fn the_stream_of_each_thread_waits_for_everybody_and_is_noted_as_the_default_one() {
    let (default, other) = (Numbered(0), Numbered(1));
    let uses = SharedUses::new(UseState::written_on(default));
    assert_eq!(uses.before(None, false), [default]);
    uses.enter(None, default, true, |_| Ok::<_, ()>(())).expect("nothing fails");
    assert_eq!(uses.before(Some(other.key()), false), [default]);
    assert_eq!(uses.before(Some(default.key()), true), []);
}

#[test]
fn streams_that_are_spent_are_forgotten_but_not_those_of_other_libraries() {
    let uses = SharedUses::new(UseState::written_on(Numbered(0)));
    let mut device = Device::new();
    (1..STREAMS).for_each(|stream| enter(&uses, &mut device, stream, false));
    uses.lend(Numbered(1));
    uses.forget_spent(STREAMS, |_| true);
    assert_eq!(uses.streams().len(), STREAMS, "there are few of them");
    uses.forget_spent(STREAMS - 1, |stream| stream.0 != 2);
    assert_eq!(uses.streams(), [Numbered(1), Numbered(2)]);
}
