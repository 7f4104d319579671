//! Plans of transforms by their lengths, made once and shared by all threads.

use std::collections::HashMap;
use std::hint::spin_loop;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// Plans that are kept at most; where one more comes, all are dropped.
const KEPT: usize = 32;
/// The sum of their lengths at most: a plan holds a few numbers for each.
const KEPT_LENGTH: usize = 1 << 23;
/// Tries before a plan is made although another thread may have it.
const TRIES: usize = 1000;

/// Plans of one kind: by length, and whether they are inverse.
pub(crate) struct Plans<P: ?Sized>(Mutex<Option<Table<P>>>);

type Table<P> = HashMap<(usize, bool), Arc<P>>;

impl<P: ?Sized> Plans<P> {
    /// None yet.
    pub const fn new() -> Plans<P> {
        Plans(Mutex::new(None))
    }

    /// The plan, which is made where there is none.
    pub fn get(&self, length: usize, inverse: bool, make: impl FnOnce() -> Arc<P>) -> Arc<P> {
        let key = (length, inverse);
        if let Some(plans) = self.lock()
            && let Some(plan) = plans.as_ref().and_then(|plans| plans.get(&key))
        {
            return plan.clone();
        }
        // Made outside of the lock: a long plan takes long.
        let plan = make();
        if let Some(mut plans) = self.lock() {
            let plans = plans.get_or_insert_default();
            let held: usize = plans.keys().map(|(length, _)| length).sum();
            if plans.len() >= KEPT || held.saturating_add(length) > KEPT_LENGTH {
                plans.clear();
            }
            plans.insert(key, plan.clone());
        }
        plan
    }

    /// Never waits long: in a forked child another thread, which is no more, may hold the lock forever, and then plans are made anew. Nobody holds it for
    /// longer than a look into the table takes.
    fn lock(&self) -> Option<MutexGuard<'_, Option<Table<P>>>> {
        for _ in 0..TRIES {
            match self.0.try_lock() {
                Ok(guard) => return Some(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => spin_loop(),
            }
        }
        None
    }
}
