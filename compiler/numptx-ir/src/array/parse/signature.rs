//! Reads the lines `export` and `doc` of a function.

use crate::signature::{
    ElementType, FieldAccess, MemoryOrder, ObjectType, Parameter, ParameterType, RecordType, ResultType, Signature,
};
use crate::text::{Cursor, ParseError, Token};

pub(super) fn parse_signature(cursor: &mut Cursor) -> Result<Signature, ParseError> {
    cursor.expect_word("export")?;
    let function = cursor.quoted()?;
    let text = cursor.quoted()?;
    cursor.expect('(')?;
    let parameters = cursor.list(')', |cursor| {
        let by_name = cursor.take_word("named");
        let name = cursor.quoted()?;
        cursor.expect(':')?;
        Ok(Parameter { name, ty: parse_parameter_type(cursor)?, by_name })
    })?;
    if *cursor.peek() != Token::Arrow {
        return cursor.error("expected `->`");
    }
    cursor.next();
    let result = parse_result_type(cursor)?;
    let same = if cursor.take_word("same") { parse_same(cursor)? } else { Vec::new() };
    let numbered = if cursor.take_word("numbered") { parse_numbered(cursor)? } else { Vec::new() };
    let defaults = if cursor.take_word("defaults") { parse_defaults(cursor)? } else { Vec::new() };
    let docstring = if cursor.take_word("doc") { Some(cursor.quoted()?) } else { None };
    Ok(Signature { function, text, parameters, result, same, numbered, defaults, docstring })
}

/// `(1 is 0, 3 is 2)`.
fn parse_same(cursor: &mut Cursor) -> Result<Vec<(usize, usize)>, ParseError> {
    cursor.expect('(')?;
    cursor.list(')', |cursor| {
        let leaf = cursor.count()?;
        cursor.expect_word("is")?;
        Ok((leaf, cursor.count()?))
    })
}

/// `(0, 2)`.
fn parse_numbered(cursor: &mut Cursor) -> Result<Vec<usize>, ParseError> {
    cursor.expect('(')?;
    cursor.list(')', |cursor| cursor.count())
}

/// `("0.5", "None")`.
fn parse_defaults(cursor: &mut Cursor) -> Result<Vec<String>, ParseError> {
    cursor.expect('(')?;
    cursor.list(')', |cursor| cursor.quoted())
}

fn parse_parameter_type(cursor: &mut Cursor) -> Result<ParameterType, ParseError> {
    if cursor.take('(') {
        cursor.enter()?;
        let members = cursor.list(')', parse_parameter_type)?;
        cursor.leave();
        return Ok(ParameterType::Tuple(members));
    }
    if cursor.take_word("none") {
        return Ok(ParameterType::None);
    }
    if cursor.take_word("str") {
        let constant = if matches!(cursor.peek(), Token::Quoted(_)) { Some(cursor.quoted()?) } else { None };
        return Ok(ParameterType::Str(constant));
    }
    if let Some(object) = parse_object_type(cursor)? {
        return Ok(ParameterType::Object(object));
    }
    if cursor.take_word("record") {
        let (record, fields) = parse_record(cursor, parse_parameter_type)?;
        return Ok(ParameterType::Record(record, fields));
    }
    let python = cursor.take_word("py");
    let dtype = cursor.dtype()?;
    if python || !cursor.take('[') {
        return Ok(ParameterType::Scalar { dtype, python });
    }
    let extents = cursor.list(']', |cursor| if cursor.take(':') { Ok(None) } else { cursor.number().map(Some) })?;
    let order = if cursor.take_word("C") {
        Some(MemoryOrder::C)
    } else if cursor.take_word("F") {
        Some(MemoryOrder::F)
    } else {
        None
    };
    Ok(ParameterType::Array { dtype, extents, order })
}

fn parse_result_type(cursor: &mut Cursor) -> Result<ResultType, ParseError> {
    if cursor.take('(') {
        cursor.enter()?;
        let members = cursor.list(')', parse_result_type)?;
        cursor.leave();
        return Ok(ResultType::Tuple(members));
    }
    if cursor.take('[') {
        cursor.enter()?;
        let members = cursor.list(']', parse_result_type)?;
        cursor.leave();
        return Ok(ResultType::List(members));
    }
    if cursor.take_word("oneof") {
        cursor.expect('(')?;
        cursor.enter()?;
        let members = cursor.list(')', parse_result_type)?;
        cursor.leave();
        return Ok(ResultType::OneOf(members));
    }
    if cursor.take_word("none") {
        return Ok(ResultType::None);
    }
    if cursor.take_word("py") {
        return Ok(ResultType::PythonScalar(cursor.dtype()?));
    }
    if let Some(object) = parse_object_type(cursor)? {
        return Ok(ResultType::Object(object));
    }
    if cursor.take_word("record") {
        let (record, fields) = parse_record(cursor, parse_result_type)?;
        return Ok(ResultType::Record(record, fields));
    }
    if cursor.take_word("device") {
        return Ok(ResultType::DeviceScalar(cursor.dtype()?));
    }
    let dtype = cursor.dtype()?;
    if !cursor.take('[') {
        return Ok(ResultType::NumpyScalar(dtype));
    }
    let rank = cursor.count()?;
    cursor.expect(']')?;
    Ok(ResultType::Array { dtype, rank })
}

/// `"P" members ("x": py f64)`, behind `record`.
fn parse_record<T>(
    cursor: &mut Cursor,
    mut field: impl FnMut(&mut Cursor) -> Result<T, ParseError>,
) -> Result<(RecordType, Vec<T>), ParseError> {
    cursor.enter()?;
    let name = cursor.quoted()?;
    let all = [FieldAccess::Members, FieldAccess::Attributes, FieldAccess::Names, FieldAccess::Items];
    let Some(access) = all.into_iter().find(|access| cursor.take_word(access.word())) else {
        return cursor.error("expected `members`, `attributes`, `names` or `items`");
    };
    cursor.expect('(')?;
    let fields = cursor.list(')', |cursor| {
        let name = cursor.quoted()?;
        cursor.expect(':')?;
        Ok((name, field(cursor)?))
    })?;
    cursor.leave();
    let (fields, types) = fields.into_iter().unzip();
    Ok((RecordType { name, fields, access }, types))
}

/// `list(T)`, `dict(T, T)`, `set(T)`, `text`, `generator`, `random_state`, `random_global`, or what a list or dictionary becomes: `tuple(T)`, `deque(T)`,
/// `counter(T, T)`, `default("int", T, T)`. `None` of other types.
fn parse_object_type(cursor: &mut Cursor) -> Result<Option<ObjectType>, ParseError> {
    if cursor.take_word("text") {
        return Ok(Some(ObjectType::Text));
    }
    if cursor.take_word("generator") {
        return Ok(Some(ObjectType::Generator));
    }
    if cursor.take_word("random_global") {
        return Ok(Some(ObjectType::GlobalRandom));
    }
    if cursor.take_word("random_state") {
        return Ok(Some(ObjectType::RandomState));
    }
    let names = ["list", "dict", "set", "tuple", "deque", "counter", "default"];
    let Some(name) = names.into_iter().find(|name| cursor.take_word(name)) else { return Ok(None) };
    cursor.enter()?;
    cursor.expect('(')?;
    let makes = if name == "default" { cursor.quoted()? } else { String::new() };
    if name == "default" {
        cursor.expect(',')?;
    }
    let first = parse_element_type(cursor)?;
    let mut second = || {
        cursor.expect(',')?;
        parse_element_type(cursor)
    };
    let object = match name {
        "list" => ObjectType::List(first),
        "set" => ObjectType::Set(first),
        "tuple" => ObjectType::Tuple(first),
        "deque" => ObjectType::Deque(first),
        "counter" => ObjectType::Counter(first, second()?),
        "default" => ObjectType::Default(makes, first, second()?),
        _ => ObjectType::Dictionary(first, second()?),
    };
    cursor.expect(')')?;
    cursor.leave();
    Ok(Some(object))
}

fn parse_element_type(cursor: &mut Cursor) -> Result<ElementType, ParseError> {
    if cursor.take('(') {
        cursor.enter()?;
        let members = cursor.list(')', parse_element_type)?;
        cursor.leave();
        return Ok(ElementType::Tuple(members));
    }
    if cursor.take_word("none") {
        return Ok(ElementType::None);
    }
    if let Some(object) = parse_object_type(cursor)? {
        return Ok(ElementType::Object(Box::new(object)));
    }
    if cursor.take_word("record") {
        let (record, fields) = parse_record(cursor, parse_element_type)?;
        return Ok(ElementType::Record(record, fields));
    }
    let python = cursor.take_word("py");
    let dtype = cursor.dtype()?;
    if python || !cursor.take('[') {
        return Ok(ElementType::Scalar { dtype, python });
    }
    let rank = cursor.count()?;
    cursor.expect(']')?;
    Ok(ElementType::Array { dtype, rank })
}
