//! Reads the array IR's text form: the inverse of printing.
//!
//! Goes in: any text. Comes out: a module, not verified, whose spans are empty; or the first place where the text is none.

mod attributes;
mod signature;

pub(crate) use attributes::parse_reducers;

use super::print::op_name;
use super::{
    Aliasing, ArrayType, Function, Global, Layout, Module, Op, OpKind, Phase, Region, Type, ValueData, ValueId,
};
use crate::DType;
use crate::kernel::parse::parse_kernel;
use crate::text::{Cursor, ParseError, Token, parse_constant};

/// Values of one function have smaller numbers than this.
const VALUE_LIMIT: u32 = 1 << 20;

/// Reads a module.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let mut cursor = Cursor::new(text)?;
    let cursor = &mut cursor;
    cursor.expect_word("module")?;
    let mut module = Module { name: cursor.quoted()?, ..Module::default() };
    if cursor.take_word("doc") {
        module.docstring = Some(cursor.quoted()?);
    }
    while cursor.take_word("global") {
        module.globals.push(parse_global(cursor)?);
    }
    while !cursor.at_end() {
        if cursor.at_word("kernel") {
            module.kernels.push(parse_kernel(cursor)?);
        } else {
            module.functions.push(parse_function(cursor)?);
        }
    }
    Ok(module)
}

fn parse_global(cursor: &mut Cursor) -> Result<Global, ParseError> {
    let name = cursor.quoted()?;
    cursor.expect('=')?;
    let value = parse_constant(cursor)?;
    cursor.expect(':')?;
    Ok(Global { name, value, dtype: cursor.dtype()? })
}

fn parse_function(cursor: &mut Cursor) -> Result<Function, ParseError> {
    cursor.expect_word("func")?;
    let name = cursor.symbol()?;
    let aliasing = if cursor.take_word("noalias") {
        Aliasing::NoAlias
    } else {
        cursor.expect_word("mayalias")?;
        Aliasing::MayAlias
    };
    let phase = parse_phase(cursor)?;
    let is_routine = cursor.take_word("routine");
    let mut values = Values { values: Vec::new() };
    let parameters = parse_definitions(cursor, &mut values)?;
    cursor.expect('{')?;
    let signature = signature::parse_signature(cursor)?;
    let ops = parse_ops(cursor, &mut values)?;
    let values = values.values;
    let body = Region { parameters: Vec::new(), ops };
    Ok(Function {
        name,
        signature,
        aliasing,
        phase,
        is_routine,
        parameters,
        values,
        body,
        independent: Vec::new(),
        remarks: Vec::new(),
    })
}

fn parse_phase(cursor: &mut Cursor) -> Result<Phase, ParseError> {
    let line = cursor.line();
    match cursor.word()?.as_str() {
        "source" => Ok(Phase::Source),
        "placed" => Ok(Phase::Placed),
        "host" => Ok(Phase::Host),
        "owned" => Ok(Phase::Owned),
        other => Err(ParseError { line, message: format!("`{other}` is not a phase") }),
    }
}

/// What is known of the function's values; those that the text leaves out are unnamed `bool`s.
struct Values {
    values: Vec<ValueData>,
}

impl Values {
    fn at(&mut self, value: ValueId) -> &mut ValueData {
        let unknown = ValueData { ty: Type::Scalar(DType::Bool), name: None };
        let length = self.values.len().max(value.0 as usize + 1);
        self.values.resize(length, unknown);
        &mut self.values[value.0 as usize]
    }
}

fn parse_value(cursor: &mut Cursor, values: &mut Values) -> Result<ValueId, ParseError> {
    match *cursor.peek() {
        Token::Value(number) if number < VALUE_LIMIT => {
            cursor.next();
            values.at(ValueId(number));
            Ok(ValueId(number))
        }
        _ => cursor.error(format!("expected `%` and a number below {VALUE_LIMIT}")),
    }
}

/// `%1 "x"`
fn parse_reference(cursor: &mut Cursor, values: &mut Values) -> Result<ValueId, ParseError> {
    let value = parse_value(cursor, values)?;
    if matches!(cursor.peek(), Token::Quoted(_)) {
        values.at(value).name = Some(cursor.quoted()?);
    }
    Ok(value)
}

/// `(%1 "x": f64[1] C mut, …)`
fn parse_definitions(cursor: &mut Cursor, values: &mut Values) -> Result<Vec<ValueId>, ParseError> {
    cursor.expect('(')?;
    cursor.list(')', |cursor| {
        let value = parse_reference(cursor, values)?;
        cursor.expect(':')?;
        values.at(value).ty = parse_type(cursor)?;
        Ok(value)
    })
}

fn parse_type(cursor: &mut Cursor) -> Result<Type, ParseError> {
    if cursor.take_word("object") {
        return Ok(Type::Object);
    }
    let dtype = cursor.dtype()?;
    if !cursor.take('[') {
        return Ok(Type::Scalar(dtype));
    }
    let rank = cursor.count()?;
    cursor.expect(']')?;
    let layout = if cursor.take_word("C") {
        Layout::C
    } else if cursor.take_word("F") {
        Layout::F
    } else {
        cursor.expect_word("any")?;
        Layout::Any
    };
    Ok(Type::Array(ArrayType { dtype, rank, layout, writable: cursor.take_word("mut") }))
}

/// Ops up to and with the closing `}`.
fn parse_ops(cursor: &mut Cursor, values: &mut Values) -> Result<Vec<Op>, ParseError> {
    cursor.enter()?;
    let mut ops = Vec::new();
    while !cursor.take('}') {
        ops.push(parse_op(cursor, values)?);
    }
    cursor.leave();
    Ok(ops)
}

fn parse_op(cursor: &mut Cursor, values: &mut Values) -> Result<Op, ParseError> {
    let mut results = Vec::new();
    while matches!(cursor.peek(), Token::Value(_)) {
        results.push(parse_reference(cursor, values)?);
        if !cursor.take(',') {
            cursor.expect('=')?;
            break;
        }
    }
    let line = cursor.line();
    let mut kind = attributes::parse_kind(cursor)?;
    // Operands stand on the op's own line, so that an op without any is not taken to use the next one's result.
    let mut operands = Vec::new();
    while matches!(cursor.peek(), Token::Value(_)) && cursor.line() == line {
        operands.push(parse_value(cursor, values)?);
        if !cursor.take(',') {
            break;
        }
    }
    attributes::parse_bodies(cursor, &mut kind)?;
    let regions = parse_regions(cursor, values, &kind)?;
    if !results.is_empty() {
        cursor.expect(':')?;
        for (position, result) in results.iter().enumerate() {
            if position > 0 {
                cursor.expect(',')?;
            }
            values.at(*result).ty = parse_type(cursor)?;
        }
    }
    Ok(Op { kind, operands, results, regions, span: Default::default() })
}

fn parse_regions(cursor: &mut Cursor, values: &mut Values, kind: &OpKind) -> Result<Vec<Region>, ParseError> {
    let mut regions = Vec::new();
    let separator = if op_name(kind) == "if" { "else" } else { "do" };
    while cursor.at('{') || cursor.at('(') || cursor.at_word(separator) {
        if !regions.is_empty() {
            cursor.expect_word(separator)?;
        }
        let parameters = if cursor.at('(') { parse_definitions(cursor, values)? } else { Vec::new() };
        cursor.expect('{')?;
        regions.push(Region { parameters, ops: parse_ops(cursor, values)? });
    }
    Ok(regions)
}
