//! Scans on the host: every reducer, and sums with factors, on every dtype. Rows lie one after the other and side by side. Scans run whole, in chunks of one
//! pass and of two, and in place. All are compared with the kernel interpreter.

mod harness;

use harness::{Compiled, Launch, affine_kernel, compile, decode, encode, samples, scan_kernel};
use numptx_abi::Kernel as Abi;
use numptx_codegen::accumulator_bytes;
use numptx_ir::DType;
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{Constant, Reducer};

/// Extents of the rows and of the axis that is run along; strides in elements.
const SPACES: [([i64; 2], [i64; 2]); 6] = [
    ([3, 7], [7, 1]),
    ([20, 9], [1, 20]),
    ([300, 5], [1, 300]),
    ([1, 33], [33, 1]),
    ([9, 1], [1, 1]),
    ([4, 6], [12, 2]),
];

struct Case<'a> {
    compiled: &'a Compiled,
    kernel: &'a Kernel,
    dtype: DType,
    reducer: Reducer,
    extents: [i64; 2],
    strides: [i64; 2],
}

impl Case<'_> {
    fn has_factor(&self) -> bool {
        self.kernel.phases().any(|phase| phase.has_factor())
    }

    fn at(&self, row: i64, i: i64) -> usize {
        (row * self.strides[0] + i * self.strides[1]) as usize
    }

    fn check(&self) {
        let size = self.dtype.itemsize();
        let n = self.at(self.extents[0] - 1, self.extents[1] - 1) + 1;
        let values = self.values(n);
        let mut input = vec![0u8; n * size];
        for (k, value) in values.iter().enumerate() {
            encode(*value, self.dtype, &mut input[k * size..]);
        }
        let whole = self.run(&mut input.clone(), None, 1, false);
        self.compare(&whole, &values, "whole");
        for n_chunks in [1, 2, 4] {
            for two_passes in [false, true] {
                let chunked = self.run(&mut input.clone(), None, n_chunks, two_passes);
                self.compare(&chunked, &values, &format!("{n_chunks} chunks, two passes: {two_passes}"));
            }
        }
        let mut array = input.clone();
        let in_place = self.run(&mut input, Some(&mut array), 3, true);
        self.compare(&in_place, &values, "in place");
    }

    /// The output; `in_place`: the array that is read and written instead of the input and another one.
    fn run(&self, input: &mut [u8], in_place: Option<&mut [u8]>, n_chunks: i64, two_passes: bool) -> Vec<u8> {
        let size = self.dtype.itemsize() as i64;
        let mut output = vec![0xcc; input.len()];
        let pointers = match in_place {
            Some(array) => {
                output = array.to_vec();
                vec![output.as_mut_ptr(), output.as_mut_ptr()]
            }
            None => vec![input.as_mut_ptr(), output.as_mut_ptr()],
        };
        let strides = self.strides.map(|s| s * size);
        let launch = Launch {
            pointers,
            scalars: Vec::new(),
            extents: self.extents.to_vec(),
            strides: [strides, strides].concat(),
        };
        let bytes = i64::from(accumulator_bytes(self.kernel));
        let mut totals = vec![0u128; (self.extents[0] * n_chunks * bytes) as usize / 16 + 1];
        let chunk = (self.extents[1] + n_chunks - 1) / n_chunks;
        let modes = if two_passes { vec![Abi::TOTALS, Abi::STORES] } else { vec![Abi::STORES | Abi::TOTALS] };
        for mode in modes {
            for index in 0..n_chunks {
                let range = ((index * chunk).min(self.extents[1]), ((index + 1) * chunk).min(self.extents[1]));
                let chunks = (totals.as_mut_ptr().cast(), index, n_chunks);
                // SAFETY: the arrays cover the space, and there are `n_chunks` accumulators a row.
                unsafe { self.compiled.scan(&self.kernel.name, &launch, (0, self.extents[0]), range, chunks, mode) };
            }
        }
        output
    }

    fn read(&self, output: &[u8]) -> Vec<Constant> {
        let size = self.dtype.itemsize();
        (0..self.extents[0])
            .flat_map(|row| (0..self.extents[1]).map(move |i| (row, i)))
            .map(|(row, i)| decode(self.dtype, &output[self.at(row, i) * size..]))
            .collect()
    }

    fn compare(&self, output: &[u8], values: &[Constant], how: &str) {
        let mut found = self.read(output).into_iter();
        for row in 0..self.extents[0] {
            let mut total: Option<Constant> = None;
            for i in 0..self.extents[1] {
                let value = values[self.at(row, i)];
                let scaled =
                    |total| if self.has_factor() { Reducer::Mul.combine(value, total, self.dtype) } else { total };
                let next = total.map_or(value, |total| self.reducer.combine(scaled(total), value, self.dtype));
                total = Some(next);
                let got = found.next().expect("an element");
                let place = format!("{} over {:?} {how}, [{row}, {i}]", self.kernel.name, self.extents);
                assert!(agrees(got, next), "{place}: got {got:?}, expected {next:?}");
            }
        }
    }

    /// Sums and products of these are exact in any order, so that all ways of computing them are equal.
    fn values(&self, n: usize) -> Vec<Constant> {
        let rounds = matches!(self.reducer, Reducer::Add | Reducer::Mul);
        let small = [1.0, -2.0, 0.5, -1.0, 2.0, 1.0, -0.5];
        let (real, imaginary) = ([1.0, 0.0, -1.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0, -1.0]);
        match self.dtype {
            dtype if dtype.is_float() && rounds => (0..n).map(|k| Constant::Float(small[k % 7])).collect(),
            dtype if dtype.is_complex() => {
                (0..n).map(|k| Constant::Complex(real[k % 5], imaginary[k * 3 % 5])).collect()
            }
            dtype => samples(dtype, n, 0),
        }
    }
}

fn agrees(got: Constant, expected: Constant) -> bool {
    match (got, expected) {
        (Constant::Float(a), Constant::Float(b)) => a == b || a.is_nan() && b.is_nan(),
        (Constant::Complex(a, b), Constant::Complex(c, d)) => a == c && b == d,
        _ => got == expected,
    }
}

#[test]
fn every_reducer_in_every_shape() {
    let mut kernels = Vec::new();
    for dtype in DType::ALL {
        for reducer in Reducer::ALL.into_iter().filter(|r| !r.is_positional() && r.result(dtype).is_some()) {
            let name = format!("{}_{}", reducer.name(), dtype.short_name());
            kernels.push((scan_kernel(&name, 2, dtype, reducer), dtype, reducer));
        }
        if Reducer::Add.result(dtype).is_some() {
            let name = format!("affine_{}", dtype.short_name());
            kernels.push((affine_kernel(&name, 2, dtype), dtype, Reducer::Add));
        }
    }
    let plain: Vec<Kernel> = kernels.iter().map(|k| k.0.clone()).collect();
    let compiled = compile(&plain, "x86-64-v3");
    for (kernel, dtype, reducer) in &kernels {
        for (extents, strides) in SPACES {
            Case { compiled: &compiled, kernel, dtype: *dtype, reducer: *reducer, extents, strides }.check();
        }
    }
}
