//! Layouts are read as they are written, and operations have names of their own.

use numptx_abi::dtype;
use numptx_abi::object::{
    ARRAY, CLOSE, LIST_NEW, NONE, NUMPY, OBJECT, OPEN, OPERATIONS, Part, STRING, VALUE, is_known, is_reference,
    layout_text, operation, operation_named, parse_layout, words,
};

#[test]
fn layouts_are_read_as_they_are_written() {
    let layout = [OPEN, dtype::INT64, OPEN, dtype::FLOAT32 | NUMPY, STRING, CLOSE, NONE, CLOSE, VALUE, ARRAY, OBJECT];
    let text = "( i64 ( np.f32 str ) none ) : array object";
    assert_eq!(layout_text(&layout).as_deref(), Some(text));
    assert_eq!(parse_layout(text).as_deref(), Some(&layout[..]));
    for code in (0..=u8::MAX).filter(|code| is_known(*code) && ![OPEN, CLOSE].contains(code)) {
        let text = layout_text(&[code]).expect("a known code has a word");
        assert_eq!(parse_layout(&text), Some(vec![code]), "{text}");
    }
    assert_eq!(parse_layout(""), Some(Vec::new()));
}

#[test]
fn what_is_no_layout_is_refused() {
    for text in ["(", ")", "i64 )", "( i64", "( i64 : str )", "int", "np.str", "np."] {
        assert_eq!(parse_layout(text), None, "{text}");
    }
    for code in (0..=u8::MAX).filter(|code| !is_known(*code)) {
        assert_eq!(layout_text(&[code]), None);
    }
}

#[test]
fn leaves_are_words_or_references() {
    assert_eq!(words(dtype::COMPLEX64), 2);
    assert_eq!(words(dtype::COMPLEX128 | NUMPY), 2);
    assert_eq!(words(dtype::BOOL), 1);
    for code in [STRING, ARRAY, OBJECT, NONE, OPEN, CLOSE, VALUE] {
        assert_eq!((words(code), is_reference(code)), (0, [STRING, ARRAY, OBJECT].contains(&code)));
    }
}

#[test]
fn operations_are_found_by_name() {
    for (code, row) in OPERATIONS.iter().enumerate() {
        assert_eq!(operation_named(row.name), Some(code as u32), "{} stands there twice", row.name);
        let many = row.operands.iter().position(|part| *part == Part::Many);
        assert!(many.is_none_or(|at| at + 1 == row.operands.len()), "{}: nothing follows any number", row.name);
    }
    assert_eq!(operation(LIST_NEW).map(|row| row.name), Some("list_new"));
    assert!(operation(OPERATIONS.len() as u32).is_none() && operation_named("").is_none());
}
