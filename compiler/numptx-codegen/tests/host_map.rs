//! Elementwise host kernels over every layout: contiguous, strided, negative strides, broadcast, in place, empty, rank 0, indexed.

mod harness;

use harness::{Compiled, Launch, Random, compile, decode, encode, map_kernel, processors, samples};
use numptx_codegen::{CodegenOptions, HostTarget, emit_host_kernel, host_object, optimize_host};
use numptx_ir::DType;
use numptx_ir::kernel::{Access, Input, Kernel};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, ScalarOp, eval_body, library};

/// An array: memory with a margin on both sides, and where element 0 lies in it.
struct Array {
    memory: Vec<u8>,
    origin: usize,
    strides: Vec<i64>,
    dtype: DType,
}

impl Array {
    /// Strides in bytes, of any sign; filled with samples.
    fn new(dtype: DType, extents: &[i64], strides: &[i64], seed: u64) -> Array {
        let reach = |sign: i64| -> i64 {
            let along = extents.iter().zip(strides).map(|(n, s)| (n - 1).max(0) * (s * sign).max(0));
            along.sum()
        };
        let (before, after) = (reach(-1) as usize, reach(1) as usize);
        let size = dtype.itemsize();
        let n = (before + after) / size + 1;
        let mut memory = vec![0u8; n * size];
        for (k, value) in samples(dtype, n, seed).into_iter().enumerate() {
            encode(value, dtype, &mut memory[k * size..]);
        }
        Array { memory, origin: before, strides: strides.to_vec(), dtype }
    }

    fn position(&self, index: &[i64]) -> usize {
        let offset: i64 = index.iter().zip(&self.strides).map(|(i, s)| i * s).sum();
        (self.origin as i64 + offset) as usize
    }

    fn get(&self, index: &[i64]) -> Constant {
        decode(self.dtype, &self.memory[self.position(index)..])
    }

    fn pointer(&mut self) -> *mut u8 {
        self.memory[self.origin..].as_mut_ptr()
    }
}

fn points(extents: &[i64]) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for extent in extents {
        points = points.iter().flat_map(|p| (0..*extent).map(|i| [p.as_slice(), &[i]].concat())).collect();
    }
    points
}

fn c_strides(dtype: DType, extents: &[i64]) -> Vec<i64> {
    let mut strides = vec![dtype.itemsize() as i64; extents.len()];
    for axis in (1..extents.len()).rev() {
        strides[axis - 1] = strides[axis] * extents[axis];
    }
    strides
}

/// Runs a map of two inputs and one output in pieces of random sizes, and compares every element.
fn check(compiled: &Compiled, kernel: &Kernel, body: &Body, extents: &[i64], strides: [Vec<i64>; 3], scalar: f64) {
    let dtypes: Vec<DType> = kernel.operands.iter().map(|o| o.dtype).collect();
    let mut arrays: Vec<Array> = (0..3).map(|n| Array::new(dtypes[n], extents, &strides[n], n as u64 + 1)).collect();
    let before = arrays[2].memory.clone();
    let launch = Launch {
        pointers: arrays.iter_mut().map(Array::pointer).collect(),
        scalars: vec![[scalar.to_bits(), 0]],
        extents: extents.to_vec(),
        strides: strides.concat(),
    };
    let steps: i64 = extents.iter().rev().skip(1).product();
    // A single point lies flat.
    let variant = if extents.is_empty() { "flat" } else { "strided" };
    let mut random = Random(7);
    let mut begin = 0;
    while begin < steps {
        let end = (begin + 1 + (random.next() % 5) as i64).min(steps);
        // SAFETY: the arrays cover the iteration space.
        unsafe { compiled.map(&kernel.name, variant, &launch, begin, end) };
        begin = end;
    }
    let mut expected = before;
    for point in points(extents) {
        let inputs = [arrays[0].get(&point), arrays[1].get(&point), Constant::Float(scalar)];
        let value = eval_body(body, &inputs, &point)[0];
        encode(value, dtypes[2], &mut expected[arrays[2].position(&point)..]);
    }
    let same = arrays[2].memory == expected;
    assert!(same, "{} over {extents:?} with strides {strides:?} differs", kernel.name);
}

/// `scalar * x + y`, float64.
fn fused() -> Body {
    let mut b = BodyBuilder::new();
    let (x, y, a) = (b.input(0, DType::F64), b.input(1, DType::F64), b.input(2, DType::F64));
    let product = b.op(ScalarOp::Mul, &[a, x]);
    let finite = b.op(ScalarOp::FMax, &[product, y]);
    b.finish(vec![finite])
}

fn fused_kernel(name: &str, rank: usize) -> Kernel {
    let mut kernel = map_kernel(name, rank, fused(), &[DType::F64, DType::F64]);
    kernel.scalars.push(DType::F64);
    let phase = kernel.phases_mut().next().expect("one phase");
    phase.inputs.push(Input::Scalar(0));
    kernel
}

#[test]
fn layouts() {
    let mut kernels: Vec<Kernel> = (0..=4).map(|rank| fused_kernel(&format!("rank{rank}"), rank)).collect();
    // The second operand is a broadcast row at every launch.
    let mut broadcast = fused_kernel("broadcast", 2);
    broadcast.operands[1].fixed = vec![true, false];
    let mut column = fused_kernel("column", 2);
    column.operands[1].fixed = vec![false, true];
    kernels.extend([broadcast, column]);
    for cpu in processors() {
        let compiled = compile(&kernels, cpu);
        let run = |kernel: usize, extents: &[i64], strides: [Vec<i64>; 3]| {
            check(&compiled, &kernels[kernel], &fused(), extents, strides, 3.0);
        };
        let c = |extents: &[i64]| c_strides(DType::F64, extents);
        run(0, &[], [vec![], vec![], vec![]]);
        for n in [0, 1, 3, 64, 133] {
            run(1, &[n], [c(&[n]), c(&[n]), c(&[n])]);
            run(1, &[n], [vec![-8], vec![16], vec![24]]);
            run(1, &[n], [vec![0], vec![-24], vec![-8]]);
        }
        for extents in [[5, 37], [1, 9], [7, 1], [0, 4], [4, 0]] {
            let [rows, columns] = extents;
            run(2, &extents, [c(&extents), c(&extents), c(&extents)]);
            run(2, &extents, [vec![8, 8 * rows], c(&extents), c(&extents)]);
            run(2, &extents, [vec![0, 8], vec![8, 0], c(&extents)]);
            run(2, &extents, [vec![-8 * columns, 8], c(&extents), vec![8, 8 * rows]]);
            run(5, &extents, [c(&extents), vec![0, 8], c(&extents)]);
            run(6, &extents, [c(&extents), vec![8, 0], c(&extents)]);
            // As a launch permutes, merges or flips the axes.
            run(5, &extents, [c(&extents), vec![8, 0], c(&extents)]);
            run(6, &extents, [c(&extents), vec![0, -8], c(&extents)]);
            run(5, &extents, [c(&extents), c(&extents), c(&extents)]);
        }
        run(3, &[3, 4, 5], [c(&[3, 4, 5]), vec![8, 24, 96], c(&[3, 4, 5])]);
        run(3, &[3, 4, 5], [vec![-160, 40, -8], vec![0, 0, 0], c(&[3, 4, 5])]);
        run(4, &[2, 3, 4, 5], [c(&[2, 3, 4, 5]), vec![0, 160, 0, 8], c(&[2, 3, 4, 5])]);
    }
}

/// `x * index0 + index1` in place.
#[test]
fn in_place_and_indexed() {
    let mut b = BodyBuilder::new();
    let x = b.input(0, DType::I64);
    let (i, j) = (b.index(0), b.index(1));
    let product = b.op(ScalarOp::Mul, &[x, i]);
    let sum = b.op(ScalarOp::Add, &[product, j]);
    let body = b.finish(vec![sum]);
    let mut kernel = map_kernel("indexed", 2, body, &[DType::I64]);
    // One operand, read and written.
    kernel.operands.truncate(1);
    kernel.operands[0].access = Access::ReadWrite;
    let phase = kernel.phases_mut().next().expect("one phase");
    phase.stores[0].operand = 0;
    let compiled = compile(std::slice::from_ref(&kernel), "native");
    let mut values: Vec<i64> = (0..6 * 50).collect();
    let launch = Launch {
        pointers: vec![values.as_mut_ptr().cast()],
        scalars: Vec::new(),
        extents: vec![6, 50],
        strides: vec![400, 8],
    };
    // SAFETY: the array has 6 × 50 elements.
    unsafe { compiled.map("indexed", "strided", &launch, 0, 6) };
    let expected: Vec<i64> = (0..300).map(|k| k * (k / 50) + k % 50).collect();
    assert_eq!(values, expected);
}

/// `--emit llvm` optimises the module from which the object file is made afterwards.
#[test]
fn an_optimised_module_makes_an_object() {
    let context = inkwell::context::Context::create();
    let module = context.create_module("twice");
    let mut b = BodyBuilder::new();
    let x = b.input(0, DType::F32);
    let y = b.op(ScalarOp::Math(library::EXP), &[x]);
    let kernel = map_kernel("exp", 1, b.finish(vec![y]), &[DType::F32]);
    let functions = emit_host_kernel(&module, &kernel, &CodegenOptions::default()).expect("the kernel is emitted");
    functions.flat.expect("a map of one axis").set_linkage(inkwell::module::Linkage::External);
    let target = HostTarget::new("x86-64-v3").expect("a known processor");
    optimize_host(&module, &target).expect("a sound module");
    let text = module.print_to_string().to_string();
    assert!(text.contains("call <8 x float> @_ZGVdN8v_expf"));
    assert!(text.contains("\"tune-cpu\"=\"znver4\""), "a level is tuned for one of its newer processors");
    assert!(!host_object(&module, &target).expect("an object file").is_empty());
    assert!(HostTarget::new("i386").is_none());
}
