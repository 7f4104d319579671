//! Lists, dictionaries, sets and strings at run time.

use super::memory::Buffer;

/// An object. Clones are the same one.
#[derive(Clone, Debug)]
pub struct Object {
    /// What counts its references.
    pub(super) buffer: Buffer,
}
