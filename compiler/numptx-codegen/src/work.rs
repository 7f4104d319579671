//! Independent jobs, done by all cores.
//!
//! In: jobs in order. Out: what each made, in the same order, and the seconds that it took. A job may leave further ones, whose results follow its own.
//! Which core does which job changes nothing else: a job has an LLVM context of its own, and how much is one job depends on the program alone.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use numptx_source::{InternalError, Progress};

/// LLVM goes deep into nested expressions; address space costs nothing until it is used.
const STACK_BYTES: usize = 256 << 20;

type Make<'a, T> = Box<dyn FnOnce() -> Result<Done<'a, T>, InternalError> + Send + 'a>;

/// Something to be made.
pub struct Job<'a, T> {
    /// The stage that it belongs to.
    pub stage: &'static str,
    /// The function or kernel that it begins with.
    pub what: String,
    /// How long it will take, beside others: the longest are done first.
    weight: usize,
    make: Make<'a, T>,
}

/// What a job made, and what is to be done then.
pub(crate) struct Done<'a, T> {
    /// The thing itself, if there is one.
    pub value: Option<T>,
    /// Jobs that could not begin before.
    pub next: Vec<Job<'a, T>>,
}

impl<'a, T: 'a> Job<'a, T> {
    /// A job of so much text.
    pub(crate) fn new(
        stage: &'static str,
        what: &str,
        weight: usize,
        make: impl FnOnce() -> Result<T, InternalError> + Send + 'a,
    ) -> Job<'a, T> {
        Job::with_next(stage, what, weight, move || Ok(Done { value: Some(make()?), next: Vec::new() }))
    }

    /// A job that may leave others.
    pub(crate) fn with_next(
        stage: &'static str,
        what: &str,
        weight: usize,
        make: impl FnOnce() -> Result<Done<'a, T>, InternalError> + Send + 'a,
    ) -> Job<'a, T> {
        Job { stage, what: what.to_owned(), weight, make: Box::new(make) }
    }

    /// The same job, with something done to what it and those after it make.
    pub fn then<U: 'a>(self, next: impl Fn(T) -> U + Clone + Send + 'a) -> Job<'a, U> {
        let Job { stage, what, weight, make } = self;
        let make = move || {
            let done = make()?;
            let jobs = done.next.into_iter().map(|job| job.then(next.clone())).collect();
            Ok(Done { value: done.value.map(&next), next: jobs })
        };
        Job { stage, what, weight, make: Box::new(make) }
    }
}

/// What a job made.
pub struct Made<T> {
    /// The stage that it belongs to.
    pub stage: &'static str,
    /// The thing itself; a job may make nothing.
    pub value: Option<T>,
    /// Seconds that it took.
    pub seconds: f64,
}

/// A job's place in the order of results: that of the one that left it, and its number among those.
type Place = Vec<usize>;

/// Jobs that nobody has begun, and how many are being done, which may leave more.
struct Queue<'a, T> {
    waiting: Vec<(Place, Job<'a, T>)>,
    running: usize,
}

struct Shared<'a, T> {
    queue: Mutex<Queue<'a, T>>,
    changed: Condvar,
}

/// A job that is being done. Others are told when it is over, also where it panics.
struct Running<'s, 'a, T>(&'s Shared<'a, T>);

impl<T> Drop for Running<'_, '_, T> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.changed.notify_all();
    }
}

impl<'a, T> Shared<'a, T> {
    fn lock(&self) -> MutexGuard<'_, Queue<'a, T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The longest job that waits, the first one of several; waits for jobs that others may leave.
    fn next(&self) -> Option<(Place, Job<'a, T>, Running<'_, 'a, T>)> {
        let mut queue = self.lock();
        loop {
            let longest =
                queue.waiting.iter().enumerate().max_by_key(|(_, (place, job))| (job.weight, std::cmp::Reverse(place)));
            if let Some((n, _)) = longest {
                let (place, job) = queue.waiting.swap_remove(n);
                queue.running += 1;
                return Some((place, job, Running(self)));
            }
            if queue.running == 0 {
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Does all jobs, and those that they leave.
///
/// # Errors
/// That of the first job that failed, in their order.
pub fn do_all<T: Send>(jobs: Vec<Job<'_, T>>, progress: &Progress) -> Result<Vec<Made<T>>, InternalError> {
    let n_jobs = jobs.len();
    let waiting = jobs.into_iter().enumerate().map(|(n, job)| (vec![n], job)).collect();
    let shared = Shared { queue: Mutex::new(Queue { waiting, running: 0 }), changed: Condvar::new() };
    let work = || {
        let mut made = Vec::new();
        while let Some((place, Job { stage, what, make, .. }, running)) = shared.next() {
            progress.begins(stage, &what);
            let start = Instant::now();
            let done = make();
            let seconds = start.elapsed().as_secs_f64();
            let value = done.map(|Done { value, next }| {
                let next = next.into_iter().enumerate().map(|(n, job)| ([place.as_slice(), &[n]].concat(), job));
                shared.lock().waiting.extend(next);
                Made { stage, value, seconds }
            });
            drop(running);
            made.push((place, value));
        }
        made
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut made = std::thread::scope(|scope| {
        let helper = || std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        // A thread that cannot be started leaves its work to the others.
        let helpers: Vec<_> = (1..cores.min(n_jobs * MOST_NEXT)).filter_map(|_| helper().ok()).collect();
        let mut made = work();
        for helper in helpers {
            match helper.join() {
                Ok(more) => made.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        made
    });
    made.sort_by(|(a, _), (b, _)| a.cmp(b));
    made.into_iter().map(|(_, made)| made).collect()
}

/// Jobs that one job becomes, itself included, about.
const MOST_NEXT: usize = 3;

/// Ranges of neighbours whose weights add up to about `most`.
pub(crate) fn shares(weights: &[usize], most: usize) -> Vec<std::ops::Range<usize>> {
    let mut shares: Vec<std::ops::Range<usize>> = Vec::new();
    let mut so_far = 0;
    for (n, weight) in weights.iter().enumerate() {
        match shares.last_mut() {
            Some(last) if so_far + weight <= most => last.end = n + 1,
            _ => {
                shares.push(n..n + 1);
                so_far = 0;
            }
        }
        so_far += weight;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_hold_everything_once_and_no_more_than_they_may() {
        assert_eq!(shares(&[3, 3, 3, 9, 1, 1], 6), [0..2, 2..3, 3..4, 4..6]);
        assert_eq!(shares(&[], 6), []);
    }

    #[test]
    fn jobs_are_done_in_any_order_and_told_in_theirs() {
        let jobs = (0..40).map(|n| Job::new("test", "job", 40 - n, move || Ok(n)).then(|n| n * 2)).collect();
        let made = do_all(jobs, &Progress::default()).expect("no job fails");
        let values: Vec<usize> = made.iter().filter_map(|made| made.value).collect();
        assert_eq!(values, (0..40).map(|n| n * 2).collect::<Vec<_>>());
    }

    #[test]
    fn jobs_that_others_leave_follow_them() {
        let leaf = |n: usize| Job::new("test", "leaf", n, move || Ok(n));
        let job = |n: usize| {
            let next = move || {
                Ok(Done {
                    value: n.is_multiple_of(2).then_some(10 * n),
                    next: vec![leaf(10 * n + 1), leaf(10 * n + 2)],
                })
            };
            Job::with_next("test", "job", n, next)
        };
        let made =
            do_all((0..3).map(|n| job(n).then(|n| n + 100)).collect(), &Progress::default()).expect("no job fails");
        let values: Vec<Option<usize>> = made.iter().map(|made| made.value).collect();
        let wanted = [Some(100), Some(101), Some(102), None, Some(111), Some(112), Some(120), Some(121), Some(122)];
        assert_eq!(values, wanted);
    }

    #[test]
    fn the_first_failure_is_told() {
        let fails = |n: usize| move || Err(InternalError::new("test", format!("job {n}")));
        let jobs = (0..4).map(|n| Job::<()>::new("test", "job", n, fails(n))).collect();
        assert_eq!(do_all(jobs, &Progress::default()).err().map(|e| e.message).as_deref(), Some("job 0"));
    }
}
