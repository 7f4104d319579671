//! The compiler, from source text to artifacts. Read [`compile`] from top to bottom.

use numptx_codegen::{
    DeviceImage, DeviceTarget, HostObject, HostProgram, ImageContents, Job, MathKind, MathLibrary, SourceFacts,
    Symbols, device_jobs, do_all, host_jobs, images_object, joined_ptx, levels_object,
};
use numptx_ir::array;
use numptx_passes::run;
use numptx_source::{InternalError, Report, Reports, Source, Span, code};

use crate::archive::archive;
use crate::artifact::{Artifact, Export, exports};
use crate::forced::narrow;
use crate::report::{self, SourceLoop};
use crate::stage::phase_of;
use crate::unexported::Unexported;
use crate::{Form, Halves, Options, Stage, Toolchain, VERSION, header, link, slow_loops, stub};

/// Sees the stages as they are reached.
pub trait Observer: numptx_passes::Observer {
    /// A stage was reached; `text` makes its dump.
    fn reached_stage(&mut self, stage: Stage, text: &dyn Fn() -> String);
    /// A stage, named for people, took so long. Unit: seconds.
    fn timed(&mut self, stage: &str, seconds: f64);
}

/// Nobody looks.
pub struct Unobserved;

impl numptx_passes::Observer for Unobserved {
    fn reached_pass(&mut self, _name: &str, _module: &array::Module, _seconds: f64) {}
}

impl Observer for Unobserved {
    fn reached_stage(&mut self, _stage: Stage, _text: &dyn Fn() -> String) {}
    fn timed(&mut self, _stage: &str, _seconds: f64) {}
}

/// How a compilation ended.
#[derive(Debug)]
pub enum Outcome {
    /// The program was compiled; reports hold warnings and notes.
    Compiled {
        /// The files to write.
        artifacts: Vec<Artifact>,
        /// What the library exports.
        exports: Vec<Export>,
        /// The names that programs find in it.
        symbols: Symbols,
        /// Warnings and notes.
        reports: Reports,
        /// What was done, if it was asked for. It says nothing about machine code that is not made.
        report: Option<Box<report::Report>>,
    },
    /// The program was refused.
    Rejected(Reports),
}

/// Compiles one source. The name's extension chooses the first stage: `.array` and `.kernel` dumps go on where they were taken;
/// everything else is Python.
///
/// # Errors
/// A mistake of ours, or of a tool outside (the linker, ptxas); never the user's program.
pub fn compile(source: &Source, options: &Options, observer: &mut dyn Observer) -> Result<Outcome, InternalError> {
    let mut reports = Reports::new();
    let Some(Front { mut module, loops, unexported }) =
        timed("front", observer, |o| front(source, options, &mut reports, o))?
    else {
        return Ok(Outcome::Rejected(reports));
    };

    let phase = phase_of(&module);
    run(&mut module, &options.passes(phase), options.limit, observer)?;
    if options.codegen.narrow {
        narrow(&mut module.kernels);
    }
    observer.reached_stage(Stage::Schedule, &|| report::report(source, &loops, &module, None).schedule());
    observer.reached_stage(Stage::Kernel, &|| module.to_string());
    reports = slow_loops::kept(&reports, &module, &loops, source);

    let symbols = Symbols::new(&module, &options.origin());
    let report = |ptx| options.report.then(|| Box::new(report::report(source, &loops, &module, ptx)));
    let mut artifacts = Vec::new();
    if options.last <= Stage::Kernel {
        return Ok(Outcome::Compiled { artifacts, exports: exports(&module), symbols, reports, report: report(None) });
    }
    let facts = unexported.as_ref().and_then(|unexported| unexported.facts(source));
    let facts = facts.filter(|_| options.form == Form::SharedLibrary);
    let Code { images, objects } = code(&module, (&symbols, facts.as_ref()), options, &mut reports, observer)?;
    artifacts.extend(images.iter().find_map(|image| portable_ptx(image, options)));
    artifacts.extend(images.iter().filter_map(|image| saved_cubin(image, options)));
    if options.halves != Halves::DeviceOnly && options.last == Stage::Library {
        let Some(library) = timed("link", observer, |_| library(objects, options, &mut reports))? else {
            return Ok(Outcome::Rejected(reports));
        };
        artifacts.push(library);
        if options.form == Form::SharedLibrary {
            let stub = stub::stub(&module, &unexported.unwrap_or_default());
            artifacts.push(Artifact::text(format!("{}.pyi", options.module_name), stub));
        }
        artifacts.push(Artifact::text(format!("{}.h", options.module_name), header::header(&module, &symbols)));
    }
    Ok(Outcome::Compiled { artifacts, exports: exports(&module), symbols, reports, report: report(ptx_of(&images)) })
}

/// What is known of a source before code is made.
#[derive(Debug)]
pub struct Checked {
    /// The reports that [`compile`] would give until then.
    pub reports: Reports,
    /// What was done, if it was asked for and the program is accepted. It says nothing about machine code.
    pub report: Option<Box<report::Report>>,
}

/// Reads one source and stops before code is made.
///
/// # Errors
/// A mistake of ours; never the user's program.
pub fn check(source: &Source, options: &Options, observer: &mut dyn Observer) -> Result<Checked, InternalError> {
    Ok(match compile(source, &Options { last: Stage::Kernel, ..options.clone() }, observer)? {
        Outcome::Compiled { reports, report, .. } => Checked { reports, report },
        Outcome::Rejected(reports) => Checked { reports, report: None },
    })
}

/// What a source became before any pass.
struct Front {
    module: array::Module,
    /// Empty where a dump was read.
    loops: Vec<SourceLoop>,
    /// None where a dump was read.
    unexported: Option<Unexported>,
}

/// Text to array IR; `None` if the program is refused.
fn front(
    source: &Source,
    options: &Options,
    reports: &mut Reports,
    observer: &mut dyn Observer,
) -> Result<Option<Front>, InternalError> {
    if source.name.ends_with(".array") || source.name.ends_with(".kernel") {
        let module = dumped(source, reports)?;
        return Ok(module.map(|module| Front { module, loops: Vec::new(), unexported: None }));
    }
    let numptx_syntax::Read { own, linked: syntax, used, reports: found } = numptx_syntax::read(source);
    reports.extend(found);
    observer.reached_stage(Stage::Syntax, &|| numptx_syntax::print(&syntax));

    let (module, found) = numptx_lower::lower(&syntax, &options.module_name);
    if found.has_errors() || reports.has_errors() {
        reports.extend(found);
        // Whether a loop is slow is known once its kernels are formed; what is left to Python matters once the rest compiles.
        reports.retain(|r| r.code != code::SLOW_LOOP && r.code != code::LEFT_TO_PYTHON);
        return Ok(None);
    }
    reports.extend(found);
    verified("lower", &module)?;
    observer.reached_stage(Stage::Array, &|| module.to_string());
    let unexported = Unexported::of(&own, source, &used);
    Ok(Some(Front { module, loops: report::source_loops(&syntax), unexported: Some(unexported) }))
}

/// Verifies a module that no pass made.
fn verified(stage: &str, module: &array::Module) -> Result<(), InternalError> {
    let Err(errors) = array::verify::verify(module) else { return Ok(()) };
    let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    Err(InternalError { dump: module.to_string(), ..InternalError::new(stage, lines.join("\n")) })
}

/// Reads a dump of the array IR back.
fn dumped(source: &Source, reports: &mut Reports) -> Result<Option<array::Module>, InternalError> {
    let problem = match array::parse::parse(&source.text) {
        Ok(module) => match verified("dump", &module) {
            // Passes lead all functions from one phase to the next.
            Ok(()) if module.functions.iter().any(|f| f.phase != phase_of(&module)) => {
                (1, "functions of several phases are not compiled on in one module".to_string())
            }
            Ok(()) => return Ok(Some(module)),
            Err(error) => (1, error.message),
        },
        Err(error) => (error.line, error.message),
    };
    let (start, end) = (source.line_start(problem.0), source.line_start(problem.0 + 1));
    reports.push(Report::error(code::SYNTAX, Span::new(start, end), problem.1));
    Ok(None)
}

/// What LLVM makes of a module.
struct Code {
    images: Vec<DeviceImage>,
    /// None, if only device code is wanted.
    objects: Vec<HostObject>,
}

/// A piece of it.
enum Piece {
    /// A part of the PTX for the target of a number.
    Ptx(usize, String),
    Object(HostObject),
}

/// Device code and host code, both in pieces that all cores make. A stage's time is that of its pieces one after the other.
fn code(
    module: &array::Module,
    (symbols, facts): (&Symbols, Option<&SourceFacts>),
    options: &Options,
    reports: &mut Reports,
    observer: &mut dyn Observer,
) -> Result<Code, InternalError> {
    let found = device_math(module, options)?;
    let (math, targets) = match &found {
        DeviceMath::Unneeded => (None, targets(module, options)),
        DeviceMath::Found(bitcode, kind) => (Some(MathLibrary { bitcode, kind: *kind }), targets(module, options)),
        DeviceMath::Missing => {
            reports.push(missing_device_math());
            (None, Vec::new())
        }
    };
    let compiler = format!("numptx {VERSION}");
    let has_clusters = targets.iter().any(|target| target.has_clusters());
    let codegen = numptx_codegen::CodegenOptions { clusters: has_clusters, ..options.codegen };
    let program = HostProgram {
        ir: module,
        symbols,
        is_python_module: options.form == Form::SharedLibrary,
        compiler: &compiler,
        levels: &options.host,
        options: &codegen,
        show: options.show_llvm,
        n_images: targets.len() + targets.iter().filter(|target| is_assembled(options, **target)).count(),
        source: facts,
    };
    let mut jobs: Vec<Job<'_, Piece>> = Vec::new();
    for (n, target) in targets.iter().enumerate() {
        let parts = device_jobs(&module.kernels, *target, math, &options.codegen);
        jobs.extend(parts.into_iter().map(|job| job.then(move |text| Piece::Ptx(n, text))));
    }
    if options.has_host_code() {
        jobs.extend(host_jobs(program).into_iter().map(|job| job.then(Piece::Object)));
    }
    let mut texts = vec![Vec::new(); targets.len()];
    let mut objects = Vec::new();
    let mut seconds = [("device", 0.0), ("host", 0.0)];
    for made in do_all(jobs, &options.progress)? {
        seconds.iter_mut().filter(|(stage, _)| *stage == made.stage).for_each(|(_, sum)| *sum += made.seconds);
        match made.value {
            Some(Piece::Ptx(n, text)) => texts[n].push(text),
            Some(Piece::Object(object)) => objects.push(object),
            None => {}
        }
    }
    seconds.iter().for_each(|(stage, seconds)| observer.timed(stage, *seconds));

    let mut images = Vec::new();
    for (target, parts) in targets.iter().zip(texts) {
        let ptx = joined_ptx(parts)?;
        if target.sm == DeviceTarget::ALL[0] {
            observer.reached_stage(Stage::Ptx, &|| ptx.clone());
        }
        if is_assembled(options, *target) {
            let cubin = timed("assemble", observer, |_| assembled(options, &ptx, *target))?;
            images.push(DeviceImage { architecture: target.sm, contents: ImageContents::Cubin(cubin) });
        }
        images.push(DeviceImage { architecture: target.sm, contents: ImageContents::Ptx(ptx) });
    }
    if options.has_host_code() {
        objects.push(levels_object(&program, &objects)?);
        if !images.is_empty() {
            objects.push(images_object(&program, &images)?);
        }
        let llvm = || objects.iter().filter_map(|object| object.llvm.as_deref()).collect::<Vec<_>>().join("\n");
        if options.show_llvm {
            observer.reached_stage(Stage::Llvm, &llvm);
        }
    }
    Ok(Code { images, objects })
}

/// What device code finds of the functions that it calls.
enum DeviceMath {
    /// It calls none.
    Unneeded,
    /// A library's bitcode.
    Found(Vec<u8>, MathKind),
    /// No library was found.
    Missing,
}

fn device_math(module: &array::Module, options: &Options) -> Result<DeviceMath, InternalError> {
    let is_wanted = options.halves != Halves::HostOnly && numptx_codegen::needs_device_math(&module.kernels);
    match (&options.toolchain.device_math, is_wanted) {
        (_, false) => Ok(DeviceMath::Unneeded),
        (None, true) => Ok(DeviceMath::Missing),
        (Some(math), true) => match std::fs::read(&math.path) {
            Ok(bytes) => Ok(DeviceMath::Found(bytes, math.kind)),
            Err(e) => Err(InternalError::new("device math", format!("cannot read {}: {e}", math.path.display()))),
        },
    }
}

/// What device code is made for: the portable target, and each architecture.
fn targets(module: &array::Module, options: &Options) -> Vec<DeviceTarget> {
    if options.halves == Halves::HostOnly || module.kernels.is_empty() {
        return Vec::new();
    }
    let portable = DeviceTarget { sm: DeviceTarget::ALL[0] };
    let architectures = options.architectures.iter().copied().filter(|target| *target != portable);
    std::iter::once(portable).chain(architectures).collect()
}

/// Whether there is machine code for a target, too.
fn is_assembled(options: &Options, target: DeviceTarget) -> bool {
    let Toolchain { ptxas, assembler, .. } = &options.toolchain;
    options.architectures.contains(&target) && (ptxas.is_some() || assembler.is_some())
}

/// PTX as machine code.
fn assembled(options: &Options, ptx: &str, target: DeviceTarget) -> Result<Vec<u8>, InternalError> {
    options.progress.begins("assemble", &format!("sm_{}", target.sm));
    match (&options.toolchain.ptxas, options.toolchain.assembler) {
        (Some(ptxas), _) => link::assemble(ptxas, ptx, target).map_err(|failure| failure.into_ours("ptxas")),
        (None, Some(assembler)) => assembler(ptx, target.sm).map_err(|text| InternalError::new("nvJitLink", text)),
        (None, None) => Err(InternalError::new("assemble", "there is no assembler")),
    }
}

/// The text of the portable image.
fn ptx_of(images: &[DeviceImage]) -> Option<&str> {
    images.iter().find_map(|image| match &image.contents {
        ImageContents::Ptx(text) if image.architecture == DeviceTarget::ALL[0] => Some(text.as_str()),
        _ => None,
    })
}

fn portable_ptx(image: &DeviceImage, options: &Options) -> Option<Artifact> {
    match &image.contents {
        ImageContents::Ptx(text) if image.architecture == DeviceTarget::ALL[0] => {
            Some(Artifact::text(format!("{}.ptx", options.module_name), text.clone()))
        }
        _ => None,
    }
}

/// Machine code as a file of its own, where that is asked for.
fn saved_cubin(image: &DeviceImage, options: &Options) -> Option<Artifact> {
    match &image.contents {
        ImageContents::Cubin(bytes) if options.save_cubins => {
            let file_name = format!("{}.sm_{}.cubin", options.module_name, image.architecture);
            Some(Artifact::binary(file_name, bytes.clone()))
        }
        _ => None,
    }
}

/// Object files to a library; `None`, with a report, if there is no linker.
fn library(
    objects: Vec<HostObject>,
    options: &Options,
    reports: &mut Reports,
) -> Result<Option<Artifact>, InternalError> {
    let name = &options.module_name;
    if options.form == Form::StaticLibrary {
        let too_large = || InternalError::new("archive", "the objects are too large for a static library");
        let bytes = archive(&objects).ok_or_else(too_large)?;
        return Ok(Some(Artifact::binary(format!("{name}.a"), bytes)));
    }
    let Some(linker) = &options.toolchain.linker else {
        reports.push(missing_linker());
        return Ok(None);
    };
    options.progress.begins("link", name);
    match link::link(linker, &objects, name) {
        Ok(bytes) => Ok(Some(Artifact::binary(format!("{name}.so"), bytes))),
        Err(link::Failure::Environment(message)) => {
            reports.push(unusable_tool(message));
            Ok(None)
        }
        Err(link::Failure::Ours(error)) => Err(error),
    }
}

fn unusable_tool(message: String) -> Report {
    Report::error(code::LINKER_MISSING, Span::default(), message)
        .help("NUMPTX_LINKER names another linker, TMPDIR another place for temporary files")
}

fn missing_linker() -> Report {
    Report::error(code::LINKER_MISSING, Span::default(), "no linker was found")
        .help("install a C compiler or lld (Debian: `apt-get install lld`), or name one in NUMPTX_LINKER")
}

fn missing_device_math() -> Report {
    let message = "no device math library was found: the library has no device code and runs on the CPU";
    Report::warning(code::DEVICE_MATH_MISSING, Span::default(), message)
        .help("`pip install nvidia-cuda-nvcc-cu12` brings libdevice; or name one in NUMPTX_LIBDEVICE")
}

fn timed<T>(
    stage: &str,
    observer: &mut dyn Observer,
    work: impl FnOnce(&mut dyn Observer) -> Result<T, InternalError>,
) -> Result<T, InternalError> {
    let start = std::time::Instant::now();
    let result = work(observer);
    observer.timed(stage, start.elapsed().as_secs_f64());
    result
}
