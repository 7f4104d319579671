//! Rules of the house that no compiler checks: arrows between crates, where `unsafe` may stand, sizes, names, error pages.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use numptx_tests::file_graph::{Graph, cycles, graph_of};
use numptx_tests::{files, read, root, stem};

/// Which crates of the workspace a crate may depend on. What is not listed is forbidden.
const ARROWS: &[(&str, &[&str])] = &[
    ("compiler/numptx-source", &[]),
    ("compiler/numptx-syntax", &["numptx-source"]),
    ("compiler/numptx-ir", &["numptx-source", "numptx-abi", "numptx-objects", "numptx-random"]),
    ("compiler/numptx-lower", &["numptx-source", "numptx-syntax", "numptx-ir"]),
    ("compiler/numptx-passes", &["numptx-source", "numptx-ir"]),
    ("compiler/numptx-codegen", &["numptx-source", "numptx-ir", "numptx-abi"]),
    (
        "compiler/numptx-driver",
        &["numptx-source", "numptx-syntax", "numptx-ir", "numptx-lower", "numptx-passes", "numptx-codegen"],
    ),
    ("runtime/numptx-abi", &[]),
    ("runtime/numptx-objects", &["numptx-abi", "numptx-random"]),
    ("runtime/numptx-random", &[]),
    ("runtime/numptx-runtime", &["numptx-abi", "numptx-objects", "numptx-random"]),
    ("runtime/numptx-math", &["numptx-abi"]),
    ("runtime/mock-libcuda", &["numptx-abi", "numptx-math"]),
    ("runtime/models", &[]),
    ("crates/numptx", &["numptx-source", "numptx-driver", "numptx-build", "numptx-runtime"]),
    ("crates/numptx-build", &["numptx-source", "numptx-driver", "numptx-abi"]),
    ("crates/numptx-python", &["numptx-abi"]),
];

/// Third-party crates that only one crate may name.
const ONLY_USERS: &[(&str, &[&str])] = &[
    ("rustpython-parser", &["compiler/numptx-syntax"]),
    ("inkwell", &["compiler/numptx-codegen"]),
    ("llvm-sys", &["compiler/numptx-codegen"]),
    ("cudarc", &["runtime/numptx-runtime"]),
    ("faer", &["runtime/numptx-math"]),
    ("rustfft", &["runtime/numptx-math"]),
    ("realfft", &["runtime/numptx-math"]),
    ("pyo3", &["crates/numptx-python"]),
    ("clap", &["crates/numptx"]),
    ("indicatif", &["crates/numptx"]),
];

const UNSAFE_CRATES: &[&str] = &[
    "runtime/numptx-abi",
    "runtime/numptx-runtime",
    "runtime/numptx-math",
    "runtime/mock-libcuda",
    "compiler/numptx-codegen",
    "crates/numptx-python",
];

/// Names that say nothing.
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc", "manager"];

/// The crates whose files are checked for cycles, and where a recursion starts anew: uses by these names do not count. Lowering is recursive
/// over expressions, over statements, over calls, and over values, whose operators are those of their members.
const LAYERED: &[(&str, &[&str])] = &[
    (
        "numptx-lower",
        &[
            "expression",
            "constant_expression",
            "block",
            "block_to",
            "assign_target",
            "inline",
            "table_call",
            "binary",
            "compare",
            "truth",
            "Value",
        ],
    ),
    ("numptx-passes", &["translate_op", "translate_block", "formed", "scheduled"]),
    ("numptx-codegen", &[]),
    ("numptx-driver", &[]),
];

/// How many files may use each other in a circle.
const CYCLE_FILES: usize = 3;

/// Words that are said in another way now, as whole words, and what to say.
const RETIRED: &[(&str, &str)] = &[
    ("DecisionKind", "RemarkKind"),
    ("LoopWay", "LoopStrategy"),
    ("is_team", "is_cooperative"),
    ("team64", "block64"),
    ("team program", "cooperative kernel"),
    ("team programs", "cooperative kernels"),
    ("StepKind", "StmtKind"),
    ("InPoint", "InWorkItem"),
    ("HandedOn", "CarriedArrays"),
    ("Exchanged", "DoubleBuffers"),
    ("Fronts", "Wavefronts"),
    ("OwnArrays", "PrivatisedArrays"),
    ("RowsInPlace", "ElidedCopies"),
    ("NUMPTX_TEAM", "NUMPTX_COOPERATIVE"),
    ("in-point", "in-work-item"),
    ("reduce-chosen", "reduce-masked"),
    ("drop-checks", "eliminate-checks"),
    ("form-substitutions", "form-triangular-solves"),
    ("each point of the kernel", "each work item of the kernel"),
    ("points a step", "work items a phase"),
    ("one step after the other", "one iteration after the other"),
    ("handed from iteration to iteration", "carried from iteration to iteration"),
];

const FILE_LINES: usize = 800;
/// A comment's line has at most so many columns.
const COMMENT_COLUMNS: usize = 160;
const FUNCTION_LINES: usize = 80;

/// Dependencies of a crate, without those of its tests.
fn dependencies(krate: &str) -> Vec<String> {
    let manifest = read(&root().join(krate).join("Cargo.toml"));
    let section = manifest.split("\n[dependencies]").nth(1).unwrap_or("");
    let section = section.split("\n[").next().unwrap_or("");
    section
        .lines()
        .filter_map(|l| Some(l.split_once('=')?.0.trim().to_string()))
        .filter(|n| !n.starts_with('#'))
        .collect()
}

fn crates() -> Vec<String> {
    let mut crates = Vec::new();
    for group in ["compiler", "runtime", "crates"] {
        let entries = std::fs::read_dir(root().join(group)).expect("the group of crates is there");
        for path in entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.join("Cargo.toml").is_file()) {
            crates
                .push(format!("{group}/{}", path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into())));
        }
    }
    crates.sort();
    crates
}

/// Files under version control or new, so that build output and environments do not count.
fn tracked(extension: &str) -> Vec<PathBuf> {
    let output = std::process::Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git lists the files");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let paths = text.lines().map(|line| root().join(line));
    paths.filter(|p| p.extension().is_some_and(|e| e == extension) && p.is_file()).collect()
}

#[test]
fn arrows_point_one_way() {
    for krate in crates() {
        let allowed =
            ARROWS.iter().find(|(k, _)| *k == krate).unwrap_or_else(|| panic!("{krate} stands in no arrow")).1;
        for dependency in dependencies(&krate).iter().filter(|d| d.starts_with("numptx")) {
            assert!(allowed.contains(&dependency.as_str()), "{krate} may not depend on {dependency}");
        }
    }
}

/// What is called never uses what calls it.
#[test]
fn files_use_each_other_one_way() {
    let mut groups = String::new();
    let mut found = BTreeSet::new();
    for (krate, entries) in LAYERED {
        let graph = graph_of(&root().join(format!("compiler/{krate}/src")), entries);
        for group in cycles(&graph).into_iter().filter(|group| group.len() > CYCLE_FILES) {
            let files: Vec<String> = group.iter().map(|file| format!("{krate}/{file}")).collect();
            for (from, to, names) in within(&graph, &group) {
                groups.push_str(&format!("{krate}: {from} uses {to}: {}\n", names.join(", ")));
            }
            found.extend(files);
        }
    }
    assert!(
        found.is_empty(),
        "these are in a cycle of more than {CYCLE_FILES} files: {found:#?}\nthe uses in such cycles:\n{groups}"
    );
}

/// The uses between files of a group: both files, and the names.
fn within<'a>(graph: &'a Graph, group: &'a BTreeSet<String>) -> Vec<(&'a str, &'a str, Vec<&'a str>)> {
    let uses = group.iter().flat_map(|from| graph[from].iter().map(move |(to, names)| (from, to, names)));
    let inside = uses.filter(|(_, to, _)| group.contains(*to));
    inside.map(|(from, to, names)| (&**from, &**to, names.iter().map(String::as_str).collect())).collect()
}

#[test]
fn third_party_crates_stay_where_they_belong() {
    for krate in crates() {
        for dependency in dependencies(&krate) {
            if let Some((_, users)) = ONLY_USERS.iter().find(|(name, _)| *name == dependency) {
                assert!(users.contains(&krate.as_str()), "{krate} may not depend on {dependency}");
            }
        }
    }
}

#[test]
fn unsafe_code_stays_where_it_belongs() {
    for krate in crates().iter().filter(|k| !UNSAFE_CRATES.contains(&k.as_str())) {
        let manifest = read(&root().join(krate).join("Cargo.toml"));
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{krate} must take the workspace's lints, which deny unsafe code"
        );
    }
}

/// The file with all numbers by which passes decide what is worth it.
const COST_MODEL: &str = "compiler/numptx-passes/src/loops/schedule/cost.rs";
/// What the cost model says of where a number comes from.
const SOURCES: &[&str] = &["Measured: ", "Not measured", "Follows from ["];
/// The largest number that a host program is given as it stands: larger ones have a name.
const LARGEST_UNNAMED: i64 = 2;

/// A numeric constant: its name, and its doc comment in one line.
struct Numeric {
    name: String,
    doc: String,
}

/// The numeric constants of a file of Rust, without its tests.
fn numeric_constants(text: &str) -> Vec<Numeric> {
    let lines: Vec<&str> = text.split("#[cfg(test)]").next().unwrap_or("").lines().map(str::trim).collect();
    let numeric = |(n, line): (usize, &&str)| {
        let (before, declared) = line.split_once("const ")?;
        let (name, ty) = declared.split_once(": ")?;
        let is_number = ty.trim_start_matches('[').starts_with(['i', 'u', 'f'])
            && ty.trim_start_matches(['[', 'i', 'u', 'f']).starts_with(|c: char| c.is_ascii_digit() || c == 's');
        let is_const = (before.is_empty() || before.starts_with("pub")) && name.chars().all(|c| !c.is_lowercase());
        let docs = lines[..n].iter().rev().map_while(|line| line.strip_prefix("/// ")).collect::<Vec<&str>>();
        let doc = docs.into_iter().rev().collect::<Vec<&str>>().join(" ");
        (is_number && is_const).then(|| Numeric { name: name.to_owned(), doc })
    };
    lines.iter().enumerate().filter_map(numeric).collect()
}

/// What in a file of passes may decide what is worth it and is no part of the cost model.
fn thresholds_in(text: &str) -> Vec<String> {
    let is_limit = |of: &Numeric| of.doc.starts_with("Limit: ");
    let constants = numeric_constants(text).into_iter().filter(|of| !is_limit(of)).map(|of| of.name);
    let code = text.split("#[cfg(test)]").next().unwrap_or("");
    let arguments =
        ["host.number(", "self.number(", "host.multiple("].into_iter().flat_map(|call| code.split(call).skip(1));
    let numbers = arguments.filter_map(|rest| {
        let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '_').collect();
        digits.replace('_', "").parse::<i64>().ok().filter(|n| *n > LARGEST_UNNAMED).map(|n| n.to_string())
    });
    constants.chain(numbers).collect()
}

#[test]
fn what_is_worth_it_is_decided_by_the_cost_model() {
    let mut elsewhere = Vec::new();
    let is_pass = |path: &PathBuf| {
        let path = path.to_string_lossy();
        path.contains("numptx-passes/src/")
            && !["small_programs", "tests.rs", COST_MODEL].iter().any(|part| path.contains(part))
    };
    for path in tracked("rs").into_iter().filter(is_pass) {
        elsewhere.extend(thresholds_in(&read(&path)).iter().map(|what| format!("{}: {what}", path.display())));
    }
    assert!(
        elsewhere.is_empty(),
        "these stand in {COST_MODEL}, or their doc comments begin with `Limit: `:\n{}",
        elsewhere.join("\n")
    );
}

/// Whether a doc comment of the cost model tells a unit, and where the number comes from.
fn has_unit_and_source(of: &Numeric) -> bool {
    of.doc.contains(". Unit: ") && SOURCES.iter().any(|source| of.doc.contains(&format!(". {source}")))
}

#[test]
fn the_cost_model_tells_units_and_sources() {
    let constants = numeric_constants(&read(&root().join(COST_MODEL)));
    let untold: Vec<&String> = constants.iter().filter(|of| !has_unit_and_source(of)).map(|of| &of.name).collect();
    assert!(!constants.is_empty() && untold.is_empty(), "these lack their unit or their source: {untold:?}");
}

#[test]
fn thresholds_outside_of_the_cost_model_are_found() {
    let limit = "/// Limit: axes of a nest.\nconst MAX_AXES: usize = 3;\n";
    assert!(thresholds_in(limit).is_empty());
    let threshold = "/// Iterations that are worth a kernel.\npub(crate) const WIDE: i64 = 2048;\n";
    assert_eq!(thresholds_in(threshold), ["WIDE"]);
    assert_eq!(thresholds_in("fn f() {\n    const FEW: [usize; 2] = [4, 2];\n}\n"), ["FEW"]);
    assert_eq!(thresholds_in("let most = host.number(2_048); let none = host.number(0);"), ["2048"]);
    let text = "/// A name.\nconst NAME: &str = \"2\";\npub const NO_FACTOR: DType = DType::I64;\npub const fn n(of: u32) {}\n";
    assert!(thresholds_in(text).is_empty());
    let tests = "#[cfg(test)]\nmod tests {\n    const MOST: i64 = 1 << 62;\n}\n";
    assert!(thresholds_in(tests).is_empty());
    let told = |doc: &str| has_unit_and_source(&numeric_constants(&format!("{doc}\npub const A: f64 = 3.4;\n"))[0]);
    assert!(told("/// The host starts a kernel.\n/// Unit: µs. Measured: a launch takes 3.385."));
    assert!(told("/// So long.\n/// Unit: iterations. Not measured."));
    assert!(!told("/// The host starts a kernel.\n/// Measured: a launch takes 3.385."));
    assert!(!told("/// The host starts a kernel.\n/// Unit: µs."));
}

/// Passes make remarks; what they do does not depend on any.
#[test]
fn no_pass_reads_remarks() {
    let may = |rest: &str| ["push(", "extend(", "into_iter().for_each("].iter().any(|add| rest.starts_with(add));
    let mut readers = Vec::new();
    for path in tracked("rs").into_iter().filter(|p| p.to_string_lossy().contains("numptx-passes/src")) {
        for (n, line) in read(&path).lines().enumerate() {
            let mut uses = line.split(".remarks").skip(1);
            if !uses.all(|rest| rest.strip_prefix('.').is_some_and(may)) {
                readers.push(format!("{}:{}", path.display(), n + 1));
            }
        }
    }
    assert!(readers.is_empty(), "{}", readers.join("\n"));
}

#[test]
fn files_are_not_too_long() {
    let long: Vec<String> = (tracked("rs").into_iter().chain(tracked("py")))
        .filter(|p| !is_table(p))
        .map(|p| (read(&p).lines().count(), p))
        .filter(|(n, _)| *n > FILE_LINES)
        .map(|(n, p)| format!("{} has {n} lines", p.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn comments_are_not_too_wide() {
    let mut wide = Vec::new();
    for path in tracked("rs") {
        let text = read(&path);
        let is_wide = |line: &str| line.trim_start().starts_with("//") && line.chars().count() > COMMENT_COLUMNS;
        let lines = text.lines().enumerate().filter(|(_, line)| is_wide(line));
        wide.extend(lines.map(|(n, _)| format!("{}:{}", path.display(), n + 1)));
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

/// Tables of rows and tests may be longer.
fn is_table(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.contains("/functions/") || text.contains("/tests/")
}

#[test]
fn functions_are_not_too_long() {
    let mut long = Vec::new();
    for path in tracked("rs").into_iter().filter(|p| !is_table(p)) {
        let text = read(&path);
        let lines: Vec<&str> = text.lines().collect();
        for (first, line) in lines.iter().enumerate().filter(|(_, line)| starts_function(line)) {
            let indent = &line[..line.len() - line.trim_start().len()];
            let last = lines[first..].iter().position(|l| l.strip_prefix(indent) == Some("}")).unwrap_or(0);
            if last >= FUNCTION_LINES {
                long.push(format!("{}:{}: {} lines", path.display(), first + 1, last + 1));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// Whether a line begins a function whose body ends in a line of its own.
fn starts_function(line: &str) -> bool {
    let is_word_before =
        |words: &str| words.split(' ').all(|w| w.chars().all(|c| c.is_alphanumeric() || "()_:\"".contains(c)));
    line.trim_start().split_once("fn ").is_some_and(|(words, _)| is_word_before(words.trim_end()))
        && !line.trim_end().ends_with([';', '}'])
}

#[test]
fn the_architecture_lists_the_passes_as_they_run() {
    let text = read(&root().join("docs/architecture.md"));
    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    for (phase, passes) in numptx_driver::ARRAY_PASSES {
        let names: Vec<String> = passes.iter().map(|pass| format!("`{}`", pass.name)).collect();
        let item = format!("- **{}**: {} - ", format!("{phase:?}").to_lowercase(), names.join(" "));
        assert!(text.contains(&item), "docs/architecture.md lacks the item\n{item}");
    }
}

#[test]
fn names_say_something() {
    for path in tracked("rs").into_iter().chain(tracked("py")) {
        for part in path.strip_prefix(root()).unwrap_or(&path).components() {
            let name = part.as_os_str().to_string_lossy();
            let stem = name.split('.').next().unwrap_or("");
            assert!(!EMPTY_NAMES.contains(&stem), "{}: `{stem}` names nothing", path.display());
        }
    }
}

#[test]
fn retired_words_are_not_said() {
    let is_searched = |path: &PathBuf| {
        let path = path.to_string_lossy();
        !["/bench/results/", "CHANGELOG.md", "tests/tidy.rs"].iter().any(|part| path.contains(part))
    };
    let mut said = Vec::new();
    for path in ["rs", "md", "py", "snap", "array", "kernel"].into_iter().flat_map(tracked).filter(is_searched) {
        let text = read(&path);
        for (word, instead) in RETIRED.iter().filter(|(word, _)| says(&text, word)) {
            said.push(format!("{}: say \"{instead}\" for \"{word}\"", path.display()));
        }
    }
    assert!(said.is_empty(), "{}", said.join("\n"));
}

/// Whether a text has a phrase as whole words.
fn says(text: &str, phrase: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(phrase)
        .any(|(at, _)| !is_word(text[..at].chars().next_back()) && !is_word(text[at + phrase.len()..].chars().next()))
}

#[test]
fn whole_words_are_found() {
    assert!(says("a team program.", "team program") && says("x team program", "team program"));
    assert!(!says("team programs", "team program") && !says("is_teams", "is_team"));
}

#[test]
fn no_two_programs_of_the_corpus_have_the_same_name() {
    let mut names: Vec<String> = files("tests/corpus", "py").iter().map(|path| stem(path)).collect();
    names.sort();
    let twice: Vec<&String> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
    assert!(twice.is_empty(), "{twice:?}: their libraries would have the same name");
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let codes: Vec<String> = numptx_source::CODES.iter().map(|c| c.code.to_string()).collect();
    let entries = std::fs::read_dir(root().join("docs/errors")).expect("docs/errors is there");
    let mut pages: Vec<String> =
        entries.filter_map(|e| Some(e.ok()?.path().file_stem()?.to_string_lossy().into_owned())).collect();
    pages.sort();
    assert_eq!(codes, pages);
}

#[test]
fn documents_name_files_that_exist() {
    let mut missing = Vec::new();
    for path in tracked("md") {
        let text = read(&path);
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = target.split('#').next().unwrap_or("");
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let base = path.parent().unwrap_or(Path::new(""));
            if !base.join(target).exists() {
                missing.push(format!("{} links to {target}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
