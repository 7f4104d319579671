//! A static library of one object, in the format of GNU `ar`, with the index of symbols that linkers look into.

/// First bytes of every archive.
const MAGIC: &[u8] = b"!<arch>\n";

/// Bytes of a member's header.
const HEADER: usize = 60;

/// The archive's bytes. `None` if the object is larger than the format's 32-bit offsets and ten digits allow.
pub fn archive(object: &[u8], symbol: &str) -> Option<Vec<u8>> {
    u32::try_from(object.len()).ok()?;
    // The index: how many symbols, where the header of each one's member stands, their names.
    let n_index = 4 + 4 + symbol.len() + 1;
    let offset = u32::try_from(MAGIC.len() + HEADER + n_index.next_multiple_of(2)).ok()?;
    let mut index = [1u32.to_be_bytes(), offset.to_be_bytes()].concat();
    index.extend(symbol.bytes());
    index.push(0);
    let mut bytes = MAGIC.to_vec();
    member(&mut bytes, "/", &index);
    member(&mut bytes, "module.o/", object);
    Some(bytes)
}

/// A header without date and owner, so that the same program gives the same bytes, and the contents, padded to an even length.
fn member(bytes: &mut Vec<u8>, name: &str, contents: &[u8]) {
    let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, contents.len());
    bytes.extend(header.bytes());
    bytes.extend(contents);
    if contents.len() % 2 == 1 {
        bytes.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_points_at_the_members_header() {
        for symbol in ["even", "odd"] {
            let bytes = archive(b"\x7fELF!", symbol).expect("it is small");
            let at = MAGIC.len() + HEADER + 4;
            let offset = u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize;
            assert!(bytes[offset..].starts_with(b"module.o/       "), "{symbol}");
            assert!(bytes[offset + HEADER..].starts_with(b"\x7fELF!"), "{symbol}");
            assert_eq!(&bytes[offset + HEADER - 2..offset + HEADER], b"`\n");
            assert_eq!(bytes.len() % 2, 0);
        }
    }
}
