//! No text makes reading, verifying or running panic; what is read prints and reads back; what is accepted runs.

mod sample;

use numptx_ir::array::interpret::{Failure, Options, interpret_with};
use numptx_ir::array::parse::parse;
use numptx_ir::array::verify::verify;
use numptx_ir::kernel;
use sample::Random;

/// Mutants of one text.
const MUTANTS: usize = 1500;

/// Texts of modules, and of functions that break one invariant each.
fn seeds() -> Vec<String> {
    let mut seeds: Vec<String> = sample::texts().into_iter().map(|(_, text)| text).collect();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verify/array");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    seeds.extend(paths.iter().step_by(6).map(|path| std::fs::read_to_string(path).unwrap()));
    seeds
}

/// Pieces that a mutation moves around: words, numbers, marks, and the blanks between them.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut before = None;
    for character in text.chars() {
        let class = if character.is_alphanumeric() || character == '_' { Some('a') } else { None };
        match pieces.last_mut() {
            Some(piece) if class.is_some() && class == before => piece.push(character),
            _ => pieces.push(character.to_string()),
        }
        before = class;
    }
    pieces
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut pieces = pieces(text);
    for _ in 0..1 + random.below(3) {
        let (a, b) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(6) {
            0 => drop(pieces.remove(a)),
            1 => pieces[a] = pieces[b].clone(),
            2 => pieces.insert(a, pieces[b].clone()),
            3 => pieces.swap(a, b),
            4 => {
                pieces[a] = ["0", "1", "99", "4294967295", "-", "(", "}", "%7", "f32", "\"", "any"][random.below(11)]
                    .to_string()
            }
            _ => pieces.truncate(1 + a.max(b)),
        }
    }
    pieces.concat()
}

#[test]
fn no_text_makes_the_compiler_panic() {
    let mut random = Random(7);
    let (mut parsed, mut accepted, mut ran) = (0, 0, 0);
    for seed in seeds() {
        for _ in 0..MUTANTS {
            let Ok(module) = parse(&mutate(&seed, &mut random)) else { continue };
            parsed += 1;
            let printed = module.to_string();
            let again = parse(&printed).unwrap_or_else(|error| panic!("{error} in\n{printed}"));
            assert_eq!(again.to_string(), printed);
            if verify(&module).is_err() {
                continue;
            }
            accepted += 1;
            for function in &module.functions {
                let arguments = sample::arguments(function, 2);
                let options = Options { fuel: 20_000, ..Options::default() };
                ran += usize::from(interpret_with(&module, &function.name, &arguments, options).is_ok());
            }
        }
    }
    assert!(parsed > 2000 && accepted > 400 && ran > 400, "{parsed} parsed, {accepted} accepted, {ran} ran");
}

#[test]
fn no_text_makes_reading_a_kernel_panic() {
    let mut random = Random(11);
    let kernels: Vec<String> = sample::modules().iter().flat_map(|m| &m.kernels).map(|k| k.to_string()).collect();
    for seed in kernels {
        for _ in 0..MUTANTS {
            let Ok(kernel) = kernel::parse::parse(&mutate(&seed, &mut random)) else { continue };
            assert_eq!(kernel::parse::parse(&kernel.to_string()).as_ref(), Ok(&kernel));
            let _ = kernel::verify::verify(&kernel);
        }
    }
}

#[test]
fn a_run_is_given_up_in_time() {
    let text = "module \"m\"
func @f noalias source () {
  export \"f\" \"f\" () -> none
  %0 = constant<true> : bool
  while (  ) {
    yield %0
  } do {
    yield
  }
  return
}
";
    let module = parse(text).unwrap();
    let options = Options { fuel: 1000, ..Options::default() };
    let failure = interpret_with(&module, "f", &[], options).unwrap_err();
    assert!(matches!(failure, Failure::Invalid(message) if message.contains("too long")));
}
