//! The rules of the passes that decide who owns memory, by name, so that tests can break one at a time and see that it is noticed.
//!
//! Outside of this crate's own tests every rule holds, and asking costs nothing.

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A use of a view is a use of its root.
    ViewsUseTheirRoot,
    /// What a region uses is used by the op that the region belongs to.
    RegionsUse,
    /// Everything consumed is retained first.
    RetainWhatIsConsumed,
    /// Before an op that consumes all retains precede all releases.
    RetainsPrecedeReleases,
    /// An owned root is released after its last use, not before.
    ReleaseAfterLastUse,
    /// An owned root that nothing uses is released where it is defined.
    ReleaseUnused,
    /// Before a terminator everything that is left is released.
    ReleaseAtTheEnd,
    /// A root whose last use is in an `if` is released in both branches.
    BranchesRelease,
    /// A branch that does not use such a root releases it at its head.
    ReleaseAtBranchHead,
    /// A root that a loop's body uses lives across the loop.
    LoopsKeepWhatTheyUse,
    /// A loop's body owns its parameters.
    OwnParameters,
    /// The results of branches and loops are owned.
    OwnResults,
    /// A retain and a release are elided only if they are of one root.
    ElideOneRoot,
    /// A retain and a release are elided only right before an op that consumes.
    ElideBesideTheOpThatConsumes,
    /// With a retain its release is elided.
    ElidePairs,
    /// An array's memory is taken after its last use.
    ReuseAfterTheLastUse,
    /// Without asking, an array's memory is taken only by one of the same strides.
    ReuseFits,
    /// An operand that a kernel indexes itself is not taken.
    ReuseReadsItsOwnElement,
    /// No other operand of the launch is a view of memory that is taken.
    ReuseMeetsNoOtherView,
    /// An allocation is moved before a loop only if its array stays in the iteration.
    HoistWhatStays,
    /// Only what is the same in all iterations is moved before a loop.
    HoistWhatIsInvariant,
    /// What is moved before a loop is evaluated only if the loop runs.
    HoistForLoopsThatRun,
    /// A check is moved only past what nobody sees.
    HoistChecksInOrder,
}

/// Whether a rule is kept.
#[cfg(not(test))]
pub fn holds(_rule: Rule) -> bool {
    true
}

#[cfg(test)]
pub use broken::{breaking, holds};

#[cfg(test)]
mod broken {
    use std::cell::Cell;

    use super::Rule;

    thread_local! {
        static BROKEN: Cell<Option<Rule>> = const { Cell::new(None) };
    }

    /// Whether a rule is kept on this thread.
    pub fn holds(rule: Rule) -> bool {
        BROKEN.get() != Some(rule)
    }

    /// Runs `work` on this thread with one rule broken.
    pub fn breaking<T>(rule: Rule, work: impl FnOnce() -> T) -> T {
        BROKEN.set(Some(rule));
        let result = work();
        BROKEN.set(None);
        result
    }
}
