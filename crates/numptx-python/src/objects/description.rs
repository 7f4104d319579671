//! Descriptions of members and objects ([`numptx_abi::object`]), read code by code.

use std::ffi::CStr;

use numptx_abi::object;

/// A description on the way through.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    at: *const u8,
}

impl Reader {
    /// At the beginning of a description.
    pub(crate) fn new(at: *const u8) -> Reader {
        Reader { at }
    }

    /// The next code, which stays next.
    ///
    /// # Safety
    /// Inside of a description.
    pub(crate) unsafe fn code(&self) -> u8 {
        // SAFETY: as the caller promises.
        unsafe { *self.at }
    }

    /// Passes a code.
    ///
    /// # Safety
    /// Inside of a description.
    pub(crate) unsafe fn next(&mut self) -> u8 {
        // SAFETY: as the caller promises.
        unsafe {
            let code = *self.at;
            self.at = self.at.add(1);
            code
        }
    }

    /// Passes a member's description, and writes its layout.
    ///
    /// # Safety
    /// At the description of a member.
    pub(crate) unsafe fn layout(&mut self, layout: &mut Vec<u8>) {
        // SAFETY: as the caller promises.
        unsafe {
            match self.next() {
                code @ (object::OPEN | object::RECORD) => {
                    if code == object::RECORD {
                        self.text();
                    }
                    layout.push(object::OPEN);
                    while self.code() != object::CLOSE {
                        self.layout(layout);
                    }
                    layout.push(self.next());
                }
                object::ARRAY => {
                    layout.push(object::ARRAY);
                    self.at = self.at.add(2);
                }
                object::LIST | object::SET | object::TUPLE | object::DEQUE => {
                    layout.push(object::OBJECT);
                    self.layout(&mut Vec::new());
                }
                code @ (object::DICTIONARY | object::COUNTER | object::DEFAULT) => {
                    if code == object::DEFAULT {
                        self.text();
                    }
                    layout.push(object::OBJECT);
                    self.layout(&mut Vec::new());
                    self.layout(&mut Vec::new());
                }
                code => layout.push(code),
            }
        }
    }

    /// The codes from here to where another reader of the same description is.
    ///
    /// # Safety
    /// `end` is further on.
    pub(crate) unsafe fn until<'a>(self, end: Reader) -> &'a [u8] {
        // SAFETY: as the caller promises; descriptions are part of a library that the call keeps.
        unsafe { std::slice::from_raw_parts(self.at, end.at.offset_from_unsigned(self.at)) }
    }

    /// Passes a text, which ends with a null.
    ///
    /// # Safety
    /// At a text of a description.
    pub(crate) unsafe fn text<'a>(&mut self) -> &'a CStr {
        // SAFETY: as the caller promises; descriptions are part of a library that the call keeps.
        unsafe {
            let text = CStr::from_ptr(self.at.cast());
            self.at = self.at.add(text.count_bytes() + 1);
            text
        }
    }

    /// Passes the description of a member, or of an object.
    ///
    /// # Safety
    /// At the description of one.
    pub(crate) unsafe fn pass(&mut self) {
        // SAFETY: as the caller promises.
        unsafe { self.layout(&mut Vec::new()) };
    }
}
