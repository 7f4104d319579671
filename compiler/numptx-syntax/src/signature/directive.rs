//! Finds the export lines among a file's comments.
//!
//! In: comments from the tokenizer. Out: one token list an export, its continuation lines included.

use numptx_source::{Report, Reports, Source, Span, code};

use super::lexer::{Tok, Token, tokens_at};
use crate::parse::Comment;

/// The tokens behind the word `export`.
#[derive(Clone, Debug)]
pub(super) struct ExportLine {
    pub tokens: Vec<Token>,
    /// From the first `#` to the end of the last line.
    pub span: Span,
}

/// What a comment says to the compiler.
enum Directive {
    /// Nothing: it is for people.
    Prose,
    /// `export`, and where the text behind it starts.
    Export(u32),
    /// A word close to another one.
    Misspelt(Span, &'static str),
}

/// The words that directives begin with.
const MARKS: [&str; 2] = ["numptx", "pythran"];

/// All export lines, in order.
pub(super) fn find(source: &Source, comments: &[Comment], reports: &mut Reports) -> Vec<ExportLine> {
    let mut lines = Vec::new();
    let mut i = 0;
    while let Some(comment) = comments.get(i) {
        i += 1;
        if !comment.own_line {
            continue;
        }
        let start = match directive(source, comment.span) {
            Directive::Prose => continue,
            Directive::Misspelt(span, meant) => {
                let word = source.slice(span);
                reports.push(
                    Report::error(code::EXPORT_SYNTAX, span, format!("`{word}` is not a directive"))
                        .label(format!("did you mean `{meant}`?"))
                        .help("an export line reads `#numptx export f(float64[:], int)`"),
                );
                continue;
            }
            Directive::Export(start) => start,
        };
        let mut line = ExportLine {
            tokens: tokens_at(without_remark(source.slice(Span::new(start, comment.span.end))), start),
            span: comment.span,
        };
        while is_unfinished(&line.tokens) {
            let Some(next) = comments.get(i).filter(|next| continues(source, line.span, next)) else { break };
            let text = source.slice(next.span);
            let hashes = text.len() - text.trim_start_matches('#').len();
            line.tokens.extend(tokens_at(without_remark(&text[hashes..]), next.span.start + hashes as u32));
            line.span = line.span.join(next.span);
            i += 1;
        }
        lines.push(line);
    }
    lines
}

fn directive(source: &Source, span: Span) -> Directive {
    let text = source.slice(span);
    let after_hash = text.trim_start_matches('#').trim_start();
    let close_up = text.starts_with("#numptx");
    let Some(rest) = MARKS.iter().find_map(|word| after_hash.strip_prefix(word)) else {
        return misspelt_mark(after_hash, span);
    };
    if rest.starts_with(':') {
        return misspelt_mark(after_hash, span);
    }
    let words = rest.trim_start();
    if words.len() == rest.len() && !rest.is_empty() {
        return Directive::Prose;
    }
    let word = &words[..words.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(words.len())];
    let start = span.end - words.len() as u32;
    let end = start + word.len() as u32;
    match word {
        "export" => Directive::Export(end),
        _ if close_up && (is_misspelt_export(word) || words[word.len()..].starts_with('(')) => {
            Directive::Misspelt(Span::new(start, end), "export")
        }
        _ => Directive::Prose,
    }
}

/// `Numptx export`, `numptx: export`: the first word is not as it has to be, what follows is.
fn misspelt_mark(text: &str, span: Span) -> Directive {
    let mark = &text[..text.find(char::is_whitespace).unwrap_or(text.len())];
    let lower = mark.trim_end_matches(':').to_lowercase();
    let Some(meant) = MARKS.into_iter().find(|word| *word == lower) else { return Directive::Prose };
    if text[mark.len()..].split_whitespace().next() != Some("export") {
        return Directive::Prose;
    }
    let start = span.end - text.len() as u32;
    Directive::Misspelt(Span::new(start, start + mark.len() as u32), meant)
}

fn is_misspelt_export(word: &str) -> bool {
    let word = word.to_lowercase();
    !word.is_empty() && super::names::distance(&word, "export") <= 2
}

/// The text before a `#`: what follows is for people.
fn without_remark(text: &str) -> &str {
    text.split('#').next().unwrap_or(text)
}

/// An open bracket, or a comma at the end.
fn is_unfinished(tokens: &[Token]) -> bool {
    let open = tokens.iter().filter(|t| matches!(t.tok, Tok::Punct('(' | '['))).count();
    let closed = tokens.iter().filter(|t| matches!(t.tok, Tok::Punct(')' | ']'))).count();
    open > closed || tokens.last().is_some_and(|t| t.tok == Tok::Punct(','))
}

fn continues(source: &Source, line: Span, next: &Comment) -> bool {
    let next_line = source.line_column(next.span.start).0;
    next.own_line
        && next_line == source.line_column(line.end).0 + 1
        && matches!(directive(source, next.span), Directive::Prose)
}
