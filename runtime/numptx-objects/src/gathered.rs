//! Elements put together from operands.
//!
//! Operands are leaves one after the other; a layout tells which are words and which are references. Short elements take no memory for that.

use numptx_abi::object;

use crate::elements::Element;
use crate::failure::{Failure, Outcome};
use crate::layout::Layout;
use crate::object::{Item, Reference};

/// Words that a gathered element has without memory of its own.
const INLINE: usize = 8;

/// An element put together from operands.
pub(crate) struct Gathered<R> {
    inline: [u64; INLINE],
    words: usize,
    spilled: Vec<u64>,
    one: Option<R>,
    more: Vec<Option<R>>,
    references: usize,
}

impl<R: Reference> Gathered<R> {
    /// Takes as many items as the layout says.
    #[inline]
    pub(crate) fn new(layout: &Layout, items: &[Item<R>]) -> Outcome<Gathered<R>> {
        if let ([Item::Words([word, _])], 1, 0) = (items, layout.words(), layout.references()) {
            let mut inline = [0; INLINE];
            inline[0] = *word;
            return Ok(Gathered { inline, words: 1, spilled: Vec::new(), one: None, more: Vec::new(), references: 0 });
        }
        Gathered::of_leaves(layout, items)
    }

    fn of_leaves(layout: &Layout, items: &[Item<R>]) -> Outcome<Gathered<R>> {
        let mut gathered = Gathered {
            inline: [0; INLINE],
            words: 0,
            spilled: Vec::new(),
            one: None,
            more: Vec::new(),
            references: layout.references(),
        };
        let spills = layout.words() > INLINE;
        let mut items = items.iter();
        for code in layout.codes() {
            let count = object::words(*code);
            if count == 0 && !object::is_reference(*code) {
                continue;
            }
            match items.next() {
                Some(Item::Words(words)) if count > 0 => {
                    for word in &words[..count] {
                        if spills {
                            gathered.spilled.push(*word);
                        } else {
                            gathered.inline[gathered.words] = *word;
                        }
                        gathered.words += 1;
                    }
                }
                Some(Item::Reference(reference)) if count == 0 && gathered.references == 1 => {
                    gathered.one = Some(reference.clone());
                }
                Some(Item::Reference(reference)) if count == 0 => gathered.more.push(Some(reference.clone())),
                _ => return Err(Failure::bug("operands that are not of the layout")),
            }
        }
        if items.next().is_some() {
            return Err(Failure::bug("more operands than the layout has"));
        }
        Ok(gathered)
    }

    pub(crate) fn element(&self) -> Element<'_, R> {
        Element {
            words: if self.words > INLINE { &self.spilled } else { &self.inline[..self.words] },
            references: if self.references == 1 { std::slice::from_ref(&self.one) } else { &self.more },
        }
    }
}
