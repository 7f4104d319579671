//! The run-time values inside values that are neither scalars, arrays, tuples nor lists: iterators, methods and closures, and
//! lists of run-time length. When such a value crosses the border of a region, its parts do.

use numptx_ir::array::ValueId;

use crate::values::closure::{Closure, Enclosing};
use crate::values::container_types::Container;
use crate::values::iterable::{Filled, Iterable, Ordered, Walk};
use crate::values::value::Value;

/// Gives a part's replacement.
type Replace<'f> = &'f mut dyn FnMut(&Value) -> Value;

impl Value {
    /// The parts in order; none if the value is known when compiling, or is not such a value.
    pub fn parts(&self) -> Vec<Value> {
        let mut parts = Vec::new();
        self.map_parts(&mut |part| {
            parts.push(part.clone());
            part.clone()
        });
        parts
    }

    /// The value without its parts: equal for values that differ in these only.
    pub fn skeleton(&self) -> Value {
        self.map_parts(&mut |_| Value::python(ValueId(0)))
    }

    /// The value with other parts.
    pub fn with_parts(&self, parts: Vec<Value>) -> Value {
        let mut parts = parts.into_iter();
        self.map_parts(&mut |part| parts.next().unwrap_or_else(|| part.clone()))
    }

    fn map_parts(&self, f: Replace<'_>) -> Value {
        match self {
            Value::Iterable(iterable) => Value::Iterable(Box::new(iterable.map_parts(f))),
            Value::Record(class, fields) => Value::Record(class.clone(), fields.iter().map(f).collect()),
            Value::Elementwise(function, dtypes) => Value::Elementwise(Box::new(f(function)), dtypes.clone()),
            Value::Slice(bounds) => Value::Slice(Box::new(bounds.each_ref().map(f))),
            Value::Flags(array) => Value::Flags(Box::new(f(array))),
            Value::Broadcast(shape) => Value::Broadcast(Box::new(f(shape))),
            Value::Method(owner, name) => Value::Method(Box::new(f(owner)), name.clone()),
            Value::Filled(list) => Value::Filled(Filled { array: replaced(Value::array(list.array), f), ..*list }),
            Value::IfRan(value, ran) => Value::IfRan(Box::new(f(value)), replaced(Value::python(*ran), f)),
            Value::Closure(closure) => Value::Closure(Box::new(closure.map_parts(f))),
            other => other.clone(),
        }
    }
}

fn replaced(part: Value, f: Replace<'_>) -> ValueId {
    let old = part.typed().map_or(ValueId(0), |t| t.value);
    f(&part).typed().map_or(old, |t| t.value)
}

impl Iterable {
    fn map_parts(&self, f: Replace<'_>) -> Iterable {
        match self {
            Iterable::Range { lower, upper, step } => Iterable::Range {
                lower: replaced(Value::python(*lower), f),
                upper: replaced(Value::python(*upper), f),
                step: replaced(Value::python(*step), f),
            },
            Iterable::Rows(array) => Iterable::Rows(replaced(Value::array(*array), f)),
            Iterable::Elements(array) => Iterable::Elements(replaced(Value::array(*array), f)),
            Iterable::Indices(extents) => {
                Iterable::Indices(extents.iter().map(|n| replaced(Value::python(*n), f)).collect())
            }
            Iterable::Ordered(ordered) => {
                let mut arrays = |values: &[ValueId]| values.iter().map(|v| replaced(Value::array(*v), f)).collect();
                let own = arrays(&ordered.arrays);
                let mut ints = |values: &[ValueId]| values.iter().map(|v| replaced(Value::python(*v), f)).collect();
                let (extents, strides) = (ints(&ordered.extents), ints(&ordered.strides));
                let backwards = ints(&ordered.backwards);
                Iterable::Ordered(Box::new(Ordered { arrays: own, extents, strides, backwards, ..(**ordered).clone() }))
            }
            Iterable::Members(list) => {
                Iterable::Members(Filled { array: replaced(Value::array(list.array), f), ..*list })
            }
            Iterable::Enumerate(inner, start) => {
                let inner = Box::new(inner.map_parts(f));
                Iterable::Enumerate(inner, replaced(Value::python(*start), f))
            }
            Iterable::Zip(all) => Iterable::Zip(all.iter().map(|i| i.map_parts(f)).collect()),
            Iterable::Reversed(inner) => Iterable::Reversed(Box::new(inner.map_parts(f))),
            Iterable::Container(container) => Iterable::Container(container.map_parts(f)),
            Iterable::Backwards(list, size) => {
                Iterable::Backwards(list.map_parts(f), replaced(Value::python(*size), f))
            }
            Iterable::Entries(container, gives) => Iterable::Entries(container.map_parts(f), *gives),
            Iterable::Walk(walk) => Iterable::Walk(Box::new(Walk {
                of: walk.of.map_parts(f),
                keys: walk.keys.map_parts(f),
                size: replaced(Value::python(walk.size), f),
                gives: walk.gives,
            })),
            Iterable::Text(text) => match f(&Value::Text(*text)) {
                Value::Text(text) => Iterable::Text(text),
                _ => Iterable::Text(*text),
            },
        }
    }
}

impl Container {
    fn map_parts(self, f: Replace<'_>) -> Container {
        match f(&Value::Container(self)) {
            Value::Container(container) => Container { value: container.value, ..self },
            // Without its parts a value has any one there.
            Value::Typed(typed) => Container { value: typed.value, ..self },
            _ => self,
        }
    }
}

impl Closure {
    fn map_parts(&self, f: Replace<'_>) -> Closure {
        let defaults = self.defaults.iter().map(|d| d.as_ref().map(&mut *f)).collect();
        let enclosing = match &self.enclosing {
            Enclosing::Kept(names) => {
                Enclosing::Kept(names.iter().map(|(name, value)| (name.clone(), f(value))).collect())
            }
            other => other.clone(),
        };
        Closure { function: self.function.clone(), defaults, enclosing }
    }
}
