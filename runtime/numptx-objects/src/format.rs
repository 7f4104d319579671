//! `format(x, specification)` and `conversion % x` of one leaf.
//!
//! A specification is read into a [`Specification`]; ints, floats, complex numbers and texts are written by it, each with what Python refuses of its
//! type. Scalars of NumPy's are written as Python's of the same value.

mod float;
mod int;
mod number;
mod percent;
mod specification;
mod text;

use numptx_abi::dtype;
use numptx_abi::object;

use crate::compare::Number;
use crate::display::{element_text, scalar_text};
use crate::elements::Element;
use crate::failure::{Failure, Outcome};
use crate::layout::{Layout, Leaf};
use crate::object::{Embedding, Object, Reference};

pub(crate) use percent::percent;
use specification::Specification;

/// What is formatted.
enum Subject {
    /// A number, and what Python calls its type.
    Number(Number, &'static str),
    Text(String),
    /// Anything else, which takes no specification: what Python calls its type.
    Other(&'static str),
}

impl Subject {
    fn of<R: Reference>(layout: &Layout, element: Element<'_, R>) -> Outcome<Subject> {
        let mut leaves = layout.leaves(element);
        Ok(match leaves.next().ok_or_else(|| Failure::bug("a value without leaves"))? {
            Leaf::Open | Leaf::Close => Subject::Other("tuple"),
            Leaf::None => Subject::Other("NoneType"),
            Leaf::Scalar(code, words) => {
                let number = Number::of(code, words);
                let name = match object::dtype_of(code) {
                    dtype::BOOL => "bool",
                    dtype::FLOAT16 | dtype::FLOAT32 | dtype::FLOAT64 => "float",
                    dtype::COMPLEX64 | dtype::COMPLEX128 => "complex",
                    _ => "int",
                };
                Subject::Number(number, name)
            }
            Leaf::Reference(_, reference) => {
                let text = reference.with_object(|object| match object {
                    Object::Str(text) => Subject::Text(text.as_str().to_string()),
                    _ => Subject::Other(object.type_name()),
                });
                text.unwrap_or(Subject::Other("numpy.ndarray"))
            }
        })
    }
}

/// `format(x, specification)`
pub(crate) fn format<R: Reference>(
    specification: &str,
    layout: &Layout,
    element: Element<'_, R>,
    embedding: &mut impl Embedding<R>,
) -> Outcome<String> {
    let subject = Subject::of(layout, element)?;
    match subject {
        Subject::Number(Number::Float(x), _) if specification.is_empty() => {
            Ok(scalar_text(dtype::FLOAT64, [x.to_bits(), 0], false))
        }
        Subject::Number(Number::Complex(x, y), _) if specification.is_empty() => {
            Ok(scalar_text(dtype::COMPLEX128, [x.to_bits(), y.to_bits()], false))
        }
        _ if specification.is_empty() => element_text(layout, element, false, embedding),
        Subject::Number(number, name) => {
            let specification = Specification::read(specification, '>', None, name)?;
            match number {
                Number::Int(n) => int::format(n, &specification, name),
                Number::Float(x) => float::format(x, &specification, name),
                Number::Complex(x, y) => float::format_complex(x, y, &specification),
            }
        }
        Subject::Text(text) => text::format(&text, &Specification::read(specification, '<', Some('s'), "str")?),
        Subject::Other(name) => {
            Err(Failure::type_error(format!("unsupported format string passed to {name}.__format__")))
        }
    }
}
