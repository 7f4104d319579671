//! Hazards of stores: whether one point of an elementwise store could read what another point writes.
//!
//! In: a destination and an operand of a function under rebuild. Out: never, always as far as can be told, or to be asked when running. The first
//! rests on different locations and on footprints that do not meet; an answer of «always» costs a copy, a wrong one nothing else.

use numptx_ir::array::ValueId;

use crate::analysis::memory::Writes;
use crate::rewrite::emit::Emitter;

/// What is known of an operand of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// The operand shares no element with the destination, or each point reads only the element that it writes itself.
    None,
    /// They may share elements; where each lies is known when running.
    Late,
    /// They share elements whatever the arguments, but for few extents.
    Certain,
}

/// How much care is taken; tests force other than the usual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// As much as is needed.
    Usual,
    /// Every array that a store reads counts as shared.
    Snapshots,
    /// Every array that may share memory is asked for when running.
    Late,
    /// No array counts as shared.
    None,
}

/// Answers about one function.
pub struct Hazards {
    /// Where memory is written.
    pub writes: Writes,
    /// What is forced.
    pub care: Care,
}

impl Hazards {
    /// The hazard of reading `operand` while `destination` is written.
    pub fn of(&self, emitter: &Emitter, destination: ValueId, operand: ValueId) -> Hazard {
        let may_share = || operand != destination && self.writes.may_share(emitter, operand, destination);
        match self.care {
            _ if emitter.is_scalar(operand) => Hazard::None,
            Care::None => Hazard::None,
            Care::Snapshots => Hazard::Certain,
            _ if !may_share() => Hazard::None,
            Care::Late => Hazard::Late,
            Care::Usual if self.writes.is_older(emitter, operand, destination) => Hazard::None,
            Care::Usual if emitter.are_disjoint(operand, destination) => Hazard::None,
            Care::Usual if emitter.do_meet(operand, destination) => Hazard::Certain,
            Care::Usual => Hazard::Late,
        }
    }
}
