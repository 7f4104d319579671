//! Words the errors of Python's lexer and grammar.
//!
//! In: an error and the tokens around it. Out: a report at the place where the mistake is, which is
//! often before the place where the parser noticed it.

use numptx_source::{Report, Source, Span, code};

use crate::parse::{
    LexicalError, LexicalErrorType, ParseError, ParseErrorType, PythonToken as Tok, StringKind, Token, is_open,
};

/// Words an error of the lexer, and tells from which byte to go on; `last` is where the last good token ended.
pub(crate) fn lexical(source: &Source, error: &LexicalError, last: u32, open: Option<&Token>) -> (Report, Option<u32>) {
    let offset = u32::from(error.location).min(source.text.len() as u32);
    if let Some(start) = string_start(source, last) {
        return unfinished_string(source, start);
    }
    let at_end = source.text.get(offset as usize..).is_none_or(|rest| rest.trim().is_empty());
    match (&error.error, open) {
        (LexicalErrorType::NestingError | LexicalErrorType::Eof, Some((_, bracket))) if at_end => {
            let report = never_closed(source, *bracket);
            (report, Some(source.line_start(source.line_column(bracket.start).0 + 1)))
        }
        (kind, open) => {
            let span = culprit(source, kind, offset);
            let mut report = lexical_report(source, kind, span);
            if let (LexicalErrorType::NestingError, Some((_, bracket))) = (kind, open) {
                report = report.related(*bracket, "this bracket is open");
            }
            (report, Some(source.line_start(source.line_column(offset).0 + 1)))
        }
    }
}

/// A bracket that is still open where a statement starts or the file ends.
pub(crate) fn never_closed(source: &Source, bracket: Span) -> Report {
    Report::error(code::SYNTAX, bracket, format!("`{}` is never closed", source.slice(bracket)))
        .label("opened here")
        .help("close it on the line where the expression ends")
}

/// Words an error of the grammar in one top-level statement.
pub(crate) fn grammatical(source: &Source, error: &ParseError, chunk: &[Token]) -> Report {
    let offset = u32::from(error.offset).min(source.text.len() as u32);
    let found = chunk.iter().position(|(_, span)| span.start >= offset);
    if let Some(report) = newer_syntax(source, error, chunk, found) {
        return report;
    }
    match &error.error {
        ParseErrorType::Lexical(kind) => {
            let holds = |(_, span): &&Token| span.start <= offset && offset < span.end;
            let token = chunk.iter().find(holds).or_else(|| found.and_then(|i| chunk.get(i)));
            let span = token.map_or(character_at(source, offset), |(_, span)| *span);
            lexical_report(source, kind, span)
        }
        _ => unexpected(source, error, chunk, found.unwrap_or(chunk.len())),
    }
}

/// A report about an error of the lexer, or one that the grammar words as such.
fn lexical_report(source: &Source, kind: &LexicalErrorType, span: Span) -> Report {
    let (message, help) = match kind {
        LexicalErrorType::UnrecognizedToken { tok } => (
            format!("the character `{}` has no meaning here", tok.escape_default()),
            "remove it, or put it into a string",
        ),
        LexicalErrorType::NestingError => (
            format!("`{}` closes a bracket that is not open", source.slice(span)),
            "remove it, or open its bracket before it",
        ),
        LexicalErrorType::FStringError(error) => {
            let why = first_letter_small(&error.to_string());
            (format!("this f-string cannot be read: {why}"), "write a plain string")
        }
        LexicalErrorType::DuplicateArgumentError(name) => {
            (format!("the parameter `{name}` stands twice"), "give one of them another name")
        }
        LexicalErrorType::DuplicateKeywordArgumentError(name) => {
            (format!("the keyword argument `{name}` stands twice"), "remove one of them")
        }
        LexicalErrorType::OtherError(message) if message == "Invalid Token" => (
            "this number cannot be read".to_owned(),
            "write a decimal number without a leading 0, an octal one as `0o17`",
        ),
        LexicalErrorType::OtherError(message) => (first_letter_small(message), "Python itself refuses this line"),
        fixed => {
            let (message, help) = fixed_words(fixed);
            (message.to_owned(), help)
        }
    };
    Report::error(code::SYNTAX, span, message).help(help)
}

fn fixed_words(kind: &LexicalErrorType) -> (&'static str, &'static str) {
    match kind {
        LexicalErrorType::IndentationError => {
            ("this line's indentation matches no outer block", "indent it as the line that it belongs to")
        }
        LexicalErrorType::TabError | LexicalErrorType::TabsAfterSpaces => {
            ("tabs and spaces are mixed in the indentation", "indent with four spaces a level")
        }
        LexicalErrorType::DefaultArgumentError => {
            ("a parameter without a default follows one with a default", "move it to the front, or give it a default")
        }
        LexicalErrorType::PositionalArgumentError => {
            ("a positional argument follows a keyword argument", "write the positional arguments first")
        }
        LexicalErrorType::UnpackedArgumentError => ("`*` follows `**` in the arguments", "write `*` first"),
        LexicalErrorType::LineContinuationError => {
            ("something follows a `\\` that continues the line", "end the line right behind the `\\`")
        }
        LexicalErrorType::UnicodeError => {
            ("an escape in this string cannot be read", "write `\\\\` for a backslash, or a raw string `r\"...\"`")
        }
        LexicalErrorType::Eof => ("the file ends in the middle of a statement", "finish the last statement"),
        _ => ("this string cannot be read", "close it with the quote that opened it"),
    }
}

fn unexpected(source: &Source, error: &ParseError, chunk: &[Token], found: usize) -> Report {
    let before = found.checked_sub(1).map(|i| &chunk[i]);
    let Some((tok, span)) = chunk.get(found) else {
        let span = chunk.last().map_or(Span::default(), |(_, span)| *span);
        let span = if span.start == span.end { Span::new(span.start.saturating_sub(1), span.end) } else { span };
        return unfinished(span);
    };
    let expected = match &error.error {
        ParseErrorType::UnrecognizedToken(_, expected) => expected.as_deref(),
        _ => None,
    };
    if *tok == Tok::Indent {
        let line = Span::new(span.end, source.line_start(source.line_column(span.end).0 + 1));
        let text = source.slice(line).trim_end();
        let line = Span::new(line.start, line.start + text.len() as u32);
        return Report::error(code::SYNTAX, line, "this line is indented without a block to belong to")
            .help("indent it as the line before it");
    }
    if expected == Some("Indent") {
        let header = chunk[..found].iter().rfind(|(t, _)| *t != Tok::Newline).map_or(*span, |(_, span)| *span);
        return Report::error(code::SYNTAX, header, "an indented block is missing")
            .label("after this")
            .help("write `pass` where nothing is to be done");
    }
    if *tok == Tok::Newline && lacks_colon(&chunk[..found]) {
        let end = before.map_or(span.start, |(_, span)| span.end);
        return Report::error(code::SYNTAX, last_character(source, end), "a `:` is missing at the end of this line")
            .label("after this")
            .help("end the line with `:`");
    }
    if *tok == Tok::Newline || matches!(tok, Tok::Dedent) {
        let end = before.map_or(span.start, |(_, span)| span.end);
        return unfinished(last_character(source, end)).label("after this");
    }
    let report = Report::error(code::SYNTAX, *span, format!("`{}` is not expected here", source.slice(*span)));
    report.help(match tok {
        Tok::Equal => "a comparison is written `==`",
        _ => "an operator, a comma or a line break may be missing before it",
    })
}

fn unfinished(span: Span) -> Report {
    Report::error(code::SYNTAX, span, "the statement is not finished")
        .help("write the rest of it, or remove what is here")
}

/// Whether the logical line at the end of these tokens starts a block but has no `:` at its end.
fn lacks_colon(tokens: &[Token]) -> bool {
    let line =
        tokens.iter().rposition(|(t, _)| matches!(t, Tok::Newline | Tok::Indent | Tok::Dedent)).map_or(0, |i| i + 1);
    let header = match tokens.get(line).map(|(t, _)| t) {
        Some(Tok::Else | Tok::Try | Tok::Finally) => true,
        Some(Tok::Def | Tok::If | Tok::Elif | Tok::For | Tok::While | Tok::Class | Tok::With) => {
            tokens.len() > line + 1
        }
        _ => false,
    };
    header && tokens.last().is_some_and(|(t, _)| *t != Tok::Colon && !is_open(t))
}

/// Syntax that CPython 3.12 to 3.14 read and the parser does not.
fn newer_syntax(source: &Source, error: &ParseError, chunk: &[Token], found: Option<usize>) -> Option<Report> {
    if let Some(span) = split_f_string(source, chunk) {
        return Some(
            Report::error(code::SYNTAX_TOO_NEW, span, "an f-string that holds its own quotes or a line break")
                .label("Python reads this from 3.12 on")
                .help("use the other kind of quotes inside the braces: `f\"{d['key']}\"`"),
        );
    }
    let (found, (tok, span)) = found.and_then(|i| chunk.get(i).map(|t| (i, t)))?;
    if matches!(error.error, ParseErrorType::Lexical(_)) {
        return None;
    }
    let after_definition =
        matches!(chunk.first()?.0, Tok::Def | Tok::Class) && chunk.get(2).is_some_and(|t| t.0 == Tok::Lsqb);
    let in_type_parameters = after_definition && !chunk[..found].iter().any(|(t, _)| *t == Tok::Rsqb);
    if *tok == Tok::Equal && in_type_parameters {
        return Some(
            Report::error(code::SYNTAX_TOO_NEW, *span, "a type parameter with a default")
                .label("Python reads this from 3.13 on")
                .help("leave the type parameters out: numptx takes types from the export line"),
        );
    }
    let before = found.checked_sub(1).map(|i| &chunk[i])?;
    let template =
        matches!(&before.0, Tok::Name { name } if name.eq_ignore_ascii_case("t") || name.eq_ignore_ascii_case("rt"));
    if template && before.1.end == span.start && matches!(tok, Tok::String { .. }) {
        return Some(
            Report::error(code::SYNTAX_TOO_NEW, before.1.join(*span), "a template string")
                .label("Python reads this from 3.14 on")
                .help("write a plain string"),
        );
    }
    None
}

/// An f-string whose braces are open at its closing quote.
fn split_f_string(source: &Source, chunk: &[Token]) -> Option<Span> {
    chunk.iter().find_map(|(tok, span)| {
        let is_f_string = matches!(tok, Tok::String { kind: StringKind::FString | StringKind::RawFString, .. });
        let text = source.slice(*span).replace("{{", "").replace("}}", "");
        (is_f_string && text.matches('{').count() > text.matches('}').count()).then_some(*span)
    })
}

/// Where a string starts that the lexer was reading when it failed.
fn string_start(source: &Source, last: u32) -> Option<u32> {
    let mut position = last as usize;
    while let Some(rest) = source.text.get(position..) {
        let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{c}', '\\']);
        position += rest.len() - trimmed.len();
        if !trimmed.starts_with('#') {
            break;
        }
        position += trimmed.find('\n').unwrap_or(trimmed.len());
    }
    let rest = source.text.get(position..)?;
    let prefix = rest.chars().take(2).take_while(|c| "rRbBfFuU".contains(*c)).count();
    rest[prefix..].starts_with(['"', '\'']).then_some(position as u32)
}

fn unfinished_string(source: &Source, start: u32) -> (Report, Option<u32>) {
    let rest = &source.text[start as usize..];
    let first_line = rest.split(['\n', '\r']).next().unwrap_or("");
    let body = rest.trim_start_matches(|c: char| "rRbBfFuU".contains(c));
    let quotes = if body.starts_with("\"\"\"") || body.starts_with("'''") { 3 } else { 1 };
    let quote: String = body.chars().take(quotes).collect();
    let span = Span::new(start, start + first_line.len() as u32);
    let report = Report::error(code::SYNTAX, span, "this string is never closed")
        .label("opened here")
        .help(format!("close it with `{quote}`"));
    let line = source.line_column(start).0;
    (report, (quotes == 1).then(|| source.line_start(line + 1)))
}

/// The character that the lexer stumbled over; it is behind it or before it.
fn culprit(source: &Source, kind: &LexicalErrorType, offset: u32) -> Span {
    let before = last_character(source, offset);
    let is_before = match kind {
        LexicalErrorType::UnrecognizedToken { tok } => source.slice(before).starts_with(*tok),
        LexicalErrorType::NestingError => [")", "]", "}"].contains(&source.slice(before)),
        LexicalErrorType::OtherError(_) => true,
        _ => false,
    };
    if is_before { before } else { character_at(source, offset) }
}

fn character_at(source: &Source, offset: u32) -> Span {
    let width = source.text.get(offset as usize..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    if width == 0 { last_character(source, offset) } else { Span::new(offset, offset + width as u32) }
}

fn last_character(source: &Source, end: u32) -> Span {
    let width = source.text.get(..end as usize).and_then(|text| text.chars().next_back()).map_or(0, char::len_utf8);
    Span::new(end - width as u32, end)
}

fn first_letter_small(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}
