//! The table as text: `docs/supported.md`, and the JSON of `numptx functions --json`.

use super::{Class, Function, all};

/// What a tool needs to know of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Dotted name.
    pub name: &'static str,
    /// Other dotted names.
    pub aliases: &'static [&'static str],
    /// Class.
    pub class: &'static str,
    /// Parameters as Python writes them.
    pub parameters: &'static str,
    /// Number of array operands of elementwise functions and reductions; 0 for others.
    pub n_inputs: usize,
    /// Number of results.
    pub n_outputs: usize,
    /// Accepted dtypes as NumPy's type characters, for elementwise functions and reductions.
    pub dtypes: String,
    /// Error bound against NumPy in ULP.
    pub ulp: u32,
    /// Of complex results, in ULP of the modulus.
    pub complex_ulp: u32,
    /// One line.
    pub doc: &'static str,
    /// An expression that uses it.
    pub example: &'static str,
}

/// Describes a row.
pub fn describe(function: &'static Function) -> Description {
    let (n_inputs, n_outputs, dtypes) = match &function.class {
        Class::Map(map) => (map.n_inputs, map.n_outputs, map.dtypes()),
        Class::Reduce(reduction) => (1, 1, reduction.dtypes()),
        Class::Scan(running) => (1, 1, running.dtypes()),
        _ => (0, 1, String::new()),
    };
    Description {
        name: function.name,
        aliases: function.aliases,
        class: function.class.name(),
        parameters: function.parameters,
        n_inputs,
        n_outputs,
        dtypes,
        ulp: function.ulp,
        complex_ulp: function.complex_ulp,
        doc: function.doc,
        example: function.example,
    }
}

/// All rows as a JSON array, one object a line.
pub fn json() -> String {
    let lines: Vec<String> = all().map(|f| format!("  {}", describe(f).json())).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

impl Description {
    fn json(&self) -> String {
        let aliases: Vec<String> = self.aliases.iter().map(|a| quoted(a)).collect();
        format!(
            "{{\"name\": {}, \"aliases\": [{}], \"class\": {}, \"parameters\": {}, \"n_inputs\": {}, \"n_outputs\": {}, \
             \"dtypes\": {}, \"ulp\": {}, \"complex_ulp\": {}, \"doc\": {}, \"example\": {}}}",
            quoted(self.name),
            aliases.join(", "),
            quoted(self.class),
            quoted(self.parameters),
            self.n_inputs,
            self.n_outputs,
            quoted(&self.dtypes),
            self.ulp,
            self.complex_ulp,
            quoted(self.doc),
            quoted(self.example)
        )
    }
}

/// A JSON string (RFC 8259, section 7).
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", c as u32),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// Every name, aliases too, with what it is: chapters, each in the order of the alphabet.
pub fn chapters() -> Vec<(&'static str, Vec<(&'static str, Description)>)> {
    let names = |d: Description| {
        std::iter::once(d.name).chain(d.aliases.iter().copied()).map(|name| (name, d.clone())).collect::<Vec<_>>()
    };
    let chapter = |(title, prefix)| {
        let mut rows: Vec<(&str, Description)> =
            all().map(describe).flat_map(names).filter(|(name, _)| name.starts_with(prefix)).collect();
        rows.sort_by_key(|(name, _)| *name);
        (title, rows)
    };
    let [numpy, methods, math] =
        [("NumPy", "numpy."), ("Methods and attributes", "ndarray."), ("math", "math.")].map(chapter);
    let rows = super::methods::overview().iter().map(describe).map(|row| (row.name, row)).collect();
    vec![numpy, ("Methods of NumPy's functions", rows), methods, math]
}

/// `docs/supported.md`.
pub fn markdown() -> String {
    let mut text = String::from(HEADER);
    for (title, rows) in chapters() {
        text.push_str(&format!(
            "\n## {title}\n\n| function | what it gives | dtypes | class | ULP | complex |\n|---|---|---|---|---|---|\n"
        ));
        for (name, row) in rows {
            let (signature, doc) = (format!("{name}({})", row.parameters), row.doc.replace('|', "\\|"));
            let dtypes = dtype_names(&row.dtypes);
            text.push_str(&format!(
                "| `{signature}` | {doc} | {dtypes} | {} | {} | {} |\n",
                row.class, row.ulp, row.complex_ulp
            ));
        }
    }
    text
}

const HEADER: &str = "# Supported functions\n\n\
    This page is generated from the function table; `numptx functions` prints the same.\n\n\
    Dtypes are those for which NumPy has a loop of the function that numptx computes; others are cast as NumPy casts them, or refused.\n\
    ULP is the largest error against NumPy in units in the last place, 0 meaning equal; that of complex results is relative to the modulus.\n\
    Sums of floats are added in another order than NumPy's, within the error bound of pairwise summation.\n";

/// Families of dtypes in words.
fn dtype_names(characters: &str) -> String {
    let groups = [("?", "bool"), ("bhil", "int"), ("BHIL", "uint"), ("fd", "float"), ("FD", "complex")];
    let mut names: Vec<String> = Vec::new();
    for (group, name) in groups {
        let has: Vec<char> = group.chars().filter(|c| characters.contains(*c)).collect();
        if has.len() == group.len() {
            names.push(name.to_string());
        } else {
            let dtypes = crate::DType::ALL.iter().filter(|d| has.contains(&d.character()));
            names.extend(dtypes.map(|d| d.name().to_string()));
        }
    }
    names.join(", ")
}
