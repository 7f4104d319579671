//! Text of the source inside a page.

/// A text in which nothing is markup. Characters that HTML does not have stand as `�`, and those that turn the direction of text around as their
/// numbers, so that the page shows the program as it is.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => {
                out.push_str(&format!("[U+{:04X}]", u32::from(c)));
            }
            '\t' | '\n' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The same of a sentence of the compiler's: what stands between backticks is code.
pub fn sentence(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped(text);
    }
    let shown = |(n, part): (usize, &&str)| match n % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    };
    parts.iter().enumerate().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::{escaped, sentence};

    #[test]
    fn names_in_sentences_are_code() {
        assert_eq!(sentence("`a < b` is handed on"), "<code>a &lt; b</code> is handed on");
        assert_eq!(sentence("one ` alone"), "one ` alone");
    }

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(
            escaped("<script>alert('a & \"b\"')</script>"),
            "&lt;script&gt;alert(&#39;a &amp; &quot;b&quot;&#39;)&lt;/script&gt;"
        );
        assert_eq!(escaped("größe π 😀\n\tx"), "größe π 😀\n\tx");
        assert_eq!(escaped("a\0b\u{1b}\u{202e}c"), "a\u{fffd}b\u{fffd}[U+202E]c");
    }
}
