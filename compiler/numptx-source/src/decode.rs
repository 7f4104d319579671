//! Bytes of a file → the text that Python reads from them.
//!
//! In: the bytes of a source file. Out: text as Python's tokenizer sees it: decoded as its first lines declare (PEP 263), without a byte
//! order mark, every line ended by `\n`; or where and why there is no such text. Positions are of that text.

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Why bytes are no source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecodable {
    /// Counted from 1.
    pub line: usize,
    /// Lower case, no full stop.
    pub message: String,
}

/// The encodings that are read, under any of Python's names for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Ascii,
    Latin1,
}

/// The text that Python reads from the bytes of a file.
///
/// Source: the reference manual, "Lexical analysis", 2.1.4 "Encoding declarations" and 2.1.2 "Physical lines".
pub fn decode(bytes: &[u8]) -> Result<String, Undecodable> {
    let marked = bytes.strip_prefix(BYTE_ORDER_MARK);
    let bytes = marked.unwrap_or(bytes);
    let encoding = match declared(bytes) {
        None => Encoding::Utf8,
        Some((line, name)) => {
            let known = encoding(&name).ok_or_else(|| Undecodable {
                line,
                message: format!("the encoding `{name}` is not read; save the file as UTF-8 text and declare no other"),
            })?;
            if marked.is_some() && known != Encoding::Utf8 {
                let message = format!("a byte order mark of UTF-8, and `{name}` declared; remove one of them");
                return Err(Undecodable { line, message });
            }
            known
        }
    };
    let at = |end: usize, message: &str| Undecodable { line: line_of(&bytes[..end]), message: message.to_string() };
    if let Some(end) = bytes.iter().position(|b| *b == 0) {
        return Err(at(end, "a null byte, which Python does not read"));
    }
    let text = match encoding {
        Encoding::Latin1 => bytes.iter().map(|b| char::from(*b)).collect(),
        Encoding::Ascii => match bytes.iter().position(|b| !b.is_ascii()) {
            Some(end) => {
                return Err(at(end, "the file is declared as ASCII, and this line is not; declare it as UTF-8"));
            }
            None => String::from_utf8_lossy(bytes).into_owned(),
        },
        Encoding::Utf8 => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_string(),
            Err(error) => return Err(at(error.valid_up_to(), "the file is not UTF-8; save it as UTF-8 text")),
        },
    };
    Ok(if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text })
}

/// The line, counted from 1, of what follows these bytes.
fn line_of(before: &[u8]) -> usize {
    let ends = before.iter().enumerate().filter(|(i, b)| match b {
        b'\n' => true,
        b'\r' => before.get(i + 1) != Some(&b'\n'),
        _ => false,
    });
    1 + ends.count()
}

/// The encoding that a comment in the first two lines declares, and in which of them; the second counts where the first says nothing.
fn declared(bytes: &[u8]) -> Option<(usize, String)> {
    let mut rest = bytes;
    for number in 1..=2 {
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        let blank = line.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\x0c')).count();
        match line.get(blank) {
            None => {}
            Some(b'#') => {
                if let Some(name) = declared_in(&line[blank..]) {
                    return Some((number, name));
                }
            }
            Some(_) => return None,
        }
        rest = after.strip_prefix(b"\r\n").or_else(|| after.get(1..))?;
    }
    None
}

/// The name behind `coding:` or `coding=` in a comment.
fn declared_in(comment: &[u8]) -> Option<String> {
    const WORD: &[u8] = b"coding";
    let after =
        comment.windows(WORD.len() + 1).position(|w| w.starts_with(WORD) && matches!(w[WORD.len()], b':' | b'='))?;
    let rest = &comment[after + WORD.len() + 1..];
    let rest = &rest[rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count()..];
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let name: String = rest.iter().take_while(is_name).map(|b| char::from(*b)).collect();
    (!name.is_empty()).then_some(name)
}

fn encoding(name: &str) -> Option<Encoding> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    match name.as_str() {
        "utf-8" | "utf8" | "u8" | "utf" => Some(Encoding::Utf8),
        "ascii" | "us-ascii" | "646" => Some(Encoding::Ascii),
        "latin-1" | "latin1" | "latin" | "l1" | "iso-8859-1" | "iso8859-1" | "iso-latin-1" | "cp819" => {
            Some(Encoding::Latin1)
        }
        // As Emacs writes the convention for the ends of lines: `utf-8-unix`.
        _ if name.starts_with("utf-8-") => Some(Encoding::Utf8),
        _ if ["latin-1-", "iso-8859-1-", "iso-latin-1-"].iter().any(|known| name.starts_with(known)) => {
            Some(Encoding::Latin1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Undecodable, decode};

    fn text(bytes: &[u8]) -> String {
        decode(bytes).unwrap_or_else(|e| panic!("{e:?}"))
    }

    fn refused(bytes: &[u8]) -> (usize, String) {
        let Err(Undecodable { line, message }) = decode(bytes) else { panic!("{} is read", bytes.escape_ascii()) };
        (line, message)
    }

    #[test]
    fn lines_end_as_python_sees_them() {
        assert_eq!(text(b"a\rb\r\nc\nd\r\r\n\n"), "a\nb\nc\nd\n\n\n");
        assert_eq!(text(b"\xef\xbb\xbfx = 1\r"), "x = 1\n");
        assert_eq!(text(b""), "");
    }

    #[test]
    fn the_declared_encoding_is_read() {
        assert_eq!(text(b"# -*- coding: latin-1 -*-\nx = '\xe9'"), "# -*- coding: latin-1 -*-\nx = '\u{e9}'");
        assert_eq!(
            text(b"#!/usr/bin/python\n# vim: set fileencoding=ISO_8859_1 :\r\xe9").chars().last(),
            Some('\u{e9}')
        );
        assert_eq!(text("\n#coding=utf_8\né".as_bytes()), "\n#coding=utf_8\né");
        // Only comments, and only in the first two lines.
        for plain in
            ["x = '# coding: cp1252'\n", "\n\n# coding: cp1252\n", "x = 1\n# coding: cp1252\n", "# coding : cp1252\n"]
        {
            assert_eq!(text(plain.as_bytes()), plain);
        }
    }

    #[test]
    fn other_bytes_are_refused_where_they_are() {
        assert_eq!(refused(b"a\rb\r\nc\xff").0, 3);
        assert_eq!(
            refused(b"#\n# coding: cp1252\n"),
            (2, "the encoding `cp1252` is not read; save the file as UTF-8 text and declare no other".into())
        );
        assert!(refused(b"# coding: ascii\n\n\xc3\xa9").1.contains("declared as ASCII"));
        assert_eq!(refused(b"# coding: ascii\n\n\xc3\xa9").0, 3);
        assert!(refused(b"\xef\xbb\xbf# coding: latin-1\n").1.contains("byte order mark"));
        assert_eq!(refused(b"x = 1\n# \0"), (2, "a null byte, which Python does not read".into()));
        assert_eq!(refused(b"\xff\xfex\0").0, 1);
    }
}
