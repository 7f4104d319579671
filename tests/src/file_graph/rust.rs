//! Rust text as words and signs, and what a file of it defines and names.

use std::collections::BTreeMap;

/// What one file says. Types are named as the file names them.
#[derive(Default)]
pub struct Contents {
    /// Items of the file itself.
    pub items: Vec<String>,
    /// Whether others see the name, the path, and the name that it gets here.
    pub imports: Vec<(bool, Vec<String>, String)>,
    /// Paths from `crate` on, outside of imports.
    pub paths: Vec<Vec<String>>,
    /// The types of fields: type, field, and the field's type.
    pub fields: Vec<(String, String, String)>,
    /// Methods of types, but for those of traits: type and method.
    pub methods: Vec<(String, String)>,
    /// Methods that are called: the type of what the call begins with, the fields from there, and the method.
    pub calls: Vec<(String, Vec<String>, String)>,
}

/// Words, lifetimes and signs. Comments, strings and characters are left out, and so is what is compiled for tests only.
pub fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens: Vec<String> = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let first = i;
        match at(i) {
            '/' if at(i + 1) == '/' => i += chars[i..].iter().position(|c| *c == '\n').unwrap_or(chars.len() - i),
            '"' => {
                let raw = tokens.last().is_some_and(|t| t == "r" || t == "#");
                i = end_of_string(&chars, i, raw);
            }
            '\'' if at(i + 1) == '\\' => i += 3 + chars[i + 3..].iter().position(|c| *c == '\'').unwrap_or(0),
            '\'' if at(i + 2) == '\'' => i += 2,
            c if is_word(c) || c == '\'' => {
                while is_word(at(i + 1)) {
                    i += 1;
                }
                tokens.push(chars[first..=i].iter().collect());
            }
            ':' if at(i + 1) == ':' => {
                i += 1;
                tokens.push("::".into());
            }
            c if c.is_whitespace() => {}
            c => tokens.push(c.to_string()),
        }
        i += 1;
    }
    without_tests(tokens)
}

/// The place of the quote that ends a string.
fn end_of_string(chars: &[char], start: usize, raw: bool) -> usize {
    let mut i = start + 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' && !raw { 2 } else { 1 };
    }
    i
}

/// Leaves out each item behind `#[cfg(test)]`.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        if tokens[i..].iter().zip(MARK).filter(|(a, b)| a == b).count() < MARK.len() {
            kept.push(tokens[i].clone());
            i += 1;
            continue;
        }
        let mut depth = 0;
        i += MARK.len();
        while i < tokens.len() {
            depth += i32::from(tokens[i] == "{") - i32::from(tokens[i] == "}");
            i += 1;
            if depth == 0 && (tokens[i - 1] == "}" || tokens[i - 1] == ";") {
                break;
            }
        }
    }
    kept
}

/// What a file's text says.
pub fn contents(text: &str) -> Contents {
    let tokens = tokens(text);
    let mut reader =
        Reader { tokens: &tokens, contents: Contents::default(), around: None, variables: BTreeMap::new() };
    reader.read();
    reader.contents
}

struct Reader<'a> {
    tokens: &'a [String],
    contents: Contents,
    /// The type whose `impl` is read.
    around: Option<String>,
    /// Names of the function that is read, with their types.
    variables: BTreeMap<String, String>,
}

impl Reader<'_> {
    fn at(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", String::as_str)
    }

    fn read(&mut self) {
        let mut depth = 0;
        let mut of_trait = false;
        let mut i = 0;
        while i < self.tokens.len() {
            match self.at(i) {
                "{" => depth += 1,
                "}" => depth -= 1,
                "use" => i = self.import(i),
                "impl" if depth == 0 => {
                    let (name, is_of_trait, body) = self.implementation(i);
                    (self.around, of_trait, i) = (Some(name), is_of_trait, body);
                    continue;
                }
                "fn" if depth <= 1 => {
                    self.variables.clear();
                    let name = self.at(i + 1).to_string();
                    match &self.around {
                        Some(around) if depth == 1 && !of_trait => self.contents.methods.push((around.clone(), name)),
                        None if depth == 0 => self.contents.items.push(name),
                        _ => {}
                    }
                }
                "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" | "mod" if depth == 0 => {
                    self.contents.items.push(self.at(i + 1).to_string());
                    self.read_fields(i);
                }
                "crate" if self.at(i + 1) == "::" => self.contents.paths.push(self.path(i).0),
                _ => self.read_word(i),
            }
            if depth == 0 && self.at(i) == "}" {
                self.around = None;
            }
            i += 1;
        }
    }

    /// The words of a path that starts at a place, and the place behind it.
    fn path(&self, start: usize) -> (Vec<String>, usize) {
        let (mut words, mut i) = (vec![self.at(start).to_string()], start + 1);
        while self.at(i) == "::" && is_name(self.at(i + 1)) {
            words.push(self.at(i + 1).to_string());
            i += 2;
        }
        (words, i)
    }

    /// Behind the bracket `>` that closes the one here.
    fn behind_angles(&self, start: usize) -> usize {
        let (mut depth, mut i) = (0, start);
        while i < self.tokens.len() {
            let is_arrow = i > 0 && self.at(i - 1) == "-";
            depth += i32::from(self.at(i) == "<") - i32::from(self.at(i) == ">" && !is_arrow);
            i += 1;
            if depth == 0 {
                break;
            }
        }
        i
    }

    /// The type of an `impl`, whether it is of a trait, and where its body starts.
    fn implementation(&self, start: usize) -> (String, bool, usize) {
        let mut i = start + 1;
        let (mut name, mut of_trait) = (String::new(), false);
        while i < self.tokens.len() && self.at(i) != "{" && self.at(i) != "where" {
            match self.at(i) {
                "<" => i = self.behind_angles(i) - 1,
                "for" => of_trait = true,
                word if is_name(word) => name = word.to_string(),
                _ => {}
            }
            i += 1;
        }
        while i < self.tokens.len() && self.at(i) != "{" {
            i += 1;
        }
        (name, of_trait, i)
    }

    /// The type at a place, without what it refers by.
    fn type_at(&self, start: usize) -> Option<String> {
        let mut i = start;
        while matches!(self.at(i), "&" | "mut" | "dyn") || self.at(i).starts_with('\'') {
            i += 1;
        }
        let last = self.path(i).0.pop()?;
        let name = if last == "Self" { self.around.clone()? } else { last };
        name.starts_with(char::is_uppercase).then_some(name)
    }

    fn read_fields(&mut self, start: usize) {
        if self.at(start) != "struct" {
            return;
        }
        let mut i = start + 2;
        if self.at(i) == "<" {
            i = self.behind_angles(i);
        }
        if self.at(i) != "{" {
            return;
        }
        let name = self.at(start + 1).to_string();
        while i < self.tokens.len() && self.at(i) != "}" {
            let is_field = is_name(self.at(i)) && self.at(i + 1) == ":";
            if let Some(ty) = self.type_at(i + 2).filter(|_| is_field) {
                self.contents.fields.push((name.clone(), self.at(i).to_string(), ty));
            }
            i += 1;
        }
    }

    /// Takes up an import; gives the place of its semicolon.
    fn import(&mut self, start: usize) -> usize {
        let seen = start > 0 && (self.at(start - 1) == "pub" || self.at(start - 1) == ")");
        let end = start + self.tokens[start..].iter().position(|t| t == ";").unwrap_or(0);
        let mut stack: Vec<Vec<String>> = Vec::new();
        let mut path: Vec<String> = Vec::new();
        for i in start + 1..=end {
            match self.at(i) {
                "{" => stack.push(path.clone()),
                "," | "}" | ";" => {
                    if let Some(name) = path.last().filter(|_| self.at(i - 1) != "}" && self.at(i - 1) != ",") {
                        let whole = path.iter().take_while(|word| *word != "as").cloned().collect();
                        self.contents.imports.push((seen, whole, name.clone()));
                    }
                    if self.at(i) == "}" {
                        stack.pop();
                    }
                    path = stack.last().cloned().unwrap_or_default();
                }
                word if is_name(word) => path.push(word.to_string()),
                _ => {}
            }
        }
        end
    }

    /// A name with a type, a method that is called, or a type's function.
    fn read_word(&mut self, i: usize) {
        let word = self.at(i);
        if !is_name(word) || (i > 0 && matches!(self.at(i - 1), "." | "::")) {
            return;
        }
        let name = word.to_string();
        if self.at(i + 1) == ":" {
            if let Some(ty) = self.type_at(i + 2) {
                self.variables.insert(name, ty);
            }
            return;
        }
        let around = || self.around.clone();
        if word.starts_with(char::is_uppercase) && self.at(i + 1) == "::" {
            if let Some(ty) = if word == "Self" { around() } else { Some(name) } {
                self.contents.calls.push((ty, Vec::new(), self.at(i + 2).to_string()));
            }
            return;
        }
        let Some(ty) = (if word == "self" { around() } else { self.variables.get(word).cloned() }) else { return };
        let (mut fields, mut at) = (Vec::new(), i + 1);
        while self.at(at) == "." && is_name(self.at(at + 1)) {
            fields.push(self.at(at + 1).to_string());
            at += 2;
        }
        let is_call = self.at(at) == "(" || self.at(at) == "::";
        if let Some(method) = fields.pop().filter(|_| is_call) {
            self.contents.calls.push((ty, fields, method));
        }
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
