//! **Does**: makes two versions of each function that writes one of several array parameters: `f` for calls whose written parameters overlap
//! no other parameter, `f.mayalias` for all others.
//! **Requires**: phase Source.
//! **Ensures**: the aliasing of every function says which calls it serves; every call is served by exactly one version of its overload.
//! **Keeps**: bodies, signatures, order of functions; a version follows the function that it was made of. Versions stay as they are, so that what was
//! dumped after this pass can be compiled on.
//! **Example**: `axpy.0(%x, %y)` with `assign %y, …` becomes `axpy.0` (noalias) and `axpy.0.mayalias`.

use numptx_ir::array::{Aliasing, Function, Module};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::points_to::{PointsTo, written_arrays};

/// See the file's header.
pub const SPLIT_ALIASING: Pass = Pass::required(
    "split-aliasing",
    "compile functions that write one of several arrays once for disjoint and once for overlapping arguments",
    split_aliasing,
);

/// The same with the version for all calls alone where there would be two: a test's way to see it run.
pub const ASSUME_ALIASING: Pass = Pass { run: assume_aliasing, ..SPLIT_ALIASING };

fn split_aliasing(module: &mut Module) -> Result<(), InternalError> {
    make_versions(module, true);
    Ok(())
}

fn assume_aliasing(module: &mut Module) -> Result<(), InternalError> {
    make_versions(module, false);
    Ok(())
}

fn make_versions(module: &mut Module, may_assume_disjoint: bool) {
    for mut function in std::mem::take(&mut module.functions) {
        // The callers of a routine know nothing of its arguments.
        if function.is_routine || is_version(&function) {
            module.functions.push(function);
            continue;
        }
        let is_split = is_overlap_possible(&mut function);
        function.aliasing = Aliasing::NoAlias;
        let name = format!("{}{SUFFIX}", function.name);
        if may_assume_disjoint || !is_split {
            module.functions.push(function.clone());
        }
        if is_split {
            module.functions.push(Function { name, aliasing: Aliasing::MayAlias, ..function });
        }
    }
}

/// Of the names of versions for all calls.
const SUFFIX: &str = ".mayalias";

/// Whether a function was made by this pass.
fn is_version(function: &Function) -> bool {
    function.aliasing == Aliasing::NoAlias || function.name.ends_with(SUFFIX)
}

/// Whether a parameter is written and could overlap another one.
fn is_overlap_possible(function: &mut Function) -> bool {
    let arrays: Vec<_> = function.parameters.iter().filter(|v| function.array(**v).is_some()).copied().collect();
    if arrays.len() < 2 {
        return false;
    }
    function.aliasing = Aliasing::NoAlias;
    let points_to = PointsTo::of(function);
    let written = function.body.ops.iter().flat_map(written_arrays);
    written.into_iter().any(|v| points_to.locations(v).iter().any(|l| arrays.contains(l)))
}
