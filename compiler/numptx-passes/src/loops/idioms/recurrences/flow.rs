//! What is known of the values of an iteration while its statements are followed.

use std::collections::HashMap;

use numptx_ir::scalar::{BodyBuilder, Code, Reducer, ScalarOp, Val};

/// A value of the loop, as far as it is known how carried values enter it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// They do not: a value of the body.
    Plain(Val),
    /// The carried value itself, as it was.
    Carried(usize),
    /// That, combined with a value of the body.
    Combined(usize, Reducer, Val),
    /// That, times a value of the body and plus another one.
    Affine(usize, Val, Val),
    /// Whether a value of the body beats it.
    Beats(Contest),
    /// The value of the body where it beats it, else itself.
    Best(Contest),
    /// Another carried value: a value of the body where the contest is won, else itself.
    Beside(usize, Contest, Val),
    /// A value of the body where a condition holds, else the carried value.
    Set(usize, Val, Val),
    /// What a carried value is after the loops inside.
    Final(usize),
    /// Nothing is known.
    Opaque,
}

/// A comparison of a value of the body with a carried value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contest {
    /// The carried value.
    pub carried: usize,
    /// `Lt`, `Le`, `Gt` or `Ge`: the body's value is on the left.
    pub op: ScalarOp,
    /// The body's value.
    pub value: Val,
    /// The contest takes place only where this holds.
    pub when: Option<Val>,
}

/// What input of a body stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Input of the program.
    Scalar(u32),
    /// What an access of the program reads.
    Element(usize),
}

/// A loop whose work items may be taken in any order.
#[derive(Debug)]
pub struct Recurrences {
    /// What is computed at a work item, whose index counts from 0 along each loop.
    pub body: BodyBuilder,
    /// What its inputs are.
    pub inputs: Vec<Source>,
    /// What its tables are.
    pub tables: Vec<u32>,
    /// How many loops there are.
    pub n_loops: usize,
    /// The index of each loop, as a value of the body, outermost first: its first index, and its step.
    pub indices: Vec<(Val, Val, Val)>,
    /// What each carried value becomes.
    pub becomes: Vec<Known>,
    /// Whether a check of a value of the body fails at a work item; `None` if there is none.
    pub fails: Option<Val>,
    /// The tables that are read where that does not fail, else at their first element: they need one.
    pub checked_tables: Vec<u32>,
    /// Checks of carried values, by their numbers in the order of the program.
    pub carried_checks: Vec<usize>,
    /// The accesses that store, by their numbers, and what they store; each in every iteration of the loops around it.
    pub stored: Vec<(usize, Known)>,
    /// Contests of which the second takes place where the first is lost, and is taken to be lost where that is won: the carried value that becomes the
    /// smaller one may not be the larger one first.
    pub exclusive: Vec<[Contest; 2]>,
}

impl Recurrences {
    /// Whether there are checks of carried values.
    pub fn is_checked(&self) -> bool {
        !self.carried_checks.is_empty()
    }
}

/// What is known of accesses, by their numbers in order.
pub struct Reads<'r> {
    /// Of one that reads one element after the other, the first one that reads the same.
    pub streams: &'r dyn Fn(usize) -> Option<usize>,
    /// Whether one reads what the iteration before stored: carried value 0, by another name.
    pub is_previous: &'r dyn Fn(usize) -> bool,
}

pub(crate) struct Flow<'c> {
    pub(crate) code: &'c Code,
    pub(crate) reads: &'c Reads<'c>,
    pub(crate) body: BodyBuilder,
    pub(crate) inputs: Vec<Source>,
    pub(crate) tables: Vec<u32>,
    pub(crate) known: HashMap<Val, Known>,
    pub(crate) n_accesses: usize,
    pub(crate) n_loops: usize,
    pub(crate) n_carried: usize,
    pub(crate) indices: Vec<(Val, Val, Val)>,
    pub(crate) becomes: Option<Vec<Known>>,
    pub(crate) stored: Vec<(usize, Known)>,
    pub(crate) fails: Option<Val>,
    pub(crate) checked_tables: Vec<u32>,
    pub(crate) carried_checks: Vec<usize>,
    pub(crate) n_checks: usize,
    /// The branches around: the condition, if the body has it, and whether this is where it holds.
    pub(crate) path: Vec<(Option<Val>, bool)>,
    pub(crate) exclusive: Vec<[Contest; 2]>,
}

impl Flow<'_> {
    pub(crate) fn of(&self, val: Val) -> Known {
        self.known.get(&val).copied().unwrap_or(Known::Opaque)
    }

    pub(crate) fn plain(&self, val: Val) -> Option<Val> {
        if let Known::Plain(val) = self.of(val) { Some(val) } else { None }
    }
}
