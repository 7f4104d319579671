//! The user's own files that a source imports: which file an import names, and its text.
//!
//! In: a source and its path. Out: the same with its helpers. Files are looked for as Python does: `util` beside the file that is compiled, or
//! beside the outermost package that it is part of; `.util` beside the file that imports it. A package is a folder with `__init__.py`, or without.
//! What is found nowhere is left out: an import of it is one of a module of Python's. Nothing that is handed on depends on where the folder lies.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use numptx_source::{Imports, Source, decode};

/// Files beyond this number are not read.
const MAX_FILES: usize = 256;
/// Modules that Python has in itself, before any file of the name.
const BUILT_IN: &[&str] = &["builtins", "itertools", "sys", "time"];

/// Adds the files that a source imports, and those that these import. `shown`: the name of a path in reports.
pub fn read_helpers(source: &mut Source, file: &Path, shown: impl Fn(&Path) -> String) {
    let folder = file.parent().unwrap_or(Path::new(""));
    let Some(name) = file.file_name().map(|name| name.to_string_lossy().into_owned()) else { return };
    let place = Place::new(folder);
    // By path; the file that is compiled is none of the helpers.
    let mut known: BTreeMap<String, Option<usize>> = BTreeMap::from([(name.clone(), None)]);
    let mut next = None;
    loop {
        let path = next.map_or_else(|| name.clone(), |n: usize| source.helpers[n].path.clone());
        let mut imports = Imports::new();
        for module in numptx_syntax::imported_modules(&source.alone(next)) {
            let Some(found) = place.find(&path, &module) else { continue };
            if let Some(number) = known.get(&found) {
                imports.insert(module, *number);
                continue;
            }
            let on_disk = folder.join(&found);
            let Ok(bytes) = std::fs::read(&on_disk) else { continue };
            let Ok(text) = decode(&bytes) else { continue };
            if source.helpers.len() == MAX_FILES {
                continue;
            }
            let number = Some(source.helpers.len());
            source.add_helper(shown(&on_disk), found.clone(), &text, bytes);
            known.insert(found, number);
            imports.insert(module, number);
        }
        match next {
            None => source.imports = imports,
            Some(n) => source.helpers[n].imports = imports,
        }
        next = Some(next.map_or(0, |n| n + 1));
        if next.is_some_and(|n| n >= source.helpers.len()) {
            return;
        }
    }
}

/// Where files are looked for.
struct Place<'a> {
    /// Of the file that is compiled.
    folder: &'a Path,
    /// Its name, and those of the folders that it lies in, outwards.
    names: Vec<String>,
    /// How many of these are packages.
    n_packages: usize,
}

impl<'a> Place<'a> {
    fn new(folder: &'a Path) -> Place<'a> {
        let own = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let absolute = std::fs::canonicalize(own).unwrap_or_default();
        let names = absolute.components().rev().filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        let n_packages = absolute.ancestors().take_while(|folder| folder.join("__init__.py").is_file()).count();
        Place { folder, names: names.collect(), n_packages }
    }

    /// The path of the file that a module of an import statement is, from the folder of the one that is compiled.
    fn find(&self, importer: &str, module: &str) -> Option<String> {
        let own = module.trim_start_matches('.');
        let names: Vec<&str> = own.split('.').filter(|name| !name.is_empty()).collect();
        let n_dots = module.len() - own.len();
        if n_dots > 0 {
            let mut folder: Vec<&str> = importer.split('/').collect();
            folder.pop();
            for _ in 1..n_dots {
                match folder.last() {
                    None | Some(&"..") => folder.push(".."),
                    Some(_) => drop(folder.pop()),
                }
            }
            return self.file(&folder, &names);
        }
        if BUILT_IN.contains(names.first()?) {
            return None;
        }
        let beside = self.file(&[], &names);
        beside.or_else(|| self.file(&vec![".."; self.n_packages], &names).filter(|_| self.n_packages > 0))
    }

    /// The file of a module that is named from a folder.
    fn file(&self, folder: &[&str], names: &[&str]) -> Option<String> {
        let mut parts = [folder, names].concat();
        // The way out of a folder and into it again is none.
        while let Some(up) = parts.iter().take_while(|part| **part == "..").count().checked_sub(1) {
            if parts.get(up + 1).copied() != self.names.get(up).map(String::as_str) {
                break;
            }
            parts.drain(up..up + 2);
        }
        let path = parts.join("/");
        let package = if path.is_empty() { "__init__.py".to_owned() } else { format!("{path}/__init__.py") };
        let is_module = parts.last().is_some_and(|last| *last != "..");
        let module = is_module.then(|| format!("{path}.py"));
        std::iter::once(package).chain(module).find(|path| self.folder.join(path).is_file())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use numptx_source::Source;

    use super::read_helpers;

    /// The paths of the helpers of a file in a folder of some files.
    fn found(test: &str, file: &str, files: &[(&str, &str)]) -> Vec<String> {
        let folder = std::env::temp_dir().join(format!("numptx-helpers-{}-{test}", std::process::id()));
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&folder))
                .expect("the folder for temporary files can be written");
            fs::write(path, text).expect("the folder for temporary files can be written");
        }
        let path = folder.join(file);
        let mut source = Source::new(file, fs::read_to_string(&path).expect("it was written"));
        read_helpers(&mut source, &path, |path| path.display().to_string());
        fs::remove_dir_all(folder).expect("it was made above");
        source.helpers.into_iter().map(|helper| helper.path).collect()
    }

    #[test]
    fn files_are_found_where_python_finds_them() {
        let main = "import a, b.c, numpy, time, nowhere\nfrom d import e\n";
        let files = [("m.py", main), ("a.py", "import d"), ("b/c.py", "from . import near"), ("b/near.py", "")];
        let more =
            [("d/__init__.py", ""), ("d.py", "never"), ("d/e.py", "import m"), ("numpy.py", ""), ("time.py", "")];
        let all = found("beside", "m.py", &[&files[..], &more].concat());
        assert_eq!(all, ["a.py", "b/c.py", "d/__init__.py", "d/e.py", "b/near.py"]);
    }

    #[test]
    fn a_file_has_one_path_however_it_is_imported() {
        let main = "from . import near\nfrom .. import up\nfrom p.q import near as also\nimport p.up\nfrom ..q import near as again\n";
        let files =
            [("p/__init__.py", ""), ("p/q/__init__.py", ""), ("p/q/m.py", main), ("p/q/near.py", ""), ("p/up.py", "")];
        let all = found("once", "p/q/m.py", &files);
        assert_eq!(all, ["__init__.py", "near.py", "../__init__.py", "../up.py"]);
    }
}
