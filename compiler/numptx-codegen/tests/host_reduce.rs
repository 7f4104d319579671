//! Reductions on the host: every reducer on every dtype, every shape of kept and reduced axes, whole and in chunks, and the error of sums.

mod harness;

use harness::{Compiled, Launch, compile, decode, encode, processors, reduce_kernel, samples, ulps};
use numptx_codegen::accumulator_bytes;
use numptx_ir::DType;
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{Accumulator, BodyBuilder, Constant, Reducer, ScalarOp};

fn kernels() -> Vec<(Kernel, DType, Reducer)> {
    let mut kernels = Vec::new();
    for dtype in DType::ALL {
        for reducer in Reducer::ALL.into_iter().filter(|r| r.result(dtype).is_some()) {
            // One shape for every dtype, all shapes for a few.
            let shapes: &[(usize, usize)] = match dtype {
                DType::F32 | DType::I32 | DType::Bool => &[(1, 1), (2, 1), (3, 2), (3, 1)],
                _ => &[(2, 1)],
            };
            for &(rank, n_reduced) in shapes {
                let mut b = BodyBuilder::new();
                let input = b.input(0, dtype);
                let body = b.finish(vec![input]);
                let name = format!("{}_{}_{rank}_{n_reduced}", reducer.name(), dtype.short_name());
                kernels.push((reduce_kernel(&name, rank, n_reduced, body, &[dtype], vec![reducer]), dtype, reducer));
            }
        }
    }
    kernels
}

/// Axis orders in memory: C, and the kept axes innermost.
fn strides_of(dtype: DType, extents: &[i64], reversed: bool) -> Vec<i64> {
    let mut strides = vec![0; extents.len()];
    let mut step = dtype.itemsize() as i64;
    let axes: Vec<usize> = if reversed { (0..extents.len()).collect() } else { (0..extents.len()).rev().collect() };
    for axis in axes {
        strides[axis] = step;
        step *= extents[axis];
    }
    strides
}

struct Case<'a> {
    compiled: &'a Compiled,
    kernel: &'a Kernel,
    dtype: DType,
    reducer: Reducer,
    extents: Vec<i64>,
    reversed: bool,
}

impl Case<'_> {
    /// Compares results computed at once and in chunks with the interpreter's.
    fn check(&self, values: &[Constant]) {
        let kept = self.kernel.rank - self.kernel.n_reduced;
        let outputs: i64 = self.extents[..kept].iter().product();
        let elements: i64 = self.extents[kept..].iter().product();
        let strides = strides_of(self.dtype, &self.extents, self.reversed);
        let size = self.dtype.itemsize();
        let mut input = vec![0u8; values.len() * size];
        for (k, value) in values.iter().enumerate() {
            encode(*value, self.dtype, &mut input[k * size..]);
        }
        let result = self.reducer.result(self.dtype).expect("a result");
        let mut output = vec![0xccu8; (outputs.max(1) as usize) * result.itemsize()];
        let mut output_strides = strides_of(result, &self.extents[..kept], false);
        output_strides.resize(self.kernel.rank, 0);
        let launch = Launch {
            pointers: vec![input.as_mut_ptr(), output.as_mut_ptr()],
            scalars: Vec::new(),
            extents: self.extents.clone(),
            strides: [strides.clone(), output_strides].concat(),
        };
        let name = &self.kernel.name;
        // SAFETY: the arrays cover the iteration space.
        unsafe {
            let middle = outputs / 2;
            self.compiled.reduce(name, &launch, (0, middle), (0, elements), (std::ptr::null_mut(), 0));
            self.compiled.reduce(name, &launch, (middle, outputs), (0, elements), (std::ptr::null_mut(), 0));
        }
        self.compare(&output, values, &strides, "at once");
        let bytes = i64::from(accumulator_bytes(self.kernel));
        let (n_chunks, chunk) = (3, (elements + 2) / 3);
        let mut partials = vec![0u128; ((outputs * n_chunks * bytes) as usize).div_ceil(16).max(1)];
        output.fill(0xcc);
        for c in 0..n_chunks {
            let range = ((c * chunk).min(elements), ((c + 1) * chunk).min(elements));
            // SAFETY: accumulators of chunk `c` lie `n_chunks` apart.
            unsafe {
                let at = partials.as_mut_ptr().cast::<u8>().add((c * bytes) as usize);
                self.compiled.reduce(name, &launch, (0, outputs), range, (at, n_chunks * bytes));
            }
        }
        // SAFETY: there are `n_chunks` accumulators an output.
        unsafe { self.compiled.finish(name, &launch, (0, outputs), n_chunks, partials.as_ptr().cast()) };
        self.compare(&output, values, &strides, "in chunks");
    }

    fn compare(&self, output: &[u8], values: &[Constant], strides: &[i64], how: &str) {
        let kept = self.kernel.rank - self.kernel.n_reduced;
        let result = self.reducer.result(self.dtype).expect("a result");
        let linear = |mut n: i64, axes: std::ops::Range<usize>| -> i64 {
            let mut offset = 0;
            for axis in axes.rev() {
                offset += n % self.extents[axis] * strides[axis];
                n /= self.extents[axis];
            }
            offset
        };
        let outputs: i64 = self.extents[..kept].iter().product();
        let elements: i64 = self.extents[kept..].iter().product();
        for o in 0..outputs {
            let mut expected = Accumulator::new(self.reducer, self.dtype);
            for r in 0..elements {
                let offset = linear(o, 0..kept) + linear(r, kept..self.kernel.rank);
                expected.push(values[offset as usize / self.dtype.itemsize()]);
            }
            let got = decode(result, &output[o as usize * result.itemsize()..]);
            let context = format!("{} over {:?} {how}, output {o}", self.kernel.name, self.extents);
            self.agrees(got, expected.finish(), &context);
        }
    }

    fn agrees(&self, got: Constant, expected: Constant, context: &str) {
        // Values are small integers, so that sums and products of them are exact in any order but for the largest products.
        let near = |a: f64, b: f64| a == b || ulps(a, b, self.dtype) <= 64.0;
        let same = match (got, expected) {
            (Constant::Float(a), Constant::Float(b)) => near(a, b),
            (Constant::Complex(a, b), Constant::Complex(c, d)) => {
                let scale = c.hypot(d).max(1e-30);
                near(a, c) && near(b, d) || (a - c).hypot(b - d) / scale < 1e-5 || c.is_nan() || d.is_nan()
            }
            _ => got == expected,
        };
        assert!(same, "{context}: got {got:?}, expected {expected:?}");
    }
}

/// Small values; nans and infinities for the reducers that order.
fn values_for(dtype: DType, reducer: Reducer, n: usize) -> Vec<Constant> {
    let positional = !matches!(reducer, Reducer::Add | Reducer::Mul);
    let mut values = samples(dtype, n, 3);
    for (k, value) in values.iter_mut().enumerate() {
        match value {
            Constant::Float(x) if !positional => *x = ((k * 7) % 11) as f64 / 8.0 + 0.5,
            Constant::Complex(x, y) => (*x, *y) = (((k * 7) % 11) as f64 / 8.0, 0.5 - ((k * 3) % 5) as f64 / 4.0),
            Constant::Float(x) if x.is_nan() && k % 5 != 0 => *x = 1.0,
            _ => {}
        }
    }
    values
}

#[test]
fn reducers_shapes_and_chunks() {
    let kernels = kernels();
    let all: Vec<Kernel> = kernels.iter().map(|k| k.0.clone()).collect();
    for cpu in processors() {
        let compiled = compile(&all, cpu);
        for (kernel, dtype, reducer) in &kernels {
            let spaces: &[&[i64]] = match (kernel.rank, kernel.n_reduced) {
                (1, _) => &[&[1], &[7], &[128], &[1029]],
                (2, _) => &[&[5, 131], &[301, 9], &[1, 3], &[3, 1], &[0, 4]],
                (3, 2) => &[&[4, 5, 40], &[20, 33, 3], &[2, 1, 50]],
                _ => &[&[3, 17, 30], &[2, 300, 5]],
            };
            for extents in spaces {
                for reversed in [false, true] {
                    let n: i64 = extents.iter().product();
                    let extents = extents.to_vec();
                    let case =
                        Case { compiled: &compiled, kernel, dtype: *dtype, reducer: *reducer, extents, reversed };
                    case.check(&values_for(*dtype, *reducer, n as usize));
                }
            }
        }
    }
}

#[test]
fn empty_sums_are_zero() {
    let mut b = BodyBuilder::new();
    let x = b.input(0, DType::F64);
    let kernel = reduce_kernel("sum", 2, 1, b.finish(vec![x]), &[DType::F64], vec![Reducer::Add]);
    let compiled = compile(std::slice::from_ref(&kernel), "native");
    let mut output = [1.0f64; 3];
    let launch = Launch {
        pointers: vec![std::ptr::null_mut(), output.as_mut_ptr().cast()],
        scalars: Vec::new(),
        extents: vec![3, 0],
        strides: vec![0, 8, 8, 0],
    };
    // SAFETY: no element is read.
    unsafe { compiled.reduce("sum", &launch, (0, 3), (0, 0), (std::ptr::null_mut(), 0)) };
    assert_eq!(output, [0.0; 3]);
}

/// Ten million float32 summands of 0.1: naive summation is off by 8 %.
#[test]
fn float32_sums_are_accurate_along_either_axis() {
    let mut b = BodyBuilder::new();
    let x = b.input(0, DType::F32);
    let kernel = reduce_kernel("sum", 2, 1, b.finish(vec![x]), &[DType::F32], vec![Reducer::Add]);
    for cpu in processors() {
        let compiled = compile(std::slice::from_ref(&kernel), cpu);
        let n: i64 = 1_000_000;
        let columns: i64 = 10;
        let mut input = vec![0.1f32; (n * columns) as usize];
        for (kept, reduced) in [(4 * n, 4), (4, 4 * columns)] {
            let mut output = [0f32; 10];
            let launch = Launch {
                pointers: vec![input.as_mut_ptr().cast(), output.as_mut_ptr().cast()],
                scalars: Vec::new(),
                extents: vec![columns, n],
                strides: vec![kept, reduced, 4, 0],
            };
            // SAFETY: the array has n × columns elements.
            unsafe { compiled.reduce("sum", &launch, (0, columns), (0, n), (std::ptr::null_mut(), 0)) };
            let exact = f64::from(0.1f32) * n as f64;
            for sum in output {
                let error = (f64::from(sum) - exact).abs() / exact;
                assert!(error < 2e-4, "{cpu}, stride {reduced}: {sum} is off by {error:e}");
            }
        }
    }
}

/// Two reducers at once, one of them positional.
#[test]
fn sum_and_argmax_in_one_pass() {
    let mut b = BodyBuilder::new();
    let x = b.input(0, DType::F64);
    let body = b.finish(vec![x, x]);
    let kernel = reduce_kernel("both", 1, 1, body, &[DType::F64], vec![Reducer::Add, Reducer::ArgMax]);
    assert_eq!(accumulator_bytes(&kernel), 32);
    let compiled = compile(std::slice::from_ref(&kernel), "native");
    let mut input: Vec<f64> = (0..1000).map(|k| f64::from(k % 700)).collect();
    let (mut sum, mut argmax) = (0f64, 0i64);
    let launch = Launch {
        pointers: vec![input.as_mut_ptr().cast(), (&raw mut sum).cast(), (&raw mut argmax).cast()],
        scalars: Vec::new(),
        extents: vec![1000],
        strides: vec![8, 0, 0],
    };
    // SAFETY: the array has 1000 elements.
    unsafe { compiled.reduce("both", &launch, (0, 1), (0, 1000), (std::ptr::null_mut(), 0)) };
    assert_eq!((sum, argmax), (input.iter().sum(), 699));
}

/// A scaled sum, written through an epilogue that reads the kept index.
#[test]
fn epilogues_finish_reductions() {
    let mut b = BodyBuilder::new();
    let x = b.input(0, DType::F64);
    let mut kernel = reduce_kernel("mean", 2, 1, b.finish(vec![x]), &[DType::F64], vec![Reducer::Add]);
    let mut b = BodyBuilder::new();
    let (sum, index) = (b.input(0, DType::F64), b.index(0));
    let (quarter, row) = (b.constant(0.25, DType::F64), b.cast(index, DType::F64));
    let mean = b.op(ScalarOp::Mul, &[sum, quarter]);
    let moved = b.op(ScalarOp::Add, &[mean, row]);
    let phase = kernel.phases_mut().next().expect("one phase");
    phase.epilogue = Some(b.finish(vec![moved]));
    let compiled = compile(std::slice::from_ref(&kernel), "native");
    let mut input: Vec<f64> = (0..12).map(f64::from).collect();
    let mut output = [0f64; 3];
    let launch = Launch {
        pointers: vec![input.as_mut_ptr().cast(), output.as_mut_ptr().cast()],
        scalars: Vec::new(),
        extents: vec![3, 4],
        strides: vec![32, 8, 8, 0],
    };
    // SAFETY: the arrays have 3 × 4 and 3 elements.
    unsafe { compiled.reduce("mean", &launch, (0, 3), (0, 4), (std::ptr::null_mut(), 0)) };
    assert_eq!(output, [1.5, 6.5, 11.5]);
}
