//! What a compilation makes.

use numptx_codegen::{viewed_parameters, written_parameters};
use numptx_ir::array::Module;
use numptx_ir::signature::Signature;

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Its name, without a directory: `kernels.so`.
    pub file_name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

impl Artifact {
    /// A text file.
    pub fn text(file_name: String, text: String) -> Artifact {
        Artifact::binary(file_name, text.into_bytes())
    }

    /// A file of bytes.
    pub fn binary(file_name: String, bytes: Vec<u8>) -> Artifact {
        Artifact { file_name, bytes }
    }
}

/// One exported overload, for those who make bindings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its types.
    pub signature: Signature,
    /// Bit `k`: argument leaf `k` may be written.
    pub written: u64,
    /// For each leaf of the result, bit `k` if it may be a view of argument leaf `k`.
    pub viewed: Vec<u64>,
}

/// The overloads of a module whose kernels are formed, in order.
pub fn exports(module: &Module) -> Vec<Export> {
    let mut exports: Vec<Export> = Vec::new();
    for function in module.functions.iter().filter(|f| !f.is_routine) {
        let written = written_parameters(function, &module.kernels);
        let viewed = viewed_parameters(function);
        let same = |e: &&mut Export| {
            e.signature.function == function.signature.function && e.signature.text == function.signature.text
        };
        match exports.iter_mut().find(same) {
            Some(export) => {
                export.written |= written;
                export.viewed.iter_mut().zip(viewed).for_each(|(bits, more)| *bits |= more);
            }
            None => exports.push(Export { signature: function.signature.clone(), written, viewed }),
        }
    }
    exports
}
