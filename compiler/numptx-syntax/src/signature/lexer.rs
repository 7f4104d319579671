//! Export text → tokens that know where they stand in the file.

use numptx_source::Span;

/// A token of the export grammar.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tok {
    /// A name, dots included: `float64`, `np.float64`.
    Name(String),
    /// An unsigned integer; `None` beyond 63 bits.
    Number(Option<i64>),
    /// Any other character.
    Punct(char),
}

/// A token with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub tok: Tok,
    pub span: Span,
}

/// Tokens of a text that stands at `offset` in the file.
pub(super) fn tokens_at(text: &str, offset: u32) -> Vec<Token> {
    let place = |start: usize, end: usize| Span::new(offset + start as u32, offset + end as u32);
    tokens(text, &place)
}

/// Tokens of a text that stands somewhere in `span`, such as a string with escapes.
pub(super) fn tokens_within(text: &str, span: Span) -> Vec<Token> {
    tokens(text, &|_, _| span)
}

fn tokens(text: &str, place: &dyn Fn(usize, usize) -> Span) -> Vec<Token> {
    let mut list = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let length = match first {
            c if c.is_whitespace() => {
                rest = &rest[c.len_utf8()..];
                continue;
            }
            c if c.is_ascii_digit() => rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()),
            c if is_name_start(c) => rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let word = &rest[..length];
        let tok = match first {
            c if c.is_ascii_digit() => Tok::Number(word.parse().ok()),
            c if is_name_start(c) => Tok::Name(word.to_owned()),
            c => Tok::Punct(c),
        };
        list.push(Token { tok, span: place(start, start + length) });
        rest = &rest[length..];
    }
    list
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}
