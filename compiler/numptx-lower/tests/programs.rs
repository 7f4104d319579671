//! Programs lowered, verified, interpreted and compared with what NumPy gave (`golden.py` writes `programs/*.txt`).

mod recorded;

use numptx_ir::array::interpret::{Failure, Options, Value, View, interpret_with};
use numptx_ir::array::verify::verify;
use numptx_ir::array::{Function, Module, Type};
use numptx_ir::scalar::Constant;
use numptx_ir::signature::ResultType;
use numptx_source::{Reports, Severity, Source};
use recorded::{Call, Leaf, calls};

fn lower(name: &str, text: &str) -> (Module, Reports) {
    let (tree, mut reports) = numptx_syntax::parse(&Source::new(name, text));
    let (module, found) = numptx_lower::lower(&tree, "programs");
    reports.extend(found);
    (module, reports)
}

fn folder(name: &str) -> Vec<std::path::PathBuf> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    let mut paths: Vec<_> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "py"));
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

#[test]
fn programs_give_what_numpy_gives() {
    let mut wrong = Vec::new();
    for path in folder("programs") {
        let text = std::fs::read_to_string(&path).unwrap();
        let (module, reports) = lower(&path.display().to_string(), &text);
        for report in reports.iter().filter(|r| r.severity == Severity::Error) {
            let source = Source::new("", text.as_str());
            wrong.push(format!("{}: {report:?} at `{}`", path.display(), source.slice(report.span)));
        }
        if let Err(errors) = verify(&module) {
            let functions: Vec<_> = module.functions.iter().map(|f| f.to_string()).collect();
            let shown = functions.iter().filter(|f| errors.iter().any(|e| f.contains(&e.function)));
            wrong.push(format!("{}: {errors:#?}\n{}", path.display(), shown.cloned().collect::<String>()));
            continue;
        }
        for call in calls(&std::fs::read_to_string(path.with_extension("txt")).unwrap()) {
            if let Err(difference) = check(&module, &call) {
                wrong.push(format!("{}: {}\n    {difference}", path.display(), call.run));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The overload whose parameters are the call's arguments.
fn overload<'m>(module: &'m Module, call: &Call) -> Option<&'m Function> {
    module.functions.iter().find(|f| {
        let fits = |(value, leaf): (_, &Leaf)| match (f.ty(value), leaf) {
            (Type::Array(array), Leaf { shape: Some(shape), .. }) => {
                array.dtype == leaf.dtype && array.rank == shape.len()
            }
            (Type::Scalar(dtype), Leaf { shape: None, .. }) => dtype == leaf.dtype,
            _ => false,
        };
        let named = f.signature.function == call.function && f.parameters.len() == call.arguments.len();
        named && f.parameters.iter().copied().zip(&call.arguments).all(fits)
    })
}

fn check(module: &Module, call: &Call) -> Result<(), String> {
    let function = overload(module, call).ok_or("no overload takes these arguments")?;
    let views: Vec<Value> = call.arguments.iter().map(argument).collect();
    let options = Options { is_verified: true, ..Options::default() };
    let found = interpret_with(module, &function.name, &views, options);
    match (found, &call.raises) {
        (Ok(results), None) => {
            let mut kinds = Vec::new();
            let mut leaves = results.iter();
            let mut taken = Vec::new();
            result_kinds(&function.signature.result, &mut leaves, &mut |kind, leaf| {
                kinds.push(kind);
                taken.push(leaf.clone());
            });
            compare("result", &taken, &call.results)?;
            let expected: Vec<&str> = call.results.iter().map(|leaf| leaf.kind.as_str()).collect();
            if kinds != expected {
                return Err(format!("the results are {kinds:?}, NumPy's {expected:?}"));
            }
            compare("argument", &views, &call.after)
        }
        (Err(Failure::Raised { kind, message }), Some(expected)) => {
            let found = format!("{}: {message}", kind.name());
            // NumPy writes whole shapes where a check here knows one extent.
            let same = found == *expected || (expected.contains("broadcast") && found.contains("broadcast"));
            if same { Ok(()) } else { Err(format!("raised {found}, NumPy {expected}")) }
        }
        (found, expected) => Err(format!("gave {found:?}, NumPy {expected:?}\n{function}")),
    }
}

fn argument(leaf: &Leaf) -> Value {
    match &leaf.shape {
        Some(shape) => Value::Array(View::new(leaf.dtype, shape, &leaf.elements)),
        None => Value::Scalar(leaf.elements[0]),
    }
}

/// Gives the leaves of a result to `see`, each with its kind. Of what is one of several it is those of the one.
fn result_kinds(
    result: &ResultType,
    leaves: &mut dyn Iterator<Item = &Value>,
    see: &mut dyn FnMut(&'static str, &Value),
) {
    let kind = match result {
        ResultType::None => return,
        ResultType::PythonScalar(_) => "python",
        ResultType::NumpyScalar(_) | ResultType::DeviceScalar(_) => "numpy",
        ResultType::Array { .. } => "array",
        ResultType::Object(_) => "object",
        ResultType::Tuple(members) | ResultType::List(members) | ResultType::Record(_, members) => {
            return members.iter().for_each(|m| result_kinds(m, leaves, see));
        }
        ResultType::OneOf(members) => {
            let tag = leaves.next().and_then(|tag| if let Value::Scalar(n) = tag { n.as_int() } else { None });
            for (n, member) in members.iter().enumerate() {
                match Some(n as i64) == tag {
                    true => result_kinds(member, leaves, see),
                    false => result_kinds(member, leaves, &mut |_, _| {}),
                }
            }
            return;
        }
    };
    if let Some(leaf) = leaves.next() {
        see(kind, leaf);
    }
}

fn compare(what: &str, found: &[Value], expected: &[Leaf]) -> Result<(), String> {
    if found.len() != expected.len() {
        return Err(format!("{} leaves of {what}, NumPy {}", found.len(), expected.len()));
    }
    for (n, (found, leaf)) in found.iter().zip(expected).enumerate() {
        let elements = match found {
            Value::Scalar(constant) => vec![*constant],
            Value::Object(_) => return Err(format!("{what} {n} is an object")),
            Value::Array(view) => {
                let shape = leaf.shape.clone().unwrap_or_default();
                if view.shape != shape || view.dtype != leaf.dtype {
                    return Err(format!(
                        "{what} {n} is {}{:?}, NumPy's {}{shape:?}",
                        view.dtype, view.shape, leaf.dtype
                    ));
                }
                view.elements().map_err(|e| format!("{e:?}"))?
            }
        };
        if elements.len() != leaf.elements.len() || !elements.iter().zip(&leaf.elements).all(|(a, b)| close(*a, *b)) {
            return Err(format!("{what} {n} is {elements:?}, NumPy's {:?}", leaf.elements));
        }
    }
    Ok(())
}

/// Equal, or floats within rounding of sums in another order and of library functions.
fn close(a: Constant, b: Constant) -> bool {
    let near = |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-6 * x.abs().max(y.abs());
    match (a, b) {
        (Constant::Float(x), Constant::Float(y)) => near(x, y),
        (Constant::Complex(a, b), Constant::Complex(c, d)) => near(a, c) && near(b, d),
        _ => a == b,
    }
}

#[test]
fn refusals_stand_where_they_are_expected() {
    let mut wrong = Vec::new();
    for path in folder("refused") {
        let text = std::fs::read_to_string(&path).unwrap();
        let source = Source::new("refused", text.as_str());
        let (module, reports) = lower("refused", &text);
        assert!(verify(&module).is_ok(), "{}", path.display());
        let mut found: Vec<(usize, String)> =
            reports.iter().map(|r| (source.line_column(r.span.start).0, r.code.to_string())).collect();
        found.sort();
        found.dedup();
        let marked = text.lines().enumerate().filter_map(|(n, line)| Some((n + 1, line.split_once("#! ")?.1)));
        let expected: Vec<(usize, String)> = marked.map(|(n, code)| (n, code.trim().to_string())).collect();
        for entry in found.iter().filter(|e| !expected.contains(e)) {
            wrong.push(format!("{}:{} {} is not expected", path.display(), entry.0, entry.1));
        }
        for entry in expected.iter().filter(|e| !found.contains(e)) {
            wrong.push(format!("{}:{} {} is missing", path.display(), entry.0, entry.1));
        }
        let unhelped = reports.iter().filter(|r| r.help.is_none());
        wrong.extend(unhelped.map(|r| format!("{}: no help: {}", path.display(), r.message)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
