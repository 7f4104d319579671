//! One image that is to be linked: what it is, and whether it can be.

use super::elf::Cubin;
use super::ptx::Ptx;
use super::{Architecture, LinkInput};
use crate::error::{Error, Result};

/// An image that was read.
pub(crate) struct Input<'a> {
    pub(crate) name: &'a str,
    pub(crate) bytes: &'a [u8],
    pub(crate) contents: Contents,
}

/// What an image is.
pub(crate) enum Contents {
    Ptx(Ptx),
    Cubin(Cubin),
    LtoIr,
}

const LTO_IR: &[u8] = &[0xed, 0x43, 0x4e, 0x7f];
const FAT_BINARY: &[u8] = &[0x50, 0xed, 0x55, 0xba];

impl<'a> Input<'a> {
    /// Tells by the first bytes what an image is.
    pub(crate) fn read(input: &LinkInput<'a>) -> Result<Input<'a>> {
        let LinkInput { name, bytes } = *input;
        let refused = |problem: &str| Error::value(format!("{name} cannot be linked: {problem}"));
        let contents = if bytes.starts_with(b"\x7fELF") {
            let cubin = Cubin::read(bytes).map_err(refused)?;
            if cubin.is_linked {
                return Err(refused(
                    "its machine code is linked already; give its PTX, or what `ptxas -c` makes of that",
                ));
            }
            Contents::Cubin(cubin)
        } else if bytes.starts_with(LTO_IR) {
            Contents::LtoIr
        } else if bytes.starts_with(FAT_BINARY) {
            return Err(refused("it is a fat binary; `cuobjdump --extract-ptx` or `--extract-elf` take it apart"));
        } else {
            let text = std::str::from_utf8(bytes).ok().map(|text| text.trim_end_matches('\0'));
            let Some(text) = text.filter(|text| !text.contains('\0')) else {
                return Err(refused("it is neither PTX nor a cubin nor LTO-IR"));
            };
            Contents::Ptx(Ptx::read(text).map_err(|problem| refused(&problem))?)
        };
        Ok(Input { name, bytes, contents })
    }

    /// The architecture that it is made for; LTO-IR does not say.
    pub(crate) fn architecture(&self) -> Option<Architecture> {
        match &self.contents {
            Contents::Ptx(ptx) => Some(ptx.architecture),
            Contents::Cubin(cubin) => Some(Architecture { sm: cubin.architecture, suffix: None }),
            Contents::LtoIr => None,
        }
    }

    /// PTX becomes code for its architecture and later ones, that of one architecture or its family aside; machine code stays what it is.
    pub(crate) fn check_fits(&self, target: Architecture) -> Result<()> {
        let (what, fits) = match &self.contents {
            Contents::Ptx(Ptx { architecture: own, .. }) => match own.suffix {
                Some(_) => ("PTX", own.sm == target.sm && own.suffix == target.suffix),
                None => ("PTX", own.sm <= target.sm),
            },
            Contents::Cubin(cubin) => ("machine code", cubin.architecture == target.sm),
            Contents::LtoIr => return Ok(()),
        };
        if fits {
            return Ok(());
        }
        let own = self.architecture().map(Architecture::name).unwrap_or_default();
        Err(Error::value(format!("{} is {what} for {own} and cannot be linked for {}", self.name, target.name())))
    }

    /// Symbols that it defines for others; those of LTO-IR are not read.
    pub(crate) fn definitions(&self) -> &[String] {
        match &self.contents {
            Contents::Ptx(ptx) => &ptx.definitions,
            Contents::Cubin(cubin) => &cubin.definitions,
            Contents::LtoIr => &[],
        }
    }

    /// Kernels that it holds; those of LTO-IR are not read.
    pub(crate) fn kernels(&self) -> &[String] {
        match &self.contents {
            Contents::Ptx(ptx) => &ptx.kernels,
            Contents::Cubin(cubin) => &cubin.kernels,
            Contents::LtoIr => &[],
        }
    }
}
