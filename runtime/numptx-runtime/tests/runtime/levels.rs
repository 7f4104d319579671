//! Host code that is chosen when a library is bound: by what the processor has, and by what the math library has.

use std::ffi::c_void;
use std::sync::Barrier;

use numptx_abi::{HostChoice, HostCode, HostLevel, MathSlot, Module, error_kind, features};

use crate::kernels::module_of;
use crate::program::{is_apart, table};

/// A feature that no processor has.
const NOWHERE: u64 = 1 << 63;

fn leak<T>(values: Vec<T>) -> *mut T {
    Box::leak(values.into_boxed_slice()).as_mut_ptr()
}

fn level(name: &'static std::ffi::CStr, features: u64) -> HostLevel {
    HostLevel { name: name.as_ptr(), features }
}

/// An address to recognise.
fn address(n: usize) -> *const c_void {
    std::ptr::without_provenance(n)
}

/// A module whose descriptor holds host code.
fn module_with(levels: Vec<HostLevel>, choices: Vec<HostChoice>, math: Vec<MathSlot>) -> &'static Module {
    let host = HostCode {
        n_levels: levels.len() as u32,
        n_choices: choices.len() as u32,
        n_math: math.len() as u32,
        reserved: 0,
        levels: leak(levels),
        choices: leak(choices),
        math: leak(math),
    };
    let module = std::ptr::from_ref(module_of("7.0", Vec::new())).cast_mut();
    // SAFETY: the module was made above, and nobody else has it.
    unsafe {
        (*module).host = leak(vec![host]);
        &*module
    }
}

/// Binds; the message where that fails.
fn bind(module: &Module) -> Result<(), String> {
    let mut error = numptx_runtime::no_error();
    // SAFETY: a module's descriptor.
    match unsafe { (table().bind)(module, &mut error) } {
        error_kind::OK => Ok(()),
        kind => Err(numptx_runtime::Error::from_abi(kind, &error).message().to_string()),
    }
}

#[test]
fn each_place_gets_the_function_of_the_highest_level_that_the_processor_has() {
    let places: *mut *const c_void = leak(vec![std::ptr::null(); 3]);
    let choice = |n: usize, functions: [usize; 3]| HostChoice {
        // SAFETY: one of three places.
        place: unsafe { places.add(n) },
        functions: leak(functions.map(address).to_vec()),
    };
    let choices = vec![choice(0, [1, 2, 3]), choice(1, [4, 0, 5]), choice(2, [6, 7, 0])];
    let levels = vec![level(c"least", 0), level(c"more", 0), level(c"most", NOWHERE)];
    assert_eq!(bind(module_with(levels, choices, Vec::new())), Ok(()));
    // SAFETY: three places, which are written.
    let found = unsafe { std::slice::from_raw_parts(places, 3) };
    assert_eq!(found, [address(2), address(4), address(7)]);
}

#[test]
fn what_the_processor_lacks_is_named_and_nothing_is_bound() {
    let module = module_with(vec![level(c"native", NOWHERE)], Vec::new(), Vec::new());
    for _ in 0..2 {
        let error = bind(module).expect_err("no processor has it");
        assert!(error.contains("module `kernels` was compiled with `--cpu native`"), "{error}");
        assert!(error.contains("`--cpu portable`"), "{error}");
    }
}

#[test]
fn the_environment_lowers_the_choice() {
    if !is_apart("levels::the_environment_lowers_the_choice", &[("NUMPTX_CPU_LEVEL", "x86-64")]) {
        return;
    }
    let v2 = features::of_level("x86-64-v2").expect("a level");
    let error = bind(module_with(vec![level(c"x86-64-v2", v2)], Vec::new(), Vec::new())).expect_err("it is lowered");
    assert!(error.contains("this processor lacks sse3, ssse3, sse4.1, sse4.2, popcnt;"), "{error}");
    assert_eq!(bind(module_with(vec![level(c"x86-64", 0)], Vec::new(), Vec::new())), Ok(()));
}

#[test]
fn math_functions_are_the_machine_s_or_the_library_s_own() {
    let places = leak(vec![std::ptr::null(), address(8), std::ptr::null()]);
    let slot = |n: usize, name: &'static std::ffi::CStr| MathSlot {
        name: name.as_ptr(),
        // SAFETY: one of three places.
        place: unsafe { places.add(n) },
    };
    let levels = || vec![level(c"x86-64", 0)];
    let slots = vec![slot(0, c"exp"), slot(1, c"_ZGVbN2v_nothing")];
    assert_eq!(bind(module_with(levels(), Vec::new(), slots)), Ok(()));
    // SAFETY: places that are written, of which the first holds C's function.
    let value = unsafe {
        assert_eq!(*places.add(1), address(8));
        std::mem::transmute::<*const c_void, extern "C" fn(f64) -> f64>(*places)(1.0)
    };
    assert_eq!(value, std::f64::consts::E);
    let error = bind(module_with(levels(), Vec::new(), vec![slot(2, c"no_such_function")])).expect_err("there is none");
    assert!(error.contains("calls `no_such_function`"), "{error}");
}

#[test]
fn threads_that_bind_at_once_find_every_place_filled() {
    for _ in 0..100 {
        let places = leak(vec![std::ptr::null::<c_void>(); 64]).expose_provenance();
        let place = |n: usize| std::ptr::with_exposed_provenance_mut::<*const c_void>(places).wrapping_add(n);
        let choice = |n: usize| HostChoice { place: place(n), functions: leak(vec![address(n + 1)]) };
        let module = module_with(vec![level(c"x86-64", 0)], (0..64).map(choice).collect(), Vec::new());
        let module = std::ptr::from_ref(module).expose_provenance();
        let start = Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    start.wait();
                    // SAFETY: descriptors are shared by all threads of a program.
                    assert_eq!(bind(unsafe { &*std::ptr::with_exposed_provenance::<Module>(module) }), Ok(()));
                    // SAFETY: a place, which is filled once a module is bound.
                    (0..64).for_each(|n| assert_eq!(unsafe { *place(n) }, address(n + 1)));
                });
            }
        });
    }
}
