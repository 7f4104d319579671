//! Operations on objects: their text, what the verifier says of those that no text has, and what the interpreter makes of them.

mod sample;

use numptx_ir::DType;
use numptx_ir::array::interpret::{Contents, Failure, Object, Options, Value, View, interpret, interpret_printing};
use numptx_ir::array::parse::parse;
use numptx_ir::array::verify::verify;
use numptx_ir::array::{ErrorKind, Module, OpKind};
use numptx_ir::object::{self, LayoutUse};
use numptx_ir::scalar::Constant;

/// A module of one function `f`.
fn function(head: &str, signature: &str, body: &str) -> Module {
    let text = format!("module \"m\"\nfunc @f {head} {{\n  export \"f\" \"f\" {signature}\n{body}\n}}\n");
    parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

fn run(module: &Module, name: &str, arguments: &[Value]) -> Vec<Value> {
    interpret(module, name, arguments).unwrap_or_else(|failure| panic!("{name}: {failure:?}"))
}

fn objects() -> Module {
    sample::modules().into_iter().find(|module| module.name == "objects").expect("it is there")
}

fn members(sort: u8, layout: &str, count: usize, leaves: Vec<Value>) -> Contents {
    Contents::Members { sort, layout: object::parse_layout(layout).expect("a layout"), count, leaves }
}

fn ints(values: &[i64]) -> Object {
    let leaves = values.iter().map(|n| Value::Scalar(Constant::Int(*n))).collect();
    Object::new(&members(object::LIST, "i64", values.len(), leaves)).expect("a list")
}

/// What a value is, all of it, as text.
fn shown(value: &Value) -> String {
    match value {
        Value::Scalar(constant) => format!("{constant:?}"),
        Value::Array(view) => format!("{:?}", view.elements().expect("it is alive")),
        Value::Object(object) => match object.contents() {
            Contents::Text(text) => format!("{text:?}"),
            Contents::Members { leaves, .. } => {
                format!("[{}]", leaves.iter().map(shown).collect::<Vec<_>>().join(" "))
            }
        },
    }
}

#[test]
fn every_operation_prints_and_reads_back() {
    for row in object::OPERATIONS {
        let layout = match row.layout {
            LayoutUse::Nothing => "",
            LayoutUse::Element => ", \"( bool np.i8 i64 ( np.c64 str ) ) array object none\"",
            LayoutUse::Pair => ", \"( i64 str ) : ( f64 array )\"",
            LayoutUse::Literal => ", \"a \\\"b\\\" \\\\ \\n é 🙂\"",
        };
        let line = format!("  object<{}{layout}>\n", row.name);
        let text = format!(
            "module \"m\"\n\nfunc @f noalias source () {{\n  export \"f\" \"f\" () -> none\n{line}  return\n}}\n"
        );
        let module = parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!(module.to_string(), text);
        assert_eq!(parse(&module.to_string()), Ok(module));
    }
}

#[test]
fn layouts_that_are_none_do_not_read() {
    for op in ["list_new, \"( i64\"", "list_new, \"i65\"", "list_new", "list_length, \"i64\"", "frobbed", "list_new, 1"]
    {
        let text = format!(
            "module \"m\"\nfunc @f noalias source () {{\n  export \"f\" \"f\" () -> none\n  object<{op}>\n  return\n}}\n"
        );
        assert_eq!(parse(&text).expect_err(op).line, 4, "{op}");
    }
}

#[test]
fn operations_that_have_no_text_are_refused() {
    let sound = "  %2 = object<list_new, \"i64\"> %1 : object\n  %3 = object<str_constant, \"a\"> : object
  object<list_append> %2, %1\n  %4 = object<dict_new, \"i64 : i64\"> %1, %1 : object\n  return";
    let module =
        function("noalias source (%0 \"xs\": object, %1 \"n\": i64)", "(\"xs\": text, \"n\": py i64) -> none", sound);
    assert_eq!(verify(&module), Ok(()));
    let with = |at: usize, operation: Option<u32>, layout: &[u8]| {
        let mut module = module.clone();
        let OpKind::Object(op) = &mut module.functions[0].body.ops[at].kind else { panic!("no operation on objects") };
        op.operation = operation.unwrap_or(op.operation);
        op.layout = layout.to_vec();
        let errors = verify(&module).expect_err("it is not sound");
        errors.iter().map(|error| error.invariant).collect::<Vec<_>>()
    };
    let int = DType::I64.code();
    for (at, operation, layout) in [
        (0, Some(object::OPERATIONS.len() as u32), &[int][..]),
        (0, None, &[int, 200]),
        (0, None, &[object::OPEN, int]),
        (0, None, &[int, object::CLOSE]),
        (0, None, &[int, object::LIST]),
        (1, None, b"\xff"),
        (2, None, &[int]),
        (3, None, &[int, 200, object::VALUE, int]),
        (3, None, &[object::OPEN, int, object::VALUE, int, object::CLOSE]),
    ] {
        assert_eq!(with(at, operation, layout), ["A30"], "{at} {operation:?} {layout:?}");
    }
}

#[test]
fn objects_are_made_and_looked_at() {
    let text = Value::Object(Object::new(&Contents::Text("é".to_string())).expect("a string"));
    let float = |x: f64| Value::Scalar(Constant::Float(x));
    let complex = Value::Scalar(Constant::Complex(1.5, -2.0));
    let inner = Value::Object(ints(&[4, 5]));
    for (contents, expected) in [
        (members(object::LIST, "np.f32", 2, vec![float(0.5), float(-0.0)]), "[Float(0.5) Float(-0.0)]"),
        (members(object::LIST, "none", 3, Vec::new()), "[]"),
        (
            members(object::LIST, "( c64 str ( object ) )", 1, vec![complex, text.clone(), inner.clone()]),
            "[Complex(1.5, -2.0) \"é\" [Int(4) Int(5)]]",
        ),
        (members(object::SET, "str", 2, vec![text.clone(), text.clone()]), "[\"é\"]"),
        (members(object::DICTIONARY, "str : object", 1, vec![text.clone(), inner.clone()]), "[\"é\" [Int(4) Int(5)]]"),
    ] {
        let object = Object::new(&contents).expect("an object");
        assert_eq!(shown(&Value::Object(object.clone())), expected);
        let Contents::Members { count, layout, .. } = object.contents() else { panic!("a string") };
        let Contents::Members { count: given, layout: of, sort, .. } = contents else { panic!("a string") };
        assert_eq!((count, layout), (if sort == object::SET { 1 } else { given }, of));
    }
    let Value::Object(inner) = inner else { panic!("a list") };
    assert_eq!(inner.references(), 1, "what held it is gone");
    let wrong = members(object::LIST, "i64", 1, vec![text]);
    assert!(Object::new(&wrong).is_err());
}

#[test]
fn lists_and_dictionaries_do_what_python_does() {
    let xs = ints(&[1, 2]);
    let given = [Value::Object(xs.clone()), Value::Scalar(Constant::Int(7))];
    let results = run(&objects(), "lists.0", &given);
    let found: Vec<String> = results.iter().map(shown).collect();
    let all = "[Int(1) Int(2) Int(7) Int(7)]";
    let nested = format!("[{all} [Int(7) Int(7) Int(7)] {all}]");
    assert_eq!(found, ["[Int(1) Int(2)]", &nested, "Bool(true)", "Int(3)"]);
    assert_eq!(shown(&given[0]), all);
    let function = &objects().functions[1];
    let results = run(&objects(), "dictionaries.0", &sample::arguments(function, 2));
    let found: Vec<String> = results.iter().map(shown).collect();
    let text = "\"a \\\"b\\\" \\\\ \\n é\"";
    assert_eq!(found[1], text);
    assert_eq!(found[2], format!("[Int(0) Float(0.0) \"\" Int(1) Float(1.0) \"x\" Int(2) Float(0.5) {text}]"));
}

#[test]
fn what_is_printed_is_kept() {
    let module = objects();
    let arguments = sample::arguments(&module.functions[2], 2);
    let mut printed = String::new();
    let found = interpret_printing(&module, "texts.0", &arguments, Options::default(), &mut printed);
    let (results, _) = found.expect("it returns");
    assert_eq!(printed, "('xx', 2, np.float32(0.5), None)");
    let Value::Object(set) = &results[1] else { panic!("a set") };
    assert!(matches!(set.contents(), Contents::Members { count: 2, .. }));
}

#[test]
fn arrays_become_lists_and_lie_in_them() {
    let x = View::new(DType::F64, &[2], &[Constant::Float(1.0), Constant::Float(2.0)]);
    let given = [Value::Array(x.clone()), Value::Scalar(Constant::Int(0))];
    let results = run(&objects(), "arrays.0", &given);
    let (Value::Array(viewed), Value::Array(fresh)) = (&results[1], &results[2]) else { panic!("{results:?}") };
    assert!(viewed.buffer == x.buffer && fresh.buffer != x.buffer);
    assert_eq!(shown(&results[0]), "[[Float(1.0), Float(2.0)] [Float(1.0), Float(2.0)]]");
}

#[test]
fn arrays_of_lists_have_the_dtype_of_members() {
    let module = |layout: &str, ty: &str, operands: &str| {
        let body = format!(
            "  %1 = object<list_new, \"{layout}\">{operands} : object\n  %2 = object<list_to_array> %1 : {ty}\n  return %2"
        );
        let rank = if ty.contains("[2]") { 2 } else { 1 };
        let dtype = ty.split('[').next().unwrap_or_default().to_string();
        function("noalias source (%0 \"n\": i64)", &format!("(\"n\": py i64) -> {dtype}[{rank}]"), &body)
    };
    for (layout, ty, operands, expected) in [
        ("i64", "i64[1] C mut", " %0, %0", vec![2]),
        ("( i64 i64 )", "i64[2] C mut", " %0, %0, %0, %0", vec![2, 2]),
        ("none", "f64[1] C mut", "", vec![0]),
    ] {
        let results = run(&module(layout, ty, operands), "f", &[Value::Scalar(Constant::Int(3))]);
        let Value::Array(array) = &results[0] else { panic!("{results:?}") };
        assert_eq!(array.shape, expected);
        assert!(array.elements().unwrap().iter().all(|element| *element == Constant::Int(3)));
    }
}

#[test]
fn failures_are_exceptions_or_faults_of_the_ir() {
    let fails = |body: &str| {
        let head = "noalias source (%0 \"xs\": object, %1 \"n\": i64)";
        let module = function(head, "(\"xs\": list(py i64), \"n\": py i64) -> none", &format!("{body}\n  return"));
        let arguments = [Value::Object(ints(&[1, 2])), Value::Scalar(Constant::Int(5))];
        interpret(&module, "f", &arguments).expect_err("it fails")
    };
    let raised = |kind, message: &str| Failure::Raised { kind, message: message.to_string() };
    assert_eq!(fails("  %2 = object<list_get> %0, %1 : i64"), raised(ErrorKind::Index, "list index out of range"));
    let key = "  %2 = object<dict_new, \"i64 : i64\"> : object\n  %3 = object<dict_index> %2, %1 : i64";
    assert_eq!(fails(key), raised(ErrorKind::KeyRepr, "5"));
    let text = "  %2 = object<str_constant, \"so\"> : object\n  object<raise> %1, %2";
    assert_eq!(fails(text), raised(ErrorKind::Type, "so"));
    for strange in ["  %2 = object<dict_length> %0 : i64", "  object<print> %0"] {
        assert!(matches!(fails(strange), Failure::Invalid(_)), "{strange}");
    }
    let large = "  %2 = constant<1000000000> : i64\n  object<list_repeat_in_place> %0, %2";
    assert!(matches!(fails(large), Failure::Invalid(message) if message.contains("too long")));
}

#[test]
fn references_in_objects_are_counted() {
    let head = "noalias owned (%0 \"xs\": object, %1 \"n\": i64)";
    let signature = "(\"xs\": list(list(py i64)), \"n\": py i64) -> none";
    let outcome = |body: &str| {
        let module = function(head, signature, &format!("{body}\n  return"));
        let outer = members(object::LIST, "object", 1, vec![Value::Object(ints(&[1]))]);
        let xs = Object::new(&outer).expect("a list");
        let arguments = [Value::Object(xs.clone()), Value::Scalar(Constant::Int(0))];
        let options = Options { is_verified: true, ..Options::default() };
        let outcome = interpret_printing(&module, "f", &arguments, options, &mut String::new());
        outcome.map(|_| shown(&Value::Object(xs)))
    };
    let says = |body: &str, message: &str| {
        let failure = outcome(body).expect_err("it is not sound");
        assert!(matches!(&failure, Failure::Invalid(found) if found.contains(message)), "{body}: {failure:?}");
    };
    let new = "  %2 = object<list_new, \"i64\"> %1 : object\n";
    let get = "  %2 = object<list_get> %0, %1 : object\n";
    assert_eq!(outcome(&format!("{new}  object<list_append> %0, %2\n  release %2")), Ok("[[Int(1)] [Int(0)]]".into()));
    assert_eq!(
        outcome(&format!("{get}  object<list_clear> %0\n  object<list_append> %2, %1\n  release %2")),
        Ok("[]".into())
    );
    says(&format!("{new}  object<list_append> %0, %2"), "references, expected");
    says(&format!("{get}  release %2\n  release %2"), "references, expected");
    says(
        &format!("{get}  object<list_clear> %0\n  release %2\n  object<list_append> %2, %1"),
        "after its last release",
    );
    says(&format!("{get}  release %2\n  object<list_clear> %0\n  release %2"), "after its last release");
}

/// What a function `f` in the owned phase, of a list of lists, an int and a string, gives and prints.
fn tried(body: &str, n: i64, text: &str) -> Result<(Vec<String>, String), Failure> {
    let head = "noalias owned (%0 \"xs\": object, %1 \"n\": i64, %2 \"s\": object)";
    let signature = "(\"xs\": list(list(py i64)), \"n\": py i64, \"s\": text) -> text";
    let module = function(head, signature, body);
    let outer = members(object::LIST, "object", 1, vec![Value::Object(ints(&[1]))]);
    let objects = [outer, Contents::Text(text.to_string())].map(|contents| Object::new(&contents).expect("an object"));
    let [xs, s] = objects.map(Value::Object);
    let mut printed = String::new();
    let options = Options { is_verified: true, ..Options::default() };
    let results = interpret_printing(&module, "f", &[xs, Value::Scalar(Constant::Int(n)), s], options, &mut printed)?.0;
    Ok((results.iter().map(shown).collect(), printed))
}

#[test]
fn what_a_region_raises_is_caught() {
    let body = |raising: &str| {
        format!(
            "  %3, %4 = try {{\n    object<print> %2\n    %5 = object<list_get> %0, %1 : object\n{raising}    yield %5\n  }} : bool, object
  release %4\n  %6, %7 = object<caught> : i64, object\n  return %7"
        )
    };
    let says = |raising: &str, n: i64, text: &str, expected: &str| {
        let (results, printed) = tried(&body(raising), n, text).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!(results, [format!("{expected:?}")]);
        assert_eq!(printed, text);
    };
    says("", 3, "it", "list index out of range");
    let raise = |kind: i32| format!("    %8 = constant<{kind}> : i64\n    object<raise> %8, %2\n");
    says(&raise(ErrorKind::Value as i32), 0, "it's", "it's");
    says(&raise(ErrorKind::Key as i32), 0, "it's", "\"it's\"");
    says(&raise(ErrorKind::KeyRepr as i32), 0, "'it'", "'it'");
    says(&raise(ErrorKind::Value as i32), 0, &"ä".repeat(600), &"ä".repeat(509));
    let key =
        "    %8 = object<dict_new, \"i64 : i64\"> : object\n    %9 = object<dict_index> %8, %1 : i64\n    release %8\n";
    says(key, 0, "", "0");
    let Err(Failure::Invalid(problem)) = tried(&body(""), 0, "") else { panic!("nothing was raised") };
    assert!(problem.contains("nothing was raised"), "{problem}");
}

#[test]
fn references_in_a_try_are_counted() {
    let ends = |inside: &str, after: &str| {
        let body =
            format!("  %3, %4 = try {{\n{inside}  }} : bool, object\n{after}  release %4\n  retain %2\n  return %2");
        tried(&body, 0, "it").map(|(results, _)| results)
    };
    let get = "    %5 = object<list_get> %0, %1 : object\n";
    assert_eq!(ends(&format!("{get}    yield %5\n"), ""), Ok(vec!["\"it\"".to_string()]));
    let far = "    %7 = constant<9> : i64\n    %6 = object<list_get> %5, %7 : i64\n";
    assert_eq!(ends(&format!("{get}{far}    yield %5\n"), ""), Ok(vec!["\"it\"".to_string()]));
    let leaks = |inside: &str| {
        let failure = ends(inside, "").expect_err("it is not sound");
        assert!(matches!(&failure, Failure::Invalid(found) if found.contains("references, expected")), "{failure:?}");
    };
    leaks(&format!("{get}    retain %5\n    yield %5\n"));
    leaks(&format!("{get}    retain %5\n{far}    yield %5\n"));
    leaks(&format!("{get}{far}    retain %5\n    yield %5\n").replace("%7 = constant<9>", "%7 = constant<0>"));
}
