//! The last look before code generation: LLVM ends the whole process where it cannot select an instruction, so a module may call only what is
//! known to have a PTX form.

use inkwell::module::Module;

use super::library::{is_used, undefined_functions};
use crate::error::{Emit, bug};

/// Intrinsics that LLVM selects for PTX, or expands before selection, by the begin of their names.
const SELECTABLE: [&str; 50] = [
    "llvm.abs.",
    "llvm.assume",
    "llvm.bitreverse.",
    "llvm.bswap.",
    "llvm.canonicalize.",
    "llvm.ceil.",
    "llvm.copysign.",
    "llvm.ctlz.",
    "llvm.ctpop.",
    "llvm.cttz.",
    "llvm.experimental.noalias.scope.decl",
    "llvm.fabs.",
    "llvm.floor.",
    "llvm.fma.",
    "llvm.fmuladd.",
    "llvm.fptosi.sat.",
    "llvm.fptoui.sat.",
    "llvm.fshl.",
    "llvm.fshr.",
    "llvm.is.fpclass.",
    "llvm.ldexp.",
    "llvm.lifetime.",
    "llvm.maximum.",
    "llvm.maximumnum.",
    "llvm.maxnum.",
    "llvm.memcpy.",
    "llvm.memset.",
    "llvm.minimum.",
    "llvm.minimumnum.",
    "llvm.minnum.",
    "llvm.nearbyint.",
    "llvm.nvvm.",
    "llvm.rint.",
    "llvm.roundeven.",
    "llvm.round.",
    "llvm.sadd.",
    "llvm.scmp.",
    "llvm.smax.",
    "llvm.smin.",
    "llvm.smul.with.overflow.",
    "llvm.sqrt.",
    "llvm.ssub.",
    "llvm.trunc.",
    "llvm.uadd.",
    "llvm.ucmp.",
    "llvm.umax.",
    "llvm.umin.",
    "llvm.umul.with.overflow.",
    "llvm.usub.",
    "llvm.vector.reduce.",
];

/// Refuses a module that calls a function it does not define, or an intrinsic that is not known to be selectable.
pub(super) fn check(module: &Module<'_>) -> Emit<()> {
    if let Some(name) = undefined_functions(module).first() {
        return Err(bug(format!("device code calls `{name}`, which is not defined")));
    }
    for function in module.get_functions().filter(|f| f.get_intrinsic_id() != 0 && is_used(*f)) {
        let name = function.get_name().to_string_lossy();
        if !SELECTABLE.iter().any(|prefix| name.starts_with(prefix)) {
            return Err(bug(format!("device code calls `{name}`, which has no known PTX form")));
        }
    }
    Ok(())
}
