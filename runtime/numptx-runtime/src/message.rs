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
            ("{{}} {x} {", vec![], "{} {x} {"),
            ("{} {}", vec![1], "1 {}"),
        ];
        for (message, values, expected) in cases {
            assert_eq!(filled(message, &values), expected);
        }
    }
}
