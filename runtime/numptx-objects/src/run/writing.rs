//! Operations that write a value as text.

use numptx_abi::object::{FORMAT, FORMAT_PERCENT, TO_REPR, TO_STR};

use crate::display::element_text;
use crate::failure::Outcome;
use crate::format::{format, percent};
use crate::layout::Layout;
use crate::object::{Embedding, Reference};
use crate::run::operands::text;
use crate::run::{Context, strange};

pub(super) fn run<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let layout = Layout::new(context.layout)?;
    let by = if matches!(context.code, FORMAT | FORMAT_PERCENT) { Some(context.operands.reference()?) } else { None };
    let value = context.operands.element(&layout)?;
    let (element, embedding) = (value.element(), &mut *context.embedding);
    let made = match (context.code, by) {
        (TO_STR, _) => element_text(&layout, element, false, embedding)?,
        (TO_REPR, _) => element_text(&layout, element, true, embedding)?,
        (FORMAT, Some(by)) => text(by, |by| format(by.as_str(), &layout, element, embedding))?,
        (FORMAT_PERCENT, Some(by)) => text(by, |by| percent(by.as_str(), &layout, element, embedding))?,
        _ => return strange(),
    };
    context.give_text(made)
}
