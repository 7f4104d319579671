//! Structured programs: `{`, a statement a line, `yield`, `}`.

use super::body::{parse_vals, ref_vals};
use super::{Cursor, ParseError, Token, commas, parse_constant, write_constant};
use crate::DType;
use crate::scalar::{Block, Code, Reducer, ScalarOp, Stmt, StmtKind, Val};

/// Values of one program have smaller numbers than this.
const VALUE_LIMIT: u32 = 1 << 20;

/// Writes a program from `{` to `}`; its lines are indented by `indent` and two.
pub(crate) fn write_code(code: &Code, indent: usize) -> String {
    write_block(code, &code.block, indent)
}

fn write_block(code: &Code, block: &Block, indent: usize) -> String {
    let mut text = String::new();
    if !block.parameters.is_empty() {
        let parameter = |v: &Val| format!("${}: {}", v.0, dtype_name(code, *v));
        text.push_str(&format!("({}) ", commas(block.parameters.iter().map(parameter))));
    }
    text.push_str("{\n");
    let inner = " ".repeat(indent + 2);
    for stmt in &block.stmts {
        text.push_str(&format!("{inner}{}\n", write_stmt(code, stmt, indent + 2)));
    }
    let yields = format!("yield {}", ref_vals(&block.yields));
    text.push_str(&format!("{inner}{}\n{}}}", yields.trim_end(), " ".repeat(indent)));
    text
}

fn dtype_name(code: &Code, val: Val) -> &'static str {
    code.dtypes.get(val.0 as usize).copied().unwrap_or(DType::Bool).short_name()
}

fn write_stmt(code: &Code, stmt: &Stmt, indent: usize) -> String {
    let operands = ref_vals(&stmt.operands);
    let what = match stmt.kind {
        StmtKind::Constant(constant) => format!("constant {} {operands}", write_constant(constant)),
        StmtKind::Op(op) => format!("{} {operands}", op.name()),
        StmtKind::Index(axis) => format!("index {axis} {operands}"),
        StmtKind::Input(n) => format!("input {n} {operands}"),
        StmtKind::Load(table) => format!("load {table} at {operands}"),
        StmtKind::Store(table) => {
            let (value, at) = stmt.operands.split_at(stmt.operands.len().min(1));
            format!("store {} to {table} at {}", ref_vals(value), ref_vals(at))
        }
        StmtKind::Check(table) => format!("check {operands} to {table}"),
        StmtKind::If => format!("if {operands}"),
        StmtKind::For => format!("for {operands}"),
        StmtKind::While => format!("while {operands}"),
        StmtKind::Parallel => format!("parallel {operands}"),
        StmtKind::Reduce(reducer) => format!("reduce {} {operands}", reducer.name()),
        StmtKind::Solve(reducer, table) => format!("solve {} {operands} to {table}", reducer.name()),
        StmtKind::Barrier => format!("barrier {operands}"),
    };
    let mut text = if stmt.results.is_empty() { String::new() } else { format!("{} = ", ref_vals(&stmt.results)) };
    text.push_str(what.trim_end());
    for (n, block) in stmt.blocks.iter().enumerate() {
        text.push_str(match separator(stmt.kind, n) {
            "" => " ",
            word => word,
        });
        text.push_str(&write_block(code, block, indent));
    }
    if !stmt.results.is_empty() {
        text.push_str(&format!(" : {}", commas(stmt.results.iter().map(|v| dtype_name(code, *v)))));
    }
    text
}

/// The word before block `n` of a statement.
fn separator(kind: StmtKind, n: usize) -> &'static str {
    match kind {
        StmtKind::Solve(..) => [" at ", " factor ", " term ", " value "][n.min(3)],
        _ if n == 0 => "",
        StmtKind::If => " else ",
        _ => " do ",
    }
}

/// Reads a program from `{` to `}`.
pub(crate) fn parse_code(cursor: &mut Cursor) -> Result<Code, ParseError> {
    let mut dtypes = Vec::new();
    let block = parse_block(cursor, &mut dtypes)?;
    // What is used and never defined has a place, too.
    let mut largest = None;
    let mut note = |vals: &[Val]| largest = largest.max(vals.iter().map(|v| v.0).max());
    note(&block.parameters);
    note(&block.yields);
    block.for_each_stmt(&mut |stmt| {
        note(&stmt.operands);
        note(&stmt.results);
        stmt.blocks.iter().for_each(|block| {
            note(&block.parameters);
            note(&block.yields);
        });
    });
    match largest {
        Some(largest) if largest >= VALUE_LIMIT => cursor.error(format!("`${largest}` is too large")),
        _ => {
            dtypes.resize(largest.map_or(0, |n| n as usize + 1), DType::Bool);
            Ok(Code { dtypes, block })
        }
    }
}

fn parse_block(cursor: &mut Cursor, dtypes: &mut Vec<DType>) -> Result<Block, ParseError> {
    cursor.enter()?;
    let parameters =
        if cursor.take('(') { cursor.list(')', |cursor| parse_parameter(cursor, dtypes))? } else { vec![] };
    cursor.expect('{')?;
    let mut stmts = Vec::new();
    while !cursor.take_word("yield") {
        stmts.push(parse_stmt(cursor, dtypes)?);
    }
    let yields = parse_vals(cursor)?;
    cursor.expect('}')?;
    cursor.leave();
    Ok(Block { parameters, stmts, yields })
}

/// `$1: f64`
fn parse_parameter(cursor: &mut Cursor, dtypes: &mut Vec<DType>) -> Result<Val, ParseError> {
    let Token::Val(number) = *cursor.peek() else { return cursor.error("expected `$` and a number") };
    cursor.next();
    cursor.expect(':')?;
    declare(cursor, Val(number), dtypes)?;
    Ok(Val(number))
}

/// The dtype of a value.
fn declare(cursor: &mut Cursor, val: Val, dtypes: &mut Vec<DType>) -> Result<(), ParseError> {
    if val.0 >= VALUE_LIMIT {
        return cursor.error(format!("`${}` is too large", val.0));
    }
    let dtype = cursor.dtype()?;
    dtypes.resize(dtypes.len().max(val.0 as usize + 1), DType::Bool);
    dtypes[val.0 as usize] = dtype;
    Ok(())
}

fn parse_stmt(cursor: &mut Cursor, dtypes: &mut Vec<DType>) -> Result<Stmt, ParseError> {
    let results = parse_vals(cursor)?;
    if !results.is_empty() {
        cursor.expect('=')?;
    }
    let (kind, operands) = parse_what(cursor)?;
    let mut blocks = Vec::new();
    if matches!(kind, StmtKind::If | StmtKind::For | StmtKind::While) || kind.is_shared() {
        loop {
            let separator = separator(kind, blocks.len()).trim();
            if !(cursor.at('{') || cursor.at('(') || cursor.at_word(separator)) {
                break;
            }
            if !separator.is_empty() {
                cursor.expect_word(separator)?;
            }
            blocks.push(parse_block(cursor, dtypes)?);
        }
    }
    if !results.is_empty() {
        cursor.expect(':')?;
        for (n, val) in results.iter().enumerate() {
            if n > 0 {
                cursor.expect(',')?;
            }
            declare(cursor, *val, dtypes)?;
        }
    }
    Ok(Stmt { kind, operands, results, blocks })
}

fn parse_what(cursor: &mut Cursor) -> Result<(StmtKind, Vec<Val>), ParseError> {
    let line = cursor.line();
    let name = cursor.word()?;
    // Operands stand on the statement's own line, so that a store to a table without axes is not taken to use the next statement's result.
    let vals = |cursor: &mut Cursor| if cursor.line() == line { parse_vals(cursor) } else { Ok(Vec::new()) };
    let kind = match name.as_str() {
        "constant" => StmtKind::Constant(parse_constant(cursor)?),
        "index" => StmtKind::Index(cursor.number()?),
        "input" => StmtKind::Input(cursor.number()?),
        "load" => {
            let table = cursor.number()?;
            cursor.expect_word("at")?;
            StmtKind::Load(table)
        }
        "store" => {
            let value = vals(cursor)?;
            cursor.expect_word("to")?;
            let table = cursor.number()?;
            cursor.expect_word("at")?;
            return Ok((StmtKind::Store(table), [value, vals(cursor)?].concat()));
        }
        "check" => {
            let operands = vals(cursor)?;
            cursor.expect_word("to")?;
            return Ok((StmtKind::Check(cursor.number()?), operands));
        }
        "if" => StmtKind::If,
        "for" => StmtKind::For,
        "while" => StmtKind::While,
        "parallel" => StmtKind::Parallel,
        "barrier" => StmtKind::Barrier,
        "reduce" => StmtKind::Reduce(parse_reducer(cursor)?),
        "solve" => {
            let reducer = parse_reducer(cursor)?;
            let operands = vals(cursor)?;
            cursor.expect_word("to")?;
            return Ok((StmtKind::Solve(reducer, cursor.number()?), operands));
        }
        name => {
            let message = format!("`{name}` is not a statement");
            StmtKind::Op(ScalarOp::from_name(name).ok_or(ParseError { line, message })?)
        }
    };
    Ok((kind, vals(cursor)?))
}

fn parse_reducer(cursor: &mut Cursor) -> Result<Reducer, ParseError> {
    let line = cursor.line();
    let name = cursor.word()?;
    let found = Reducer::ALL.into_iter().find(|reducer| reducer.name() == name);
    found.ok_or_else(|| ParseError { line, message: format!("`{name}` is not a reducer") })
}
