//! What a linker has to know of a PTX text: its architecture, and which symbols it gives to others.
//!
//! In: PTX text. Out: the `.target`, and the names after `.visible`. Source: PTX ISA, "Linking directives" and "Module directives".

use super::Architecture;

/// A PTX text, as far as it is read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ptx {
    pub(crate) architecture: Architecture,
    /// Visible kernels.
    pub(crate) kernels: Vec<String>,
    /// Visible kernels, functions and variables that are defined here.
    pub(crate) definitions: Vec<String>,
}

impl Ptx {
    /// Reads a text; what is wrong with it otherwise.
    pub(crate) fn read(text: &str) -> Result<Ptx, String> {
        let text = without_comments(text);
        if !text.trim_start().starts_with(".version") {
            return Err("it does not begin with `.version`, as PTX does".to_string());
        }
        let target = text.split_once(".target").map(|(_, rest)| rest.trim_start());
        let name = target.and_then(|rest| rest.split([',', ' ', '\n', '\r', '\t']).next()).unwrap_or_default();
        let Some(architecture) = Architecture::parse(name).filter(|_| name.starts_with("sm_")) else {
            return Err("it has no `.target sm_…`".to_string());
        };
        let (mut kernels, mut definitions) = (Vec::new(), Vec::new());
        for (at, word) in text.match_indices(".visible") {
            let Some((kind, name)) = defined(&text[at + word.len()..]) else { continue };
            if kind == ".entry" {
                kernels.push(name.to_string());
            }
            definitions.push(name.to_string());
        }
        Ok(Ptx { architecture, kernels, definitions })
    }
}

/// The text with blanks in place of comments and strings.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2)
        } else if let Some(string) = rest.strip_prefix('"') {
            string.find('"').map(|end| end + 2)
        } else {
            out.push('/');
            Some(1)
        };
        let end = end.unwrap_or(rest.len());
        out.push(' ');
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%')
}

/// What is defined after `.visible`: `.entry`, `.func` or a state space, and the name. A function without a body is only declared.
fn defined(text: &str) -> Option<(&str, &str)> {
    let mut rest = text.trim_start();
    let kind = first_word(rest)?;
    rest = rest[kind.len()..].trim_start();
    let is_function = kind == ".func" || kind == ".entry";
    loop {
        // What a function returns, and attributes.
        if rest.starts_with('(') {
            rest = rest[rest.find(')')? + 1..].trim_start();
        }
        let word = first_word(rest)?;
        rest = rest[word.len()..].trim_start();
        // Of variables: alignment and type come before the name.
        if word.starts_with('.') || word.bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let end = rest.find(['{', ';'])?;
        return (!is_function || rest[end..].starts_with('{')).then_some((kind, word));
    }
}

/// A directive or a name at the beginning of a text.
fn first_word(text: &str) -> Option<&str> {
    let end =
        text.char_indices().find(|(at, c)| !(is_name(*c) || (*at == 0 && *c == '.'))).map_or(text.len(), |(at, _)| at);
    (end > 0 && text[..end] != *".").then(|| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "// made by hand\n.version 7.8 // \"x\n.target sm_90a, debug\n.address_size 64\n";

    #[test]
    fn definitions_are_found() {
        let text = format!(
            "{HEAD}.extern .func (.param .b32 r) far (.param .b64 a);\n.visible .entry k__flat32(\n.param .u64 p\n)\n.maxntid 128\n{{ ret; }}\n\
             .visible .func (.param .b32 r) near(.param .b64 a)\n{{ ret; }}\n.visible .func later();\n/* .visible .entry no() {{ }} */\n\
             .func own() {{ ret; }}\n.visible .global .align 4 .b8 table[16];\n.visible .const .f32 one = 0f3F800000;\n"
        );
        let ptx = Ptx::read(&text).expect("this is PTX");
        assert_eq!(ptx.architecture, Architecture { sm: 90, suffix: Some('a') });
        assert_eq!(ptx.kernels, ["k__flat32"]);
        assert_eq!(ptx.definitions, ["k__flat32", "near", "table", "one"]);
    }

    #[test]
    fn what_is_no_ptx_is_told() {
        assert!(Ptx::read("hello").is_err());
        assert!(Ptx::read(".version 7.8\n.target texmode\n").is_err());
        for text in [
            ".visible",
            ".visible .entry",
            ".visible .entry k",
            ".visible .func (",
            ".visible .global .align",
            "/*",
            "\"",
            "/",
        ] {
            let text = format!("{HEAD}{text}");
            assert!(Ptx::read(&text).is_ok_and(|ptx| ptx.definitions.is_empty()), "{text}");
        }
    }
}
