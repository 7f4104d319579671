//! Logarithms of factorials and of the gamma function, in the forms that draws of counts need to the last bit.

/// log(k!)
pub(super) fn log_factorial(k: i64) -> f64 {
    match usize::try_from(k).ok().and_then(|at| LOG_FACTORIALS.get(at)) {
        Some(bits) => f64::from_bits(*bits),
        None => {
            // Stirling's series.
            let x = k as f64;
            let half_log = 0.918_938_533_204_672_8;
            (x + 0.5) * x.ln() - x + (half_log + (1.0 / x) * (1.0 / 12.0 - 1.0 / (360.0 * x * x)))
        }
    }
}

/// The logarithm of the gamma function (Zhang and Jin, *Computation of Special Functions*, 1996, 3.1.3): an asymptotic series above 7, and recurrence.
pub(super) fn log_gamma(x: f64) -> f64 {
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let below = if x < 7.0 { (7.0 - x) as i64 } else { 0 };
    let mut argument = x + below as f64;
    let inverse = (1.0 / argument) * (1.0 / argument);
    let series = SERIES.iter().rev().copied().reduce(|sum, term| sum * inverse + term).unwrap_or(0.0);
    let mut sum = series / argument + 0.5 * LOG_TWO_PI + (argument - 0.5) * argument.ln() - argument;
    for _ in 0..below {
        sum -= (argument - 1.0).ln();
        argument -= 1.0;
    }
    sum
}

const LOG_TWO_PI: f64 = 1.837_877_066_409_345_3;

const SERIES: [f64; 10] = [
    8.333333333333333e-02,
    -2.777777777777778e-03,
    7.936507936507937e-04,
    -5.952380952380952e-04,
    8.417508417508418e-04,
    -1.917526917526918e-03,
    6.41025641025641e-03,
    -2.955065359477124e-02,
    1.796443723688307e-01,
    -1.39243221690590e+00,
];

/// log(k!), rounded to nearest.
#[rustfmt::skip]
static LOG_FACTORIALS: [u64; 126] = [
    0x0000000000000000, 0x0000000000000000, 0x3fe62e42fefa39ef, 0x3ffcab0bfa2a2002, 0x40096ca77c922cf9, 0x401326643c4479c9, 0x401a51273acf01ca,
    0x40210ce1f32dcc30, 0x4025358e82fcb70d, 0x40299a8921a7f7cf, 0x402e357590954d15, 0x403180973f3a8d74, 0x4033fcba16d50143, 0x40368d5a9c3b32ce,
    0x403930f3df162a42, 0x403be636a63fd346, 0x403eabff061f1a84, 0x4040c0a63f2f353a, 0x4042329df2d5ee52, 0x4043ab8153363985, 0x40452af57aed77be,
    0x4046b0a8643472a9, 0x40483c4faba84f06, 0x4049cda78b856a45, 0x404b6472034e8d14, 0x404d007622cd65e7, 0x404ea17f717c6794, 0x405023aeb67e4fef,
    0x4050f8f18d330240, 0x4051d07353917231, 0x4052aa208b59d0e5, 0x405385e6fd9e5a40, 0x405463b59b942084, 0x4055437c633ace4a, 0x4056252c474896ba,
    0x405708b719e11658, 0x4057ee0f79b26758, 0x4058d528c1243d96, 0x4059bdf6f75257a3, 0x405aa86ec2969812, 0x405b94855c702ba2, 0x405c8230869ca105,
    0x405d7166813e12ee, 0x405e621e01eeba4f, 0x405f544e2ba69cf1, 0x406023f743addd9f, 0x40609e7b7ea41ea9, 0x406119afe762626b, 0x40619590c853a559,
    0x4062121a930c6ec3, 0x40628f49ddeb1f31, 0x40630d1b61e86335, 0x40638b8bf8931ddb, 0x40640a989a33a6cd, 0x40648a3e5c12af19, 0x40650a7a6ee08711,
    0x40658b4a1d39da73, 0x40660caaca474746, 0x40668e99f0757979, 0x406711152043b2c4, 0x40679419ff26dc59, 0x406817a6467f6fb9, 0x40689bb7c2a0aea1,
    0x4069204c51e7c761, 0x4069a561e3e1a4bd, 0x406a2af6787e4609, 0x406ab1081f509726, 0x406b3794f6d9d7af, 0x406bbe9b2bdfb621, 0x406c4618f8cc56f7,
    0x406cce0ca5179100, 0x406d567484b8b7b6, 0x406ddf4ef7a05a70, 0x406e689a69396bef, 0x406ef2554ff15148, 0x406f7c7e2cc66183, 0x40700389c56e3462,
    0x40704909ff8b652b, 0x40708ebf13dbf263, 0x4070d4a85602b129, 0x40711ac51df8932a, 0x40716114c7e34736, 0x4071a796b3ede1ac, 0x4071ee4a46236d3e,
    0x4072352ee64b46d5, 0x40727c43ffc72962, 0x4072c3890172d057, 0x40730afd5d851956, 0x407352a089728f1b, 0x40739a71fdd14947, 0x4073e271363e0df7,
    0x40742a9db142a36a, 0x407472f6f03d410c, 0x4074bb7c77491066, 0x4075042dcd27af64, 0x40754d0a7b2ba658, 0x407596120d23c4ec, 0x4075df4411475a1c,
    0x407628a018233bed, 0x40767225b4879462, 0x4076bbd47b7669b6, 0x407705ac0412d89f, 0x40774fabe790f7be, 0x407799d3c1265c0e, 0x4077e4232dfb367d,
    0x40782e99cd1c0368, 0x407879373f6bc4fe, 0x4078c3fb2796c21c, 0x40790ee52a05c35f, 0x407959f4ecd1c8b3, 0x4079a52a17b831cc, 0x4079f084540f545e,
    0x407a3c034cbb7b2c, 0x407a87a6ae24493a, 0x407ad36e262a7cc0, 0x407b1f59641e0db5, 0x407b6b6818b4a3eb, 0x407bb799f600610a, 0x407c03eeaf66facd,
    0x407c5065f9992226, 0x407c9cff8a8a340d, 0x407ce9bb196830ea, 0x407d36985e93f7b8, 0x407d83971399c213, 0x407dd0b6f329dea4, 0x407e1df7b911a74c,
];
