//! `np.random`: generators, bit generators and seed sequences as values, and what their methods are.
//!
//! Each is a record of the lists of words that [`numptx_ir::object`] has it in; no program can name these fields. A generator has its state, and where
//! the normal draw is that `RandomState` keeps, which is the state as a rule. Methods are functions of the library, `library/random/`; draws are in
//! `draws.rs`.

use numptx_ir::array::{Type, ValueId};
use numptx_ir::functions::Family;
use numptx_ir::signature::{ObjectType, Parameter, ParameterType};
use numptx_ir::{DType, object};
use numptx_source::{Span, code};
use numptx_syntax::ast::{CompareOp, TypeSpec};

use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::container_types::{Container, Member, Sort};
use crate::values::random::{METHODS, OTHER_METHODS, Random};
use crate::values::value::Value;

/// Bit generators by the numbers of their kinds: names that make one.
pub(crate) const BIT_GENERATORS: [&str; 5] = ["PCG64", "PCG64DXSM", "Philox", "MT19937", "SFC64"];

/// The name of a method, as a message has it.
fn shown(name: &str) -> &'static str {
    METHODS.iter().chain(OTHER_METHODS).find(|own| **own == name).copied().unwrap_or("np.random")
}

impl Lowerer<'_> {
    /// A member of `np.random`; `None` of what is not compiled.
    pub fn member_of_random(&mut self, name: &str, span: Span) -> Option<Value> {
        if let Some(random) = Random::named(name) {
            return Some(Value::RecordClass(random.class()));
        }
        if name == "default_rng" {
            return Some(Value::Builtin("numpy.random.default_rng"));
        }
        if let Some(kind) = BIT_GENERATORS.iter().position(|own| *own == name) {
            return Some(Value::Builtin(bit_generator(kind)));
        }
        // The functions are methods of the `RandomState` that NumPy keeps.
        self.function_of_random(Random::Legacy, name).filter(|_| METHODS.contains(&name) && name != "tomaxint")?;
        let Some(words) = self.random.state else { return Some(self.want_state_of_random(name, span)) };
        let state = self.random_of(Random::Legacy, &[words, words], Span::default());
        Some(Value::Method(Box::new(state), name.to_owned()))
    }

    fn want_state_of_random(&mut self, name: &str, span: Span) -> Value {
        if self.calls.depth.is_none() {
            self.containers.want_random();
            return Value::Poison;
        }
        let message = format!("`np.random.{name}` in a function that calls itself");
        let help = "make a generator outside, and pass it on: `rng = np.random.default_rng()`";
        self.refuse(code::RECURSION, span, message, help)
    }

    /// Adds the leaf that is the state of `np.random`, which no caller passes.
    pub fn parameter_of_random(&mut self) -> Parameter {
        self.random.state = Some(self.builder.parameter(Type::Object, "np.random"));
        Parameter { name: String::new(), ty: ParameterType::Object(ObjectType::GlobalRandom), by_name: false }
    }

    /// `np.random.default_rng(seed)`, `np.random.PCG64(seed)`; `None` of other builtins.
    pub fn random_builtin(&mut self, name: &str, mut call: Call) -> Option<Value> {
        if name == "numpy.random.default_rng" {
            return Some(self.call_own_with("random_default", "np.random.default_rng", call));
        }
        let kind = (0..BIT_GENERATORS.len()).find(|kind| bit_generator(*kind) == name)?;
        let number = self.int(kind as i64);
        call.positional.insert(0, number);
        call.places.insert(0, call.span);
        Some(self.call_own_with("random_bit_generator", bit_generator(kind), call))
    }

    /// `np.random.Generator(bits)`, `RandomState(seed)`, `SeedSequence(entropy)`
    pub fn new_random(&mut self, random: Random, call: &Call) -> Value {
        let function = match random {
            Random::Generator => "random_generator",
            Random::Legacy => "random_state",
            Random::SeedSequence => "random_seed_sequence",
            Random::BitGenerator => {
                let help = "make one of a kind: `np.random.PCG64(seed)`";
                return self.refuse(code::NOT_CALLABLE, call.span, "`np.random.BitGenerator` is abstract", help);
            }
        };
        self.call_own_with(function, random.name(), call.clone())
    }

    /// `rng.name`
    pub fn random_attribute(&mut self, random: Random, fields: &[Value], name: &str, span: Span) -> Value {
        if matches!(random, Random::Generator | Random::Legacy) && matches!(name, "bit_generator" | "_bit_generator") {
            return Value::Record(Random::BitGenerator.class(), fields[..1].to_vec());
        }
        if self.function_of_random(random, name).is_some() {
            return Value::Method(Box::new(Value::Record(random.class(), fields.to_vec())), name.to_owned());
        }
        let message = format!("`{name}` of a `{}` is not compiled", random.name());
        let help = match name {
            "multivariate_normal" => {
                "draw standard normal numbers, and transform them: `mean + rng.standard_normal((n, k)) @ np.linalg.cholesky(cov).T`"
            }
            "bytes" => "draw the numbers: `rng.integers(0, 256, n, dtype=np.uint8)`",
            "spawn" => "spawn seed sequences: `np.random.SeedSequence(seed).spawn(n)`",
            "state" | "get_state" | "set_state" | "lock" | "seed_seq" => {
                "read and set states in Python: a caller's generator goes on where the function stopped"
            }
            _ => "docs/language.md lists the methods",
        };
        self.refuse(code::UNKNOWN_ATTRIBUTE, span, message, help)
    }

    fn function_of_random(&self, random: Random, name: &str) -> Option<String> {
        let all = random.prefixes().iter().map(|prefix| format!("{prefix}_{name}"));
        all.into_iter().find(|function| self.has_own(function))
    }

    /// `rng.name(…)`
    pub fn random_method(&mut self, random: Random, fields: &[Value], name: &str, mut call: Call) -> Value {
        let Some(function) = self.function_of_random(random, name) else { return Value::Poison };
        if self.random.is_state(fields)
            && let Some(refused) = self.refuse_state(name, call.span)
        {
            return refused;
        }
        call.positional.insert(0, Value::Record(random.class(), fields.to_vec()));
        call.places.insert(0, call.span);
        self.call_own_with(&function, shown(name), call)
    }

    /// `a == b`, `a is b` and so on: generators are equal to themselves alone, which is known where they are one value.
    pub fn compare_random(&mut self, op: CompareOp, [a, b]: [&[ValueId]; 2], span: Span) -> Value {
        match op {
            _ if a.first() != b.first() => {
                let message = "whether two generators are one is not known when compiling";
                self.refuse(code::BAD_OPERAND_TYPES, span, message, "pass a flag that tells: `bool`")
            }
            CompareOp::Equal | CompareOp::Is => self.bool(true),
            CompareOp::NotEqual | CompareOp::IsNot => self.bool(false),
            _ => {
                let help = "compare what is drawn";
                self.refuse(code::BAD_OPERAND_TYPES, span, "generators have no order", help)
            }
        }
    }

    /// A list of words that an operation gives or a caller has.
    pub fn words_of_random(&mut self, value: ValueId, span: Span) -> Container {
        let site = self.calls.site(span);
        let ty = self.containers.at(Sort::List, site);
        let member = Member::Scalar { family: Family::Numpy, dtype: DType::U64, is_constant: false };
        self.containers.demand(ty, 0, member);
        Container { value, sort: Sort::List, ty }
    }

    /// A value of these lists.
    pub fn random_of(&mut self, random: Random, lists: &[ValueId], span: Span) -> Value {
        let fields = lists.iter().map(|list| Value::Container(self.words_of_random(*list, span))).collect();
        Value::Record(random.class(), fields)
    }

    /// Adds the leaf of a parameter that is a generator.
    pub fn random_parameter(&mut self, name: &str, spec: &TypeSpec, span: Span) -> (ParameterType, Value) {
        let (random, ty) = match spec {
            TypeSpec::RandomState => (Random::Legacy, ObjectType::RandomState),
            _ => (Random::Generator, ObjectType::Generator),
        };
        let value = self.builder.parameter(Type::Object, name);
        (ParameterType::Object(ty), self.random_of(random, &[value, value], span))
    }

    /// `random_new(kind, sequence)`, `random_wrapped(bits)`, and what else makes values of `np.random` in the library.
    pub fn random_made(&mut self, name: &str, call: &Call) -> Value {
        let (span, values) = (call.span, call.positional.as_slice());
        self.random.n_made += 1;
        let object = |s: &mut Self, operation, operands| s.object_value(operation, operands, Type::Object);
        let Some(first) = values.first() else {
            if self.constants.is_once {
                return self.refuse_entropy_once();
            }
            let words = object(self, object::RANDOM_FRESH, Vec::new());
            return self.random_of(Random::SeedSequence, &[words], span);
        };
        match name {
            "random_entropy" => {
                if first.typed().is_some_and(|seed| seed.family == Family::Array && self.builder.rank(seed.value) == 0)
                {
                    return self.refuse_seed::<Value>(first).unwrap_or(Value::Poison);
                }
                let Some(entropy) = self.seeds_of(first, span) else { return Value::Poison };
                let key = values.get(1).and_then(|key| self.seeds_of(key, span));
                let pool = values.get(2).and_then(|pool| self.integer(pool));
                let (Some(key), Some(pool)) = (key, pool) else { return Value::Poison };
                let words = object(self, object::RANDOM_SEQUENCE, vec![entropy, key, pool]);
                self.random_of(Random::SeedSequence, &[words], span)
            }
            "random_seeded" => {
                let form = match first {
                    Value::Typed(typed) if self.builder.rank(typed.value) == 0 => 1,
                    Value::Typed(_) => 2,
                    _ => 0,
                };
                let Some(seeds) = self.legacy_seeds_of(first, span) else { return Value::Poison };
                let form = self.builder.i64(form);
                let words = object(self, object::RANDOM_LEGACY, vec![seeds, form]);
                self.random_of(Random::Legacy, &[words, words], span)
            }
            _ => self.random_from(name, call),
        }
    }

    /// The same of one that is there.
    fn random_from(&mut self, name: &str, call: &Call) -> Value {
        let span = call.span;
        let [first, rest @ ..] = call.positional.as_slice() else { return Value::Poison };
        let (value, number) = match self.words_in(first) {
            Some((_, lists)) => (lists, rest.first().and_then(|number| self.integer(number))),
            None => match rest.first().and_then(|value| self.words_in(value)) {
                Some((_, lists)) => (lists, self.integer(first)),
                None => return Value::Poison,
            },
        };
        let words = value[0];
        let number = number.unwrap_or_else(|| self.builder.i64(0));
        match name {
            "random_new" => {
                let words = self.object_value(object::RANDOM_NEW, vec![words, number], Type::Object);
                self.random_of(Random::BitGenerator, &[words], span)
            }
            "random_wrapped" => self.random_of(Random::Generator, &[words, words], span),
            "random_wrapped_state" => {
                let gauss = self.object_value(object::RANDOM_GAUSS, Vec::new(), Type::Object);
                self.random_of(Random::Legacy, &[words, gauss], span)
            }
            "random_spawned" => {
                let words = self.object_value(object::RANDOM_SPAWN, vec![words], Type::Object);
                self.random_of(Random::SeedSequence, &[words], span)
            }
            "random_jumped" => {
                let words = self.object_value(object::RANDOM_JUMPED, vec![words, number], Type::Object);
                self.random_of(Random::BitGenerator, &[words], span)
            }
            "random_advanced" => {
                self.object_effect(object::RANDOM_ADVANCE, vec![words, number]);
                Value::None
            }
            "random_reseeded" => {
                if let Some((_, other)) = rest.first().and_then(|other| self.words_in(other)) {
                    self.object_effect(object::RANDOM_RESEED, vec![words, other[0]]);
                }
                Value::None
            }
            "random_words" => {
                let dtype = if self.as_dtype_of(rest.get(1)) == Some(DType::U64) { DType::U64 } else { DType::U32 };
                let is_wide = self.bool_id(dtype == DType::U64);
                let list = self.object_value(object::RANDOM_WORDS, vec![words, number, is_wide], Type::Object);
                Value::array(self.array_of_words(list, dtype))
            }
            _ => Value::Poison,
        }
    }

    fn as_dtype_of(&self, value: Option<&Value>) -> Option<DType> {
        value.and_then(Value::as_dtype)
    }
}

/// The path of a bit generator.
pub(crate) fn bit_generator(kind: usize) -> &'static str {
    const PATHS: [&str; 5] = [
        "numpy.random.PCG64",
        "numpy.random.PCG64DXSM",
        "numpy.random.Philox",
        "numpy.random.MT19937",
        "numpy.random.SFC64",
    ];
    PATHS[kind]
}

/// The functions of the library's own that make values of `np.random`, and draw.
pub(crate) fn random_builtin(name: &str) -> Option<&'static str> {
    const OWN: &[&str] = &[
        "random_advanced",
        "random_draw",
        "random_entropy",
        "random_fresh",
        "random_jumped",
        "random_new",
        "random_order",
        "random_range",
        "random_reseeded",
        "random_sample",
        "random_seeded",
        "random_several",
        "random_spawned",
        "random_words",
        "random_wrapped",
        "random_wrapped_state",
    ];
    OWN.iter().find(|own| **own == name).copied()
}
