//! The host program of a library: its entries, its descriptors, and what Python, Rust and C find in it.
//!
//! In: array IR in the owned phase, with its kernels; device images. Out: an LLVM module, ready for `host_object`.
//! Makes no decision: everything that runs, and in which order, stands in the IR.

mod calls;
mod control;
mod descriptors;
mod emitter;
mod entry;
mod function;
mod memory;
mod order;
mod python;
mod runtime;
mod scalars;
mod sorting;
mod views;
mod written;

use inkwell::AddressSpace;
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::values::{FunctionValue, GlobalValue, StructValue};
use numptx_ir::array;
use numptx_ir::array::Aliasing;
use numptx_ir::kernel::Kernel;
use numptx_ir::signature::Parameter;
use numptx_source::InternalError;

pub use written::written_parameters;

use descriptors::Descriptors;
use emitter::ProgramEmitter;
use function::{FunctionEmitter, Shared};

use crate::error::{Emit, bug};
use crate::{CodegenOptions, HostTarget};

/// A device image to embed.
#[derive(Clone, Debug)]
pub struct DeviceImage {
    /// Compute capability times ten.
    pub architecture: u32,
    /// What it is.
    pub contents: ImageContents,
}

/// The contents of a device image.
#[derive(Clone, Debug)]
pub enum ImageContents {
    /// PTX text.
    Ptx(String),
    /// Machine code for the architecture.
    Cubin(Vec<u8>),
}

/// The host half of a library.
#[derive(Clone, Debug)]
pub struct HostLibrary {
    /// An object file, to be linked to a shared library.
    pub object: Vec<u8>,
    /// Its optimised LLVM IR, if asked for.
    pub llvm: Option<String>,
}

/// A module in the owned phase to an object file. `show` asks for LLVM IR too, whose text is large.
///
/// # Errors
/// Our bug, always: the IR was verified.
pub fn host_library(
    ir: &array::Module,
    images: &[DeviceImage],
    compiler: &str,
    target: &HostTarget,
    options: &CodegenOptions,
    show: bool,
) -> Result<HostLibrary, InternalError> {
    let context = Context::create();
    let module = emit_library(&context, ir, images, compiler, options)?;
    let object = crate::host_object(&module, target)?;
    Ok(HostLibrary { object, llvm: show.then(|| module.print_to_string().to_string()) })
}

/// Emits the whole library: host kernels, entries, descriptors, images.
fn emit_library<'ctx>(
    context: &'ctx Context,
    ir: &array::Module,
    images: &[DeviceImage],
    compiler: &str,
    options: &CodegenOptions,
) -> Emit<Module<'ctx>> {
    let module = context.create_module(&ir.name);
    let d = Descriptors::new(&module);
    let description = module.add_global(module_type(context), None, &format!("numptx_module_{}", ir.name));
    let kernels = emit_kernels(&module, &d, ir, description, options)?;
    let shared = Shared {
        ir,
        kernels: &ir.kernels,
        kernel_descriptors: kernels.addresses,
        functions: declare_functions(&module, ir),
        table_slot: field(description, core::mem::offset_of!(numptx_abi::Module, table))?,
        options: *options,
    };
    let entries = emit_entries(&module, &shared, ir)?;
    let (functions, n_functions) = emit_functions(&module, &d, ir, &entries, description)?;
    let images = image_table(&d, images);
    let (names, values) = globals(&d, ir);
    description.set_initializer(&d.record(&[
        d.u32(numptx_abi::ABI_VERSION),
        d.u32(size_of::<numptx_abi::Module>() as u32),
        d.text(&ir.name).into(),
        d.text(compiler).into(),
        ir.docstring.as_ref().map_or(d.null(), |text| d.text(text).into()),
        d.u32(n_functions as u32),
        d.u32(ir.kernels.len() as u32),
        d.u32(images.1 as u32),
        d.u32(ir.globals.len() as u32),
        functions,
        kernels.table,
        images.0,
        names,
        values,
        d.null(),
        d.null(),
        d.null(),
    ]));
    module.verify().map_err(|e| bug(e.to_string()))?;
    Ok(module)
}

fn module_type(context: &Context) -> inkwell::types::StructType<'_> {
    let (ptr, i32) = (context.ptr_type(AddressSpace::default()).into(), context.i32_type().into());
    let members = [i32, i32, ptr, ptr, ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr];
    context.struct_type(&members, false)
}

/// The address of a byte inside a global.
fn field<'ctx>(global: GlobalValue<'ctx>, bytes: usize) -> Emit<inkwell::values::PointerValue<'ctx>> {
    let pointer = global.as_pointer_value();
    let offset = pointer.get_type().get_context().i64_type().const_int(bytes as u64, false);
    let i8 = pointer.get_type().get_context().i8_type();
    // SAFETY: the offset is a member's offset inside the global's own type.
    Ok(unsafe { pointer.const_in_bounds_gep(i8, &[offset]) })
}

/// Kernel descriptors and their table.
struct KernelTable<'ctx> {
    addresses: Vec<inkwell::values::PointerValue<'ctx>>,
    table: inkwell::values::BasicValueEnum<'ctx>,
}

fn emit_kernels<'ctx>(
    module: &Module<'ctx>,
    d: &Descriptors<'_, 'ctx>,
    ir: &array::Module,
    description: GlobalValue<'ctx>,
    options: &CodegenOptions,
) -> Emit<KernelTable<'ctx>> {
    let mut records: Vec<StructValue<'ctx>> = Vec::new();
    for kernel in &ir.kernels {
        let host = crate::emit_host_kernel(module, kernel, options)?;
        records.push(d.kernel(kernel, &host, description.as_pointer_value()));
    }
    let Some(first) = records.first() else {
        return Ok(KernelTable { addresses: Vec::new(), table: d.null() });
    };
    let value = first.get_type().const_array(&records);
    let table = module.add_global(value.get_type(), None, "kernels");
    descriptors::define(table, value.into());
    let size = size_of::<numptx_abi::Kernel>();
    let addresses = (0..records.len()).map(|n| field(table, n * size)).collect::<Emit<_>>()?;
    Ok(KernelTable { addresses, table: table.as_pointer_value().into() })
}

/// One LLVM function per function of the IR, in order, without their bodies: routines may call each other.
fn declare_functions<'ctx>(module: &Module<'ctx>, ir: &array::Module) -> Vec<FunctionValue<'ctx>> {
    let context = module.get_context();
    let ptr = context.ptr_type(AddressSpace::default());
    let ty = context.i32_type().fn_type(&[ptr.into(), ptr.into(), ptr.into()], false);
    let declare = |f: &array::Function| module.add_function(&format!("entry.{}", f.name), ty, Some(Linkage::Internal));
    ir.functions.iter().map(declare).collect()
}

/// Their bodies.
fn emit_entries<'ctx>(
    module: &Module<'ctx>,
    shared: &Shared<'_, 'ctx>,
    ir: &array::Module,
) -> Emit<Vec<FunctionValue<'ctx>>> {
    for (function, entry) in ir.functions.iter().zip(&shared.functions) {
        FunctionEmitter::emit(ProgramEmitter::new(module, *entry), shared, function)?;
    }
    Ok(shared.functions.clone())
}

/// One overload: the noalias function and the one for all calls.
struct Overload<'a, 'ctx> {
    ir: &'a array::Function,
    noalias: FunctionValue<'ctx>,
    mayalias: FunctionValue<'ctx>,
}

/// Overloads by exported function, both in order of appearance.
fn overloads<'a, 'ctx>(
    ir: &'a array::Module,
    entries: &[FunctionValue<'ctx>],
) -> Vec<(&'a str, Vec<Overload<'a, 'ctx>>)> {
    let mut functions: Vec<(&str, Vec<Overload>)> = Vec::new();
    for (function, entry) in ir.functions.iter().zip(entries).filter(|(f, _)| !f.is_routine) {
        let name = function.signature.function.as_str();
        let position = functions.iter().position(|(n, _)| *n == name).unwrap_or_else(|| {
            functions.push((name, Vec::new()));
            functions.len() - 1
        });
        let list = &mut functions[position].1;
        match list.iter_mut().find(|o| o.ir.signature.text == function.signature.text) {
            Some(overload) if function.aliasing == Aliasing::MayAlias => overload.mayalias = *entry,
            Some(overload) => overload.noalias = *entry,
            None => list.push(Overload { ir: function, noalias: *entry, mayalias: *entry }),
        }
    }
    functions
}

fn emit_functions<'ctx>(
    module: &Module<'ctx>,
    d: &Descriptors<'_, 'ctx>,
    ir: &array::Module,
    entries: &[FunctionValue<'ctx>],
    description: GlobalValue<'ctx>,
) -> Emit<(inkwell::values::BasicValueEnum<'ctx>, usize)> {
    let functions = overloads(ir, entries);
    let table = python::table_slot(module);
    let context = module.get_context();
    let (ptr, i32) = (context.ptr_type(AddressSpace::default()), context.i32_type());
    let members = [ptr.into(), ptr.into(), ptr.into(), i32.into(), i32.into(), ptr.into(), ptr.into(), ptr.into()];
    let record_type = context.struct_type(&members, false);
    let array_type = record_type.array_type(functions.len().max(1) as u32);
    let descriptors = module.add_global(array_type, None, "functions");
    let mut records = Vec::new();
    for (position, (name, list)) in functions.iter().enumerate() {
        let address = field(descriptors, position * size_of::<numptx_abi::Function>())?;
        let trampoline = python::trampoline(module, name, table, address)?;
        let overloads: Vec<StructValue<'ctx>> = list.iter().map(|o| overload(d, o, ir, description)).collect();
        records.push(d.record(&[
            d.text(name).into(),
            d.text(&docstring(name, list)).into(),
            description.as_pointer_value().into(),
            d.u32(overloads.len() as u32),
            d.u32(0),
            d.table(&overloads, "overloads").into(),
            trampoline.as_global_value().as_pointer_value().into(),
            d.null(),
        ]));
    }
    descriptors::define(descriptors, record_type.const_array(&records).into());
    if records.is_empty() {
        descriptors::define(descriptors, array_type.const_zero().into());
    }
    python::init(module, table, description.as_pointer_value(), &ir.name)?;
    Ok((descriptors.as_pointer_value().into(), records.len()))
}

fn overload<'ctx>(
    d: &Descriptors<'_, 'ctx>,
    overload: &Overload<'_, 'ctx>,
    ir: &array::Module,
    description: GlobalValue<'ctx>,
) -> StructValue<'ctx> {
    let signature = &overload.ir.signature;
    let parameters = d.parameters(&signature.parameters);
    let results = d.results(signature);
    let same_overload =
        |f: &&array::Function| f.signature.function == signature.function && f.signature.text == signature.text;
    let versions = ir.functions.iter().filter(same_overload).filter(|f| !f.is_routine);
    let (written, work) = versions.fold((0, 1), |(written, work), f| {
        (written | written::written_parameters(f, &ir.kernels), work.max(heaviest_work(&f.body, &ir.kernels)))
    });
    d.record(&[
        d.text(&signature.text).into(),
        d.u32(signature.parameters.len() as u32),
        d.u32(parameters.len() as u32),
        d.u32(results.len() as u32),
        d.u32(descriptors::parameter_leaves(signature) as u32),
        d.u32(descriptors::result_leaves(&signature.result) as u32),
        d.u32(work),
        d.table(&parameters, "parameters").into(),
        d.table(&results, "results").into(),
        d.u64(written),
        overload.noalias.as_global_value().as_pointer_value().into(),
        overload.mayalias.as_global_value().as_pointer_value().into(),
        description.as_pointer_value().into(),
    ])
}

/// The largest cost of an element among the kernels that a region launches; 0 where it launches none.
fn heaviest_work(region: &array::Region, kernels: &[Kernel]) -> u32 {
    let works = region.ops.iter().map(|op| {
        let own = match op.kind {
            array::OpKind::Launch(id) => kernels.get(id.0 as usize).map_or(0, crate::work_estimate),
            _ => 0,
        };
        op.regions.iter().map(|nested| heaviest_work(nested, kernels)).fold(own, u32::max)
    });
    works.max().unwrap_or(0)
}

/// `name($module, a, b=0.5)`, CPython's marker, the docstring and the accepted signatures. A parameter that some overload does without has a default.
fn docstring(name: &str, overloads: &[Overload]) -> String {
    let parameters = overloads.iter().map(|o| o.ir.signature.parameters.as_slice()).max_by_key(|p| p.len());
    let shortest = overloads.iter().map(|o| &o.ir.signature).min_by_key(|s| s.parameters.len());
    let n_required = shortest.map_or(0, |s| s.parameters.len());
    let default = |n: usize| shortest.and_then(|s| s.defaults.get(n)).map_or("...", String::as_str);
    let shown = |(n, p): (usize, &Parameter)| match n.checked_sub(n_required) {
        None => p.name.clone(),
        Some(n) => format!("{}={}", p.name, default(n)),
    };
    let names: Vec<String> = parameters.unwrap_or(&[]).iter().enumerate().map(shown).collect();
    let mut text = format!("{name}($module, {})\n--\n\n", names.join(", ")).replace("$module, )", "$module)");
    if let Some(doc) = overloads.iter().find_map(|o| o.ir.signature.docstring.as_ref()) {
        text.push_str(&without_margin(doc));
        text.push_str("\n\n");
    }
    text.push_str("Accepted signatures:\n");
    for overload in overloads {
        text.push_str(&format!("\n    {}", overload.ir.signature.text));
    }
    text
}

/// A docstring without the indentation that its lines have in the source, which the first line does not have; as `inspect.cleandoc`.
fn without_margin(doc: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let margin = doc.lines().skip(1).filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let lines = doc.lines().enumerate().map(|(n, line)| match n {
        0 => line.trim_start(),
        _ => line.get(margin..).unwrap_or(""),
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_string()
}

fn image_table<'ctx>(
    d: &Descriptors<'_, 'ctx>,
    images: &[DeviceImage],
) -> (inkwell::values::BasicValueEnum<'ctx>, usize) {
    let context = d.module.get_context();
    let records: Vec<StructValue<'ctx>> = images
        .iter()
        .map(|image| {
            let (kind, bytes) = match &image.contents {
                ImageContents::Ptx(text) => (numptx_abi::Image::PTX, [text.as_bytes(), &[0]].concat()),
                ImageContents::Cubin(bytes) => (numptx_abi::Image::CUBIN, bytes.clone()),
            };
            let data = d.constant(context.const_string(&bytes, false).into(), "image");
            d.record(&[d.u32(kind), d.u32(image.architecture), data.into(), d.u64(bytes.len() as u64)])
        })
        .collect();
    (d.table(&records, "images").into(), records.len())
}

type Value<'ctx> = inkwell::values::BasicValueEnum<'ctx>;

fn globals<'ctx>(d: &Descriptors<'_, 'ctx>, ir: &array::Module) -> (Value<'ctx>, Value<'ctx>) {
    if ir.globals.is_empty() {
        return (d.null(), d.null());
    }
    let ptr = d.module.get_context().ptr_type(AddressSpace::default());
    let names: Vec<_> = ir.globals.iter().map(|g| d.text(&g.name)).collect();
    let values: Vec<_> = ir.globals.iter().map(|g| d.value(g.value, g.dtype)).collect();
    (d.constant(ptr.const_array(&names).into(), "names").into(), d.table(&values, "values").into())
}
