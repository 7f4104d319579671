//! Writes draws as bits: a line of the standard input is a task; its numbers follow on the standard output, in words of 64 bits after their count.
//!
//! A task is `KIND SEED CLASS COUNT METHOD ARGUMENT…`; `tests/random/test_draws.py` writes them and compares with NumPy.

use std::io::{BufRead, Write};

use numptx_random::{
    BitGenerator, Bounded, KINDS, Kind, METHODS, Mersenne, Number, Random, SeedSequence, Source, Style, Width,
    method_named,
};

fn main() {
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("the input is text");
        let task: Vec<&str> = line.split_whitespace().collect();
        let words = carried_out(&task);
        for word in [words.len() as u64].iter().chain(&words) {
            output.write_all(&word.to_le_bytes()).expect("the output is open");
        }
    }
}

fn carried_out(task: &[&str]) -> Vec<u64> {
    let [kind, seed, class, count, method, arguments @ ..] = task else { panic!("a task of five words") };
    let count: usize = int(count) as usize;
    if *method == "generate_state" {
        return sequence(seed).generate_wide(count);
    }
    let mut random = seeded(kind, seed, class);
    if let Some(number) = method_named(method) {
        let row = &METHODS[number];
        let mut words = [0; 3];
        for ((word, argument), parameter) in words.iter_mut().zip(arguments).zip(row.parameters) {
            *word = match parameter.number {
                Number::Double => float(argument).to_bits(),
                Number::Single => u64::from((float(argument) as f32).to_bits()),
                Number::Int => int(argument) as u64,
            };
        }
        return (0..count).map(|_| (row.draw)(&mut random, words)).collect();
    }
    several(&mut random, method, count, arguments)
}

fn several(random: &mut Random, method: &str, count: usize, arguments: &[&str]) -> Vec<u64> {
    let ints = || arguments.iter().map(|argument| int(argument)).collect::<Vec<i64>>();
    let floats = |from: usize| arguments[from..].iter().map(|argument| float(argument)).collect::<Vec<f64>>();
    match method {
        "raw" => (0..count).map(|_| random.bits.raw()).collect(),
        "raw32" => (0..count).map(|_| u64::from(random.bits.next_u32())).collect(),
        "jumped" => {
            let mut there = random.bits.jumped(int(arguments[0])).expect("it jumps");
            (0..count).map(|_| there.raw()).collect()
        }
        "advance" => {
            random
                .bits
                .advance([int(arguments[0]) as i128 as u128, int(arguments[0]).signum().min(0) as i128 as u128])
                .expect("it advances");
            (0..count).map(|_| random.bits.raw()).collect()
        }
        "stored" => {
            let mut words = vec![0; Random::words_of(random.bits.kind())];
            let mut drawn = Vec::new();
            for _ in 0..count {
                random.store(&mut words).expect("there are enough words");
                *random = Random::load(&words).expect("it was stored");
                drawn.extend([u64::from(random.bits.next_u32()), random.standard_normal().to_bits()]);
            }
            drawn
        }
        "bounded" => {
            let width = [Width::Bit, Width::Byte, Width::Short, Width::Word, Width::Long][int(arguments[0]) as usize];
            let mut bounded = Bounded::new(width, random.style == Style::Legacy);
            let (offset, range) = (int(arguments[1]) as u64, arguments[2].parse().expect("a range"));
            (0..count).map(|_| bounded.draw(&mut random.bits, offset, range)).collect()
        }
        "multinomial" => {
            draws(count, arguments.len() - 1, |counts| random.multinomial(int(arguments[0]), &floats(1), counts))
        }
        "marginals" => draws(count, arguments.len() - 1, |counts| {
            random.hypergeometric_of_marginals(&ints()[1..], ints()[0], counts)
        }),
        "count" => {
            let colors = ints()[1..].to_vec();
            let mut choices: Vec<usize> = (0..colors.len()).flat_map(|at| vec![at; colors[at] as usize]).collect();
            draws(count, colors.len(), |counts| {
                random.hypergeometric_of_counts(&colors, ints()[0], &mut choices, counts)
            })
        }
        "dirichlet" => {
            let alpha = floats(0);
            let mut parts = vec![0.0; alpha.len()];
            (0..count)
                .flat_map(|_| {
                    random.dirichlet(&alpha, &mut parts);
                    parts.iter().map(|part| part.to_bits()).collect::<Vec<u64>>()
                })
                .collect()
        }
        "shuffle" => {
            let mut all: Vec<u64> = (0..count as u64).collect();
            random.exchanges(count, 1, |at, other| all.swap(at, other));
            all
        }
        "sample" => random
            .sample(int(arguments[0]) as usize, count, int(arguments[1]) == 1)
            .iter()
            .map(|&at| at as u64)
            .collect(),
        _ => panic!("no method {method}"),
    }
}

fn draws(count: usize, width: usize, mut draw: impl FnMut(&mut [i64])) -> Vec<u64> {
    let mut all = Vec::new();
    for _ in 0..count {
        let mut counts = vec![0; width];
        draw(&mut counts);
        all.extend(counts.iter().map(|&count| count as u64));
    }
    all
}

fn seeded(kind: &str, seed: &str, class: &str) -> Random {
    let style = if class == "legacy" { Style::Legacy } else { Style::Generator };
    if kind == "RandomState" {
        let seeds = || seed.split(',').filter(|word| !word.is_empty()).map(|word| word.parse().expect("a seed"));
        // A comma makes a sequence of one number.
        let source = match seed.contains(',') {
            true => Mersenne::of_words(&seeds().collect::<Vec<u32>>()),
            false => Mersenne::of_int(seeds().next().expect("a seed")),
        };
        return Random::new(BitGenerator::of(Source::Mersenne(Box::new(source))), style);
    }
    let kind = KINDS.into_iter().find(|known: &Kind| known.name() == kind).expect("a kind");
    Random::new(BitGenerator::seeded(kind, &sequence(seed)), style)
}

/// `SEED`, `SEED,SEED…`, and after `/` the numbers of spawned children.
fn sequence(text: &str) -> SeedSequence {
    let (entropy, path) = text.split_once('/').unwrap_or((text, ""));
    let words: Vec<u32> =
        entropy.split(',').flat_map(|word| numptx_random::words_of(word.parse().expect("a seed"))).collect();
    let mut sequence = SeedSequence::new(&words);
    for child in path.split('/').filter(|child| !child.is_empty()) {
        let child: u32 = child.parse().expect("a child");
        sequence = sequence.spawn(child + 1).pop().expect("one child at least");
    }
    sequence
}

fn int(text: &str) -> i64 {
    text.parse().expect("an int")
}

fn float(text: &str) -> f64 {
    text.parse().expect("a float")
}
