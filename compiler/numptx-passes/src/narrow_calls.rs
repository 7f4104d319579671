//! **Does**: finds out to which of its arrays each routine writes, and says so of every call.
//! **Requires**: phase Source.
//! **Ensures**: a call's `written` are operands to which the routine, or one that it calls, may write.
//! **Keeps**: everything else.
//! **Example**: `call<"sum.routine.0", 1> %d, %x` becomes `call<"sum.routine.0"> %d, %x` where the routine only reads `%x`.

use std::collections::BTreeMap;

use numptx_ir::array::{Aliasing, Function, Module, OpKind, Region};
use numptx_source::InternalError;

use crate::Pass;
use crate::points_to::{PointsTo, written_arrays};

/// See the file's header.
pub const NARROW_CALLS: Pass = Pass {
    name: "narrow-calls",
    sentence: "find out which arrays functions that call themselves write to",
    required: true,
    run: narrow_calls,
};

/// Parameters that a routine writes, by its name.
type Written = BTreeMap<String, Vec<usize>>;

fn narrow_calls(module: &mut Module) -> Result<(), InternalError> {
    let routines = module.functions.iter().filter(|f| f.is_routine);
    let mut written: Written = routines.map(|f| (f.name.clone(), Vec::new())).collect();
    if written.is_empty() {
        return Ok(());
    }
    // Each round adds what calls write that are written to by then; nothing is ever taken away.
    loop {
        module.functions.iter_mut().for_each(|f| note(&mut f.body, &written));
        let routines = module.functions.iter().filter(|f| f.is_routine);
        let found: Written = routines.map(|f| (f.name.clone(), written_parameters(f))).collect();
        if found == written {
            return Ok(());
        }
        written = found;
    }
}

fn note(region: &mut Region, by_routine: &Written) {
    for op in &mut region.ops {
        if let OpKind::Call { routine, written } = &mut op.kind {
            *written = by_routine.get(routine).cloned().unwrap_or_default();
        }
        op.regions.iter_mut().for_each(|nested| note(nested, by_routine));
    }
}

fn written_parameters(function: &Function) -> Vec<usize> {
    let apart = Function { aliasing: Aliasing::NoAlias, ..function.clone() };
    let points_to = PointsTo::of(&apart);
    let arrays: Vec<_> = apart.body.ops.iter().flat_map(written_arrays).collect();
    let is_written = |n: &usize| arrays.iter().any(|v| points_to.locations(*v).contains(&apart.parameters[*n]));
    (0..apart.parameters.len()).filter(is_written).collect()
}
