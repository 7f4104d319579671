//! Python's names as Rust identifiers: no keyword, nothing that a generated function uses itself, none twice.

/// Names that are taken in one scope.
#[derive(Debug, Default)]
pub struct Names(Vec<String>);

/// Keywords of Rust that Python allows as names, and names that would mean something else in generated functions.
const RESERVED: &[&str] = &[
    "_",
    "Err",
    "None",
    "Ok",
    "Self",
    "Some",
    "abstract",
    "arguments",
    "as",
    "async",
    "await",
    "become",
    "box",
    "const",
    "crate",
    "do",
    "dyn",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "gen",
    "impl",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "results",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "yield",
];

/// Python's name as a Rust identifier.
pub fn identifier(name: &str) -> String {
    if RESERVED.contains(&name) { format!("{name}_") } else { name.to_string() }
}

impl Names {
    /// Names of Python functions: first overloads carry them, whatever others are called.
    pub fn taken<'n>(functions: impl Iterator<Item = &'n str>) -> Names {
        Names(functions.map(identifier).collect())
    }

    /// `name`, or with underscores where it is taken.
    pub fn unique(&mut self, mut name: String) -> String {
        while self.0.contains(&name) {
            name.push('_');
        }
        self.0.push(name.clone());
        name
    }

    /// The name of an overload's function over host views, or over the runtime's arrays.
    pub fn function(&mut self, name: &str, overload: usize, on_device: bool) -> String {
        let number = if overload == 0 { String::new() } else { format!("_{}", overload + 1) };
        match (overload, on_device) {
            (0, false) => identifier(name),
            (_, false) => self.unique(format!("{name}{number}")),
            (_, true) => self.unique(format!("{name}{number}_on_device")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_names_that_are_taken_get_underscores() {
        assert_eq!(identifier("type"), "type_");
        assert_eq!(identifier("x"), "x");
        let mut names = Names::default();
        assert_eq!(names.unique(identifier("type")), "type_");
        assert_eq!(names.unique(identifier("type_")), "type__");
    }

    #[test]
    fn a_python_function_keeps_its_name_beside_overloads_of_another() {
        let mut names = Names::taken(["f", "f_2", "f_on_device"].into_iter());
        assert_eq!(names.function("f", 0, false), "f");
        assert_eq!(names.function("f", 1, false), "f_2_");
        assert_eq!(names.function("f_2", 0, false), "f_2");
        assert_eq!(names.function("f", 0, true), "f_on_device_");
        assert_eq!(names.function("f_on_device", 0, false), "f_on_device");
    }
}
