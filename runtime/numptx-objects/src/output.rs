//! Text that grows, or fails where memory runs out.

use crate::failure::{Failure, Outcome};

/// More bytes are never asked for at once.
const MOST: usize = 1 << 40;

fn asked(bytes: usize) -> Outcome<usize> {
    if bytes > MOST { Err(Failure::memory()) } else { Ok(bytes) }
}

/// Text that is being written.
#[derive(Debug, Default)]
pub(crate) struct Output {
    text: String,
}

impl Output {
    pub(crate) fn new() -> Output {
        Output::default()
    }

    /// With room for so many bytes.
    pub(crate) fn with_room(bytes: usize) -> Outcome<Output> {
        let mut text = String::new();
        text.try_reserve_exact(asked(bytes)?)?;
        Ok(Output { text })
    }

    pub(crate) fn push(&mut self, text: &str) -> Outcome<()> {
        self.text.try_reserve(text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    pub(crate) fn character(&mut self, c: char) -> Outcome<()> {
        self.text.try_reserve(c.len_utf8())?;
        self.text.push(c);
        Ok(())
    }

    /// The same character several times.
    pub(crate) fn repeat(&mut self, c: char, count: usize) -> Outcome<()> {
        let bytes = count.checked_mul(c.len_utf8()).ok_or_else(Failure::memory)?;
        self.text.try_reserve(asked(bytes)?)?;
        self.text.extend(std::iter::repeat_n(c, count));
        Ok(())
    }

    pub(crate) fn done(self) -> String {
        self.text
    }
}
