//! Random structured programs on the host: the same as the interpreter gives. Loops that all points of a row share run side by side, others point by
//! point, and what is carried changes places.

mod harness;

use harness::nests::{Lies, array, check};
use harness::{Random, compile};
use numptx_ir::DType;
use numptx_ir::array::Nest;
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{Block, Code, CodeBuilder, Constant, ScalarOp, Val};

/// Programs in one library, unless `NUMPTX_PROGRAMS` says otherwise.
const PROGRAMS: u64 = 8;
/// Extents of the one axis or the last one: parts of strips, whole ones, and more.
const LENGTHS: [i64; 4] = [1, 2, 31, 130];
/// The extent of every other axis.
const SIDE: i64 = 3;

/// Table 0 is written, `i64`, over the iteration space; table 1 is read, over two axes of `SIDE` and of the last extent; table 2 has one axis of `SIDE`.
struct Writer {
    random: Random,
    code: CodeBuilder,
    /// The point.
    point: Vec<Val>,
    /// Integers in scope that are indices of an axis of `SIDE`.
    small: Vec<Val>,
    /// Integers in scope, and booleans.
    integers: Vec<Val>,
    depth: usize,
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        (self.random.next() % n as u64) as usize
    }

    fn any(&mut self) -> Val {
        let n = self.below(self.integers.len());
        self.integers[n]
    }

    fn condition(&mut self) -> Val {
        let same = self.below(2) == 0;
        // Of the loop's own index and a constant: all points go the same way.
        let a = if same { self.small[self.random.next() as usize % self.small.len()] } else { self.any() };
        let b = self.code.integer((self.random.next() % 3) as i64);
        self.code.op([ScalarOp::Lt, ScalarOp::Eq, ScalarOp::Ge][(self.random.next() % 3) as usize], &[a, b])
    }

    fn statements(&mut self, n: usize) {
        for _ in 0..n {
            match self.below(10) {
                0..=2 => self.operation(),
                3 | 4 => self.load(),
                5 => self.store(),
                6 if self.depth < 3 => self.branch(),
                7 | 8 if self.depth < 3 => self.counted(),
                9 if self.depth < 2 => self.repeated(),
                _ => self.operation(),
            }
        }
    }

    fn operation(&mut self) {
        let (a, b) = (self.any(), self.any());
        let op = [ScalarOp::Add, ScalarOp::Sub, ScalarOp::Mul, ScalarOp::Max, ScalarOp::BitXor][self.below(5)];
        let value = self.code.op(op, &[a, b]);
        self.integers.push(value);
    }

    fn load(&mut self) {
        let n = self.below(self.small.len());
        let side = self.small[n];
        let last = self.point[self.point.len() - 1];
        let value = match self.below(4) {
            0 => self.code.load(2, &[side], DType::I64),
            1 => self.code.load(0, &self.point.clone(), DType::I64),
            _ => self.code.load(1, &[side, last], DType::I64),
        };
        self.integers.push(value);
    }

    fn store(&mut self) {
        let value = self.any();
        self.code.store(0, &self.point.clone(), value);
    }

    fn nested(&mut self) -> (usize, usize) {
        self.depth += 1;
        (self.integers.len(), self.small.len())
    }

    fn leave(&mut self, (integers, small): (usize, usize)) {
        self.depth -= 1;
        self.integers.truncate(integers);
        self.small.truncate(small);
    }

    fn branch(&mut self) {
        let condition = self.condition();
        let mut blocks: Vec<Block> = Vec::new();
        for _ in 0..2 {
            let before = self.nested();
            self.code.open_block(&[]);
            let n = self.below(4);
            self.statements(n);
            let yields = [self.any(), self.any()];
            blocks.push(self.code.close_block(&yields));
            self.leave(before);
        }
        let otherwise = blocks.remove(1);
        let results = self.code.if_(condition, blocks.remove(0), otherwise);
        self.integers.extend(results);
    }

    fn counted(&mut self) {
        let (lower, upper) = (self.code.integer(0), self.code.integer((self.random.next() % 4) as i64));
        let step = self.code.integer(1);
        let initial = [self.any(), self.any(), self.any()];
        let before = self.nested();
        let parameters = self.code.open_block(&[DType::I64; 4]);
        self.small.push(parameters[0]);
        self.integers.extend(&parameters);
        let n = 1 + self.below(4);
        self.statements(n);
        // Two change places, the third is anything.
        let yields = match self.below(2) {
            0 => [parameters[2], parameters[1], self.any()],
            _ => [self.any(), self.any(), parameters[1]],
        };
        let body = self.code.close_block(&yields);
        self.leave(before);
        let results = self.code.for_([lower, upper, step], &initial, body);
        self.integers.extend(results);
    }

    /// While a counter is small, and, where points differ, a value is odd.
    fn repeated(&mut self) {
        let zero = self.code.integer(0);
        let (a, limit, by_itself) = (self.any(), (self.random.next() % 3) as i64, self.below(3) == 0);
        let parameters = self.code.open_block(&[DType::I64; 2]);
        let limit = self.code.integer(limit);
        let mut goes_on = self.code.op(ScalarOp::Lt, &[parameters[0], limit]);
        if by_itself {
            let zero = self.code.integer(0);
            let positive = self.code.op(ScalarOp::Gt, &[parameters[1], zero]);
            goes_on = self.code.op(ScalarOp::BitAnd, &[goes_on, positive]);
        }
        let condition = self.code.close_block(&[goes_on]);
        let before = self.nested();
        let parameters = self.code.open_block(&[DType::I64; 2]);
        self.small.push(parameters[0]);
        self.integers.extend(&parameters);
        let n = 1 + self.below(3);
        self.statements(n);
        let one = self.code.integer(1);
        let next = self.code.op(ScalarOp::Add, &[parameters[0], one]);
        let yields = [next, self.any()];
        let body = self.code.close_block(&yields);
        self.leave(before);
        let results = self.code.while_(&[zero, a], condition, body);
        self.integers.extend(results);
    }
}

fn program(seed: u64, rank: usize) -> Code {
    let mut code = CodeBuilder::new();
    let point: Vec<Val> = (0..rank as u32).map(|axis| code.index(axis)).collect();
    let input = code.input(0, DType::I64);
    let small = vec![code.integer(1), code.integer(2)];
    let integers = [&point[..], &small, &[input]].concat();
    let mut writer = Writer { random: Random(seed), code, point, small, integers, depth: 0 };
    let n = 3 + writer.below(5);
    writer.statements(n);
    // All tables are met.
    let zero = writer.code.integer(0);
    let last = writer.point[rank - 1];
    let (a, b) = (writer.code.load(1, &[zero, last], DType::I64), writer.code.load(2, &[zero], DType::I64));
    let results: Vec<Val> = writer.integers.iter().rev().take(3).copied().collect();
    let sum = results.iter().fold(writer.code.op(ScalarOp::Add, &[a, b]), |sum, v| {
        let sum = writer.code.op(ScalarOp::Add, &[sum, *v]);
        writer.code.op(ScalarOp::Mul, &[sum, results[0]])
    });
    writer.code.store(0, &writer.point.clone(), sum);
    writer.code.finish()
}

#[test]
fn random_programs_give_what_the_interpreter_gives() {
    let kernel = |seed: u64| {
        let rank = 1 + seed as usize % 2;
        let nest = Nest { rank, code: program(seed, rank) };
        let tables = [(DType::I64, rank), (DType::I64, 2), (DType::I64, 1)];
        let mut kernel = Kernel::of_nest(&nest, &tables, &[DType::I64]);
        kernel.name = format!("program{seed}");
        numptx_ir::kernel::verify::verify(&kernel).expect("a sound kernel");
        kernel
    };
    let wanted = std::env::var("NUMPTX_PROGRAMS").ok().and_then(|n| n.parse().ok());
    let kernels: Vec<Kernel> = (0..wanted.unwrap_or(PROGRAMS)).map(kernel).collect();
    let compiled = compile(&kernels, "x86-64-v3");
    for (seed, kernel) in kernels.iter().enumerate() {
        for length in LENGTHS {
            let extents = if kernel.rank == 1 { vec![length] } else { vec![SIDE, length] };
            for lies in [Lies::C, Lies::Odd].into_iter().take(if length == 31 { 2 } else { 1 }) {
                let written = array(DType::I64, &extents, lies, seed as u64 + 1);
                let read = array(DType::I64, &[4, length], Lies::C, seed as u64 + 2);
                let tables = [written, read, array(DType::I64, &[4], Lies::C, seed as u64 + 3)];
                check(&compiled, kernel, &extents, &tables, &[Constant::Int(seed as i64)], 200);
            }
        }
    }
}
