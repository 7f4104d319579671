//! Arrays of draws: [`RANDOM_DRAW_ARRAY`](numptx_abi::object::RANDOM_DRAW_ARRAY), whose array and memory are those of whoever carries it out.
//!
//! In: the operation's operands. Out: what is to be drawn, once its parameters are what the method demands, and the generator's state to draw of.

use numptx_abi::dtype;
use numptx_abi::object::{RANDOM_IS_UNSIGNED, RANDOM_OF_ARRAYS};
use numptx_random::{Method, Number, Of, Random, STAGES, check, demanded};

use super::{drawn, method_of, narrowed};
use crate::failure::{Failure, Outcome};
use crate::object::{Item, Reference};
use crate::run::operands::{Operands, list};

/// Draws of one method, one for each element of an array.
pub struct Draws {
    method: &'static Method,
    columns: Columns,
    /// How many there are.
    pub count: usize,
    /// Of the array: a code of [`numptx_abi::dtype`].
    pub dtype: u8,
}

impl Draws {
    /// NumPy's name of the method; `_f32` ends those of float32.
    pub fn method(&self) -> &'static str {
        self.method.name
    }

    /// The parameters as words, where all draws have the same.
    pub fn constant(&self) -> Option<[u64; 3]> {
        let n = self.method.parameters.len();
        (self.columns.longest(n) == 1).then(|| narrowed(self.method, self.columns.at(0)))
    }

    /// Draws so many of the first ones, each a word of 64 bits whose lower ones are the element's.
    pub fn first(&self, n: usize, random: &mut Random, mut give: impl FnMut(u64)) {
        match self.constant() {
            Some(words) => (0..n).for_each(|_| give((self.method.draw)(random, words))),
            None => {
                (0..n).for_each(|draw| give((self.method.draw)(random, narrowed(self.method, self.columns.at(draw)))));
            }
        }
    }
}

/// Has an array drawn. Where that fails, the generator is as it was.
///
/// # Errors
/// What NumPy raises where a parameter is wrong, and what `draw` fails with.
pub fn draw_array<R: Reference, T, F: From<Failure>>(
    operands: &[Item<R>],
    draw: impl FnOnce(&Draws, &mut Random) -> Result<T, F>,
) -> Result<T, F> {
    let mut operands = Operands::new(operands);
    let (generator, code) = drawn(&mut operands)?;
    let method = method_of(code)?;
    let n = method.parameters.len();
    let references = [operands.reference()?, operands.reference()?, operands.reference()?];
    let count = usize::try_from(operands.int()?).unwrap_or(0);
    operands.end()?;
    // What a method has no parameter for is some list, which nobody reads.
    let mut columns = Columns::of([0, 1, 2].map(|at| references[if at < n { at } else { 0 }]))?;
    columns.columns[n..].iter_mut().for_each(|column| *column = vec![0]);
    let of = if code & RANDOM_OF_ARRAYS != 0 { Of::Array } else { Of::Scalar };
    for stage in 0..STAGES {
        for draw in 0..columns.checked(n, demanded(method, stage)) {
            check(method, generator.style, of, stage, narrowed(method, columns.at(draw))).map_err(Failure::from)?;
        }
    }
    let dtype = match method.result {
        Number::Double => dtype::FLOAT64,
        Number::Single => dtype::FLOAT32,
        Number::Int if code & RANDOM_IS_UNSIGNED != 0 => dtype::UINT64,
        Number::Int => dtype::INT64,
    };
    generator.attempt(|random| draw(&Draws { method, columns, count, dtype }, random))
}

/// Parameters: lists of one number, or of one for each draw.
struct Columns {
    columns: [Vec<u64>; 3],
}

impl Columns {
    fn of<R: Reference>(references: [&R; 3]) -> Outcome<Columns> {
        let mut columns = [Vec::new(), Vec::new(), Vec::new()];
        for (column, reference) in columns.iter_mut().zip(references) {
            *column = list(reference, |list| Ok(list.words().to_vec()))?;
        }
        Ok(Columns { columns })
    }

    /// How many numbers the longest one of the first ones has.
    fn longest(&self, n: usize) -> usize {
        self.columns[..n].iter().map(Vec::len).max().unwrap_or(1)
    }

    /// For how many draws a check is made: an empty argument has nothing that could be wrong.
    fn checked(&self, n: usize, demanded: Option<usize>) -> usize {
        match demanded {
            Some(at) => self.columns[..n].get(at).map_or(0, Vec::len),
            None if self.columns[..n].iter().any(Vec::is_empty) => 0,
            None => self.longest(n),
        }
    }

    fn at(&self, draw: usize) -> [u64; 3] {
        [0, 1, 2].map(|n| match self.columns[n].as_slice() {
            [all] => *all,
            column => column.get(draw).copied().unwrap_or(0),
        })
    }
}
