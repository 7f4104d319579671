//! Objects as bindings make them and look at them, and as calls give them back.

use numptx_abi::{Array, Buffer as AbiBuffer, ObjectView, Value, object};
use numptx_objects::{Dict, Element, Layout, List, Object, Set, Text};

use super::{Held, ObjectCell};
use crate::buffer::{self, Buffer, BufferRef};
use crate::error::{Error, Result};

/// [`numptx_abi::RuntimeTable::object_new`]
///
/// # Safety
/// As the table's documentation says.
pub(crate) unsafe fn make(
    kind: u8,
    layout: &[u8],
    n: usize,
    words: *const u64,
    references: *const *const std::ffi::c_void,
) -> Result<BufferRef> {
    if kind == object::STRING {
        // SAFETY: as the caller promises: so many bytes.
        let bytes = if n == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(words.cast::<u8>(), n) } };
        let text = std::str::from_utf8(bytes).map_err(|_| Error::value("a string that is not UTF-8"))?;
        return Ok(buffer::new_object(Object::Str(Text::new(text)?)));
    }
    let (first, second) = match kind {
        object::DICTIONARY => {
            let (key, value) = Layout::pair(layout)?;
            (key, Some(value))
        }
        _ => (Layout::new(layout)?, None),
    };
    let n_words = first.words() + second.as_ref().map_or(0, Layout::words);
    let n_references = first.references() + second.as_ref().map_or(0, Layout::references);
    let codes: Vec<u8> = layout.iter().copied().filter(|code| object::is_reference(*code)).collect();
    // SAFETY: as the caller promises.
    let words = if n * n_words == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(words, n * n_words) } };
    let mut held = Vec::with_capacity(n * n_references);
    for at in 0..n * n_references {
        // SAFETY: as the caller promises: an object, or the record of an array.
        held.push(Some(unsafe {
            let address = *references.add(at);
            match codes[at % codes.len()] {
                object::ARRAY => Held::of_array(&*address.cast::<Array>())?,
                _ => Held::Object(BufferRef::to(address.cast_mut().cast::<Buffer>())),
            }
        }));
    }
    let element = |at: usize| {
        let (w, r) = (at * n_words, at * n_references);
        (&words[w..w + n_words], &held[r..r + n_references])
    };
    let object = match second {
        Some(value) => {
            let mut dictionary = Dict::new(first.clone(), value);
            for at in 0..n {
                let (words, references) = element(at);
                let (key_words, value_words) = words.split_at(first.words());
                let (key_references, value_references) = references.split_at(first.references());
                dictionary.set(
                    Element { words: key_words, references: key_references },
                    Element { words: value_words, references: value_references },
                )?;
            }
            Object::Dict(dictionary)
        }
        None if kind == object::SET => {
            let mut set = Set::new(first);
            for at in 0..n {
                let (words, references) = element(at);
                set.add(Element { words, references })?;
            }
            Object::Set(set)
        }
        None => {
            let mut list = List::new(first);
            if n_words > 0 && n_references == 0 {
                list.extend_words(words)?;
            } else {
                list.reserve(n)?;
                for at in 0..n {
                    let (words, references) = element(at);
                    list.append(Element { words, references })?;
                }
            }
            Object::List(list)
        }
    };
    Ok(buffer::new_object(object))
}

/// [`numptx_abi::RuntimeTable::object_view`]
pub(crate) fn view(cell: &ObjectCell) -> Result<ObjectView> {
    let mut seen = ObjectView {
        kind: 0,
        n_layout: 0,
        layout: std::ptr::null(),
        n: 0,
        words: std::ptr::null(),
        text: std::ptr::null(),
        n_text: 0,
        elements: std::ptr::null_mut(),
    };
    let listed = cell.look(|object| -> Result<Option<Object<Held>>> {
        match object {
            Object::List(list) => {
                see(&mut seen, list);
                Ok(None)
            }
            Object::Str(text) => {
                let text = text.as_str();
                seen.kind = u32::from(object::STRING);
                (seen.text, seen.n_text) = (text.as_ptr(), text.len() as i64);
                Ok(None)
            }
            Object::Dict(dictionary) => {
                seen.kind = u32::from(object::DICTIONARY);
                Ok(Some(Object::List(dictionary.item_list()?)))
            }
            Object::Set(set) => {
                seen.kind = u32::from(object::SET);
                Ok(Some(Object::List(set.to_list()?)))
            }
        }
    })?;
    if let Some(listed) = listed {
        let kind = seen.kind;
        let buffer = buffer::new_object(listed);
        if let Some(cell) = buffer.object() {
            cell.look(|object| {
                if let Object::List(list) = object {
                    see(&mut seen, list);
                }
            });
        }
        seen.kind = kind;
        seen.elements = buffer.into_raw().cast::<AbiBuffer>();
    }
    Ok(seen)
}

fn see(seen: &mut ObjectView, list: &List<Held>) {
    let layout = list.layout().codes();
    seen.kind = u32::from(object::LIST);
    (seen.layout, seen.n_layout) = (layout.as_ptr(), layout.len() as u32);
    (seen.words, seen.n) = (list.words().as_ptr(), list.len() as i64);
    seen.n_text = list.limit();
}

/// [`numptx_abi::RuntimeTable::object_reference`]
pub(crate) fn reference_at(cell: &ObjectCell, at: usize, out: &mut Value) -> Result<()> {
    let held = cell.look(|object| match object {
        Object::List(list) => list.references().get(at).cloned().flatten(),
        _ => None,
    });
    match held {
        Some(Held::Object(buffer)) => {
            out.kind = Value::OBJECT;
            // Borrowed: the list keeps it.
            out.array.buffer = buffer.as_ptr().cast();
            Ok(())
        }
        Some(Held::Array(array)) => {
            (out.kind, out.dtype) = (Value::ARRAY, array.array.dtype);
            (out.parameter, out.identity, out.read_only) = (array.parameter, 0, 0);
            out.device = array.buffer.as_ref().map_or(-1, |buffer| buffer.device);
            out.data = array.first.cast();
            out.array = array.handed_out();
            Ok(())
        }
        None => Err(Error::runtime("no reference is there; this is a bug of numptx")),
    }
}
