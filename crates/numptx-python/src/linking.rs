//! Device code without loading it: linking, and what is known about kernels that are loaded.

use std::ffi::{CString, c_char};

use numptx_abi::{Buffer, BufferInfo, KernelFacts, LinkImage, LinkRequest, error_kind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::{errors, interrupt, module, runtime, streams};

/// A host buffer that linking gave, with its one reference; null: none.
struct Output(*mut Buffer);

// SAFETY: nobody else has the buffer, and references may be given up on any thread.
unsafe impl Send for Output {}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the reference is ours.
            unsafe { (runtime::table().release)(self.0) };
        }
    }
}

impl Output {
    /// Its bytes; none of null.
    fn bytes(&self) -> &[u8] {
        if self.0.is_null() {
            return &[];
        }
        // SAFETY: a live host buffer, which nobody writes any more.
        unsafe {
            let mut info = std::mem::MaybeUninit::<BufferInfo>::uninit();
            (runtime::table().buffer_info)(self.0, info.as_mut_ptr());
            let info = info.assume_init();
            match usize::try_from(info.bytes).unwrap_or(0) {
                0 => &[],
                n => std::slice::from_raw_parts(info.data.cast::<u8>(), n),
            }
        }
    }
}

fn text(words: &str) -> PyResult<CString> {
    CString::new(words).map_err(|_| PyValueError::new_err("a name holds a null character"))
}

/// What linking came to.
struct Outcome {
    status: numptx_abi::Status,
    error: numptx_abi::Error,
    cubin: Output,
    text: Output,
}

/// Links `(name, bytes)` images to a cubin: its bytes, and what the linker said. `packages`: folders in which Python packages lie.
#[pyfunction]
fn link<'py>(
    py: Python<'py>,
    images: &Bound<'py, PyList>,
    architecture: Option<String>,
    packages: &Bound<'py, PyList>,
) -> PyResult<(Bound<'py, PyBytes>, String)> {
    let images =
        images.iter().map(|image| image.extract()).collect::<PyResult<Vec<(String, Bound<'py, PyBytes>)>>>()?;
    let names = images.iter().map(|(name, _)| text(name)).collect::<PyResult<Vec<CString>>>()?;
    let bytes: Vec<&[u8]> = images.iter().map(|(_, bytes)| bytes.as_bytes()).collect();
    let architecture = architecture.as_deref().map(text).transpose()?;
    let packages = packages.iter().map(|folder| folder.extract()).collect::<PyResult<Vec<String>>>()?;
    let packages = text(&packages.iter().map(|folder| format!("{folder}\n")).collect::<String>())?;
    let outcome = interrupt::detached(py, || {
        let images: Vec<LinkImage> = names
            .iter()
            .zip(&bytes)
            .map(|(name, bytes)| LinkImage {
                name: name.as_ptr(),
                data: bytes.as_ptr().cast(),
                bytes: bytes.len() as u64,
            })
            .collect();
        let request = LinkRequest {
            images: images.as_ptr(),
            n_images: images.len() as u64,
            architecture: architecture.as_ref().map_or(std::ptr::null::<c_char>(), |name| name.as_ptr()),
            packages: packages.as_ptr(),
        };
        let (mut cubin, mut text, mut error) = (std::ptr::null_mut(), std::ptr::null_mut(), errors::empty());
        // SAFETY: everything that the request names lives until the call returns, and so do the places for the results.
        let status = unsafe { (runtime::table().link)(&request, &mut cubin, &mut text, &mut error) };
        Outcome { status, error, cubin: Output(cubin), text: Output(text) }
    });
    let said = String::from_utf8_lossy(outcome.text.bytes());
    if outcome.status != error_kind::OK && !outcome.text.0.is_null() {
        let whole = text(&said.replace('\0', " "))?;
        // SAFETY: null-terminated.
        return Err(unsafe { errors::exception(py, outcome.status, whole.as_ptr()) });
    }
    errors::check(py, outcome.status, &outcome.error)?;
    let cubin = outcome.cubin.bytes();
    let code = PyBytes::new_with(py, cubin.len(), |code| {
        code.copy_from_slice(cubin);
        Ok(())
    })?;
    Ok((code, said.into_owned()))
}

/// `(architecture, registers, bytes of shared memory)` of a kernel's function as the first GPU has it that loaded its module; `None` without one.
#[pyfunction]
fn kernel_facts(module: &Bound<'_, PyAny>, function: &str) -> PyResult<Option<(u32, i32, i32)>> {
    const ANY: i32 = -1;
    let descriptor = streams::SendPointer(module::descriptor(module)?.cast_mut());
    let name = text(function)?;
    let mut facts = KernelFacts::default();
    let out = streams::SendPointer(&raw mut facts);
    streams::detached(module.py(), move |table, error| {
        // SAFETY: the descriptor lives as long as its library; the name and the place for the result are alive.
        unsafe { (table.kernel_facts)(descriptor.get(), name.as_ptr(), ANY, out.get(), error) }
    })?;
    Ok((facts.loaded != 0).then_some((facts.architecture, facts.registers, facts.shared_bytes)))
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_function(wrap_pyfunction!(link, native)?)?;
    native.add_function(wrap_pyfunction!(kernel_facts, native)?)
}
