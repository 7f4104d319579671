//! Objects whose `__cuda_array_interface__` says anything, given to `numptx.asarray` and to functions: an exception, or an array that is what the
//! dictionary says and whose elements lie in its memory.
//!
//! Trusted: memory that the driver knows is as large as shape, strides and type say, where there can be such an array. Not trusted: the rest, that
//! the driver knows the address and the stream included.
#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

mod python;

use numptx_fuzz_targets::memory::{Reach, is_impossible, reach};
use numptx_fuzz_targets::odd::{Number, Odd, few};
use python::check::{self, Elements, Facts, NAMES};
use python::package;

/// What the dictionary holds, and what is done with the object.
#[derive(Debug)]
struct Program {
    choice: u8,
    type_text: Odd<TypeText>,
    shape: Vec<Number>,
    shape_form: Odd<u8>,
    layout: u8,
    strides: Vec<Number>,
    strides_form: Odd<u8>,
    shift: Odd<u8>,
    place: u8,
    address: Odd<Number>,
    data_form: Odd<u8>,
    is_read_only: bool,
    stream: Odd<(u8, Number)>,
    others: Odd<u8>,
    version: Odd<i64>,
    device: Odd<(u8, Number)>,
    library: u8,
    form: Odd<u8>,
    steps: u8,
}

#[derive(Debug)]
struct TypeText(String);

impl<'a> Arbitrary<'a> for TypeText {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        const MARKS: [char; 28] = [
            '<', '>', '|', '=', 'f', 'i', 'u', 'b', 'c', 'V', 'S', 'U', 'O', 'M', 'm', '1', '2', '4', '8', '6', '0',
            '9', ',', '(', ')', '[', 'é', '\0',
        ];
        let picks: Vec<u8> = few(u, 6)?;
        Ok(TypeText(picks.iter().map(|pick| MARKS[usize::from(*pick) % MARKS.len()]).collect()))
    }
}

impl<'a> Arbitrary<'a> for Program {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Program {
            choice: u.arbitrary()?,
            type_text: u.arbitrary()?,
            shape: few(u, 5)?,
            shape_form: u.arbitrary()?,
            layout: u.arbitrary()?,
            strides: few(u, 5)?,
            strides_form: u.arbitrary()?,
            shift: u.arbitrary()?,
            place: u.arbitrary()?,
            address: u.arbitrary()?,
            data_form: u.arbitrary()?,
            is_read_only: u.arbitrary()?,
            stream: u.arbitrary()?,
            others: u.arbitrary()?,
            version: u.arbitrary()?,
            device: u.arbitrary()?,
            library: u.arbitrary()?,
            form: u.arbitrary()?,
            steps: u.arbitrary()?,
        })
    }
}

/// Types of objects.
const CLASSES: &str = "
class Raising:
    @property
    def __cuda_array_interface__(self):
        raise ZeroDivisionError('mine')

def made(module):
    return type('ndarray', (), {'__module__': module})

classes = [made(name) for name in ('somebody.arrays', 'jaxlib._jax', 'numba.cuda')]
";

fuzz_target!(init: python::start(register, CLASSES), |program: Program| {
    Python::attach(|py| {
        run(py, &program).unwrap_or_else(|error| panic!("{error}"));
    });
});

fn register(_names: &Bound<'_, PyDict>) -> PyResult<()> {
    Ok(())
}

/// NumPy's letters of our dtypes.
const TYPES: [&str; 14] =
    ["|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f4", "<f8", "<c8", "<c16", "<f2"];

impl Program {
    fn has_elements(&self, facts: &Facts) -> bool {
        !facts.shape.contains(&0)
    }

    /// Bytes; `None`: those of C order.
    fn strides(&self, shape: &[i64], itemsize: usize) -> Option<Vec<i64>> {
        let itemsize = itemsize as i64;
        let mut dense = vec![0i64; shape.len()];
        let mut step = itemsize;
        for axis in (0..shape.len()).rev() {
            dense[axis] = step;
            step = step.saturating_mul(shape[axis].max(1));
        }
        let own = |axis: usize| self.strides.get(axis).map_or(itemsize, |stride| stride.value());
        Some(match self.layout % 8 {
            0 | 1 => return None,
            2 => dense,
            3 => dense.iter().map(|stride| stride.wrapping_neg()).collect(),
            4 => dense.iter().map(|stride| stride.wrapping_mul(3)).collect(),
            5 => vec![0; shape.len()],
            6 => (0..shape.len()).map(|axis| own(axis).wrapping_mul(itemsize)).collect(),
            _ => (0..shape.len()).map(own).collect(),
        })
    }
}

fn run(py: Python<'_>, program: &Program) -> PyResult<()> {
    let code = usize::from(program.choice % 14);
    let type_text = match &program.type_text {
        odd if odd.is_right() => TYPES[code].to_string(),
        odd => odd.value().map_or_else(String::new, |text| text.0.clone()),
    };
    // What NumPy makes of it is what counts.
    let name: Option<String> = py
        .import("numpy")?
        .call_method1("dtype", (&type_text,))
        .and_then(|dtype| {
            if dtype.getattr("isnative")?.is_truthy()? { dtype.getattr("name")?.extract() } else { Ok(String::new()) }
        })
        .ok();
    let code = name.and_then(|name| NAMES.iter().position(|known| *known == name)).map(|code| code as u8);
    let itemsize = code.map_or(1, |code| usize::from(numptx_abi::dtype::ITEMSIZE[usize::from(code)]));
    let shape: Vec<i64> = program.shape.iter().map(|extent| extent.value()).collect();
    let strides = program.strides(&shape, itemsize);
    let wide: Vec<i128> = match &strides {
        Some(strides) => strides.iter().map(|stride| i128::from(*stride)).collect(),
        None => {
            let mut step = itemsize as i128;
            let mut dense = vec![0; shape.len()];
            for axis in (0..shape.len()).rev() {
                dense[axis] = step;
                step = step.saturating_mul(i128::from(shape[axis].max(1)));
            }
            dense
        }
    };
    let shift = usize::from(program.shift.or(0) % 16);
    let known = reach(&shape, &wide, itemsize);
    let mut elements = match known {
        Some(Reach { elements: 0, .. }) => Elements::None,
        Some(_) => Elements::There,
        None if is_impossible(&shape, &wide, itemsize) => Elements::Impossible,
        None => Elements::Elsewhere,
    };
    let (owner, mut address, device) = match (elements, known) {
        (Elements::There, Some(reach)) => backing(py, program.place, reach, shift)?,
        _ => (py.None(), 1 << 44, Some(0)),
    };
    if !program.address.is_right() {
        address = program.address.or(Number::Extent(0)).value() as usize;
        if elements == Elements::There {
            elements = Elements::Elsewhere;
        }
    }
    let interface = PyDict::new(py);
    let forms = [
        program.shape_form.is_right(),
        program.strides_form.is_right(),
        program.data_form.is_right(),
        program.form.is_right(),
        program.others.is_right(),
    ];
    let are_forms_right = forms.into_iter().all(|is_right| is_right);
    set(&interface, "shape", program.shape_form, &shape)?;
    if let Some(strides) = &strides {
        set(&interface, "strides", program.strides_form, strides)?;
    }
    interface.set_item("typestr", &type_text)?;
    set_data(&interface, program.data_form, address, program.is_read_only)?;
    interface.set_item("version", program.version.or(3))?;
    set_stream(&interface, program)?;
    set_others(&interface, program.others)?;
    let object = object(py, program, &interface, &owner)?;

    let facts = Facts {
        code,
        shape,
        strides: wide,
        address,
        device,
        is_read_only: (program.library % 3 == 1).then_some(true).or(are_forms_right.then_some(program.is_read_only)),
        elements,
        is_right: elements == Elements::There
            && code.is_some()
            && are_forms_right
            && program.stream.is_right()
            && program.device.is_right()
            && shift == 0
            && strides.as_ref().is_none_or(|strides| strides.iter().all(|stride| stride % itemsize as i64 == 0)),
        raises: !program.form.is_right(),
    };
    // What was changed in form may be another array.
    let is_placed = !program.device.is_right() && program.place % 8 == PINNED;
    let may_differ =
        is_placed || !are_forms_right || (!program.has_elements(&facts) && facts.elements != Elements::Impossible);
    if may_differ {
        for outcome in
            [check::as_array(&object).err(), python::functions::call(python::functions::Kind::Tail, &object).err()]
        {
            outcome.iter().for_each(|error| check::refused(error, &facts, py));
        }
        return Ok(());
    }
    if program.steps & 1 != 0 {
        check::called(&object, &facts);
    }
    let view = if program.steps & 2 != 0 { check::tail(&object, &facts) } else { None };
    let array = check::imported(check::as_array(&object), &facts, py);
    if let Some(array) = &array {
        check::called(array, &facts);
        if program.steps & 4 != 0 {
            check::filled(array, &facts);
        }
    }
    if program.steps & 8 != 0 {
        check::filled(&object, &facts);
    }
    drop((object, owner, interface, array));
    if let Some(view) = view {
        assert_eq!(check::on_host(&view).len(), check::tail_size(&facts) * itemsize);
    }
    python::settle(py);
    Ok(())
}

/// The place of page-locked memory, which is on the device that an object names.
const PINNED: u8 = 1;

/// Memory that the driver knows, with the elements of an array in it: the owner, the address of the first, and the device.
fn backing(py: Python<'_>, place: u8, reach: Reach, shift: usize) -> PyResult<(Py<PyAny>, usize, Option<i32>)> {
    let before = reach.low.next_multiple_of(64) - reach.low + shift;
    let n = before + reach.bytes;
    let numptx = package().numptx.bind(py);
    let options = PyDict::new(py);
    let (device, is_pinned) = match place % 8 {
        0 => (Some(1), false),
        PINNED => (Some(0), true),
        _ => (Some(0), false),
    };
    if is_pinned {
        options.set_item("pinned", true)?;
    } else {
        options.set_item("device", format!("cuda:{}", device.unwrap_or(0)))?;
    }
    let owner = numptx.call_method("empty", (n, "uint8"), Some(&options))?;
    let interface = match is_pinned {
        true => owner.call_method0("to_host")?.getattr("__array_interface__")?,
        false => owner.getattr("__cuda_array_interface__")?,
    };
    let (address, _): (usize, bool) = interface.get_item("data")?.extract()?;
    for k in 0..n {
        // SAFETY: the mock driver's memory is the host's, and so large.
        unsafe { std::ptr::with_exposed_provenance_mut::<u8>(address + k).write((k * 37 + 11) as u8) };
    }
    Ok((owner.unbind(), address + before + reach.low, device))
}

/// Extents or strides: a tuple, or something else.
fn set(interface: &Bound<'_, PyDict>, key: &str, form: Odd<u8>, numbers: &[i64]) -> PyResult<()> {
    let py = interface.py();
    match form.or(0) % 10 {
        1 => interface.set_item(key, PyList::new(py, numbers)?),
        2 => interface.set_item(key, py.None()),
        3 => Ok(()),
        4 => interface.set_item(key, "abc"),
        5 => interface.set_item(key, PyTuple::new(py, numbers.iter().map(|n| *n as f64))?),
        6 => interface.set_item(key, PyTuple::new(py, [u64::MAX; 2])?),
        7 => interface.set_item(key, PyTuple::new(py, [1i64; 40])?),
        8 => interface.set_item(key, 7),
        9 => interface.set_item(key, PyDict::new(py)),
        _ => interface.set_item(key, PyTuple::new(py, numbers)?),
    }
}

fn set_data(interface: &Bound<'_, PyDict>, form: Odd<u8>, address: usize, is_read_only: bool) -> PyResult<()> {
    let py = interface.py();
    match form.or(0) % 8 {
        1 => interface.set_item("data", py.None()),
        2 => interface.set_item("data", address),
        3 => interface.set_item("data", (address,)),
        4 => interface.set_item("data", (-1, is_read_only)),
        5 => interface.set_item("data", (address, "yes")),
        6 => Ok(()),
        7 => interface.set_item("data", (1u128 << 70, is_read_only)),
        _ => interface.set_item("data", (address, is_read_only)),
    }
}

fn set_stream(interface: &Bound<'_, PyDict>, program: &Program) -> PyResult<()> {
    let (form, number) = program.stream.or((8, Number::Extent(0)));
    match form % 8 {
        0 if form == 8 => Ok(()),
        0 => interface.set_item("stream", interface.py().None()),
        1 => interface.set_item("stream", "x"),
        2 => interface.set_item("stream", 1.5),
        3 => interface.set_item("stream", u64::MAX),
        _ => interface.set_item("stream", number.value()),
    }
}

fn set_others(interface: &Bound<'_, PyDict>, form: Odd<u8>) -> PyResult<()> {
    let py = interface.py();
    match form.or(0) % 8 {
        1 => interface.set_item("mask", py.None()),
        2 => interface.set_item("mask", "some"),
        3 => interface.set_item("descr", PyList::new(py, [("", "<f8")])?),
        4 => interface.set_item("descr", 5),
        5 => interface.del_item("typestr"),
        6 => interface.set_item("typestr", py.None()),
        7 => interface.set_item(9, 9),
        _ => Ok(()),
    }
}

/// An object with the dictionary, and with what else it may have.
fn object<'py>(
    py: Python<'py>,
    program: &Program,
    interface: &Bound<'py, PyDict>,
    owner: &Py<PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let names = package().names.bind(py);
    if program.form.or(0) % 4 == 1 {
        return names.get_item("Raising")?.expect("defined at the start").call0();
    }
    let classes = names.get_item("classes")?.expect("defined at the start");
    let object = classes.get_item(program.library % 3)?.call0()?;
    match program.form.or(0) % 4 {
        2 => object.setattr("__cuda_array_interface__", py.None())?,
        3 => object.setattr("__cuda_array_interface__", PyTuple::new(py, [interface])?)?,
        _ => object.setattr("__cuda_array_interface__", interface)?,
    }
    object.setattr("owner", owner)?;
    let (form, number) = program.device.or((8, Number::Extent(0)));
    match form % 6 {
        _ if form == 8 => {}
        0 => object.setattr("device", "cuda")?,
        form => {
            let device = classes.get_item(0)?.call0()?;
            let name = if form % 2 == 0 { "id" } else { "index" };
            match form {
                1 | 2 => device.setattr(name, number.value())?,
                3 => device.setattr(name, "first")?,
                _ => device.setattr(name, py.None())?,
            }
            object.setattr("device", device)?;
        }
    }
    Ok(object)
}
