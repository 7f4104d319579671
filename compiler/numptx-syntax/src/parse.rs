//! The only module that names rustpython-parser: text → tokens → Python's statements.
//!
//! In: a source. Out: the statements that could be read, the comments, and the names of the
//! functions that could not be read. Each top-level statement is parsed by itself, so that an error
//! in one does not hide the errors in the next. It does not decide what is in the subset.

use numptx_source::{Report, Reports, Source, Span, code};
use rustpython_parser::text_size::{TextRange, TextSize};
use rustpython_parser::{Mode, Tok, lexer, parse_tokens};

pub(crate) use rustpython_parser::ast as python;
pub(crate) use rustpython_parser::lexer::{LexicalError, LexicalErrorType};
pub(crate) use rustpython_parser::{ParseError, ParseErrorType, StringKind};

use crate::nesting::{self, Mark};
use crate::syntax_error;

/// Larger files are refused: reading a run of comment lines takes time by the square of its length.
const MAX_BYTES: usize = 1 << 22;
/// After so many restarts behind a lexical error the rest of the file is not read.
const MAX_RESTARTS: usize = 20;
/// CPython refuses longer decimal literals, because reading them takes quadratic time.
const MAX_DECIMAL_DIGITS: usize = 4300;

/// A token with its place.
pub(crate) type Token = (Tok, Span);

/// A comment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    /// From the `#` to the end of the line.
    pub span: Span,
    /// Nothing but white space stands before it on its line.
    pub own_line: bool,
}

/// What could be read of a file.
#[derive(Default)]
pub(crate) struct Parsed {
    /// Top-level statements.
    pub statements: Vec<python::Stmt>,
    /// All comments, in order.
    pub comments: Vec<Comment>,
    /// Functions that were reported because their text could not be read.
    pub unreadable: Vec<String>,
    /// The offset of each `def`, and where the name behind it stands.
    definitions: Vec<(u32, Span)>,
    /// Every name in the text, and where it starts.
    names: Vec<(u32, String)>,
}

impl Parsed {
    /// The names that stand in a part of the text, and where.
    pub(crate) fn names_in(&self, span: Span) -> impl Iterator<Item = (u32, &str)> {
        let first = self.names.partition_point(|(start, _)| *start < span.start);
        self.names[first..]
            .iter()
            .take_while(move |(start, _)| *start < span.end)
            .map(|(at, name)| (*at, name.as_str()))
    }

    /// Where the name of a function stands whose statement starts at `offset`.
    pub(crate) fn definition_name(&self, offset: u32) -> Option<Span> {
        let index = self.definitions.partition_point(|(def, _)| *def < offset);
        self.definitions.get(index).map(|(_, name)| *name)
    }
}

/// The span of a range of rustpython's.
pub(crate) fn span_of(range: TextRange) -> Span {
    Span::new(range.start().into(), range.end().into())
}

/// The value of an integer literal, where 128 bits hold it.
pub(crate) fn integer(value: &python::bigint::BigInt) -> Option<i128> {
    i128::try_from(value).ok()
}

/// Reads a file as far as it can be read.
pub(crate) fn parse(source: &Source, reports: &mut Reports) -> Parsed {
    let mut parsed = Parsed::default();
    if let Some(report) = unreadable_as_a_whole(source) {
        reports.push(report);
        return parsed;
    }
    let mut lexed = Lexed { source, parsed: &mut parsed, tokens: Vec::new(), chunk_start: 0 };
    lexed.lex(reports);
    let tokens = lexed.tokens;
    for chunk in chunks(&tokens) {
        let result = check_depth(source, chunk).and_then(|()| parse_chunk(source, chunk));
        match result {
            Ok(statements) => parsed.statements.extend(statements),
            Err(report) => {
                reports.push(*report);
                parsed.unreadable.extend(defined_name(chunk));
            }
        }
    }
    parsed
}

fn unreadable_as_a_whole(source: &Source) -> Option<Report> {
    if source.text.len() > MAX_BYTES {
        let message = format!("the file has {} bytes, and {MAX_BYTES} are read at most", source.text.len());
        return Some(
            Report::error(code::SYNTAX, Span::default(), message)
                .help("split it: a file is compiled by itself; read data from arrays that are passed"),
        );
    }
    let bytes = source.text.as_bytes();
    let mut start = 0;
    while start < bytes.len() {
        let digits = bytes[start..].iter().take_while(|b| b.is_ascii_digit() || **b == b'_').count();
        if digits > MAX_DECIMAL_DIGITS && is_decimal_literal(&source.text, start) {
            let span = Span::new(start as u32, (start + digits) as u32);
            return Some(
                Report::error(code::SYNTAX, span, format!("an integer literal of {digits} digits"))
                    .label(format!("Python reads at most {MAX_DECIMAL_DIGITS}"))
                    .help("write it as a float, such as `1e300`"),
            );
        }
        start += digits.max(1);
    }
    None
}

/// Whether the digits at `start` are a number, not part of a string, a comment or a name.
fn is_decimal_literal(text: &str, start: usize) -> bool {
    let Some(before) = text.get(..start + 1) else { return false };
    let last = lexer::lex(before, Mode::Module).filter_map(Result::ok).filter(|(t, _)| *t != Tok::Newline).last();
    matches!(last, Some((Tok::Int { .. }, range)) if usize::from(range.end()) == start + 1)
}

/// The token stream of a file while it is made.
struct Lexed<'a> {
    source: &'a Source,
    parsed: &'a mut Parsed,
    tokens: Vec<Token>,
    /// Where the top-level statement that is being lexed starts in `tokens`.
    chunk_start: usize,
}

/// Where to go on after a piece of text that cannot be tokens.
enum Next {
    /// The text ended.
    End,
    /// Lex again from this byte.
    RestartAt(usize),
}

impl Lexed<'_> {
    fn lex(&mut self, reports: &mut Reports) {
        let mut start = 0;
        for _ in 0..MAX_RESTARTS {
            match self.lex_from(start, reports) {
                Next::RestartAt(next) if next > start && next < self.source.text.len() => start = next,
                _ => return,
            }
        }
    }

    fn lex_from(&mut self, start: usize, reports: &mut Reports) -> Next {
        let source = self.source;
        let mut open: Vec<Token> = Vec::new();
        let mut blocks = 0usize;
        for item in lexer::lex_starts_at(&source.text[start..], Mode::Module, TextSize::from(start as u32)) {
            let (tok, range) = match item {
                Ok((tok, range)) => (tok, span_of(range)),
                Err(error) => {
                    let last = self.tokens.last().map_or(start as u32, |(_, span)| span.end);
                    let (report, next) = syntax_error::lexical(source, &error, last, open.last());
                    reports.push(report);
                    self.drop_chunk();
                    return next.map_or(Next::End, |offset| Next::RestartAt(next_statement(source, offset)));
                }
            };
            if open.is_empty() && matches!(tok, Tok::Indent | Tok::Dedent) {
                blocks = if tok == Tok::Indent { blocks + 1 } else { blocks.saturating_sub(1) };
            }
            if is_open(&tok) {
                open.push((tok.clone(), range));
            } else if is_close(&tok) {
                open.pop();
            } else if let Some(bracket) = open.last().filter(|_| starts_a_statement(&tok)) {
                reports.push(syntax_error::never_closed(source, bracket.1));
                self.drop_chunk();
                return Next::RestartAt(next_statement(source, source.line_start(source.line_column(range.start).0)));
            }
            // A line ends its statement unless a block follows.
            let after_a_line = matches!(self.tokens.last(), Some((Tok::Newline | Tok::Dedent, _)));
            if blocks == 0 && open.is_empty() && after_a_line && !matches!(tok, Tok::Dedent) {
                self.chunk_start = self.tokens.len();
            }
            self.push(tok, range);
        }
        Next::End
    }

    fn push(&mut self, tok: Tok, span: Span) {
        match tok {
            Tok::Comment(_) => {
                let line = self.source.line_start(self.source.line_column(span.start).0);
                let own_line = self.source.slice(Span::new(line, span.start)).trim().is_empty();
                self.parsed.comments.push(Comment { span, own_line });
            }
            Tok::NonLogicalNewline => {}
            tok => {
                if let Some((Tok::Def, def)) = self.tokens.last() {
                    self.parsed.definitions.push((def.start, span));
                }
                if let Tok::Name { name } = &tok {
                    self.parsed.names.push((span.start, name.clone()));
                }
                self.tokens.push((tok, span));
            }
        }
    }

    fn drop_chunk(&mut self) {
        let dropped = self.tokens.split_off(self.chunk_start);
        self.parsed.unreadable.extend(defined_name(&dropped));
    }
}

/// The start of the first line at or after `offset` on which a top-level statement can start.
fn next_statement(source: &Source, offset: u32) -> usize {
    let text = &source.text;
    let mut position = offset as usize;
    while position < text.len() {
        let at_line_start = position == 0 || text.as_bytes()[position - 1] == b'\n';
        let first = text.as_bytes()[position];
        if at_line_start && (first.is_ascii_alphabetic() || first == b'_' || first == b'@' || first == b'#') {
            return position;
        }
        position =
            text.as_bytes()[position..].iter().position(|b| *b == b'\n').map_or(text.len(), |n| position + n + 1);
    }
    text.len()
}

/// Tokens of top-level statements, each with its decorators and `else` branches.
fn chunks(tokens: &[Token]) -> Vec<&[Token]> {
    let mut chunks = Vec::new();
    let (mut start, mut blocks) = (0usize, 0usize);
    for (i, (tok, _)) in tokens.iter().enumerate() {
        match tok {
            Tok::Indent => blocks += 1,
            Tok::Dedent => blocks = blocks.saturating_sub(1),
            _ => {}
        }
        let ends = blocks == 0 && matches!(tok, Tok::Newline | Tok::Dedent);
        let continues = match tokens.get(i + 1).map(|(t, _)| t) {
            Some(Tok::Indent | Tok::Dedent | Tok::Else | Tok::Elif | Tok::Except | Tok::Finally) => true,
            Some(_) => tokens[start].0 == Tok::At && !has_definition(&tokens[start..=i]),
            None => false,
        };
        if ends && !continues {
            chunks.push(&tokens[start..=i]);
            start = i + 1;
        }
    }
    if start < tokens.len() {
        chunks.push(&tokens[start..]);
    }
    chunks
}

fn has_definition(tokens: &[Token]) -> bool {
    tokens.iter().any(|(t, _)| matches!(t, Tok::Def | Tok::Class))
}

/// The function that a chunk defines.
fn defined_name(chunk: &[Token]) -> Option<String> {
    let def = chunk.iter().position(|(t, _)| *t == Tok::Def)?;
    match chunk.get(def + 1) {
        Some((Tok::Name { name }, _)) => Some(name.clone()),
        _ => None,
    }
}

fn check_depth(source: &Source, chunk: &[Token]) -> Result<(), Box<Report>> {
    nesting::check(chunk.iter().map(|(tok, span)| (mark(source, tok, *span), *span))).map_err(|deep| {
        Box::new(
            Report::error(code::TOO_DEEPLY_NESTED, deep.span, deep.what)
                .label("the limit is reached here")
                .help("name intermediate results: `t = a + b` and then `t + c`"),
        )
    })
}

fn parse_chunk(source: &Source, chunk: &[Token]) -> Result<Vec<python::Stmt>, Box<Report>> {
    let stream = chunk
        .iter()
        .map(|(tok, span)| Ok((tok.clone(), TextRange::new(TextSize::from(span.start), TextSize::from(span.end)))));
    match parse_tokens(stream, Mode::Module, &source.name) {
        Ok(python::Mod::Module(module)) => Ok(module.body),
        Ok(_) => Ok(Vec::new()),
        Err(error) => Err(Box::new(syntax_error::grammatical(source, &error, chunk))),
    }
}

/// A text that is one expression; places count from `offset`.
pub(crate) fn expression(text: &str, offset: u32) -> Option<python::Expr> {
    let tokens: Vec<Token> = lexer::lex_starts_at(text, Mode::Expression, TextSize::from(offset))
        .map(|token| token.map(|(tok, range)| (tok, span_of(range))))
        .collect::<Result<_, _>>()
        .ok()?;
    let shifted = |span: Span| Span::new(span.start.saturating_sub(offset), span.end.saturating_sub(offset));
    let source = Source::new("annotation", text);
    nesting::check(tokens.iter().map(|(tok, span)| (mark(&source, tok, shifted(*span)), *span))).ok()?;
    let is_code = |tok: &Tok| !matches!(tok, Tok::Comment(_) | Tok::NonLogicalNewline);
    let stream = tokens
        .into_iter()
        .filter(|(tok, _)| is_code(tok))
        .map(|(tok, span)| Ok((tok, TextRange::new(TextSize::from(span.start), TextSize::from(span.end)))));
    match parse_tokens(stream, Mode::Expression, "annotation") {
        Ok(python::Mod::Expression(expression)) => Some(*expression.body),
        _ => None,
    }
}

pub(crate) fn is_open(tok: &Tok) -> bool {
    matches!(tok, Tok::Lpar | Tok::Lsqb | Tok::Lbrace)
}

fn is_close(tok: &Tok) -> bool {
    matches!(tok, Tok::Rpar | Tok::Rsqb | Tok::Rbrace)
}

/// Keywords that never stand inside brackets: one there means that a bracket was left open.
fn starts_a_statement(tok: &Tok) -> bool {
    matches!(
        tok,
        Tok::Def
            | Tok::Class
            | Tok::Import
            | Tok::Return
            | Tok::While
            | Tok::With
            | Tok::Raise
            | Tok::Assert
            | Tok::Del
            | Tok::Pass
            | Tok::Break
            | Tok::Continue
            | Tok::Global
            | Tok::Nonlocal
            | Tok::Try
            | Tok::Except
            | Tok::Finally
            | Tok::Elif
    )
}

fn mark(source: &Source, tok: &Tok, span: Span) -> Mark {
    match tok {
        Tok::Lpar | Tok::Lsqb | Tok::Lbrace => Mark::Open,
        Tok::Rpar | Tok::Rsqb | Tok::Rbrace => Mark::Close,
        Tok::Indent => Mark::Indent,
        Tok::Dedent => Mark::Dedent,
        Tok::Elif => Mark::Branch,
        Tok::Comma | Tok::Newline | Tok::Semi => Mark::Separator,
        Tok::String { kind: StringKind::FString | StringKind::RawFString, .. } => {
            Mark::Link(f_string_links(source.slice(span)))
        }
        Tok::Name { .. } | Tok::Int { .. } | Tok::Float { .. } | Tok::Complex { .. } | Tok::String { .. } => Mark::Leaf,
        Tok::True | Tok::False | Tok::None | Tok::Ellipsis | Tok::And | Tok::Or => Mark::Leaf,
        _ => Mark::Link(1),
    }
}

/// An f-string is a token whose text is parsed in turn: every character in its braces that is not part
/// of a word may nest.
fn f_string_links(text: &str) -> usize {
    let (mut links, mut braces) = (0usize, 0usize);
    for c in text.chars() {
        match c {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        links += usize::from(braces > 0 && !c.is_alphanumeric());
    }
    links
}

/// Names the token types to the module that words syntax errors.
pub(crate) use rustpython_parser::Tok as PythonToken;
