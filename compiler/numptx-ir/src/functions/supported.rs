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
    /// The name with the parameters that it takes: a method's begin with the array.
    pub signature: String,
    /// Parameters that take their default only.
    pub without: &'static [&'static str],
    /// Why the parameters differ from NumPy's signature; empty where they do not.
    pub differs: &'static str,
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
        signature: function.signature_of(function.name),
        without: function.without,
        differs: function.differs,
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
    let rows = all().chain(super::methods::overview());
    let lines: Vec<String> = rows.map(|f| format!("  {}", describe(f).json(f))).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

impl Description {
    fn json(&self, function: &Function) -> String {
        let list = |names: &[&str]| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
        let of_name = |name: &&str| format!("{}: {}", quoted(name), quoted(&function.parameters_of(name)));
        let signatures: Vec<String> = std::iter::once(&self.name).chain(self.aliases).map(of_name).collect();
        format!(
            "{{\"name\": {}, \"aliases\": [{}], \"class\": {}, \"parameters\": {}, \"signatures\": {{{}}}, \"without\": [{}], \
             \"differs\": {}, \"n_inputs\": {}, \"n_outputs\": {}, \
             \"dtypes\": {}, \"ulp\": {}, \"complex_ulp\": {}, \"doc\": {}, \"example\": {}}}",
            quoted(self.name),
            list(self.aliases),
            quoted(self.class),
            quoted(self.parameters),
            signatures.join(", "),
            list(self.without),
            quoted(self.differs),
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
    let names = |f: &'static Function| {
        let of_name = |name| (name, Description { signature: f.signature_of(name), ..describe(f) });
        std::iter::once(f.name).chain(f.aliases.iter().copied()).map(of_name).collect::<Vec<_>>()
    };
    let chapter = |(title, prefix)| {
        let mut rows: Vec<(&str, Description)> =
            all().flat_map(names).filter(|(name, _)| name.starts_with(prefix)).collect();
        rows.sort_by_key(|(name, _)| *name);
        (title, rows)
    };
    let [numpy, methods, math, scipy] =
        [("NumPy", "numpy."), ("Methods and attributes", "ndarray."), ("math", "math."), ("SciPy", "scipy.")]
            .map(chapter);
    let rows = super::methods::overview().iter().map(describe).map(|row| (row.name, row)).collect();
    vec![numpy, ("Methods of NumPy's functions", rows), methods, math, scipy]
}

/// `docs/supported.md`.
pub fn markdown() -> String {
    let mut text = String::from(HEADER);
    for (title, rows) in chapters() {
        text.push_str(&format!(
            "\n## {title}\n\n| function | what it gives | default only | dtypes | class | ULP | complex |\n|---|---|---|---|---|---|---|\n"
        ));
        for (_, row) in rows {
            let (signature, doc) = (&row.signature, row.doc.replace('|', "\\|"));
            let (without, dtypes) = (row.without.join(", "), dtype_names(&row.dtypes));
            text.push_str(&format!(
                "| `{signature}` | {doc} | {without} | {dtypes} | {} | {} | {} |\n",
                row.class, row.ulp, row.complex_ulp
            ));
        }
    }
    text.push_str(&different());
    text
}

/// The rows whose parameters differ from NumPy's signature, and why.
fn different() -> String {
    let mut text = String::from(DIFFERENT);
    for (_, rows) in chapters() {
        for (_, row) in rows.iter().filter(|(name, row)| *name == row.name && !row.differs.is_empty()) {
            text.push_str(&format!("- `{}`: {}\n", row.signature, row.differs));
        }
    }
    text
}

const DIFFERENT: &str = "\n## Signatures that differ\n\n\
    Parameters have NumPy's names, positions and defaults, but for these functions:\n\n";

const HEADER: &str = "# Supported functions\n\n\
    This page is generated from the function table; `numptx functions` prints the same.\n\n\
    Parameters are those of NumPy's signature. Where `default only` names one, it has its place, and every other value is refused.\n\
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
