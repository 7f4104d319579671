//! The mini-language of `format`: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`.

use crate::failure::{Failure, Outcome};

/// A specification that was read.
#[derive(Clone, Debug)]
pub(super) struct Specification {
    pub(super) fill: char,
    /// `<`, `>`, `=` or `^`.
    pub(super) align: char,
    /// `+`, `-` or a blank, if it was given.
    pub(super) sign: Option<char>,
    pub(super) has_no_negative_zero: bool,
    pub(super) is_alternate: bool,
    pub(super) width: usize,
    /// `,` or `_`
    pub(super) separator: Option<char>,
    pub(super) precision: Option<usize>,
    pub(super) kind: Option<char>,
}

/// The characters that are still to be read.
struct Rest<'a>(&'a [char]);

impl Rest<'_> {
    fn peek(&self) -> Option<char> {
        self.0.first().copied()
    }

    fn take(&mut self) -> Option<char> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn take_if(&mut self, is: impl Fn(char) -> bool) -> Option<char> {
        if self.peek().is_some_and(is) { self.take() } else { None }
    }

    fn number(&mut self) -> Outcome<Option<usize>> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(crate::text::digit_value) {
            self.take();
            let value = number.unwrap_or(0_usize).checked_mul(10).and_then(|n| n.checked_add(usize::from(digit)));
            let value = value.filter(|value| i64::try_from(*value).is_ok());
            number = Some(value.ok_or_else(|| Failure::value("Too many decimal digits in format string"))?);
        }
        Ok(number)
    }
}

fn is_align(c: char) -> bool {
    matches!(c, '<' | '>' | '=' | '^')
}

impl Specification {
    /// Reads a specification; `align` and `kind` are what the type does where nothing is said, `name` what Python calls it.
    pub(super) fn read(text: &str, align: char, kind: Option<char>, name: &str) -> Outcome<Specification> {
        let characters: Vec<char> = text.chars().collect();
        let mut rest = Rest(&characters);
        let mut read = Specification {
            fill: ' ',
            align,
            sign: None,
            has_no_negative_zero: false,
            is_alternate: false,
            width: 0,
            separator: None,
            precision: None,
            kind: None,
        };
        let (mut has_fill, mut has_align) = (false, false);
        if let [fill, align, ..] = characters[..]
            && is_align(align)
        {
            (read.fill, read.align, has_fill, has_align) = (fill, align, true, true);
            rest.0 = &characters[2..];
        } else if let Some(align) = rest.take_if(is_align) {
            (read.align, has_align) = (align, true);
        }
        read.sign = rest.take_if(|c| matches!(c, '+' | '-' | ' '));
        read.has_no_negative_zero = rest.take_if(|c| c == 'z').is_some();
        read.is_alternate = rest.take_if(|c| c == '#').is_some();
        if !has_fill && rest.take_if(|c| c == '0').is_some() {
            read.fill = '0';
            if !has_align && align == '>' {
                read.align = '=';
            }
        }
        read.width = rest.number()?.unwrap_or(0);
        read.separator = rest.take_if(|c| c == ',');
        if rest.take_if(|c| c == '_').is_some() && read.separator.replace('_').is_some() {
            return Err(Failure::value("Cannot specify both ',' and '_'."));
        }
        if read.separator == Some('_') && rest.take_if(|c| c == ',').is_some() {
            return Err(Failure::value("Cannot specify both ',' and '_'."));
        }
        if rest.take_if(|c| c == '.').is_some() {
            let precision = rest.number()?;
            read.precision = Some(precision.ok_or_else(|| Failure::value("Format specifier missing precision"))?);
        }
        if rest.0.len() > 1 {
            return Err(Failure::value(format!("Invalid format specifier '{text}' for object of type '{name}'")));
        }
        read.kind = rest.take().or(kind);
        read.check_separator()?;
        Ok(read)
    }

    fn check_separator(&self) -> Outcome<()> {
        match (self.separator, self.kind) {
            (None, _) | (_, None | Some('d' | 'e' | 'f' | 'g' | 'E' | 'G' | '%' | 'F')) => Ok(()),
            (Some('_'), Some('b' | 'o' | 'x' | 'X')) => Ok(()),
            (Some(separator), Some(kind)) => {
                Err(Failure::value(format!("Cannot specify '{separator}' with {}.", quoted(kind))))
            }
        }
    }

    /// What Python says of a type that an object's has not.
    pub(super) fn unknown(&self, name: &str) -> Failure {
        let kind = quoted(self.kind.unwrap_or(' '));
        Failure::value(format!("Unknown format code {kind} for object of type '{name}'"))
    }
}

/// A type in a message: as it is, or by its code point.
fn quoted(kind: char) -> String {
    match kind {
        '!'..='\u{7f}' => format!("'{kind}'"),
        _ => format!("'\\x{:x}'", u32::from(kind)),
    }
}
