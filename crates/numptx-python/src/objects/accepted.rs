//! What descriptions of parameters accept, in words.

use numptx_abi::object;

use super::description::Reader;

/// What a description accepts, as signatures say it.
///
/// # Safety
/// The description of a parameter.
pub(crate) unsafe fn accepted(description: *const u8) -> String {
    let mut reader = Reader::new(description);
    // SAFETY: as the caller promises.
    unsafe { reader.accepted() }
}

impl Reader {
    /// # Safety
    /// At the description of a member or an object.
    unsafe fn accepted(&mut self) -> String {
        // SAFETY: as the caller promises.
        unsafe {
            match self.next() {
                object::STRING => "str".into(),
                object::LIST => format!("{} list", self.accepted()),
                object::SET => format!("{} set", self.accepted()),
                object::DICTIONARY => {
                    let key = self.accepted();
                    format!("{key}:{} dict", self.accepted())
                }
                object::OPEN => {
                    let mut members = Vec::new();
                    while self.code() != object::CLOSE {
                        members.push(self.accepted());
                    }
                    self.next();
                    format!("({})", members.join(", "))
                }
                object::ARRAY => {
                    let (dtype, rank) = (self.next(), self.next());
                    let axes = vec![":"; usize::from(rank)].join(", ");
                    format!("{}[{axes}]", crate::parameters::dtype_name(dtype))
                }
                object::NONE => "None".into(),
                object::GENERATOR => "Generator".into(),
                object::RANDOM_STATE | object::RANDOM_GLOBAL => "RandomState".into(),
                code => crate::parameters::scalar_name(object::dtype_of(code), !object::is_numpy(code)).to_string(),
            }
        }
    }
}
