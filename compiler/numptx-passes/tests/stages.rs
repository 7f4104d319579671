//! Runs the passes that each file of `tests/stages/array` names on the module in it, and compares with the module that it expects.
//!
//! A file: `#! passes = ["…"]`, lines `#! …` that say what it shows, a module, `#! expect`, the module after the passes.
//! `NUMPTX_BLESS=1` writes what was found into the files; read every difference before committing it.

mod pipeline;

use std::path::{Path, PathBuf};

use numptx_ir::array::parse::parse;
use numptx_ir::array::verify::verify;
use numptx_passes::{Limit, Pass, Rounding, Unobserved, forming_nests, forming_nests_by, run, strategies};
use pipeline::PASSES;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/stages/array");
    let entries = std::fs::read_dir(&folder).expect("the folder of stage tests exists");
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "array"));
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The module after the passes that the header names.
fn after_passes(header: &str, input: &str) -> Result<String, String> {
    let mut module = parse(input).map_err(|e| format!("{e:?}"))?;
    verify(&module).map_err(|e| format!("the input is invalid: {e:?}"))?;
    let free = Pass { name: "form-nests, rounding freely", ..forming_nests(Rounding::Free) };
    let named = header.lines().next().unwrap_or("").split('"').skip(1).step_by(2);
    for name in named {
        let forced = name.strip_prefix("form-nests by ").and_then(forming_nests_by);
        let pass = PASSES
            .iter()
            .chain(numptx_passes::OF_STRATEGIES)
            .chain([
                &numptx_passes::FORM_NESTS,
                &free,
                &numptx_passes::TILE_TIME,
                &numptx_passes::FORM_TRIANGULAR_SOLVES,
                &numptx_passes::SHARE_SUMS,
                &numptx_passes::HOIST_PRODUCTS,
                &numptx_passes::JOIN_STORES,
                &numptx_passes::JOIN_MOVES,
                &numptx_passes::COMPACT_BY_TILES,
                &numptx_passes::JOIN_WAITS,
            ])
            .find(|p| p.name == name)
            .or(forced.as_ref())
            .ok_or_else(|| format!("no pass `{name}`"))?;
        run(&mut module, [pass], Limit::None, &mut Unobserved).map_err(|e| e.to_string())?;
    }
    Ok(module.to_string())
}

fn check(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let (given, expected) = text.split_once("#! expect\n").unwrap_or((&text, ""));
    let n_header = given.lines().take_while(|line| line.starts_with("#!")).map(|line| line.len() + 1).sum();
    let (header, input) = given.split_at(n_header);
    let found = after_passes(header, input)?;
    if std::env::var("NUMPTX_BLESS").is_ok() {
        let text = format!("{}\n\n#! expect\n{found}", given.trim_end());
        std::fs::write(path, text).map_err(|e| e.to_string())?;
    } else if found.trim() != expected.trim() {
        return Err(format!("found\n{found}"));
    }
    Ok(())
}

#[test]
fn passes_give_what_the_files_expect() {
    let failures: Vec<String> =
        files().iter().filter_map(|path| check(path).err().map(|e| format!("{}: {e}", path.display()))).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_strategy_may_be_forced() {
    let lacking: Vec<&str> = strategies().into_iter().filter(|name| forming_nests_by(name).is_none()).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
}
