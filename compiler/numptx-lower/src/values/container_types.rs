//! The types of lists, dictionaries and sets of run time: what their members are.
//!
//! A program says that bit by bit: `xs = []` here, `xs.append(0.5)` there. So an overload is lowered several times. Each attempt notes
//! *demands*: «members of this container are such», «these two are of one type». What the demands of an attempt come to is what the next one knows.
//! The first attempt whose demands come to what it knew is the right one. In earlier ones members of unknown type are erroneous values.

use std::collections::{BTreeMap, BTreeSet};

use numptx_ir::DType;
use numptx_ir::array::ValueId;
use numptx_ir::functions::Family;
use numptx_source::Span;

use crate::values::class::Class;
use crate::values::value::Value;

/// A container's type, by its number. Several numbers may be one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(pub usize);

/// What sort of container it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sort {
    /// A list.
    List,
    /// A dictionary.
    Dictionary,
    /// A set.
    Set,
    /// A tuple of a length that the run time knows.
    Tuple,
    /// `collections.deque`
    Deque,
    /// `collections.Counter`
    Counter,
    /// `collections.defaultdict`
    Default,
}

impl Sort {
    /// Python's name.
    pub fn name(self) -> &'static str {
        match self {
            Sort::List => "list",
            Sort::Dictionary => "dict",
            Sort::Set => "set",
            Sort::Tuple => "tuple",
            Sort::Deque => "deque",
            Sort::Counter => "Counter",
            Sort::Default => "defaultdict",
        }
    }

    /// What object holds it: a list, a dictionary or a set.
    pub fn object(self) -> Sort {
        match self {
            Sort::Tuple | Sort::Deque => Sort::List,
            Sort::Counter | Sort::Default => Sort::Dictionary,
            own => own,
        }
    }
}

/// What a `defaultdict` makes of a missing key.
#[derive(Clone)]
pub(crate) struct Factory {
    /// The function that is called.
    pub function: Value,
    /// As it is written: dictionaries of one type have one.
    pub text: String,
}

/// What a member is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Member {
    /// Nothing is known.
    Unknown,
    /// A scalar. `is_constant`: all that were seen are constants of Python that a wider type holds, too.
    Scalar { family: Family, dtype: DType, is_constant: bool },
    /// A string.
    Text,
    /// `None`.
    None,
    /// An array.
    Array { dtype: DType, rank: usize },
    /// A tuple.
    Tuple(Vec<Member>),
    /// A record.
    Record(Class, Vec<Member>),
    /// A container.
    Container(TypeId),
    /// Two that no type is both of, as a reader would call them.
    Different(String, String),
}

impl Member {
    /// As a reader of the source would call it.
    pub fn describe(&self) -> String {
        match self {
            Member::Unknown => "something unknown".into(),
            Member::Scalar { family: Family::Python, dtype, .. } => {
                format!("a Python `{}`", crate::values::container_types::python_name(*dtype))
            }
            Member::Scalar { dtype, .. } => format!("a NumPy `{dtype}`"),
            Member::Text => "a string".into(),
            Member::None => "`None`".into(),
            Member::Array { dtype, rank } => format!("a `{dtype}` array of {rank} axes"),
            Member::Tuple(members) => format!("a tuple of {}", members.len()),
            Member::Record(class, _) => format!("a `{}`", class.0.name),
            Member::Container(_) => "a container".into(),
            Member::Different(one, other) => format!("{one} and {other}"),
        }
    }

    /// The first two that cannot be one, in it.
    pub fn different(&self) -> Option<(&str, &str)> {
        match self {
            Member::Different(one, other) => Some((one, other)),
            Member::Tuple(members) | Member::Record(_, members) => members.iter().find_map(Member::different),
            _ => None,
        }
    }
}

/// Where a container is made: the calls that lead there, and the expression.
pub(crate) type Site = (Vec<Span>, Span);

/// What an attempt found.
#[derive(Clone, Debug, PartialEq)]
enum Demand {
    /// The members of a container, or of a dictionary its keys (0) or values (1), are such.
    Member(TypeId, usize, Member),
    /// The same, where nothing else tells what they are.
    Otherwise(TypeId, usize, Member),
    /// Both are of one type.
    Same(TypeId, TypeId),
}

/// What tuples of a length that the run time knows are in [`Known::kinds`].
const TUPLE: &str = "a `tuple`";

/// What is known of all containers.
#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    /// What each number is, in words: what is one type is the same in these.
    kinds: Vec<String>,
    /// A number of the same type, smaller or its own.
    parents: Vec<usize>,
    /// Members, and values of dictionaries.
    members: Vec<[Member; 2]>,
}

impl Known {
    fn root(&self, id: usize) -> usize {
        let mut id = id;
        while let Some(parent) = self.parents.get(id).filter(|parent| **parent != id) {
            id = *parent;
        }
        id
    }

    fn grow(&mut self, n: usize) {
        while self.parents.len() < n {
            self.parents.push(self.parents.len());
            self.members.push([Member::Unknown, Member::Unknown]);
        }
    }

    fn unite(&mut self, a: TypeId, b: TypeId) {
        let (a, b) = (self.root(a.0), self.root(b.0));
        if a == b {
            return;
        }
        let (first, second) = (a.min(b), a.max(b));
        if let (Some(one), Some(other)) = (self.kinds.get(first), self.kinds.get(second))
            && one != other
        {
            self.members[first][0] = Member::Different(one.clone(), other.clone());
            return;
        }
        self.parents[second] = first;
        let members = self.members[second].clone();
        for (position, member) in members.into_iter().enumerate() {
            self.add(TypeId(first), position, &member);
        }
    }

    fn add(&mut self, id: TypeId, position: usize, member: &Member) {
        let root = self.root(id.0);
        let old = self.members[root][position].clone();
        let joined = self.join(&old, member);
        let root = self.root(root);
        self.members[root][position] = match self.holds(&joined, root) {
            true => Member::Different("a container".into(), "what that container holds".into()),
            false => joined,
        };
    }

    /// Whether a member is this container, or holds it.
    fn holds(&self, member: &Member, root: usize) -> bool {
        match member {
            Member::Tuple(members) | Member::Record(_, members) => members.iter().any(|m| self.holds(m, root)),
            Member::Container(id) => {
                let id = self.root(id.0);
                id == root || self.members.get(id).is_some_and(|all| all.iter().any(|m| self.holds(m, root)))
            }
            _ => false,
        }
    }

    /// Whether nothing is known of a member.
    fn lacks(&self, id: TypeId, position: usize) -> bool {
        self.members[self.root(id.0)][position] == Member::Unknown
    }

    fn is_tuple(&self, id: TypeId) -> bool {
        self.kinds.get(self.root(id.0)).is_some_and(|kind| kind == TUPLE)
    }

    /// What both are.
    fn join(&mut self, a: &Member, b: &Member) -> Member {
        let different = || Member::Different(a.describe(), b.describe());
        match (a, b) {
            (Member::Unknown, other) | (other, Member::Unknown) => other.clone(),
            (Member::Different(..), _) => a.clone(),
            (_, Member::Different(..)) => b.clone(),
            (Member::Text, Member::Text) | (Member::None, Member::None) => a.clone(),
            (Member::Scalar { .. }, Member::Scalar { .. }) => join_scalars(a, b).unwrap_or_else(different),
            (Member::Array { .. }, Member::Array { .. }) if a == b => a.clone(),
            (Member::Tuple(x), Member::Tuple(y)) if x.len() == y.len() => {
                Member::Tuple(x.iter().zip(y).map(|(x, y)| self.join(x, y)).collect())
            }
            (Member::Record(class, x), Member::Record(other, y)) if class == other => {
                let members = x.iter().zip(y).map(|(x, y)| self.join(x, y));
                Member::Record(class.clone(), members.collect())
            }
            (Member::Container(x), Member::Container(y)) => {
                self.unite(*x, *y);
                a.clone()
            }
            // A tuple of static length becomes one of run time.
            (Member::Tuple(parts), Member::Container(id)) | (Member::Container(id), Member::Tuple(parts))
                if self.is_tuple(*id) =>
            {
                parts.iter().for_each(|part| self.add(*id, 0, part));
                Member::Container(*id)
            }
            _ => different(),
        }
    }
}

/// Constants of Python become what they meet, as where paths join.
fn join_scalars(a: &Member, b: &Member) -> Option<Member> {
    let (
        Member::Scalar { family: f, dtype: x, is_constant: c },
        Member::Scalar { family: g, dtype: y, is_constant: d },
    ) = (a, b)
    else {
        return None;
    };
    let scalar = |family, dtype, is_constant| Some(Member::Scalar { family, dtype, is_constant });
    let is_number = |dtype: &DType| *dtype != DType::Bool;
    match (f, g) {
        _ if f == g && x == y => scalar(*f, *x, *c && *d),
        // The same numbers; what computes with them is NumPy.
        (Family::Python, Family::Numpy) | (Family::Numpy, Family::Python) if x == y => scalar(Family::Numpy, *x, false),
        (Family::Python, Family::Python) if *c && x < y && is_number(x) => scalar(*g, *y, *d),
        (Family::Python, Family::Python) if *d && y < x && is_number(y) => scalar(*f, *x, *c),
        (Family::Python, Family::Numpy) if *c && x.kind() <= y.kind() && is_number(x) => scalar(*g, *y, false),
        (Family::Numpy, Family::Python) if *d && y.kind() <= x.kind() && is_number(y) => scalar(*f, *x, false),
        _ => None,
    }
}

/// The containers of a module's functions.
#[derive(Clone, Default)]
pub(crate) struct Containers {
    sorts: Vec<Sort>,
    sites: BTreeMap<(usize, Sort, Site), TypeId>,
    /// Displays and comprehensions that are containers of run time.
    dynamic: BTreeSet<Site>,
    known: Known,
    demands: Demands,
    wanted: Vec<Site>,
    /// What dictionaries make of missing keys, by the numbers of their types.
    factories: BTreeMap<usize, Factory>,
    /// Which overload it is.
    overload: usize,
    /// Where a member of unknown type was read.
    pub unknown: Option<Span>,
    /// A test was met of which nothing is known, and nothing was reported: no function comes of that.
    pub is_untested: bool,
    /// String parameters that are none of the literals, as strings of run time.
    pub texts: Asked,
    /// The state of `np.random`, as a parameter.
    pub random: Asked,
}

/// What is stated of members.
#[derive(Clone, Default)]
struct Demands {
    /// What this attempt found; and what routines found, which are lowered once.
    found: Vec<Demand>,
    kept: Vec<Demand>,
    /// What was found on ways that were given up: where nothing else is known of a member, it is such.
    hints: Vec<Demand>,
    /// The hints that were needed so far.
    guesses: Vec<Demand>,
    /// What the overloads before came to.
    settled: Vec<Demand>,
}

/// A parameter that an attempt may find to be needed.
#[derive(Clone, Copy, Default)]
pub(crate) struct Asked {
    /// Whether this attempt has it.
    pub is_there: bool,
    is_wanted: bool,
}

/// How far an attempt was.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    n_demands: usize,
    unknown: Option<Span>,
    is_untested: bool,
}

impl Containers {
    /// The container that a site makes.
    pub fn at(&mut self, sort: Sort, site: Site) -> TypeId {
        let key = (self.overload, sort, site);
        if let Some(id) = self.sites.get(&key) {
            return *id;
        }
        let id = TypeId(self.sorts.len());
        self.sorts.push(sort);
        self.known.grow(self.sorts.len());
        self.sites.insert(key, id);
        id
    }

    /// States what dictionaries of a type make of missing keys.
    pub fn set_factory(&mut self, id: TypeId, factory: Factory) {
        self.factories.insert(id.0, factory);
    }

    /// What dictionaries of a type make of missing keys.
    pub fn factory(&self, id: TypeId) -> Option<&Factory> {
        self.factories.get(&id.0).or_else(|| self.factories.get(&self.known.root(id.0)))
    }

    /// States that members of two containers are of one type, and values of two dictionaries.
    pub fn agree(&mut self, a: TypeId, b: TypeId) {
        if self.sort(a) == self.sort(b) {
            return self.same(a, b);
        }
        for position in 0..2 {
            let [one, other] = [a, b].map(|id| self.resolved(&self.known.members[self.known.root(id.0)][position]));
            self.demand(a, position, other);
            self.demand(b, position, one);
        }
    }

    /// A container in a member that Python writes in another way than the list or dictionary that it is.
    pub fn shown_otherwise(&self, member: &Member) -> Option<Sort> {
        match member {
            Member::Tuple(members) => members.iter().find_map(|m| self.shown_otherwise(m)),
            Member::Container(id) => match self.sort(*id) {
                sort @ (Sort::Tuple | Sort::Counter | Sort::Default) => Some(sort),
                Sort::Dictionary => {
                    self.shown_otherwise(&self.member(*id)).or_else(|| self.shown_otherwise(&self.values(*id)))
                }
                _ => self.shown_otherwise(&self.member(*id)),
            },
            _ => None,
        }
    }

    fn kind(&self, id: usize) -> String {
        match (self.sorts[id], self.factories.get(&id)) {
            (sort, Some(factory)) => format!("a `{}` of `{}`", sort.name(), factory.text),
            (sort, None) => format!("a `{}`", sort.name()),
        }
    }

    /// What sort a container is of.
    pub fn sort(&self, id: TypeId) -> Sort {
        self.sorts[id.0]
    }

    /// What a container's members are, as the attempt before found; of a dictionary its keys.
    pub fn member(&self, id: TypeId) -> Member {
        self.resolved(&self.known.members[self.known.root(id.0)][0])
    }

    /// What a dictionary's values are.
    pub fn values(&self, id: TypeId) -> Member {
        self.resolved(&self.known.members[self.known.root(id.0)][1])
    }

    /// With one number for each type.
    fn resolved(&self, member: &Member) -> Member {
        match member {
            Member::Container(id) => Member::Container(TypeId(self.known.root(id.0))),
            Member::Tuple(members) => Member::Tuple(members.iter().map(|m| self.resolved(m)).collect()),
            Member::Record(class, members) => {
                Member::Record(class.clone(), members.iter().map(|m| self.resolved(m)).collect())
            }
            other => other.clone(),
        }
    }

    /// Whether two containers may be one type, as far as is known.
    pub fn alike(&self, a: TypeId, b: TypeId) -> bool {
        let (x, y) = (self.known.root(a.0), self.known.root(b.0));
        let alike = |n: usize| self.members_alike(&self.known.members[x][n], &self.known.members[y][n]);
        x == y || self.sort(a) == self.sort(b) && alike(0) && alike(1)
    }

    fn members_alike(&self, a: &Member, b: &Member) -> bool {
        match (a, b) {
            (Member::Unknown, _) | (_, Member::Unknown) => true,
            (Member::Container(a), Member::Container(b)) => self.alike(*a, *b),
            (Member::Tuple(x), Member::Tuple(y)) => {
                x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.members_alike(x, y))
            }
            (Member::Record(class, x), Member::Record(other, y)) => {
                class == other && x.iter().zip(y).all(|(x, y)| self.members_alike(x, y))
            }
            _ => a == b,
        }
    }

    /// States what a container's members are, or a dictionary's values (1).
    pub fn demand(&mut self, id: TypeId, position: usize, member: Member) {
        if member != Member::Unknown {
            self.demands.found.push(Demand::Member(id, position, member));
        }
    }

    /// The same, where nothing else tells what they are.
    pub fn demand_otherwise(&mut self, id: TypeId, position: usize, member: Member) {
        if member != Member::Unknown {
            self.demands.found.push(Demand::Otherwise(id, position, member));
        }
    }

    /// States that two containers are of one type.
    pub fn same(&mut self, a: TypeId, b: TypeId) {
        if a != b {
            self.demands.found.push(Demand::Same(a, b));
        }
    }

    /// States that a display or a comprehension makes a container of run time; whether that is new.
    pub fn want(&mut self, site: Site) -> bool {
        let is_new = !self.dynamic.contains(&site);
        if is_new {
            self.wanted.push(site);
        }
        is_new
    }

    /// States that a string of the caller is needed, which is none of the literals.
    pub fn want_texts(&mut self) {
        self.texts.is_wanted = true;
        self.unknown.get_or_insert(Span::default());
    }

    /// States that the state of `np.random` is needed.
    pub fn want_random(&mut self) {
        self.random.is_wanted = true;
        self.unknown.get_or_insert(Span::default());
    }

    /// Whether a display or a comprehension makes a container of run time.
    pub fn is_dynamic(&self, site: &Site) -> bool {
        self.dynamic.contains(site)
    }

    /// The present point of an attempt.
    pub fn mark(&self) -> Mark {
        Mark { n_demands: self.demands.found.len(), unknown: self.unknown, is_untested: self.is_untested }
    }

    /// Forgets what was found since. What is wanted stays so: that it is not there yet may be why this was given up.
    pub fn back_to(&mut self, mark: Mark) {
        let n_kept = mark.n_demands.min(self.demands.found.len());
        self.demands.hints.extend(self.demands.found.drain(n_kept..));
        (self.unknown, self.is_untested) = (mark.unknown, mark.is_untested);
    }

    /// Keeps what a routine found since, whatever becomes of the attempt that it is called in.
    pub fn keep_since(&mut self, mark: Mark) {
        let n_kept = mark.n_demands.min(self.demands.found.len());
        self.demands.kept.extend(self.demands.found.drain(n_kept..));
    }

    /// Begins the next overload with what is known so far.
    pub fn next_overload(&mut self) {
        let Demands { mut settled, mut found, mut kept, .. } = std::mem::take(&mut self.demands);
        settled.append(&mut found);
        settled.append(&mut kept);
        self.demands.settled = settled;
        self.wanted.clear();
        (self.unknown, self.is_untested) = (None, false);
        (self.texts, self.random) = (Asked::default(), Asked::default());
        self.overload += 1;
    }

    /// Ends an attempt: whether a further one knows more, for which this is made ready.
    pub fn further(&mut self) -> bool {
        let mut known = self.known_of(&[&self.demands.settled, &self.demands.kept, &self.demands.found]);
        let is_lacking = |asked: Asked| asked.is_wanted && !asked.is_there;
        let wants_more = |s: &Self| !s.wanted.is_empty() || is_lacking(s.texts) || is_lacking(s.random);
        if known == self.known && self.unknown.is_some() && !wants_more(self) {
            self.demands.guesses.append(&mut self.demands.hints);
            known = self.known_of(&[&self.demands.settled, &self.demands.kept, &self.demands.found]);
        }
        let is_further = known != self.known || wants_more(self);
        self.texts.is_there |= self.texts.is_wanted;
        self.random.is_there |= self.random.is_wanted;
        if is_further {
            self.known = known;
            self.dynamic.extend(self.wanted.drain(..));
            self.demands.found.clear();
            self.demands.kept.clear();
            self.demands.hints.clear();
            (self.unknown, self.is_untested) = (None, false);
        }
        is_further
    }

    fn known_of(&self, demands: &[&Vec<Demand>]) -> Known {
        let kinds = (0..self.sorts.len()).map(|id| self.kind(id)).collect();
        let mut known = Known { kinds, ..Known::default() };
        known.grow(self.sorts.len());
        for demand in demands.iter().copied().flatten() {
            match demand {
                Demand::Member(id, position, member) => known.add(*id, *position, member),
                Demand::Same(a, b) => known.unite(*a, *b),
                Demand::Otherwise(..) => {}
            }
        }
        for demand in demands.iter().copied().flatten() {
            if let Demand::Otherwise(id, position, member) = demand
                && known.lacks(*id, *position)
            {
                known.add(*id, *position, member);
            }
        }
        for guess in &self.demands.guesses {
            match guess {
                Demand::Member(id, position, member) | Demand::Otherwise(id, position, member)
                    if known.lacks(*id, *position) =>
                {
                    known.add(*id, *position, member);
                }
                Demand::Same(a, b) if known.lacks(*a, 0) || known.lacks(*b, 0) => known.unite(*a, *b),
                _ => {}
            }
        }
        known
    }

    /// What a list of a dictionary's keys, values or pairs is made of.
    pub fn pair(&self, container: Container) -> Member {
        Member::Tuple(vec![self.member(container.ty), self.values(container.ty)])
    }

    /// What a container's members (0) or values (1) are.
    pub fn member_at(&self, ty: TypeId, position: usize) -> Member {
        if position == 0 { self.member(ty) } else { self.values(ty) }
    }
}

/// A list, a dictionary or a set of run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Container {
    /// The object.
    pub value: ValueId,
    /// What sort it is of.
    pub sort: Sort,
    /// What its members are.
    pub ty: TypeId,
}

/// Python's name of its scalar type.
pub(crate) fn python_name(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::F16 | DType::F32 | DType::F64 => "float",
        DType::C64 | DType::C128 => "complex",
        _ => "int",
    }
}
