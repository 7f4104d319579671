//! Every report code, one line each. `docs/errors/NPXnnnn.md` explains it to the user.
//!
//! 01 syntax and exports, 02 names and types, 03 shapes and indices, 04 outside the subset,
//! 05 functions and their arguments, 06 warnings about speed.

/// A code as it is printed, such as `NPX0101`.
pub type Code = &'static str;

/// A code and its one-line title.
#[derive(Clone, Copy, Debug)]
pub struct CodeEntry {
    /// `NPXnnnn`.
    pub code: Code,
    /// One line, lower case, no full stop.
    pub title: &'static str,
    /// The page that `numptx explain` prints.
    pub page: &'static str,
}

macro_rules! codes {
    ($($name:ident $code:literal $title:literal)*) => {
        $(#[doc = $title] pub const $name: Code = $code;)*
        /// All codes, in ascending order.
        pub const CODES: &[CodeEntry] = &[
            $(CodeEntry { code: $code, title: $title, page: include_str!(concat!("../../../docs/errors/", $code, ".md")) }),*
        ];
    };
}

codes! {
    SYNTAX "NPX0101" "the file is not valid Python"
}
