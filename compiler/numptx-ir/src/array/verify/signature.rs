//! `A05` and `A06`: names, and the leaves of the signature.

use super::{Checker, VerifyError};
use crate::DType;
use crate::array::{Module, OpKind, Type};
use crate::signature::{ParameterType, ResultType};

/// `A05`.
pub(super) fn check_names(module: &Module) -> Vec<VerifyError> {
    let mut errors = Vec::new();
    let functions = module.functions.iter().map(|f| &f.name);
    let kernels = module.kernels.iter().map(|k| &k.name);
    for (what, mut names) in [("function", functions.collect::<Vec<_>>()), ("kernel", kernels.collect())] {
        names.sort();
        for (position, name) in names.iter().enumerate() {
            if name.is_empty() || position.checked_sub(1).is_some_and(|before| names[before] == *name) {
                let message = format!("a {what}'s name is empty or taken");
                errors.push(VerifyError { function: name.to_string(), invariant: "A05", message, op: String::new() });
            }
        }
    }
    errors
}

impl Checker<'_> {
    /// `A06`.
    pub(super) fn check_signature(&mut self) {
        let mut leaves = Vec::new();
        self.function.signature.parameters.iter().for_each(|p| parameter_leaves(&p.ty, &mut leaves));
        let found = self.types(&self.function.parameters);
        if !agree(&found, &leaves) {
            self.fail("A06", format!("parameters are {found:?}, the signature's are {leaves:?}"), None);
        }
        let mut leaves = Vec::new();
        result_leaves(&self.function.signature.result, &mut leaves);
        let Some(op) = self.function.body.ops.last().filter(|op| op.kind == OpKind::Return) else { return };
        let n_leaves = leaves.len();
        leaves.extend(self.function.signature.numbered.iter().map(|_| Some((DType::I64, None))));
        let found = self.types(&op.operands);
        if !agree(&found, &leaves) {
            self.fail("A06", format!("results are {found:?}, the signature's are {leaves:?}"), Some(op));
        }
        for (leaf, earlier) in &self.function.signature.same {
            if earlier >= leaf || *leaf >= n_leaves {
                self.fail("A06", format!("result {leaf} cannot be the object of result {earlier}"), Some(op));
            }
        }
        for leaf in &self.function.signature.numbered {
            if *leaf >= n_leaves || !matches!(found[*leaf], Type::Array(_)) {
                self.fail("A06", format!("result {leaf} is no array whose object could have a number"), Some(op));
            }
        }
    }
}

/// Dtype, and rank where it is an array; `None` of an object.
type Leaf = Option<(DType, Option<usize>)>;

fn agree(found: &[Type], leaves: &[Leaf]) -> bool {
    let leaf = |ty: &Type| match ty {
        Type::Scalar(dtype) => Some((*dtype, None)),
        Type::Array(array) => Some((array.dtype, Some(array.rank))),
        Type::Object => None,
    };
    found.iter().map(leaf).eq(leaves.iter().copied())
}

fn parameter_leaves(ty: &ParameterType, leaves: &mut Vec<Leaf>) {
    match ty {
        ParameterType::Scalar { dtype, .. } => leaves.push(Some((*dtype, None))),
        ParameterType::Array { dtype, extents, .. } => leaves.push(Some((*dtype, Some(extents.len())))),
        ParameterType::Tuple(members) | ParameterType::Record(_, members) => {
            members.iter().for_each(|ty| parameter_leaves(ty, leaves));
        }
        ParameterType::Object(_) => leaves.push(None),
        ParameterType::None | ParameterType::Str(_) => {}
    }
}

fn result_leaves(ty: &ResultType, leaves: &mut Vec<Leaf>) {
    match ty {
        ResultType::None => {}
        ResultType::PythonScalar(dtype) | ResultType::NumpyScalar(dtype) => leaves.push(Some((*dtype, None))),
        ResultType::DeviceScalar(dtype) => leaves.push(Some((*dtype, Some(0)))),
        ResultType::Array { dtype, rank } => leaves.push(Some((*dtype, Some(*rank)))),
        ResultType::Object(_) => leaves.push(None),
        ResultType::Tuple(members) | ResultType::List(members) | ResultType::Record(_, members) => {
            members.iter().for_each(|ty| result_leaves(ty, leaves))
        }
        ResultType::OneOf(members) => {
            leaves.push(Some((DType::I64, None)));
            members.iter().for_each(|ty| result_leaves(ty, leaves));
        }
    }
}
