//! The text forms: printing and reading are inverse.

mod sample;

use numptx_ir::array::parse::parse;
use numptx_ir::kernel;

#[test]
fn printing_and_reading_are_inverse() {
    for (path, text) in sample::texts() {
        let module = parse(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let printed = module.to_string();
        assert_eq!(printed, text, "{path} is not as printed");
        assert_eq!(parse(&printed).as_ref(), Ok(&module), "{path}");
        for kernel in &module.kernels {
            assert_eq!(kernel::parse::parse(&kernel.to_string()).as_ref(), Ok(kernel), "{path}");
        }
    }
}

#[test]
fn printing_is_deterministic() {
    for (path, text) in sample::texts() {
        let module = parse(&text).unwrap();
        let again = module.clone();
        assert!((0..3).all(|_| module.to_string() == again.to_string()), "{path}");
    }
}

#[test]
fn every_constant_reads_back() {
    let constants = [
        "true",
        "false",
        "0",
        "-9223372036854775808",
        "9223372036854775807",
        "0.0",
        "-0.0",
        "5e-324",
        "1.7976931348623157e308",
        "0.1",
        "inf",
        "-inf",
        "nan",
        "nan_fff8000000000000",
        "nan_7ff0000000000001",
        "(0.0, -0.0)",
        "(nan, -inf)",
    ];
    for constant in constants {
        let text = format!("module \"m\"\nglobal \"c\" = {constant} : f64\n");
        assert_eq!(parse(&text).map(|module| module.to_string()).as_deref(), Ok(text.as_str()));
    }
}

#[test]
fn strings_read_back() {
    let name = "a \"b\" \\ \n\t\r\u{1} é # % 🙂";
    let module =
        numptx_ir::array::Module { name: name.to_string(), docstring: Some(String::new()), ..Default::default() };
    assert_eq!(parse(&module.to_string()), Ok(module));
}

#[test]
fn errors_name_the_line() {
    let cases = [
        ("", 1, "expected `module`"),
        ("module \"m\"\nfunc @f noalias later () {\n", 2, "`later` is not a phase"),
        ("module \"m\"\n\nglobal \"x\" = 1 : f65\n", 3, "`f65` is not a dtype"),
        (
            "module \"m\"\nfunc @f noalias host () {\n  export \"\" \"\" () -> none\n  frob %1\n}\n",
            4,
            "`frob` is not an op",
        ),
        ("module \"m", 1, "a string does not end"),
        ("module \"m\" `", 1, "unexpected character"),
    ];
    for (text, line, message) in cases {
        let error = parse(text).unwrap_err();
        assert!(error.line == line && error.message.contains(message), "{text:?}: {error}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = |open: &str| {
        format!("module \"m\"\nfunc @f noalias host () {{\n  export \"\" \"\" () -> {}", open.repeat(100_000))
    };
    assert!(parse(&deep("(")).unwrap_err().message.contains("too deeply"));
    let text = deep("none\n").replacen("none\n", "none\n  if ", 1).replace("none\n", "{ if ");
    assert!(parse(&text).is_err());
    let order = format!("alloc<f64, K{}", "(fresh".repeat(100_000));
    assert!(
        parse(&format!("module \"m\"\nfunc @f noalias host () {{\n  export \"\" \"\" () -> none\n  {order}")).is_err()
    );
}
