//! Random objects: of a type of the signature's.

use numptx_driver::ir::DType;
use numptx_driver::ir::array::interpret::{Contents, Object, Value, View};
use numptx_driver::ir::object;
use numptx_driver::ir::scalar::Constant;
use numptx_driver::ir::signature::{ElementType, ObjectType};
use numptx_random::{BitGenerator, KINDS, Kind, Random, SeedSequence, Style};

use super::{base, scalar};
use crate::numbers::Numbers;

/// Texts that programs take apart, and some that are numbers.
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "ab",
    "b a",
    "key",
    "a,b,,c",
    " x  y ",
    "1",
    "-2",
    "0",
    "3.5",
    "12,7",
    "k=1",
    "straße É",
    "1 2 3",
    "A b\nc",
    "low",
    "2024-02-29",
    "48°51'24\"N",
];

/// What objects are made with.
pub(super) struct Objects<'a> {
    pub numbers: &'a mut Numbers,
    /// Extents of most arrays, from the last axis on.
    pub common: &'a [i64],
    /// The arguments that are arrays.
    pub views: Vec<View>,
    /// All memory.
    pub bases: Vec<View>,
}

impl Objects<'_> {
    pub fn object(&mut self, ty: &ObjectType) -> Object {
        let contents = match ty {
            ObjectType::Text => Contents::Text(self.numbers.pick(TEXTS).to_string()),
            ObjectType::Generator => self.generator(Style::Generator),
            ObjectType::RandomState | ObjectType::GlobalRandom => self.generator(Style::Legacy),
            ty => self.members(ty.kind(), &ty.members()),
        };
        Object::new(&contents).unwrap_or_else(|problem| panic!("{ty:?}: {problem}"))
    }

    fn members(&mut self, sort: u8, types: &[&ElementType]) -> Contents {
        let count = match self.numbers.below(3) {
            0 => self.numbers.below(6),
            _ => usize::try_from(self.common[0]).unwrap_or(0),
        };
        let layouts: Vec<Vec<u8>> = types.iter().map(|ty| ty.layout()).collect();
        let mut leaves = Vec::new();
        for _ in 0..count {
            types.iter().for_each(|ty| self.member(ty, &mut leaves));
        }
        Contents::Members { sort, layout: layouts.join(&object::VALUE), count, leaves }
    }

    /// The words of the state of a seeded generator.
    fn generator(&mut self, style: Style) -> Contents {
        let kind = match style {
            Style::Generator => KINDS[self.numbers.below(KINDS.len())],
            Style::Legacy => Kind::Mt19937,
        };
        let seeds = SeedSequence::of_int(self.numbers.below(1000) as u64);
        let mut words = vec![0; Random::words_of(kind)];
        Random::new(BitGenerator::seeded(kind, &seeds), style).store(&mut words).expect("as many words as it needs");
        let leaves = words.iter().map(|word| Value::Scalar(Constant::Int(*word as i64))).collect();
        Contents::Members { sort: object::LIST, layout: vec![DType::U64.code()], count: words.len(), leaves }
    }

    fn member(&mut self, ty: &ElementType, leaves: &mut Vec<Value>) {
        match ty {
            ElementType::Scalar { dtype, .. } => leaves.push(Value::Scalar(scalar(self.numbers, *dtype))),
            ElementType::None => {}
            ElementType::Array { dtype, rank } => {
                let is_alike = |view: &&View| view.dtype == *dtype && view.shape.len() == *rank;
                let argument = self.views.iter().find(is_alike).cloned().filter(|_| self.numbers.below(3) == 0);
                leaves.push(Value::Array(argument.unwrap_or_else(|| {
                    let shape: Vec<i64> = (0..*rank).map(|axis| self.common[rank - 1 - axis]).collect();
                    let n_bytes = shape.iter().product::<i64>() * dtype.itemsize() as i64;
                    let memory = base(self.bases.len(), *dtype, n_bytes);
                    self.bases.push(memory.clone());
                    let elements = memory.elements().expect("new memory can be read");
                    let view = View::new(*dtype, &shape, &elements);
                    View { buffer: memory.buffer, ..view }
                })));
            }
            ElementType::Tuple(members) | ElementType::Record(_, members) => {
                members.iter().for_each(|member| self.member(member, leaves));
            }
            ElementType::Object(ty) => leaves.push(Value::Object(self.object(ty))),
        }
    }
}
