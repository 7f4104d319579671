//! What the host starts for a loop: kernels, and loops of its own around them.
//!
//! In: nothing. Out: [`Launch`]es, a part of a schedule, by which [`super::cost`] compares versions of a loop; their text, and what holds of them.

use std::fmt::{Display, Formatter, Result};

/// What the host starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Launch {
    /// A kernel.
    Kernel {
        /// Who runs it.
        threads: Threads,
        /// How many iterations a thread runs one after another, as far as that is known.
        iterations: f64,
        /// How often its threads wait for each other.
        barriers: f64,
    },
    /// A loop on the host.
    Loop {
        /// How many iterations it has, as far as that is known.
        iterations: f64,
        /// What each iteration starts.
        body: Vec<Launch>,
    },
}

/// Who runs a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// One thread.
    One,
    /// A thread for each iteration.
    Iterations,
    /// A thread for each chunk of iterations, which combines in arrays of its own.
    Chunks,
    /// A thread for each element of an array, as `map` and `reduce` have them.
    Elements,
    /// The threads of a cooperative kernel, one wavefront after another.
    Wavefronts,
    /// The threads of a cooperative kernel, phase after phase.
    Phases,
}

impl Threads {
    fn name(self) -> &'static str {
        match self {
            Threads::One => "serial",
            Threads::Iterations => "parallel",
            Threads::Chunks => "chunks",
            Threads::Elements => "elements",
            Threads::Wavefronts => "wavefronts",
            Threads::Phases => "phases",
        }
    }

    fn is_cooperative(self) -> bool {
        matches!(self, Threads::Wavefronts | Threads::Phases)
    }
}

/// Whether a kernel of loops among launches fulfils something.
pub fn has_kernel(launches: &[Launch], fulfils: &dyn Fn(Threads) -> bool) -> bool {
    launches.iter().any(|launch| match launch {
        Launch::Kernel { threads, .. } => fulfils(*threads),
        Launch::Loop { body, .. } => has_kernel(body, fulfils),
    })
}

/// Whether threads of a kernel wait for each other.
pub fn has_cooperative_kernel(launches: &[Launch]) -> bool {
    has_kernel(launches, &Threads::is_cooperative)
}

/// Whether the host starts kernels of loops in each iteration of a loop, none of which is a cooperative one.
pub fn has_launches_in_loop(launches: &[Launch]) -> bool {
    let is_nest = |threads| threads != Threads::Elements;
    launches.iter().any(|launch| match launch {
        Launch::Kernel { .. } => false,
        Launch::Loop { body, .. } => has_kernel(body, &is_nest) && !has_cooperative_kernel(body),
    })
}

impl Display for Launch {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Launch::Kernel { threads, .. } => write!(f, "{}", threads.name()),
            Launch::Loop { body, .. } => write!(f, "host {{ {} }}", text(body)),
        }
    }
}

/// Launches in order, in one line.
pub fn text(launches: &[Launch]) -> String {
    launches.iter().map(Launch::to_string).collect::<Vec<String>>().join("; ")
}
