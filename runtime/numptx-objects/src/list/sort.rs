//! Sorting: stable, ascending by `<`, or descending with equal elements in their order, as Python's.
//!
//! A list that holds nan, which is less than nothing and nothing is less than, ends in some permutation. Numbers in one word are sorted where they
//! lie; of other elements an order is sorted, then they are put into it.

use std::cmp::Ordering;

use numptx_abi::dtype;
use numptx_abi::object;

use crate::compare::{elements_order, no_order, scalar_type};
use crate::failure::{Failure, Outcome};
use crate::layout::Layout;
use crate::list::List;
use crate::object::Reference;

impl<R: Reference> List<R> {
    /// Sorts the list.
    pub fn sort(&mut self, reverse: bool) -> Result<(), Failure> {
        if self.len() < 2 {
            return Ok(());
        }
        let single = self.layout.single().filter(|code| object::words(*code) == 1);
        match single.map(object::dtype_of) {
            Some(dtype::FLOAT64) => sort_floats(self.words_mut(), reverse),
            Some(dtype::FLOAT16 | dtype::FLOAT32) => self.permute(reverse),
            Some(dtype::INT8..=dtype::INT64) => {
                sort_words(self.words_mut(), reverse, |word| word ^ (1 << 63));
                Ok(())
            }
            Some(_) => {
                sort_words(self.words_mut(), reverse, |word| word);
                Ok(())
            }
            None => self.permute(reverse),
        }
    }

    fn permute(&mut self, reverse: bool) -> Outcome<()> {
        let order = self.sorted_order(reverse)?;
        self.elements.permute(&order)
    }

    /// Sorts a list of keys, and puts this list, which is as long unless `key=` changed it, into the same order.
    pub fn sort_by(&mut self, keys: &mut List<R>, reverse: bool) -> Result<(), Failure> {
        if keys.len() != self.len() {
            return Err(Failure::value("list modified during sort"));
        }
        let order = keys.sorted_order(reverse)?;
        self.elements.permute(&order)?;
        keys.elements.permute(&order)
    }

    /// The places of the elements in ascending order.
    fn sorted_order(&self, reverse: bool) -> Outcome<Vec<usize>> {
        let mut order = Vec::new();
        order.try_reserve_exact(self.len())?;
        order.extend(0..self.len());
        if self.len() > 1 {
            check_order(&self.layout)?;
            merge_sort(&mut order, |a, b| if reverse { self.is_less(b, a) } else { self.is_less(a, b) })?;
        }
        Ok(order)
    }

    fn is_less(&self, a: usize, b: usize) -> Outcome<bool> {
        let (Some(a), Some(b)) = (self.elements.get(a), self.elements.get(b)) else {
            return Err(Failure::bug("an element that is not there"));
        };
        Ok(elements_order((&self.layout, a), (&self.layout, b))? == Some(Ordering::Less))
    }
}

/// As many places are put into order by insertion before they are merged.
const RUN: usize = 12;

/// A stable sort that any comparison leaves with a permutation: nan has no order, which the standard library's sorts may answer with a panic.
fn merge_sort(order: &mut Vec<usize>, mut is_less: impl FnMut(usize, usize) -> Outcome<bool>) -> Outcome<()> {
    let length = order.len();
    for run in order.chunks_mut(RUN) {
        for end in 1..run.len() {
            let mut at = end;
            while at > 0 && is_less(run[at], run[at - 1])? {
                run.swap(at, at - 1);
                at -= 1;
            }
        }
    }
    let mut merged: Vec<usize> = Vec::new();
    merged.try_reserve_exact(length)?;
    let mut width = RUN;
    while width < length {
        merged.clear();
        for pair in order.chunks(2 * width) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            let (mut i, mut j) = (0, 0);
            while i < left.len() && j < right.len() {
                if is_less(right[j], left[i])? {
                    merged.push(right[j]);
                    j += 1;
                } else {
                    merged.push(left[i]);
                    i += 1;
                }
            }
            merged.extend_from_slice(&left[i..]);
            merged.extend_from_slice(&right[j..]);
        }
        std::mem::swap(order, &mut merged);
        width *= 2;
    }
    Ok(())
}

/// Elements that have no order are found out before they are compared, for equal ones would not be.
fn check_order(layout: &Layout) -> Outcome<()> {
    let Some(code) = layout.single() else { return Ok(()) };
    match object::dtype_of(code) {
        _ if code == object::NONE => Err(no_order("NoneType", "NoneType")),
        dtype::COMPLEX64 | dtype::COMPLEX128 if object::is_scalar(code) => {
            Err(no_order(scalar_type(code), scalar_type(code)))
        }
        _ => Ok(()),
    }
}

/// Words by what orders them; equal ones are the same, so that no order of them can be seen.
fn sort_words(words: &mut [u64], reverse: bool, key: impl Fn(u64) -> u64) {
    words.sort_unstable_by_key(|word| key(*word));
    if reverse {
        words.reverse();
    }
}

/// Floats by the order of all of them. Zeros of both signs are equal, and keep their order.
fn sort_floats(words: &mut [u64], reverse: bool) -> Outcome<()> {
    let negative_zero = (-0.0_f64).to_bits();
    let mut zeros = Vec::new();
    if words.contains(&negative_zero) {
        let is_zero = |word: &&u64| **word << 1 == 0;
        zeros.try_reserve_exact(words.iter().filter(is_zero).count())?;
        zeros.extend(words.iter().filter(is_zero));
    }
    sort_words(words, reverse, |word| if word >> 63 == 0 { word | 1 << 63 } else { !word });
    if let Some(first) = words.iter().position(|word| word << 1 == 0)
        && let Some(run) = words.get_mut(first..first + zeros.len())
    {
        run.copy_from_slice(&zeros);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use numptx_abi::error_kind;

    use crate::Item;
    use crate::testing::{called, layout, made, number, shown};
    use crate::{Element, List};

    #[test]
    fn lists_with_nan_end_in_a_permutation() {
        let values = [3.0, f64::NAN, -1.0, f64::NAN, 0.0, -0.0, 2.0, f64::NAN, 1.0, -5.0, 7.0, f64::NAN, 4.0, 6.0];
        for codes in ["f64", "( f64 )", "( f64 f64 )"] {
            for reverse in [false, true] {
                let layout = layout(codes);
                let mut list: List<crate::testing::Counted> = List::new(layout.clone());
                for (i, x) in values.iter().enumerate() {
                    let words = [x.to_bits(), values[(i * 5) % 14].to_bits()];
                    list.append(Element { words: &words[..layout.words()], references: &[] }).expect("memory");
                }
                let before: Vec<u64> = list.words().to_vec();
                list.sort(reverse).expect("floats have an order");
                let sorted = |words: &[u64]| {
                    let mut words = words.to_vec();
                    words.sort_unstable();
                    words
                };
                assert_eq!(sorted(list.words()), sorted(&before));
            }
        }
    }

    #[test]
    fn a_list_that_its_keys_changed_is_an_error() {
        let (list, keys) = (made("list_new", "i64", &[Item::int(1)]), made("list_new", "i64", &[]));
        let failure = called("list_sort_by", "", &[list.clone(), keys, Item::int(0)]).expect_err("one key less");
        assert_eq!(failure.kind, error_kind::VALUE);
        called("list_sort_by", "", &[list.clone(), list.clone(), Item::int(1)]).expect("it is its own keys");
        assert_eq!(number("list_length", &[list]), 1);
    }

    #[test]
    fn single_floats_are_sorted_by_value() {
        let items: Vec<_> = [2.0_f32, -1.0, 0.5].iter().map(|x| Item::Words([u64::from(x.to_bits()), 0])).collect();
        let list = made("list_new", "f32", &items);
        called("list_sort", "", &[list.clone(), Item::int(0)]).expect("floats have an order");
        assert_eq!(shown("to_str", "object", &[list]), "[-1.0, 0.5, 2.0]");
    }

    #[test]
    fn half_floats_are_sorted_by_value() {
        // 1, -1, 0, -0, the smallest one, and minus infinity.
        let items = [0x3c00, 0xbc00, 0x0000, 0x8000, 0x0001, 0xfc00].map(|bits| Item::Words([bits, 0]));
        let list = made("list_new", "f16", &items);
        called("list_sort", "", &[list.clone(), Item::int(0)]).expect("floats have an order");
        assert_eq!(shown("to_str", "object", std::slice::from_ref(&list)), "[-inf, -1.0, 0.0, -0.0, 6e-08, 1.0]");
        called("list_sort", "", &[list.clone(), Item::int(1)]).expect("floats have an order");
        assert_eq!(shown("to_str", "object", &[list]), "[1.0, 6e-08, 0.0, -0.0, -1.0, -inf]");
    }
}
