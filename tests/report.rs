//! The report of a compilation: its text where the text is the product, and that it is about the source as it is.

use numptx_driver::{Forced, Halves, Options, Outcome, Unobserved, check, compile};
use numptx_source::Source;
use numptx_tests::{check_all, programs, read, root};

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
fn what_one_thread_does_elsewhere_is_explained() {
    let text = "#numptx export f(float64[:], float64[:], int, int, int)\ndef f(x, y, a, b, s):\n    for i in range(a, b, s):\n        x[i] = y[i]\n";
    let lines = report_of("f", text).explain_loops();
    let told = "elsewhere by one thread, in order; not parallel: `x[i]` (4:9) writes what `x[i]` (4:9) writes again in a later iteration";
    assert!(
        lines.iter().any(|line| line.contains("parallel, where s > 0 and a >= 0") && line.contains(told)),
        "{lines:?}"
    );
}

#[test]
fn what_keeps_iterations_in_order_is_named() {
    let told = [
        ("            s = math.sin(s * x[i])\n            x[i] = s\n", "`s` is carried from iteration to iteration"),
        (
            "            s += d\n            x[i + 1] = x[i] * 0.5\n",
            "writes what `x[i]` (7:17) reads 1 iteration later",
        ),
        (
            "            if x[i] > s:\n                s = x[i]\n            x[i + 1] = x[i] * 0.5\n",
            "reads 1 iteration later",
        ),
        (
            "            s = math.sin(s * x[i])\n            x[i + 1] = x[i] * 0.5\n",
            "`s` is carried from iteration to iteration",
        ),
        ("            s += d\n            x[i] = s\n", "`s` is carried from iteration to iteration"),
    ];
    for (body, reason) in told {
        let text = format!(
            "import math\n\n#numptx export f(float64[:], int)\ndef f(x, n):\n    d = s = 0.0\n    for i in range(n):\n            d = x[i] * 2\n{body}    return d + s\n"
        );
        let lines = report_of("f", &text).explain_loops();
        assert!(lines.iter().any(|line| line.contains("one thread") && line.contains(reason)), "{body}{lines:?}");
    }
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
    for name in ["loops/parallel", "loops/far_apart", "loops_over", "polybench/lu", "polybench/adi"] {
        let lines = report_of(name, &corpus(name)).explain_loops().join("\n");
        insta::assert_snapshot!(format!("explained.{}", name.replace('/', ".")), lines);
    }
}

#[test]
fn loops_that_no_pass_looked_at_are_the_host_s() {
    let options = Options {
        halves: Halves::DeviceOnly,
        report: true,
        forced: Forced { without: vec!["form-nests".to_owned()], ..Forced::default() },
        ..Options::new("program")
    };
    let source = Source::new("echo.py", corpus("loops/far_apart"));
    let outcome = compile(&source, &options, &mut Unobserved).expect("the compiler makes no mistake of its own");
    let Outcome::Compiled { report: Some(report), .. } = outcome else { panic!("{outcome:?}") };
    for line in report.explain_loops() {
        assert!(line.ends_with(": run by the host, a kernel for each element"), "{line}");
    }
}

#[test]
fn places_are_in_the_source_and_bounds_are_bounds() {
    check_all(&programs(), |path| {
        let text = read(path);
        let options = Options { report: true, ..Options::new("program") };
        let checked = check(&Source::new("program.py", text.as_str()), &options, &mut Unobserved);
        let report = checked.expect("the compiler makes no mistake of its own").report;
        let report = report.unwrap_or_else(|| panic!("{} is refused", path.display()));
        for l in &report.loops {
            let line = text.lines().nth(l.at.line - 1).unwrap_or_default().trim_start();
            let begins = line.starts_with(l.keyword) || line.starts_with("yield from ");
            assert!(begins, "{}: {line}", path.display());
        }
        for version in &report.versions {
            for step in &version.steps {
                let found = text.get(step.at.start as usize..step.at.end as usize);
                assert_eq!(found, Some(step.at.text.as_str()), "{} {step:?}", path.display());
            }
            for amount in [&version.launches, &version.allocations, &version.copies, &version.synchronisations] {
                assert!(amount.most.is_none_or(|most| amount.least <= most), "{}: {amount:?}", path.display());
            }
        }
        Ok(())
    });
}

#[test]
fn a_report_is_the_same_every_time() {
    let text = corpus("loops/parallel");
    assert_eq!(report_of("parallel", &text), report_of("parallel", &text));
}

/// The tags of a page, in order; fails where one is not closed, or closed where it was not opened.
fn assert_well_formed(html: &str) {
    const VOID: &[&str] = &["!DOCTYPE", "meta", "br"];
    let mut open: Vec<&str> = Vec::new();
    let body = html.split_once("</style>").map_or("", |(_, body)| body);
    for piece in body.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("every `<` begins a tag");
        assert!(!text.contains('>'), "a `>` outside of a tag: {piece}");
        let name = tag.split_whitespace().next().unwrap_or_default();
        assert!(tag.matches('"').count() % 2 == 0, "{tag}");
        match name.strip_prefix('/') {
            Some("head") => {}
            Some(name) if name == "body" || name == "html" => {
                assert!(open.pop().is_none_or(|top| top == name), "{tag}")
            }
            Some(name) => assert_eq!(open.pop(), Some(name), "{piece}"),
            None if VOID.contains(&name) => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// Markup, quotes and characters beyond ASCII, in every place of a source that a report shows.
const HOSTILE: &str = "\"\"\"</title><script>alert('x')</script> größe\"\"\"
#numptx export f(float64[:], int)
def f(x, n):
    # <script>alert(\"comment\")</script> & 😀
    for i in range(1, n):
        x[i] = x[i - 1]
    if n < 0:
        raise ValueError(f\"<img src=x onerror=alert(1)> {n}\")
    größe = x * 2.0
    return größe[größe > 1.0]
";

#[test]
fn pages_are_well_formed_and_what_the_source_says_is_text() {
    for name in PROGRAMS {
        assert_well_formed(&report_of(name, &corpus(name)).html());
    }
    let page = report_of("<b>&\"", HOSTILE).html();
    assert_well_formed(&page);
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("<b>&"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(&quot;comment&quot;)&lt;/script&gt; &amp; 😀"));
    assert!(page.contains("größe"));
}

#[test]
fn pages_load_nothing() {
    let page = report_of("parallel", &corpus("loops/parallel")).html();
    for word in ["http:", "https:", "src=", "url(", "@import", "<link", "<script"] {
        assert!(!page.contains(word), "{word}");
    }
    let targets = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    for target in targets {
        let id = target.strip_prefix('#').expect("a link within the page");
        assert!(page.contains(&format!("id=\"{id}\"")), "{target}");
    }
}

/// What stands between two texts.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    text.split_once(start).and_then(|(_, rest)| rest.split_once(end)).map_or("", |(found, _)| found)
}

#[test]
fn pages_say_how_often_all_threads_wait_and_show_names_as_code() {
    let page = report_of("conjugate_gradient", &corpus("loops/conjugate_gradient")).html();
    assert_eq!(between(&page, "all threads wait ", "<"), "5 times in each iteration");
    assert!(page.contains("<td data-column=\"all threads wait\">5 times in each iteration</td>"), "{page}");
    let text = "#numptx export f(float64[:])\ndef f(x):\n    s = 0.5\n    for i in range(len(x)):\n        s = s * s + x[i]\n    return s\n";
    let page = report_of("kernels", text).html();
    assert!(page.contains("<code>s</code> is carried from iteration to iteration"), "{page}");
}

/// Two loops whose forms are compared: one goes in order, the other one in phases.
const FORMS: &str = "#numptx export f(float64[:], float64[:,:])
def f(x, y):
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1]
    for k in range(y.shape[0]):
        for i in range(k + 1, y.shape[0]):
            y[i, k] = y[i, k] / y[k, k]
            for j in range(k + 1, y.shape[0]):
                y[i, j] -= y[i, k] * y[k, j]
";

#[test]
fn forms_of_loops_are_shown_with_costs_and_assumptions() {
    let report = report_of("forms", FORMS);
    let forms = |n: usize| report.loops[n].candidates.iter();
    let prevented = forms(0).find(|form| form.form == "one cooperative kernel").expect("it was tried");
    assert_eq!(prevented.prevents.as_deref(), Some("its threads would share no loop in it"));
    assert_eq!((prevented.microseconds, prevented.assumptions.len()), (None, 0));
    let lost = forms(1).find(|form| form.form == "a kernel for each parallel loop").expect("it was tried");
    assert_eq!(
        (lost.is_chosen, lost.microseconds, &*lost.launches),
        (false, Some(7000), "host { parallel; parallel }")
    );
    assert_eq!(lost.assumptions, ["in bounds", "small ints"]);
    let chosen = forms(1).find(|form| form.is_chosen).expect("a form is chosen");
    assert_eq!((chosen.form, &*chosen.launches), ("one cooperative kernel", "phases"));
    assert_eq!(chosen.assumptions, ["in bounds", "small ints", "enough work"]);

    let schedule = report.schedule();
    let told = |line: &str| assert!(schedule.contains(line), "{line}: {schedule}");
    told("not possible: one cooperative kernel: its threads would share no loop in it");
    told(
        "not taken: a kernel for each parallel loop: host { parallel; parallel }; 7000 µs; assumes in bounds, small ints",
    );
    told("taken: one cooperative kernel: phases; 1603 µs; assumes in bounds, small ints, enough work");

    let page = report.html();
    let rows: Vec<&str> = page.split("<caption>Forms of this loop").skip(1).flat_map(|of| of.split("<tr>")).collect();
    let row_of = |form: &str, cells: &[&str]| {
        let is_it = |row: &&str| row.contains(form) && cells.iter().all(|cell| row.contains(&format!(">{cell}</td>")));
        assert!(rows.iter().any(is_it), "{form}: {rows:#?}");
    };
    let launches = "<code>host { parallel; parallel }</code>";
    row_of("a kernel for each parallel loop", &[launches, "7000", "in bounds, small ints", "not chosen"]);
    row_of("one cooperative kernel", &["<code>phases</code>", "in bounds, small ints, enough work", "<b>chosen</b>"]);
    row_of("one cooperative kernel", &["not possible: its threads would share no loop in it"]);
}

#[test]
fn launches_of_a_while_are_counted_together() {
    let report = report_of("conjugate_gradient", &corpus("loops/conjugate_gradient"));
    let doubled = report.versions.iter().find(|version| version.name == "doubled.0").expect("it is exported");
    assert_eq!(doubled.launches.text, "2·iterations");
}

/// `for` lines of a program without their places.
fn explained(text: &str) -> Vec<String> {
    let lines = report_of("kernels", text).explain_loops();
    lines.into_iter().map(|line| line.split_once("note: ").map_or(line.clone(), |(_, rest)| rest.to_owned())).collect()
}

#[test]
fn a_loop_that_is_inlined_twice_has_both_conditions() {
    let lines = explained(
        "def scale(x, y):\n    for i in range(len(x)):\n        x[i] = 2.0 * y[i]\n\n\n\
         #numptx export f(float64[:], float64[:], float64[:])\ndef f(a, b, c):\n    scale(a, b)\n    scale(b, c)\n",
    );
    for condition in ["b.shape[0] >= a.shape[0]", "c.shape[0] >= b.shape[0]"] {
        let line =
            format!("for i in range(len(x)): parallel, where {condition}; elsewhere by the host, as written [f.0]");
        assert!(lines.contains(&line), "{lines:#?}");
    }
}

#[test]
fn elements_that_bound_loops_are_named_apart() {
    let lines = explained(
        "#numptx export f(float64[:], int64[:], float64[:])\ndef f(x, p, y):\n    for i in range(len(y)):\n        s = 0.0\n\
         \x20       for k in range(p[i], p[i + 1]):\n            s += x[k] * x[k]\n        y[i] = s\n",
    );
    let inner = lines.iter().find(|line| line.contains("[f.0.mayalias]") && line.contains("reduction"));
    let inner = inner.unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(inner.contains("x.shape[0] >= p[i + 1]") && inner.contains("p[i] + x.shape[0] >= 0"), "{inner}");
}

#[test]
fn checks_at_points_are_no_conditions_of_calls() {
    let text =
        "#numptx export f(int64[:], int64[:])\ndef f(y, at):\n    for i in range(len(at)):\n        y[at[i]] += 1\n";
    let report = report_of("kernels", text);
    let version = report.versions.iter().find(|version| version.name == "f.0").expect("two versions");
    assert_eq!(version.assumes, Vec::<String>::new());
    assert_eq!(version.synchronisations.text, "1");
    assert_eq!(version.launches.text, "(3 if there are many iterations for the elements else 1) + 2");
}

#[test]
fn sums_by_label_are_reductions_with_a_parallel_loop_in_them_too() {
    let header = "#numptx export f(float64[:,:], int64[:], float64[:,:])\ndef f(x, label, total):\n    for i in range(len(x)):\n";
    let by_label = "        for k in range(3):\n            total[label[i], k] += x[i, k]\n";
    let in_order = "        for k in range(3):\n            total[0, k] += x[i, k]\n";
    let outer = |body: &str| explained(&format!("{header}{body}")).remove(0);
    assert!(outer(by_label).contains(": a parallel reduction; in several chunks"), "{}", outer(by_label));
    assert!(outer(in_order).contains(": run by each work item of the parallel loops in it"), "{}", outer(in_order));
}

/// How the loops of a function over `f` and `g` run whose memory is apart, from the outside in.
fn strategies(body: &str) -> Vec<&'static str> {
    let header =
        "#numptx export f(float64[:,:], float64[:,:], int64[:], int)\ndef f(f, g, c, s):\n    q, n = f.shape\n";
    let strategy = |line: String| {
        let all = [": parallel", ": run by each work item", ": run by one thread", ": phases"];
        all.into_iter().find(|strategy| line.contains(strategy)).unwrap_or("another strategy")
    };
    let lines = explained(&format!("{header}{body}"));
    lines.into_iter().filter(|line| line.ends_with("[f.0]")).map(strategy).collect()
}

#[test]
fn writes_that_go_round_once_are_parallel() {
    let of_rows = |index: &str| {
        format!("    for k in range(q):\n        for i in range(n):\n            g[k, {index}] = f[k, i]\n")
    };
    let rows_last = |index: &str| {
        format!("    for i in range(n):\n        for k in range(q):\n            g[k, {index}] = f[k, i]\n")
    };
    let once = ["(i + c[k]) % n", "(c[k] - i) % n", "(i + s) % n", "(i - 1 + n) % n", "i + 1 if i + 1 < n else 0"];
    for index in once {
        for body in [of_rows(index), rows_last(index)] {
            assert_eq!(strategies(&body), [": parallel", ": parallel"], "{body}");
        }
    }
    let again = ["(i + c[i]) % n", "(2 * i) % n", "(i + i // 2) % n", "i + 1 if i + 1 < n else n // 2"];
    for index in again {
        assert_eq!(strategies(&of_rows(index)), [": parallel", ": run by each work item"], "{index}");
        assert_eq!(strategies(&rows_last(index)), [": run by each work item", ": parallel"], "{index}");
    }
    let longer = of_rows("(i + c[k]) % n").replace("range(n)", "range(2 * n)").replace("f[k, i]", "0.0");
    assert_eq!(strategies(&longer), [": parallel", ": run by each work item"]);
}
