//! The syntax tree: datatypes only.
//!
//! It is the accepted subset of Python, spanned. What Python has and this tree has not was refused
//! by `subset.rs` with a report that names it. Names are not resolved and nothing is typed here.

use std::collections::BTreeMap;
use std::sync::Arc;

use numptx_source::{Report, Reports, Span};

/// A module: what was imported, its constants, its functions, and what it exports.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// `import numpy as np`, `from math import sqrt as root`, …
    pub imports: Vec<Import>,
    /// Names from the user's own files, in order.
    pub files: Vec<FileImport>,
    /// Module-level `NAME = expression`, in order.
    pub constants: Vec<Constant>,
    /// Functions at module level, in order.
    pub functions: Vec<Function>,
    /// Names at module level that only Python knows, in order.
    pub left: Vec<Left>,
    /// Names that stand in statements which are left to Python, and in what these call: where the first such statement is. What such a name
    /// stands for may be changed there. [`SEEDS_RANDOM`] is among them where one seeds the state of `np.random`.
    pub touched: BTreeMap<String, Span>,
    /// Exports in order of appearance; several of one name are overloads.
    pub exports: Vec<Export>,
    /// The module's docstring.
    pub docstring: Option<String>,
    /// The headers of `for` statements whose iterations a comment states to be independent.
    pub independent: Vec<Span>,
}

/// What [`Module::touched`] names a call of `np.random.seed`: no name of a program has a dot.
pub const SEEDS_RANDOM: &str = "random.seed";

/// One imported name. `path` is absolute: `numpy`, `numpy.linalg`, `math.sqrt`. The alias `*` stands for all names of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The name bound in the module.
    pub alias: String,
    /// What it is bound to.
    pub path: String,
    /// The import statement.
    pub span: Span,
}

/// A name that is imported from another file of the user's, or such a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileImport {
    /// The name bound in the module; `*` for all of the file's names.
    pub alias: String,
    /// What it is bound to, as it is written: `util`, `util.clamp`, `.util`, `..pkg.sub.f`.
    pub path: String,
    /// The module that is imported, or from which names are.
    pub module: String,
    /// The import statement.
    pub span: Span,
}

/// A module-level name of something that is not compiled. Nothing is wrong until a compiled function reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    /// The name.
    pub name: String,
    /// What is said where it is read, about the place where it is bound.
    pub report: Report,
}

/// A module-level constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// Its value, not yet evaluated.
    pub value: Expr,
}

/// One exported signature of a function, or an exported global.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// The exported name.
    pub name: String,
    /// The export, or the annotated function's name.
    pub span: Span,
    /// `None`: an exported global.
    pub parameters: Option<Vec<ExportParameter>>,
}

/// A parameter's type in an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportParameter {
    /// Its type. `A or B` is already expanded into several exports.
    pub ty: TypeSpec,
    /// Written `T?`: may be left out at the call, then the function's default applies.
    pub optional: bool,
    /// Where the type stands.
    pub span: Span,
}

/// A type as written in an export line or an annotation.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeSpec {
    /// A scalar. `int`, `float`, `complex` and `bool` are Python's: weak in promotion.
    Scalar(ScalarName),
    /// An array.
    Array(ArraySpec),
    /// `(A, B)`.
    Tuple(Vec<TypeSpec>),
    /// `T list`.
    List(Box<TypeSpec>),
    /// `T set`.
    Set(Box<TypeSpec>),
    /// `K:V dict`.
    Dictionary(Box<TypeSpec>, Box<TypeSpec>),
    /// `str`.
    Str,
    /// `None`.
    None,
    /// `np.random.Generator`.
    Generator,
    /// `np.random.RandomState`.
    RandomState,
    /// A record, by the name of its class or dtype.
    Record(String),
    /// An array of a structured dtype, by its name.
    Records(String, Vec<ExtentSpec>),
}

/// An array type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct ArraySpec {
    /// Element type; never one of Python's weak ones (`int[:]` means `int64[:]`, `float[:]` `float64[:]`).
    pub dtype: ScalarName,
    /// One entry an axis.
    pub extents: Vec<ExtentSpec>,
    /// `order(C)` or `order(F)`.
    pub order: Option<OrderSpec>,
}

/// One axis of an array type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtentSpec {
    /// `:` or nothing.
    Any,
    /// `::`.
    Strided,
    /// A fixed extent.
    Fixed(i64),
}

/// A memory order that is part of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderSpec {
    /// Row-major.
    C,
    /// Column-major.
    F,
}

/// A scalar type's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ScalarName {
    PyBool,
    PyInt,
    PyFloat,
    PyComplex,
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
    Complex64,
    Complex128,
}

/// A class whose instances are their fields, or a structured dtype.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its name, as Python shows it.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// What it is.
    pub kind: RecordKind,
    /// Its fields in order.
    pub fields: Vec<Field>,
    /// Its methods and properties.
    pub methods: Vec<Method>,
}

/// What a class of records is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// A tuple whose members have names.
    NamedTuple,
    /// A dataclass. `frozen`: its fields are not assigned; `ordered`: instances are compared by `<`; `named`: fields are given by name only.
    DataClass {
        /// `frozen=True`
        frozen: bool,
        /// `order=True`
        ordered: bool,
        /// `kw_only=True`
        named: bool,
    },
    /// `np.dtype([("x", np.float64)])`
    Structure,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// The types that its hint stands for; none, if it says nothing to compiled code.
    pub types: Vec<TypeSpec>,
    /// Its default value.
    pub default: Option<Expr>,
    /// Whether each instance has a default of its own: `field(default_factory=…)`.
    pub is_made: bool,
    /// Whether some statement may assign it; told when all files are read.
    pub is_assigned: bool,
}

/// A function of a class of records; its first parameter is the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// The function.
    pub function: Arc<Function>,
    /// Read without a call: `@property`.
    pub is_property: bool,
}

/// A function definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its statements, without the docstring.
    pub body: Vec<Stmt>,
    /// Its docstring.
    pub docstring: Option<String>,
    /// The whole definition.
    pub span: Span,
    /// What a decorator makes of its calls.
    pub applied: Applied,
    /// What was found in it outside the subset. Where this is not empty the body holds only what could
    /// be converted, and must not be compiled: whoever reaches the function hands these reports on.
    pub refused: Reports,
}

impl Function {
    /// Whether it yields: a call of it gives what is gone through.
    pub fn is_generator(&self) -> bool {
        fn yields(stmt: &Stmt) -> bool {
            matches!(stmt.kind, StmtKind::Yield(_)) || stmt.kind.blocks().into_iter().flatten().any(yields)
        }
        self.body.iter().any(yields)
    }
}

/// How a function is applied to the arguments of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Applied {
    /// As Python does.
    #[default]
    Whole,
    /// To the elements of arrays, one by one: `@vectorize`.
    ByElement,
    /// To parts of arrays: `@guvectorize`.
    ByPart,
    /// To the elements of all arguments, as `np.vectorize` does.
    Vectorized,
}

/// A parameter of a function definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// Its default value.
    pub default: Option<Expr>,
    /// How arguments come to it.
    pub kind: ParameterKind,
}

/// How a parameter takes arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParameterKind {
    /// By position or by name.
    #[default]
    Any,
    /// By position only: it stands before `/`.
    Positional,
    /// By name only: it stands behind `*` or `*args`.
    Named,
    /// `*args`: all positional arguments that are left, as a tuple.
    Rest,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands; for compound statements the header line's expression range.
    pub span: Span,
}

/// `except (ValueError, KeyError) as name: body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    /// The exceptions' names, without the modules they are in; none of a plain `except:`, which fits all.
    pub exceptions: Vec<String>,
    /// What the exception is called in the body.
    pub name: Option<String>,
    /// Run where it fits.
    pub body: Vec<Stmt>,
    /// The header's line.
    pub span: Span,
}

impl StmtKind {
    /// The same as [`StmtKind::blocks`], to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            StmtKind::If { body, orelse, .. }
            | StmtKind::For { body, orelse, .. }
            | StmtKind::While { body, orelse, .. } => vec![body, orelse],
            StmtKind::Try { body, handlers, orelse, finally } => {
                let handled = handlers.iter_mut().map(|handler| &mut handler.body);
                [body].into_iter().chain(handled).chain([orelse, finally]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The blocks of a compound statement, those of a function's definition excepted.
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match self {
            StmtKind::If { body, orelse, .. }
            | StmtKind::For { body, orelse, .. }
            | StmtKind::While { body, orelse, .. } => vec![body, orelse],
            StmtKind::Try { body, handlers, orelse, finally } => {
                let handled = handlers.iter().map(|handler| handler.body.as_slice());
                [body.as_slice()].into_iter().chain(handled).chain([orelse.as_slice(), finally]).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `a = b = value`: targets left to right. A target is a name, a subscript, an attribute (`x.shape`) or a tuple of them.
    Assign {
        /// Left sides, in order.
        targets: Vec<Expr>,
        /// Right side.
        value: Expr,
    },
    /// `target op= value`.
    AugAssign {
        /// A name, a subscript or an attribute (`z.real`).
        target: Expr,
        /// The operator.
        op: BinaryOp,
        /// Right side.
        value: Expr,
    },
    /// `if test: body else: orelse`; `elif` is an `If` inside `orelse`.
    If {
        /// Condition.
        test: Expr,
        /// Taken when true.
        body: Vec<Stmt>,
        /// Taken when false; may be empty.
        orelse: Vec<Stmt>,
    },
    /// `for target in iterable: body else: orelse`.
    For {
        /// Loop variable.
        target: Expr,
        /// What is iterated.
        iterable: Expr,
        /// Body.
        body: Vec<Stmt>,
        /// Run when the loop was not left by `break`; may be empty.
        orelse: Vec<Stmt>,
    },
    /// `while test: body else: orelse`.
    While {
        /// Condition.
        test: Expr,
        /// Body.
        body: Vec<Stmt>,
        /// Run when the loop was not left by `break`; may be empty.
        orelse: Vec<Stmt>,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return value`
    Return(Option<Expr>),
    /// `assert test, message`
    Assert {
        /// Condition.
        test: Expr,
        /// A string.
        message: Option<Expr>,
    },
    /// `raise ValueError("message")`
    Raise {
        /// The exception's name.
        exception: String,
        /// A string; nothing when left out.
        message: Option<Expr>,
    },
    /// `raise` alone: what the handler around it caught.
    Reraise,
    /// `try: body except …: … else: orelse finally: finally`.
    Try {
        /// What may raise.
        body: Vec<Stmt>,
        /// In order: the first that fits is run.
        handlers: Vec<Handler>,
        /// Run when the body raised nothing; may be empty.
        orelse: Vec<Stmt>,
        /// Run on every way out; may be empty.
        finally: Vec<Stmt>,
    },
    /// `def name(…): …` inside a function.
    Function(Arc<Function>),
    /// `del name, other`: names only.
    Delete(Vec<Expr>),
    /// `yield value`: the function is a generator.
    Yield(Expr),
    /// An expression for its effect.
    Expr(Expr),
    /// `pass`
    Pass,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A name.
    Name(String),
    /// An integer literal; Python's are unbounded, those beyond 127 bits are refused.
    Int(i128),
    /// An expression that is refused, and reported.
    Refused,
    /// A float literal.
    Float(f64),
    /// The imaginary part of a complex literal.
    Imaginary(f64),
    /// `True` or `False`.
    Bool(bool),
    /// `None`
    None,
    /// A string literal.
    Str(String),
    /// `...`
    Ellipsis,
    /// `left op right`
    Binary {
        /// Operator.
        op: BinaryOp,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `op operand`
    Unary {
        /// Operator.
        op: UnaryOp,
        /// Operand.
        operand: Box<Expr>,
    },
    /// `a and b and c`, `a or b or c`
    Logical {
        /// `and` or `or`.
        op: LogicalOp,
        /// Two or more operands.
        operands: Vec<Expr>,
    },
    /// `a < b <= c`: one operator fewer than operands.
    Compare {
        /// Operands in order.
        operands: Vec<Expr>,
        /// Operators between them.
        ops: Vec<CompareOp>,
    },
    /// `body if test else orelse`
    Conditional {
        /// Condition.
        test: Box<Expr>,
        /// Value when true.
        body: Box<Expr>,
        /// Value when false.
        orelse: Box<Expr>,
    },
    /// `function(arguments, keyword=…)`
    Call {
        /// What is called.
        function: Box<Expr>,
        /// Positional arguments.
        arguments: Vec<Expr>,
        /// Keyword arguments in order.
        keywords: Vec<Keyword>,
    },
    /// `value.name`
    Attribute {
        /// Owner.
        value: Box<Expr>,
        /// Attribute name.
        name: String,
        /// Where the attribute name stands.
        name_span: Span,
    },
    /// `value[indices]`
    Subscript {
        /// What is indexed.
        value: Box<Expr>,
        /// One or more indices; `a[(i, j)]` and `a[i, j]` are the same.
        indices: Vec<Index>,
    },
    /// `(a, b)` or `a, b`
    Tuple(Vec<Expr>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `*value`: a member of a tuple, a list, a target or the arguments of a call.
    Starred(Box<Expr>),
    /// `name := value`
    Binding {
        /// The name.
        name: String,
        /// Where the name stands.
        name_span: Span,
        /// What it is bound to.
        value: Box<Expr>,
    },
    /// `lambda x: value`, as a function without a name whose body is one `return`.
    Lambda(Arc<Function>),
    /// `{key: value}`
    Dictionary(Vec<(Expr, Expr)>),
    /// `{a, b}`, not empty.
    Set(Vec<Expr>),
    /// `[element for target in iterable if condition]`, or the same in other brackets.
    Comprehension(Box<Comprehension>),
    /// What an import statement in a function binds, by its absolute path: `numpy`, `math.sqrt`.
    Imported(String),
    /// A class of records or a structured dtype: the value of a constant of the module.
    Record(Arc<Record>),
    /// `f"{value}"`
    Formatted(Vec<FormattedPart>),
}

/// A list comprehension or a generator expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// What each round gives.
    pub element: Expr,
    /// The `for`s, outermost first; at least one.
    pub clauses: Vec<Clause>,
    /// Whether it stands in round brackets: its members are made when they are asked for.
    pub is_generator: bool,
    /// What its members become.
    pub collects: Collects,
}

/// What a comprehension makes of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collects {
    /// A list; also of a generator expression.
    List,
    /// A set.
    Set,
    /// A dictionary: the element is a tuple of a key and a value.
    Dictionary,
}

/// `for target in iterable if condition …`
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// What is bound.
    pub target: Expr,
    /// What is iterated.
    pub iterable: Expr,
    /// Rounds in which one of these is false are left out.
    pub conditions: Vec<Expr>,
}

/// A part of an f-string.
#[derive(Clone, Debug, PartialEq)]
pub enum FormattedPart {
    /// Text as it stands.
    Text(String),
    /// `{value!r:specification}`
    Value {
        /// What is formatted.
        value: Expr,
        /// Whether `!r` stands behind it.
        repr: bool,
        /// What stands behind `:`; empty where nothing does.
        specification: String,
        /// The same in parts, where values stand in it: `{x:{width}.2f}`; else none.
        nested: Vec<FormattedPart>,
    },
}

/// A keyword argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyword {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Expr,
    /// The whole of `name=value`.
    pub span: Span,
}

/// One index of a subscript.
#[derive(Clone, Debug, PartialEq)]
pub enum Index {
    /// An expression: an integer, an array, a tuple, a string, …
    Expr(Expr),
    /// `lower:upper:step`
    Slice {
        /// First index.
        lower: Option<Expr>,
        /// One past the last.
        upper: Option<Expr>,
        /// Step.
        step: Option<Expr>,
        /// Where it stands.
        span: Span,
    },
    /// `None` or `np.newaxis` written as `None`.
    NewAxis(Span),
    /// `...`
    Ellipsis(Span),
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    MatMul,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Negative,
    Positive,
    Invert,
    Not,
}

/// `and` and `or`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum LogicalOp {
    And,
    Or,
}

/// Comparison operators; `is` and `is not` are accepted against `None` only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Is,
    IsNot,
    In,
    NotIn,
}
