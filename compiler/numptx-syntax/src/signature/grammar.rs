//! The grammar of exports, which is Pythran's.
//!
//! ```text
//! line  := item ("," item)*            item := NAME | NAME "(" [arg ("," arg)*] ")"
//! arg   := type ["?"]                  type := term ("or" term)*
//! term  := base suffix*
//! suffix := "list" | "set" | "order" "(" ("C" | "F") ")" | ":" term "dict"
//! base  := RECORD | RECORD "[" axis ("," axis)* "]" | SCALAR | SCALAR "[" axis ("," axis)* "]" | SCALAR ("[" axis "]")+
//!        | "str" | "None" | "(" type ("," type)* ")"
//! axis  := nothing | ":" | "::" | INTEGER
//! ```
//!
//! In: tokens, and the names of classes of records. Out: exports in which every type is the list of its alternatives. It knows no functions.

use std::collections::BTreeSet;

use numptx_source::{Report, Span, code};

use super::directive::ExportLine;
use super::lexer::{Tok, Token};
use super::names;
use crate::ast::{ArraySpec, ExtentSpec, OrderSpec, TypeSpec};

/// Overloads of one function; Pythran's limit.
pub(super) const MAX_OVERLOADS: usize = 128;
/// Axes of an array; NumPy's limit.
const MAX_AXES: usize = 64;
/// Tuples inside tuples.
const MAX_DEPTH: usize = 32;

/// A report on its way out.
pub(super) type Parsed<T> = Result<T, Box<Report>>;

/// An export before `or` is expanded.
#[derive(Clone, Debug)]
pub(super) struct ParsedExport {
    pub name: String,
    pub name_span: Span,
    /// Name and parameters.
    pub span: Span,
    /// `None`: a global.
    pub parameters: Option<Vec<ParsedParameter>>,
}

/// A parameter's alternatives.
#[derive(Clone, Debug)]
pub(super) struct ParsedParameter {
    pub alternatives: Vec<TypeSpec>,
    pub optional: bool,
    pub span: Span,
}

/// The exports of one line.
pub(super) fn export_line(line: &ExportLine, records: &BTreeSet<String>) -> Parsed<Vec<ParsedExport>> {
    let mut parser = Parser { tokens: &line.tokens, records, position: 0, depth: 0, whole: line.span };
    let mut exports = vec![parser.item()?];
    while parser.take(',') {
        exports.push(parser.item()?);
    }
    // As behind a `def`, from where such lines are copied.
    parser.take(':');
    parser.end("`,` and another export, or the end of the line")?;
    Ok(exports)
}

/// The type in an annotation.
pub(super) fn annotation(tokens: &[Token], whole: Span, records: &BTreeSet<String>) -> Parsed<ParsedParameter> {
    let mut parser = Parser { tokens, records, position: 0, depth: 0, whole };
    let parameter = parser.parameter()?;
    parser.end("the end of the type")?;
    Ok(parameter)
}

struct Parser<'a> {
    tokens: &'a [Token],
    /// Names of classes of records.
    records: &'a BTreeSet<String>,
    position: usize,
    depth: usize,
    /// Where errors at the end are shown.
    whole: Span,
}

impl Parser<'_> {
    fn item(&mut self) -> Parsed<ParsedExport> {
        let (name, name_span) = self.name("the name of a function")?;
        if let (true, Some(Tok::Name(_))) = (matches!(name.as_str(), "capsule" | "ufunc"), self.peek()) {
            return Err(Box::new(
                Report::error(
                    code::EXPORT_SYNTAX,
                    name_span,
                    format!("`export {name}` is Pythran's and is not compiled by numptx"),
                )
                .label("not supported")
                .help("export the function itself: `#numptx export f(float64[:])`"),
            ));
        }
        if !self.take('(') {
            return Ok(ParsedExport { name, name_span, span: name_span, parameters: None });
        }
        let mut parameters = Vec::new();
        while !self.take(')') {
            parameters.push(self.parameter()?);
            if !self.take(',') {
                self.expect(')', "`,` or `)`")?;
                break;
            }
        }
        let span = name_span.join(self.previous());
        Ok(ParsedExport { name, name_span, span, parameters: Some(parameters) })
    }

    fn parameter(&mut self) -> Parsed<ParsedParameter> {
        let start = self.here();
        let alternatives = self.alternatives()?;
        let span = start.join(self.previous());
        let optional = self.take('?');
        Ok(ParsedParameter { alternatives, optional, span })
    }

    /// `term or term …`, flattened.
    fn alternatives(&mut self) -> Parsed<Vec<TypeSpec>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(self.here(), "types are nested too deeply", "a flatter type"));
        }
        let mut all = self.term()?;
        while self.take('|') || self.take_name("or") {
            all.extend(self.term()?);
            if all.len() > MAX_OVERLOADS {
                return Err(too_many(self.whole, all.len()));
            }
        }
        self.depth -= 1;
        Ok(all)
    }

    fn term(&mut self) -> Parsed<Vec<TypeSpec>> {
        let start = self.here();
        let mut types = self.base()?;
        loop {
            let here = self.here();
            if self.take_name("list") {
                types = types.into_iter().map(|t| TypeSpec::List(Box::new(t))).collect();
            } else if self.take_name("set") {
                types = types.into_iter().map(|t| TypeSpec::Set(Box::new(t))).collect();
            } else if self.take(':') {
                types = self.dictionary(types)?;
            } else if matches!(self.peek(), Some(Tok::Name(name)) if name == "dict") {
                // The values of a dictionary end here.
                return Ok(types);
            } else if self.take_name("order") {
                let order = self.order()?;
                self.set_order(&mut types, order, start.join(self.previous()))?;
            } else if let Some(what) = self.foreign_suffix() {
                return Err(foreign(what, start.join(here)));
            } else {
                return Ok(types);
            }
        }
    }

    /// `: values dict` behind the keys.
    fn dictionary(&mut self, keys: Vec<TypeSpec>) -> Parsed<Vec<TypeSpec>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(self.here(), "types are nested too deeply", "a flatter type"));
        }
        let values = self.term()?;
        self.depth -= 1;
        if !self.take_name("dict") {
            return Err(self.unexpected("`dict`"));
        }
        if keys.len() * values.len() > MAX_OVERLOADS {
            return Err(too_many(self.whole, keys.len() * values.len()));
        }
        let pair =
            |key: &TypeSpec, value: &TypeSpec| TypeSpec::Dictionary(Box::new(key.clone()), Box::new(value.clone()));
        Ok(keys.iter().flat_map(|key| values.iter().map(move |value| pair(key, value))).collect())
    }

    /// Suffixes of Pythran's that have no counterpart here.
    fn foreign_suffix(&self) -> Option<&'static str> {
        match self.peek()? {
            Tok::Name(name) => match name.as_str() {
                "type" => Some("types"),
                _ => None,
            },
            Tok::Punct('*') => Some("pointers"),
            Tok::Punct('(') => Some("functions"),
            _ => None,
        }
    }

    fn base(&mut self) -> Parsed<Vec<TypeSpec>> {
        if self.take('(') {
            return self.tuple();
        }
        if self.peek() == Some(&Tok::Punct('[')) {
            return Err(foreign("bracketed types", self.here()));
        }
        let (name, span) = self.name("a type")?;
        match name.as_str() {
            "str" => return self.no_axes(TypeSpec::Str, &name),
            "None" => return self.no_axes(TypeSpec::None, &name),
            _ => {}
        }
        if self.take_name("pkg") {
            return Err(foreign("modules", span.join(self.previous())));
        }
        if self.records.contains(&name) {
            return Ok(vec![match self.peek() {
                Some(Tok::Punct('[')) => TypeSpec::Records(name, self.extents(span)?),
                _ => TypeSpec::Record(name),
            }]);
        }
        if let Some(generator) = generator(&name) {
            return self.no_axes(generator, &name);
        }
        let Some(scalar) = names::scalar(&name) else { return Err(Box::new(names::unknown(&name, span))) };
        if self.peek() != Some(&Tok::Punct('[')) {
            return Ok(vec![TypeSpec::Scalar(scalar)]);
        }
        let extents = self.extents(span)?;
        Ok(vec![TypeSpec::Array(ArraySpec { dtype: names::element(scalar), extents, order: None })])
    }

    fn no_axes(&mut self, ty: TypeSpec, name: &str) -> Parsed<Vec<TypeSpec>> {
        if self.peek() == Some(&Tok::Punct('[')) {
            return Err(self.error(self.here(), &format!("an array of `{name}`"), "a numeric element type"));
        }
        Ok(vec![ty])
    }

    fn tuple(&mut self) -> Parsed<Vec<TypeSpec>> {
        let mut tuples: Vec<Vec<TypeSpec>> = vec![Vec::new()];
        while !self.take(')') {
            let alternatives = self.alternatives()?;
            if tuples.len() * alternatives.len() > MAX_OVERLOADS {
                return Err(too_many(self.whole, tuples.len() * alternatives.len()));
            }
            let extended = tuples.iter().flat_map(|head| {
                alternatives.iter().map(|t| head.iter().chain([t]).cloned().collect::<Vec<TypeSpec>>())
            });
            tuples = extended.collect();
            if !self.take(',') {
                self.expect(')', "`,` or `)`")?;
                break;
            }
        }
        Ok(tuples.into_iter().map(TypeSpec::Tuple).collect())
    }

    /// `[a, b]`, or one axis in each of several pairs of brackets: `[][]`, `[][3]`.
    fn extents(&mut self, start: Span) -> Parsed<Vec<ExtentSpec>> {
        let mut extents = Vec::new();
        let mut groups = 0;
        while self.take('[') {
            groups += 1;
            loop {
                extents.push(self.extent()?);
                if !self.take(',') {
                    break;
                }
            }
            self.expect(']', "`,` or `]`")?;
            if groups > 1 && extents.len() != groups {
                let span = start.join(self.previous());
                return Err(self.error(span, "several axes in one of several pairs of brackets", "`[:, :]` or `[][]`"));
            }
        }
        if extents.len() > MAX_AXES {
            let message = format!("an array of {} axes; NumPy allows {MAX_AXES}", extents.len());
            return Err(Box::new(
                Report::error(code::TOO_MANY_AXES, start.join(self.previous()), message)
                    .label("too many axes")
                    .help("use fewer axes: `a.reshape(-1, n)` joins some of them"),
            ));
        }
        Ok(extents)
    }

    fn extent(&mut self) -> Parsed<ExtentSpec> {
        let here = self.here();
        match self.peek() {
            Some(Tok::Number(value)) => {
                let value = *value;
                self.position += 1;
                match value.filter(|n| *n >= 1) {
                    Some(n) => Ok(ExtentSpec::Fixed(n)),
                    None => Err(self.error(here, "this extent is not possible", "an extent of at least 1, or `:`")),
                }
            }
            Some(Tok::Punct(':')) => {
                self.position += 1;
                let strided = self.take(':');
                if matches!(self.peek(), Some(Tok::Number(_))) {
                    return Err(self.error(
                        here.join(self.here()),
                        "a step in an array type",
                        "`float64[:, :] order(C)` where the layout matters",
                    ));
                }
                Ok(if strided { ExtentSpec::Strided } else { ExtentSpec::Any })
            }
            _ => Ok(ExtentSpec::Any),
        }
    }

    fn order(&mut self) -> Parsed<OrderSpec> {
        self.expect('(', "`(`")?;
        let order = if self.take_name("C") {
            OrderSpec::C
        } else if self.take_name("F") {
            OrderSpec::F
        } else {
            return Err(self.error(self.here(), "an order is `C` or `F`", "`order(C)` or `order(F)`"));
        };
        self.expect(')', "`)`")?;
        Ok(order)
    }

    fn set_order(&self, types: &mut [TypeSpec], order: OrderSpec, span: Span) -> Parsed<()> {
        for ty in types {
            match ty {
                TypeSpec::Array(array) if array.order.is_none() => array.order = Some(order),
                _ => {
                    return Err(self.error(
                        span,
                        "`order` belongs behind an array type, once",
                        "`float64[:, :] order(F)`",
                    ));
                }
            }
        }
        Ok(())
    }

    fn name(&mut self, expected: &str) -> Parsed<(String, Span)> {
        match self.tokens.get(self.position) {
            Some(Token { tok: Tok::Name(name), span }) => {
                self.position += 1;
                Ok((name.clone(), *span))
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    fn expect(&mut self, punct: char, expected: &str) -> Parsed<()> {
        if self.take(punct) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn end(&self, expected: &str) -> Parsed<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn unexpected(&self, expected: &str) -> Box<Report> {
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some(Tok::Name(name)) => format!("`{name}`"),
            Some(Tok::Number(Some(n))) => format!("`{n}`"),
            Some(Tok::Number(None)) => "a huge number".to_owned(),
            Some(Tok::Punct(c)) => format!("`{c}`"),
        };
        let span = if self.peek().is_some() { self.here() } else { self.end_span() };
        self.error(span, &format!("found {found} where {expected} was expected"), expected)
    }

    fn error(&self, span: Span, message: &str, expected: &str) -> Box<Report> {
        Box::new(
            Report::error(code::EXPORT_SYNTAX, span, message)
                .label(format!("expected {expected}"))
                .help("an export reads `#numptx export f(float64[:, :], int, float32[:] order(F))`"),
        )
    }

    fn peek(&self) -> Option<&Tok> {
        self.tokens.get(self.position).map(|t| &t.tok)
    }

    fn take(&mut self, punct: char) -> bool {
        let found = self.peek() == Some(&Tok::Punct(punct));
        self.position += usize::from(found);
        found
    }

    fn take_name(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Some(Tok::Name(n)) if n == name);
        self.position += usize::from(found);
        found
    }

    fn here(&self) -> Span {
        self.tokens.get(self.position).map_or(self.end_span(), |t| t.span)
    }

    fn previous(&self) -> Span {
        self.position.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(self.whole, |t| t.span)
    }

    /// The last token, for reports about what does not follow it.
    fn end_span(&self) -> Span {
        self.tokens.last().map_or(self.whole, |t| t.span)
    }
}

/// The report about a type of Pythran's that has no counterpart here.
fn foreign(what: &str, span: Span) -> Box<Report> {
    Box::new(
        Report::error(code::UNSUPPORTED_DTYPE, span, format!("numptx does not compile {what} as parameters"))
            .label("Pythran's")
            .help("pass arrays, numbers and tuples"),
    )
}

/// The report about an export whose alternatives multiply beyond the limit.
pub(super) fn too_many(span: Span, count: usize) -> Box<Report> {
    Box::new(
        Report::error(
            code::EXPORT_TOO_MANY,
            span,
            format!("this expands to {count} overloads; at most {MAX_OVERLOADS} are allowed"),
        )
        .label("every combination of `or` is compiled")
        .help("export only the combinations that are called, one a line"),
    )
}

/// The class of `np.random` of a name.
pub(crate) fn generator(name: &str) -> Option<TypeSpec> {
    match name {
        "Generator" => Some(TypeSpec::Generator),
        "RandomState" => Some(TypeSpec::RandomState),
        _ => None,
    }
}
