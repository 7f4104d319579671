//! Host code for several processors: objects of kernels and of functions that compute, one a level, and the tables that the runtime chooses by.
//!
//! In: a module before optimisation; the objects of a library. Out: objects whose functions have their level in their names, and one that holds
//! [`numptx_abi::HostCode`], the places where chosen addresses stand, and a jump for each function that other objects call through such a place.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use inkwell::values::{ArrayValue, FunctionValue, GlobalValue, PointerValue};
use inkwell::{AddressSpace, GlobalVisibility, IntPredicate, OptimizationLevel};
use numptx_source::InternalError;

use super::descriptors::Descriptors;
use super::{HostObject, HostProgram, Part, Symbols, field, finished};
use crate::error::{Emit, bug};
use crate::host::{Tuning, object_of, prepare, set_target, specialize, variant_names, verify};
use crate::optimization::Effort;
use crate::scalar::{VectorVersion, is_math_function};
use crate::work::{Done, Job};

/// What compiled code asks of the C library whoever links it.
const C_FUNCTIONS: [&str; 5] = ["memcpy", "memmove", "memset", "memcmp", "bcmp"];

impl Symbols {
    /// The library's [`numptx_abi::HostCode`].
    pub(super) fn host_code(&self) -> String {
        self.of("host")
    }

    /// The places that jumps read.
    fn slots(&self) -> String {
        self.of("slots")
    }

    /// A function of the machine's math library.
    fn math(&self, name: &str) -> String {
        self.of(&format!("math.{name}"))
    }

    /// What an object calls in place of a math function; `None` of other symbols, which keep their names.
    pub(super) fn instead_of(&self, symbol: &str) -> Emit<Option<String>> {
        let is_ours = symbol.starts_with("numptx") || symbol == "_GLOBAL_OFFSET_TABLE_";
        match is_ours || C_FUNCTIONS.contains(&symbol) {
            true => Ok(None),
            false if is_math_function(symbol) => Ok(Some(self.math(symbol))),
            false => Err(bug(format!("machine code calls `{symbol}`, which no list of functions has"))),
        }
    }
}

/// The name that a function has at a level.
fn name_at(function: &str, level: &str) -> String {
    format!("{function}.{level}")
}

/// The job that makes an object of loops for each level: it optimises what `emit` makes as far as that is the same for all of them.
pub(super) fn loops_job<'a>(
    program: HostProgram<'a>,
    first: &str,
    weight: usize,
    emit: impl FnOnce(&Module<'_>) -> Emit<()> + Send + 'a,
) -> Job<'a, HostObject> {
    let what = first.to_owned();
    Job::with_next("host", first, weight, move || {
        let context = Context::create();
        let module = context.create_module(&program.ir.name);
        emit(&module)?;
        let (levels, main) = (program.levels.all(), program.levels.main());
        prepare(&module, &levels[main].target, Effort::Loops)?;
        let others = (0..levels.len()).filter(|n| *n != main);
        // Each job has an LLVM context of its own.
        let bitcode: Arc<[u8]> = match levels.len() {
            1 => Arc::from([]),
            _ => Arc::from(module.write_bitcode_to_memory().as_slice()),
        };
        let next = others.map(|n| {
            let bitcode = Arc::clone(&bitcode);
            Job::with_next("host", &what, weight / 2, move || {
                let context = Context::create();
                let buffer = MemoryBuffer::create_from_memory_range(&bitcode, "module");
                let module = Module::parse_bitcode_from_buffer(&buffer, &context);
                let module = module.map_err(|e| bug(format!("LLVM does not read its own: {}", e.to_string_lossy())))?;
                Ok(Done { value: level_object(&module, &program, n)?, next: Vec::new() })
            })
        });
        let next = next.collect();
        Ok(Done { value: level_object(&module, &program, main)?, next })
    })
}

/// The object of the `n`th level, of a module that was prepared; `None` where none of its functions is wanted.
fn level_object(module: &Module<'_>, program: &HostProgram<'_>, n: usize) -> Emit<Option<HostObject>> {
    let (level, main) = (&program.levels.all()[n], program.levels.main());
    let is_found = |f: &FunctionValue<'_>| f.count_basic_blocks() > 0 && f.get_linkage() == Linkage::External;
    for function in module.get_functions().filter(is_found) {
        let name = name_at(&function.get_name().to_string_lossy(), &level.name);
        function.as_global_value().set_name(&name);
    }
    // Few machines are less than the main level: code for them has to run, and to be there soon.
    let (tuning, effort) = match n.cmp(&main) {
        Ordering::Less => (Tuning::Plain, OptimizationLevel::Less),
        Ordering::Equal => (Tuning::Fast, Effort::Loops.level()),
        Ordering::Greater => (Tuning::Wide, Effort::Loops.level()),
    };
    if !specialize(module, &level.target, tuning)? {
        return Ok(None);
    }
    Ok(Some(finished(module, program, &level.target, effort)?))
}

/// A place of the library's, for the address of a function.
enum Place {
    /// Bytes from the first kernel's descriptor on.
    Kernels(usize),
    /// A slot's number.
    Slot(usize),
}

/// A word that a jump reads.
struct Slot {
    /// The symbol of the jump.
    symbol: String,
    /// The function of the math library that it is for.
    math: Option<String>,
}

/// What is chosen when a library is bound.
struct Plan {
    /// A place, and the symbol for it by level.
    choices: Vec<(Place, Vec<Option<String>>)>,
    slots: Vec<Slot>,
}

impl Plan {
    fn of(program: &HostProgram<'_>, objects: &[HostObject]) -> Emit<Plan> {
        let there: HashSet<&str> = objects.iter().flat_map(|o| o.symbols.iter().map(String::as_str)).collect();
        let levels = program.levels.all();
        let candidates = |function: &str| -> Vec<Option<String>> {
            let at = levels.iter().map(|level| name_at(function, &level.name));
            at.map(|name| there.contains(name.as_str()).then_some(name)).collect()
        };
        let mut plan = Plan { choices: Vec::new(), slots: Vec::new() };
        for (n, kernel) in program.ir.kernels.iter().enumerate() {
            for (offset, name) in variant_names(kernel) {
                let functions = candidates(&program.symbols.of(&name));
                if functions.iter().any(Option::is_some) {
                    plan.choices.push((Place::Kernels(n * size_of::<numptx_abi::Kernel>() + offset), functions));
                }
            }
        }
        for function in program.ir.functions.iter().filter(|f| Part::of(f) == Part::Computing) {
            let symbol = program.symbols.entry(function);
            plan.choices.push((Place::Slot(plan.slots.len()), candidates(&symbol)));
            plan.slots.push(Slot { symbol, math: None });
        }
        if plan.choices.iter().any(|(_, functions)| functions[0].is_none()) {
            return Err(bug("a function lacks its code for the least processor"));
        }
        // Vector versions fall back to what they are versions of.
        let mut math: BTreeSet<String> = objects.iter().flat_map(|o| o.math.iter().cloned()).collect();
        let scalars: Vec<String> = math.iter().filter_map(|name| Some(VectorVersion::of(name)?.scalar)).collect();
        math.extend(scalars);
        plan.slots.extend(math.into_iter().map(|name| Slot { symbol: program.symbols.math(&name), math: Some(name) }));
        Ok(plan)
    }

    fn slot_of(&self, math: &str) -> Emit<usize> {
        let found = self.slots.iter().position(|slot| slot.math.as_deref() == Some(math));
        found.ok_or_else(|| bug(format!("`{math}` has no slot")))
    }
}

/// The object by which the runtime chooses among those of a library.
///
/// # Errors
/// Our bug, always.
pub fn levels_object(program: &HostProgram<'_>, objects: &[HostObject]) -> Result<HostObject, InternalError> {
    let symbols = program.symbols;
    let plan = Plan::of(program, objects)?;
    let context = Context::create();
    let module = context.create_module(&program.ir.name);
    let least = program.levels.least();
    set_target(&module, &least.machine(OptimizationLevel::Default)?);
    module.set_inline_assembly(&jumps(&plan, symbols));
    emit_tables(&module, program, &plan)?;
    verify(&module)?;
    let bytes = object_of(&module, least, OptimizationLevel::Default)?;
    let names = plan.slots.iter().map(|slot| slot.symbol.clone());
    let symbols = names.chain([symbols.host_code(), symbols.slots()]).collect();
    Ok(HostObject { bytes, symbols, math: Vec::new(), llvm: None })
}

/// A jump for each slot, for whatever the function takes and gives.
fn jumps(plan: &Plan, symbols: &Symbols) -> String {
    let slots = symbols.slots();
    let jump = |(n, slot): (usize, &Slot)| {
        let name = &slot.symbol;
        format!(
            ".p2align 4\n.globl \"{name}\"\n.hidden \"{name}\"\n.type \"{name}\",@function\n\"{name}\":\n\
            jmpq *\"{slots}\"+{}(%rip)\n.size \"{name}\", .-\"{name}\"\n",
            8 * n
        )
    };
    std::iter::once(".text\n".to_string()).chain(plan.slots.iter().enumerate().map(jump)).collect()
}

fn emit_tables<'ctx>(module: &Module<'ctx>, program: &HostProgram<'_>, plan: &Plan) -> Emit<()> {
    let (context, d) = (module.get_context(), Descriptors::new(module));
    let hidden = |name: &str| {
        let global = module.add_global(context.i8_type(), None, name);
        global.set_visibility(GlobalVisibility::Hidden);
        global
    };
    let ptr = context.ptr_type(AddressSpace::default());
    let slots = module.add_global(ptr.array_type(plan.slots.len().max(1) as u32), None, &program.symbols.slots());
    slots.set_visibility(GlobalVisibility::Hidden);
    let kernels = hidden(&program.symbols.kernels());
    let place = |place: &Place| match place {
        Place::Kernels(bytes) => field(kernels, *bytes),
        Place::Slot(n) => field(slots, 8 * n),
    };
    let function = |name: &Option<String>| match name {
        Some(name) => hidden(name).as_pointer_value(),
        None => ptr.const_null(),
    };
    let choice = |(at, functions): &(Place, Vec<Option<String>>)| -> Emit<_> {
        let functions: Vec<PointerValue<'ctx>> = functions.iter().map(function).collect();
        let functions = d.constant(ptr.const_array(&functions).into(), "functions");
        Ok(d.record(&[place(at)?.into(), functions.into()]))
    };
    let choices = plan.choices.iter().map(choice).collect::<Emit<Vec<_>>>()?;
    let all_levels = program.levels.all();
    let level = |level: &crate::target::Level| d.record(&[d.text(&level.name).into(), d.u64(level.target.needs())]);
    let levels: Vec<_> = all_levels.iter().map(level).collect();
    let math = plan.slots.iter().enumerate().filter_map(|(n, slot)| Some((n, slot.math.as_ref()?)));
    let slot =
        |(n, name): (usize, &String)| -> Emit<_> { Ok(d.record(&[d.text(name).into(), field(slots, 8 * n)?.into()])) };
    let math = math.map(slot).collect::<Emit<Vec<_>>>()?;
    slots.set_initializer(&first_values(module, plan, slots)?);

    let record = d.record(&[
        d.u32(levels.len() as u32),
        d.u32(choices.len() as u32),
        d.u32(math.len() as u32),
        d.u32(0),
        d.table(&levels, "levels").into(),
        d.table(&choices, "choices").into(),
        d.table(&math, "math").into(),
    ]);
    let table = module.add_global(record.get_type(), None, &program.symbols.host_code());
    table.set_initializer(&record);
    table.set_constant(true);
    table.set_visibility(GlobalVisibility::Hidden);
    Ok(())
}

/// What stands in the slots until the library is bound, and after it where the machine has no such vector version.
fn first_values<'ctx>(module: &Module<'ctx>, plan: &Plan, slots: GlobalValue<'ctx>) -> Emit<ArrayValue<'ctx>> {
    let ptr = module.get_context().ptr_type(AddressSpace::default());
    let value = |slot: &Slot| -> Emit<PointerValue<'ctx>> {
        match slot.math.as_deref().and_then(VectorVersion::of) {
            Some(version) => {
                let scalar = field(slots, 8 * plan.slot_of(&version.scalar)?)?;
                Ok(element_by_element(module, &version, scalar)?.as_global_value().as_pointer_value())
            }
            None => Ok(ptr.const_null()),
        }
    };
    let values = plan.slots.iter().map(value).collect::<Emit<Vec<_>>>()?;
    Ok(if values.is_empty() { ptr.const_array(&[ptr.const_null()]) } else { ptr.const_array(&values) })
}

/// A vector version that calls, for each element, the function whose address stands in `slot`.
fn element_by_element<'ctx>(
    module: &Module<'ctx>,
    version: &VectorVersion,
    slot: PointerValue<'ctx>,
) -> Emit<FunctionValue<'ctx>> {
    let context = module.get_context();
    let element = if version.is_single { context.f32_type() } else { context.f64_type() };
    let vector = element.vec_type(version.lanes);
    let arity = version.arity;
    let function = module.add_function(
        &format!("{}.{}.{}", version.scalar, version.lanes, version.level),
        vector.fn_type(&vec![vector.into(); arity], false),
        Some(Linkage::Internal),
    );
    // Vectors are passed in the registers of the processors that have them.
    let attributes = [("target-cpu", version.level), ("target-features", ""), ("prefer-vector-width", "512")];
    for (name, value) in attributes {
        let attribute = context.create_string_attribute(name, value);
        function.add_attribute(inkwell::attributes::AttributeLoc::Function, attribute);
    }
    let builder = context.create_builder();
    let [start, each, end] = ["start", "each", "end"].map(|name| context.append_basic_block(function, name));
    builder.position_at_end(start);
    let mut places = Vec::new();
    for parameter in function.get_params() {
        let place = builder.build_alloca(vector, "")?;
        builder.build_store(place, parameter)?;
        places.push(place);
    }
    let results = builder.build_alloca(vector, "")?;
    let callee = builder.build_load(context.ptr_type(AddressSpace::default()), slot, "")?.into_pointer_value();
    builder.build_unconditional_branch(each)?;

    builder.position_at_end(each);
    let i64_type = context.i64_type();
    let lane = builder.build_phi(i64_type, "lane")?;
    let n = lane.as_basic_value().into_int_value();
    // SAFETY: the lane is one of the vector's, which lies there element by element.
    let at = |place| unsafe { builder.build_in_bounds_gep(element, place, &[n], "") };
    let mut arguments = Vec::new();
    for place in places {
        arguments.push(builder.build_load(element, at(place)?, "")?.into());
    }
    let ty = element.fn_type(&vec![element.into(); arity], false);
    let value = builder.build_indirect_call(ty, callee, &arguments, "")?.try_as_basic_value().basic();
    builder.build_store(at(results)?, value.ok_or_else(|| bug("a math function gives nothing"))?)?;
    let next = builder.build_int_add(n, i64_type.const_int(1, false), "")?;
    lane.add_incoming(&[(&i64_type.const_zero(), start), (&next, each)]);
    let lanes = i64_type.const_int(version.lanes.into(), false);
    let is_last = builder.build_int_compare(IntPredicate::EQ, next, lanes, "")?;
    builder.build_conditional_branch(is_last, end, each)?;

    builder.position_at_end(end);
    let result = builder.build_load(vector, results, "")?;
    builder.build_return(Some(&result))?;
    Ok(function)
}
