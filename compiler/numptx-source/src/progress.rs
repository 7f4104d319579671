//! What a compilation is at, for whoever shows it while it runs.

use std::fmt;
use std::sync::Arc;

/// Told of each piece of work as it begins, by whichever thread does it; [`Progress::default`] tells nobody.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Told>>);

type Told = dyn Fn(&str, &str) + Send + Sync;

impl Progress {
    /// Calls `told` with a stage and the function, the pass or the tool that is at work in it.
    pub fn new(told: impl Fn(&str, &str) + Send + Sync + 'static) -> Progress {
        Progress(Some(Arc::new(told)))
    }

    /// Work begins.
    pub fn begins(&self, stage: &str, what: &str) {
        if let Some(told) = &self.0 {
            told(stage, what);
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Progress" } else { "Progress of which nobody is told" })
    }
}
