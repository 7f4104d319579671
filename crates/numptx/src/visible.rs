//! Texts that may come from anywhere, as a terminal may get them.

use std::borrow::Cow;

/// A text in which nothing steers a terminal: what would is written as in a Rust string. Lines and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let steers_here = |c: char| steers(c) && !matches!(c, '\n' | '\t');
    if !text.contains(steers_here) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .map(|c| if steers_here(c) { c.escape_default().to_string() } else { c.into() })
        .collect::<String>()
        .into()
}

/// A text of the same length in bytes in which nothing steers a terminal, for those who count.
pub fn same_length(text: &str) -> String {
    let shown = |c: char| match c.len_utf8() {
        _ if !steers(c) || matches!(c, '\n' | '\t') => c,
        1 => '?',
        2 => '\u{bf}',
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(shown).collect()
}

/// Control characters, and those that turn the direction of what stands around them.
pub fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{same_length, visible};

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(visible("a\u{1b}[31m\tb\n\u{9b}2J\u{202e}\r"), "a\\u{1b}[31m\tb\n\\u{9b}2J\\u{202e}\\r");
        assert_eq!(visible("größe 😀"), "größe 😀");
        for text in ["\u{1b}x\u{9b}é\n\t", "\u{202e}\u{2066}\u{7f}"] {
            let shown = same_length(text);
            assert_eq!(shown.len(), text.len());
            assert_eq!(visible(&shown), shown);
        }
    }
}
