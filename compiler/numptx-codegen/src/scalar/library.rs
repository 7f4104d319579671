//! Library functions: their names on each side, and glibc's vector versions of them.
//!
//! | side | `exp` of float64 | of float32 |
//! | --- | --- | --- |
//! | host | `exp` | `expf` |
//! | libdevice | `__nv_exp` | `__nv_expf` |
//! | libclc | `_Z3expd` | `_Z3expf` |

use inkwell::values::FloatValue;
use numptx_ir::DType;
use numptx_ir::scalar::{Body, Code, InstrKind, ScalarOp, StepKind};

use crate::MathKind;
use crate::emitter::{Emitter, Side};
use crate::error::{Emit, bug};

impl<'ctx> Emitter<'ctx, '_> {
    /// Calls a library function by C's name for its double version.
    pub(super) fn library(&self, stem: &str, arguments: &[FloatValue<'ctx>]) -> Emit<FloatValue<'ctx>> {
        let first = arguments.first().ok_or_else(|| bug(format!("`{stem}` without arguments")))?;
        let is_single = first.get_type() == self.context.f32_type();
        self.call_pure(&self.library_name(stem, is_single, arguments.len())?, arguments)
    }

    fn library_name(&self, stem: &str, is_single: bool, arity: usize) -> Emit<String> {
        let suffix = if is_single { "f" } else { "" };
        match self.side {
            Side::Host => Ok(format!("{stem}{suffix}")),
            Side::Device(Some(MathKind::Libdevice)) => Ok(format!("__nv_{stem}{suffix}")),
            Side::Device(Some(MathKind::Libclc)) => {
                let parameter = if is_single { "f" } else { "d" };
                Ok(format!("_Z{}{stem}{}", stem.len(), parameter.repeat(arity)))
            }
            Side::Device(None) => Err(bug(format!("`{stem}` needs a device math library, and none was given"))),
        }
    }
}

/// Whether a body's operations call library functions on the device.
pub(crate) fn uses_library(body: &Body) -> bool {
    body.instrs.iter().any(|instr| match &instr.kind {
        InstrKind::Op(op, operands) => operands.first().is_some_and(|v| calls(op, body.dtype(*v))),
        _ => false,
    })
}

/// As [`uses_library`], of a structured program.
pub(crate) fn code_uses_library(code: &Code) -> bool {
    let mut uses = false;
    code.block.for_each_step(&mut |step| {
        if let StepKind::Op(op) = &step.kind {
            uses |= step.operands.first().is_some_and(|v| calls(op, code.dtype(*v)));
        }
    });
    uses
}

fn calls(op: &ScalarOp, dtype: DType) -> bool {
    match op {
        ScalarOp::Math(_) => true,
        ScalarOp::Pow | ScalarOp::Mod | ScalarOp::Fmod | ScalarOp::FloorDiv => dtype.is_float(),
        ScalarOp::Abs => dtype.is_complex(),
        _ => false,
    }
}

/// A vector version of a C library function in glibc's libmvec.
pub(crate) struct HostVariant {
    /// `_ZGVdN4v_exp`
    pub name: String,
    /// Elements of a vector.
    pub lanes: u32,
}

/// Functions of libmvec (glibc 2.35), by C's name for the double version, with their number of arguments.
const LIBMVEC: [(&str, usize); 26] = [
    ("acos", 1),
    ("acosh", 1),
    ("asin", 1),
    ("asinh", 1),
    ("atan", 1),
    ("atan2", 2),
    ("atanh", 1),
    ("cbrt", 1),
    ("cos", 1),
    ("cosh", 1),
    ("erf", 1),
    ("erfc", 1),
    ("exp", 1),
    ("exp10", 1),
    ("exp2", 1),
    ("expm1", 1),
    ("hypot", 2),
    ("log", 1),
    ("log10", 1),
    ("log1p", 1),
    ("log2", 1),
    ("pow", 2),
    ("sin", 1),
    ("sinh", 1),
    ("tan", 1),
    ("tanh", 1),
];

/// The vector versions of a C library function that a processor with vectors of `vector_bytes` can run; none if there are none.
pub(crate) fn host_variants(name: &str, vector_bytes: u32) -> Vec<HostVariant> {
    let find = |stem: &str| LIBMVEC.iter().find(|row| row.0 == stem);
    let (row, itemsize) = match (find(name), name.strip_suffix('f').and_then(find)) {
        (Some(row), _) => (row, 8),
        (None, Some(row)) => (row, 4),
        (None, None) => return Vec::new(),
    };
    let sets = [('b', 16), ('d', 32), ('e', 64)];
    let runs = sets.into_iter().filter(|(_, bytes)| *bytes <= vector_bytes);
    runs.map(|(set, bytes)| {
        let lanes = bytes / itemsize;
        HostVariant { name: format!("_ZGV{set}N{lanes}{}_{name}", "v".repeat(row.1)), lanes }
    })
    .collect()
}
