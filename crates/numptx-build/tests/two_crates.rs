//! Two crates with a module of one name in one program: each calls its own kernels, linked statically and dynamically.
#![cfg(feature = "compiler")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The build script of `numptx-build`'s tests, which cargo builds with them.
fn script() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let folder = test.parent().and_then(Path::parent).expect("tests stand in a folder of the target directory");
    folder.join("examples").join("script")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("files stand in folders")).expect("the folder for tests can be written");
    // What has not changed is not built again.
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::write(path, text).expect("the folder for tests can be written");
    }
}

/// What a command prints; it has to succeed.
fn said(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(done.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// A crate with one kernel, `f`, and a C function that calls it on 2.
fn library(folder: &Path, name: &str, expression: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = folder.join(name);
    write(
        &folder.join("Cargo.toml"),
        &format!(
            "[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2024\"\n\n\
             [lib]\ncrate-type = [\"rlib\", \"cdylib\"]\n\n\
             [dependencies]\nnumptx-runtime = {{ path = {:?} }}\nndarray = \"0.16\"\n",
            root.join("runtime/numptx-runtime")
        ),
    );
    write(
        &folder.join("build.rs"),
        &format!(
            "fn main() {{\n    println!(\"cargo::rerun-if-changed={{}}\", {0:?});\n    \
             let status = std::process::Command::new({0:?}).args([\"src/kernels.py\", \"kernels\", \"x86-64\"]).status();\n    \
             std::process::exit(status.ok().and_then(|status| status.code()).unwrap_or(1));\n}}\n",
            script()
        ),
    );
    write(
        &folder.join("src/kernels.py"),
        &format!("#numptx export f(float64[:])\ndef f(x):\n    x[...] = {expression}\n"),
    );
    write(
        &folder.join("src/lib.rs"),
        &format!(
            "mod kernels {{\n    include!(concat!(env!(\"OUT_DIR\"), \"/kernels.rs\"));\n}}\n\n\
             #[unsafe(no_mangle)]\npub extern \"C\" fn {name}() -> f64 {{\n    let mut x = ndarray::arr1(&[2.0]);\n    \
             kernels::f(x.view_mut()).map_or(-1.0, |_| x[0])\n}}\n"
        ),
    );
}

#[test]
fn each_crate_calls_its_own_kernels() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("two_crates");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // The example's lock names the versions that are there.
    for from in ["examples/rust-build/Cargo.lock", "rust-toolchain.toml"].map(|name| root.join(name)) {
        let to = folder.join(from.file_name().expect("it has a name"));
        if !to.exists() {
            write(&to, &fs::read_to_string(from).expect("the repository has it"));
        }
    }
    library(&folder, "liba", "x + 1");
    library(&folder, "libb", "x * 1000");
    write(
        &folder.join("Cargo.toml"),
        "[workspace]\nresolver = \"3\"\nmembers = [\"app\", \"liba\", \"libb\"]\n\n[profile.dev]\ndebug = false\n",
    );
    write(
        &folder.join("app/Cargo.toml"),
        "[package]\nname = \"app\"\nversion = \"1.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nliba = { path = \"../liba\" }\nlibb = { path = \"../libb\" }\n",
    );
    write(&folder.join("app/src/main.rs"), "fn main() {\n    println!(\"{} {}\", liba::liba(), libb::libb());\n}\n");
    let target = folder.join("target");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--offline", "--target-dir"]).arg(&target).current_dir(&folder);
    // What the tests' own build was told is not for this one.
    said(build.env_remove("CARGO_TARGET_DIR").env_remove("CARGO_BUILD_TARGET"));
    let run = |program: &Path| said(Command::new(program).env("NUMPTX_DEVICE", "cpu"));
    assert_eq!(run(&target.join("debug/app")), "3 2000\n");

    let main = "#include <stdio.h>\ndouble liba(void);\ndouble libb(void);\n\
                int main(void) { printf(\"%g %g\\n\", liba(), libb()); return 0; }\n";
    write(&folder.join("main.c"), main);
    let debug = target.join("debug");
    let libraries = ["libliba.so", "liblibb.so"].map(|name| debug.join(name));
    let program = folder.join("dynamic");
    said(
        Command::new("cc")
            .arg(folder.join("main.c"))
            .args(libraries)
            .arg(format!("-Wl,-rpath,{}", debug.display()))
            .arg("-o")
            .arg(&program),
    );
    assert_eq!(run(&program), "3 2000\n");
}
