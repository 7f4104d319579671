//! Calls of functions that are written in Python, with arguments of any kind: whatever is reported stands at the call, in the words of its parameters.

use std::collections::BTreeSet;

use numptx_ir::functions::parameters::{Parameter, ParameterKind, parameters};
use numptx_ir::functions::{Class, Function, all, lookup};
use numptx_source::{Report, Reports, Source, code};

/// Parameters of the program's functions.
const EXPORTED: &str =
    "float64[:], float64[:,:], float64[:,:,:], complex128[:], int64[:], bool[:], int, float, float32[:]";
const NAMES: &str = "vector, matrix, stack, waves, counts, flags, whole, number, single";
/// Arguments.
const GIVEN: &[&str] = &[
    "vector",
    "matrix",
    "stack",
    "waves",
    "counts",
    "flags",
    "whole",
    "number",
    "single",
    "vector[0]",
    "counts[0]",
    "vector[::-1]",
    "matrix.T",
    "None",
    "True",
    "0",
    "1",
    "-1",
    "7",
    "1.5",
    "2j",
    "(0, 1)",
    "(0.0, 1.0)",
    "[1, 0]",
    "'left'",
    "'nothing'",
    "np.float32",
    "np.inf",
    "matrix[:, :2]",
    "np.broadcast_to(vector, (3, 3))",
];
/// Calls of each row.
const CALLS: usize = 60;

/// A small generator of numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

fn rows() -> impl Iterator<Item = &'static Function> {
    all().filter(|row| matches!(row.class, Class::Library))
}

/// Methods of ufuncs, of each sort some.
const METHODS: [&str; 10] = [
    "numpy.subtract.reduce",
    "numpy.power.reduce",
    "numpy.hypot.reduce",
    "numpy.logaddexp2.reduce",
    "numpy.gcd.reduce",
    "numpy.subtract.accumulate",
    "numpy.divide.accumulate",
    "numpy.fmin.accumulate",
    "numpy.add.reduceat",
    "numpy.less.reduceat",
];

fn lower(text: &str) -> Reports {
    let (tree, mut reports) = numptx_syntax::parse(&Source::new("calls", text));
    reports.extend(numptx_lower::lower(&tree, "calls").1);
    reports
}

fn folder() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/library")
}

/// The files of the library, by their paths in it, and what they say.
fn texts() -> Vec<(String, String)> {
    let entries = |path| std::fs::read_dir(path).expect("the folder is there").flatten().map(|entry| entry.path());
    let files = entries(folder()).filter(|path| path.is_dir()).flat_map(entries);
    let read = |path: std::path::PathBuf| {
        let name = path.strip_prefix(folder()).unwrap_or(&path).to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a file that can be read"))
    };
    files.map(read).collect()
}

/// The words of the library's own text that are no parameter of a row: names of its helpers and of what they compute.
fn own_names() -> BTreeSet<String> {
    let texts = texts().into_iter().map(|(_, text)| text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    for text in texts {
        for line in text.lines().map(str::trim) {
            let bound = match (line.strip_prefix("def "), line.strip_prefix("for "), line.split_once(" = ")) {
                // Defaults are names of NumPy.
                (Some(rest), ..) => rest.split(',').filter_map(|p| p.split('=').next()).collect::<Vec<_>>().join(" "),
                (_, Some(rest), _) => rest.split(" in ").next().unwrap_or_default().to_owned(),
                (_, _, Some((left, _))) if !left.contains(['[', '(', '"', '#']) => left.to_owned(),
                _ => continue,
            };
            names.extend(
                bound.split(|c| !is_word(c)).filter(|w| w.starts_with(|c: char| c.is_lowercase())).map(str::to_owned),
            );
        }
    }
    // Python's word for what a method is of.
    names.remove("self");
    assert!(names.contains("few_sorted") && names.contains("middle") && names.contains("pivots"));
    names
}

/// A call with random arguments, and these.
fn any_call(row: &Function, random: &mut Random) -> (String, Vec<&'static str>) {
    let list = parameters(row.parameters);
    let (mut arguments, mut given) = (Vec::new(), Vec::new());
    let is_variadic = list[0].kind == ParameterKind::Variadic;
    let wanted: Vec<&Parameter> = list.iter().filter(|p| !p.optional || is_variadic || random.below(3) == 0).collect();
    for parameter in wanted {
        let argument = GIVEN[random.below(GIVEN.len())];
        given.push(argument);
        let leads = list.iter().take_while(|p| p.name != parameter.name).count() == arguments.len();
        let by_position = matches!(parameter.kind, ParameterKind::Positional | ParameterKind::Variadic);
        match by_position || (leads && parameter.kind != ParameterKind::Keyword) {
            true => arguments.push(argument.to_string()),
            false => arguments.push(format!("{}={argument}", parameter.name)),
        }
    }
    let name = row.name.replacen("numpy", "np", 1);
    let call = match name.strip_prefix("ndarray.") {
        Some(method) => format!("matrix.{method}({})", arguments[1..].join(", ")),
        None => format!("{name}({})", arguments.join(", ")),
    };
    (call, given)
}

/// What is wrong with a report of a call.
fn leaks(report: &Report, source: &Source, call: &str, given: &[&str], own: &BTreeSet<String>) -> Option<String> {
    let place = source.slice(report.span);
    if !(place == call || given.contains(&place) || call.contains(place) && place.contains('(')) {
        return Some(format!("is about `{place}`"));
    }
    if !report.related.is_empty() {
        return Some("points elsewhere, too".to_string());
    }
    let said = [report.message.as_str(), report.label.as_str(), report.help.as_deref().unwrap_or_default()].join(" ");
    if said.contains("library.") {
        return Some("names the library".to_string());
    }
    // Help shows programs, in words of NumPy's own.
    let words: Vec<&str> = report.message.split('`').skip(1).step_by(2).collect();
    words.into_iter().find(|word| own.contains(*word)).map(|word| format!("names `{word}`"))
}

#[test]
fn reports_are_about_the_call_in_words_of_its_parameters() {
    let own = own_names();
    let (mut random, mut n_refused, mut wrong) = (Random(23), 0, Vec::new());
    for row in rows().chain(METHODS.iter().map(|name| lookup(name).unwrap())) {
        let parameters: BTreeSet<&str> = parameters(row.parameters).into_iter().map(|p| p.name).collect();
        let own: BTreeSet<String> = own.iter().filter(|name| !parameters.contains(name.as_str())).cloned().collect();
        for _ in 0..CALLS {
            let (call, given) = any_call(row, &mut random);
            let text = format!(
                "import cmath\nimport math\nimport numpy as np\nimport scipy.fft\nimport scipy.linalg\nimport scipy.ndimage\nimport scipy.signal\nimport scipy.special\n\n\n#numptx export f({EXPORTED})\ndef f({NAMES}):\n    return {call}\n"
            );
            let (reports, source) = (lower(&text), Source::new("calls", text.as_str()));
            n_refused += usize::from(!reports.is_empty());
            for report in reports.iter() {
                if let Some(leak) = leaks(report, &source, &call, &given, &own) {
                    wrong.push(format!("{call}: {} {leak}: {}", report.code, report.message));
                }
            }
        }
    }
    wrong.dedup();
    assert!(n_refused > 500, "only {n_refused} calls are refused");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A function's parameters, as far as its row supports them, are those of its text.
#[test]
fn texts_take_the_parameters_of_their_rows() {
    let text: String = texts().into_iter().map(|(_, text)| text).collect();
    for row in rows().filter(|row| !row.parameters.starts_with('*')) {
        let start = format!("def {}(", row.name.replace('.', "_"));
        let (_, rest) = text.split_once(&start).unwrap_or_else(|| panic!("`{}` has no text", row.name));
        let own = rest.split_once("):\n").unwrap().0;
        let supported = parameters(row.parameters).into_iter().filter(|p| !row.without.contains(&p.name));
        let expected: Vec<String> = supported
            .map(|p| match p.default {
                "" if p.kind == ParameterKind::Variadic => format!("*{}", p.name),
                "" => p.name.to_string(),
                default => format!("{}={}", p.name, default.replace('\'', "\"")),
            })
            .collect();
        assert_eq!(own, expected.join(", "), "`{}`", row.name);
    }
}

#[test]
fn every_function_is_found_by_its_name() {
    let listed = std::fs::read_to_string(folder().join("mod.rs")).expect("library/mod.rs is there");
    let mut names = BTreeSet::new();
    for (file_name, text) in texts() {
        assert!(listed.contains(&format!("include_str!(\"{file_name}\")")), "{file_name} is not in library/mod.rs");
        let (module, reports) = numptx_syntax::parse(&Source::new("library", text.as_str()));
        // They export nothing, which a user's file may not.
        assert!(reports.iter().all(|report| report.code == code::NOTHING_EXPORTED), "{file_name}: {reports:?}");
        // Files are read when a function is wanted, which is looked up by its first line.
        let by_line: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("def ")?.split('(').next()).collect();
        let parsed: Vec<&str> = module.functions.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(by_line, parsed, "{file_name}");
        for name in by_line {
            assert!(names.insert(name.to_owned()), "{file_name}: `{name}` is the name of two functions");
        }
    }
    assert!(names.len() > 300);
}

/// Each call has the text of its function: what is long makes programs long.
#[test]
fn views_with_strides_are_looked_at_in_few_operations() {
    for (call, most) in [
        ("np.lib.stride_tricks.as_strided(vector, (whole, 3), (8, 8))", 150),
        ("np.lib.stride_tricks.as_strided(matrix, (whole, whole), matrix.strides)", 210),
        ("np.lib.stride_tricks.as_strided(matrix, (whole, whole, 3, 3), matrix.strides * 2)", 340),
    ] {
        let text =
            format!("import numpy as np\n\n\n#numptx export f({EXPORTED})\ndef f({NAMES}):\n    return {call}\n");
        let (tree, mut reports) = numptx_syntax::parse(&Source::new("calls", text.as_str()));
        let (module, found) = numptx_lower::lower(&tree, "calls");
        reports.extend(found);
        let lines = module.functions.first().map_or(0, |function| function.to_string().lines().count());
        assert!((10..=most).contains(&lines), "`{call}` takes {lines} lines: {reports:?}");
    }
}
