//! Several files read as one module: names are those of Python's rules in each file, and spans point into the right one.

use numptx_source::Source;
use numptx_syntax::{imported_modules, print, read};

/// A file and those that it imports: each with its path, and what the first file, and it, import by which path.
fn source(main: &str, imports: &[(&str, usize)], helpers: &[(&str, &str)]) -> Source {
    let mut source = Source::new("main.py", main);
    for (path, text) in helpers {
        source.add_helper((*path).to_owned(), (*path).to_owned(), text, text.as_bytes().to_vec());
    }
    source.imports = imports.iter().map(|(module, n)| ((*module).to_owned(), Some(*n))).collect();
    source
}

#[test]
fn modules_are_named_as_they_are_written() {
    let text = "import numpy as np, a.b.c\nfrom .d import e\nfrom .. import f\nfrom typing import Any\n\n\ndef g():\n    import h\n";
    assert_eq!(imported_modules(&Source::new("m.py", text)), ["a", "a.b", "a.b.c", ".d", ".d.e", "..", "..f", "h"]);
}

#[test]
fn what_is_reached_is_taken_under_a_name_of_its_file() {
    let main = "from util import clamp as c\nimport util\n\n#numptx export f(float)\ndef f(x):\n    return c(x) + util.LIMIT\n";
    let util = "LIMIT = 2.0\nOTHER = 3.0\n\n\ndef clamp(x):\n    x = lower(x)\n    return [LIMIT for LIMIT in (x, 1.0)][0] + max(x, LIMIT)\n\n\ndef lower(x):\n    return x\n\n\ndef unused(x):\n    return OTHER\n";
    let read = read(&source(main, &[("util", 0)], &[("util.py", util)]));
    assert!(read.reports.is_empty(), "{:?}", read.reports);
    assert_eq!(read.used, [0]);
    let expected = "util__LIMIT = 2.0\n#numptx export f(float)\n\ndef f(x):\n    return (util__clamp(x) + util__LIMIT)\n\n\
        def util__clamp(x):\n    x = util__lower(x)\n    return ([LIMIT for LIMIT in (x, 1.0)][0] + max(x, util__LIMIT))\n\n\
        def util__lower(x):\n    return x\n";
    assert_eq!(print(&read.linked), expected);
}

#[test]
fn a_local_name_hides_what_is_imported() {
    let main = "from util import g\n\n#numptx export f(float)\ndef f(g):\n    return g\n";
    let read = read(&source(main, &[("util", 0)], &[("util.py", "def g(x):\n    return x\n")]));
    assert!(read.used.is_empty());
    assert!(print(&read.linked).contains("return g\n"));
}

#[test]
fn spans_point_into_their_file() {
    let main = "from util import g\n\n#numptx export f(float)\ndef f(x):\n    return g(x)\n";
    let all = source(main, &[("util", 0)], &[("util.py", "\n\ndef g(x):\n    return b'x'\n")]);
    let read = read(&all);
    let function = read.linked.functions.iter().find(|f| f.name == "util.g").expect("it is called");
    let report = function.refused.iter().next().expect("bytes are refused");
    assert_eq!((all.name_at(report.span.start), all.line_column(report.span.start)), ("util.py", (4, 12)));
    assert_eq!(all.slice(report.span), "b'x'");
}

#[test]
fn annotations_of_other_files_export_nothing() {
    let main = "from util import g\n\ndef f(x: float):\n    return g(x)\n";
    let read = read(&source(
        main,
        &[("util", 0)],
        &[("util.py", "def g(x: float):\n    return x\n\n#numptx export g(int)\n")],
    ));
    assert_eq!(read.linked.exports.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["f"]);
}

#[test]
fn a_file_that_imports_itself_or_what_is_not_there_is_refused() {
    for (text, wanted) in [
        ("import main\n\n\n#numptx export f(float)\ndef f(x):\n    return main.f(x)\n", "imports itself"),
        (
            "import main as m\n\n\n#numptx export f(float)\ndef f(x):\n    return g(m)\n\n\ndef g(m):\n    return m\n",
            "imports itself",
        ),
    ] {
        let mut source = Source::new("main.py", text);
        source.imports.insert("main".to_owned(), None);
        let read = read(&source);
        assert!(read.reports.iter().any(|r| r.message.contains(wanted)), "{:?}", read.reports);
        print(&read.linked);
    }
    let main = "import util\n\n\n#numptx export f(float)\ndef f(x):\n    import util.deep as d\n    util.x = 1\n    return util.a.b + d + util\n";
    let read = read(&source(main, &[("util", 0)], &[("util.py", "")]));
    assert!(!read.linked.functions[0].refused.is_empty());
    assert_eq!(read.linked.left.len(), 2, "{:?}", read.linked.left);
}
