//! Containers as parameters and results: their types in signatures.

use numptx_ir::functions::Family;
use numptx_ir::signature::{ElementType, FieldAccess, ObjectType, RecordType};
use numptx_source::{Span, code};
use numptx_syntax::ast::RecordKind;

use crate::lowerer::Lowerer;
use crate::values::class::{Class, class_of};
use crate::values::container_types::{Container, Member, Sort, TypeId};
use crate::values::random::Random;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// The type of a container in a signature; `None` after a report, or where it is not known yet.
    pub fn object_type(&mut self, container: Container, span: Span) -> Option<ObjectType> {
        self.object_type_of(container.ty, span)
    }

    fn object_type_of(&mut self, ty: TypeId, span: Span) -> Option<ObjectType> {
        let member = self.element_type(&self.containers.member(ty), span)?;
        let values = |s: &mut Self| s.element_type(&s.containers.values(ty), span);
        Some(match self.containers.sort(ty) {
            Sort::List => ObjectType::List(member),
            Sort::Tuple => ObjectType::Tuple(member),
            Sort::Deque => ObjectType::Deque(member),
            Sort::Set => ObjectType::Set(member),
            Sort::Dictionary => ObjectType::Dictionary(member, values(self)?),
            Sort::Counter => ObjectType::Counter(member, values(self)?),
            Sort::Default => {
                let values = values(self)?;
                ObjectType::Default(self.factory_name(ty, span)?, member, values)
            }
        })
    }

    /// The name of the builtin that makes what is missing in a returned `defaultdict`; `None` after a report.
    fn factory_name(&mut self, ty: TypeId, span: Span) -> Option<String> {
        let factory = self.containers.factory(ty)?.clone();
        if matches!(factory.function, Value::Builtin(_) | Value::None) {
            return Some(factory.text);
        }
        let message = "a `defaultdict` whose missing values a function of this file makes cannot be returned";
        self.refuse(code::UNSUPPORTED_TYPE, span, message, "return a `dict`: `dict(xs)`");
        None
    }

    fn element_type(&mut self, member: &Member, span: Span) -> Option<ElementType> {
        Some(match member {
            // Nothing is ever put into it.
            Member::Unknown | Member::None => ElementType::None,
            Member::Scalar { family, dtype, .. } => {
                ElementType::Scalar { dtype: *dtype, python: *family == Family::Python }
            }
            Member::Text => ElementType::Object(Box::new(ObjectType::Text)),
            Member::Array { dtype, rank } => ElementType::Array { dtype: *dtype, rank: *rank },
            Member::Container(ty) => ElementType::Object(Box::new(self.object_type_of(*ty, span)?)),
            Member::Tuple(members) => {
                ElementType::Tuple(members.iter().map(|m| self.element_type(m, span)).collect::<Option<_>>()?)
            }
            Member::Record(class, members) => {
                if class.is_structure() || class.0.fields.iter().any(|field| field.is_assigned) {
                    let message = format!("a list of instances of `{}` cannot be returned", class.0.name);
                    let help = "return a list of tuples, or one list or array for each field: `[p.x for p in points]`";
                    self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
                    return None;
                }
                let record = self.record_type(class, span)?;
                ElementType::Record(record, members.iter().map(|m| self.element_type(m, span)).collect::<Option<_>>()?)
            }
            Member::Different(one, other) => {
                let message = format!("members of this list are {one} and {other}");
                let help = "give its members one type: `xs = [0.0]` and not `xs = [0]` where floats follow";
                self.refuse(code::REBOUND_TO_OTHER_TYPE, span, message, help);
                return None;
            }
        })
    }

    /// What members of a type in a signature are; `site` tells containers in it apart.
    pub fn member_of_type(&mut self, ty: &ElementType, site: Span, path: &mut Vec<Span>) -> Member {
        match ty {
            ElementType::Scalar { dtype, python } => {
                let family = if *python { Family::Python } else { Family::Numpy };
                Member::Scalar { family, dtype: *dtype, is_constant: false }
            }
            ElementType::None => Member::None,
            ElementType::Array { dtype, rank } => Member::Array { dtype: *dtype, rank: *rank },
            ElementType::Tuple(members) | ElementType::Record(_, members) => {
                let members = members.iter().enumerate();
                let members = members.map(|(n, member)| {
                    path.push(Span::new(n as u32, n as u32));
                    let member = self.member_of_type(member, site, path);
                    path.pop();
                    member
                });
                Member::Tuple(members.collect())
            }
            ElementType::Object(object) => match &**object {
                ObjectType::Text => Member::Text,
                object => {
                    path.push(Span::new(u32::MAX, u32::MAX));
                    let ty = self.type_of_object(object, site, path);
                    path.pop();
                    ty.map_or(Member::Text, Member::Container)
                }
            },
        }
    }

    /// The container type of a parameter; `None` of a string.
    pub fn type_of_object(&mut self, ty: &ObjectType, site: Span, path: &mut Vec<Span>) -> Option<TypeId> {
        let sort = match ty {
            ObjectType::Text | ObjectType::Generator | ObjectType::RandomState | ObjectType::GlobalRandom => {
                return None;
            }
            ObjectType::List(_) => Sort::List,
            ObjectType::Tuple(_) => Sort::Tuple,
            ObjectType::Deque(_) => Sort::Deque,
            ObjectType::Set(_) => Sort::Set,
            ObjectType::Dictionary(..) => Sort::Dictionary,
            ObjectType::Counter(..) => Sort::Counter,
            ObjectType::Default(..) => Sort::Default,
        };
        let id = self.containers.at(sort, (path.clone(), site));
        for (position, member) in ty.members().into_iter().enumerate() {
            path.push(Span::new(position as u32, u32::MAX));
            let member = self.member_of_type(member, site, path);
            path.pop();
            self.containers.demand(id, position, member);
        }
        Some(id)
    }

    /// A class as a signature has it; `None` after a report.
    pub fn record_type(&mut self, class: &Class, span: Span) -> Option<RecordType> {
        let access = match class.0.kind {
            RecordKind::NamedTuple => FieldAccess::Members,
            RecordKind::DataClass { named: true, .. } => FieldAccess::Names,
            RecordKind::DataClass { .. } => FieldAccess::Attributes,
            RecordKind::Structure => FieldAccess::Items,
        };
        let fields = class.0.fields.iter().map(|field| field.name.clone()).collect();
        Some(RecordType { name: self.name_of_class(class, span)?, fields, access })
    }

    /// The name that a class has in the file that is compiled; `None` after a report.
    fn name_of_class(&mut self, class: &Class, span: Span) -> Option<String> {
        if Random::of(class).is_some() {
            let message = format!("a `{}` is returned", class.0.name);
            let help =
                "return what is drawn; a caller's generator goes on where the function stopped: pass it as a parameter";
            self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
            return None;
        }
        let constant = self.module.constants.iter().find(|c| class_of(c).is_some_and(|other| other == *class));
        let found = constant.map(|constant| constant.name.clone()).filter(|name| !name.contains('.'));
        if found.is_none() {
            let message = format!("`{}` of another file is returned, or a parameter", class.0.name);
            let help = "define its class in the file that is compiled";
            self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
        }
        found
    }
}
