//! Random numbers: generators and seed sequences are lists of words, which `numptx-random` reads and writes.

mod array;

use numptx_abi::dtype;
use numptx_abi::object::{
    self, RANDOM_ADVANCE, RANDOM_DRAW_COUNT, RANDOM_DRAW_FLOAT, RANDOM_DRAW_INTEGER, RANDOM_DRAW_INTEGERS,
    RANDOM_DRAW_ORDER, RANDOM_DRAW_SAMPLE, RANDOM_DRAW_SEVERAL, RANDOM_FRESH, RANDOM_GAUSS, RANDOM_IS_CLOSED,
    RANDOM_IS_LEGACY, RANDOM_JUMPED, RANDOM_LEGACY, RANDOM_NEW, RANDOM_NUMBER, RANDOM_RESEED, RANDOM_SEQUENCE,
    RANDOM_SPAWN, RANDOM_WORDS,
};
use numptx_random::{
    BitGenerator, Bounded, End, INTEGERS, IntegerKind, KINDS, METHODS, Mersenne, Method, Number, Of, RANGE_STAGES,
    Random, STAGES, SeedSequence, Several, Source, Style, Wrong, check, words_of,
};

use crate::failure::{Failure, Outcome};
use crate::layout::Layout;
use crate::list::List;
use crate::object::{Embedding, Object, Reference};
use crate::run::operands::{Operands, list, list_mut};
use crate::run::{Context, strange};
pub use array::{Draws, draw_array};

/// Words of a pool at most: mixing takes the square of that.
const LARGEST_POOL: usize = 1 << 10;

/// The words of a place for a kept normal draw: as the first ones of a generator's state.
const GAUSS_WORDS: usize = 4;

impl From<Wrong> for Failure {
    fn from(wrong: Wrong) -> Failure {
        if wrong.is_overflow { Failure::overflow(wrong.text) } else { Failure::value(wrong.text) }
    }
}

pub(super) fn run<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    match context.code {
        RANDOM_FRESH | RANDOM_SEQUENCE | RANDOM_SPAWN | RANDOM_WORDS => sequence(context),
        RANDOM_NEW | RANDOM_LEGACY | RANDOM_GAUSS | RANDOM_RESEED | RANDOM_JUMPED | RANDOM_ADVANCE => whole(context),
        RANDOM_DRAW_FLOAT | RANDOM_DRAW_COUNT => one(context),
        RANDOM_DRAW_INTEGER => integer(context),
        RANDOM_DRAW_INTEGERS => integers(context),
        RANDOM_DRAW_ORDER | RANDOM_DRAW_SAMPLE => order(context),
        RANDOM_DRAW_SEVERAL => several(context),
        _ => strange(),
    }
}

fn sequence<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    if context.code == RANDOM_FRESH {
        return give_words(context, dtype::UINT64, stored(&SeedSequence::fresh()));
    }
    let reference = context.operands.reference()?;
    match context.code {
        RANDOM_SEQUENCE => {
            let entropy = list(reference, seeds)?;
            let key = context.operands.reference()?;
            let spawn_key = list(key, seeds)?;
            let pool_size = context.operands.int()?;
            if pool_size < numptx_random::POOL_SIZE as i64 {
                return Err(Failure::value("The size of the entropy pool should be at least 4"));
            }
            if pool_size > LARGEST_POOL as i64 {
                return Err(Failure::value("The size of the entropy pool is too large"));
            }
            let made = SeedSequence { entropy, spawn_key, pool_size: pool_size as usize, spawned: 0 };
            give_words(context, dtype::UINT64, stored(&made))
        }
        RANDOM_SPAWN => {
            let mut parent = list(reference, |list| loaded(list.words()))?;
            let child = parent.spawn(1).pop().ok_or_else(|| Failure::bug("no child"))?;
            list_mut(reference, |list| {
                list.words_mut().copy_from_slice(&stored(&parent));
                Ok(())
            })?;
            give_words(context, dtype::UINT64, stored(&child))
        }
        _ => {
            let (count, is_wide) = (context.operands.int()?, context.operands.truth()?);
            let sequence = list(reference, |list| loaded(list.words()))?;
            let count = usize::try_from(count).map_err(|_| Failure::value("negative dimensions are not allowed"))?;
            room_for(count.checked_mul(2).ok_or_else(Failure::memory)?)?;
            match is_wide {
                true => give_words(context, dtype::UINT64, sequence.generate_wide(count)),
                false => {
                    let words = sequence.generate(count).into_iter().map(u64::from).collect();
                    give_words(context, dtype::UINT32, words)
                }
            }
        }
    }
}

/// The words of 32 bits of a list's ints, each from its lowest one on.
fn seeds<R: Reference>(list: &List<R>) -> Outcome<Vec<u32>> {
    if !is_unsigned(list) && list.words().iter().any(|word| (*word as i64) < 0) {
        return Err(Failure::value("expected non-negative integer"));
    }
    Ok(list.words().iter().flat_map(|word| words_of(*word)).collect())
}

fn is_unsigned<R: Reference>(list: &List<R>) -> bool {
    list.layout().codes().first().is_some_and(|code| object::dtype_of(*code) == dtype::UINT64)
}

/// A seed sequence as words: the pool's size, how many children there are, how long the key is, the key, and the entropy.
fn stored(sequence: &SeedSequence) -> Vec<u64> {
    let head = [sequence.pool_size as u64, u64::from(sequence.spawned), sequence.spawn_key.len() as u64];
    head.into_iter().chain(sequence.spawn_key.iter().chain(&sequence.entropy).map(|word| u64::from(*word))).collect()
}

fn loaded(words: &[u64]) -> Outcome<SeedSequence> {
    let missing = || Failure::bug("an operand is no seed sequence");
    let sizes = numptx_random::POOL_SIZE as u64..=LARGEST_POOL as u64;
    let (head, rest) = words.split_at_checked(3).ok_or_else(missing)?;
    let (key, entropy) = rest.split_at_checked(head[2] as usize).ok_or_else(missing)?;
    if !sizes.contains(&head[0]) {
        return Err(missing());
    }
    let narrow = |words: &[u64]| words.iter().map(|word| *word as u32).collect();
    Ok(SeedSequence {
        entropy: narrow(entropy),
        spawn_key: narrow(key),
        pool_size: head[0] as usize,
        spawned: head[1] as u32,
    })
}

fn whole<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    if context.code == RANDOM_GAUSS {
        return give_words(context, dtype::UINT64, vec![0; GAUSS_WORDS]);
    }
    let reference = context.operands.reference()?;
    match context.code {
        RANDOM_NEW => {
            let kind = *KINDS.get(context.operands.int()? as usize).ok_or_else(|| Failure::bug("a kind"))?;
            let sequence = list(reference, |list| loaded(list.words()))?;
            give_state(context, &BitGenerator::seeded(kind, &sequence))
        }
        RANDOM_LEGACY => {
            let form = context.operands.int()?;
            let bits = list(reference, |list| legacy_seeded(list, form))?;
            give_state(context, &bits)
        }
        RANDOM_RESEED => {
            let other = context.operands.reference_beside(reference)?;
            let words = list(other, |list| Ok(list.words().to_vec()))?;
            list_mut(reference, |list| match list.words().len() == words.len() {
                true => {
                    list.words_mut().copy_from_slice(&words);
                    Ok(())
                }
                false => Err(Failure::type_error("can only re-seed a MT19937 BitGenerator")),
            })
        }
        RANDOM_JUMPED => {
            let jumps = context.operands.int()?;
            let random = list(reference, |list| state(list.words()))?;
            let there = random.bits.jumped(jumps).ok_or_else(|| lacks(&random, "jumped"))?;
            give_state(context, &there)
        }
        _ => {
            let steps = context.operands.int()?;
            let mut random = list(reference, |list| state(list.words()))?;
            let above = if steps < 0 { u128::MAX } else { 0 };
            random.bits.advance([i128::from(steps) as u128, above]).ok_or_else(|| lacks(&random, "advance"))?;
            store(reference, &random)
        }
    }
}

fn lacks(random: &Random, method: &str) -> Failure {
    let name = random.bits.kind().name();
    let text = format!("'numpy.random._{}.{name}' object has no attribute '{method}'", name.to_lowercase());
    Failure::new(numptx_abi::error_kind::TYPE, text)
}

/// `RandomState` of seeds, by what they were given as.
fn legacy_seeded<R: Reference>(seeds: &List<R>, form: i64) -> Outcome<BitGenerator> {
    let words = seeds.words();
    let is_large = |word: &u64| *word > u64::from(u32::MAX);
    if words.iter().any(is_large) {
        return Err(Failure::value("Seed must be between 0 and 2**32 - 1"));
    }
    let narrow: Vec<u32> = words.iter().map(|word| *word as u32).collect();
    let source = match (narrow.as_slice(), form) {
        ([], _) => return Err(Failure::value("Seed must be non-empty")),
        ([seed], 1 | 2) => Mersenne::of_int(*seed),
        (seeds, _) => Mersenne::of_words(seeds),
    };
    Ok(BitGenerator::of(Source::Mersenne(Box::new(source))))
}

fn state(words: &[u64]) -> Outcome<Random> {
    Random::load(words).ok_or_else(|| Failure::value("the state of the generator is none that draws"))
}

fn store<R: Reference>(reference: &R, random: &Random) -> Outcome<()> {
    list_mut(reference, |list| random.store(list.words_mut()).ok_or_else(|| Failure::bug("a generator is too short")))
}

fn give_state<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>, bits: &BitGenerator) -> Outcome<()> {
    let random = Random::new(bits.clone(), Style::Generator);
    let mut words = vec![0; Random::words_of(bits.kind())];
    random.store(&mut words).ok_or_else(|| Failure::bug("a generator is too short"))?;
    give_words(context, dtype::UINT64, words)
}

/// Gives a list of NumPy's numbers.
fn give_words<R: Reference, E: Embedding<R>>(
    context: &mut Context<'_, R, E>,
    dtype: u8,
    words: Vec<u64>,
) -> Outcome<()> {
    let mut made = List::new(Layout::new(&[dtype | object::NUMPY])?);
    made.extend_words(&words)?;
    context.give(Object::List(made))
}

/// A generator, and where its kept normal draw is.
struct Drawn<'a, R> {
    words: &'a R,
    gauss: Option<&'a R>,
    style: Style,
}

impl<R: Reference> Drawn<'_, R> {
    /// Runs draws on the state, which is the generator's afterwards.
    fn with<T>(&self, draw: impl FnOnce(&mut Random) -> T) -> Outcome<T> {
        self.attempt(|random| Ok(draw(random)))
    }

    /// The same where draws may fail: then the generator is as it was.
    fn attempt<T, F: From<Failure>>(&self, draw: impl FnOnce(&mut Random) -> Result<T, F>) -> Result<T, F> {
        let mut random = list(self.words, |list| state(list.words()))?;
        random.style = self.style;
        let apart = self.gauss.filter(|gauss| self.style == Style::Legacy && !gauss.same(self.words));
        let kept = random.gauss;
        if let Some(gauss) = apart {
            random.gauss = list(gauss, |list| Ok(Random::kept(list.words())))?;
        }
        let drawn = draw(&mut random)?;
        if let Some(gauss) = apart {
            list_mut(gauss, |list| {
                Random::keep(random.gauss, list.words_mut()).ok_or_else(|| Failure::bug("a place"))
            })?;
            random.gauss = kept;
        }
        store(self.words, &random)?;
        Ok(drawn)
    }
}

fn style_of(code: i64) -> Style {
    if code & RANDOM_IS_LEGACY != 0 { Style::Legacy } else { Style::Generator }
}

fn method_of(code: i64) -> Outcome<&'static Method> {
    METHODS.get((code & RANDOM_NUMBER) as usize).ok_or_else(|| Failure::bug("a method"))
}

/// A generator with its kept draw, and the code behind them.
fn drawn<'a, R: Reference>(operands: &mut Operands<'a, R>) -> Outcome<(Drawn<'a, R>, i64)> {
    let (words, gauss, code) = (operands.reference()?, operands.reference()?, operands.int()?);
    Ok((Drawn { words, gauss: Some(gauss), style: style_of(code) }, code))
}

/// Parameters of a method: numbers of single precision are given as doubles.
fn narrowed(method: &Method, mut words: [u64; 3]) -> [u64; 3] {
    for (word, parameter) in words.iter_mut().zip(method.parameters) {
        if parameter.number == Number::Single {
            *word = u64::from((f64::from_bits(*word) as f32).to_bits());
        }
    }
    words
}

fn one<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let (generator, code) = drawn(&mut context.operands)?;
    let method = method_of(code)?;
    let n_ints = if context.code == RANDOM_DRAW_COUNT { 3 } else { 0 };
    let mut given = [0; 5];
    let n = if n_ints == 3 { 5 } else { 3 };
    for word in &mut given[..n] {
        *word = context.operands.word()?;
    }
    let (mut ints, mut floats) = (given[..n_ints].iter(), given[n_ints..n].iter());
    let mut words = [0; 3];
    for (word, parameter) in words.iter_mut().zip(method.parameters) {
        let next = if parameter.number == Number::Int { ints.next() } else { floats.next() };
        *word = *next.ok_or_else(|| Failure::bug("a parameter"))?;
    }
    let words = narrowed(method, words);
    for stage in 0..STAGES {
        check(method, generator.style, Of::Scalar, stage, words)?;
    }
    let word = generator.with(|random| (method.draw)(random, words))?;
    let word = match method.result {
        Number::Single => f64::from(f32::from_bits(word as u32)).to_bits(),
        Number::Double | Number::Int => word,
    };
    context.give_int(word as i64)
}

/// How ints are drawn, by a code.
fn kind_of(code: i64) -> Outcome<(&'static IntegerKind, End, Bounded)> {
    let kind = INTEGERS.get((code & RANDOM_NUMBER) as usize).ok_or_else(|| Failure::bug("a dtype"))?;
    let end = if code & RANDOM_IS_CLOSED != 0 { End::Closed } else { End::Open };
    Ok((kind, end, Bounded::new(kind.width, style_of(code) == Style::Legacy)))
}

fn integer<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let (words, code) = (context.operands.reference()?, context.operands.int()?);
    let (low, high) = (i128::from(context.operands.int()?), i128::from(context.operands.int()?));
    let (kind, end, mut bounded) = kind_of(code)?;
    for stage in 0..RANGE_STAGES {
        kind.check(stage, low, high, end)?;
    }
    let (offset, range) = kind.offset_and_range(low, high, end);
    let generator = Drawn { words, gauss: None, style: style_of(code) };
    let drawn = generator.with(|random| bounded.draw(&mut random.bits, offset, range))?;
    context.give_int(kind.word(drawn) as i64)
}

fn integers<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let (words, code) = (context.operands.reference()?, context.operands.int()?);
    let (low, high) = (context.operands.reference()?, context.operands.reference()?);
    let count = usize::try_from(context.operands.int()?).unwrap_or(0);
    let (kind, end, mut bounded) = kind_of(code)?;
    let wide = |list: &List<R>| {
        let is_unsigned = is_unsigned(list);
        Ok(list
            .words()
            .iter()
            .map(|word| if is_unsigned { i128::from(*word) } else { i128::from(*word as i64) })
            .collect())
    };
    let (low, high): (Vec<i128>, Vec<i128>) = (list(low, wide)?, list(high, wide)?);
    let at = |column: &[i128], draw: usize| match column {
        [all] => *all,
        column => column.get(draw).copied().unwrap_or(0),
    };
    let longest = low.len().max(high.len());
    if count > 0 {
        for stage in 0..RANGE_STAGES {
            for draw in 0..longest {
                kind.check(stage, at(&low, draw), at(&high, draw), end)?;
            }
        }
    }
    let mut drawn: Vec<u64> = Vec::new();
    drawn.try_reserve_exact(count)?;
    let generator = Drawn { words, gauss: None, style: style_of(code) };
    generator.with(|random| {
        for draw in 0..count {
            let (offset, range) = kind.offset_and_range(at(&low, draw), at(&high, draw), end);
            drawn.push(kind.word(bounded.draw(&mut random.bits, offset, range)));
        }
    })?;
    give_words(context, (code & RANDOM_NUMBER) as u8, drawn)
}

/// Fails where there is no memory for so many words.
fn room_for(words: usize) -> Outcome<()> {
    Ok(Vec::<u64>::new().try_reserve_exact(words)?)
}

fn order<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let words = context.operands.reference()?;
    let generator = Drawn { words, gauss: None, style: Style::Generator };
    let n = usize::try_from(context.operands.int()?).unwrap_or(0);
    let count = usize::try_from(context.operands.int()?).unwrap_or(0);
    if context.code == RANDOM_DRAW_SAMPLE {
        let is_shuffled = context.operands.truth()?;
        if count > n {
            return Err(Failure::bug("a sample of more than all"));
        }
        // What the sampling keeps, whichever way it goes.
        room_for(n.min(count.saturating_mul(64)))?;
        let sample = generator.with(|random| random.sample(n, count, is_shuffled))?;
        return give_words(context, dtype::INT64, sample.into_iter().map(|at| at as u64).collect());
    }
    let mut all: Vec<u64> = Vec::new();
    all.try_reserve_exact(n.checked_mul(count).ok_or_else(Failure::memory)?)?;
    generator.with(|random| {
        // Of nothing there is one order, which takes no draw.
        for _ in 0..if n == 0 { 0 } else { count } {
            let first = all.len();
            all.extend(0..n as u64);
            let part = &mut all[first..];
            random.exchanges(n, 1, |at, other| part.swap(at, other));
        }
    })?;
    give_words(context, dtype::INT64, all)
}

fn several<R: Reference, E: Embedding<R>>(context: &mut Context<'_, R, E>) -> Outcome<()> {
    let (generator, code) = drawn(&mut context.operands)?;
    let n = context.operands.int()?;
    let parameters = context.operands.reference()?;
    let parameters = list(parameters, |list| Ok(list.words().to_vec()))?;
    let times = usize::try_from(context.operands.int()?).unwrap_or(0);
    let several = Several::numbered(code & RANDOM_NUMBER).ok_or_else(|| Failure::bug("a method"))?;
    several.check(generator.style, n, &parameters)?;
    let count = times.checked_mul(parameters.len()).ok_or_else(Failure::memory)?;
    room_for(several.kept(&parameters))?;
    let mut drawn: Vec<u64> = Vec::new();
    drawn.try_reserve_exact(count)?;
    drawn.resize(count, 0);
    generator.with(|random| several.draw(random, n, &parameters, &mut drawn))?;
    give_words(context, if several == Several::Dirichlet { dtype::FLOAT64 } else { dtype::INT64 }, drawn)
}
