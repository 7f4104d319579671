//! No text makes the parser panic, overflow a thread's stack, or point outside the text.

use std::path::Path;

use numptx_source::{Source, code};
use numptx_syntax::{parse, print};

/// Reads a text and checks what every reading must keep.
fn check(text: &str) {
    let source = Source::new("fuzz.py", text);
    let (module, reports) = parse(&source);
    let refused = module.functions.iter().flat_map(|f| f.refused.iter());
    for report in reports.iter().chain(refused) {
        let spans = std::iter::once(report.span).chain(report.related.iter().map(|l| l.span));
        for span in spans {
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{report:?} in {text:?}");
        }
    }
    print(&module);
}

fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = std::fs::read_dir(folder).expect("the folder of cases is part of the crate");
    let mut paths: Vec<_> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.sort();
    paths.iter().filter_map(|p| std::fs::read_to_string(p).ok()).collect()
}

/// A small generator of the same numbers on every machine (SplitMix64, Steele et al., OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "'",
    "\"",
    "\"\"\"",
    "f'",
    "f\"{",
    "}\"",
    "\\",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "    ",
    "\0",
    "\u{feff}",
    "é",
    "😀",
    "\u{301}",
    "0x",
    "1e",
    "1e999",
    "0b2",
    "1_",
    "1__0",
    "0777",
    "1j",
    ".",
    "..",
    "...",
    ":=",
    "->",
    "@",
    "=",
    "==",
    "!",
    "$",
    "?",
    "lambda:",
    "not ",
    "-",
    "**",
    "*",
    "if ",
    "else",
    "elif x:",
    "def ",
    "class ",
    "for ",
    "in ",
    "async ",
    "await ",
    "yield ",
    "return ",
    "match x:\n case",
    "type X = int\n",
    "\\N{DASH}",
    "\\x",
    "\\u12",
    "\\777",
    "b'é'",
    "rb'",
    "#numptx export ",
    "#pythran export f(",
    "float64[:,",
    " or ",
    " list",
    "order(C)",
    "import numpy",
    "from . import",
    "global x",
    "*args",
    "**kw",
    "/",
    "%",
    "{x!r:>{w}}",
    "print",
    "nonlocal",
    ";",
    ",",
    ":",
    "~",
    "\u{c}",
    "\u{2028}",
    "99999999999999999999999999999999999999999999",
    "del x",
];

#[test]
fn truncated_files_are_read() {
    for text in corpus() {
        for (end, _) in text.char_indices() {
            if end % 3 == 0 || end < 200 {
                check(&text[..end]);
            }
        }
    }
}

#[test]
fn mutated_files_are_read() {
    let corpus = corpus();
    let mut random = Random(2024);
    for _ in 0..6000 {
        let mut text: Vec<char> = corpus[random.below(corpus.len())].chars().collect();
        let start = random.below(text.len());
        text = text.into_iter().skip(start).take(400).collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(text.len() + 1);
            let cut = random.below(4).min(text.len() - at);
            let piece = PIECES[random.below(PIECES.len())];
            text.splice(at..at + cut, piece.chars());
        }
        check(&text.iter().collect::<String>());
    }
}

#[test]
fn random_pieces_are_read() {
    let mut random = Random(7);
    for _ in 0..6000 {
        let text: String = (0..random.below(40)).map(|_| PIECES[random.below(PIECES.len())]).collect();
        check(&text);
    }
}

#[test]
fn deep_nesting_is_reported() {
    let n = 10_000;
    let deep = [
        format!("x = {}1{}", "(".repeat(n), ")".repeat(n)),
        format!("x = {}1{}", "[".repeat(n), "]".repeat(n)),
        format!("x = {}", "(".repeat(n)),
        format!("x = {}1", "-".repeat(n)),
        format!("x = {}1", "not ".repeat(n)),
        format!("x = {}1", "2 ** ".repeat(n)),
        format!("x = {}1", "1 + ".repeat(n)),
        format!("x = a{}", ".b".repeat(n)),
        format!("x = a{}", "()".repeat(n)),
        format!("x = a{}", "[0]".repeat(n)),
        format!("x = {}1", "lambda: ".repeat(n)),
        format!("x = {}1", "1 if 1 else ".repeat(n)),
        format!("x = f\"{{{}1}}\"", "-".repeat(n)),
        format!("x = f\"{{{}1{}}}\"", "(".repeat(n), ")".repeat(n)),
        format!("if x:\n  pass\n{}", "elif x:\n  pass\n".repeat(n)),
        (0..300).map(|i| format!("{}if x:\n", " ".repeat(i))).collect::<String>() + &" ".repeat(300) + "pass\n",
    ];
    for text in deep {
        check(&text);
        let (_, reports) = parse(&Source::new("deep.py", text.clone()));
        let found: Vec<_> = reports.iter().map(|r| r.code).collect();
        let expected = if text.ends_with('(') { code::SYNTAX } else { code::TOO_DEEPLY_NESTED };
        assert!(found.contains(&expected), "{found:?} for {}", &text[..40]);
    }
}

#[test]
fn nesting_below_the_limits_is_read() {
    let deep = [
        format!("#numptx export f(int)\ndef f(x):\n  return {}x{}\n", "(".repeat(150), ")".repeat(150)),
        format!("#numptx export f(int)\ndef f(x):\n  return {}1\n", "x + ".repeat(150)),
        format!("#numptx export f(int)\ndef f(x):\n  return {}\n", vec!["x"; 20_000].join(", ")),
        format!("#numptx export f(int)\ndef f(x):\n{}  return x\n", "  x = x + 1\n".repeat(5000)),
    ];
    for text in deep {
        let (module, reports) = parse(&Source::new("deep.py", text.clone()));
        assert!(reports.is_empty() && module.functions[0].refused.is_empty(), "{}", &text[..60]);
    }
}

#[test]
fn nesting_between_the_limits_is_reported_at_the_function() {
    let text = format!("#numptx export f(int)\ndef f(x):\n  return {}1\n", "x + ".repeat(1500));
    let (module, reports) = parse(&Source::new("deep.py", text));
    assert!(reports.is_empty());
    assert!(module.functions[0].refused.iter().any(|r| r.code == code::TOO_DEEPLY_NESTED));
}

#[test]
fn a_literal_that_takes_quadratic_time_is_refused() {
    let digits = "9".repeat(1_000_000);
    let (_, reports) = parse(&Source::new("long.py", format!("x = {digits}\n")));
    assert_eq!(reports.iter().map(|r| r.code).collect::<Vec<_>>(), [code::SYNTAX]);
    let (_, reports) = parse(&Source::new("long.py", format!("#numptx export x\nx = '{digits}' # {digits}\n")));
    assert!(reports.is_empty());
}

#[test]
fn a_file_of_open_brackets_is_read_in_bounded_time() {
    check(&"x = (\n".repeat(20_000));
}

#[test]
fn large_files_are_refused_before_they_take_long() {
    let many: String = (0..10_000).map(|n| format!("def f{n}(x):\n    return x\n")).collect();
    let (module, reports) = parse(&Source::new("many.py", format!("#numptx export f0(float64)\n{many}")));
    assert!(module.functions.len() == 10_000 && reports.is_empty());
    let (_, reports) = parse(&Source::new("comments.py", format!("x = 1\n{}", "# no\n".repeat(1 << 20))));
    assert_eq!(reports.iter().map(|r| r.code).collect::<Vec<_>>(), [code::SYNTAX]);
}
