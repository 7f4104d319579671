"""Error functions, the normal distribution, and their inverses. Coefficients are Chebyshev fits in 50 digits of what the functions name."""
import numpy as np


def scipy_special_erf(x):
    return rounded(elementwise("erf", wide(x)), is_float32(x))


def scipy_special_erfc(x):
    return rounded(elementwise("erfc", wide(x)), is_float32(x))


def scipy_special_ndtr(x):
    return rounded(0.5 * elementwise("erfc", wide(x) * -0.7071067811865476), is_float32(x))


def scaled_complement(z):
    """exp(z^2) erfc(z) of z >= 0: (1 + 2 z) times it is a polynomial of (z - 3.75) / (z + 3.75); Shepherd and Laframboise, Math. Comp. 36 (1981)."""
    coefficients = (
        4.2514714447963895e-10, 3.1114333809799254e-10, -5.1739902140113095e-09, -3.744210080962018e-09,
        3.8675334242222354e-08, 2.3263508708859124e-08, -2.5866850716155884e-07, -5.7218230603224086e-08,
        1.751637648849062e-06, -9.73559896736775e-07, -1.1444146237700524e-05, 2.238423915508223e-05,
        5.164909889268241e-05, -0.0002901540805408417, 0.0002937136655913448, 0.0017556258528952954,
        -0.009746579558029276, 0.028362277418956406, -0.05869339858963677, 0.09230432116037748, -0.10880393014174886,
        0.0822767384901452, 0.0035854154854644293, -0.14024059858554697, 1.2375126308378275,
    )
    # Beyond that it is 1 / (z sqrt(pi)), and the quotients would be of infinities.
    held = np.minimum(z, 1e15)
    return where_one(z > 1e15, 0.5641895835477563 / z, polynomial(coefficients, (held - 3.75) / (held + 3.75)) / (1.0 + 2.0 * held))


def scipy_special_erfcx(x):
    z = wide(x)
    right = scaled_complement(np.abs(z))
    return rounded(where_one(z < 0.0, 2.0 * exp_of_square(z) - right, right), is_float32(x))


def exp_of_square(z):
    """exp(z^2), with what the rounded square leaves: z is split into parts of 26 bits."""
    bounded = np.minimum(np.abs(z), 30.0)
    high = np.floor(bounded * 1048576.0) / 1048576.0
    return np.exp(high * high) * np.exp((bounded - high) * (bounded + high))


def scipy_special_log_ndtr(x):
    z = wide(x) * 0.7071067811865476
    is_left = z < -0.7
    left = np.log(0.5 * scaled_complement(np.maximum(-z, 0.0))) - z * z
    right = np.log1p(-0.5 * elementwise("erfc", np.maximum(z, -0.7)))
    return rounded(where_one(is_left, left, where_one(np.isnan(z), np.nan, right)), is_float32(x))


def inverse_over_argument(w):
    """erfinv(y) / y by w = -log(1 - y^2), in three ranges, as Giles has it (GPU Computing Gems, 2011); in the last one by 1 / sqrt(w)."""
    first = (
        -2.5466157998892667e-10, 7.680990475576525e-10, 1.4461050507676023e-09, -8.557984074479201e-09,
        5.039596477958063e-09, 3.9142671001331085e-08, -9.905042307855316e-08, -1.0167881522843899e-08,
        5.397895417173957e-07, -1.059336931327948e-06, -6.839448584111029e-07, 7.1300663740767115e-06,
        -1.12572237422896e-05, -1.5027713926607673e-05, 9.336736525855553e-05, -0.00011688883906368398,
        -0.00026439366376450275, 0.001232485568550093, -0.001271692268923054, -0.004137314377403391,
        0.017808361818321756, -0.022604447453450232, -0.05892256710377839, 0.7504943200799635, 1.6536545626831027,
    )
    second = (
        2.2633329964520285e-10, -7.514284210832406e-10, -1.2376985490060937e-10, 5.347818150200701e-09,
        -1.553471540912653e-08, 1.805789229048503e-08, 4.381453211118409e-08, -2.6894071905729366e-07,
        5.774561520477973e-07, -1.498629583269335e-07, -2.8669592783252883e-06, 9.40990696197223e-06,
        -1.3385618677501734e-05, -5.4820677585479496e-06, 7.842383559137187e-05, -0.00022508928742688973,
        0.00043077122999420075, -0.0006798558569139953, 0.001093456383789744, -0.002063175087707539,
        0.0032768662191013515, 1.0073688127440552, 3.3354857170835537,
    )
    third = (
        3.2350717657677415e-09, -4.2098361958206485e-09, -1.7814949099101993e-08, 2.197632411426098e-08,
        4.806227341877974e-08, -5.6825329714799845e-08, -7.614836106443757e-08, 8.56052290817973e-08,
        8.454508091614219e-08, -9.311733246520922e-08, -5.650207645430131e-08, 5.614936593912961e-08,
        4.888130617095519e-08, -5.814658169397963e-08, 3.0106963947776106e-08, -6.345126037273323e-08,
        1.3697201725898154e-07, -2.4416257922401297e-07, 4.4685426510297196e-07, -8.55940534721811e-07,
        1.703082644341147e-06, -3.5579219412741186e-06, 7.919549072460253e-06, -1.898812126453159e-05,
        5.117626675483762e-05, -0.00019246940576670695, 0.0010055857860669813, -0.001935736083816463,
        -0.01726030284223738, 0.9838460807801913,
    )
    root = np.sqrt(w)
    near = polynomial(first, np.minimum(w, 6.25) / 3.125 - 1.0)
    middle = polynomial(second, np.minimum(np.maximum(root, 2.5), 4.5) - 3.5)
    held = np.minimum(np.maximum(root, 4.5), 27.5)
    least, most = 1 / 27.5, 1 / 4.5
    far = held * polynomial(third, (2.0 / held - (most + least)) / (most - least))
    return where_one(w < 6.25, near, where_one(root < 4.5, middle, far))


def inverse_error(y):
    product = (1.0 - y) * (1.0 + y)
    is_inside = product > 0.0
    inside = y * inverse_over_argument(-np.log(where_one(is_inside, product, 1.0)))
    return where_one(is_inside, inside, where_one(np.abs(y) == 1.0, y * np.inf, np.nan))


def inverse_complement(q):
    """By y = 1 - q, of which 1 - y^2 = q (2 - q) has all digits."""
    product = q * (2.0 - q)
    is_inside = product > 0.0
    inside = (q - 1.0) * -inverse_over_argument(-np.log(where_one(is_inside, product, 1.0)))
    return where_one(is_inside, inside, where_one(q == 0.0, np.inf, where_one(q == 2.0, -np.inf, np.nan)))


def scipy_special_erfinv(x):
    return rounded(inverse_error(wide(x)) + 0.0, place_in_single(x) > 2)


def scipy_special_erfcinv(x):
    return rounded(inverse_complement(wide(x)), place_in_single(x) > 2)


def scipy_special_ndtri(x):
    return rounded(-1.4142135623730951 * inverse_complement(2.0 * wide(x)), place_in_single(x) > 2)
