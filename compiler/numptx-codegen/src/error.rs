//! Failures inside this crate: all of them are our bugs, gathered into one type so that `?` works on LLVM's builder.

use inkwell::builder::BuilderError;
use numptx_ir::scalar::ScalarOp;
use numptx_source::InternalError;

/// A failure of emission.
#[derive(Debug)]
pub(crate) struct EmitError(pub InternalError);

/// The result of emitting something.
pub(crate) type Emit<T> = Result<T, EmitError>;

/// An internal error of this stage.
pub(crate) fn bug(message: impl Into<String>) -> EmitError {
    EmitError(InternalError::new("codegen", message))
}

/// An operation that the verifier should have refused.
pub(crate) fn undefined(op: ScalarOp, kind: &str) -> EmitError {
    bug(format!("`{}` is not defined on {kind}", op.name()))
}

impl From<BuilderError> for EmitError {
    fn from(error: BuilderError) -> Self {
        bug(format!("LLVM's builder: {error}"))
    }
}

impl From<EmitError> for InternalError {
    fn from(error: EmitError) -> Self {
        error.0
    }
}

impl From<InternalError> for EmitError {
    fn from(error: InternalError) -> Self {
        EmitError(error)
    }
}
