//! Operations on strings.

use numptx_abi::object::*;

use crate::failure::{Failure, Outcome};
use crate::layout::Layout;
use crate::list::List;
use crate::object::{Embedding, Item, Object, Reference};
use crate::run::operands::{list, text};
use crate::run::{Context, strange};
use crate::text::{Case, Class, Side, Text, character, join, split, split_by, split_lines};

pub(super) fn run<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    match context.code {
        STR_CONSTANT => {
            let literal =
                std::str::from_utf8(context.layout).map_err(|_| Failure::bug("a literal that is no UTF-8"))?;
            context.give_part(literal)
        }
        STR_CHR => {
            let made = character(context.operands.int()?)?;
            context.give_text(made)
        }
        STR_LENGTH..=STR_COMPARE => basic(context),
        STR_CONTAINS..=STR_ENDSWITH => search(context),
        STR_REPLACE..=STR_SWAPCASE => change(context),
        STR_STRIP..=STR_RSTRIP_CHARACTERS => strip(context),
        STR_SPLIT..=STR_TO_LIST => pieces(context),
        STR_ISDIGIT..=STR_ISPRINTABLE => classify(context),
        _ => rest(context),
    }
}

fn basic<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    match context.code {
        STR_LENGTH | STR_TRUTH => {
            let length = text(reference, |text| Ok(text.len()))?;
            if context.code == STR_TRUTH { context.give_truth(length > 0) } else { context.give_int(length as i64) }
        }
        STR_REPEAT => {
            let times = context.operands.int()?;
            let made = text(reference, |text| text.repeated(times))?;
            context.give_text(made)
        }
        STR_GET => {
            let index = context.operands.int()?;
            let made = text(reference, |text| Text::new(text.get(index)?))?;
            context.give(Object::Str(made))
        }
        STR_SLICE => {
            let slice = context.operands.slice()?;
            let made = text(reference, |text| text.slice(slice))?;
            context.give_text(made)
        }
        STR_CONCAT => {
            let other = context.operands.reference()?;
            let made = text(reference, |a| text(other, |b| a.concatenated(b)))?;
            context.give_text(made)
        }
        _ => {
            let other = context.operands.reference()?;
            let order = text(reference, |a| text(other, |b| Ok(a.as_str().cmp(b.as_str()))))?;
            if context.code == STR_EQUAL {
                return context.give_truth(order.is_eq());
            }
            context.give_int(super::list::order_number(order))
        }
    }
}

fn search<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let (a, b) = (context.operands.reference()?, context.operands.reference()?);
    let code = context.code;
    if code == STR_CONTAINS {
        let found = text(a, |a| text(b, |b| Ok(a.as_str().contains(b.as_str()))))?;
        return context.give_truth(found);
    }
    let (start, stop) = (context.operands.int()?, context.operands.int()?);
    let found = text(a, |a| {
        text(b, |b| {
            Ok(match code {
                STR_FIND | STR_RFIND => a.find(b, start, stop, code == STR_RFIND),
                STR_INDEX | STR_RINDEX => a.index(b, start, stop, code == STR_RINDEX)?,
                STR_COUNT => a.count(b, start, stop) as i64,
                STR_STARTSWITH => i64::from(a.starts_with(b, start, stop)),
                _ => i64::from(a.ends_with(b, start, stop)),
            })
        })
    })?;
    context.give_int(found)
}

fn change<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    let case = match context.code {
        STR_LOWER => Case::Lower,
        STR_UPPER => Case::Upper,
        STR_TITLE => Case::Title,
        STR_CAPITALIZE => Case::Capitalized,
        STR_SWAPCASE => Case::Swapped,
        STR_REPLACE => {
            let (old, new) = (context.operands.reference()?, context.operands.reference()?);
            let count = context.operands.int()?;
            let replace = |a: &Text| text(old, |old| text(new, |new| a.replaced(old, new, count)));
            let made = text(reference, replace)?;
            return context.give_text(made);
        }
        code => {
            let other = context.operands.reference()?;
            let made = text(reference, |a| {
                text(other, |b| {
                    let (a, b) = (a.as_str(), b.as_str());
                    let rest = if code == STR_REMOVEPREFIX { a.strip_prefix(b) } else { a.strip_suffix(b) };
                    Text::new(rest.unwrap_or(a))
                })
            })?;
            return context.give(Object::Str(made));
        }
    };
    let made = text(reference, |text| text.in_case(case))?;
    context.give_text(made)
}

fn strip<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    let side = match context.code {
        STR_STRIP | STR_STRIP_CHARACTERS => Side::Both,
        STR_LSTRIP | STR_LSTRIP_CHARACTERS => Side::Left,
        _ => Side::Right,
    };
    let made = if matches!(context.code, STR_STRIP | STR_LSTRIP | STR_RSTRIP) {
        text(reference, |text| Text::new(text.stripped(side, None)))?
    } else {
        let characters = context.operands.reference()?;
        text(reference, |a| text(characters, |characters| Text::new(a.stripped(side, Some(characters)))))?
    };
    context.give(Object::Str(made))
}

fn pieces<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    let code = context.code;
    match code {
        STR_SPLIT | STR_RSPLIT => {
            let splits = context.operands.int()?;
            text(reference, |text| {
                let pieces = split(text.as_str(), splits, code == STR_RSPLIT)?;
                give_pieces(context, pieces.into_iter())
            })
        }
        STR_SPLITLINES => {
            let keeps_ends = context.operands.truth()?;
            text(reference, |text| {
                let lines = split_lines(text.as_str(), keeps_ends)?;
                give_pieces(context, lines.into_iter())
            })
        }
        STR_TO_LIST => text(reference, |text| {
            let text = text.as_str();
            let characters = text.char_indices().map(|(at, c)| text.get(at..at + c.len_utf8()).unwrap_or(""));
            give_pieces(context, characters)
        }),
        STR_JOIN => {
            let other = context.operands.reference()?;
            let made = text(reference, |separator| list(other, |list| join(separator.as_str(), list)))?;
            context.give_text(made)
        }
        _ => {
            let by = context.operands.reference()?;
            let splits = if matches!(code, STR_SPLIT_BY | STR_RSPLIT_BY) { context.operands.int()? } else { 0 };
            text(reference, |a| {
                text(by, |by| match code {
                    STR_PARTITION | STR_RPARTITION => partition(context, a.as_str(), by.as_str()),
                    _ => {
                        let pieces = split_by(a.as_str(), by.as_str(), splits, code == STR_RSPLIT_BY)?;
                        give_pieces(context, pieces.into_iter())
                    }
                })
            })
        }
    }
}

fn partition<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>, text: &str, by: &str) -> Outcome<()> {
    if by.is_empty() {
        return Err(Failure::value("empty separator"));
    }
    let is_last = context.code == STR_RPARTITION;
    let found = if is_last { text.rsplit_once(by) } else { text.split_once(by) };
    let parts = match found {
        Some((before, behind)) => [before, by, behind],
        None if is_last => ["", "", text],
        None => [text, "", ""],
    };
    parts.into_iter().try_for_each(|part| context.give_part(part))
}

fn give_pieces<'a, R: Reference, E: Embedding<R>>(
    context: &mut Context<'_, R, E>,
    pieces: impl Iterator<Item = &'a str>,
) -> Outcome<()> {
    let mut made = List::new(Layout::string());
    for piece in pieces {
        let reference = context.embedding.make(Object::Str(Text::new(piece)?))?;
        made.append_reference(reference)?;
    }
    context.give(Object::List(made))
}

fn classify<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let class = match context.code {
        STR_ISDIGIT => Class::Digit,
        STR_ISDECIMAL => Class::Decimal,
        STR_ISNUMERIC => Class::Numeric,
        STR_ISALPHA => Class::Letter,
        STR_ISALNUM => Class::LetterOrNumber,
        STR_ISSPACE => Class::Space,
        STR_ISUPPER => Class::Upper,
        STR_ISLOWER => Class::Lower,
        STR_ISTITLE => Class::Title,
        STR_ISASCII => Class::Ascii,
        _ => Class::Printable,
    };
    let is_so = text(context.operands.reference()?, |text| Ok(text.is_all(class)))?;
    context.give_truth(is_so)
}

fn rest<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let reference = context.operands.reference()?;
    match context.code {
        STR_ZFILL => {
            let width = context.operands.int()?;
            let made = text(reference, |text| text.zero_filled(width))?;
            context.give_text(made)
        }
        STR_LJUST | STR_RJUST | STR_CENTER => {
            let (width, fill) = (context.operands.int()?, context.operands.reference()?);
            let side = match context.code {
                STR_LJUST => Side::Right,
                STR_RJUST => Side::Left,
                _ => Side::Both,
            };
            let made = text(reference, |a| text(fill, |fill| a.padded(width, fill, side)))?;
            context.give_text(made)
        }
        STR_ORD => {
            let code_point = text(reference, Text::code_point)?;
            context.give_int(code_point)
        }
        STR_TO_INT => {
            let base = context.operands.int()?;
            let n = text(reference, |text| text.to_int(base))?;
            context.give_int(n)
        }
        STR_TO_FLOAT => {
            let x = text(reference, Text::to_float)?;
            context.results.push(Item::float(x));
            Ok(())
        }
        _ => strange(),
    }
}
