//! Linking of images without a GPU: PTX, relocatable machine code and LTO-IR in, one cubin out, by NVIDIA's nvJitLink.
//!
//! In: images with their names, and an architecture. Out: a cubin that holds every kernel of the inputs, or an error with nvJitLink's log.
//! What nvJitLink would let pass is refused here before: it drops kernels of machine code that is linked already, takes the first of two
//! definitions, and crashes on damaged files. So inputs are read first, and it runs in a process of its own.

mod child;
mod elf;
mod input;
mod nvjitlink;
mod ptx;

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use elf::Cubin;
use input::{Contents, Input};

pub use nvjitlink::find as find_nvjitlink;

/// An image to link.
#[derive(Clone, Copy, Debug)]
pub struct LinkInput<'a> {
    /// For messages: a file's name, or a module's.
    pub name: &'a str,
    /// PTX as text, a relocatable cubin, or LTO-IR.
    pub bytes: &'a [u8],
}

/// What is linked for, and where nvJitLink is looked for.
#[derive(Clone, Debug, Default)]
pub struct LinkOptions {
    /// `sm_90`, or `sm_90a`; without it, the newest that the inputs are made for.
    pub architecture: Option<String>,
    /// Folders in which Python packages lie; see [`find_nvjitlink`].
    pub packages: Vec<PathBuf>,
}

/// What linking gives.
#[derive(Clone, Debug)]
pub struct LinkOutput {
    /// An ELF file.
    pub cubin: Vec<u8>,
    /// Of its machine code: `sm_90`.
    pub architecture: String,
    /// What nvJitLink said.
    pub log: String,
}

/// A GPU's architecture: compute capability times ten, and `a` or `f` for code of that one or its family alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Architecture {
    pub(crate) sm: u32,
    pub(crate) suffix: Option<char>,
}

impl Architecture {
    /// Reads `sm_90`, `sm_90a` or `90`.
    pub(crate) fn parse(text: &str) -> Option<Architecture> {
        let digits = text.trim().strip_prefix("sm_").unwrap_or(text.trim());
        let (digits, suffix) = match digits.strip_suffix(['a', 'f']) {
            Some(rest) => (rest, digits.chars().last()),
            None => (digits, None),
        };
        let is_number = (2..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| digits.parse().ok().map(|sm| Architecture { sm, suffix })).flatten()
    }

    fn name(self) -> String {
        format!("sm_{}{}", self.sm, self.suffix.map(String::from).unwrap_or_default())
    }
}

/// Links images to one cubin. Nothing is loaded, and no GPU is needed.
///
/// # Errors
/// `ValueError` for inputs that cannot be linked: no image, another architecture's, two with one symbol, a symbol that nobody defines (with
/// nvJitLink's log). `RuntimeError` where nvJitLink is not found or fails otherwise.
pub fn link(inputs: &[LinkInput<'_>], options: &LinkOptions) -> Result<LinkOutput> {
    let inputs = inputs.iter().map(Input::read).collect::<Result<Vec<Input<'_>>>>()?;
    let target = target(&inputs, options.architecture.as_deref())?;
    inputs.iter().try_for_each(|input| input.check_fits(target))?;
    check_definitions(&inputs)?;
    let library = nvjitlink::find(&options.packages)?;
    let (cubin, log) = nvjitlink::run(&library, &inputs, target)?;
    check_linked(&cubin, &inputs, target, &library)?;
    Ok(LinkOutput { cubin, architecture: target.name(), log })
}

/// What is linked for.
fn target(inputs: &[Input<'_>], asked: Option<&str>) -> Result<Architecture> {
    if inputs.is_empty() {
        return Err(Error::value("nothing to link: name PTX, relocatable cubins or LTO-IR"));
    }
    if let Some(text) = asked {
        return Architecture::parse(text)
            .ok_or_else(|| Error::value(format!("`{text}` is no GPU architecture; it is written as sm_90")));
    }
    inputs.iter().filter_map(Input::architecture).max().ok_or_else(|| {
        Error::value("LTO-IR does not say which GPU it is for; name the architecture, as sm_90 (--arch, or arch=)")
    })
}

/// Two definitions of one symbol: nvJitLink may take the first in silence.
fn check_definitions(inputs: &[Input<'_>]) -> Result<()> {
    let mut known: std::collections::BTreeMap<&str, &str> = std::collections::BTreeMap::new();
    for input in inputs {
        for symbol in input.definitions() {
            if let Some(first) = known.insert(symbol, input.name) {
                return Err(Error::value(format!(
                    "{first} and {} both define `{symbol}`; link images whose functions have different names",
                    input.name
                )));
            }
        }
    }
    Ok(())
}

/// The result holds what the inputs hold.
fn check_linked(cubin: &[u8], inputs: &[Input<'_>], target: Architecture, library: &Path) -> Result<()> {
    let found = Cubin::read(cubin).map_err(|problem| {
        Error::runtime(format!("{} returned what is no machine code: {problem}", library.display()))
    })?;
    if found.architecture != target.sm {
        let (wanted, got) = (target.name(), found.architecture);
        return Err(Error::runtime(format!("{} made code for sm_{got} instead of {wanted}", library.display())));
    }
    for input in inputs {
        if let Some(lost) = input.kernels().iter().find(|kernel| !found.kernels.contains(kernel)) {
            return Err(Error::runtime(format!("{} lost the kernel `{lost}` of {}", library.display(), input.name)));
        }
    }
    let has_lto = inputs.iter().any(|input| matches!(input.contents, Contents::LtoIr));
    if found.kernels.is_empty() && has_lto {
        return Err(Error::value(
            "the linked image has no kernel: LTO-IR keeps only what is marked as used (`llvm.used`, or CUDA's `__global__`)",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_are_read() {
        let plain = |sm| Some(Architecture { sm, suffix: None });
        assert_eq!(Architecture::parse("sm_90"), plain(90));
        assert_eq!(Architecture::parse("120"), plain(120));
        assert_eq!(Architecture::parse("sm_90a"), Some(Architecture { sm: 90, suffix: Some('a') }));
        for wrong in ["", "sm_", "sm_9", "sm_9000", "compute_90", "sm_9x", "sm_-1", "a", "sm_+9"] {
            assert_eq!(Architecture::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn inputs_are_checked_before_anything_is_opened() {
        let ptx = |sm: u32, name: &str| {
            format!(".version 7.8\n.target sm_{sm}\n.address_size 64\n.visible .entry {name}()\n{{ ret; }}\n")
        };
        let (a, b) = (ptx(75, "k"), ptx(90, "l"));
        let (a, b) = (LinkInput { name: "a", bytes: a.as_bytes() }, LinkInput { name: "b", bytes: b.as_bytes() });
        let words = |inputs: &[LinkInput<'_>], architecture: Option<&str>| {
            let options = LinkOptions { architecture: architecture.map(str::to_string), packages: Vec::new() };
            link(inputs, &options).err().map(|error| error.message().to_string()).unwrap_or_default()
        };
        assert!(words(&[], None).starts_with("nothing to link"));
        assert!(words(&[a, a], None).contains("a and a both define `k`"));
        assert!(words(&[a, b], Some("sm_80")).contains("b is PTX for sm_90"));
        assert!(words(&[a], Some("gtx")).contains("`gtx` is no GPU architecture"));
        let lto = LinkInput { name: "l", bytes: &[0xed, 0x43, 0x4e, 0x7f, 1, 2, 3, 4] };
        assert!(words(&[lto], None).contains("name the architecture"));
        for bytes in [&b""[..], b"hello", b"\x7fELF", &[0x50, 0xed, 0x55, 0xba, 1, 0]] {
            assert!(!words(&[LinkInput { name: "x", bytes }], Some("sm_90")).is_empty());
        }
    }
}
