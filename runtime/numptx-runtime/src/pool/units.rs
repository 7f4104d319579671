//! The units of a launch, which threads take in ranges, each once.
//!
//! In: how many there are. Out: ranges, until there is none left or the caller ends or pauses it.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

/// Units `0..n`. Whoever takes a range owns it; what threads write there is ordered by the offer that they take part in.
pub(super) struct Units {
    n: i64,
    next: AtomicI64,
    /// The next one, kept while there is a pause.
    kept: AtomicI64,
}

impl Units {
    pub(super) fn new(n: i64) -> Units {
        Units { n, next: AtomicI64::new(0), kept: AtomicI64::new(n) }
    }

    /// The next range, of at most `size` units.
    pub(super) fn take(&self, size: i64) -> Option<(i64, i64)> {
        let begin = self.next.fetch_add(size, Ordering::Relaxed);
        (begin < self.n).then(|| (begin, self.n.min(begin + size)))
    }

    /// How many nobody has taken.
    pub(super) fn left(&self) -> i64 {
        (self.n - self.next.load(Ordering::Relaxed)).max(0)
    }

    /// From now on nobody finds a range.
    pub(super) fn end(&self) {
        self.next.store(self.n, Ordering::Relaxed);
    }

    /// The same until [`Units::go_on`].
    pub(super) fn pause(&self) {
        self.kept.store(self.next.swap(self.n, Ordering::Relaxed), Ordering::Relaxed);
    }

    /// After a pause, when nobody else takes ranges.
    pub(super) fn go_on(&self) {
        self.next.store(self.kept.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// How many units go together. They are multiples of `grain`, `first` to begin with and `most` at most.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) grain: i64,
    pub(crate) first: i64,
    pub(crate) most: i64,
}

/// Ranges that take less are joined, so that taking them costs little beside them.
const SHORT: Duration = Duration::from_micros(20);
/// Ranges that take more are halved, so that threads end together and the caller is asked often.
const LONG: Duration = Duration::from_millis(1);

impl Sizes {
    /// The size of the next range, after one that took so long.
    fn after(&self, size: i64, took: Duration) -> i64 {
        if took < SHORT {
            size.saturating_mul(2).min(self.most)
        } else if took > LONG {
            (size / 2 / self.grain * self.grain).max(self.grain)
        } else {
            size
        }
    }

    fn is_fixed(&self) -> bool {
        self.most == self.grain
    }
}

/// A thread's ranges: how large the next one is.
pub(super) struct Pace<'a> {
    sizes: &'a Sizes,
    size: i64,
    is_timed: bool,
}

impl Pace<'_> {
    /// `is_timed`: also where sizes do not depend on it.
    pub(super) fn new(sizes: &Sizes, is_timed: bool) -> Pace<'_> {
        Pace { sizes, size: sizes.first, is_timed: is_timed || !sizes.is_fixed() }
    }

    /// Takes a range and runs it; how many units that were, and what time they took. `None`: nothing is left.
    pub(super) fn step(&mut self, units: &Units, run: &(dyn Fn(i64, i64) + Sync)) -> Option<(i64, Duration)> {
        let (begin, end) = units.take(self.size)?;
        let clock = self.is_timed.then(Instant::now);
        run(begin, end);
        let took = clock.map_or(Duration::ZERO, |clock| clock.elapsed());
        if self.is_timed {
            self.size = self.sizes.after(self.size, took);
        }
        Some((end - begin, took))
    }
}
