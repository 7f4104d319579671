//! What a cubin is for, and the kernels that it holds: the names of its `.text.` sections.

/// The architecture and the entry names of an ELF image that is not checked beyond its header; `None` if it is not a 64-bit ELF file.
///
/// # Safety
/// `image` points to a whole ELF file.
pub(crate) unsafe fn entry_names(image: *const u8) -> Option<(usize, Vec<String>)> {
    // SAFETY: an image has more than 64 bytes.
    let header = unsafe { std::slice::from_raw_parts(image, 64) };
    if header[..4] != *b"\x7fELF" || header[4] != 2 {
        return None;
    }
    let word = |at: usize, n: usize| {
        header[at..at + n].iter().rev().fold(0usize, |value, byte| value << 8 | usize::from(*byte))
    };
    // The architecture moved with the second version of the format.
    let architecture = if header[8] >= 8 { word(0x31, 1) } else { word(0x30, 1) };
    let (sections, size, count, names) = (word(0x28, 8), word(0x3a, 2), word(0x3c, 2), word(0x3e, 2));
    // SAFETY: the header says where the sections are.
    let section = |i: usize| unsafe { std::slice::from_raw_parts(image.add(sections + i * size), size) };
    let field = |i: usize, at: usize, n: usize| {
        section(i)[at..at + n].iter().rev().fold(0usize, |value, byte| value << 8 | usize::from(*byte))
    };
    let strings = field(names, 0x18, 8);
    let mut found = Vec::new();
    for i in 0..count {
        // SAFETY: section names are null-terminated strings in the file.
        let name = unsafe { std::ffi::CStr::from_ptr(image.add(strings + field(i, 0, 4)).cast()) };
        if let Some(kernel) = name.to_str().ok().and_then(|n| n.strip_prefix(".text.")) {
            found.push(kernel.to_string());
        }
    }
    Some((architecture, found))
}
