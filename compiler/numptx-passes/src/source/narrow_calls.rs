//! **Does**: finds out to which of its arrays each routine writes, and of which its results may be views, and says so of every call.
//! **Requires**: phase Source.
//! **Ensures**: a call's `written` are operands to which the routine, or one that it calls, may write; its `viewed` are those that
//! results may view.
//! **Keeps**: everything else.
//! **Example**: `call<"sum.routine.0", 1> %d, %x` becomes `call<"sum.routine.0"> %d, %x` where the routine only reads `%x`.

use std::collections::BTreeMap;

use numptx_ir::array::{Aliasing, Function, Module, OpKind, Region, Type, ValueId};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::traverse::terminator_operands;

/// See the file's header.
pub const NARROW_CALLS: Pass =
    Pass::required("narrow-calls", "find out which arrays functions that call themselves write to", narrow_calls);

/// What a routine does with its parameters.
#[derive(Clone, Default, PartialEq)]
struct Uses {
    written: Vec<usize>,
    viewed: Vec<usize>,
}

/// By the routine's name.
type Routines = BTreeMap<String, Uses>;

fn narrow_calls(module: &mut Module) -> Result<(), InternalError> {
    let routines = module.functions.iter().filter(|f| f.is_routine);
    let mut known: Routines = routines.map(|f| (f.name.clone(), Uses::default())).collect();
    if known.is_empty() {
        return Ok(());
    }
    // Each round adds what calls write and give that are known to by then; nothing is ever taken away.
    loop {
        module.functions.iter_mut().for_each(|f| note(&mut f.body, &known));
        let routines = module.functions.iter().filter(|f| f.is_routine);
        let found: Routines = routines.map(|f| (f.name.clone(), uses_of_parameters(f))).collect();
        if found == known {
            return Ok(());
        }
        known = found;
    }
}

fn note(region: &mut Region, by_routine: &Routines) {
    for op in &mut region.ops {
        if let OpKind::Call { routine, written, viewed } = &mut op.kind {
            let uses = by_routine.get(routine).cloned().unwrap_or_default();
            (*written, *viewed) = (uses.written, uses.viewed);
        }
        op.regions.iter_mut().for_each(|nested| note(nested, by_routine));
    }
}

fn uses_of_parameters(function: &Function) -> Uses {
    let apart = Function { aliasing: Aliasing::NoAlias, ..function.clone() };
    let points_to = PointsTo::of(&apart);
    let among = |arrays: &[ValueId]| {
        // Lists and dictionaries are objects that all who know them share: who knows them is counted when running.
        let is_array = |n: &usize| matches!(apart.ty(apart.parameters[*n]), Type::Array(_));
        let is_one =
            |n: &usize| is_array(n) && arrays.iter().any(|v| points_to.locations(*v).contains(&apart.parameters[*n]));
        (0..apart.parameters.len()).filter(is_one).collect()
    };
    let written: Vec<ValueId> = apart.body.ops.iter().flat_map(written_arrays).collect();
    Uses { written: among(&written), viewed: among(terminator_operands(&apart.body)) }
}
