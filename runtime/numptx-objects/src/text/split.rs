//! Splitting texts into pieces, and joining them.

use crate::failure::{Failure, Outcome};
use crate::list::List;
use crate::object::{Reference, with_text};
use crate::output::Output;
use crate::text::classes::is_space;

/// How many pieces at most come of so many splits; all where it is negative.
fn most(splits: i64) -> usize {
    usize::try_from(splits).map_or(usize::MAX, |splits| splits.saturating_add(1))
}

fn push<'a>(pieces: &mut Vec<&'a str>, piece: &'a str) -> Outcome<()> {
    pieces.try_reserve(1)?;
    pieces.push(piece);
    Ok(())
}

/// The pieces between white space, of which as many splits are made, from the left or from the right.
pub(crate) fn split(text: &str, splits: i64, from_right: bool) -> Outcome<Vec<&str>> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    let most = most(splits);
    loop {
        rest = if from_right { rest.trim_end_matches(is_space) } else { rest.trim_start_matches(is_space) };
        if rest.is_empty() {
            break;
        }
        if pieces.len() + 1 == most {
            push(&mut pieces, rest)?;
            break;
        }
        let (piece, behind) = if from_right {
            let at = rest.char_indices().rev().find(|(_, c)| is_space(*c)).map_or(0, |(at, c)| at + c.len_utf8());
            let (behind, piece) = rest.split_at(at);
            (piece, behind)
        } else {
            rest.split_at(rest.find(is_space).unwrap_or(rest.len()))
        };
        push(&mut pieces, piece)?;
        rest = behind;
    }
    if from_right {
        pieces.reverse();
    }
    Ok(pieces)
}

/// The pieces between separators, of which as many splits are made, from the left or from the right.
pub(crate) fn split_by<'a>(text: &'a str, by: &str, splits: i64, from_right: bool) -> Outcome<Vec<&'a str>> {
    if by.is_empty() {
        return Err(Failure::value("empty separator"));
    }
    let mut pieces = Vec::new();
    if from_right {
        text.rsplitn(most(splits), by).try_for_each(|piece| push(&mut pieces, piece))?;
        pieces.reverse();
    } else {
        text.splitn(most(splits), by).try_for_each(|piece| push(&mut pieces, piece))?;
    }
    Ok(pieces)
}

/// The lines, with what ends them or without.
pub(crate) fn split_lines(text: &str, keeps_ends: bool) -> Outcome<Vec<&str>> {
    let ends = |c: char| matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let (mut lines, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let at = rest.find(ends).unwrap_or(rest.len());
        let end = if rest[at..].starts_with("\r\n") { 2 } else { rest[at..].chars().next().map_or(0, char::len_utf8) };
        push(&mut lines, &rest[..if keeps_ends { at + end } else { at }])?;
        rest = &rest[at + end..];
    }
    Ok(lines)
}

/// The texts of a list with a separator between them.
pub(crate) fn join<R: Reference>(separator: &str, list: &List<R>) -> Outcome<String> {
    let mut output = Output::new();
    for at in 0..list.len() {
        if at > 0 {
            output.push(separator)?;
        }
        with_text(list.get_reference(at as i64)?, |text| output.push(text.as_str()))??;
    }
    Ok(output.done())
}
