//! What holds on some paths only.

use numptx_source::Report;

use crate::syntax::liveness::Names;

/// Paths that end, and names that only some paths bind.
#[derive(Default)]
pub(crate) struct Paths {
    /// A call that never returns was lowered, and what follows it in its region is not reached.
    pub diverged: bool,
    /// Names of which the program remembers whether they have a value.
    pub remembered: Names,
    /// Names that were read where some paths bind them and others do not.
    pub wanted: Names,
    /// Reports of names that have no value in the first iteration of a loop.
    pub held_back: Vec<Report>,
}

impl Paths {
    /// Names to remember in a further attempt at the function, if there are more than in this one.
    pub fn further_names(&self) -> Option<Names> {
        let more = !self.wanted.is_subset(&self.remembered);
        more.then(|| self.wanted.union(&self.remembered).cloned().collect())
    }
}
