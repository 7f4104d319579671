"""Bessel functions of order 0 and 1: polynomials near 0, and Hankel's expansions far from it, DLMF 10.17 and 10.40, as Chebyshev fits of 50 digits."""
import numpy as np


def waves(x):
    """The sine and cosine of x - pi/4, of numbers from 8 on: by those of x, which has no rounded difference."""
    sine, cosine = np.sin(x), np.cos(x)
    return 0.7071067811865476 * (sine - cosine), 0.7071067811865476 * (sine + cosine)


def amplitudes_of_0(z):
    """P and x Q of order 0, by z = (8 / x)^2."""
    of_p = (
        3.339452259070809e-14, -1.0251790052831013e-13, 2.4531772967345006e-13, -1.0157485021065676e-12,
        4.786995821368028e-12, -2.491146535471666e-11, 1.5500565496632596e-10, -1.2121098178951377e-09,
        1.280376144080092e-08, -2.0527448261170675e-07, 6.137416080109497e-06, -0.0005363673192129672,
        0.9994572757882519,
    )
    of_q = (
        -2.7338449247237154e-13, 7.915216052472428e-13, -1.6783779045026498e-12, 6.538016467992787e-12,
        -2.8840344824996496e-11, 1.364832378469862e-10, -7.57586453075858e-10, 5.1461591930522475e-09,
        -4.5349736139769986e-08, 5.684971972265847e-07, -1.1817110660715592e-05, 0.0005466519279472034,
        -0.12444091103610816,
    )
    t = 2.0 * z - 1.0
    return polynomial(of_p, t), polynomial(of_q, t)


def amplitudes_of_1(z):
    """P and x Q of order 1."""
    of_p = (
        -3.5455617466606254e-14, 1.0923713653079462e-13, -2.6335760672461096e-13, 1.0954826479277623e-12,
        -5.191158004646548e-12, 2.72345126828134e-11, -1.713107485294131e-10, 1.3602969253877949e-09,
        -1.4708512991275258e-08, 2.453676633366693e-07, -7.9596946984383e-06, 0.0008988049416705183,
        1.0009070262780821,
    )
    of_q = (
        2.8960940831153833e-13, -8.412485658069601e-13, 1.796964474573459e-12, -7.028011349149164e-12,
        3.1143942213346517e-11, -1.4842814504504144e-10, 8.315586321594619e-10, -5.72081439754336e-09,
        5.136106815451932e-08, -6.633568656664936e-07, 1.4569614809339924e-05, -0.0007697167057640292,
        0.3742149922195918,
    )
    t = 2.0 * z - 1.0
    return polynomial(of_p, t), polynomial(of_q, t)


def near_j0(x):
    """J0 of |x| <= 8, by x^2."""
    coefficients = (
        4.0037632815796753e-13, -1.243301171273326e-11, 3.3634475788173604e-10, -7.91532308295207e-09,
        1.5956109104549218e-07, -2.717749223632098e-06, 3.8473197855944365e-05, -0.0004435459224311503,
        0.004058078989140991, -0.028472718610882047, 0.14598884856759264, -0.5074680458471, 1.0383794611437211,
        -0.8080888076696872, -0.6484692830871837, 0.9303012472958572, 0.04582966485981377,
    )
    return polynomial(coefficients, x * x / 32.0 - 1.0)


def near_j1(x):
    """J1 of |x| <= 8: x times a polynomial of x^2."""
    coefficients = (
        -4.0045728425886457e-13, 1.1658972367678622e-11, -2.943013798001659e-10, 6.431190177265836e-09,
        -1.196708186787801e-07, 1.8684526037206013e-06, -2.404574865968694e-05, 0.0002494945813597261,
        -0.0020290394945705996, 0.012456814392263375, -0.05474581821284722, 0.15858376432721838, -0.2595948652859303,
        0.15151665143806636, 0.08105866038589796, -0.05814382795599107,
    )
    return x * polynomial(coefficients, x * x / 32.0 - 1.0)


def scipy_special_j0(x):
    a = np.abs(wide(x))
    near = near_j0(np.minimum(a, 8.0))
    far = np.maximum(a, 8.0)
    p, q = amplitudes_of_0(64.0 / far / far)
    sine, cosine = waves(far)
    y = np.sqrt(0.6366197723675814 / far) * (p * cosine - q / far * sine)
    return rounded(where_one(a <= 8.0, near, y), is_float32(x))


def scipy_special_j1(x):
    z = wide(x)
    a = np.abs(z)
    near = near_j1(np.minimum(a, 8.0))
    far = np.maximum(a, 8.0)
    p, q = amplitudes_of_1(64.0 / far / far)
    # Of order 1 the angle is a quarter turn behind.
    sine, cosine = waves(far)
    y = np.sqrt(0.6366197723675814 / far) * (p * sine + q / far * cosine)
    return rounded(np.copysign(1.0, z) * where_one(a <= 8.0, near, y), is_float32(x))


def scipy_special_y0(x):
    coefficients = (
        -8.840112096073101e-13, 2.6926938054524057e-11, -7.13046146536789e-10, 1.6390875014077404e-08,
        -3.2185078445935923e-07, 5.3213188103997145e-06, -7.279541882454115e-05, 0.000806158605961636,
        -0.00702574105727097, 0.046367047681375125, -0.21895747096171628, 0.6721770783431679, -1.0775477338215995,
        0.14412632369302475, 1.6470964788745466, -0.8284358903604587, -0.382250654459425,
    )
    z = wide(x)
    near = where_one((z > 0.0) & (z <= 8.0), z, 1.0)
    regular = polynomial(coefficients, near * near / 32.0 - 1.0)
    y = 0.6366197723675814 * np.log(near) * near_j0(near) + regular
    far = np.maximum(z, 8.0)
    p, q = amplitudes_of_0(64.0 / far / far)
    sine, cosine = waves(far)
    beyond = np.sqrt(0.6366197723675814 / far) * (p * sine + q / far * cosine)
    outside = where_one(z == 0.0, -np.inf, np.nan)
    return rounded(where_one(z > 8.0, beyond, where_one(z > 0.0, y, outside)), is_float32(x))


def scipy_special_y1(x):
    coefficients = (
        8.760001143977853e-13, -2.499531546171249e-11, 6.169688029066965e-10, -1.3153147367094951e-08,
        2.3804930420514178e-07, -3.601000022590458e-06, 4.467433012646365e-05, -0.0004438173434420147,
        0.0034224907399188495, -0.01962875683311711, 0.07854786922242532, -0.19639839859930203, 0.23507209206669755,
        0.02336757172099348, -0.24337743079193114, 0.07075985882118005,
    )
    z = wide(x)
    near = where_one((z > 0.0) & (z <= 8.0), z, 1.0)
    regular = near * polynomial(coefficients, near * near / 32.0 - 1.0)
    y = 0.6366197723675814 * (np.log(near) * near_j1(near) - 1.0 / near) + regular
    far = np.maximum(z, 8.0)
    p, q = amplitudes_of_1(64.0 / far / far)
    sine, cosine = waves(far)
    beyond = np.sqrt(0.6366197723675814 / far) * (q / far * sine - p * cosine)
    outside = where_one(z == 0.0, -np.inf, np.nan)
    return rounded(where_one(z > 8.0, beyond, where_one(z > 0.0, y, outside)), is_float32(x))


def near_i0(x):
    """I0 of |x| <= 8: DLMF 10.25.2, whose terms have one sign."""
    coefficients = (
        9.228877211181495e-63, 2.1263333094562166e-59, 4.499321282809354e-56, 8.71068600351891e-53,
        1.5365650110207356e-49, 2.458504017633177e-46, 3.5500798014623073e-43, 4.60090342269515e-40,
        5.318644356635594e-37, 5.4462918211948485e-34, 4.9016626390753635e-31, 3.842903509035085e-28,
        2.5978027721077174e-25, 1.4963343967340453e-22, 7.242258480192779e-20, 2.896903392077112e-17,
        9.385966990329842e-15, 2.4028075495244395e-12, 4.709502797067901e-10, 6.781684027777778e-08,
        6.781684027777777e-06, 0.00043402777777777775, 0.015625, 0.25, 1.0,
    )
    return polynomial(coefficients, x * x)


def near_i1(x):
    coefficients = (
        1.845775442236299e-64, 4.4298610613671176e-61, 9.781133223498595e-58, 1.9797013644361157e-54,
        3.658488121477942e-51, 6.146260044082942e-48, 9.342315267006072e-45, 1.2780287285264307e-41,
        1.564307163716351e-38, 1.7019661941233902e-35, 1.6338875463584545e-32, 1.3724655389411017e-29,
        9.991549123491221e-27, 6.234726653058522e-24, 3.2919356728148996e-21, 1.4484516960385557e-18,
        5.214426105738801e-16, 1.5017547184527747e-13, 3.363930569334215e-11, 5.651403356481481e-09,
        6.781684027777778e-07, 5.425347222222222e-05, 0.0026041666666666665, 0.0625, 0.5,
    )
    return x * polynomial(coefficients, x * x)


def far_i0(x):
    """I0(x) e^-x sqrt(x) of x >= 8."""
    coefficients = (
        9.36508689281819e-11, 3.629355229718733e-11, -6.633287112547084e-10, -2.8033819978869995e-10,
        2.1968921378829006e-09, 1.1050558794424347e-09, -4.575553424534973e-09, -3.1346276429240787e-09,
        6.560138746917057e-09, 7.3359687108161536e-09, -5.0381064879032845e-09, -1.3326094405766387e-08,
        -6.8493381882867694e-09, 7.534355843803342e-09, 2.1566251453104354e-08, 3.932889375114634e-08,
        8.872034383314144e-08, 2.973596046562712e-07, 1.4838476651250266e-06, 1.1143033800708978e-05,
        0.00013621607438984735, 0.0033605519836677504, 0.4021765094450081,
    )
    return polynomial(coefficients, 16.0 / x - 1.0)


def far_i1(x):
    coefficients = (
        -9.752397204138195e-11, -3.365431853180176e-11, 6.917089294193807e-10, 2.6340771095136483e-10,
        -2.297004161885201e-09, -1.0594544160443166e-09, 4.810597405089944e-09, 3.086886736722725e-09,
        -6.983839624895866e-09, -7.44444147719727e-09, 5.59337010179061e-09, 1.3958551001385955e-08,
        6.8401389977069586e-09, -8.409182040442918e-09, -2.339250374801858e-08, -4.313196489977733e-08,
        -1.000109565963654e-07, -3.4838534380376333e-07, -1.8349102358955385e-06, -1.5038547209501858e-05,
        -0.0002192357638317243, -0.009749577193235635, 0.38939845902587233,
    )
    return polynomial(coefficients, 16.0 / x - 1.0)


def scipy_special_i0(x):
    a = np.abs(wide(x))
    far = np.maximum(a, 8.0)
    # The exponential overflows before the product does.
    half = np.exp(0.5 * far)
    y = half * (far_i0(far) / np.sqrt(far)) * half
    return rounded(where_one(a < np.inf, where_one(a <= 8.0, near_i0(np.minimum(a, 8.0)), y), np.nan), is_float32(x))


def scipy_special_i1(x):
    z = wide(x)
    a = np.abs(z)
    far = np.maximum(a, 8.0)
    half = np.exp(0.5 * far)
    y = half * (far_i1(far) / np.sqrt(far)) * half
    magnitude = where_one(a < np.inf, where_one(a <= 8.0, near_i1(np.minimum(a, 8.0)), y), np.nan)
    return rounded(where_one(z < 0.0, -magnitude, magnitude), is_float32(x))


def scipy_special_i0e(x):
    a = np.abs(wide(x))
    near = np.minimum(a, 8.0)
    far = np.maximum(a, 8.0)
    return rounded(where_one(a <= 8.0, np.exp(-near) * near_i0(near), far_i0(far) / np.sqrt(far)), is_float32(x))


def scipy_special_i1e(x):
    z = wide(x)
    a = np.abs(z)
    near = np.minimum(a, 8.0)
    far = np.maximum(a, 8.0)
    magnitude = where_one(a <= 8.0, np.exp(-near) * near_i1(near), far_i1(far) / np.sqrt(far))
    return rounded(where_one(z < 0.0, -magnitude, magnitude), is_float32(x))


def near_k0(x):
    """K0 of 0 < x <= 2: DLMF 10.31.2."""
    coefficients = (
        3.518631515854722e-14, 5.452564662772586e-12, 6.623013272794453e-10, 6.093361894172114e-08,
        4.054506619949891e-06, 0.0001828055582791554, 0.005053392643196092, 0.07177701034240509, 0.3404973210133806,
        -0.30362077291575545,
    )
    return polynomial(coefficients, 0.5 * x * x - 1.0) - np.log(0.5 * x) * near_i0(x)


def near_k1(x):
    coefficients = (
        -1.7896636751980973e-15, -3.0892180791024413e-13, -4.2354774875777465e-11, -4.473708980740444e-09,
        -3.4958297951001923e-07, -1.910976234234459e-05, -0.0006724746609653153, -0.013254642948920608,
        -0.10866462148495122, -0.057455856135205326,
    )
    return 1.0 / x + np.log(0.5 * x) * near_i1(x) + x * polynomial(coefficients, 0.5 * x * x - 1.0)


def far_k0(x):
    """K0(x) e^x of x >= 2."""
    coefficients = (
        1.0926983537268735e-10, -1.7597528809195706e-10, -3.119936129682105e-10, 4.3927260002107633e-10,
        8.133913205464114e-10, -1.2366923277096287e-09, 4.757544705776374e-11, -6.643878631843235e-10,
        3.808399859919043e-09, -8.025205604904476e-09, 1.7047535884249698e-08, -4.1056738724915364e-08,
        1.02954317593912e-07, -2.689759865539584e-07, 7.427801232190096e-07, -2.1911673837417864e-06,
        7.002245645755651e-06, -2.473520542848972e-05, 9.95605474202942e-05, -0.0004797690567328844,
        0.0030328918102753206, -0.031071461824889898, 1.2185953385133905,
    )
    return polynomial(coefficients, 4.0 / x - 1.0) / np.sqrt(x)


def far_k1(x):
    coefficients = (
        -1.1931668393112158e-10, 1.9273808087540517e-10, 3.3867804167808003e-10, -4.77441121785095e-10,
        -8.908596710923906e-10, 1.3615859404460648e-09, -8.336227195991456e-11, 7.966242798504094e-10,
        -4.331939985658629e-09, 9.213894020289533e-09, -1.9817577141591116e-08, 4.815434679085478e-08,
        -1.2203186351938403e-07, 3.230567198853934e-07, -9.067087633371393e-07, 2.7300301043527215e-06,
        -8.961207387750025e-06, 3.2843866502355955e-05, -0.00013959021956272223, 0.0007357241548718385,
        -0.005566729880074588, 0.10334973775386565, 1.363151890371342,
    )
    return polynomial(coefficients, 4.0 / x - 1.0) / np.sqrt(x)


def parts_of_k(x):
    """What is computed near 0, what is computed far from it, and what stands outside of both."""
    z = wide(x)
    return where_one((z > 0.0) & (z <= 2.0), z, 1.0), np.maximum(z, 2.0), where_one(z == 0.0, np.inf, np.nan), z


def of_three(z, near, far, outside):
    return where_one(z > 2.0, far, where_one(z > 0.0, near, outside))


def scipy_special_k0(x):
    near, far, outside, z = parts_of_k(x)
    return rounded(of_three(z, near_k0(near), np.exp(-far) * far_k0(far), outside), is_float32(x))


def scipy_special_k1(x):
    near, far, outside, z = parts_of_k(x)
    return rounded(of_three(z, near_k1(near), np.exp(-far) * far_k1(far), outside), is_float32(x))


def scipy_special_k0e(x):
    near, far, outside, z = parts_of_k(x)
    return rounded(of_three(z, np.exp(near) * near_k0(near), far_k0(far), outside), is_float32(x))


def scipy_special_k1e(x):
    near, far, outside, z = parts_of_k(x)
    return rounded(of_three(z, np.exp(near) * near_k1(near), far_k1(far), outside), is_float32(x))
