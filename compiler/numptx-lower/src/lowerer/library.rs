//! What is known while a function of the library is lowered.

use std::collections::BTreeMap;

use numptx_ir::array::ValueId;
use numptx_source::Span;

use crate::values::call::Call;
use crate::values::value::Value;

/// A call of a function of the library, as it stands in the program.
#[derive(Clone)]
pub(crate) struct LibraryCall {
    pub name: &'static str,
    pub span: Span,
    /// What it was given, in the words of the function's parameters.
    pub given: String,
}

/// What is known while functions of the library are lowered.
#[derive(Default)]
pub(crate) struct Library {
    /// The outermost call of a function of the library that is being lowered.
    pub caller: Option<LibraryCall>,
    /// The library refused that call: what else is found of it is untrue.
    pub is_refused: bool,
    /// Defaults that are lowered are those of a function of the library.
    pub is_default: bool,
    /// Names of the members of tuples of these values: what is a named tuple in NumPy.
    pub members: BTreeMap<Vec<ValueId>, Vec<String>>,
    /// Functions that calls of the table were given, by their numbers.
    pub functions: Vec<Value>,
}

/// The values of members that are scalars and arrays.
fn values_of(members: &[Value]) -> Option<Vec<ValueId>> {
    members.iter().map(|member| member.typed().map(|typed| typed.value)).collect()
}

impl Library {
    /// Where the call of the program stands that led into the library.
    pub fn call_site(&self) -> Option<Span> {
        self.caller.as_ref().map(|call| call.span)
    }

    /// `named("Q R", q, r)`: a tuple whose members have these names.
    pub fn named(&mut self, call: &Call) -> Value {
        let [Value::Str(names), members @ ..] = call.positional.as_slice() else { return Value::Poison };
        if let Some(values) = values_of(members) {
            self.members.insert(values, names.split(' ').map(str::to_owned).collect());
        }
        Value::Tuple(members.to_vec())
    }

    /// The member of a tuple that has this name in NumPy.
    pub fn member(&self, members: &[Value], name: &str) -> Option<Value> {
        let names = self.members.get(&values_of(members)?)?;
        members.get(names.iter().position(|own| own == name)?).cloned()
    }
}

/// A function's name as programs write it.
pub(crate) fn shown(name: &str) -> String {
    name.replacen("numpy", "np", 1)
}
