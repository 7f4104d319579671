//! Reads the kernel IR's text form: the inverse of printing.
//!
//! Goes in: any text. Comes out: a kernel, not verified; or the first place where the text is none.

use super::{Access, Input, Kernel, Node, Operand, Phase, ScatterTo, Schedule, StoreTo, Table, Tiles};
use crate::array::parse::parse_reducers;
use crate::text::{Cursor, ParseError, parse_body, parse_code};

/// Reads one kernel.
pub fn parse(text: &str) -> Result<Kernel, ParseError> {
    let mut cursor = Cursor::new(text)?;
    let kernel = parse_kernel(&mut cursor)?;
    if cursor.at_end() { Ok(kernel) } else { cursor.error("expected the end after a kernel") }
}

pub(crate) fn parse_kernel(cursor: &mut Cursor) -> Result<Kernel, ParseError> {
    cursor.expect_word("kernel")?;
    let name = cursor.symbol()?;
    cursor.expect_word("rank")?;
    let rank = cursor.count()?;
    cursor.expect_word("reduced")?;
    let n_reduced = cursor.count()?;
    cursor.expect_word("block")?;
    let block = cursor.number()?;
    cursor.expect_word("vector")?;
    let schedule = Schedule { block, vector: cursor.number()? };
    cursor.expect('{')?;
    let (operands, scalars, tables, body) = Default::default();
    let mut kernel = Kernel { name, rank, n_reduced, operands, scalars, tables, body, schedule };
    while cursor.take_word("operand") {
        kernel.operands.push(parse_operand(cursor)?);
    }
    while cursor.take_word("scalar") {
        kernel.scalars.push(cursor.dtype()?);
    }
    while cursor.take_word("table") {
        let operand = cursor.count()?;
        cursor.expect('[')?;
        kernel.tables.push(Table { operand, strides: cursor.list(']', |cursor| cursor.count())? });
    }
    while !cursor.take('}') {
        kernel.body.push(match cursor.take_word("code") {
            true => Node::Code(parse_code(cursor)?),
            false => Node::Phase(parse_phase(cursor)?),
        });
    }
    Ok(kernel)
}

fn parse_operand(cursor: &mut Cursor) -> Result<Operand, ParseError> {
    let access = if cursor.take_word("read") {
        Access::Read
    } else if cursor.take_word("write") {
        Access::Write
    } else {
        cursor.expect_word("readwrite")?;
        Access::ReadWrite
    };
    let dtype = cursor.dtype()?;
    cursor.expect('[')?;
    let fixed = cursor.list(']', |cursor| {
        if cursor.take(':') {
            return Ok(false);
        }
        match cursor.count()? {
            0 => Ok(true),
            n => cursor.error(format!("a stride is 0 or `:`, found {n}")),
        }
    })?;
    Ok(Operand { dtype, access, fixed, noalias: cursor.take_word("noalias") })
}

fn parse_phase(cursor: &mut Cursor) -> Result<Phase, ParseError> {
    cursor.expect_word("phase")?;
    cursor.expect('{')?;
    let mut inputs = Vec::new();
    loop {
        if cursor.take_word("load") {
            inputs.push(Input::Load(cursor.count()?));
        } else if cursor.take_word("scalar") {
            inputs.push(Input::Scalar(cursor.count()?));
        } else if cursor.take_word("row") {
            inputs.push(Input::Row(cursor.count()?));
        } else if cursor.take_word("held") {
            inputs.push(Input::Held(cursor.count()?));
        } else {
            break;
        }
    }
    cursor.expect_word("body")?;
    let body = parse_body(cursor)?;
    let is_scan = cursor.take_word("scan");
    let reducers = if is_scan || cursor.take_word("reduce") { parse_reducers(cursor)? } else { Vec::new() };
    let epilogue = if cursor.take_word("epilogue") { Some(parse_body(cursor)?) } else { None };
    let tiles = if cursor.take_word("tiles") { Some(parse_tiles(cursor)?) } else { None };
    let mut stores = Vec::new();
    while cursor.take_word("store") {
        let output = cursor.count()?;
        cursor.expect_word("to")?;
        stores.push(StoreTo { operand: cursor.count()?, output });
    }
    let mut scatters = Vec::new();
    while cursor.take_word("scatter") {
        scatters.push(parse_scatter(cursor)?);
    }
    cursor.expect('}')?;
    Ok(Phase { inputs, body, reducers, is_scan, epilogue, stores, scatters, tiles })
}

/// `count 0` or `move 0`, after the word
fn parse_tiles(cursor: &mut Cursor) -> Result<Tiles, ParseError> {
    if cursor.take_word("count") {
        return Ok(Tiles::Count(cursor.count()?));
    }
    cursor.expect_word("move")?;
    Ok(Tiles::Move(cursor.count()?))
}

/// `0 to 1 at 1, 2 when 3 apart`, after the word
fn parse_scatter(cursor: &mut Cursor) -> Result<ScatterTo, ParseError> {
    let output = cursor.count()?;
    cursor.expect_word("to")?;
    let table = cursor.count()?;
    cursor.expect_word("at")?;
    let mut at = Vec::new();
    while !["when", "apart", "scatter"].iter().any(|word| cursor.at_word(word)) && !cursor.at('}') {
        if !at.is_empty() {
            cursor.expect(',')?;
        }
        at.push(cursor.count()?);
    }
    let when = if cursor.take_word("when") { Some(cursor.count()?) } else { None };
    let is_apart = cursor.take_word("apart");
    Ok(ScatterTo { table, output, at, when, is_apart })
}
