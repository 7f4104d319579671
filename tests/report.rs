//! The report of a compilation: its text where the text is the product, and that it is about the source as it is.

use numptx_driver::{Halves, Options, Outcome, Unobserved, check, compile};
use numptx_source::Source;
use numptx_tests::{files, read, root};

/// A map with fusion, snapshots, a time loop, and loops over elements of several classes.
const PROGRAMS: &[&str] =
    &["saxpy", "store_hazards", "jacobi_2d", "softmax", "loops/parallel", "loops/n_body", "polybench/seidel_2d"];

fn report_of(name: &str, text: &str) -> numptx_driver::CompilationReport {
    let options = Options { halves: Halves::DeviceOnly, report: true, ..Options::new("program") };
    let outcome = compile(&Source::new(format!("{name}.py"), text), &options, &mut Unobserved);
    match outcome.expect("the compiler makes no mistake of its own") {
        Outcome::Compiled { report: Some(report), .. } => *report,
        other => panic!("{name}: {other:?}"),
    }
}

fn corpus(name: &str) -> String {
    read(&root().join("tests/corpus").join(format!("{name}.py")))
}

/// Without what the source says itself, what depends on the version and the code generator.
fn stable(json: &str) -> String {
    let is_stable = |line: &&str| {
        let line = line.trim();
        let volatile =
            ["\"source\":", "\"compiler\":", "\"start\":", "\"end\":", "\"pred\":", "\"b16\":", "\"b32\":", "\"b64\":"];
        !volatile.iter().any(|key| line.starts_with(key))
    };
    json.lines().filter(is_stable).collect::<Vec<&str>>().join("\n")
}

#[test]
fn reports_read_as_they_should() {
    for name in PROGRAMS {
        let json = report_of(name, &corpus(name)).json().expect("a report can be written");
        insta::assert_snapshot!(format!("report.{}", name.replace('/', ".")), stable(&json));
    }
}

#[test]
fn loops_are_explained_as_they_should() {
    for name in ["loops/parallel", "loops_over", "polybench/lu", "polybench/adi"] {
        let lines = report_of(name, &corpus(name)).explain_loops().join("\n");
        insta::assert_snapshot!(format!("explained.{}", name.replace('/', ".")), lines);
    }
}

#[test]
fn places_are_in_the_source_and_bounds_are_bounds() {
    for path in files("tests/corpus", "py") {
        let text = read(&path);
        let options = Options { report: true, ..Options::new("program") };
        let checked = check(&Source::new("program.py", text.as_str()), &options, &mut Unobserved);
        let report = checked.expect("the compiler makes no mistake of its own").report;
        let report = report.unwrap_or_else(|| panic!("{} is refused", path.display()));
        for l in &report.loops {
            let line = text.lines().nth(l.at.line - 1).unwrap_or_default().trim_start();
            assert!(line.starts_with(l.keyword), "{}: {line}", path.display());
        }
        for version in &report.versions {
            for step in &version.steps {
                let found = text.get(step.at.start as usize..step.at.end as usize);
                assert_eq!(found, Some(step.at.text.as_str()), "{}", path.display());
            }
            for amount in [&version.launches, &version.allocations, &version.copies, &version.synchronisations] {
                assert!(amount.most.is_none_or(|most| amount.least <= most), "{}: {amount:?}", path.display());
            }
        }
    }
}

#[test]
fn a_report_is_the_same_every_time() {
    let text = corpus("loops/parallel");
    assert_eq!(report_of("parallel", &text), report_of("parallel", &text));
}
