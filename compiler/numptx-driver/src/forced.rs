//! Versions of a program that nobody would choose: what the compiler can do without, left out on purpose.
//!
//! In: the pass lists. Out: the lists of a compilation, with passes exchanged or taken out. Results do not change; tests compare them.

use numptx_ir::array::Phase;
use numptx_ir::kernel::{Kernel, Schedule};
use numptx_ir::scalar::Code;
use numptx_passes::{
    ASSUME_ALIASING, FORM_NESTS, FUSE_MAPS, FUSE_REDUCTIONS, PLACE_STORES, Pass, Placing, SPLIT_ALIASING,
    forming_nests_by, placing,
};

use crate::lists::ARRAY_PASSES;

/// What is forced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forced {
    /// Every call takes the version for arguments that may overlap.
    pub mayalias: bool,
    /// Every array that a store reads is copied first.
    pub snapshots: bool,
    /// Whether arrays overlap is asked when running, even where it is known when compiling. `snapshots` leaves nothing to ask.
    pub late: bool,
    /// Every computation is a kernel of its own, whose results are copied to where they belong.
    pub unfused: bool,
    /// Optional passes that do not run, by name.
    pub without: Vec<String>,
    /// The strategy by which loops run, of [`strategies`]; those for which it has no kernels are the host's.
    pub choose: Option<String>,
}

impl Forced {
    /// The passes that start from `phase` or later, in order.
    pub fn passes(&self, phase: Phase) -> Vec<Pass> {
        let lists = ARRAY_PASSES.iter().filter(|(from, _)| *from >= phase);
        lists.flat_map(|(_, passes)| *passes).filter(|pass| self.runs(pass)).map(|pass| self.exchanged(pass)).collect()
    }

    fn runs(&self, pass: &Pass) -> bool {
        let is_fusion = pass.name == FUSE_MAPS.name || pass.name == FUSE_REDUCTIONS.name;
        pass.required || !(self.unfused && is_fusion || self.without.iter().any(|name| name == pass.name))
    }

    fn way(&self) -> Placing {
        match (self.snapshots, self.late, self.unfused) {
            (false, false, false) => Placing::Usual,
            (false, false, true) => Placing::Apart,
            (false, true, false) => Placing::Late,
            (false, true, true) => Placing::LateApart,
            (true, _, false) => Placing::Snapshots,
            (true, _, true) => Placing::SnapshotsApart,
        }
    }

    fn exchanged(&self, pass: &Pass) -> Pass {
        if self.mayalias && pass.name == SPLIT_ALIASING.name {
            return ASSUME_ALIASING;
        }
        if pass.name == PLACE_STORES.name {
            return placing(self.way());
        }
        let chosen = self.choose.as_deref().filter(|_| pass.name == FORM_NESTS.name);
        chosen.and_then(forming_nests_by).unwrap_or(*pass)
    }
}

/// Makes the kernels' schedules fit device indices of 8 bits, in which all elements of a block have numbers. Cooperative programs have no narrow variants.
pub(crate) fn narrow(kernels: &mut [Kernel]) {
    for kernel in kernels.iter_mut().filter(|kernel| !kernel.code().is_some_and(Code::is_cooperative)) {
        let Schedule { block, vector } = &mut kernel.schedule;
        (*block, *vector) = (NARROW_BLOCK, NARROW_VECTOR.min(*vector));
    }
}

/// Threads of a block, and elements of a thread at most, where indices have 8 bits.
const NARROW_BLOCK: u32 = 32;
const NARROW_VECTOR: u32 = 4;

/// The strategies that can be forced.
pub fn strategies() -> Vec<&'static str> {
    numptx_passes::strategies()
}

/// The names of the passes that can be left out.
pub fn optional_passes() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for pass in ARRAY_PASSES.iter().flat_map(|(_, passes)| *passes) {
        if !pass.required && !names.contains(&pass.name) {
            names.push(pass.name);
        }
    }
    names
}
