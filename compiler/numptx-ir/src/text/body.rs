//! Scalar bodies: `{ $0 = input 0 : f64; $1 = sqrt $0 : f64; yield $1 }`, on several lines where there is more.

use super::{Cursor, ParseError, Token, commas, parse_constant, write_constant};
use crate::scalar::{Body, Instr, InstrKind, ScalarOp, Val};

/// Bodies of at most so many instructions stand on one line.
const ONE_LINE: usize = 3;

/// Writes a body from `{` to `}`; its lines are indented by `indent` and two.
pub(crate) fn write_body(body: &Body, indent: usize) -> String {
    let mut lines: Vec<String> = body.instrs.iter().enumerate().map(|(n, instr)| write_instr(n, instr)).collect();
    let outputs = ref_vals(&body.outputs);
    lines.push(format!("yield {outputs}").trim_end().to_string());
    if body.instrs.len() <= ONE_LINE {
        return format!("{{ {} }}", lines.join("; "));
    }
    let inner = " ".repeat(indent + 2);
    let lines: String = lines.iter().map(|line| format!("{inner}{line}\n")).collect();
    format!("{{\n{lines}{}}}", " ".repeat(indent))
}

/// `$0, $1`
pub(super) fn ref_vals(vals: &[Val]) -> String {
    commas(vals.iter().map(|v| format!("${}", v.0)))
}

fn write_instr(n: usize, instr: &Instr) -> String {
    let what = match &instr.kind {
        InstrKind::Input(input) => format!("input {input}"),
        InstrKind::Index(axis) => format!("index {axis}"),
        InstrKind::Element(table, at) => format!("element {table} at {}", ref_vals(at)).trim_end().to_string(),
        InstrKind::Constant(constant) => format!("constant {}", write_constant(*constant)),
        InstrKind::Op(op, operands) => format!("{} {}", op.name(), ref_vals(operands)).trim_end().to_string(),
    };
    format!("${n} = {what} : {}", instr.dtype.short_name())
}

/// Reads a body from `{` to `}`.
pub(crate) fn parse_body(cursor: &mut Cursor) -> Result<Body, ParseError> {
    cursor.expect('{')?;
    let mut instrs = Vec::new();
    while let Token::Val(number) = *cursor.peek() {
        if number as usize != instrs.len() {
            return cursor.error(format!("instruction ${number} must be ${}", instrs.len()));
        }
        cursor.next();
        cursor.expect('=')?;
        let kind = parse_instr_kind(cursor)?;
        cursor.expect(':')?;
        let dtype = cursor.dtype()?;
        cursor.take(';');
        instrs.push(Instr { kind, dtype });
    }
    cursor.expect_word("yield")?;
    let outputs = parse_vals(cursor)?;
    cursor.take(';');
    cursor.expect('}')?;
    Ok(Body { instrs, outputs })
}

fn parse_instr_kind(cursor: &mut Cursor) -> Result<InstrKind, ParseError> {
    let line = cursor.line();
    let name = cursor.word()?;
    Ok(match name.as_str() {
        "input" => InstrKind::Input(cursor.number()?),
        "index" => InstrKind::Index(cursor.number()?),
        "element" => {
            let table = cursor.number()?;
            cursor.expect_word("at")?;
            InstrKind::Element(table, parse_vals(cursor)?)
        }
        "constant" => InstrKind::Constant(parse_constant(cursor)?),
        name => {
            let message = format!("`{name}` is not a scalar operation");
            let op = ScalarOp::from_name(name).ok_or(ParseError { line, message })?;
            InstrKind::Op(op, parse_vals(cursor)?)
        }
    })
}

pub(super) fn parse_vals(cursor: &mut Cursor) -> Result<Vec<Val>, ParseError> {
    let mut vals = Vec::new();
    while let Token::Val(number) = *cursor.peek() {
        cursor.next();
        vals.push(Val(number));
        if !cursor.take(',') {
            break;
        }
    }
    Ok(vals)
}
