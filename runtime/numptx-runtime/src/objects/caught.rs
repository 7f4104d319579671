//! What a `try` raised, as compiled code handles it: its kind, and its text as `str` gives it.

use numptx_abi::{error_kind, object};
use numptx_objects::{Item, Object, Text};

use super::{Held, Maker};
use crate::buffer::new_object;
use crate::call::CallState;
use crate::error::{Error, Result};

/// [`object::CAUGHT`]
///
/// # Safety
/// The call's error is writable.
pub(super) unsafe fn caught(call: &CallState, results: &mut [[u64; 2]]) -> Result<()> {
    let [kind, text] = results else { return Err(Error::runtime("what is caught has a kind and a text")) };
    // SAFETY: as the caller promises.
    let found = unsafe { call.error.as_mut() }.ok_or_else(|| Error::runtime("a call has no room for its error"))?;
    let error = Error::from_abi(error_kind::EXCEPTION, found);
    found.kind = error_kind::OK;
    let (caught, words) = match error.kind() {
        error_kind::KEY => (error_kind::KEY_REPR, repr(error.message())?),
        kind => (kind, error.message().to_string()),
    };
    *kind = [i64::from(caught).cast_unsigned(), 0];
    *text = [new_object(Object::Str(Text::from(words))).into_raw().expose_provenance() as u64, 0];
    Ok(())
}

/// A text as `repr` writes it.
fn repr(text: &str) -> Result<String> {
    let operand = Item::Reference(Held::Object(new_object(Object::Str(Text::new(text)?))));
    let mut made = Vec::new();
    numptx_objects::run(object::TO_REPR, &[object::STRING], &[operand], &mut made, &mut Maker)?;
    match made.first() {
        Some(Item::Reference(Held::Object(buffer))) => {
            Ok(buffer.object().and_then(|cell| cell.text()).unwrap_or_default())
        }
        _ => Err(Error::runtime("a text has no `repr`; this is a bug of numptx")),
    }
}

/// [`object::SETTLE`]
pub(super) fn settle(call: &CallState) -> Result<()> {
    match call.device.filter(|_| call.recording.is_none()) {
        Some(device) => device.wait(call.stream.handle()),
        None => Ok(()),
    }
}
