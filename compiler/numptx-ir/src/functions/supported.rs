//! The table as text, with what is compiled beside it and what is not: `docs/supported.md`, and the text and JSON of `numptx functions`.

use super::beside::{self, Beside};
use super::halves::takes_halves;
use super::refused::{self, Refused, Why};
use super::{Class, Function, all};
use crate::DType;

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
    let is_taken = |character: &char| *character != DType::F16.character() || takes_halves(function);
    let dtypes = dtypes.chars().filter(is_taken).collect();
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

/// All rows as a JSON array, one object a line; then what is compiled without a row, and what is not compiled.
pub fn json() -> String {
    let rows = all().chain(super::methods::overview()).map(|f| describe(f).json(f));
    let lines = rows.chain(beside::ALL.iter().map(json_of_beside)).chain(refused::all().map(json_of_refused));
    format!("[\n  {}\n]\n", lines.collect::<Vec<_>>().join(",\n  "))
}

fn json_of_beside(name: &Beside) -> String {
    format!(
        "{{\"name\": {}, \"aliases\": [], \"class\": {}, \"signature\": {}, \"doc\": {}, \"example\": {}}}",
        quoted(name.name),
        quoted(name.sort.name()),
        quoted(&name.signature()),
        quoted(name.doc),
        quoted(name.example)
    )
}

fn json_of_refused(refused: &Refused) -> String {
    let (class, rest) = match refused.why {
        Why::Instead { call, write } => {
            ("refused", format!("\"call\": {}, \"instead\": {}", quoted(call), quoted(write)))
        }
        Why::Left(reason) => {
            ("excluded", format!("\"reason\": {}, \"instead\": {}", quoted(reason.name()), quoted(reason.help())))
        }
    };
    format!("{{\"name\": {}, \"aliases\": [], \"class\": {}, {rest}}}", quoted(refused.name), quoted(class))
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
    let [numpy, methods, math, cmath, scipy] = [
        ("NumPy", "numpy."),
        ("Methods and attributes", "ndarray."),
        ("math", "math."),
        ("cmath", "cmath."),
        ("SciPy", "scipy."),
    ]
    .map(chapter);
    let rows = super::methods::overview().iter().map(describe).map(|row| (row.name, row)).collect();
    vec![numpy, ("Methods of NumPy's functions", rows), methods, math, cmath, scipy]
}

/// A line of the list: a name, how it is called, and what is said of it.
#[derive(Clone, Debug)]
pub struct Line {
    /// Dotted name.
    pub name: &'static str,
    /// The name, with its parameters if it is called.
    pub signature: String,
    /// What it gives, or what there is instead.
    pub says: String,
}

/// Every name that is compiled or refused, by chapters.
pub fn list() -> Vec<(&'static str, Vec<Line>)> {
    let of_row = |(name, row): (&'static str, Description)| {
        let without = row.without.join(", ");
        let rest = if without.is_empty() { String::new() } else { format!("; default only: {without}") };
        Line { name, signature: row.signature, says: format!("{} ({}{rest})", row.doc, row.class) }
    };
    let rows = chapters().into_iter().map(|(title, rows)| (title, rows.into_iter().map(of_row).collect()));
    let of_beside =
        |b: &Beside| Line { name: b.name, signature: b.signature(), says: format!("{} ({})", b.doc, b.sort.name()) };
    let beside = (BESIDE, beside::ALL.iter().map(of_beside).collect());
    let of_refused = |r: &Refused| Line { name: r.name, signature: r.name.to_owned(), says: r.help() };
    let (instead, left) = refused_and_left();
    let refused = [(REFUSED, instead), (LEFT, left)];
    let refused = refused.map(|(title, list)| (title, list.into_iter().map(of_refused).collect()));
    rows.chain([beside]).chain(refused).collect()
}

/// Names that are refused, in the order of the alphabet: those that other programs compute, and those that are left to Python.
fn refused_and_left() -> (Vec<&'static Refused>, Vec<&'static Refused>) {
    let mut list: Vec<&Refused> = refused::all().collect();
    list.sort_by_key(|refused| refused.name);
    list.into_iter().partition(|refused| matches!(refused.why, Why::Instead { .. }))
}

const BESIDE: &str = "Types, constants, attributes and functions of types";
const REFUSED: &str = "Not compiled";
const LEFT: &str = "Left to Python";

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
    text.push_str(&without_rows());
    text
}

/// What is compiled without a row, and what is not compiled.
fn without_rows() -> String {
    let row = |cells: &[&str]| {
        format!("| {} |\n", cells.iter().map(|c| c.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
    };
    let code = |text: &str| format!("`{text}`");
    let mut text = format!("\n## {BESIDE}\n\n| name | what it is | sort |\n|---|---|---|\n");
    for name in beside::ALL.iter() {
        text += &row(&[&code(&name.signature()), name.doc, name.sort.name()]);
    }
    let (instead, left) = refused_and_left();
    text += &format!("\n## {REFUSED}\n\n{WHAT_IS_REFUSED}\n| function | instead of | write |\n|---|---|---|\n");
    for refused in instead {
        if let Why::Instead { call, write } = refused.why {
            text += &row(&[&code(refused.name), &code(call), &code(write)]);
        }
    }
    text += &format!("\n## {LEFT}\n\n{WHAT_IS_LEFT}\n| function | reason | what to do |\n|---|---|---|\n");
    for refused in left {
        if let Why::Left(reason) = refused.why {
            text += &row(&[&code(refused.name), reason.name(), reason.help()]);
        }
    }
    text
}

const WHAT_IS_REFUSED: &str = "A call of these is refused, and the report names another program. Both programs compute the same of `x` and `u`, vectors of floats;\n\
    `v`, one with a nan; `y`, a matrix; `z`, a vector of complex numbers; `k`, one of integers; `m`, one of bools; `n`, an int.\n\
    Statements are divided by `;`, and the last one is the result.\n";

const WHAT_IS_LEFT: &str =
    "These are no part of what numptx compiles; a call is refused, and the report says what to do.\n";

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
    This page is generated from the function table; `numptx functions` prints the same. It names every public function of NumPy:\n\
    what is compiled, then what is refused and what to write instead, then what is left to Python and why.\n\n\
    Parameters are those of NumPy's signature. Where `default only` names one, it has its place, and every other value is refused.\n\
    Dtypes are those for which NumPy has a loop of the function that numptx computes; others are cast as NumPy casts them, or refused.\n\
    ULP is the largest error against NumPy in units in the last place, 0 meaning equal; that of complex results is relative to the modulus.\n\
    Sums of floats are added in another order than NumPy's, within the error bound of pairwise summation.\n";

/// Families of dtypes in words.
fn dtype_names(characters: &str) -> String {
    let groups = [("?", "bool"), ("bhil", "int"), ("BHIL", "uint"), ("efd", "float"), ("FD", "complex")];
    let mut names: Vec<String> = Vec::new();
    for (group, name) in groups {
        let has: Vec<char> = group.chars().filter(|c| characters.contains(*c)).collect();
        if has.len() == group.len() {
            names.push(name.to_string());
        } else {
            let dtypes = DType::ALL.iter().filter(|d| has.contains(&d.character()));
            names.extend(dtypes.map(|d| d.name().to_string()));
        }
    }
    names.join(", ")
}
