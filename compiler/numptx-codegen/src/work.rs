//! Independent jobs, done by all cores.
//!
//! In: jobs in order. Out: what each made, in the same order, and the seconds that it took. Which core does which job changes nothing else: a job
//! has an LLVM context of its own, and how much is one job depends on the program alone.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use numptx_source::{InternalError, Progress};

/// LLVM goes deep into nested expressions; address space costs nothing until it is used.
const STACK_BYTES: usize = 256 << 20;

/// Something to be made.
pub struct Job<'a, T> {
    /// The stage that it belongs to.
    pub stage: &'static str,
    /// The function or kernel that it begins with.
    pub what: String,
    /// How long it will take, beside others: the longest are done first.
    weight: usize,
    make: Box<dyn FnOnce() -> Result<T, InternalError> + Send + 'a>,
}

impl<'a, T: 'a> Job<'a, T> {
    /// A job of so much text.
    pub(crate) fn new(
        stage: &'static str,
        what: &str,
        weight: usize,
        make: impl FnOnce() -> Result<T, InternalError> + Send + 'a,
    ) -> Job<'a, T> {
        Job { stage, what: what.to_owned(), weight, make: Box::new(make) }
    }

    /// The same job, with something done to what it makes.
    pub fn then<U>(self, next: impl FnOnce(T) -> U + Send + 'a) -> Job<'a, U> {
        let make = self.make;
        Job { stage: self.stage, what: self.what, weight: self.weight, make: Box::new(move || make().map(next)) }
    }
}

/// What a job made.
pub struct Made<T> {
    /// The stage that it belongs to.
    pub stage: &'static str,
    /// The thing itself.
    pub value: T,
    /// Seconds that it took.
    pub seconds: f64,
}

/// Does all jobs.
///
/// # Errors
/// That of the first job that failed, in their order.
pub fn do_all<T: Send>(jobs: Vec<Job<'_, T>>, progress: &Progress) -> Result<Vec<Made<T>>, InternalError> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|n| std::cmp::Reverse(jobs[*n].weight));
    let (next, order) = (AtomicUsize::new(0), &order);
    let waiting: Vec<Mutex<Option<Job<'_, T>>>> = jobs.into_iter().map(|job| Mutex::new(Some(job))).collect();
    let work = || {
        let mut made = Vec::new();
        while let Some(n) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            let job = waiting[*n].lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(Job { stage, what, make, .. }) = job else { continue };
            progress.begins(stage, &what);
            let start = Instant::now();
            let value = make();
            let seconds = start.elapsed().as_secs_f64();
            made.push((*n, value.map(|value| Made { stage, value, seconds })));
        }
        made
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut made = std::thread::scope(|scope| {
        let helper = || std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        // A thread that cannot be started leaves its work to the others.
        let helpers: Vec<_> = (1..cores.min(waiting.len())).filter_map(|_| helper().ok()).collect();
        let mut made = work();
        for helper in helpers {
            match helper.join() {
                Ok(more) => made.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        made
    });
    made.sort_by_key(|(n, _)| *n);
    made.into_iter().map(|(_, made)| made).collect()
}

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
        assert_eq!(made.iter().map(|made| made.value).collect::<Vec<_>>(), (0..40).map(|n| n * 2).collect::<Vec<_>>());
    }

    #[test]
    fn the_first_failure_is_told() {
        let fails = |n: usize| move || Err(InternalError::new("test", format!("job {n}")));
        let jobs = (0..4).map(|n| Job::<()>::new("test", "job", n, fails(n))).collect();
        assert_eq!(do_all(jobs, &Progress::default()).err().map(|e| e.message).as_deref(), Some("job 0"));
    }
}
