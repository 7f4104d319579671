//! `numptx config`: where the header and the library that C programs need lie: in the Python package `numptx`.
//!
//! In: what is asked for. Out: flags or folders in one line, or a message that says where the package was looked for.

use std::path::{Path, PathBuf};

use numptx_driver::python_packages;

use crate::arguments::ConfigArguments;
use crate::output;
use crate::status::Status;

const LIBRARY: &str = "libnumptx_runtime.so";

/// Prints what was asked for.
pub fn print(arguments: &ConfigArguments) -> Status {
    match told(arguments) {
        Ok(line) => output::printed(&line),
        Err(message) => {
            output::error(&message);
            Status::Usage
        }
    }
}

fn told(arguments: &ConfigArguments) -> Result<String, String> {
    let package = package()?;
    let include = package.join("include");
    let mut words = Vec::new();
    if arguments.cflags {
        words.push(format!("-I{}", in_a_word(&existing(include.clone(), "numptx.h")?)));
    }
    if arguments.libs {
        let folder = in_a_word(&package);
        words.push(format!("-L{folder} -lnumptx_runtime -Wl,-rpath,{folder}"));
    }
    if arguments.python_include {
        words.push(in_a_word(&existing(include, "numptx.h")?));
    }
    if arguments.pkgconfigdir {
        words.push(in_a_word(&existing(package.join("pkgconfig"), "numptx.pc")?));
    }
    Ok(format!("{}\n", words.join(" ")))
}

/// The package's folder: of the environment that this command is installed in, else of the one that is active.
fn package() -> Result<PathBuf, String> {
    let mut folders = python_packages();
    // The active environment stands first there; what was installed together fits together.
    let prefix = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.parent()?.to_path_buf()));
    folders.sort_by_key(|folder| prefix.as_deref().is_none_or(|prefix| !folder.starts_with(prefix)));
    // `pip install --target` makes a folder of packages with `bin` in it.
    folders.extend(prefix);
    folders.dedup();
    let packages: Vec<PathBuf> = folders.into_iter().map(|folder| folder.join("numptx")).collect();
    packages.iter().find(|package| package.join(LIBRARY).is_file()).cloned().ok_or_else(|| {
        let looked: Vec<String> = packages.iter().map(|package| output::name(package)).collect();
        format!(
            "{LIBRARY} is not installed: `pip install numptx-runtime` beside this command brings it, or activate the environment that has it\nlooked in {}",
            if looked.is_empty() { "no folder: there are no Python packages here".to_owned() } else { looked.join(", ") }
        )
    })
}

/// The folder, if a file is in it.
fn existing(folder: PathBuf, file: &str) -> Result<PathBuf, String> {
    let shown = || output::name(&folder.join(file));
    if folder.join(file).is_file() {
        return Ok(folder);
    }
    Err(format!("{}: no such file: the package numptx-runtime here is not whole; install it again", shown()))
}

/// A path as one word of a shell or a makefile.
fn in_a_word(path: &Path) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%~".contains(c);
    path.to_string_lossy().chars().fold(String::new(), |mut word, c| {
        if !plain(c) {
            word.push('\\');
        }
        word.push(c);
        word
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::in_a_word;

    #[test]
    fn a_path_is_one_word() {
        assert_eq!(in_a_word(Path::new("/usr/lib/python3.11/größe")), "/usr/lib/python3.11/größe");
        assert_eq!(in_a_word(Path::new("/my files/$x")), "/my\\ files/\\$x");
    }
}
