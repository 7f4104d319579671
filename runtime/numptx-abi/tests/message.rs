//! Floats in messages are written as Python's `str` writes them.

use numptx_abi::message::{float_text, general, scientific, shortest};

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
        // In the middle between .2 and .3, and between .7 and .8.
        (-699571678327765.0 - 0.25, "-699571678327765.2"),
        (1125899906842623.0 + 0.75, "1125899906842623.8"),
    ];
    for (value, expected) in cases {
        assert_eq!(float_text(value), expected);
    }
    assert_eq!(float_text(0.1f32), "0.1");
    assert_eq!(float_text(404233.0f32 + 0.625), "404233.62");
}

#[test]
fn floats_have_exponents_where_python_has_them() {
    assert_eq!(shortest(1e6_f32, 6), "1e+06");
    assert_eq!(shortest(999000.0_f32, 6), "999000.0");
    assert_eq!(scientific(1234.5, 2), "1.23e+03");
    assert_eq!(general(1234.5, 6, 0, false), "1234.5");
    assert_eq!(general(1234.5, 6, 0, true), "1234.50");
    assert_eq!(general(1234.5, 3, 0, false), "1.23e+03");
    assert_eq!(general(100.0, 3, 1, false), "1e+02");
}
