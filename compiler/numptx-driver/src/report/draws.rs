//! Who draws random numbers in a call on a device: a kernel, or the host.
//!
//! In: an operation that draws, and its code. Out: a step of the report. Which generator it is, and how many numbers, is known when running only.

use numptx_ir::object::{
    self, RANDOM_DRAW_ARRAY, RANDOM_DRAW_COUNT, RANDOM_DRAW_FLOAT, RANDOM_FEWEST_ON_DEVICE, RANDOM_NUMBER,
    RANDOM_OF_ARRAYS,
};
use numptx_ir::random::METHODS;

use super::model::Action;

/// Whether an operation draws.
pub fn is_draw(operation: u32) -> bool {
    name(operation).starts_with("random_draw_")
}

fn name(operation: u32) -> &'static str {
    object::operation(operation).map_or("", |row| row.name)
}

/// The step, and whether a device may be given a kernel for it. The code is `None` where it is not known.
pub fn draw(operation: u32, code: Option<i64>) -> (Action, bool) {
    let has_method = matches!(operation, RANDOM_DRAW_ARRAY | RANDOM_DRAW_FLOAT | RANDOM_DRAW_COUNT);
    let number = code.filter(|_| has_method).and_then(|code| usize::try_from(code & RANDOM_NUMBER).ok());
    let method = number.and_then(|number| METHODS.get(number));
    let name = method.map_or_else(|| name(operation).trim_start_matches("random_draw_"), |method| method.name);
    let is_constant = code.is_some_and(|code| code & RANDOM_OF_ARRAYS == 0);
    let is_device = operation == RANDOM_DRAW_ARRAY && is_constant && method.is_some_and(|m| m.is_for_devices());
    let (by, text) = if is_device {
        let least = RANDOM_FEWEST_ON_DEVICE;
        (
            "device",
            format!("drawn on a device by a kernel, of PCG64 and Philox from {least} numbers on; else by the host"),
        )
    } else if matches!(operation, RANDOM_DRAW_FLOAT | RANDOM_DRAW_COUNT | object::RANDOM_DRAW_INTEGER) {
        ("host", "drawn by the host, one number".to_owned())
    } else {
        ("host", "drawn by the host, and copied where the call computes on a device".to_owned())
    };
    (Action::Draw { method: name.to_owned(), by, text }, is_device)
}
