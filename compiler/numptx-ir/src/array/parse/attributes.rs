//! Reads what stands between an op's name and its operands, and its scalar bodies.

use numptx_abi::object::{self, LayoutUse};

use crate::array::{
    Compact, ErrorKind, External, KernelId, Map, Meeting, Nest, ObjectOp, OpKind, Order, OrderTerm, Reading, Reduce,
    Scan, Scatter, Sorting, Store,
};
use crate::scalar::{Body, Code, Reducer, ScalarOp};
use crate::text::{Cursor, ParseError, parse_body, parse_code, parse_constant};

/// The op's name and its attributes in `<…>`; bodies are left empty.
pub(super) fn parse_kind(cursor: &mut Cursor) -> Result<OpKind, ParseError> {
    let line = cursor.line();
    let name = cursor.word()?;
    if let Some(kind) = plain(&name) {
        return Ok(kind);
    }
    let has_attributes = cursor.take('<');
    let kind = if has_attributes { with_attributes(cursor, &name)? } else { without_attributes(&name) };
    if let Some(kind) = kind {
        if has_attributes {
            cursor.expect('>')?;
        }
        return Ok(kind);
    }
    let message = format!("`{name}` is not an op, or lacks its attributes");
    ScalarOp::from_name(&name).map(OpKind::Scalar).ok_or(ParseError { line, message })
}

fn plain(name: &str) -> Option<OpKind> {
    Some(match name {
        "broadcast_extent" => OpKind::BroadcastExtent,
        "overlap" => OpKind::Overlap,
        "is_writable" => OpKind::IsWritable,
        "same_buffer" => OpKind::SameBuffer,
        "one_launch" => OpKind::OneLaunch,
        "one_read" => OpKind::OneRead,
        "broadcast" => OpKind::Broadcast,
        "read_only" => OpKind::ReadOnly,
        "writable" => OpKind::Writable,
        "assign" => OpKind::Assign,
        "item" => OpKind::Item,
        "if" => OpKind::If,
        "for" => OpKind::For,
        "while" => OpKind::While,
        "try" => OpKind::Try,
        "yield" => OpKind::Yield,
        "return" => OpKind::Return,
        "retain" => OpKind::Retain,
        "release" => OpKind::Release,
        _ => return None,
    })
}

fn without_attributes(name: &str) -> Option<OpKind> {
    match name {
        "slice_bounds" => Some(OpKind::SliceBounds { lower: false, upper: false }),
        "permute" => Some(OpKind::Permute { permutation: Vec::new() }),
        "reshape" => Some(OpKind::Reshape(Reading::C)),
        "ravel" => Some(OpKind::Ravel(Reading::C)),
        _ => None,
    }
}

fn with_attributes(cursor: &mut Cursor, name: &str) -> Result<Option<OpKind>, ParseError> {
    Ok(Some(match name {
        "constant" => OpKind::Constant(parse_constant(cursor)?),
        "dim" => OpKind::Dim(cursor.count()?),
        "stride" => OpKind::Stride(cursor.count()?),
        "slice" => OpKind::Slice { axis: cursor.count()? },
        "index" => OpKind::Index { axis: cursor.count()? },
        "new_axis" => OpKind::NewAxis { axis: cursor.count()? },
        "drop_axis" => OpKind::DropAxis { axis: cursor.count()? },
        "reshape" => OpKind::Reshape(parse_reading(cursor)?),
        "ravel" => OpKind::Ravel(parse_reading(cursor)?),
        "contiguous" => OpKind::Contiguous(parse_reading(cursor)?),
        "strided" => OpKind::Strided { dtype: cursor.dtype()? },
        "windows" => OpKind::Windows { axis: cursor.count()? },
        "split" => OpKind::Split { axis: cursor.count()? },
        "diagonal" => {
            let first = cursor.count()?;
            cursor.expect(',')?;
            OpKind::Diagonal { axes: [first, cursor.count()?] }
        }
        "slice_bounds" => {
            let lower = cursor.take_word("lower");
            cursor.take(',');
            OpKind::SliceBounds { lower, upper: cursor.take_word("upper") }
        }
        "check" => {
            let kind = parse_error_kind(cursor)?;
            cursor.expect(',')?;
            OpKind::Check { kind, message: cursor.quoted()? }
        }
        "permute" => OpKind::Permute { permutation: parse_permutation(cursor)? },
        "part" => {
            let imaginary = cursor.take_word("imaginary");
            if !imaginary {
                cursor.expect_word("real")?;
            }
            OpKind::Part { imaginary }
        }
        "alloc" | "reuse" => {
            let dtype = cursor.dtype()?;
            cursor.expect(',')?;
            let order = parse_order(cursor)?;
            if name == "alloc" { OpKind::Alloc { dtype, order } } else { OpKind::Reuse { dtype, order } }
        }
        "map" => {
            let rank = cursor.count()?;
            cursor.expect(',')?;
            OpKind::Map(Box::new(Map { rank, body: Body::default(), order: parse_order(cursor)? }))
        }
        "reduce" => OpKind::Reduce(Box::new(parse_reduce(cursor)?)),
        "scan" => OpKind::Scan(Box::new(parse_scan(cursor)?)),
        "store_reduce" => OpKind::StoreReduce(Box::new(parse_reduce(cursor)?)),
        "store_scan" => OpKind::StoreScan(Box::new(parse_scan(cursor)?)),
        "store" => OpKind::Store(Box::new(Store { rank: cursor.count()?, body: Body::default() })),
        "scatter" => {
            let rank = cursor.count()?;
            let meeting = parse_meeting(cursor)?;
            let n_destinations = if cursor.take(',') { cursor.count()? } else { 1 };
            OpKind::Scatter(Box::new(Scatter { rank, body: Body::default(), meeting, n_destinations }))
        }
        "compact" => {
            let (rank, _) = (cursor.count()?, cursor.expect(',')?);
            OpKind::Compact(Box::new(Compact { rank, body: Body::default(), n_destinations: cursor.count()? }))
        }
        "nest" => OpKind::Nest(Box::new(Nest { rank: cursor.count()?, code: Code::default() })),
        "call" => {
            let (routine, mut written, mut viewed) = (cursor.quoted()?, Vec::new(), Vec::new());
            while cursor.take(',') {
                let operands = if cursor.take_word("view") { &mut viewed } else { &mut written };
                operands.push(cursor.count()?);
            }
            OpKind::Call { routine, written, viewed }
        }
        "sort" => OpKind::Sort(parse_sorting(cursor)?),
        "external" => OpKind::External(parse_external(cursor)?),
        "object" => OpKind::Object(Box::new(parse_object(cursor)?)),
        "launch" => OpKind::Launch(KernelId(cursor.number()?)),
        _ => return Ok(None),
    }))
}

fn parse_sorting(cursor: &mut Cursor) -> Result<Sorting, ParseError> {
    match Sorting::ALL.into_iter().find(|sorting| cursor.take_word(sorting.name())) {
        Some(sorting) => Ok(sorting),
        None => cursor.error("`sort` takes `values`, `indices` or `middle`"),
    }
}

fn parse_external(cursor: &mut Cursor) -> Result<External, ParseError> {
    // The longest first: a name may begin with another one.
    let mut names = numptx_abi::routine::NAMES;
    names.sort_unstable_by_key(|name| std::cmp::Reverse(name.len()));
    let Some(name) = names.into_iter().find(|name| cursor.take_word(name)) else {
        return cursor.error("`external` takes the name of a routine");
    };
    cursor.expect(',')?;
    let flags = cursor.number()?;
    match External::named(name, flags) {
        Some(external) => Ok(external),
        None => cursor.error("`external` takes the name of a routine"),
    }
}

/// `list_append`, `list_new, "i64"` or `str_constant, "abc"`.
fn parse_object(cursor: &mut Cursor) -> Result<ObjectOp, ParseError> {
    let line = cursor.line();
    let word = cursor.word()?;
    let message = format!("`{word}` is no operation on objects");
    let operation = object::operation_named(&word).ok_or(ParseError { line, message })?;
    let row = &object::OPERATIONS[operation as usize];
    if row.layout == LayoutUse::Nothing {
        return Ok(ObjectOp { operation, layout: Vec::new() });
    }
    cursor.expect(',')?;
    let (line, text) = (cursor.line(), cursor.quoted()?);
    let message = format!("`{text}` is no layout");
    let layout = match row.layout {
        LayoutUse::Literal => text.into_bytes(),
        _ => object::parse_layout(&text).ok_or(ParseError { line, message })?,
    };
    Ok(ObjectOp { operation, layout })
}

/// The bodies of `map`, `reduce`, `scan`, their stores, `scatter` and `compact`; the code of `nest`.
pub(super) fn parse_bodies(cursor: &mut Cursor, kind: &mut OpKind) -> Result<(), ParseError> {
    match kind {
        OpKind::Map(map) => map.body = parse_body(cursor)?,
        OpKind::Store(store) => store.body = parse_body(cursor)?,
        OpKind::Scatter(scatter) => scatter.body = parse_body(cursor)?,
        OpKind::Compact(compact) => compact.body = parse_body(cursor)?,
        OpKind::Nest(nest) => nest.code = parse_code(cursor)?,
        OpKind::Scan(scan) | OpKind::StoreScan(scan) => {
            scan.body = parse_body(cursor)?;
            if cursor.at('{') {
                scan.epilogue = Some(parse_body(cursor)?);
            }
        }
        OpKind::Reduce(reduce) | OpKind::StoreReduce(reduce) => {
            reduce.body = parse_body(cursor)?;
            if cursor.at('{') {
                reduce.epilogue = Some(parse_body(cursor)?);
            }
        }
        _ => {}
    }
    Ok(())
}

fn parse_error_kind(cursor: &mut Cursor) -> Result<ErrorKind, ParseError> {
    let line = cursor.line();
    let word = cursor.word()?;
    let message = format!("`{word}` is not an exception");
    let found = ErrorKind::NAMES.iter().find(|(_, name)| *name == word);
    found.map(|(kind, _)| *kind).ok_or(ParseError { line, message })
}

fn parse_reading(cursor: &mut Cursor) -> Result<Reading, ParseError> {
    let line = cursor.line();
    Ok(match cursor.word()?.as_str() {
        "C" => Reading::C,
        "F" => Reading::F,
        "A" => Reading::A,
        "K" => Reading::K,
        word => return Err(ParseError { line, message: format!("`{word}` is not an order") }),
    })
}

fn parse_meeting(cursor: &mut Cursor) -> Result<Meeting, ParseError> {
    if !cursor.take(',') {
        return Ok(Meeting::LastWins);
    }
    let line = cursor.line();
    match cursor.word()?.as_str() {
        "last" => Ok(Meeting::LastWins),
        "apart" => Ok(Meeting::Apart),
        "accumulating" => Ok(Meeting::Accumulating),
        word => Err(ParseError { line, message: format!("`{word}` does not say how points meet") }),
    }
}

fn parse_permutation(cursor: &mut Cursor) -> Result<Vec<usize>, ParseError> {
    let mut permutation = Vec::new();
    while !cursor.at('>') {
        if !permutation.is_empty() {
            cursor.expect(',')?;
        }
        permutation.push(cursor.count()?);
    }
    Ok(permutation)
}

fn parse_reduce(cursor: &mut Cursor) -> Result<Reduce, ParseError> {
    let rank = cursor.count()?;
    cursor.expect(',')?;
    let n_reduced = cursor.count()?;
    cursor.expect(',')?;
    let reducers = parse_reducers(cursor)?;
    cursor.expect(',')?;
    let order = parse_order(cursor)?;
    Ok(Reduce { rank, n_reduced, body: Body::default(), reducers, epilogue: None, order })
}

fn parse_scan(cursor: &mut Cursor) -> Result<Scan, ParseError> {
    let rank = cursor.count()?;
    cursor.expect(',')?;
    let axis = cursor.count()?;
    cursor.expect(',')?;
    let reducer = parse_reducer(cursor)?;
    cursor.expect(',')?;
    let order = parse_order(cursor)?;
    Ok(Scan { rank, axis, body: Body::default(), reducer, epilogue: None, order })
}

/// `[add, argmax]`
pub(crate) fn parse_reducers(cursor: &mut Cursor) -> Result<Vec<Reducer>, ParseError> {
    cursor.expect('[')?;
    cursor.list(']', parse_reducer)
}

fn parse_reducer(cursor: &mut Cursor) -> Result<Reducer, ParseError> {
    let line = cursor.line();
    let word = cursor.word()?;
    let message = format!("`{word}` is not a reducer");
    let found = Reducer::ALL.into_iter().find(|r| r.name() == word);
    found.ok_or(ParseError { line, message })
}

fn parse_order(cursor: &mut Cursor) -> Result<Order, ParseError> {
    if cursor.take_word("C") {
        return Ok(Order::C);
    }
    if cursor.take_word("F") {
        return Ok(Order::F);
    }
    cursor.expect_word("K")?;
    parse_terms(cursor).map(Order::K)
}

fn parse_terms(cursor: &mut Cursor) -> Result<Vec<OrderTerm>, ParseError> {
    cursor.expect('(')?;
    cursor.enter()?;
    let terms = cursor.list(')', |cursor| {
        if cursor.take_word("fresh") {
            let like = if cursor.take('<') { Some(cursor.count()?) } else { None };
            if like.is_some() {
                cursor.expect('>')?;
            }
            let axes = if cursor.take('[') { cursor.list(']', Cursor::count)? } else { Vec::new() };
            parse_terms(cursor).map(|terms| OrderTerm::Fresh { like, axes, terms })
        } else if cursor.take_word("copy") {
            parse_input(cursor).map(OrderTerm::Copy)
        } else if cursor.take_word("joined") {
            parse_input(cursor).map(OrderTerm::Joined)
        } else {
            cursor.count().map(OrderTerm::Input)
        }
    })?;
    cursor.leave();
    Ok(terms)
}

fn parse_input(cursor: &mut Cursor) -> Result<usize, ParseError> {
    cursor.expect('(')?;
    let input = cursor.count()?;
    cursor.expect(')')?;
    Ok(input)
}
