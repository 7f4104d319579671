//! A static library of objects, in the format of GNU `ar`, with the index of symbols that linkers look into.

use numptx_codegen::HostObject;

/// First bytes of every archive.
const MAGIC: &[u8] = b"!<arch>\n";

/// Bytes of a member's header.
const HEADER: usize = 60;

/// The archive's bytes. `None` if the objects are larger than the format's 32-bit offsets and ten digits allow.
pub fn archive(objects: &[HostObject]) -> Option<Vec<u8>> {
    // The index: how many symbols, where the header of each one's member stands, their names.
    let names: Vec<&str> = objects.iter().flat_map(|object| object.symbols.iter().map(String::as_str)).collect();
    let n_index = 4 + 4 * names.len() + names.iter().map(|name| name.len() + 1).sum::<usize>();
    let mut offset = MAGIC.len() + HEADER + n_index.next_multiple_of(2);
    let mut index = u32::try_from(names.len()).ok()?.to_be_bytes().to_vec();
    for object in objects {
        let at = u32::try_from(offset).ok()?.to_be_bytes();
        object.symbols.iter().for_each(|_| index.extend(at));
        offset += HEADER + object.bytes.len().next_multiple_of(2);
    }
    u32::try_from(offset).ok()?;
    for name in names {
        index.extend(name.bytes());
        index.push(0);
    }
    let mut bytes = MAGIC.to_vec();
    member(&mut bytes, "/", &index);
    for (n, object) in objects.iter().enumerate() {
        member(&mut bytes, &format!("module.{n}.o/"), &object.bytes);
    }
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
    fn the_index_points_at_the_members_headers() {
        for symbol in ["even", "odd"] {
            let object = |bytes: &[u8], symbols: &[&str]| HostObject {
                bytes: bytes.to_vec(),
                symbols: symbols.iter().map(|s| (*s).to_owned()).collect(),
                math: Vec::new(),
                llvm: None,
            };
            let objects = [object(b"\x7fELF!", &[symbol, "b"]), object(b"\x7fELF?!", &["c"])];
            let bytes = archive(&objects).expect("it is small");
            let at = MAGIC.len() + HEADER;
            let number =
                |n: usize| u32::from_be_bytes(bytes[at + 4 * n..][..4].try_into().expect("four bytes")) as usize;
            assert_eq!(number(0), 3);
            for (n, (name, contents)) in
                [("module.0.o/", b"\x7fELF!"), ("module.0.o/", b"\x7fELF!"), ("module.1.o/", b"\x7fELF?")]
                    .iter()
                    .enumerate()
            {
                let offset = number(n + 1);
                assert!(bytes[offset..].starts_with(name.as_bytes()), "{symbol}");
                assert!(bytes[offset + HEADER..].starts_with(*contents), "{symbol}");
                assert_eq!(&bytes[offset + HEADER - 2..offset + HEADER], b"`\n");
            }
            assert_eq!(bytes.len() % 2, 0);
        }
    }
}
