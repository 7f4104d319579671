//! The loops of elementwise functions: a compact text of types in, the loop that NumPy runs for some operands out.
//!
//! A loop's types are NumPy's type characters. `("bhf", "xx->x")` stands for `bb->b hh->h ff->f`.

use crate::DType;
use crate::promotion::{self, Casting, Operand};

/// Types and a pattern in which `x` stands for each of them.
pub type LoopPattern = (&'static str, &'static str);

/// A loop: the dtypes that inputs are cast to, and those of the outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Of the inputs.
    pub inputs: Vec<DType>,
    /// Of the outputs.
    pub outputs: Vec<DType>,
}

/// What the search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The first loop that all operands can be cast to safely.
    Loop(Loop),
    /// There is none.
    Nothing,
}

/// The characters of one loop, inputs and outputs.
type Characters = (Vec<char>, Vec<char>);

/// Every loop of some patterns, in order.
pub fn characters(patterns: &[LoopPattern]) -> impl Iterator<Item = Characters> + '_ {
    patterns.iter().flat_map(|(types, pattern)| {
        let (inputs, outputs) = pattern.split_once("->").unwrap_or((pattern, ""));
        let fill = |text: &str, c: char| text.chars().map(|p| if p == 'x' { c } else { p }).collect::<Vec<char>>();
        types.chars().map(move |c| (fill(inputs, c), fill(outputs, c)))
    })
}

/// Every loop that numptx computes.
pub fn loops(patterns: &[LoopPattern]) -> impl Iterator<Item = Loop> + '_ {
    characters(patterns).filter_map(|(inputs, outputs)| to_loop(&inputs, &outputs))
}

fn to_loop(inputs: &[char], outputs: &[char]) -> Option<Loop> {
    let dtypes = |characters: &[char]| characters.iter().map(|c| from_character(*c)).collect::<Option<Vec<DType>>>();
    Some(Loop { inputs: dtypes(inputs)?, outputs: dtypes(outputs)? })
}

fn from_character(character: char) -> Option<DType> {
    DType::ALL.into_iter().find(|d| d.character() == character)
}

/// The first loop to which all operands can be cast safely; weak ones take the common dtype of the others.
pub fn find(patterns: &[LoopPattern], operands: &[Operand]) -> Found {
    let strong = promotion::strong_type(operands);
    let dtypes: Vec<DType> = operands.iter().map(|o| o.beside(strong)).collect();
    let fits =
        |inputs: &[char]| inputs.len() == dtypes.len() && inputs.iter().zip(&dtypes).all(|(c, d)| is_safe(*d, *c));
    match characters(patterns).find(|(inputs, _)| fits(inputs)) {
        Some((inputs, outputs)) => to_loop(&inputs, &outputs).map_or(Found::Nothing, Found::Loop),
        None => Found::Nothing,
    }
}

/// The first loop whose first output is `dtype` and to which all operands can be cast so far: `dtype=` of ufuncs.
pub fn find_with_output(patterns: &[LoopPattern], operands: &[Operand], dtype: DType, casting: Casting) -> Found {
    let strong = promotion::strong_type(operands);
    let dtypes: Vec<DType> = operands.iter().map(|o| o.beside(strong)).collect();
    let fits = |l: &Loop| {
        l.outputs.first() == Some(&dtype)
            && l.inputs.len() == dtypes.len()
            && dtypes.iter().zip(&l.inputs).all(|(from, to)| promotion::can_cast(*from, *to, casting))
    };
    loops(patterns).find(|l| fits(l)).map_or(Found::Nothing, Found::Loop)
}

fn is_safe(from: DType, to: char) -> bool {
    from_character(to).is_some_and(|to| promotion::can_cast(from, to, Casting::Safe))
}
