//! Names of what the objects of a library find in each other, and of what its users find in it.

use numptx_ir::array;

/// The symbols of one library. No other library has them: several of one module name may be linked into one program, or loaded into one process.
#[derive(Clone, Debug)]
pub struct Symbols {
    module: String,
    hash: u64,
}

impl Symbols {
    /// `origin`: what tells the library from others of the same program: its package, the compiler, its options.
    pub fn new(ir: &array::Module, origin: &str) -> Symbols {
        // FNV-1a: the same on every machine and in every build.
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let text = ir.to_string();
        let hash = origin.bytes().chain([0]).chain(text.bytes()).fold(0xcbf2_9ce4_8422_2325, step);
        Symbols { module: ir.name.clone(), hash }
    }

    /// 16 hexadecimal digits, which stand in every name that others see.
    pub fn hash(&self) -> String {
        format!("{:016x}", self.hash)
    }

    /// The descriptor ([`numptx_abi::Module`]). Hidden: a library always finds its own, whatever else the process has loaded.
    pub fn descriptor(&self) -> String {
        self.of("descriptor")
    }

    /// The function that C programs ask for the descriptor.
    pub fn accessor(&self) -> String {
        format!("numptx_module_{}_{}", self.module, self.hash())
    }

    pub(super) fn images(&self) -> String {
        self.of("images")
    }

    pub(super) fn kernels(&self) -> String {
        self.of("kernels")
    }

    pub(super) fn entry(&self, function: &array::Function) -> String {
        self.of(&format!("entry.{}", function.name))
    }

    /// The name of a thing of this library's.
    pub(super) fn of(&self, thing: &str) -> String {
        format!("numptx.{}.{}.{thing}", self.module, self.hash())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(name: &str, origin: &str) -> Symbols {
        let module = array::Module { name: name.to_owned(), ..array::Module::default() };
        Symbols::new(&module, origin)
    }

    #[test]
    fn package_options_and_program_stand_in_every_name() {
        let one = symbols("kernels", "a 1.0");
        assert_eq!(one.descriptor(), symbols("kernels", "a 1.0").descriptor());
        for other in [symbols("kernels", "b 1.0"), symbols("kernels", "a 1.1"), symbols("other", "a 1.0")] {
            assert_ne!(one.hash(), other.hash());
        }
        for name in [one.descriptor(), one.accessor(), one.images(), one.kernels()] {
            assert!(name.contains(&one.hash()), "{name}");
        }
        assert!(one.accessor().chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "C calls it");
    }
}
