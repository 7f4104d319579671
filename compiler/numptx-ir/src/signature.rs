//! What an exported overload looks like from outside.

use numptx_abi::object;

use crate::DType;

/// An exported overload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The Python function's name; overloads share it.
    pub function: String,
    /// As the user reads it: `saxpy(float32, float32[:], float32[:])`.
    pub text: String,
    /// Top-level parameters in order.
    pub parameters: Vec<Parameter>,
    /// The result.
    pub result: ResultType,
    /// Leaves of the result that are one object with an earlier leaf, ascending, and that leaf.
    pub same: Vec<(usize, usize)>,
    /// Leaves, arrays all, of which the path decides which are one object, ascending. Their objects' numbers, each an `i64`, are operands of the
    /// array IR's `return` after all leaves: equal numbers are one object.
    pub numbered: Vec<usize>,
    /// The defaults of the parameters that this overload does without, as Python writes them; `...` for those that have no short text.
    pub defaults: Vec<String>,
    /// The function's docstring.
    pub docstring: Option<String>,
}

/// A top-level parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: ParameterType,
    /// Whether it is given by name only.
    pub by_name: bool,
}

impl Parameter {
    /// Whether no caller passes it: the binding does.
    pub fn is_hidden(&self) -> bool {
        matches!(self.ty, ParameterType::Object(ObjectType::GlobalRandom))
    }
}

/// A memory order that is part of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum MemoryOrder {
    C,
    F,
}

/// A parameter's type. Scalars and arrays are leaves: each is one parameter of the array IR's function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// A scalar; `python` ones (`int`, `float`, `complex`, `bool`) are weak in promotion.
    Scalar {
        /// Its dtype; `int64`, `float64`, `complex128`, `bool` for Python's.
        dtype: DType,
        /// Whether it is Python's.
        python: bool,
    },
    /// An array.
    Array {
        /// Its dtype.
        dtype: DType,
        /// One entry an axis; `Some` where the extent is fixed.
        extents: Vec<Option<i64>>,
        /// The order that callers must pass, if any.
        order: Option<MemoryOrder>,
    },
    /// A tuple.
    Tuple(Vec<ParameterType>),
    /// `None`.
    None,
    /// A string; the constant that selects this overload, if one does.
    Str(Option<String>),
    /// A list, a dictionary, a set or a string of run time: a leaf.
    Object(ObjectType),
    /// A record, and the types of its fields.
    Record(RecordType, Vec<ParameterType>),
}

/// A record as a caller has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordType {
    /// The name of its class or dtype in the module.
    pub name: String,
    /// Its fields' names.
    pub fields: Vec<String>,
    /// How its fields are reached.
    pub access: FieldAccess,
}

/// How the fields of a record are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldAccess {
    /// As the members of a tuple.
    Members,
    /// As attributes.
    Attributes,
    /// As attributes; an instance is made with their names.
    Names,
    /// By subscripts with their names.
    Items,
}

impl RecordType {
    /// What describes a [`numptx_abi::ResultNode::RECORD`]: the name, and the fields' names where an instance is made with these.
    pub fn made(&self) -> String {
        match self.access {
            FieldAccess::Names => format!("{} {}", self.name, self.fields.join(" ")),
            _ => self.name.clone(),
        }
    }
}

impl FieldAccess {
    /// The word of the array IR's text.
    pub const fn word(self) -> &'static str {
        match self {
            FieldAccess::Members => "members",
            FieldAccess::Attributes => "attributes",
            FieldAccess::Names => "names",
            FieldAccess::Items => "items",
        }
    }
}

/// The type of an object: what its members are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectType {
    /// A list of such members.
    List(ElementType),
    /// A dictionary of such keys and values.
    Dictionary(ElementType, ElementType),
    /// A set of such members.
    Set(ElementType),
    /// A string.
    Text,
    /// `numpy.random.Generator`: the list of the words of its state, which the caller's goes on from.
    Generator,
    /// `numpy.random.RandomState`: the same.
    RandomState,
    /// The state that the functions of `numpy.random` draw of: the same, and no caller passes it.
    GlobalRandom,
    /// A tuple of a length that the run time knows: a list that a caller gets as one.
    Tuple(ElementType),
    /// `collections.deque`: the same of a list.
    Deque(ElementType),
    /// `collections.Counter`, of a dictionary.
    Counter(ElementType, ElementType),
    /// `collections.defaultdict`, of a dictionary, and the name of the builtin that makes what is missing.
    Default(String, ElementType, ElementType),
}

/// The type of a member of an object. All but `Tuple` and `Record` are leaves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementType {
    /// A scalar.
    Scalar {
        /// Its dtype; `int64`, `float64`, `complex128`, `bool` for Python's.
        dtype: DType,
        /// Whether it is Python's.
        python: bool,
    },
    /// `None`.
    None,
    /// An array.
    Array {
        /// Its dtype.
        dtype: DType,
        /// Its rank.
        rank: usize,
    },
    /// A tuple.
    Tuple(Vec<ElementType>),
    /// A tuple that a caller gets as an instance of a class.
    Record(RecordType, Vec<ElementType>),
    /// Another object.
    Object(Box<ObjectType>),
}

/// A result's type. Scalars and arrays are leaves: each is one operand of the array IR's `return`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// `None`.
    None,
    /// `int`, `float`, `complex` or `bool`.
    PythonScalar(DType),
    /// A NumPy scalar that the host program holds.
    NumpyScalar(DType),
    /// A NumPy scalar held as a rank-0 array.
    DeviceScalar(DType),
    /// An array.
    Array {
        /// Its dtype.
        dtype: DType,
        /// Its rank.
        rank: usize,
    },
    /// A tuple.
    Tuple(Vec<ResultType>),
    /// A list of static length.
    List(Vec<ResultType>),
    /// A list, a dictionary, a set or a string of run time: a leaf.
    Object(ObjectType),
    /// One of several: a leaf, `int64`, that is the position of the one that it is, and the leaves of each.
    OneOf(Vec<ResultType>),
    /// A record, and the types of its fields.
    Record(RecordType, Vec<ResultType>),
}

impl Signature {
    /// Whether lists, dictionaries, sets or strings of run time pass, or a result is one of several: only Python's binding has them.
    pub fn has_objects(&self) -> bool {
        fn in_parameter(ty: &ParameterType) -> bool {
            match ty {
                ParameterType::Object(_) => true,
                ParameterType::Tuple(members) | ParameterType::Record(_, members) => members.iter().any(in_parameter),
                _ => false,
            }
        }
        fn in_result(ty: &ResultType) -> bool {
            match ty {
                ResultType::Object(_) | ResultType::OneOf(_) => true,
                ResultType::Tuple(members) | ResultType::List(members) | ResultType::Record(_, members) => {
                    members.iter().any(in_result)
                }
                _ => false,
            }
        }
        self.parameters.iter().any(|p| in_parameter(&p.ty)) || in_result(&self.result)
    }
}

impl ObjectType {
    /// As [`numptx_abi::object`] describes it to bindings.
    pub fn description(&self) -> Vec<u8> {
        let mut description = Vec::new();
        self.describe(&mut description);
        description
    }

    fn describe(&self, out: &mut Vec<u8>) {
        out.push(match self {
            ObjectType::List(_) => object::LIST,
            ObjectType::Dictionary(..) => object::DICTIONARY,
            ObjectType::Set(_) => object::SET,
            ObjectType::Text => object::STRING,
            ObjectType::Generator => object::GENERATOR,
            ObjectType::RandomState => object::RANDOM_STATE,
            ObjectType::GlobalRandom => object::RANDOM_GLOBAL,
            ObjectType::Tuple(_) => object::TUPLE,
            ObjectType::Deque(_) => object::DEQUE,
            ObjectType::Counter(..) => object::COUNTER,
            ObjectType::Default(..) => object::DEFAULT,
        });
        if let ObjectType::Default(makes, ..) = self {
            out.extend(makes.bytes().chain([0]));
        }
        self.members().iter().for_each(|member| member.describe(out));
    }

    /// What it is at run time: [`object::LIST`], [`object::DICTIONARY`], [`object::SET`] or [`object::STRING`].
    pub fn kind(&self) -> u8 {
        match self {
            ObjectType::List(_) | ObjectType::Tuple(_) | ObjectType::Deque(_) => object::LIST,
            ObjectType::Generator | ObjectType::RandomState | ObjectType::GlobalRandom => object::LIST,
            ObjectType::Dictionary(..) | ObjectType::Counter(..) | ObjectType::Default(..) => object::DICTIONARY,
            ObjectType::Set(_) => object::SET,
            ObjectType::Text => object::STRING,
        }
    }

    /// The types of its members; of a dictionary its keys and its values.
    pub fn members(&self) -> Vec<&ElementType> {
        match self {
            ObjectType::Text | ObjectType::Generator | ObjectType::RandomState | ObjectType::GlobalRandom => Vec::new(),
            ObjectType::List(member)
            | ObjectType::Set(member)
            | ObjectType::Tuple(member)
            | ObjectType::Deque(member) => vec![member],
            ObjectType::Dictionary(key, value)
            | ObjectType::Counter(key, value)
            | ObjectType::Default(_, key, value) => vec![key, value],
        }
    }

    /// Whether a caller gets it as the list, dictionary, set or string that it is, and so all that it holds.
    pub fn is_plain(&self) -> bool {
        let is_own =
            matches!(self, ObjectType::List(_) | ObjectType::Dictionary(..) | ObjectType::Set(_) | ObjectType::Text);
        is_own && self.members().iter().all(|member| member.is_plain())
    }
}

impl ElementType {
    /// The layout of such members.
    pub fn layout(&self) -> Vec<u8> {
        match self {
            ElementType::Scalar { dtype, python } => vec![dtype.code() | if *python { 0 } else { object::NUMPY }],
            ElementType::None => vec![object::NONE],
            ElementType::Array { .. } => vec![object::ARRAY],
            ElementType::Tuple(members) | ElementType::Record(_, members) => {
                let members = members.iter().flat_map(ElementType::layout);
                [object::OPEN].into_iter().chain(members).chain([object::CLOSE]).collect()
            }
            ElementType::Object(object) => match **object {
                ObjectType::Text => vec![object::STRING],
                _ => vec![object::OBJECT],
            },
        }
    }

    fn describe(&self, out: &mut Vec<u8>) {
        match self {
            ElementType::Scalar { dtype, python } => {
                out.push(dtype.code() | if *python { 0 } else { object::NUMPY });
            }
            ElementType::None => out.push(object::NONE),
            ElementType::Array { dtype, rank } => out.extend([object::ARRAY, dtype.code(), *rank as u8]),
            ElementType::Tuple(members) => {
                out.push(object::OPEN);
                members.iter().for_each(|member| member.describe(out));
                out.push(object::CLOSE);
            }
            ElementType::Record(record, members) => {
                out.push(object::RECORD);
                out.extend(record.made().bytes().chain([0]));
                members.iter().for_each(|member| member.describe(out));
                out.push(object::CLOSE);
            }
            ElementType::Object(object) => object.describe(out),
        }
    }

    fn is_plain(&self) -> bool {
        match self {
            ElementType::Scalar { .. } | ElementType::None | ElementType::Array { .. } => true,
            ElementType::Tuple(members) => members.iter().all(ElementType::is_plain),
            ElementType::Record(..) => false,
            ElementType::Object(object) => object.is_plain(),
        }
    }
}
