//! The programs on the pages of `docs/errors`, in pairs: the first is reported with the page's code where this
//! crate finds it, the second is read without a report.

use numptx_source::{CODES, Source, code};
use numptx_syntax::parse;

fn programs(page: &str) -> Vec<String> {
    let blocks = page.split("```python\n").skip(1);
    blocks.filter_map(|rest| rest.split("```").next().map(str::to_owned)).collect()
}

fn codes_of(program: &str) -> Vec<&'static str> {
    let (module, reports) = parse(&Source::new("page.py", program));
    let refused = module.functions.iter().flat_map(|f| f.refused.iter());
    reports.iter().chain(refused).map(|r| r.code).collect()
}

/// Whether this crate reports a code, whatever the types.
fn is_found_here(code: &str) -> bool {
    let by_type = [code::UNSUPPORTED_INDEX, code::UNSUPPORTED_TYPE, code::UNSUPPORTED_ITERATION];
    let by_text = code.starts_with("NPX01") || code.starts_with("NPX04") || code == code::STATES_NOTHING;
    by_text && !by_type.contains(&code)
}

#[test]
fn every_page_shows_a_program_that_fails_and_one_that_works() {
    // Those from NPX0701 on are about the machine, not about a program.
    for entry in CODES.iter().filter(|e| e.code < "NPX0700") {
        let programs = programs(entry.page);
        assert!(entry.page.starts_with(&format!("# {}: ", entry.code)), "{}", entry.code);
        assert!(programs.len() >= 2, "{} shows a program and one that works", entry.code);
        let expected: &[&str] = match entry.code {
            // It is refused where compiled code reads it, and noted until then.
            code::UNSUPPORTED_MODULE_STATEMENT => &[code::LEFT_TO_PYTHON],
            code if is_found_here(code) => &[code],
            _ => &[],
        };
        for (n, pair) in programs.chunks(2).enumerate() {
            let [fails, works] = pair else { panic!("the last program of {} has none that works", entry.code) };
            assert_eq!(codes_of(fails), expected, "the first program of pair {n} of {}", entry.code);
            assert_eq!(codes_of(works), Vec::<&str>::new(), "the second program of pair {n} of {}", entry.code);
        }
    }
}
