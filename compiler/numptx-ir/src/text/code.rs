//! Structured programs: `{`, a step a line, `yield`, `}`.

use super::body::{parse_vals, ref_vals};
use super::{Cursor, ParseError, Token, commas, parse_constant, write_constant};
use crate::DType;
use crate::scalar::{Block, Code, Reducer, ScalarOp, Step, StepKind, Val};

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
    for step in &block.steps {
        text.push_str(&format!("{inner}{}\n", write_step(code, step, indent + 2)));
    }
    let yields = format!("yield {}", ref_vals(&block.yields));
    text.push_str(&format!("{inner}{}\n{}}}", yields.trim_end(), " ".repeat(indent)));
    text
}

fn dtype_name(code: &Code, val: Val) -> &'static str {
    code.dtypes.get(val.0 as usize).copied().unwrap_or(DType::Bool).short_name()
}

fn write_step(code: &Code, step: &Step, indent: usize) -> String {
    let operands = ref_vals(&step.operands);
    let what = match step.kind {
        StepKind::Constant(constant) => format!("constant {} {operands}", write_constant(constant)),
        StepKind::Op(op) => format!("{} {operands}", op.name()),
        StepKind::Index(axis) => format!("index {axis} {operands}"),
        StepKind::Input(n) => format!("input {n} {operands}"),
        StepKind::Load(table) => format!("load {table} at {operands}"),
        StepKind::Store(table) => {
            let (value, at) = step.operands.split_at(step.operands.len().min(1));
            format!("store {} to {table} at {}", ref_vals(value), ref_vals(at))
        }
        StepKind::Check(table) => format!("check {operands} to {table}"),
        StepKind::If => format!("if {operands}"),
        StepKind::For => format!("for {operands}"),
        StepKind::While => format!("while {operands}"),
        StepKind::Parallel => format!("parallel {operands}"),
        StepKind::Reduce(reducer) => format!("reduce {} {operands}", reducer.name()),
        StepKind::Solve(reducer, table) => format!("solve {} {operands} to {table}", reducer.name()),
        StepKind::Barrier => format!("barrier {operands}"),
    };
    let mut text = if step.results.is_empty() { String::new() } else { format!("{} = ", ref_vals(&step.results)) };
    text.push_str(what.trim_end());
    for (n, block) in step.blocks.iter().enumerate() {
        text.push_str(match separator(step.kind, n) {
            "" => " ",
            word => word,
        });
        text.push_str(&write_block(code, block, indent));
    }
    if !step.results.is_empty() {
        text.push_str(&format!(" : {}", commas(step.results.iter().map(|v| dtype_name(code, *v)))));
    }
    text
}

/// The word before block `n` of a step.
fn separator(kind: StepKind, n: usize) -> &'static str {
    match kind {
        StepKind::Solve(..) => [" at ", " factor ", " term ", " value "][n.min(3)],
        _ if n == 0 => "",
        StepKind::If => " else ",
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
    block.for_each_step(&mut |step| {
        note(&step.operands);
        note(&step.results);
        step.blocks.iter().for_each(|block| {
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
    let mut steps = Vec::new();
    while !cursor.take_word("yield") {
        steps.push(parse_step(cursor, dtypes)?);
    }
    let yields = parse_vals(cursor)?;
    cursor.expect('}')?;
    cursor.leave();
    Ok(Block { parameters, steps, yields })
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

fn parse_step(cursor: &mut Cursor, dtypes: &mut Vec<DType>) -> Result<Step, ParseError> {
    let results = parse_vals(cursor)?;
    if !results.is_empty() {
        cursor.expect('=')?;
    }
    let (kind, operands) = parse_what(cursor)?;
    let mut blocks = Vec::new();
    if matches!(kind, StepKind::If | StepKind::For | StepKind::While) || kind.is_shared() {
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
    Ok(Step { kind, operands, results, blocks })
}

fn parse_what(cursor: &mut Cursor) -> Result<(StepKind, Vec<Val>), ParseError> {
    let line = cursor.line();
    let name = cursor.word()?;
    // Operands stand on the step's own line, so that a store to a table without axes is not taken to use the next step's result.
    let vals = |cursor: &mut Cursor| if cursor.line() == line { parse_vals(cursor) } else { Ok(Vec::new()) };
    let kind = match name.as_str() {
        "constant" => StepKind::Constant(parse_constant(cursor)?),
        "index" => StepKind::Index(cursor.number()?),
        "input" => StepKind::Input(cursor.number()?),
        "load" => {
            let table = cursor.number()?;
            cursor.expect_word("at")?;
            StepKind::Load(table)
        }
        "store" => {
            let value = vals(cursor)?;
            cursor.expect_word("to")?;
            let table = cursor.number()?;
            cursor.expect_word("at")?;
            return Ok((StepKind::Store(table), [value, vals(cursor)?].concat()));
        }
        "check" => {
            let operands = vals(cursor)?;
            cursor.expect_word("to")?;
            return Ok((StepKind::Check(cursor.number()?), operands));
        }
        "if" => StepKind::If,
        "for" => StepKind::For,
        "while" => StepKind::While,
        "parallel" => StepKind::Parallel,
        "barrier" => StepKind::Barrier,
        "reduce" => StepKind::Reduce(parse_reducer(cursor)?),
        "solve" => {
            let reducer = parse_reducer(cursor)?;
            let operands = vals(cursor)?;
            cursor.expect_word("to")?;
            return Ok((StepKind::Solve(reducer, cursor.number()?), operands));
        }
        name => {
            let message = format!("`{name}` is not a step");
            StepKind::Op(ScalarOp::from_name(name).ok_or(ParseError { line, message })?)
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
