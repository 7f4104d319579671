//! The interface's version is raised when its declarations change: a library made for another layout must be refused, not called.

use std::path::Path;

use numptx_abi::ABI_VERSION;

/// The version, and the fingerprint of the declarations that it stands for.
const KNOWN: (u32, u64) = (43, 0x4085ebd4d68e2f2e);

/// Hashes the crate's code without comments, blanks and the version itself (FNV-1a).
fn fingerprint() -> u64 {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in [
        "call.rs",
        "host.rs",
        "lib.rs",
        "math.rs",
        "message.rs",
        "module.rs",
        "object.rs",
        "operation.rs",
        "python.rs",
        "routine.rs",
        "table.rs",
    ] {
        let text = std::fs::read_to_string(folder.join(file)).expect("the crate's sources are beside its tests");
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        for byte in code.filter(|line| !line.contains("ABI_VERSION: u32")).flat_map(str::bytes) {
            if !byte.is_ascii_whitespace() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    hash
}

#[test]
fn a_change_of_the_declarations_raises_the_version() {
    let (version, known) = KNOWN;
    let found = fingerprint();
    assert_eq!(version, ABI_VERSION, "write the fingerprint of version {ABI_VERSION} here: {found:#018x}");
    assert!(
        found == known,
        "the interface changed: raise ABI_VERSION to {}, and make KNOWN ({}, {found:#018x})",
        ABI_VERSION + 1,
        ABI_VERSION + 1,
    );
}

#[test]
fn every_file_of_the_interface_counts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    // All but `half.rs`, which computes and declares nothing.
    assert_eq!(std::fs::read_dir(folder).expect("the crate has sources").count(), 12);
}
