//! Machine code for GPUs: a cubin is an ELF file, read here as far as a linker has to know it.
//!
//! In: bytes from anywhere. Out: the architecture, whether it can be linked again, and its symbols; or what is wrong. Every offset is checked.

/// A cubin.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cubin {
    pub(crate) architecture: u32,
    /// It is linked: machine code that is to be linked is made with `ptxas -c`.
    pub(crate) is_linked: bool,
    /// Kernels.
    pub(crate) kernels: Vec<String>,
    /// Global kernels, functions and variables that are defined here.
    pub(crate) definitions: Vec<String>,
}

const EM_CUDA: u64 = 190;
const ET_REL: u64 = 1;
const SHT_SYMTAB: u64 = 2;
/// Sections that lie in the file: contents, symbols, names, relocations, CUDA's facts and call graph. Others, as shared memory, need not.
const IN_FILE: [u64; 7] = [1, SHT_SYMTAB, 3, 4, 9, 0x7000_0000, 0x7000_0001];
const STB_GLOBAL: u64 = 1;
const STT_OBJECT: u64 = 1;
const STT_FUNC: u64 = 2;
/// `st_other` of a kernel.
const STO_CUDA_ENTRY: u64 = 0x10;
/// `EI_ABIVERSION` from which on the architecture lies in the flags' second byte.
const SECOND_ABI: u8 = 8;

struct Section {
    kind: u64,
    offset: usize,
    size: usize,
    link: usize,
    entry: usize,
}

/// `n` bytes at `at`, little-endian.
fn word(bytes: &[u8], at: usize, n: usize) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(n)?)?;
    Some(field.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}

fn index(bytes: &[u8], at: usize, n: usize) -> Option<usize> {
    usize::try_from(word(bytes, at, n)?).ok()
}

impl Cubin {
    /// Reads a file; what is wrong with it otherwise.
    pub(crate) fn read(bytes: &[u8]) -> Result<Cubin, &'static str> {
        const CUT: &str = "the file is damaged or cut off";
        let is_elf = bytes.get(..6).is_some_and(|start| *start == *b"\x7fELF\x02\x01");
        if !is_elf || word(bytes, 0x12, 2) != Some(EM_CUDA) {
            return Err("it is no machine code for GPUs");
        }
        let (kind, flags) = (word(bytes, 0x10, 2).ok_or(CUT)?, word(bytes, 0x30, 4).ok_or(CUT)?);
        let architecture = if bytes[8] >= SECOND_ABI { flags >> 8 & 0xff } else { flags & 0xff };
        let sections = sections(bytes).ok_or(CUT)?;
        let (mut kernels, mut definitions) = (Vec::new(), Vec::new());
        for table in sections.iter().filter(|s| s.kind == SHT_SYMTAB) {
            let names = sections.get(table.link).ok_or(CUT)?;
            symbols(bytes, table, names, &mut kernels, &mut definitions).ok_or(CUT)?;
        }
        Ok(Cubin { architecture: architecture as u32, is_linked: kind != ET_REL, kernels, definitions })
    }
}

/// The section headers, of which each lies in the file with all that it names.
fn sections(bytes: &[u8]) -> Option<Vec<Section>> {
    let (first, size, count) = (index(bytes, 0x28, 8)?, index(bytes, 0x3a, 2)?, index(bytes, 0x3c, 2)?);
    if size < 64 || count == 0 {
        return None;
    }
    let mut sections = Vec::with_capacity(count);
    for i in 0..count {
        let at = first.checked_add(i * size)?;
        let section = Section {
            kind: word(bytes, at + 4, 4)?,
            offset: index(bytes, at + 0x18, 8)?,
            size: index(bytes, at + 0x20, 8)?,
            link: index(bytes, at + 0x28, 4)?,
            entry: index(bytes, at + 0x38, 8)?,
        };
        if IN_FILE.contains(&section.kind) && section.offset.checked_add(section.size)? > bytes.len() {
            return None;
        }
        sections.push(section);
    }
    Some(sections)
}

fn symbols(
    bytes: &[u8],
    table: &Section,
    names: &Section,
    kernels: &mut Vec<String>,
    definitions: &mut Vec<String>,
) -> Option<()> {
    let size = if table.entry == 24 { 24 } else { return None };
    for at in (table.offset..table.offset + table.size / size * size).step_by(size) {
        let (name, info, other, section) =
            (index(bytes, at, 4)?, word(bytes, at + 4, 1)?, word(bytes, at + 5, 1)?, word(bytes, at + 6, 2)?);
        let is_code = info & 15 == STT_FUNC;
        if section == 0 || info >> 4 != STB_GLOBAL || !(is_code || info & 15 == STT_OBJECT) {
            continue;
        }
        let text = bytes.get(names.offset + name..names.offset + names.size)?;
        let text = text.split(|byte| *byte == 0).next()?;
        let text = String::from_utf8_lossy(text).into_owned();
        if is_code && other & STO_CUDA_ENTRY != 0 {
            kernels.push(text.clone());
        }
        definitions.push(text);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of one kernel `k`: a header, names, symbols, and three section headers.
    pub(crate) fn one_kernel(kind: u8) -> Vec<u8> {
        let mut file = b"\x7fELF\x02\x01\x01\x33\x07".to_vec();
        file.resize(64, 0);
        (file[0x10], file[0x12], file[0x30]) = (kind, 190, 90);
        (file[0x3a], file[0x3c]) = (64, 3);
        file.extend(b"\0k\0\0\0\0\0\0");
        let symbol = [1, 0, 0, 0, 0x12, 0x10, 2, 0];
        file.extend([0; 24].iter().chain(&symbol).chain(&[0; 16]));
        file[0x28] = u8::try_from(file.len()).expect("a small file");
        for (kind, offset, size, entry) in [(0, 0, 0, 0), (3, 64, 8, 0), (2, 72, 48, 24)] {
            let mut header = [0u8; 64];
            (header[4], header[0x18], header[0x20], header[0x28], header[0x38]) = (kind, offset, size, 1, entry);
            file.extend(header);
        }
        file
    }

    #[test]
    fn symbols_are_found() {
        let cubin = Cubin::read(&one_kernel(1)).expect("this is a cubin");
        assert_eq!((cubin.architecture, cubin.is_linked), (90, false));
        assert_eq!((cubin.kernels, cubin.definitions), (vec!["k".to_string()], vec!["k".to_string()]));
        assert!(Cubin::read(&one_kernel(2)).is_ok_and(|cubin| cubin.is_linked));
    }

    #[test]
    fn no_bytes_are_trusted() {
        let file = one_kernel(1);
        for end in 0..file.len() {
            assert!(Cubin::read(&file[..end]).is_err(), "{end} bytes");
        }
        for at in 0..file.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut other = file.clone();
                other[at] = value;
                let _ = Cubin::read(&other);
            }
        }
    }
}
