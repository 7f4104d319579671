//! What the tests of this crate share: elements in memory, kernels of one operation, compiled host code loaded into this process.

#![allow(dead_code)]

pub mod assembler;
pub mod nests;

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use inkwell::context::Context;
use inkwell::module::Linkage;
use numptx_abi::{Frame, HostMap, HostReduce, HostReduceFinish, HostScan, half};
use numptx_codegen::{CodegenOptions, HostKernel, HostTarget, emit_host_kernel, host_object};
use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::kernel::{Access, Input, Kernel, Node, Operand, Phase, Schedule, StoreTo};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, Reducer, ScalarOp};

/// Writes an element at the begin of `memory`.
pub fn encode(value: Constant, dtype: DType, memory: &mut [u8]) {
    let float = |x: f64, memory: &mut [u8]| match dtype.real() {
        DType::F16 => memory[..2].copy_from_slice(&half::from_f64(x).to_le_bytes()),
        DType::F32 => memory[..4].copy_from_slice(&(x as f32).to_le_bytes()),
        _ => memory[..8].copy_from_slice(&x.to_le_bytes()),
    };
    match value {
        Constant::Bool(b) => memory[0] = u8::from(b),
        Constant::Int(n) => memory[..dtype.itemsize()].copy_from_slice(&n.to_le_bytes()[..dtype.itemsize()]),
        Constant::Float(x) => float(x, memory),
        Constant::Complex(x, y) => {
            float(x, memory);
            float(y, &mut memory[dtype.itemsize() / 2..]);
        }
    }
}

/// Reads the element at the begin of `memory`.
pub fn decode(dtype: DType, memory: &[u8]) -> Constant {
    let float = |memory: &[u8]| match dtype.real() {
        DType::F16 => half::to_f64(u16::from_le_bytes(memory[..2].try_into().expect("two bytes"))),
        DType::F32 => f64::from(f32::from_le_bytes(memory[..4].try_into().expect("four bytes"))),
        _ => f64::from_le_bytes(memory[..8].try_into().expect("eight bytes")),
    };
    match dtype.kind() {
        Kind::Bool => Constant::Bool(memory[0] != 0),
        Kind::Float => Constant::Float(float(memory)),
        Kind::Complex => Constant::Complex(float(memory), float(&memory[dtype.itemsize() / 2..])),
        kind => {
            let mut bytes = [0u8; 8];
            bytes[..dtype.itemsize()].copy_from_slice(&memory[..dtype.itemsize()]);
            let negative = kind == Kind::Signed && memory[dtype.itemsize() - 1] >= 128;
            bytes[dtype.itemsize()..].fill(if negative { 255 } else { 0 });
            Constant::Int(i64::from_le_bytes(bytes))
        }
    }
}

/// Many values of a dtype: special ones first, then pseudo-random ones.
pub fn samples(dtype: DType, n: usize, seed: u64) -> Vec<Constant> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let special = special_values(dtype);
    let first = if seed == 0 { special.clone() } else { Vec::new() };
    let mut values = first;
    while values.len() < n {
        let pick = random.next() as usize;
        values.push(if pick.is_multiple_of(4) { special[pick / 4 % special.len()] } else { random.value(dtype) });
    }
    values.truncate(n);
    values
}

fn special_values(dtype: DType) -> Vec<Constant> {
    let bits = 8 * dtype.itemsize() as u32;
    match dtype.kind() {
        Kind::Bool => vec![Constant::Bool(false), Constant::Bool(true)],
        Kind::Signed => {
            let (low, high) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
            [0, 1, -1, 2, -2, 3, 7, -7, 10, 63, low, low + 1, high, high - 1].map(Constant::Int).to_vec()
        }
        Kind::Unsigned => {
            let high = (u64::MAX >> (64 - bits)) as i64;
            [0, 1, 2, 3, 7, 8, 31, 32, 63, 64, high, high - 1, high / 2].map(Constant::Int).to_vec()
        }
        Kind::Float => special_floats(dtype).into_iter().map(Constant::Float).collect(),
        Kind::Complex => {
            let parts = special_floats(dtype.real());
            let shifted = parts.iter().cycle().skip(5);
            parts.iter().zip(shifted).map(|(x, y)| Constant::Complex(*x, *y)).collect()
        }
    }
}

fn special_floats(dtype: DType) -> Vec<f64> {
    if dtype == DType::F16 {
        let ends = [2f64.powi(-24), 2f64.powi(-14), half::MAX, 2049.0, 1.0 + 2f64.powi(-10)];
        let both = ends.into_iter().chain(special_floats(DType::F32)).map(half::round);
        return both.flat_map(|x| [x, -x]).collect();
    }
    let single = dtype == DType::F32;
    let tiny = if single { f64::from(f32::from_bits(1)) } else { f64::from_bits(1) };
    let normal = if single { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
    let largest = if single { f64::from(f32::MAX) } else { f64::MAX };
    let inf = f64::INFINITY;
    let mut values = vec![0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -7.0, 10.0, inf, -inf, f64::NAN];
    values.extend([tiny, -tiny, normal, -normal, largest, -largest, 300.75, -300.75, 255.0, 256.0, 65536.5]);
    let powers = [31, 32, 63, 64].into_iter().flat_map(|n| [2f64.powi(n), -(2f64.powi(n))]);
    values.extend(powers);
    values.extend([2147483520.0, -2147483648.5, 4294967040.0, 9.223371e18, 1e19, 1.0e30, -1.0e30]);
    if single { values.into_iter().map(|x| f64::from(x as f32)).collect() } else { values }
}

/// A small generator: splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Of moderate size most of the time.
    fn value(&mut self, dtype: DType) -> Constant {
        match dtype.kind() {
            Kind::Bool => Constant::Bool(self.next() & 1 == 1),
            Kind::Signed | Kind::Unsigned => {
                let wide = self.next();
                let bits = if wide & 1 == 1 { wide } else { wide >> 58 };
                decode(dtype, &bits.to_le_bytes())
            }
            Kind::Float => Constant::Float(self.float(dtype)),
            Kind::Complex => Constant::Complex(self.float(dtype.real()), self.float(dtype.real())),
        }
    }

    fn float(&mut self, dtype: DType) -> f64 {
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        let scale = [1.0, 4.0, 100.0, 1e5, 1e-3][self.next() as usize % 5];
        let x = (unit - 0.5) * 2.0 * scale;
        match dtype {
            DType::F16 => half::round(x),
            DType::F32 => f64::from(x as f32),
            _ => x,
        }
    }
}

/// A map kernel: its body's inputs are the operands, in order; one output operand an output.
pub fn map_kernel(name: &str, rank: usize, body: Body, inputs: &[DType]) -> Kernel {
    let read = |dtype: &DType| Operand { dtype: *dtype, access: Access::Read, fixed: vec![false; rank], noalias: true };
    let mut operands: Vec<Operand> = inputs.iter().map(read).collect();
    let mut stores = Vec::new();
    for (output, val) in body.outputs.iter().enumerate() {
        stores.push(StoreTo { operand: operands.len(), output });
        let dtype = body.dtype(*val);
        operands.push(Operand { dtype, access: Access::Write, fixed: vec![false; rank], noalias: true });
    }
    let loads = (0..inputs.len()).map(Input::Load).collect();
    let phase = Phase {
        inputs: loads,
        body,
        reducers: Vec::new(),
        is_scan: false,
        epilogue: None,
        stores,
        scatters: Vec::new(),
        tiles: None,
    };
    kernel(name, rank, 0, operands, phase)
}

/// A reduction kernel: its body's inputs are the operands; the last `n_reduced` axes are reduced; one output operand a result.
pub fn reduce_kernel(
    name: &str,
    rank: usize,
    n_reduced: usize,
    body: Body,
    inputs: &[DType],
    reducers: Vec<Reducer>,
) -> Kernel {
    let read = |dtype: &DType| Operand { dtype: *dtype, access: Access::Read, fixed: vec![false; rank], noalias: true };
    let mut operands: Vec<Operand> = inputs.iter().map(read).collect();
    let mut stores = Vec::new();
    for (output, val) in body.outputs.iter().enumerate() {
        stores.push(StoreTo { operand: operands.len(), output });
        let dtype = reducers[output].result(body.dtype(*val)).expect("a reducer of this dtype");
        let fixed = (0..rank).map(|axis| axis >= rank - n_reduced).collect();
        operands.push(Operand { dtype, access: Access::Write, fixed, noalias: true });
    }
    let loads = (0..inputs.len()).map(Input::Load).collect();
    let scatters = Vec::new();
    let (is_scan, epilogue, tiles) = (false, None, None);
    let phase = Phase { inputs: loads, body, reducers, is_scan, epilogue, stores, scatters, tiles };
    kernel(name, rank, n_reduced, operands, phase)
}

/// A scan kernel along the last axis of an operand.
pub fn scan_kernel(name: &str, rank: usize, dtype: DType, reducer: Reducer) -> Kernel {
    let mut kernel = reduce_kernel(name, rank, 1, Body::identity(dtype), &[dtype], vec![reducer]);
    for phase in kernel.phases_mut() {
        phase.is_scan = true;
    }
    kernel.operands[1].fixed = vec![false; rank];
    kernel
}

/// `y[i] = x[i] * y[i - 1] + x[i]` along the last axis.
pub fn affine_kernel(name: &str, rank: usize, dtype: DType) -> Kernel {
    let mut kernel = scan_kernel(name, rank, dtype, Reducer::Add);
    for phase in kernel.phases_mut() {
        let value = phase.body.outputs[0];
        phase.body.outputs.push(value);
    }
    kernel
}

fn kernel(name: &str, rank: usize, n_reduced: usize, operands: Vec<Operand>, phase: Phase) -> Kernel {
    Kernel {
        name: name.to_string(),
        rank,
        n_reduced,
        operands,
        scalars: Vec::new(),
        tables: Vec::new(),
        body: vec![Node::Phase(phase)],
        schedule: Schedule { block: 256, vector: 4 },
    }
}

/// The body of one operation on inputs of the given dtypes; `result` for casts.
pub fn op_body(op: ScalarOp, dtypes: &[DType], result: DType) -> Body {
    let mut b = BodyBuilder::new();
    let inputs: Vec<_> = dtypes.iter().enumerate().map(|(n, dtype)| b.input(n as u32, *dtype)).collect();
    let value = if op == ScalarOp::Cast { b.cast(inputs[0], result) } else { b.op(op, &inputs) };
    b.finish(vec![value])
}

/// Every operation, library functions included, with every combination of operand dtypes, and the result's dtype.
pub fn all_operations() -> Vec<(ScalarOp, Vec<DType>, DType)> {
    let mut all = Vec::new();
    for dtype in DType::ALL {
        for op in ScalarOp::all() {
            let dtypes = match op {
                ScalarOp::Select => vec![DType::Bool, dtype, dtype],
                ScalarOp::Ldexp => vec![dtype, DType::I32],
                op => vec![dtype; op.arity()],
            };
            all.extend(op.result(&dtypes).map(|result| (op, dtypes, result)));
        }
        all.extend(DType::ALL.into_iter().filter(|to| *to != dtype).map(|to| (ScalarOp::Cast, vec![dtype], to)));
    }
    all
}

/// Compiled kernels, loaded.
pub struct Compiled {
    library: libloading::Library,
    path: PathBuf,
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Processors whose code is compared: the oldest, and this one. With `NUMPTX_QUICK=1` in the environment the oldest alone: Python's tests run
/// code for this one.
pub fn processors() -> &'static [&'static str] {
    if is_quick() { &["x86-64"] } else { &["x86-64", "native"] }
}

/// Whether `NUMPTX_QUICK=1` asks for a sample.
pub fn is_quick() -> bool {
    std::env::var("NUMPTX_QUICK").is_ok_and(|quick| quick == "1")
}

/// Compiles kernels for a processor and loads them.
pub fn compile(kernels: &[Kernel], cpu: &str) -> Compiled {
    let context = Context::create();
    let module = context.create_module("test");
    for kernel in kernels {
        let HostKernel { flat, strided, reduce, finish, scan } =
            emit_host_kernel(&module, kernel, &CodegenOptions::default()).expect("the kernel is emitted");
        for function in [flat, strided, reduce, finish, scan].into_iter().flatten() {
            function.set_linkage(Linkage::External);
        }
    }
    let object = host_object(&module, &HostTarget::new(cpu).expect("a known processor")).expect("an object file");
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("numptx-codegen-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(format!("{name}.so"));
    let object_path = std::env::temp_dir().join(format!("{name}.o"));
    std::fs::write(&object_path, object).expect("the object is written");
    let status =
        Command::new("cc").arg("-shared").arg("-o").arg(&path).arg(&object_path).args(["-lmvec", "-lm"]).status();
    assert!(status.expect("cc runs").success());
    std::fs::remove_file(&object_path).expect("the object is removed");
    // SAFETY: the library has no constructors.
    let library = unsafe { libloading::Library::new(&path) }.expect("the library loads");
    Compiled { library, path }
}

/// The operands and the space of one call.
pub struct Launch {
    pub pointers: Vec<*mut u8>,
    pub scalars: Vec<[u64; 2]>,
    pub extents: Vec<i64>,
    pub strides: Vec<i64>,
}

impl Launch {
    fn frame(&self) -> Frame {
        Frame {
            pointers: self.pointers.as_ptr(),
            scalars: self.scalars.as_ptr(),
            extents: self.extents.as_ptr(),
            strides: self.strides.as_ptr(),
            watch: std::ptr::null(),
        }
    }
}

impl Compiled {
    /// # Safety
    /// The launch describes memory that the kernel may touch.
    pub unsafe fn map(&self, kernel: &str, variant: &str, launch: &Launch, begin: i64, end: i64) {
        let name = format!("{kernel}__host_{variant}");
        // SAFETY: the function has this type.
        let function = unsafe { self.library.get::<HostMap>(name.as_bytes()) }.expect("the function is there");
        // SAFETY: as the caller says.
        unsafe { function(&launch.frame(), begin, end) }
    }

    /// # Safety
    /// The launch describes memory that the kernel may touch.
    pub unsafe fn reduce(
        &self,
        kernel: &str,
        launch: &Launch,
        outputs: (i64, i64),
        elements: (i64, i64),
        partials: (*mut u8, i64),
    ) {
        let name = format!("{kernel}__host_reduce");
        // SAFETY: the function has this type.
        let function = unsafe { self.library.get::<HostReduce>(name.as_bytes()) }.expect("the function is there");
        // SAFETY: as the caller says.
        unsafe { function(&launch.frame(), outputs.0, outputs.1, elements.0, elements.1, partials.0, partials.1) }
    }

    /// Accumulators lie side by side, `chunks.2` a row from `chunks.0`; the one at `chunks.1` is written, or those before it are gone on from.
    ///
    /// # Safety
    /// The launch describes memory that the kernel may touch.
    pub unsafe fn scan(
        &self,
        kernel: &str,
        launch: &Launch,
        rows: (i64, i64),
        elements: (i64, i64),
        chunks: (*mut u8, i64, i64),
        mode: i64,
    ) {
        let name = format!("{kernel}__host_scan");
        // SAFETY: the function has this type.
        let function = unsafe { self.library.get::<HostScan>(name.as_bytes()) }.expect("the function is there");
        let (carries, index, n_chunks) = chunks;
        // SAFETY: as the caller says.
        unsafe { function(&launch.frame(), rows.0, rows.1, elements.0, elements.1, carries, index, n_chunks, mode) }
    }

    /// # Safety
    /// The launch describes memory that the kernel may touch.
    pub unsafe fn finish(
        &self,
        kernel: &str,
        launch: &Launch,
        outputs: (i64, i64),
        n_chunks: i64,
        partials: *const u8,
    ) {
        let name = format!("{kernel}__host_finish");
        // SAFETY: the function has this type.
        let function = unsafe { self.library.get::<HostReduceFinish>(name.as_bytes()) }.expect("the function is there");
        // SAFETY: as the caller says.
        unsafe { function(&launch.frame(), outputs.0, outputs.1, n_chunks, partials) }
    }
}

/// Distance in units of the last place of `expected`; nans equal each other.
pub fn ulps(got: f64, expected: f64, dtype: DType) -> f64 {
    if got == expected || got.is_nan() && expected.is_nan() {
        return 0.0;
    }
    if !got.is_finite() || !expected.is_finite() {
        return f64::INFINITY;
    }
    let (digits, lowest) = match dtype.real() {
        DType::F16 => (11, -24),
        DType::F32 => (24, -149),
        _ => (53, -1074),
    };
    let exponent = if expected == 0.0 { lowest } else { expected.abs().log2().floor() as i32 + 1 - digits };
    (got - expected).abs() / 2f64.powi(exponent.max(lowest))
}
