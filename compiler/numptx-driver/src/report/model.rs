//! The report of a compilation: datatypes only. They are its schema: `docs/report.md` describes them, and `serde` writes them as JSON.

use numptx_ir::array::LoopStrategy;
use serde::{Serialize, Serializer};

use super::words;

/// Raised with every change of the schema that a reader could notice, except for new fields.
pub const SCHEMA: u32 = 1;

/// What one file became.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// `numptx 0.1.0`.
    pub compiler: String,
    /// As the user wrote it.
    pub file: String,
    /// The module's name, as Python imports it.
    pub module: String,
    /// The source text, and those of the files that it imports, each under a comment with its path. Offsets count its bytes in UTF-8.
    pub source: String,
    /// `for` and `while` statements, in order.
    pub loops: Vec<LoopReport>,
    /// The versions of each exported overload, in order.
    pub versions: Vec<Version>,
    /// Kernels, in order.
    pub kernels: Vec<KernelReport>,
}

/// A place of the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The file, where it is one that the source imports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// In its file, counted from 1.
    pub line: usize,
    /// In the text of all files, counted from 1.
    #[serde(skip)]
    pub listed_line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    /// The text there.
    pub text: String,
}

/// A loop statement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoopReport {
    /// Its header: `i in range(n)`, or the condition of a `while`.
    pub at: Place,
    /// `for` or `while`.
    pub keyword: &'static str,
    /// What it became; those versions in which it became the same stand together. Empty: nothing is left of it, because it was unrolled, does
    /// nothing, or is in a function that no export calls.
    pub outcomes: Vec<LoopOutcome>,
    /// The forms of it that were compared, in pairs, in the order in which one of each pair was chosen.
    pub candidates: Vec<CandidateReport>,
}

/// A form of a loop that was compared with another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CandidateReport {
    /// The versions, as [`Version::name`] has them.
    pub versions: Vec<String>,
    /// What was done to the loop before kernels were made of it.
    pub form: &'static str,
    /// What the host starts for it: kernels by who runs them, `host { … }` around those of each iteration of a loop.
    pub launches: String,
    /// What that is expected to take beside its accesses to memory, where a size that is not known is a thousand; `null`: it is not possible.
    pub microseconds: Option<u64>,
    /// What has to hold for it to be right and worth it, in words; else the loop runs in another form. Empty where it is not possible.
    pub assumptions: Vec<String>,
    /// What prevents it.
    pub prevents: Option<String>,
    /// Whether it was taken. A further comparison may have left out both.
    pub is_chosen: bool,
}

/// What a loop became in some versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoopOutcome {
    /// The versions, as [`Version::name`] has them.
    pub versions: Vec<String>,
    /// How it runs.
    #[serde(serialize_with = "strategy_name")]
    pub strategy: LoopStrategy,
    /// The same in words.
    pub summary: &'static str,
    /// What has to hold when the function is called; elsewhere the loop runs as it is written, on the host. `None`: nothing, or what a
    /// loop around it says.
    pub condition: Option<String>,
    /// Whether one thread runs the loop in its order where the condition does not hold, as far as no check fails then.
    pub is_in_order_elsewhere: bool,
    /// Why it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason_elsewhere: Option<ReasonReport>,
    /// Whether a device is given each iteration's kernels as one graph, where the host runs the loop and that is worth it.
    pub is_replayed: bool,
    /// Why it does not run by a better strategy.
    pub reason: Option<ReasonReport>,
}

/// Why a loop does not run by a better strategy.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum ReasonReport {
    /// An iteration touches what an earlier one touched.
    Dependence {
        /// In words.
        text: String,
        /// `flow`: written, then read; `anti`: read, then written; `output`: written twice.
        sort: &'static str,
        /// The access of the earlier iteration.
        earlier: Place,
        /// The access of the later one.
        later: Place,
        /// How many iterations lie between; `null` if not always the same number.
        distance: Option<i64>,
        /// How many lie between at least.
        least: i64,
        /// How many lie between, where that is a value of the program.
        formula: Option<String>,
    },
    /// Something else.
    Stated {
        /// In words.
        text: String,
        /// What it is about.
        at: Option<Place>,
    },
}

/// A function of the library: an overload, for calls whose arguments overlap or do not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Version {
    /// Unique in the module.
    pub name: String,
    /// The exported function.
    pub export: String,
    /// The export line: `f(float64[:], int)`.
    pub signature: String,
    /// `no-overlap`: taken where no written argument overlaps another; `any`: taken otherwise, or the only version.
    pub arguments: &'static str,
    /// What has to hold for loops to run as kernels, as their [`LoopOutcome::condition`]s say. The texts of amounts are for calls where it does.
    pub assumes: Vec<String>,
    /// Kernels started in a call.
    pub launches: Amount,
    /// Arrays allocated in a call.
    pub allocations: Amount,
    /// Copies that `reshape` and its like make in a call.
    pub copies: Amount,
    /// How often a call waits for a device, apart from its end.
    pub synchronisations: Amount,
    /// Computations that are made in the kernel of another place, so that no array is made of them.
    pub fusions: Vec<Fusion>,
    /// Arrays that are copied because a store overwrites what it reads.
    pub snapshots: Vec<Snapshot>,
    /// What a call does, in the order of the program.
    pub steps: Vec<Step>,
}

/// A number that may depend on the arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// For people: `3`, `2·n`, `1 if n > 0 else 0`. Where [`Version::assumes`] holds.
    pub text: String,
    /// At least so many, in any call.
    pub least: u64,
    /// At most so many, in any call; `null` if that depends on the arguments.
    pub most: Option<u64>,
    /// How the text binds, for those who put several together.
    #[serde(skip)]
    pub(super) binding: Binding,
}

/// How tightly a formula binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// `a if c else b`
    Choice,
    /// `a + b`
    Sum,
    /// `a·b`, and single terms.
    Product,
}

/// See [`Version::fusions`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fusion {
    /// What is computed.
    pub from: Place,
    /// Where.
    pub into: Place,
}

/// See [`Version::snapshots`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Snapshot {
    /// The store.
    pub at: Place,
    /// The array's name, if it has one.
    pub array: Option<String>,
    /// Whether it is copied only where arrays turn out to overlap.
    pub if_overlapping: bool,
}

/// Something that a call does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The source text that it stands for.
    pub at: Place,
    /// How often.
    pub times: Amount,
    /// Whether it belongs to a loop as it is written, which runs where [`Version::assumes`] does not hold.
    pub elsewhere: bool,
    /// What.
    #[serde(flatten)]
    pub action: Action,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "action")]
pub enum Action {
    /// Starts a kernel.
    Launch {
        /// Its name.
        kernel: String,
        /// Extents of its iteration space, as formulas; none: one work item.
        extents: Vec<String>,
        /// Bytes that it reads, each element counted once. A formula.
        bytes_read: String,
        /// Bytes that it writes, each element counted once. A formula.
        bytes_written: String,
        /// Whether that is an upper bound: the kernel chooses itself which elements it touches.
        chooses_elements: bool,
    },
    /// Allocates an array.
    Allocate {
        /// Its name, if it has one.
        array: Option<String>,
        /// Its size in bytes, a formula.
        bytes: String,
        /// Whether the memory of an array that ends here is taken where that is possible.
        may_reuse: bool,
    },
    /// Copies an array where its strides do not allow a view.
    Copy {
        /// Its size in bytes, a formula.
        bytes: String,
    },
    /// Draws random numbers.
    Draw {
        /// NumPy's method, with `_f32` for float32; of ints, orders and vectors the operation.
        method: String,
        /// `host`: in a call on a device arrays are copied there. `device`: in such a call a kernel draws, of generators that jump ahead.
        by: &'static str,
        /// The same in words.
        text: String,
    },
    /// Reads a scalar on the host; on a device, waits for it.
    Synchronise,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelReport {
    /// Its name.
    pub name: String,
    /// `map`, `reduction`, `scan`, `scatter`, `nest` (a program a work item) or `sequential` (one thread).
    pub class: &'static str,
    /// Axes of its iteration space.
    pub axes: usize,
    /// Memory operands.
    pub operands: Vec<OperandReport>,
    /// Threads of a block.
    pub block: u32,
    /// Where all threads of its one launch wait for each other; absent where they do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<Phases>,
    /// Registers a thread. Known only once the driver, or `ptxas`, has made machine code: `null`, unknown until loaded.
    pub registers: Option<u32>,
    /// Its entries in the portable PTX; empty where none was made.
    pub entries: Vec<Entry>,
}

/// How often the threads of a launch wait for each other: each ends a phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Phases {
    /// In an iteration, or beside all loops, apart from the loops in it.
    pub waits: u32,
    /// Loops in which they wait, in order.
    pub loops: Vec<Phases>,
}

/// A memory operand of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperandReport {
    /// NumPy's name.
    pub dtype: String,
    /// `read`, `write` or `readwrite`.
    pub access: &'static str,
}

/// An entry of the PTX: a kernel's variant for some strides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Virtual registers that PTX declares, by type. Many more than the machine's registers, which share them.
    pub virtual_registers: std::collections::BTreeMap<String, u32>,
}

/// A strategy by its name in the report.
fn strategy_name<S: Serializer>(strategy: &LoopStrategy, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(words::strategy(*strategy).0)
}
