//! The text of an exception's message: what stands in it, and how numbers in it are written, which is as Python writes them.
//!
//! The compiler reads messages to check them and to show them in its interpreters, the runtime to raise them: both as it stands here.
//! What a placeholder may hold is the reader's: see [`crate::RuntimeTable::raise`] for those of the runtime.

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<P> {
    /// Text as it is shown.
    Text(String),
    /// A placeholder.
    Payload(P),
}

/// The pieces of a message, in order; `placeholder` reads what stands between two braces. `{{` and `}}` are braces; others that belong to no
/// placeholder are text.
pub fn pieces<P>(message: &str, mut placeholder: impl FnMut(&str) -> Option<P>) -> Vec<Piece<P>> {
    let (mut pieces, mut text, mut rest) = (Vec::new(), String::new(), message);
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("{{") || rest.starts_with("}}") {
            text.push(c);
            rest = &rest[2..];
        } else if let Some((inner, behind)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'))
            && let Some(payload) = placeholder(inner)
        {
            pieces.extend((!text.is_empty()).then(|| Piece::Text(std::mem::take(&mut text))));
            pieces.push(Piece::Payload(payload));
            rest = behind;
        } else {
            text.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    pieces.extend((!text.is_empty()).then_some(Piece::Text(text)));
    pieces
}

/// A float that has a decimal text.
pub trait Decimal: core::fmt::LowerExp + PartialEq + core::str::FromStr {
    /// Numbers of fewer digits are all told apart: none of them lies in the middle of two.
    const EXACT_DIGITS: usize;
}

impl Decimal for f32 {
    const EXACT_DIGITS: usize = f32::DIGITS as usize;
}

impl Decimal for f64 {
    const EXACT_DIGITS: usize = f64::DIGITS as usize;
}

/// A float as Python's `str` writes it: with the fewest digits that give it back.
pub fn float_text<T: Decimal>(x: T) -> String {
    shortest(x, 16)
}

/// A float with the fewest digits that give it back, and an exponent where it has more than so many digits before the point, or four zeros after it.
pub fn shortest<T: Decimal>(x: T, digits_before: i32) -> String {
    let scientific = format!("{x:e}");
    let (sign, digits) = scientific.strip_prefix('-').map_or(("", scientific.as_str()), |rest| ("-", rest));
    let Some((mantissa, exponent)) = digits.split_once('e') else {
        return if digits == "NaN" { "nan".into() } else { format!("{sign}{digits}") };
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let mut digits = mantissa.replace('.', "");
    if let Some(even) = even_neighbour(&x, &digits, exponent) {
        digits = even;
    }
    let count = digits.len() as i32;
    if !(-4..digits_before).contains(&exponent) {
        let point = if count > 1 { "." } else { "" };
        let direction = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{}{point}{}e{direction}{:02}", &digits[..1], &digits[1..], exponent.abs());
    }
    let text = if exponent < 0 {
        format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize))
    } else if exponent + 1 >= count {
        format!("{digits}{}.0", "0".repeat((exponent + 1 - count) as usize))
    } else {
        let (whole, rest) = digits.split_at((exponent + 1) as usize);
        format!("{whole}.{rest}")
    };
    format!("{sign}{text}")
}

/// The digits below, where a float lies in the middle between its shortest digits and these, which give it back as well: Python takes even ones, Rust the
/// larger ones.
fn even_neighbour<T: Decimal>(x: &T, digits: &str, exponent: i32) -> Option<String> {
    let count = digits.len();
    let last = digits.bytes().last().filter(|last| count >= T::EXACT_DIGITS && last % 2 == 1)?;
    let even = format!("{}{}", &digits[..count - 1], char::from(last - 1));
    // More digits than the middle between two such numbers has.
    let exact = format!("{x:.0$e}", count + 20);
    let exact: String = exact.chars().take_while(|c| *c != 'e').filter(char::is_ascii_digit).collect();
    let is_middle = exact.strip_prefix(&even)?.strip_prefix('5')?.bytes().all(|digit| digit == b'0');
    let value = |digits: &str| format!("{digits}e{}", exponent + 1 - count as i32).parse::<T>().ok();
    (is_middle && value(&even) == value(digits)).then_some(even)
}

/// How a number is written: `[0][width][.digits]` and `f`, `e`, `g`, or `d` of ints, as Python's `format` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Zeros fill the width, not blanks.
    zeros: bool,
    /// Least number of characters.
    width: u8,
    /// Digits behind the point, or of all with `g`.
    digits: Option<u8>,
    /// `f`, `e`, `g` or `d`.
    pub kind: char,
}

impl Format {
    /// The format that the inside of a placeholder asks for: `.3` for so many decimals, `:10.3e` for a specification.
    pub fn of_placeholder(inner: &str) -> Option<Format> {
        match inner.strip_prefix(':') {
            Some(specification) => Format::parse(specification),
            None => inner.starts_with('.').then(|| Format::parse(&format!("{inner}f")))?,
        }
    }

    /// Reads a specification; `None` of any other.
    pub fn parse(text: &str) -> Option<Format> {
        let kind = text.chars().last().filter(|c| matches!(c, 'f' | 'e' | 'g' | 'd'))?;
        let rest = &text[..text.len() - 1];
        let (size, digits) = rest.split_once('.').map_or((rest, None), |(size, digits)| (size, Some(digits)));
        let number = |text: &str| text.chars().all(|c| c.is_ascii_digit()).then(|| text.parse::<u8>().ok()).flatten();
        let digits = match digits {
            Some(digits) => Some(number(digits).filter(|d| *d <= 60 && kind != 'd')?),
            None => None,
        };
        let (zeros, size) = size.strip_prefix('0').map_or((false, size), |size| (true, size));
        let width = if size.is_empty() { 0 } else { number(size).filter(|_| !size.starts_with('0'))? };
        Some(Format { zeros, width, digits, kind })
    }

    /// An int.
    pub fn int(self, n: i64) -> String {
        self.padded(n.to_string())
    }

    /// A float.
    pub fn float(self, x: f64) -> String {
        let digits = usize::from(self.digits.unwrap_or(6));
        if !x.is_finite() {
            return self.padded(float_text(x));
        }
        self.padded(match self.kind {
            'e' => scientific(x, digits),
            'g' => general(x, digits.max(1), 0, false),
            _ => format!("{x:.digits$}"),
        })
    }

    fn padded(self, text: String) -> String {
        let n = usize::from(self.width).saturating_sub(text.chars().count());
        match text.strip_prefix('-') {
            Some(rest) if self.zeros => format!("-{}{rest}", "0".repeat(n)),
            _ => format!("{}{text}", if self.zeros { "0" } else { " " }.repeat(n)),
        }
    }
}

/// `1e-5` as Python writes it, `1e-05`; trailing zeros of the digits may go.
fn with_exponent(scientific: &str, is_short: bool) -> String {
    let (digits, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let digits = if is_short { without_zeros(digits) } else { digits };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{digits}e{sign}{exponent:0>2}")
}

/// A float with so many decimals and an exponent, as Python's `e` writes it.
pub fn scientific(x: f64, decimals: usize) -> String {
    with_exponent(&format!("{x:.decimals$e}"), false)
}

/// A float with so many digits, at least one, in the shorter way, as Python's `g` writes it: with an exponent where the number has more digits before
/// the point than these less `reserved`. Trailing zeros go, unless they are kept.
pub fn general(x: f64, digits: usize, reserved: usize, keeps_zeros: bool) -> String {
    let scientific = format!("{x:.0$e}", digits - 1);
    let exponent: i64 = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if exponent < -4 || exponent >= digits as i64 - reserved as i64 {
        return with_exponent(&scientific, !keeps_zeros);
    }
    let decimals = (digits as i64 - 1 - exponent).max(0) as usize;
    let fixed = format!("{x:.decimals$}");
    if keeps_zeros { fixed } else { without_zeros(&fixed).to_string() }
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

impl std::fmt::Display for Format {
    /// The inside of its placeholder.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let zeros = if self.zeros { "0" } else { "" };
        let width = if self.width > 0 { self.width.to_string() } else { String::new() };
        let digits = self.digits.map_or_else(String::new, |digits| format!(".{digits}"));
        match (self.kind, zeros, width.as_str()) {
            ('f', "", "") if self.digits.is_some() => f.write_str(&digits),
            (kind, ..) => write!(f, ":{zeros}{width}{digits}{kind}"),
        }
    }
}
