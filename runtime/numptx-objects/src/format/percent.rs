//! `conversion % x` of one conversion: `%[flags][width][.precision][hlL]type`.

use crate::compare::{Number, scalar_type};
use crate::display::{element_text, escaped};
use crate::elements::Element;
use crate::failure::{Failure, Outcome};
use crate::format::Subject;
use crate::format::float::{self, Style};
use crate::format::int;
use crate::format::number::sign;
use crate::format::text::cut;
use crate::layout::Layout;
use crate::object::{Embedding, Reference};
use crate::output::Output;

/// A conversion that was read.
#[derive(Debug, Default)]
struct Conversion {
    is_left: bool,
    sign: Option<char>,
    is_alternate: bool,
    has_zeros: bool,
    width: usize,
    precision: Option<usize>,
    kind: char,
}

/// A number at the beginning of some text, 0 where there is none, and what follows.
fn number<'a>(text: &'a str, too_big: &'static str) -> Outcome<(usize, &'a str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(digits);
    if digits.is_empty() {
        return Ok((0, rest));
    }
    let number = digits.parse().ok().filter(|number| *number <= i32::MAX as usize);
    Ok((number.ok_or_else(|| Failure::value(too_big))?, rest))
}

impl Conversion {
    fn read(text: &str) -> Outcome<Conversion> {
        let mut read = Conversion::default();
        let mut rest = text.strip_prefix('%').ok_or_else(|| Failure::bug("a conversion without %"))?;
        while let Some(flag) = rest.chars().next().filter(|c| "-+ #0".contains(*c)) {
            match flag {
                '-' => read.is_left = true,
                '+' => read.sign = Some('+'),
                ' ' => read.sign = read.sign.or(Some(' ')),
                '#' => read.is_alternate = true,
                _ => read.has_zeros = true,
            }
            rest = &rest[1..];
        }
        (read.width, rest) = number(rest, "width too big")?;
        if let Some(behind) = rest.strip_prefix('.') {
            let (precision, behind) = number(behind, "precision too big")?;
            (read.precision, rest) = (Some(precision), behind);
        }
        rest = rest.strip_prefix(['h', 'l', 'L']).unwrap_or(rest);
        read.kind = rest.chars().next().ok_or_else(|| Failure::value("incomplete format"))?;
        if rest.chars().count() > 1 {
            return Err(Failure::bug("more than one conversion"));
        }
        if !"srac%diuoxXeEfFgG".contains(read.kind) {
            let (shown, at) = (read.kind, text.chars().count() - 1);
            let shown = if (' '..='~').contains(&shown) { shown } else { '?' };
            let code = u32::from(read.kind);
            return Err(Failure::value(format!("unsupported format character '{shown}' ({code:#x}) at index {at}")));
        }
        Ok(read)
    }

    /// A sign, a prefix and digits or text in the width; zeros go between, blanks before, or behind.
    fn placed(&self, sign: &str, prefix: &str, text: &str, has_zeros: bool) -> Outcome<String> {
        let length = sign.len() + prefix.len() + text.chars().count();
        let missing = self.width.saturating_sub(length);
        let (blanks, zeros, behind) = match (self.is_left, has_zeros) {
            (true, _) => (0, 0, missing),
            (false, true) => (0, missing, 0),
            (false, false) => (missing, 0, 0),
        };
        let mut output = Output::new();
        output.repeat(' ', blanks)?;
        output.push(sign)?;
        output.push(prefix)?;
        output.repeat('0', zeros)?;
        output.push(text)?;
        output.repeat(' ', behind)?;
        Ok(output.done())
    }

    fn int(&self, subject: &Subject, type_name: &str) -> Outcome<String> {
        let is_decimal = matches!(self.kind, 'd' | 'i' | 'u');
        let (is_negative, prefix, digits) = match subject {
            Subject::Number(Number::Int(n), _) => {
                let (prefix, digits) = int::digits(*n, self.kind);
                (*n < 0, prefix, digits)
            }
            Subject::Number(Number::Float(x), _) if is_decimal => {
                if x.is_nan() {
                    return Err(Failure::value("cannot convert float NaN to integer"));
                }
                if x.is_infinite() {
                    return Err(Failure::overflow("cannot convert float infinity to integer"));
                }
                (*x <= -1.0, "", format!("{:.0}", x.trunc().abs()))
            }
            _ => {
                let wanted = if is_decimal { "a real number" } else { "an integer" };
                let message = format!("%{} format: {wanted} is required, not {type_name}", self.kind);
                return Err(Failure::type_error(message));
            }
        };
        let mut padded = Output::new();
        padded.repeat('0', self.precision.unwrap_or(0).saturating_sub(digits.len()))?;
        padded.push(&digits)?;
        let prefix = if self.is_alternate { prefix } else { "" };
        self.placed(sign(is_negative, self.sign), prefix, &padded.done(), self.has_zeros)
    }

    fn float(&self, subject: &Subject, type_name: &str) -> Outcome<String> {
        let x = match subject {
            Subject::Number(Number::Int(n), _) => *n as f64,
            Subject::Number(Number::Float(x), _) => *x,
            _ => return Err(Failure::type_error(format!("must be real number, not {type_name}"))),
        };
        let style = Style {
            kind: Some(self.kind),
            precision: self.precision,
            is_alternate: self.is_alternate,
            has_decimals: true,
        };
        let (sign, text) = float::converted(x, style, self.sign)?;
        self.placed(sign, "", &text, self.has_zeros)
    }

    fn character(&self, subject: &Subject) -> Outcome<String> {
        let c = match subject {
            Subject::Number(Number::Int(n), _) => int::character_of(*n)?.to_string(),
            Subject::Text(text) if text.chars().count() == 1 => text.clone(),
            _ => return Err(Failure::type_error("%c requires int or char")),
        };
        self.placed("", "", &c, false)
    }
}

/// `conversion % x`; of `%%` x is nothing.
pub(crate) fn percent<R: Reference>(
    conversion: &str,
    layout: &Layout,
    element: Element<'_, R>,
    embedding: &mut impl Embedding<R>,
) -> Outcome<String> {
    let conversion = Conversion::read(conversion)?;
    if conversion.kind == '%' {
        return Ok("%".into());
    }
    let subject = Subject::of(layout, element)?;
    // Messages name NumPy's types here, which `format` takes for Python's.
    let type_name = match &subject {
        Subject::Number(..) => layout.codes().first().map_or("int", |code| scalar_type(*code)),
        Subject::Text(_) => "str",
        Subject::Other(name) => name,
    };
    match conversion.kind {
        'd' | 'i' | 'u' | 'o' | 'x' | 'X' => conversion.int(&subject, type_name),
        'c' => conversion.character(&subject),
        kind @ ('s' | 'r' | 'a') => {
            let mut text = element_text(layout, element, kind != 's', embedding)?;
            if kind == 'a' && !text.is_ascii() {
                text = text.chars().map(|c| if c.is_ascii() { c.to_string() } else { escaped(c) }).collect();
            }
            conversion.placed("", "", cut(&text, conversion.precision), false)
        }
        _ => conversion.float(&subject, type_name),
    }
}
