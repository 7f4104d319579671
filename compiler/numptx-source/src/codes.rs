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
    EXPORT_SYNTAX "NPX0102" "an export line or a type annotation cannot be read"
    EXPORT_UNKNOWN_FUNCTION "NPX0103" "an export names nothing in the module"
    EXPORT_ARITY "NPX0104" "an export has another number of parameters than the function"
    EXPORT_DUPLICATE "NPX0105" "the same signature is exported twice"
    EXPORT_TOO_MANY "NPX0106" "an export expands to too many overloads"
    UNKNOWN_DTYPE "NPX0107" "a type's name is unknown"
    NOTHING_EXPORTED "NPX0108" "the file exports nothing"
    UNSUPPORTED_DTYPE "NPX0109" "a type of NumPy or Pythran that numptx does not compile"
    EXPORT_OPTIONAL "NPX0110" "an optional parameter that cannot be optional"
    TOO_DEEPLY_NESTED "NPX0111" "the program is nested too deeply"
    SYNTAX_TOO_NEW "NPX0112" "syntax of a newer Python than the parser reads"
    DUPLICATE_DEFINITION "NPX0113" "a module-level name is defined twice"
    UNKNOWN_NAME "NPX0201" "a name is not defined"
    MAYBE_UNDEFINED "NPX0202" "a name has no value where it is read"
    TYPE_MISMATCH "NPX0203" "a value has another type than its place needs"
    NOT_CALLABLE "NPX0204" "a value is called that is not a function"
    UNKNOWN_ATTRIBUTE "NPX0205" "a value has no such attribute"
    BAD_OPERAND_TYPES "NPX0206" "an operator does not exist for these types"
    CAST_REFUSED "NPX0207" "a value cannot be stored in that dtype"
    RETURN_TYPES_DIFFER "NPX0208" "a function returns values of different types"
    REBOUND_TO_OTHER_TYPE "NPX0209" "a name gets a value of another type where paths join"
    CONSTANT_OUT_OF_RANGE "NPX0210" "a constant does not fit its type"
    RECURSION "NPX0211" "a function calls itself"
    FLOAT16_RESULT "NPX0212" "NumPy would compute in float16"
    CONDITION_NOT_SCALAR "NPX0214" "a condition is an array"
    BROADCAST_MISMATCH "NPX0301" "shapes cannot be broadcast together"
    TOO_MANY_INDICES "NPX0302" "more indices than axes"
    INDEX_OUT_OF_RANGE "NPX0303" "an index lies outside the array"
    BAD_AXIS "NPX0304" "the array has no such axis"
    BAD_SHAPE "NPX0305" "a shape is not possible"
    WRITE_TO_READ_ONLY "NPX0306" "a write to memory that is read-only"
    TOO_MANY_AXES "NPX0307" "an array of too many axes"
    UNSUPPORTED_STATEMENT "NPX0401" "a statement outside the subset"
    UNSUPPORTED_EXPRESSION "NPX0402" "an expression outside the subset"
    UNSUPPORTED_IMPORT "NPX0403" "an import outside the subset"
    UNSUPPORTED_MODULE_STATEMENT "NPX0404" "a module-level statement outside the subset"
    UNSUPPORTED_PARAMETER_KIND "NPX0405" "a kind of parameter outside the subset"
    UNSUPPORTED_INDEX "NPX0406" "a kind of index outside the subset"
    UNSUPPORTED_TYPE "NPX0407" "a type outside the subset"
    UNSUPPORTED_ITERATION "NPX0408" "a loop over something that cannot be iterated"
    LEFT_TO_PYTHON "NPX0409" "a part of the file that compiled code does not see"
    UNKNOWN_FUNCTION "NPX0501" "a function that numptx does not have"
    MISSING_ARGUMENT "NPX0502" "an argument is missing"
    TOO_MANY_ARGUMENTS "NPX0503" "too many arguments"
    UNKNOWN_KEYWORD "NPX0504" "an argument that the function does not have here"
    BAD_ARGUMENT "NPX0505" "an argument that the function cannot use"
    UNSUPPORTED_DTYPE_FOR_FUNCTION "NPX0506" "a function does not exist for this dtype"
    SLOW_LOOP "NPX0601" "a loop over elements runs sequentially"
    NOT_INDEPENDENT "NPX0602" "a loop that is stated to be parallel has iterations that depend on each other"
    STATES_NOTHING "NPX0603" "a comment that should state that a loop is parallel, and does not"
    SLOW_ELSEWHERE "NPX0604" "a loop over elements runs sequentially for some values"
    DEVICE_MATH_MISSING "NPX0701" "no device math library was found"
    LINKER_MISSING "NPX0702" "no linker was found"
}

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn codes_ascend_and_their_pages_carry_them() {
        assert!(CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
        for entry in CODES {
            let number = entry.code.strip_prefix("NPX").unwrap_or_default();
            assert!(number.len() == 4 && number.bytes().all(|b| b.is_ascii_digit()), "{}", entry.code);
            assert_eq!(entry.page.lines().next(), Some(format!("# {}: {}", entry.code, entry.title).as_str()));
        }
    }
}
