//! What a compilation makes.

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Its name, without a directory: `kernels.so`.
    pub file_name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

impl Artifact {
    /// A text file.
    pub fn text(file_name: String, text: String) -> Artifact {
        Artifact { file_name, bytes: text.into_bytes() }
    }
}
