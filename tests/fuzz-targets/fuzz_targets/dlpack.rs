//! Exporters whose DLPack tensors say anything, given to `numptx.asarray` and to functions: an exception, or an array that is what the tensor says and
//! whose elements lie in its memory. A tensor that was taken over is given back exactly once.
//!
//! Trusted, as DLPack says: a tensor has as many extents, and strides unless these are null, as axes; its memory is as large as shape, strides and
//! dtype say, where there can be such an array; capsules point to what their names say; a device's address is one of its. Not trusted: the rest,
//! null as the address of elements included.
#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use pyo3::prelude::*;
use pyo3::types::PyDict;

#[path = "dlpack/exporter.rs"]
mod exporter;
mod python;
#[path = "dlpack/tensor.rs"]
mod tensor;

use exporter::Exporter;
use python::check::{self, Elements};
use tensor::{Given, TensorFacts};

/// A tensor, how it is exported, and what is done with it.
#[derive(Debug)]
struct Program {
    tensor: TensorFacts,
    export: exporter::ExportFacts,
    steps: u8,
}

impl<'a> Arbitrary<'a> for Program {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Program { tensor: u.arbitrary()?, export: u.arbitrary()?, steps: u.arbitrary()? })
    }
}

fuzz_target!(init: python::start(register, exporter::CLASSES), |program: Program| {
    Python::attach(|py| run(py, &program));
});

fn register(names: &Bound<'_, PyDict>) -> PyResult<()> {
    names.set_item("Exporter", names.py().get_type::<Exporter>())?;
    names.set_item("exchange", exporter::exchange_tables(names.py())?)
}

fn run(py: Python<'_>, program: &Program) {
    let given = Given::new(&program.tensor, &program.export, py);
    let Some(given) = given else { return };
    let facts = given.facts();
    let counts = given.counts();
    let object = exporter::object(py, &program.export, given.clone());
    // Calls first: their arrays are borrowed for the call.
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
    let view = view
        .or_else(|| array.as_ref().filter(|_| program.steps & 16 != 0).and_then(|array| check::tail(array, &facts)));
    drop(array);
    // Memory without a deleter is there for ever.
    let forever = (!program.export.has_deleter()).then(|| given.clone());
    // What is left of the exporter is what the view keeps.
    drop((object, given));
    if let Some(view) = view
        && view.hasattr("to_host").is_ok_and(|has| has)
    {
        let itemsize = facts.code.map_or(0, |code| usize::from(numptx_abi::dtype::ITEMSIZE[usize::from(code)]));
        assert_eq!(check::on_host(&view).len(), check::tail_size(&facts) * itemsize);
    }
    if facts.device.is_none_or(|device| device >= 0) || facts.elements == Elements::Elsewhere {
        python::settle(py);
    }
    drop(forever);
    counts.check();
}
