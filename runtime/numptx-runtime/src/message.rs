//! Messages of exceptions that generated code raises: text with placeholders → text with values, written as Python's `str` does.
//! The placeholders are those of [`numptx_abi::RuntimeTable::raise`].

/// The message with its values. Braces that are no placeholder, and placeholders without a value, stay as they are.
pub(crate) fn filled(message: &str, arguments: &[i64]) -> String {
    let mut values = arguments.iter();
    let (mut out, mut rest) = (String::with_capacity(message.len()), message);
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("{{") || rest.starts_with("}}") {
            out.push(c);
            rest = &rest[2..];
            continue;
        }
        if let Some((inner, behind)) = rest.strip_prefix('{').and_then(|text| text.split_once('}'))
            && let Some(text) = values.clone().next().and_then(|value| shown(inner, *value))
        {
            values.next();
            out.push_str(&text);
            rest = behind;
            continue;
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// A value as a placeholder of this content shows it; `None` if it is no placeholder.
fn shown(placeholder: &str, value: i64) -> Option<String> {
    let bits = value.cast_unsigned();
    Some(match placeholder {
        "" => value.to_string(),
        "u" => bits.to_string(),
        "b" => if value == 0 { "False" } else { "True" }.to_string(),
        "d" => float_text(&format!("{:e}", f64::from_bits(bits))),
        "f" => float_text(&format!("{:e}", f32::from_bits(bits as u32))),
        _ if placeholder.starts_with(':') => {
            let format = Format::parse(&placeholder[1..])?;
            if format.kind == 'd' { format.int(value) } else { format.float(f64::from_bits(bits)) }
        }
        _ => {
            let decimals: u8 = placeholder.strip_prefix('.')?.parse().ok()?;
            let x = f64::from_bits(bits);
            if x.is_finite() { format!("{x:.0$}", usize::from(decimals)) } else { float_text(&format!("{x:e}")) }
        }
    })
}

/// A float as Python's `str` writes it, from the digits and the exponent of `{:e}`.
fn float_text(scientific: &str) -> String {
    let (sign, digits) = scientific.strip_prefix('-').map_or(("", scientific), |rest| ("-", rest));
    let Some((mantissa, exponent)) = digits.split_once('e') else {
        return if digits == "NaN" { "nan".into() } else { format!("{sign}{digits}") };
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = mantissa.replace('.', "");
    let count = digits.len() as i32;
    if !(-4..16).contains(&exponent) {
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

/// How a number is written: `[0][width][.digits]` and `f`, `e`, `g`, or `d` of ints, as Python's `format` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Format {
    /// Zeros fill the width, not blanks.
    zeros: bool,
    /// Least number of characters.
    width: u8,
    /// Digits behind the point, or of all with `g`.
    digits: Option<u8>,
    /// `f`, `e`, `g` or `d`.
    kind: char,
}

impl Format {
    /// Reads a specification; `None` of any other.
    fn parse(text: &str) -> Option<Format> {
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
    fn int(self, n: i64) -> String {
        self.padded(n.to_string())
    }

    /// A float.
    fn float(self, x: f64) -> String {
        let digits = usize::from(self.digits.unwrap_or(6));
        if !x.is_finite() {
            return self.padded(float_text(&format!("{x:e}")));
        }
        self.padded(match self.kind {
            'e' => with_exponent(&format!("{x:.digits$e}"), false),
            'g' => general(x, digits.max(1)),
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

/// A float with so many digits, in the shorter way.
fn general(x: f64, digits: usize) -> String {
    let scientific = format!("{x:.0$e}", digits - 1);
    let exponent: i64 = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if exponent < -4 || exponent >= digits as i64 {
        return with_exponent(&scientific, true);
    }
    let decimals = (digits as i64 - 1 - exponent) as usize;
    without_zeros(&format!("{x:.decimals$}")).to_string()
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn values_are_written_as_python_does() {
        let bits = |x: f64| x.to_bits().cast_signed();
        let cases = [
            ("{} of {}", vec![-1, 3], "-1 of 3"),
            ("{u}", vec![-1], "18446744073709551615"),
            ("{b} {b}", vec![1, 0], "True False"),
            ("{d} {d}", vec![bits(0.1), bits(1e16)], "0.1 1e+16"),
            ("{d} {d} {d}", vec![bits(-0.0), bits(f64::NAN), bits(f64::NEG_INFINITY)], "-0.0 nan -inf"),
            ("{f}", vec![i64::from(0.1f32.to_bits())], "0.1"),
            ("{.2}", vec![bits(2.675)], "2.67"),
            ("{:.3e} {:g}", vec![bits(12345.678), bits(1e-5)], "1.235e+04 1e-05"),
            ("{:g} {:g} {:.3g}", vec![bits(100000.0), bits(1e6), bits(-0.00012345)], "100000 1e+06 -0.000123"),
            ("{:10.3f}|{:08.2f}", vec![bits(2.5), bits(-2.5)], "     2.500|-0002.50"),
            ("{:5d}|{:05d}|{:g}", vec![42, -42, bits(f64::NAN)], "   42|-0042|nan"),
            ("{{}} {x} {", vec![], "{} {x} {"),
            ("{} {}", vec![1], "1 {}"),
        ];
        for (message, values, expected) in cases {
            assert_eq!(filled(message, &values), expected);
        }
    }
}
