//! Library functions: their names on each side, and glibc's vector versions of them.
//!
//! | side | `exp` of float64 | of float32 |
//! | --- | --- | --- |
//! | host | `exp` | `expf` |
//! | libdevice | `__nv_exp` | `__nv_expf` |
//! | libclc | `_Z3expd` | `_Z3expf` |

use inkwell::values::FloatValue;
use numptx_ir::DType;
use numptx_ir::scalar::{Body, Code, InstrKind, MATH_FUNCTIONS, ScalarOp, StmtKind};

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
    code.block.for_each_stmt(&mut |stmt| {
        if let StmtKind::Op(op) = &stmt.kind {
            uses |= stmt.operands.first().is_some_and(|v| calls(op, code.dtype(*v)));
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

/// Functions of the math library that machine code calls beside those of [`MATH_FUNCTIONS`]: what operations and LLVM's instructions become, by C's names
/// for the double versions.
const OTHERS: [&str; 16] = [
    "pow",
    "fmod",
    "sincos",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "nearbyint",
    "round",
    "roundeven",
    "fma",
    "sqrt",
    "fabs",
    "copysign",
    "ldexp",
    "fdim",
];

/// Whether machine code may call this function of the machine's math library, or vector version of one.
pub(crate) fn is_math_function(name: &str) -> bool {
    let is_known = |stem: &str| MATH_FUNCTIONS.iter().any(|f| f.stem == stem) || OTHERS.contains(&stem);
    is_known(name) || name.strip_suffix('f').is_some_and(is_known) || VectorVersion::of(name).is_some()
}

/// What a name of a vector version says: `_ZGVdN4v_exp`.
pub(crate) struct VectorVersion {
    /// C's name of the function for one element.
    pub scalar: String,
    /// Elements of a vector.
    pub lanes: u32,
    /// Number of arguments.
    pub arity: usize,
    /// Whether elements have 32 bits, not 64.
    pub is_single: bool,
    /// The least processor that has its registers.
    pub level: &'static str,
}

impl VectorVersion {
    /// Of a version that [`host_variants`] gives.
    pub fn of(name: &str) -> Option<VectorVersion> {
        let (_, scalar) = name.strip_prefix("_ZGV")?.split_once('_')?;
        let lanes = |bytes: u32| host_variants(scalar, bytes).into_iter().find(|variant| variant.name == name);
        let levels = [("x86-64-v2", 16), ("x86-64-v3", 32), ("x86-64-v4", 64)];
        let (level, bytes, lanes) =
            levels.into_iter().find_map(|(level, bytes)| Some((level, bytes, lanes(bytes)?.lanes)))?;
        let stem = scalar.strip_suffix('f').unwrap_or(scalar);
        let arity = LIBMVEC.iter().find(|row| row.0 == scalar || row.0 == stem)?.1;
        Some(VectorVersion { scalar: scalar.to_string(), lanes, arity, is_single: lanes * 4 == bytes, level })
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_vector_versions_say_what_they_take() {
        for (stem, arity) in LIBMVEC {
            for (name, bytes, is_single) in [(stem.to_string(), 8, false), (format!("{stem}f"), 4, true)] {
                for (variant, (width, level)) in
                    host_variants(&name, 64).iter().zip([(16, "x86-64-v2"), (32, "x86-64-v3"), (64, "x86-64-v4")])
                {
                    let version = VectorVersion::of(&variant.name).expect("a version's name");
                    assert_eq!((version.scalar, version.lanes, version.arity), (name.clone(), width / bytes, arity));
                    assert_eq!((version.is_single, version.level), (is_single, level), "{}", variant.name);
                    assert!(is_math_function(&variant.name));
                }
            }
        }
        assert!(VectorVersion::of("_ZGVdN4v_no").is_none() && VectorVersion::of("exp").is_none());
    }

    #[test]
    fn math_functions_are_known_by_name() {
        for name in ["exp", "expf", "lgammaf", "pow", "fmodf", "erf", "sincos"] {
            assert!(is_math_function(name), "{name}");
        }
        for name in ["memcpy", "f", "", "__udivti3", "_ZGVdN4v_no"] {
            assert!(!is_math_function(name), "{name}");
        }
    }
}
