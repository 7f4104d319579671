//! Bytes of a file, through what the command line does with them until LLVM would come: decoding, the front end, all reports drawn, and of accepted
//! programs the verifier and every pass.
//!
//! A finding is a panic, a stage of ours that leaves what the verifier refuses, a report that names no place of the text, and what takes too long.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use miette::{GraphicalReportHandler, GraphicalTheme};
use numptx_ir::array::{Module, verify};
use numptx_ir::functions;
use numptx_source::{CODES, Report, Reports, Source, decode};

mod compiler;
#[path = "../../../crates/numptx/src/drawing.rs"]
mod drawing;
#[path = "../../../compiler/numptx-driver/src/lists.rs"]
mod lists;
#[path = "../../src/numbers.rs"]
#[allow(dead_code)]
mod numbers;
#[path = "../../src/tokens.rs"]
mod tokens;
#[path = "../../../crates/numptx/src/visible.rs"]
#[allow(dead_code)]
mod visible;

fuzz_target!(|bytes: &[u8]| compiler::with_stack(|| compile(bytes)));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    compiler::mutate(data, size, max_size, seed, &POOL)
});

/// Names that programs may use, and what hardly any program has.
static POOL: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = functions::all().flat_map(|function| std::iter::once(&function.name).chain(function.aliases));
    let names = names.map(|name| name.replace("numpy.", "np.").replace("ndarray.", "x."));
    let words =
        ["float32", "int8", "bool", "complex128", "uint64", "np.newaxis", "axis", "out", "where", "dtype", "keepdims"];
    names.chain(tokens::FOREIGN.into_iter().chain(words).map(str::to_owned)).collect()
});

/// Passes take a thousand times as long as the front end: longer programs go through that alone.
const MOST_BYTES: usize = 2000;

fn compile(bytes: &[u8]) {
    let Ok(text) = decode(bytes) else { return };
    let source = Source::of_file("program.py", text, bytes.to_vec());
    let (syntax, mut reports) = numptx_syntax::parse(&source);
    let (mut module, found) = numptx_lower::lower(&syntax, "program");
    reports.extend(found);
    check(&source, &reports);
    if reports.has_errors() {
        return;
    }
    std::hint::black_box(numptx_syntax::print(&syntax));
    assert_valid(&module);
    if bytes.len() <= MOST_BYTES {
        compiler::pass(&mut module);
    }
}

/// The verifier on what a stage of ours made.
fn assert_valid(module: &Module) {
    if let Err(errors) = verify::verify(module) {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{module}", lines.join("\n"));
    }
}

/// Every report is about a place of the text, says something, and can be drawn.
fn check(source: &Source, reports: &Reports) {
    for Report { code, message, span, related, help, .. } in reports.iter() {
        assert!(CODES.iter().any(|entry| entry.code == *code), "{code} is no code");
        assert!(!message.is_empty() && help.as_ref().is_none_or(|help| !help.is_empty()), "{code} says nothing");
        for span in related.iter().map(|label| label.span).chain([*span]) {
            let range = span.start as usize..span.end as usize;
            assert!(source.text.get(range).is_some(), "{code}, `{message}`: {span:?} is no part of the text");
        }
    }
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::none()).with_links(false).with_context_lines(1);
    let texts = drawing::drawn(source, reports, usize::MAX, &handler.with_width(100));
    assert!(texts.iter().all(|text| text.contains("NPX")), "{texts:#?}");
}
