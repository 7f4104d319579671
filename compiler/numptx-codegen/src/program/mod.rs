//! The host program of a library: its entries, its descriptors, and what Python, Rust and C find in it.
//!
//! In: array IR in the owned phase, with its kernels; device images. Out: object files, each of which can be made by itself.
//! Makes no decision: everything that runs, and in which order, stands in the IR.

mod calls;
mod control;
mod descriptors;
mod emitter;
mod entry;
mod external;
mod function;
mod levels;
mod lists;
mod memory;
mod objects;
mod order;
mod python;
mod runtime;
mod scalars;
mod sorting;
mod symbols;
mod values;
mod views;
mod written;

use std::ops::Range;

use inkwell::context::{Context, ContextRef};
use inkwell::module::{Linkage, Module};
use inkwell::values::{ArrayValue, FunctionValue, GlobalValue, StructValue};
use inkwell::{AddressSpace, GlobalVisibility, OptimizationLevel};
use numptx_ir::array;
use numptx_ir::array::Aliasing;
use numptx_ir::kernel::Kernel;
use numptx_ir::signature::{Parameter, Signature};
use numptx_source::InternalError;

pub use levels::levels_object;
pub use symbols::Symbols;
pub use written::{viewed_parameters, written_parameters};

use descriptors::Descriptors;
use emitter::ProgramEmitter;
use values::{FunctionEmitter, Shared};

use crate::elf::rename_undefined;
use crate::error::Emit;
use crate::host::{object_of, prepare};
use crate::optimization::Effort;
use crate::work::{Job, shares};
use crate::{CodegenOptions, HostLevels, HostTarget};

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

/// An object file of the host half of a library.
#[derive(Clone, Debug)]
pub struct HostObject {
    /// The file.
    pub bytes: Vec<u8>,
    /// The symbols that other objects of the library, or its users, find in it.
    pub symbols: Vec<String>,
    /// The functions of the machine's math library that it calls, by C's names.
    pub math: Vec<String>,
    /// Its optimised LLVM IR, if asked for.
    pub llvm: Option<String>,
}

/// What a library tells Python of its file, beside what it exports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFacts {
    /// The file's bytes, of which the library holds the hash.
    pub file: Vec<u8>,
    /// As [`numptx_abi::Source::constants`].
    pub constants: String,
    /// As [`numptx_abi::Source::functions`].
    pub functions: String,
}

/// What the host half of a library is made of.
#[derive(Clone, Copy)]
pub struct HostProgram<'a> {
    /// In the owned phase, verified.
    pub ir: &'a array::Module,
    /// What its objects and its users find in it.
    pub symbols: &'a Symbols,
    /// Whether Python imports it. Programs that it is linked into have no use for that, and Python's own name for it holds no hash.
    pub is_python_module: bool,
    /// Who made it, as the library says.
    pub compiler: &'a str,
    /// The processors.
    pub levels: &'a HostLevels,
    /// How code is made.
    pub options: &'a CodegenOptions,
    /// Whether LLVM IR is wanted, whose text is large.
    pub show: bool,
    /// How many device images the library will have.
    pub n_images: usize,
    /// None, where nothing is to be told of a file.
    pub source: Option<&'a SourceFacts>,
}

/// Characters of kernels, as they are printed, that are one object's.
const KERNELS_TEXT: usize = 6000;

/// The jobs that make all objects of a library but [`images_object`]'s and [`levels_object`]'s: the host program, those of its functions that compute,
/// and its kernels.
pub fn host_jobs<'a>(program: HostProgram<'a>) -> Vec<Job<'a, HostObject>> {
    let HostProgram { ir, .. } = program;
    let mut jobs = Vec::new();
    for part in [Part::Calling, Part::Computing] {
        let Some(first) = ir.functions.iter().find(|f| part == Part::of(f)) else {
            if part == Part::Calling {
                jobs.push(Job::new("host", &ir.name, 0, move || Ok(calling_object(&program)?)));
            }
            continue;
        };
        let weight = ir.functions.iter().filter(|f| part == Part::of(f)).map(|f| f.values.len() * 40).sum();
        jobs.push(match part {
            Part::Calling => Job::new("host", &first.name, weight, move || Ok(calling_object(&program)?)),
            Part::Computing => {
                levels::loops_job(program, &first.name, weight, move |module| emit_computing(module, &program))
            }
        });
    }
    let weights: Vec<usize> = ir.kernels.iter().map(|kernel| kernel.to_string().len()).collect();
    for share in shares(&weights, KERNELS_TEXT) {
        let weight = weights[share.clone()].iter().sum();
        let first = &ir.kernels[share.start].name;
        jobs.push(levels::loops_job(program, first, weight, move |module| emit_kernels(module, &program, share)));
    }
    jobs
}

/// The object that holds the device images of a library.
///
/// # Errors
/// Our bug, always.
pub fn images_object(program: &HostProgram<'_>, images: &[DeviceImage]) -> Result<HostObject, InternalError> {
    let context = Context::create();
    let module = context.create_module(&program.ir.name);
    if let Some(records) = image_records(&Descriptors::new(&module), images) {
        let table = module.add_global(records.get_type(), None, &program.symbols.images());
        table.set_initializer(&records);
        table.set_constant(true);
        table.set_visibility(GlobalVisibility::Hidden);
    }
    let least = program.levels.least();
    prepare(&module, least, Effort::Calls)?;
    Ok(finished(&module, program, least, Effort::Calls.level())?)
}

/// Which functions of the host program an object holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Those that prepare and start kernels: LLVM is asked for little. The library's descriptors are with them.
    Calling,
    /// Those that others call, and those with loops that compute themselves.
    Computing,
}

impl Part {
    fn of(function: &array::Function) -> Part {
        if function.is_routine || computes(&function.body) { Part::Computing } else { Part::Calling }
    }
}

/// Whether a loop of the region, or of one in it, does nothing that takes the runtime longer than the loop itself.
fn computes(region: &array::Region) -> bool {
    let is_loop = |op: &array::Op| matches!(op.kind, array::OpKind::For | array::OpKind::While);
    let of = |op: &array::Op| is_loop(op) && !op.regions.iter().any(starts_work) || op.regions.iter().any(computes);
    region.ops.iter().any(of)
}

fn starts_work(region: &array::Region) -> bool {
    let starts = |op: &array::Op| match op.kind {
        array::OpKind::Launch(_) | array::OpKind::Call { .. } | array::OpKind::Alloc { .. } => true,
        _ => op.regions.iter().any(starts_work),
    };
    region.ops.iter().any(starts)
}

fn calling_object(program: &HostProgram<'_>) -> Emit<HostObject> {
    let context = Context::create();
    let module = context.create_module(&program.ir.name);
    emit_library(&module, program)?;
    let least = program.levels.least();
    prepare(&module, least, Effort::Calls)?;
    finished(&module, program, least, Effort::Calls.level())
}

fn emit_computing(module: &Module<'_>, program: &HostProgram<'_>) -> Emit<()> {
    let description = declare_description(module, program.symbols);
    let kernels = module.add_global(module.get_context().i8_type(), None, &program.symbols.kernels());
    kernels.set_visibility(GlobalVisibility::Hidden);
    emit_entries(module, program, Part::Computing, description, kernels)?;
    Ok(())
}

fn emit_kernels(module: &Module<'_>, program: &HostProgram<'_>, share: Range<usize>) -> Emit<()> {
    for kernel in &program.ir.kernels[share] {
        let functions = crate::emit_host_kernel(module, kernel, program.options)?;
        functions.iter().for_each(|function| publish(function, program.symbols));
    }
    Ok(())
}

/// Makes a function one that the library's other objects find.
fn publish(function: FunctionValue<'_>, symbols: &Symbols) {
    let global = function.as_global_value();
    let name = symbols.of(&function.get_name().to_string_lossy());
    global.set_name(&name);
    global.set_linkage(Linkage::External);
    global.set_visibility(GlobalVisibility::Hidden);
}

/// The object of an optimised module. Math functions that it calls have a name of the library's own in it.
fn finished(
    module: &Module<'_>,
    program: &HostProgram<'_>,
    target: &HostTarget,
    level: OptimizationLevel,
) -> Emit<HostObject> {
    let is_found = |linkage| linkage == Linkage::External;
    let functions = module.get_functions().filter(|f| f.count_basic_blocks() > 0 && is_found(f.get_linkage()));
    let globals = module.get_globals().filter(|g| !g.is_declaration() && is_found(g.get_linkage()));
    let symbols = functions.map(|f| f.get_name().to_string_lossy().into_owned());
    let symbols = symbols.chain(globals.map(|g| g.get_name().to_string_lossy().into_owned())).collect();
    let mut math = Vec::new();
    let bytes = rename_undefined(object_of(module, target, level)?, |symbol| {
        let other = program.symbols.instead_of(symbol)?;
        math.extend(other.is_some().then(|| symbol.to_string()));
        Ok(other)
    })?;
    Ok(HostObject { bytes, symbols, math, llvm: program.show.then(|| module.print_to_string().to_string()) })
}

fn declare_description<'ctx>(module: &Module<'ctx>, symbols: &Symbols) -> GlobalValue<'ctx> {
    let description = module.add_global(module_type(&module.get_context()), None, &symbols.descriptor());
    description.set_visibility(GlobalVisibility::Hidden);
    description
}

/// Emits `const numptx_module *accessor(void)`. C programs refer to a function and not to the descriptor: of data that a program refers to, the linker
/// makes it a copy of its own, and the library would fill another one.
fn emit_accessor<'ctx>(module: &Module<'ctx>, symbols: &Symbols, description: GlobalValue<'ctx>) -> Emit<()> {
    let ptr = module.get_context().ptr_type(AddressSpace::default());
    let accessor = ProgramEmitter::new(module, module.add_function(&symbols.accessor(), ptr.fn_type(&[], false), None));
    accessor.builder.build_return(Some(&description.as_pointer_value()))?;
    accessor.finish()
}

/// Emits the descriptors and the entries that call.
fn emit_library<'ctx>(module: &Module<'ctx>, program: &HostProgram<'_>) -> Emit<()> {
    let HostProgram { ir, symbols, .. } = *program;
    let d = Descriptors::new(module);
    let description = declare_description(module, symbols);
    emit_accessor(module, symbols, description)?;
    let kernels = emit_kernel_table(module, &d, program, description);
    let entries = emit_entries(module, program, Part::Calling, description, kernels)?;
    let (functions, n_functions) = emit_functions(module, &d, program, &entries, description)?;
    let images = match program.n_images {
        0 => d.null(),
        _ => {
            let images = module.add_global(module.get_context().i8_type(), None, &symbols.images());
            images.set_visibility(GlobalVisibility::Hidden);
            images.as_pointer_value().into()
        }
    };
    let host = module.add_global(module.get_context().i8_type(), None, &symbols.host_code());
    host.set_visibility(GlobalVisibility::Hidden);
    let (globals_names, values) = globals(&d, ir);
    let table = if ir.kernels.is_empty() { d.null() } else { kernels.as_pointer_value().into() };
    description.set_initializer(&d.record(&[
        d.u32(numptx_abi::ABI_VERSION),
        d.u32(size_of::<numptx_abi::Module>() as u32),
        d.text(&ir.name).into(),
        d.text(program.compiler).into(),
        ir.docstring.as_ref().map_or(d.null(), |text| d.text(text).into()),
        d.u32(n_functions as u32),
        d.u32(ir.kernels.len() as u32),
        d.u32(program.n_images as u32),
        d.u32(ir.globals.len() as u32),
        functions,
        table,
        images,
        globals_names,
        values,
        d.null(),
        d.null(),
        d.null(),
        program.source.map_or(d.null(), |source| source_record(&d, source)),
        host.as_pointer_value().into(),
    ]));
    Ok(())
}

fn source_record<'ctx>(d: &Descriptors<'_, 'ctx>, source: &SourceFacts) -> Value<'ctx> {
    let SourceFacts { file, constants, functions } = source;
    let hash = d.u64(numptx_abi::source_hash(file));
    let record = d.record(&[hash, d.text(constants).into(), d.text(functions).into()]);
    d.constant(record.into(), "source").into()
}

fn module_type<'ctx>(context: &ContextRef<'ctx>) -> inkwell::types::StructType<'ctx> {
    let (ptr, i32) = (context.ptr_type(AddressSpace::default()).into(), context.i32_type().into());
    let members = [i32, i32, ptr, ptr, ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr];
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

/// Emits the kernels' descriptors; their functions are chosen when the library is bound.
fn emit_kernel_table<'ctx>(
    module: &Module<'ctx>,
    d: &Descriptors<'_, 'ctx>,
    program: &HostProgram<'_>,
    description: GlobalValue<'ctx>,
) -> GlobalValue<'ctx> {
    let record = |kernel: &Kernel| d.kernel(kernel, description.as_pointer_value(), program.options);
    let records: Vec<StructValue<'ctx>> = program.ir.kernels.iter().map(record).collect();
    let Some(first) = records.first() else {
        return module.add_global(module.get_context().i8_type(), None, &program.symbols.kernels());
    };
    let value = first.get_type().const_array(&records);
    let table = module.add_global(value.get_type(), None, &program.symbols.kernels());
    table.set_initializer(&value);
    table.set_visibility(GlobalVisibility::Hidden);
    table
}

/// One LLVM function per function of the IR, in order: those of a part with their bodies, declarations of the others, as functions call each other.
fn emit_entries<'ctx>(
    module: &Module<'ctx>,
    program: &HostProgram<'_>,
    part: Part,
    description: GlobalValue<'ctx>,
    kernels: GlobalValue<'ctx>,
) -> Emit<Vec<FunctionValue<'ctx>>> {
    let HostProgram { ir, options, .. } = *program;
    let context = module.get_context();
    let ptr = context.ptr_type(AddressSpace::default());
    let ty = context.i32_type().fn_type(&[ptr.into(), ptr.into(), ptr.into()], false);
    let declare = |f: &array::Function| {
        let function = module.add_function(&program.symbols.entry(f), ty, None);
        function.as_global_value().set_visibility(GlobalVisibility::Hidden);
        function
    };
    let functions: Vec<FunctionValue<'ctx>> = ir.functions.iter().map(declare).collect();
    let size = size_of::<numptx_abi::Kernel>();
    let shared = Shared {
        ir,
        kernels: &ir.kernels,
        kernel_descriptors: (0..ir.kernels.len()).map(|n| field(kernels, n * size)).collect::<Emit<_>>()?,
        functions: functions.clone(),
        table_slot: field(description, core::mem::offset_of!(numptx_abi::Module, table))?,
        options: *options,
    };
    for (function, entry) in ir.functions.iter().zip(&functions).filter(|(f, _)| Part::of(f) == part) {
        FunctionEmitter::emit(ProgramEmitter::new(module, *entry), &shared, function)?;
    }
    Ok(functions)
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
    program: &HostProgram<'_>,
    entries: &[FunctionValue<'ctx>],
    description: GlobalValue<'ctx>,
) -> Emit<(inkwell::values::BasicValueEnum<'ctx>, usize)> {
    let HostProgram { ir, is_python_module, .. } = *program;
    let functions = overloads(ir, entries);
    let table = is_python_module.then(|| python::table_slot(module));
    let context = module.get_context();
    let (ptr, i32) = (context.ptr_type(AddressSpace::default()), context.i32_type());
    let members = [ptr.into(), ptr.into(), ptr.into(), i32.into(), i32.into(), ptr.into(), ptr.into(), ptr.into()];
    let record_type = context.struct_type(&members, false);
    let array_type = record_type.array_type(functions.len().max(1) as u32);
    let descriptors = module.add_global(array_type, None, "functions");
    let mut records = Vec::new();
    for (position, (name, list)) in functions.iter().enumerate() {
        let address = field(descriptors, position * size_of::<numptx_abi::Function>())?;
        let trampoline = match table {
            Some(table) => {
                python::trampoline(module, name, table, address)?.as_global_value().as_pointer_value().into()
            }
            None => d.null(),
        };
        let overloads: Vec<StructValue<'ctx>> = list.iter().map(|o| overload(d, o, ir, description)).collect();
        records.push(d.record(&[
            d.text(name).into(),
            d.text(&docstring(name, list)).into(),
            description.as_pointer_value().into(),
            d.u32(overloads.len() as u32),
            d.u32(0),
            d.table(&overloads, "overloads").into(),
            trampoline,
            d.null(),
        ]));
    }
    descriptors::define(descriptors, record_type.const_array(&records).into());
    if records.is_empty() {
        descriptors::define(descriptors, array_type.const_zero().into());
    }
    if let Some(table) = table {
        python::init(module, table, description.as_pointer_value(), &ir.name)?;
    }
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
    let (results, n_results) = d.results(signature);
    let same_overload =
        |f: &&array::Function| f.signature.function == signature.function && f.signature.text == signature.text;
    let versions = ir.functions.iter().filter(same_overload).filter(|f| !f.is_routine);
    let (written, work) = versions.fold((0, 1), |(written, work), f| {
        (written | written::written_parameters(f, &ir.kernels), work.max(heaviest_work(&f.body, &ir.kernels)))
    });
    let mut libraries = Libraries { ir, entered: Vec::new(), found: 0 };
    ir.functions.iter().filter(same_overload).filter(|f| !f.is_routine).for_each(|f| libraries.add(&f.body));
    let libraries = libraries.found;
    d.record(&[
        d.text(&signature.text).into(),
        d.u32(signature.parameters.len() as u32),
        d.u32(parameters.len() as u32),
        d.u32(n_results as u32),
        d.u32(descriptors::parameter_leaves(signature) as u32),
        d.u32(descriptors::result_leaves(&signature.result) as u32),
        d.u32(work),
        d.table(&parameters, "parameters").into(),
        results.into(),
        d.u64(written),
        d.u64(libraries),
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

/// What a function asks of libraries, as [`numptx_abi::Overload::libraries`] has it.
struct Libraries<'a> {
    ir: &'a array::Module,
    /// Routines of the module that were looked at.
    entered: Vec<&'a str>,
    found: u64,
}

impl<'a> Libraries<'a> {
    fn add(&mut self, region: &'a array::Region) {
        for op in &region.ops {
            match &op.kind {
                array::OpKind::External(external) => self.found |= 1 << external.routine,
                array::OpKind::Launch(id) => {
                    let is_product =
                        self.ir.kernels.get(id.0 as usize).is_some_and(|kernel| kernel.factors().is_some());
                    self.found |= if is_product { numptx_abi::Overload::PRODUCTS } else { 0 };
                }
                array::OpKind::Call { routine, .. } if !self.entered.contains(&routine.as_str()) => {
                    self.entered.push(routine);
                    let functions = self.ir.functions.iter();
                    functions.filter(|f| f.is_routine && f.name == *routine).for_each(|f| self.add(&f.body));
                }
                _ => {}
            }
            op.regions.iter().for_each(|nested| self.add(nested));
        }
    }
}

/// `name($module, a, b=0.5)`, CPython's marker, the docstring and the accepted signatures. A parameter that some overload does without has a default.
fn docstring(name: &str, overloads: &[Overload]) -> String {
    let shown = |s: &Signature| s.parameters.iter().filter(|p| !p.is_hidden()).cloned().collect::<Vec<Parameter>>();
    let parameters = overloads.iter().map(|o| shown(&o.ir.signature)).max_by_key(Vec::len);
    let shortest = overloads.iter().map(|o| &o.ir.signature).min_by_key(|s| shown(s).len());
    let n_required = shortest.map_or(0, |s| shown(s).len());
    let default = |n: usize| shortest.and_then(|s| s.defaults.get(n)).map_or("...", String::as_str);
    let named = |(n, p): (usize, &Parameter)| match n.checked_sub(n_required) {
        None => p.name.clone(),
        Some(n) => format!("{}={}", p.name, default(n)),
    };
    let names: Vec<String> = parameters.unwrap_or_default().iter().enumerate().map(named).collect();
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

fn image_records<'ctx>(d: &Descriptors<'_, 'ctx>, images: &[DeviceImage]) -> Option<ArrayValue<'ctx>> {
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
    Some(records.first()?.get_type().const_array(&records))
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
