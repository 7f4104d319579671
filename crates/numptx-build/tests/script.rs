//! What a build script tells cargo: the protocol's lines, the exit status, and the files in `OUT_DIR`. The compiler is the one linked in, if no other
//! is named.
#![cfg(feature = "compiler")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const GOOD: &str = "#numptx export twice(float64[:])\ndef twice(x):\n    return x + x\n";

const BROKEN: &str = "#numptx export f(float64[:,3], float64[4])\ndef f(x, y):\n    return x + y\n";

const SLOW: &str = "#numptx export f(float64[:])\ndef f(x):\n    for i in range(1, len(x)):\n        x[i] = x[i - 1]\n";

/// A script's run: its exit status and its lines, and where it could write.
struct Run {
    status: Option<i32>,
    lines: Vec<String>,
    folder: PathBuf,
}

impl Run {
    fn has(&self, line: &str) -> bool {
        self.lines.iter().any(|l| l == line)
    }

    /// The static library, whose name stands in the first `rustc-link-lib` line.
    fn library(&self) -> (String, Vec<u8>) {
        let name = self.told("rustc-link-lib")[0].strip_prefix("static=").expect("it is static").to_string();
        let bytes = fs::read(self.folder.join(format!("lib{name}.a"))).expect("the library is there");
        (name, bytes)
    }

    /// The texts of all `cargo::KIND=` lines.
    fn told(&self, kind: &str) -> Vec<&str> {
        self.lines.iter().filter_map(|l| l.strip_prefix(&format!("cargo::{kind}="))).collect()
    }
}

/// The script, which cargo builds with the tests.
fn script() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let debug = test.parent().and_then(Path::parent).expect("tests stand in a folder of the target directory");
    debug.join("examples").join("script")
}

/// The script in an empty folder.
fn run(test: &str, program: Option<&str>, name: &str, cpu: &str) -> Run {
    run_with(test, program, name, cpu, &[])
}

fn run_with(test: &str, program: Option<&str>, name: &str, cpu: &str, variables: &[(&str, &str)]) -> Run {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    // Left over from an earlier run, or not there.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder for tests can be written");
    run_in(folder, program, (name, cpu), "tests", variables)
}

/// The script in a folder, as the build script of a package.
fn run_in(
    folder: PathBuf,
    program: Option<&str>,
    (name, cpu): (&str, &str),
    package: &str,
    variables: &[(&str, &str)],
) -> Run {
    if let Some(program) = program {
        fs::write(folder.join("kernels.py"), program).expect("the folder for tests can be written");
    }
    let mut command = Command::new(script());
    command.args(["kernels.py", name, cpu]).current_dir(&folder).env("OUT_DIR", &folder);
    command.env("CARGO_PKG_NAME", package).env("CARGO_PKG_VERSION", "1.0.0");
    for name in ["TARGET", "HOST", "NUMPTX_COMPILER"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    let output = command.output().expect("cargo built the script");
    let lines = String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect();
    Run { status: output.status.code(), lines, folder }
}

#[test]
fn files_that_the_source_imports_are_watched() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("imports");
    // Left over from an earlier run, or not there.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder for tests can be written");
    fs::write(folder.join("util.py"), "def twice(x):\n    return x + x\n").expect("the folder can be written");
    let program = "from util import twice\n\n\n#numptx export f(float64[:])\ndef f(x):\n    return twice(x)\n";
    let run = run_in(folder, Some(program), ("kernels", "x86-64-v2"), "tests", &[]);
    assert_eq!(run.status, Some(0), "{:?}", run.lines);
    assert!(run.told("rerun-if-changed").iter().any(|file| file.ends_with("util.py")), "{:?}", run.lines);
}

#[test]
fn a_program_becomes_bindings_and_a_library_that_cargo_links() {
    let run = run("good", Some(GOOD), "kernels", "x86-64");
    assert_eq!(run.status, Some(0), "{:?}", run.lines);
    assert!(run.has("cargo::rerun-if-changed=kernels.py"));
    assert!(run.told("error").is_empty() && run.told("warning").is_empty(), "{:?}", run.lines);
    let (name, library) = run.library();
    assert_eq!(run.told("rustc-link-lib").len(), 1);
    assert!(name.strip_prefix("numptx_module_kernels_").is_some_and(|hash| hash.len() == 16), "{name}");
    assert_eq!(run.told("rustc-link-search"), [format!("native={}", run.folder.display())]);
    let bindings = fs::read_to_string(run.folder.join("kernels.rs")).expect("the bindings are there");
    assert!(bindings.contains("pub fn twice(x: ::ndarray::ArrayView<'_, f64, ::ndarray::Ix1>)"), "{bindings}");
    assert!(bindings.contains("-> ::core::result::Result<::ndarray::Array<f64, ::ndarray::Ix1>, "), "{bindings}");
    assert!(bindings.contains("pub use self::twice as twice_f64_1d;"), "{bindings}");
    assert!(bindings.contains("pub fn twice_on_device(x: &::numptx_runtime::DeviceArrayRef<f64>)"), "{bindings}");
    assert!(!bindings.contains("unsafe"), "{bindings}");
    assert!(library.starts_with(b"!<arch>\n"));
    assert!(bindings.contains(&name["numptx_module_kernels_".len()..]), "{bindings}");
}

/// The names in the index of a static library.
fn symbols(library: &[u8]) -> BTreeSet<String> {
    let index = &library[8 + 60..];
    let n = u32::from_be_bytes(index[..4].try_into().expect("four bytes")) as usize;
    let names = index[4 + 4 * n..].split(|byte| *byte == 0).take(n);
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

#[test]
fn packages_with_the_same_program_share_no_name() {
    let run = |package: &str| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages").join(package);
        fs::create_dir_all(&folder).expect("the folder for tests can be written");
        run_in(folder, Some(GOOD), ("kernels", "x86-64"), package, &[]).library()
    };
    let ((one, ones), (other, others)) = (run("one"), run("other"));
    assert_ne!(one, other);
    let (ones, others) = (symbols(&ones), symbols(&others));
    assert!(ones.len() > 2 && ones.is_disjoint(&others), "{ones:?}\n{others:?}");
    assert_eq!(run("one").0, one, "a second run gives the same names");
}

#[test]
fn older_libraries_go() {
    let first = run("older", Some(GOOD), "kernels", "x86-64");
    let beside = first.folder.join("libnumptx_module_kernels_2.a");
    fs::write(&beside, b"").expect("the folder for tests can be written");
    let second = run_in(first.folder.clone(), Some(SLOW), ("kernels", "x86-64"), "tests", &[]);
    assert_ne!(second.library().0, first.told("rustc-link-lib")[0]["static=".len()..]);
    assert!(!first.folder.join(format!("lib{}.a", &first.told("rustc-link-lib")[0]["static=".len()..])).exists());
    assert!(beside.exists(), "it is another module's");
}

#[test]
fn a_refused_program_is_an_error_that_shows_its_place_and_what_works() {
    let run = run("broken", Some(BROKEN), "kernels", "x86-64");
    assert_eq!(run.status, Some(1));
    let errors = run.told("error");
    assert!(errors[0].starts_with("kernels.py:3:12: NPX0301: shapes cannot be broadcast together"), "{errors:?}");
    assert_eq!(errors[1..3], ["    return x + y", "           ^^^^^"]);
    assert!(errors[3].starts_with("help: "), "{errors:?}");
    assert!(run.has("cargo::rerun-if-changed=kernels.py"), "cargo runs the script again once the program is mended");
    assert!(!run.folder.join("kernels.rs").exists());
}

#[test]
fn warnings_are_cargos_and_do_not_stop_the_build() {
    let run = run("slow", Some(SLOW), "kernels", "x86-64");
    assert_eq!(run.status, Some(0));
    assert!(run.told("warning")[0].starts_with("kernels.py:3:9: NPX0601: "), "{:?}", run.lines);
}

#[test]
fn what_is_not_there_is_named() {
    let missing = run("missing", None, "kernels", "x86-64");
    assert_eq!(missing.status, Some(1));
    assert!(missing.told("error")[0].starts_with("kernels.py: "), "{:?}", missing.lines);
    let cpu = run("cpu", Some(GOOD), "kernels", "z80");
    assert!(cpu.told("error")[0].starts_with("unknown processor `z80`"), "{:?}", cpu.lines);
    let name = run("name", Some(GOOD), "my kernels", "x86-64");
    assert!(name.told("error")[0].starts_with("`my kernels` cannot name a module"), "{:?}", name.lines);
}

#[test]
fn a_result_borrows_what_it_may_show_and_nothing_else() {
    let program = "#numptx export tail(float64[:], float64[:])\ndef tail(x, y):\n    return x[1:], x * y\n";
    let run = run("views", Some(program), "kernels", "x86-64");
    let bindings = fs::read_to_string(run.folder.join("kernels.rs")).expect("the bindings are there");
    let parameters =
        "x: ::ndarray::ArrayView<'a, f64, ::ndarray::Ix1>, y: ::ndarray::ArrayView<'_, f64, ::ndarray::Ix1>";
    assert!(bindings.contains(&format!("pub fn tail<'a>({parameters})")), "{bindings}");
    let results = "(::ndarray::CowArray<'a, f64, ::ndarray::Ix1>, ::ndarray::Array<f64, ::ndarray::Ix1>)";
    assert!(bindings.contains(&format!("-> ::core::result::Result<{results}, ")), "{bindings}");
    assert!(bindings.contains("x: &'a ::numptx_runtime::DeviceArrayRef<f64>"), "{bindings}");
    assert!(bindings.contains("::numptx_runtime::DeviceCow<'a, f64>"), "{bindings}");
}

#[test]
fn another_export_line_changes_no_name() {
    let overload = |types: &str| format!("#numptx export blur({types})\n");
    let function = "def blur(x):\n    return x + x\n";
    let names = |test: &str, lines: &[&str]| {
        let program = lines.iter().map(|types| overload(types)).collect::<String>() + function;
        let run = run(test, Some(&program), "kernels", "x86-64");
        let bindings = fs::read_to_string(run.folder.join("kernels.rs")).expect("the bindings are there");
        ["blur_f32_2d", "blur_f64_1d"].map(|name| {
            bindings.contains(&format!("pub fn {name}("))
                || bindings.contains(&format!("pub use self::blur as {name};"))
        })
    };
    assert_eq!(names("one", &["float32[:,:]"]), [true, false]);
    assert_eq!(names("two", &["float32[:,:]", "float64[:]"]), [true, true]);
    assert_eq!(names("turned", &["float64[:]", "float32[:,:]"]), [true, true]);
}

#[test]
fn a_target_that_no_code_is_made_for_is_an_error() {
    let target = ("TARGET", "aarch64-unknown-linux-gnu");
    let refused = run_with("arm", Some(GOOD), "kernels", "x86-64", &[target]);
    assert_eq!(refused.status, Some(1));
    assert!(refused.told("error")[0].contains("cargo builds for `aarch64-unknown-linux-gnu`"), "{:?}", refused.lines);
    assert!(!refused.folder.join("kernels.rs").exists());
    let target = ("TARGET", "x86_64-unknown-linux-gnu");
    let other = ("HOST", "aarch64-unknown-linux-gnu");
    assert_eq!(run_with("crossed", Some(GOOD), "kernels", "x86-64-v3", &[target, other]).status, Some(0));
    let native = run_with("native", Some(GOOD), "kernels", "native", &[target, other]);
    assert!(native.told("error")[0].contains("`native` is the one that compiles"), "{:?}", native.lines);
}

/// A compiler that does what a shell program says.
fn compiler(test: &str, program: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-compiler"));
    fs::write(&path, format!("#!/bin/sh\n{program}\n")).expect("the folder for tests can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it was just made");
    path.to_str().expect("paths of builds are text").to_string()
}

#[test]
fn a_compiler_that_is_named_compiles() {
    let named = compiler("named", "echo \"cargo::warning=$*\"; echo nothing for cargo");
    let run = run_with("named", Some(GOOD), "kernels", "x86-64-v3", &[("NUMPTX_COMPILER", &named)]);
    assert_eq!(run.status, Some(0), "{:?}", run.lines);
    assert!(run.has(&format!("cargo::rerun-if-changed={named}")), "{:?}", run.lines);
    assert!(run.has("cargo::rerun-if-env-changed=NUMPTX_COMPILER"), "{:?}", run.lines);
    let asked = format!("rust --name kernels --output {} --cpu x86-64-v3 --abi ", run.folder.display());
    let warning = run.told("warning")[0];
    assert!(warning.starts_with(&asked) && warning.ends_with(" -- kernels.py"), "{warning}");
}

#[test]
fn a_compiler_that_refuses_stops_the_build_with_its_errors() {
    let refusing = compiler("refusing", "echo 'cargo::error=kernels.py:1:1: NPX0001: no'; exit 1");
    let run = run_with("refusing", Some(GOOD), "kernels", "x86-64", &[("NUMPTX_COMPILER", &refusing)]);
    assert_eq!((run.status, run.told("error")), (Some(1), vec!["kernels.py:1:1: NPX0001: no"]));
}

#[test]
fn a_compiler_that_knows_no_rust_is_named_with_its_version() {
    let program =
        "test \"$1\" = --version && { echo numptx 0.0.1; exit; }; echo \"unrecognized subcommand\" >&2; exit 2";
    let old = compiler("old", program);
    let run = run_with("old", Some(GOOD), "kernels", "x86-64", &[("NUMPTX_COMPILER", &old)]);
    assert_eq!(run.status, Some(1));
    let errors = run.told("error");
    assert!(
        errors[0].starts_with(&format!("{old} (numptx 0.0.1) made no Rust bindings; this is numptx-build ")),
        "{errors:?}"
    );
    assert_eq!(errors[1], "unrecognized subcommand");
    let missing = run_with("nobody", Some(GOOD), "kernels", "x86-64", &[("NUMPTX_COMPILER", "/nowhere/numptx")]);
    assert_eq!(missing.told("error"), ["NUMPTX_COMPILER: there is no file /nowhere/numptx"]);
}
