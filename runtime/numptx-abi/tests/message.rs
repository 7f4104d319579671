//! Floats in messages are written as Python's `str` writes them.

use numptx_abi::message::float_text;

#[test]
fn floats_are_written_as_python_does() {
    let cases = [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (0.1, "0.1"),
        (1e16, "1e+16"),
        (123456789012345680.0, "1.2345678901234568e+17"),
        (1e15, "1000000000000000.0"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (-1.5e-7, "-1.5e-07"),
        (1e300, "1e+300"),
        (1234.5, "1234.5"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
        (f64::NAN, "nan"),
        (5e-324, "5e-324"),
    ];
    for (value, expected) in cases {
        assert_eq!(float_text(value), expected);
    }
    assert_eq!(float_text(0.1f32), "0.1");
}
