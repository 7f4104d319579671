//! Messages of exceptions that generated code raises: text with placeholders → text with values, written as Python's `str` does.
//! The placeholders are those of [`numptx_abi::RuntimeTable::raise`].

use numptx_abi::message::{Format, Piece, float_text, pieces};

/// The message with its values. Braces that are no placeholder, and placeholders without a value, stay as they are.
pub(crate) fn filled(message: &str, arguments: &[i64]) -> String {
    let mut values = arguments.iter().copied().peekable();
    let pieces = pieces(message, |inner| {
        let text = shown(inner, *values.peek()?)?;
        values.next();
        Some(text)
    });
    pieces
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) | Piece::Payload(text) => text,
        })
        .collect()
}

/// A value as a placeholder of this content shows it; `None` if it is no placeholder.
fn shown(placeholder: &str, value: i64) -> Option<String> {
    let bits = value.cast_unsigned();
    Some(match placeholder {
        "" => value.to_string(),
        "u" => bits.to_string(),
        "b" => if value == 0 { "False" } else { "True" }.to_string(),
        "d" => float_text(f64::from_bits(bits)),
        "f" => float_text(f32::from_bits(bits as u32)),
        _ => match Format::of_placeholder(placeholder)? {
            format if format.kind == 'd' => format.int(value),
            format => format.float(f64::from_bits(bits)),
        },
    })
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
