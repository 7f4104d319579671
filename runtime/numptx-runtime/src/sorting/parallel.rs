//! Sorting numbers on several threads: pieces first, then merges of two, each of which threads share as well.
//!
//! In: keys, and how one thread sorts them. Out: the keys in order. Keys that are equal are the same: nothing is said about their order.

use std::mem::swap;
use std::sync::Mutex;

use crate::error::Result;
use crate::pool::run_pieces;
use crate::room::reserved;

/// Room for `n` keys.
pub(super) fn room<T: Copy>(n: usize, filled: T) -> Result<Vec<T>> {
    let mut keys = reserved(n)?;
    keys.resize(n, filled);
    Ok(keys)
}

/// Sorts keys. `one` sorts what the first slice holds on one thread, and may use the second one, of the same length.
pub(super) fn sort<T: Ord + Copy + Send + Sync>(
    keys: &mut Vec<T>,
    threads: usize,
    needs_room: Room,
    one: &(dyn Fn(&mut [T], &mut [T]) + Sync),
) -> Result<()> {
    let Some(filled) = keys.first().copied() else { return Ok(()) };
    if threads < 2 {
        let mut spare = if needs_room == Room::Always { room(keys.len(), filled)? } else { Vec::new() };
        one(keys, &mut spare);
        return Ok(());
    }
    let mut spare = room(keys.len(), filled)?;
    let mut length = keys.len().div_ceil(threads.next_power_of_two());
    share(keys.chunks_mut(length).zip(spare.chunks_mut(length)).collect(), &|(keys, spare)| one(keys, spare));
    while length < keys.len() {
        let mut merges = Vec::new();
        for (from, to) in keys.chunks(2 * length).zip(spare.chunks_mut(2 * length)) {
            let (low, high) = from.split_at(length.min(from.len()));
            split(Merge { low, high, to }, keys.len().div_ceil(threads), &mut merges);
        }
        share(merges, &Merge::run);
        swap(keys, &mut spare);
        length *= 2;
    }
    Ok(())
}

/// When sorting on one thread needs a second slice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    Always,
    Never,
}

/// Two runs in order, and where they become one.
struct Merge<'a, T> {
    low: &'a [T],
    high: &'a [T],
    to: &'a mut [T],
}

/// Cuts a merge into parts of about `most` keys: what comes before the middle of the longer run, and the rest.
fn split<'a, T: Ord + Copy>(merge: Merge<'a, T>, most: usize, parts: &mut Vec<Merge<'a, T>>) {
    if merge.to.len() <= (most + most / 2).max(3) {
        return parts.push(merge);
    }
    let (longer, other) = match merge.low.len() >= merge.high.len() {
        true => (merge.low, merge.high),
        false => (merge.high, merge.low),
    };
    let middle = longer.len() / 2;
    let (a, b) = longer.split_at(middle);
    let (c, d) = other.split_at(other.partition_point(|key| *key < longer[middle]));
    let (left, right) = merge.to.split_at_mut(a.len() + c.len());
    split(Merge { low: a, high: c, to: left }, most, parts);
    split(Merge { low: b, high: d, to: right }, most, parts);
}

impl<T: Ord + Copy> Merge<'_, T> {
    fn run(self) {
        let Merge { low, high, to } = self;
        let (mut i, mut j, mut k) = (0, 0, 0);
        while i < low.len() && j < high.len() {
            let takes_high = high[j] < low[i];
            to[k] = if takes_high { high[j] } else { low[i] };
            i += usize::from(!takes_high);
            j += usize::from(takes_high);
            k += 1;
        }
        let rest = low.len() - i;
        to[k..k + rest].copy_from_slice(&low[i..]);
        to[k + rest..].copy_from_slice(&high[j..]);
    }
}

/// Runs `work` on each part, on all threads.
fn share<P: Send>(parts: Vec<P>, work: &(dyn Fn(P) + Sync)) {
    let parts: Vec<Mutex<Option<P>>> = parts.into_iter().map(|part| Mutex::new(Some(part))).collect();
    run_pieces(parts.len() as i64, &|n| {
        let part = parts[n as usize].lock().ok().and_then(|mut part| part.take());
        part.into_iter().for_each(work);
    });
}

/// Sorts keys by the bytes `first..last` of what `digits` gives of them, the lowest first; keys that agree there keep their order.
pub(super) fn sort_by_bytes<T: Copy>(
    keys: &mut [T],
    spare: &mut [T],
    bytes: std::ops::Range<u32>,
    digits: fn(T) -> u64,
) {
    let (mut from, mut to, mut is_swapped) = (keys, spare, false);
    for byte in bytes {
        let digit = |key: T| (digits(key) >> (8 * byte)) as u8 as usize;
        let mut places = [0usize; 256];
        from.iter().for_each(|key| places[digit(*key)] += 1);
        if places.contains(&from.len()) {
            continue;
        }
        let mut sum = 0;
        places.iter_mut().for_each(|n| sum += std::mem::replace(n, sum));
        for key in from.iter() {
            let place = &mut places[digit(*key)];
            to[*place] = *key;
            *place += 1;
        }
        swap(&mut from, &mut to);
        is_swapped = !is_swapped;
    }
    if is_swapped {
        to.copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(n: usize, mask: u64) -> Vec<u64> {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let next = |_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state & mask
        };
        (0..n).map(next).collect()
    }

    #[test]
    fn any_number_of_threads_gives_one_order() {
        for n in [0, 1, 2, 3, 5, 64, 1000, 4097] {
            for mask in [0, 7, u64::MAX] {
                let keys = numbers(n, mask);
                let mut expected = keys.clone();
                expected.sort_unstable();
                for threads in [1, 2, 3, 5, 8, 64] {
                    let mut found = keys.clone();
                    sort(&mut found, threads, Room::Never, &|keys, _| keys.sort_unstable()).expect("there is memory");
                    assert_eq!(found, expected, "{n} keys, {threads} threads");
                    let mut found = keys.clone();
                    let by_bytes = |keys: &mut [u64], spare: &mut [u64]| sort_by_bytes(keys, spare, 0..8, |key| key);
                    sort(&mut found, threads, Room::Always, &by_bytes).expect("there is memory");
                    assert_eq!(found, expected, "{n} keys, {threads} threads, by bytes");
                }
            }
        }
    }

    #[test]
    fn keys_that_agree_in_the_bytes_keep_their_order() {
        let mut keys: Vec<u64> =
            numbers(500, 0x3).into_iter().enumerate().map(|(n, key)| key << 32 | n as u64).collect();
        let mut expected = keys.clone();
        expected.sort_unstable();
        let mut spare = keys.clone();
        sort_by_bytes(&mut keys, &mut spare, 4..8, |key| key);
        assert_eq!(keys, expected);
    }
}
