//! Kernels as a compiler would make them: host functions in Rust, descriptors, and PTX that lists the device variants.

use std::ffi::CString;
use std::sync::atomic::AtomicPtr;

use numptx_abi::{Frame, HostMap, HostReduce, HostReduceFinish, Image, Kernel, Module, OperandInfo, dtype};

/// Address of an operand's element.
fn element<const RANK: usize>(frame: &Frame, operand: usize, index: &[i64; RANK]) -> *mut u8 {
    // SAFETY: frames hold a pointer an operand and a stride an operand and axis.
    unsafe {
        let strides = std::slice::from_raw_parts(frame.strides.add(operand * RANK), RANK);
        let offset: i64 = index.iter().zip(strides).map(|(i, s)| i * s).sum();
        (*frame.pointers.add(operand)).wrapping_offset(offset as isize)
    }
}

fn extents<const RANK: usize>(frame: &Frame) -> [i64; RANK] {
    // SAFETY: frames hold an extent an axis.
    std::array::from_fn(|axis| unsafe { *frame.extents.add(axis) })
}

/// The index of a linear position over the axes `first..last`, in C order.
fn unravel<const RANK: usize>(
    extents: &[i64; RANK],
    first: usize,
    last: usize,
    mut linear: i64,
    index: &mut [i64; RANK],
) {
    for axis in (first..last).rev() {
        index[axis] = linear % extents[axis];
        linear /= extents[axis];
    }
}

fn scalar(frame: &Frame, k: usize) -> f64 {
    // SAFETY: frames hold as many scalars as the kernel has.
    f64::from_bits(unsafe { (*frame.scalars.add(k))[0] })
}

/// `out = a * x + y` on contiguous operands.
unsafe extern "C" fn axpy_flat(frame: *const Frame, begin: i64, end: i64) {
    // SAFETY: the runtime passes a frame whose operands hold the elements.
    unsafe {
        let frame = &*frame;
        let at = |k: usize, i: i64| (*frame.pointers.add(k)).cast::<f64>().offset(i as isize);
        for i in begin..end {
            at(2, i).write(scalar(frame, 0) * at(0, i).read() + at(1, i).read());
        }
    }
}

/// `out = a * x + y`.
unsafe extern "C" fn axpy_strided<const RANK: usize>(frame: *const Frame, begin: i64, end: i64) {
    // SAFETY: as above.
    unsafe {
        let frame = &*frame;
        let all = extents::<RANK>(frame);
        let last = if RANK == 0 { 1 } else { all[RANK - 1] };
        for outer in begin..end {
            let mut index = [0; RANK];
            if RANK > 0 {
                unravel(&all, 0, RANK - 1, outer, &mut index);
            }
            for i in 0..last {
                if RANK > 0 {
                    index[RANK - 1] = i;
                }
                let x = element(frame, 0, &index).cast::<f64>().read_unaligned();
                let y = element(frame, 1, &index).cast::<f64>().read_unaligned();
                element(frame, 2, &index).cast::<f64>().write_unaligned(scalar(frame, 0) * x + y);
            }
        }
    }
}

/// `out = x + 100 * y`.
unsafe extern "C" fn outer_strided(frame: *const Frame, begin: i64, end: i64) {
    // SAFETY: as above.
    unsafe {
        let frame = &*frame;
        let [_, last] = extents::<2>(frame);
        for i in begin..end {
            for j in 0..last {
                let x = element(frame, 0, &[i, j]).cast::<f64>().read();
                let y = element(frame, 1, &[i, j]).cast::<f64>().read();
                element(frame, 2, &[i, j]).cast::<f64>().write(x + 100.0 * y);
            }
        }
    }
}

/// `out[i, j] = 10 * i + j`: reads the axes' indices.
unsafe extern "C" fn index_strided(frame: *const Frame, begin: i64, end: i64) {
    // SAFETY: as above.
    unsafe {
        let frame = &*frame;
        let [_, last] = extents::<2>(frame);
        for i in begin..end {
            for j in 0..last {
                element(frame, 0, &[i, j]).cast::<f64>().write((10 * i + j) as f64);
            }
        }
    }
}

/// A reduction whose result tells the order: `v = v * 3 + x`, wrapping. The accumulator is the value and the power of 3 to shift it by.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Folded {
    value: u64,
    shift: u64,
}

impl Folded {
    const EMPTY: Folded = Folded { value: 0, shift: 1 };

    fn then(self, next: Folded) -> Folded {
        Folded {
            value: self.value.wrapping_mul(next.shift).wrapping_add(next.value),
            shift: self.shift.wrapping_mul(next.shift),
        }
    }
}

/// Operand 0 is read, operand 1 written; the last `REDUCED` of `RANK` axes are reduced.
unsafe extern "C" fn fold<const RANK: usize, const REDUCED: usize>(
    frame: *const Frame,
    begin: i64,
    end: i64,
    first: i64,
    last: i64,
    partials: *mut u8,
    partial_stride: i64,
) {
    // SAFETY: the runtime passes a frame whose operands hold the elements, and room for the accumulators.
    unsafe {
        let frame = &*frame;
        let all = extents::<RANK>(frame);
        for output in begin..end {
            let mut index = [0; RANK];
            unravel(&all, 0, RANK - REDUCED, output, &mut index);
            let mut sum = Folded::EMPTY;
            for i in first..last {
                unravel(&all, RANK - REDUCED, RANK, i, &mut index);
                let x = element(frame, 0, &index).cast::<u64>().read();
                sum = sum.then(Folded { value: x, shift: 3 });
            }
            if partials.is_null() {
                index[RANK - REDUCED..].fill(0);
                element(frame, 1, &index).cast::<u64>().write(sum.value);
            } else {
                partials.offset(((output - begin) * partial_stride) as isize).cast::<Folded>().write(sum);
            }
        }
    }
}

unsafe extern "C" fn fold_finish<const RANK: usize, const REDUCED: usize>(
    frame: *const Frame,
    begin: i64,
    end: i64,
    n_chunks: i64,
    partials: *const u8,
) {
    // SAFETY: as above.
    unsafe {
        let frame = &*frame;
        let all = extents::<RANK>(frame);
        for output in begin..end {
            let mut sum = Folded::EMPTY;
            for chunk in 0..n_chunks {
                let at = (output - begin) * n_chunks + chunk;
                sum = sum.then(partials.cast::<Folded>().offset(at as isize).read());
            }
            let mut index = [0; RANK];
            unravel(&all, 0, RANK - REDUCED, output, &mut index);
            element(frame, 1, &index).cast::<u64>().write(sum.value);
        }
    }
}

/// What a test needs to say of a kernel.
pub struct Spec {
    name: String,
    rank: u8,
    n_reduced: u8,
    flags: u16,
    operands: Vec<OperandInfo>,
    n_scalars: u32,
    flat: Option<HostMap>,
    strided: Option<HostMap>,
    reduce: Option<HostReduce>,
    finish: Option<HostReduceFinish>,
}

fn info(code: u8, access: u8) -> OperandInfo {
    OperandInfo { dtype: code, itemsize: dtype::ITEMSIZE[usize::from(code)], access, scalar: 0 }
}

/// `out = a * x + y`, float64.
pub fn axpy(rank: u8) -> Spec {
    const STRIDED: [HostMap; 5] =
        [axpy_strided::<0>, axpy_strided::<1>, axpy_strided::<2>, axpy_strided::<3>, axpy_strided::<4>];
    let read = info(dtype::FLOAT64, OperandInfo::READ);
    Spec {
        name: format!("axpy{rank}"),
        rank,
        n_reduced: 0,
        flags: 0,
        operands: vec![read, read, info(dtype::FLOAT64, OperandInfo::WRITE)],
        n_scalars: 1,
        flat: Some(axpy_flat),
        strided: Some(STRIDED[usize::from(rank)]),
        reduce: None,
        finish: None,
    }
}

/// `out = x + 100 * y`, float64.
pub fn outer() -> Spec {
    Spec { name: "outer".to_string(), flat: None, strided: Some(outer_strided), ..axpy(2) }
}

/// `out[i, j] = 10 * i + j`, float64.
pub fn index() -> Spec {
    Spec {
        name: "index".to_string(),
        rank: 2,
        n_reduced: 0,
        flags: Kernel::INDEXED,
        operands: vec![info(dtype::FLOAT64, OperandInfo::WRITE)],
        n_scalars: 0,
        flat: None,
        strided: Some(index_strided),
        reduce: None,
        finish: None,
    }
}

/// The ordered fold, uint64.
pub fn folding(rank: u8, n_reduced: u8) -> Spec {
    type Pair = (HostReduce, HostReduceFinish);
    let (reduce, finish): Pair = match (rank, n_reduced) {
        (1, 1) => (fold::<1, 1>, fold_finish::<1, 1>),
        (2, 1) => (fold::<2, 1>, fold_finish::<2, 1>),
        (2, 2) => (fold::<2, 2>, fold_finish::<2, 2>),
        (3, 1) => (fold::<3, 1>, fold_finish::<3, 1>),
        (3, 2) => (fold::<3, 2>, fold_finish::<3, 2>),
        _ => (fold::<4, 2>, fold_finish::<4, 2>),
    };
    Spec {
        name: format!("fold{rank}_{n_reduced}"),
        rank,
        n_reduced,
        flags: Kernel::ORDERED,
        operands: vec![info(dtype::UINT64, OperandInfo::READ), info(dtype::UINT64, OperandInfo::WRITE)],
        n_scalars: 0,
        flat: None,
        strided: None,
        reduce: Some(reduce),
        finish: Some(finish),
    }
}

const MAP_VARIANTS: [&str; 3] = ["flat32", "strided32", "strided64"];
const REDUCE_VARIANTS: [&str; 3] = ["fold32", "fold64", "finish64"];

/// PTX that the mock driver accepts: a version, a target, an entry a variant.
fn ptx(version: &str, specs: &[Spec]) -> CString {
    let mut text = format!("//\n.version {version}\n.target sm_75\n.address_size 64\n");
    for spec in specs {
        let variants = if spec.reduce.is_some() { &REDUCE_VARIANTS[..] } else { &MAP_VARIANTS[..] };
        for variant in variants {
            text.push_str(&format!(".visible .entry {}__{variant}()\n{{ ret; }}\n", spec.name));
        }
    }
    CString::new(text).expect("no null character was put in")
}

fn leak<T>(values: Vec<T>) -> *const T {
    Box::leak(values.into_boxed_slice()).as_ptr()
}

/// A module with these kernels whose PTX says this version. It lives as long as the process, as generated libraries do.
pub fn module_of(version: &str, specs: Vec<Spec>) -> &'static Module {
    let text = ptx(version, &specs);
    let bytes = text.as_bytes_with_nul().len() as u64;
    let image = Image { kind: Image::PTX, architecture: 75, data: text.into_raw().cast::<u8>(), bytes };
    let module: *mut Module = Box::into_raw(Box::new(Module {
        abi_version: numptx_abi::ABI_VERSION,
        struct_bytes: size_of::<Module>() as u32,
        name: c"kernels".as_ptr(),
        compiler: c"a test".as_ptr(),
        docstring: std::ptr::null(),
        n_functions: 0,
        n_kernels: specs.len() as u32,
        n_images: 1,
        n_globals: 0,
        functions: std::ptr::null(),
        kernels: std::ptr::null(),
        images: leak(vec![image]),
        global_names: std::ptr::null(),
        global_values: std::ptr::null(),
        table: AtomicPtr::new(std::ptr::null_mut()),
        runtime: AtomicPtr::new(std::ptr::null_mut()),
        python: AtomicPtr::new(std::ptr::null_mut()),
        source: std::ptr::null(),
        host: std::ptr::null(),
    }));
    let kernels: Vec<Kernel> = specs.into_iter().map(|spec| descriptor(spec, module)).collect();
    // SAFETY: the module was boxed above and nobody else has it yet.
    unsafe {
        (*module).kernels = leak(kernels);
        &*module
    }
}

fn descriptor(spec: Spec, module: *const Module) -> Kernel {
    let name = CString::new(spec.name).expect("names hold no null character");
    Kernel {
        name: name.into_raw(),
        module,
        kind: if spec.reduce.is_some() { Kernel::REDUCE } else { Kernel::MAP },
        rank: spec.rank,
        n_reduced: spec.n_reduced,
        vector: 2,
        block: 128,
        flags: spec.flags,
        n_operands: spec.operands.len() as u32,
        n_scalars: spec.n_scalars,
        operands: leak(spec.operands),
        scalars: leak(vec![dtype::FLOAT64; spec.n_scalars as usize]),
        accumulator_bytes: if spec.reduce.is_some() { 16 } else { 0 },
        work: 2,
        claim_axes: 0,
        destination: 0,
        factors: 0,
        entries: 0,
        host_flat: spec.flat,
        host_strided: spec.strided,
        host_reduce: spec.reduce,
        host_finish: spec.finish,
        host_scan: None,
        plan: AtomicPtr::new(std::ptr::null_mut()),
    }
}

/// A module's kernel by its position.
pub fn kernel(module: &'static Module, i: usize) -> &'static Kernel {
    assert!(i < module.n_kernels as usize);
    // SAFETY: in range; kernels are never freed.
    unsafe { &*module.kernels.add(i) }
}
