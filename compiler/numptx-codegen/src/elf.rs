//! Other names for what an object file wants of other files.
//!
//! In: an object file for x86-64 as LLVM writes it. Out: the same with some undefined symbols called otherwise. LLVM calls functions of the C library by
//! C's names, some of them only when it makes machine code; under these names a static library would take them from, or give them to, the program
//! that it becomes a part of.

use crate::error::{Emit, bug};

/// Where a section header's fields lie, in bytes.
const SECTION: usize = 64;
const KIND: usize = 4;
const OFFSET: usize = 24;
const SIZE: usize = 32;
const LINK: usize = 40;
/// The kind of the table of symbols, and the bytes of one.
const SYMBOLS: u32 = 2;
const SYMBOL: usize = 24;
/// A binding: whoever wants the symbol does without it.
const WEAK: u8 = 2;

/// Calls undefined symbols as `rename` says, which may leave one as it is. Weak ones are not asked about.
pub(crate) fn rename_undefined(
    mut file: Vec<u8>,
    mut rename: impl FnMut(&str) -> Emit<Option<String>>,
) -> Emit<Vec<u8>> {
    let sections = word64(&file, 0x28)?;
    let n_sections = usize::from(u16::from_le_bytes(bytes(&file, 0x3c)?));
    let header = |n: usize| sections + SECTION * n;
    let kind = |file: &[u8], n| Ok::<_, crate::error::EmitError>(u32::from_le_bytes(bytes(file, header(n) + KIND)?));
    let mut table = None;
    for n in 0..n_sections {
        if kind(&file, n)? == SYMBOLS {
            table = Some(header(n));
        }
    }
    let Some(table) = table else { return Ok(file) };
    let (first, size) = (word64(&file, table + OFFSET)?, word64(&file, table + SIZE)?);
    let names = header(u32::from_le_bytes(bytes(&file, table + LINK)?) as usize);
    let (names_at, names_size) = (word64(&file, names + OFFSET)?, word64(&file, names + SIZE)?);
    let all = names_at..names_at + names_size;
    let mut texts = file.get(all).ok_or_else(|| bug("the object file's names lie outside of it"))?.to_vec();

    let mut is_changed = false;
    for symbol in (first..first + size).step_by(SYMBOL) {
        let name = u32::from_le_bytes(bytes(&file, symbol)?) as usize;
        let [info] = bytes(&file, symbol + 4)?;
        let section = u16::from_le_bytes(bytes(&file, symbol + 6)?);
        if section != 0 || name == 0 || info >> 4 == WEAK {
            continue;
        }
        let text = texts.get(name..).and_then(|rest| rest.split(|byte| *byte == 0).next()).unwrap_or_default();
        let text = String::from_utf8_lossy(text).into_owned();
        if let Some(other) = rename(&text)? {
            let place = u32::try_from(texts.len()).map_err(|_| bug("the object file has too many names"))?;
            file[symbol..symbol + 4].copy_from_slice(&place.to_le_bytes());
            texts.extend(other.bytes());
            texts.push(0);
            is_changed = true;
        }
    }
    if is_changed {
        // The longer table stands at the end; the old one stays where it is, and nobody reads it.
        let (place, size) = (file.len() as u64, texts.len() as u64);
        file[names + OFFSET..][..8].copy_from_slice(&place.to_le_bytes());
        file[names + SIZE..][..8].copy_from_slice(&size.to_le_bytes());
        file.extend(texts);
    }
    Ok(file)
}

fn bytes<const N: usize>(file: &[u8], at: usize) -> Emit<[u8; N]> {
    let found = file.get(at..at + N).and_then(|bytes| bytes.try_into().ok());
    found.ok_or_else(|| bug("the object file ends in the middle of a header"))
}

fn word64(file: &[u8], at: usize) -> Emit<usize> {
    usize::try_from(u64::from_le_bytes(bytes(file, at)?)).map_err(|_| bug("the object file is too large"))
}

#[cfg(test)]
mod tests {
    use inkwell::OptimizationLevel;
    use inkwell::context::Context;
    use inkwell::memory_buffer::MemoryBuffer;

    use super::*;
    use crate::HostTarget;
    use crate::host::{object_of, set_target};

    fn undefined(file: &[u8]) -> Vec<String> {
        let mut names = Vec::new();
        let same = rename_undefined(file.to_vec(), |name| {
            names.push(name.to_string());
            Ok(None)
        });
        assert_eq!(same.expect("the file is sound"), file);
        names
    }

    #[test]
    fn undefined_symbols_get_other_names_and_the_rest_stays() {
        let text = "declare double @exp(double)\ndeclare extern_weak void @weak()\ndeclare void @memory()\n\
            define double @f(double %x) {\n call void @memory()\n call void @weak()\n %y = call double @exp(double %x)\n ret double %y }\n";
        let context = Context::create();
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "text");
        let module = context.create_module_from_ir(buffer).expect("the text is LLVM IR");
        let target = HostTarget::new("x86-64").expect("a known processor");
        set_target(&module, &target.machine(OptimizationLevel::None).expect("a machine"));
        let file = object_of(&module, &target, OptimizationLevel::None).expect("an object file");
        let mut before = undefined(&file);
        before.sort();
        assert_eq!(before, ["exp", "memory"]);
        let long = "numptx.a_library.math.exp";
        let file = rename_undefined(file, |name| Ok((name == "exp").then(|| long.to_string()))).expect("it is sound");
        let mut after = undefined(&file);
        after.sort();
        assert_eq!(after, ["memory", long]);
        assert!(file.windows(3).any(|name| name == b"\0f\0"), "the function keeps its name");
    }

    #[test]
    fn what_is_no_object_file_is_our_bug_and_no_panic() {
        assert!(rename_undefined(b"\x7fELF".to_vec(), |_| Ok(None)).is_err());
    }
}
