//! What lowering does with the arguments of a row before the table is called, as data of the row.

use super::Function;

/// What lowering knows of a row.
#[derive(Clone, Copy, Debug)]
pub struct Lowering {
    /// Ints that 64 bits do not hold take the dtype of the other arguments, or the one that is asked for.
    pub takes_large_ints: bool,
    /// It makes an array of members one by one, each converted to the dtype that is asked for.
    pub converts_members: bool,
    /// Of more than two arguments it is that of the first two, and of what this gives and the others.
    pub is_of_pairs: bool,
    /// It looks at values before it computes, or writes elsewhere: where a mask is false, it must not be computed.
    pub looks_first: bool,
    /// How it takes an array apart.
    pub splitting: Option<Splitting>,
}

/// How a function takes an array apart.
#[derive(Clone, Copy, Debug)]
pub struct Splitting {
    /// The axis, or nothing where the call says it.
    pub axis: Option<i64>,
    /// The fewest axes of the array.
    pub least: usize,
    /// Whether a number of parts has to divide the extent.
    pub is_equal: bool,
}

impl Lowering {
    pub(super) const NONE: Lowering = Lowering {
        takes_large_ints: false,
        converts_members: false,
        is_of_pairs: false,
        looks_first: false,
        splitting: None,
    };
}

impl Function {
    /// Takes ints beyond 64 bits.
    pub(super) const fn large_ints(self) -> Self {
        Function { lowering: Lowering { takes_large_ints: true, ..self.lowering }, ..self }
    }

    /// Converts members one by one.
    pub(super) const fn converts_members(self) -> Self {
        Function { lowering: Lowering { converts_members: true, ..self.lowering }, ..self }
    }

    /// Of more than two arguments it is one of pairs.
    pub(super) const fn of_pairs(self) -> Self {
        Function { lowering: Lowering { is_of_pairs: true, ..self.lowering }, ..self }
    }

    /// Looks at values before it computes.
    pub(super) const fn looks_first(self) -> Self {
        Function { lowering: Lowering { looks_first: true, ..self.lowering }, ..self }
    }

    /// Takes an array apart.
    pub(super) const fn splits(self, axis: Option<i64>, least: usize, is_equal: bool) -> Self {
        Function {
            lowering: Lowering { splitting: Some(Splitting { axis, least, is_equal }), ..self.lowering },
            ..self
        }
    }
}
