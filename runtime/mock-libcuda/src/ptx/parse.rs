//! Text of PTX to instructions, an entry at a time.
//!
//! In: the module's text. Out: where an entry's parameters lie, and its instructions with registers as numbers; `Err` names what the mock does not know.

use std::collections::HashMap;

use super::instruction::{Op, Type};
use super::memory::{CONSTANTS, LOCAL, SHARED};

/// A register of the grid, the same for all threads or told by the thread's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    Thread(usize),
    Threads(usize),
    Block(usize),
    Blocks(usize),
    Lane,
    LanesBefore,
}

/// What an instruction takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Register(usize),
    Number(u64),
    Special(Special),
    /// A parameter, so many bytes from the first.
    Parameter(usize),
}

/// An address: what it begins with, and bytes from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub(super) base: Operand,
    pub(super) offset: u64,
    /// Whether it counts from the first byte of shared memory: 32 bits have room for it then.
    pub(super) is_shared: bool,
}

/// One instruction.
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    /// The predicate that it waits for, and whether that has to be false.
    pub(super) guard: Option<(usize, bool)>,
    pub(super) op: Op,
    /// Registers that are written; `None`: nobody wants it.
    pub(super) to: Vec<Option<usize>>,
    pub(super) from: Vec<Operand>,
    pub(super) address: Option<Address>,
    /// Where a branch goes.
    pub(super) target: usize,
}

/// An entry of a module.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Where each parameter lies, and its bytes.
    pub(super) parameters: Vec<(usize, usize)>,
    pub(super) instructions: Vec<Instruction>,
    pub(super) n_registers: usize,
    pub(super) local_bytes: usize,
    pub(super) shared_bytes: usize,
    pub(super) constants: Vec<u8>,
}

/// The text of every entry by its name, and that of all shared variables and tables of constants.
pub(super) fn entries(text: &str) -> HashMap<String, String> {
    let text: String = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    // Those of one entry alone stand in it.
    let begins = [".shared", ".extern .shared", ".global", ".const"];
    let is_shared = |line: &&str| begins.iter().any(|word| line.starts_with(word));
    let shared: String = text.lines().filter(is_shared).collect();
    let of_entry = |rest: &str| {
        let (name, rest) = rest.split_once('(')?;
        let (parameters, rest) = rest.split_once(')')?;
        let (_, body) = rest.split_once('{')?;
        Some((name.trim().to_string(), format!("{parameters}\u{1}{shared}{}", &body[..end_of(body)])))
    };
    text.split(".entry ").skip(1).filter_map(of_entry).collect()
}

/// Where a block that was opened ends.
fn end_of(text: &str) -> usize {
    let mut depth = 1;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Reads an entry of [`entries`].
pub(super) fn entry(text: &str) -> Result<Entry, String> {
    let (parameters, body) = text.split_once('\u{1}').ok_or("no body")?;
    let mut reader = Reader::default();
    reader.read_parameters(parameters)?;
    for statement in body.split(';') {
        reader.statement(statement)?;
    }
    for (at, label) in std::mem::take(&mut reader.branches) {
        let target = reader.labels.get(&label).ok_or_else(|| format!("no label {label}"))?;
        reader.instructions[at].target = *target;
    }
    Ok(Entry {
        parameters: reader.parameters.clone(),
        instructions: reader.instructions,
        n_registers: reader.registers.len(),
        local_bytes: reader.local_bytes,
        shared_bytes: reader.shared_bytes,
        constants: reader.constants,
    })
}

#[derive(Default)]
struct Reader {
    parameters: Vec<(usize, usize)>,
    registers: HashMap<String, usize>,
    /// Addresses of variables, and parameters.
    symbols: HashMap<String, Operand>,
    labels: HashMap<String, usize>,
    branches: Vec<(usize, String)>,
    instructions: Vec<Instruction>,
    local_bytes: usize,
    shared_bytes: usize,
    constants: Vec<u8>,
}

impl Reader {
    fn read_parameters(&mut self, text: &str) -> Result<(), String> {
        let mut end = 0usize;
        for parameter in text.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let mut words = parameter.split_whitespace();
            let strange = || format!("parameter {parameter}");
            // `.param .align 8 .b8 name[16]`: bytes of an alignment of their own.
            let alignment = match words.clone().nth(1) {
                Some(".align") => words.by_ref().nth(2).and_then(|n| n.parse::<usize>().ok()),
                _ => {
                    words.next();
                    None
                }
            };
            let ty = words.next().and_then(|word| Type::parse(word.trim_start_matches('.')));
            let (Some(ty), Some(name)) = (ty, words.last()) else { return Err(strange()) };
            let (name, count) = match name.trim_end_matches(']').split_once('[') {
                None => (name, 1),
                Some((name, count)) => (name, count.parse::<usize>().map_err(|_| strange())?),
            };
            let first = end.next_multiple_of(alignment.unwrap_or(ty.bytes()));
            end = first + count * ty.bytes();
            self.parameters.push((first, count * ty.bytes()));
            self.symbols.insert(name.to_string(), Operand::Parameter(first));
        }
        Ok(())
    }

    fn statement(&mut self, text: &str) -> Result<(), String> {
        // Braces around statements open and close scopes; those around registers stand behind a mnemonic.
        let mut text = text.trim_matches(|c: char| c.is_whitespace() || c == '{' || c == '}').trim();
        if text.is_empty() {
            return Ok(());
        }
        // What was cut off belongs to the last operand.
        let owned;
        if text.matches('{').count() > text.matches('}').count() {
            owned = format!("{text}}}");
            text = &owned;
        }
        while let Some((label, rest)) = text.split_once(':').filter(|(label, _)| is_label(label)) {
            self.labels.insert(label.trim().to_string(), self.instructions.len());
            text = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '{');
        }
        match text {
            "" => Ok(()),
            _ if text.starts_with('.') => self.directive(text),
            _ => self.instruction(text),
        }
    }

    /// `.global .align 8 .b8 name[16] = {1, 2}`: bytes that are not given are 0.
    fn table(&mut self, text: &str) -> Result<(), String> {
        let (head, values) = text.split_once('=').unwrap_or((text, ""));
        let words: Vec<&str> = head.split_whitespace().collect();
        let [.., element, name] = words.as_slice() else { return Err(text.to_string()) };
        let (name, length) = name.trim_end_matches(']').split_once('[').unwrap_or((name, "1"));
        let bytes = Type::parse(element.trim_start_matches('.')).ok_or(text)?.bytes();
        let length: usize = length.parse().map_err(|_| head.to_string())?;
        let first = self.constants.len().next_multiple_of(16);
        self.constants.resize(first + length * bytes, 0);
        let values = values.trim().trim_matches(['{', '}']);
        for (n, value) in values.split(',').map(str::trim).filter(|value| !value.is_empty()).enumerate() {
            let value = number(value).filter(|_| n < length).ok_or_else(|| head.to_string())?;
            let at = first + n * bytes;
            self.constants[at..at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        }
        self.symbols.insert(name.to_string(), Operand::Number(CONSTANTS + first as u64));
        Ok(())
    }

    fn directive(&mut self, text: &str) -> Result<(), String> {
        if text.starts_with(".global") || text.starts_with(".const") {
            return self.table(text);
        }
        let text = text.trim_start_matches(".extern ");
        let words: Vec<&str> = text.split_whitespace().collect();
        if matches!(words[0], ".reg" | ".pragma" | ".loc") {
            return Ok(());
        }
        let (Some(last), is_shared) = (words.last(), words[0] == ".shared") else { return Err(words[0].to_string()) };
        if !is_shared && words[0] != ".local" {
            return Err(words[0].to_string());
        }
        // A variable of one element has no length.
        let (name, length) = last.trim_end_matches(']').split_once('[').unwrap_or((last, "1"));
        let after = |word: &str| words.iter().position(|w| *w == word).and_then(|at| words.get(at + 1));
        let alignment = after(".align").and_then(|n| n.parse().ok()).unwrap_or(1usize);
        let element = words[words.len() - 2].trim_start_matches('.');
        // Of memory that launches ask for the length is not told.
        let length: usize = if length.is_empty() { 0 } else { length.parse().map_err(|_| text.to_string())? };
        let bytes = length * Type::parse(element).ok_or(text)?.bytes();
        let end = if is_shared { &mut self.shared_bytes } else { &mut self.local_bytes };
        let first = end.next_multiple_of(alignment);
        *end = first + bytes;
        let base = if is_shared { SHARED } else { LOCAL };
        self.symbols.insert(name.to_string(), Operand::Number(base + first as u64));
        Ok(())
    }

    fn instruction(&mut self, text: &str) -> Result<(), String> {
        let (guard, text) = match text.strip_prefix('@') {
            None => (None, text),
            Some(rest) => {
                let (name, rest) = rest.split_once(char::is_whitespace).ok_or(text)?;
                let predicate = self.register(name.trim_start_matches('!'));
                (Some((predicate, name.starts_with('!'))), rest.trim_start())
            }
        };
        let (mnemonic, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let mut op = Op::parse(mnemonic).ok_or(mnemonic)?;
        let operands = split(rest);
        if let (Op::Move, [to, from]) = (op, operands.as_slice()) {
            let ty = mnemonic.rsplit('.').next().and_then(Type::parse).ok_or(mnemonic)?;
            let part = |list: &str| ty.bits / split(list.trim_matches(['{', '}'])).len() as u32;
            match (to.starts_with('{'), from.starts_with('{')) {
                (true, _) => op = Op::Unpack(part(to)),
                (_, true) => op = Op::Pack(part(from)),
                _ => {}
            }
        }
        if op == Op::Branch {
            self.branches.push((self.instructions.len(), rest.trim().to_string()));
            self.push(guard, op, Vec::new(), Vec::new(), None);
            return Ok(());
        }
        let n_to = match op {
            Op::Store(_) | Op::Copy | Op::Group | Op::Arrive => 0,
            Op::Exit | Op::Barrier | Op::WarpBarrier | Op::Fence => 0,
            Op::Atomic(..) if mnemonic.starts_with("red") => 0,
            _ => 1,
        };
        let (mut to, mut from, mut address) = (Vec::new(), Vec::new(), None);
        for (n, operand) in operands.iter().enumerate() {
            if let Some(place) = operand.strip_prefix('[') {
                let place = place.trim_end_matches(']');
                match address {
                    None => address = Some(self.address(place, mnemonic.contains(".shared"))?),
                    Some(_) => from.push(self.operand(place)?),
                }
                continue;
            }
            for part in split(operand.trim_matches(['{', '}'])) {
                if n < n_to {
                    // A shuffle may say, too, whether there was such a lane.
                    let name = part.split('|').next().unwrap_or("").trim();
                    to.push((name != "_").then(|| self.register(name)));
                } else {
                    from.push(self.operand(part)?);
                }
            }
        }
        self.push(guard, op, to, from, address);
        Ok(())
    }

    fn push(
        &mut self,
        guard: Option<(usize, bool)>,
        op: Op,
        to: Vec<Option<usize>>,
        from: Vec<Operand>,
        address: Option<Address>,
    ) {
        self.instructions.push(Instruction { guard, op, to, from, address, target: 0 });
    }

    fn register(&mut self, name: &str) -> usize {
        let next = self.registers.len();
        *self.registers.entry(name.to_string()).or_insert(next)
    }

    fn operand(&mut self, text: &str) -> Result<Operand, String> {
        if let Some(special) = special(text) {
            return Ok(Operand::Special(special));
        }
        if text.starts_with('%') {
            return Ok(Operand::Register(self.register(text)));
        }
        if let Some(known) = self.symbols.get(text) {
            return Ok(*known);
        }
        number(text).map(Operand::Number).ok_or_else(|| text.to_string())
    }

    fn address(&mut self, text: &str, is_shared: bool) -> Result<Address, String> {
        let (base, offset) = text.split_once('+').unwrap_or((text, "0"));
        let offset = number(offset.trim()).ok_or(text)?;
        match self.operand(base.trim())? {
            Operand::Parameter(at) => {
                Ok(Address { base: Operand::Parameter(at + offset as usize), offset: 0, is_shared })
            }
            base => Ok(Address { base, offset, is_shared }),
        }
    }
}

fn is_label(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_$".contains(c))
}

/// Operands of a list; those of a vector are one.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut first) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[first..at].trim());
                first = at + 1;
            }
            _ => {}
        }
    }
    let last = text[first..].trim();
    if !last.is_empty() {
        parts.push(last);
    }
    parts
}

fn special(text: &str) -> Option<Special> {
    match text {
        "%laneid" => return Some(Special::Lane),
        "%lanemask_lt" => return Some(Special::LanesBefore),
        _ => {}
    }
    let (name, axis) = text.split_once('.')?;
    let axis = ["x", "y", "z"].iter().position(|known| *known == axis)?;
    Some(match name {
        "%tid" => Special::Thread(axis),
        "%ntid" => Special::Threads(axis),
        "%ctaid" => Special::Block(axis),
        "%nctaid" => Special::Blocks(axis),
        _ => return None,
    })
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim_end_matches('U');
    let hexadecimal = |digits: &str| u64::from_str_radix(digits, 16).ok();
    if let Some(digits) = ["0f", "0F", "0d", "0D", "0x", "0X"].iter().find_map(|prefix| text.strip_prefix(prefix)) {
        return hexadecimal(digits);
    }
    match text.parse::<i64>() {
        Ok(value) => Some(value.cast_unsigned()),
        Err(_) => text.parse().ok(),
    }
}
