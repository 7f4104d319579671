//! The built command: exit status, messages, and what it leaves on disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use numptx_source::CODES;

const GOOD: &str = "#numptx export axpy(float, float64[:], float64[:])\ndef axpy(a, x, y):\n    return a * x + y\n";
const BAD: &str = "#numptx export f(double[:])\ndef f(a):\n    return a\n\n\ndef g(b)\n    return b\n";

/// A folder of one test's own, empty at the start.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        // Left over from an earlier run, or not there.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the folder for tests can be written");
        Folder(path)
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> &Folder {
        fs::write(self.0.join(name), contents).expect("the folder for tests can be written");
        self
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, &[])
    }

    fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_numptx"));
        let output = command.args(arguments).current_dir(&self.0).envs(variables.iter().copied()).output();
        Run(output.expect("the command was built"))
    }

    /// Names of all files below, sorted.
    fn names(&self, below: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.0.join(below)) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.filter_map(|e| Some(e.ok()?.file_name().to_string_lossy().into_owned())).collect();
        names.sort();
        names
    }
}

struct Run(Output);

impl Run {
    fn status(&self) -> Option<i32> {
        self.0.status.code()
    }

    fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    #[track_caller]
    fn ends(&self, status: i32, said: &[&str]) {
        assert_eq!(self.status(), Some(status), "{}", self.err());
        for text in said {
            assert!(self.err().contains(text), "`{text}` is missing in:\n{}", self.err());
        }
    }
}

#[test]
fn a_program_becomes_four_files() {
    let folder = Folder::new("four_files");
    let run = folder.file("kernels.py", GOOD).run(&["compile", "kernels.py", "-o", "out/deep"]);
    run.ends(0, &["kernels.py: wrote "]);
    assert_eq!(folder.names("out/deep"), ["kernels.h", "kernels.ptx", "kernels.pyi", "kernels.so"]);
    assert_eq!(run.out(), "");
    // Nothing to launch: the PTX of the library that was there before goes with it.
    let view = "#numptx export part(float64[:])\ndef part(x):\n    return x[1:]\n";
    folder.file("kernels.py", view).run(&["compile", "kernels.py", "-o", "out/deep"]).ends(0, &["wrote kernels.so"]);
    assert_eq!(folder.names("out/deep"), ["kernels.h", "kernels.pyi", "kernels.so"]);
}

#[test]
fn without_a_folder_the_library_stands_beside_its_source() {
    let folder = Folder::new("beside");
    fs::create_dir_all(folder.0.join("sub")).expect("the folder for tests can be written");
    folder.file("sub/kernels.py", GOOD).run(&["compile", "sub/kernels.py"]).ends(0, &[]);
    assert!(folder.names("sub").contains(&"kernels.so".to_owned()), "{:?}", folder.names("sub"));
    assert_eq!(folder.names(""), ["sub"]);
}

#[test]
fn a_refused_program_leaves_nothing_and_shows_all_errors() {
    let folder = Folder::new("refused");
    let run = folder.file("bad.py", BAD).run(&["compile", "bad.py", "-o", "out"]);
    run.ends(
        1,
        &["NPX0107", "there is no type `double`", "did you mean `float64`?", "NPX0101", "bad.py:1:18", "2 errors"],
    );
    assert!(folder.names("out").is_empty());
    assert!(!run.err().contains('\u{1b}'), "no colour where standard error is no terminal");
}

#[test]
fn a_refused_program_tells_of_the_library_that_is_still_there() {
    let folder = Folder::new("still_there");
    let says = "./kernels.so: the library of ";
    folder.file("kernels.py", BAD).run(&["compile", "kernels.py"]).ends(1, &["kernels.py: refused"]);
    assert_eq!(folder.names(""), ["kernels.py"]);
    folder.file("kernels.py", GOOD).run(&["compile", "kernels.py"]).ends(0, &["kernels.py: wrote"]);
    let library = fs::read(folder.0.join("kernels.so")).expect("the library was written");
    // Refused by the compiler, and not even read.
    for contents in [BAD.as_bytes(), b"x = '\xff'\n"] {
        let run = folder.file("kernels.py", contents).run(&["compile", "kernels.py"]);
        run.ends(1, &[says, " ago is still there; `import kernels` loads this old code"]);
        assert_eq!(fs::read(folder.0.join("kernels.so")).ok().as_ref(), Some(&library));
    }
    // Where no library was to be written, nothing is said of one.
    folder.file("kernels.py", BAD);
    for arguments in
        [&["check"][..], &["compile", "--emit", "array"], &["compile", "--device-only"], &["compile", "-o", "out"]]
    {
        let run = folder.run(&[arguments, &["kernels.py"]].concat());
        assert!(run.status() == Some(1) && !run.err().contains("still there"), "{}", run.err());
    }
}

#[test]
fn the_other_files_are_compiled_after_a_refused_one() {
    let folder = Folder::new("several");
    folder.file("bad.py", BAD).file("good.py", GOOD);
    let run = folder.run(&["compile", "bad.py", "missing.py", "good.py", "-o", "out"]);
    run.ends(
        2,
        &["[1/3] bad.py: refused", "[2/3] missing.py: no such file", "[3/3] good.py: wrote", "2 of 3 files failed"],
    );
    assert!(folder.names("out").contains(&"good.so".to_owned()));
    folder.run(&["compile", "bad.py", "good.py", "-o", "out"]).ends(1, &["1 of 2 files failed"]);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new("unreadable");
    folder.file("latin.py", b"x = 1\ny = '\xff'\n").file("my-kernels.py", GOOD);
    folder.run(&["compile", "missing.py"]).ends(2, &["numptx: missing.py: no such file"]);
    folder.run(&["compile", "."]).ends(2, &["this is a folder"]);
    folder.run(&["compile", "latin.py"]).ends(1, &["latin.py:2: the file is not UTF-8"]);
    folder.run(&["compile", "my-kernels.py"]).ends(2, &["`my-kernels` cannot be imported"]);
    folder.run(&["check", "missing.py"]).ends(2, &["no such file"]);
}

#[test]
fn an_output_folder_that_cannot_be_made_is_named() {
    let folder = Folder::new("no_folder");
    folder.file("kernels.py", GOOD).file("taken", "");
    folder.run(&["compile", "kernels.py", "-o", "taken"]).ends(2, &["taken: the folder cannot be made"]);
    folder.run(&["compile", "kernels.py", "-o", "taken/below"]).ends(2, &["the folder cannot be made"]);
}

#[test]
fn two_files_may_not_be_written_to_the_same_place() {
    let folder = Folder::new("collision");
    fs::create_dir_all(folder.0.join("a")).expect("the folder for tests can be written");
    folder.file("kernels.py", GOOD).file("a/kernels.py", GOOD);
    folder.run(&["compile", "kernels.py", "a/kernels.py", "-o", "out"]).ends(2, &["the same files"]);
}

#[test]
fn nothing_is_written_where_one_file_cannot_be() {
    let folder = Folder::new("whole_or_not");
    folder.file("kernels.py", GOOD);
    fs::create_dir_all(folder.0.join("out/kernels.pyi/x")).expect("the folder for tests can be written");
    folder.run(&["compile", "kernels.py", "-o", "out"]).ends(2, &["kernels.pyi: cannot be written"]);
    assert_eq!(folder.names("out"), ["kernels.pyi"]);
}

#[test]
fn an_older_library_is_replaced_not_overwritten() {
    let folder = Folder::new("replaced");
    folder.file("kernels.py", GOOD).file("kernels.so", "old");
    let mut reader = fs::File::open(folder.0.join("kernels.so")).expect("just written");
    folder.run(&["compile", "kernels.py"]).ends(0, &[]);
    let mut old = String::new();
    std::io::Read::read_to_string(&mut reader, &mut old).expect("the old file is still readable");
    assert_eq!(old, "old");
    assert_ne!(fs::read(folder.0.join("kernels.so")).ok(), Some(b"old".to_vec()));
}

#[test]
fn halves_choose_the_files() {
    let folder = Folder::new("halves");
    folder.file("kernels.py", GOOD);
    folder.run(&["compile", "kernels.py", "-o", "device", "--device-only"]).ends(0, &[]);
    assert_eq!(folder.names("device"), ["kernels.ptx"]);
    folder.run(&["compile", "kernels.py", "-o", "host", "--host-only", "--cpu", "x86-64-v3"]).ends(0, &[]);
    assert_eq!(folder.names("host"), ["kernels.h", "kernels.pyi", "kernels.so"]);
    folder.run(&["compile", "kernels.py", "--host-only", "--device-only"]).ends(2, &["cannot be used with"]);
}

#[test]
fn stages_are_shown_or_written() {
    let folder = Folder::new("emit");
    folder.file("kernels.py", GOOD);
    let run = folder.run(&["compile", "kernels.py", "--emit", "syntax"]);
    run.ends(0, &[]);
    assert!(run.out().contains("return ((a * x) + y)"), "{}", run.out());
    assert_eq!(folder.names(""), ["kernels.py"]);
    let run = folder.run(&["compile", "kernels.py", "--emit", "array", "--emit", "ptx", "-o", "out"]);
    run.ends(0, &["wrote kernels.array kernels.ptx"]);
    assert_eq!(folder.names("out"), ["kernels.array", "kernels.ptx"]);
}

#[test]
fn forms_of_loops_are_shown_with_what_they_assume() {
    let folder = Folder::new("forms");
    folder.file(
        "kernels.py",
        "#numptx export f(float64[:])\ndef f(x):\n    for i in range(1, len(x)):\n        x[i] = x[i - 1]\n",
    );
    let run = folder.run(&["compile", "kernels.py", "--emit", "schedule"]);
    run.ends(0, &[]);
    let told = "taken: a kernel for each parallel loop: serial; 103 µs; assumes small ints";
    assert!(run.out().contains(told), "{}", run.out());
}

#[test]
fn no_work_is_done_for_what_is_not_shown() {
    let folder = Folder::new("last");
    folder.file("kernels.py", GOOD);
    for (stage, has_device, has_host) in
        [("array", false, false), ("kernel", false, false), ("llvm", true, true), ("ptx", true, false)]
    {
        let run = folder.run(&["compile", "kernels.py", "--time-passes", "--emit", stage, "-o", "out"]);
        let does = |work: &str| {
            run.err().lines().any(|line| line.ends_with(&format!("ms  {work}")) && !line.contains(" 0.000 ms"))
        };
        assert_eq!([does("device"), does("host"), does("link")], [has_device, has_host, false], "{}", run.err());
    }
}

#[test]
fn a_dump_is_compiled_from_where_it_was_taken() {
    let folder = Folder::new("dump");
    folder.file("kernels.py", GOOD).run(&["compile", "kernels.py", "--emit", "array", "-o", "out"]).ends(0, &[]);
    folder.run(&["compile", "out/kernels.array"]).ends(0, &[]);
    assert!(folder.names("out").contains(&"kernels.so".to_owned()));
}

#[test]
fn a_dump_of_functions_in_several_phases_is_refused() {
    let folder = Folder::new("phases");
    let function = |name: &str, phase: &str| {
        format!("func @{name} noalias {phase} () {{\n  export \"{name}\" \"{name}()\" () -> none\n  return\n}}\n")
    };
    folder.file("mixed.array", format!("module \"m\"\n\n{}\n{}", function("f", "source"), function("g", "placed")));
    folder.run(&["compile", "mixed.array"]).ends(1, &["NPX0101", "functions of several phases"]);
}

#[test]
fn times_and_limits_are_accepted() {
    let folder = Folder::new("times");
    folder.file("kernels.py", GOOD);
    folder.run(&["compile", "kernels.py", "--time-passes", "--pass-limit", "0"]).ends(0, &["front", " ms  "]);
}

#[test]
fn wrong_arguments_are_answered_with_the_right_ones() {
    let folder = Folder::new("usage");
    folder.file("kernels.py", GOOD);
    folder.run(&[]).ends(2, &["Usage"]);
    folder.run(&["compile"]).ends(2, &["<FILE>"]);
    folder.run(&["compile", "kernels.py", "--arch", "sm_12"]).ends(2, &["sm_75, sm_80"]);
    folder.run(&["compile", "kernels.py", "--cpu", "z80"]).ends(2, &["x86-64-v3"]);
    folder
        .run(&["compile", "kernels.py", "--emit", "bitcode"])
        .ends(2, &["syntax, array, schedule, kernel, llvm, ptx"]);
    folder.run(&["compile", "kernels.py", "--emit", "array@nothing"]).ends(2, &["no pass `nothing`"]);
    folder.run(&["compile", "kernels.py", "--pass-limit", "-1"]).ends(2, &[]);
    folder.run(&["--version"]).ends(0, &[]);
}

#[test]
fn check_reports_and_writes_nothing() {
    let folder = Folder::new("check");
    folder.file("bad.py", BAD).file("good.py", GOOD);
    folder.run(&["check", "good.py"]).ends(0, &["good.py: accepted"]);
    folder.run(&["check", "good.py", "bad.py"]).ends(1, &["[2/2] bad.py: refused, 2 errors"]);
    assert_eq!(folder.names(""), ["bad.py", "good.py"]);
}

#[test]
fn every_code_is_explained() {
    let folder = Folder::new("explain");
    for entry in CODES {
        let run = folder.run(&["explain", entry.code]);
        run.ends(0, &[]);
        assert_eq!(run.out(), entry.page);
    }
    let list = folder.run(&["explain"]);
    list.ends(0, &[]);
    assert!(CODES.iter().all(|e| list.out().contains(e.title)));
    folder.run(&["explain", "NPX9999"]).ends(2, &["there is no code `NPX9999`"]);
}

#[test]
fn functions_are_listed() {
    let folder = Folder::new("functions");
    let list = folder.run(&["functions"]).out().to_string();
    for name in ["numpy.add(", "numpy.add.at(", "numpy.abs(", "ndarray.sum(", "ndarray.T ", "math.sqrt("] {
        assert!(list.lines().any(|line| line.trim_start().starts_with(name)), "{name} in {list}");
    }
    let roots = folder.run(&["functions", "SQRT"]).out().to_string();
    assert!(roots.contains("numpy.sqrt(") && roots.contains("math.sqrt(") && !roots.contains("numpy.add("), "{roots}");
    let json = folder.run(&["functions", "--json"]).out();
    assert!(json.starts_with("[\n") && json.ends_with("]\n") && json.contains("\"name\": \"numpy.add\""), "{json}");
    for class in ["\"class\": \"type\"", "\"class\": \"excluded\", \"reason\": \"files\""] {
        assert!(json.contains(class), "{class} in {json}");
    }
    let left = folder.run(&["functions", "savetxt"]).out().to_string();
    assert!(left.starts_with("Left to Python\n  numpy.savetxt  read and write files in Python"), "{left}");
    assert!(folder.run(&["functions", "average"]).out().contains("(library"));
    folder.run(&["functions", "zzz"]).ends(2, &["no name has `zzz` in it"]);
}

/// The command as it is installed in an environment; files of its package lie in `lib/python3.12/site-packages/numptx`.
fn installed(test: &str, files: &[&str]) -> Folder {
    let folder = Folder::new(test);
    let package = folder.0.join("lib/python3.12/site-packages/numptx");
    for name in ["bin", "lib/python3.12/site-packages"] {
        fs::create_dir_all(folder.0.join(name)).expect("the folder for tests can be written");
    }
    for file in files {
        let path = package.join(file);
        fs::create_dir_all(path.parent().expect("files stand in folders")).expect("the folder can be written");
        fs::write(path, "").expect("the folder for tests can be written");
    }
    fs::hard_link(env!("CARGO_BIN_EXE_numptx"), folder.0.join("bin/numptx")).expect("both are in the target folder");
    folder
}

impl Folder {
    /// Runs the command that is installed here.
    fn config(&self, arguments: &[&str], active: Option<&Folder>) -> Run {
        let mut command = Command::new(self.0.join("bin/numptx"));
        command.arg("config").args(arguments).env_remove("VIRTUAL_ENV");
        command.envs(active.map(|active| ("VIRTUAL_ENV", &active.0)));
        Run(command.output().expect("the command was built"))
    }
}

const PACKAGE: [&str; 3] = ["libnumptx_runtime.so", "include/numptx.h", "pkgconfig/numptx.pc"];

#[test]
fn config_tells_where_the_installed_package_is() {
    let folder = installed("config", &PACKAGE);
    let package = folder.0.join("lib/python3.12/site-packages/numptx").display().to_string();
    let run = folder.config(&["--cflags", "--libs"], None);
    run.ends(0, &[]);
    assert_eq!(run.out(), format!("-I{package}/include -L{package} -lnumptx_runtime -Wl,-rpath,{package}\n"));
    assert_eq!(folder.config(&["--python-include"], None).out(), format!("{package}/include\n"));
    assert_eq!(folder.config(&["--pkgconfigdir"], None).out(), format!("{package}/pkgconfig\n"));
    // The command's own environment comes before the one that is active.
    let other = installed("config_other", &PACKAGE);
    assert_eq!(folder.config(&["--python-include"], Some(&other)).out(), format!("{package}/include\n"));
    let bare = installed("config_bare", &[]);
    let run = bare.config(&["--python-include"], Some(&folder));
    assert_eq!(run.out(), format!("{package}/include\n"));
}

#[test]
fn config_says_what_is_missing() {
    let bare = installed("config_missing", &[]);
    let run = bare.config(&["--libs"], None);
    run.ends(
        2,
        &["libnumptx_runtime.so is not installed: `pip install numptx-runtime`", "looked in ", "site-packages"],
    );
    assert_eq!(run.out(), "");
    let half = installed("config_half", &["libnumptx_runtime.so"]);
    half.config(&["--cflags"], None).ends(2, &["numptx.h: no such file", "is not whole; install it again"]);
    half.config(&["--libs"], None).ends(0, &[]);
    half.config(&[], None).ends(2, &["--cflags"]);
}

#[test]
fn the_pkg_config_file_has_the_packages_version() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../numptx-python/python/numptx/pkgconfig/numptx.pc");
    let text = fs::read_to_string(path).expect("the package has it");
    assert!(text.contains(concat!("\nVersion: ", env!("CARGO_PKG_VERSION"), "\n")), "{text}");
}

#[test]
fn a_static_library_is_made_where_it_is_asked_for() {
    let folder = Folder::new("static");
    let run = folder.file("kernels.py", GOOD).run(&["compile", "kernels.py", "-o", "out", "--static"]);
    run.ends(0, &["kernels.a"]);
    assert_eq!(folder.names("out"), ["kernels.a", "kernels.h", "kernels.ptx"]);
    let archive = fs::read(folder.0.join("out/kernels.a")).expect("it was written");
    assert!(archive.starts_with(b"!<arch>\n"));
    // No linker is needed.
    let run = folder.run_with(&["compile", "kernels.py", "--static"], &[("NUMPTX_LINKER", "/nowhere/ld")]);
    run.ends(0, &["kernels.a"]);
}

#[test]
fn info_names_what_is_there() {
    let run = Folder::new("info").run(&["info"]);
    run.ends(0, &[]);
    for fact in ["numptx", "LLVM", "linker", "ptxas", "nvJitLink", "cuBLAS", "device math", "CUDA devices"] {
        assert!(run.out().lines().any(|l| l.starts_with(fact)), "{fact} in {}", run.out());
    }
}

const LOOPS: &str =
    "#numptx export f(float64[:])\ndef f(x):\n    for i in range(1, x.size):\n        x[i] = x[i - 1]\n";

#[test]
fn loops_are_explained_on_standard_error() {
    let folder = Folder::new("explained");
    let run = folder.file("kernels.py", LOOPS).run(&["compile", "kernels.py", "--host-only", "--explain-loops"]);
    run.ends(
        0,
        &["kernels.py:3:9: note: for i in range(1, x.size): run by one thread of a kernel; not parallel: `x[i]` (4:9) writes what `x[i - 1]` (4:16) reads 1 iteration later"],
    );
    assert_eq!(run.out(), "");
}

#[test]
fn a_report_is_written_where_it_is_asked_for() {
    let folder = Folder::new("reported");
    folder.file("kernels.py", LOOPS).file("other.py", GOOD);
    folder.run(&["compile", "kernels.py", "-o", "out", "--host-only", "--report", "out/deep/r.json"]).ends(0, &[]);
    let text = fs::read_to_string(folder.0.join("out/deep/r.json")).unwrap_or_default();
    assert!(text.starts_with("{\n  \"schema\": 1,"), "{text}");
    let shown = folder.run(&["compile", "kernels.py", "-o", "out", "--host-only", "--report", "-"]);
    assert_eq!(shown.out(), text);
    folder.run(&["compile", "kernels.py", "-o", "out", "--host-only", "--report", "out/deep/r.html"]).ends(0, &[]);
    let page = fs::read_to_string(folder.0.join("out/deep/r.html")).unwrap_or_default();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    folder.run(&["compile", "kernels.py", "--report", "r.txt"]).ends(2, &["r.txt: a report is a file named"]);
    folder.run(&["compile", "kernels.py", "other.py", "--report", "-"]).ends(2, &["name one source"]);
    assert_eq!(folder.names(""), ["kernels.py", "other.py", "out"]);
    std::os::unix::fs::symlink("kernels.py", folder.0.join("link.json")).expect("the folder for tests can be written");
    folder.run(&["compile", "kernels.py", "--report", "link.json"]).ends(2, &["would be written over the source"]);
}

#[test]
fn a_linker_that_cannot_be_run_is_no_bug() {
    let folder = Folder::new("no_linker");
    folder.file("kernels.py", GOOD);
    let arguments = ["compile", "kernels.py", "-o", "out", "--host-only"];
    folder
        .run_with(&arguments, &[("TMPDIR", "/nowhere")])
        .ends(1, &["NPX0702", "a temporary directory cannot be made"]);
    folder.file("linker", "no program");
    let linker = folder.0.join("linker").to_string_lossy().into_owned();
    folder.run_with(&arguments, &[("NUMPTX_LINKER", &linker)]).ends(1, &["NPX0702", "cannot be run"]);
    assert!(folder.names("out").is_empty());
}

#[test]
fn a_c_compiler_without_the_c_librarys_development_files_links() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("no_libc_dev");
    let program = "#numptx export f(float64[:])\ndef f(x):\n    return np.exp(x).sum()\n";
    let script = "#!/bin/sh\nfor word; do test \"$word\" = -lc && { echo 'cannot find -lc' >&2; exit 1; }; done\nexec cc \"$@\"\n";
    folder.file("kernels.py", format!("import numpy as np\n{program}")).file("bare-cc", script);
    let linker = folder.0.join("bare-cc");
    fs::set_permissions(&linker, fs::Permissions::from_mode(0o755)).expect("the folder for tests can be written");
    let linker = linker.to_string_lossy().into_owned();
    folder.run_with(&["compile", "kernels.py", "-o", "out"], &[("NUMPTX_LINKER", &linker)]).ends(0, &["wrote"]);
    assert!(folder.names("out").contains(&"kernels.so".to_owned()));
}

#[test]
fn lines_are_counted_as_python_counts_them() {
    let folder = Folder::new("newlines");
    let program = "#numptx export f(float64[:])\ndef f(x):\n    s = '''a\nb'''\n    return x + y\n";
    for (name, text) in [
        ("cr", program.replace('\n', "\r")),
        ("crlf", program.replace('\n', "\r\n")),
        ("mixed", program.replacen('\n', "\r", 1).replacen('\n', "\r\n", 1)),
        ("marked", format!("\u{feff}{program}")),
        ("marked_cr", format!("\u{feff}{}", program.replace('\n', "\r"))),
    ] {
        let file = format!("{name}.py");
        let run = folder.file(&file, text).run(&["check", &file]);
        run.ends(1, &["NPX0201", &format!("{file}:5:16"), "return x + y"]);
        assert!(!run.err().contains('\r'), "{}", run.err());
    }
    folder.file("good.py", format!("\u{feff}{}", GOOD.replace('\n', "\r"))).run(&["compile", "good.py"]).ends(0, &[]);
}

#[test]
fn the_encoding_is_the_declared_one() {
    let folder = Folder::new("encodings");
    let latin = [b"# coding: latin-1\n# \xe9\n", GOOD.as_bytes()].concat();
    folder.file("latin.py", latin).run(&["check", "latin.py"]).ends(0, &[]);
    folder.file("utf.py", format!("# vim: fileencoding=UTF-8\n# é\n{GOOD}")).run(&["check", "utf.py"]).ends(0, &[]);
    let other = format!("#!/usr/bin/env python\n# coding: cp1252\n{GOOD}");
    folder
        .file("other.py", other)
        .run(&["check", "other.py"])
        .ends(1, &["other.py:2: the encoding `cp1252` is not read"]);
    folder.file("wide.py", b"\xff\xfex\0").run(&["check", "wide.py"]).ends(1, &["wide.py:1: "]);
}

#[test]
fn nothing_steers_the_terminal() {
    let folder = Folder::new("steering");
    let program = "#numptx export f(float64[:])\ndef f(x):\n    return x + nowhere # \u{1b}[31m\u{9b}2J\u{202e}\n\n\n#numptx export g\u{1b}[2J(int)\n";
    let names = ["plain.py", "\u{1b}[2J.py", "a\nnumptx: forged.py"];
    let folder = names.iter().fold(&folder, |folder, name| folder.file(name, program));
    let mut commands: Vec<Vec<&str>> = names.iter().map(|name| vec!["compile", name]).collect();
    commands.extend([
        vec!["check", "\u{1b}[31m"],
        vec!["compile", "plain.py", "-o", "\u{1b}/plain.py/x"],
        vec!["compile", "--\u{1b}[2J"],
    ]);
    commands.extend([
        vec!["explain", "\u{1b}"],
        vec!["link", "\u{1b}", "-o", "x"],
        vec!["compile", "plain.py", "--report", "\u{1b}"],
    ]);
    for command in commands {
        let run = folder.run(&command);
        assert!(!run.err().is_empty() && run.status().is_some_and(|status| status == 1 || status == 2), "{command:?}");
        let steers = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
        assert!(!run.err().contains(steers), "{command:?}: {:?}", run.err());
        assert!(!run.err().lines().any(|line| line.starts_with("numptx: forged")), "{}", run.err());
    }
    folder.run(&["check", "plain.py"]).ends(1, &["return x + nowhere # ?[31m", "\\u{1b}"]);
}

#[test]
fn no_progress_is_shown_where_standard_error_is_no_terminal() {
    let folder = Folder::new("progress");
    // Long enough for a terminal to see progress, in a build without optimisation.
    let sorts = "    x.sort()\n".repeat(4);
    let program = format!("#numptx export f(float64[:])\ndef f(x):\n{sorts}");
    let run = folder.file("long.py", &program).file("short.py", GOOD).run(&["compile", "long.py", "short.py"]);
    run.ends(0, &["[1/2] long.py: wrote ", "[2/2] short.py: wrote "]);
    assert_eq!(run.err().lines().count(), 2, "{:?}", run.err());
    assert!(!run.err().contains(|c: char| c.is_control() && c != '\n'), "{:?}", run.err());
    assert_eq!(run.out(), "");
}

#[test]
fn what_cannot_be_printed_is_an_error() {
    let folder = Folder::new("full");
    folder.file("kernels.py", GOOD);
    let commands: [&[&str]; 8] = [
        &["compile", "kernels.py", "--report", "-", "--host-only"],
        &["compile", "kernels.py", "--emit", "array"],
        &["functions"],
        &["functions", "--json"],
        &["explain"],
        &["explain", "NPX0101"],
        &["info"],
        &["--help"],
    ];
    for command in commands {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let output =
            Command::new(env!("CARGO_BIN_EXE_numptx")).args(command).current_dir(&folder.0).stdout(full).output();
        Run(output.expect("the command was built"))
            .ends(2, &["numptx: standard output: cannot be written: No space left"]);
    }
}

#[test]
fn rust_writes_bindings_and_a_library_and_says_what_cargo_links() {
    let folder = Folder::new("rust");
    let run = folder.file("kernels.py", GOOD).run(&["rust", "kernels.py", "-o", "made"]);
    assert_eq!(run.status(), Some(0), "{}", run.err());
    let names = folder.names("made");
    assert!(names.contains(&"kernels.rs".to_string()) && names.iter().any(|name| name.ends_with(".a")), "{names:?}");
    let out = run.out();
    assert!(out.lines().all(|line| line.starts_with("cargo::")), "{out}");
    assert!(
        out.contains("cargo::rustc-link-search=native=made\n") && out.contains("cargo::rustc-link-lib=static="),
        "{out}"
    );
    let run = folder.file("bad.py", BAD).run(&["rust", "bad.py", "-o", "refused"]);
    assert_eq!(run.status(), Some(1));
    assert!(run.out().contains("cargo::error=bad.py:"), "{}", run.out());
}

#[test]
fn rust_for_a_runtime_of_another_abi_is_refused() {
    let folder = Folder::new("rust_abi");
    let run = folder.file("kernels.py", GOOD).run(&["rust", "kernels.py", "-o", ".", "--abi", "1"]);
    assert_eq!(run.status(), Some(1));
    assert!(
        run.out().contains("cargo::error=this compiler, numptx ") && run.out().contains("runtime has 1;"),
        "{}",
        run.out()
    );
    assert_eq!(folder.names("."), ["kernels.py"]);
}
