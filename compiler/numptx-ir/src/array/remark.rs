//! Optimisation remarks: what passes did at places of the source, and why. For reports to people: no pass reads it, and it is neither printed nor parsed.
//!
//! A function has its remarks in [`Function::remarks`](super::Function), so that each version of an export has its own.

use numptx_source::Span;

/// A remark of a pass about a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Remark {
    /// The place: of a loop the span of its op, which is its header; else that of the expression.
    pub span: Span,
    /// What was decided.
    pub kind: RemarkKind,
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RemarkKind {
    /// How a loop runs.
    Loop {
        /// Where its iterations run.
        strategy: LoopStrategy,
        /// Why it is not better; `None` where nothing hinders it.
        reason: Option<Reason>,
        /// The loop whose `if` chooses between this and the loop as written; `None` where there is no choice.
        guard: Option<Span>,
    },
    /// The user states that the iterations of a loop are independent, and these two accesses depend on each other in some calls.
    Contradicted(Dependence),
    /// Why one thread runs a loop in its order where the condition does not hold under which it runs by a better strategy.
    Elsewhere(Reason),
    /// A loop is no scan only because its values would be rounded in another order.
    Rounded(Accumulation),
    /// Of a loop in phases, what is between two barriers belongs to several iterations.
    Tiled,
    /// A form of a loop that was compared with others.
    Candidate(Candidate),
    /// Computed inside the kernel of another place, so that no array is made of it.
    Fused {
        /// That place.
        into: Span,
    },
    /// What is read here was copied first, because a store overwrites it.
    Copied {
        /// Its name, if it has one.
        array: Option<String>,
        /// Whether that is decided when running.
        late: bool,
    },
}

/// A form of a loop that was compared with others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// What was done to the loop before kernels were made of it.
    pub form: &'static str,
    /// What the host starts for it, in order: kernels by who runs them, `host { … }` around those of a loop's iterations.
    pub launches: String,
    /// What that is expected to take beside its accesses to memory, where a size that is not known is a thousand. `None`: it is not possible. Unit: µs.
    pub microseconds: Option<u64>,
    /// What has to hold for it to be right and worth it, in words, as its guard asks and its work items check; else the loop runs in another form. Empty
    /// where it is not possible.
    pub assumptions: Vec<String>,
    /// What prevents it.
    pub prevents: Option<String>,
    /// Whether the loop runs so.
    pub is_chosen: bool,
}

/// What a loop makes of a value that it carries and stores in each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Accumulation {
    /// It adds to it.
    Sum,
    /// It multiplies it.
    Product,
    /// It keeps the smaller or the larger one.
    Extreme,
    /// It combines it bit by bit, or sets it to a fixed truth.
    Bits,
    /// It multiplies it and adds to it, or sets it in some iterations.
    Affine,
}

/// How a loop runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoopStrategy {
    /// Its iterations are points of a kernel, which run at the same time.
    Parallel,
    /// The same, and some reads look at a copy made before.
    ParallelWithSnapshot,
    /// The same, and what it accumulates is combined.
    Reduction,
    /// The same along a running total.
    Scan,
    /// Each point of a kernel runs all of it, around the parallel loops in it.
    Interchanged,
    /// One kernel runs it; its points go in fronts along which nothing depends on each other.
    Wavefront,
    /// One kernel runs it, with a barrier between dependent phases.
    Phases,
    /// The same, and what is between two barriers belongs to several iterations.
    TiledPhases,
    /// Each point of a kernel runs all of it.
    InWorkItem,
    /// One thread of a kernel runs all of it.
    OneThread,
    /// The host runs it and starts kernels for arrays in each iteration.
    AroundKernels,
    /// The host runs it and starts a kernel for each element.
    ElementByElement,
    /// The host runs it; no kernel is started in it.
    Host,
}

/// Why a loop does not run by a better strategy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Two accesses of different iterations to one element.
    Dependence(Dependence),
    /// Something else.
    Stated {
        /// In words: lower case, no full stop.
        text: String,
        /// What it is about; `None`: the loop itself.
        at: Option<Span>,
    },
}

/// Two accesses of different iterations to one element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependence {
    /// The access of the earlier iteration.
    pub source: Span,
    /// The access of the later one.
    pub sink: Span,
    /// What they are.
    pub kind: DependenceKind,
    /// How many iterations lie between, if it is always the same number.
    pub distance: Option<i64>,
    /// How many iterations lie between at least.
    pub least: i64,
    /// How many lie between, where that is a value of the program: a formula.
    pub formula: Option<String>,
}

/// What two accesses are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DependenceKind {
    /// A write, then a read of it.
    Flow,
    /// A write, then a write over it.
    Output,
    /// A read, then a write over what was read.
    Anti,
}

impl Reason {
    /// A reason in words, about the loop itself.
    #[must_use]
    pub fn stated(text: impl Into<String>) -> Self {
        Reason::Stated { text: text.into(), at: None }
    }
}

impl Remark {
    /// How the loop at a place runs.
    #[must_use]
    pub fn of_loop(span: Span, strategy: LoopStrategy, reason: Option<Reason>, guard: Option<Span>) -> Self {
        Remark { span, kind: RemarkKind::Loop { strategy, reason, guard } }
    }
}
